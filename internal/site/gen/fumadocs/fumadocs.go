// Package fumadocs models sites of Fumadocs.
package fumadocs

import (
	"path"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/site/web"
)

var (
	fumadocsDir     = lazy.New(`\b(\w+)\s*=\s*define(?:Docs|Collections)\s*\(\s*\{[^{}]*?\bdir\s*:\s*["'\x60]([^"'\x60$]+)["'\x60]`)
	fumadocsDefault = lazy.New(`\b(\w+)\s*=\s*defineDocs\s*\(`)
	fumadocsLoader  = lazy.New(`\bloader\s*\(`)
	fumadocsBase    = lazy.New(`\bbaseUrl\s*:\s*["'\x60]([^"'\x60$]*)["'\x60]`)
	fumadocsName    = lazy.New(`[\s:(,](\w+)`)
	fumadocsChange  = lazy.New(`\b(?:url|slugs|i18n)\b\s*[:(,}]`)
)

// maxCollections is the number of collections of a site that are read: each costs every reference a look.
const maxCollections = 100

// A model is a site of Fumadocs on Next.js.
type model struct {
	hasSlash  bool        // URLs of pages end in a slash
	directory *source.Dir // of the configuration
	// resolvesSources says that the application uses the component that resolves "./x.mdx".
	resolvesSources bool
}

// Generator finds sites of Fumadocs.
var Generator = &site.Generator{Name: "Fumadocs", Configs: []string{"source.config.*"}, Indexes: []string{"index.md", "index.mdx"}, Find: find}

// find finds a site by source.config.*. The directories of documents are in this file, and their URLs in calls
// of loader.
func find(d *source.Dir) []*site.Site {
	name := d.Script("source.config")
	if name == "" {
		return nil
	}
	g := &model{directory: d}
	plan := &site.Plan{
		Generator: "Fumadocs", Config: name, Slug: slug.Docusaurus, Dialect: markdown.Fumadocs, Static: []string{d.In("public")},
		Settings: site.Settings{
			Suffixes: []string{".mdx", ".md"}, MDX: markdown.FumadocsMDX, Slash: site.SlashIgnored, FrontMatter: true, Components: true,
			Knows: site.AllParts, PartsInOrder: true,
			Links: site.Links{site.Markdown: {g.link}, site.Image: {g.image}, site.HTML: {site.ByURL}, site.Component: {g.component}},
		},
	}
	next := d.Script("next.config")
	if next != "" {
		plan.Written = web.ScriptRedirects(d.In(next), string(d.Tree.Config(d.In(next))))
	}
	s := plan.Site(d, g)
	if next != "" {
		_, conf := d.Tree.ReadScript(d.In(next))
		s.SetBase(conf.Lookup("basePath").Or("/"))
		s.IsBaseKnown = !conf.Lookup("basePath").IsUnknown() && !conf.IsUnknown()
		g.hasSlash = conf.Lookup("trailingSlash").IsTrue(false)
	}
	g.mounts(s, d, string(d.Tree.Config(d.In(name))))
	if len(s.Mounts) == 1 {
		return nil
	}
	return []*site.Site{s}
}

