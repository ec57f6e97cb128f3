package audit

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/testing/scantest"
)

// inMemory returns a tree with nothing below /t.
func inMemory() *tree.Overlay {
	memory := tree.NewOverlay(tree.NewOverlay(tree.Disk()))
	memory.Remove("/t")
	return memory
}

// holding returns the options of an audit of documents below /t, in memory.
func holding(docs map[string]string) Options {
	memory := inMemory()
	for name, text := range docs {
		memory.Write("/t/"+name, []byte(text))
	}
	return Options{Orphans: true, Tree: memory, Dir: "/t"}
}

// FuzzRun audits a Markdown document and an HTML document with a base: nothing may fail, each finding
// must lie in its document, and a suggestion must differ from the reference as written.
func FuzzRun(f *testing.F) {
	trees, _ := filepath.Glob("testdata/*.txtar")
	for i, name := range trees {
		if i%30 != 0 && !scantest.IsLong() {
			continue
		}
		ar, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range ar.Files {
			if file.Name != "want" && len(file.Data) < 2000 {
				f.Add(string(file.Data), "sub/")
				f.Add(string(file.Data), "file:")
			}
		}
	}
	f.Add("[1](//x) [2](file:) [3](/) [4](/..) [5](%) [6](?) [7](../..) [8](#%)", "file://x")
	f.Fuzz(func(t *testing.T, text, base string) {
		if len(text) > 1<<12 {
			return
		}
		docs := map[string]string{"a.md": text, "b/c.html": "<base href='" + base + "'>" + text, "b/mkdocs.yml": "docs_dir: .", "b/d.md": text}
		o := holding(docs)
		o.Sites = []Site{{"https://example.org/b/", "/t/b"}}
		report, err := o.audit([]string{"."}, func(f *Finding) {
			name := strings.TrimPrefix(f.Path, "/t/")
			text := docs[name]
			if end := int(f.Pos.Offset) + f.Pos.Length; end > len(text) || f.Pos.Line < 1 || f.Pos.Column < 1 {
				t.Errorf("%s: %+v", name, f.Pos)
			}
			if f.Suggestion != "" && f.Ref != nil && f.Suggestion == string(f.Ref.Ref) {
				t.Errorf("%s: %s %s suggests itself: %q", name, f.Rule, f.Message, f.Suggestion)
			}
			// What follows the path is as the author wrote it.
			if path := f.Suggestion[:strings.IndexAny(f.Suggestion+"?", "?#")]; strings.ContainsAny(path, " <>\n") {
				t.Errorf("%s: suggestion %q", name, f.Suggestion)
			}
		})
		if err != nil || len(report.Errors) > 0 {
			t.Error(err, report.Errors)
		}
	})
}
