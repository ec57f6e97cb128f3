package atomicfile

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func write(t *testing.T, name, text string) *File {
	t.Helper()
	f, err := Create(name, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return f
}

func content(name string) string {
	text, err := os.ReadFile(name)
	if err != nil {
		return "none"
	}
	return string(text)
}

func TestCommit(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	os.WriteFile(name, []byte("old"), 0o600)
	f := write(t, name, "new")
	if got := content(name); got != "old" || f.Temp() == "" {
		t.Errorf("before Commit: %q, temporary name %q", got, f.Temp())
	}
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	f.Discard()
	if got := content(name); got != "new" || f.Temp() != "" {
		t.Errorf("after Commit: %q, temporary name %q", got, f.Temp())
	}
	if info, _ := os.Stat(name); runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("%d files are left", len(left))
	}
}

func TestDiscard(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	write(t, name, "new").Discard()
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("%d files are left", len(left))
	}
}

// The file that a symbolic link leads to is replaced, not the link.
func TestLink(t *testing.T) {
	dir := t.TempDir()
	name, link := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	os.WriteFile(name, nil, 0o666)
	if os.Symlink("a", link) != nil {
		t.Skip("no symbolic links here")
	}
	if err := write(t, link, "new").Commit(); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Lstat(link); content(name) != "new" || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("%q, mode of the link %v", content(name), info.Mode())
	}
}

func TestStandard(t *testing.T) {
	var out bytes.Buffer
	f, err := Create("", &out)
	if err != nil {
		t.Fatal(err)
	}
	f.Write([]byte("x"))
	if _, ok := f.Stat(); ok || f.Commit() != nil || out.String() != "x" {
		t.Errorf("%q, regular file %v", out.String(), ok)
	}
	f.Discard()
}

func TestErrors(t *testing.T) {
	name := filepath.Join(t.TempDir(), "none", "a")
	if _, err := Create(name, nil); err == nil || !strings.Contains(err.Error(), "output ") {
		t.Error(err)
	}
	f := write(t, filepath.Join(t.TempDir(), "a"), "x")
	os.Remove(f.Temp())
	if err := f.Commit(); err == nil {
		t.Error("a file that is gone is committed")
	}
}
