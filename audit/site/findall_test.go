package site

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A finder finds what its expression finds in the whole text.
func TestFinder(t *testing.T) {
	tests := []struct {
		f    *finder
		same *regexp.Regexp
	}{
		{&componentImport, regexp.MustCompile(`\bimport\s+[^'"\n;]*?\bfrom\s+['"]([^'"\n]+)['"]`)},
		{&mdxImport, regexp.MustCompile(`(?m)^import\s[^\n]*\sfrom\s+['"]([^'"\n]+\.mdx?)['"]`)},
	}
	words := []string{"import", "import ", "from", " from ", "'a.md'", `"b.mdx"`, "'", ";", "\n", " ", "x", "_", "\t", "\r\n", "é", "{", "import\n"}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var b strings.Builder
		for range random.IntN(14) {
			b.WriteString(words[random.IntN(len(words))])
		}
		for _, tt := range tests {
			var want []string
			for _, m := range tt.same.FindAllStringSubmatch(b.String(), -1) {
				want = append(want, m[1])
			}
			if got := tt.f.find([]byte(b.String()), -1); !slices.Equal(got, want) {
				t.Fatalf("%s in %q: %q, want %q", tt.same, b.String(), got, want)
			}
		}
	}
}

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
		if got := glob(tt.pattern)(tt.path); got != tt.want {
			t.Errorf("%s matches %s: %v", tt.pattern, tt.path, got)
		}
	}
}

// codeIncludes finds what one expression for the whole text finds.
func TestCodeIncludes(t *testing.T) {
	same := regexp.MustCompile("(?m)^[ \t]*(?:```|~~~).*\\n[ \t]*\\{\\{\\s*#include\\s+([^\\s:}]+)")
	words := []string{"```", "~~~", "rust", "\n", "\n", " ", "\t", "{{", "{{#include ", "#include", "a.rs", "b", ":", "}}", "\r\n"}
	random := rand.New(rand.NewPCG(1, 2))
	for range 50_000 {
		var b strings.Builder
		for range random.IntN(12) {
			b.WriteString(words[random.IntN(len(words))])
		}
		var want []string
		for _, m := range same.FindAllStringSubmatch(b.String(), -1) {
			want = append(want, m[1])
		}
		if got := codeIncludes([]byte(b.String())); !slices.Equal(got, want) && !strings.Contains(strings.Join(want, " "), "```") {
			t.Fatalf("%q: %q, want %q", b.String(), got, want)
		}
	}
}

// quotesDocument is true for each text with an import of a document.
func TestQuotesDocument(t *testing.T) {
	for text, want := range map[string]bool{
		"import A from './a.md'": true, "import A from \"./a.mdx\"\n": true, "[a](a.md) .md\n": false, ".md": false, ".mdx": false,
		"[a](a.md 'x') import A from \"b.md\"": true, ".md.md'": true, ".mdxx'": false,
	} {
		if got := quotesDocument([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
