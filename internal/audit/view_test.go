package audit

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/input"
	"github.com/rogpeppe/go-internal/txtar"
)

// What a View answers, where the tests of package lsp (cmd/refract/internal) do not look: sites, <base>, what
// is outside of the tree, names that need a hand. "|" is where one asks.
func TestView(t *testing.T) {
	ar := txtar.Parse([]byte(`
-- docs/a.md --
-- docs/c:d #1.md --
# One
# One
-- docs/sub/e.html --
<p id=x></p>
-- other/f.md --
# Other
-- other/.g.md --
`))
	for i := range ar.Files {
		ar.Files[i].Name = "tree/" + ar.Files[i].Name
	}
	o, _, _ := unpack(t, ar)
	dir := fullPath("tree")
	o.Sites = []Site{{"https://example.org/d/", "tree/docs"}}
	o.Cache = new(doc.Cache)
	report, err := o.audit([]string{"tree/docs"}, func(*Finding) {})
	must(t, err)
	tests := []struct{ ask, path, text, ref, want string }{
		{"files", "docs/a.md", "|", "", "a.md ./c:d%20%231.md sub/"},
		{"files", "docs/new.md", "|", "", "a.md ./c:d%20%231.md sub/"},
		{"files", "docs/a.md", "|", "./", "a.md c:d%20%231.md sub/"},
		{"files", "docs/a.md", "|", "https://example.org/d/sub/", "e.html"},
		{"files", "docs/a.md", "|", "https://example.com/d/sub/", ""},
		{"files", "docs/a.md", "|", "../", ""},
		{"files", "docs/a.md", "|", "a.md/", ""},
		{"files", "docs/a.md", "|", "SUB/", ""},
		{"files", "docs/a.md", "|", "%2F/", ""},
		{"files", "docs/a.md", "|", "\x00//[%/", ""},
		{"files", "docs/x.html", "<base href=sub/><a href=a>|<a href=b>", "", "e.html"},
		{"files", "other/f.md", "|", "", "f.md"},
		{"files", "other/f.md", "|", "../docs/", "a.md c:d%20%231.md sub/"},
		{"anchors", "docs/a.md", "|", "c%3Ad%20%231.md", "one one-1"},
		{"anchors", "docs/a.md", "|", "sub/e.html", "x"},
		{"anchors", "docs/a.md", "# é\n|", "", "é"},
		{"anchors", "docs/a.md", "|", "none.md", ""},
		{"anchors", "docs/a.md", "|", "sub/", ""},
		{"anchors", "other/f.md", "|# Now", "", "now"},
		{"target", "docs/a.md", "[x](|sub/e.html#x)", "", "docs/sub/e.html 1"},
		{"target", "docs/a.md", "[x](https://example.org/d/sub/e.html|)", "", "docs/sub/e.html 1"},
		{"target", "docs/a.md", "[x](|<c:d #1.md#one-1>)", "", ""},
		{"target", "docs/a.md", "[x](./c:d%20%231.md#one-1|)", "", "docs/c:d #1.md 2"},
		{"target", "docs/a.md", "|[x](sub/e.html)", "", ""},
		{"target", "docs/a.md", "[x](|none.md)", "", ""},
		{"target", "docs/a.md", "[x](|../other/f.md)", "", ""},
		{"target", "docs/a.md", "[x](|%)", "", ""},
	}
	for _, test := range tests {
		at := strings.Index(test.text, "|")
		v := report.View(dir+"/"+test.path, []byte(strings.Replace(test.text, "|", "", 1)))
		var got []string
		switch test.ask {
		case "files":
			for _, n := range v.Files(test.ref, int64(at)) {
				got = append(got, n.Ref)
			}
		case "anchors":
			for _, n := range v.Anchors(test.ref, int64(at)) {
				got = append(got, n.Ref)
			}
		default:
			if file, line, ok := v.Target(int64(at)); ok {
				got = append(got, strings.TrimPrefix(file, dir+"/"), fmt.Sprint(line))
			}
		}
		if got := strings.Join(got, " "); got != test.want {
			t.Errorf("%s %s %q %q: %q, want %q", test.ask, test.path, test.text, test.ref, got, test.want)
		}
	}
}

