package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/refract/internal/testing/cmdtest"
)

// A book and an office document are read in a directory without --archives. What points to another file of the book
// has no URL, but target_member; the base that it is resolved against is not shown.
func TestPackages(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"book.epub", "letter.docx"} {
		src, err := os.ReadFile("../../extract/testdata/packages/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), src, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for line, want := range map[string][]string{
		"refract -n -q .": {"book.epub!/OEBPS/text/ch 1.xhtml:2:189:http://www.example.org/out\n", "letter.docx!/word/document.xml:5:64:http://www.example.org/runs\n"},
		"refract --edges --unresolved -q book.epub":                   {"book.epub!/OEBPS/nav.xhtml\tbook.epub!/OEBPS/text/ch2.xhtml#no-such\tlink\n", "book.epub!/OEBPS/text/ch 1.xhtml\thttp://www.example.org/out\tlink\n"},
		"refract --json -q book.epub":                                 {`"layer":"none","target_member":"book.epub!/OEBPS/text/ch%201.xhtml"}`, `"kind":"metadata","in":"rootfile/full-path"`},
		"refract --explain --unresolved book.epub":                    {"base: \"/OEBPS/style.css\", the place of the file in the package\n    target: \"/OEBPS/img/none.png\", in the package\n"},
		"refract audit --json -q . || true":                           {`"input":"book.epub!/OEBPS/style.css"`, `"target_member":"book.epub!/OEBPS/img/none.png"`},
		"refract audit --explain -q book.epub || true":                {"target: \"/OEBPS/img/none.png\", in the package\n"},
		"refract -q --edges --url http://h/d/letter.docx letter.docx": {"http://h/d/letter.docx\thttp://h/other/report.docx\tlink\n"},
	} {
		stdout, stderr := cmdtest.Shell(t, dir, line)
		if strings.Contains(stdout+stderr, "refract-package") {
			t.Errorf("%s shows the scheme of packages:\n%s%s", line, stdout, stderr)
		}
		for _, w := range want {
			if !strings.Contains(stdout, w) {
				t.Errorf("%s: no %q in\n%s%s", line, w, stdout, stderr)
			}
		}
	}
}
