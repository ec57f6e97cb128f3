package audit

import (
	"context"
	"testing"
	"testing/fstest"

	"example.org/refract/internal/audit/tree"
)

// Total gets the size of all documents, or -1 if one is compressed.
func TestTotal(t *testing.T) {
	fsys := fstest.MapFS{
		"a.md":    {Data: []byte("[b](b.md)\n")},
		"b.md":    {Data: []byte("# b\n")},
		"c.bin":   {Data: []byte("xx")},
		"z/c.txt": {Data: []byte("c\n")},
		"d.md.gz": {Data: []byte("x")},
	}
	for _, c := range []struct {
		paths []string
		want  int64
	}{{nil, 16}, {[]string{"a.md", "d.md.gz"}, -1}} {
		var got []int64
		_, err := Run(context.Background(), Options{Tree: tree.FS(fsys), Paths: c.paths, Total: func(n int64) { got = append(got, n) }}, func(*Finding) {})
		if err != nil || len(got) != 1 || got[0] != c.want {
			t.Errorf("%v: %v, %v, want %d", c.paths, got, err, c.want)
		}
	}
}
