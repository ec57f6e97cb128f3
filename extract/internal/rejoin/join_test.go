package rejoin

import (
	"strings"
	"testing"
)

// What the brackets enclose is found; "|" marks where the whole URL of the first line ends.
func TestFind(t *testing.T) {
	const known = "http://example.org/archive/2004-May/000123.html http://example.org/a-b.html http://example.org/about http://example.org/x http://example.org/x?a=1&b=2 http://example.org/egg?x[a,b=1] http://example.org/x=20 http://example.org/xfor http://example.org/hey!ho/1"
	long := strings.Repeat("long ", 8)
	for _, tt := range []struct{ text, want string }{
		{"http://example.org/archive/2004-\nMay/000123.html", "http://example.org/archive/2004-May/000123.html"},
		{"http://example.org/archive/20\r\n04-May/000123.html.", "http://example.org/archive/2004-May/000123.html"},
		{"> http://example.org/archive/2004-May/000\n> 123.html) and", "http://example.org/archive/2004-May/000123.html"},
		{"http://example.org/archive/ \n2004-May/\n000123.html", "http://example.org/archive/2004-May/000123.html"},
		{"http://example.org/a\n-b.html", "http://example.org/a-b.html"},
		{"http://example.org/a-b\n.html", "http://example.org/a-b.html"},
		{"http://example.org/a-b.\nhtml", ""}, // may be two sentences
		{long + "http://example.org/a-b.\nhtml", "http://example.org/a-b.html"},
		{"http://example.org/x?a=1&\nb=2", "http://example.org/x?a=1&b=2"},
		{"http://example.org/\nabout", ""},
		{long + "http://example.org/\nabout", "http://example.org/about"},
		{"http://example.org/\nhttp://example.org/x", ""},
		{"http://example.org/archive/2004-\n\nMay/000123.html", ""},
		{"http://example.org/archive/2004-\nJune/000123.html", ""},
		{"http://example.org/egg?x\n[a,b=1]", "http://example.org/egg?x[a,b=1]"},
		{"http://example.org/x\n=20", ""},
		{long + long + "http://example.org/x\nfor some", ""}, // known without it
		{"http://example.org/x and\n?a=1&b=2", ""},
		{"http://example.org/hey\n!ho/1", "http://example.org/hey!ho/1"},
	} {
		var table Table
		table.AddText([]byte(known), 0)
		start := strings.Index(tt.text, "http")
		end := start + strings.IndexAny(tt.text[start:], " \r\n")
		for end > 0 && (tt.text[end-1] == '-' || tt.text[end-1] == '.' || tt.text[end-1] == '&') {
			end-- // as package delimit ends it
		}
		if !MayContinue([]byte(tt.text), end) {
			if tt.want != "" {
				t.Errorf("%q: does not continue", tt.text)
			}
			continue
		}
		whole, rest, _ := Find(nil, []byte(tt.text), start, end, table.Find)
		if string(whole) != tt.want {
			t.Errorf("%q: %q, want %q (%v)", tt.text, whole, tt.want, rest)
		}
	}
}

// What a URL at the end of a line is depends on how it occurs elsewhere.
func TestFindByEvidence(t *testing.T) {
	long := strings.Repeat("long ", 8)
	for _, tt := range []struct{ elsewhere, text, want string }{
		// The text that ends with its line here is no proof that the URL is whole.
		{"see http://h.example/metadata here", long + "http://h.example/metada\nta", "http://h.example/metadata"},
		{"see http://h.example/metadata here", "http://h.example/metada\nta", ""},
		{"http://h.example/a-b_c-ggplot.", "http://h.example/a-b_c-\nggplot", "http://h.example/a-b_c-ggplot"},
		// It is whole before different words.
		{"http://h.example/listor and http://h.example/list\nor, http://h.example/list\nand so on, and on, and on, for a line", long + long + "http://h.example/list\nor", ""},
		// Programs glue words to URLs.
		{"http://h.example/a.htmlHTH", long + long + "http://h.example/a.html\nHTH", ""},
		{"http://h.example/a.pyand", long + long + "http://h.example/a.py \nand", ""},
		{"http://h.example/a.py(docs)", long + long + "http://h.example/a.py\n(docs)", ""},
		// Lines without letters and digits end a URL.
		{"http://h.example/a-- http://h.example/a--Dr", "http://h.example/a\n--\nDr", ""},
		{"http://h.example/a+", "http://h.example/a\n+ x", ""},
		// The proof is cut itself, at the same place.
		{"http://h.example/long/vigne\nttes/x.pdf", "http://h.example/long/\nvigne\nttes/x.pdf", ""},
		{"http://h.example/long/vigne and", "http://h.example/long/\nvigne\nttes/x.pdf", ""},
		// The proof is cut, and a longer URL is known.
		{"http://h.example/a#L231 and\n> http://h.example/a#L2\n> 31\n", "http://h.example/a#L\n>> 2 31", ""},
		{"http://h.example/a?article=7 and\n> http://h.example/a?art\n> icle=7\n", "http://h.example/a?\nart\nof", ""},
		{"http://h.example/a?article=7.html and\n> http://h.example/a?art\n> icle=\n> 7.html\n", "http://h.example/a?\nart,", ""},
		{"http://h.example/a?art and\nhttp://h.example/a?art\n/1.html\n", "http://h.example/a?\nart,", "http://h.example/a?art"},
		{"http://h.example/long/v.html\nSent from", "http://h.example/long/\nv.html\nSent from", "http://h.example/long/v.html"},
		{"http://h.example/a?b=c&e= x", "http://h.example/a?b=\nc&e=", "http://h.example/a?b=c&e="},
		{"x 'http://h.example/a/b.gz',tmp", "('http://h.example/a/\nb.gz',tmp)", "http://h.example/a/b.gz"},
		{"http://h.example/architecture/systemd.md.", "> http://h.example/architecture/\n> s\n> ystemd.md", "http://h.example/architecture/systemd.md"},
	} {
		var table Table
		table.AddText([]byte(tt.elsewhere), 0)
		table.AddText([]byte(tt.text), int64(len(tt.elsewhere)))
		start := strings.Index(tt.text, "http")
		end := start + strings.IndexAny(tt.text[start:], " \r\n")
		for end > 0 && strings.IndexByte("-=", tt.text[end-1]) >= 0 {
			end-- // as package delimit ends it
		}
		whole, _, _ := Find(nil, []byte(tt.text), start, end, table.Find)
		if string(whole) != tt.want {
			t.Errorf("%q, with %q: %q, want %q", tt.text, tt.elsewhere, whole, tt.want)
		}
	}
}

func TestTableIsBounded(t *testing.T) {
	var table Table
	var text strings.Builder
	for i := range MaxURLs + 10 {
		text.WriteString("http://h/" + strings.Repeat("a", i%100) + string(rune('a'+i%26)) + strings.Repeat("b", i/2600) + "\n")
	}
	table.AddText([]byte(text.String()), 0)
	if len(table.at) > MaxURLs || len(table.waiting) > MaxURLs {
		t.Error(len(table.at), len(table.waiting))
	}
	if found := table.Find([]byte("http://h/a")); found.Evidence == None || found.At != 0 {
		t.Error(found)
	}
}
