package pdf

import (
	"slices"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// textSamples are files of our own, by the cause of a difference from other programs.
var textSamples = map[string]struct {
	src  string
	want []string
}{
	"":                      {inPage("BT /F 10 Tf (see http://h/a) Tj ET", ""), []string{"page 1: http://h/a"}},
	"punctuation behind it": {inPage("BT /F 10 Tf (see http://h/a[2]) Tj ET", ""), []string{"page 1: http://h/a"}},
	`a link to the same without "www."`: {inPage("BT /F 10 Tf (http://www.h/a) Tj ET", "/Annots[<</Rect[0 0 99 9]/A<</S/URI/URI(http://h/a)>>>>]"),
		[]string{"http://h/a"}},
	"a URL within another":      {inPage("BT /F 10 Tf (see http://h/a?ref=http%3A//www.h.org/b) Tj ET", ""), []string{"page 1: http://h/a?ref=http%3A//www.h.org/b"}},
	"a space within the scheme": {inPage("BT /F 10 Tf (http ://www.h.org/a) Tj ET", ""), nil},
}

// Of the URLs that other programs find in the text of pages, at least 98 of 100 are found, those that continue on the next line
// included. Each difference has a cause, and each cause a file of our own.
func TestTextAgreement(t *testing.T) {
	for cause, s := range textSamples {
		if got := inPages(s.src); !slices.Equal(got, s.want) {
			t.Errorf("%q: got %q, want %q", cause, got, s.want)
		}
	}
	var both, found int
	for _, row := range scantest.Rows(t, "testdata/text.tsv", 8) {
		var n [6]int // files, both, the same, longer, shorter, none
		for i := range n {
			n[i] = scantest.Number(t, row[i+1])
		}
		if n[1] != n[2]+n[3]+n[4]+n[5] {
			t.Errorf("%s: %d URLs, but %v", row[0], n[1], n[2:])
		}
		if _, known := textSamples[row[7]]; !known || (n[4]+n[5] > 0) != (row[7] != "") {
			t.Errorf("%s: cause %q", row[0], row[7])
		}
		both, found = both+n[1], found+n[2]+n[3]
	}
	if 100*found < 98*both {
		t.Errorf("%d of %d", found, both)
	}
	for _, row := range scantest.Rows(t, "testdata/broken.tsv", 7) {
		urls, before, after := scantest.Number(t, row[2]), scantest.Number(t, row[3]), scantest.Number(t, row[4])
		if before > after || after > urls || 100*scantest.Number(t, row[6]) > 10*scantest.Number(t, row[5]) {
			t.Errorf("%s: %q", row[0], row[1:])
		}
	}
}
