package doc

import (
	"slices"
	"strconv"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/lazy"
)

// Hit returns the id that a fragment points to, and whether it points to anything. It compares the fragment
// as in the URL, then decoded (HTML 7.4.6.3). "" and "top" point to the top.
func (s IDs) Hit(fragment string) (id string, live bool) {
	d := s.d
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
	case d.IsRST():
		return s.hitInRST(plain)
	case d.IsAsciiDoc():
		return s.hitInAsciiDoc(plain)
	case !d.IsMarkdown():
		return "", false
	}
	if !readsAttributes(s.algorithm) {
		l := d.Layout
		if l == nil || !l.isSite() || l.Generated.Dialect == markdown.Wiki || l.Generated.Dialect == markdown.Obsidian { // which compares in any case, too
			return s.hitOnHost(plain)
		}
		return s.hitNote(strings.TrimPrefix(plain, "user-content-")) // a browser compares exactly
	}
	// An attribute list may follow anything, and package markdown does not read all of them.
	// Footnotes are #fn:1. Extensions name lines of code, tabs and the like #__….
	generated := s.isNoteID(plain) || strings.HasPrefix(plain, "__")
	if d.Layout != nil && d.Layout.Generated != nil {
		return plain, generated // the dialect has read the lists
	}
	return plain, generated || d.Attributes()[plain]
}

// HitOnHost is like Hit, for a page of a code host that shows the document. A site may publish it, too.
func (s IDs) HitOnHost(fragment string) (id string, live bool) {
	id, live = s.Hit(fragment)
	if live || !s.d.IsMarkdown() {
		return id, live
	}
	return s.hitOnHost(ascii.UnescapeAll(fragment))
}

// hitOnHost is like Hit, for a decoded fragment that is not exactly an id, on a code host.
func (s IDs) hitOnHost(plain string) (id string, live bool) {
	// GitHub's script looks for "user-content-" and the fragment in lower case.
	plain = strings.TrimPrefix(plain, "user-content-")
	folded := s.forms().folded.Get(func() map[string]string {
		folded := make(map[string]string, s.Len())
		for id := range s.All() {
			if key := slug.Fold(strings.ToLower(id)); folded[key] == "" {
				folded[key] = id
			}
		}
		return folded
	})
	if id := folded[slug.Fold(strings.ToLower(plain))]; id != "" {
		return id, true
	}
	_, live = s.hitNote(plain)
	if live {
		return "", true
	}
	// A page of a repository shows its README in an element with the first id.
	return "", strings.EqualFold(plain, "readme") && IsReadme(s.d.Base()) || slices.Contains(hostIDs, plain) || hostTab.MatchString(plain)
}

// hitNote is like Hit, for a footnote of GitHub: #user-content-fn-x without the first part, and a suffix that varies.
func (s IDs) hitNote(plain string) (id string, live bool) {
	label, ok := strings.CutPrefix(strings.Replace(plain, "fnref-", "fn-", 1), "fn-")
	return "", ok && s.d.Attributes()["^"+label]
}

// hostIDs are ids of each page of GitHub: of the target of "Skip to content", and of parts of the page
// around a document. hostTab matches those of the tabs that show README, licence and the like, as of
// November 2026.
var (
	hostIDs = []string{"start-of-content", "repository-container-header", "js-repo-pjax-container", "repo-content-pjax-container", "repo-content-turbo-frame"}
	hostTab = lazy.New(`^(?:readme|license|code-of-conduct|contributing|security)(?:-\d+)?-ov-file$`)
)

