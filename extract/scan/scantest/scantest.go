// Package scantest holds what the tests of scanners share.
package scantest

import (
	"archive/tar"
	"io"
	"iter"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mikelolasagasti/xz"
)

// Corpus returns the files of a shared corpus whose names end in one of these suffixes,
// and their size in bytes. Where the corpus is not there, the test is skipped.
func Corpus(tb testing.TB, name string, suffixes ...string) (files [][]byte, size int64) {
	tb.Helper()
	for file, src := range Files(tb, name) {
		if slices.Contains(suffixes, path.Ext(file)) {
			files = append(files, src)
			size += int64(len(src))
		}
	}
	return files, size
}

// Files yields the files of a shared corpus with their names, in the order of the archive.
// Where the corpus is not there, the test is skipped.
func Files(tb testing.TB, name string) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		tb.Helper()
		_, here, _, _ := runtime.Caller(0)
		f, err := os.Open(filepath.Join(filepath.Dir(here), "../../../../shared/corpus", name))
		if err != nil {
			tb.Skip("the shared corpus is not there: ", err)
		}
		defer f.Close()
		x, err := xz.NewReader(f, 0)
		if err != nil {
			tb.Fatal(err)
		}
		for r := tar.NewReader(x); ; {
			h, err := r.Next()
			if err == io.EOF {
				return
			}
			if err != nil {
				tb.Fatal(err)
			}
			if h.Typeflag != tar.TypeReg {
				continue
			}
			src, err := io.ReadAll(r)
			if err != nil {
				tb.Fatal(err)
			}
			if !yield(h.Name, src) {
				return
			}
		}
	}
}

// A Shape is hostile input: what stands before, what is repeated as often as it takes,
// and what stands after.
type Shape [3]string

// Text returns the input of about size bytes.
func (s Shape) Text(size int) []byte {
	return []byte(s[0] + strings.Repeat(s[1], size/len(s[1])) + s[2])
}

// Linear fails the test if scan takes more than six times as long for four times the
// input, size bytes first. A run can be slower than the code is, on a busy machine, but
// not faster: the best of as many as it needs counts. Below 50 ns a byte the machine
// decides, and the race detector; what is quadratic takes thousands.
func Linear(t *testing.T, shapes []Shape, size int, scan func(src []byte)) {
	t.Helper()
	if testing.Short() {
		t.Skip("timing")
	}
	// The collector runs beside, and the more the busier the machine is.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	stopwatch := func(src []byte) time.Duration {
		runtime.GC()
		start := time.Now()
		scan(src)
		return time.Since(start)
	}
	const ratio, patience = 6, 3 * time.Second
	for _, s := range shapes {
		small, large := s.Text(size), s.Text(4*size)
		fast, slow := time.Hour, time.Hour
		failing := func() bool { return slow > ratio*fast && slow > time.Duration(50*4*size) }
		start := time.Now()
		for i := 0; i < 3 || failing() && time.Since(start) < patience; i++ {
			fast, slow = min(fast, stopwatch(small)), min(slow, stopwatch(large))
		}
		if failing() {
			t.Errorf("%q + %q × n + %q: %v for %d bytes, %v for %d", s[0], s[1], s[2], fast, size, slow, 4*size)
		}
	}
}
