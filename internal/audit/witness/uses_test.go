package witness

import (
	"strings"
	"testing"

	"example.org/refract/extract"
	"example.org/refract/internal/audit/doc"
)

// Uses have all references of a document, or none: where there are too many, documents are read again.
func TestUses(t *testing.T) {
	u := &Uses{count: maxKept - 3}
	take := func(d *doc.Document, text string) {
		t.Helper()
		cfg := extract.Config{Details: true}
		for r, err := range cfg.Walk("a.md", strings.NewReader(text)) {
			if err != nil {
				t.Fatal(err)
			}
			d.References++
			u.Take(d, r, []byte(text))
		}
	}
	has := func(d *doc.Document, n int, want bool) {
		t.Helper()
		all, ok := u.of(d)
		if ok != want || len(all) != n {
			t.Errorf("%d references, %v", len(all), ok)
		}
	}
	var whole, cut, after, empty, front doc.Document
	take(&whole, "[text](page.md) ![](x.png)\n")
	take(&front, "---\nx: https://example.org/\n---\n")
	take(&cut, "[a](a.md) [b](b.md)\n")
	has(&whole, 2, true)
	has(&front, 0, true)
	has(&cut, 0, false)
	has(&empty, 0, true)
	take(&after, "[a](a.md) [b](b.md)\n")
	has(&after, 0, false)
	if u.by[&whole][0].text == 0 {
		t.Error("without its text")
	}
}
