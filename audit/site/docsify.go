package site

import (
	"bytes"
	"path"
	"regexp"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/conf"
	"example.org/refract/internal/lazy"
)

// A docsify is a site that Docsify renders in the browser. Its links are routes, from the root, unless the option
// relativePath is set.
type docsify struct {
	conf       value
	content    string // directory of the documents
	isRelative bool
	hasHistory bool                    // routes are URLs, without "#"
	unknown    func(route string) bool // whether a route may lead anywhere
	verbatim   func(link string) bool  // whether a link is no route
}

var docsifyConfig = lazy.New(`\$docsify\s*=\s*\{`)

// findDocsify finds a site by an index.html with the configuration of Docsify.
func findDocsify(d *directory) []*Site {
	name := d.first("index.html")
	if name == "" {
		return nil
	}
	text := d.tree.config(d.in(name))
	at := docsifyConfig.Compiled().FindIndex(text)
	if at == nil {
		return nil
	}
	script := bytes.Clone(text[at[1]-1:])
	if end := bytes.Index(script, []byte("</script")); end >= 0 {
		script = script[:end]
	}
	g := &docsify{conf: value{conf.ReadFile("index.js", append([]byte("export default "), script...)).Value}}
	base := g.conf.get("basePath")
	dir, isInside := d.inside(strings.TrimPrefix(base.text(""), "/"))
	if base.isUnknown() || strings.Contains(base.text(""), ":") || !isInside {
		return nil
	}
	g.content, g.isRelative = dir, g.conf.get("relativePath").isTrue(false)
	if !d.tree.isDir(dir) {
		g.content = d.dir // where the site is published
	}
	if !d.tree.hasMarkdown(g.content, 1) {
		return nil
	}
	g.hasHistory = g.conf.get("routerMode").text("") == "history"
	g.readUnknown()
	s := d.newSite("Docsify", name)
	s.Slug, s.Dialect = slug.Docsify, markdown.Docsify
	if bytes.Contains(text, []byte("docsify@5")) {
		s.Slug = slug.Docsify5
	}
	s.Mounts = []*Mount{{Dir: g.content, URL: "/", Kind: Pages}}
	if g.content != d.dir {
		s.Mounts = append(s.Mounts, &Mount{Dir: d.dir, URL: "/", Kind: Static})
	}
	s.suffixes, s.copies = []string{".md"}, copyAll
	s.route = func(_ *Site, p *Page) {
		p.Routes = []string{"/" + strings.TrimSuffix(strings.TrimSuffix(p.Rel, ".md"), "README")}
	}
	s.readsTitles, s.fragmentKey = true, "id"
	s.table[Markdown] = []step{g.link}
	s.table[Image] = []step{g.image}
	s.table[HTML] = []step{g.html}
	s.parts, s.makesID, s.explain = g.parts, g.makesID, g.explain
	s.finish = func(s *Site) {
		for file := range s.includes {
			if p := s.pages[file]; p != nil && path.Base(file)[0] == '_' {
				p.isPart = true
			}
		}
	}
	return []*Site{s}
}

// hasMarkdown reports whether a directory, or one below it to a depth, holds a document.
func (t *tree) hasMarkdown(dir string, depth int) bool {
	for name, mode := range t.list(dir) {
		if !mode.IsDir() && isMarkdownSuffix(name) || mode.IsDir() && depth > 0 && t.hasMarkdown(dir+"/"+name, depth-1) {
			return true
		}
	}
	return false
}

