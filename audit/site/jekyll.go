package site

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
)

// findJekyll finds a site by _config.yml. Jupyter Book has one as well, with _toc.yml, and so has Hexo.
func findJekyll(d *directory) []*Site {
	name := d.first("_config.yml", "_config.yaml", "_config.toml")
	if name == "" || d.first("_toc.yml", "_toc.yaml") != "" || d.dependsOn("hexo") {
		return nil
	}
	conf := d.tree.read(d.in(name))
	src, ok := d.inside(conf.get("source").text("."))
	if !ok {
		return nil
	}
	s := d.newSite("Jekyll", name)
	g := &jekyll{conf: conf, pretty: conf.get("permalink").text("date"), notes: map[string]value{}}
	s.setBase(conf.get("baseurl").text(""))
	if v := conf.get("baseurl"); !v.isGiven() {
		s.setURL(conf.get("url"))
	}
	s.Origin = strings.TrimSuffix(conf.get("url").text(""), "/")
	s.Slug, s.Dialect = slug.KramdownGFM, markdown.Jekyll
	if strings.EqualFold(conf.get("markdown").text(""), "CommonMarkGhPages") {
		s.Slug = slug.GitHub
	}
	g.plugins(d)
	s.hasOwnHost = !g.addsPages && !d.tree.isDir(path.Join(src, conf.get("plugins_dir").text("_plugins")))
	s.suffixes = []string{".md", ".markdown", ".mkd", ".mkdn", ".mkdown", ".html", ".htm", ".xhtml", ".textile"}
	s.readsFront, s.copies = true, copyAll
	g.mounts(s, src)
	s.inPlace = func(s *Site, file string) bool {
		p := s.pages[file]
		return p != nil && p.isCopy && strings.HasPrefix(strings.ToLower(path.Ext(file)), ".m")
	}
	s.route, s.finish, s.parts, s.expand, s.isMadeAt = g.route, g.finish, g.parts, g.expand, g.isMadeAt
	s.knowsParts, s.knowsTags = true, func(s *Site, text []byte) bool { return g.knowsTags(s, text, 0) }
	s.table[Markdown] = []step{byURL}
	if g.relative {
		s.table[Markdown] = []step{g.bySource, byURL}
		s.readsSource = true
	}
	s.table[HTML] = []step{byURL}
	s.table[Macro] = []step{g.macro}
	s.explain = g.explain
	s.made = []string{"/feed.xml", "/tag/", "/tags/", "/category/", "/categories/", "/archive/"}
	s.made = append(s.made, madeByPlugins(d, path.Join(src, conf.get("plugins_dir").text("_plugins")))...)
	if g.hosted || conf.get("theme").isGiven() || conf.get("remote_theme").isGiven() {
		s.made = append(s.made, "/assets/css/", "/assets/js/", "/assets/main.css", "/assets/minima-social-icons.svg")
	}
	s.compiled = map[string][]string{".css": {".scss", ".sass"}, ".js": {".coffee"}}
	return []*Site{s}
}

// jekyll holds the settings of a Jekyll configuration.
type jekyll struct {
	conf     value
	pretty   string           // the global permalink
	notes    map[string]value // collections that are published
	optional bool             // files without front matter are pages too
	relative bool             // links by source path are rewritten
	readme   bool             // README is an index
	hosted   bool             // GitHub Pages builds it: Jekyll 3

	addsPages bool // a plugin may add pages
}

// plugins finds the plugins in effect that change links.
func (g *jekyll) plugins(d *directory) {
	names := append(g.conf.get("plugins").texts(), g.conf.get("gems").texts()...)
	gems := string(d.tree.config(d.in("Gemfile"))) + string(d.tree.config(path.Join(path.Dir(d.dir), "Gemfile")))
	g.addsPages = slices.ContainsFunc(names, mayAddPages)
	for _, m := range gemName.FindAllStringSubmatch(gems, -1) {
		names = append(names, m[1])
		g.addsPages = g.addsPages || strings.Contains(gems, ":jekyll_plugins") && strings.HasPrefix(m[1], "jekyll-") && mayAddPages(m[1])
	}
	g.hosted = gems == "" && len(names) == 0 || slices.Contains(names, "github-pages")
	g.optional = g.hosted || slices.Contains(names, "jekyll-optional-front-matter")
	g.relative = g.hosted || slices.Contains(names, "jekyll-relative-links")
	g.readme = g.hosted || slices.Contains(names, "jekyll-readme-index")
	if v := g.conf.get("relative_links", "enabled"); v.isGiven() && !v.isTrue(true) {
		g.relative = false
	}
}

