package markdown

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
)

var dialects = map[string]Dialect{
	"github": GitHub, "mkdocs": MkDocs, "python-markdown": PythonMarkdown, "docusaurus": Docusaurus, "starlight": Starlight,
	"starlight-mdx": StarlightMDX, "vitepress": VitePress, "vuepress": VuePress, "hugo": HugoSite, "jekyll": Jekyll,
	"eleventy": Eleventy, "eleventy-njk": {Templates: Jinja}, "mdbook": MdBook, "myst": MyST, "obsidian": Obsidian, "docfx": DocFX, "quarto": Quarto, "nuxt": Nuxt, "zero": {},
}

// shownItem returns an item as the tables have it.
func shownItem(src string, it *scan.Item) string {
	raw := src[it.Span.Start:it.Span.End]
	switch it.Op {
	case scan.Ref:
		s := fmt.Sprintf("%s %s %s ⟦%s⟧", it.Kind, it.How, it.In, raw)
		if string(it.Value) != raw {
			s += fmt.Sprintf(" = %s", it.Value)
		}
		if names := it.Labels.Names(); names != nil {
			s += " " + strings.Join(names, ",")
		}
		return s
	case scan.Anchor:
		s := fmt.Sprintf("anchor %s", it.In)
		if it.Space != "" {
			s += " " + it.Space
		}
		if it.Value != nil {
			s += fmt.Sprintf(" #%s", it.Value)
		}
		if it.In == "heading" {
			s += fmt.Sprintf(" %q", it.Text)
		}
		return s
	case scan.Mention:
		return fmt.Sprintf("mention %s %s ⟦%s⟧", it.In, it.Space, raw)
	case scan.Note:
		return "note " + it.Text
	}
	return ""
}

// testdata/dialects has a document for each case, and what is found in it.
func TestDialects(t *testing.T) {
	files, err := filepath.Glob("testdata/dialects/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases: ", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		var out strings.Builder
		for section := range strings.SplitSeq(strings.TrimPrefix(string(data), "==== "), "\n==== ") {
			title, text, _ := strings.Cut(section, "\n")
			src, _, _ := strings.Cut(text, "\n---- found\n")
			dialect, ok := dialects[strings.Fields(title)[0]]
			if !ok {
				t.Fatalf("%s: no dialect %q", file, title)
			}
			s := Scanner{Dialect: dialect, Anchors: true, Mentions: dialect.Directives}
			fmt.Fprintf(&out, "==== %s\n%s\n---- found\n", title, src)
			for it := range s.Scan([]byte(src)) {
				if it.In == "definition" && it.Op == scan.Anchor || it.In == "label" && it.Space == "label" {
					continue
				}
				fmt.Fprintln(&out, shownItem(src, it))
			}
			overwrite(t, title, dialect, src)
		}
		if got := strings.TrimSuffix(out.String(), "\n"); got != strings.TrimSuffix(string(data), "\n") {
			if os.Getenv("REFRACT_UPDATE") != "" {
				if err := os.WriteFile(file, []byte(got+"\n"), 0o644); err != nil {
					t.Fatal(err)
				}
				continue
			}
			t.Errorf("%s: set REFRACT_UPDATE=1 and read the difference\n%s", name, got)
		}
	}
}

// overwrite checks that the range of each reference is exact: where another destination is
// written over it, the scanner finds that one in its place, and all others as before.
func overwrite(t *testing.T, title string, d Dialect, src string) {
	t.Helper()
	refs := func(src string) (all []scan.Item) {
		for it := range (&Scanner{Dialect: d, Anchors: true}).Scan([]byte(src)) {
			if it.Op == scan.Ref {
				kept := *it
				kept.Value = slices.Clone(it.Value)
				if it.More != nil {
					more := *it.More
					kept.More = &more
				}
				all = append(all, kept)
			}
		}
		return all
	}
	before := refs(src)
	for i, it := range before {
		at := it.Span
		if parts := it.Extra().Parts; parts != nil {
			at = parts[0]
		}
		if at.Start == at.End {
			continue
		}
		// A destination of the same nature.
		to := "over/written.md"
		if raw := src[at.Start:at.End]; strings.Contains(raw, "://") || it.How == scan.Bare {
			to = "https://over.example/written"
		} else if strings.HasPrefix(raw, "/") {
			to = "/over/written"
		}
		if it.Meant != "" {
			to = "over@written.example"
		}
		after := refs(src[:at.Start] + to + src[at.End:])
		if len(after) != len(before) {
			t.Errorf("%s: %d references, %d with %q for %q", title, len(before), len(after), to, src[at.Start:at.End])
			continue
		}
		for k := range after {
			if got := string(after[k].Value); k != i && got != string(before[k].Value) || k == i && !strings.HasPrefix(got, to) {
				t.Errorf("%s: %q for %q makes reference %d %q", title, to, src[at.Start:at.End], k, got)
			}
			if after[k].How != before[k].How || after[k].In != before[k].In {
				t.Errorf("%s: %q for %q makes reference %d %s %s", title, to, src[at.Start:at.End], k, after[k].How, after[k].In)
			}
		}
	}
}
