// Package rewrite is "refract rewrite": it applies rules, which work on URLs, to references. Package fix
// writes the result into documents.
//
//	reference ─► its URL ─► capture; or unwrap, map, canonical ─► another URL, or the same
//	          ─► absolute, relative or root-relative, or the form that the reference has
package rewrite

import (
	"bytes"
	"fmt"
	"strings"

	"example.org/refract/base"
	"example.org/refract/cmd/refract/internal/fix"
	"example.org/refract/cmd/refract/internal/unwrap"
	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/resolve"
	"example.org/refract/resolve/canon"
)

// A form is the form of a reference.
type form uint8

const (
	keepForm         form = iota // absolute, relative and so on as it is
	absoluteForm                 // with a scheme
	relativeForm                 // a path relative to that of the document
	rootRelativeForm             // a path that begins with "/"
)

// rules say what references become. The zero rules change nothing.
type rules struct {
	Archived  func(url string) string // the address of a capture in place of a dead URL; "": it stays. nil: none is dead
	Unwrap    bool                    // the target of a URL that is wrapped; no tracking parameters
	Maps      []mapping               // the longest Old that matches counts
	Canonical *canon.Key              // a key that is a URL; nil: none
	Form      form

	// Root is the URL of the directory of the documents; it ends in "/". Only URLs below it become
	// relative or root-relative. If it is "", these are the URLs of the host of the base.
	Root string
}

// A mapping replaces the beginning of URLs.
type mapping struct{ Old, New string }

// parseMap parses OLD=NEW. Both must be absolute URLs.
func parseMap(s string) (m mapping, err error) {
	for i := range len(s) {
		if s[i] == '=' && ascii.SchemeEnd([]byte(s[i+1:])) > 0 {
			m.Old, m.New = s[:i], s[i+1:]
			break
		}
	}
	old, to := resolve.Parse([]byte(m.Old)), resolve.Parse([]byte(m.New))
	if !old.HasScheme || !to.HasScheme {
		return m, fmt.Errorf("%q: give OLD=NEW, two URLs with their schemes, such as http://example.org/=https://example.net/", s)
	}
	if m.Old == m.New {
		return m, fmt.Errorf("%q: OLD and NEW are the same", s)
	}
	return m, nil
}

// noRoot is the URL of the root of a tree whose URL is not known. Its host does not exist (RFC 6761
// section 6.4).
const noRoot = "http://tree.invalid/"

// decide returns what r becomes. With onlyASCII, a new reference is ASCII. ok is false if r stays
// as it is.
func (s *rules) decide(r *extract.Reference, onlyASCII bool) (d fix.Decision, ok bool) {
	if r.URL == nil || r.Err != nil || len(r.Ref) == 0 {
		return d, false
	}
	was := string(r.URL)
	is := s.change(was)
	shown, same := is, is == was
	if !isASCII(string(r.Ref)) {
		readable := readable(r)
		changed := s.change(readable)
		same = same && changed == readable
		if !onlyASCII {
			shown = changed
		}
	}
	if d.Ref = s.spell(r, same, is, shown); d.Ref == string(r.Ref) {
		return d, false
	}
	d.URL = is
	if !hasScheme(d.Ref) && !strings.HasPrefix(d.Ref, "#") {
		d.URL = resolved(r, d.Ref) // the letter case of the host may be another
	}
	switch {
	case strings.HasPrefix(d.Ref, noRoot):
		return d, false
	case doc.IsTemplate(r.Ref):
		d.Why = "a template fills it in"
	case isURLAfterBlank(string(r.Ref)):
		d.Why = "it is a URL after a space, which makes it a path"
	case (r.How == scan.Macro || r.How == scan.Directive) && bytes.Count(r.Raw, []byte("{")) > bytes.Count(r.Raw, []byte("{}")): // "@comma{}" of Texinfo
		d.Why = "an attribute of the document or site fills it in"
	case !holdsURL(r) && !(hasScheme(string(r.Ref)) && hasScheme(d.Ref)):
		d.Why = "only a name or path can be written there"
	}
	return d, true
}

// isURLAfterBlank reports whether only leading spaces keep a reference from being a URL with a scheme. By
// the letter, it is a path; nobody means that, and some readers drop the spaces.
func isURLAfterBlank(ref string) bool {
	rest := strings.TrimLeft(ref, " \t")
	for strings.HasPrefix(rest, "%20") {
		rest = strings.TrimLeft(rest[len("%20"):], " \t")
	}
	return len(rest) < len(ref) && hasScheme(rest)
}

// change returns the URL that u becomes, whatever its form.
func (s *rules) change(u string) string {
	if s.Archived != nil {
		if capture := s.Archived(u); capture != "" {
			return capture
		}
	}
	if s.Unwrap {
		if target, ok := unwrap.Target(nil, []byte(u)); ok {
			u = escaped(string(target))
		}
		u = withoutTracking(u)
	}
	u = s.mapped(u)
	if s.Canonical != nil && isHierarchical(u) {
		u = string(s.Canonical.Append(nil, []byte(u)))
	}
	return u
}

