package audit

import (
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/audit/tree"
)

// lines returns the findings of an audit as lines.
func lines(t *testing.T, o Options) []string {
	t.Helper()
	var found []string
	report, err := Run(t.Context(), o, func(f *Finding) { found = append(found, f.String()) })
	must(t, err)
	for _, f := range report.Errors {
		found = append(found, fmt.Sprintf("error: %v", f.Err))
	}
	return found
}

func compareLines(t *testing.T, name string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func link(target string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte(target), Mode: fs.ModeSymlink | 0o777}
}

func text(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }

// An audit of a tree in memory finds the same as one of the disk: case, symbolic links,
// ignore files and configuration files count.
func TestInMemory(t *testing.T) {
	fsys := fstest.MapFS{
		"docs/a.md":        text("[b](b.md) [B](B.md) [c](sub/c.md#two) [d](dangling.md) [l](loop) [x](linked/c.md#one) [i](ignored.md)\n"),
		"docs/b.md":        text("# B\n[none](../none.md)\n"),
		"docs/sub/c.md":    text("# One\n"),
		"docs/dangling.md": link("nowhere.md"),
		"docs/loop":        link("loop"),
		"docs/linked":      link("/docs/sub"),
		"docs/ignored.md":  text("[none](none.md)"),
		".gitignore":       text("ignored.md\n"),
		".git/config":      text(""),
		"README.md":        text("[docs](docs)"),
	}
	compareLines(t, "tree", lines(t, Options{Tree: tree.FS(fsys)}),
		`docs/a.md:1:15: case mismatch: the file is "docs/b.md"; did you mean "b.md"? [case]`,
		`docs/a.md:1:25: "docs/sub/c.md" has no id "two" [missing-fragment]`,
		`docs/a.md:1:43: "docs/dangling.md" is a broken symbolic link [symlink]`,
		`docs/a.md:1:60: "docs/loop" is a circular symbolic link [symlink]`,
		`docs/b.md:2:8: no such file: "none.md" [missing-file]`,
	)
	compareLines(t, "directory", lines(t, Options{Tree: tree.FS(fsys), Dir: "/docs", Paths: []string{"b.md", "none"}, NoIgnore: true}),
		`b.md:2:8: no such file: "/none.md" [missing-file]`, `error: input: "none": file does not exist`)
}

// Edited, renamed and added files are audited as they will be.
func TestOverlay(t *testing.T) {
	base := tree.FS(fstest.MapFS{
		"a.md":     text("[b](d/b.md#b) [c](c.md)"),
		"d/b.md":   text("# B\n[a](../a.md)\n"),
		"d/e/c.md": text("# C"),
	})
	tree := tree.NewOverlay(base)
	audit := func() []string { return lines(t, Options{Tree: tree}) }
	compareLines(t, "unchanged", audit(), `a.md:1:19: no such file: "c.md"; did you mean "d/e/c.md"? [missing-file]`)
	tree.Write("/c.md", []byte("[x](x.md)"))
	compareLines(t, "added", audit(), `c.md:1:5: no such file: "x.md" [missing-file]`)
	must(t, tree.Rename("/d/b.md", "/new/dir/b.md"))
	tree.Write("/c.md", []byte("nothing"))
	compareLines(t, "moved", audit(),
		`a.md:1:5: no such file: "d/b.md"; did you mean "new/dir/b.md#b"? [missing-file]`,
		`new/dir/b.md:2:5: no such file: "new/a.md"; did you mean "../../a.md"? [missing-file]`)
	must(t, tree.Rename("/d", "/f"))
	tree.Write("/a.md", []byte("[b](new/dir/b.md#b) [c](f/e/c.md#c) [d](d/e/c.md)"))
	compareLines(t, "a directory", audit()[:1], `a.md:1:41: no such file: "d/e/c.md" [missing-file]`) // its own reference contests the other
}

// An audit does not depend on the working directory if Dir is set.
func TestDir(t *testing.T) {
	dir := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(dir, "docs"), 0o777))
	must(t, os.WriteFile(filepath.Join(dir, "docs", "a.md"), []byte("[x](x.md) [r](/r.md)"), 0o666))
	t.Chdir(t.TempDir())
	o := Options{Dir: filepath.ToSlash(dir), Paths: []string{"docs"}, Root: "docs", Outputs: []string{"docs/b.md"}}
	compareLines(t, "docs", lines(t, o),
		`docs/a.md:1:5: no such file: "docs/x.md" [missing-file]`, `docs/a.md:1:15: no such file: "docs/r.md" [missing-file]`)
	_, err := Run(t.Context(), o, func(f *Finding) {
		if _, err := os.Stat(f.Path); err != nil {
			t.Error(err)
		}
	})
	must(t, err)
}

// An audit ends with its context, also while a document is read.
func TestCancel(t *testing.T) {
	fsys := fstest.MapFS{}
	for i := range 100 {
		fsys[fmt.Sprintf("%d.md", i)] = text("[x](x.md)")
	}
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	_, err := Run(ctx, Options{Tree: tree.FS(fsys)}, func(*Finding) {
		n++
		cancel()
	})
	if !errors.Is(err, context.Canceled) || n != 1 {
		t.Errorf("%v after %d findings", err, n)
	}
	ctx, cancel = context.WithCancel(t.Context())
	_, err = Run(ctx, Options{Tree: tree.FS(fsys), Progress: func(int) { cancel() }}, func(*Finding) { t.Error("a finding") })
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// The formats of importing programs are audited.
func TestFormats(t *testing.T) {
	links := extract.Format{
		Types: []string{"text/x-links"}, Suffixes: []string{".links"}, Audit: extract.Always,
		Scan: func(src []byte, _ *extract.Config, _ extract.Context) iter.Seq[*scan.Item] {
			return func(yield func(*scan.Item) bool) {
				yield(&scan.Item{Op: scan.Ref, Kind: scan.Link, How: scan.Attribute, Span: scan.Span{Start: 0, End: len(src)}, Value: src})
			}
		},
	}
	tree := tree.FS(fstest.MapFS{"a.links": text("x.md"), "b.unknown": text("x.md")})
	compareLines(t, "links", lines(t, Options{Tree: tree, Formats: []extract.Format{links}}),
		`a.links:1:1: no such file: "x.md" [missing-file]`)
}

// Nothing in this package and those below it calls the operating system.
func TestImports(t *testing.T) {
	files, err := filepath.Glob("*.go")
	must(t, err)
	below, err := filepath.Glob("*/*.go")
	must(t, err)
	for _, name := range append(files, below...) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		must(t, err)
		for _, i := range f.Imports {
			if i.Path.Value == `"os"` || strings.HasPrefix(i.Path.Value, `"os/`) {
				t.Errorf("%s imports %s", name, i.Path.Value)
			}
		}
	}
}
