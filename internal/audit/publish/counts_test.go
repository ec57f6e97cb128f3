package publish

import (
	"testing"
	"testing/fstest"

	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

// A directory is made if enough references point to enough pages, of which hardly any exist.
func TestIsMade(t *testing.T) {
	for _, tt := range []struct {
		count *MadeCount
		base  string
		want  bool
	}{
		{nil, "/", false},
		{&MadeCount{All: 20, Missing: 20, Pages: 5}, "/", true},
		{&MadeCount{All: 19, Missing: 19, Pages: 5}, "/", false},
		{&MadeCount{All: 20, Missing: 20, Pages: 4}, "/", false},
		{&MadeCount{All: 30, Missing: 27, Pages: 5}, "/", true},
		{&MadeCount{All: 31, Missing: 27, Pages: 5}, "/", false},
		{&MadeCount{All: 20, Missing: 20, Pages: 5}, "/api/v1/", false}, // where the whole site is
	} {
		if got := tt.count.IsMade(&site.Site{Tree: source.NewTree(tree.Disk(), t.TempDir(), 1), Address: site.Address{Base: tt.base}}, "/api/"); got != tt.want {
			t.Errorf("%+v, site at %s: %v", tt.count, tt.base, got)
		}
	}
}

// What is audited in no repository is part of the project around it, if there is one. The root of a file system is none.
func TestAround(t *testing.T) {
	files := tree.NewListings(tree.FS(fstest.MapFS{
		"README.md": {}, "docs/a.md": {},
		"packed/go.mod": {}, "packed/docs/a.md": {},
		"told/LICENSE": {}, "told/docs/a.md": {},
		"bare/x.md": {}, "bare/docs/a.md": {},
	}))
	l := &Layouts{projects: tree.NewProjects(files), Finder: site.NewFinder(tree.FS(fstest.MapFS{}), nil, "")}
	for dir, want := range map[string]string{
		"/docs": "/docs", "/packed/docs": "/packed", "/told/docs": "/told", "/bare/docs": "/bare/docs", "/": "/",
	} {
		if got := l.around(dir); got != want {
			t.Errorf("%s is part of %s, want %s", dir, got, want)
		}
	}
}
