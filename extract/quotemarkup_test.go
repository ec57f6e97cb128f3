package extract

import (
	"testing"

	"example.org/refract/extract/scan"
)

// What is written into reStructuredText and AsciiDoc is read as it was meant.
func TestQuoteMarkup(t *testing.T) {
	for _, tt := range []struct {
		name, ref string
		at        Place
		want      string
		ok        bool
	}{
		{"a.rst", "a b_", Place{How: scan.Inline}, `a\ b\_`, true},
		{"a.rst", "a_b", Place{How: scan.Reference}, "a_b", true},
		{"a.rst", "x`", Place{How: scan.Role, In: "doc"}, "x`", false},
		{"a.adoc", "a b[1].adoc", Place{How: scan.Macro, In: "xref:"}, "a%20b%5B1%5D.adoc", true},
		{"a.adoc", "a,b", Place{How: scan.Macro, In: "<<>>"}, "a", false},
		{"a.org", `a(b)|&amp;[c]\d`, Place{How: scan.Inline}, `a(b)|&amp;\[c\]\\d`, true},
		{"a.adoc", "{x}", Place{How: scan.Macro, In: "xref:"}, "", false},
	} {
		got, ok := new(Config).FormatOfName(tt.name).Quote(nil, tt.ref, tt.at)
		if ok != tt.ok || ok && string(got) != tt.want {
			t.Errorf("%s: %q in %v: %q, %v", tt.name, tt.ref, tt.at.How, got, ok)
		}
	}
}
