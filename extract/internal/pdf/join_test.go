package pdf

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

// lines shows strings one below the other, in a font whose characters have one width, 6 points.
func lines(all ...string) string {
	return "BT /G 10 Tf 12 TL (" + strings.Join(all, ") Tj T* (") + ") Tj ET"
}

// A URL that is broken anywhere continues if the line is full, and others show where lines end.
func TestBrokenAnywhere(t *testing.T) {
	const other = "another line of the paragraph"
	for _, test := range []struct {
		about, content string
		want           []string
	}{
		{"between letters", lines(other+"s", "http://www.example.org/the-tab", "le_of/contents.html and more", other+"s"), []string{"page 1: http://www.example.org/the-table_of/contents.html in 2"}},
		{"on a line with words", lines(other+"s", "see http://www.example.org/the", "-table/contents.html and", other), []string{"page 1: http://www.example.org/the-table/contents.html in 2"}},
		{"a word follows", lines(other+"s", "http://www.example.org/the-tab", "le and more text", other), []string{"page 1: http://www.example.org/the-tab may-continue"}},
		{"a line that is not full", lines(other+" here", "http://www.example.org/the", "table_of/contents.html and more", other), []string{"page 1: http://www.example.org/the"}},
		{"words of another script", strings.Replace(lines(other+"s", "http://www.example.org/the-tab", "\xe9t\xe9 and more", other), "/G 10", "/F 10", 1), []string{"page 1: http://www.example.org/the-tab"}},
		{"a host", lines(other+"s", "see the page at https://www.ex", "ample.org of the committee", other), []string{"page 1: https://www.example.org in 2"}},
		{"a host that is one", lines(other+"s", "see the page https://example.c", "om of the committee", other), []string{"page 1: https://example.com in 2"}},
		{"behind the scheme", lines("see https://", "www.example.org/a and more"), []string{"page 1: https://www.example.org/a in 2"}},
		{"within the scheme", lines("see the page at ht", "tps://example.org/a and more"), []string{"page 1: https://example.org/a in 2"}},
		{"a scheme and a word", lines("those with https://", "comments and more"), nil},
		{"a host over three lines", lines("more words", "see https://", "www.example.", "org/thetable/a b"), []string{"page 1: https://www.example.org/thetable/a in 3"}},
		{"a top-level domain", lines(other+"s", "see the page at https://www.example", ".org/the-table and more", other), []string{"page 1: https://www.example.org/the-table in 2"}},
		{"a hyphen behind a slash", lines("see the page at http://h/ab/-", "products and more"), []string{"page 1: http://h/ab/- may-continue"}},
		{"a hyphen of the line", lines("see the page at http://h/ab\xad", "cd and more"), []string{"page 1: http://h/abcd in 2"}},
		{"an ending behind a dot", lines("see http://www.example.org/the-table.", "html and http://h/b"), []string{"page 1: http://www.example.org/the-table may-continue", "page 1: http://h/b"}},
		{"an ending behind a dot, and a mark", lines("see http://www.example.org/the-table.", "html, and more"), []string{"page 1: http://www.example.org/the-table.html in 2"}},
		{"the same behind a dot", lines("see http://www.example.org/a/1810.10122.", "1810.10122 and more"), []string{"page 1: http://www.example.org/a/1810.10122"}},
		{"a number behind a dot", lines("see http://www.example.org/the-table.", "13838344. And more"), []string{"page 1: http://www.example.org/the-table.13838344 in 2"}},
		{"a host without a scheme", lines(`see the page \(www.example.`, `com\) and more`), []string{"page 1: http://www.example.com in 2"}},
		{"a list of URLs without schemes", lines("http://www.example.org/one/table/", "example.net/two/page.html"), []string{"page 1: http://www.example.org/one/table/ may-continue"}},
		{"two of them that are hosts", lines("http://www.example.org", "abc.example.net"), []string{"page 1: http://www.example.org"}},
		{"a file in capitals", lines("see http://www.example.org/one/table/", "Conferences/Report_1.pdf and"), []string{"page 1: http://www.example.org/one/table/Conferences/Report_1.pdf in 2"}},
		{"a proper noun", lines("see http://www.example.org/one/table/", "Conferences and others"), []string{"page 1: http://www.example.org/one/table/"}},
		{"one word alone", lines("see http://www.example.org/one/table/", "overview"), []string{"page 1: http://www.example.org/one/table/ may-continue"}},
		{"a space behind a hyphen", lines("see http://www.example.org/one-table- ", "of-all.html and more"), []string{"page 1: http://www.example.org/one-table-of-all.html in 2"}},
		{"nothing behind a hyphen", lines("see http://www.example.org/one-table-"), []string{"page 1: http://www.example.org/one-table- may-continue"}},
		{"an identifier", lines("see doi:10.1007/978-3-642-", "13818-8. And more"), []string{"page 1: doi:10.1007/978-3-642-13818-8 in 2"}},
		{"another identifier", lines("see doi:10.1007/arXiv.1712.08443.", "arXiv:1712.08443. And"), []string{"page 1: doi:10.1007/arXiv.1712.08443"}},
		{"another URL in Markdown", lines(`[a]\(http://www.example.org/one#L3`, `69\)/[b]\(http://h/b\) and more abcd`), []string{"page 1: http://www.example.org/one#L369 in 2", "page 1: http://h/b"}},
		{"at the margin of the page", lines("see", "http://www.example.org/one/table-of/7d", "356203ea107/jumps", "more", "and the words of this go as far also"), []string{"page 1: http://www.example.org/one/table-of/7d356203ea107/jumps in 2"}},
		{"a title behind it, alone", lines("see", "http://www.example.org/one/table-of/7d", "Dependency tree", "more", "and the words of this go as far also"), []string{"page 1: http://www.example.org/one/table-of/7d"}},
		{"a hyphen within a line", lines("see http://h/a\xadb\xad", "c and more words"), []string{"page 1: http://h/a-b-c in 2"}},
	} {
		src := strings.Replace(inPage(test.content, ""), "/BaseFont/Courier", "/BaseFont/Courier/Encoding/WinAnsiEncoding", 1)
		if got := inPages(src); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.about, got, test.want)
		}
	}
}

