// Package resolve resolves URI references against a base by the algorithm of
// draft-fielding-url-syntax (000) section 5.2, as RFC 3986 section 5.2 finished
// it, or as one of its ancestors had it: see [Rules].
//
// It works on the bytes as they are: nothing is escaped, decoded or
// lower-cased, and every sequence of bytes is a valid reference and a valid
// base; the rules of browsers ([Rules].Browser) are the exception. Whether a URL is
// valid, or to be wary of, is a question of its own: see [Grammar.Check] and [Risks].
//
// Time is linear in the length of base and reference.
//
// Notable divergences, each reported when it happens (see [Departures]):
//
//   - An absolute reference whose path does not start with a slash is left
//     alone: RFC 3986 5.2.2 would make "urn:a:b/../c" into "urn:/c".
//   - A path that would start with "//" where there is no authority gets "/." in
//     front: "foo:/a" and ".//g" would give "foo://g", with an authority from
//     nowhere. RFC 3986 3.3 forbids such a path, but 5.2 can make one.
//   - A relative path joined to a host gets a slash under every set of rules.
//     Before RFC 3986 5.2.3, "http://a" and "g" gave "http://ag".
//
// Two extensions: a base need not have a scheme ("/static/" and "a.js" give
// "/static/a.js"), and the empty base leaves references as they are, as RFC 1808
// section 4 step 1 asks.
package resolve

import (
	"bytes"
	"errors"
	"strings"

	"example.org/refract/internal/ascii"
)

// A Base is a base URI prepared for many references under one set of rules.
// It does not change, and may be used by several goroutines at once.
type Base struct {
	rules Rules
	uri   string

	// Prefixes of the base without its fragment, each ending with the
	// component it is named after.
	scheme, authority, path, params, query string

	dir   string     // authority, and the directory that a relative path is merged with, without dot segments
	floor int        // in dir: no ".." removes what stands before
	above Departures // WentAbove, if removing the dot segments of dir went above the root
	fast  fastPath   // which references need no append

	browser *record // the base under the rules of browsers; nil is none
}

// A Result says how a reference was resolved. The zero Result is none.
type Result struct {
	Step       Step
	Departures Departures
	InError    bool    // there is no URL, for the reason that Err gives: nothing was appended
	Failure    Failure // that reason, under the rules of browsers
}

// Err returns why a reference is in error, or nil: the path goes above the root,
// and the rules say Error, or it is the Failure of browsers.
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

// SameDocument reports whether the reference is to the current document, and
// not to a URL. What was appended is then the fragment with its "#", or nothing.
func (r Result) SameDocument() bool { return r.Step == CurrentDocument }

// Step is the step of the algorithm that decided.
type Step uint8

const (
	_               Step = iota
	CurrentDocument      // 000 5.2 step 2
	Absolute             // 000 5.2 step 3: the reference has a scheme
	NetworkPath          // 000 5.2 step 4: it begins with "//"
	AbsolutePath         // 000 5.2 step 5: it begins with "/"
	RelativePath         // 000 5.2 step 6: its path is merged with the base's
	SameURI              // RFC 3986 5.2.2, RFC 1808 4 step 2a or 5b: the base, with the reference's fragment
	SamePath             // RFC 3986 5.2.2, RFC 1808 4 step 5: the base's path, with other params or query
	NoBase               // RFC 1808 4 step 1: the base is empty, the reference left alone (browsers: in error)
)

// String returns the step in words, with its section in 000 where that has one.
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

// Departures is a set of things worth knowing about one result: where it
// departs from the letter, and whether the reference did.
type Departures uint8

