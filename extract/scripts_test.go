package extract

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// With Scripts, nothing disappears that is found in code as text.
func TestScriptsAdds(t *testing.T) {
	for _, tt := range []struct{ name, text string }{
		{"a.json", `{"https://h.example/key": 1, "u": "https:\/\/h.example\/a\u0026b", "t": "see https://h.example/x, https://h.example/y", "p": "/r?u=https://h.example/z"}`},
		{"a.json", `{"cut": "https://h.example/a`},
		{"a.json", "// https://h.example/comment\n{'u': 'https://h.example/single'}\n"},
		{"a.js", "x = {'https://h.example/key': 1}; // https://h.example/c\n/https:\\/\\/h.example/.test(y); `https://h.example/${x}/y` + \"https:\\/\\/h.example\\/s\"\n"},
		{"a.js", "import 'https://h.example/m.js'; <a href=https://h.example/jsx>x</a>; f(\"a https://h.example/1 b\")"},
	} {
		count := func(c *Config) map[int64]string {
			at := map[int64]string{}
			for ref := range c.Walk(tt.name, strings.NewReader(tt.text)) {
				at[ref.Pos.Offset] = string(ref.Ref)
			}
			return at
		}
		text, all := count(&Config{}), count(&Config{Scripts: true})
		for _, offset := range slices.Sorted(maps.Keys(text)) {
			if all[offset] == "" {
				t.Errorf("%s: %q at %d is lost", tt.text, text[offset], offset)
			}
		}
	}
}
