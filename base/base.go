// Package base establishes base URIs by the layers of section 5.1 of the 1997 draft,
// draft-fielding-url-syntax ("draft 5.1"), and of RFC 1808 section 3, and resolves references against them.
// Use it in a program that reads documents by itself; package extract does this for all formats.
//
// The innermost layer wins. A caller starts at the outermost entity and goes inward: [Root] for the URL
// that a document was retrieved from, [Base.Embed] for a base that an entity states itself, [Base.Inside]
// for each entity that it encloses.
package base

import (
	"errors"
	"fmt"
	"strings"

	"example.org/refract/resolve"
)

// Layer is the rule of draft 5.1 that a base comes from.
type Layer uint8

const (
	None          Layer = iota // there is no base
	Embedded                   // 5.1.1: within the entity's content or its own heading
	Encapsulating              // 5.1.2: embedded in an entity around it
	Retrieval                  // 5.1.3: the URL that was used to retrieve it
	Default                    // 5.1.4: given by the context of the application
)

// String returns the name of the layer in JSON output.
func (l Layer) String() string {
	switch l {
	case Embedded:
		return "embedded"
	case Encapsulating:
		return "encapsulating"
	case Retrieval:
		return "retrieval"
	case Default:
		return "default"
	}
	return "none"
}

// A Base is the base URI in force at some place in a document, together with the reason it applies. It is a
// value: Embed and Inside do not modify it. Several goroutines may use it at once.
//
// The zero Base means that there is no base, under RFC 3986. For other rules, Root returns a Base without a
// URI. A Base literal works under RFC 3986, but it prepares the URI again for each reference.
type Base struct {
	URI   string // absolute; no fragment, except under the rules of RFC 1808; "" if there is no base
	Layer Layer
	From  string // its source: "base/href", "Content-Location", "--url"

	prepared   *resolve.Resolver // of URI
	unsuitable error             // ErrUnsuitable and the reason, if some references do not resolve against URI
	none       *resolve.Resolver // the same rules with no base
}

// String returns the URI, or "" if there is no base.
func (b Base) String() string { return b.URI }

var noBase = resolve.Rules{}.Resolver("")

// The reasons why a reference has no URL, for errors.Is.
var (
	ErrNoBase     = errors.New("no base")         // nothing to resolve a relative reference against
	ErrUnsuitable = errors.New("unsuitable base") // the base's scheme has no relative forms
)

var errNotAbsolute = errors.New("not absolute")

// A Source is a URI and where it comes from.
type Source struct {
	URI  string // "" if there is none
	From string // "--url", "WARC-Target-URI", "--base"
}

// Root returns the base of an entity that no other entity encloses: the URI it was retrieved from (draft
// 5.1.3), otherwise the default (5.1.4), otherwise a Base without a URI, which still holds the rules.
//
// A URI that is not absolute counts as absent. The error then names it, and the returned Base is valid all
// the same.
func Root(rules resolve.Rules, retrieved, deflt Source) (Base, error) {
	root := Base{none: rules.Resolver("")}
	b, err := root.layer(retrieved, Retrieval)
	if b.Layer != None {
		return b, nil
	}
	b, errDefault := root.layer(deflt, Default)
	return b, errors.Join(err, errDefault)
}

// layer returns s as a base of layer l, or b if s has no URI.
func (b Base) layer(s Source, l Layer) (Base, error) {
	if s.URI == "" {
		return b, nil
	}
	inner, err := b.establish(s.URI, l, s.From)
	if err != nil {
		return b, fmt.Errorf("base: %s %q: %w", s.From, s.URI, err)
	}
	return inner, nil
}

// Inside returns the initial base of an entity enclosed in one whose base is b (draft 5.1.2, RFC 1808 3.2).
// It has the same URI, but the layer Encapsulating in place of Embedded. A base from outside the document
// keeps its layer.
func (b Base) Inside() Base {
	if b.Layer == Embedded {
		b.Layer = Encapsulating
	}
	return b
}

// Embed returns the base that an entity states for itself (draft 5.1.1), where b is the base it replaces.
// It resolves ref against b and removes the fragment, except under rules by which the empty reference has
// it (RFC 1808 4 step 2a). Characters that a URI would have to escape are not an error.
//
// It is an error if the result is not absolute; the returned Base is then b.
func (b Base) Embed(ref, from string) (Base, error) {
	uri, res, err := b.Append(nil, []byte(ref))
	switch {
	case err == ErrNoBase:
		return b, fmt.Errorf("base: embedded %q: no outer base", ref)
	case err != nil:
		return b, fmt.Errorf("base: embedded %q: %w", ref, err)
	case res.SameDocument():
		return b, fmt.Errorf("base: embedded %q: refers to the current document", ref)
	}
	inner, err := b.establish(string(uri), Embedded, from)
	if err != nil {
		return b, fmt.Errorf("base: embedded %q: %w", ref, err)
	}
	return inner, nil
}

