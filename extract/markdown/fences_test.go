package markdown

import (
	"strings"
	"testing"
)

// What is read line by line, before goldmark or instead of it, takes the same lines for fenced code as goldmark does (CommonMark
// 4.5): after the mark of an item, up to a line that is nothing but a fence as long, and not where "`" follows in the line.
func TestFences(t *testing.T) {
	documents := map[string]string{ // X is inside code, and Y is not
		"alone":               "```\nX\n```\n\nY\n",
		"quotation":           "> ```\n> X\n> ```\n\nY\n",
		"item":                "- ```js\n  X\n  ```\n\nY\n",
		"numbered item":       "10. ```js\n    X\n    ```\n\nY\n",
		"item in an item":     "- 1) ```js\n     X\n     ```\n\nY\n",
		"next item":           "- ```\n  X\n  ```\n- ```\n  X\n  ```\n\nY\n",
		"longer":              "````\n```\nX\n```\n````\n\nY\n",
		"no end":              "```\nX\n``` js\nX\n```\n\nY\n",
		"other fence":         "~~~ `a`\nX\n```\nX\n~~~\n\nY\n",
		"code in a line":      "``` a ```\n\nY\n",
		"code before a fence": "``` a ```\n\n```\nX\n```\n\nY\n",
	}
	readers := []struct {
		name        string
		s           *Scanner
		code, prose string // what X and Y stand for
		want        string
	}{
		{"MDX", &Scanner{Dialect: MDX2}, `{"a"}](x) [b](x) {`, `[a](y) {/* [b](x) */}`, "link inline link y"},
		{"MDC", &Scanner{Dialect: Nuxt}, `:a{to="x"}`, `:a{to="/y"}`, "link attribute A/to /y"},
		{"Vue", &Scanner{Dialect: VitePress}, "<A\n> [a](x)", "<A\n  href=\"y\"\n/>", "link attribute a/href y speculative"},
		{"DocFX", &Scanner{Dialect: DocFX}, `:::image source="x":::`, `:::image source="y":::`, "embed directive :::image y"},
		{"import", &Scanner{MDX: true}, "import 'x'", "import 'y'", "embed bare import y speculative"},
		{"simpler", &Scanner{}, "[a](x)", "[a](y)", "link inline link y"},
	}
	for _, r := range readers {
		for name, src := range documents {
			before := ""
			if r.name == "simpler" {
				before = strings.Repeat("[a](", 8_000) + "\n\n"
			}
			indent := src[strings.LastIndexByte(src[:strings.IndexByte(src+"X", 'X')], '\n')+1:]
			indent, _, _ = strings.Cut(indent, "X")
			code := strings.ReplaceAll(r.code, "\n", "\n"+indent)
			src = before + strings.ReplaceAll(strings.ReplaceAll(src, "X", code), "Y", r.prose)
			got := show(r.s, src)
			if before != "" {
				_, got, _ = strings.Cut(got, "a simpler way\n")
			}
			if got != r.want {
				t.Errorf("%s, %s: %s\n got %s\nwant %s", r.name, name, src[len(before):], got, r.want)
			}
		}
	}
}
