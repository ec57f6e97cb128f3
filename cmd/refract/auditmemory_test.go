package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/internal/testing/cmdtest"
	"example.org/refract/internal/testing/scantest"
)

// An audit takes little more memory for 2,000 documents than for 200: what is kept of a document and of its 12 findings
// is bounded. Whole findings alone would be 12 KiB for each document.
func TestAuditMemory(t *testing.T) {
	scantest.Long(t, "measures memory")
	t.Setenv("GOGC", "20") // little garbage, so that what is kept shows
	run := cmdtest.Measured(t)
	const few, many = 200, 2000
	write := func(n int) string {
		dir := filepath.Join(t.TempDir(), "docs")
		for i := range n {
			var b strings.Builder
			for j := range 12 {
				fmt.Fprintf(&b, "## Heading %d of page %d\n\nText with [a link](p%d.md#heading-%d-of-page-%d), [another](../d%d/p%d.md) and [a broken one](gone%d.md).\n\n", j, i, (i+j)%100, j, i/100*100+(i+j)%100, i/100, j, i+j)
			}
			name := filepath.Join(dir, fmt.Sprintf("d%d/p%d.md", i/100, i%100))
			if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(b.String()), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	small, large := write(few), write(many)
	const bound = 12 << 10 // bytes for each document
	for _, flags := range []string{"", "--format sarif", "--fix"} {
		// What is kept is there in each run. In some runs, the collector is late, which adds to it.
		each := int64(math.MaxInt64)
		for try := 0; try < 6 && each > bound; try++ {
			var peaks [2]int64
			for i, dir := range []string{small, large} {
				args := append(strings.Fields(flags), "-q", "-j", "2", "-o", os.DevNull, dir)
				code, peak, _ := run(append([]string{"audit"}, args...)...)
				if code != cli.ExitFindings {
					t.Fatalf("%q: status %d", flags, code)
				}
				peaks[i] = peak
			}
			each = min(each, (peaks[1]-peaks[0])/(many-few))
			t.Logf("%q: %d and %d MiB", flags, peaks[0]>>20, peaks[1]>>20)
		}
		t.Logf("%q: %d bytes for each document", flags, each)
		if each > bound {
			t.Errorf("%q: more than %d bytes for each document", flags, bound)
		}
	}
}
