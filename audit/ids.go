package audit

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"example.org/refract/extract/slug"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/lazy"
)

// ids holds the ids that fragments may name in a document, under one flavour.
type ids struct {
	idTable                // with the line of the first occurrence
	second  map[string]int // line of a second occurrence in another place

	mu      sync.Mutex // guards derived
	derived derivedIDs
}

// derivedIDs hold forms of ids in which they are compared, each nil until needed.
type derivedIDs struct {
	folded map[string]string // ids by their slug.Fold in lower case, or by foldSectionID
	open   []string          // those of AsciiDoc that contain attributes without a value
	plain  map[string]bool   // their letters and digits, for isSimilar
	bare   [][]rune          // their letters and digits
}

// derivedOf returns the forms of ids that derive has set.
func (s *ids) derivedOf(derive func(*derivedIDs)) derivedIDs {
	s.mu.Lock()
	defer s.mu.Unlock()
	derive(&s.derived)
	return s.derived
}

// idsOf returns the ids of d.
func (d *document) idsOf(f slug.Flavour) *ids {
	switch {
	case d.isRST():
		f = slug.Docutils
	case !d.isMarkdown():
		f = 0
	}
	d.memo.mu.Lock()
	s := d.ids[f]
	d.memo.mu.Unlock()
	if s != nil {
		return s
	}
	s = d.newIDs(f)
	if d.layout != nil && f != d.layout.slug {
		d.shared.ids.add(d)
	}
	d.memo.mu.Lock()
	defer d.memo.mu.Unlock()
	if before := d.ids[f]; before != nil {
		return before
	}
	if d.ids == nil {
		d.ids = map[slug.Flavour]*ids{}
	}
	d.ids[f], d.isNew = s, true
	return s
}

func (d *document) newIDs(f slug.Flavour) *ids {
	anchors := d.anchorList()
	s, b := new(ids), idBuilders.Get().(*idBuilder)
	sl := slug.Slugger{Flavour: f}
	reads := readsAttributes(f) && d.isMarkdown()
	if f == slug.PythonMarkdown || f == slug.PythonMarkdownUnicode {
		for i := range anchors { // avoid later ids too
			if k := &anchors[i]; k.heading != nil && k.name != "" {
				sl.Reserve(k.name)
			}
		}
	}
	var names []*anchor
	for i := range anchors {
		k := &anchors[i]
		id := k.name
		if k.heading != nil {
			h := *k.heading
			named := d.commentID(&h)
			switch {
			case named != "":
				id = named
				sl.Reserve(id)
			case !reads:
				id = sl.Slug(h)
				if d.isRST() && k.name != "" {
					s.add(b, k.name, k.line)
				}
			case id != "":
				sl.Reserve(id)
			default:
				id = sl.Slug(withoutAttributes(h))
			}
		} else if k.in == "a/name" {
			names = append(names, k) // an id takes precedence (HTML 7.4.6.3)
			continue
		}
		s.add(b, id, k.line)
	}
	named := map[string]bool{}
	for _, k := range names {
		if !b.has(k.name) || named[k.name] {
			named[k.name] = true
			s.add(b, k.name, k.line)
		}
	}
	s.idTable = b.table()
	return s
}

// near is the number of lines within which two anchors count as one place, such as
// <a name="x"></a> before its heading.
const near = 4

func (s *ids) add(b *idBuilder, id string, line int) {
	if id == "" {
		return
	}
	if before, twice := b.put(id, line); twice && line-before > near {
		if s.second == nil {
			s.second = map[string]int{}
		}
		if _, ok := s.second[id]; !ok {
			s.second[id] = line
		}
	}
}

// commentID returns the id in a comment of MDX at the end of a heading: "## Text {/*id*/}". Programs of several sites
// without a known generator read it; it means nothing else.
func (d *document) commentID(h *slug.Heading) string {
	body, ok := strings.CutSuffix(strings.TrimRight(h.Source, " \t#"), "*/}")
	if !ok || !d.isMarkdown() || d.layout == nil || d.layout.generated != nil {
		return ""
	}
	id := strings.TrimSpace(body[strings.LastIndexByte(body, '{')+1:])
	id, ok = strings.CutPrefix(id, "/*")
	id = strings.TrimPrefix(strings.TrimSpace(id), "#")
	if !ok || strings.ContainsAny(id, " \t*") {
		return ""
	}
	return id
}