// establish returns uri as a base under the rules of b, if it is absolute. Under browser rules it stores
// the URI as browsers serialise it.
func (b Base) establish(uri string, l Layer, from string) (Base, error) {
	none := b.withoutURI()
	rules := none.Rules()
	if rules.Browser {
		parsed, res := none.Append(nil, []byte(uri))
		if res.InError && res.Failure != resolve.NoBaseURL {
			return Base{}, res.Err()
		}
		uri = string(parsed)
	}
	c := rules.Parse([]byte(uri))
	if !c.HasScheme {
		return Base{}, errNotAbsolute
	}
	if rules.Empty != resolve.EmptyIsWholeBase {
		uri, _, _ = strings.Cut(uri, "#")
	}
	inner := Base{URI: uri, Layer: l, From: from, prepared: rules.Resolver(uri), none: none}
	if rules.Browser { // depends on the path, not on the scheme
		inner.unsuitable = fmt.Errorf("%w: browsers resolve only fragments against an opaque path", ErrUnsuitable)
	} else if scheme := string(c.Scheme); !Suitable(scheme) {
		inner.unsuitable = fmt.Errorf("%w: %s URLs have no relative forms", ErrUnsuitable, scheme)
	}
	return inner, nil
}

func (b *Base) withoutURI() *resolve.Resolver { // inlined: b is not copied
	if b.none == nil {
		return noBase
	}
	return b.none
}

// Append appends to dst the URL of ref against b. See [resolve.Resolver.Append] for the format and for the
// two results that are not URLs.
//
// An absolute reference needs no base, nor does a reference to the current document under rules that have
// such references. For any other reference, the error is ErrNoBase if there is no base. The error wraps
// ErrUnsuitable if ref has a path or an authority, but the scheme of the base has no relative forms (draft
// 5, last paragraph; empty, "?y" and "#s" resolve). Under browser rules, it wraps ErrUnsuitable if the path
// of the base is opaque, unless ref is a fragment.
//
// For a reference that is invalid by itself, Append returns the error of [resolve.Result.Err] and the
// Result that says so; with the other errors, the Result is zero. On error, Append appends nothing.
func (b Base) Append(dst, ref []byte) ([]byte, resolve.Result, error) {
	if b.prepared == nil && b.URI != "" {
		b, _ = b.establish(b.URI, b.Layer, b.From)
	}
	by, none := b.prepared, b.withoutURI()
	switch {
	case by == nil:
		// An absolute reference stays absolute under same-scheme=relative too:
		// "mailto:x" could not be relative to anything.
		by = none
	case b.unsuitable != nil && !none.Rules().Browser:
		c := none.Rules().Parse(ref)
		if c.HasScheme {
			by = none
		} else if c.HasAuthority || len(c.Path) > 0 || c.HasParams {
			return dst, resolve.Result{}, b.unsuitable
		}
	}
	n := len(dst)
	dst, res := by.Append(dst, ref)
	switch {
	case by == none && res.Step == resolve.NoBase:
		return dst[:n], resolve.Result{}, ErrNoBase
	case res.Failure == resolve.OpaqueBase && b.unsuitable != nil:
		return dst[:n], resolve.Result{}, b.unsuitable
	case res.InError:
		return dst[:n], res, res.Err()
	}
	return dst, res, nil
}

// Keeps reports whether the URL of ref is ref itself. See [resolve.Resolver.Keeps].
func (b *Base) Keeps(ref []byte) bool {
	return b.withoutURI().Keeps(ref) // this depends on the rules alone
}

// Suitable reports whether references with a path or an authority can be resolved against a URI of this
// scheme; case does not matter. It uses the table of [resolve.Scheme]: RFC 1808 2.3 excludes mailto, news
// and telnet, and schemes with opaque URLs have no relative forms. A scheme that is not in the table can be
// a base: the draft lets the URI decide (5). So can the schemes that RFC 1808 2.3 calls merely unlikely
// (gopher, prospero, wais).
func Suitable(scheme string) bool {
	s, known := resolve.SchemeOf(scheme)
	return !known || s.Base
}
