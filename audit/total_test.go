package audit

import (
	"context"
	"testing"
	"testing/fstest"
)

// Total has the size of all documents, and none where one is compressed.
func TestTotal(t *testing.T) {
	tree := fstest.MapFS{
		"a.md":    {Data: []byte("[b](b.md)\n")},
		"b.md":    {Data: []byte("# b\n")},
		"c.bin":   {Data: []byte("xx")},
		"z/c.txt": {Data: []byte("c\n")},
	}
	for _, c := range []struct {
		add  string
		want int64
	}{{"", 16}, {"c.md.gz", -1}} {
		if c.add != "" {
			tree[c.add] = &fstest.MapFile{Data: []byte("x")}
		}
		var got []int64
		_, err := Run(context.Background(), Options{Tree: FS(tree), Total: func(n int64) { got = append(got, n) }}, func(*Finding) {})
		if err != nil || len(got) != 1 || got[0] != c.want {
			t.Errorf("%q: %v, %v, want %d", c.add, got, err, c.want)
		}
	}
}
