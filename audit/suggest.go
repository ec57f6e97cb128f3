package audit

import (
	"path"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/lazy"
	"example.org/refract/resolve"
)

// nearest returns the reference that may have been meant by one that leads nowhere, and
// whether that is certain: to the file beside it with another suffix, or to the only file
// of that name elsewhere.
func (a *auditor) nearest(d *document, k *reference, t *target, p *place) (string, bool) {
	switch {
	case len(t.components) == 0:
		return "", false
	case strings.HasPrefix(k.ref, "(") && strings.Contains(k.ref, "://"):
		return strings.Trim(k.ref, "()"), false
	case t.slash:
		return "", false
	}
	if s := a.recoded(d, k, t); s != "" {
		return s, false
	}
	name := t.components[len(t.components)-1]
	beside := ""
	if p.in != nil {
		if other, ok := p.in.sameStem(name); ok {
			to := path.Dir(p.path) + "/" + other
			beside = a.rewritten(d, k, to, nil)
			if isSameContent(k, name, other) {
				return beside, len(a.byName[name]) == 0 && !a.isContested(d, k, p.path, to) && a.mends(d, k, beside, to)
			}
		}
	}
	if s, certain := a.moved(d, k, t, p); s != "" {
		return s, certain
	}
	return beside, false
}

// isHostName reports whether a path begins with what is rather a host: "www.x.org",
// "github.com/x". No file has such a name that is often linked to. more says that a slash
// is behind it.
func isHostName(name string, more bool) bool {
	if strings.HasPrefix(name, "www.") {
		return true
	}
	switch path.Ext(name) {
	case ".com", ".org", ".net", ".io", ".dev":
		return more && name[0] != '.'
	}
	return false
}

// recoded returns the reference that is there when its path is decoded once more, or when
// its "#" is part of the name.
func (a *auditor) recoded(d *document, k *reference, t *target) string {
	root := t.roots[0]
	try := func(p string) string {
		other := target{roots: t.roots}
		other.set(root, p)
		if q := a.files.at(root, other.components); q.kind == isFile && !q.respel {
			return a.rewritten(d, k, q.path, nil)
		}
		return ""
	}
	p := strings.Join(t.components, "/")
	if strings.IndexByte(p, '%') >= 0 || t.encoded {
		if s := try(p); s != "" {
			return s
		}
	}
	if t.hash && t.fragment != "" {
		if s := try(escaped(p) + "%23" + t.fragment); s != "" {
			return strings.TrimSuffix(s, "#"+t.fragment)
		}
	}
	return ""
}

// moved returns a reference to the only file of the tree that is called so, and whether
// it is certain that it is the same.
func (a *auditor) moved(d *document, k *reference, t *target, p *place) (string, bool) {
	if len(t.components) == 0 || t.slash {
		return "", false
	}
	name := t.components[len(t.components)-1]
	if isIndex(name) {
		return "", false
	}
	paths := a.byName[name]
	if len(paths) != 1 || paths[0] == d.path || p != nil && paths[0] == p.path {
		return "", false
	}
	if !slices.ContainsFunc(a.trees(d, a.boundary(d)), func(dir string) bool { return below(paths[0], dir) }) {
		return "", false // it is where k should not lead
	}
	if !below(paths[0], a.packages(d)[0]) {
		return "", false // each package has a CONTRIBUTING.md of its own
	}
	s := a.rewritten(d, k, paths[0], nil)
	return s, p != nil && a.isWhereItWas(p.path, paths[0]) && !a.isContested(d, k, p.path, paths[0]) && a.mends(d, k, s, paths[0])
}

// isContested reports whether the file at to may be another than the one that a reference
// of d to from means. So it is if d refers to a third file of that name; or to that at to
// as well, where one has not moved up or down from the other, as in a list of pages by
// system, or where a picture is there in several formats, to be chosen from. And from may be
// ignored: then it is made when the site is built.
func (a *auditor) isContested(d *document, asks *reference, from, to string) bool {
	if !d.spend(len(d.refs)) {
		return true
	}
	here, there := path.Dir(from), path.Dir(to)
	beside := !below(here, there) && !below(there, here)
	format := IsPicture(to) && path.Ext(from) != path.Ext(to)
	for i := range d.refs {
		k := &d.refs[i]
		p, _, _ := strings.Cut(k.ref, "#")
		p, _, _ = strings.Cut(p, "?")
		name := ascii.UnescapeAll(path.Base(p))
		if k.err != nil || name != path.Base(from) && name != path.Base(to) {
			continue
		}
		if !d.spend(64) { // as much as that takes
			return true
		}
		if p := a.placeOf(d, k); p != "" {
			choice := beside || format && (asks.kind != scan.Embed || strings.HasPrefix(k.in, "source/"))
			if p == to && choice || p != to && p != from {
				return true
			}
		}
	}
	return a.isIgnored(from)
}

// ignored says whether ignore files leave out a path, one at a time.
type ignored struct {
	mu sync.Mutex
	is func(path string) bool
}

func (a *auditor) isIgnored(path string) bool {
	i := a.ignored.Get(func() *ignored {
		walk := a.walker(a.names.dir)
		return &ignored{is: walk.Ignored()}
	})
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.is(path)
}

