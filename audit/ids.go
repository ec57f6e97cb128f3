package audit

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"example.org/refract/extract/slug"
	"example.org/refract/internal/ascii"
)

// ids are what fragments may name in a document, under one flavour.
type ids struct {
	first  map[string]int    // the line of the first
	second map[string]int    // the line of another, in another place
	folded map[string]string // by Fold and in lower case
	all    []string          // in the order of the document
	plain  map[string]bool   // their letters and digits, for similar; nil before that
	bare   [][]rune          // their letters and digits; nil before they are asked for
}

// idsOf returns the ids of d.
func (d *document) idsOf(f slug.Flavour) *ids {
	if d.kind() != markdown {
		f = 0
	}
	if s := d.ids[f]; s != nil {
		return s
	}
	s := &ids{first: make(map[string]int, len(d.anchor))}
	sl := slug.Slugger{Flavour: f}
	reads := readsAttributes(f)
	if f == slug.PythonMarkdown || f == slug.PythonMarkdownUnicode {
		for i := range d.anchor { // avoids those that come later, too
			if k := &d.anchor[i]; k.heading != nil && k.name != "" {
				sl.Reserve(k.name)
			}
		}
	}
	var names []*anchor
	for i := range d.anchor {
		k := &d.anchor[i]
		id := k.name
		if k.heading != nil {
			switch h := *k.heading; {
			case !reads:
				id = sl.Slug(h)
			case id != "":
				sl.Reserve(id)
			default:
				id = sl.Slug(withoutAttributes(h))
			}
		} else if k.in == "a/name" {
			names = append(names, k) // an id goes before (HTML 7.4.6.3)
			continue
		}
		s.add(id, k.line)
	}
	named := map[string]bool{}
	for _, k := range names {
		if _, isID := s.first[k.name]; !isID || named[k.name] {
			named[k.name] = true
			s.add(k.name, k.line)
		}
	}
	if d.ids == nil {
		d.ids = map[slug.Flavour]*ids{}
	}
	d.ids[f], d.grown = s, true
	return s
}

// near is the number of lines in which two anchors are in one place: <a name="x"></a>
// in front of its heading.
const near = 4

func (s *ids) add(id string, line int) {
	if id == "" {
		return
	}
	before, twice := s.first[id]
	if !twice {
		s.first[id] = line
		s.all = append(s.all, id)
	} else if line-before > near {
		if s.second == nil {
			s.second = map[string]int{}
		}
		if _, ok := s.second[id]; !ok {
			s.second[id] = line
		}
	}
}

// withoutAttributes is a heading without the {.class} at its end.
func withoutAttributes(h slug.Heading) slug.Heading {
	if !strings.HasSuffix(strings.TrimRight(h.Source, " \t#"), "}") {
		return h
	}
	cut := func(s string) string {
		if i := strings.LastIndexByte(s, '{'); i >= 0 && (strings.HasPrefix(s[i:], "{:") || strings.HasPrefix(strings.TrimLeft(s[i+1:], " "), ".")) {
			return strings.TrimRight(s[:i], " ")
		}
		return s
	}
	h.Text, h.Alt, h.Source = cut(h.Text), cut(h.Alt), cut(h.Source)
	return h
}

// hit returns the id of d that a fragment leads to under a flavour. It is compared as
// it is in the URL, then decoded (HTML 7.4.6.3). "" and "top" lead to the top.
func (d *document) hit(fragment string, f slug.Flavour) (id string, live bool) {
	s := d.idsOf(f)
	if _, ok := s.first[fragment]; ok {
		return fragment, true
	}
	plain := ascii.UnescapeAll(fragment)
	if _, ok := s.first[plain]; ok {
		return plain, true
	}
	if plain == "" || strings.EqualFold(plain, "top") {
		return "", true
	}
	if d.kind() != markdown {
		return "", false
	}
	if f == slug.GitHub || f == slug.GitLab || f == slug.GitLab16 {
		// The script of GitHub looks for "user-content-" and the fragment in lower case.
		plain = strings.TrimPrefix(plain, "user-content-")
		if s.folded == nil {
			s.folded = make(map[string]string, len(s.all))
			for _, id := range s.all {
				if key := slug.Fold(strings.ToLower(id)); s.folded[key] == "" {
					s.folded[key] = id
				}
			}
		}
		if id := s.folded[slug.Fold(strings.ToLower(plain))]; id != "" {
			return id, true
		}
		// Footnotes are #user-content-fn-x. What is behind that changes.
		if label, ok := strings.CutPrefix(strings.Replace(plain, "fnref-", "fn-", 1), "fn-"); ok && d.attributes()["^"+label] {
			return "", true
		}
		// A repository's page shows its README in an element of this id.
		if strings.EqualFold(plain, "readme") && isReadme(d.base()) {
			return "", true
		}
		return "", false
	}
	if !readsAttributes(f) {
		return "", false
	}
	// An attribute list may stand behind anything, which package markdown does not read.
	// Footnotes are #fn:1, and lines of code, tabs and the like #__… of extensions.
	generated := strings.HasPrefix(plain, "fn:") || strings.HasPrefix(plain, "fnref:") || strings.HasPrefix(plain, "__")
	return plain, generated || d.attributes()[plain]
}

