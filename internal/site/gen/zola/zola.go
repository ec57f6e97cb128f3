// Package zola supports sites of Zola.
package zola

import (
	"bytes"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/slash"
)

// A model is a site of Zola. Its links are left as they are, except "@/path.md", which names a source.
type model struct {
	conf      source.Value
	content   string
	langs     []string                    // languages other than the default
	templates []string                    // directories of templates
	drafts    []string                    // directories whose section is a draft, with a slash at the end
	codes     map[string]bool             // names of shortcodes
	ids       lazy.Value[map[string]bool] // that templates write
	spelled   lazy.Map[string, []*regexp.Regexp]
}

// Generator finds sites of Zola.
var Generator = &site.Generator{Name: "Zola", Configs: []string{"zola.toml", "config.toml"}, Indexes: []string{"index.md", "_index.md"}, Output: "public", Find: find}

// find finds a site by zola.toml or config.toml with a base URL, beside content.
func find(d *source.Dir) []*site.Site {
	name := d.First("zola.toml", "config.toml")
	if name == "" || !d.HasDir("content") {
		return nil
	}
	z := &model{conf: d.Tree.Read(d.In(name)), content: d.In("content"), codes: map[string]bool{}}
	if name == "config.toml" && !z.conf.Lookup("base_url").IsGiven() {
		return nil
	}
	s := site.New(d, "Zola", name)
	s.SetURL(z.conf.Lookup("base_url"))
	s.Slug, s.Dialect = slug.Zola, markdown.Zola
	s.IsLoose = z.conf.Lookup("slugify", "anchors").Or("on") != "on" || z.conf.Lookup("markdown", "render_emoji").IsTrue(false)
	s.Dialect.DefinitionLists = z.conf.Lookup("markdown", "definition_list").IsTrue(false)
	for _, lang := range z.conf.Lookup("languages").Keys() {
		if lang != z.conf.Lookup("default_language").Or("en") {
			z.langs = append(z.langs, lang)
		}
	}
	z.mount(d, s)
	s.Suffixes = []string{".md"}
	s.FrontMatter = true
	s.SetModel(z)
	s.Links = site.Links{site.Markdown: {z.link}, site.Image: {site.ByURL}, site.HTML: {site.ByURL}}
	z.made(s)
	return []*site.Site{s}
}

// mount adds the mounts of content, of static files, and of style sheets that Zola compiles.
func (z *model) mount(d *source.Dir, s *site.Site) {
	tops := []string{""}
	if theme := z.conf.Lookup("theme").Or(""); theme != "" && !strings.Contains(theme, "/") {
		tops = append(tops, "themes/"+theme)
	}
	for _, top := range tops {
		s.Mounts = append(s.Mounts, &site.Mount{Dir: path.Join(d.Path, top, "static"), URL: "/", Kind: site.Static})
		if z.conf.Lookup("compile_sass").IsTrue(false) {
			s.Mounts = append(s.Mounts, &site.Mount{Dir: path.Join(d.Path, top, "sass"), URL: "/", Kind: site.Static})
		}
		templates := path.Join(d.Path, top, "templates")
		z.templates = append(z.templates, templates)
		for name, mode := range d.Tree.List(templates + "/shortcodes") {
			if !mode.IsDir() {
				z.codes[slash.Stem(name)] = true
			}
		}
	}
	s.Compiled = map[string][]string{".css": {".scss", ".sass"}}
	s.Mounts = append(s.Mounts, &site.Mount{Dir: d.In("templates"), URL: "/", Kind: site.Hidden, Why: inTemplates, IsCode: true})
	var ignored []string
	for _, pattern := range z.conf.Lookup("ignored_content").Texts() {
		// A pattern is matched against an absolute path, and an asterisk also matches slashes.
		ignored = append(ignored, strings.ReplaceAll(manyStars.ReplaceAllString(pattern, "*"), "*", "**"))
	}
	match := source.AnyGlob(ignored)
	if match != nil {
		isIgnored := func(rel string) bool { return match("/content/" + rel) }
		s.Mounts = append(s.Mounts, &site.Mount{Dir: z.content, URL: "/", Kind: site.Hidden, Match: isIgnored, Why: ignoredContent})
	}
	s.Mounts = append(s.Mounts, &site.Mount{Dir: z.content, URL: "/", Kind: site.Pages})
	z.findDrafts(d.Tree, z.content, 0)
}

