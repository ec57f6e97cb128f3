package input

import (
	"strings"
	"testing"
)

func TestGlobs(t *testing.T) {
	for _, tt := range []struct{ globs, yes, no string }{
		{"drafts/**", "/d/drafts/a.md /d/drafts/b/c.md", "/d/a.md /d/x/drafts/a.md /drafts/a.md /e/drafts/a.md"},
		{"drafts", "/d/drafts /d/drafts/a.md /d/x/drafts/b/c.md", "/d/drafts.md"},
		{"/drafts/", "/d/drafts/a.md", "/d/drafts /d/x/drafts/a.md"},
		{"drafts/*", "/d/drafts/a.md", "/d/drafts/b/c.md"},
		{"*.md", "/d/a.md /d/x/y.md", "/d/a.rst"},
		{"{a,b}/*.md", "/d/a/x.md /d/b/x.md", "/d/c/x.md /d/a/b/x.md"},
		{"docs !docs/old", "/d/docs/a.md /d/docs/x/a.md", "/d/docs/old/a.md /d/a.md"},
		{"docs !*.rst", "/d/docs/a.md", "/d/docs/a.rst"},
		{"!old", "/d/a.md", "/d/old/a.md"},
		{"[\x80]*", "", "/d/a.md"},
		{"", "", "/d/a.md"},
		{"**", "/d/a /d/\xff", "/e"},
	} {
		g, err := NewGlobs(strings.Fields(tt.globs), "/d")
		if err != nil {
			t.Errorf("%q: %v", tt.globs, err)
		}
		for _, p := range strings.Fields(tt.yes) {
			if !g.Match(p) {
				t.Errorf("%q does not match %s", tt.globs, p)
			}
		}
		for _, p := range strings.Fields(tt.no) {
			if g.Match(p) {
				t.Errorf("%q matches %s", tt.globs, p)
			}
		}
	}
	if _, err := NewGlobs([]string{"a", "{b"}, "/d"); err == nil {
		t.Error("{b is no glob")
	}
	if g, err := NewGlobs([]string{"a"}, "/"); err != nil || !g.Match("/a/b") {
		t.Error("a below the root", err)
	}
}
