package audit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/refract/internal/audit/tree"
)

// hostileLinks are symbolic links of a repository that point to ../home, and what they point to.
var hostileLinks = map[string]string{
	"l.md":                 "../home/secret.md",
	"leak.txt":             "../home/secret.txt",
	"chain.md":             "middle",
	"middle":               "l.md",
	"dir":                  "../home",
	"sub/up":               "../../home",
	"sub/back.md":          "../dir/secret.md",
	"index/README.md":      "../../home/secret.md",
	"picture.png":          "../home/picture.png",
	"mkdocs/mkdocs.yml":    "../../home/mkdocs.yml",
	"sphinx/conf.py":       "../../home/conf.py",
	"book/book.toml":       "../../home/book.toml",
	"package.json":         "../home/package.json",
	"docs/guide.md":        "../../home/secret.md",
	"docs/snippet.txt":     "../../home/secret.txt",
	"rst/part.rst":         "../../home/part.rst",
	"rst/code.py":          "../../home/secret.txt",
	"hugo/content/note.md": "../../../home/secret.md",
	"hugo/static/s.txt":    "../../../home/secret.txt",
}

// hostileFiles are the other files of the repository.
var hostileFiles = map[string]string{
	".git/HEAD": "",
	"a.md": "# A\n[1](l.md#token-hunter2abd) [2](leak.txt#L400) [3](chain.md#x) [4](dir/secret.md#x) [5](dir/none.md) [6](sub/up/secret.txt#L9)\n" +
		"[7](sub/back.md#x) [8](index/#x) ![9](picture.png) [10](L.md) [11](dir) [12](dir/) [13](l) [14](dir/../dir/secret.txt) [15](dir/secret.md#token-hunter2abd)\n" +
		"[16](../home/secret.md) [17](../home/none.md#x) [18](/l.md#x) [19](secret.md) [20](secre.md) [21](leak.txt#L1)\n[label]\n",
	"a.adoc":                 "= A\n\ninclude::l.md[]\n\nxref:l.md#x[x] image::picture.png[] link:dir/secret.md#x[y]\n",
	"a.html":                 `<a href="l.md#x">x</a> <img src="picture.png"> <a href="dir/secret.html">y</a>`,
	"site/mkdocs.yml":        "site_name: x\ndocs_dir: ../docs\nnav:\n- guide.md\n- none.md\nmarkdown_extensions:\n- pymdownx.snippets\n",
	"docs/index.md":          "[1](guide.md#x) [2](guide) [3](/guide/) [4](snippet.txt#L9) [5](guide/#token-hunter2abd)\n\n--8<-- \"snippet.txt\"\n",
	"rst/conf.py":            "extensions = []\n",
	"rst/index.rst":          "X\n=\n\n.. toctree::\n\n   part\n   none\n\n.. include:: part.rst\n\n.. literalinclude:: code.py\n   :lines: 400\n\n.. image:: ../picture.png\n\n:doc:`part` :ref:`token-hunter2abd` :download:`code.py`\n",
	"hugo/hugo.toml":         "baseURL = 'https://example.org/'\n",
	"hugo/content/_index.md": "[1](note.md#x) [2](/note/#token-hunter2abd) [3]({{< ref \"note\" >}}) [4](/s.txt) {{< readfile \"/static/s.txt\" >}}\n",
	"mkdocs/docs/index.md":   "[1](../../l.md) [2](x.md)\n",
}

// secrets are the files in home.
var secrets = map[string]string{
	"secret.md": "# Token\n\n# token hunter2abc\n\n[x](canary-none.md)\n", "secret.txt": "canary 1\ncanary 2\n", "picture.png": "x",
	"mkdocs.yml": "site_name: canary\nnav: [canary.md]\n", "conf.py": "extensions = ['canary']\n", "book.toml": "[book]\ntitle='canary'\n",
	"package.json": `{"name":"canary"}`, "part.rst": ".. _token-hunter2abc:\n\nX\n=\n\n`<canary>`_\n",
}

// openings is a Tree that notes what is opened or listed outside a directory.
type openings struct {
	tree.Tree
	top     string
	outside func(name string)
}

func (o openings) Open(name string) (fs.File, error) {
	o.note(name)
	return o.Tree.Open(name)
}

func (o openings) ReadDir(name string) ([]fs.DirEntry, error) {
	o.note(name)
	return o.Tree.ReadDir(name)
}

