// Package resolve resolves URI references against a base URI: by RFC 3986 section 5.2, by one of its
// predecessors, or as browsers do (see [Rules]). Use it in a program that has a base and references;
// package base finds out which base applies.
//
// [Resolve] resolves one reference. A [Resolver] is a base prepared for many references; it appends to a
// buffer and does not allocate:
//
//	r := resolve.Rules{}.Resolver("http://a/b/c")
//	url, result := r.Append(nil, []byte("../g"))
//
// # Input
//
// Every sequence of bytes is a valid reference and a valid base. Nothing is escaped, decoded or converted
// to lower case, except under the rules of browsers ([Rules].Browser). A base need not have a scheme:
// "/static/" and "a.js" give "/static/a.js". The empty base leaves references as they are, as in RFC 1808
// section 4 step 1.
//
// This package applies the algorithm only. Package base decides which base applies, and whether its scheme
// can be a base. [Grammar.Check] checks whether a URL is valid, and package risk whether it is suspicious.
//
// # Complexity
//
// Time is linear in the length of base and reference.
//
// # Divergences
//
// Each of these is reported when it happens (see [Departures]):
//
//   - An absolute reference whose path does not start with a slash is not changed: RFC 3986 5.2.2 would
//     make "urn:a:b/../c" into "urn:/c".
//   - A path that would start with "//" where there is no authority gets "/." in front: without it,
//     "foo:/a" and ".//g" would give "foo://g", whose authority is in neither. RFC 3986 3.3 forbids such a
//     path, but 5.2 can make one.
//   - A relative path joined to a host gets a slash under every set of rules. Before RFC 3986 5.2.3,
//     "http://a" and "g" gave "http://ag".
//
// # Other operations
//
//   - Split a reference: [Parse], [Rules.Parse], and [Rules.Parts] for the parts that its scheme defines.
//   - Explain a result: [Resolver.Explain], and [Rules.Compare] for the differences between documents.
//   - Find the shortest reference to a URL: [Resolver.AppendRelative].
//   - Normalize a URL: [Form.Append]. Package canon makes keys to compare and sort by.
//   - Find out whether browsers go elsewhere: [Readings.AppendBrowser].
//
// # Citations
//
// "The 1997 draft", or "draft 5.2" for its section 5.2, is draft-fielding-url-syntax, which became RFC 2396
// and RFC 3986. "Draft-01" and "draft-02" are its predecessors.
package resolve

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"example.org/refract/internal/ascii"
	"example.org/refract/resolve/internal/syntax"
)

// Resolve returns the URL that ref refers to against base, by RFC 3986 section 5.2.
// It returns an error if the result has no scheme, because neither base nor ref has one.
func Resolve(base, ref string) (string, error) {
	url, _ := Rules{}.Resolver(base).Append(nil, []byte(ref))
	if ascii.SchemeEnd(url) == 0 {
		return "", fmt.Errorf("resolve: %q is relative, and the base %q has no scheme", ref, base)
	}
	return string(url), nil
}

// A Resolver resolves references against one base under one set of rules. It is immutable, and several
// goroutines may use it at once.
type Resolver struct {
	rules Rules
	uri   string

	// Prefixes of the base without its fragment, each ending with the component it is named after.
	scheme, authority, path, params, query string

	dir   string     // authority, and the directory that a relative path is merged with, after the removal of dot segments
	floor int        // an offset in dir: no ".." removes anything before it
	above Departures // WentAbove, if removing the dot segments of dir went above the root
	fast  fastPath   // which references do not need appendGeneral

	browser *record   // the base under the rules of browsers; nil if they cannot parse it
	plain   *Resolver // for appendPlain
}

// A Result describes how a reference was resolved.
type Result struct {
	Step       Step
	Departures Departures
	InError    bool    // there is no URL, for the reason that Err returns, and nothing was appended
	Failure    Failure // the reason, under the rules of browsers
}

// Err returns why a reference is in error, or nil. The path goes above the root and the rules say
// FailAboveRoot, or browsers fail with Failure.
func (r Result) Err() error {
	switch {
	case !r.InError:
		return nil
	case r.Failure != 0:
		return r.Failure
	}
	return errAboveRoot
}

