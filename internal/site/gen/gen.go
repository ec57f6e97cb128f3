// Package gen lists the supported generators of sites. Each is a package below it, which no other package
// imports.
package gen

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/input"
	"example.org/refract/internal/option"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/gen/antora"
	"example.org/refract/internal/site/gen/docfx"
	"example.org/refract/internal/site/gen/docsify"
	"example.org/refract/internal/site/gen/docusaurus"
	"example.org/refract/internal/site/gen/eleventy"
	"example.org/refract/internal/site/gen/exdoc"
	"example.org/refract/internal/site/gen/fumadocs"
	"example.org/refract/internal/site/gen/gatsby"
	"example.org/refract/internal/site/gen/gitbook"
	"example.org/refract/internal/site/gen/hugo"
	"example.org/refract/internal/site/gen/jekyll"
	"example.org/refract/internal/site/gen/maven"
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
)

// All are asked in this order. The first that finds a site in a directory wins.
var All = []*site.Generator{
	mkdocs.Generator,
	docusaurus.Generator,
	vue.VitePress,
	zola.Generator, // before Hugo, whose configuration may have the same name
	vue.VuePress,
	hugo.Generator,
	mdbook.Generator,
	fumadocs.Generator,
	starlight.Generator,
	antora.Generator,
	sphinx.Generator,
	jekyll.Generator,
	eleventy.Generator,
	docfx.Generator,
	rspress.Generator,
	nextra.Generator,
	vocs.Generator,
	pandoc.Quarto,
	pandoc.Bookdown,
	wiki.Quartz,
	docsify.Generator,
	gitbook.HonKit,
	gitbook.GitBook,
	mintlify.Generator,
	sveltekit.Generator,
	nuxt.Generator,
	next.Generator, // behind those that build on it, or leave its configuration behind
	gatsby.Generator,
	exdoc.Generator,
	maven.Generator,
	wiki.Obsidian,
	wiki.AzureWiki,
	wiki.Wiki,
}

// Find returns a finder for the sites in a tree: of all generators, or of the one with a name, ignoring case. "none" is
// no generator.
func Find(t input.Tree, name string) *site.Finder { return site.NewFinder(t, All, name) }

// Names returns the names of the known generators.
func Names() (names []string) {
	for _, g := range All {
		names = append(names, g.Name)
	}
	return names
}

// IsContents reports whether a file lists the pages of a site, by its name.
func IsContents(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(All, func(g *site.Generator) bool { return slices.Contains(g.Contents, name) })
}

// Indexes returns the names of files that stand for their directory. Each comes after the names that any
// generator prefers to it; these preferences must not contradict one another.
func Indexes() (names []string) {
	isNew := func(name string) bool { return !slices.Contains(names, name) }
	isNext := func(name string) bool {
		return isNew(name) && !slices.ContainsFunc(All, func(g *site.Generator) bool {
			return slices.ContainsFunc(g.Indexes[:max(0, slices.Index(g.Indexes, name))], isNew)
		})
	}
	for i := 0; i < len(All); i++ {
		if k := slices.IndexFunc(All[i].Indexes, isNext); k >= 0 {
			names = append(names, All[i].Indexes[k])
			i = -1 // others may be next now
		}
	}
	return names
}

// Configs returns the patterns of the names of the configuration files that generators look for.
func Configs() (names []string) {
	for _, g := range All {
		for _, name := range g.Configs {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// OutputOf returns the path of the directory in which builds of a site put its pages by default, or "".
func OutputOf(s *site.Site) string {
	for _, g := range All {
		if g.Name == s.Generator && g.Output != "" {
			return path.Join(s.Dir, g.Output)
		}
	}
	return ""
}

// CheckName returns an error unless name is the name of a generator, "none" or "".
func CheckName(name string) error {
	if name == "" || strings.EqualFold(name, "none") || slices.ContainsFunc(Names(), func(known string) bool { return strings.EqualFold(name, known) }) {
		return nil
	}
	return option.NotOneOf("Generator", name, Choices())
}

// Choices returns the names that CheckName accepts, as they are shown.
func Choices() []string { return append(Names(), "none") }
