package tree

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

// A path is followed letter by letter, also on file systems that ignore case.
func TestAt(t *testing.T) {
	l := NewListings(NewConfined(FS(fstest.MapFS{
		"r/.git":              {},
		"r/README.md":         {},
		"r/docs/a.md":         {},
		"r/docs/Caf\u00e9.md": {},
		"r/docs/Two.md":       {},
		"r/docs/two.MD":       {},
		"r/link":              link("docs"),
		"r/loop":              link("loop"),
		"r/gone":              link("none"),
		"r/out":               link("../home"),
		"home/x.md":           {},
	}), "/r", nil, nil))
	kinds := map[placeKind]string{IsMissing: "missing", IsFile: "file", IsDirectory: "directory", IsDangling: "dangling", IsLoop: "loop", IsOutside: "outside"}
	for _, test := range []struct{ path, want string }{
		{"README.md", "file /r/README.md in /r"},
		{"readme.MD", "file /r/README.md respelled in /r"},
		{"docs", "directory /r/docs in /r"},
		{"DOCS/A.md", "file /r/docs/a.md respelled in /r/docs"},
		{"docs/cafe\u0301.md", "file /r/docs/Caf\u00e9.md respelled in /r/docs"},
		{"docs/Cafe\u0301.md", "file /r/docs/Caf\u00e9.md respelled composed in /r/docs"},
		{"Docs/Cafe\u0301.md", "file /r/docs/Caf\u00e9.md respelled in /r/docs"},
		{"docs/TWO.md", "file /r/docs/Two.md respelled in /r/docs"}, // the first in order of bytes
		{"docs/none.md", "missing /r/docs/none.md in /r/docs"},
		{"none/a.md", "missing /r/none/a.md"},
		{"README.md/a.md", "missing /r/README.md/a.md"},
		{"link", "directory /r/link linked in /r"},
		{"link/a.md", "file /r/link/a.md linked in /r/link"},
		{"gone", "dangling /r/gone linked in /r"},
		{"loop", "loop /r/loop linked in /r"},
		{"out", "outside /r/out linked in /r"},
		{"out/x.md", "outside /r/out linked in /r"},
	} {
		p := l.At("/r", strings.Split(test.path, "/"))
		got := kinds[p.Kind] + " " + p.Path
		if p.Respel {
			got += " respelled"
		}
		if p.Norm {
			got += " composed"
		}
		if p.Linked {
			got += " linked"
		}
		if p.In != nil {
			got += " in " + p.In.path
		}
		if got != test.want {
			t.Errorf("%s: got %s, want %s", test.path, got, test.want)
		}
	}
	if p := l.At("/home", []string{"x.md"}); p.Kind != IsOutside {
		t.Error("a directory outside:", kinds[p.Kind])
	}
	if !l.Exists("/r/docs/a.md") || l.Exists("/r/docs/none.md") || l.Exists("") {
		t.Error("Exists is wrong")
	}
}

func TestSameStem(t *testing.T) {
	l := NewListings(FS(fstest.MapFS{"a.md": {}, "b.md": {}, "b.html": {}, "c/x": {}, ".d": {}, "e": {}, "f": link("e")})).List("")
	for name, want := range map[string]string{"a.html": "a.md", "a.md": "", "b.rst": "", "c.md": "", ".d.md": ".d", "e.md": "e", "f.md": "", "none.md": ""} {
		got, ok := l.SameStem(name)
		if got != want || ok != (want != "") {
			t.Errorf("%s: got %q, %v, want %q", name, got, ok, want)
		}
	}
}

// hidden is a Tree with a directory that cannot be listed.
type hidden struct {
	Tree
	dir string
}

func (h hidden) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == h.dir {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrPermission}
	}
	return h.Tree.ReadDir(name)
}

func (h hidden) Lstat(name string) (fs.FileInfo, error) {
	if strings.HasSuffix(name, "/secret") {
		return nil, &fs.PathError{Op: "lstat", Path: name, Err: fs.ErrPermission}
	}
	return h.Tree.Lstat(name)
}

