package audit

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/base"
)

// resolve returns the place where k leads: a file, the index page of a directory, or the source that
// the generator of the site publishes at that path.
func (a *auditor) resolve(d *document, k *reference, t *target) (p place) {
	for i, root := range t.roots {
		q := a.resolveIn(d, root, t)
		if i == 0 || isBetter(&q, &p) {
			p = q
		}
		if p.kind != isMissing && !p.respel {
			return p
		}
	}
	// A page x.md may be served as x/, and its relative references then resolve against that.
	if s := a.servingOf(d); s != nil && s.mayNest() && p.kind == isMissing && k.base.Layer == base.Retrieval && !t.rooted && !isIndex(d.base()) {
		if q, ok := a.resolveServed(d, k); ok && isBetter(&q, &p) {
			return q
		}
	}
	if s := a.servingOf(d); s != nil && s.isFlat && p.kind == isMissing {
		if files := a.flatSources(k); len(files) == 1 {
			return place{kind: isFile, path: files[0]}
		}
	}
	if p.kind != isMissing {
		return p
	}
	if !t.rooted {
		if q, ok := a.resolveAlias(d, k, t); ok {
			return q
		}
		if q, ok := a.resolveCopied(d, t); ok {
			return q
		}
		return a.resolveBeside(d, t, p)
	}
	if s := a.servingOf(d); s != nil && s.isUnsuffixed && s.suffixes != nil {
		if q, ok := a.resolveFromRoot(d, t); ok {
			return q
		}
	}
	return p
}

// resolveBeside resolves a relative reference that leads to nothing below one of the directories that an unknown
// program publishes: the same URL may be below another one.
func (a *auditor) resolveBeside(d *document, t *target, p place) place {
	s := a.servingOf(d)
	if s == nil || len(s.roots) < 2 || len(t.roots) == 0 {
		return p
	}
	at := t.roots[0] + "/" + strings.Join(t.components, "/")
	for _, from := range s.roots {
		rest, ok := strings.CutPrefix(at, from+"/")
		if !ok {
			continue
		}
		for _, root := range s.roots {
			to := *t
			to.components = strings.Split(rest, "/")
			if q := a.resolveIn(d, root, &to); root != from && q.kind == isFile {
				return q
			}
		}
	}
	return p
}

// resolveServed is like resolve, but takes d as the page that is served for it.
func (a *auditor) resolveServed(d *document, k *reference) (p place, ok bool) {
	t, ok := a.locateServed(d, k)
	if !ok {
		return p, false
	}
	return a.resolveIn(d, t.roots[0], &t), true
}

// locateServed is like locate, but takes d as the page that is served for it. ok is false if k leads out of the tree.
func (a *auditor) locateServed(d *document, k *reference) (t target, ok bool) {
	source := d.retrieved
	source.URI = strings.TrimSuffix(source.URI, path.Ext(source.URI)) + "/"
	b, err := base.Root(a.Resolve, source, base.Source{})
	if err != nil {
		return t, false
	}
	u, res, err := b.Append(nil, []byte(k.ref))
	if err != nil || res.InError {
		return t, false
	}
	other := *k
	other.url = string(u)
	t = a.locate(d, &other)
	return t, t.inside
}

// isBetter reports whether q is a better match than p: q exists, or is spelled as requested, and p is
// not; or both are missing, and only the directory of q exists.
func isBetter(q, p *place) bool {
	if q.kind == isMissing {
		return p.kind == isMissing && p.in == nil && q.in != nil
	}
	return p.kind == isMissing || p.respel && !q.respel
}

// resolveIn returns the place where t leads from a root.
func (a *auditor) resolveIn(d *document, root string, t *target) place {
	if len(t.components) == 0 && root == d.path || !t.slash && isAt(d.path, root, t.components) {
		return place{kind: isFile, path: d.path}
	}
	p := a.files.at(root, t.components)
	switch {
	case p.kind == isDirectory:
		if q := a.index(d, p); q.kind == isFile || len(t.components) == 0 {
			return q
		}
	case p.kind == isFile && !t.slash:
		if !p.respel {
			return p
		}
	case p.kind == isDangling, p.kind == isLoop:
		return p
	}
	if len(t.components) == 0 {
		return p
	}
	last := len(t.components) - 1
	s := a.servingOf(d)
	for _, name := range append(d.markupSources(t.components[last]), s.sourcesOf(t.components[last])...) {
		anyCase := s != nil && s.isLower && name == strings.ToLower(name)
		if !anyCase && !p.hasBeside(name) {
			continue
		}
		q := a.files.at(root, append(slices.Clone(t.components[:last]), name))
		q.respel = q.respel && !anyCase
		if q.kind == isFile && !q.respel {
			return q
		}
	}
	if p.kind == isFile && t.slash {
		p.kind = isMissing
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
func (p *place) hasBeside(name string) bool {
	if p.in == nil {
		return false
	}
	_, ok := p.in.entry(name)
	return ok
}

// sourcesOf returns the names of possible source files of a page, given the last name in its URL.
func (s *serving) sourcesOf(name string) (names []string) {
	if s == nil {
		return nil
	}
	for _, suffix := range s.suffixes {
		names = append(names, name+suffix)
	}
	if stem, ok := strings.CutSuffix(name, ".html"); ok {
		for _, suffix := range s.suffixes {
			names = append(names, stem+suffix)
		}
	}
	return names
}

// index returns the page that stands for the directory p, or p if there is none.
func (a *auditor) index(d *document, p place) place {
	names := siteIndexes
	if given := a.servingOf(d).indexNames(); len(given) > 0 {
		names = given
	} else if d.isHTML() {
		names = htmlIndexes
	} else if d.layout.isHost() {
		names = hostIndexes
	}
	l := a.files.list(p.path)
	for _, name := range names {
		if typ, ok := l.entry(name); ok && !typ.IsDir() {
			p.kind, p.path, p.in = isFile, p.path+"/"+name, l
			return p
		}
	}
	return p
}