// mapped replaces the beginning of u. A URL in a tree whose URL is not known begins with nothing that a
// mapping could mean.
func (s *rules) mapped(u string) string {
	if strings.HasPrefix(u, noRoot) {
		return u
	}
	var best *mapping
	rest := ""
	for i := range s.Maps {
		m := &s.Maps[i]
		if after, ok := cutURL(u, m.Old); ok && (best == nil || len(m.Old) > len(best.Old)) {
			best, rest = m, after
		}
	}
	if best == nil {
		return u
	}
	to := best.New
	switch {
	case strings.HasSuffix(to, "/") && strings.HasPrefix(rest, "/"):
		rest = rest[1:]
	case strings.HasSuffix(best.Old, "/") && !strings.HasSuffix(to, "/") && rest != "" && strings.IndexByte("/?#", rest[0]) < 0:
		to += "/"
	}
	return to + rest
}

// cutURL returns the rest of a URL after a prefix. Letter case does not matter in scheme and host. The
// prefix must end at the end of a component or path segment.
func cutURL(u, prefix string) (rest string, ok bool) {
	n := len(prefix)
	if len(u) < n {
		return "", false
	}
	root := authorityEnd(prefix)
	if !strings.EqualFold(u[:root], prefix[:root]) || u[root:n] != prefix[root:] {
		return "", false
	}
	rest = u[n:]
	return rest, rest == "" || strings.HasSuffix(prefix, "/") || strings.IndexByte("/?#", rest[0]) >= 0
}

// authorityEnd returns the length of scheme and authority of a URL.
func authorityEnd(u string) int {
	i := strings.Index(u, "://")
	if i < 0 {
		return strings.IndexByte(u, ':') + 1
	}
	i += len("://")
	if j := strings.IndexAny(u[i:], "/?#"); j >= 0 {
		return i + j
	}
	return len(u)
}

// withoutTracking drops the parameters of a query that identify a click or a reader.
func withoutTracking(u string) string {
	path, fragment, hasFragment := strings.Cut(u, "#")
	path, query, hasQuery := strings.Cut(path, "?")
	if !hasQuery || !isHierarchical(u) {
		return u
	}
	var kept []string
	dropped := false
	for p := range strings.SplitSeq(query, "&") {
		// One parameter alone: the key drops it, and nothing else changes its absence.
		key := canon.Key{NoTracking: true}
		if p != "" && !bytes.Contains(key.Append(nil, []byte("http://h/?"+p)), []byte("?")) {
			dropped = true
			continue
		}
		kept = append(kept, p)
	}
	if !dropped {
		return u
	}
	if len(kept) > 0 {
		path += "?" + strings.Join(kept, "&")
	}
	if hasFragment {
		path += "#" + fragment
	}
	return path
}

// spell returns the reference to the URL is, which is shown with readable characters, in place of
// r. same reports that r has that URL already.
func (s *rules) spell(r *extract.Reference, same bool, is, shown string) string {
	ref := string(r.Ref)
	c := resolve.Parse(r.Ref)
	form := s.Form
	has := relativeForm
	switch {
	case c.HasScheme, r.Meant != "":
		has = absoluteForm
	case !c.HasAuthority && bytes.HasPrefix(c.Path, []byte("/")):
		has = rootRelativeForm
	}
	isFragment := len(c.Path) == 0 && !c.HasScheme && !c.HasAuthority && !c.HasQuery
	switch {
	case isFragment && same && (form != absoluteForm || r.Base.Layer != base.Embedded),
		same && has == form && !c.HasAuthority, same && has == absoluteForm && form == absoluteForm,
		same && form == keepForm:
		return ref
	case form == keepForm:
		form = has
		if c.HasAuthority && !c.HasScheme {
			if rest, ok := strings.CutPrefix(shown, scheme(r.Base.URI)+":"); ok && strings.HasPrefix(rest, "//") {
				return rest
			}
			form = absoluteForm
		}
	case form != absoluteForm && !s.isBelow(r, is):
		if same {
			return ref
		}
		form = absoluteForm
	}
	switch form {
	case relativeForm:
		if rel, ok := relative(r, is, shown); ok {
			return rel
		}
	case rootRelativeForm:
		if path, ok := rootRelative(r, is, shown); ok {
			return path
		}
	}
	if form != absoluteForm && same {
		return ref
	}
	return shown
}

// isBelow reports whether u is a URL that may become relative.
func (s *rules) isBelow(r *extract.Reference, u string) bool {
	root := s.Root
	if root == "" && strings.HasPrefix(u, noRoot) {
		root = noRoot
	}
	if root == "" && r.Base.URI != "" && !strings.HasPrefix(r.Base.URI, noRoot) {
		root = r.Base.URI[:authorityEnd(r.Base.URI)]
	}
	if root == "" {
		return false
	}
	_, ok := cutURL(u, root)
	return ok
}

