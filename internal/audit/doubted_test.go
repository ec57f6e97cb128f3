package audit

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/gen"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/testing/scantest"
)

// A wrongRule makes what a model says about a reference wrong in one way, as code that no model reads may do.
type wrongRule struct {
	name   string
	change func(r *site.Reference, c *site.Candidate)
}

var wrongRules = []wrongRule{
	{"relative links begin one directory lower", func(r *site.Reference, c *site.Candidate) {
		if !r.IsRooted() {
			c.File, c.URL = lower(c.File), lower(c.URL)
		}
	}},
	{"rooted links begin one directory lower", func(r *site.Reference, c *site.Candidate) {
		if r.IsRooted() {
			c.File, c.URL = lower(c.File), lower(c.URL)
		}
	}},
	{"URLs of pages have another suffix", func(r *site.Reference, c *site.Candidate) {
		if u := strings.TrimSuffix(strings.TrimSuffix(c.URL, "/"), ".html"); u != "" && path.Ext(u) == "" {
			c.URL = u + ".htm"
		}
	}},
	{"sources have another suffix", func(r *site.Reference, c *site.Candidate) {
		if ext := path.Ext(c.File); slices.Contains(suffixesOfLinks, ext) {
			c.File = strings.TrimSuffix(c.File, ext) + ".txt"
		}
	}},
}

// suffixesOfLinks are those of documents with links.
var suffixesOfLinks = []string{".md", ".mdx", ".adoc", ".rst", ".html", ".Rmd", ".qmd", ".heex", ".svx"}

// lower puts a directory in front of the last name of a path.
func lower(p string) string {
	if p == "" {
		return ""
	}
	end := strings.TrimSuffix(p, "/")
	return path.Join(path.Dir(end), "lower", path.Base(end)) + p[len(end):]
}

// Trees of generators without a site in testdata/generators.
var treesOfModels = []string{"docfx", "exdoc", "gitbook", "maven", "nuxt", "quarto", "quartz", "sphinx-rst", "sveltekit", "vocs", "wiki-azure", "wiki-github"}

// tooMany is the number of different links that must not be broken by a wrong rule. There are fewer in forms with less than ten links, such as the
// entries of a short navigation, and in those of which less than a third is wrong.
const tooMany = 10

// A model with a wrong rule is doubted: there are notes in place of errors.
func TestWrongModels(t *testing.T) {
	dirs, err := filepath.Glob("testdata/generators/*/site")
	if err != nil || len(dirs) < 30 {
		t.Fatal(len(dirs), err)
	}
	every := scantest.Amount(9, 1) // of the sites
	for i := 0; i < len(dirs); i += every {
		dir := dirs[i]
		checkDoubts(t, filepath.Base(filepath.Dir(dir)), copyOf(t, dir, nil))
	}
	for i := 0; i < len(treesOfModels); i += every {
		name := treesOfModels[i]
		a, err := txtar.ParseFile("testdata/" + name + ".txtar")
		must(t, err)
		dir := t.TempDir()
		must(t, os.Mkdir(filepath.Join(dir, ".git"), 0o777))
		for _, f := range a.Files {
			file := filepath.Join(dir, f.Name)
			must(t, os.MkdirAll(filepath.Dir(file), 0o777))
			must(t, os.WriteFile(file, f.Data, 0o666))
		}
		checkDoubts(t, name, dir)
	}
}

// checkDoubts changes the tree in a directory, so that it has many links of each form and none is broken, and audits it with each wrong rule.
func checkDoubts(t *testing.T, name, dir string) {
	t.Helper()
	mendBroken(t, dir)
	for range 2 { // the lines of a paragraph depend on each other
		dropBroken(t, dir)
	}
	repeatText(t, dir)
	right := auditDoubting(t, dir)
	isDoubted := false
	for _, w := range wrongRules {
		t.Run(name+"/"+w.name, func(t *testing.T) {
			makeWrong(t, w)
			wrong := auditDoubting(t, dir)
			isDoubted = isDoubted || wrong.doubts > right.doubts
			more := slices.DeleteFunc(wrong.broken, func(at string) bool { return slices.Contains(right.broken, at) })
			if len(more) >= tooMany {
				t.Errorf("%d errors:\n%s", len(more), strings.Join(more, "\n"))
			}
		})
	}
	if !isDoubted {
		t.Errorf("%s: no wrong rule is doubted", name)
	}
}

