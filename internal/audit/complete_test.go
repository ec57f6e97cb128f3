package audit

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"example.org/refract/internal/audit/tree"
)

var completing = fstest.MapFS{
	"t/.git/HEAD":                {},
	"t/vault/.obsidian/app.json": {Data: []byte("{}")},
	"t/vault/a.md":               {Data: []byte("# A\n\n## Own depth\n")},
	"t/vault/x y/deep.md":        {Data: []byte("# The Depths\n\n## Far #1\n\n## Far below\n\n## Far below\n")},
	"t/vault/x y/more/b.md":      {Data: []byte("# Depth of B\n")},
	"t/vault/other/b.md":         {Data: []byte("text\n")},
	"t/site/mkdocs.yml":          {Data: []byte("site_name: x\n")},
	"t/site/docs/index.md":       {Data: []byte("# Index\n")},
	"t/site/docs/guide/setup.md": {Data: []byte("# Set up\n\n## Install\n")},
	"t/plain/c.md":               {Data: []byte("# Plain\n")},
	"t/plain/sub/depth.md":       {Data: []byte("# C\n")},
}

// What is offered for a reference that is being written leads where it says: pages and headings by what has been typed, the closest
// first, and notes only where [[…]] is a reference.
func TestCompletions(t *testing.T) {
	r, err := Run(t.Context(), Options{Tree: tree.FS(completing), Dir: "/t"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	list := func(all []Completion, more bool) string {
		var refs []string
		for _, c := range all {
			s := c.Ref + " is " + c.File
			if c.Line > 0 {
				s += fmt.Sprint(":", c.Line)
			}
			if !strings.HasSuffix(c.Path, "/"+c.File) || c.Match != c.Name && c.Match != c.Title {
				t.Errorf("%+v", c)
			}
			refs = append(refs, s)
		}
		if more {
			refs = append(refs, "…")
		}
		return strings.Join(refs, "; ")
	}
	a, c, deep := r.View("/t/vault/a.md", []byte("# A\n\n## Own depth\n")), r.View("/t/plain/c.md", nil), r.View("/t/vault/x y/deep.md", completing["t/vault/x y/deep.md"].Data)
	index, setup := r.View("/t/site/docs/index.md", nil), r.View("/t/site/docs/guide/setup.md", completing["t/site/docs/guide/setup.md"].Data)
	for _, tt := range []struct {
		name string
		got  string
		want string
	}{
		{"pages of a site", list(index.Pages(r, "set", 0, 8)), "guide/setup.md is site/docs/guide/setup.md"},
		{"pages above", list(setup.Pages(r, "index", 0, 8)), "../index.md is site/docs/index.md"},
		{"headings of a site", list(index.Headings(r, "inst", 0, 8)), "guide/setup.md#install is site/docs/guide/setup.md:3"},
		{"pages by name and title", list(a.Pages(r, "DEP", 0, 8)), "x%20y/deep.md is vault/x y/deep.md; x%20y/more/b.md is vault/x y/more/b.md"},
		{"pages by name", list(a.Pages(r, "b", 0, 8)), "other/b.md is vault/other/b.md; x%20y/more/b.md is vault/x y/more/b.md"},
		{"the first of the pages", list(a.Pages(r, "b", 0, 1)), "other/b.md is vault/other/b.md; …"},
		{"no page", list(a.Pages(r, "zzz", 0, 8)), ""},
		{"pages of the same directory", list(c.Pages(r, "plain", 0, 8)), ""},
		{"headings", list(a.Headings(r, "depth", 0, 8)), "#own-depth is vault/a.md:3; x%20y/deep.md#the-depths is vault/x y/deep.md:1; x%20y/more/b.md#depth-of-b is vault/x y/more/b.md:1"},
		{"equal headings", list(c.Headings(r, "far below", 0, 8)), "../vault/x%20y/deep.md#far-below is vault/x y/deep.md:5; ../vault/x%20y/deep.md#far-below-1 is vault/x y/deep.md:7"},
		{"the first of the headings", list(a.Headings(r, "depth", 0, 2)), "#own-depth is vault/a.md:3; x%20y/deep.md#the-depths is vault/x y/deep.md:1; …"},
		{"own headings", list(deep.Headings(r, "far b", 0, 8)), "#far-below is vault/x y/deep.md:5; #far-below-1 is vault/x y/deep.md:7"},
		{"notes", list(a.Notes(r, "DEEP", 0, 8)), "deep is vault/x y/deep.md"},
		{"a note whose name two have", list(a.Notes(r, "b", 0, 8)), "b is vault/other/b.md"},
		{"no notes", list(c.Notes(r, "deep", 0, 8)), ""},
		{"headings of a note", list(a.NoteHeadings("deep", 0), false), "The Depths is vault/x y/deep.md:1; Far below is vault/x y/deep.md:5; Far below is vault/x y/deep.md:7"},
		{"headings of no note", list(a.NoteHeadings("none", 0), false), ""},
		{"headings of a note without notes", list(c.NoteHeadings("deep", 0), false), ""},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %s\nwant %s", tt.name, tt.got, tt.want)
		}
	}
}

// The ids of a page are offered for a reference as the generator reads it.
func TestAnchorsOfSite(t *testing.T) {
	r, err := Run(t.Context(), Options{Tree: tree.FS(completing), Dir: "/t"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	names := r.View("/t/site/docs/index.md", []byte("[x](guide/setup.md#)\n")).Anchors("guide/setup.md", 19)
	if len(names) != 2 || names[1].Ref != "install" {
		t.Errorf("%+v", names)
	}
}

// Names are spelled as in the tree, where it ignores case.
func TestSpell(t *testing.T) {
	o := Options{Tree: tree.FS(caseless{fstest.MapFS{"Docs/Guide.md": {}, "Out/x.html": {}}}), Dir: "/docs", Paths: []string{"guide.MD", "/DOCS"}, Sites: []Site{{"https://h.example/", "../OUT"}}}
	o.Spell()
	if o.Dir != "/Docs" || !slices.Equal(o.Paths, []string{"Guide.md", "/Docs"}) || o.Sites[0].Dir != "../Out" {
		t.Errorf("%+v", o)
	}
}

// caseless is a file system that ignores the case of ASCII letters.
type caseless struct{ fstest.MapFS }

func (c caseless) is(name string) string {
	for other := range c.MapFS {
		for ; other != "."; other = path.Dir(other) {
			if strings.EqualFold(other, name) {
				return other
			}
		}
	}
	return name
}

func (c caseless) Open(name string) (fs.File, error) { return c.MapFS.Open(c.is(name)) }

func (c caseless) Stat(name string) (fs.FileInfo, error) { return c.MapFS.Stat(c.is(name)) }

func (c caseless) Lstat(name string) (fs.FileInfo, error) { return c.MapFS.Lstat(c.is(name)) }

func (c caseless) ReadDir(name string) ([]fs.DirEntry, error) { return c.MapFS.ReadDir(c.is(name)) }
