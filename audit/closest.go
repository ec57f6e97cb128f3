package audit

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"example.org/refract/extract/slug"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/lazy"
)

// maxBudget limits the searches for what the references of one document mean, in comparisons of letters.
const maxBudget = 1 << 24

// spend takes n from the budget for d. It returns false if the budget is used up.
func (d *document) spend(n int) bool {
	d.budget += n
	return d.budget <= maxBudget
}

// isSimilar reports whether an id of d has the letters and digits of a fragment, ignoring accents.
func (d *document) isSimilar(fragment string) bool {
	s := d.idsOf(d.layout.slug)
	k := s.derivedOf(func(k *derivedIDs) {
		if k.plain != nil {
			return
		}
		k.plain = make(map[string]bool, s.len())
		for id := range s.all() {
			k.plain[string(letters(norm.NFKD.String(id)))] = true
		}
	})
	return k.plain[string(letters(norm.NFKD.String(ascii.UnescapeAll(fragment))))]
}

// A templatedHeading is the text of a heading with a template in it, as letters and digits.
type templatedHeading struct {
	before, after string
	args          []string // arguments of the template, one of which its text contains; nil means unknown
}

var templateArgument = lazy.New(`["']([^"']*)["']`)

// explicitID matches an id at the end of a heading that contains no template.
var explicitID = lazy.New(`\{:?\s*#[^\s{}]+[^{}]*\}\s*#*\s*$`)

// templatedHeadings returns the headings of d whose ids contain templates. It leaves out headings
// with an explicit id, and those in code blocks.
func (d *document) templatedHeadings() (all []templatedHeading) {
	plain := func(b []byte) string { return string(letters(norm.NFKD.String(string(b)))) }
	var code fence
	for line := range bytes.Lines(d.head()) {
		if fenced, _ := code.next(line); fenced || explicitID.Match(line) && readsAttributes(d.layout.slug) {
			continue
		}
		text := bytes.TrimLeft(line, "#")
		from := bytes.IndexByte(text, '{')
		if len(text) == 0 || len(text) == len(line) || len(text) < len(line)-6 || text[0] != ' ' || from < 0 || from+1 == len(text) {
			continue
		}
		next := text[from+1]
		if next != '{' && next != '%' {
			continue
		}
		to := max(from, bytes.LastIndexByte(text, '}')+1)
		h := templatedHeading{before: plain(text[:from]), after: plain(text[to:])}
		if next == '%' {
			for _, m := range templateArgument.FindAllSubmatch(text[from:to], -1) {
				if arg := plain(m[1]); arg != "" {
					h.args = append(h.args, arg)
				}
			}
		}
		all = append(all, h)
	}
	return all
}

// isTemplated reports whether a fragment may be the id of a heading with templates in it: it
// contains the text before and after them, and nothing or one argument in place of each tag.
func (d *document) isTemplated(fragment string) bool {
	templated := d.templated.Get(d.templatedHeadings)
	if len(templated) == 0 {
		return false
	}
	id := string(letters(norm.NFKD.String(ascii.UnescapeAll(fragment))))
	return slices.ContainsFunc(templated, func(h templatedHeading) bool {
		if len(id) < len(h.before)+len(h.after) || !strings.HasPrefix(id, h.before) || !strings.HasSuffix(id, h.after) {
			return false
		}
		rest := id[len(h.before) : len(id)-len(h.after)]
		return rest == "" || h.args == nil || slices.ContainsFunc(h.args, func(arg string) bool { return strings.Contains(rest, arg) })
	})
}

