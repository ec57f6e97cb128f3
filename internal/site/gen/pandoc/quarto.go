// Package pandoc supports sites of Quarto and bookdown, which run pandoc.
package pandoc

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/literal"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/slash"
)

// pandocSuffixes are the suffixes of documents of Quarto and R Markdown.
var pandocSuffixes = []string{".qmd", ".rmd", ".md", ".markdown", ".ipynb"}

// givenIDs are the ids that files give their elements, other than headings, by the paths of the files.
type givenIDs map[string][]string

func (g givenIDs) add(s *site.Site) {
	for file, ids := range g {
		if p := s.ByFile[file]; p != nil {
			p.IDs = append(p.IDs, ids...)
		}
	}
}

// quarto holds the settings of a website or a book of Quarto.
type quarto struct{ ids givenIDs }

// Quarto finds sites of Quarto.
var Quarto = &site.Generator{Name: "Quarto", Configs: []string{"_quarto.yml", "_quarto.yaml"}, Indexes: []string{"index.md"}, Output: "_site", Find: findQuarto}

// findQuarto finds a website or a book by _quarto.yml. Documents of other projects are not linked to each other.
func findQuarto(d *source.Dir) []*site.Site {
	name := d.First("_quarto.yml", "_quarto.yaml")
	if name == "" {
		return nil
	}
	conf := d.Tree.Read(d.In(name))
	book, web := conf.Lookup("book"), conf.Lookup("website")
	if kind := conf.Lookup("project", "type").Or(""); kind != "website" && kind != "book" && !book.IsGiven() && !web.IsGiven() {
		return nil
	}
	s := site.New(d, "Quarto", name)
	g := &quarto{ids: givenIDs{}}
	s.Slug, s.Dialect = slug.Pandoc, markdown.Quarto
	s.SetURL(source.Inherit(web, book).Lookup("site-url"))
	output, isInside := d.Inside(conf.Lookup("project", "output-dir").Or("_site"))
	hide := func(dir string, why reason.Reason, match func(string) bool) {
		s.Mounts = append(s.Mounts, &site.Mount{Dir: dir, URL: "/", Kind: site.Hidden, Why: why, Match: match, InPlace: true})
	}
	if isInside && output != d.Path {
		hide(output, buildOutput, nil)
	}
	s.Mounts = append(s.Mounts, &site.Mount{Dir: d.Path, URL: "/", Kind: site.Hidden, Why: generatedFromOther, Match: func(rel string) bool { return isMadeOfQmd(s, rel) }})
	isPart := func(rel string) bool { return rel[0] == '_' || strings.Contains(rel, "/_") }
	s.Mounts = append(s.Mounts, &site.Mount{Dir: d.Path, URL: "/", Kind: site.Partial, Match: isPart})
	if chapters := chaptersOf(book); len(chapters) > 0 {
		hide(d.Path, reason.NoChapter, func(rel string) bool { return s.IsDocument(rel) && !chapters[rel] })
	} else if listed := matcherOf(conf.Lookup("project", "render")); listed != nil {
		hide(d.Path, notInRender, func(rel string) bool { return s.IsDocument(rel) && !listed(rel) })
	} else {
		hide(d.Path, ignoredByQuarto, source.Glob("**/{README,CLAUDE,AGENTS}.{md,qmd,Rmd,rmd}"))
	}
	s.Mounts = append(s.Mounts, &site.Mount{Dir: d.Path, URL: "/", Kind: site.Pages})
	s.Generates = conf.Lookup("project", "pre-render").IsGiven() || conf.Lookup("project", "post-render").IsGiven()
	s.Known = site.ClosedRoutes
	s.Suffixes, s.Copies, s.FrontMatter = pandocSuffixes, site.CopiesLinked, true
	s.Resources = matcherOf(conf.Lookup("project", "resources"))
	s.Made = []string{"/site_libs/", "/search.json", "/sitemap.xml", "/robots.txt", "/llms.txt"}
	s.PartsInOrder, s.Knows = true, site.AllIDs
	s.SetModel(g)
	for _, form := range []site.Form{site.Markdown, site.Image, site.HTML, site.HTMLSource, site.Component, site.Macro} {
		s.Links[form] = []site.Step{g.link}
	}
	return []*site.Site{s}
}

// isMadeOfQmd reports whether a build, with keep-md or without an output directory, has written a file
// beside its source.
func isMadeOfQmd(s *site.Site, rel string) bool {
	stem := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(rel, ".md"), ".html"), ".html")
	return stem != rel && s.Tree.IsFile(path.Join(s.Dir, stem+".qmd"))
}

// pandocType is the media type of documents that are not Markdown by their names.
func pandocType(s *site.Site, file string) string {
	if p := s.ByFile[file]; p != nil && (p.Why.IsZero() || len(s.IncludedBy[file]) > 0) {
		return site.TemplateTypes[path.Ext(file)]
	}
	return ""
}

