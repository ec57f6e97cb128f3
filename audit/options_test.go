package audit_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"example.org/refract/audit"
	"example.org/refract/extract"
)

// A wrong option is an error: an audit without findings would hide it.
func TestWrongOptions(t *testing.T) {
	tree := audit.FS(fstest.MapFS{"docs/a.md": {Data: []byte("[x](none.md)\n")}})
	for _, tt := range []struct {
		o    audit.Options
		want string
	}{
		{audit.Options{Only: []audit.Rule{"mising-file"}}, `audit: Only "mising-file": did you mean "missing-file"`},
		{audit.Options{Without: []audit.Rule{audit.Case, "Case"}}, `audit: Without "Case": did you mean "case"?`},
		{audit.Options{Without: []audit.Rule{""}}, `audit: Without "": give one of `},
		{audit.Options{Dir: "/none"}, `audit: Dir "/none": file does not exist: name the directory of the documents`},
		{audit.Options{Dir: "none"}, `audit: Dir "none": file does not exist: name the directory`},
		{audit.Options{Dir: "docs/a.md"}, `audit: Dir "docs/a.md": not a directory: to audit one file, name it in Paths`},
		{audit.Options{Globs: []string{"*.md", "[a"}}, `audit: Globs "[a": [ is not closed: write \[ for the character`},
		{audit.Options{Globs: []string{"a{b"}}, `audit: Globs "a{b": { is not closed`},
		{audit.Options{Globs: []string{"[z-a]"}}, `audit: Globs "[z-a]": `},
		{audit.Options{Ignore: []string{"[a"}}, `audit: Ignore "[a": [ is not closed`},
		{audit.Options{Paths: []string{}}, `audit: Paths []: nothing to audit: name files or directories, or leave it nil for Dir`},
		{audit.Options{Paths: []string{"docs", ""}}, `audit: Paths "": name a file or directory: "." is Dir`},
		{audit.Options{Jobs: -1}, `audit: Jobs -1: must not be negative`},
		{audit.Options{Slugs: "githup"}, `audit: Slugs "githup": did you mean "github"?`},
		{audit.Options{Generator: "jeky"}, `audit: Generator "jeky": did you mean "Jekyll"?`},
		{audit.Options{Suffixes: []string{"md"}}, `audit: Suffixes "md": give suffixes with their dot`},
		{audit.Options{Root: "none"}, `audit: Root: "none": file does not exist`},
		{audit.Options{Roots: []audit.Root{{Below: "docs", Dir: "none"}}}, `audit: Roots: "none": file does not exist`},
		{audit.Options{Forbid: []audit.ForbidEntry{{Match: "("}}}, `audit: Forbid "(": error parsing regexp`},
		{audit.Options{Forbid: []audit.ForbidEntry{{}}}, `audit: Forbid "": an empty pattern forbids everything`},
		{audit.Options{Forbid: []audit.ForbidEntry{{Hosts: []string{"*.h"}}}}, `audit: Forbid "*.h": give the name of a host`},
		{audit.Options{Overrides: []audit.Override{{}}}, `audit: Overrides: files is missing`},
		{audit.Options{Overrides: []audit.Override{{Files: []string{"a"}}}}, `audit: Overrides "a": rules is missing`},
		{audit.Options{Overrides: []audit.Override{{Files: []string{"a{"}, Rules: map[audit.Rule]audit.Level{audit.Case: audit.LevelOff}}}}, `audit: Overrides "a{": { is not closed`},
		{audit.Options{Overrides: []audit.Override{{Files: []string{"a"}, Rules: map[audit.Rule]audit.Level{"cas": audit.LevelOff}}}}, `audit: Overrides "cas": did you mean "case"`},
		{audit.Options{Overrides: []audit.Override{{Files: []string{"a"}, Rules: map[audit.Rule]audit.Level{audit.Case: "warning"}}}}, `audit: Overrides "warning": give one of off, note, error`},
		{audit.Options{Sites: []audit.Site{{URL: "docs", Dir: "docs"}}}, `audit: Sites "docs": give an http or https URL`},
		{audit.Options{Sites: []audit.Site{{URL: "http://h/", Dir: "none"}}}, `audit: Sites "http://h/": "none": file does not exist`},
		{audit.Options{Built: []audit.Site{{URL: "https://h/"}}}, `audit: Built "https://h/": give a directory, or URL=DIR`},
		{audit.Options{Built: []audit.Site{{Dir: "none"}}}, `audit: Built "none": file does not exist`},
		{audit.Options{Formats: []extract.Format{{}}}, `audit: Formats[0]: has no Types`},
		{audit.Options{Containers: []extract.Container{{Types: []string{"a/b"}, Suffixes: []string{"zip"}}}}, `audit: Containers[0].Suffixes "zip": `},
	} {
		tt.o.Tree = tree
		r, err := audit.Run(t.Context(), tt.o, func(f *audit.Finding) { t.Errorf("%s: %v", tt.want, f) })
		if r != nil || err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("got  %v\nwant %s…", err, tt.want)
		}
	}
	for _, o := range []audit.Options{
		{Dir: "docs"}, {Dir: "/docs/"}, {Dir: "/"}, {Dir: "."}, {Paths: []string{"."}}, {Slugs: "auto"}, {Generator: "none"}, {Globs: []string{"*.md", "!b"}},
	} {
		o.Tree = tree
		r, err := audit.Run(t.Context(), o, nil)
		if err != nil || r.Findings != 1 {
			t.Errorf("%+v: %v", r, err)
		}
	}
}

