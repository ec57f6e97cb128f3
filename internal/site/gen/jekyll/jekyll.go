// Package jekyll supports sites of Jekyll: collections, permalinks, tags of Liquid, and plugins.
package jekyll

import (
	"bytes"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/slash"
)

// Generator finds sites of Jekyll.
var Generator = &site.Generator{
	Name: "Jekyll", Configs: []string{"_config.yml", "_config.yaml", "_config.toml"},
	Indexes: []string{"index.md", "index.html", "index.htm", "README.md", "index.markdown"}, Output: "_site", Find: find,
}

// find finds a site by _config.yml. Jupyter Book has one as well, with _toc.yml, and so has Hexo.
func find(d *source.Dir) []*site.Site {
	name := d.First("_config.yml", "_config.yaml", "_config.toml")
	if name == "" || d.First("_toc.yml", "_toc.yaml") != "" || d.DependsOn("hexo") {
		return nil
	}
	conf := d.Tree.Read(d.In(name))
	src, ok := d.Inside(conf.Lookup("source").Or("."))
	if !ok {
		return nil
	}
	s := site.New(d, "Jekyll", name)
	g := &model{conf: conf, pretty: conf.Lookup("permalink").Or("date"), notes: map[string]source.Value{}}
	s.SetBase(conf.Lookup("baseurl").Or(""))
	if v := conf.Lookup("baseurl"); !v.IsGiven() {
		s.SetURL(conf.Lookup("url"))
	}
	s.Origin = strings.TrimSuffix(conf.Lookup("url").Or(""), "/")
	s.Slug, s.Dialect = slug.KramdownGFM, markdown.Jekyll
	if strings.EqualFold(conf.Lookup("markdown").Or(""), "CommonMarkGhPages") {
		s.Slug = slug.GitHub
	}
	g.plugins(d)
	s.OwnHost = !g.addsPages && !d.Tree.IsDir(path.Join(src, conf.Lookup("plugins_dir").Or("_plugins")))
	s.Suffixes = []string{".md", ".markdown", ".mkd", ".mkdn", ".mkdown", ".html", ".htm", ".xhtml", ".textile", ".txt"}
	s.FrontMatter, s.Copies, s.Knows = true, site.CopiesAll, site.AllParts
	g.mounts(s, src)
	s.SetModel(g)
	s.Links = site.Links{site.Markdown: {site.ByURL}, site.HTML: {site.ByURL}, site.Macro: {g.macro}}
	if g.relative {
		s.Links[site.Markdown] = []site.Step{g.bySource, site.ByURL}
	}
	s.Made = []string{"/feed.xml", "/tag/", "/tags/", "/category/", "/categories/", "/archive/"}
	s.Made = append(s.Made, madeByPlugins(d, path.Join(src, conf.Lookup("plugins_dir").Or("_plugins")))...)
	g.hasTheme = g.hosted || conf.IsUnknown() || conf.Lookup("theme").IsGiven() || conf.Lookup("remote_theme").IsGiven()
	if g.hasTheme {
		s.Made = append(s.Made, "/assets/css/", "/assets/js/", "/assets/main.css", "/assets/minima-social-icons.svg")
	}
	s.Compiled = map[string][]string{".css": {".scss", ".sass"}, ".js": {".coffee"}}
	return []*site.Site{s}
}

// IsInPlace reports whether a file is Markdown that is published as it is.
func (g *model) IsInPlace(s *site.Site, file string) bool {
	p := s.ByFile[file]
	return p != nil && p.IsCopy && strings.HasPrefix(strings.ToLower(path.Ext(file)), ".m")
}

// KnowsTags reports whether everything that the tags in a text include is known.
func (g *model) KnowsTags(s *site.Site, text []byte) bool { return g.knowsTags(s, text, 0) }

