package rejoin

import (
	"strings"
	"testing"
)

// What the brackets enclose is found; "|" marks where the whole URL of the first line ends.
func TestWhole(t *testing.T) {
	const known = "http://example.org/archive/2004-May/000123.html http://example.org/a-b.html http://example.org/about http://example.org/x http://example.org/x?a=1&b=2 http://example.org/egg?x[a,b=1] http://example.org/x=20 http://example.org/xfor"
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
		whole, rest, _ := Whole(nil, []byte(tt.text), start, end, table.Find)
		if string(whole) != tt.want {
			t.Errorf("%q: %q, want %q (%v)", tt.text, whole, tt.want, rest)
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
	if len(table.at) > MaxURLs {
		t.Error(len(table.at))
	}
	if at, ok := table.Find([]byte("http://h/a")); !ok || at != 0 {
		t.Error(at, ok)
	}
}
