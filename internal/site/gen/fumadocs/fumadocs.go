// Package fumadocs supports sites of Fumadocs.
package fumadocs

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/site/web"
	"example.org/refract/internal/slash"
)

var (
	fumadocsDir     = lazy.New(`\b(\w+)\s*=\s*define(?:Docs|Collections)\s*\(\s*\{[^{}]*?\bdir\s*:\s*["'\x60]([^"'\x60$]+)["'\x60]`)
	fumadocsDefault = lazy.New(`\b(\w+)\s*=\s*defineDocs\s*\(`)
	fumadocsLoader  = lazy.New(`\bloader\s*\(`)
	fumadocsBase    = lazy.New(`\bbaseUrl\s*:\s*["'\x60]([^"'\x60$]*)["'\x60]`)
	fumadocsName    = lazy.New(`[\s:(,](\w+)`)
	fumadocsChange  = lazy.New(`\b(?:url|slugs)\b\s*[:(,}]`)
	fumadocsI18n    = lazy.New(`\bi18n\b\s*[:(,}]`)
	// languageSuffix matches the name of a document in a language, without its suffix.
	languageSuffix = lazy.New(`^(.+)\.([a-z]{2}(?:-[A-Za-z]{2,4})?)$`)
	defaultLang    = lazy.New(`\bdefaultLanguage\s*:\s*["'\x60]([A-Za-z-]+)["'\x60]`)
	// generatedDir matches the directory of pages that a loader makes of a description of an API.
	generatedDir = lazy.New(`\bbaseDir\s*:\s*["'\x60]([^"'\x60$]+)["'\x60]`)
	parserOfI18n = lazy.New(`\bparser\s*:`)
)

// maxCollections is the number of collections of a site that are read: each costs every reference a look.
const maxCollections = 100

// A model is a site of Fumadocs on Next.js.
type model struct {
	web.NextConfig
	web.Importer
	redirects web.Patterns // URLs for which Next.js has rules
	hasSlash  bool         // URLs of pages end in a slash
	directory *source.Dir  // of the configuration
	// translates says that names of documents may end with a language.
	translates bool
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
	var conf source.Value
	if next != "" {
		_, conf = d.Tree.ReadScript(d.In(next))
		plan.Base = conf.Lookup("basePath")
		rules := web.ReadNextRules(d, next, conf, string(d.Tree.Config(d.In(next))))
		plan.Written, plan.Routeless, g.redirects = rules.Written, rules.Exact, rules.Patterns
		plan.OwnHost = !rules.IsOpen && !conf.IsUnknown()
		for _, from := range web.MiddlewareRedirects(d) {
			g.redirects.AddPath(from)
		}
		g.hasSlash = conf.Lookup("trailingSlash").IsTrue(false)
	}
	s := plan.Site(d, g)
	s.IsBaseKnown = s.IsBaseKnown && !conf.IsUnknown()
	g.mounts(s, d, string(d.Tree.Config(d.In(name))))
	if len(s.Mounts) == 1 {
		return nil
	}
	return []*site.Site{s}
}

