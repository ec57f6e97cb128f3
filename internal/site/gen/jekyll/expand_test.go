package jekyll_test

import (
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"example.org/refract/internal/site"
	"example.org/refract/internal/site/gen/jekyll"
	"example.org/refract/internal/testing/sitetest"
)

// The values of templates in references are those of the configuration, and strings with filters for URLs; others are not known.
func TestExpand(t *testing.T) {
	tree := sitetest.Tree([]txtar.File{
		{Name: "_config.yml", Data: []byte("url: https://h.example\nbaseurl: /docs\nnested:\n  a: x/y\nempty: ''\nlist: [a]\n")},
		{Name: "index.md", Data: []byte("---\n---\n")},
	})
	s := site.NewFinder(tree, []*site.Generator{jekyll.Generator}, "").Of("/site/index.md", "/site")
	if s == nil {
		t.Fatal("no site")
	}
	uses, _ := s.Uses("/site/index.md")
	if len(uses) != 1 {
		t.Fatal(uses)
	}
	for ref, want := range map[string]string{
		"{{ site.baseurl }}/a.html": "/docs/a.html", "{{site.baseurl}}/a.html": "/docs/a.html", "{{- site.baseurl -}}/a.html": "/docs/a.html", "{{ site.url }}{{ site.baseurl }}/a": "/docs/a",
		"{{ site.nested.a }}/b": "x/y/b", `{{ "/a.html" | relative_url }}`: "/docs/a.html", `{{ 'a.html' | relative_url }}`: "/docs/a.html", `{{ "/a.html" | absolute_url }}`: "/docs/a.html",
		`{{ "/a.html" }}`: "/a.html", `{{ "/a.html" | prepend: site.baseurl }}`: "/docs/a.html", `{{ site.baseurl | append: "/a.html" }}`: "/docs/a.html",
		"{{ }}/a.html": "?", "{{}}/a.html": "?", "{{ x }}/a": "?", "{{ site.none }}/a": "?", "{{ site.empty }}/a": "?", "{{ site.list }}/a": "?", `{{ "a" | upcase }}`: "?", `{{ " }}`: "?", "a.html": "a.html", "{{ page.url }}": "?",
	} {
		got, ok := s.Expand(uses[0], ref)
		if !ok {
			got = "?"
		}
		if got != want {
			t.Errorf("%s: %q, want %q", ref, got, want)
		}
	}
}
