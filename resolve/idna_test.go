package resolve

import "testing"

// Names are mapped by Unicode 17, whatever Go release there is.
func TestMapHost(t *testing.T) {
	for _, tt := range []struct{ host, want string }{
		{"straẞe.example", "xn--strae-oqa.example"},
		{"STRASSE.example", "strasse.example"},
		{"straße.example", "xn--strae-oqa.example"},
		{"\U0001CCD6\U0001CCEF\U0001CCF0.example", "az0.example"},
		{"\u10A0.example", "xn--rkj.example"},
		{"\u2D00.example", "xn--rkj.example"},
		{"\u04C0.example", "xn--s5a.example"},
		{"\u2132\u2183.example", "xn--73g4g.example"},
		{"\uA7CB\uA7DC\uA7F1", "xn--s-gqa61d"},
		{"\U0001CCF1\U0001CCF2\U0001CCF7.1", "127.1"},
	} {
		got, failure := domainToASCII([]byte(tt.host))
		if got != tt.want || failure != 0 {
			t.Errorf("%q: %q, %v, want %q", tt.host, got, failure, tt.want)
		}
		if name, ok := IDNASCII.name([]byte(tt.host)); tt.host != "STRASSE.example" && (name != tt.want || !ok) {
			t.Errorf("%q: key %q, want %q", tt.host, name, tt.want)
		}
	}
	for _, same := range []string{"", "example.org", "bücher.example", "日本.example"} {
		if got := MapHost(same); got != same {
			t.Errorf("%q: %q", same, got)
		}
	}
}