var (
	attributeList = regexp.MustCompile(`\{:?[^{}\n]*#([^\s{}#]+)[^{}\n]*\}`)
	footnote      = regexp.MustCompile(`\[(\^[^\]\s]+)\]`)
)

// attributes returns the ids in attribute lists anywhere in d, and the labels of footnotes,
// with their "^".
func (d *document) attributes() map[string]bool {
	if d.attrs == nil {
		d.attrs, d.grown = map[string]bool{}, true
		text := d.head()
		for _, list := range []*regexp.Regexp{attributeList, footnote} {
			for _, m := range list.FindAllSubmatch(text, -1) {
				d.attrs[string(m[1])] = true
			}
		}
	}
	return d.attrs
}

// inclusion is what says that others are a part of a document: {{#include x}} of mdBook,
// --8<-- and {! x !} of MkDocs, {% include x %} of Liquid and Jinja, shortcodes, server
// side includes, PHP, {include} of MyST, and documents that MDX imports.
var inclusion = regexp.MustCompile(`(?m)--8<--|\{![^!\n]+!\}|\{%-?\s*(?:include|extends|block|render|embed)|` +
	`\{\{[<%]?-?\s*#?(?:include|readfile|template|block|partial|content|yield)\b|<!--#include|<\?(?:php|=)|^[\x60:]{3,}\{include\}|` +
	`^import\s.*\sfrom\s+['"][^'"\n]+\.mdx?['"]`)

// inclusionMarks are what all but imports have. To look for them first makes the RFCs of
// Rust, where many fragments are missing, take 0.6 s and not 0.85.
var inclusionMarks = []string{"--8<--", "{!", "{%", "{{", "<!--#include", "<?", "{include}"}

// includes reports whether d may have ids that are in other files: it includes some, or is
// itself a part of a template.
func (d *document) includes() bool {
	if d.parts == unknown {
		text := d.head()
		part := slices.ContainsFunc(inclusionMarks, func(mark string) bool { return bytes.Contains(text, []byte(mark)) }) ||
			strings.HasSuffix(d.path, ".mdx")
		part = part && inclusion.Match(text)
		if part && d.kind() == markdown {
			part = includesInProse(text)
		}
		if d.kind() == html && !part && (bytes.Contains(text, []byte("{{")) || bytes.Contains(text, []byte("{%"))) {
			head := bytes.ToLower(text[:min(len(text), 4096)])
			part = !bytes.Contains(head, []byte("<!doctype")) && !bytes.Contains(head, []byte("<html"))
		}
		d.parts, d.grown = answerOf(part), true
	}
	return d.parts == yes
}

// includesInProse reports whether Markdown includes others outside of its code: what is
// included there has no headings.
func includesInProse(text []byte) bool {
	var code fence
	for line := range bytes.Lines(text) {
		if fenced, begins := code.next(line); fenced {
			if begins && bytes.Contains(line, []byte("{include}")) {
				return true
			}
			continue
		}
		m := inclusion.FindIndex(line)
		if m != nil && !bytes.HasPrefix(line[m[0]:], []byte("<?")) && bytes.IndexByte(line[:m[0]], '`') < 0 {
			return true
		}
	}
	return false
}

// source returns what is in d, or its beginning, while d is judged.
func (d *document) source() []byte {
	if d.bytes == nil {
		d.bytes = d.head()
	}
	return d.bytes
}

// maxHead is how many bytes of a document are read once more, for what is seldom asked.
const maxHead = 1 << 25

// head returns the beginning of d.
func (d *document) head() []byte {
	if d.file.Path == "-" {
		return d.piped
	}
	r, err := d.open()
	if err != nil {
		return nil
	}
	defer r.Close()
	b, _ := io.ReadAll(io.LimitReader(r, maxHead))
	return b
}

// lineFragment is how code hosts name lines of a file.
var lineFragment = regexp.MustCompile(`^L([0-9]{1,9})(?:C[0-9]+)?(?:-L?([0-9]{1,9})(?:C[0-9]+)?)?$`)

