package searchcmd

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/refract/cmd/refract/internal/distinct"
	"example.org/refract/internal/testing/cmdtest"
	"example.org/refract/internal/testing/scantest"
)

// --format frontier and --count by pairs take at most --memory more than other runs, however many URLs and hosts there are.
func TestBoundsOfFrontier(t *testing.T) {
	scantest.Long(t, "measures memory and time")
	run := cmdtest.Measured(t)
	dir := t.TempDir()
	const memory, buffers = 4 << 20, 8<<20 + distinct.RecentMemory
	for _, form := range [][]string{{"--format", "frontier"}, {"--count", "host-pair"}} {
		var seconds [2]float64
		for i, n := range []int{50000, 200000} {
			name := filepath.Join(dir, "a.txt")
			var text strings.Builder
			for j := range n {
				fmt.Fprintf(&text, "http://h%d.example/path/%d\n", j*7919%1000003, j)
			}
			if err := os.WriteFile(name, []byte(text.String()), 0o666); err != nil {
				t.Fatal(err)
			}
			code, peak, user := run(append(form, "-q", "-j", "1", "--url", "http://d.example/", "--memory", fmt.Sprint(memory), "-o", os.DevNull, name)...)
			if code != 0 {
				t.Fatalf("%v: status %d", form, code)
			}
			if bound := int64(32<<20 + memory + buffers); peak > bound {
				t.Errorf("%v × %d: %d MiB, more than %d", form, n, peak>>20, bound>>20)
			}
			seconds[i] = user
			t.Logf("%v × %d: %d MiB, %.2f s", form, n, peak>>20, user)
		}
		if seconds[1] > 8*seconds[0]+0.5 {
			t.Errorf("%v: %.2f s, and %.2f s for four times as much", form, seconds[0], seconds[1])
		}
	}
}
