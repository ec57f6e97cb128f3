package slug

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzSlugger reads the lines of a document as headings.
func FuzzSlugger(f *testing.F) {
	var all strings.Builder
	for i, r := range readTable(f) {
		f.Add(uint8(i), r.heading.Text, r.heading.Source)
		all.WriteString(r.heading.Source + "\n")
	}
	f.Add(uint8(PythonMarkdown), "", all.String())
	f.Add(uint8(PythonMarkdown), "", "a\na\na_1\na_1\na_09\na_09\n\n\n_1\na_99999999999999999999\na_99999999999999999999")
	f.Add(uint8(GitHub), "", "a\na\na 1\na-1\na")
	f.Add(uint8(VitePress), "0", "\x90")
	f.Add(uint8(VitePress2), "\xe1", "")
	f.Add(uint8(VuePress), "\xdc", "")
	f.Add(uint8(Mintlify), "a\xdcb", "a\xdc")
	f.Add(uint8(Nuxt), "a b -", "a b -\na b\na b")
	f.Add(uint8(Doxia), "'a' \"\" \x90", "'\n\"a\n1\n'a'b'")
	f.Add(uint8(Doxia), "", "")
	f.Fuzz(func(t *testing.T, algorithm uint8, text, source string) {
		if len(text)+len(source) > 1<<12 {
			return // the naive implementation is slow
		}
		check(t, Algorithm(int(algorithm)%len(rules)), text, source)
	})
}

// keepsUnknown has the algorithms that keep each character that they do not know, U+FFFD among them.
var keepsUnknown = map[Algorithm]bool{VitePress: true, VitePress2: true, VuePress: true, VuePress1: true}

// check tests what is true of every algorithm and document.
func check(t *testing.T, algorithm Algorithm, text, source string) {
	t.Helper()
	headings := []Heading{{Text: text, Source: source}, {Text: text}, {Text: text, Alt: source}}
	for line := range strings.SplitSeq(source, "\n") {
		headings = append(headings, Heading{Text: line})
	}
	s, n := Slugger{Algorithm: algorithm}, naive{again: rules[algorithm].again, last: map[string]int{}}
	compare := n.again < second // the naive implementation has not the others
	var ids []string
	for _, h := range headings {
		base, id := algorithm.Slug(h), s.Slug(h)
		if none := rules[algorithm].none; none != nil && none(h) {
			if id != "" {
				t.Fatalf("%s: %q = %q", algorithm, h, id)
			}
			continue
		}
		if !strings.HasPrefix(id, base) && n.again != underscore && n.again != serial {
			t.Fatalf("%s: %q = %q, for itself %q", algorithm, h, id, base)
		}
		if len(base) > 15 && n.again == underscore && strings.Trim(base[len(base)-15:], "0123456789") == "" {
			compare = false // Python reads numbers of any length, the naive implementation does not
		}
		if compare {
			want := rules[algorithm].finished(n.slug(algorithm.plain(h))) // numbers come before what some algorithms do to the whole
			if id != want {
				t.Fatalf("%s: %q = %q, want %q", algorithm, h, id, want)
			}
		}
		never := " \t\r\n\"#%<>`"
		if algorithm == Mintlify { // for which characters that URLs encode are letters
			never = " \t\r\n\""
		}
		if !utf8.ValidString(id) || strings.ContainsAny(id, never) ||
			algorithm != Doxia && strings.ContainsAny(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
			t.Fatalf("%s: %q = %q", algorithm, h, id)
		}
		if !keepsUnknown[algorithm] && strings.Contains(id, "\ufffd") {
			t.Fatalf("%s: %q = %q", algorithm, h, id)
		}
		if folded := Fold(id); Fold(folded) != folded || len(folded) > len(id) {
			t.Fatalf("%q folds to %q", id, folded)
		}
		ids = append(ids, id)
	}
	if n.again != count && n.again != second && n.again != same && rules[algorithm].finish == nil {
		given := len(ids)
		slices.Sort(ids)
		ids = slices.Compact(ids)
		if len(ids) != given || n.again == underscore && slices.Contains(ids, "") {
			t.Fatalf("%s: %d ids for %d headings: %q", algorithm, len(ids), given, ids)
		}
	}
}
