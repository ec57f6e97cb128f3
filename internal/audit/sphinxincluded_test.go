package audit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSphinxIncluded compares the audit with the build, for files that an included document names.
func TestSphinxIncluded(t *testing.T) {
	data, err := os.ReadFile("testdata/sphinx-included.tsv")
	if err != nil {
		t.Fatal(err)
	}
	forms := map[string]string{
		"rst image": ".. image:: x.png\n", "rst figure": ".. figure:: x.png\n", "rst download": ":download:`f <x.bin>`\n",
		"rst literalinclude": ".. literalinclude:: x.py\n", "rst csv-table": ".. csv-table:: t\n   :file: x.csv\n",
		"rst include": ".. include:: x.txt\n", "rst raw": ".. raw:: html\n   :file: x.html\n",
		"md image": "![x](x.png)\n", "md imagedir": "```{image} x.png\n```\n", "md figure": "```{figure} x.png\n```\n",
		"md download": "{download}`f <x.bin>`\n", "md literalinclude": "```{literalinclude} x.py\n```\n",
		"md csv-table": "```{csv-table} t\n:file: x.csv\n```\n", "md include": "```{include} x.txt\n```\n",
	}
	for line := range strings.Lines(string(data)) {
		row := strings.Split(strings.TrimSpace(line), "\t")
		if strings.HasPrefix(line, "#") {
			continue
		}
		language, form, option, where, want := row[0], row[1], row[2], row[3], row[4]
		part := forms[language+" "+form]
		include, title := ".. include:: ../sub/part.rst\n", "T\n=\n\n"
		if language == "md" {
			include, title = "```{include} ../sub/part.md\n```\n", "# T\n\n"
		}
		if option == "relative" {
			include = "```{include} ../sub/part.md\n:relative-images:\n```\n"
		}
		name := part[strings.Index(part, "x."):]
		name = name[:strings.IndexAny(name, ")`>\n")]
		name = strings.Fields(name)[0]
		dir := t.TempDir()
		for file, text := range map[string]string{
			"conf.py":              "extensions = ['myst_parser']\nexclude_patterns = ['sub/part.*']\n",
			"dir/b." + language:    title + include,
			"sub/part." + language: "Part\n\n" + part,
			where + "/" + name:     "",
		} {
			at := filepath.Join(dir, file)
			os.MkdirAll(filepath.Dir(at), 0o755)
			if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got := "found"
		for _, f := range sphinxFindings(t, dir) {
			if strings.Contains(f.Message, name) {
				got = "missing"
			}
		}
		if got != want {
			t.Errorf("%s: %s", strings.TrimSpace(line), got)
		}
	}
}

func sphinxFindings(t *testing.T, dir string) (found []*Finding) {
	t.Helper()
	if _, err := Run(t.Context(), Options{Paths: []string{dir}}, func(f *Finding) { found = append(found, f) }); err != nil {
		t.Fatal(err)
	}
	return found
}
