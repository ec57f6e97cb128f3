package gen_test

import (
	"fmt"
	"testing"

	"example.org/refract/internal/site/web"
)

// A URL is matched by patterns of path-to-regexp below its directory, of which a thousand count.
func TestPatterns(t *testing.T) {
	var p web.Patterns
	for _, from := range []string{"/a/:x", "/a/b/:x*", "/blog-:n(\\d+)/c", ":any/x", "/bad/:x([", "/any/:x*", "/one/:x?/y", "/more/:x+", "/:1/:2.md"} {
		p.AddPath(from)
	}
	for u, want := range map[string]bool{
		"/a/1": true, "/a/": false, "/a": false, "/a/1/2": false, "/a/b/": true, "/a/b/1/2": true, "/a/b": true, "/blog-12/c": true, "/blog-x/c": false,
		"y/x": true, "/z/x": false, "": false, "/": false, "/bad/x": false,
		"/any": true, "/any/": true, "/any/1/2": true, "/anything": false, "/one/y": true, "/one/1/y": true, "/more": false, "/more/1": true, "/z/y.md": true,
	} {
		if got := p.Match(u); got != want {
			t.Errorf("%q: %v, want %v", u, got, want)
		}
	}
	const most = 1000
	for i := range 2 * most {
		p.AddPath(fmt.Sprintf("/p%d/:x", i))
	}
	if !p.Match("/p0/x") || p.Match(fmt.Sprintf("/p%d/x", most)) {
		t.Error("too few patterns count, or too many")
	}
}