// unicodeLines shows strings one below the other, ordered from left to right, in a font whose codes are UTF-16. The lines
// begin at their places, in points. ASCII has 5 points, others have 10.
func unicodeLines(all []string, at ...float64) string {
	var b strings.Builder
	b.WriteString("BT /F 10 Tf ")
	for i, s := range all {
		fmt.Fprintf(&b, "1 0 0 1 %g %d Tm <", at[i], 700-12*i)
		for _, u := range utf16.Encode([]rune(s)) {
			fmt.Fprintf(&b, "%04x", u)
		}
		b.WriteString("> Tj ")
	}
	return b.String() + "ET"
}

// Text that is read from right to left has its URLs from left to right, and they go on at the right end of the next line.
func TestRightToLeft(t *testing.T) {
	const font = "5 0 obj<</Subtype/Type0/Encoding/UniGB-UTF16-H>>endobj"
	for _, test := range []struct {
		about string
		lines []string
		at    []float64
		want  []string
	}{
		{"a URL", []string{"גבא http://h/a דגב"}, []float64{100}, []string{"page 1: http://h/a"}},
		{"marks at its end", []string{"/http://h/a דגב וה"}, []float64{100}, []string{"page 1: http://h/a/"}},
		{"isolated", []string{"גבא http://h/a/ דגב"}, []float64{100}, []string{"page 1: http://h/a/"}},
		{"a sentence ends", []string{"גבא .http://h/a דגב"}, []float64{100}, []string{"page 1: http://h/a"}},
		{"over two lines", []string{"-http://h/a דגב וה גבא", "דגב וה גבא דגב bc/d"}, []float64{100, 90}, []string{"page 1: http://h/a-bc/d in 2"}},
		{"a mark before it, and digits of another font", []string{"/http://h/a דגב וה גבא", "דגב וה גבא דגב bc1/d"}, []float64{100, 90}, []string{"page 1: http://h/a/bc1/d in 2"}},
		{"a word with digits in Cyrillic text", []string{"Комитет http://h/notes/", "annual2025, до конца", "замечания Комитет и д"}, []float64{100, 100, 100}, []string{"page 1: http://h/notes/annual2025 in 2"}},
		{"a word without digits in Cyrillic text", []string{"Комитет http://h/notes/", "annualsummary до конца", "замечания Комитет и д"}, []float64{100, 100, 100}, []string{"page 1: http://h/notes/ may-continue"}},
		{"a word with digits in English text", []string{"committee http://h/notes/", "annual2025, and more te", "committee and more text"}, []float64{100, 100, 100}, []string{"page 1: http://h/notes/"}},
		{"a paragraph in a page of another direction", []string{"see the notes of all committees at http://h/no-", "tes/a.html and in the other documents there", "that all of the members have read before it", "", "-http://h/a דגב וה גבא", "דגב וה גבא דגב bc/d"}, []float64{100, 100, 100, 0, 100, 90},
			[]string{"page 1: http://h/no-tes/a.html in 2", "page 1: http://h/a-bc/d in 2"}},
		{"an English paragraph in a Hebrew page", []string{"דגב וה גבא דגב וה גבא דגב", "דגב וה גבא דגב וה גבא דגב", "", "see the notes at http://h/no-", "tes/a.html and others", "of all committees"}, []float64{100, 100, 0, 100, 100, 100},
			[]string{"page 1: http://h/no-tes/a.html in 2"}},
		{"a paragraph with more Latin words, flush right", []string{"see the notes of all committees and the others", "see the notes of all committees and the others", "", "-http://h/a דגב see the notes", "of all committees and דגב bc/d"}, []float64{100, 100, 0, 110, 105},
			[]string{"page 1: http://h/a-bc/d in 2"}},
		{"a line that is from right to left in a paragraph that is not", []string{"see the notes of all committees and the others", "/http://h/a דגב וה"}, []float64{100, 100}, []string{"page 1: http://h/a"}},
		{"most words are from left to right", []string{"see the page of גבא at http://h/a"}, []float64{100}, []string{"page 1: http://h/a"}},
		{"East Asian text", []string{"中文中文 http://www.exam", "ple.org/a中文中文中文中", "中文中文中文中文中文中文"}, []float64{100, 100, 100}, []string{"page 1: http://www.example.org/a in 2"}},
		{"marks outside the margin", []string{"中文中文 http://www.exam", "ple.org/a中文中文中文中", "中文中文中文中文中文中文，"}, []float64{100, 100, 100}, []string{"page 1: http://www.example.org/a in 2"}},
		{"ideographs follow", []string{"中文中文 http://h/abcdef", "中文中文中文中文中文"}, []float64{100, 100}, []string{"page 1: http://h/abcdef"}},
		{"marks of direction", []string{"see \u202ahttp://h.\u202ce/a\u2069"}, []float64{100}, []string{"page 1: http://h.e/a in 2"}},
	} {
		if got := inPages(inPage(unicodeLines(test.lines, test.at...), "", font)); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.about, got, test.want)
		}
	}
}

