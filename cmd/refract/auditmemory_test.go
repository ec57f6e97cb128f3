package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/refract/internal/scantest"
)

// An audit takes little more memory for 3,000 documents than for 300, in each format that people use for large trees: what
// is kept of a document and of a finding is bounded.
func TestAuditMemory(t *testing.T) {
	scantest.Long(t, "measures memory")
	run := measured(t)
	const few, many = 300, 3000
	write := func(n int) string {
		dir := filepath.Join(t.TempDir(), "docs")
		for i := range n {
			var b strings.Builder
			for j := range 12 {
				fmt.Fprintf(&b, "## Heading %d of page %d\n\nText with [a link](p%d.md#heading-%d-of-page-%[3]d), [another](../d%d/p%d.md) and [a broken one](gone%d.md).\n\n", j, i, (i+j)%100, j, i/100, j, i+j)
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
	for _, c := range []struct {
		flags string
		bound int64 // bytes for each document, with its 12 findings
	}{
		{"", 12 << 10},
		{"--json", 12 << 10},
	} {
		var peaks [2]int64
		for i, dir := range []string{small, large} {
			args := append(strings.Fields(c.flags), "-q", "-j", "2", "-o", os.DevNull, dir)
			code, peak, _ := run(append([]string{"audit"}, args...)...)
			if code != exitFindings {
				t.Fatalf("%q: status %d", c.flags, code)
			}
			peaks[i] = peak
		}
		each := (peaks[1] - peaks[0]) / (many - few)
		t.Logf("%q: %d and %d MiB, %d bytes for each document", c.flags, peaks[0]>>20, peaks[1]>>20, each)
		if each > c.bound {
			t.Errorf("%q: %d bytes for each document, of %d", c.flags, each, c.bound)
		}
	}
}
