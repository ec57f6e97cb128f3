package move

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/windows"
)

// A file that another program has open is found before anything is renamed, also in a directory that moves.
func TestHeld(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "sub", "a.md")
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte("# A\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	root := filepath.ToSlash(dir)
	for _, from := range []string{root + "/sub/a.md", root + "/sub"} {
		if held := heldBelow(from); held != "" {
			t.Errorf("%s: %s is held", from, held)
		}
	}
	p, err := windows.UTF16PtrFromString(name)
	if err != nil {
		t.Fatal(err)
	}
	h, err := windows.CreateFile(p, windows.GENERIC_READ, windows.FILE_SHARE_READ, nil, windows.OPEN_EXISTING, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer windows.CloseHandle(h)
	for _, from := range []string{root + "/sub/a.md", root + "/sub"} {
		held := heldBelow(from)
		if !strings.HasSuffix(held, "a.md") {
			t.Errorf("%s: %q is held", from, held)
		}
	}
}
