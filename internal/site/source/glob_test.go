package source

import "testing"

// The literal part of a pattern is in each path that matches it.
func TestLiteralPart(t *testing.T) {
	for pattern, want := range map[string]string{
		"**/_*.{js,jsx,ts,tsx,md,mdx}": "_", "**/*.test.{js,ts}": ".test.", "**/__tests__/**": "__tests__/", "a/**/b": "a/", "{a,b}/cd?": "/cd",
		"*": "", "**/x": "x", "{a/b": "", "{a,{b,c}d}e": "e", "x/**": "x/",
	} {
		if got := literalPart(pattern); got != want {
			t.Errorf("%s: %q, want %q", pattern, got, want)
		}
	}
	for _, tt := range []struct {
		pattern, path string
		want          bool
	}{
		{"**/_*.{js,md}", "a/_b.md", true}, {"**/_*.{js,md}", "a/b.md", false}, {"a/**/b", "a/b", true}, {"**/__tests__/**", "__tests__/x", true},
		{"x/**", "x/y/z", true}, {"x/**", "x", false}, {"{a,b}c", "bc", true}, {"a,b*", "a,bc", true},
	} {
		if got := Glob(tt.pattern)(tt.path); got != tt.want {
			t.Errorf("%s matches %s: %v", tt.pattern, tt.path, got)
		}
	}
}
