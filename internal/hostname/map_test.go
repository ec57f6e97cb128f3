package hostname

import "testing"

// Names are mapped by Unicode 17, whatever Go release there is.
func TestMap(t *testing.T) {
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
		{"look\u180Eout.net", "lookout.net"}, // web-platform-tests, toascii.json
		{"look\u206Bout.net", "lookout.net"},
		{"\U0002F868.com", "xn--snl.com"},
		{"\u1160a\u3164b\uFFA0.\u17B4c\u2063\U0001D17A", "ab.c"},
		{"\uF951\U0002F868\U0002F874\U0002F91F\U0002F95F\U0002F9BF", "xn--snl253bgitxhzwu2arn60c"},
		{"\U0001CCF1\U0001CCF2\U0001CCF7.1", "127.1"},
	} {
		got, ok := DomainToASCII([]byte(tt.host))
		if got != tt.want || !ok {
			t.Errorf("%q: %q, %v, want %q", tt.host, got, ok, tt.want)
		}
	}
	for _, same := range []string{"", "example.org", "bücher.example", "日本.example"} {
		if got := Map(same); got != same {
			t.Errorf("%q: %q", same, got)
		}
	}
}
