package lead

import (
	"bytes"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"example.org/refract/base"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/publish"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/slash"
	"example.org/refract/resolve"
)

// A Target is where a URL points, before any lookup.
type Target struct {
	Roots      []string // directories to try in order, taken literally: the first in which something exists counts
	Components []string
	Slash      bool // it ends in a slash
	Rooted     bool // it is "/x"

	isXref   bool            // it is the name of an AsciiDoc document, perhaps without its suffix
	hosted   *doc.HostedFile // the URL is one of the host of the repository; nil if not
	foreign  bool            // "/x" that is not below the prefix of the site
	Inside   bool            // in the tree or a site: to be checked
	Outside  bool            // points outside of them
	Encoded  bool            // a name in it has an encoded slash or NUL, which is in no name of a file
	Path     string          // where outside it leads
	Fragment string          // as in the URL, after "#"
	Hash     bool            // there is one
}

// IsOwn reports whether ref points to its own document, as most references with a fragment do.
func IsOwn(d *doc.Document, ref *doc.Reference) bool {
	return strings.HasPrefix(ref.Ref, "#") && (ref.URL == "" || ref.Base.URI == d.Retrieved.URI)
}

// locate returns where ref leads.
func (a *World) locate(d *doc.Document, ref *doc.Reference) (t Target) {
	u := ref.URL
	if u == "" {
		u = d.Retrieved.URI + ref.Ref // the current document
	}
	if IsOwn(d, ref) {
		_, fragment, _ := strings.Cut(u, "#")
		return Target{Roots: []string{d.Path}, Fragment: fragment, Hash: true, Inside: true}
	}
	c := resolve.Parse([]byte(u))
	t.Fragment, t.Hash = string(c.Fragment), c.HasFragment
	t.isXref = d.IsAsciiDoc() && t.Hash && (ref.In == "<<>>" || ref.In == "xref:")
	written := resolve.Parse([]byte(ref.Ref))
	t.Rooted = !written.HasScheme && !written.HasAuthority && strings.HasPrefix(ref.Ref, "/")
	if root := a.Published.RootOf(d.Path); t.Rooted && root != "" {
		a.setRooted(&t, root, a.ServingOf(d), string(c.Path))
		return t
	}
	if s, rest, ok := a.Published.Find(&c); ok {
		t.Set(s.Dir, rest)
		return t
	}
	if len(a.Published.Checkouts) > 0 && ref.Result.Step == resolve.Absolute {
		t.hosted = a.Published.Hosted(&c)
		if t.hosted != nil {
			return t
		}
	}
	if !strings.EqualFold(string(c.Scheme), "file") {
		// Of a page in a site, what is relative should stay there.
		t.Outside = ref.Result.Step != resolve.Absolute && !t.Rooted && !written.HasAuthority && ref.Base.Layer == base.Retrieval
		t.Path = u
		return t
	}
	if ref.Result.Step == resolve.Absolute || written.HasAuthority || !hasHostOf(d, &c) {
		return t
	}
	a.locateFile(d, ref, &c, &t)
	return t
}

// locateFile sets t to where ref leads, if it is relative to a file: URL. c are the parts of
// its URL.
func (a *World) locateFile(d *doc.Document, ref *doc.Reference, c *resolve.Components, t *Target) {
	top := a.Boundary(d)
	// "/x" is below the root of the tree, not of the disk; so is what is relative to a
	// <base> that says "/x/".
	if t.Rooted || ref.Base.Layer != base.Retrieval && !tree.Below(filePath(ref.Base.URI), top) {
		t.Rooted = true
		s := a.ServingOf(d)
		a.setRooted(t, top, s, string(c.Path))
		t.Roots = append(a.Packages(d), a.AppRoots(d)...)
		if s.IsLearnt() {
			t.Roots = slices.Concat(s.RootsOf(t.Components), t.Roots)
		}
		return
	}
	t.Set("", string(c.Path))
	if len(c.Authority) > 0 && len(t.Components) > 0 { // the server of a share, which is one component
		t.Components[0] = slash.OfURL(string(c.Authority), "/"+t.Components[0])
	}
	for dir := range a.Trees(d, top) {
		n := 0
		if dir := strings.Trim(dir, "/"); dir != "" {
			n = strings.Count(dir, "/") + 1
		}
		if n <= len(t.Components) && dir == joined(t.Components[:n]) {
			t.Roots, t.Components = []string{dir}, t.Components[n:]
			return
		}
	}
	t.Inside, t.Outside, t.Path = false, true, joined(t.Components)
}

// hasHostOf reports whether a file: URL has the authority of that of d: none, but for a file of a share of Windows.
func hasHostOf(d *doc.Document, c *resolve.Components) bool {
	own := resolve.Parse([]byte(d.Retrieved.URI))
	return bytes.Equal(own.Authority, c.Authority)
}

// setRooted sets t to a path below root, or to an unchecked target if it is not below the prefix of a site.
func (a *World) setRooted(t *Target, root string, s *publish.Serving, p string) {
	if s != nil && s.Prefix != "" {
		rest, ok := strings.CutPrefix(p, s.Prefix)
		if !ok && p+"/" != s.Prefix {
			t.foreign = true
			return
		}
		p = rest
	}
	t.Set(root, p)
}

// Trees yields the directories that a document may refer to. Without a repository, these
// are all that are audited.
func (a *Library) Trees(d *doc.Document, top string) iter.Seq[string] {
	return func(yield func(string) bool) {
		root := a.Published.RootOf(d.Path)
		if !yield(top) || root != "" && !yield(root) || a.Repository(d.Dir()) != "" {
			return
		}
		for _, g := range a.Args {
			if !yield(g.Path) {
				return
			}
		}
	}
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
	return slash.OfURL(string(c.Authority), ascii.UnescapeAll(string(c.Path)))
}

// Set splits p, a path of a URL, into names and decodes each once, so that an encoded slash stays one (RFC
// 3986 2.2, 7.3).
func (t *Target) Set(root, p string) {
	t.Inside = true
	t.Roots = []string{root}
	t.Slash = strings.HasSuffix(p, "/")
	t.Components = slices.Grow(t.Components, strings.Count(p, "/")+1)
	for name := range strings.SplitSeq(p, "/") {
		name = ascii.UnescapeAll(name)
		switch {
		case name == "" || name == ".":
			continue
		case name == "..": // "%2E%2E", which browsers take for ".."
			t.Components = t.Components[:max(0, len(t.Components)-1)]
			continue
		case strings.ContainsAny(name, "/\x00"):
			t.Encoded = true
		}
		t.Components = append(t.Components, name)
	}
}

// isPackaged reports whether ref is in a member of d and is checked there. Others are checked as in any
// document: a reference to a file beside the package, and an invalid URL.
func isPackaged(d *doc.Document, ref *doc.Reference) bool {
	switch {
	case ref.Member == "":
		return false
	case d.Bundle == nil || strings.Count(ref.Member, "!/") > 0, ref.Labels&scan.Unused != 0, ref.Inside != "", ref.Result.Step == resolve.CurrentDocument:
		return true
	}
	return isOfOtherComputer(d, ref)
}

// isOfOtherComputer reports whether ref is a path on the computer where an office document was written.
func isOfOtherComputer(d *doc.Document, ref *doc.Reference) bool {
	return ref.In == "attachedTemplate" || ref.In == "oleObject" && ref.Inside == "" || ref.Err == base.ErrNoBase ||
		strings.ContainsRune(ref.Ref, '\\') || strings.HasPrefix(ref.Ref, "/") && d.Bundle.Book == nil
}