// mounts adds the directories of documents. If no call of loader in the usual files says where one is
// published, its URLs are unknown: code shows its documents.
func (g *model) mounts(s *site.Site, d *source.Dir, config string) {
	dirs := map[string]string{} // by the name of the collection
	texts := scripts(d)
	for _, text := range append([]string{config}, texts...) {
		for _, m := range fumadocsDefault.FindAllStringSubmatch(text, maxCollections) {
			dirs[m[1]] = "content/docs"
		}
		for _, m := range fumadocsDir.FindAllStringSubmatch(text, maxCollections) {
			dirs[m[1]] = m[2]
		}
	}
	bases := map[string]string{}
	for _, text := range texts {
		g.loaders(s, d, text, dirs, bases)
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

// scripts returns the texts of the files that usually call loader: source.ts in lib or in a directory
// there, and the like.
func scripts(d *source.Dir) (texts []string) {
	const most = 20 // directories of lib
	for _, src := range []string{"", "src/"} {
		files := []string{"lib/source", "lib/source/index", "app/source", "source"}
		names := d.Tree.List(d.In(src + "lib"))
		for i, name := range source.SortedKeys(names) {
			if names[name].IsDir() && name != "source" && i < most {
				files = append(files, "lib/"+name+"/source")
			}
		}
		for _, file := range files {
			for _, ext := range []string{".ts", ".tsx"} {
				if at := d.In(src + file + ext); d.Tree.IsFile(at) {
					texts = append(texts, string(d.Tree.Config(at)))
				}
			}
		}
	}
	return texts
}

// setLanguages sets the languages of a site whose documents are translated beside each other, as x.fr.mdx.
// It returns false if another rule may say which language a document is in.
func (g *model) setLanguages(s *site.Site, d *source.Dir, dirs map[string]string) bool {
	text := ""
	for _, dir := range []string{"lib", "src/lib"} {
		names := d.Tree.List(d.In(dir))
		for _, name := range append([]string{"."}, source.SortedKeys(names)...) {
			text += string(d.Tree.Config(path.Join(d.In(dir), name, "i18n.ts")))
		}
	}
	m := defaultLang.FindStringSubmatch(text)
	if m == nil || parserOfI18n.MatchString(text) {
		return false
	}
	if g.translates {
		return true
	}
	g.translates = true
	langs := map[string]bool{}
	for _, name := range dirs {
		dir, ok := d.Inside(name)
		if !ok {
			continue
		}
		for file := range d.Tree.List(dir) {
			if m := languageSuffix.FindStringSubmatch(slash.Stem(file)); m != nil && source.IsMarkdown(file) {
				langs[m[2]] = true
			}
		}
	}
	langs[m[1]] = true // the default language has no prefix, or one that the host adds
	s.Langs = source.SortedKeys(langs)
	return true
}

// loaders finds the calls of loader in a script that publish a collection under a literal URL, and change
// no URL of a page.
func (g *model) loaders(s *site.Site, d *source.Dir, text string, dirs, bases map[string]string) {
	for _, at := range fumadocsLoader.FindAllStringIndex(text, maxCollections) {
		call := callAt(text[at[1]-1:])
		base := fumadocsBase.FindStringSubmatch(call)
		if base == nil || fumadocsChange.MatchString(call) || fumadocsI18n.MatchString(call) && !g.setLanguages(s, d, dirs) {
			continue
		}
		made := generatedDir.FindAllStringSubmatch(call, maxCollections)
		if strings.Count(call, "Source(") > len(made)+strings.Count(call, ".toFumadocsSource(") {
			continue // it also makes pages, nobody knows where
		}
		for _, m := range made {
			first, _, _ := strings.Cut(strings.Trim(m[1], "./"), "/")
			s.Made = append(s.Made, path.Join("/", base[1], first)+"/")
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

// Route publishes a document below the URL of its collection, after its language, without the names of
// groups in parentheses.
func (g *model) Route(s *site.Site, p *site.Page) {
	if p.Mount.Name == "content" {
		return
	}
	var names []string
	stem, lang := slash.Stem(p.Rel), ""
	if m := languageSuffix.FindStringSubmatch(stem); m != nil && g.translates && slices.Contains(s.Langs, m[2]) {
		stem, lang = m[1], m[2]
	}
	for name := range strings.SplitSeq(stem, "/") {
		if !(strings.HasPrefix(name, "(") && strings.HasSuffix(name, ")")) {
			names = append(names, name)
		}
	}
	if last := len(names) - 1; last >= 0 && names[last] == "index" {
		names = names[:last]
	}
	u := path.Join("/", lang, p.Mount.URL, strings.Join(names, "/"))
	if g.hasSlash && u != "/" {
		u += "/"
	}
	p.Routes = []string{u}
}

// link resolves a link, which is one of Next.js: "/x" is below its base path.
func (g *model) link(s *site.Site, r *site.Reference) []site.Candidate {
	all := site.ByURLWithBase(s, r)
	if lang := g.langOf(s, r); lang != "" && r.IsRooted() && s.LangOf(r.Path) == "" { // the host sends readers to their language
		own := *r
		own.Path = "/" + lang + r.Path
		all = append(site.ByURLWithBase(s, &own), all...)
	}
	if g.resolvesSources && source.IsMarkdown(r.Path) && strings.HasPrefix(r.Path, ".") {
		all = append(site.BySource(s, r), all...)
	}
	return all
}

// langOf returns the language of the page that a reference is in, or "".
func (g *model) langOf(s *site.Site, r *site.Reference) string {
	if p := r.Use.Page; g.translates && p != nil && len(p.Routes) > 0 {
		return s.LangOf(p.Routes[0])
	}
	return ""
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

// Makes reports whether the configuration or the middleware of Next.js decides about a URL.
func (g *model) Makes(_ *site.Site, u string) bool { return g.redirects.Match(u) }

// Finish adds the routes of the application.
func (g *model) Finish(s *site.Site) { web.NextRoutes(s, g.directory) }

// Parts returns the documents that a document imports, and those that its <include> elements include.
func (g *model) Parts(s *site.Site, p *site.Page, file string, text []byte) site.Parts {
	parts := g.Importer.Parts(s, p, file, text)
	for m := range source.MatchesIn(text, includeTag, "<include") {
		parts.Add(s, path.Join(path.Dir(file), string(m[1])))
	}
	return parts
}