// countLines returns the number of lines of a file of text, and -1 of anything else.
func countLines(path string) (n int) {
	path = filepath.FromSlash(path)
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return -1
	}
	f, err := os.Open(path)
	if err != nil {
		return -1
	}
	defer f.Close()
	buf := make([]byte, 64<<10)
	last := byte('\n')
	for {
		k, err := f.Read(buf)
		if bytes.IndexByte(buf[:k], 0) >= 0 {
			return -1
		}
		n += bytes.Count(buf[:k], []byte{'\n'})
		if k > 0 {
			last = buf[k-1]
		}
		switch {
		case err == io.EOF && last != '\n':
			return n + 1
		case err == io.EOF:
			return n
		case err != nil:
			return -1
		}
	}
}

// flavoursOf returns the names of the flavours under which a fragment of d lives.
func (d *document) flavoursOf(fragment string) (names []string) {
	for _, f := range flavours() {
		if _, live := d.hit(fragment, f); live {
			names = append(names, f.String())
		}
	}
	return names
}

// votes reports whether fragments that lead to d count in the vote.
func (a *auditor) votes(d *document) bool {
	return d.layout == a.plain && d.kind() == markdown && !d.unsure
}

// ballot looks at the fragments of d that lead to d itself: for each document this is done
// by itself, so that several are looked at at a time.
func (a *auditor) ballot(d *document) {
	for i := range d.refs {
		k := &d.refs[i]
		if k.err != nil || !isOwn(d, k) {
			continue
		}
		if !a.votes(d) {
			d.idsOf(d.layout.slug)
			return
		}
		if t := a.locate(d, k); t.fragment != "" {
			d.cast(t.fragment)
		}
	}
}

// cast notes whether a fragment that leads to d lives under GitHub's flavour.
func (d *document) cast(fragment string) {
	if _, live := d.hit(fragment, slug.GitHub); live {
		d.alive = append(d.alive, fragment)
	} else {
		d.dead = append(d.dead, fragment)
	}
}

// vote finds the flavour of the documents that no configuration is about: the one under
// which most fragments live that lead to them, GitHub's if that is as good.
func (a *auditor) vote() {
	type link struct {
		d        *document
		fragment string
	}
	if !slices.ContainsFunc(a.docs, a.votes) {
		return
	}
	var alive, dead []link // under GitHub's
	for _, d := range a.docs {
		for i := range d.refs {
			k := &d.refs[i]
			if k.err != nil || strings.IndexByte(k.ref, '#') < 0 || isOwn(d, k) {
				continue
			}
			t := a.locate(d, k)
			if !t.inside || t.encoded || t.fragment == "" {
				continue
			}
			if to := a.byPath[t.roots[0]+"/"+strings.Join(t.components, "/")]; to != nil && a.votes(to) {
				to.cast(t.fragment)
			}
		}
	}
	for _, d := range a.docs {
		for _, fragment := range d.alive {
			alive = append(alive, link{d, fragment})
		}
		for _, fragment := range d.dead {
			dead = append(dead, link{d, fragment})
		}
		d.alive, d.dead = nil, nil
	}
	// Of documents that dead ones lead to, the ids under all flavours are asked for: to
	// make them here, of several documents at a time, saves a twentieth of a run.
	var asked []*document
	seen := map[*document]bool{}
	for _, l := range dead {
		if !seen[l.d] {
			seen[l.d] = true
			asked = append(asked, l.d)
		}
	}
	a.each(asked, func(d *document) {
		for _, f := range flavours() {
			d.idsOf(f)
		}
	})
	// What another flavour gains is among the dead, and they are few; as soon as it has
	// lost as many it is out of the question. So most slugs are never made.
	best := 0
	for _, f := range flavours() {
		gain := 0
		for _, l := range dead {
			if _, live := l.d.hit(l.fragment, f); live {
				gain++
			}
		}
		for _, l := range alive {
			if gain <= best {
				break
			}
			if _, live := l.d.hit(l.fragment, f); !live {
				gain--
			}
		}
		if gain > best {
			best = gain
			a.plain.slug = f
		}
	}
}

// flavours are all, those of old versions last.
func flavours() (all []slug.Flavour) {
	for _, name := range slug.Names() {
		f, _ := slug.Named(name)
		all = append(all, f)
	}
	slices.SortStableFunc(all, func(f, g slug.Flavour) int { return old(f) - old(g) })
	return all
}

func old(f slug.Flavour) int {
	switch f {
	case slug.GitLab16, slug.Hugo143, slug.HugoASCII143:
		return 1
	}
	return 0
}
