package syntax

import (
	"fmt"
	"testing"
)

func TestSplitServer(t *testing.T) {
	for _, tt := range []struct{ authority, want string }{ // user, password, host, port; "-" is none
		{"", `- - "" -`},
		{"h", `- - "h" -`},
		{"h:80", `- - "h" "80"`},
		{"h:", `- - "h" ""`},
		{"u@h", `"u" - "h" -`},
		{"@h", `"" - "h" -`},
		{"u:@h", `"u" "" "h" -`},
		{"u:p:q@h:1", `"u" "p:q" "h" "1"`},
		{"a@b:c@h", `"a@b" "c" "h" -`}, // the last "@" counts, as in browsers
		{"[::1]", `- - "[::1]" -`},
		{"u@[::1]:80", `"u" - "[::1]" "80"`},
	} {
		s := SplitServer([]byte(tt.authority))
		part := func(text []byte, has bool) string {
			if !has {
				return "-"
			}
			return fmt.Sprintf("%q", text)
		}
		got := fmt.Sprintf("%s %s %q %s", part(s.User, s.HasUser), part(s.Password, s.HasPassword), s.Host, part(s.Port, s.HasPort))
		if got != tt.want {
			t.Errorf("%q: got %s, want %s", tt.authority, got, tt.want)
		}
	}
}

func TestPortNumber(t *testing.T) {
	for port, want := range map[string]int{
		"": 0, "0": 0, "80": 80, "0080": 80, "65535": 65535, "65536": 65536, "65537": 65536, "99999999999999999999": 65536, "8x": -1, "-1": -1, " 80": -1,
	} {
		if got := PortNumber([]byte(port)); got != want {
			t.Errorf("%q: got %d, want %d", port, got, want)
		}
	}
}

// RFC 1738 3.4.1: gopher://<host>:<port>/<gophertype><selector>%09<search>%09<gopher+_string>
func TestSplitGopher(t *testing.T) {
	for _, tt := range []struct{ rest, want string }{ // type, selector, search, plus, tabs
		{"", `"" "" "" "" 0`},
		{"/", `"" "" "" "" 0`},
		{"/1", `"1" "" "" "" 0`},
		{"/00/a/b", `"0" "0/a/b" "" "" 0`},
		{"/%31x", `"%31" "x" "" "" 0`},
		{"/7a%09b c", `"7" "a" "b c" "" 1`},
		{"/7a%09b%09+c%09d", `"7" "a" "b" "+c%09d" 2`},
		{"/7a%09%09+", `"7" "a" "" "+" 2`},
		{"/%09b", `"" "" "b" "" 1`},
		{"//x", `"/" "x" "" "" 0`},
	} {
		g := SplitGopher([]byte(tt.rest))
		got := fmt.Sprintf("%q %q %q %q %d", g.Kind, g.Selector, g.Search, g.Plus, g.Tabs)
		if got != tt.want {
			t.Errorf("%q: got %s, want %s", tt.rest, got, tt.want)
		}
	}
}