// What is East Asian begins and ends with these characters.
func TestIsEastAsian(t *testing.T) {
	const in = "\u2e80\ud7ff\uf900\ufaff\ufe30\ufe4f\uff00\uffef\U00020000\U0010ffff"
	const out = "a\u2e7f\ue000\uf8ff\ufb00\ufe2f\ufe50\ufeff\ufff0\U0001ffff"
	for _, r := range in + out {
		if got, want := isEastAsian(r), strings.ContainsRune(in, r); got != want {
			t.Errorf("%U: %v", r, got)
		}
	}
}

// Marks that begin the second piece of a URL are shown at its left if it is isolated from the text around it, and else at its right.
func TestRightToLeftMarks(t *testing.T) {
	const font = "5 0 obj<</Subtype/Type0/Encoding/UniGB-UTF16-H>>endobj"
	for want, pieces := range map[string][]string{"page 1: http://h/a_-_b/c_3 in 2": {"http://h/a_-", "_b/c_3"}, "page 1: http://h/a_-_b/c_3 in 3": {"-_http://h/a", "b/c_3_"}} {
		content := unicodeLines([]string{"דגב וה גבא", "דגב וה גבא דגב"}, 165, 90) + " 0 0 1 rg " + unicodeLines(pieces, 100, 220)
		if got := inPages(inPage(content, "", font)); !slices.Equal(got, []string{want}) {
			t.Errorf("%q: got %q, want %q", pieces, got, want)
		}
	}
}