var (
	pageMaker = lazy.New(`PageWithoutAFile|\bPage\.new\b|<\s*(?:Jekyll::)?Page\b|\.pages\s*(?:<<|\.push|\.concat)`)
	rubyWord  = lazy.New(`["'](\w[\w-]*)["']`)
	notInName = lazy.New(`[^\pM\pL\p{Nd}]+`)
)

// madeByPlugins returns the directories of the site that plugins of the project may add pages to: those that
// they name.
func madeByPlugins(d *directory, dir string) (made []string) {
	const maxWords = 500
	n := 0
	for name := range d.tree.list(dir) {
		if n++; n > maxPlugins || path.Ext(name) != ".rb" {
			continue
		}
		text := d.tree.config(dir + "/" + name)
		if !pageMaker.Match(text) {
			continue
		}
		for _, m := range rubyWord.FindAllSubmatch(text, maxWords) {
			made = append(made, "/"+string(m[1])+"/")
		}
	}
	return made
}

// mayAddPages reports whether a plugin may add pages to the site: whether it is not known to add none.
func mayAddPages(name string) bool {
	name, ok := strings.CutPrefix(name, "jekyll-")
	return !slices.Contains(pageless, name) && (ok || name != "jemoji" && name != "github-pages")
}

// pageless lists plugins that add no pages, or only pages that every site may have. Each name has "jekyll-" in
// front. By their documentation, as of November 2026.
var pageless = strings.Fields("feed sitemap seo-tag redirect-from relative-links optional-front-matter readme-index titles-from-headings " +
	"default-layout remote-theme mentions avatar gist github-metadata include-cache coffeescript commonmark-ghpages paginate " +
	"sass-converter watch last-modified-at toc spaceship target-blank minifier compose")

var gemName = lazy.New(`(?m)^\s*gem\s*\(?["']([^"']+)["']`)

func (g *jekyll) mounts(s *Site, src string) {
	exclude := append(g.conf.get("exclude").texts(), "Gemfile", "Gemfile.lock", "node_modules/", "vendor/bundle/", "vendor/cache/", "vendor/gems/", "vendor/ruby/", "_site/", ".sass-cache/", ".jekyll-cache/")
	s.Mounts = append(s.Mounts, &Mount{Dir: src, URL: "/", Kind: Hidden, Match: jekyllExcludes(exclude), Why: "excluded by the configuration", InPlace: true})
	collections := g.conf.get("collections")
	base := strings.Trim(g.conf.get("collections_dir").text(""), "/")
	for _, name := range append(collections.keys(), collections.texts()...) {
		o := collections.get(name)
		if name == "posts" {
			continue
		}
		dir := path.Join(src, base, "_"+name)
		if o.get("output").isTrue(false) {
			g.notes[name] = o
			s.Mounts = append(s.Mounts, &Mount{Dir: dir, URL: "/" + name + "/", Kind: Pages, Name: name})
		} else {
			s.Mounts = append(s.Mounts, &Mount{Dir: dir, URL: "/", Kind: Hidden, Why: "its collection has no output"})
		}
	}
	s.Mounts = append(s.Mounts,
		&Mount{Dir: path.Join(src, "_includes"), URL: "/", Kind: Partial},
		&Mount{Dir: path.Join(src, "_layouts"), URL: "/", Kind: Partial},
		&Mount{Dir: src, URL: "/", Kind: Hidden, Match: func(rel string) bool { return isDrafted(rel) }, Why: "a draft"},
		&Mount{Dir: src, URL: "/", Kind: Hidden, Match: g.isSpecial, Why: "its name begins with an underscore, a dot or a hash sign"},
		&Mount{Dir: src, URL: "/", Kind: Pages})
}

// jekyllExcludes returns a function that matches paths against the entries of "exclude": a directory
// or file relative to the top, or a glob.
func jekyllExcludes(entries []string) func(string) bool {
	var lines strings.Builder
	for _, e := range entries {
		lines.WriteString("/" + strings.TrimPrefix(e, "/") + "\n")
	}
	return ignoreRules(lines.String())
}

func isDrafted(rel string) bool {
	return strings.HasPrefix(rel, "_drafts/") || strings.Contains(rel, "/_drafts/")
}

// isSpecial reports whether Jekyll leaves out a file because of its name.
func (g *jekyll) isSpecial(rel string) bool {
	include := g.conf.get("include").texts()
	for name := range strings.SplitSeq(rel, "/") {
		if name == "" || name == "_posts" || slices.Contains(include, name) {
			continue
		}
		if strings.IndexByte("_.#", name[0]) >= 0 || strings.HasSuffix(name, "~") {
			return true
		}
	}
	return false
}

