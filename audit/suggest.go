package audit

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"example.org/refract/base"
	"example.org/refract/extract/scan"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/ascii"
	"example.org/refract/resolve"
)

// nearest returns the reference that may have been meant by one that leads nowhere, and
// whether that is certain: to the file beside it with another suffix, or to the only file
// of that name elsewhere.
func (a *auditor) nearest(d *document, k *reference, t *target, p *place) (string, bool) {
	host, _, more := strings.Cut(k.ref, "/")
	switch {
	case len(t.components) == 0:
		return "", false
	case isHostName(host, more):
		return "https://" + k.ref, false
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
				return beside, len(a.files[name]) == 0 && !a.isContested(d, k, p.path, to) && a.mends(d, k, beside, to)
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
		if q := a.tree.at(root, other.components); q.what == aFile && !q.respel {
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
	paths := a.files[name]
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
	if d.budget += len(d.refs); d.budget > maxBudget {
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
		if d.budget += 64; d.budget > maxBudget { // as much as that takes
			return true
		}
		if t := a.locate(d, k); t.inside {
			p := path.Join(t.roots[0], strings.Join(t.components, "/"))
			choice := beside || format && (asks.kind != scan.Embed || strings.HasPrefix(k.in, "source/"))
			if p == to && choice || p != to && p != from {
				return true
			}
		}
	}
	if a.isIgnored == nil {
		a.isIgnored = a.Files.Ignored()
	}
	return a.isIgnored(from)
}

// isWhereItWas reports whether the file at to can only be the one that was at from. It was
// in what is audited: elsewhere there may be more of that name. And it is no other edition
// of it: a translation, the same page for another version, a copy of somebody else's, that
// of another package, an example, or what has been built.
func (a *auditor) isWhereItWas(from, to string) bool {
	audited := func(g arg) bool { return below(from, g.path) }
	if len(a.Files.Globs) > 0 || !slices.ContainsFunc(a.args, audited) || a.holder(path.Dir(from)) != a.holder(path.Dir(to)) {
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

// holder returns the nearest directory upwards that holds a package or a repository.
func (a *auditor) holder(dir string) string {
	for ; path.Dir(dir) != dir && dir != "."; dir = path.Dir(dir) {
		if a.repository(dir) == dir || a.isPackage(dir) {
			return dir
		}
	}
	return ""
}

// edition is how directories are called that hold the same files as others beside them:
// a language, a version, the code of others, what stands for something else in tests and
// examples, what is made of sources, what is no longer looked after.
var edition = regexp.MustCompile(`^(?i:(?:.*[-_.])?[a-z]{2}(?:[-_][a-z]{2,4})?|i18n|locales?|translations?` +
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
	names := a.tree.list(dir).names
	if d.budget += len(names); d.budget > maxBudget {
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

// mends reports whether ref in place of k leads to want, and nothing is left to find: every
// letter is right, its fragment is there once, and no id changes by it.
func (a *auditor) mends(d *document, k *reference, ref, want string) bool {
	switch {
	case ref == "" || ref == k.ref || a.renames(d, k, ref):
		return false
	case k.labels&scan.Unused != 0 && !strings.HasPrefix(k.ref, "#"):
		return false // it is to be taken away, or to be used
	case a.tree.list(d.dir()).names[d.base()]&fs.ModeSymlink != 0:
		return false // it is right, or not, where the document stands
	case d.layout.pretty && d.kind() == markdown && k.how == scan.Attribute:
		return false // the generator does not look at it, and serves the page elsewhere
	}
	// A base that a cache has kept does not know the rules.
	b, err := base.Root(a.URLs, base.Source{URI: k.base.URI, From: k.base.From}, base.Source{})
	if err != nil {
		return false
	}
	u, res, err := b.Append(nil, []byte(ref))
	if err != nil || res.InError {
		return false
	}
	other := *k
	if other.ref, other.url, other.result = ref, string(u), res; res.SameDocument() {
		other.url = ""
	}
	t := a.locate(d, &other)
	if !t.inside || t.encoded {
		return false
	}
	p := a.follow(d, &other, &t)
	page := p.what == aFile || p.what == aDirectory && k.kind != scan.Embed && d.layout.isHost() && d.kind() != html
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
		to.linked = true
	}
	return true
}

// hits reports whether the fragment of t, if it has one, is an id that the file at p has
// once, or a line of it.
func (a *auditor) hits(d *document, t *target, p string) bool {
	if !t.hash || t.fragment == "" {
		return true
	}
	if m := lineFragment.FindStringSubmatch(t.fragment); m != nil && d.kind() == markdown && d.layout.isHost() {
		if _, counted := a.lines[p]; !counted {
			a.lines[p] = countLines(p)
		}
		return !slices.ContainsFunc(m[1:], func(s string) bool {
			n, _ := strconv.Atoi(s)
			return s != "" && (n == 0 || n > a.lines[p])
		})
	}
	to := a.document(p)
	if to == nil || to.unsure || to.kind() != markdown && to.kind() != html {
		return false
	}
	id, live := to.hit(t.fragment, to.layout.slug)
	return live && to.idsOf(to.layout.slug).second[id] == 0
}

// renames reports whether ref in place of k changes the id of the heading that k stands
// in: there are rules that make ids of the source.
func (a *auditor) renames(d *document, k *reference, ref string) bool {
	i, _ := slices.BinarySearchFunc(d.anchor, k.pos.Line+1, func(x anchor, line int) int { return x.line - line })
	for i--; i >= 0 && d.anchor[i].line >= k.pos.Line-near; i-- {
		if d.budget++; d.budget > maxBudget {
			return true
		}
		h := d.anchor[i].heading
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

// rewritten returns k as it is written when it is to lead to a path, if that is not "",
// and to a fragment, if that is not nil. It stays relative, "/x" or absolute, and keeps
// its query.
func (a *auditor) rewritten(d *document, k *reference, p string, fragment *string) string {
	c := resolve.Parse([]byte(k.ref))
	if p != "" {
		made, ok := a.pathTo(d, k, &c, p)
		if !ok {
			return ""
		}
		c.Path = []byte(made)
		if c.HasScheme || c.HasAuthority { // pathTo gave all of them
			c.HasScheme, c.HasAuthority = false, false
		}
	}
	if fragment != nil {
		c.Fragment, c.HasFragment = []byte(escapedFragment(*fragment)), true
	}
	return string(c.Append(nil))
}

// pathTo returns what leads to p in the manner of c, the parts of k.
func (a *auditor) pathTo(d *document, k *reference, c *resolve.Components, p string) (string, bool) {
	written := string(c.Path)
	if site := d.layout.site; site != "" && strings.HasPrefix(written, "@site/") {
		rest, ok := strings.CutPrefix(p, site+"/")
		return "@site/" + spelled(rest), ok
	}
	if c.HasScheme || c.HasAuthority {
		u := a.retrieved(p)
		return u.URI, u.From == "--site"
	}
	if strings.HasPrefix(written, "/") {
		for _, root := range slices.Concat([]string{a.root}, d.layout.roots, a.packages(d)) {
			if rest, ok := strings.CutPrefix(p, root+"/"); ok && root != "" {
				return "/" + spelled(rest), true
			}
		}
		return "", false
	}
	from, ok := a.directoryOf(d, k)
	if !ok {
		return "", false
	}
	made := spelled(relative(from, p))
	first, _, _ := strings.Cut(made, "/")
	if strings.HasPrefix(written, "./") && !strings.HasPrefix(made, "../") || strings.IndexByte(first, ':') >= 0 {
		made = "./" + made
	}
	return made, true
}

// directoryOf returns the directory that k is relative to.
func (a *auditor) directoryOf(d *document, k *reference) (string, bool) {
	if k.base.URI == d.retr.URI {
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

// spelled escapes what a path of a reference cannot hold. What is not ASCII stays: people
// have to read it.
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

// What looking for the closest ids of one document may cost: letters compared with letters.
const maxBudget = 1 << 24

// similar reports whether an id of d has the letters and digits of a fragment, accents not
// regarded.
func (d *document) similar(fragment string) bool {
	s := d.idsOf(d.layout.slug)
	if s.plain == nil {
		s.plain = make(map[string]bool, len(s.all))
		for _, id := range s.all {
			s.plain[string(letters(norm.NFKD.String(id)))] = true
		}
	}
	return s.plain[string(letters(norm.NFKD.String(ascii.UnescapeAll(fragment))))]
}

// closest returns the id of d that is meant by a fragment, if one is nearer than all
// others: with the same letters and digits, or a few letters apart.
func (d *document) closest(fragment string, f slug.Flavour) string {
	s := d.idsOf(f)
	if s.bare == nil {
		s.bare = make([][]rune, len(s.all))
		for i, id := range s.all {
			s.bare[i] = letters(id)
		}
	}
	bare := letters(fragment)
	best, least, tied := "", 1+min(3, len(bare)/5), false
	for i, id := range s.all {
		n, other := 0, s.bare[i]
		if len(bare) == 0 || !slices.Equal(bare, other) {
			if d.budget += 16; d.budget > maxBudget {
				return ""
			}
			if abs(len(other)-len(bare)) > least {
				continue
			}
			d.budget += len(other) * 2 * (least + 1)
			n = max(1, distance(bare, other, least))
		}
		switch {
		case n < least:
			best, least, tied = id, n, false
		case n == least && best != "":
			tied = true
		}
	}
	if tied {
		return ""
	}
	return best
}

// same returns the id under f of what has the id fragment under another flavour.
func (d *document) same(fragment string, f slug.Flavour, other string) string {
	g, _ := slug.Named(other)
	there, here := d.idsOf(g), d.idsOf(f)
	line, ok := there.first[fragment]
	if !ok {
		return ""
	}
	for _, id := range here.all {
		if d.budget++; d.budget > maxBudget {
			return ""
		}
		if here.first[id] == line {
			return id
		}
	}
	return ""
}

// isKnown reports whether it is known who renders d: its configuration or --slugs says so,
// most of the fragments that live do, or a repository that is shown by its host.
func (a *auditor) isKnown(d *document) bool {
	return d.layout.name != "" || d.layout.slug != slug.GitHub || a.repository(d.dir()) != ""
}

// isSameHeading reports whether an id of d can only be what a fragment names: it has the
// same letters and digits, as the text of its heading has, and no other heading. Digits are
// in the same groups, "1-12" is not "11-2"; nothing but what separates words is left out,
// "c" is not "c++"; and a number that tells headings of one text apart is not part of it.
func (d *document) isSameHeading(fragment, id string) bool {
	asked, numbers, ok := words(fragment)
	there, grouped, plain := words(id)
	if !ok || !plain || asked != there || asked == "" || d.attributes()[fragment] {
		return false
	}
	at := d.idsOf(d.layout.slug).first[id]
	for i := range d.anchor {
		if d.budget++; d.budget > maxBudget {
			return false
		}
		k := &d.anchor[i]
		if k.heading == nil || k.name != "" && k.line == at {
			continue
		}
		if same := hasWords(k.heading.Text, asked); same != (k.line == at) {
			return false
		} else if _, shown, _ := words(k.heading.Text); same && shown == numbers {
			grouped = numbers
		}
	}
	return grouped == numbers
}

// words returns the letters, marks and digits of s, in lower case; its digits, in groups;
// and whether nothing else is in it but what separates words.
func words(s string) (bare, numbers string, ok bool) {
	var b, n strings.Builder
	ok = true
	digits := false
	for _, r := range norm.NFC.String(s) {
		switch {
		case unicode.IsNumber(r):
			if !digits {
				n.WriteByte(' ')
			}
			n.WriteRune(r)
			fallthrough
		case unicode.IsLetter(r), unicode.IsMark(r):
			b.WriteRune(unicode.ToLower(r))
		default:
			ok = ok && strings.ContainsRune(" \n-_.:/,'()", r)
		}
		digits = unicode.IsNumber(r)
	}
	return b.String(), n.String(), ok
}

// hasWords reports whether bare is what words makes of s. Nearly always the first letter
// tells.
func hasWords(s, bare string) bool {
	for i, r := range s {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			if first, _ := utf8.DecodeRuneInString(bare); r < utf8.RuneSelf && unicode.ToLower(r) != first {
				return false
			}
			there, _, _ := words(s[i:])
			return there == bare
		}
	}
	return false
}

// isOnlyHeading reports whether a fragment is under each of these flavours the id of one
// heading, which has no other id in the source: there it names no other heading of that
// text, nor is it one of several that are numbered.
func (d *document) isOnlyHeading(fragment string, names []string) bool {
	if d.attributes()[fragment] {
		return false
	}
	at := 0
	for _, name := range names {
		f, _ := slug.Named(name)
		id, _ := d.hit(fragment, f)
		s := d.idsOf(f)
		line := s.first[id]
		if id == "" || line == 0 || at != 0 && line != at || s.second[id] != 0 || isNumbered(s, id) {
			return false
		}
		at = line
	}
	found := false
	for i := range d.anchor {
		if d.budget++; d.budget > maxBudget {
			return false
		}
		if k := &d.anchor[i]; k.line == at && k.heading != nil {
			if found = true; k.name != "" {
				return false // whoever wrote that id has a renderer that reads it
			}
		}
	}
	return found
}

// isNumbered reports whether id is, or may be, one of several that differ in a number that
// flavours put behind.
func isNumbered(s *ids, id string) bool {
	stem := strings.TrimRight(id, "0123456789")
	if _, first := s.first[strings.TrimRight(stem, "-_")]; first && stem != id {
		return true
	}
	for _, next := range []string{"-1", "_1", "1"} {
		if _, more := s.first[id+next]; more {
			return true
		}
	}
	return false
}

// letters returns the letters and digits of an id, in lower case.
func letters(s string) (bare []rune) {
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			bare = append(bare, unicode.ToLower(r))
		}
	}
	return bare
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// distance is the number of letters to be put in, left out or changed to make a of b, or
// any number above limit if it is above that. Only a band of the usual table is filled.
func distance(a, b []rune, limit int) int {
	if abs(len(a)-len(b)) > limit {
		return limit + 1
	}
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range before {
		before[j] = j
	}
	for i := 1; i <= len(a); i++ {
		from, to := max(1, i-limit), min(len(b), i+limit)
		row[from-1] = limit + 1
		if from == 1 {
			row[0] = i
		}
		least := row[from-1]
		for j := from; j <= to; j++ {
			d := before[j-1]
			if a[i-1] != b[j-1] {
				d++
			}
			d = min(d, row[j-1]+1)
			if j < i+limit {
				d = min(d, before[j]+1)
			}
			row[j] = d
			least = min(least, d)
		}
		if least > limit {
			return limit + 1
		}
		before, row = row, before
	}
	return before[len(b)]
}
