package auditcmd

import (
	"strings"
	"testing"

	"example.org/refract/internal/audit"
)

// What a build has nothing to say about is not mentioned, and one of each is.
func TestWriteBuild(t *testing.T) {
	for want, b := range map[string]*audit.BuildReport{
		"0 pages, 0 documents with a page, 0 pages without a source; it decides on 0 references": {},
		"1 page, 1 document with a page, 1 page without a source; it decides on 1 reference":     {Pages: 1, Documents: 1, Sourceless: 1, Decided: 1},
		"build: broken references of documents are also in 1 link on other pages":                {Copied: 1},
		"build: links of 1 page that are templates are not checked":                              {Templates: 1},
		"build: 1 broken link without a source are left out: there are too many":                 {Dropped: 1},
	} {
		var out strings.Builder
		writeBuild(&out, b)
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		if last := lines[len(lines)-1]; !strings.HasSuffix(last, want) || len(lines) > 2 || len(lines) == 2 && b.Copied+b.Templates+b.Dropped == 0 {
			t.Errorf("%+v: %q, want %q", *b, lines, want)
		}
	}
	var out strings.Builder
	writeBuild(&out, nil)
	if out.String() != "" {
		t.Errorf("without a build: %q", out.String())
	}
}
