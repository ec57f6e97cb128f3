package site

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/literal"
)

// markdownType is the media type of documents that are Markdown only in the site of their generator.
const markdownType = "text/markdown"

// pandocSuffixes are the suffixes of documents of Quarto and R Markdown.
var pandocSuffixes = []string{".qmd", ".rmd", ".md", ".markdown", ".ipynb"}

// givenIDs are the ids that files give their elements, other than headings, by the paths of the files.
type givenIDs map[string][]string

func (g givenIDs) add(s *Site) {
	for file, ids := range g {
		if p := s.pages[file]; p != nil {
			p.IDs = append(p.IDs, ids...)
		}
	}
}

// quarto holds the settings of a website or a book of Quarto.
type quarto struct{ ids givenIDs }

// findQuarto finds a website or a book by _quarto.yml. Documents of other projects are not linked to each other.
func findQuarto(d *directory) []*Site {
	name := d.first("_quarto.yml", "_quarto.yaml")
	if name == "" {
		return nil
	}
	conf := d.tree.read(d.in(name))
	book, web := conf.get("book"), conf.get("website")
	if kind := conf.get("project", "type").text(""); kind != "website" && kind != "book" && !book.isGiven() && !web.isGiven() {
		return nil
	}
	s := d.newSite("Quarto", name)
	g := &quarto{ids: givenIDs{}}
	s.Slug, s.Dialect = slug.Pandoc, markdown.Quarto
	s.setURL(inherit(web, book).get("site-url"))
	output, isInside := d.inside(conf.get("project", "output-dir").text("_site"))
	hide := func(dir, why string, match func(string) bool) {
		s.Mounts = append(s.Mounts, &Mount{Dir: dir, URL: "/", Kind: Hidden, Why: why, Match: match, InPlace: true})
	}
	if isInside && output != d.dir {
		hide(output, "the output of a build", nil)
	}
	s.Mounts = append(s.Mounts, &Mount{Dir: d.dir, URL: "/", Kind: Hidden, Why: "generated from another file", Match: func(rel string) bool { return isMadeOfQmd(s, rel) }})
	isPart := func(rel string) bool { return rel[0] == '_' || strings.Contains(rel, "/_") }
	s.Mounts = append(s.Mounts, &Mount{Dir: d.dir, URL: "/", Kind: Partial, Match: isPart})
	if chapters := chaptersOf(book); len(chapters) > 0 {
		hide(d.dir, "is not a chapter", func(rel string) bool { return s.isDocument(rel) && !chapters[rel] })
	} else if listed := renderedBy(conf.get("project", "render")); listed != nil {
		hide(d.dir, "project.render does not list it", func(rel string) bool { return s.isDocument(rel) && !listed(rel) })
	} else {
		hide(d.dir, "Quarto ignores it", glob("**/{README,CLAUDE,AGENTS}.{md,qmd,Rmd,rmd}"))
	}
	s.Mounts = append(s.Mounts, &Mount{Dir: d.dir, URL: "/", Kind: Pages})
	s.generates = conf.get("project", "pre-render").isGiven() || conf.get("project", "post-render").isGiven()
	s.isClosed = true
	s.suffixes, s.copies, s.readsFront = pandocSuffixes, copyAll, true
	s.made = []string{"/site_libs/", "/search.json", "/sitemap.xml", "/robots.txt", "/llms.txt"}
	s.route, s.partsIn, s.finish, s.navigate = g.route, g.partsIn, g.finish, g.navigate
	s.opens, s.knowsParts = printsMarkdown, true
	s.isMadeAt = func(_ *Site, u string) bool { return strings.HasSuffix(u, "-preview.html") } // of notebooks
	s.makesID, s.markupType = makesPandocID, pandocType
	for _, form := range []Form{Markdown, Image, HTML, HTMLSource, Component, Macro} {
		s.table[form] = []step{g.link}
	}
	return []*Site{s}
}

// isMadeOfQmd reports whether a build, with keep-md or without an output directory, has written a file beside its source.
func isMadeOfQmd(s *Site, rel string) bool {
	stem := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(rel, ".md"), ".html"), ".html")
	return stem != rel && s.tree.isFile(path.Join(s.Dir, stem+".qmd"))
}

// pandocType is the media type of documents that are not Markdown by their names.
func pandocType(s *Site, file string) string {
	if p := s.pages[file]; p != nil && (p.Why == "" || len(s.includes[file]) > 0) {
		return templateTypes[path.Ext(file)]
	}
	return ""
}

