package resolve

import "testing"

func TestReadings(t *testing.T) {
	const same = ""
	for _, tt := range []struct{ base, ref, want string }{
		// What deceives.
		{"http://a/b/c", `http://good.example\@evil.example/`, "http://good.example/@evil.example/"},
		{"http://a/b/c", "http:/x", "http://a/x"},
		{"https://a/b/c", "http:/x", "http://x/"},
		{"http://a/b/c", "http:g", "http://a/b/g"},
		{"https://a/b/c", "http:g", "http://g/"},
		{"", "http:g", "http://g/"},
		{"http://a/b/c", "http:///x", "http://x/"},
		{"http://a/b/c", "///x/y", "http://x/y"},
		{"http://a/b/c", `\\evil.example/x`, "http://evil.example/x"},
		{"http://a/b/c", `/\evil.example`, "http://evil.example/"},
		{"http://a/b/c", `//h\x`, "http://h/x"},
		{"http://a/b/c", `a\b`, "http://a/b/a/b"},
		{"http://a/b/c", "ht\ttp://evil.example/", "http://evil.example/"},
		{"http://a/b/c", "java\nscript:alert(1)", "javascript:alert(1)"},
		{"http://a/b/c", "//e\tvil.example/", "http://evil.example/"},
		{"http://a/b/c", "/\t/evil.example/", "http://evil.example/"},
		{"http://a/b/c", " //evil.example/", "http://evil.example/"},
		{"http://a/b/c", " x", "http://a/b/x"},
		{"http://a/b/c", "x\ny", "http://a/b/xy"},
		{"http://a/b/c", "\xff", "http://a/b/%EF%BF%BD"},
		{"http://a/b/c", "//0x7f.1/", "http://127.0.0.1/"},
		{"http://a/b/c", "//2130706433/", "http://127.0.0.1/"},
		{"http://a/b/c", "//127.0.0.01/", "http://127.0.0.1/"},
		{"http://a/b/c", "//127.0.0.1./", "http://127.0.0.1/"},
		{"", " http://h/", "http://h/"},
		{"", "h\tttp://h/", "http://h/"},
		{"http://a/b/c", "%2e/../x", "http://a/x"}, // dots go before escapes are looked at, or behind
		{"file:///C:/a", "/d", "file:///C:/d"},
		{"file:///C:/a", "C|/d", "file:///C:/d"},
		{`http://a/b\c/d`, "x", "http://a/b/c/x"},

		// Spelling.
		{"http://a/b/c", "%2e%2e/x", same}, // RFC 3986 6.2.2.2 and 6.2.2.3: the same URL as ../x
		{"http://a/b/c", "%2E./x", same},
		{"http://a/b/../c", "?y", same},
		{"http://a", "?y", same},
		{"http://a/b/c", "../../../x", same},
		{"http://a/b/c", "HTTP://EX%61MPLE:80", same},
		{"http://a/b/c", "http://h:/", same},
		{"http://a/b/c", "http://h:0080/", same},
		{"http://a/b/c", "//h:81/", same},
		{"http://a/b/c", "//u:p@h/", same},
		{"http://a/b/c", "//a@b@h/", same},
		{"http://a/b/c", "//example．com。/", same},
		{"http://a/b/c", "//１２７.0.0.1/", "http://127.0.0.1/"},
		{"http://a/b/c", "//%31%32%37.0.0.1/", "http://127.0.0.1/"},
		{"http://a/b/c", "//bücher.example", same},
		{"http://a/b/c", "//xn--bcher-kva.example", same},
		{"http://a/b/c", "//%62%c3%bccher.example", same},
		{"http://a/b/c", "//[0::1]/", same},
		{"http://a/b/c", "//[::ffff:1.2.3.4]:80/", same},
		{"http://a/b/c", "é \"%<>`{}|^%41%7e%2f%2F%25%zz%", same},
		{"http://a/b/c", "a%2Fb/%2e%2e/%5c", same},
		{"http://a/b/c", "g?a\\b c\té#\\", same},
		{"http://a/b/c", "..//x", same},
		{"file:///a/b", "file://localhost/c", same},
		{"file:///a/b", "file:/c", same},
		{"foo:/a", ".//g", same},
		{"foo://HOST%41/a", "../b", same},
		{"foo://h", "g", same},
		{"http://a/b/c", "mailto:a b@c?d#e", same},
		{"http://a/b/c", "foo:a/../b  #x", same},
		{"http://a/b/c", "foo:", same},
		{"http://a/b/c", "", same},
		{"http://a/b/c", "#x", same},

		// Browsers take them nowhere.
		{"http://a/b/c", "http://a b/", same},
		{"http://a/b/c", "http://h:99999/", same},
		{"http://a/b/c", "http://256.1/", same},
		{"http://a/b/c", "http://a%2fb/", same},
		{"mailto:a@b", "x", same},
		{"", "x", same},
	} {
		got, two := NewReadings(tt.base).AppendBrowser([]byte("> "), []byte(tt.ref))
		if string(got) != "> "+tt.want || two != (tt.want != same) {
			t.Errorf("%q + %q: %q, %v, want %q", tt.base, tt.ref, got, two, tt.want)
		}
	}
}