// Of a directory that cannot be listed, single names are looked up. What may not be looked at may exist.
func TestHidden(t *testing.T) {
	l := NewListings(hidden{FS(fstest.MapFS{"d/a.md": {}, "d/e/f.md": {}}), "/d"})
	for name, want := range map[string]placeKind{"a.md": IsFile, "A.md": IsMissing, "e": IsDirectory, "secret": IsFile} {
		if p := l.At("/d", []string{name}); p.Kind != want {
			t.Errorf("%s: %d, want %d", name, p.Kind, want)
		}
	}
	for name, want := range map[string]bool{"/d/a.md": true, "/d/none": false, "/d/e/f.md": true, "/d/e/secret": true, "/d/e/g.md": false} {
		dir, base := name[:strings.LastIndexByte(name, '/')], name[strings.LastIndexByte(name, '/')+1:]
		if l.Has(dir, base) != want {
			t.Errorf("Has(%q, %q) is %v", dir, base, !want)
		}
	}
	if l.known("/d/e") != nil {
		t.Error("Has listed a directory")
	}
}

// Repositories and packages bound what "/x" may mean.
func TestProjects(t *testing.T) {
	p := NewProjects(NewListings(FS(fstest.MapFS{
		"repo/.git/HEAD":             {},
		"repo/docs/LICENSE":          {},
		"repo/sub/go.mod":            {},
		"release/pkg/package.json":   {},
		"release/pkg/docs/README.md": {},
		"release/docs/a.md":          {},
	})))
	for _, test := range []struct{ dir, repository, boundary, packages, holder string }{
		{"/repo/docs", "/repo", "/repo", "/repo", "/repo"},
		{"/repo/sub/docs", "/repo", "/repo", "/repo", "/repo/sub"},
		{"/repo", "/repo", "/repo", "/repo", "/repo"},
		{"/release/pkg/docs", "", "/release", "/release/pkg /release", "/release/pkg"},
		{"/release/docs", "", "/release", "/release", ""},
		{"/release", "", "/release", "/release", ""},
	} {
		got := []string{p.Repository(test.dir), p.Boundary(test.dir, "/release"), strings.Join(p.Packages(test.dir, "/release"), " "), p.Holder(test.dir)}
		if want := []string{test.repository, test.boundary, test.packages, test.holder}; strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("%s: got %q, want %q", test.dir, got, want)
		}
	}
	for dir, want := range map[string]bool{"/repo/docs": true, "/release/pkg/docs": true, "/repo/sub": false} {
		if p.IsDescribed(dir) != want {
			t.Errorf("%s: IsDescribed is %v", dir, !want)
		}
	}
	root := NewProjects(NewListings(FS(fstest.MapFS{".git": {}})))
	if got := root.Boundary("/a", "/a"); root.Repository("/a") != "/" || got != "" {
		t.Errorf("a repository at the root: %q, %q", root.Repository("/a"), got)
	}
}

func TestNames(t *testing.T) {
	for _, test := range []struct{ dir, name, want string }{
		{"/a", "b/../c", "/a/c"}, {"/a", "/b/", "/b"}, {"/a", ".", "/a"}, {"", "a", "/a"}, {"/", "/", ""}, {"/a", "..", ""},
	} {
		if got := Absolute(test.dir, test.name); got != test.want {
			t.Errorf("Absolute(%q, %q) = %q, want %q", test.dir, test.name, got, test.want)
		}
	}
	for _, test := range []struct {
		name, dir string
		want      bool
	}{
		{"/a/b", "/a", true}, {"/a", "/a", true}, {"/ab", "/a", false}, {"/a/b", "", true}, {"/a", "/", true}, {"/a", "/a/b", false},
	} {
		if Below(test.name, test.dir) != test.want {
			t.Errorf("Below(%q, %q) is %v", test.name, test.dir, !test.want)
		}
	}
	if err := Cause(&fs.PathError{Op: "open", Path: "/a", Err: fs.ErrNotExist}); err != fs.ErrNotExist {
		t.Error(err)
	}
	if err := errors.New("x"); Cause(err) != err {
		t.Error(Cause(err))
	}
}