// chaptersOf returns the documents of a book, by path.
func chaptersOf(book source.Value) map[string]bool {
	chapters := map[string]bool{}
	var visit func(v source.Value, depth int)
	visit = func(v source.Value, depth int) {
		const maxDepth = 50
		for _, item := range v.List() {
			for _, key := range []string{"href", "file", "part"} {
				chapters[item.Lookup(key).Or("")] = true
			}
			chapters[item.Or("")] = true
			if depth < maxDepth && item.Kind == literal.Map {
				visit(item.Lookup("chapters"), depth+1)
			}
		}
	}
	visit(book.Lookup("chapters"), 0)
	visit(book.Lookup("appendices"), 0)
	delete(chapters, "")
	return chapters
}

// matcherOf returns a function that matches the files in a list of patterns, those with "!" left out, or nil
// if there is no list. A pattern without "/" at its beginning matches in any directory.
func matcherOf(list source.Value) func(string) bool {
	var in, out []string
	for _, p := range list.Texts() {
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
	matches, leaves := source.AnyGlob(in), source.AnyGlob(out)
	return func(rel string) bool { return matches(rel) && (leaves == nil || !leaves(rel)) }
}

// Route sets the URLs of a page.
func (g *quarto) Route(s *site.Site, p *site.Page) {
	dir, name := path.Split(p.Rel)
	name = slash.Stem(name) + ".html"
	made := p.Front.Lookup("format", "html", "output-file").Or(p.Front.Lookup("output-file").Or("")) // that of the format counts
	if made != "" {
		name = strings.TrimSuffix(made, ".html") + ".html"
	}
	p.Routes = []string{"/" + dir + name}
	if name == "index.html" {
		p.Also = []string{"/" + dir}
	}
	for v := range p.Front.Lookup("aliases").Written {
		from := site.JoinURL(p.Routes[0], v.Text)
		if strings.HasPrefix(v.Text, "/") {
			from = site.CleanURL(v.Text)
		}
		p.AddAlias(from, v)
	}
}

var (
	asIs          = lazy.New(`(?:results|output)\s*[=:]\s*["']?asis\b`)
	quartoInclude = lazy.New(`^[\s>]*\{\{<\s*include\s+["']?([^\s"'>]+)["']?\s*>\}\}\s*$`)
	// An id in braces, or the label of a chunk of code: in a comment, or behind its language.
	pandocID   = lazy.New(`\{[^{}\n]*#([\w:.-]+)|#\|\s*(?:lst-)?label:\s*["']?([\w:.-]+)`)
	chunkLabel = lazy.New(`^\s*\x60{3,}\s*\{\w+[ ,]+([\w:.-]+)\s*[,}]`)
)

// Makes reports whether a URL is that of the preview of a notebook.
func (g *quarto) Makes(_ *site.Site, u string) bool { return strings.HasSuffix(u, "-preview.html") }

// MakesID reports whether pandoc or code may make an id.
func (g *quarto) MakesID(s *site.Site, file, id string) bool { return makesPandocID(s, file, id) }

// Type returns the media type of a document.
func (g *quarto) Type(s *site.Site, file string) string { return pandocType(s, file) }

// Parts returns the files that a file includes: relative to the page, or to the project.
func (g *quarto) Parts(s *site.Site, p *site.Page, file string, text []byte) site.Parts {
	g.ids[file] = pandocIDs(text)
	parts := site.Parts{IsOpen: printsMarkdown(text)}
	for m := range source.MatchesIn(text, quartoInclude, "{{<") {
		part := source.Join(path.Dir(p.File), s.Dir, string(m[1]))
		if m[1][0] != '/' && !s.Tree.IsFile(part) {
			part = path.Join(path.Dir(file), string(m[1]))
		}
		parts.Files = append(parts.Files, part)
	}
	return parts
}

// pandocIDs returns the ids that a document gives elements other than headings.
func pandocIDs(text []byte) (ids []string) {
	for _, mark := range []string{"{", "label:"} {
		for m := range source.MatchesIn(text, pandocID, mark) {
			ids = append(ids, string(m[1])+string(m[2]))
		}
	}
	for m := range source.MatchesIn(text, chunkLabel, "```") {
		ids = append(ids, string(m[1]))
	}
	return ids
}

// printsMarkdown reports whether code in a document prints Markdown, which may have headings.
func printsMarkdown(text []byte) bool {
	return bytes.Contains(text, []byte("asis")) && asIs.Match(text)
}

// isMadeByCode reports whether a document has the path of a reference elsewhere, too: its code may write the file.
func isMadeByCode(s *site.Site, r *site.Reference) bool {
	return (r.Form == site.Markdown || r.Form == site.Image) && site.IsWritten(s.Tree.Text(r.Use.File, source.MaxPage), r.Path)
}

// madeByPandoc are the beginnings of ids that are in no source: of tabs, notes, lines of code, citations
// and listings, and of numbered cross references.
var madeByPandoc = strings.Fields("tabset- fn fnref cb ref- callout- eq- quarto- category= title-block / fig: tab: eq: thm: lem: exm: exr: def: cor: prp:")

func makesPandocID(s *site.Site, file, id string) bool {
	return slices.ContainsFunc(madeByPandoc, func(start string) bool { return strings.HasPrefix(id, start) }) ||
		site.IsWritten(s.Tree.Text(file, source.MaxPage), id)
}

// Finish finds the ids that pandoc makes, and the pages that filters and listings may change.
func (g *quarto) Finish(s *site.Site) {
	g.ids.add(s)
	hasFilters := map[string]bool{} // by directory, whose metadata apply to what is below it
	for file, p := range s.ByFile {
		dir := path.Dir(file)
		if _, known := hasFilters[dir]; !known {
			hasFilters[dir] = g.hasFilters(s, dir)
		}
		if hasFilters[dir] || p.Front.Lookup("filters").IsGiven() || p.Front.Lookup("listing").IsGiven() && bytes.Contains(s.Tree.Text(file, site.MaxFront), []byte("template:")) {
			s.SetOpen(file)
		}
	}
}

// hasFilters reports whether the metadata of a directory, or of one that it is in, name programs that change pages.
func (g *quarto) hasFilters(s *site.Site, dir string) bool {
	for ; source.Below(dir, s.Dir); dir = path.Dir(dir) {
		if s.Tree.Read(dir + "/_metadata.yml").Lookup("filters").IsGiven() {
			return true
		}
		if dir == s.Dir {
			break
		}
	}
	return false
}

// link resolves a reference against the page's source, or "/x" against the project: that of a document
// becomes the URL of its page, and any other file is copied. Links of raw HTML are treated in the same way.
// A reference to no file stays as it is.
func (g *quarto) link(s *site.Site, r *site.Reference) []site.Candidate {
	if r.Path == "" {
		return nil
	}
	file := r.FileIn(s.Dir)
	if r.Form == site.Image && path.Ext(file) == "" && s.Tree.IsFile(file+".png") { // default-image-extension
		file += ".png"
	}
	c := site.FileCandidate(file)
	p := s.ByFile[file]
	c.IsAsset = p == nil || r.Form == site.Macro
	switch {
	case p != nil && !c.IsAsset && (!p.Why.IsZero() || p.IsPart):
		return []site.Candidate{{Unknown: noPageByQuarto}}
	case s.Tree.IsFile(file) || r.Form == site.Macro:
		return []site.Candidate{c}
	case site.IsAssetSuffix(r.Suffix()) && isMadeByCode(s, r):
		return []site.Candidate{{Unknown: reason.CodeMakesFile}}
	}
	return append([]site.Candidate{c}, s.URLs(r, r.Path, strings.TrimSuffix(s.Base, "/"))...)
}

// Navigate adds the entries of navigation bars, sidebars and footers, and the chapters of a book: paths from the
// directory of the project.
func (g *quarto) Navigate(s *site.Site, n *site.Navigation) {
	conf := n.Read(s.Config)
	for _, v := range []literal.Value{conf.Get("website"), conf.Get("book")} {
		for _, key := range []string{"navbar", "sidebar", "page-footer", "chapters", "appendices"} {
			g.entries(s, n, v.Get(key), 0)
		}
	}
}

func (g *quarto) entries(s *site.Site, n *site.Navigation, v literal.Value, depth int) {
	const maxDepth = 50
	if depth > maxDepth {
		return
	}
	resolve := func(ref string) site.Result {
		if strings.HasPrefix(ref, "#") {
			return site.Result{State: site.Unknown, Why: fragmentOfEachPage}
		}
		p := &site.Page{File: s.Config, Mount: n.Pages(), Routes: []string{"/"}}
		return s.Resolve(site.Use{Page: p, File: s.Config}, site.Markdown, "nav", ref)
	}
	for _, item := range v.Items {
		if s.IsDocument(item.Text) && !strings.ContainsAny(item.Text, "*?") {
			n.AddIn(s.Dir, s.Config, "nav", item, resolve)
		}
		g.entries(s, n, item, depth+1)
	}
	for key, item := range v.All() {
		switch {
		case key == "href", key == "file", (key == "section" || key == "part" || key == "logo-href") && s.IsDocument(item.Text):
			n.AddIn(s.Dir, s.Config, "nav", item, resolve)
		case item.Kind == literal.List || item.Kind == literal.Map:
			g.entries(s, n, item, depth+1)
		}
	}
}

// Reasons.
var (
	buildOutput        = reason.New(reason.Build, "build-output", "the output of a build")
	fragmentOfEachPage = reason.New(reason.OtherPage, "fragment-of-each-page", "a fragment of each page that shows it")
	generatedFromOther = reason.New(reason.Build, "generated-from-other", "generated from another file")
	ignoredByQuarto    = reason.New(reason.Unpublished, "ignored-by-quarto", "Quarto ignores it")
	noPageByQuarto     = reason.New(reason.Unpublished, "no-page-by-quarto", "a document of which Quarto makes no page")
	notInRender        = reason.New(reason.Unpublished, "not-in-render", "project.render does not list it")
)

// Redirect adds the URL to the aliases of the page.
func (g *quarto) Redirect(e *site.Edits, was, is site.Target) (where string) {
	return e.AddToFront(is.File, "aliases", was.Route)
}