// Each option about places is that of the engine.
func TestPlaces(t *testing.T) {
	tree := audit.FS(fstest.MapFS{
		"en/a.md": {Data: []byte("[x](/b.md) [y](http://h/) [z](https://s.h/) [m](mailto:x@y)\n")}, "en/b.md": {}, "drafts/a.md": {Data: []byte("[x](none.md)\n")},
	})
	o := audit.Options{
		Tree: tree, Roots: []audit.Root{{Below: "en", Dir: "en"}},
		Forbid:    []audit.ForbidEntry{{Match: "^http:", Message: "use https"}, {Hosts: []string{".h"}}, {Match: "^mailto:"}},
		Overrides: []audit.Override{{Files: []string{"a.md"}, Dir: "drafts", Rules: map[audit.Rule]audit.Level{audit.MissingFile: audit.LevelNote}}},
	}
	var got []string
	r, err := audit.Run(t.Context(), o, func(f *audit.Finding) { got = append(got, string(f.Level)+" "+f.String()) })
	want := []string{
		`note drafts/a.md:1:5: no such file: "drafts/none.md" [missing-file]`, `error en/a.md:1:16: use https: "http://h/" [forbidden]`,
		`error en/a.md:1:31: a forbidden host: "https://s.h/" [forbidden]`, `error en/a.md:1:49: matches "^mailto:": "mailto:x@y" [forbidden]`,
	}
	if err != nil || !slices.Equal(got, want) || r.NoteFindings != 1 || r.Findings != 4 {
		t.Errorf("%v, %+v\ngot  %q\nwant %q", err, r, got, want)
	}
}

// The same on the disk, where the error of the system is kept.
func TestWrongDir(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.md")
	if err := os.WriteFile(file, []byte("[x](none.md)\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	none := filepath.ToSlash(filepath.Join(dir, "none"))
	if _, err := audit.Run(t.Context(), audit.Options{Dir: none}, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s: %v", none, err)
	}
	if _, err := audit.Run(t.Context(), audit.Options{Dir: filepath.ToSlash(file)}, nil); err == nil || !strings.Contains(err.Error(), "not a directory") {
		t.Errorf("%s: %v", file, err)
	}
}

// A build decides about references of which a model knows nothing.
func TestBuilt(t *testing.T) {
	tree := audit.FS(fstest.MapFS{
		"docs/a.md":         {Data: []byte("# The first page\n\n[b](../b/) [gone](../gone/) [id](../b/#made)\n")},
		"docs/b.md":         {Data: []byte("# The second page\n")},
		"out/a/index.html":  {Data: []byte("<main><h1>The first page</h1><a href='../b/'>b</a> <a href='../gone/'>gone</a> <a href='../b/#made'>id</a></main>")},
		"out/b/index.html":  {Data: []byte("<main><h1 id=made>The second page</h1></main>")},
		"none/readme.plain": {},
	})
	var got []string
	o := audit.Options{Tree: tree, Generator: "none", Built: []audit.Site{{URL: "https://h.example/", Dir: "out"}}}
	r, err := audit.Run(t.Context(), o, func(f *audit.Finding) { got = append(got, f.String()) })
	if want := `docs/a.md:3:19: no such file: "out/gone" [missing-file]`; err != nil || len(got) != 1 || !strings.HasPrefix(got[0], "docs/a.md:3:19: ") || len(r.Errors) > 0 {
		t.Errorf("got  %q, %v\nwant %s", got, err, want)
	}
	o.Built[0].Dir = "none"
	r, err = audit.Run(t.Context(), o, nil)
	if err != nil || len(r.Errors) != 1 || r.Errors[0].File != "none" {
		t.Errorf("without pages: %+v, %v", r, err)
	}
}
