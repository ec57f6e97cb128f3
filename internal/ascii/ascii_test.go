package ascii

import (
	"bytes"
	"strings"
	"testing"
)

func TestClasses(t *testing.T) {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	const digits = "0123456789"
	for i := range 256 {
		c := byte(i)
		in := func(set string) bool { return strings.IndexByte(set, c) >= 0 }
		for _, test := range []struct {
			name      string
			got, want bool
		}{
			{"IsLetter", IsLetter(c), in(letters)},
			{"IsDigit", IsDigit(c), in(digits)},
			{"IsAlnum", IsAlnum(c), in(letters + digits)},
			{"IsHex", IsHex(c), in(digits + "abcdefABCDEF")},
			{"IsScheme", IsScheme(c), in(letters + digits + "+-.")},
			{"Unhex", Unhex(c) >= 0, IsHex(c)},
		} {
			if test.got != test.want {
				t.Errorf("%s(%q) = %v", test.name, c, test.got)
			}
		}
		want := c
		if in(letters) {
			want = bytes.ToLower([]byte{c})[0]
		}
		if ToLower(c) != want {
			t.Errorf("ToLower(%q) = %q", c, ToLower(c))
		}
	}
	for i, c := range []byte("0123456789abcdef") {
		if Unhex(c) != i || Unhex(bytes.ToUpper([]byte{c})[0]) != i {
			t.Errorf("Unhex(%q) = %d", c, Unhex(c))
		}
	}
}

func TestFold(t *testing.T) {
	for _, test := range []struct {
		s, t string
		want bool
	}{
		{"", "", true}, {"HttP", "hTTp", true}, {"http", "https", false}, {"\r", "-", false},
		{"[", "{", false}, {"É", "é", false}, {"\u212a", "k", false}, {"\u017f", "s", false},
	} {
		if EqualFold(test.s, test.t) != test.want || EqualFold([]byte(test.s), test.t) != test.want {
			t.Errorf("EqualFold(%q, %q) = %v", test.s, test.t, !test.want)
		}
	}
	if after, ok := CutPrefixFold("URL:x", "url:"); after != "x" || !ok {
		t.Errorf("got %q, %v", after, ok)
	}
	if after, ok := CutPrefixFold("UR", "url:"); after != "UR" || ok {
		t.Errorf("got %q, %v", after, ok)
	}
	s := []byte("AZ[@É")
	if Lower(s); string(s) != "az[@É" {
		t.Errorf("got %q", s)
	}
}

func TestUnescape(t *testing.T) {
	for _, test := range []struct {
		s    string
		want byte
		ok   bool
	}{
		{"%41b", 'A', true}, {"%fF", 0xff, true}, {"%00", 0, true},
		{"", 0, false}, {"%4", 0, false}, {"%4g", 0, false}, {"%g4", 0, false}, {"41%", 0, false},
	} {
		if c, ok := Unescape(test.s); c != test.want || ok != test.ok {
			t.Errorf("Unescape(%q) = %q, %v", test.s, c, ok)
		}
	}
}

func TestUnescapeAll(t *testing.T) {
	for s, want := range map[string]string{"": "", "a": "a", "%41%zz%2": "A%zz%2", "x%2541": "x%41", "%": "%"} {
		if got := UnescapeAll(s); got != want {
			t.Errorf("UnescapeAll(%q) = %q", s, got)
		}
		if got := UnescapeAll([]byte(s)); string(got) != want {
			t.Errorf("UnescapeAll([]byte(%q)) = %q", s, got)
		}
	}
}

func TestSchemeEnd(t *testing.T) {
	for _, test := range []struct {
		s            string
		strict, free int
	}{
		{"", 0, 0}, {":", 0, 0}, {"a:", 1, 1}, {"a", 0, 0}, {"z39.50r://h", 7, 7}, {"a/b:c", 0, 0},
		{"12:30", 0, 2}, {"+a:b", 0, 2}, {"a_b:c", 0, 0}, {"é:x", 0, 0},
	} {
		if n := SchemeEnd([]byte(test.s)); n != test.strict {
			t.Errorf("SchemeEnd(%q) = %d", test.s, n)
		}
		if n := SchemeEndLoose([]byte(test.s)); n != test.free {
			t.Errorf("SchemeEndLoose(%q) = %d", test.s, n)
		}
	}
}

func TestAuthority(t *testing.T) {
	for _, test := range []struct {
		s, host, port string
		hasPort       bool
	}{
		{"", "", "", false}, {"h", "h", "", false}, {"u:p@h", "h", "", false}, {"a@b@h:80", "h", "80", true},
		{"h:", "h", "", true}, {"[::1]", "[::1]", "", false}, {"u@[::1]:8", "[::1]", "8", true}, {"u@", "", "", false},
	} {
		s := []byte(test.s)
		host, port, found := CutPort(s[HostStart(s):])
		if string(host) != test.host || string(port) != test.port || found != test.hasPort {
			t.Errorf("%q: %q %q %v", s, host, port, found)
		}
	}
}

func TestSpaces(t *testing.T) {
	for c := range 256 {
		b := byte(c)
		in := func(set string) bool { return strings.IndexByte(set, b) >= 0 }
		if IsBlank(b) != in(" \t") || IsSpace(b) != in(" \t\n\r") || IsHTMLSpace(b) != in(" \t\n\r\f") || IsAnySpace(b) != in(" \t\n\r\f\v") {
			t.Errorf("%q: %v, %v, %v, %v", b, IsBlank(b), IsSpace(b), IsHTMLSpace(b), IsAnySpace(b))
		}
	}
}

func TestLines(t *testing.T) {
	for _, tt := range []struct {
		src                    string
		at, lineEnd, end, next int
	}{
		{"", 0, 0, 0, 0},
		{"a", 0, 1, 1, 1},
		{"a\nb", 0, 1, 1, 2},
		{"a\nb", 1, 1, 1, 2},
		{"a\nb", 2, 3, 3, 3},
		{"a\r\nb\r", 0, 2, 1, 3},
		{"a\r\nb\r", 3, 5, 5, 5},
		{"a\r\n", 2, 2, 2, 3}, // from within a line break
		{"\n", 1, 1, 1, 1},
	} {
		src := []byte(tt.src)
		end, next := Line(src, tt.at)
		if LineEnd(src, tt.at) != tt.lineEnd || NextLine(src, tt.at) != tt.next || end != tt.end || next != tt.next {
			t.Errorf("%q at %d: %d, %d, %d and %d", tt.src, tt.at, LineEnd(src, tt.at), NextLine(src, tt.at), end, next)
		}
	}
}
