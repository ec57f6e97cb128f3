package audit

import (
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io"
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
	tree := fstest.MapFS{
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
	compareLines(t, "tree", lines(t, Options{Tree: FS(tree)}),
		`docs/a.md:1:15: the name on disk is "docs/b.md", which differs in case; did you mean "b.md"? [case]`,
		`docs/a.md:1:25: "docs/sub/c.md" has no id "two" [missing-fragment]`,
		`docs/a.md:1:43: "docs/dangling.md" is a broken symbolic link [symlink]`,
		`docs/a.md:1:60: "docs/loop" is a circular symbolic link [symlink]`,
		`docs/b.md:2:8: no such file: "none.md" [missing-file]`,
	)
	compareLines(t, "directory", lines(t, Options{Tree: FS(tree), Dir: "/docs", Paths: []string{"b.md", "none"}, NoIgnore: true}),
		`b.md:2:8: no such file: "/none.md" [missing-file]`, `error: input: "none": file does not exist`)
}

// Edited, renamed and added files are audited as they will be.
func TestOverlay(t *testing.T) {
	base := FS(fstest.MapFS{
		"a.md":     text("[b](d/b.md#b) [c](c.md)"),
		"d/b.md":   text("# B\n[a](../a.md)\n"),
		"d/e/c.md": text("# C"),
	})
	tree := NewOverlay(base)
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
	tree.Remove("/f")
	if _, err := tree.Open("/f/e/c.md"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if err := tree.Rename("/f", "/g"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if err := fstest.TestFS(dirFS{tree}, "a.md", "c.md", "new/dir/b.md"); err != nil {
		t.Error(err)
	}
}

// dirFS is a Tree as an fs.FS.
type dirFS struct{ tree Tree }

func (d dirFS) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	f, err := d.tree.Open("/" + name)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		list, err := d.tree.ReadDir("/" + name)
		return &dirFile{f, list}, err
	}
	return f, nil
}

// dirFile is a directory that is open.
type dirFile struct {
	fs.File
	list []fs.DirEntry
}

func (d *dirFile) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		n = len(d.list)
	} else if len(d.list) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(d.list))
	list := d.list[:n]
	d.list = d.list[n:]
	return list, nil
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
	tree := fstest.MapFS{}
	for i := range 100 {
		tree[fmt.Sprintf("%d.md", i)] = text("[x](x.md)")
	}
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	_, err := Run(ctx, Options{Tree: FS(tree)}, func(*Finding) {
		n++
		cancel()
	})
	if !errors.Is(err, context.Canceled) || n != 1 {
		t.Errorf("%v after %d findings", err, n)
	}
	ctx, cancel = context.WithCancel(t.Context())
	_, err = Run(ctx, Options{Tree: FS(tree), Progress: func(int) { cancel() }}, func(*Finding) { t.Error("a finding") })
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
	tree := FS(fstest.MapFS{"a.links": text("x.md"), "b.unknown": text("x.md")})
	compareLines(t, "links", lines(t, Options{Tree: tree, Formats: []extract.Format{links}}),
		`a.links:1:1: no such file: "x.md" [missing-file]`)
}

// Nothing in this package calls the operating system.
func TestImports(t *testing.T) {
	files, err := filepath.Glob("*.go")
	must(t, err)
	for _, name := range files {
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

// Links lead to a file written into an Overlay, as they did to the file that it replaces.
func TestOverlayReal(t *testing.T) {
	o := NewOverlay(FS(fstest.MapFS{"docs/a.md": text(""), "linked": link("docs")}))
	o.Write("/linked/a.md", nil)
	o.Write("/linked/new/b.md", nil)
	o.Write("/made/c.md", nil)
	for name, want := range map[string]string{"/linked/a.md": "/docs/a.md", "/linked/new/b.md": "/docs/new/b.md", "/made/c.md": "/made/c.md", "/docs/a.md": "/docs/a.md"} {
		if got, err := o.Real(name); got != want || err != nil {
			t.Errorf("%s: got %s, %v, want %s", name, got, err, want)
		}
	}
}
