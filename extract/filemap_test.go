//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package extract

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"example.org/refract/extract/internal/filemap"
	"example.org/refract/extract/scan"
)

// numbered returns a text of n lines, each with a URL of its own.
func numbered(n int) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "%d: see http://example.org/%d for more; or not\n", i, i)
	}
	return text.String()
}

func openText(t *testing.T, text string) *os.File {
	t.Helper()
	name := filepath.Join(t.TempDir(), "a.txt")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	return file
}

// A mapped file yields what a file that is read yields, whatever its length is.
func TestMapFiles(t *testing.T) {
	full := windowLen(t, 50_000)
	whole := numbered(30_000)
	for _, size := range []int{full - 1, full, full + 1, 2 * full, len(whole) - 4096, len(whole)/4096*4096 + 1, len(whole)} {
		text := whole[:min(size, len(whole))]
		var want, got []string
		for _, mapped := range []bool{false, true} {
			c := &Config{MapFiles: mapped, Lines: true, window: 50_000}
			file := openText(t, text)
			batches, regions := 0, 0
			var found []string
			for b, err := range c.Batches("a.txt", file) {
				if err != nil {
					t.Fatal(err)
				}
				batches++
				if b.region != nil {
					regions++
				}
				for r := range b.References() {
					found = append(found, fmt.Sprint(string(r.URL), r.Pos))
				}
				b.Release()
			}
			if mapped {
				got = found
			} else {
				want = found
			}
			mappable := 0 // from the first window to the last, if there is a whole one
			if mapped && size >= full {
				mappable = batches
			}
			if regions != mappable {
				t.Errorf("%d bytes, MapFiles %t: %d of %d windows are mapped", size, mapped, regions, batches)
			}
		}
		if len(want) == 0 || !slices.Equal(got, want) {
			t.Errorf("%d bytes: %d references in a mapped file, want %d", size, len(got), len(want))
		}
	}
}

// A file that becomes longer while it is mapped is read to its new end.
func TestMapFilesLonger(t *testing.T) {
	text := numbered(10_000)
	file := openText(t, text[:len(text)/2])
	n, longer := 0, false
	for b, err := range (&Config{MapFiles: true, window: 50_000}).Batches("a.txt", file) {
		if err != nil {
			t.Fatal(err)
		}
		if !longer {
			if err := os.WriteFile(file.Name(), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		longer = true
		for range b.References() {
			n++
		}
		b.Release()
	}
	if n != 10_000 {
		t.Errorf("%d references, want 10000", n)
	}
}

// windowLen returns the size of the buffer of a window.
func windowLen(t *testing.T, window int) int {
	t.Helper()
	buf := (&Config{window: window}).buffer()
	return len(buf)
}

// A file that becomes shorter while it is mapped is an error about the file, wherever that is noticed: where it
// is cut, in a scanner, or in both.
func TestMapFilesShorter(t *testing.T) {
	text := numbered(40_000)
	for _, at := range []int{1, 2, 5} {
		for _, when := range []string{"before the walk", "in the walk", "after the walk"} {
			file := openText(t, text)
			var notes []*Note
			c := &Config{MapFiles: true, window: 50_000, Note: func(n *Note) { notes = append(notes, n) }}
			var failures []error
			n, found := 0, 0
			shorten := func(now string) {
				if n == at && when == now {
					if err := os.Truncate(file.Name(), 100); err != nil {
						t.Fatal(err)
					}
				}
			}
			for b, err := range c.Batches("a.txt", file) {
				if err != nil {
					failures = append(failures, err)
					break
				}
				shorten("before the walk")
				for range b.References() {
					found++
					shorten("in the walk")
				}
				shorten("after the walk")
				if err := b.Err(); err != nil {
					failures = append(failures, err)
				}
				b.Release()
				n++
			}
			if len(failures) != 1 || !errors.Is(failures[0], filemap.ErrShorter) || !strings.Contains(failures[0].Error(), file.Name()) {
				t.Errorf("window %d, %s: errors %v, want one about the file", at, when, failures)
			}
			if n > at+1 || found == 0 {
				t.Errorf("window %d, %s: %d references in %d windows", at, when, found, n)
			}
			for _, note := range notes {
				if note.Code != scan.CodeDamaged || note.Pos.Offset == 0 {
					t.Errorf("window %d, %s: note %v", at, when, note)
				}
			}
		}
	}
}

// Windows that were mapped before the file became shorter make one error together.
func TestMapFilesShorterParallel(t *testing.T) {
	for _, jobs := range []int{1, 4} {
		file := openText(t, numbered(100_000))
		c := &Config{MapFiles: true, window: 50_000}
		var out strings.Builder
		first := true
		err := c.WalkParallel(&out, "a.txt", file, jobs, func(w io.Writer, b *Batch) error {
			for r := range b.References() {
				if b.pos > 0 {
					continue // the file may be shorter already: r.URL must not be accessed
				}
				if _, err := fmt.Fprintf(w, "%s\n", r.URL); err != nil {
					return err
				}
			}
			if b.pos == 0 && first {
				first = false
				return os.Truncate(file.Name(), 10)
			}
			return nil
		})
		if !errors.Is(err, filemap.ErrShorter) {
			t.Errorf("%d jobs: error %v, want %v", jobs, err, filemap.ErrShorter)
		}
		if !strings.HasPrefix(out.String(), "http://example.org/0\nhttp://example.org/1\n") {
			t.Errorf("%d jobs: the references before the damage are missing", jobs)
		}
	}
}

// Other panics of scanners remain what they are in a mapped file.
func TestMapFilesPanic(t *testing.T) {
	defer func() { onItem = nil }()
	n := 0
	onItem = func(*scan.Item) {
		if n++; n == 5000 {
			panic(runtime.Error(&runtime.TypeAssertionError{}))
		}
	}
	c := &Config{MapFiles: true, window: 50_000}
	var failure error
	for _, err := range c.Walk("a.txt", openText(t, numbered(40_000))) {
		if err != nil {
			failure = err
		}
	}
	var p *PanicError
	if !errors.As(failure, &p) {
		t.Errorf("error %v, want a PanicError", failure)
	}
}
