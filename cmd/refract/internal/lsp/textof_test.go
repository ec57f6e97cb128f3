package lsp

import (
	"os"
	"path/filepath"
	"testing"
)

// A file of up to 32 MiB is read, as docs/limits.md says; a larger one, a directory and what is not there are empty.
func TestTextOf(t *testing.T) {
	dir := t.TempDir()
	for size, want := range map[int64]int{0: 0, 5: 5, 32 << 20: 32 << 20, 32<<20 + 1: 0} {
		name := filepath.Join(dir, "a.md")
		err := os.WriteFile(name, nil, 0o666)
		if err == nil {
			err = os.Truncate(name, size)
		}
		if err != nil {
			t.Fatal(err)
		}
		if text := textOf(nil, filepath.ToSlash(name)); len(text) != want {
			t.Errorf("%d bytes: %d are read, want %d", size, len(text), want)
		}
	}
	for _, name := range []string{dir, filepath.Join(dir, "none")} {
		if text := textOf(nil, filepath.ToSlash(name)); text != nil {
			t.Errorf("%s: %d bytes", name, len(text))
		}
	}
	if text := textOf(&document{text: []byte("x")}, "none"); string(text) != "x" {
		t.Errorf("of a document that is open: %q", text)
	}
}