var postName = lazy.New(`^(\d+)-(\d+)-(\d+)-([^/]*)\.\w+$`)

// postOf returns the parts of the path of a post, nil for other pages: the whole, the directories
// before and below "_posts", year, month, day and name. An expression for all of it takes 40 times as
// long.
func postOf(rel string) []string {
	i := strings.LastIndex("/"+rel, "/_posts/")
	if i < 0 {
		return nil
	}
	below, name := path.Split(rel[i+len("_posts/"):])
	if name == "" || name[0] < '0' || name[0] > '9' {
		return nil
	}
	m := postName.FindStringSubmatch(name)
	if m == nil {
		return nil
	}
	return append([]string{rel, rel[:i], strings.TrimSuffix(below, "/")}, m[1:]...)
}

func (g *jekyll) route(s *Site, p *Page) {
	if p.Mount.Kind == Partial {
		return
	}
	f := p.front
	if f.get("published").isGiven() && !f.get("published").isTrue(true) {
		p.Why = "its front matter says that it is not published"
		return
	}
	isMarkdown := strings.HasPrefix(strings.ToLower(path.Ext(p.Rel)), ".m")
	if !f.isGiven() && !(g.optional && isMarkdown) {
		p.isCopy = true
		p.Routes = []string{p.Mount.URL + p.Rel}
		return
	}
	for _, from := range f.get("redirect_from").texts() {
		p.Moved = append(p.Moved, cleanURL(from))
		p.Also = append(p.Also, cleanURL(from))
	}
	link := g.permalinkOf(p)
	p.Routes = []string{g.url(s, p, link)}
	if u := p.Routes[0]; !strings.HasSuffix(u, "/") && path.Ext(u) == ".html" {
		p.Also = append(p.Also, strings.TrimSuffix(u, ".html"))
	}
}

// permalinkOf returns the permalink of a page from its front matter, the defaults and the
// configuration.
func (g *jekyll) permalinkOf(p *Page) string {
	if u := p.front.get("permalink").text(""); u != "" {
		return u
	}
	link := ""
	isPost := postOf(p.Rel) != nil
	for _, d := range g.conf.get("defaults").list() {
		scope := strings.Trim(d.get("scope", "path").text(""), "/")
		typ := d.get("scope", "type").text("")
		switch {
		case scope != "" && !below(p.Rel, scope) && !below("_"+p.Mount.Name+"/"+p.Rel, scope) && !glob(scope)(p.Rel):
		case typ == "posts" && !isPost, typ == "pages" && (isPost || p.Mount.Name != ""), typ != "" && typ != "posts" && typ != "pages" && typ != p.Mount.Name:
		default:
			link = d.get("values", "permalink").text(link)
		}
	}
	switch {
	case link != "":
	case p.Mount.Name != "":
		link = g.notes[p.Mount.Name].get("permalink").text("")
	case isPost:
		link = g.conf.get("collections", "posts", "permalink").text("")
	}
	return link
}

// url returns the URL of a page with the permalink link. If link is "", it uses the permalink of the
// configuration.
func (g *jekyll) url(s *Site, p *Page, link string) string {
	rel := p.Rel
	stem := strings.TrimSuffix(rel, path.Ext(rel))
	dir, name := path.Split(stem)
	year, month, day, title := "", "", "", name
	cats := strings.Join(append(p.front.get("categories").texts(), p.front.get("category").texts()...), "/")
	if m := postOf(rel); m != nil {
		year, month, day, title = m[3], m[4], m[5], m[6]
		if cats == "" {
			cats = strings.TrimSuffix(m[1], "/")
		}
		cats = strings.ReplaceAll(strings.ToLower(cats), " ", "/")
		if t := p.front.get("slug").text(""); t != "" {
			title = t
		}
		if date := p.front.get("date").text(""); len(date) >= 10 {
			year, month, day = date[:4], date[5:7], date[8:10]
		}
		switch style := g.pretty; {
		case link != "":
		case style == "pretty":
			link = "/:categories/:year/:month/:day/:title/"
		case style == "date":
			link = "/:categories/:year/:month/:day/:title.html"
		case style == "none":
			link = "/:categories/:title.html"
		case style == "ordinal":
			link = "/:categories/:year/:y_day/:title.html"
		default:
			link = style
		}
	} else if link == "" {
		link = g.pagePermalink(p, name)
	}
	isIndex := name == "index" || name == "README" && g.readme && p.Mount.Name == "" && !s.tree.isFile(p.Mount.Dir+"/"+dir+"index.md") && !s.tree.isFile(p.Mount.Dir+"/"+dir+"index.html")
	if isIndex && p.Mount.Name == "" && p.front.get("permalink").text("") == "" {
		return cleanURL("/" + dir)
	}
	whole := strings.TrimSuffix(stem, "")
	u := strings.NewReplacer(
		":collection", p.Mount.Name, ":categories", cats, ":year", year, ":month", month, ":day", day, ":title", title, ":slug", strings.ToLower(strings.Trim(notInName.ReplaceAllString(title, "-"), "-")),
		":i_month", strings.TrimPrefix(month, "0"), ":i_day", strings.TrimPrefix(day, "0"), ":short_year", strings.TrimPrefix(year, "20"),
		":path", whole, ":name", title, ":basename", name, ":output_ext", ".html").Replace(link)
	u = cleanURL(u)
	return strings.TrimSuffix(u, "index.html")
}

