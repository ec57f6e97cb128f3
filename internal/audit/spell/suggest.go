package spell

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/publish"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/slash"
	"example.org/refract/resolve"
)

// nearest returns the reference that a broken one may have meant, and whether that is certain. It links to
// the file beside it with another suffix, or to the only file of that name elsewhere.
func (a *Speller) nearest(d *doc.Document, ref *doc.Reference, t *lead.Target, p *tree.Place) (string, bool) {
	switch {
	case len(t.Components) == 0:
		return "", false
	case strings.HasPrefix(ref.Ref, "(") && strings.Contains(ref.Ref, "://"):
		return strings.Trim(ref.Ref, "()"), false
	case t.Slash:
		return "", false
	}
	if s, to := a.slashed(d, ref, t); s != "" {
		return s, a.fixes(d, ref, s, to)
	}
	if s := a.recoded(d, ref, t); s != "" {
		return s, false
	}
	name := t.Components[len(t.Components)-1]
	beside := ""
	if p.In != nil {
		if other, ok := p.In.SameStem(name); ok {
			to := path.Dir(p.Path) + "/" + other
			beside = a.Rewritten(d, ref, to, nil)
			if isSameContent(ref, name, other) {
				return beside, len(a.ByName[name]) == 0 && !a.isContested(d, ref, p.Path, to) && a.fixes(d, ref, beside, to)
			}
		}
	}
	if s, certain := a.moved(d, ref, t, p); s != "" {
		return s, certain
	}
	if beside == "" {
		if to := a.mistyped(d, t.Roots[0], t.Components); to != "" {
			return a.Rewritten(d, ref, to, nil), false
		}
	}
	return beside, false
}

