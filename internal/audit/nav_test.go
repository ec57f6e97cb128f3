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

// Time is linear in the number of navigation entries, on many lines or on one.
func TestHostileNavigation(t *testing.T) {
	n := scantest.Amount(1000, 6000)
	const docusaurus = "export default {presets: [['classic', {docs: {sidebarPath: './s.json'}}]]}"
	for name, shape := range map[string]struct {
		config, text, file string
		entry              string
	}{
		"lines":    {file: "mkdocs.yml", text: "nav:\n%s", entry: "  - p%d.md\n"},
		"one line": {file: "s.json", config: docusaurus, text: `{"a": [%s "x"]}`, entry: `"p%d", `},
		"wiki":     {file: "docs/a.md", text: "%s", entry: "[[p%d/a]] [[a#h%d]]\n"},
	} {
		site := func(n int) func() {
			dir := t.TempDir()
			must(t, os.Mkdir(filepath.Join(dir, "docs"), 0o777))
			must(t, os.Mkdir(filepath.Join(dir, ".git"), 0o777))
			var b strings.Builder
			for i := range n {
				b.WriteString(strings.ReplaceAll(shape.entry, "%d", fmt.Sprint(i)))
			}
			must(t, os.WriteFile(filepath.Join(dir, "docs", "a.md"), []byte("# A\n"), 0o666))
			must(t, os.WriteFile(filepath.Join(dir, shape.file), fmt.Appendf(nil, shape.text, b.String()), 0o666))
			switch name {
			case "wiki":
				must(t, os.Mkdir(filepath.Join(dir, "docs", ".obsidian"), 0o777))
			case "one line":
				must(t, os.WriteFile(filepath.Join(dir, "docusaurus.config.js"), []byte(shape.config), 0o666))
			}
			return func() { audited(t, dir) }
		}
		scantest.Linear(t, name, 20*time.Millisecond, site(n), site(4*n))
	}
}

// Configuration files outside the audited directories are not reported.
func TestNavigationOutside(t *testing.T) {
	dir := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(dir, "docs"), 0o777))
	must(t, os.Mkdir(filepath.Join(dir, ".git"), 0o777))
	must(t, os.WriteFile(filepath.Join(dir, "mkdocs.yml"), []byte("nav: [gone.md]\n"), 0o666))
	must(t, os.WriteFile(filepath.Join(dir, "docs", "index.md"), []byte("# A\n"), 0o666))
	for arg, want := range map[string]int{dir: 1, filepath.Join(dir, "docs"): 0} {
		found := 0
		_, err := new(Options).audit([]string{arg}, func(f *Finding) { found++ })
		must(t, err)
		if found != want {
			t.Errorf("%s: %d findings, want %d", arg, found, want)
		}
	}
}
