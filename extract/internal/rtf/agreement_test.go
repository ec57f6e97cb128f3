package rtf

import (
	"slices"
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// agreementSamples are files of our own, by the beginning of the cause of a difference from pandoc.
var agreementSamples = map[string]struct {
	src  string
	want []string
}{
	"a bookmark": {`{\rtf1{\field{\*\fldinst HYPERLINK \\l "x"}{\fldrslt x}}}`, []string{"HYPERLINK #x"}},
	"pandoc 2.17 misses a fldinst without inner braces": {`{\rtf1{\field{\*\fldinst HYPERLINK "http://h/"}{\fldrslt x}}}`, []string{"HYPERLINK http://h/"}},
	"a HYPERLINK field of which":                        {`{\rtf1{\field\flddirty{\*\fldinst {\cs1 HYPERLINK "http://h/" }}{\fldrslt}}}`, []string{"HYPERLINK http://h/"}},
	"HYPERLINK fields of which":                         {`{\rtf1{\field{\*\fldinst{HYPERLINK "http://h/"}}{\fldrslt {\field{\*\fldinst{HYPERLINK "http://i/"}}}}}}`, []string{"HYPERLINK http://h/", "HYPERLINK http://i/"}},
	"HTML encapsulated in RTF":                          {`{\rtf1\ansi\fromhtml1 {\*\htmltag <img src="a.png">}}`, []string{`text/html <img src="a.png">`}},
	"pandoc cuts the path":                              {`{\rtf1{\field{\*\fldinst{HYPERLINK "http://h/a b/c"}}{\fldrslt x}}}`, []string{"HYPERLINK http://h/a b/c"}},
	"the template of the document":                      {`{\rtf1{\*\template http://h/a.dot}}`, []string{"template http://h/a.dot"}},
}

// Each difference from pandoc has a cause, and a file of our own has the references that pandoc misses for this cause.
func TestAgreement(t *testing.T) {
	var documents scantest.Documents
	for _, row := range scantest.Rows(t, "testdata/agreement.tsv", 5) {
		only := scantest.Number(t, row[3])
		if scantest.Number(t, row[2])+only == 0 || row[4] == "" {
			t.Errorf("%s: no difference, or no cause", row[0])
		}
		found := false
		for cause, s := range agreementSamples {
			if !strings.HasPrefix(row[4], cause) {
				continue
			}
			found = true
			if got := refs(t, []byte(s.src)); !slices.Equal(got, s.want) {
				t.Errorf("%s: got %q, want %q", cause, got, s.want)
			}
		}
		if !found {
			t.Errorf("%s: no file of our own for %q", row[0], row[4])
		}
		if src := documents.Open(t, row[0], row[1]); src != nil && len(refs(t, src)) < only {
			t.Errorf("%s: fewer than %d references", row[0], only)
		}
	}
	documents.Log(t)
}
