package tree

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"example.org/refract/internal/input"
)

func TestPlaces(t *testing.T) {
	link := func(to string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(to), Mode: fs.ModeSymlink | 0o777}
	}
	files := input.Rooted{FS: fstest.MapFS{
		"private/tmp/repo/docs/a.md": {}, "private/tmp/other/b.md": {}, "tmp": link("private/tmp"), "docs": link("private/tmp/repo/docs"),
		"private/tmp/repo/up": link("../repo"), "all": link("."),
	}}
	tests := []struct{ dir, name, want string }{
		{"/private/tmp/repo", "/tmp/repo/docs/a.md", "/private/tmp/repo/docs/a.md"},
		{"/tmp/repo", "/private/tmp/repo/docs/a.md", "/tmp/repo/docs/a.md"},
		{"/tmp/repo", "/private/tmp/repo", "/tmp/repo"},
		{"/tmp/repo/docs", "/private/tmp/repo/none/x", "/tmp/repo/none/x"},
		{"/tmp/repo", "/private/tmp/other/b.md", "/tmp/other/b.md"},
		{"/tmp/repo", "/all/private/tmp/other/b.md", "/private/tmp/other/b.md"}, // the root
		{"/docs", "/private/tmp/repo/docs/a.md", "/docs/a.md"},
		{"/docs", "/tmp/repo/docs/a.md", "/docs/a.md"},
		{"/docs", "/tmp/repo/up", "/tmp/repo/up"}, // above /docs, but not as it is written
		{"/private/tmp/repo/docs", "/docs/a.md", "/private/tmp/repo/docs/a.md"},
		{"/private/tmp/repo", "/private/tmp/repo/up/docs", "/private/tmp/repo/docs"},
		{"/", "/tmp/repo", "/private/tmp/repo"},
		{"/tmp/repo", "docs/a.md", "docs/a.md"},
		{"/tmp/repo", "/none/a.md", "/none/a.md"},
		{"/tmp/repo", "", ""},
		{"", "/tmp/repo", "/tmp/repo"},
	}
	for _, tt := range tests {
		if got := NewPlaces(files, tt.dir).Name(tt.name); got != tt.want {
			t.Errorf("%s in %s: %s, want %s", tt.name, tt.dir, got, tt.want)
		}
	}
	p := NewPlaces(files, "/all", "/tmp/repo", "/private/tmp/repo")
	if got := p.Name("/private/tmp/repo/docs"); got != "/tmp/repo/docs" {
		t.Errorf("a name of two that are known: %s", got)
	}
	p = NewPlaces(files, "/private")
	for _, tt := range []struct{ name, want string }{
		{"/tmp/other", "/private/tmp/other"},
		{"/docs", "/private/tmp/repo/docs"},
		{"/private/tmp/repo", "/private/tmp/repo"},
		{"/private/tmp/repo/up/docs", "/private/tmp/repo/up/docs"}, // the link is part of the tree
		{"docs", "docs"},
	} {
		if got := p.Argument(tt.name); got != tt.want {
			t.Errorf("argument %s: %s, want %s", tt.name, got, tt.want)
		}
	}
	if got := p.Name("/tmp/repo/docs/a.md"); got != "/private/tmp/repo/docs/a.md" {
		t.Errorf("after arguments: %s", got)
	}
}