func (o openings) ReadLink(name string) (string, error) { return tree.ReadLink(o.Tree, name) }

func (o openings) note(name string) {
	if real, err := o.Tree.Real(name); err == nil && !tree.Below(real, o.top) {
		o.outside(name)
	}
}

// writeFiles makes files and symbolic links below a directory.
func writeFiles(t *testing.T, dir string, files, links map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range links {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.FromSlash(to), name); err != nil {
			t.Skip(err)
		}
	}
}

// outcomeOf returns everything that an audit says, and fails if something outside top is read.
func outcomeOf(t *testing.T, top string, o Options) (lines []string) {
	t.Helper()
	real, err := filepath.EvalSymlinks(top)
	if err != nil {
		t.Fatal(err)
	}
	home, _ := os.UserHomeDir()
	o.Tree = openings{tree.Disk(), filepath.ToSlash(real), func(name string) {
		isAround := name == path.Dir(filepath.ToSlash(top)) // listed for the configuration of a site
		if !tree.Below(name, filepath.ToSlash(home)) && !isAround {
			t.Errorf("%s is read", name)
		}
	}}
	o.Unchecked = func(u *Unchecked) {
		lines = append(lines, fmt.Sprintf("%s:%d:%d: %s %q", u.File, u.Pos.Line, u.Pos.Column, u.Why, u.Facts))
	}
	r, err := Run(context.Background(), o, func(f *Finding) {
		lines = append(lines, fmt.Sprint(f.String(), f.Target, f.Cause, f.Facts))
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range r.Notes {
		lines = append(lines, n.File+": "+n.Text)
	}
	for _, e := range r.Errors {
		lines = append(lines, e.File+": "+e.Err.Error())
	}
	return append(lines, fmt.Sprint(r.Documents, r.References, r.Reasons, r.Learnt))
}

// TestConfined compares the outcome with what symbolic links point to, and without it.
func TestConfined(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	for _, repository := range []bool{true, false} {
		dir := t.TempDir()
		files := hostileFiles
		top := filepath.Join(dir, "repository")
		writeFiles(t, top, files, hostileLinks)
		if !repository {
			if err := os.RemoveAll(filepath.Join(top, ".git")); err != nil {
				t.Fatal(err)
			}
		}
		o := Options{Dir: filepath.ToSlash(top), Paths: []string{"."}, Jobs: 2}
		without := outcomeOf(t, top, o)
		writeFiles(t, filepath.Join(dir, "home"), secrets, nil)
		with := outcomeOf(t, top, o)
		if !slices.Equal(with, without) {
			t.Errorf("with what is outside\n%s\nwithout\n%s", strings.Join(with, "\n"), strings.Join(without, "\n"))
		}
		all := strings.Join(with, "\n")
		for _, secret := range []string{"hunter2abc", "canary"} {
			if strings.Contains(all, secret) {
				t.Errorf("%q is in the outcome\n%s", secret, all)
			}
		}
		for _, at := range []string{"a.md:2:5", "a.md:2:32", "a.md:3:5", "a.adoc:5:6", "a.html:1:10", "rst/index.rst:6:4", "rst/index.rst:9:14", "rst/index.rst:16:19"} {
			if !slices.ContainsFunc(with, func(line string) bool { return strings.HasPrefix(line, at+": leads out of the repository") }) {
				t.Errorf("%s is judged", at)
			}
		}
		for _, name := range []string{"l.md", "docs/guide.md", "rst/part.rst"} {
			if !slices.Contains(with, name+": not read: a symbolic link that leads out of the repository") {
				t.Errorf("there is no note about %s", name)
			}
		}
		if t.Failed() {
			t.Log(all)
		}
	}
}

// TestNamedIsInside pins that what Paths names is read, also if it is a symbolic link that points out.
func TestNamedIsInside(t *testing.T) {
	dir := t.TempDir()
	top := filepath.Join(dir, "repository")
	writeFiles(t, top, hostileFiles, hostileLinks)
	writeFiles(t, filepath.Join(dir, "home"), secrets, nil)
	for _, name := range []string{"l.md", "../home/secret.md"} {
		r, err := Run(t.Context(), Options{Dir: filepath.ToSlash(top), Paths: []string{name}}, nil)
		must(t, err)
		if r.Documents != 1 || len(r.Notes)+len(r.Errors) > 0 {
			t.Errorf("%s: %d documents, %v, %v", name, r.Documents, r.Notes, r.Errors)
		}
	}
}