var errAboveRoot = errors.New("the path goes above the root")

// SameDocument reports whether the reference is to the current document, and not to a URL. Append then
// appends the fragment with its "#", or nothing.
func (r Result) SameDocument() bool { return r.Step == CurrentDocument }

// Step is the step of the algorithm that decided.
type Step uint8

const (
	_               Step = iota
	CurrentDocument      // draft 5.2 step 2
	Absolute             // draft 5.2 step 3: the reference has a scheme
	NetworkPath          // draft 5.2 step 4: it begins with "//"
	AbsolutePath         // draft 5.2 step 5: it begins with "/"
	RelativePath         // draft 5.2 step 6: its path is merged with the base's
	SameURI              // RFC 3986 5.2.2, RFC 1808 4 step 2a or 5b: the base, with the reference's fragment
	SamePath             // RFC 3986 5.2.2, RFC 1808 4 step 5: the base's path, with other params or query
	NoBase               // RFC 1808 4 step 1: the base is empty, and the reference is left alone (browsers: in error)
)

// String describes the step in words, with its section of the draft if it has one.
func (s Step) String() string {
	switch s {
	case CurrentDocument:
		return "current document (5.2 step 2)"
	case Absolute:
		return "absolute reference (5.2 step 3)"
	case NetworkPath:
		return "network path (5.2 step 4)"
	case AbsolutePath:
		return "absolute path (5.2 step 5)"
	case RelativePath:
		return "relative path (5.2 step 6)"
	case SameURI:
		return "the base itself (RFC 3986 5.2.2)"
	case SamePath:
		return "the base's path (RFC 3986 5.2.2)"
	case NoBase:
		return "no base (RFC 1808 4 step 1)"
	}
	return "none"
}

// Departures is the set of ways in which a result, or its reference, departs from the letter of the
// document.
type Departures uint8

const (
	LeftRootless Departures = 1 << iota // an absolute reference without a slash kept its dot segments
	Guarded                             // "/." or, where there is no scheme, "./" was put before the path
	AddedSlash                          // "/" was put between authority and path
	WentAbove                           // a ".." went above the root (draft 5.2 step 6g)
)

