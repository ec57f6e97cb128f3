package markup

import (
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// What scdoc(5) says of line breaks: "++" and the end of the line.
func TestScdoc(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"x(1)\n\nhttp://h.example/a++\nhttp://h.example/b\n", "http://h.example/a http://h.example/b"},
		{"http://h.example/c++ http://h.example/c++", "http://h.example/c++ http://h.example/c++"},
		{"<http://h.example/c++>++\nhttp://h.example/c+\n", "http://h.example/c+ http://h.example/c++"},
		{"http://h.example/c++++\n", "http://h.example/c++"},
		{"http://h.example/c.++\n", "http://h.example/c"},
		{"http://++\n", ""},
		{"\xff http://h.example/\xff++\n", "http://h.example/"},
	} {
		if got := strings.Join(scantest.References(tt.src, new(Scdoc).Scan([]byte(tt.src))), " "); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.src, got, tt.want)
		}
	}
}
