package extract

import (
	"iter"
	"testing"

	"example.org/refract/extract/internal/latex"
	"example.org/refract/extract/internal/markup"
	"example.org/refract/extract/internal/texinfo"
	"example.org/refract/extract/scan"
)

// A Scanner that is used for the first time finds an empty destination, as one does that is used again.
func TestEmptyValue(t *testing.T) {
	for src, s := range map[string]interface {
		Scan(src []byte) iter.Seq[*scan.Item]
	}{
		"[a](\r)\n":             new(markup.Djot),
		"\\includegraphics{{}}": new(latex.Scanner),
		"@url{@/}":              new(texinfo.Scanner),
	} {
		for range 2 {
			n := 0
			for it := range s.Scan([]byte(src)) {
				n++
				if len(it.Value) > 0 {
					t.Errorf("%q: %q", src, it.Value)
				}
			}
			if n != 1 {
				t.Errorf("%q: %d references", src, n)
			}
		}
	}
}
