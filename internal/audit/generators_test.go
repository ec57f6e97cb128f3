package audit

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/refract/internal/audit/rule"
)

// Changes that make a variant of a site: each has a file, the text in it, and the replacement. If the
// text to replace is empty, the file is created.
var variants = map[string][]struct{ file, old, new string }{
	"mkdocs-flat":              {{"mkdocs.yml", "docs_dir: pages", "docs_dir: pages\nuse_directory_urls: false"}},
	"mkdocs-relative-to-docs":  {{"mkdocs.yml", "absolute_links: warn", "absolute_links: relative_to_docs"}},
	"mkdocs-zensical":          {{"zensical.toml", "", "[project]\n"}},
	"mkdocs-plugins-i18n":      {{"mkdocs.yml", "  - blog\n", "  - i18n:\n      docs_structure: suffix\n      languages:\n        - {locale: en, default: true, name: English}\n        - {locale: fr, name: Français}\n"}, {"mkdocs.yml", "site_name: Probe", "site_name: Probe\nexclude_docs: blog/"}},
	"hugo-embedded-hooks":      {{"hugo.toml", "[params]", "[markup.goldmark.renderHooks.link]\nuseEmbedded = \"always\"\n[params]"}},
	"hugo-languages-subdir":    {{"hugo.toml", "refLinks", "defaultContentLanguageInSubdir = true\nrefLinks"}},
	"hugo-languages-never":     {{"hugo.toml", "unsafe = true", "unsafe = true\n[markup.goldmark.renderHooks]\nlink.useEmbedded = \"never\"\nimage.useEmbedded = \"never\""}},
	"vitepress-clean":          {{"docs/.vitepress/config.mts", "base: '/vp/',", "base: '/vp/', cleanUrls: true,"}},
	"sphinx-myst-dirhtml":      {{".readthedocs.yaml", "", "sphinx:\n  builder: dirhtml\n"}},
	"antora-parts-indexify":    {{"antora-playbook.yml", "asciidoc:", "urls:\n  html_extension_style: indexify\nasciidoc:"}},
	"docusaurus-slash":         {{"docusaurus.config.js", "baseUrl: '/ds/',", "baseUrl: '/ds/', trailingSlash: true,"}},
	"docusaurus-noslash":       {{"docusaurus.config.js", "baseUrl: '/ds/',", "baseUrl: '/ds/', trailingSlash: false,"}},
	"mkdocs-monorepo-techdocs": {{"mkdocs.yml", "- monorepo", "- techdocs-core"}},
	"docsify-v4":               {{"index.html", "docsify@5/dist", "docsify@4/lib"}},
}

// TestGenerators compares findings in the sites of testdata/generators with what their
// generators built. remaining.txt holds each difference; UPDATE=1 rewrites it and keeps the
// reasons.
func TestGenerators(t *testing.T) {
	const dir = "testdata/generators"
	tables, err := filepath.Glob(dir + "/*/expected*.tsv")
	if err != nil || len(tables) != 44 {
		t.Fatalf("%d tables: %v", len(tables), err)
	}
	list, err := os.ReadFile(dir + "/remaining.txt")
	must(t, err)
	reasons := map[string]string{}
	for line := range strings.Lines(string(list)) {
		key, why, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t# ")
		reasons[key] = why
	}
	var out strings.Builder
	var all, plain [4]int // plain is without variants
	for _, table := range tables {
		name := filepath.Base(filepath.Dir(table))
		variant := strings.TrimPrefix(strings.TrimSuffix(filepath.Base(table), ".tsv"), "expected")
		site := copyOf(t, filepath.Join(filepath.Dir(table), "site"), variants[name+variant])
		var count [4]int
		rest := disagreements(t, name+variant, table, site, &count)
		if variant == "" {
			for i := range count {
				plain[i] += count[i]
			}
		}
		for i := range count {
			all[i] += count[i]
		}
		for _, key := range rest {
			if reasons[key] == "" {
				t.Errorf("no reason for %s", key)
			}
			fmt.Fprintf(&out, "%s\t# %s\n", key, reasons[key])
		}
	}
	if got := out.String(); got != string(list) {
		if os.Getenv("UPDATE") == "" {
			t.Errorf("differences, other than in remaining.txt:\n%s", got)
		} else {
			must(t, os.WriteFile(dir+"/remaining.txt", []byte(got), 0o666))
		}
	}
	t.Logf("dead: %d found, %d missed; sound: %d passed, %d reported", plain[0], plain[1], plain[2], plain[3])
	t.Logf("with variants: %d, %d; %d, %d", all[0], all[1], all[2], all[3])
}

