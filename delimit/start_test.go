package delimit

import (
	"strings"
	"testing"
)

// What stands in "<URL: … >" is found wherever it begins, also at the start of the text.
func TestStart(t *testing.T) {
	const src = "<URL: a\nb.html> is a reference in a text of more than 32 bytes"
	for _, rules := range []Rules{{}, {Domains: DomainsAll}, {Addresses: true}} {
		for n := range 70 {
			f := Finder{Rules: rules}
			text := strings.Repeat(" ", n) + src
			got := 0
			for s := range f.All([]byte(text)) {
				got++
				if s.Start != n+6 || s.End != n+14 {
					t.Errorf("%+v, %d spaces: %q", rules, n, text[s.Start:s.End])
				}
			}
			if got != 1 {
				t.Errorf("%+v, %d spaces: %d found", rules, n, got)
			}
		}
	}
}
