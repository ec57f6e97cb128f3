package audit

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.org/refract/internal/testing/scantest"
)

// Redirects times links: as many of both, in each form in which a site or its host writes redirects.
func TestRedirectsLinear(t *testing.T) {
	n := scantest.Amount(20, 500)
	lines := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.ReplaceAll(format, "%d", fmt.Sprint(i)))
		}
		return b.String()
	}
	const mkdocs = "site_name: x\nplugins:\n  - redirects:\n      redirect_maps:\n"
	for _, s := range []struct {
		name string
		make func(n int, write func(name, text string))
	}{
		{"MkDocs", func(n int, write func(name, text string)) {
			write("mkdocs.yml", mkdocs+lines(n, "        old%d.md: p.md\n"))
			write("docs/p.md", "# P\n\n"+lines(n, "[x](old%d.md) [y](/old%d/)\n"))
		}},
		{"chains", func(n int, write func(name, text string)) {
			write("mkdocs.yml", mkdocs+lines(n, "        old%d.md: next%d.md\n        next%d.md: p.md\n"))
			write("docs/p.md", "# P\n\n"+lines(n, "[x](/old%d/)\n"))
		}},
		{"aliases of a page", func(n int, write func(name, text string)) {
			write("hugo.toml", "baseURL = 'https://h.example/'\n")
			write("content/p.md", "---\naliases:\n"+lines(n, "  - /old%d/\n")+"---\n# P\n")
			write("content/_index.md", lines(n, "[x](/old%d/)\n"))
		}},
		{"placeholders", func(n int, write func(name, text string)) {
			write("mkdocs.yml", "site_name: x\n")
			write("docs/_redirects", lines(n, "/:a/old%d/:b /new%d/:b 301\n"))
			write("docs/p.md", "# P\n\n"+lines(n, "[x](/a/old%d/z)\n"))
		}},
		{"expressions", func(n int, write func(name, text string)) {
			write("mkdocs.yml", "site_name: x\n")
			write("docs/.htaccess", lines(n, "RedirectMatch 301 ^/(.*)/old%d$ /new%d\n"))
			write("docs/p.md", "# P\n\n"+lines(n, "[x](/a/old%d/z) [y](/a/old%d)\n"))
		}},
	} {
		run := func(n int) func() {
			dir := t.TempDir()
			s.make(n, func(name, text string) {
				name = filepath.Join(dir, name)
				must(t, os.MkdirAll(filepath.Dir(name), 0o777))
				must(t, os.WriteFile(name, []byte(text), 0o666))
			})
			return func() { audited(t, dir) }
		}
		scantest.Linear(t, s.name, 20*time.Millisecond, run(n), run(4*n))
	}
}
