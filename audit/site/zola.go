package site

import (
	"bytes"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
)

// A zola is a site of Zola. Its links are left as they are, except "@/path.md", which names a source.
type zola struct {
	conf      value
	content   string
	langs     []string                    // languages other than the default
	templates []string                    // directories of templates
	drafts    []string                    // directories whose section is a draft, with a slash at the end
	codes     map[string]bool             // names of shortcodes
	ids       lazy.Value[map[string]bool] // that templates write
	spelled   lazy.Map[string, []*regexp.Regexp]
}

// findZola finds a site by zola.toml or config.toml with a base URL, beside content.
func findZola(d *directory) []*Site {
	name := d.first("zola.toml", "config.toml")
	if name == "" || !d.hasDir("content") {
		return nil
	}
	z := &zola{conf: d.tree.read(d.in(name)), content: d.in("content"), codes: map[string]bool{}}
	if name == "config.toml" && !z.conf.get("base_url").isGiven() {
		return nil
	}
	s := d.newSite("Zola", name)
	s.setURL(z.conf.get("base_url"))
	s.Slug, s.Dialect = slug.Zola, markdown.Zola
	s.isLoose = z.conf.get("slugify", "anchors").text("on") != "on" || z.conf.get("markdown", "render_emoji").isTrue(false)
	s.Dialect.DefinitionLists = z.conf.get("markdown", "definition_list").isTrue(false)
	for _, lang := range z.conf.get("languages").keys() {
		if lang != z.conf.get("default_language").text("en") {
			z.langs = append(z.langs, lang)
		}
	}
	z.mount(d, s)
	s.suffixes = []string{".md"}
	s.readsFront, s.fileAt, s.copies, s.route, s.isMadeAt = true, z.fileAt, z.copies, z.route, z.isMadeAt
	s.makesID, s.knowsTags, s.explain = z.makesID, z.knowsTags, z.explain
	s.table[Markdown] = []step{z.link}
	s.table[Image] = []step{byURL}
	s.table[HTML] = []step{byURL}
	z.made(s)
	return []*Site{s}
}

// mount adds the mounts of content, of static files, and of style sheets that Zola compiles.
func (z *zola) mount(d *directory, s *Site) {
	tops := []string{""}
	if theme := z.conf.get("theme").text(""); theme != "" && !strings.Contains(theme, "/") {
		tops = append(tops, "themes/"+theme)
	}
	for _, top := range tops {
		s.Mounts = append(s.Mounts, &Mount{Dir: path.Join(d.dir, top, "static"), URL: "/", Kind: Static})
		if z.conf.get("compile_sass").isTrue(false) {
			s.Mounts = append(s.Mounts, &Mount{Dir: path.Join(d.dir, top, "sass"), URL: "/", Kind: Static})
		}
		templates := path.Join(d.dir, top, "templates")
		z.templates = append(z.templates, templates)
		for name, mode := range d.tree.list(templates + "/shortcodes") {
			if !mode.IsDir() {
				z.codes[strings.TrimSuffix(name, path.Ext(name))] = true
			}
		}
	}
	s.compiled = map[string][]string{".css": {".scss", ".sass"}}
	s.Mounts = append(s.Mounts, &Mount{Dir: d.in("templates"), URL: "/", Kind: Hidden, Why: "is in templates, which holds no pages", isCode: true})
	var ignored []string
	for _, pattern := range z.conf.get("ignored_content").texts() {
		// A pattern is matched against an absolute path, and an asterisk also matches slashes.
		ignored = append(ignored, strings.ReplaceAll(manyStars.ReplaceAllString(pattern, "*"), "*", "**"))
	}
	match := anyGlob(ignored)
	if match != nil {
		isIgnored := func(rel string) bool { return match("/content/" + rel) }
		s.Mounts = append(s.Mounts, &Mount{Dir: z.content, URL: "/", Kind: Hidden, Match: isIgnored, Why: "excluded by ignored_content"})
	}
	s.Mounts = append(s.Mounts, &Mount{Dir: z.content, URL: "/", Kind: Pages})
	z.findDrafts(d.tree, z.content, 0)
}

// findDrafts finds the sections that are drafts: none of their pages is published.
func (z *zola) findDrafts(t *tree, dir string, depth int) {
	l := t.list(dir)
	if mode, has := l["_index.md"]; has && mode.IsRegular() && frontMatter(t.text(dir+"/_index.md", maxFront)).get("draft").isTrue(false) {
		z.drafts = append(z.drafts, dir+"/")
		return
	}
	const deepest = 32
	for name, mode := range l {
		if mode.IsDir() && depth < deepest {
			z.findDrafts(t, dir+"/"+name, depth+1)
		}
	}
}

