package fix

import (
	"fmt"
	"strings"
	"testing"

	"example.org/refract/extract"
)

var restructured = &extract.Format{Fragments: extract.TitleFragments}

// Simple tables stand in ⟦brackets⟧; last is where their last columns begin.
func TestColumnsOf(t *testing.T) {
	for marked, last := range map[string]string{
		"⟦==  ===\na   b\n==  ===\n⟧":                              "4",
		"⟦==  ===\na   b\n==  ===⟧":                                "4",
		"x\n\n⟦== ==\na  b\n== ==\n⟧\nx\n":                         "3",
		"⟦== ==\na  b\n== ==\n⟧ \t\nx\n":                           "3",
		"⟦== ==\na  b\n== ==\nc  d\n== ==\n⟧x\n":                   "3", // with a head
		"⟦== ==\na  b\n== ==\nx\n⟧":                                "3", // open
		"⟦== ==\na  b\n⟧":                                          "3",
		"⟦== ==\r\na  b\r\n== ==\r\n⟧\r\n":                         "3",
		"⟦  == ==\n  a  b\n  == ==\n⟧\n":                           "5",
		"⟦\t== ==\n\ta  b\n\t== ==\n⟧\n":                           "4",
		"⟦== ==\n == ==\n\na  b\n== == \t\n⟧\n":                    "3", // a border elsewhere is text
		"⟦= = =\na b c\n= = =\n⟧\n⟦== ==\na  b\n== ==\n⟧":          "4 3",
		"⟦= = =\na b c\n= = =\na b c\n= = =\n⟧⟦== ==\na\n== ==\n⟧": "4 3",
		"====\nTitle\n====\n":                                      "",
		"⟦== ==\na\n====\n⟧\n":                                     "3", // a border may have one column
		"⟦== ==\na  b\n\n\nc  d\n== ==\n⟧\n":                       "3",
		"⟦= =\na b\n=\n⟧\nx\n":                                     "2",
		"x == ==\na\n== ==x\n":                                     "",
		"":                                                         "",
		"\n \n\t\n":                                                "",
	} {
		src := strings.NewReplacer("⟦", "", "⟧", "").Replace(marked)
		var got strings.Builder
		var columns []string
		end := 0
		for _, c := range ColumnsOf(restructured, []byte(src)) {
			got.WriteString(src[end:c.start] + "⟦" + src[c.start:c.end] + "⟧")
			end = c.end
			columns = append(columns, fmt.Sprint(c.last))
		}
		if got.WriteString(src[end:]); got.String() != marked || strings.Join(columns, " ") != last {
			t.Errorf("%q: last columns %v, want %q in %s", got.String(), columns, marked, last)
		}
	}
	for _, f := range []*extract.Format{nil, {}, {Fragments: extract.GeneratedFragments}} {
		if all := ColumnsOf(f, []byte("== ==\na  b\n== ==\n")); all != nil {
			t.Errorf("%v has tables: %v", f, all)
		}
	}
}

// What stands in ⟦brackets⟧ is replaced.
func TestBreaks(t *testing.T) {
	const end = "=== ===\n"
	for _, tt := range []struct {
		marked, text string
		want         bool
	}{
		{end + "⟦a⟧   b\n" + end, "xy", true},
		{end + "⟦a⟧   b\n" + end, "", true},
		{end + "⟦a⟧   b\n" + end, "é", false},
		{end + "⟦é⟧   b\n" + end, "ab", true},
		{end + "a  ⟦ ⟧b\n" + end, "xy", true},
		{end + "a   ⟦b⟧\n" + end, "xy", false},
		{end + "é   ⟦b⟧\n" + end, "xy", false},
		{end + "é  ⟦ ⟧b\n" + end, "xy", true},
		{"⟦=⟧== ===\na   b\n" + end, "xy", true},
		{"x\n⟦=⟧== ===\na   b\n" + end, "xy", true},
		{"⟦x⟧\n" + end + "a   b\n" + end, "xy", false},
		{end + "a   b\n" + end + "⟦\n⟧", "xy", false},
		{end + "a   b\n" + end + "\n⟦x⟧\n", "xy", false},
		{end + "a   b\n" + end + "\n⟦x⟧\n" + end + "a   b\n" + end, "xy", false},
		{end + "a   b\n" + end + "\n" + end + "⟦a⟧   b\n" + end, "xy", true},
		{"⟦x⟧\n", "xy", false},
	} {
		before, rest, _ := strings.Cut(tt.marked, "⟦")
		old, after, _ := strings.Cut(rest, "⟧")
		src := []byte(before + old + after)
		if got := ColumnsOf(restructured, src).Breaks(src, len(before), len(before)+len(old), []byte(tt.text)); got != tt.want {
			t.Errorf("%q with %q: %v", tt.marked, tt.text, got)
		}
	}
}
