// Package gatsby supports sites of Gatsby whose pages are the files of src/pages, and documents that
// gatsby-node publishes by their paths or by a field of their front matter, as the tutorials and starters
// of Gatsby do. It ignores sites whose code does anything else: the references of the tree tell more about
// them.
package gatsby

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/order"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/site/web"
	"example.org/refract/internal/slash"
)

// A model holds the settings of a site.
type model struct {
	web.Explainer
	web.Importer
	web.Router
	web.RawText
	routes []route // of documents; the first that gives a URL counts
	base   string  // what createFilePath is given as the base of paths
	hasMDX bool    // documents of MDX in src/pages are pages
	slugs  bool    // a plugin gives headings ids
	copies bool    // a plugin publishes files that links of Markdown point to
	files  bool    // a plugin follows links to documents
	plain  bool    // no plugin changes documents

	redirectFrom bool // a plugin redirects from redirect_from in front matter
}

// A route is a call of createPage for documents: what it puts before and behind a field.
type route struct {
	before, field, after string // field is "" for the path of the file
}

// Generator finds sites of Gatsby.
var Generator = &site.Generator{Name: "Gatsby", Configs: []string{"gatsby-config.*"}, Output: "public", Find: find}

// find finds a site by gatsby-config.* beside a package.json that depends on Gatsby.
func find(d *source.Dir) []*site.Site {
	name := d.Script("gatsby-config")
	if name == "" || !d.DependsOn("gatsby") {
		return nil
	}
	text := string(d.Tree.Config(d.In(name)))
	if foreignPages.MatchString(text) || redirectOption.MatchString(text) || d.Tree.IsDir(d.In("plugins")) {
		return nil
	}
	g := &model{hasMDX: strings.Contains(text, "gatsby-plugin-mdx"), slugs: slugPlugin.MatchString(text), redirectFrom: strings.Contains(text, "gatsby-redirect-from")}
	g.copies, g.files = strings.Contains(text, "gatsby-remark-copy-linked-files"), linkPlugin.MatchString(text)
	g.plain = !g.hasMDX && !strings.Contains(text, "gatsby-remark-")
	plan := &site.Plan{
		Generator: "Gatsby", Config: name, Slug: slug.Docusaurus, Dialect: markdown.Fumadocs, Static: []string{d.In("static")},
		Settings: site.Settings{
			Suffixes: []string{".js", ".jsx", ".ts", ".tsx", ".md", ".mdx", ".markdown"}, MDX: markdown.FumadocsMDX, Slash: site.SlashIgnored,
			Knows: site.AllParts, PartsInOrder: true, Components: true, Known: site.ClosedRoutes, IsProgram: true, FrontMatter: true,
			Links: site.Links{site.Markdown: {g.link}, site.Image: {g.image}, site.HTML: {site.ByURL}, site.Component: {component}},
			Made:  []string{"/page-data/", "/static/"},
		},
	}
	dirs, ok := contentDirs(d, text)
	if !ok || !g.readNode(d, plan) {
		return nil
	}
	s := plan.Site(d, g)
	if dir := d.In("src/pages"); d.Tree.IsDir(dir) {
		s.Mounts = append(s.Mounts, &site.Mount{Dir: dir, URL: "/", Kind: site.Pages, Name: "pages", Match: g.isPage})
	}
	for _, dir := range dirs {
		if len(g.routes) > 0 {
			s.Mounts = append(s.Mounts, &site.Mount{Dir: dir, URL: "/", Kind: site.Pages, Name: "content", Match: source.IsMarkdown})
		}
	}
	if len(s.Mounts) == 1 {
		return nil
	}
	return []*site.Site{s}
}

var (
	// foreignPages matches what makes pages that neither src/pages nor gatsby-node names.
	foreignPages = lazy.New(`gatsby-theme-|-gatsby-theme|gatsby-plugin-page-creator|gatsby-plugin-(?:i18n|intl|react-i18next)|gatsby-plugin-catch-all`)
	// redirectOption matches redirects that a plugin takes as an option.
	redirectOption = lazy.New(`\bredirects['"]?\s*:`)
	slugPlugin     = lazy.New(`gatsby-remark-autolink-headers|rehype-?[sS]lug|remark-?[sS]lug`)
	linkPlugin     = lazy.New(`gatsby-remark-(?:relative|resolve|prefix|rewrite)[\w-]*`)
	sourcePlugin   = lazy.New(`gatsby-source-filesystem['"\x60]`)
	pathOption     = lazy.New(`\bpath['"]?\s*:\s*([^\n]+)`)
	quoted         = lazy.New(`'([^'\n]*)'|"([^"\n]*)"|\x60([^\x60\n]*)\x60`)
)

