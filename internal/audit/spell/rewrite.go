// Package spell decides how to write a reference to a place, and which place a broken one was meant for.
package spell

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"example.org/refract/base"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/judge"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/site"
	"example.org/refract/resolve"
)

// fixes reports whether text in place of ref resolves to want and leaves no other finding: the spelling is
// exact, the fragment exists once, and the change affects no id.
func (a *Speller) fixes(d *doc.Document, ref *doc.Reference, text, want string) bool {
	switch {
	case text == "" || text == ref.Ref || a.Renames(d, ref, text):
		return false
	case ref.Labels&scan.Unused != 0 && !strings.HasPrefix(ref.Ref, "#"):
		return false // the fix is to remove the definition, or to use it
	}
	other := a.Respelt(ref, text, d.IsResourceID(ref) || ref.IsWiki())
	if other == nil {
		return false
	}
	l := a.Lead(d, other)
	if l.State != site.Found || l.IsMisspelled || l.File != want && l.Real != want || !a.hits(d, &l) {
		return false
	}
	for _, file := range a.InAllUses(d, other, &l) {
		if file != l.File {
			return false
		}
	}
	if to := a.ByPath[l.Real]; to != nil && to != d {
		to.Linked.Store(true)
	}
	return true
}

// Respelt returns ref with text in its place, or nil if text is no reference. isOpaque says that text is no URL.
func (a *Speller) Respelt(ref *doc.Reference, text string, isOpaque bool) *doc.Reference {
	other := *ref
	other.Raw, other.Ref = text, text
	// A base from a cache lacks the rules.
	b, err := base.Root(a.ResolveRules, base.Source{URI: ref.Base.URI, From: ref.Base.From}, base.Source{})
	if err != nil {
		return nil
	}
	if ref.Base.Layer != b.Layer {
		b = *ref.Base
	}
	if isOpaque {
		return &other
	}
	u, res, err := b.Append(nil, []byte(text))
	if err != nil {
		return nil
	}
	other.URL, other.Result, other.Err = string(u), res, nil
	if res.SameDocument() {
		other.URL = ""
	}
	return &other
}

// hits reports whether the fragment of l, if it has one, names a line of the file, or an id that
// the file has once.
func (a *Speller) hits(d *doc.Document, l *lead.Landing) bool {
	if !l.Hash || l.Fragment == "" {
		return true
	}
	if m := judge.LineFragment.FindStringSubmatch(l.Fragment); m != nil && d.IsMarkdown() && d.Layout.IsHost() {
		missing, _ := a.MissingLine(l.Real, m[1:])
		return missing == ""
	}
	to := a.Document(l.Real)
	if to == nil || !to.HasAllIDs() {
		return false
	}
	id, live := to.IDs().Hit(l.Fragment)
	return live && to.IDs().Second[id] == 0
}

// Rewritten returns ref rewritten to link to the path p, unless that is "", and to fragment, unless that is
// nil. The result is relative, "/x" or absolute as ref is, and keeps the query of ref.
func (a *Speller) Rewritten(d *doc.Document, ref *doc.Reference, p string, fragment *string) string {
	c := resolve.Parse([]byte(ref.Ref))
	if p != "" {
		made, ok := a.PathTo(d, ref, &c, p, "")
		if !ok {
			return ""
		}
		c.Path = []byte(made)
		if c.HasScheme || c.HasAuthority { // pathTo returns them in the path
			c.HasScheme, c.HasAuthority = false, false
		}
	}
	if fragment != nil {
		SetFragment(&c, d.Layout.Generated, *fragment)
	}
	return string(c.Append(nil))
}

// SetFragment sets the fragment of c, or what stands for it in the query on a site of routes.
func SetFragment(c *resolve.Components, s *site.Site, fragment string) {
	if s == nil || !c.HasQuery || c.HasFragment {
		c.Fragment, c.HasFragment = []byte(EscapedFragment(fragment)), true
		return
	}
	parts := strings.Split(string(c.Query), "&")
	for i, part := range parts {
		if _, isFragment := s.QueryFragment("?" + part); isFragment {
			key, _, _ := strings.Cut(part, "=")
			parts[i] = key + "=" + EscapedFragment(fragment)
			c.Query = []byte(strings.Join(parts, "&"))
			return
		}
	}
	c.Fragment, c.HasFragment = []byte(EscapedFragment(fragment)), true
}

