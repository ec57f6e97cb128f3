package output

import (
	"strings"
	"testing"

	"example.org/refract/base"
	"example.org/refract/extract"
)

// The key of a pair has the document that the reference is in, although one Block counts those of several documents.
func TestPairs(t *testing.T) {
	for count, want := range map[string]string{
		"host-pair":   "www.a.example\tx.b.example\nwww.a.example\ty.b.example\nc.example\tx.b.example\nc.example\ty.b.example\n\tx.b.example\n\ty.b.example\n",
		"domain-pair": "a.example\tb.example\na.example\tb.example\nc.example\tb.example\nc.example\tb.example\n\tb.example\n\tb.example\n",
	} {
		var b Block
		got := ""
		r := Renderer{Count: count}
		for _, document := range []string{"http://www.a.example/", "http://c.example/", ""} {
			cfg := extract.Config{Type: "text/html", Retrieved: base.Source{URI: document}}
			const page = "<a href='http://x.b.example/'><a href='http://y.b.example'><a href='mailto:a'>"
			for ref, err := range cfg.Walk("a", strings.NewReader(page)) {
				if err != nil {
					t.Fatal(err)
				}
				if key := r.appendPair(&b, ref, ref.URL); key != nil {
					got += string(key) + "\n"
				}
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", count, got, want)
		}
	}
}