// A View can be used while the next run, with the same Cache, is under way.
func TestViewDuringRun(t *testing.T) {
	t.Chdir(t.TempDir())
	for i := range 50 {
		must(t, os.WriteFile(fmt.Sprintf("%d.md", i), fmt.Appendf(nil, "# H%d\n[x](%d.md#h) [y](../%d.md)", i, i+1, i), 0o666))
	}
	outside := fullPath(t.TempDir()) + "/x.md"
	must(t, os.WriteFile(filepath.FromSlash(outside), []byte("# Out"), 0o666))
	o := Options{Cache: new(doc.Cache), Jobs: 4}
	report, err := o.audit([]string{"."}, func(*Finding) {})
	must(t, err)
	done := make(chan error)
	go func() {
		for range 5 {
			if _, err := o.audit([]string{"."}, func(*Finding) {}); err != nil {
				done <- err
			}
		}
		close(done)
	}()
	for i := range 200 {
		v := report.View(fullPath(fmt.Sprintf("%d.md", i%50)), []byte("[x](1.md#h1)"))
		if file, _, ok := v.Target(5); !ok || !strings.HasSuffix(file, "/1.md") {
			t.Fatalf("%q, %v", file, ok)
		}
		v.Files("", 5)
		v.Anchors("2.md", 5)
		report.View(outside, nil).Anchors("x.md", 0)
	}
	must(t, <-done)
}

// The Views of a report may be used while the next run goes on, with the same cache.
func TestViewMeanwhile(t *testing.T) {
	t.Chdir(t.TempDir())
	const n = 50
	var links strings.Builder
	for i := range n {
		must(t, os.WriteFile(fmt.Sprintf("%02d.md", i), []byte(fmt.Sprintf("# Set up %d\n", i)), 0o666))
		fmt.Fprintf(&links, "[x](%02d.md#Set_up) [y](%02d.md#SET-UP)\n", i, i)
	}
	o := Options{Cache: new(doc.Cache), Jobs: 2}
	report, err := o.audit([]string{"."}, func(*Finding) {})
	must(t, err)
	must(t, os.WriteFile("a.md", []byte(links.String()), 0o666))
	var next sync.WaitGroup
	next.Go(func() {
		if _, err := o.audit([]string{"."}, func(*Finding) {}); err != nil {
			t.Error(err)
		}
	})
	v := report.View(fullPath("a.md"), []byte(links.String()))
	for i := range n {
		if names := v.Anchors(fmt.Sprintf("%02d.md", i), 5); len(names) != 1 {
			t.Errorf("%v", names)
		}
	}
	next.Wait()
}

// The Config of a document has the dialect of its site, also of one that the audit has not
// read; that of other documents has none.
func TestReportConfig(t *testing.T) {
	ar := txtar.Parse([]byte(`
-- .git/HEAD --
-- mkdocs.yml --
site_name: x
markdown_extensions: [admonition]
-- docs/a.md --
-- docs/b.md --
-- README.md --
`))
	for i := range ar.Files {
		ar.Files[i].Name = "tree/" + ar.Files[i].Name
	}
	o, _, _ := unpack(t, ar)
	report, err := o.audit([]string{"tree/docs/a.md", "tree/README.md"}, func(*Finding) {})
	must(t, err)
	for name, want := range map[string]bool{"docs/a.md": true, "docs/b.md": true, "docs/new.md": true, "README.md": false} {
		for _, p := range []string{"tree/" + name, fullPath("tree/" + name)} {
			if got := report.Config(p).Markdown.Admonitions; got != want {
				t.Errorf("%s: %v", p, got)
			}
		}
	}
	new(Report).Config("a.md") // does not panic
}

// fullPath returns the absolute path of a file on the disk.
func fullPath(name string) string { return tree.Absolute(input.WorkingDir(), name) }