// model holds the settings of a Jekyll configuration.
type model struct {
	conf     source.Value
	pretty   string                  // the global permalink
	notes    map[string]source.Value // collections that are published
	named    []namedFiles            // those of them whose copied files have other URLs than their paths
	optional bool                    // files without front matter are pages too
	relative bool                    // links by source path are rewritten
	readme   bool                    // README is an index
	hosted   bool                    // GitHub Pages builds it: Jekyll 3

	ids       lazy.Map[string, *layoutIDs] // of layouts, by file and page
	hasTheme  bool                         // a theme may have includes and files
	addsPages bool                         // a plugin may add pages
}

// plugins finds the plugins in effect that change links.
func (g *model) plugins(d *source.Dir) {
	names := append(g.conf.Lookup("plugins").Texts(), g.conf.Lookup("gems").Texts()...)
	gems := string(d.Tree.Config(d.In("Gemfile"))) + string(d.Tree.Config(path.Join(path.Dir(d.Path), "Gemfile")))
	g.addsPages = slices.ContainsFunc(names, mayAddPages)
	for _, m := range gemName.FindAllStringSubmatch(gems, -1) {
		names = append(names, m[1])
		g.addsPages = g.addsPages || strings.Contains(gems, ":jekyll_plugins") && strings.HasPrefix(m[1], "jekyll-") && mayAddPages(m[1])
	}
	g.hosted = gems == "" && len(names) == 0 || slices.Contains(names, "github-pages")
	g.optional = (g.hosted || slices.Contains(names, "jekyll-optional-front-matter")) && g.conf.Lookup("optional_front_matter", "enabled").IsTrue(true) &&
		!g.conf.Lookup("require_front_matter").IsTrue(false)
	g.relative = g.hosted || slices.Contains(names, "jekyll-relative-links")
	g.readme = g.hosted || slices.Contains(names, "jekyll-readme-index")
	if v := g.conf.Lookup("relative_links", "enabled"); v.IsGiven() && !v.IsTrue(true) {
		g.relative = false
	}
}

var (
	pageMaker = lazy.New(`PageWithoutAFile|\bPage\.new\b|<\s*(?:Jekyll::)?Page\b|\.pages\s*(?:<<|\.push|\.concat)`)
	rubyWord  = lazy.New(`["'](\w[\w-]*)["']`)
	notInName = lazy.New(`[^\pM\pL\p{Nd}]+`)
)

// maxRubyPlugins limits how many plugins of the project are read.
const maxRubyPlugins = 20