// readUnknown keeps the expressions for routes that may lead anywhere, which are aliases and virtual routes, and
// for links that are no routes.
func (g *docsify) readUnknown() {
	unknown := append(routePatterns(g.conf.get("alias").keys(), "$"), routePatterns(g.conf.get("routes").keys(), "")...)
	if g.conf.isUnknown() || g.conf.Open || g.conf.get("alias").isUnknown() || g.conf.get("routes").isUnknown() {
		unknown = append(unknown, "")
	}
	g.unknown, g.verbatim = anyOf(unknown), anyOf(routePatterns(g.conf.get("noCompileLinks").texts(), "$"))
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
func (g *docsify) link(s *Site, r *reference) []candidate {
	p := r.path
	switch {
	case strings.Contains(p, ":") || strings.Contains(p, "//"):
		return never(s, r)
	case bytes.Contains(r.use.Title, []byte(":include")):
		return []candidate{g.asset(path.Join(path.Dir(r.use.File), p))}
	case bytes.Contains(r.use.Title, []byte(":ignore")):
		return g.html(s, r)
	case g.verbatim(p):
		return g.html(s, r)
	case p == "" && g.isRelative:
		return []candidate{fileCandidate(r.use.File)}
	case r.use.Page.File != r.use.File && strings.HasPrefix(p, "."): // leads to the file, not to its route
		return []candidate{fileCandidate(path.Join(r.dir(), p))}
	}
	if g.isRelative && !r.isRooted() {
		if path.Base(r.use.File)[0] == '_' {
			return []candidate{{unknown: "relative to each page that shows it"}}
		}
		p = strings.TrimPrefix(path.Dir(r.use.File), g.content) + "/" + p
	}
	route := "/" + strings.TrimLeft(p, "/")
	slash := strings.HasSuffix(route, "/") || strings.HasSuffix(route, "/.") || strings.HasSuffix(route, "/..")
	route = path.Clean(route)
	if slash {
		route = strings.TrimSuffix(route, "/") + "/"
	}
	route = strings.TrimSuffix(route, ".md")
	if g.unknown(route) {
		return []candidate{{unknown: "an alias or a route of the configuration"}}
	}
	if r.in == "definition" { // which an image may use
		return append([]candidate{g.file(s, route)}, g.image(s, r)...)
	}
	return []candidate{g.file(s, route)}
}

// file returns the file that is shown for a route.
func (g *docsify) file(s *Site, route string) candidate {
	ext := "." + strings.TrimPrefix(g.conf.get("ext").text(".md"), ".")
	file := route + ext
	switch {
	case route == "/" || route == "/README":
		file = "/" + strings.TrimPrefix(g.conf.get("homepage").text("README.md"), "/")
	case strings.HasSuffix(route, "/"):
		file = route + "README" + ext
	case strings.HasSuffix(route, ".html"), strings.HasSuffix(route, ext):
		file = route
	}
	if strings.Contains(file, "://") {
		return candidate{unknown: "the home page is elsewhere"}
	}
	return g.asset(g.content + path.Clean(file))
}

func (g *docsify) asset(file string) candidate {
	c := fileCandidate(file)
	c.isAsset = !isMarkdownSuffix(file)
	return c
}

// image resolves an image below the directory of the page, even if it begins with a slash.
func (g *docsify) image(s *Site, r *reference) []candidate {
	switch {
	case strings.Contains(r.path, ":") || strings.Contains(r.path, "//"):
		return never(s, r)
	case path.Base(r.use.File)[0] == '_':
		return []candidate{{unknown: "relative to each page that shows it"}}
	}
	c := fileCandidate(path.Join(r.pageDir(), r.path))
	c.isAsset = true
	return []candidate{c}
}

// html resolves a reference against index.html, which shows all pages.
func (g *docsify) html(s *Site, r *reference) []candidate {
	if g.hasHistory || r.path == "" || strings.HasSuffix(r.path, "/") {
		return []candidate{{unknown: "relative to index.html, or to the route"}}
	}
	c := fileCandidate(path.Join(s.Dir, r.path))
	c.isAsset = true
	if s.tree.isDir(c.File) {
		return []candidate{{unknown: "a directory of the host"}}
	}
	return []candidate{c}
}

func (g *docsify) explain(s *Site, r *reference) (why, other string) {
	if r.isRooted() || g.isRelative {
		return "", ""
	}
	file := path.Join(r.dir(), r.path)
	if s.pages[file] != nil {
		return "links are relative to the root, without relativePath", file
	}
	return "", ""
}

var docsifyInclude = lazy.New(`^\]\(([^\s)]+)\s+['"][^'")]*:include`)

// parts returns the files that a page includes.
func (g *docsify) parts(s *Site, p *Page, text []byte) (files []string) {
	if !bytes.Contains(text, []byte(":include")) {
		return nil
	}
	for m := range matchesAt(text, "](", docsifyInclude) {
		if file := path.Join(path.Dir(p.File), string(m[1])); below(file, s.tree.root) {
			files = append(files, file)
		}
	}
	return files
}

// makesID reports whether a page gives an id to a heading or a link (":id=x"), or an id is not as Docsify writes it
// into the URL, in lower case.
func (g *docsify) makesID(s *Site, file, id string) bool {
	return id != strings.ToLower(id) || bytes.Contains(s.tree.text(file, maxPage), []byte(":id="+id))
}
