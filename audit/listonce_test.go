package audit

import (
	"context"
	"io/fs"
	"sync"
	"testing"
	"testing/fstest"
)

// countedLists is a Tree that counts how often each directory is listed.
type countedLists struct {
	Tree
	mu     sync.Mutex
	counts map[string]int
}

func (t *countedLists) ReadDir(name string) ([]fs.DirEntry, error) {
	t.mu.Lock()
	t.counts[name]++
	t.mu.Unlock()
	return t.Tree.ReadDir(name)
}

// TestListOnce checks that an audit lists no directory twice, under one name or two.
func TestListOnce(t *testing.T) {
	files := fstest.MapFS{
		"mkdocs.yml":       {Data: []byte("site_name: x\n")},
		"docs/index.md":    {Data: []byte("[a](sub/a.md) [b](sub/B.md)\n")},
		"docs/sub/a.md":    {Data: []byte("[c](../../other/c.md)\n")},
		"docs/sub/d/e.png": {},
		"other/c.md":       {Data: []byte("[x](gone/x.md)\n")},
	}
	overlay := NewOverlay(FS(files))
	overlay.Write("/docs/new.md", []byte("[a](sub/a.md)\n"))
	for _, tree := range []Tree{FS(files), overlay} {
		counted := &countedLists{Tree: tree, counts: map[string]int{}}
		if _, err := Run(context.Background(), Options{Tree: counted, Jobs: 2}, nil); err != nil {
			t.Fatal(err)
		}
		if len(counted.counts) < 4 {
			t.Errorf("listed only %v", counted.counts)
		}
		for name, n := range counted.counts {
			if n != 1 {
				t.Errorf("%s was listed %d times", name, n)
			}
		}
	}

	counted := &countedLists{Tree: FS(files), counts: map[string]int{}}
	once := &listOnce{Tree: counted, dir: "/docs"}
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
