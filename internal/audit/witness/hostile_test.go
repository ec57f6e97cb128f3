package witness_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.org/refract/internal/audit"
	"example.org/refract/internal/scantest"
)

// Builds that no generator makes, of about n things each.
var shapes = []struct {
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
}

func TestHostile(t *testing.T) {
	n := scantest.Amount(10, 250)
	for _, s := range shapes {
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
