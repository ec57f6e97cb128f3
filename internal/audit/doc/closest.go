package doc

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"example.org/refract/extract/slug"
	"example.org/refract/internal/ascii"
)

// MaxBudget limits the searches for the likely targets of the references of one document, in comparisons of
// letters.
const MaxBudget = 1 << 24

// A Budget is what has been spent on such searches.
type Budget int

// Spend spends n. It returns false if the budget is used up.
func (b *Budget) Spend(n int) bool {
	*b += Budget(n)
	return *b <= MaxBudget
}

// Closest returns the id that a fragment most likely means: the only one with the same letters and digits,
// or the one that differs in the fewest letters. It returns "" if none is nearest. The search is charged to
// budget. In a drawing, whose ids programs make up, "e" does not mean "E", nor "x-48" "x-49".
func (s IDs) Closest(budget *Budget, fragment string) string {
	others := s.forms().bare.Get(func() [][]rune {
		bare := make([][]rune, 0, s.Len())
		for id := range s.All() {
			bare = append(bare, letters(id))
		}
		return bare
	})
	bare := letters(fragment)
	best, least, tied := "", 1+min(3, len(bare)/5), false
	if path.Ext(s.d.Path) == ".svg" {
		least = min(1, len(bare)/2)
	}
	for i, other := range others {
		n, id := 0, s.At(i)
		if len(bare) == 0 || !slices.Equal(bare, other) {
			if !budget.Spend(16) {
				return ""
			}
			if abs(len(other)-len(bare)) > least {
				continue
			}
			budget.Spend(len(other) * 2 * (least + 1))
			n = max(1, Distance(bare, other, least))
		}
		switch {
		case n < least:
			best, least, tied = id, n, false
		case n == least && best != "":
			tied = true
		}
	}
	switch {
	case tied:
		return ""
	case best == "" && path.Ext(s.d.Path) != ".svg":
		return s.mistyped(budget, bare, others)
	}
	return best
}

// mistyped returns the only id from which a fragment differs by one typing error, or "". others are the
// letters of the ids.
func (s IDs) mistyped(budget *Budget, fragment []rune, others [][]rune) (id string) {
	for i, other := range others {
		if !budget.Spend(16) {
			return ""
		}
		if IsTypingError(fragment, other) {
			if id != "" {
				return ""
			}
			id = s.At(i)
		}
	}
	return id
}

// minTyped is the number of letters from which a word may have a typing error: most others are words of their own.
const minTyped = 4

// IsTypingError reports whether one slip of the fingers makes written of meant: two neighbouring letters
// swapped, or one letter missing or too many, but not at the beginning: "none" does not mean "one". A wrong
// letter is no slip, and neither is a wrong digit: digits count things.
func IsTypingError(written, meant []rune) bool {
	a, b := written, meant
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) < minTyped-1 || len(b) < minTyped || len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return i > 0 && unicode.IsLetter(b[i]) && slices.Equal(a[i:], b[i+1:])
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && unicode.IsLetter(a[i]) && unicode.IsLetter(b[i]) && slices.Equal(a[i+2:], b[i+2:])
}

// Same returns the id of the heading whose id under another algorithm is fragment.
func (s IDs) Same(budget *Budget, fragment, other string) string {
	f, _ := slug.Named(other)
	line := s.d.IDsOf(f).Line(fragment)
	if line < 0 {
		return ""
	}
	for i := range s.Len() {
		if !budget.Spend(1) {
			return ""
		}
		if int(s.Entries[i].Line) == line {
			return s.At(i)
		}
	}
	return ""
}

// IsSameHeading reports whether a fragment can only mean a given id of d. The id and the text of its
// heading must have the same letters and digits as the fragment, and no other heading may have them. Digits
// must be in the same groups ("1-12" is not "11-2"), only word separators may be missing ("c" is not
// "c++"), and the id must not end in a number that tells headings with the same text apart.
func (s IDs) IsSameHeading(budget *Budget, fragment, id string) bool {
	asked, numbers, ok := words(fragment)
	there, grouped, plain := words(id)
	if !ok || !plain || asked != there || asked == "" || s.d.Attributes()[fragment] {
		return false
	}
	at := max(0, s.Line(id))
	anchors := s.d.AnchorList()
	for i := range anchors {
		if !budget.Spend(1) {
			return false
		}
		k := &anchors[i]
		if k.Heading == nil || k.Name != "" && k.Line == at {
			continue
		}
		if same := hasWords(k.Heading.Text, asked); same != (k.Line == at) {
			return false
		} else if _, shown, _ := words(k.Heading.Text); same && shown == numbers {
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

// IsOnlyHeading reports whether, under each of these algorithms, a fragment is the id of exactly one
// heading, and that heading has no explicit id in the source. No other heading may have the same
// text, and the id may not be one of a numbered series.
func (d *Document) IsOnlyHeading(budget *Budget, fragment string, names []string) bool {
	if d.Attributes()[fragment] {
		return false
	}
	at := 0
	for _, name := range names {
		f, _ := slug.Named(name)
		s := d.IDsOf(f)
		id, _ := s.Hit(fragment)
		line := max(0, s.Line(id))
		if id == "" || line == 0 || at != 0 && line != at || s.Second[id] != 0 || isNumbered(s, id) {
			return false
		}
		at = line
	}
	found := false
	anchors := d.AnchorList()
	for i := range anchors {
		if !budget.Spend(1) {
			return false
		}
		if k := &anchors[i]; k.Line == at && k.Heading != nil {
			found = true
			if k.Name != "" {
				return false // the explicit id suggests a renderer that reads it
			}
		}
	}
	return found
}

// isNumbered reports whether id is, or may be, one of several ids that differ only in a number that
// algorithms append.
func isNumbered(s IDs, id string) bool {
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

// IsSimilar reports whether an id has the letters and digits of a fragment, ignoring accents.
func (s IDs) IsSimilar(fragment string) bool {
	known := s.forms().plain.Get(func() map[string]bool {
		known := make(map[string]bool, s.Len())
		for id := range s.All() {
			known[plainLetters(id)] = true
		}
		return known
	})
	return known[plainLetters(ascii.UnescapeAll(fragment))]
}

// plainLetters returns the letters and digits of an id, in lower case and without accents.
func plainLetters(s string) string { return string(letters(norm.NFKD.String(s))) }

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

// Distance returns the number of letters to insert, delete or change to turn b into a, or any number
// above limit if there are more. It fills only a band of the usual table.
func Distance(a, b []rune, limit int) int {
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
