package audit_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.org/refract/internal/audit"
	"example.org/refract/internal/testing/scantest"
)

// Builds that no generator makes, of about n things each.
var builtShapes = []struct {
	name string
	make func(n int, add func(name, text string))
}{
	{"pages with documents", func(n int, add func(name, text string)) {
		for i := range n {
			add(fmt.Sprintf("docs/d%d/p%d.md", i%97, i), fmt.Sprintf("# Page %d\n\n[next](p%d.md) [gone](gone%d.md)\n", i, i+1, i))
			add(fmt.Sprintf("out/d%d/p%d/index.html", i%97, i), fmt.Sprintf("<main><h1>Page %d</h1><a href=../p%d/>next</a> <a href=gone%d.md>gone</a></main>", i, i+1, i))
		}
	}},
	{"the same dead link", func(n int, add func(name, text string)) {
		add("docs/a.md", "# A\n\n"+strings.Repeat("[x](gone.md)\n", 4*n))
		add("out/a.html", "<main><h1>A</h1>"+strings.Repeat("<p><a href=gone.md>x</a>", 4*n))
	}},
	{"a template with another dead link in each page", func(n int, add func(name, text string)) {
		add("docs/a.md", "# A\n")
		for i := range n {
			add(fmt.Sprintf("out/p%d.html", i), fmt.Sprintf("<header><a href=/fr/p%d>French</a><a href=/gone>Gone</a></header><main><h1>P</h1></main>", i))
		}
	}},
	{"scripts that name sources", func(n int, add func(name, text string)) {
		for i := range n {
			add(fmt.Sprintf("docs/s%d.md", i), "Text.\n")
			add(fmt.Sprintf("out/q%d.html", i), fmt.Sprintf("<link rel=modulepreload href=/a%d.js><main>Text", i))
			add(fmt.Sprintf("out/a%d.js", i), fmt.Sprintf(`{"filePath":"docs/s%d.md"}`, i))
		}
	}},
	{"a script that names many sources", func(n int, add func(name, text string)) {
		add("docs/a.md", "# A\n")
		add("out/x.html", "<script src=a.js></script><h1>X</h1>")
		add("out/a.js", strings.Repeat(`{"source":"a.md","permalink":"/x"}`, n)+strings.Repeat(`"source":`, n)+strings.Repeat(`.md"`, n))
	}},
	{"attributes that may name sources", func(n int, add func(name, text string)) {
		add("docs/a.md", "# A\n")
		add("out/x.html", strings.Repeat("<main data-x=\"a.md\">", n)+"<meta "+strings.Repeat("content=\"/a.md\" ", n)+"><body "+strings.Repeat("data-a=\"", n))
	}},
	{"pages of one name", func(n int, add func(name, text string)) {
		for i := range n {
			add(fmt.Sprintf("docs/x%d/same/README.md", i), "# Same\n\n[x](gone.md)\n")
			add(fmt.Sprintf("out/v1/y%d/same/index.html", i), "<main><h1>Same</h1><a href=gone.md>x</a></main>")
		}
	}},
	{"links of few texts and targets, in another order", func(n int, add func(name, text string)) {
		var doc, page strings.Builder
		for i := range 8 * n {
			fmt.Fprintf(&doc, "[t%d](g%d.md)\n", i%7, i%11)
			fmt.Fprintf(&page, "<p><a href=/g%d/>t%d</a>", i*i%11, i*i%7)
		}
		add("docs/a.md", "# A\n\n"+doc.String())
		add("out/a.html", "<main><h1>A</h1>"+page.String())
	}},
	{"links of one text, of which the build has half", func(n int, add func(name, text string)) {
		var doc, page strings.Builder
		for i := range 4 * n {
			fmt.Fprintf(&doc, "[x](g%d.md)\n", i)
			if i%2 == 0 {
				fmt.Fprintf(&page, "<p><a href=/g%d/>x</a>", i)
			}
		}
		add("docs/a.md", "# A\n\n"+doc.String())
		add("out/a.html", "<main><h1>A</h1>"+page.String())
	}},
	{"redirects from one to the next, and patterns", func(n int, add func(name, text string)) {
		var doc, page, rules strings.Builder
		for i := range n {
			fmt.Fprintf(&doc, "[r%d](/r%d)\n", i, i)
			fmt.Fprintf(&page, "<a href=/r%d>r%d</a>", i, i)
			fmt.Fprintf(&rules, "/old%d/* /new%d/:splat 301\n/r%d /r%d\n", i, i, i, i+1)
		}
		add("docs/a.md", "# A\n\n"+doc.String())
		add("out/a.html", "<main><h1>A</h1>"+page.String())
		add("out/_redirects", rules.String())
	}},
	{"documents with the same headings", func(n int, add func(name, text string)) {
		for i := range n {
			add(fmt.Sprintf("docs/s%d.md", i), "# Intro\n\n## Usage\n\n## API\n\n[x](s0.md)\n")
			add(fmt.Sprintf("out/q%d.html", i), "<main><h1>Intro</h1><h2>Usage</h2><h2>API</h2><a href=s0>x</a>")
		}
	}},
	{"deep elements", func(n int, add func(name, text string)) {
		add("docs/a.md", "# A\n\n[x](b.md)\n")
		add("out/a.html", "<main><h1>A</h1>"+strings.Repeat("<div class=x>", 8*n)+"<a href=b.md>x</a>"+strings.Repeat("<nav>", 8*n))
	}},
	{"dead links of no reference, with text that is like them", func(n int, add func(name, text string)) {
		var page strings.Builder
		for i := range 8 * n {
			fmt.Fprintf(&page, "<a href=/zz%d>k</a>", i)
		}
		add("docs/a.md", "# A\n\n"+strings.Repeat("{{ link x }} /zz", 8*n)+"\n")
		add("out/a.html", "<main><h1>A</h1>"+page.String())
	}},
}

func TestHostileBuilds(t *testing.T) {
	n := scantest.Amount(10, 250)
	for _, s := range builtShapes {
		run := func(n int) func() {
			dir := t.TempDir()
			write := func(name, text string) {
				name = filepath.Join(dir, name)
				err := os.MkdirAll(filepath.Dir(name), 0o777)
				if err == nil {
					err = os.WriteFile(name, []byte(text), 0o666)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			write(".git/HEAD", "")
			s.make(n, write)
			o := audit.Options{Dir: dir, Paths: []string{"docs"}, Built: []audit.Site{{Dir: "out"}}, Generator: "none"}
			return func() {
				_, err := audit.Run(t.Context(), o, nil)
				if err != nil {
					t.Error(err)
				}
			}
		}
		scantest.Linear(t, s.name, time.Duration(4*n)*300*time.Microsecond, run(n), run(4*n))
	}
}