// placeOf returns the path that k leads to, whether there is a file or not; "" is none.
func (a *auditor) placeOf(d *document, k *reference) string {
	if d.layout.generated != nil && k.result.Step != resolve.Absolute {
		res, _ := a.onSite(d, k, k.ref)
		if res.File != "" {
			return res.File
		}
		for _, c := range res.Tried {
			if c.File != "" {
				return c.File
			}
		}
		return ""
	}
	if t := a.locate(d, k); t.inside {
		return path.Join(t.roots[0], strings.Join(t.components, "/"))
	}
	return ""
}

// isWhereItWas reports whether the file at to can only be the one that was at from. It was
// in what is audited: elsewhere there may be more of that name. And it is no other edition
// of it: a translation, the same page for another version, a copy of somebody else's, that
// of another package, an example, what has been built, or what a generator publishes.
func (a *auditor) isWhereItWas(from, to string) bool {
	if len(a.Globs) > 0 || !a.contain(from) || a.siteAt(from) != a.siteAt(to) || a.holder(path.Dir(from)) != a.holder(path.Dir(to)) {
		return false
	}
	here, there := strings.Split(path.Dir(from), "/"), strings.Split(path.Dir(to), "/")
	for _, dirs := range [2][2][]string{{here, there}, {there, here}} {
		for _, name := range dirs[0] {
			if edition.MatchString(name) && !slices.Contains(dirs[1], name) {
				return false
			}
		}
	}
	return true
}

// edition is how directories are called that hold the same files as others beside them:
// a language, a version, the code of others, what stands for something else in tests and
// examples, what is made of sources, what is no longer looked after.
var edition = lazy.New(`^(?i:(?:.*[-_.])?[a-z]{2}(?:[-_][a-z]{2,4})?|i18n|locales?|translations?` +
	`|(?:version|ver|v|release|rel)?[-_.]?[0-9]+(?:[._-].*)?|versions?|versioned.*|latest|next|stable|current|nightly` +
	`|vendor|node_modules|third[-_]party|deps|external` +
	`|test|tests|testdata|fixtures?|__.*__|examples?|samples?|templates?` +
	`|_?build|dist|out|output|target|_?site|public|archived?|legacy|old|deprecated|backup)$`)

// isSameContent reports whether a file in whose place another is there by a suffix of the
// same kind can be shown in its stead. Markdown and the HTML that is made of it are not
// the same: a link to one of them may be right where it is published. Nor are the images of
// a choice (srcset, <picture>, image-set), of which each says what it is.
func isSameContent(k *reference, name, other string) bool {
	x, y := strings.ToLower(path.Ext(name)), strings.ToLower(path.Ext(other))
	for i, set := range suffixes {
		if slices.Contains(set, x) && slices.Contains(set, y) {
			return i > 0 || slices.Contains(imagePlaces, k.in)
		}
	}
	return false
}

var (
	suffixes = [][]string{
		{".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".svg", ".bmp"},
		{".md", ".markdown", ".mdx"},
		{".html", ".htm", ".xhtml"},
	}
	imagePlaces = []string{"image", "link", "definition", "img/src", "a/href", "url()"}
)

// spelledRight returns k as it is when its path is spelled as on disk.
func (a *auditor) spelledRight(d *document, k *reference, t *target, p *place) string {
	to := p.path
	if strings.Count(to, "/") != strings.Count(p.asked, "/") {
		to = path.Dir(to) // p is the index page of what k leads to
	}
	if s := respelled(k.ref, to); a.mends(d, k, s, p.path) {
		return s
	}
	s := a.rewritten(d, k, to, nil)
	if t.slash && s != "" {
		c := resolve.Parse([]byte(s))
		c.Path = append(slices.Clone(c.Path), '/')
		s = string(c.Append(nil))
	}
	return s
}

// respelled returns ref with the names at the end of its path spelled as in to, as far as they
// are these.
func respelled(ref, to string) string {
	c := resolve.Parse([]byte(ref))
	names := strings.Split(string(c.Path), "/")
	end := len(names)
	if names[end-1] == "" {
		end--
	}
	for i := end - 1; i >= 0; i-- {
		name, right := ascii.UnescapeAll(names[i]), path.Base(to)
		if fold(name) != fold(right) {
			break
		}
		if name != right {
			names[i] = spelled(right)
		}
		to = path.Dir(to)
	}
	c.Path = []byte(strings.Join(names, "/"))
	return string(c.Append(nil))
}

// isOnlySpelling reports whether no other name on disk than those of p differs from what t
// asks for in case or composition alone.
func (a *auditor) isOnlySpelling(d *document, t *target, p *place) bool {
	asked := strings.Join(t.components, "/")
	for _, dir := range t.roots {
		if p.asked != dir+"/"+asked {
			continue // another root, or what a page is served as
		}
		names := strings.Split(strings.TrimPrefix(p.path, dir+"/"), "/")
		for i, name := range t.components {
			if names[i] != name && a.hasTwins(d, dir, name) {
				return false
			}
			dir += "/" + names[i]
		}
		return true
	}
	return false
}

// hasTwins reports whether several names in a directory differ from name in case or
// composition alone.
func (a *auditor) hasTwins(d *document, dir, name string) bool {
	names := a.files.list(dir).names
	if !d.spend(len(names)) {
		return true
	}
	same, key, plain := 0, fold(name), isASCII(name)
	for other := range names {
		if strings.EqualFold(name, other) || !(plain && isASCII(other)) && fold(other) == key {
			same++
		}
	}
	return same > 1
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}
