package lead

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"example.org/refract/base"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/publish"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/slash"
)

// Find returns the place that ref points to: a file, the index page of a directory, or the source that the
// generator of the site publishes at that path.
func (a *World) Find(d *doc.Document, ref *doc.Reference, t *Target) (p tree.Place) {
	for i, root := range t.Roots {
		q := a.ResolveIn(d, root, t)
		if i == 0 || isBetter(&q, &p) {
			p = q
		}
		if p.Kind != tree.IsMissing && !p.Respel {
			return p
		}
	}
	// A page x.md may be served as x/, and its relative references then resolve against that.
	if s := a.ServingOf(d); s != nil && s.MayNest() && p.Kind == tree.IsMissing && ref.Base.Layer == base.Retrieval && !t.Rooted && !publish.IsIndex(d.Base()) {
		if q, ok := a.ResolveServed(d, ref); ok && isBetter(&q, &p) {
			return q
		}
	}
	if s := a.ServingOf(d); s != nil && s.IsFlat && p.Kind == tree.IsMissing {
		if files := a.FlatSources(ref); len(files) == 1 {
			return tree.Place{Kind: tree.IsFile, Path: files[0]}
		}
	}
	if p.Kind != tree.IsMissing {
		return p
	}
	if file := a.namedFile(d, ref, t); file != "" {
		return tree.Place{Kind: tree.IsFile, Path: file}
	}
	if !t.Rooted {
		if q, ok := a.resolveAlias(d, ref, t); ok {
			return q
		}
		if q, ok := a.resolveCopied(d, t); ok {
			return q
		}
		return a.resolveBeside(d, t, p)
	}
	if s := a.ServingOf(d); s != nil && s.IsUnsuffixed && s.Suffixes != nil {
		if q, ok := a.resolveFromRoot(d, t); ok {
			return q
		}
	}
	return p
}

// namedFile returns the document that ref points to, if an unknown program leaves out of URLs what only sorts
// and groups documents, or "". A relative reference is one from the URL of d, with and without a slash at
// its end.
func (a *World) namedFile(d *doc.Document, ref *doc.Reference, t *Target) string {
	s := a.ServingOf(d)
	if s == nil || s.Files == nil {
		return ""
	}
	if t.Rooted {
		return s.FileAt(t.Components)
	}
	route, isPublished := s.Routes[d.Path]
	if !isPublished || !IsUnsuffixed(d, ref) {
		return ""
	}
	text := ref.Ref[:PathLength(ref.Ref)]
	for _, dir := range []string{path.Dir("/" + route), "/" + route} {
		if file := s.Files[strings.TrimPrefix(path.Join(dir, text), "/")]; file != "" {
			return file
		}
	}
	return ""
}

// resolveBeside resolves a broken relative reference below one of the directories that an unknown program
// publishes: the same URL may be below another one.
func (a *World) resolveBeside(d *doc.Document, t *Target, p tree.Place) tree.Place {
	s := a.ServingOf(d)
	if s == nil || len(s.Roots) < 2 || len(t.Roots) == 0 {
		return p
	}
	at := t.Roots[0] + "/" + strings.Join(t.Components, "/")
	for _, from := range s.Roots {
		rest, ok := strings.CutPrefix(at, from+"/")
		if !ok {
			continue
		}
		for _, root := range s.Roots {
			to := *t
			to.Components = strings.Split(rest, "/")
			if q := a.ResolveIn(d, root, &to); root != from && q.Kind == tree.IsFile {
				return q
			}
		}
	}
	return p
}

// ResolveServed is like resolve, but takes d as the page that is served for it.
func (a *World) ResolveServed(d *doc.Document, ref *doc.Reference) (p tree.Place, ok bool) {
	t, ok := a.locateServed(d, ref)
	if !ok {
		return p, false
	}
	return a.ResolveIn(d, t.Roots[0], &t), true
}

