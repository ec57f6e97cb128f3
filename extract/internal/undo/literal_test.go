package undo

import (
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

func TestLiterals(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"a.js", `x = "https:\/\/h\/a\u0026b\x26c\u{26}d"`, `x = "https://h/a&b&c&d"`},
		{"a.js", `x = 'h\/a' + "\/" + ` + "`\\/`", `x = 'h/a' + "/" + ` + "`/`"},
		{"a.js", `/https:\/\/h\/a/ "\\/ \"\/\n\u0022\u003c\x41"`, `/https:\/\/h\/a/ "\\/ \"/\n\u0022\u003cA"`},
		{"a.js", "// don't\n/\\/x/\n\"\\/\"", "// don't\n/\\/x/\n\"/\""},
		{"a.js", `"\ud83d\ude00\u00e9\u0085\ud83d\u0041"`, `"😀é\u0085\ud83dA"`},
		{"a.yaml", `a: "\/\x26\u0026\U00000026" '\/' \/`, `a: "/&&&" '\/' \/`},
		{"a.toml", `a = "\/\u0026" '\u0026'`, `a = "\/&" '\u0026'`},
		{"a.go", `"\/\x26\xe9\u0026" + '\x26'` + "`\\x26`", `"\/&\xe9&" + '\x26'` + "`\\x26`"},
		{"a.py", `'\x26' "\u0026\/"`, `'&' "&\/"`},
		{"a.c", `"\x26 \x26c \u0026"`, `"& \x26c &"`},
		{"a.java", `"\x26\u0026"`, `"\x26&"`},
		{"a.rs", `"\u{26}\u0026\u{1234567}\u{}"`, `"&\u0026\u{1234567}\u{}"`},
		{"a.properties", `u=https\://h/a\=b\u0026c\t`, `u=https://h/a=b&c\t`},
		{"a.go", `"\x2`, `"\x2`},
		{"a.go", `"\`, `"\`},
	} {
		for _, n := range []int{1, 7, 1000} {
			if got := undoneFollowed(LanguageOf(tt.name).Literals(), tt.text, n); got != tt.want {
				t.Errorf("%s %s, in reads of %d: %s, want %s", tt.name, tt.text, n, got, tt.want)
			}
		}
	}
	if LanguageOf("a.txt") != nil || LanguageOf("") != nil {
		t.Error("text has no escapes")
	}
}

func TestLiteralsHostile(t *testing.T) {
	for _, shape := range []string{`\`, `"`, `\"`, `\u`, `\x26`, `\u{`, "\\\n", `"\ud83d`, "\"\\/\n"} {
		scantest.Shapes(t, []scantest.Shape{{"", shape, ""}}, 1<<20, func(src []byte) {
			undoneFollowed(LanguageOf("a.js").Literals(), string(src), 32<<10)
		})
	}
}

func FuzzLiterals(f *testing.F) {
	f.Add("a.js", `"\u0026\/" '\x26'`)
	f.Add("a.yaml", "\"\\U0001f600\\/\"\n'\"\\/")
	f.Fuzz(func(t *testing.T, name, text string) {
		l := LanguageOf(name)
		if l == nil {
			return
		}
		whole := undoneFollowed(l.Literals(), text, 1<<20)
		if got := undoneFollowed(l.Literals(), text, 3); got != whole {
			t.Fatalf("%q: %q in reads of 3 bytes, %q in one", text, got, whole)
		}
		if strings.Count(whole, "\n") != strings.Count(text, "\n") {
			t.Fatalf("%q: lines change", text)
		}
	})
}