// closest returns the id of d that a fragment most likely means: the only one with the same letters
// and digits, or the one that differs in the fewest letters. It returns "" if none is nearest. The search is part of
// the budget for from. In a picture, whose ids programs make up, "e" does not mean "E", nor "x-48" "x-49".
func (d *document) closest(from *document, fragment string, f slug.Flavour) string {
	s := d.idsOf(f)
	k := s.derivedOf(func(k *derivedIDs) {
		if k.bare != nil {
			return
		}
		k.bare = make([][]rune, 0, s.len())
		for id := range s.all() {
			k.bare = append(k.bare, letters(id))
		}
	})
	bare := letters(fragment)
	best, least, tied := "", 1+min(3, len(bare)/5), false
	if path.Ext(d.path) == ".svg" {
		least = min(1, len(bare)/2)
	}
	for i, other := range k.bare {
		n, id := 0, s.at(i)
		if len(bare) == 0 || !slices.Equal(bare, other) {
			if !from.spend(16) {
				return ""
			}
			if abs(len(other)-len(bare)) > least {
				continue
			}
			from.spend(len(other) * 2 * (least + 1))
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

// same returns the id under f of the heading whose id under another flavour is fragment.
func (d *document) same(from *document, fragment string, f slug.Flavour, other string) string {
	g, _ := slug.Named(other)
	there, here := d.idsOf(g), d.idsOf(f)
	line := there.line(fragment)
	if line < 0 {
		return ""
	}
	for i := range here.len() {
		if !from.spend(1) {
			return ""
		}
		if int(here.entries[i].line) == line {
			return here.at(i)
		}
	}
	return ""
}

// isRendererKnown reports whether the renderer of d is known: from a configuration or --slugs, from
// most of the fragments that exist, or because a code host shows the repository.
func (a *auditor) isRendererKnown(d *document) bool {
	return d.layout.name != "" || d.layout.slug != slug.GitHub || a.repository(d.dir()) != ""
}

// isSameHeading reports whether a fragment can only mean a given id of d: the id and the text of its
// heading have the same letters and digits as the fragment, and no other heading has. Digits must
// be in the same groups ("1-12" is not "11-2"), only word separators may be missing ("c" is not
// "c++"), and the id must not end in a number that tells headings with the same text apart.
func (d *document) isSameHeading(from *document, fragment, id string) bool {
	asked, numbers, ok := words(fragment)
	there, grouped, plain := words(id)
	if !ok || !plain || asked != there || asked == "" || d.attributes()[fragment] {
		return false
	}
	at := max(0, d.idsOf(d.layout.slug).line(id))
	anchors := d.anchorList()
	for i := range anchors {
		if !from.spend(1) {
			return false
		}
		k := &anchors[i]
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

// words returns the letters, marks and digits of s in lower case, and its digits in groups. ok
// reports whether s holds nothing else but word separators.
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

// hasWords reports whether words(s) returns bare. The first letter nearly always decides.
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

// isOnlyHeading reports whether, under each of these flavours, a fragment is the id of exactly one
// heading, and that heading has no explicit id in the source. No other heading may have the same
// text, and the id may not be one of a numbered series.
func (d *document) isOnlyHeading(from *document, fragment string, names []string) bool {
	if d.attributes()[fragment] {
		return false
	}
	at := 0
	for _, name := range names {
		f, _ := slug.Named(name)
		id, _ := d.hit(fragment, f)
		s := d.idsOf(f)
		line := max(0, s.line(id))
		if id == "" || line == 0 || at != 0 && line != at || s.second[id] != 0 || isNumbered(s, id) {
			return false
		}
		at = line
	}
	found := false
	anchors := d.anchorList()
	for i := range anchors {
		if !from.spend(1) {
			return false
		}
		if k := &anchors[i]; k.line == at && k.heading != nil {
			found = true
			if k.name != "" {
				return false // the explicit id suggests a renderer that reads it
			}
		}
	}
	return found
}

// isNumbered reports whether id is, or may be, one of several ids that differ only in a number that
// flavours append.
func isNumbered(s *ids, id string) bool {
	stem := strings.TrimRight(id, "0123456789")
	if stem != id && s.has(strings.TrimRight(stem, "-_")) {
		return true
	}
	for _, next := range []string{"-1", "_1", "1"} {
		if s.has(id + next) {
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

// distance returns the number of letters to insert, delete or change to turn b into a, or any number
// above limit if there are more. It fills only a band of the usual table.
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
