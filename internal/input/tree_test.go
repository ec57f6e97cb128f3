package input

import (
	"errors"
	"io/fs"
	"syscall"
	"testing"
	"testing/fstest"
)

func TestRootedLinks(t *testing.T) {
	link := func(to string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(to), Mode: fs.ModeSymlink} }
	tree := Rooted{FS: fstest.MapFS{
		"a/b/c.md":    {},
		"a/d.md":      {},
		"near":        link("a/b"),
		"up":          link("near/../d.md"), // d.md beside the directory to which near leads
		"root":        link("/a"),
		"above":       link("../../a/d.md"),
		"self":        link("self"),
		"a/b/sibling": link("../d.md"),
		"none":        link("a/none"),
	}}
	for _, tt := range []struct {
		name, want string
		err        error
	}{
		{"/near/c.md", "/a/b/c.md", nil},
		{"up", "/a/d.md", nil},
		{"root/b/sibling", "/a/d.md", nil},
		{"above", "/a/d.md", nil},
		{"near/../a/d.md", "/a/d.md", nil},
		{"", "/", nil},
		{"self", "", syscall.ELOOP},
		{"none", "", fs.ErrNotExist},
	} {
		got, err := tree.Real(tt.name)
		if got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%s: %s, %v; want %s, %v", tt.name, got, err, tt.want, tt.err)
		}
	}
}