// withoutAttributes returns a heading without the {.class} at its end.
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

// hit returns the id of d that a fragment leads to under a flavour, and whether it leads anywhere. It
// compares the fragment as in the URL, then decoded (HTML 7.4.6.3). "" and "top" lead to the top.
func (d *document) hit(fragment string, f slug.Flavour) (id string, live bool) {
	s := d.idsOf(f)
	if s.has(fragment) {
		return fragment, true
	}
	plain := ascii.UnescapeAll(fragment)
	if s.has(plain) {
		return plain, true
	}
	if plain == "" || strings.EqualFold(plain, "top") {
		return "", true
	}
	switch {
	case d.isRST():
		return d.hitInRST(s, plain)
	case d.isAsciiDoc():
		return d.hitInAsciiDoc(s, plain)
	case !d.isMarkdown():
		return "", false
	}
	if f == slug.GitHub || f == slug.GitLab || f == slug.GitLab16 {
		return d.hitOnHost(s, plain)
	}
	if !readsAttributes(f) {
		return "", false
	}
	// An attribute list may follow anything, and package markdown does not read all of them.
	// Footnotes are #fn:1. Extensions name lines of code, tabs and the like #__….
	generated := d.isNoteID(plain) || strings.HasPrefix(plain, "__")
	if d.layout != nil && d.layout.generated != nil {
		return plain, generated // the dialect has read the lists
	}
	return plain, generated || d.attributes()[plain]
}

// isNoteID reports whether an id is that of a footnote of d, or of a reference to one, as
// Python-Markdown, Goldmark or kramdown make it: "fn:x", "fnref:x", "fnref2:x".
func (d *document) isNoteID(id string) bool {
	m := noteID.FindStringSubmatch(id)
	if m == nil {
		return false
	}
	notes := d.attributes()
	label, _, _ := strings.Cut(m[1], ":") // "fnref:x:1"
	if notes["^"+m[1]] || notes["^"+label] || d.includes() {
		return true
	}
	_, err := strconv.Atoi(m[1]) // the number of the note, if the generator counts notes
	for key := range notes {
		if err == nil && strings.HasPrefix(key, "^") {
			return true
		}
	}
	return false
}

var noteID = lazy.New(`^fn(?:ref[0-9]*)?:(.+)$`)

// hitOnHost is like hit, for a decoded fragment that is not exactly an id, on a code host.
func (d *document) hitOnHost(s *ids, plain string) (id string, live bool) {
	// GitHub's script looks for "user-content-" and the fragment in lower case.
	plain = strings.TrimPrefix(plain, "user-content-")
	k := s.derivedOf(func(k *derivedIDs) {
		if k.folded != nil {
			return
		}
		k.folded = make(map[string]string, s.len())
		for id := range s.all() {
			if key := slug.Fold(strings.ToLower(id)); k.folded[key] == "" {
				k.folded[key] = id
			}
		}
	})
	if id := k.folded[slug.Fold(strings.ToLower(plain))]; id != "" {
		return id, true
	}
	// Footnotes are #user-content-fn-x, and a suffix that varies.
	if label, ok := strings.CutPrefix(strings.Replace(plain, "fnref-", "fn-", 1), "fn-"); ok && d.attributes()["^"+label] {
		return "", true
	}
	// A repository's page shows its README in an element with this id.
	return "", strings.EqualFold(plain, "readme") && isReadme(d.base())
}

// flavoursOf returns the names of the flavours under which a fragment exists in d.
func (d *document) flavoursOf(fragment string) (names []string) {
	for _, f := range flavours() {
		if _, live := d.hit(fragment, f); live {
			names = append(names, f.String())
		}
	}
	return names
}

// flavours returns the flavours to try on a tree if nothing says which one it uses, those of old
// versions last. Flavours after HugoASCII143 are only for sites with a known generator.
func flavours() (all []slug.Flavour) {
	for _, name := range slug.Names() {
		if f, _ := slug.Named(name); f <= slug.HugoASCII143 {
			all = append(all, f)
		}
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