// copyOf copies a site to a directory that passes for a repository, and changes it.
func copyOf(t *testing.T, site string, changes []struct{ file, old, new string }) string {
	t.Helper()
	to := t.TempDir()
	must(t, os.CopyFS(to, os.DirFS(site)))
	must(t, os.Mkdir(filepath.Join(to, ".git"), 0o777))
	for _, c := range changes {
		name := filepath.Join(to, c.file)
		text, _ := os.ReadFile(name)
		if !strings.Contains(string(text), c.old) {
			t.Fatalf("%s does not hold %q", c.file, c.old)
		}
		changed := strings.Replace(string(text), c.old, c.new, 1)
		must(t, os.WriteFile(name, []byte(changed), 0o666))
	}
	return to
}

// disagreements returns the rows of a table that disagree with the findings in a site.
func disagreements(t *testing.T, name, table, dir string, count *[4]int) (rest []string) {
	t.Helper()
	found := map[string][]int{} // columns, by file and line
	report, err := Run(context.Background(), Options{Dir: dir, Hidden: true, NoIgnore: true}, func(f *Finding) {
		switch f.Rule {
		case rule.MissingFile, rule.BrokenImage, rule.MissingFragment, rule.Case, rule.Outside, rule.BadURL, rule.MissingScheme, rule.MissingNote:
			key := fmt.Sprintf("%s\t%d", strings.TrimPrefix(f.File, "./"), f.Pos.Line)
			found[key] = append(found[key], f.Pos.Column)
		}
	})
	must(t, err)
	sums(t, report)
	text, err := os.ReadFile(table)
	must(t, err)
	seen := map[string]int{}
	for i, row := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		cells := strings.Split(row, "\t")
		if i == 0 {
			continue
		}
		key := strings.Join(cells[:3], "\t")
		from, to := occurrence(t, filepath.Join(dir, cells[0]), cells[1], cells[2], seen[key])
		seen[key]++
		hit := false
		for _, column := range found[cells[0]+"\t"+cells[1]] {
			hit = hit || column >= from && column < to
		}
		isDead := cells[3] == "broken" || cells[3] == "fragment" || cells[3] == "outside"
		kind := ""
		switch {
		case isDead && hit:
			count[0]++
		case isDead:
			count[1]++
			kind = "missed"
		case hit:
			count[3]++
			kind = "false"
		default:
			count[2]++
		}
		if kind != "" {
			rest = append(rest, fmt.Sprintf("%s\t%s\t%s\t%s", kind, name, key, cells[3]))
		}
	}
	return rest
}

// occurrence returns the columns, from and up to, of an occurrence of a reference in a line.
func occurrence(t *testing.T, file, number, ref string, n int) (from, to int) {
	t.Helper()
	text, err := os.ReadFile(file)
	must(t, err)
	line := 0
	fmt.Sscan(number, &line)
	source := bytes.Split(text, []byte("\n"))[line-1]
	for at := 0; ; {
		i := bytes.Index(source[at:], []byte(ref))
		if i < 0 {
			return 1, len(source) + 1 // it is written in another way
		}
		start, end := at+i, at+i+len(ref)
		at = start + 1
		if !isDelimited(source, start, end, filepath.Ext(file)) {
			continue
		}
		if strings.HasSuffix(strings.TrimRight(string(source[:start]), "\"' "), "{{") && !strings.HasPrefix(ref, "{{") {
			continue // in a template
		}
		if n--; n < 0 {
			return start + 1, end + 1
		}
	}
}

// isDelimited reports whether a range of a line of a file with a suffix is a reference by what is
// around it.
func isDelimited(line []byte, start, end int, ext string) bool {
	before, after := byte(' '), byte(' ')
	if start > 0 {
		before = line[start-1]
	}
	if end < len(line) {
		after = line[end]
	}
	switch ext {
	case ".adoc":
		isMacro := false
		for _, name := range []string{"xref:", "link:", "image:", "image::", "include::", "<<"} {
			isMacro = isMacro || bytes.HasSuffix(line[:start], []byte(name))
		}
		return isMacro && strings.IndexByte("[,>", after) >= 0
	case ".rst":
		if before == '/' {
			return after == '>'
		}
	}
	return strings.IndexByte("(\"'`<{ [", before) >= 0 && strings.IndexByte(")\"'`> #}]\r", after) >= 0
}