// maxSources is the number of directories that are read, and longestOption the number of bytes in which
// their options are.
const (
	maxSources    = 32
	longestOption = 400
)

// contentDirs returns the directories that gatsby-source-filesystem reads and that exist. ok is false if
// one is computed.
func contentDirs(d *source.Dir, text string) (dirs []string, ok bool) {
	all := sourcePlugin.Compiled().FindAllStringIndex(text, maxSources)
	for i, at := range all {
		end := min(len(text), at[1]+longestOption)
		if i+1 < len(all) {
			end = min(end, all[i+1][0])
		}
		option := pathOption.FindStringSubmatch(text[at[1]:end])
		if option == nil {
			return nil, false
		}
		name, isKnown := directory(option[1])
		dir, isInside := d.Inside(name)
		if !isKnown || !isInside {
			return nil, false
		}
		if dir != d.Path && d.Tree.IsDir(dir) && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	order.Sort(dirs, func(a, b string) int { return len(b) - len(a) }) // the deepest first
	return dirs, true
}

// directory returns the path in an expression: a string, which may begin with __dirname, or a call of
// path.join or path.resolve.
func directory(expr string) (name string, ok bool) {
	most := 1
	if strings.HasPrefix(expr, "path.") {
		expr, _, _ = strings.Cut(expr, ")")
		most = maxSources
	}
	all := quoted.FindAllStringSubmatch(expr, most)
	if len(all) == 0 || most == 1 && strings.IndexAny(expr, "'\"`") != 0 {
		return "", false
	}
	for _, m := range all {
		part := m[1] + m[2] + m[3]
		name += "/" + strings.TrimPrefix(part, "${__dirname}")
	}
	name = path.Clean("." + name)
	return name, !strings.Contains(name, "$")
}

var (
	changedPages = lazy.New(`\bonCreatePage\b|\bdeletePage\b`)
	createPage   = lazy.New(`\bcreatePage\s*\(`)
	pageOption   = lazy.New(`^\(\s*\{[^{}]*?\bpath['"]?\s*:\s*`)
	byField      = lazy.New(`^[\w.?]*\bfields\??\.slug\s*[,}\n]`)
	byFront      = lazy.New(`^[\w.?]*\bfrontmatter\??\.(\w+)\s*[,}\n]`)
	byTemplate   = lazy.New(`^\x60([^\x60$\n]*)\$\{([^\x60${}\n]*)\}([^\x60$\n]*)\x60`)
	byText       = lazy.New(`^(?:'(/[^'\n]*)'|"(/[^"\n]*)"|\x60(/[^\x60$\n]*)\x60)`)
	fieldEnd     = lazy.New(`\bfields\??\.slug$`)
	frontEnd     = lazy.New(`\bfrontmatter\??\.(\w+)$`)
	filePath     = lazy.New(`(?:const|let|var)\s+(\w+)\s*=\s*createFilePath\(\s*\{([^{}]*)\}\s*\)`)
	basePath     = lazy.New(`\bbasePath['"]?\s*:\s*['"\x60]([^'"\x60$\n]*)['"\x60]`)
	nodeField    = lazy.New(`\bcreateNodeField\(\s*\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}`)
	slugField    = lazy.New(`\bname['"]?\s*:\s*['"\x60]slug['"\x60]`)
	fieldValue   = lazy.New(`\bvalue\b['"]?\s*(?::\s*([^,\n]+))?`)
	redirectCall = lazy.New(`\bcreateRedirect\s*\(`)
	redirectFrom = lazy.New(`\bfromPath['"]?\s*:\s*(?:'(/[^'\n]*)'|"(/[^"\n]*)"|\x60(/[^\x60$\n]*)\x60)`)
)

// maxCalls is the number of calls that are read in gatsby-node and what it imports.
const maxCalls = 100

// readNode reads the calls of gatsby-node that make pages and redirects. ok is false if it does not
// understand one of them, as where redirects come from a table.
func (g *model) readNode(d *source.Dir, plan *site.Plan) (ok bool) {
	name := d.Script("gatsby-node")
	if name == "" {
		return true
	}
	var text strings.Builder
	for _, code := range d.Tree.Code(d.In(name)) {
		text.Write(code)
		text.WriteByte('\n')
	}
	code := text.String()
	if changedPages.MatchString(code) {
		return false
	}
	for _, at := range createPage.Compiled().FindAllStringIndex(code, maxCalls) {
		if !g.readCall(code[at[1]-1:], plan) {
			return false
		}
	}
	if slices.ContainsFunc(g.routes, func(r route) bool { return r.field == "" }) && !g.readSlug(code) {
		return false
	}
	for _, at := range redirectCall.Compiled().FindAllStringIndex(code, maxCalls) {
		m := redirectFrom.FindStringSubmatch(code[at[1]:min(len(code), at[1]+longestOption)])
		if m == nil {
			return false
		}
		plan.Routeless = append(plan.Routeless, m[1]+m[2]+m[3])
	}
	plan.Written = web.CallRedirects(d.In(name), string(d.Tree.Config(d.In(name))))
	return true
}

// readCall reads the arguments of createPage.
func (g *model) readCall(args string, plan *site.Plan) (ok bool) {
	args = args[:min(len(args), longestOption)]
	at := pageOption.Compiled().FindStringIndex(args)
	if at == nil {
		return false
	}
	expr := args[at[1]:]
	if byField.MatchString(expr) {
		g.routes = append(g.routes, route{})
		return true
	}
	if m := byFront.FindStringSubmatch(expr); m != nil {
		g.routes = append(g.routes, route{field: m[1]})
		return true
	}
	if m := byText.FindStringSubmatch(expr); m != nil {
		plan.Routeless = append(plan.Routeless, m[1]+m[2]+m[3])
		return true
	}
	m := byTemplate.FindStringSubmatch(expr)
	switch {
	case m == nil:
		return false
	case fieldEnd.MatchString(m[2]):
		g.routes = append(g.routes, route{before: m[1], after: m[3]})
	case frontEnd.MatchString(m[2]):
		g.routes = append(g.routes, route{before: m[1], field: frontEnd.FindStringSubmatch(m[2])[1], after: m[3]})
	case len(m[1]) > 1 && m[1][0] == '/': // pages of tags, or of lists
		plan.Made = append(plan.Made, m[1])
	default:
		return false
	}
	return true
}

// readSlug reports whether the field slug is the path that createFilePath returns, perhaps behind a fixed one.
func (g *model) readSlug(code string) (ok bool) {
	made := filePath.FindAllStringSubmatch(code, maxCalls)
	if len(made) != 1 || strings.Contains(made[0][2], "trailingSlash") {
		return false
	}
	if m := basePath.FindStringSubmatch(made[0][2]); m != nil {
		g.base = strings.Trim(m[1], "/")
	}
	n := 0
	for _, m := range nodeField.FindAllStringSubmatch(code, maxCalls) {
		if !slugField.MatchString(m[1]) {
			continue
		}
		n++
		value := fieldValue.FindStringSubmatch(m[1])
		if value == nil {
			return false
		}
		switch expr := strings.TrimSpace(value[1]); {
		case expr == "" && made[0][1] == "value", expr == made[0][1]:
		default:
			before, isTemplate := strings.CutSuffix(expr, "${"+made[0][1]+"}`")
			before = strings.TrimPrefix(before, "`")
			if !isTemplate || strings.Contains(before, "$") {
				return false
			}
			for i := range g.routes {
				if g.routes[i].field == "" {
					g.routes[i].before += before
				}
			}
		}
	}
	return n == 1
}

// isPage reports whether Gatsby makes a page of a file of src/pages by itself, or code may.
func (g *model) isPage(rel string) bool {
	name := path.Base(rel)
	switch path.Ext(rel) {
	case ".mdx":
		return g.hasMDX || len(g.routes) > 0
	case ".md", ".markdown":
		return len(g.routes) > 0
	}
	return !strings.HasPrefix(name, "_") && !strings.HasPrefix(name, "template-") && !strings.HasSuffix(name, ".d.ts") && !strings.Contains("/"+rel, "/__tests__/")
}

// Route sets the URL of a page.
func (g *model) Route(s *site.Site, p *site.Page) {
	isDocument := source.IsMarkdown(p.Rel)
	if g.redirectFrom && isDocument {
		for from := range p.Front.Lookup("redirect_from").Written {
			p.AddAlias(site.CleanURL("/"+from.Text), from)
		}
	}
	if p.Mount.Name == "content" || isDocument && !(g.hasMDX && path.Ext(p.Rel) == ".mdx") {
		g.routeDocument(p)
		return
	}
	stem := slash.Stem(p.Rel)
	if stem == "404" {
		p.IsPart = true
		return
	}
	names := strings.Split(stem, "/")
	if last := len(names) - 1; names[last] == "index" {
		names = names[:last]
	}
	for i, name := range names {
		if strings.HasPrefix(name, "{") { // a page for each node: "{Product.name}"
			names[i] = "[" + name[1:]
		}
	}
	u, ok := g.Router.Route(names, strings.TrimPrefix(p.File, s.Dir+"/"))
	if !ok {
		p.IsPart, p.IsData = true, true // its URLs are not known, but it is read
		return
	}
	p.Routes = []string{withSlash(u)}
}

// routeDocument sets the URLs of a document, one for each call of createPage: a query decides which
// documents each call is for.
func (g *model) routeDocument(p *site.Page) {
	for _, r := range g.routes {
		value := ""
		if r.field == "" {
			value = site.PageURL(strings.TrimPrefix(p.Rel, g.base+"/"), "/", "index")
		} else {
			value = p.Front.Lookup(r.field).Or("")
		}
		if value == "" {
			continue
		}
		u := withSlash(site.CleanURL("/" + r.before + value + r.after))
		if len(p.Routes) == 0 {
			p.Routes = []string{u}
		} else {
			p.Also = append(p.Also, u)
		}
	}
	p.IsPart = len(p.Routes) == 0
}

func withSlash(u string) string { return strings.TrimSuffix(u, "/") + "/" }

// MakesID reports that code may give ids to headings, unless a plugin makes them.
func (g *model) MakesID(*site.Site, string, string) bool { return !g.slugs }

// link resolves a link of Markdown against the URL of the page. Plugins may copy files, and follow links to documents.
func (g *model) link(s *site.Site, r *site.Reference) (all []site.Candidate) {
	if g.files {
		all = site.BySource(s, r)
	}
	if g.copies && !source.IsMarkdown(r.Path) {
		all = append(all, site.ByAsset(s, r)...)
	}
	return append(all, site.ByURL(s, r)...)
}

// image resolves an image of Markdown. A plugin publishes those beside sources.
func (g *model) image(s *site.Site, r *site.Reference) []site.Candidate {
	if g.plain {
		return site.ByURL(s, r)
	}
	return append(site.ByAsset(s, r), site.ByURL(s, r)...)
}

// component resolves an attribute of a component.
func component(s *site.Site, r *site.Reference) []site.Candidate {
	return site.MaybeChanged(r, append(site.ByURL(s, r), site.ByAsset(s, r)...))
}

// redirectStart matches the first call of createRedirect that is a statement, with the indentation before
// it and what it is a method of.
var redirectStart = lazy.New(`(?m)^([ \t]*)((?:actions\.)?createRedirect\()\s*\{`)

// Redirect adds a call of createRedirect before the first one.
func (g *model) Redirect(e *site.Edits, was, is site.Target) (where string) {
	for _, ext := range []string{".js", ".mjs", ".ts"} {
		file := path.Dir(e.Config) + "/gatsby-node" + ext
		text, err := e.Text(file)
		at := redirectStart.Compiled().FindSubmatchIndex(text)
		if err != nil || at == nil || bytes.ContainsAny([]byte(was.Route+is.Route), "'\\\n") {
			continue
		}
		call := fmt.Appendf(nil, "%s%s{ fromPath: '%s', toPath: '%s', isPermanent: true });\n", text[at[2]:at[3]], text[at[4]:at[5]], was.Route, is.Route)
		e.Set(file, slices.Concat(text[:at[0]], call, text[at[0]:]))
		return "createRedirect in " + file
	}
	return ""
}