// madeByPlugins returns the directories of the site that plugins of the project may add pages to: those
// that they name.
func madeByPlugins(d *source.Dir, dir string) (made []string) {
	const maxWords = 500
	n := 0
	for name := range d.Tree.List(dir) {
		if n++; n > maxRubyPlugins || path.Ext(name) != ".rb" {
			continue
		}
		text := d.Tree.Config(dir + "/" + name)
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

// pageless lists plugins that add no pages, or only pages that every site may have. Each name follows
// "jekyll-". By their documentation, as of November 2026.
var pageless = strings.Fields("feed sitemap seo-tag redirect-from relative-links optional-front-matter readme-index titles-from-headings " +
	"default-layout remote-theme mentions avatar gist github-metadata include-cache coffeescript commonmark-ghpages paginate " +
	"sass-converter watch last-modified-at toc spaceship target-blank minifier compose")

var gemName = lazy.New(`(?m)^\s*gem\s*\(?["']([^"']+)["']`)

func (g *model) mounts(s *site.Site, src string) {
	exclude := append(g.conf.Lookup("exclude").Texts(), "Gemfile", "Gemfile.lock", "node_modules/", "vendor/bundle/", "vendor/cache/", "vendor/gems/", "vendor/ruby/", "_site/", ".sass-cache/", ".jekyll-cache/")
	s.Mounts = append(s.Mounts, &site.Mount{Dir: src, URL: "/", Kind: site.Hidden, Match: jekyllExcludes(exclude), Why: reason.ExcludedByConfig, InPlace: true})
	collections := g.conf.Lookup("collections")
	base := strings.Trim(g.conf.Lookup("collections_dir").Or(""), "/")
	options := maps.Collect(collections.Members())
	for _, name := range append(collections.Keys(), collections.Texts()...) {
		o := options[name]
		if name == "posts" {
			continue
		}
		dir := path.Join(src, base, "_"+name)
		if o.Lookup("output").IsTrue(false) {
			g.notes[name] = o
			link := o.Lookup("permalink").Or("")
			u, isPath := filesAt(name, link)
			if !isPath {
				g.named = append(g.named, namedFiles{dir, name, link})
			}
			s.Mounts = append(s.Mounts, &site.Mount{Dir: dir, URL: u, Kind: site.Pages, Name: name})
		} else {
			s.Mounts = append(s.Mounts, &site.Mount{Dir: dir, URL: "/", Kind: site.Hidden, Why: collectionHasNoOutput})
		}
	}
	s.Mounts = append(s.Mounts,
		&site.Mount{Dir: path.Join(src, "_includes"), URL: "/", Kind: site.Partial},
		&site.Mount{Dir: path.Join(src, "_layouts"), URL: "/", Kind: site.Partial},
		&site.Mount{Dir: src, URL: "/", Kind: site.Hidden, Match: func(rel string) bool { return isDrafted(rel) }, Why: reason.Draft},
		&site.Mount{Dir: src, URL: "/", Kind: site.Hidden, Match: g.isSpecial, Why: speciallyNamed},
		&site.Mount{Dir: src, URL: "/", Kind: site.Pages})
}

// filesAt returns the URL below which the files of a collection are published that are copied. They follow the
// permalink of the collection as its documents do, but keep their suffix, without a slash behind it. isPath is
// false if the permalink does not end in the path of the file.
func filesAt(name, link string) (u string, isPath bool) {
	before, after, hasPath := strings.Cut(strings.ReplaceAll(link, ":collection", name), ":path")
	after = strings.Trim(strings.Replace(after, ":output_ext", "", 1), "/")
	if !hasPath || strings.Contains(before, ":") || after != "" {
		return "/" + name + "/", link == ""
	}
	return site.CleanURL("/" + before + "/"), true
}

// namedFiles is a collection whose permalink does not end in the path of a file.
type namedFiles struct{ dir, name, link string }

// addRoutes adds the URLs of the files of the collection that are copied. These have a name, but no title.
func (c *namedFiles) addRoutes(s *site.Site) {
	s.Tree.Files(c.dir, s.Skips, func(rel string) {
		if s.IsDocument(rel) {
			return
		}
		stem := slash.Stem(rel)
		u := strings.NewReplacer(":collection", c.name, ":path", stem, ":output_ext", "", ":name", path.Base(stem), ":title", "").Replace(c.link)
		s.AddRoute(strings.TrimSuffix(site.CleanURL("/"+u), "/") + path.Ext(rel))
	})
}

// jekyllExcludes returns a function that matches paths against the entries of "exclude": a directory
// or file relative to the top, or a glob.
func jekyllExcludes(entries []string) func(string) bool {
	var lines strings.Builder
	for _, e := range entries {
		lines.WriteString("/" + strings.TrimPrefix(e, "/") + "\n")
	}
	return source.IgnoreRules(lines.String())
}

func isDrafted(rel string) bool {
	return strings.HasPrefix(rel, "_drafts/") || strings.Contains(rel, "/_drafts/")
}

// isSpecial reports whether Jekyll leaves out a file because of its name.
func (g *model) isSpecial(rel string) bool {
	include := g.conf.Lookup("include").Texts()
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

// Route sets the URLs of a page.
func (g *model) Route(s *site.Site, p *site.Page) {
	if p.Mount.Kind == site.Partial {
		return
	}
	f := p.Front
	if f.Lookup("published").IsGiven() && !f.Lookup("published").IsTrue(true) {
		p.Why = notPublishedByFrontMatter
		return
	}
	if !f.IsGiven() && !g.isPlainPage(s, p) {
		p.IsCopy = true
		p.Routes = []string{p.Mount.URL + p.Rel}
		return
	}
	for from := range f.Lookup("redirect_from").Written {
		p.AddAlias(site.CleanURL(from.Text), from)
	}
	link := g.permalinkOf(p)
	p.Routes = []string{g.url(s, p, link)}
	if u := p.Routes[0]; !strings.HasSuffix(u, "/") && path.Ext(u) == ".html" {
		p.Also = append(p.Also, strings.TrimSuffix(u, ".html"))
	}
}

// isPlainPage reports whether a file without front matter is a page. jekyll-optional-front-matter leaves
// out Markdown whose name says that it is about the project, unless the configuration includes it, and
// jekyll-readme-index takes a README as an index.
func (g *model) isPlainPage(s *site.Site, p *site.Page) bool {
	name := path.Base(p.Rel)
	ext := path.Ext(name)
	stem := strings.TrimSuffix(name, ext)
	if !strings.HasPrefix(strings.ToLower(ext), ".m") {
		return false
	}
	if stem == "README" && g.isReadmeIndex(s, p) {
		return true
	}
	return g.optional && (!slices.Contains(aboutProject, strings.ToUpper(stem)) || slices.Contains(g.conf.Lookup("include").Texts(), name))
}

// isReadmeIndex reports whether a page with the name README is the index of its directory.
func (g *model) isReadmeIndex(s *site.Site, p *site.Page) bool {
	dir := path.Join(p.Mount.Dir, path.Dir(p.Rel))
	return g.readme && p.Mount.Name == "" && !s.Tree.IsFile(dir+"/index.md") && !s.Tree.IsFile(dir+"/index.html")
}

// aboutProject are the names that jekyll-optional-front-matter leaves out (0.3.2).
var aboutProject = strings.Fields("README LICENSE LICENCE COPYING CODE_OF_CONDUCT CONTRIBUTING ISSUE_TEMPLATE PULL_REQUEST_TEMPLATE")

// permalinkOf returns the permalink of a page from its front matter, the defaults and the
// configuration.
func (g *model) permalinkOf(p *site.Page) string {
	if u := p.Front.Lookup("permalink").Or(""); u != "" {
		return u
	}
	link := g.defaultOf(p, "permalink")
	isPost := site.PostOf(p.Rel) != nil
	switch {
	case link != "":
	case p.Mount.Name != "":
		link = g.notes[p.Mount.Name].Lookup("permalink").Or("")
	case isPost:
		link = g.conf.Lookup("collections", "posts", "permalink").Or("")
	}
	return link
}

// defaultOf returns the value of a key that the configuration gives a page; the last that matches counts.
func (g *model) defaultOf(p *site.Page, key string) (value string) {
	isPost := site.PostOf(p.Rel) != nil
	for _, d := range g.conf.Lookup("defaults").List() {
		scope := strings.Trim(d.Lookup("scope", "path").Or(""), "/")
		typ := d.Lookup("scope", "type").Or("")
		switch {
		case scope != "" && !source.Below(p.Rel, scope) && !source.Below("_"+p.Mount.Name+"/"+p.Rel, scope) && !source.Glob(scope)(p.Rel):
		case typ == "posts" && !isPost, typ == "pages" && (isPost || p.Mount.Name != ""), typ != "" && typ != "posts" && typ != "pages" && typ != p.Mount.Name:
		default:
			value = d.Lookup("values", key).Or(value)
		}
	}
	return value
}

// url returns the URL of a page with the permalink link. If link is "", it uses the permalink of the
// configuration.
func (g *model) url(s *site.Site, p *site.Page, link string) string {
	rel := p.Rel
	stem := slash.Stem(rel)
	dir, name := path.Split(stem)
	year, month, day, title := "", "", "", name
	categories := append(p.Front.Lookup("categories").Texts(), p.Front.Lookup("category").Texts()...)
	cats := strings.Join(categories, "/")
	if m := site.PostOf(rel); m != nil {
		year, month, day, title = m[3], m[4], m[5], m[6]
		if cats == "" {
			cats = strings.TrimSuffix(m[1], "/")
		}
		cats = strings.ReplaceAll(strings.ToLower(cats), " ", "/")
		if t := p.Front.Lookup("slug").Or(""); t != "" {
			title = t
		}
		if date := p.Front.Lookup("date").Or(""); len(date) >= 10 {
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
		link = g.pagePermalink(p)
	}
	isIndex := name == "index" || name == "README" && g.isReadmeIndex(s, p)
	if isIndex && p.Mount.Name == "" && p.Front.Lookup("permalink").Or("") == "" {
		return site.CleanURL("/" + dir)
	}
	date, _ := time.Parse(time.DateOnly, year+"-"+month+"-"+day) // only the patterns of posts ask for it
	weekYear, week := date.ISOWeek()
	var slugs []string
	for _, c := range categories {
		slugs = append(slugs, slugOf(c))
	}
	u := strings.NewReplacer(
		":slugified_categories", strings.Join(slugs, "/"), // before :slug
		":collection", p.Mount.Name, ":categories", cats, ":year", year, ":month", month, ":day", day, ":title", title, ":slug", slugOf(title),
		":i_month", strings.TrimPrefix(month, "0"), ":i_day", strings.TrimPrefix(day, "0"), ":short_year", strings.TrimPrefix(year, "20"),
		":y_day", fmt.Sprintf("%03d", date.YearDay()), ":short_month", date.Format("Jan"), ":long_month", date.Format("January"),
		":short_day", date.Format("Mon"), ":long_day", date.Format("Monday"), ":w_year", strconv.Itoa(weekYear), ":week", fmt.Sprintf("%02d", week),
		":w_day", strconv.Itoa((int(date.Weekday())+6)%7+1),
		":path", stem, ":name", title, ":basename", name, ":output_ext", ".html").Replace(link)
	return site.WithoutIndex(site.CleanURL(u))
}

// slugOf returns the slug of a title or category.
func slugOf(text string) string {
	return strings.ToLower(strings.Trim(notInName.ReplaceAllString(text, "-"), "-"))
}

// pagePermalink returns the permalink pattern of a page, or of a document in a collection.
func (g *model) pagePermalink(p *site.Page) string {
	style := g.pretty
	isPretty := style == "pretty" || strings.HasSuffix(style, "/")
	switch {
	case p.Mount.Name != "" && isPretty:
		return "/:collection/:path/"
	case p.Mount.Name != "" && strings.EqualFold(path.Ext(p.Rel), ".txt"):
		return "/:collection/:path.txt"
	case p.Mount.Name != "":
		return "/:collection/:path.html"
	case strings.EqualFold(path.Ext(p.Rel), ".txt"):
		return "/:path.txt"
	case isPretty:
		return "/:path/"
	}
	return "/:path.html"
}

// Finish sets the names by which the tags link and post_url know pages, and adds the URLs of files with other
// names than their own.
func (g *model) Finish(s *site.Site) {
	for _, c := range g.named {
		c.addRoutes(s)
	}
	for _, p := range s.ByFile {
		p.Names = append(p.Names, strings.TrimPrefix(p.File, s.Dir+"/"))
		if m := site.PostOf(p.Rel); m != nil {
			stem := slash.Stem(path.Base(p.Rel))
			p.Names = append(p.Names, "post:"+stem)
			if m[2] != "" {
				p.Names = append(p.Names, "post:"+m[2]+"/"+stem)
			}
		}
	}
}

var pageDir = lazy.New(`/page\d+/?$`)

// Makes reports whether a URL is that of a further page of a list of posts.
func (g *model) Makes(s *site.Site, u string) bool { return pageDir.MatchString(u) }

// bySource resolves a link as jekyll-relative-links does, by a regular expression over the source.
func (g *model) bySource(s *site.Site, r *site.Reference) []site.Candidate {
	if r.Path == "" || r.Query || r.Use.File != r.Use.Page.File || r.Use.IsExpanded || r.Use.Markup.IsAngle() || isInDefinition(&r.Use.Markup) {
		return nil
	}
	return []site.Candidate{site.FileCandidate(r.FileIn(s.Mounts[len(s.Mounts)-1].Dir))}
}

// isInDefinition reports whether the regular expression takes the line of a link for a definition. The line
// begins with "[x]: …" after white space, which may be the end of an empty line.
func isInDefinition(m *site.Markup) bool {
	const longest = 1000
	source, at := m.Text(), m.Start-1
	if !m.IsInline || at < 0 || at >= len(source) {
		return false
	}
	start := bytes.LastIndexByte(source[:at], '\n') + 1
	if at-start > longest {
		return false
	}
	head := bytes.TrimLeft(source[start:at], " \t")
	if len(head) == 0 || head[0] != '[' || !bytes.Contains(head, []byte("]: ")) {
		return false
	}
	before := source[:start]
	return len(head) < at-start || bytes.HasSuffix(before, []byte("\n\n")) || bytes.HasSuffix(before, []byte("\n\r\n"))
}

// macro resolves {% link x %} or {% post_url x %}.
func (g *model) macro(s *site.Site, r *site.Reference) []site.Candidate {
	p := strings.TrimPrefix(r.Path, "/")
	switch r.In {
	case "tag/post_url":
		return []site.Candidate{{Name: "post:" + p}}
	case "filter/relative_url":
		return []site.Candidate{site.URLCandidate(site.CleanURL(s.Base + r.Path))}
	case "filter/absolute_url":
		return []site.Candidate{site.URLCandidate(site.CleanURL(s.Base + r.Path))}
	case "tag/include", "tag/include_relative":
		dir := path.Join(s.Mounts[len(s.Mounts)-1].Dir, "_includes")
		if r.In == "tag/include_relative" {
			dir = r.Dir()
		}
		all := []site.Candidate{site.AssetCandidate(path.Join(dir, p))}
		if r.In == "tag/include" && g.hasTheme {
			all = append(all, site.Candidate{Unknown: themeMayHaveIt})
		}
		return all
	case "tag/link":
	default:
		return site.ByURL(s, r)
	}
	return []site.Candidate{site.FileCandidate(path.Join(s.Mounts[len(s.Mounts)-1].Dir, p))}
}

var liquidURL = lazy.New(`^(?:site\.baseurl\s*\|\s*append:\s*)?["']([^"']*)["']\s*(?:\|\s*(relative_url|absolute_url|prepend:\s*site\.baseurl))?$`)

// Expand replaces the templates in a reference that have known values.
func (g *model) Expand(s *site.Site, u site.Use, ref string) (string, bool) {
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
func (g *model) linkOf(s *site.Site, tag string) (string, bool) {
	kind, name, ok := strings.Cut(tag, " ")
	name = strings.TrimPrefix(strings.TrimSpace(name), "/")
	if !ok || kind != "link" && kind != "post_url" || strings.ContainsAny(name, " \t") {
		return "", false
	}
	if kind == "post_url" {
		name = "post:" + name
	}
	if strings.Contains(name, "{{") || len(s.ByName[name]) == 0 || len(s.ByName[name][0].Routes) == 0 {
		return "", false
	}
	u := s.ByName[name][0].Routes[0]
	if !g.hosted {
		u = strings.TrimSuffix(s.Base, "/") + u
	}
	return u, true
}

var siteValue = lazy.New(`^site(?:\.[\w-]+)+$`)

// valueOf returns the value of an expression: a value of the configuration, such as "site.baseurl", or a
// string and a filter for URLs.
func (g *model) valueOf(s *site.Site, expr string) (string, bool) {
	base := strings.TrimSuffix(s.Base, "/")
	switch {
	case expr == "site.baseurl":
		return base, true
	case expr == "site.url":
		return "", true
	case siteValue.MatchString(expr):
		value := g.conf.Lookup(strings.Split(expr, ".")[1:]...)
		text := value.Or("")
		return text, value.IsKnown() && text != ""
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

// Explain says why the target of a reference does not exist.
func (g *model) Explain(s *site.Site, r *site.Reference) (why reason.Reason, other string) {
	if r.IsRooted() {
		return reason.Reason{}, ""
	}
	file := path.Join(r.PageDir(), r.Path)
	p := s.ByFile[file]
	switch {
	case p == nil || !p.Why.IsZero() || p.IsPart:
		return reason.Reason{}, ""
	case r.Form == site.HTML || r.Form == site.HTMLSource:
		return reason.RawHTML("Jekyll", s.Route(r.Use.Page)), file
	case !g.relative:
		return withoutRelativeLinks.With(s.Route(r.Use.Page)), file
	}
	return relativeLinksSkips.With(s.Route(r.Use.Page)), file
}

var liquidInclude = lazy.New(`^\{%-?\s*(include|include_relative)\s+([^\s%{]+)`)

// Parts returns the files that a page includes.
func (g *model) Parts(s *site.Site, p *site.Page, _ string, text []byte) (parts site.Parts) {
	if !bytes.Contains(text, []byte("include")) {
		return parts
	}
	for m := range source.MatchesAt(text, "{%", liquidInclude) {
		dir := path.Join(s.Mounts[len(s.Mounts)-1].Dir, "_includes")
		if string(m[1]) == "include_relative" {
			dir = path.Dir(p.File)
		}
		parts.Add(s, path.Join(dir, string(m[2])))
	}
	return parts
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
func (g *model) knowsTags(s *site.Site, text []byte, depth int) bool {
	const maxDepth = 4
	if depth > maxDepth || liquidID.Match(text) {
		return false
	}
	for m := range source.MatchesAt(text, "{%", liquidTag) {
		name := string(m[1])
		if slices.Contains(liquidTags, name) {
			continue
		}
		file := path.Join(s.Mounts[len(s.Mounts)-1].Dir, "_includes", string(m[2]))
		if name != "include" || !source.Below(file, s.Tree.Root) || !s.Tree.IsFile(file) {
			return false
		}
		key := knownInclude{file, s.Dir, depth}
		if !source.Memo(s.Tree, key, func() bool { return g.knowsTags(s, s.Tree.Text(file, source.MaxConfig), depth+1) }) {
			return false
		}
	}
	return true
}

// A knownInclude is an included file whose tags are looked at, for the site in a directory, and how deep it
// is included.
type knownInclude struct {
	file, dir string
	depth     int
}

// Reasons.
var (
	collectionHasNoOutput     = reason.New(reason.Unpublished, "collection-has-no-output", "its collection has no output")
	notPublishedByFrontMatter = reason.New(reason.Unpublished, "not-published-by-front-matter", "its front matter says that it is not published")
	speciallyNamed            = reason.New(reason.Unpublished, "specially-named", "its name begins with an underscore, a dot or a hash sign")
	themeMayHaveIt            = reason.New(reason.Component, "theme-may-have-it", "the theme may have it")
	relativeLinksSkips        = reason.New(reason.Base, "relative-links-skips", "jekyll-relative-links does not rewrite it: it is relative to %s")
	withoutRelativeLinks      = reason.New(reason.Base, "without-relative-links", "without jekyll-relative-links it is relative to %s")
)

// Redirect adds the URL to the page, for the plugin jekyll-redirect-from.
func (g *model) Redirect(e *site.Edits, was, is site.Target) (where string) {
	if !bytes.Contains(e.ConfigText(), []byte("jekyll-redirect-from")) {
		return ""
	}
	return e.AddToFront(is.File, "redirect_from", was.Route)
}
