package audit

import (
	"path/filepath"
	"slices"
	"strings"

	"example.org/refract/base"
	"example.org/refract/internal/ascii"
	"example.org/refract/resolve"
)

// A target is where a URL leads, before anyone has looked.
type target struct {
	roots      []string // directories, taken at their word: the first in which there is something counts
	components []string
	slash      bool // it ends in a slash
	rooted     bool // it is "/x"

	foreign  bool   // "/x" that is not below the prefix of the site
	inside   bool   // of the tree or a site: it is to be judged
	outside  bool   // it leads out of them
	encoded  bool   // a name in it has an encoded slash or NUL, which is in no name of a file
	path     string // where outside it leads
	fragment string // as in the URL, behind "#"
	hash     bool   // there is one
	isQuery  bool   // it is in the query
}

// isOwn reports whether k leads to its own document, as most that have a fragment do.
func isOwn(d *document, k *reference) bool {
	return strings.HasPrefix(k.ref, "#") && (k.url == "" || k.base.URI == d.retrieved.URI)
}

// locate returns where k leads.
func (a *auditor) locate(d *document, k *reference) (t target) {
	u := k.url
	if u == "" {
		u = d.retrieved.URI + k.ref // the current document
	}
	if isOwn(d, k) {
		_, fragment, _ := strings.Cut(u, "#")
		return target{roots: []string{d.path}, fragment: fragment, hash: true, inside: true}
	}
	c := resolve.Parse([]byte(u))
	t.fragment, t.hash = string(c.Fragment), c.HasFragment
	ref := resolve.Parse([]byte(k.ref))
	t.rooted = !ref.HasScheme && !ref.HasAuthority && strings.HasPrefix(k.ref, "/")
	if t.rooted && a.sites.root != "" {
		a.setRooted(&t, a.sites.root, a.servingOf(d), string(c.Path))
		return t
	}
	if s, rest, ok := a.sites.find(&c); ok {
		t.set(s.dir, rest)
		return t
	}
	if !strings.EqualFold(string(c.Scheme), "file") {
		// Of a page in a site, what is relative should stay there.
		t.outside = k.result.Step != resolve.Absolute && !t.rooted && !ref.HasAuthority && k.base.Layer == base.Retrieval
		t.path = u
		return t
	}
	if k.result.Step == resolve.Absolute || len(c.Authority) > 0 {
		return t
	}
	a.locateFile(d, k, &c, &t)
	return t
}

// locateFile sets t to where k leads, if it is relative to a file: URL. c are the parts of
// its URL.
func (a *auditor) locateFile(d *document, k *reference, c *resolve.Components, t *target) {
	top := a.boundary(d)
	// "/x" is below the root of the tree, not of the disk; so is what is relative to a
	// <base> that says "/x/".
	if t.rooted || k.base.Layer != base.Retrieval && !below(filePath(k.base.URI), top) {
		t.rooted = true
		s := a.servingOf(d)
		a.setRooted(t, top, s, string(c.Path))
		t.roots = append(a.packages(d), a.appRoots(d)...)
		if s != nil && s.roots != nil {
			t.roots = slices.Concat(s.roots, t.roots)
		}
		return
	}
	t.set("", string(c.Path))
	for _, dir := range a.trees(d, top) {
		n := len(strings.FieldsFunc(dir, func(r rune) bool { return r == '/' }))
		if n <= len(t.components) && dir == joined(t.components[:n]) {
			t.roots, t.components = []string{dir}, t.components[n:]
			return
		}
	}
	t.inside, t.outside, t.path = false, true, joined(t.components)
}

// setRooted sets t to a path below root, or to nothing that is judged if it is not below the
// prefix of a site.
func (a *auditor) setRooted(t *target, root string, s *serving, p string) {
	if s != nil && s.prefix != "" {
		rest, ok := strings.CutPrefix(p, s.prefix)
		if !ok && p+"/" != s.prefix {
			t.foreign = true
			return
		}
		p = rest
	}
	t.set(root, p)
}

// trees returns the directories that a document may refer to. Without a repository, these
// are all that are audited.
func (a *auditor) trees(d *document, top string) []string {
	dirs := []string{top}
	if a.sites.root != "" {
		dirs = append(dirs, a.sites.root)
	}
	if a.repository(d.dir()) == "" {
		for _, g := range a.args {
			dirs = append(dirs, g.path)
		}
	}
	return dirs
}

func joined(components []string) string {
	if len(components) == 0 {
		return ""
	}
	p := strings.Join(components, "/")
	if filepath.VolumeName(p) != "" {
		return p
	}
	return "/" + p
}

// filePath returns the path of a file: URL.
func filePath(u string) string {
	c := resolve.Parse([]byte(u))
	p := ascii.UnescapeAll(string(c.Path))
	if len(p) > 1 && filepath.VolumeName(p[1:]) != "" {
		p = p[1:]
	}
	return p
}

// below reports whether p is dir or in it. The root is "" or "/".
func below(p, dir string) bool {
	if !strings.HasPrefix(p, dir) {
		return false
	}
	return len(p) == len(dir) || p[len(dir)] == '/' || strings.HasSuffix(dir, "/")
}

// set takes p, a path of a URL, apart: its names are decoded once, each for itself, so
// that an encoded slash stays one (RFC 3986 2.2, 7.3).
func (t *target) set(root, p string) {
	t.inside = true
	t.roots = []string{root}
	t.slash = strings.HasSuffix(p, "/")
	for name := range strings.SplitSeq(p, "/") {
		name = ascii.UnescapeAll(name)
		switch {
		case name == "" || name == ".":
			continue
		case name == "..": // "%2E%2E", which browsers take for ".."
			t.components = t.components[:max(0, len(t.components)-1)]
			continue
		case strings.ContainsAny(name, "/\x00"):
			t.encoded = true
		}
		t.components = append(t.components, name)
	}
}