// relative returns the path that leads from the base of r to u, or false if there is none.
func relative(r *extract.Reference, u, shown string) (ref string, ok bool) {
	root := authorityEnd(u)
	at := r.Base.URI
	if len(at) < root || authorityEnd(at) != root || !strings.EqualFold(at[:root], u[:root]) || !strings.HasPrefix(u[root:], "/") {
		return "", false
	}
	from := at[root:]
	if i := strings.IndexAny(from, "?#"); i >= 0 {
		from = from[:i]
	}
	if rest, ok := strings.CutPrefix(shown, at); ok && strings.HasPrefix(rest, "#") && r.Base.Layer == base.Retrieval {
		return rest, true
	}
	ref = path(from, shown[authorityEnd(shown):])
	return ref, leadsTo(r, ref, u)
}

// path returns the relative path from one path of a host to another, which may be followed by a query and a
// fragment.
func path(from, to string) string {
	end := len(to)
	if i := strings.IndexAny(to, "?#"); i >= 0 {
		end = i
	}
	common := 0 // length of the directories that both have
	for i := 0; i < min(len(from), end) && from[i] == to[i]; i++ {
		if from[i] == '/' {
			common = i + 1
		}
	}
	ref := strings.Repeat("../", strings.Count(from[common:], "/")) + to[common:]
	first, _, _ := strings.Cut(ref, "/")
	if len(ref) == 0 || strings.IndexByte("?#/", ref[0]) >= 0 || strings.IndexByte(first, ':') >= 0 {
		ref = "./" + ref
	}
	return ref
}

// rootRelative returns the path of u from the root of its host, or false if the base of r is on
// another.
func rootRelative(r *extract.Reference, u, shown string) (ref string, ok bool) {
	ref = shown[authorityEnd(shown):]
	if !strings.HasPrefix(ref, "/") {
		ref = "/" + ref
	}
	return ref, leadsTo(r, ref, u)
}

// leadsTo reports whether ref in place of r has the URL u, but for escapes of non-ASCII characters.
func leadsTo(r *extract.Reference, ref, u string) bool {
	got := resolved(r, ref)
	n := authorityEnd(u)
	return got == u || authorityEnd(got) == n && strings.EqualFold(got[:n], u[:n]) && got[n:] == u[n:]
}

// resolved returns the URL of ref in place of r, "" if it has none.
func resolved(r *extract.Reference, ref string) string {
	u, _, err := r.Base.Append(nil, []byte(ref))
	if err != nil {
		return ""
	}
	return escaped(string(u))
}

// holdsURL reports whether a URL of any form can stand where r is written, and means the same
// there.
func holdsURL(r *extract.Reference) bool {
	if r.Labels&(scan.Include|scan.Speculative|scan.Guess) != 0 {
		return false
	}
	switch r.How {
	case scan.Role, scan.Navigation, scan.JSON:
		return false
	case scan.Inline:
		return r.In != "wikilink" && r.In != "[[abbr:]]"
	case scan.Reference:
		return !strings.HasPrefix(r.In, ":") // an attribute of AsciiDoc, which may be a part of others
	case scan.Directive:
		return r.In == "image" || r.In == "figure" || strings.HasSuffix(r.In, "/target") || r.In == ".Lk" || r.In == ".UR"
	case scan.Macro:
		return urlMacros[r.In]
	case scan.Bare:
		return r.In != "file:"
	}
	return r.In != "import" && r.In != "export"
}

// urlMacros holds the macros of AsciiDoc, LaTeX and Texinfo that take a URL.
var urlMacros = map[string]bool{
	"link:": true, "url[]": true, "<url>[]": true, "image:": true, "image::": true, "image:/link": true, "video:": true, "audio:": true,
	`\href`: true, `\url`: true, `\nolinkurl`: true, "@uref": true, "@url": true,
}

// readable returns the URL of r with the non-ASCII characters of the reference as they are.
func readable(r *extract.Reference) string {
	u, _, err := r.Base.Append(nil, append([]byte(r.Meant), r.Ref...))
	if err != nil {
		return string(r.URL)
	}
	return escapedASCII(string(u))
}

// escaped percent-encodes everything that a URL cannot contain.
func escaped(u string) string { return escape(u, func(c byte) bool { return c >= 0x80 }) }

// escapedASCII percent-encodes the ASCII characters that a URL cannot contain.
func escapedASCII(u string) string { return escape(u, func(byte) bool { return false }) }

func escape(u string, also func(byte) bool) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(u) {
		if c := u[i]; c <= ' ' || c == 0x7f || strings.IndexByte("<>\"{}|\\^`", c) >= 0 || also(c) {
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

func hasScheme(ref string) bool { return ascii.SchemeEnd([]byte(ref)) > 0 }

func scheme(u string) string { return u[:max(0, strings.IndexByte(u, ':'))] }

// isHierarchical reports whether u has a host.
func isHierarchical(u string) bool { return strings.HasPrefix(u[len(scheme(u)):], "://") }

// fileURL returns the URL of a file, given its path below root with forward slashes.
func fileURL(root, path string) string {
	var b strings.Builder
	b.WriteString(root)
	for i := range len(path) {
		if c := path[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("%?#<>\"{}|\\^`[]", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