// makeWrong makes a rule of all models wrong until the end of a test.
func makeWrong(t *testing.T, w wrongRule) {
	for _, g := range gen.All {
		find := g.Find
		t.Cleanup(func() { g.Find = find })
		g.Find = func(d *source.Dir) []*site.Site {
			sites := find(d)
			for _, s := range sites {
				for form := range s.Links {
					s.Links[form] = wrongSteps(s.Links[form], w)
				}
			}
			return sites
		}
	}
}

func wrongSteps(steps []site.Step, w wrongRule) (wrong []site.Step) {
	for _, step := range steps {
		wrong = append(wrong, func(s *site.Site, r *site.Reference) []site.Candidate {
			all := slices.Clone(step(s, r))
			for i := range all {
				w.change(r, &all[i])
			}
			return all
		})
	}
	return wrong
}

// doubting is the result of an audit.
type doubting struct {
	broken []string // links, those that are repeated once
	doubts int      // forms of links
}

func auditDoubting(t *testing.T, dir string) (all doubting) {
	t.Helper()
	report := eachBroken(t, dir, true, func(f *Finding) {
		all.broken = append(all.broken, fmt.Sprintf("%s: %s: %s", f.File, f.Ref.Ref, f.Message))
	})
	slices.Sort(all.broken)
	all.broken = slices.Compact(all.broken)
	for _, n := range report.Notes {
		if strings.Contains(n.Text, " lead nowhere by the rules of ") {
			all.doubts++
		}
	}
	return all
}

// eachBroken calls report for each link in the tree in a directory that points nowhere.
func eachBroken(t *testing.T, dir string, doubts bool, report func(f *Finding)) *Report {
	t.Helper()
	r, err := Run(context.Background(), Options{Dir: dir, Hidden: true, NoIgnore: true, Doubts: doubts}, func(f *Finding) {
		if f.Rule == rule.MissingFile || f.Rule == rule.BrokenImage {
			report(f)
		}
	})
	must(t, err)
	return r
}

// mendBroken makes the broken links in documents point to another host.
func mendBroken(t *testing.T, dir string) {
	t.Helper()
	broken := map[string][]*Finding{}
	eachBroken(t, dir, false, func(f *Finding) {
		if slices.Contains(suffixesOfLinks, filepath.Ext(f.Path)) && f.Pos.Exact {
			broken[f.Path] = append(broken[f.Path], f)
		}
	})
	for name, list := range broken {
		text, err := os.ReadFile(name)
		must(t, err)
		slices.SortFunc(list, func(f, g *Finding) int { return cmp.Compare(g.Pos.Offset, f.Pos.Offset) }) // from the end
		for _, f := range list {
			start := int(f.Pos.Offset)
			text = slices.Replace(text, start, start+f.Pos.Length, []byte("https://example.org/")...)
		}
		must(t, os.WriteFile(name, text, 0o666))
	}
}

// dropBroken deletes the lines of documents that have broken links.
func dropBroken(t *testing.T, dir string) {
	t.Helper()
	lines := map[string][]int{}
	eachBroken(t, dir, false, func(f *Finding) {
		if slices.Contains(suffixesOfLinks, filepath.Ext(f.Path)) {
			lines[f.Path] = append(lines[f.Path], f.Pos.Line)
		}
	})
	for name, broken := range lines {
		text, err := os.ReadFile(name)
		must(t, err)
		all := strings.SplitAfter(string(text), "\n")
		for _, line := range broken {
			all[line-1] = ""
		}
		must(t, os.WriteFile(name, []byte(strings.Join(all, "")), 0o666))
	}
}

// repeatText repeats the text of the documents below a directory, without its front matter, so that each link is in it often.
func repeatText(t *testing.T, dir string) {
	t.Helper()
	const times = 10
	must(t, filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !slices.Contains(suffixesOfLinks, filepath.Ext(name)) {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		body := text
		for _, fence := range []string{"---\n", "+++\n"} {
			rest, isFront := bytes.CutPrefix(text, []byte(fence))
			if isFront {
				_, body, _ = bytes.Cut(rest, []byte("\n"+fence))
			}
		}
		text = append(text, bytes.Repeat(append([]byte("\n"), body...), times)...)
		return os.WriteFile(name, text, 0o666)
	}))
}