// isNoteID reports whether an id is that of a footnote of the document, or of a reference to one, as
// Python-Markdown, Goldmark or kramdown make it: "fn:x", "fnref:x", "fnref2:x".
func (s IDs) isNoteID(id string) bool {
	m := noteID.FindStringSubmatch(id)
	if m == nil {
		return false
	}
	notes := s.d.Attributes()
	label, _, _ := strings.Cut(m[1], ":") // "fnref:x:1"
	if notes["^"+m[1]] || notes["^"+label] || s.d.includes() {
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

// countedID matches an id with a number that distinguishes it from another. docutils also numbers
// notes and references to them.
var countedID = lazy.New(`^(?:(?:id|section|footnote|footnote-reference|citation|citation-reference|problematic|system-message|toc-entry|index)-?[0-9]+|index-[0-9]+)$`)

// hitInRST is like Hit, for a decoded fragment that is not the id of any title or name.
func (s IDs) hitInRST(plain string) (id string, live bool) {
	if countedID.MatchString(plain) {
		return "", true
	}
	if base, n := cutNumber(plain, "-"); n > 0 { // from docutils itself; Sphinx makes "id1"
		return "", s.has(base) && s.Second[base] == 0 && s.countsTitle(base) > n
	}
	return "", false
}

// countsTitle returns how many titles make the same id.
func (s IDs) countsTitle(id string) (n int) {
	return s.forms().titles.Get(func() map[string]int {
		titles := map[string]int{}
		anchors := s.d.AnchorList()
		for i := range anchors {
			if h := anchors[i].Heading; h != nil {
				titles[slug.Docutils.Slug(*h)]++
			}
		}
		return titles
	})[id]
}

// IsTaken reports whether only titles of reStructuredText would have an id, but a name with a URL has taken it.
func (s IDs) IsTaken(id string) bool { return s.d.IsRST() && !s.has(id) && s.countsTitle(id) > 0 }

// cutNumber cuts the number after the last separator off an id. n is 0 if there is none.
func cutNumber(id, separator string) (base string, n int) {
	if i := strings.LastIndex(id, separator); i > 0 {
		n, _ = strconv.Atoi(id[i+len(separator):])
		return id[:i], n
	}
	return id, 0
}

// hitInAsciiDoc is like Hit, for a decoded fragment that is not exactly the id of a section. If the
// attributes that a build sets are unknown, ids may have any prefix and separator.
func (s IDs) hitInAsciiDoc(plain string) (id string, live bool) {
	if strings.HasPrefix(plain, "_footnote") {
		return "", true
	}
	open := s.forms().open.Get(func() (open []string) {
		for id := range s.All() {
			if at := strings.IndexByte(id, '{'); at >= 0 && strings.LastIndexByte(id, '}') > at {
				open = append(open, id)
			}
		}
		return open
	})
	if slices.ContainsFunc(open, func(id string) bool { return mayExpandTo(id, plain) }) {
		return "", true
	}
	if l := s.d.Layout; l != nil && l.Generated != nil {
		if attributes := l.Generated.Attributes; strings.Trim(attributes["idprefix"], "@") != "" || strings.Trim(attributes["idseparator"], "@") != "" {
			return "", false
		}
	}
	folded := s.forms().folded.Get(func() map[string]string {
		folded := make(map[string]string, s.Len())
		for id := range s.All() {
			folded[foldSectionID(id)] = id
		}
		return folded
	})
	id, live = folded[foldSectionID(plain)]
	return id, live
}

// mayExpandTo reports whether id, with names of attributes in braces, may become plain on some page.
func mayExpandTo(id, plain string) bool {
	open, end := strings.IndexByte(id, '{'), strings.LastIndexByte(id, '}')
	before, after := id[:open], id[end+1:]
	return len(plain) >= len(before)+len(after) && strings.HasPrefix(plain, before) && strings.HasSuffix(plain, after)
}

// foldSectionID returns the id of a section without the parts that attributes set.
func foldSectionID(id string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		if r == '_' || r == '.' {
			return '-'
		}
		return r
	}, id), "-")
}

// IsMadeByExtension reports whether an extension, not the text, makes an id: that of a tab, a line
// of code and the like, or of a footnote with another label.
func (s IDs) IsMadeByExtension(id string) bool {
	if s.has(id) {
		return false
	}
	label, ok := strings.CutPrefix(strings.Replace(id, "fnref:", "fn:", 1), "fn:")
	return strings.HasPrefix(id, "__") || ok && !s.d.Attributes()["^"+label]
}

// AlgorithmsOf returns the names of the algorithms under which a fragment exists in d.
func (d *Document) AlgorithmsOf(fragment string) (names []string) {
	for _, f := range Algorithms() {
		if _, live := d.IDsOf(f).Hit(fragment); live {
			names = append(names, f.String())
		}
	}
	return names
}
