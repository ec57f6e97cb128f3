package html

import (
	"os"
	"slices"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
)

// Every attribute of testdata/lazy.tsv is an embed with the label lazy; the table has all.
func TestLazyTable(t *testing.T) {
	table, err := os.ReadFile("testdata/lazy.tsv")
	if err != nil {
		t.Fatal(err)
	}
	listed := make(map[string]bool)
	for row := range strings.Lines(string(table)) {
		if strings.HasPrefix(row, "#") {
			continue
		}
		cells := strings.Split(strings.TrimSuffix(row, "\n"), "\t")
		if len(cells) != 3 || cells[2] == "" || listed[cells[0]] {
			t.Fatalf("%q", row)
		}
		listed[cells[0]] = true
		want := []string{"x."}
		if strings.Contains(cells[1], "y.jpg") {
			want = append(want, "y.")
		}
		if got := lazyValues(`<img ` + cells[0] + `="` + cells[1] + `">`); !slices.EqualFunc(got, want, strings.HasPrefix) {
			t.Errorf("%s: %q", cells[0], got)
		}
	}
	for _, r := range globalRules {
		for name := range strings.FieldsSeq(r.attrs) {
			if r.of&lazy != 0 && r.kind == scan.Embed && !listed[name] {
				t.Errorf("the table does not have %s", name)
			}
		}
	}
}

// lazyValues returns the values of the embeds with the label lazy in src.
func lazyValues(src string) (values []string) {
	for it := range new(Scanner).Scan([]byte(src)) {
		if it.Op == scan.Ref && it.Kind == scan.Embed && it.Labels&scan.Lazy != 0 {
			values = append(values, string(it.Value))
		}
	}
	return values
}

// What pages write into these attributes besides URLs: all of these values, except for the short ones, are from
// pages.
func TestLazyValues(t *testing.T) {
	for _, test := range []struct{ attribute, value, want string }{
		{"data-src", "x", "x"},
		{"data-src", "img-1", "img-1"},
		{"data-src", " //h/a b.jpg ", "//h/a b.jpg"},
		{"data-src", "a.jpg?w=1", "a.jpg?w=1"},
		{"data-original", "/media/news and media/a.jpg", "/media/news and media/a.jpg"},
		{"data-lazy", "http://h/w_1, h_2/a b.jpg", "http://h/w_1, h_2/a b.jpg"},
		{"data-lazy", "c/w_300,h_200/x", "c/w_300,h_200/x"},
		{"data-lazy", "photo.JPEG", "photo.JPEG"},
		{"data-bg", "url( 'a.jpg' )", "a.jpg"},
		{"data-bg", "URL(a.jpg)", "a.jpg"},
		{"data-bgset", "a.jpg [--small] | b.jpg 1x, c.jpg 2x", "a.jpg b.jpg c.jpg"},
		{"data-bgset", "||[|", ""},
		{"data-lazy", "true", ""}, {"data-lazy", "1", ""}, {"data-lazy", "x", ""}, {"data-lazy", "4.5", ""}, {"data-lazy", "on the side.", ""},
		{"data-lazyload", "true", ""}, {"data-image", "1234", ""}, {"data-image", "12.345", ""}, {"data-thumb", "", ""},
		{"data-src", "false", ""}, {"data-src", "DROP_PERMALINK_HERE", ""}, {"data-src", "EB488CB70A03A2BE57B5FAEF", ""},
		{"data-src", `{&quot;default&quot;:&quot;//h/a.jpg&quot;}`, ""}, {"data-src", `[&quot;//h/a.jpg&quot;]`, ""},
		{"data-src", "//cdn.shopify.com/a_{width}x.jpg", ""}, {"data-src", "<%= url %>", ""}, {"data-bg", "qconSF", ""},
	} {
		if got := strings.Join(lazyValues(`<div `+test.attribute+`="`+test.value+`">`), " "); got != test.want {
			t.Errorf("%s=%q: %q, want %q", test.attribute, test.value, got, test.want)
		}
	}
}
