package antora

import (
	"bytes"
	"path"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

// A playbook in another repository may set idprefix and idseparator, which decide what the ids of sections are. The
// references to sections show which values are in force.

// A sectionStyle is a pair of values of idprefix and idseparator.
type sectionStyle struct{ prefix, separator string }

var sectionStyles = []sectionStyle{{"_", "_"}, {"", "-"}, {"_", "-"}, {"", "_"}}

var (
	sectionTitle = lazy.New(`^={2,6} +([A-Za-z][A-Za-z0-9]*(?: [A-Za-z0-9]+)+)[ \t\r]*$`)
	fragmentUse  = lazy.New(`<<#?([\w-]+)[,>]|xref:[^\[\n{}]*#([\w-]+)\[`)
	explicitID   = lazy.New(`\[\[([\w-]+)|\[#([\w-]+)|\bid="?([\w-]+)`)
)

const (
	minUses       = 20       // fewer references do not show the style
	maxStyleBytes = 64 << 20 // of pages that are read for it
)

// learnSectionIDs sets idprefix and idseparator as soft attributes, if no file here sets them and at least
// 19 of 20 references to sections, and minUses of them, agree.
func (g *model) learnSectionIDs(s *site.Site) {
	if _, ok := s.Attributes["idprefix"]; ok {
		return
	}
	if _, ok := s.Attributes["idseparator"]; ok {
		return
	}
	titles, uses, explicit := map[string]bool{}, map[string]int{}, map[string]bool{}
	left := maxStyleBytes
	s.Tree.Files(path.Join(s.Dir, "modules"), func(string) bool { return false }, func(rel string) {
		if path.Ext(rel) != ".adoc" || left <= 0 {
			return
		}
		text := s.Tree.Text(path.Join(s.Dir, "modules", rel), source.MaxPage)
		left -= len(text)
		addTitles(titles, text)
		for m := range source.MatchesIn(text, fragmentUse, "<<", "xref:") {
			uses[string(m[1])+string(m[2])]++
		}
		for m := range source.MatchesIn(text, explicitID, "[[", "[#", "id=") {
			explicit[string(m[1])+string(m[2])+string(m[3])] = true
		}
	})
	counts := map[sectionStyle]int{}
	all := 0
	for title := range titles {
		for _, style := range sectionStyles {
			id := style.prefix + strings.ReplaceAll(strings.ToLower(title), " ", style.separator)
			if n := uses[id]; n > 0 && !explicit[id] {
				counts[style] += n
				all += n
			}
		}
	}
	for style, n := range counts {
		if n >= minUses && 20*n >= 19*all {
			s.Attributes["idprefix"], s.Attributes["idseparator"] = style.prefix+"@", style.separator+"@"
		}
	}
}

// addTitles adds the titles of sections that have no id of their own.
func addTitles(titles map[string]bool, text []byte) {
	for start, line := range source.LinesWithAny(text, "== ") {
		m := sectionTitle.Compiled().FindSubmatch(line)
		if m == nil {
			continue
		}
		before := bytes.TrimRight(text[:start], "\r\n")
		last := before[bytes.LastIndexByte(before, '\n')+1:]
		if !bytes.HasPrefix(last, []byte("[")) {
			titles[string(m[1])] = true
		}
	}
}