// PathTo returns a path to p in the same form as c, the components of ref, which is relative to the directory
// from; "" is that of d.
func (a *Speller) PathTo(d *doc.Document, ref *doc.Reference, c *resolve.Components, p, from string) (string, bool) {
	written := string(c.Path)
	s := a.ServingOf(d)
	if c.HasScheme || c.HasAuthority {
		u := a.Published.Retrieved(p)
		return u.URI, u.From == "--site"
	}
	if strings.HasPrefix(written, "/") {
		roots := []string{a.Published.RootOf(d.Path)}
		prefix := "/"
		if s != nil {
			roots, prefix = append(roots, s.Roots...), cmp.Or(s.Prefix, "/")
		}
		roots = slices.Concat(roots, a.Packages(d), a.AppRoots(d), a.OwnRoots(d))
		rest, ok := a.belowRoot(roots, p, path.Dir(written))
		if !ok {
			return "", false
		}
		return prefix + Spelled(s.UrlPath(rest, written)), true
	}
	if from == "" {
		var ok bool
		if from, ok = a.directoryOf(d, ref); !ok {
			return "", false
		}
	}
	made := Spelled(s.UrlPath(Relative(from, p), written))
	first, _, _ := strings.Cut(made, "/")
	if strings.HasPrefix(written, "./") && !strings.HasPrefix(made, "../") || strings.IndexByte(first, ':') >= 0 {
		made = "./" + made
	}
	return made, true
}

// belowRoot returns p relative to the first of the parent directories in roots that has a directory dir,
// which the reference points to as written, or else to the first one.
func (a *Speller) belowRoot(roots []string, p, dir string) (rest string, ok bool) {
	for _, root := range roots {
		below, isBelow := strings.CutPrefix(p, root+"/")
		switch {
		case root == "" || !isBelow:
		case a.Files.Exists(path.Join(root, dir)):
			return below, true
		case !ok:
			rest, ok = below, true
		}
	}
	return rest, ok
}

// directoryOf returns the directory that ref is relative to.
func (a *Speller) directoryOf(d *doc.Document, ref *doc.Reference) (string, bool) {
	if ref.Base.URI == d.Retrieved.URI {
		return d.Dir(), true
	}
	other := *ref
	other.URL, other.Ref = ref.Base.URI, "x"
	var l lead.Landing
	a.LeadByPath(d, &other, &l)
	t := &l.Target
	if !t.Inside {
		return "", false
	}
	n := len(t.Components)
	if !t.Slash {
		n = max(0, n-1)
	}
	return strings.TrimSuffix(t.Roots[len(t.Roots)-1]+"/"+strings.Join(t.Components[:n], "/"), "/"), true
}

// Relative returns the path from a directory to p.
func Relative(dir, p string) string {
	dir = strings.TrimSuffix(dir, "/")
	up := 0
	for !strings.HasPrefix(p, dir+"/") {
		i := strings.LastIndexByte(dir, '/')
		if i < 0 {
			return p
		}
		dir = dir[:i]
		up++
	}
	return strings.Repeat("../", up) + p[len(dir)+1:]
}

// Spelled escapes the bytes that a path of a reference cannot hold. It leaves non-ASCII letters as
// they are, so that people can read them.
func Spelled(p string) string {
	return escape(p, "%?#<>\"\\[]^`{|} ()")
}

func EscapedFragment(f string) string { return escape(f, "%<>\"\\^`{|} ()") }

func escape(s, special string) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	valid := utf8.ValidString(s)
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == 0x7f || strings.IndexByte(special, c) >= 0 || c >= utf8.RuneSelf && !valid {
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
