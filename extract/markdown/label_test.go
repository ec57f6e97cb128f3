package markdown

import (
	"strings"
	"testing"

	"example.org/refract/extract/scan"
)

// A label of MyST has a name, without parentheses.
func TestMySTLabels(t *testing.T) {
	for src, want := range map[string]string{"(a)=\n# A\n": "a", "(a b)=\n# A\n": "a b", "()=\n# A\n": "", "((a))=\n# A\n": "", "(a)\n# A\n": ""} {
		var got []string
		for it := range (&Scanner{Dialect: MyST, Anchors: true, Mentions: true}).Scan([]byte(src)) {
			if it.Op == scan.Anchor && it.Space == RefSpace {
				got = append(got, string(it.Value))
			}
		}
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("%q: %q, want %q", src, s, want)
		}
	}
}