// chaptersOf returns the documents of a book, by path.
func chaptersOf(book value) map[string]bool {
	chapters := map[string]bool{}
	var visit func(v value, depth int)
	visit = func(v value, depth int) {
		const maxDepth = 50
		for _, item := range v.list() {
			for _, key := range []string{"href", "file", "part"} {
				chapters[item.get(key).text("")] = true
			}
			chapters[item.text("")] = true
			if depth < maxDepth && item.Kind == literal.Map {
				visit(item.get("chapters"), depth+1)
			}
		}
	}
	visit(book.get("chapters"), 0)
	visit(book.get("appendices"), 0)
	delete(chapters, "")
	return chapters
}

// renderedBy returns a function that matches the documents in a list of patterns, those with "!" left out, or nil
// if there is no list. A pattern without "/" at its beginning matches in any directory.
func renderedBy(list value) func(string) bool {
	var in, out []string
	for _, p := range list.texts() {
		rest, not := strings.CutPrefix(p, "!")
		if !strings.HasPrefix(rest, "/") {
			rest = "**/" + rest
		}
		rest = strings.TrimPrefix(rest, "/")
		if strings.HasSuffix(rest, "/") {
			rest += "**"
		}
		list := &in
		if not {
			list = &out
		}
		*list = append(*list, rest)
		if path.Ext(rest) == "" { // a directory
			*list = append(*list, rest+"/**")
		}
	}
	const maxPatterns = 500 // each document may be compared with all of them
	if len(in) == 0 || len(in)+len(out) > maxPatterns {
		return nil
	}
	matches, leaves := anyGlob(in), anyGlob(out)
	return func(rel string) bool { return matches(rel) && (leaves == nil || !leaves(rel)) }
}

func (g *quarto) route(s *Site, p *Page) {
	dir, name := path.Split(p.Rel)
	name = strings.TrimSuffix(name, path.Ext(name)) + ".html"
	if made := p.front.get("output-file").text(""); made != "" {
		name = strings.TrimSuffix(made, ".html") + ".html"
	}
	p.Routes = []string{"/" + dir + name}
	if name == "index.html" {
		p.Also = []string{"/" + dir}
	}
	for _, alias := range p.front.get("aliases").texts() {
		from := joinURL(p.Routes[0], alias)
		if strings.HasPrefix(alias, "/") {
			from = cleanURL(alias)
		}
		p.Also, p.Moved = append(p.Also, from), append(p.Moved, from)
	}
}

var (
	asIs          = lazy.New(`(?:results|output)\s*[=:]\s*["']?asis\b`)
	quartoInclude = lazy.New(`^[\s>]*\{\{<\s*include\s+["']?([^\s"'>]+)["']?\s*>\}\}\s*$`)
	// An id in braces, or the label of a chunk of code.
	pandocID = lazy.New(`\{[^{}\n]*#([\w:.-]+)|#\|\s*(?:lst-)?label:\s*["']?([\w:.-]+)|^\s*\x60{3,}\s*\{\w+[ ,]+([\w:.-]+)\s*[,}]`)
)

// partsIn returns the files that a file includes: relative to the page, or to the project.
func (g *quarto) partsIn(s *Site, p *Page, file string, text []byte) (files []string) {
	g.ids[file] = pandocIDs(text)
	for m := range matchesIn(text, "{{<", quartoInclude) {
		part := path.Join(path.Dir(p.File), string(m[1]))
		if strings.HasPrefix(string(m[1]), "/") {
			part = path.Join(s.Dir, string(m[1]))
		} else if !s.tree.isFile(part) {
			part = path.Join(path.Dir(file), string(m[1]))
		}
		files = append(files, part)
	}
	return files
}

// pandocIDs returns the ids that a document gives elements other than headings.
func pandocIDs(text []byte) (ids []string) {
	for _, mark := range []string{"{", "label:"} {
		for m := range matchesIn(text, mark, pandocID) {
			ids = append(ids, string(m[1])+string(m[2])+string(m[3]))
		}
	}
	return ids
}

// printsMarkdown reports whether code in a document prints Markdown, which may have headings.
func printsMarkdown(_ *Site, text []byte) bool {
	return bytes.Contains(text, []byte("asis")) && asIs.Match(text)
}

// isMadeByCode reports whether a document has the path of a reference elsewhere, too: its code may write the file.
func isMadeByCode(s *Site, r *reference) bool {
	return (r.form == Markdown || r.form == Image) && isWritten(s.tree.text(r.use.File, maxPage), r.path)
}

