package source

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"example.org/refract/internal/audit/tree"
)

// A list of a directory has what symbolic links point to, but not if that is missing, or outside of the tree.
func TestLinks(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(dir, "root")
	os.MkdirAll(filepath.Join(root, "d"), 0o777)
	os.WriteFile(filepath.Join(root, "a"), nil, 0o666)
	os.WriteFile(filepath.Join(dir, "b"), nil, 0o666)
	for name, to := range map[string]string{"to-a": "a", "to-d": "d", "to-b": "../b", "to-nothing": "none"} {
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	got := NewTree(tree.Disk(), filepath.ToSlash(root), 1).List(filepath.ToSlash(root))
	for name, want := range map[string]fs.FileMode{"a": 0, "d": fs.ModeDir, "to-a": fs.ModeSymlink, "to-d": fs.ModeSymlink | fs.ModeDir} {
		if mode, ok := got[name]; !ok || mode != want {
			t.Errorf("%s: %v %v, want %v", name, mode, ok, want)
		}
	}
	if len(got) != 4 {
		t.Errorf("%v", got)
	}
}
