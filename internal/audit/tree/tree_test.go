package tree

import (
	"io/fs"
	"testing"
	"testing/fstest"
)

// countedLists is a Tree that counts how often each directory is listed.
type countedLists struct {
	Tree
	counts map[string]int
}

func (t *countedLists) ReadDir(name string) ([]fs.DirEntry, error) {
	t.counts[name]++
	return t.Tree.ReadDir(name)
}

// A ListOnce lists a directory once, by whatever name it is asked for.
func TestListOnce(t *testing.T) {
	files := fstest.MapFS{"docs/sub/a.md": {}, "docs/sub/d/e.png": {}}
	counted := &countedLists{FS(files), map[string]int{}}
	once := &ListOnce{Tree: counted, Dir: "/docs"}
	for _, name := range []string{"/docs/sub", "/docs/sub/", "sub/", "./sub"} {
		if list, err := once.ReadDir(name); len(list) != 2 || err != nil {
			t.Errorf("ReadDir(%q) = %v, %v", name, list, err)
		}
	}
	if len(counted.counts) != 1 || counted.counts["/docs/sub"] != 1 {
		t.Errorf("listed %v", counted.counts)
	}
	if _, err := once.ReadDir("gone"); err == nil {
		t.Error("a directory that does not exist has a list")
	}
}

// What a ListOnce forgets is listed again, and nothing else.
func TestForget(t *testing.T) {
	counted := &countedLists{FS(fstest.MapFS{"docs/out/a/b.html": {}, "docs/outer/c.html": {}}), map[string]int{}}
	once := &ListOnce{Tree: NewConfined(counted, "/docs", nil, nil), Dir: "/docs"}
	names := []string{"/docs/out", "/docs/out/a", "/docs/outer"}
	list := func() {
		for _, name := range names {
			if list, err := once.ReadDir(name); len(list) != 1 || err != nil {
				t.Errorf("ReadDir(%q) = %v, %v", name, list, err)
			}
		}
	}
	list()
	once.Forget("/docs/out")
	list()
	list()
	for i, name := range names {
		if want := 2 - i/2; counted.counts[name] != want {
			t.Errorf("%s was listed %d times, want %d", name, counted.counts[name], want)
		}
	}
}

// What is made in a directory after it was listed is seen once it is forgotten; without Confined, too.
func TestForgetPlaces(t *testing.T) {
	for _, isConfined := range []bool{true, false} {
		files := fstest.MapFS{"docs/out/a.md": {}, "docs/out/d/e.md": {}}
		under := FS(files)
		if isConfined {
			under = NewConfined(under, "/docs", []string{"/docs"}, nil)
		}
		once := &ListOnce{Tree: under, Dir: "/docs"}
		for _, dir := range []string{"/docs", "/docs/out", "/docs/out/d"} {
			if _, err := once.ReadDir(dir); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := once.Stat("/docs/out/new/x.md"); err == nil {
			t.Error("it is there before")
		}
		files["docs/out/new/x.md"] = &fstest.MapFile{}
		once.Forget("/docs/out")
		if _, err := once.Stat("/docs/out/new/x.md"); err != nil {
			t.Errorf("confined %v: %v", isConfined, err)
		}
		if list, err := once.ReadDir("/docs/out/new"); err != nil || len(list) != 1 {
			t.Errorf("confined %v: %v, %v", isConfined, list, err)
		}
	}
}
