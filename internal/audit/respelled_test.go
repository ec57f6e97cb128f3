package audit

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/unicode/norm"

	"example.org/refract/internal/testing/scantest"
)

// Links to n files that spell their names, or those of their directories, in another way than the disk takes time for n names.
func TestRespelledLinear(t *testing.T) {
	n := scantest.Amount(50, 500)
	for _, s := range []struct{ name, onDisk, inLink string }{
		{"composition", norm.NFD.String("café%d.md"), norm.NFC.String("café%d.md")},
		{"composition of directories", norm.NFD.String("café%d/a.md"), norm.NFC.String("café%d/a.md")},
		{"case", "Page%d.md", "page%d.md"},
		{"case of other letters", "Été%d.md", "été%d.md"},
	} {
		run := func(n int) func() {
			dir := t.TempDir()
			var links strings.Builder
			for i := range n {
				name := filepath.Join(dir, fmt.Sprintf(s.onDisk, i))
				must(t, os.MkdirAll(filepath.Dir(name), 0o777))
				must(t, os.WriteFile(name, []byte("x\n"), 0o666))
				fmt.Fprintf(&links, "[x]("+s.inLink+")\n", i)
			}
			must(t, os.WriteFile(filepath.Join(dir, "links.md"), []byte(links.String()), 0o666))
			return func() { audited(t, dir) }
		}
		scantest.Linear(t, s.name, 20*time.Millisecond, run(n), run(4*n))
	}
}