// locateServed is like locate, but takes d as the page that is served for it. ok is false if ref points out of the tree.
func (a *World) locateServed(d *doc.Document, ref *doc.Reference) (t Target, ok bool) {
	source := d.Retrieved
	source.URI = slash.Stem(source.URI) + "/"
	b, err := base.Root(a.ResolveRules, source, base.Source{})
	if err != nil {
		return t, false
	}
	u, _, err := b.Append(nil, []byte(ref.Ref))
	if err != nil {
		return t, false
	}
	other := *ref
	other.URL = string(u)
	t = a.locate(d, &other)
	return t, t.Inside
}

// isBetter reports whether q is a better match than p. q exists, or is spelled as requested, and p is
// not; or both are missing, and only the directory of q exists.
func isBetter(q, p *tree.Place) bool {
	if q.Kind == tree.IsMissing {
		return p.Kind == tree.IsMissing && p.In == nil && q.In != nil
	}
	return p.Kind == tree.IsMissing || p.Respel && !q.Respel
}

// ResolveIn returns the place that t points to from a root.
func (a *World) ResolveIn(d *doc.Document, root string, t *Target) tree.Place {
	if len(t.Components) == 0 && root == d.Path || !t.Slash && isAt(d.Path, root, t.Components) {
		return tree.Place{Kind: tree.IsFile, Path: d.Path}
	}
	p := a.Files.At(root, t.Components)
	switch {
	case p.Kind == tree.IsDirectory:
		if q := a.index(d, p); q.Kind == tree.IsFile || q.Kind == tree.IsOutside || len(t.Components) == 0 {
			return q
		}
	case p.Kind == tree.IsFile && !t.Slash:
		if !p.Respel {
			return p
		}
	case p.Kind == tree.IsDangling, p.Kind == tree.IsLoop, p.Kind == tree.IsOutside:
		return p
	}
	if len(t.Components) == 0 {
		return p
	}
	last := len(t.Components) - 1
	s := a.ServingOf(d)
	names := append(d.MarkupSources(t.Components[last]), s.SourcesOf(t.Components[last])...)
	if t.isXref { // Asciidoctor makes a link to the HTML of it, whose source may be elsewhere
		names = append(names, strings.TrimSuffix(t.Components[last], ".adoc")+".html")
	}
	for _, name := range names {
		anyCase := s != nil && s.IsLower && name == strings.ToLower(name)
		if !anyCase && !hasBeside(&p, name) {
			continue
		}
		q := a.Files.At(root, append(slices.Clone(t.Components[:last]), name))
		q.Respel = q.Respel && !anyCase
		if q.Kind == tree.IsFile && !q.Respel {
			return q
		}
	}
	if p.Kind == tree.IsFile && t.Slash {
		p.Kind = tree.IsMissing
	}
	return p
}

// isAt reports whether components lead from a directory to a path.
func isAt(p, dir string, components []string) bool {
	rest, ok := strings.CutPrefix(p, dir)
	for _, name := range components {
		if !strings.HasPrefix(rest, "/") || !strings.HasPrefix(rest[1:], name) {
			return false
		}
		rest = rest[1+len(name):]
	}
	return ok && rest == ""
}

// hasBeside reports whether the directory of p exists, and has an entry.
func hasBeside(p *tree.Place, name string) bool {
	if p.In == nil {
		return false
	}
	_, ok := p.In.Entry(name)
	return ok
}

// index returns the page that stands for the directory p, or p if there is none.
func (a *World) index(d *doc.Document, p tree.Place) tree.Place {
	names := publish.SiteIndexes
	if given := a.ServingOf(d).IndexNames(); len(given) > 0 {
		names = given
	} else if d.IsHTML() {
		names = publish.HtmlIndexes
	} else if d.Layout.IsHost() {
		names = publish.HostIndexes
	}
	l := a.Files.List(p.Path)
	for _, name := range names {
		if typ, ok := l.Entry(name); ok && !typ.IsDir() {
			p.Kind, p.Path, p.In = tree.IsFile, p.Path+"/"+name, l
			if typ&fs.ModeSymlink != 0 && a.Files.Follow(p.Path) == tree.IsOutside {
				p.Kind = tree.IsOutside
			}
			return p
		}
	}
	return p
}
