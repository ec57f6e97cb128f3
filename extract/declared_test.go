package extract

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// The types that servers declare, and what browsers read for them.
func TestDeclaredRecords(t *testing.T) {
	const manifest = `{"name":"n","start_url":"/s","display":"browser","icons":[{"src":"i.png"}],"shortcuts":[{"url":"/c","icons":[{"src":"j.png"}]}],"screenshots":[{"src":"k.png"}]}`
	nuls := strings.Repeat("\x00", 2000) + "<a href=/a>x</a>"
	for _, tt := range []struct{ declared, target, body, want string }{
		{"text/html", "http://h/", nuls, "http://h/a"}, // MIME Sniffing 7
		{"TEXT/HTML;charset=utf-8", "http://h/", nuls, "http://h/a"},
		{"text/plain", "http://h/", nuls, ""},
		{"", "http://h/", nuls, ""},
		{"application/manifest+json", "http://h/d/m", manifest, "http://h/s http://h/d/i.png http://h/c http://h/d/j.png http://h/d/k.png"},
		{"application/json", "http://h/d/manifest.json?v=1", manifest, "http://h/s http://h/d/i.png http://h/c http://h/d/j.png http://h/d/k.png"},
		{"application/json", "http://h/d/site.webmanifest", manifest, "http://h/s http://h/d/i.png http://h/c http://h/d/j.png http://h/d/k.png"},
		{"application/json", "http://h/d/manifest.json", `{"start_url":"/s"}`, ""},
		{"application/json", "http://h/d/api", manifest, ""},
	} {
		block := "HTTP/1.1 200 OK\r\nContent-Type: " + tt.declared + "\r\n\r\n" + tt.body
		src := fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", tt.target, len(block), block)
		c := Config{}
		var got []string
		for ref, err := range c.Walk("a.warc", strings.NewReader(src)) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, string(ref.URL))
		}
		if !slices.Equal(got, strings.Fields(tt.want)) {
			t.Errorf("%s, %s: got %q, want %q", tt.declared, tt.target, got, tt.want)
		}
	}
}