const (
	LeftRootless Departures = 1 << iota // an absolute reference without a slash kept its dot segments
	Guarded                             // "/." or, where there is no scheme, "./" was put before the path
	AddedSlash                          // "/" was put between authority and path
	WentAbove                           // a ".." went above the root (000 5.2 step 6g)
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

// Base prepares uri as a base. Every string is one.
func (r Rules) Base(uri string) *Base {
	if r.Browser {
		return &Base{rules: r, uri: uri, browser: browserBase(uri)}
	}
	p := r.split([]byte(uri))
	b := &Base{rules: r, uri: uri}

	// 000 5.2 step 7, remembering where each component ended.
	all := string(bytes.Join([][]byte{p.scheme, p.authority, p.path, p.params, p.query}, nil))
	n := len(p.scheme)
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
		// What goes above the root is kept here, since whether a ".." is one
		// can only be said of the whole path (000 5.2 step 6g).
		dir, b.floor, above = mergeDots(dir, root, root, root, Retain)
	} else {
		if len(p.authority) > 0 && len(p.path) == 0 {
			dir = append(dir, '/') // RFC 3986 5.2.3
		}
		dir, b.floor, above = removeDots(dir, root, root, r.AboveRoot)
	}
	b.dir = string(dir)
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
func (b *Base) Rules() Rules { return b.rules }

// String returns the base as it was given.
func (b *Base) String() string { return b.uri }

// Append appends to dst the target of ref against b. It never fails: Result
// says which step of section 5.2 decided, and what departed from the letter.
//
// What is appended is a URL unless Result says that the reference was in error
// (then it is nothing) or to the current document (then it is "#fragment" or
// nothing), or the base has no scheme. It is at most two bytes longer than base
// and reference together, and Append allocates only when dst has less room;
// under the rules of browsers, which escape, neither holds.
// ref must not overlap the free space of dst.
func (b *Base) Append(dst, ref []byte) ([]byte, Result) {
	switch b.fast {
	case fastAll:
		if dst, step := b.appendFast(dst, ref); step != 0 {
			return dst, Result{Step: step}
		}
	case fastAbsolute:
		if i := ascii.SchemeEnd(ref); i > 0 && noDots(ref, i) {
			return append(dst, ref...), Result{Step: Absolute}
		}
	}
	return b.appendGeneral(dst, ref)
}

// appendGeneral is Append for every reference under all rules: 000 5.2, RFC 3986 5.2.2.
func (b *Base) appendGeneral(dst, ref []byte) ([]byte, Result) {
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
		bare && len(p.fragment) == 0 && r.Empty == Current:
		return append(dst, p.fragment...), Result{Step: CurrentDocument}
	case b.uri == "":
		return append(dst, ref...), Result{Step: NoBase}
	case len(ref) == 0 && r.Empty == BaseAndFragment:
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

// replace gives the prefix of the base followed by what p has: the path is the
// reference's own.
func (b *Base) replace(dst []byte, prefix string, p pieces, step Step) ([]byte, Result) {
	start := len(dst)
	dst = append(dst, prefix...)
	dst = append(dst, p.scheme...)
	dst = append(dst, p.authority...)
	root := len(dst)
	dst = append(dst, p.path...)
	res := Result{Step: step}
	if !b.rules.LeaveDots {
		clean, _, above := removeDots(dst, root, root, b.rules.AboveRoot)
		if rootless := len(p.path) > 0 && p.path[0] != '/'; !rootless {
			dst = clean
			if above {
				res.Departures |= WentAbove
			}
		} else if len(clean) < len(dst) { // only of an absolute reference
			copy(dst[root:], p.path)
			res.Departures |= LeftRootless
		}
	}
	hasAuthority := len(p.authority) > 0 || step == AbsolutePath && b.hasAuthority()
	return b.finish(dst, start, root, hasAuthority, p, res)
}

// keep gives the prefix of the base, which includes its path, as it is,
// followed by what p has behind a path.
func (b *Base) keep(dst []byte, prefix string, p pieces, step Step) ([]byte, Result) {
	start := len(dst)
	dst = append(dst, prefix...)
	return b.finish(dst, start, start+len(b.authority), b.hasAuthority(), p, Result{Step: step})
}

// merge is step 6 of 000 5.2, or RFC 3986 5.2.3 and 5.2.4.
func (b *Base) merge(dst []byte, p pieces) ([]byte, Result) {
	start := len(dst)
	root := start + len(b.authority)
	dst = append(dst, b.dir...)
	in := len(dst)
	dst = append(dst, p.path...)
	if b.rules.QueryDots { // 003, steps 6c and 6h of draft -02
		dst = append(dst, p.params...)
		dst = append(dst, p.query...)
		p.params, p.query = nil, nil
	}
	var above bool
	if b.rules.LeaveDots {
		dst, _, above = mergeDots(dst, root, in, start+b.floor, b.rules.AboveRoot)
	} else {
		if in > root {
			in-- // the routine's input begins with the last slash of the directory
		}
		dst, _, above = removeDots(dst, in, start+b.floor, b.rules.AboveRoot)
	}
	res := Result{Step: RelativePath, Departures: b.above}
	if above {
		res.Departures |= WentAbove
	}
	return b.finish(dst, start, root, b.hasAuthority(), p, res)
}

// finish appends what p has behind a path, and prevents that the path dst[root:]
// is read as something else than a path.
func (b *Base) finish(dst []byte, start, root int, hasAuthority bool, p pieces, res Result) ([]byte, Result) {
	if res.Departures&WentAbove != 0 && b.rules.AboveRoot == Error {
		res.InError = true
		return dst[:start], res
	}
	dst = append(dst, p.params...)
	dst = append(dst, p.query...)
	dst = append(dst, p.fragment...)
	path := dst[root:] // and more
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

func (b *Base) hasAuthority() bool { return len(b.authority) > len(b.scheme) }

func insert(dst []byte, at int, s string) []byte {
	dst = append(dst, s...)
	copy(dst[at+len(s):], dst[at:])
	copy(dst[at:], s)
	return dst
}
