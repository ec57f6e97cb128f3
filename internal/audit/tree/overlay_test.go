package tree

import (
	"errors"
	"io"
	"io/fs"
	"testing"
	"testing/fstest"
)

// An Overlay is a file system with its changes.
func TestOverlay(t *testing.T) {
	o := NewOverlay(FS(fstest.MapFS{"a.md": {Data: []byte("a")}, "d/b.md": {Data: []byte("b")}, "d/e/c.md": {Data: []byte("c")}}))
	o.Write("/c.md", []byte("changed"))
	if err := errors.Join(o.Rename("/d/b.md", "/new/dir/b.md"), o.Rename("/d", "/f")); err != nil {
		t.Fatal(err)
	}
	if text, err := fs.ReadFile(dirFS{o}, "f/e/c.md"); string(text) != "c" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	o.Write("/a.md", []byte("changed"))
	o.Remove("/f")
	if _, err := o.Open("/f/e/c.md"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if err := o.Rename("/f", "/g"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if err := fstest.TestFS(dirFS{o}, "a.md", "c.md", "new/dir/b.md"); err != nil {
		t.Error(err)
	}
}

// dirFS is a Tree as an fs.FS.
type dirFS struct{ tree Tree }

func (d dirFS) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	f, err := d.tree.Open("/" + name)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		list, err := d.tree.ReadDir("/" + name)
		return &dirFile{f, list}, err
	}
	return f, nil
}

// dirFile is a directory that is open.
type dirFile struct {
	fs.File
	list []fs.DirEntry
}

func (d *dirFile) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		n = len(d.list)
	} else if len(d.list) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(d.list))
	list := d.list[:n]
	d.list = d.list[n:]
	return list, nil
}

// Links point to a file written into an Overlay, as they did to the file that it replaces.
func TestOverlayReal(t *testing.T) {
	o := NewOverlay(FS(fstest.MapFS{"docs/a.md": {}, "linked": {Data: []byte("docs"), Mode: fs.ModeSymlink | 0o777}}))
	o.Write("/linked/a.md", nil)
	o.Write("/linked/new/b.md", nil)
	o.Write("/made/c.md", nil)
	for name, want := range map[string]string{"/linked/a.md": "/docs/a.md", "/linked/new/b.md": "/docs/new/b.md", "/made/c.md": "/made/c.md", "/docs/a.md": "/docs/a.md"} {
		if got, err := o.Real(name); got != want || err != nil {
			t.Errorf("%s: got %s, %v, want %s", name, got, err, want)
		}
	}
}