// mounts adds the directories of documents. If no call of loader in the usual files says where one is published, its URLs
// are unknown: code shows its documents.
func (g *model) mounts(s *site.Site, d *source.Dir, config string) {
	dirs := map[string]string{} // by the name of the collection
	for _, m := range fumadocsDefault.FindAllStringSubmatch(config, maxCollections) {
		dirs[m[1]] = "content/docs"
	}
	for _, m := range fumadocsDir.FindAllStringSubmatch(config, maxCollections) {
		dirs[m[1]] = m[2]
	}
	bases := map[string]string{}
	for _, file := range []string{"lib/source.ts", "lib/source.tsx", "lib/source/index.ts", "lib/source/index.tsx", "app/source.ts", "source.ts"} {
		for _, src := range []string{"", "src/"} {
			g.loaders(string(d.Tree.Config(d.In(src+file))), dirs, bases)
		}
	}
	for _, name := range source.SortedKeys(dirs) {
		dir, ok := d.Inside(dirs[name])
		if !ok || !d.Tree.IsDir(dir) {
			continue
		}
		base, isKnown := bases[name]
		m := &site.Mount{Dir: dir, URL: "/" + strings.Trim(base, "/") + "/", Kind: site.Pages}
		if m.URL == "//" {
			m.URL = "/"
		}
		if !isKnown {
			m.Name = "content"
		}
		s.Mounts = append(s.Mounts, m)
	}
	for _, file := range []string{"mdx-components.tsx", "components/mdx.tsx", "src/mdx-components.tsx", "src/components/mdx.tsx", "app/docs/[[...slug]]/page.tsx", "src/app/docs/[[...slug]]/page.tsx"} {
		g.resolvesSources = g.resolvesSources || strings.Contains(string(d.Tree.Config(d.In(file))), "createRelativeLink")
	}
}

// loaders finds the calls of loader in a script that publish a collection under a literal URL, and change no URL of a
// page.
func (g *model) loaders(text string, dirs, bases map[string]string) {
	for _, at := range fumadocsLoader.FindAllStringIndex(text, maxCollections) {
		call := callAt(text[at[1]-1:])
		base := fumadocsBase.FindStringSubmatch(call)
		if base == nil || fumadocsChange.MatchString(call) {
			continue
		}
		for _, m := range fumadocsName.FindAllStringSubmatch(call, -1) {
			if _, isCollection := dirs[m[1]]; isCollection {
				bases[m[1]] = base[1]
			}
		}
	}
}

// callAt returns the arguments of a call in parentheses, at the start of a script.
func callAt(text string) string {
	const longest = 10_000
	depth := 0
	for i := range min(len(text), longest) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return text[:i]
			}
		}
	}
	return ""
}

// Route publishes a document below the URL of its collection, without the names of groups in parentheses.
func (g *model) Route(_ *site.Site, p *site.Page) {
	if p.Mount.Name == "content" {
		return
	}
	var names []string
	for name := range strings.SplitSeq(strings.TrimSuffix(p.Rel, path.Ext(p.Rel)), "/") {
		if !(strings.HasPrefix(name, "(") && strings.HasSuffix(name, ")")) {
			names = append(names, name)
		}
	}
	if last := len(names) - 1; last >= 0 && names[last] == "index" {
		names = names[:last]
	}
	u := path.Join(p.Mount.URL, strings.Join(names, "/"))
	if g.hasSlash && u != "/" {
		u += "/"
	}
	p.Routes = []string{u}
}

// link resolves a link, which is one of Next.js: "/x" is below its base path.
func (g *model) link(s *site.Site, r *site.Reference) []site.Candidate {
	all := site.ByURLWithBase(s, r)
	if g.resolvesSources && source.IsMarkdown(r.Path) && strings.HasPrefix(r.Path, ".") {
		all = append(site.BySource(s, r), all...)
	}
	return all
}

// image resolves an image, which is imported: "/x" is in the public directory.
func (g *model) image(s *site.Site, r *site.Reference) []site.Candidate {
	if r.IsRooted() {
		return site.ByURLWithBase(s, r)
	}
	return site.ByAsset(s, r)
}

func (g *model) component(s *site.Site, r *site.Reference) []site.Candidate {
	return site.MaybeChanged(r, g.link(s, r))
}

// includeTag matches the element that includes a document.
var includeTag = lazy.New(`<include[^>\n]*>\s*([^<>\s#]+)[^<>\n]*</include>`)

// Finish adds the routes of the application.
func (g *model) Finish(s *site.Site) { web.NextRoutes(s, g.directory) }

// Parts returns the documents that <include> elements of a document include.
func (g *model) Parts(s *site.Site, _ *site.Page, file string, text []byte) (parts site.Parts) {
	for m := range source.MatchesIn(text, "<include", includeTag) {
		parts.Add(s, path.Join(path.Dir(file), string(m[1])))
	}
	return parts
}
