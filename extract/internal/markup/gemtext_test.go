package markup

import (
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// What the specification says of link lines, preformatted text and other lines (Gemini hypertext format, sections 3.2 to 3.4).
func TestGemtextOracle(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"=> gemini://h/a A\n", "gemini://h/a"},
		{"=>a.gmi\n", "a.gmi"},
		{"=>\t/x\tlabel http://h/b\n", "/x http://h/b"},
		{"=>  \n", ""},
		{"=>\n", ""},
		{" => a\n", ""},
		{"```alt\n=> a\n```\n=> b\n", "b"},
		{"* see http://h/c\n", "http://h/c"},
		{"> http://h/d\n# http://h/e\n", "http://h/d http://h/e"},
		{"=> a b\r\n=> c", "a c"},
		{"```\n=> a", ""},
		{"=> spartan://h/ü ü\n", "spartan://h/ü"},
	} {
		if got := strings.Join(scantest.References(tt.src, new(Gemtext).Scan([]byte(tt.src))), " "); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.src, got, tt.want)
		}
	}
}
