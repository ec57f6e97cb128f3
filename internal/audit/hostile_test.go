package audit

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/testing/scantest"
)

// Time is linear for any tree. The search for suggestions is what could make it grow faster.
func TestHostile(t *testing.T) {
	n := scantest.Amount(200, 2000)
	for name, shape := range map[string]func(i int) string{
		"closest id": func(i int) string {
			return fmt.Sprintf("# Number %d of a heading\n\n[x](#numbr-%d-of-a-heading)\n\n", i, i)
		},
		"same id":     func(i int) string { return "<a id=x></a>\n\n[x](#x)\n\n" },
		"same name":   func(i int) string { return fmt.Sprintf("[x](d%d/README.md) [y](d/f.md)\n\n", i) },
		"lines":       func(i int) string { return "[x](a.md#L1) [y](a.md#L999999999)\n\n" },
		"attributes":  func(i int) string { return fmt.Sprintf("{#a%d}\n\n[x](#b%d)\n\n", i, i) },
		"definitions": func(i int) string { return fmt.Sprintf("[d%d]: x%d.md\n\n", i, i) },
		"indexes":     func(i int) string { return "a[i][j] [x][y]\n\n" },
		"moved":       func(int) string { return "[x](moved.md)\n\n" },
		"deep": func(int) string {
			return "[x](" + strings.Repeat("a/", 5000) + ") [y](/" + strings.Repeat("a/", 2000) + ")\n\n"
		},
		"rooted": func(i int) string {
			return fmt.Sprintf("[x](/p%d%s/moved) [y](/moved)\n\n", i, strings.Repeat("/q", 20))
		},
	} {
		document := func(n int) func() {
			dir := t.TempDir()
			var b strings.Builder
			for i := range n {
				b.WriteString(shape(i))
			}
			must(t, os.WriteFile(filepath.Join(dir, "a.md"), []byte(b.String()), 0o666))
			must(t, os.Mkdir(filepath.Join(dir, "d"), 0o777))
			must(t, os.WriteFile(filepath.Join(dir, "d", "moved.md"), nil, 0o666))
			return func() { audited(t, dir) }
		}
		scantest.Linear(t, name, 20*time.Millisecond, document(n), document(4*n))
	}
	// One reference: nothing looks at each directory of a path that is too long for a file.
	long := func(n int) func() {
		dir := t.TempDir()
		must(t, os.WriteFile(filepath.Join(dir, "a.md"), []byte("[x]("+strings.Repeat("a/", n)+") [y](b.md)\n"), 0o666))
		return func() { audited(t, dir) }
	}
	scantest.Linear(t, "long", 0, long(25*n), long(100*n))
	// The same of many files: names in one directory, and one name in many.
	files := func(n int) func() {
		dir := t.TempDir()
		for i := range n {
			sub := filepath.Join(dir, fmt.Sprint("d", i))
			must(t, os.Mkdir(sub, 0o777))
			text := fmt.Sprintf("[x](../D%d/same.md) [y](same.mdx) [z](none%d.md) [w](/same.md)", i, i)
			must(t, os.WriteFile(filepath.Join(sub, "same.md"), []byte(text), 0o666))
		}
		return func() { audited(t, dir) }
	}
	scantest.Linear(t, "files", 0, files(n/4), files(n))
}

func audited(t *testing.T, dir string) {
	_, err := new(Options).audit([]string{dir}, func(*Finding) {})
	must(t, err)
}

// A configuration does not point out of the repository, whether by a path or by symbolic links.
func TestOutsideByLinks(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"secret/page.md": "# Secret", "secret/base.yml": "extra: {place: page.md}\n",
		"repo/mkdocs.yml":             "INHERIT: base.yml\ndocs_dir: linked\nmarkdown_extensions:\n  - pymdownx.snippets: {base_path: [linked]}\n",
		"repo/other/mkdocs.yml":       "docs_dir: docs\n",
		"repo/other/docs/index.md":    "[a](../../linked/page.md) [b](page.md)\n\n--8<-- \"page.md\"\n",
		"repo/book/book.toml":         "[book]\nsrc = \"src\"\n",
		"repo/book/src/SUMMARY.md":    "[a](linked/page.md)\n",
		"repo/site/.vitepress/x.txt":  "",
		"repo/site/index.md":          "<!-- @include: ./linked/page.md -->\n\n[a](./linked/page.md)\n",
		"repo/hugo/hugo.toml":         "contentDir = 'linked'\nstaticDir = 'linked'\n",
		"repo/hugo/content/_index.md": "[a](/page)\n",
	} {
		full := filepath.Join(dir, name)
		must(t, os.MkdirAll(filepath.Dir(full), 0o777))
		must(t, os.WriteFile(full, []byte(text), 0o666))
	}
	must(t, os.Mkdir(filepath.Join(dir, "repo/.git"), 0o777))
	for _, at := range []string{"repo", "repo/other/docs", "repo/book/src", "repo/site", "repo/hugo"} {
		must(t, os.Symlink(filepath.Join(dir, "secret"), filepath.Join(dir, at, "linked")))
	}
	must(t, os.Symlink(filepath.Join(dir, "secret/base.yml"), filepath.Join(dir, "repo/base.yml")))
	tree := &watched{Tree: tree.Disk(), dir: filepath.ToSlash(dir) + "/secret"}

	_, err := Run(context.Background(), Options{Tree: tree, Dir: filepath.Join(dir, "repo"), Hidden: true}, nil)
	must(t, err)
	for _, name := range tree.opened {
		t.Errorf("opened %s", name)
	}
}

// A watched Tree keeps which files are opened that are in a directory.
type watched struct {
	tree.Tree
	dir    string
	mu     sync.Mutex
	opened []string
}

func (w *watched) Open(name string) (fs.File, error) {
	if real, err := w.Real(name); err == nil && strings.HasPrefix(filepath.ToSlash(real), w.dir) {
		w.mu.Lock()
		w.opened = append(w.opened, name)
		w.mu.Unlock()
	}
	return w.Tree.Open(name)
}

// Outside a repository, what is beside a tree is read only if both look like parts of one project.
func TestBeside(t *testing.T) {
	for _, tt := range []struct {
		file   string // beside the directories
		isRead bool
	}{{"notes.txt", false}, {"README.md", true}, {"go.mod", true}, {"mkdocs.yml", true}} {
		dir := t.TempDir()
		for name, text := range map[string]string{
			tt.file: "", "docs/index.md": "[a](a.md)\n", "other/mkdocs.yml": "docs_dir: pages\n", "other/pages/index.md": "# A\n",
		} {
			full := filepath.Join(dir, name)
			must(t, os.MkdirAll(filepath.Dir(full), 0o777))
			must(t, os.WriteFile(full, []byte(text), 0o666))
		}
		tree := &watched{Tree: tree.Disk(), dir: filepath.ToSlash(dir) + "/other"}
		_, err := Run(context.Background(), Options{Tree: tree, Dir: filepath.Join(dir, "docs")}, nil)
		must(t, err)
		if isRead := len(tree.opened) > 0; isRead != tt.isRead {
			t.Errorf("beside %s: opened %q", tt.file, tree.opened)
		}
	}
}