// made adds the URLs of taxonomies and feeds, in each language.
func (z *zola) made(s *Site) {
	feeds := z.conf.get("feed_filenames").texts()
	if len(feeds) == 0 {
		feeds = []string{z.conf.get("feed_filename").text("atom.xml")}
	}
	add := func(prefix string, conf value) {
		for _, t := range conf.get("taxonomies").list() {
			at := path.Join(prefix, z.conf.get("taxonomy_root").text(""), t.get("name").text(""))
			s.made = append(s.made, at+"/")
		}
		for _, feed := range feeds {
			s.made = append(s.made, path.Join(prefix, feed))
		}
	}
	add("/", z.conf)
	for _, lang := range z.langs {
		add("/"+lang, z.conf.get("languages", lang))
		s.made = append(s.made, "/"+lang+"/404.html")
	}
	s.finish = func(s *Site) {
		for _, lang := range append([]string{""}, z.langs...) { // without a source, too
			s.addRoute(path.Join("/", lang) + slashOf(lang != ""))
		}
		for _, u := range []string{"/404.html", "/robots.txt", "/sitemap.xml"} {
			s.addRoute(u)
		}
	}
	s.made = append(s.made, "/processed_images/", "/search_index.", "/elasticlunr.min.js", "/giallo")
}

// isMadeAt reports whether a URL is that of a further page of a section, or of its feed.
func (z *zola) isMadeAt(s *Site, u string) bool {
	first, _, _ := strings.Cut(strings.TrimPrefix(u, "/"), "/")
	return first == "page" || strings.Contains(u, "/page/") || path.Base(u) == "atom.xml" || path.Base(u) == "rss.xml"
}

// copies reports whether a file beside pages is published: below a page named index.md, or beside _index.md.
func (z *zola) copies(s *Site, m *Mount, rel string) bool {
	dir := path.Join(m.Dir, path.Dir(rel))
	for at := dir; below(at, m.Dir); at = path.Dir(at) {
		for name, mode := range s.tree.list(at) {
			if z.isIndex(name, mode, at == dir) {
				return true
			}
		}
	}
	return false
}

// isIndex reports whether a name is that of the document of a directory, in any language. isOwn also
// allows that of a section.
func (z *zola) isIndex(name string, mode fs.FileMode, isOwn bool) bool {
	stem, _, _ := strings.Cut(name, ".")
	return !mode.IsDir() && strings.HasSuffix(name, ".md") && (stem == "index" || stem == "_index" && isOwn)
}

var manyStars = lazy.New(`\*+`)

var zolaDate = lazy.New(`^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?\s?[_-](.+)$`)

func (z *zola) route(s *Site, p *Page) {
	dir, name := path.Split(strings.TrimSuffix(p.Rel, ".md"))
	prefix := "/"
	if stem, lang, has := cutLast(name, "."); has && slices.Contains(z.langs, lang) {
		name, p.Lang, prefix = stem, lang, "/"+lang+"/"
	}
	switch {
	case p.front.get("draft").isTrue(false), slices.ContainsFunc(z.drafts, func(dir string) bool { return strings.HasPrefix(p.File, dir) }):
		p.Why = "is a draft"
		return
	case !p.front.get("render").isTrue(true):
		p.Why = "has render = false"
		return
	}
	p.IDs = []string{"continue-reading"}
	for _, alias := range p.front.get("aliases").texts() {
		alias = cleanURL(alias)
		if !strings.HasSuffix(alias, ".html") {
			alias = strings.TrimSuffix(alias, "/") + "/"
		}
		p.Also = append(p.Also, alias)
	}
	if name == "_index" {
		p.Routes = []string{prefix + dir}
		return
	}
	if own := p.front.get("path").text(""); own != "" {
		p.Routes = []string{strings.TrimSuffix(cleanURL(own), "/") + "/"}
		return
	}
	if name == "index" {
		dir, name = path.Split(strings.TrimSuffix(dir, "/"))
	}
	if m := zolaDate.FindStringSubmatch(name); m != nil && !z.conf.get("slugify", "paths_keep_dates").isTrue(false) {
		name = m[1]
	}
	stem, isKnown := z.pathSlug(p.front.get("slug").text(name))
	if !isKnown {
		s.made = append(s.made, prefix+dir)
		return
	}
	p.Routes = []string{prefix + dir + strings.TrimPrefix(stem+"/", "/")}
}

// pathSlug returns the last name of the URL of a page. ok is false if it has letters that Zola spells out in ASCII by a
// table.
func (z *zola) pathSlug(name string) (stem string, ok bool) {
	switch z.conf.get("slugify", "paths").text("on") {
	case "off":
		return name, true
	case "safe":
		return unsafePath.Replace(strings.TrimRight(name, " .")), true
	}
	return slug.Zola.Slug(slug.Heading{Text: name}), !isSpelledOut(name)
}

