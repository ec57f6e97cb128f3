package audit

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"example.org/refract/extract"
)

// A tree made for this project, and where each reference, label, term and object in it leads in the pages that Sphinx
// 9.0.4 makes. Each is found at its place, and there is a finding for exactly those that point nowhere.
func TestSphinxTree(t *testing.T) {
	data, err := os.ReadFile("testdata/sphinx-tree.json")
	must(t, err)
	var tree struct {
		Files map[string]string
		Refs  []struct {
			File, In, Ref  string
			Offset, Length int64
			Target         any
		}
	}
	must(t, json.Unmarshal(data, &tree))
	t.Chdir(t.TempDir())
	for name, text := range tree.Files {
		must(t, os.MkdirAll(filepath.Dir(name), 0o777))
		must(t, os.WriteFile(name, []byte(text), 0o666))
	}

	seen := map[string]bool{}
	for name := range tree.Files {
		at := func(p extract.Position) { seen[fmt.Sprint(name, p.Offset, p.Length)] = true }
		c := extract.Config{Type: "text/x-rst", Lines: true, Extlinks: map[string]string{"issue": "https://example.org/issues/%s"}}
		c.Mention = func(m *extract.Mention) { at(m.Pos) }
		f, err := os.Open(name)
		must(t, err)
		defer f.Close()
		for ref, err := range c.Walk(name, f) {
			must(t, err)
			at(ref.Pos)
		}
	}
	found := map[string]string{}
	_, err = Run(context.Background(), Options{Paths: []string{"."}, Jobs: 1}, func(f *Finding) {
		found[fmt.Sprint(filepath.ToSlash(f.File), f.Pos.Offset, f.Pos.Length)] = f.Message
	})
	must(t, err)
	for _, r := range tree.Refs {
		key := fmt.Sprint(r.File, r.Offset, r.Length)
		if !seen[key] && r.Ref != "self" {
			t.Errorf("%s: %s %q is not found at %d+%d", r.File, r.In, r.Ref, r.Offset, r.Length)
		}
		if r.In == "embedded" { // links as written, to a page or an id that is not there
			r.Target = nil
		}
		if message := found[key]; (message != "") != (r.Target == nil) {
			t.Errorf("%s: %s %q leads to %v, but the finding is %q", r.File, r.In, r.Ref, r.Target, message)
		}
	}
}