// madeByPandoc are the beginnings of ids that are in no source: of tabs, notes, lines of code, citations and listings,
// and of what crosses references by number.
var madeByPandoc = strings.Fields("tabset- fn fnref cb ref- callout- eq- quarto- category= title-block / fig: tab: eq: thm: lem: exm: exr: def: cor: prp:")

func makesPandocID(s *Site, file, id string) bool {
	return slices.ContainsFunc(madeByPandoc, func(start string) bool { return strings.HasPrefix(id, start) }) ||
		isWritten(s.tree.text(file, maxPage), id)
}

func (g *quarto) finish(s *Site) {
	g.ids.add(s)
	hasFilters := map[string]bool{} // by directory, whose metadata apply to what is below it
	for file, p := range s.pages {
		dir := path.Dir(file)
		if _, known := hasFilters[dir]; !known {
			hasFilters[dir] = g.hasFilters(s, dir)
		}
		if hasFilters[dir] || p.front.get("filters").isGiven() || p.front.get("listing").isGiven() && bytes.Contains(s.tree.text(file, maxFront), []byte("template:")) {
			s.open[file] = true
		}
	}
}

// hasFilters reports whether the metadata of a directory, or of one that it is in, name programs that change pages.
func (g *quarto) hasFilters(s *Site, dir string) bool {
	for ; below(dir, s.Dir); dir = path.Dir(dir) {
		if s.tree.read(dir + "/_metadata.yml").get("filters").isGiven() {
			return true
		}
		if dir == s.Dir {
			break
		}
	}
	return false
}

// link resolves a reference by the page's source, or "/x" by the project: that of a document becomes the URL of its
// page, and any other file is copied. Links of raw HTML are treated in the same way. What is no file stays as it is.
func (g *quarto) link(s *Site, r *reference) []candidate {
	if r.path == "" {
		return nil
	}
	file := path.Join(r.pageDir(), r.path)
	if r.isRooted() {
		file = path.Join(s.Dir, r.path)
	}
	if r.form == Image && path.Ext(file) == "" && s.tree.isFile(file+".png") { // default-image-extension
		file += ".png"
	}
	c := fileCandidate(file)
	p := s.pages[file]
	c.isAsset = p == nil || r.form == Macro
	switch {
	case p != nil && !c.isAsset && (p.Why != "" || p.isPart):
		return []candidate{{unknown: "a document of which Quarto makes no page"}}
	case s.tree.isFile(file) || r.form == Macro:
		return []candidate{c}
	case isAssetSuffix(r.suffix()) && isMadeByCode(s, r):
		return []candidate{{unknown: "code of the document may make the file"}}
	}
	return append([]candidate{c}, s.urls(r, r.path, strings.TrimSuffix(s.Base, "/"))...)
}

// navigate adds the entries of navigation bars, sidebars and footers, and the chapters of a book: paths from the
// directory of the project.
func (g *quarto) navigate(s *Site, n *navigator) {
	conf := n.read(s.Config)
	for _, v := range []literal.Value{conf.Get("website"), conf.Get("book")} {
		for _, key := range []string{"navbar", "sidebar", "page-footer", "chapters", "appendices"} {
			g.entries(s, n, v.Get(key), 0)
		}
	}
}

func (g *quarto) entries(s *Site, n *navigator, v literal.Value, depth int) {
	const maxDepth = 50
	if depth > maxDepth {
		return
	}
	resolve := func(ref string) Result {
		if strings.HasPrefix(ref, "#") {
			return Result{State: Unknown, Why: "a fragment of each page that shows it"}
		}
		p := &Page{File: s.Config, Mount: n.pages(), Routes: []string{"/"}}
		return s.Resolve(Use{Page: p, File: s.Config}, Markdown, "nav", ref)
	}
	for _, item := range v.Items {
		if s.isDocument(item.Text) && !strings.ContainsAny(item.Text, "*?") {
			n.addIn(s.Dir, s.Config, "nav", item, resolve)
		}
		g.entries(s, n, item, depth+1)
	}
	for key, item := range v.All() {
		switch {
		case key == "href", key == "file", (key == "section" || key == "part" || key == "logo-href") && s.isDocument(item.Text):
			n.addIn(s.Dir, s.Config, "nav", item, resolve)
		case item.Kind == literal.List || item.Kind == literal.Map:
			g.entries(s, n, item, depth+1)
		}
	}
}
