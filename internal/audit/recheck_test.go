package audit_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/testing/scantest"
)

// recheckSites are trees whose documents depend on each other in many ways.
var recheckSites = map[string]map[string]string{
	"none": {
		"a.md": "# A\n\n[b](b.md#two) [c](c.html#x) [r][d]\n\n[d]: b.md\n", "b.md": "# B\n\n## Two\n\n## Two\n[a](a.md#a) ![i](i.png)\n<a id=\"q\"></a>\n",
		"c.html": "<h1 id=x>X</h1><a href=\"b.md#two-1\">b</a><a name=y></a><a href=\"#y\">y</a>", "i.png": "", "README.md": "[a](a.md) [none](none.md)\n",
	},
	"mkdocs": {
		"mkdocs.yml": "site_name: x\nnav:\n  - index.md\n  - B: b.md\n", "docs/index.md": "# Home\n\n[b](b.md#two) [c](sub/c.md) [[b]]\n",
		"docs/b.md": "---\ntitle: B\n---\n# B\n\n## Two {#two}\n[i](index.md#home)\n", "docs/sub/c.md": "# C\n\n[b](../b.md#b) [x](/none)\n",
	},
	"docusaurus": {
		"docusaurus.config.js": "module.exports = {title: 'x', url: 'https://h', baseUrl: '/', presets: [['classic', {docs: {routeBasePath: '/'}}]]}\n", "package.json": "{}",
		"docs/a.md": "---\nid: a\nslug: /first\n---\n# A\n\n[b](./b.md#two) [f](/first) [n](/none)\n", "docs/b.md": "# B\n\n## Two\n\n[a](a.md) [a](/first#a)\n",
	},
	"sphinx": {
		"conf.py": "project = 'x'\nextensions = ['sphinx.ext.autodoc']\n", "index.rst": "Index\n=====\n\n.. toctree::\n\n   a\n   b\n\n:ref:`lab` :doc:`a`\n", "a.rst": ".. _lab:\n\nA\n=\n\n`x <b.html#two>`_ :ref:`other`\n",
		"b.rst": "B\n=\n\n.. include:: inc.txt\n\nTwo\n---\n\n.. _other:\n\nThree\n-----\n", "inc.txt": "included\n",
	},
	"asciidoc": {
		"a.adoc": "= A\n\n== One\n\nxref:b.adoc#two[b] <<one>> include::inc.adoc[]\n", "b.adoc": "= B\n\n[[two]]\n== Two\n\nlink:a.adoc[a] xref:a.adoc#_one[x]\n", "inc.adoc": "[[three]]\n=== Three\n",
	},
}

// lines that random edits insert.
var recheckLines = []string{"", "text", "# New", "## Two", "## Two {#z}", "[x](a.md)", "[x](b.md#two)", "[x](none.md)", "[x](#two)", "[x][d]", "[d]: b.md", "<a id=\"z\"></a>",
	"---", "title: y", "slug: /y", "```", "<!--", "-->", ".. _new:", "=====", ":ref:`lab`", "`x <a.html>`_", "[[two]]", "== Two", "xref:b.adoc#two[b]", "<<one>>", ".. include:: inc.txt", "include::inc.adoc[]"}

