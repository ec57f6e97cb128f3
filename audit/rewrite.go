package audit

import (
	"cmp"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"example.org/refract/base"
	"example.org/refract/extract/scan"
	"example.org/refract/resolve"
)

// mends reports whether ref in place of k leads to want and leaves no other finding: the spelling is
// exact, the fragment exists once, and the change affects no id.
func (a *auditor) mends(d *document, k *reference, ref, want string) bool {
	switch {
	case ref == "" || ref == k.ref || a.renames(d, k, ref):
		return false
	case k.labels&scan.Unused != 0 && !strings.HasPrefix(k.ref, "#"):
		return false // the fix is to remove the definition, or to use it
	case a.files.list(d.dir()).names[d.base()]&fs.ModeSymlink != 0:
		return false // whether it is right depends on the real place of the document
	case d.layout.generated == nil && !d.layout.isHost() && d.isMarkdown() && k.how == scan.Attribute:
		return false // the generator leaves it as it is, and may serve the page elsewhere
	}
	if d.layout.generated != nil && k.result.Step != resolve.Absolute {
		return a.mendsOnSite(d, k, ref, want)
	}
	// A base from a cache lacks the rules.
	b, err := base.Root(a.Resolve, base.Source{URI: k.base.URI, From: k.base.From}, base.Source{})
	if err != nil {
		return false
	}
	u, res, err := b.Append(nil, []byte(ref))
	if err != nil || res.InError {
		return false
	}
	other := *k
	other.ref, other.url, other.result = ref, string(u), res
	if res.SameDocument() {
		other.url = ""
	}
	t := a.locate(d, &other)
	if !t.inside || t.encoded {
		return false
	}
	p := a.resolve(d, &other, &t)
	page := p.kind == isFile || p.kind == isDirectory && k.kind != scan.Embed && d.layout.isHost() && !d.isHTML()
	if !page || p.respel {
		return false
	}
	real := p.path
	if p.linked {
		real = a.behind(real)
	}
	if p.path != want && real != want || !a.hits(d, &t, real) {
		return false
	}
	if to := a.byPath[real]; to != nil && to != d {
		to.linked.Store(true)
	}
	return true
}

// hits reports whether the fragment of t, if it has one, names a line of the file at p, or an id that
// the file has once.
func (a *auditor) hits(d *document, t *target, p string) bool {
	if !t.hash || t.fragment == "" {
		return true
	}
	if m := lineFragment.FindStringSubmatch(t.fragment); m != nil && d.isMarkdown() && d.layout.isHost() {
		missing, _ := a.missingLine(p, m[1:])
		return missing == ""
	}
	to := a.document(p)
	if to == nil || !to.hasAllIDs() {
		return false
	}
	id, live := to.hit(t.fragment, to.layout.slug)
	return live && to.idsOf(to.layout.slug).second[id] == 0
}

// renames reports whether ref in place of k changes the id of the heading that contains k: some
// flavours make ids from the source text.
func (a *auditor) renames(d *document, k *reference, ref string) bool {
	anchors := d.anchorList()
	i, _ := slices.BinarySearchFunc(anchors, k.pos.Line+1, func(x anchor, line int) int { return x.line - line })
	for i--; i >= 0 && anchors[i].line >= k.pos.Line-near; i-- {
		if !d.spend(1) {
			return true
		}
		h := anchors[i].heading
		if h == nil || !strings.Contains(h.Source, k.raw) {
			continue
		}
		changed := *h
		changed.Source = strings.ReplaceAll(h.Source, k.raw, ref)
		if f := d.layout.slug; f.Slug(*h) != f.Slug(changed) {
			return true
		}
	}
	return false
}

// rewritten returns k rewritten to lead to the path p, unless that is "", and to fragment, unless
// that is nil. The result is relative, "/x" or absolute as k is, and keeps the query of k.
func (a *auditor) rewritten(d *document, k *reference, p string, fragment *string) string {
	c := resolve.Parse([]byte(k.ref))
	if p != "" {
		made, ok := a.pathTo(d, k, &c, p)
		if !ok {
			return ""
		}
		c.Path = []byte(made)
		if c.HasScheme || c.HasAuthority { // pathTo returns them in the path
			c.HasScheme, c.HasAuthority = false, false
		}
	}
	if fragment != nil {
		c.Fragment, c.HasFragment = []byte(escapedFragment(*fragment)), true
	}
	return string(c.Append(nil))
}

// pathTo returns a path that leads to p and has the same form as c, the components of k.
func (a *auditor) pathTo(d *document, k *reference, c *resolve.Components, p string) (string, bool) {
	written := string(c.Path)
	s := a.servingOf(d)
	if c.HasScheme || c.HasAuthority {
		u := a.sites.retrieved(p)
		return u.URI, u.From == "--site"
	}
	if strings.HasPrefix(written, "/") {
		roots := []string{a.sites.root}
		prefix := "/"
		if s != nil {
			roots, prefix = append(roots, s.roots...), cmp.Or(s.prefix, "/")
		}
		for _, root := range append(roots, a.packages(d)...) {
			if rest, ok := strings.CutPrefix(p, root+"/"); ok && root != "" {
				return prefix + spelled(s.urlPath(rest, written)), true
			}
		}
		return "", false
	}
	from, ok := a.directoryOf(d, k)
	if !ok {
		return "", false
	}
	made := spelled(s.urlPath(relative(from, p), written))
	first, _, _ := strings.Cut(made, "/")
	if strings.HasPrefix(written, "./") && !strings.HasPrefix(made, "../") || strings.IndexByte(first, ':') >= 0 {
		made = "./" + made
	}
	return made, true
}

// directoryOf returns the directory that k is relative to.
func (a *auditor) directoryOf(d *document, k *reference) (string, bool) {
	if k.base.URI == d.retrieved.URI {
		return d.dir(), true
	}
	other := *k
	other.url, other.ref = k.base.URI, "x"
	t := a.locate(d, &other)
	if !t.inside {
		return "", false
	}
	n := len(t.components)
	if !t.slash {
		n = max(0, n-1)
	}
	return strings.TrimSuffix(t.roots[len(t.roots)-1]+"/"+strings.Join(t.components[:n], "/"), "/"), true
}

// relative returns the path that leads from a directory to p.
func relative(dir, p string) string {
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

// spelled escapes the bytes that a path of a reference cannot hold. It leaves non-ASCII letters as
// they are, so that people can read them.
func spelled(p string) string {
	return escape(p, "%?#<>\"\\[]^`{|} ()")
}

func escapedFragment(f string) string { return escape(f, "%<>\"\\^`{|} ()") }

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
