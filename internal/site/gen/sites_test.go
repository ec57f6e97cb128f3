package gen_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/refract/internal/site"
	"example.org/refract/internal/site/gen/antora"
	"example.org/refract/internal/site/gen/docfx"
	"example.org/refract/internal/site/gen/docsify"
	"example.org/refract/internal/site/gen/docusaurus"
	"example.org/refract/internal/site/gen/eleventy"
	"example.org/refract/internal/site/gen/fumadocs"
	"example.org/refract/internal/site/gen/gatsby"
	"example.org/refract/internal/site/gen/gitbook"
	"example.org/refract/internal/site/gen/hugo"
	"example.org/refract/internal/site/gen/jekyll"
	"example.org/refract/internal/site/gen/mdbook"
	"example.org/refract/internal/site/gen/mintlify"
	"example.org/refract/internal/site/gen/mkdocs"
	"example.org/refract/internal/site/gen/next"
	"example.org/refract/internal/site/gen/nextra"
	"example.org/refract/internal/site/gen/nuxt"
	"example.org/refract/internal/site/gen/pandoc"
	"example.org/refract/internal/site/gen/rspress"
	"example.org/refract/internal/site/gen/sphinx"
	"example.org/refract/internal/site/gen/starlight"
	"example.org/refract/internal/site/gen/sveltekit"
	"example.org/refract/internal/site/gen/vocs"
	"example.org/refract/internal/site/gen/vue"
	"example.org/refract/internal/site/gen/wiki"
	"example.org/refract/internal/site/gen/zola"
	"example.org/refract/internal/testing/sitetest"
)

// TestSites asks each generator the questions of its sites: archives in the testdata of its package.
func TestSites(t *testing.T) {
	sites := []struct {
		generator     *site.Generator
		dir, archives string
	}{
		{antora.Generator, "antora", "antora catalog playbooks"},
		{docfx.Generator, "docfx", "docfx"},
		{docsify.Generator, "docsify", "docsify none open options"},
		{docusaurus.Generator, "docusaurus", "docusaurus"},
		{eleventy.Generator, "eleventy", "eleventy open pages plugins"},
		{fumadocs.Generator, "fumadocs", "fumadocs languages"},
		{gatsby.Generator, "gatsby", "gatsby"},
		{gitbook.GitBook, "gitbook", "gitbook"},
		{gitbook.HonKit, "gitbook", "honkit"},
		{hugo.Generator, "hugo", "hugo mounts themes"},
		{jekyll.Generator, "jekyll", "collections jekyll pretty templates"},
		{mdbook.Generator, "mdbook", "mdbook"},
		{mintlify.Generator, "mintlify", "mintlify"},
		{mkdocs.Generator, "mkdocs", "folders hooks-own hooks languages mkdocs plugins samedir zensical"},
		{next.Generator, "next", "next"},
		{nextra.Generator, "nextra", "locales nextra none"},
		{nuxt.Generator, "nuxt", "content names second undocs"},
		{pandoc.Bookdown, "pandoc", "bookdown files"},
		{pandoc.Quarto, "pandoc", "book quarto rendered"},
		{rspress.Generator, "rspress", "rspress"},
		{sphinx.Generator, "sphinx", "book dirhtml files myst sections sphinx"},
		{starlight.Generator, "starlight", "astro languages starlight"},
		{sveltekit.Generator, "sveltekit", "sveltekit"},
		{vocs.Generator, "vocs", "vocs"},
		{vue.VitePress, "vue", "vitepress-rewrites vitepress-snippets vitepress"},
		{vue.VuePress, "vue", "vuepress-pages vuepress-patterns vuepress-yaml vuepress"},
		{wiki.AzureWiki, "wiki", "azure"},
		{wiki.Obsidian, "wiki", "obsidian"},
		{wiki.Quartz, "wiki", "quartz"},
		{wiki.Wiki, "wiki", "other wiki"},
		{zola.Generator, "zola", "spelled zola"},
	}
	var asked []string
	for _, tt := range sites {
		for name := range strings.FieldsSeq(tt.archives) {
			asked = append(asked, filepath.Join(tt.dir, "testdata", name+".txtar"))
			t.Run(tt.dir+"/"+name, func(t *testing.T) {
				t.Chdir(tt.dir)
				sitetest.Run(t, tt.generator, "testdata/"+name+".txtar")
			})
		}
	}
	all, err := filepath.Glob("*/testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range all {
		if !slices.Contains(asked, name) {
			t.Errorf("no generator is asked about %s", name)
		}
	}
}
