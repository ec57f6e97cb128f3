package extract

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
)

// An HTTP Archive as browsers write it, with entries of several kinds.
var harText = `{"log": {"version": "1.2", "creator": {"name": "x", "comment": "http://no.example/"}, "pages": [{"title": "http://no.example/"}],
"entries": [
{"startedDateTime": "2026-11-26T10:00:00.000Z", "request": {"method": "GET", "url": "https://a.example/d/", "headers": [{"name": "Referer", "value": "http://no.example/"}]},
 "response": {"status": 200, "statusText": "OK", "headers": [{"name": "Content-Encoding", "value": "gzip"}, {"name": "link", "value": "<s.css>; rel=preload"}],
  "content": {"size": 9, "mimeType": "text/html; charset=iso-8859-1", "text": "<p>\"é\"\n<a href=\"x?a=1\u0026amp;b\">y</a><img src=i.png>"}, "redirectURL": ""}, "time": 1},
{"request": {"url": "https:\/\/b.example\/old"}, "response": {"status": 301, "headers": [{"name": "Location", "value": "\/new"}], "content": {"mimeType": "", "size": 0}}},
{"request": {"url": "https://c.example/s"}, "response": {"headers": [], "status": 200, "content": {"mimeType": "text/css", "encoding": "base64", "text": "` +
	base64.StdEncoding.EncodeToString([]byte("a { background: url(p.png) }")) + `"}}},
{"request": {"url": "https://d.example/i.png"}, "response": {"status": 200, "content": {"mimeType": "image/png", "encoding": "base64", "text": "iVBO"}}},
{"request": {"url": "https://e.example/"}, "response": {"status": 0, "headers": [], "content": {}}}
]}}`

func TestHAR(t *testing.T) {
	want := []string{
		"1 200 https://a.example/d/s.css",
		"1 200 https://a.example/d/x?a=1&b",
		"1 200 https://a.example/d/i.png",
		"2 301 https://b.example/new",
		"3 200 https://c.example/p.png",
	}
	harWalk := func(c *Config, name, text string) (got []string, notes []string) {
		c.Records, c.Lines, c.Note = true, true, func(n *Note) { notes = append(notes, n.Text) }
		for ref, err := range c.Walk(name, strings.NewReader(text)) {
			if err != nil {
				t.Fatal(err)
			}
			rec := ref.Record()
			if rec == nil {
				got = append(got, string(ref.URL))
				continue
			}
			got = append(got, fmt.Sprintf("%s %d %s", ref.Entity.Name, rec.Status, ref.URL))
			raw := text[ref.Pos.Offset:][:ref.Pos.Length]
			raw = strings.ReplaceAll(strings.NewReplacer(`\/`, "/", `\u0026`, "&").Replace(raw), "&amp;", "&")
			if ref.Pos.Exact && raw != string(ref.Ref) {
				t.Errorf("%q at %d is %q", ref.Ref, ref.Pos.Offset, raw)
			}
			if ref.Pos.Exact == (ref.Entity.Name == "3") {
				t.Errorf("%q: exact %v", ref.Ref, ref.Pos.Exact)
			}
		}
		return got, notes
	}
	for _, name := range []string{"x.har", "x", ""} {
		got, notes := harWalk(&Config{}, name, harText)
		if !slices.Equal(got, want) || len(notes) != 1 || !strings.Contains(notes[0], "image/png") {
			t.Errorf("%s: %q, notes %q", name, got, notes)
		}
	}
	got, _ := harWalk(&Config{SelectRecord: func(r *Record) bool { return r.Status == 301 && r.Redirect == "/new" }}, "x.har", harText)
	if !slices.Equal(got, want[3:4]) {
		t.Errorf("selected: %q", got)
	}
	cut := harText[:strings.Index(harText, `"Location"`)]
	got, notes := harWalk(&Config{}, "x.har", cut)
	if !slices.Equal(got, append(slices.Clone(want[:3]), "https://b.example/old")) || !strings.Contains(strings.Join(notes, ""), "cut") {
		t.Errorf("cut: %q, notes %q", got, notes)
	}
}

// Each entry has one Enter and one Leave.
func TestHARStops(t *testing.T) {
	items := 0
	depth := 0
	for it := range scanHAR([]byte(harText), &Config{}, Context{}) {
		items++
		switch it.Op {
		case scan.Enter:
			depth++
		case scan.Leave:
			depth--
		}
	}
	for stop := range items {
		n := 0
		for range scanHAR([]byte(harText), &Config{}, Context{}) {
			if n++; n > stop {
				break
			}
		}
	}
	if depth != 0 || items == 0 {
		t.Errorf("%d Items, depth %d", items, depth)
	}
}

// X-Robots-Tag and the page restrict robots, also for the heading; the type by the first bytes is that of the body.
func TestHARRobots(t *testing.T) {
	const text = `{"log": {"creator": {}, "entries": [{"request": {"url": "http://a.example/"}, "response": {"status": 200,
"headers": [{"name": "X-Robots-Tag", "value": "nofollow"}, {"name": "Link", "value": "<s.css>; rel=preload"}],
"content": {"mimeType": "text/html", "text": "<meta name=robots content=noindex><a href=x>"}}}]}}`
	var got []string
	for ref, err := range (&Config{Robots: true, Records: true, Detect: true}).Walk("a.har", strings.NewReader(text)) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%s %v %s", ref.Ref, ref.Robots().Names(), ref.Record().Detected))
	}
	want := []string{"s.css [noindex nofollow] text/html", "x [noindex nofollow] text/html"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
