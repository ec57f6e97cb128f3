// Package base establishes base URIs by the layers of section 5.1 of the 1997 draft,
// draft-fielding-url-syntax ("draft 5.1"), and of RFC 1808 section 3, and resolves
// references against them.
//
// The innermost layer wins. A caller starts at the outermost entity and goes inward:
// [Root] for the URL that a document was retrieved from, [Base.Embed] for a base that
// an entity states itself, [Base.Inside] for each entity that it encloses.
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

// String returns the layer as JSON output has it.
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

// A Base is the base in force at some place of a document: the URI, and why it
// is that one. It is a value: Embed and Inside leave it as it was. It may be
// used by several goroutines at once.
//
// The zero Base means that there is no base, under RFC 3986. Root returns such a Base
// under other rules.
// A Base that a caller fills in works under RFC 3986, but prepares the URI again for
// each reference.
type Base struct {
	URI   string // absolute; without a fragment, but for the rules of RFC 1808; "" if there is no base
	Layer Layer
	From  string // what gave it: "base/href", "Content-Location", "--url"

	prepared   *resolve.Resolver // of URI
	unsuitable error             // ErrUnsuitable and why, where a reference may meet it
	none       *resolve.Resolver // the same rules with no base
}

// String returns the URI, or "" where there is no base.
func (b Base) String() string { return b.URI }

var noBase = resolve.Rules{}.Resolver("")

// Why a reference has no URL. errors.Is finds them in the errors of this package.
var (
	ErrNoBase     = errors.New("no base")         // a relative reference, and nothing to resolve it against
	ErrUnsuitable = errors.New("unsuitable base") // the base's scheme has no relative forms
)

var errNotAbsolute = errors.New("not absolute")

// A Source is a URI and what gave it.
type Source struct {
	URI  string // "" if there is none
	From string // "--url", "WARC-Target-URI", "--base"
}

// Root returns the base of an entity that no other encloses: the URI it was
// retrieved by (draft 5.1.3), otherwise the default (5.1.4), otherwise none,
// which still knows the rules.
//
// A URI that is not absolute counts as absent: then the error names it, and the Base
// is valid all the same.
func Root(rules resolve.Rules, retrieved, deflt Source) (Base, error) {
	root := Base{none: rules.Resolver("")}
	b, err := root.layer(retrieved, Retrieval)
	if b.Layer != None {
		return b, nil
	}
	b, errDefault := root.layer(deflt, Default)
	return b, errors.Join(err, errDefault)
}

// layer returns the base that s gives, or b if s gives none.
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

// Inside returns what an entity starts from that is enclosed in one whose base
// is b (draft 5.1.2, RFC 1808 3.2): the same URI, no longer embedded in the entity
// itself. Where b comes from outside the document, it still does.
func (b Base) Inside() Base {
	if b.Layer == Embedded {
		b.Layer = Encapsulating
	}
	return b
}

// Embed returns the base that an entity states for itself (draft 5.1.1), where b
// is the base it replaces. ref is resolved against b, and loses its fragment,
// except under rules that give it to the empty reference (RFC 1808 4 step 2a).
// Characters that a URI would have to escape are no error.
//
// It is an error if the result is not absolute; then the Base returned is b.
func (b Base) Embed(ref, from string) (Base, error) {
	uri, res, err := b.Append(nil, []byte(ref))
	switch {
	case err == ErrNoBase:
		return b, fmt.Errorf("base: embedded %q: no outer base", ref)
	case err != nil:
		return b, fmt.Errorf("base: embedded %q: %w", ref, err)
	case res.SameDocument():
		return b, fmt.Errorf("base: embedded %q: refers to the current document", ref)
	case res.InError:
		return b, fmt.Errorf("base: embedded %q: %w", ref, res.Err())
	}
	inner, err := b.establish(string(uri), Embedded, from)
	if err != nil {
		return b, fmt.Errorf("base: embedded %q: %w", ref, err)
	}
	return inner, nil
}

// establish returns uri as a base under the rules of b, if it is absolute; under
// those of browsers, as they serialise it.
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
	if rules.Empty != resolve.BaseAndFragment {
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

func (b Base) withoutURI() *resolve.Resolver {
	if b.none == nil {
		return noBase
	}
	return b.none
}

// Append appends to dst the URL of ref against b; see [resolve.Resolver.Append] for
// what is appended, and for the two results that are not URLs.
//
// An absolute reference needs no base. Nor does one to the current document,
// where the rules know such references. With any other, the error is ErrNoBase
// where there is no base, and wraps ErrUnsuitable where ref has a path or an
// authority, but the scheme of the base has no relative forms (draft 5, last
// paragraph; empty, "?y" and "#s" resolve); under the rules of browsers, where the
// path of the base is opaque, unless ref is a fragment. With an error nothing is
// appended.
func (b Base) Append(dst, ref []byte) ([]byte, resolve.Result, error) {
	if b.prepared == nil && b.URI != "" {
		b, _ = b.establish(b.URI, b.Layer, b.From)
	}
	if b.prepared != nil && b.unsuitable == nil {
		dst, res := b.prepared.Append(dst, ref)
		return dst, res, nil
	}
	none := b.withoutURI()
	if b.prepared != nil && none.Rules().Browser {
		dst, res := b.prepared.Append(dst, ref)
		if res.Failure == resolve.OpaqueBase {
			return dst, resolve.Result{}, b.unsuitable
		}
		return dst, res, nil
	}
	if b.prepared != nil {
		if c := none.Rules().Parse(ref); !c.HasScheme {
			if c.HasAuthority || len(c.Path) > 0 || c.HasParams {
				return dst, resolve.Result{}, b.unsuitable
			}
			dst, res := b.prepared.Append(dst, ref)
			return dst, res, nil
		}
	}
	// An absolute reference stays one under same-scheme=relative too: there is
	// nothing that "mailto:x" could be relative to.
	n := len(dst)
	dst, res := none.Append(dst, ref)
	if res.Step == resolve.NoBase {
		return dst[:n], resolve.Result{}, ErrNoBase
	}
	return dst, res, nil
}

// Suitable reports whether references with a path or an authority can be
// resolved against a URI of this scheme, in any case of letters. The answer is in
// the table of [resolve.Scheme]: RFC 1808 2.3 excludes mailto, news and telnet, and
// schemes whose URLs are opaque have no relative forms. Schemes that the table does
// not have can be a base: the draft leaves that to the URI (5), and RFC 1808 2.3 even to
// those that are merely unlikely (gopher, prospero, wais).
func Suitable(scheme string) bool {
	s, known := resolve.SchemeOf(scheme)
	return !known || s.Base
}
