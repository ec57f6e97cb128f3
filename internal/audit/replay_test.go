package audit

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.org/refract/internal/audit/doc"
)

// TestReplay changes a tree and its options one by one. With a Cache that holds the outcome of the audit before, each
// audit must find what one without a cache does.
func TestReplay(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tree")
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(dir, name)
		must(t, os.MkdirAll(filepath.Dir(name), 0o777))
		must(t, os.WriteFile(name, []byte(text), 0o666))
	}
	write("docs/a.md", "# One\n\n[1](b.md#two) [2](c/d.md) [3](e.png) [4](#one)\n")
	write("docs/b.md", "# Two\n\n[1](a.md) [x](%zz) [y](//) <https://example.org/>\n")
	write("docs/c/d.md", "---\ntitle: x\n---\n[1](../a.md#none) [2](f.html) ![](../e.png)\n")
	write("docs/f.html", "<base href=c/><p id=x><a href=d.md>1</a> <a href=g.md>2</a> <!-- refract-ignore -->\n")
	write("docs/c/f.html", "<a href='?a&amp;b'>1</a> <iframe srcdoc='<a href=no.md>x</a>'></iframe>\n")
	write("docs/e.png", "")
	write("docs/link.md", "")
	must(t, os.Remove(filepath.Join(dir, "docs/link.md")))
	must(t, os.Symlink("b.md", filepath.Join(dir, "docs/link.md")))

	run := func(o Options) string {
		t.Helper()
		var b strings.Builder
		r, err := Run(t.Context(), o, func(f *Finding) { fmt.Fprintf(&b, "%+v %q %q\n", *f, f.Written(), f.Suggestion) })
		must(t, err)
		// What a pointer points to is compared by the spellings of the reference.
		lines := strings.Split(b.String(), "\n")
		for i, line := range lines {
			if at := strings.Index(line, "Ref:0x"); at >= 0 {
				lines[i] = line[:at] + line[at+strings.IndexByte(line[at:], ' '):]
			}
		}
		return fmt.Sprintf("%s\n%d %d %d %v %v %q %v %v", strings.Join(lines, "\n"), r.Documents, r.References, r.Skipped, r.Reasons, r.Notes, r.Names, r.Links, r.Gone)
	}
	cache := new(doc.Cache)
	again := func() { // as the next process has it
		var b bytes.Buffer
		must(t, cache.Write(&b, "1"))
		cache = new(doc.Cache)
		must(t, cache.Read(&b, "1"))
	}
	check := func(what string, o Options) {
		t.Helper()
		o.Paths, o.Jobs, o.Graph = []string{dir}, 2, true
		want := run(o)
		for range 3 {
			o.Cache = cache
			if got := run(o); got != want {
				t.Errorf("%s:\n%s\nwant\n%s", what, got, want)
			}
			again()
		}
		cache.Outcome(t.Context(), o.key(), o.Jobs)
		for _, r := range cache.Outcomes {
			r.IsUsed = false
		}
		o.Cache = cache
		run(o)
		if !cache.Outcomes[0].IsUsed {
			t.Errorf("%s: the outcome is not used", what)
		}
	}
	old := time.Now().Add(-time.Hour)
	change := func(what string, do func()) {
		t.Helper()
		do()
		check(what, Options{})
	}
	check("first", Options{})
	change("same size and time", func() {
		name := filepath.Join(dir, "docs/a.md")
		must(t, os.Chtimes(name, old, old))
		check("old", Options{})
		write("docs/a.md", "# One\n\n[1](b.md#too) [2](c/d.md) [3](e.png) [4](#one)\n")
		must(t, os.Chtimes(name, old, old))
	})
	change("a target is gone", func() { must(t, os.Remove(filepath.Join(dir, "docs/e.png"))) })
	change("a target is a directory", func() { must(t, os.Mkdir(filepath.Join(dir, "docs/e.png"), 0o777)) })
	change("a new document", func() { write("docs/c/g.md", "[1](no.md)") })
	change("another case", func() {
		must(t, os.Rename(filepath.Join(dir, "docs/b.md"), filepath.Join(dir, "docs/B.md")))
	})
	change("a link leads nowhere", func() { must(t, os.Rename(filepath.Join(dir, "docs/B.md"), filepath.Join(dir, "b.md"))) })
	change("a configuration", func() { write("mkdocs.yml", "site_name: x\n") })
	change("a configuration with a mark", func() { write("mkdocs.yml", "site_name: x\nuse_directory_urls: false\n") })
	change("an ignored document", func() {
		must(t, os.Mkdir(filepath.Join(dir, ".git"), 0o777))
		write(".gitignore", "c\n")
	})
	change("none", func() { must(t, os.RemoveAll(filepath.Join(dir, ".git"))) })
	check("an option", Options{Orphans: true})
	check("a algorithm", Options{Slugs: "mkdocs"})
	check("a pattern", Options{Ignore: []string{"b*"}})
	var known Baseline
	_, err := Run(t.Context(), Options{Paths: []string{dir}}, func(f *Finding) { known.Add(f.Path, f) })
	must(t, err)
	check("a baseline", Options{Baseline: &known})
}

// A Report that a Cache holds answers questions as well.
func TestReplayedView(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.md")
	must(t, os.WriteFile(name, []byte("# One\n\n[1](#one)\n"), 0o666))
	o := Options{Paths: []string{dir}, Cache: new(doc.Cache)}
	for range 2 {
		r, err := Run(t.Context(), o, nil)
		must(t, err)
		if file, line, ok := r.View(name, []byte("# One\n\n[1](#one)\n")).Target(12); !ok || line != 1 || filepath.Base(file) != "a.md" {
			t.Error(file, line, ok)
		}
	}
	if !o.Cache.Outcomes[0].IsUsed {
		t.Error("the outcome is not used")
	}
}