// pagePermalink returns the permalink pattern of a page, or of a document in a collection.
func (g *jekyll) pagePermalink(p *Page, name string) string {
	style := g.pretty
	isPretty := style == "pretty" || strings.HasSuffix(style, "/")
	switch {
	case p.Mount.Name != "" && isPretty:
		return "/:collection/:path/"
	case p.Mount.Name != "":
		return "/:collection/:path.html"
	case isPretty:
		return "/:path/"
	}
	return "/:path.html"
}

func (g *jekyll) finish(s *Site) {
	for _, p := range s.pages {
		p.Names = append(p.Names, strings.TrimPrefix(p.File, s.Dir+"/"))
		if m := postOf(p.Rel); m != nil {
			stem := strings.TrimSuffix(path.Base(p.Rel), path.Ext(p.Rel))
			p.Names = append(p.Names, "post:"+stem)
			if m[2] != "" {
				p.Names = append(p.Names, "post:"+m[2]+"/"+stem)
			}
		}
	}
}

var pageDir = lazy.New(`/page\d+/?$`)

func (g *jekyll) isMadeAt(s *Site, u string) bool { return pageDir.MatchString(u) }

// bySource resolves a link as jekyll-relative-links does, by a regular expression over the source.
func (g *jekyll) bySource(s *Site, r *reference) []candidate {
	if r.path == "" || r.query || r.use.File != r.use.Page.File || r.isExpanded || r.isAngle || r.use.IsLine {
		return nil
	}
	if r.isRooted() {
		return []candidate{fileCandidate(path.Join(s.Mounts[len(s.Mounts)-1].Dir, r.path))}
	}
	return []candidate{fileCandidate(path.Join(r.pageDir(), r.path))}
}

// macro resolves {% link x %} or {% post_url x %}.
func (g *jekyll) macro(s *Site, r *reference) []candidate {
	p := strings.TrimPrefix(r.path, "/")
	switch r.in {
	case "tag/post_url":
		return []candidate{{Candidate: Candidate{Name: "post:" + p}}}
	case "filter/relative_url":
		return []candidate{urlCandidate(cleanURL(s.Base + r.path))}
	case "filter/absolute_url":
		return []candidate{urlCandidate(cleanURL(s.Base + r.path))}
	case "tag/include", "tag/include_relative":
		dir := path.Join(s.Mounts[len(s.Mounts)-1].Dir, "_includes")
		if r.in == "tag/include_relative" {
			dir = r.dir()
		}
		c := fileCandidate(path.Join(dir, p))
		c.isAsset = true
		return []candidate{c, {unknown: "the theme may have it"}}
	case "tag/link":
	default:
		return byURL(s, r)
	}
	return []candidate{fileCandidate(path.Join(s.Mounts[len(s.Mounts)-1].Dir, p))}
}

var liquidURL = lazy.New(`^(?:site\.baseurl\s*\|\s*append:\s*)?["']([^"']*)["']\s*(?:\|\s*(relative_url|absolute_url|prepend:\s*site\.baseurl))?$`)

// expand replaces the templates in a reference that have known values.
func (g *jekyll) expand(s *Site, u Use, ref string) (string, bool) {
	var made strings.Builder
	for {
		i := strings.IndexByte(ref, '{')
		if i < 0 || i+1 == len(ref) {
			made.WriteString(ref)
			return made.String(), true
		}
		made.WriteString(ref[:i])
		end, value := "", g.valueOf
		switch ref[i+1] {
		case '{':
			end = "}}"
		case '%':
			end, value = "%}", g.linkOf
		default:
			made.WriteByte('{')
			ref = ref[i+1:]
			continue
		}
		n := strings.Index(ref[i+2:], end)
		if n < 0 {
			return ref, false
		}
		inner := ref[i+2 : i+2+n]
		text, ok := value(s, strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(inner, "-"), "-")))
		if !ok {
			return ref, false
		}
		made.WriteString(text)
		ref = ref[i+2+n+len(end):]
	}
}

