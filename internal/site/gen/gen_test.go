package gen_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"example.org/refract/internal/site"
	"example.org/refract/internal/site/gen"
	"example.org/refract/internal/testing/sitetest"
)

const (
	pages = "../../../docs/generators/"
	trees = "../../audit/testdata/"
)

// Each generator has a page that the index of docs/generators links and that says by what it is found, and a tree
// among those that the audit is tested with.
func TestGeneratorIsWhole(t *testing.T) {
	index, err := os.ReadFile(pages + "index.md")
	if err != nil {
		t.Fatal(err)
	}
	var linked []string
	for _, m := range indexLink.FindAllStringSubmatch(string(index), -1) {
		text, err := os.ReadFile(pages + m[1])
		if err != nil {
			t.Error(err)
		}
		linked = append(linked, string(text))
	}
	probes := probes(t)
	seen := map[string]bool{}
	for _, g := range gen.All {
		if seen[g.Name] || g.Find == nil {
			t.Errorf("%s is not the name of one generator", g.Name)
		}
		seen[g.Name] = true
		if !slices.ContainsFunc(linked, func(text string) bool { return isFoundBy(g, text) }) {
			t.Errorf("%s: no page that docs/generators/index.md links has one of %q", g.Name, g.Configs)
		}
		if !slices.ContainsFunc(probes, func(files []txtar.File) bool { return finds(g, files) }) {
			t.Errorf("%s is found in no tree of audit/testdata", g.Name)
		}
	}
}

// indexLink matches a link of the index to a page.
var indexLink = regexp.MustCompile(`\]\(([\w-]+\.md)[)#]`)

// isFoundBy reports whether a page names a configuration of a generator, or the directory of one.
func isFoundBy(g *site.Generator, page string) bool {
	return slices.ContainsFunc(strings.Split(page, "`"), func(code string) bool {
		return slices.ContainsFunc(g.Configs, func(config string) bool {
			return code == config || code != "" && code[len(code)-1] == '/' && strings.HasPrefix(config, code)
		})
	})
}

// probes returns the names and texts of the files of each tree.
func probes(t *testing.T) (all [][]txtar.File) {
	archives, _ := filepath.Glob(trees + "*.txtar")
	for _, name := range archives {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, a.Files)
	}
	sites, _ := filepath.Glob(trees + "generators/*/site")
	for _, dir := range sites {
		var files []txtar.File
		err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			text, err := os.ReadFile(name)
			rel, _ := filepath.Rel(dir, name)
			files = append(files, txtar.File{Name: filepath.ToSlash(rel), Data: text})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, files)
	}
	if len(archives) == 0 || len(sites) == 0 {
		t.Fatal("no trees")
	}
	return all
}

// finds reports whether a generator finds a site in a directory of a tree.
func finds(g *site.Generator, files []txtar.File) bool {
	finder := site.NewFinder(sitetest.Tree(files), []*site.Generator{g}, "")
	seen := map[string]bool{}
	for _, f := range files {
		for dir := filepath.ToSlash(filepath.Dir(sitetest.Root + f.Name)); len(dir) >= len(sitetest.Root)-1 && !seen[dir]; dir = filepath.ToSlash(filepath.Dir(dir)) {
			seen[dir] = true
			if finder.IsConfigured(dir) {
				return true
			}
		}
	}
	return false
}

// The guide to builds names the directory of each generator that has one.
func TestOutputs(t *testing.T) {
	guide, err := os.ReadFile(pages + "../guides/builds.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range gen.All {
		if g.Output == "" {
			continue
		}
		row := regexp.MustCompile(`(?m)^\| [^|]*` + regexp.QuoteMeta(g.Name) + `[^|]* \| [^|]* \| [^|]*` + regexp.QuoteMeta(g.Output) + "`")
		if !row.Match(guide) {
			t.Errorf("%s: the guide does not have %s", g.Name, g.Output)
		}
	}
	tree := sitetest.Tree([]txtar.File{{Name: "docs/.vitepress/config.js"}, {Name: "docs/index.md"}})
	root := strings.TrimSuffix(sitetest.Root, "/")
	s := gen.Find(tree, "").Of(root+"/docs/index.md", root)
	if s == nil || gen.OutputOf(s) != root+"/docs/.vitepress/dist" || gen.OutputOf(&site.Site{Generator: "Wiki"}) != "" {
		t.Errorf("%+v", s)
	}
}

// Whatever lists the pages of a site is known by its name, in any case.
func TestIsContents(t *testing.T) {
	for name, want := range map[string]bool{"SUMMARY.md": true, "_sidebar.md": true, "_toc.yml": true, "index.md": false, "summary.txt": false} {
		if gen.IsContents(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}

// The order counts where a directory has several.
func TestIndexes(t *testing.T) {
	want := []string{
		"index.md", "_index.md", "index.html", "index.htm", "README.md", "index.mdx", "readme.md", "index.markdown", "_index.html", "_index.markdown",
	}
	if got := gen.Indexes(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A generator is chosen by its name in any case. A configuration is of a generator that looks for it.
func TestCheckName(t *testing.T) {
	names := gen.Names()
	if len(names) != len(gen.All) || !slices.Contains(names, "MkDocs") || slices.Contains(names, "none") {
		t.Errorf("%q", names)
	}
	for name, want := range map[string]string{
		"": "", "none": "", "NONE": "", "mkdocs": "", "Hugo": "", "jeky": `did you mean "Jekyll"?`, "frobnicate": "one of MkDocs, ",
	} {
		err := gen.CheckName(name)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", name, err, want)
		}
	}
	for _, choice := range gen.Choices() {
		if gen.CheckName(choice) != nil {
			t.Errorf("%s is no choice", choice)
		}
	}
	configs := gen.Configs()
	for _, name := range []string{"mkdocs.yml", "_config.yml", "conf.py", "book.toml"} {
		if i := slices.Index(configs, name); i < 0 || slices.Contains(configs[i+1:], name) {
			t.Errorf("%s is not once in %q", name, configs)
		}
	}
}
