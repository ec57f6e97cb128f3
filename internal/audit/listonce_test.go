package audit

import (
	"context"
	"io/fs"
	"sync"
	"testing"
	"testing/fstest"

	"example.org/refract/internal/audit/tree"
)

// countedLists is a Tree that counts how often each directory is listed.
type countedLists struct {
	tree.Tree
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
	overlay := tree.NewOverlay(tree.FS(files))
	overlay.Write("/docs/new.md", []byte("[a](sub/a.md)\n"))
	for _, tree := range []tree.Tree{tree.FS(files), overlay} {
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
}