// linkOf returns the URL that a tag makes: "link x.md", "post_url x".
func (g *jekyll) linkOf(s *Site, tag string) (string, bool) {
	kind, name, ok := strings.Cut(tag, " ")
	name = strings.TrimPrefix(strings.TrimSpace(name), "/")
	if !ok || kind != "link" && kind != "post_url" || strings.ContainsAny(name, " \t") {
		return "", false
	}
	if kind == "post_url" {
		name = "post:" + name
	}
	if strings.Contains(name, "{{") || len(s.byName[name]) == 0 || len(s.byName[name][0].Routes) == 0 {
		return "", false
	}
	u := s.byName[name][0].Routes[0]
	if !g.hosted {
		u = strings.TrimSuffix(s.Base, "/") + u
	}
	return u, true
}

// valueOf returns the value of an expression: "site.baseurl", or a string and a filter for URLs.
func (g *jekyll) valueOf(s *Site, expr string) (string, bool) {
	base := strings.TrimSuffix(s.Base, "/")
	switch {
	case expr == "site.baseurl":
		return base, true
	case expr == "site.url":
		return "", true
	case expr == "" || expr[0] != '"' && expr[0] != '\'' && !strings.HasPrefix(expr, "site.baseurl"):
		return "", false
	}
	m := liquidURL.FindStringSubmatch(expr)
	switch {
	case m == nil:
		return "", false
	case strings.HasPrefix(expr, "site.baseurl"):
		return base + m[1], true
	case m[2] != "":
		return base + "/" + strings.TrimPrefix(m[1], "/"), true
	}
	return m[1], true
}

func (g *jekyll) explain(s *Site, r *reference) (why, other string) {
	if r.isRooted() {
		return "", ""
	}
	file := path.Join(r.pageDir(), r.path)
	p := s.pages[file]
	switch {
	case p == nil || p.Why != "" || p.isPart:
		return "", ""
	case r.form == HTML || r.form == HTMLSource:
		return "raw HTML is not rewritten by Jekyll: it is relative to " + s.Route(r.use.Page), file
	case !g.relative:
		return "without jekyll-relative-links it is relative to " + s.Route(r.use.Page), file
	}
	return "jekyll-relative-links does not rewrite it: it is relative to " + s.Route(r.use.Page), file
}

var liquidInclude = lazy.New(`^\{%-?\s*(include|include_relative)\s+([^\s%{]+)`)

// parts returns the files that a page includes.
func (g *jekyll) parts(s *Site, p *Page, text []byte) (files []string) {
	if !bytes.Contains(text, []byte("include")) {
		return nil
	}
	for m := range matchesAt(text, "{%", liquidInclude) {
		dir := path.Join(s.Mounts[len(s.Mounts)-1].Dir, "_includes")
		if string(m[1]) == "include_relative" {
			dir = path.Dir(p.File)
		}
		if file := path.Join(dir, string(m[2])); below(file, s.tree.root) {
			files = append(files, file)
		}
	}
	return files
}

// liquidTags lists the tags of Liquid and Jekyll that make no ids.
var liquidTags = strings.Fields("if elsif else endif unless endunless case when endcase for endfor break continue assign capture endcapture " +
	"comment endcomment raw endraw highlight endhighlight link post_url increment decrement cycle tablerow endtablerow seo feed_meta gist avatar")

var (
	liquidTag = lazy.New(`^\{%-?\s*(\w+)[ \t]*([^\s%]*)`)
	// liquidID matches an id or a heading that a template computes.
	liquidID = lazy.New(`(?i)\bid\s*=\s*["']?[^"'\s>]*\{[{%]|<h[1-6][^>]*>[^<]*\{\{|(?m:^#{1,6}[ \t][^\n]*\{\{)`)
)

// knowsTags reports whether the templates in a text, and in the files that it includes, make no ids.
func (g *jekyll) knowsTags(s *Site, text []byte, depth int) bool {
	const maxDepth = 4
	if depth > maxDepth || liquidID.Match(text) {
		return false
	}
	for m := range matchesAt(text, "{%", liquidTag) {
		name := string(m[1])
		if slices.Contains(liquidTags, name) {
			continue
		}
		file := path.Join(s.Mounts[len(s.Mounts)-1].Dir, "_includes", string(m[2]))
		if name != "include" || !below(file, s.tree.root) || !s.tree.isFile(file) || !g.knowsTags(s, s.tree.text(file, maxConfig), depth+1) {
			return false
		}
	}
	return true
}
