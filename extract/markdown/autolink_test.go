package markdown

import (
	"os"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/testing/scantest"
)

// Bare links are those of cmark-gfm, which testdata/autolinks.tsv has, but where a third column
// says what is found instead, and a fourth why.
func TestAutolinks(t *testing.T) {
	table, err := os.ReadFile("testdata/autolinks.tsv")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(table)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") || len(fields) < 2 {
			continue
		}
		rows++
		want := fields[1]
		if len(fields) == 4 {
			want = fields[2]
		}
		if got := strings.Join(linksOf(fields[0], GitHub), " "); got != want {
			t.Errorf("%q: %s, want %s", fields[0], got, want)
		}
	}
	if rows < 60 {
		t.Errorf("%d rows", rows)
	}
}

// linksOf returns what the links and images of src point to, in their order.
func linksOf(src string, d Dialect) (all []string) {
	for it := range (&Scanner{Dialect: d}).Scan([]byte(src)) {
		if it.Op == scan.Ref && it.How != scan.Attribute {
			all = append(all, it.Meant+string(it.Value))
		}
	}
	return all
}

// A site's generator makes the bare links that it makes.
func TestBareDialects(t *testing.T) {
	const src = "\"http://x.org/a\" and http://localhost/b or http://x.org/c"
	for _, tt := range []struct {
		name    string
		dialect Dialect
		want    string
	}{
		{"zero", Dialect{}, "http://x.org/a http://localhost/b http://x.org/c"},
		{"GitHub", GitHub, "http://x.org/a http://localhost/b http://x.org/c"},
		{"Docusaurus", Docusaurus, "http://x.org/a http://localhost/b http://x.org/c"},
		{"Hugo", HugoSite, "http://x.org/c"},
		{"MkDocs", MkDocs, ""},
		{"mdBook", MdBook, ""},
	} {
		if got := strings.Join(linksOf(src, tt.dialect), " "); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// A handle that begins a text is no address, and hides none.
func TestAddressBehindHandle(t *testing.T) {
	if got, want := strings.Join(linksOf("@b and c@d.org", HugoSite), " "), "mailto:c@d.org"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// In the cell of a table "\|" is "|" (GFM 4.10); elsewhere it is both.
func TestBareInCell(t *testing.T) {
	const url = `http://x.org/a\|b`
	for src, want := range map[string]string{
		"| a |\n|---|\n| " + url + " |": "http://x.org/a|b",
		url:                             url,
	} {
		if got := strings.Join(linksOf(src, GitHub), " "); got != want {
			t.Errorf("%q: %s, want %s", src, got, want)
		}
	}
}

// Time is linear in the length of a run of text.
func TestAutolinksHostile(t *testing.T) {
	var shapes []scantest.Shape
	for _, unit := range []string{"a@", "http://", "www.", "a_b@c.d_", "http://a_", "h\\", "_@b.c", "http://x[", "]http://", ";", "&a;",
		"http://x/&;a", "a\\_", "中http://x/中", ")http://(", "a:b@c.", "mailto:a@b.", "_a@b.c ", "_a@b.c_d"} {
		shapes = append(shapes, scantest.Shape{"", unit, ""}, scantest.Shape{"http://x.org/", unit, "."})
	}
	scantest.Shapes(t, shapes, 1<<15, func(src []byte) {
		for range (&Scanner{Dialect: GitHub}).Scan(src) {
		}
	})
}
