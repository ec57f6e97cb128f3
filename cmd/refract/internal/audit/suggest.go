package audit

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"example.org/refract/extract/slug"
	"example.org/refract/resolve"
)

// nearest returns the reference that may have been meant by one that leads nowhere: to
// the file beside it with another suffix, or to the only file of that name elsewhere.
func (a *auditor) nearest(d *document, k *reference, t *target, p *place) string {
	host, _, more := strings.Cut(k.ref, "/")
	switch {
	case len(t.components) == 0:
		return ""
	case isHostName(host, more):
		return "https://" + k.ref
	case strings.HasPrefix(k.ref, "(") && strings.Contains(k.ref, "://"):
		return strings.Trim(k.ref, "()")
	case t.slash:
		return ""
	}
	if s := a.recoded(d, k, t); s != "" {
		return s
	}
	name := t.components[len(t.components)-1]
	if p.in != nil {
		if other, ok := p.in.sameStem(name); ok {
			return a.rewritten(d, k, path.Dir(p.path)+"/"+other, nil)
		}
	}
	return a.moved(d, k, t, p)
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

// moved returns a reference to the only file of the tree that is called so.
func (a *auditor) moved(d *document, k *reference, t *target, p *place) string {
	if len(t.components) == 0 || t.slash {
		return ""
	}
	name := t.components[len(t.components)-1]
	if isIndex(name) {
		return ""
	}
	paths := a.files[name]
	if len(paths) != 1 || paths[0] == d.path || p != nil && paths[0] == p.path {
		return ""
	}
	if !slices.ContainsFunc(a.trees(d, a.boundary(d)), func(dir string) bool { return below(paths[0], dir) }) {
		return "" // it is where k should not lead
	}
	if !below(paths[0], a.packages(d)[0]) {
		return "" // each package has a CONTRIBUTING.md of its own
	}
	return a.rewritten(d, k, paths[0], nil)
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
	return s.plain[string(letters(norm.NFKD.String(decoded(fragment))))]
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
