// Package docsify supports sites of Docsify, whose pages a script renders in the browser.
package docsify

import (
	"bytes"
	"path"
	"regexp"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/conf"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

// A model is a site that Docsify renders in the browser. Its links are routes, from the root, unless the option
// relativePath is set.
type model struct {
	conf       source.Value
	content    string // directory of the documents
	isRelative bool
	hasHistory bool                    // routes are URLs, without "#"
	unknown    func(route string) bool // whether a route may lead anywhere
	verbatim   func(link string) bool  // whether a link is no route
}

var docsifyConfig = lazy.New(`\$docsify\s*=\s*\{`)

// Generator finds sites of Docsify.
var Generator = &site.Generator{
	Name: "Docsify", Configs: []string{"index.html"}, Contents: []string{"_sidebar.md"},
	Indexes: []string{"README.md"}, Find: find,
}

// find finds a site by an index.html with the configuration of Docsify.
func find(d *source.Dir) []*site.Site {
	name := d.First("index.html")
	if name == "" {
		return nil
	}
	text := d.Tree.Config(d.In(name))
	at := docsifyConfig.Compiled().FindIndex(text)
	if at == nil {
		return nil
	}
	script := bytes.Clone(text[at[1]-1:])
	if end := bytes.Index(script, []byte("</script")); end >= 0 {
		script = script[:end]
	}
	g := &model{conf: source.Value{Value: conf.Read("index.js", append([]byte("export default "), script...)).Value}}
	base := g.conf.Lookup("basePath")
	dir, isInside := d.Inside(strings.TrimPrefix(base.Or(""), "/"))
	if base.IsUnknown() || strings.Contains(base.Or(""), ":") || !isInside {
		return nil
	}
	g.content, g.isRelative = dir, g.conf.Lookup("relativePath").IsTrue(false)
	if !d.Tree.IsDir(dir) {
		g.content = d.Path // where the site is published
	}
	if !hasMarkdown(d.Tree, g.content, 1) {
		return nil
	}
	g.hasHistory = g.conf.Lookup("routerMode").Or("") == "history"
	g.readUnknown()
	plan := &site.Plan{
		Generator: "Docsify", Config: name, Slug: slug.Docsify, Dialect: markdown.Docsify, Pages: g.content,
		Settings: site.Settings{
			Suffixes: []string{".md"}, Copies: site.CopiesAll, FragmentKey: "id", Loaded: g.frames(),
			Links: site.Links{site.Markdown: {g.link}, site.Image: {g.image}, site.HTML: {g.html}},
		},
	}
	if bytes.Contains(text, []byte("docsify@5")) {
		plan.Slug = slug.Docsify5
	}
	if g.content != d.Path {
		plan.Static = []string{d.Path}
	}
	return []*site.Site{plan.Site(d, g)}
}

// frames returns the names of the documents that are shown around or before each page.
func (g *model) frames() (all []string) {
	for option, name := range map[string]string{"loadSidebar": "_sidebar.md", "loadNavbar": "_navbar.md", "coverpage": "_coverpage.md"} {
		all = append(all, name, path.Base(g.conf.Lookup(option).Or(name)))
	}
	return all
}

// Route sets the route of a page, which is its path.
func (g *model) Route(_ *site.Site, p *site.Page) {
	p.Routes = []string{"/" + strings.TrimSuffix(strings.TrimSuffix(p.Rel, ".md"), "README")}
}

// Finish makes included documents whose names begin with "_" parts of pages.
func (g *model) Finish(s *site.Site) {
	for file := range s.IncludedBy {
		if p := s.ByFile[file]; p != nil && path.Base(file)[0] == '_' {
			p.IsPart = true
		}
	}
}

// hasMarkdown reports whether a directory, or one below it to a depth, holds a document.
func hasMarkdown(t *source.Tree, dir string, depth int) bool {
	for name, mode := range t.List(dir) {
		if !mode.IsDir() && source.IsMarkdown(name) || mode.IsDir() && depth > 0 && hasMarkdown(t, dir+"/"+name, depth-1) {
			return true
		}
	}
	return false
}

// readUnknown keeps the expressions for routes that may point anywhere, which are aliases and virtual
// routes, and for links that are no routes.
func (g *model) readUnknown() {
	unknown := append(routePatterns(g.conf.Lookup("alias").Keys(), "$"), routePatterns(g.conf.Lookup("routes").Keys(), "")...)
	if g.conf.IsUnknown() || g.conf.Open || g.conf.Lookup("alias").IsUnknown() || g.conf.Lookup("routes").IsUnknown() {
		unknown = append(unknown, "")
	}
	g.unknown, g.verbatim = anyOf(unknown), anyOf(routePatterns(g.conf.Lookup("noCompileLinks").Texts(), "$"))
}

// routePatterns returns the regular expressions for routes, of which the configuration of a site has at most 100.
func routePatterns(sources []string, end string) (all []string) {
	for _, source := range sources[:min(len(sources), 100)] {
		pattern := "^/?(?:" + strings.TrimPrefix(strings.TrimPrefix(source, "^"), "/") + ")" + end
		if _, err := regexp.Compile(pattern); err == nil {
			all = append(all, pattern)
		}
	}
	return all
}

// anyOf returns a matcher of strings that match one of the patterns, which are valid.
func anyOf(patterns []string) func(string) bool {
	re, err := regexp.Compile(strings.Join(patterns, "|"))
	switch {
	case len(patterns) == 0:
		return func(string) bool { return false }
	case err != nil: // together they are too large
		return func(string) bool { return true }
	}
	return re.MatchString
}

// link resolves a route.
func (g *model) link(s *site.Site, r *site.Reference) []site.Candidate {
	p := r.Path
	switch {
	case strings.Contains(p, ":") || strings.Contains(p, "//"):
		return site.Never(s, r)
	case bytes.Contains(r.Use.Markup.Title(), []byte(":include")):
		return []site.Candidate{g.asset(path.Join(path.Dir(r.Use.File), p))}
	case bytes.Contains(r.Use.Markup.Title(), []byte(":ignore")):
		return g.html(s, r)
	case g.verbatim(p):
		return g.html(s, r)
	case p == "" && g.isRelative:
		return []site.Candidate{site.FileCandidate(r.Use.File)}
	case r.Use.Page.File != r.Use.File && strings.HasPrefix(p, "."): // points to the file, not to its route
		return []site.Candidate{site.FileCandidate(path.Join(r.Dir(), p))}
	}
	if g.isRelative && !r.IsRooted() {
		if path.Base(r.Use.File)[0] == '_' {
			return []site.Candidate{{Unknown: reason.RelativeToEachPage}}
		}
		p = strings.TrimPrefix(path.Dir(r.Use.File), g.content) + "/" + p
	}
	route := "/" + strings.TrimLeft(p, "/")
	slash := strings.HasSuffix(route, "/") || strings.HasSuffix(route, "/.") || strings.HasSuffix(route, "/..")
	route = path.Clean(route)
	if slash {
		route = strings.TrimSuffix(route, "/") + "/"
	}
	route = strings.TrimSuffix(route, ".md")
	if g.unknown(route) {
		return []site.Candidate{{Unknown: aliasOrRoute}}
	}
	if r.In == "definition" { // which an image may use
		return append([]site.Candidate{g.file(route)}, g.image(s, r)...)
	}
	return []site.Candidate{g.file(route)}
}

// file returns the file that is shown for a route.
func (g *model) file(route string) site.Candidate {
	ext := "." + strings.TrimPrefix(g.conf.Lookup("ext").Or(".md"), ".")
	file := route + ext
	switch {
	case route == "/" || route == "/README":
		file = "/" + strings.TrimPrefix(g.conf.Lookup("homepage").Or("README.md"), "/")
	case strings.HasSuffix(route, "/"):
		file = route + "README" + ext
	case strings.HasSuffix(route, ".html"), strings.HasSuffix(route, ext):
		file = route
	}
	if strings.Contains(file, "://") {
		return site.Candidate{Unknown: homeElsewhere}
	}
	return g.asset(g.content + path.Clean(file))
}

func (g *model) asset(file string) site.Candidate {
	c := site.FileCandidate(file)
	c.IsAsset = !source.IsMarkdown(file)
	return c
}

// image resolves an image below the directory of the page, even if it begins with a slash.
func (g *model) image(s *site.Site, r *site.Reference) []site.Candidate {
	switch {
	case strings.Contains(r.Path, ":") || strings.Contains(r.Path, "//"):
		return site.Never(s, r)
	case path.Base(r.Use.File)[0] == '_':
		return []site.Candidate{{Unknown: reason.RelativeToEachPage}}
	}
	return []site.Candidate{site.AssetCandidate(path.Join(r.PageDir(), r.Path))}
}

// html resolves a reference against index.html, which shows all pages.
func (g *model) html(s *site.Site, r *site.Reference) []site.Candidate {
	if g.hasHistory || r.Path == "" || strings.HasSuffix(r.Path, "/") {
		return []site.Candidate{{Unknown: relativeToIndexOrRoute}}
	}
	c := site.AssetCandidate(path.Join(s.Dir, r.Path))
	if s.Tree.IsDir(c.File) {
		return []site.Candidate{{Unknown: hostDirectory}}
	}
	return []site.Candidate{c}
}

// Explain says why the target of a reference does not exist.
func (g *model) Explain(s *site.Site, r *site.Reference) (why reason.Reason, other string) {
	if r.IsRooted() || g.isRelative {
		return reason.Reason{}, ""
	}
	file := path.Join(r.Dir(), r.Path)
	if s.ByFile[file] != nil {
		return relativeToRoot, file
	}
	return reason.Reason{}, ""
}

var docsifyInclude = lazy.New(`^\]\(([^\s)]+)\s+['"][^'")]*:include`)

// Parts returns the files that a page includes.
func (g *model) Parts(s *site.Site, p *site.Page, _ string, text []byte) (parts site.Parts) {
	if !bytes.Contains(text, []byte(":include")) {
		return parts
	}
	for m := range source.MatchesAt(text, "](", docsifyInclude) {
		parts.Add(s, path.Join(path.Dir(p.File), string(m[1])))
	}
	return parts
}

// MakesID reports whether a page gives an id to a heading or a link (":id=x"), or an id is not as Docsify
// writes it into the URL, in lower case.
func (g *model) MakesID(s *site.Site, file, id string) bool {
	return id != strings.ToLower(id) || bytes.Contains(s.Tree.Text(file, source.MaxPage), []byte(":id="+id))
}

// Reasons.
var (
	aliasOrRoute           = reason.New(reason.Code, "alias-or-route", "an alias or a route of the configuration")
	homeElsewhere          = reason.New(reason.Unpublished, "home-elsewhere", "the home page is elsewhere")
	hostDirectory          = reason.New(reason.OtherSite, "host-directory", "a directory of the host")
	relativeToIndexOrRoute = reason.New(reason.Base, "relative-to-index-or-route", "relative to index.html, or to the route")
	relativeToRoot         = reason.New(reason.Base, "relative-to-root", "links are relative to the root, without relativePath")
)
