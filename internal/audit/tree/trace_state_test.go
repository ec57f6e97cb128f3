//go:build linux || darwin || freebsd || netbsd || windows

package tree

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"example.org/refract/internal/input"
)

// counted is a Tree that counts files that are opened and directories that are listed.
type counted struct {
	input.Disk
	n *int
}

func (c counted) Open(name string) (fs.File, error) {
	*c.n++
	return c.Disk.Open(name)
}

func (c counted) ReadDir(name string) ([]fs.DirEntry, error) {
	*c.n++
	return c.Disk.ReadDir(name)
}

// A file or directory whose times were old when the record began is not read again. Its times may be those of a later
// change if they were not old.
func TestTraceOfDisk(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.md")
	err := os.WriteFile(name, []byte("text"), 0o666)
	if err != nil {
		t.Fatal(err)
	}
	tr := NewTrace(Disk())
	read(t, tr, name, -1)
	_, err = tr.ReadDir(dir)
	if err != nil || !tr.End() {
		t.Fatal(err)
	}
	record := tr.Sorted()
	info, err := os.Lstat(name)
	if err != nil {
		t.Fatal(err)
	}
	changed := stateOf(name, info).Changed
	for _, test := range []struct {
		began int64
		reads int
	}{{changed, 2}, {changed + int64(time.Minute), 0}} {
		n := 0
		record.Began = test.began
		if !record.Holds(t.Context(), counted{n: &n}, 1) || n != test.reads {
			t.Errorf("%d opened or listed, want %d", n, test.reads)
		}
	}
	// Bytes and times are as before, but not the time at which they were set.
	err = errors.Join(os.WriteFile(name, []byte("Text"), 0o666), os.Chtimes(name, info.ModTime(), info.ModTime()))
	if err != nil {
		t.Fatal(err)
	}
	now, err := os.Lstat(name)
	if err != nil {
		t.Fatal(err)
	}
	if hasMoved := stateOf(name, now) != stateOf(name, info); hasMoved && record.Holds(t.Context(), Disk(), 1) { // the clock of the file system
		t.Error("a changed file has the same times")
	}
}