// Names lists the members of d: "rootless", "guard", "slash", "above-root".
func (d Departures) Names() []string {
	var names []string
	for i, name := range []string{"rootless", "guard", "slash", "above-root"} {
		if d&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// String joins the names of d with commas; the empty set is "".
func (d Departures) String() string { return strings.Join(d.Names(), ",") }

// Resolver returns a Resolver for the base uri. Every string is a valid base.
func (r Rules) Resolver(uri string) *Resolver {
	if r.Browser {
		b := &Resolver{rules: r, uri: uri, browser: browserBase(uri)}
		if u := b.browser; u != nil && (u.scheme == "http" || u.scheme == "https") {
			b.plain, b.fast = Rules{}.Resolver(string(u.append(nil))), fastPlain
		}
		return b
	}
	p := r.split([]byte(uri))
	b := &Resolver{rules: r, uri: uri}

	// draft 5.2 step 7, remembering where each component ended. Nearly always these are the bytes of uri: a
	// program that resolves against thousands of bases in turn then waits less for memory.
	n := len(p.scheme) + len(p.authority) + len(p.path) + len(p.params) + len(p.query)
	all := uri[:n]
	if n+len(p.fragment) < len(uri) {
		all = string(bytes.Join([][]byte{p.scheme, p.authority, p.path, p.params, p.query}, nil))
	}
	n = len(p.scheme)
	b.scheme = all[:n]
	n += len(p.authority)
	b.authority = all[:n]
	n += len(p.path)
	b.path = all[:n]
	n += len(p.params)
	b.params = all[:n]
	b.query = all

	root := len(b.authority)
	dir := []byte(b.path[:root+1+strings.LastIndexByte(b.path[root:], '/')])
	var above bool
	if r.LeaveDots {
		// RetainAboveRoot segments above the root: whether a ".." goes above it depends on the whole
		// path (draft 5.2 step 6g).
		dir, b.floor, above = syntax.MergePaths(dir, root, root, root, false)
	} else {
		if len(p.authority) > 0 && len(p.path) == 0 {
			dir = append(dir, '/') // RFC 3986 5.2.3
		}
		dir, b.floor, above = syntax.RemoveDots(dir, root, root, r.AboveRoot == RetainAboveRoot)
	}
	if strings.HasPrefix(b.path, string(dir)) {
		b.dir = b.path[:len(dir)]
	} else {
		b.dir = string(dir)
	}
	if above {
		b.above = WentAbove
	}
	switch {
	case r != Rules{}:
	case len(p.scheme) > 0 && len(p.authority) > 0 && !above:
		b.fast = fastAll
	default:
		b.fast = fastAbsolute
	}
	return b
}

// Rules returns the rules that b was prepared under.
func (b *Resolver) Rules() Rules { return b.rules }

// String returns the base as it was given.
func (b *Resolver) String() string { return b.uri }

// Append appends to dst the target of ref against b. It never fails: Result says which step of section 5.2
// decided, and what departed from the letter.
//
// Append appends a URL, with three exceptions: the reference is in error (it appends nothing) or to the
// current document (it appends "#fragment" or nothing), as Result says, or the base has no scheme. The URL
// is at most two bytes longer than base and reference together, and Append allocates only when dst has less
// room. Neither holds under the rules of browsers, which escape characters. ref must not overlap the free
// space of dst.
func (b *Resolver) Append(dst, ref []byte) ([]byte, Result) {
	switch b.fast {
	case fastAll:
		if dst, step := b.appendFast(dst, ref); step != 0 {
			return dst, Result{Step: step}
		}
	case fastAbsolute:
		if b.Keeps(ref) {
			return append(dst, ref...), Result{Step: Absolute}
		}
	case fastPlain:
		if dst, step := b.appendPlain(dst, ref); step != 0 {
			return dst, Result{Step: step}
		}
	}
	return b.appendGeneral(dst, ref)
}

// Keeps reports whether the target of ref is ref itself, as for most absolute references: Append then
// appends ref, and nothing departs from the letter. It is a quick test: a result of false says nothing.
func (b *Resolver) Keeps(ref []byte) bool {
	if b.fast == fastNone || b.fast == fastPlain {
		return false
	}
	i := ascii.SchemeEnd(ref)
	return i > 0 && noDots(ref, i)
}

// appendGeneral is Append for every reference under all rules: draft 5.2, RFC 3986 5.2.2.
func (b *Resolver) appendGeneral(dst, ref []byte) ([]byte, Result) {
	r := &b.rules
	if r.Browser {
		return b.appendBrowser(dst, ref)
	}
	p := r.split(ref) // step 1
	if r.SameScheme && ascii.EqualFold(p.scheme, b.scheme) {
		p.scheme = nil // RFC 3986 5.2.2, not strict
	}
	bare := len(p.authority)+len(p.path)+len(p.params)+len(p.query) == 0
	switch {
	case len(p.scheme) > 0 && r.LeaveDots:
		return append(dst, ref...), Result{Step: Absolute}
	case len(p.scheme) > 0:
		return b.replace(dst, "", p, Absolute)
	case bare && len(p.fragment) > 0 && r.FragmentHere,
		bare && len(p.fragment) == 0 && r.Empty == EmptyIsCurrent:
		return append(dst, p.fragment...), Result{Step: CurrentDocument}
	case b.uri == "":
		return append(dst, ref...), Result{Step: NoBase}
	case len(ref) == 0 && r.Empty == EmptyIsWholeBase:
		return append(dst, b.uri...), Result{Step: SameURI}
	case bare:
		return b.keep(dst, b.query, p, SameURI)
	case len(p.authority) > 0:
		return b.replace(dst, b.scheme, p, NetworkPath)
	case len(p.path) > 0 && p.path[0] == '/':
		return b.replace(dst, b.authority, p, AbsolutePath)
	case len(p.path) > 0 || r.DropSegment:
		return b.merge(dst, p)
	case len(p.params) > 0:
		return b.keep(dst, b.path, p, SamePath)
	default:
		return b.keep(dst, b.params, p, SamePath)
	}
}

// replace appends the prefix of the base, followed by the components of p. The path is
// that of the reference.
func (b *Resolver) replace(dst []byte, prefix string, p pieces, step Step) ([]byte, Result) {
	start := len(dst)
	dst = append(dst, prefix...)
	dst = append(dst, p.scheme...)
	dst = append(dst, p.authority...)
	root := len(dst)
	dst = append(dst, p.path...)
	res := Result{Step: step}
	if !b.rules.LeaveDots {
		clean, _, above := syntax.RemoveDots(dst, root, root, b.rules.AboveRoot == RetainAboveRoot)
		if rootless := len(p.path) > 0 && p.path[0] != '/'; !rootless {
			dst = clean
			if above {
				res.Departures |= WentAbove
			}
		} else if len(clean) < len(dst) { // happens only in an absolute reference
			copy(dst[root:], p.path)
			res.Departures |= LeftRootless
		}
	}
	hasAuthority := len(p.authority) > 0 || step == AbsolutePath && b.hasAuthority()
	return b.finish(dst, start, root, hasAuthority, p, res)
}

// keep appends the prefix of the base, which includes its path, unchanged,
// followed by the components of p that come after a path.
func (b *Resolver) keep(dst []byte, prefix string, p pieces, step Step) ([]byte, Result) {
	start := len(dst)
	dst = append(dst, prefix...)
	return b.finish(dst, start, start+len(b.authority), b.hasAuthority(), p, Result{Step: step})
}

// merge is step 6 of draft 5.2, or RFC 3986 5.2.3 and 5.2.4.
func (b *Resolver) merge(dst []byte, p pieces) ([]byte, Result) {
	start := len(dst)
	root := start + len(b.authority)
	dst = append(dst, b.dir...)
	in := len(dst)
	dst = append(dst, p.path...)
	if b.rules.QueryDots { // draft -02 5.2, steps 6c and 6h
		dst = append(dst, p.params...)
		dst = append(dst, p.query...)
		p.params, p.query = nil, nil
	}
	var above bool
	if b.rules.LeaveDots {
		dst, _, above = syntax.MergePaths(dst, root, in, start+b.floor, b.rules.AboveRoot == RemoveAboveRoot)
	} else {
		if in > root {
			in-- // the routine's input begins with the last slash of the directory
		}
		dst, _, above = syntax.RemoveDots(dst, in, start+b.floor, b.rules.AboveRoot == RetainAboveRoot)
	}
	res := Result{Step: RelativePath, Departures: b.above}
	if above {
		res.Departures |= WentAbove
	}
	return b.finish(dst, start, root, b.hasAuthority(), p, res)
}

// finish appends the components of p that come after a path. It ensures that the path
// dst[root:] cannot be read as anything but a path.
func (b *Resolver) finish(dst []byte, start, root int, hasAuthority bool, p pieces, res Result) ([]byte, Result) {
	if res.Departures&WentAbove != 0 && b.rules.AboveRoot == FailAboveRoot {
		res.InError = true
		return dst[:start], res
	}
	dst = append(dst, p.params...)
	dst = append(dst, p.query...)
	dst = append(dst, p.fragment...)
	path := dst[root:] // the path and everything after it
	switch {
	case hasAuthority:
		if len(path) > 0 && path[0] != '/' && path[0] != '?' && path[0] != '#' {
			res.Departures |= AddedSlash
			dst = insert(dst, root, "/")
		}
	case len(path) > 1 && path[0] == '/' && path[1] == '/':
		res.Departures |= Guarded
		dst = insert(dst, root, "/.")
	case root == start && b.rules.schemeEnd(path) > 0: // RFC 3986 4.2
		res.Departures |= Guarded
		dst = insert(dst, root, "./")
	}
	return dst, res
}

func (b *Resolver) hasAuthority() bool { return len(b.authority) > len(b.scheme) }

func insert(dst []byte, at int, s string) []byte {
	dst = append(dst, s...)
	copy(dst[at+len(s):], dst[at:])
	copy(dst[at:], s)
	return dst
}