// Characters of another font that are shown later fill the gaps that were left for them.
func TestGaps(t *testing.T) {
	src := inPage("BT /G 10 Tf [(http)-1800(h)-600(org/a)] TJ 24 0 Td (:) Tj 6 0 Td (/) Tj 6 0 Td (/) Tj 12 0 Td (.) Tj ET", "")
	if got, want := inPages(src), []string{"page 1: http://h.org/a"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The widths of ASCII in a font with a predefined CMap are those of its CIDs.
func TestWidthsOfCIDs(t *testing.T) {
	const content = "BT /F 10 Tf (http) Tj 8 0 Td (://h/a) Tj ET"
	font := func(cmap string) string {
		return "5 0 obj<</Subtype/Type0/Encoding/" + cmap + "/DescendantFonts[<</CIDSystemInfo<</Ordering(Japan1)>>/W[1 95 200]>>]>>endobj"
	}
	if got, want := inPages(inPage(content, "", font("90msp-RKSJ-H"))), []string{"page 1: http://h/a"}; !slices.Equal(got, want) {
		t.Errorf("proportional: got %q, want %q", got, want)
	}
	if got := inPages(inPage(strings.Replace(content, "8 0 Td", "20 0 Td", 1), "", font("90ms-RKSJ-H"))); len(got) != 1 {
		t.Errorf("half the width of ideographs: got %q", got)
	}
}

// The words of a justified line may be far from each other. They are one line if all gaps are the same; the cells of a table are none.
func TestLargeGaps(t *testing.T) {
	row := func(y int, at []int, words ...string) string {
		var b strings.Builder
		for i, w := range words {
			fmt.Fprintf(&b, "1 0 0 1 %d %d Tm (%s) Tj ", at[i], y, w)
		}
		return b.String()
	}
	below := row(688, []int{100}, "www.example.org/the-notes/") + row(676, []int{100}, "the-report.html and more text")
	for _, test := range []struct {
		about, content string
		want           []string
	}{
		{"the same", row(700, []int{100, 144, 188, 232}, "text", "more", "some", "http://") + below, []string{"page 1: http://www.example.org/the-notes/the-report.html in 3"}},
		{"one word", row(700, []int{100, 232}, "text", "http://") + below, []string{"page 1: http://www.example.org/the-notes/the-report.html in 3"}},
		{"cells", row(700, []int{100, 160, 260}, "text", "see", "http://h/ab-") + row(688, []int{100, 160, 260}, "more", "this", "cd/e.html"), []string{"page 1: http://h/ab-cd/e.html in 2"}},
	} {
		if got := inPages(inPage("BT /G 10 Tf "+test.content+"ET", "")); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.about, got, test.want)
		}
	}
}

// A hyphen that a program added within a word is no part of the URL, as the words of the pages before show.
func TestAddedHyphens(t *testing.T) {
	for _, test := range []struct {
		about, before, content string
		want                   []string
	}{
		{"a known word", "all publications here", lines("see http://h.org/publica-", "tions/all.html and"), []string{"page 2: http://h.org/publications/all.html in 2"}},
		{"an unknown word", "all of them here", lines("see http://h.org/publica-", "tions/all.html and"), []string{"page 2: http://h.org/publica-tions/all.html in 2"}},
		{"two words that are known, and parts", "the takedown, or down", lines("see http://h.org/take-", "down/all.html and"), []string{"page 2: http://h.org/take- may-continue"}},
		{"two words that are known", "the takedown, or down", lines("see http://h.org/take", "see http://h.org/hackers-take-", "down with them"), []string{"page 2: http://h.org/take", "page 2: http://h.org/hackers-take- may-continue"}},
	} {
		src := inPage(test.content, "")
		src = strings.Replace(src, "/Kids[", "/Kids[8 0 R ", 1) + "8 0 obj<</Type/Page/Resources<</Font<</G<</Type/Font/Subtype/Type1/BaseFont/Courier>>>>>>/Contents 9 0 R>>endobj 9 0 obj<</Length 99>>stream\n" +
			lines(test.before) + "\nendstream endobj "
		if got := inPages(src); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.about, got, test.want)
		}
	}
}