var unsafePath = strings.NewReplacer("<", "", ">", "", ":", "", `"`, "", "/", "", `\`, "", "|", "", "?", "", "*", "")

// isSpelledOut reports whether text has a letter or symbol for which the rule for slugs is not known.
func isSpelledOut(text string) bool { return strings.ContainsFunc(text, isSpelled) }

func isSpelled(r rune) bool {
	return r >= utf8.RuneSelf && !unicode.In(r, unicode.P, unicode.M, unicode.Z) && slug.Zola.Slug(slug.Heading{Text: string(r)}) == ""
}

// link resolves "@/path.md" below the content. All other links are relative to the URL of the page.
func (z *zola) link(s *Site, r *reference) []candidate {
	rest, isSource := strings.CutPrefix(r.path, "@/")
	if !isSource {
		return byURL(s, r)
	}
	c := fileCandidate(z.content + "/" + rest) // not cleaned: Zola compares it with the paths of documents
	c.isFinal = true
	switch {
	case r.query:
		c.why = "Zola takes the query for a part of the path"
	case !s.isDocument(rest) || strings.Contains(c.File, "/../"):
		c.why = "only documents can be linked by their path in content"
	}
	return []candidate{c}
}

func (z *zola) explain(s *Site, r *reference) (why, other string) {
	if r.isRooted() || strings.HasPrefix(r.path, "@/") {
		return "", ""
	}
	file := path.Join(r.dir(), r.path)
	if p := s.pages[file]; p != nil && p.Why == "" {
		return "links are not rewritten: this is relative to " + s.Route(r.use.Page), file
	}
	return "relative to " + s.Route(r.use.Page), ""
}

var (
	zolaCode    = lazy.New(`^\{[{%]\s*(\w+)\(`)
	zolaHeading = lazy.New(`(?m)^ {0,3}#{1,6}[ \t]+(.*)$`)
	literalID   = lazy.New(`\sid=["']?([^\s"'{}<>]+)`)
)

// knowsTags reports whether all shortcodes in a page are in the tree.
func (z *zola) knowsTags(s *Site, text []byte) bool {
	for m := range matchesAt(text, "{", zolaCode) {
		if !z.codes[string(m[1])] {
			return false
		}
	}
	return true
}

// makesID reports whether a template has an id, a shortcode may make it of an argument, or Zola may make it of a
// heading with letters that it spells out.
func (z *zola) makesID(s *Site, file, id string) bool {
	if z.ids.Get(func() map[string]bool { return z.readTemplates(s.tree) })[id] {
		return true
	}
	text := s.tree.text(file, maxPage)
	hasCode := bytes.Contains(text, []byte("{{")) || bytes.Contains(text, []byte("{%"))
	if hasCode && isWritten(text, id) {
		return true
	}
	return slices.ContainsFunc(z.spelled.Get(file, func(string) []*regexp.Regexp { return spelledHeadings(text) }), func(re *regexp.Regexp) bool { return re.MatchString(id) })
}

// maxTemplates limits how many templates are read for ids.
const maxTemplates = 1000

func (z *zola) readTemplates(t *tree) map[string]bool {
	ids, left := map[string]bool{}, maxTemplates
	for _, dir := range z.templates {
		t.files(dir, func(string) bool { return false }, func(rel string) {
			left--
			if left < 0 {
				return
			}
			for _, m := range literalID.FindAllSubmatch(t.text(dir+"/"+rel, maxTemplate), -1) {
				ids[string(m[1])] = true
			}
		})
	}
	return ids
}

// maxSpelled limits how many headings of a page are compared with an id.
const maxSpelled = 50

// spelledHeadings returns expressions for the ids of headings that have letters that Zola spells out.
func spelledHeadings(text []byte) (all []*regexp.Regexp) {
	for _, m := range zolaHeading.FindAllSubmatch(text, -1) {
		heading := string(bytes.TrimSpace(m[1]))
		if !isSpelledOut(heading) || ownID.MatchString(heading) {
			continue
		}
		if len(all) == maxSpelled {
			return append(all, anyID.Compiled())
		}
		all = append(all, idExpr(heading))
	}
	return all
}

var (
	ownID = lazy.New(`\{[^{}]*#[^{}]*\}$`)
	anyID = lazy.New(`^`)
)

// idExpr returns an expression for the id of a heading.
func idExpr(heading string) *regexp.Regexp {
	var b strings.Builder
	b.WriteString("^")
	isGap := false
	for part := range strings.SplitSeq(strings.Map(func(r rune) rune {
		if isSpelled(r) {
			return 0
		}
		return r
	}, heading), "\x00") {
		switch {
		case isGap && b.Len() == len("^"):
			b.WriteString("(?:[a-z0-9][a-z0-9-]*)?")
		case isGap:
			b.WriteString("[a-z0-9-]*")
		}
		b.WriteString(slug.Zola.Slug(slug.Heading{Text: part}))
		isGap = true
	}
	b.WriteString("(?:-[0-9]+)?$")
	return regexp.MustCompile(b.String())
}

// fileAt returns the file that is published with the page above a URL, or "".
func (z *zola) fileAt(s *Site, u string) string {
	for end := strings.LastIndexByte(u, '/'); end >= 0; end = strings.LastIndexByte(u[:end], '/') {
		p := s.routes[u[:end+1]]
		if name := u[end+1:]; name != "" && p != nil && p.File != "" {
			stem, _, _ := strings.Cut(path.Base(p.File), ".")
			f := path.Join(path.Dir(p.File), name)
			if (stem == "index" || stem == "_index" && !strings.Contains(name, "/")) && s.tree.isFile(f) && s.isPublished(f) {
				return f
			}
		}
	}
	return ""
}