// When Recheck says that a change is local, an audit of the changed tree has the same findings: those
// of Recheck in the document, and in all others those of the audit before.
func TestRecheck(t *testing.T) {
	n := scantest.Amount(30, 400)
	for site, files := range recheckSites {
		t.Run(site, func(t *testing.T) {
			dir := filepath.ToSlash(t.TempDir())
			var documents []string
			for name, text := range files {
				full := filepath.Join(dir, name)
				os.MkdirAll(filepath.Dir(full), 0o777)
				if err := os.WriteFile(full, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
				if doc.IsDocument(name) {
					documents = append(documents, path.Join(dir, name))
				}
			}
			slices.Sort(documents)
			all := func(tree tree.Tree) (*audit.Report, map[string][]string) {
				found := map[string][]string{}
				report, err := audit.Run(context.Background(), audit.Options{Dir: dir, Tree: tree}, func(f *audit.Finding) {
					p := f.Path
					if !filepath.IsAbs(p) {
						p = path.Join(dir, p)
					}
					found[p] = append(found[p], f.String())
				})
				if err != nil {
					t.Fatal(err)
				}
				return report, found
			}
			r := rand.New(rand.NewPCG(26, uint64(len(site))))
			local, rounds := 0, 0
			for range n {
				before, found := all(nil)
				p := documents[r.IntN(len(documents))]
				was, err := os.ReadFile(filepath.FromSlash(p))
				if err != nil {
					t.Fatal(err)
				}
				text := edited(r, string(was))
				findings, known, isLocal := before.Recheck(p, was, []byte(text), nil)
				if !known {
					t.Fatal(p)
				}
				rounds++
				if !isLocal {
					continue
				}
				local++
				tree := tree.NewOverlay(nil)
				tree.Write(p, []byte(text))
				_, want := all(tree)
				found[p] = nil
				for _, f := range findings {
					found[p] = append(found[p], f.String())
				}
				for _, p := range documents {
					if !slices.Equal(found[p], want[p]) {
						t.Fatalf("%s after an edit of the document:\n%s\nbefore:\n%s\n%q\nwant\n%q", p, text, was, found[p], want[p])
					}
				}
			}
			t.Logf("%d of %d edits were local", local, rounds)
			if site == "none" && local < n/5 {
				t.Errorf("%d of %d edits were local", local, rounds)
			}
		})
	}
}

// edited returns text with up to three lines inserted, removed or copied.
func edited(r *rand.Rand, text string) string {
	lines := strings.Split(text, "\n")
	for range 1 + r.IntN(3) {
		i := r.IntN(len(lines))
		switch r.IntN(4) {
		case 0:
			lines = slices.Delete(lines, i, min(len(lines), i+1))
		case 1:
			lines = slices.Insert(lines, i, lines[r.IntN(len(lines))])
		default:
			lines = slices.Insert(lines, i, recheckLines[r.IntN(len(recheckLines))])
		}
		if len(lines) == 0 {
			lines = []string{""}
		}
	}
	return strings.Join(lines, "\n")
}

// Documents that are checked again, together or all of them, have the findings and the references of an audit.
func TestAgain(t *testing.T) {
	for site, files := range recheckSites {
		t.Run(site, func(t *testing.T) {
			memory := tree.NewOverlay(tree.NewOverlay(tree.Disk()))
			memory.Remove("/t")
			for name, text := range files {
				memory.Write("/t/"+name, []byte(text))
			}
			found, refs := map[string][]string{}, map[string][]string{}
			emit := func(f *audit.Finding) { found[f.Path] = append(found[f.Path], f.String()) }
			followed := func(f *audit.Followed) {
				refs[f.Path] = append(refs[f.Path], fmt.Sprint(f.Pos, string(f.Ref.Raw), f.Target, f.Line, f.Anchored, f.Place, f.Uses))
			}
			report, err := audit.Run(t.Context(), audit.Options{Tree: memory, Dir: "/t", Paths: []string{"/t"}, Followed: followed, Without: rule.OfRedirects}, emit)
			if err != nil {
				t.Fatal(err)
			}
			wantFound, wantRefs := found, refs
			found, refs = map[string][]string{}, map[string][]string{}
			again := report.Again(nil, followed, emit)
			if !reflect.DeepEqual(found, wantFound) || !reflect.DeepEqual(refs, wantRefs) {
				t.Errorf("all:\ngot %v\n%v\nwant %v\n%v", found, refs, wantFound, wantRefs)
			}
			if again.Skipped != report.Skipped || !maps.Equal(again.Reasons, report.Reasons) {
				t.Errorf("%d not checked: %v, want %d: %v", again.Skipped, again.Reasons, report.Skipped, report.Reasons)
			}
			for _, cache := range []*doc.Cache{nil, new(doc.Cache)} {
				texts := map[string][]byte{}
				for _, name := range report.Names {
					if text, ok := files[name]; ok {
						texts["/t/"+name] = []byte(text)
					}
				}
				found, refs = map[string][]string{}, map[string][]string{}
				if report.RecheckAll(texts, cache, followed, emit) == nil {
					t.Fatal("a document is unknown")
				}
				for name := range texts {
					if !slices.Equal(found[name], wantFound[name]) || !slices.Equal(refs[name], wantRefs[name]) {
						t.Errorf("%s:\ngot %v\n%v\nwant %v\n%v", name, found[name], refs[name], wantFound[name], wantRefs[name])
					}
				}
			}
			if report.RecheckAll(map[string][]byte{"/t/unknown.md": nil}, nil, followed, emit) != nil {
				t.Error("a document that was not read")
			}
		})
	}
}