// findDrafts finds the sections that are drafts: none of their pages is published.
func (z *model) findDrafts(t *source.Tree, dir string, depth int) {
	l := t.List(dir)
	if mode, has := l["_index.md"]; has && mode.IsRegular() && source.FrontMatter(t.Text(dir+"/_index.md", site.MaxFront)).Lookup("draft").IsTrue(false) {
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
func (z *model) made(s *site.Site) {
	feeds := z.conf.Lookup("feed_filenames").Texts()
	if len(feeds) == 0 {
		feeds = []string{z.conf.Lookup("feed_filename").Or("atom.xml")}
	}
	add := func(prefix string, conf source.Value) {
		for _, t := range conf.Lookup("taxonomies").List() {
			at := path.Join(prefix, z.conf.Lookup("taxonomy_root").Or(""), t.Lookup("name").Or(""))
			s.Made = append(s.Made, at+"/")
		}
		for _, feed := range feeds {
			s.Made = append(s.Made, path.Join(prefix, feed))
		}
	}
	add("/", z.conf)
	languages := maps.Collect(z.conf.Lookup("languages").Members())
	for _, lang := range z.langs {
		add("/"+lang, languages[lang])
		s.Made = append(s.Made, "/"+lang+"/404.html")
	}
	s.Made = append(s.Made, "/processed_images/", "/search_index.", "/elasticlunr.min.js", "/giallo")
}

// Finish also adds the files that are published without a source.
func (z *model) Finish(s *site.Site) {
	for _, lang := range append([]string{""}, z.langs...) {
		s.AddRoute(path.Join("/", lang) + site.SlashOf(lang != ""))
	}
	for _, u := range []string{"/404.html", "/robots.txt", "/sitemap.xml"} {
		s.AddRoute(u)
	}
}

// Makes reports whether a URL is that of a further page of a section, or of its feed.
func (z *model) Makes(s *site.Site, u string) bool {
	first, _, _ := strings.Cut(strings.TrimPrefix(u, "/"), "/")
	return first == "page" || strings.Contains(u, "/page/") || path.Base(u) == "atom.xml" || path.Base(u) == "rss.xml"
}

// Copies reports whether a file beside pages is published: below a page named index.md, or beside _index.md.
func (z *model) Copies(s *site.Site, m *site.Mount, rel string) bool {
	dir := path.Join(m.Dir, path.Dir(rel))
	for at := dir; source.Below(at, m.Dir); at = path.Dir(at) {
		for name, mode := range s.Tree.List(at) {
			if z.isIndex(name, mode, at == dir) {
				return true
			}
		}
	}
	return false
}

// isIndex reports whether a name is that of the document of a directory, in any language. isOwn also
// allows that of a section.
func (z *model) isIndex(name string, mode fs.FileMode, isOwn bool) bool {
	stem, _, _ := strings.Cut(name, ".")
	return !mode.IsDir() && strings.HasSuffix(name, ".md") && (stem == "index" || stem == "_index" && isOwn)
}

var manyStars = lazy.New(`\*+`)

var zolaDate = lazy.New(`^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?\s?[_-](.+)$`)

// Route sets the URLs of a page.
func (z *model) Route(s *site.Site, p *site.Page) {
	dir, name := path.Split(strings.TrimSuffix(p.Rel, ".md"))
	prefix := "/"
	if stem, lang, has := site.CutLast(name, "."); has && slices.Contains(z.langs, lang) {
		name, p.Lang, prefix = stem, lang, "/"+lang+"/"
	}
	switch {
	case p.Front.Lookup("draft").IsTrue(false), slices.ContainsFunc(z.drafts, func(dir string) bool { return strings.HasPrefix(p.File, dir) }):
		p.Why = isDraft
		return
	case !p.Front.Lookup("render").IsTrue(true):
		p.Why = notRenderedHere
		return
	}
	p.IDs = []string{"continue-reading"}
	for v := range p.Front.Lookup("aliases").Written {
		alias := site.CleanURL(v.Text)
		if !strings.HasSuffix(alias, ".html") {
			alias = strings.TrimSuffix(alias, "/") + "/"
		}
		p.AddAlias(alias, v)
	}
	if name == "_index" {
		p.Routes = []string{prefix + dir}
		return
	}
	if own := p.Front.Lookup("path").Or(""); own != "" {
		p.Routes = []string{strings.TrimSuffix(site.CleanURL(own), "/") + "/"}
		return
	}
	if name == "index" {
		dir, name = path.Split(strings.TrimSuffix(dir, "/"))
	}
	if m := zolaDate.FindStringSubmatch(name); m != nil && !z.conf.Lookup("slugify", "paths_keep_dates").IsTrue(false) {
		name = m[1]
	}
	stem, isKnown := z.pathSlug(p.Front.Lookup("slug").Or(name))
	if !isKnown {
		s.Made = append(s.Made, prefix+dir)
		return
	}
	p.Routes = []string{prefix + dir + strings.TrimPrefix(stem+"/", "/")}
}

// pathSlug returns the last name of the URL of a page. ok is false if it has letters that Zola spells out in ASCII by a
// table.
func (z *model) pathSlug(name string) (stem string, ok bool) {
	switch z.conf.Lookup("slugify", "paths").Or("on") {
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
func (z *model) link(s *site.Site, r *site.Reference) []site.Candidate {
	rest, isSource := strings.CutPrefix(r.Path, "@/")
	if !isSource {
		return site.ByURL(s, r)
	}
	c := site.FileCandidate(z.content + "/" + rest) // not cleaned: Zola compares it with the paths of documents
	c.IsFinal = true
	switch {
	case r.Query:
		c.Why = queryInPath
	case !s.IsDocument(rest) || strings.Contains(c.File, "/../"):
		c.Why = onlyDocumentsInContent
	}
	return []site.Candidate{c}
}

// Explain says why the target of a reference does not exist.
func (z *model) Explain(s *site.Site, r *site.Reference) (why reason.Reason, other string) {
	if r.IsRooted() || strings.HasPrefix(r.Path, "@/") {
		return reason.Reason{}, ""
	}
	return site.ExplainSource(s, r)
}

var (
	zolaCode  = lazy.New(`^\{[{%]\s*(\w+)\(`)
	literalID = lazy.New(`\sid=["']?([^\s"'{}<>]+)`)
)

// KnowsTags reports whether all shortcodes in a page are in the tree.
func (z *model) KnowsTags(s *site.Site, text []byte) bool {
	for m := range source.MatchesAt(text, "{", zolaCode) {
		if !z.codes[string(m[1])] {
			return false
		}
	}
	return true
}

// MakesID reports whether a template has an id, a shortcode may make it of an argument, or Zola may make it
// of a heading with letters that it spells out.
func (z *model) MakesID(s *site.Site, file, id string) bool {
	if z.ids.Get(func() map[string]bool { return z.readTemplates(s.Tree) })[id] {
		return true
	}
	text := s.Tree.Text(file, source.MaxPage)
	hasCode := bytes.Contains(text, []byte("{{")) || bytes.Contains(text, []byte("{%"))
	if hasCode && site.IsWritten(text, id) {
		return true
	}
	return z.matchesSpelled(file, text, id)
}

// DoubtsID reports whether an id may be that of a heading with letters that Zola spells out.
func (z *model) DoubtsID(s *site.Site, file, id string) bool {
	return z.matchesSpelled(file, s.Tree.Text(file, source.MaxPage), id)
}

// matchesSpelled reports whether an id may be that of a heading, in the text of a file, that has letters which
// Zola spells out.
func (z *model) matchesSpelled(file string, text []byte, id string) bool {
	all := z.spelled.Get(file, func(string) []*regexp.Regexp { return spelledHeadings(text) })
	return slices.ContainsFunc(all, func(re *regexp.Regexp) bool { return re.MatchString(id) })
}

// maxTemplates limits how many templates are read for ids.
const maxTemplates = 1000

const maxTemplateText = 64 << 10 // bytes of each

func (z *model) readTemplates(t *source.Tree) map[string]bool {
	ids, left := map[string]bool{}, maxTemplates
	for _, dir := range z.templates {
		t.Files(dir, func(string) bool { return false }, func(rel string) {
			left--
			if left < 0 {
				return
			}
			for _, m := range literalID.FindAllSubmatch(t.Text(dir+"/"+rel, maxTemplateText), -1) {
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
	for _, m := range site.HeadingLine.FindAllSubmatch(text, -1) {
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

// FileAt returns the file that is published with the page above a URL, or "".
func (z *model) FileAt(s *site.Site, u string) string {
	for end := strings.LastIndexByte(u, '/'); end >= 0; end = strings.LastIndexByte(u[:end], '/') {
		p := s.ByURL[u[:end+1]]
		if name := u[end+1:]; name != "" && p != nil && p.File != "" {
			stem, _, _ := strings.Cut(path.Base(p.File), ".")
			f := path.Join(path.Dir(p.File), name)
			if (stem == "index" || stem == "_index" && !strings.Contains(name, "/")) && s.Tree.IsFile(f) && s.IsPublished(f) {
				return f
			}
		}
	}
	return ""
}

// Reasons.
var (
	ignoredContent         = reason.New(reason.Unpublished, "ignored-content", "excluded by ignored_content")
	inTemplates            = reason.New(reason.Templated, "in-templates", "is in templates, which holds no pages")
	isDraft                = reason.New(reason.Unpublished, "is-draft", "is a draft")
	notRenderedHere        = reason.New(reason.Unpublished, "not-rendered-here", "has render = false")
	onlyDocumentsInContent = reason.New(reason.Base, "only-documents-in-content", "only documents can be linked by their path in content")
	queryInPath            = reason.New(reason.Unpublished, "query-in-path", "Zola takes the query for a part of the path")
)

// Redirect adds the URL to the aliases of the page.
func (z *model) Redirect(e *site.Edits, was, is site.Target) (where string) {
	return e.AddToFront(is.File, "aliases", was.Route)
}
