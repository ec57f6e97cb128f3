package tree

import (
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

// counting counts what a tree is asked.
type counting struct {
	Tree
	asked map[string]int
}

func (c *counting) Open(name string) (fs.File, error) {
	c.asked["open "+name]++
	return c.Tree.Open(name)
}

func (c *counting) ReadDir(name string) ([]fs.DirEntry, error) {
	c.asked["list "+name]++
	return c.Tree.ReadDir(name)
}

func (c *counting) Stat(name string) (fs.FileInfo, error) {
	c.asked["stat "+name]++
	return c.Tree.Stat(name)
}

func (c *counting) Lstat(name string) (fs.FileInfo, error) {
	c.asked["lstat "+name]++
	return c.Tree.Lstat(name)
}

func (c *counting) Real(name string) (string, error) {
	c.asked["real "+name]++
	return c.Tree.Real(name)
}

// contents returns the text of a file.
func contents(t *testing.T, tree Tree, name string) string {
	t.Helper()
	f, err := tree.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A Held asks once, also for what is not there, and shows what it has read after the file has changed.
func TestHeld(t *testing.T) {
	files := fstest.MapFS{"a/b.md": {Data: []byte("# B\n")}, "a/empty.md": {}, "a/large.md": {Data: make([]byte, maxHeldText+1)}}
	c := &counting{FS(files), map[string]int{}}
	h := Hold(c)
	for range 3 {
		text := contents(t, h, "/a/b.md")
		if text != "# B\n" {
			t.Errorf("%q", text)
		}
		files["a/b.md"].Data = []byte("# Changed\n")
		if n := len(contents(t, h, "/a/large.md")); n != maxHeldText+1 {
			t.Errorf("%d bytes of a large file", n)
		}
		if text := contents(t, h, "/a/empty.md"); text != "" {
			t.Errorf("%q in an empty file", text)
		}
		list, err := h.ReadDir("/a")
		if err != nil || len(list) != 3 {
			t.Errorf("%v, %v", list, err)
		}
		for _, ask := range []func(string) (fs.FileInfo, error){h.Stat, h.Lstat} {
			info, err := ask("/a/b.md")
			if err != nil || info.Name() != "b.md" {
				t.Errorf("%v, %v", info, err)
			}
			_, err = ask("/a/none")
			if !errors.Is(err, fs.ErrNotExist) {
				t.Error(err)
			}
		}
		real, err := h.Real("/a/b.md")
		if err != nil || real != "/a/b.md" {
			t.Errorf("%q, %v", real, err)
		}
	}
	for what, n := range c.asked {
		isHeld := !strings.HasSuffix(what, "large.md") && !strings.HasSuffix(what, "empty.md")
		if isHeld && n != 1 {
			t.Errorf("%s: asked %d times", what, n)
		}
	}
	if h.left != maxHeld-len("# B\n") {
		t.Errorf("%d bytes are left", h.left)
	}
}

// When there is no room, files are read as they are.
func TestHeldFull(t *testing.T) {
	h := Hold(FS(fstest.MapFS{"a": {Data: []byte("12345678")}, "b": {Data: []byte("12345678")}}))
	h.left = 9
	for range 2 {
		for _, name := range []string{"/a", "/b"} {
			if text := contents(t, h, name); text != "12345678" {
				t.Errorf("%q", text)
			}
		}
	}
	if h.left != 1 || len(h.texts) != 1 {
		t.Errorf("%d bytes left, %d texts", h.left, len(h.texts))
	}
}

// What depends on a text alone is made once for it, through whatever trees it is read, and for each text again that is not held.
func TestDerive(t *testing.T) {
	h := Hold(FS(fstest.MapFS{"a": {Data: []byte("12345678")}}))
	o := NewOverlay(h)
	err := o.Rename("/a", "/b")
	if err != nil {
		t.Fatal(err)
	}
	o.Write("/c", []byte("12345678"))
	type key int
	made := 0
	derived := func(name string, size int, k key) {
		tree := &ListOnce{Tree: NewConfined(o, "/", nil, nil)}
		f, err := tree.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		text := []byte("12345678")
		if held, ok := f.(interface{ Bytes() []byte }); ok {
			text = held.Bytes()
		}
		n := Derive(tree, text[:size], k, func() int { made++; return size })
		if n != size {
			t.Errorf("%s: %d, want %d", name, n, size)
		}
	}
	for _, test := range []struct {
		name string
		size int
		key  key
		want int
	}{{"/b", 8, 1, 1}, {"/b", 8, 1, 1}, {"/b", 4, 1, 2}, {"/b", 8, 2, 3}, {"/b", 0, 1, 4}, {"/b", 0, 1, 5}, {"/c", 8, 1, 6}, {"/c", 8, 1, 7}} {
		derived(test.name, test.size, test.key)
		if made != test.want {
			t.Errorf("%s, %d bytes, key %d: made %d times, want %d", test.name, test.size, test.key, made, test.want)
		}
	}
}