// slashed returns the reference with slashes in place of the backslashes of Windows, and the file that it
// then links to.
func (a *Speller) slashed(d *doc.Document, ref *doc.Reference, t *lead.Target) (s, to string) {
	p := strings.Join(t.Components, "/")
	if strings.IndexByte(p, '\\') < 0 {
		return "", ""
	}
	root := t.Roots[0]
	below, ok := strings.CutPrefix(path.Clean(root+"/"+strings.ReplaceAll(p, `\`, "/")), root+"/")
	if !ok {
		return "", "" // it points out
	}
	q := a.Files.At(root, strings.Split(below, "/"))
	if q.Kind != tree.IsFile || q.Respel {
		return "", ""
	}
	return a.Rewritten(d, ref, q.Path, nil), q.Path
}

// mistyped returns the only file whose path differs from the names below a directory by one typing error in
// one of them, or "". It is never certain that it was meant.
func (a *Speller) mistyped(d *doc.Document, dir string, names []string) string {
	for i, name := range names {
		l := a.Files.List(dir)
		if _, ok := l.Entry(name); ok {
			dir += "/" + name
			continue
		}
		ext := path.Ext(name)
		written, found := []rune(strings.TrimSuffix(name, ext)), ""
		for _, other := range l.Similar(name) {
			if !d.Budget.Spend(16) {
				return ""
			}
			if path.Ext(other) != ext || !doc.IsTypingError(written, []rune(strings.TrimSuffix(other, ext))) {
				continue
			}
			if found != "" {
				return ""
			}
			found = other
		}
		if found == "" {
			return ""
		}
		if p := a.Files.At(dir, append([]string{found}, names[i+1:]...)); p.Kind == tree.IsFile && !p.Respel {
			return p.Path
		}
		return ""
	}
	return ""
}

// recoded returns the reference that works when its path is decoded once more, or when its "#" is part of
// the name.
func (a *Speller) recoded(d *doc.Document, ref *doc.Reference, t *lead.Target) string {
	root := t.Roots[0]
	try := func(p string) string {
		other := lead.Target{Roots: t.Roots}
		other.Set(root, p)
		if q := a.Files.At(root, other.Components); q.Kind == tree.IsFile && !q.Respel {
			return a.Rewritten(d, ref, q.Path, nil)
		}
		return ""
	}
	p := strings.Join(t.Components, "/")
	if strings.IndexByte(p, '%') >= 0 || t.Encoded {
		if s := try(p); s != "" {
			return s
		}
	}
	if t.Hash && t.Fragment != "" {
		if s := try(slash.Escaped(p) + "%23" + t.Fragment); s != "" {
			return strings.TrimSuffix(s, "#"+t.Fragment)
		}
	}
	return ""
}

// moved returns a reference to the only file of the tree with that name, and whether it is certain that it
// is the same file.
func (a *Speller) moved(d *doc.Document, ref *doc.Reference, t *lead.Target, p *tree.Place) (string, bool) {
	if len(t.Components) == 0 || t.Slash {
		return "", false
	}
	name := t.Components[len(t.Components)-1]
	if publish.IsIndex(name) {
		return "", false
	}
	paths := a.ByName[name]
	if len(paths) != 1 || paths[0] == d.Path || p != nil && paths[0] == p.Path {
		return "", false
	}
	isInTree := false
	for dir := range a.Trees(d, a.Boundary(d)) {
		isInTree = isInTree || tree.Below(paths[0], dir)
	}
	if !isInTree {
		return "", false // it is where k should not lead
	}
	if !tree.Below(paths[0], a.Packages(d)[0]) {
		return "", false // each package has a CONTRIBUTING.md of its own
	}
	s := a.Rewritten(d, ref, paths[0], nil)
	if ofEachDirectory.MatchString(name) && namesDirectory(ref.Ref) {
		return s, false
	}
	return s, p != nil && a.isWhereItWas(p.Path, paths[0]) && !a.isContested(d, ref, p.Path, paths[0]) && a.fixes(d, ref, s, paths[0])
}

// ofEachDirectory matches the names of files that any directory may have about what is in it.
var ofEachDirectory = lazy.New(`^(?i:authors|change(?:log|s)|charter|code[-_]of[-_]conduct|contribut(?:e|ing|ors)|copying|credits|governance|history|install|licen[cs]e` +
	`|maintainers|notice|owners|readme|releases?|roadmap|security|support|todo)(?:\.\w+)?$`)

// namesDirectory reports whether a reference names the directory of what it points to.
func namesDirectory(ref string) bool {
	ref, _, _ = strings.Cut(ref, "#")
	dir, _ := path.Split(ref)
	return strings.Trim(dir, "./") != ""
}

// isContested reports whether the file at to may be another than the one that a reference of d to from
// means. That is so if d refers to a third file of that name; or to the file at to as well, where one has
// not moved up or down from the other, as in a list of pages by system, or where an image exists in several
// formats to choose from. Also, from may be ignored: then it is made when the site is built.
func (a *Speller) isContested(d *doc.Document, asks *doc.Reference, from, to string) bool {
	here, there := path.Dir(from), path.Dir(to)
	beside := !tree.Below(here, there) && !tree.Below(there, here)
	format := doc.IsPicture(to) && path.Ext(from) != path.Ext(to)
	for _, name := range []string{path.Base(from), path.Base(to)} {
		claims, ok := a.claimsOn(d, name)
		if !ok {
			return true
		}
		for _, c := range claims {
			choice := beside || format && (asks.Kind != scan.Embed || c.isSource)
			if c.place == to && choice || c.place != to && c.place != from {
				return true
			}
		}
	}
	return a.isIgnored(from)
}

// Claims are the targets of the references of a document, by the last part of their paths, for those names
// that were asked for.
type Claims struct {
	of     *doc.Document
	refs   []doc.Reference  // of the document; another may have had the same memory
	byName map[string][]int // numbers of references
	places map[string][]claim
}

// A claim is a place that references point to.
type claim struct {
	place    string
	isSource bool // by one of several files to choose from
}

// maxClaims is the number of claims on one name to keep. Of five, one is on a third place, since the two
// that isContested knows have two claims each; and a third place decides.
const maxClaims = 6

// claimsOn returns what references of d to files of a name point to. ok is false if the search would take too long.
func (a *Speller) claimsOn(d *doc.Document, name string) (claims []claim, ok bool) {
	c := &a.Claims
	if c.of != d || len(c.refs) != len(d.Refs) || len(d.Refs) == 0 || &c.refs[0] != &d.Refs[0] {
		if !d.Budget.Spend(len(d.Refs)) {
			return nil, false
		}
		*c = Claims{of: d, refs: d.Refs, byName: map[string][]int{}, places: map[string][]claim{}}
		for i := range d.Refs {
			if ref := &d.Refs[i]; ref.Err == nil {
				p, _, _ := strings.Cut(ref.Ref, "#")
				p, _, _ = strings.Cut(p, "?")
				base := ascii.UnescapeAll(path.Base(p))
				c.byName[base] = append(c.byName[base], i)
			}
		}
	}
	claims, isKnown := c.places[name]
	if isKnown {
		return claims, true
	}
	for _, i := range c.byName[name] {
		if !d.Budget.Spend(64) { // as much as that takes
			return nil, false
		}
		ref := &d.Refs[i]
		l := a.Lead(d, ref)
		next := claim{l.AsPlace(), strings.HasPrefix(ref.In, "source/")}
		if next.place != "" && len(claims) < maxClaims && !slices.Contains(claims, next) {
			claims = append(claims, next)
		}
	}
	c.places[name] = claims
	return claims, true
}

func (a *Speller) isIgnored(path string) bool {
	i := a.Ignored.Get(a.ReadIgnored)
	i.Mu.Lock()
	defer i.Mu.Unlock()
	return i.Is(path)
}

// isWhereItWas reports whether the file at to can only be the one that was at from. It must have been among
// the files that are read: elsewhere there may be more of that name. And it must not be another edition: a
// translation, the same page for another version, a copy from another project or package, an example, a
// build product, or a file that a generator publishes.
func (a *Speller) isWhereItWas(from, to string) bool {
	if a.IsPartial || !a.IsRead(from) || a.SiteAt(from) != a.SiteAt(to) || a.Holder(path.Dir(from)) != a.Holder(path.Dir(to)) {
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

// edition matches the names of directories that contain the same files as others beside them: a language, a
// version, code of other projects, replacements in tests and examples, build products, unmaintained code.
var edition = lazy.New(`^(?i:(?:.*[-_.])?[a-z]{2}(?:[-_][a-z]{2,4})?|i18n|locales?|translations?` +
	`|(?:version|ver|v|release|rel)?[-_.]?[0-9]+(?:[._-].*)?|versions?|versioned.*|latest|next|stable|current|nightly` +
	`|vendor|node_modules|third[-_]party|deps|external` +
	`|test|tests|testdata|fixtures?|__.*__|examples?|samples?|templates?` +
	`|_?build|dist|out|output|target|_?site|public|archived?|legacy|old|deprecated|backup)$`)

// isSameContent reports whether a file can be shown in place of one that differs from it only in a suffix
// of the same kind. Markdown and the HTML that is made of it are not the same: a link to one of them may be
// right where it is published. Nor are the images of a choice (srcset, <picture>, image-set), each of which
// says what it is.
func isSameContent(ref *doc.Reference, name, other string) bool {
	x, y := strings.ToLower(path.Ext(name)), strings.ToLower(path.Ext(other))
	for i, set := range suffixes {
		if slices.Contains(set, x) && slices.Contains(set, y) {
			return i > 0 || slices.Contains(imagePlaces, ref.In)
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

// spelledRight returns ref as it is when its path is spelled as on disk.
func (a *Speller) spelledRight(d *doc.Document, ref *doc.Reference, t *lead.Target, p *tree.Place) string {
	to := p.Path
	if strings.Count(to, "/") != strings.Count(p.Asked, "/") {
		to = path.Dir(to) // p is the index page of what ref points to
	}
	if s := respelled(ref.Ref, to); a.fixes(d, ref, s, p.Path) {
		return s
	}
	s := a.Rewritten(d, ref, to, nil)
	if t.Slash && s != "" {
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
		if tree.Fold(name) != tree.Fold(right) {
			break
		}
		if name != right {
			names[i] = Spelled(right)
		}
		to = path.Dir(to)
	}
	c.Path = []byte(strings.Join(names, "/"))
	return string(c.Append(nil))
}

// isOnlySpelling reports whether no other name on disk than those of p differs from what t
// asks for in case or composition alone.
func (a *Speller) isOnlySpelling(t *lead.Target, p *tree.Place) bool {
	asked := strings.Join(t.Components, "/")
	for _, dir := range t.Roots {
		if p.Asked != dir+"/"+asked {
			continue // another root, or what a page is served as
		}
		names := strings.Split(strings.TrimPrefix(p.Path, dir+"/"), "/")
		for i, name := range t.Components {
			if names[i] != name && a.HasTwins(dir, name) {
				return false
			}
			dir += "/" + names[i]
		}
		return true
	}
	return false
}
