// Package mdbook supports sites of mdBook.
package mdbook

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/slash"
)

// Generator finds sites of mdBook.
var Generator = &site.Generator{
	Name: "mdBook", Configs: []string{"book.toml", "book.toml.in"}, Contents: []string{"summary.md"},
	Indexes: []string{"index.md", "README.md"}, Output: "book", Find: find,
}

// find finds a book by book.toml, or by book.toml.in, of which a build makes it.
func find(d *source.Dir) []*site.Site {
	name := d.First("book.toml", "book.toml.in")
	if name == "" {
		return nil
	}
	conf := d.Tree.Read(d.In(name))
	src, ok := d.Inside(conf.Lookup("book", "src").Or("src"))
	if !ok {
		return nil
	}
	b := &model{summary: src + "/SUMMARY.md", isChanged: hasProcessor(conf)}
	if !d.Tree.IsFile(b.summary) && d.Tree.IsFile(b.summary+".in") {
		b.summary += ".in"
	}
	b.isMade = path.Ext(name) == ".in" || path.Ext(b.summary) == ".in"
	b.readSummary(d.Tree, src)
	html := conf.Lookup("output", "html")
	plan := &site.Plan{
		Generator: "mdBook", Config: name, Slug: slug.MdBook, Dialect: markdown.MdBook,
		Base: html.Lookup("site-url"), Pages: src, Moves: html.Lookup("redirect").Entries,
		Settings: site.Settings{
			Suffixes: []string{".md"}, Slash: site.SlashAlways, Copies: site.CopiesAll, Knows: site.AllParts, Footnotes: "footnote-",
			Links:     site.Links{site.Markdown: {b.link}, site.Image: {site.ByURL}, site.HTML: {b.link}, site.HTMLSource: {site.ByURL}, site.Macro: {b.include}},
			Made:      []string{"/css/", "/FontAwesome/", "/fonts/", "/theme/"},
			Routeless: []string{"/print.html", "/toc.html", "/404.html", "/index.html", "/searchindex.js", "/searchindex.json"},
		},
	}
	return []*site.Site{plan.Site(d, b)}
}

// MayBeObject reports whether a preprocessor may know a label.
func (b *model) MayBeObject(label string) bool {
	return b.isChanged && !strings.Contains(label, "://")
}

// MakesID reports whether a preprocessor may make an id.
func (b *model) MakesID(s *site.Site, file, id string) bool {
	return b.isChanged && writesID(s, file, id)
}

// model holds the settings of a book. Its pages are those that its summary links to.
type model struct {
	summary string
	listed  map[string]bool // paths in the summary, below the sources
	first   string          // the first of them
	// lists are the directories of the lists of chapters that a build puts into the summary; "" is src itself.
	lists []string
	// lacksChapter says that the summary lists a chapter that is not here: it may mean one that it does not list.
	lacksChapter bool
	// isChanged says that a program of the project changes chapters before mdBook reads them: it may
	// define labels, and give a meaning to names that are no files.
	isChanged bool
	isMade    bool // a build makes the configuration or the summary
}

// processors are preprocessors that neither define labels nor change destinations.
var processors = strings.Fields(`links index toc mermaid admonish katex svgbob footnote linkcheck gettext i18n-helpers pagetoc
	emojicodes keeper quiz d2 plantuml graphviz tera variables template alerts callouts tabs open-on-gh last-changed chapter-zero`)

// writesID reports whether the text of a page contains an id as "{#id}", or as a word that or the part after
// its first hyphen. A preprocessor makes ids from the text of the page.
func writesID(s *site.Site, file, id string) bool {
	text := s.Tree.Text(file, source.MaxPage)
	_, rest, _ := strings.Cut(id, "-")
	return bytes.Contains(text, []byte("{#"+id+"}")) || site.IsWritten(text, id) || site.IsWritten(text, rest)
}

// hasProcessor reports whether the configuration of a book has a preprocessor that may change
// chapters.
func hasProcessor(conf source.Value) bool {
	return slices.ContainsFunc(conf.Lookup("preprocessor").Keys(), func(name string) bool { return !slices.Contains(processors, name) })
}

// readSummary reads the summary of the book in src. A build changes SUMMARY.md.in before mdBook reads it.
func (b *model) readSummary(t *source.Tree, src string) {
	b.listed = map[string]bool{}
	if path.Ext(b.summary) == ".in" {
		for m := range source.MatchesAt(t.Config(b.summary), "{{", bookInclude) {
			dir, _ := path.Split(strings.TrimPrefix(path.Join(src, string(m[1])), src+"/"))
			b.lists = append(b.lists, dir)
		}
		b.lacksChapter = len(b.lists) > 0
	}
	for _, m := range site.SummaryLink.FindAllSubmatch(t.Config(b.summary), -1) {
		rel := path.Clean(strings.TrimPrefix(strings.ReplaceAll(string(m[1])+string(m[2]), "%20", " "), "./"))
		if rel != "." {
			b.listed[rel] = true
			if b.first == "" {
				b.first = rel
			}
		}
	}
}

// Route sets the URLs of a page.
func (b *model) Route(s *site.Site, p *site.Page) {
	switch {
	case p.File == b.summary:
		// Its links are those of the navigation, relative to the root.
		p.Routes = []string{"/index.html"}
		p.IsPart = false
		return
	case !b.listed[p.Rel]:
		p.Why = reason.NotInSummary
		return
	}
	stem := strings.TrimSuffix(p.Rel, ".md")
	if dir, name := path.Split(stem); strings.EqualFold(name, "README") {
		stem = dir + "index"
	}
	p.Routes = []string{"/" + stem + ".html"}
	if p.Rel == b.first {
		p.Also = []string{"/", "/index.html"}
	}
	if dir, name := path.Split(stem); name == "index" {
		p.Also = append(p.Also, "/"+dir)
	}
}

// IsInPlace reports whether a file is a document that the summary does not list and no chapter includes.
// mdBook leaves it out, so people read it where the repository is shown. While a chapter is missing, no
// file is.
func (b *model) IsInPlace(s *site.Site, file string) bool {
	p := s.ByFile[file]
	return !b.lacksChapter && p != nil && p.Why.Is(reason.NotInSummary) && path.Ext(file) == ".md" && len(s.IncludedBy[file]) == 0
}

// mayList reports whether a chapter, a path below the sources, may be in a list that a build puts into the
// summary. Such a list has the chapters of its own directory; one beside the summary may have any.
func (b *model) mayList(rel string) bool {
	return !b.listed[rel] && slices.ContainsFunc(b.lists, func(dir string) bool { return strings.HasPrefix(rel, dir) })
}

// Finish adds the pages that mdBook makes, including chapters that are listed but do not exist.
func (b *model) Finish(s *site.Site) {
	for rel := range b.listed {
		if stem, ok := strings.CutSuffix(rel, ".md"); ok && s.ByFile[s.Mounts[0].Dir+"/"+rel] == nil {
			s.AddRoute("/" + stem + ".html")
			b.lacksChapter = true
		}
	}
}

// link changes ".md" to ".html", in Markdown and in raw HTML.
func (b *model) link(s *site.Site, r *site.Reference) []site.Candidate {
	if r.Use.File == b.summary && r.Suffix() == ".md" {
		return site.BySource(s, r)
	}
	if r.Use.File == b.summary {
		return append(site.BySource(s, r), site.ByURL(s, r)...)
	}
	p := r.Path
	if ext := r.Suffix(); b.isChanged && p != "" && !strings.HasSuffix(p, "/") && ext != ".md" && ext != ".html" && !site.IsAssetSuffix(ext) && !s.IsSource(r) {
		return []site.Candidate{{Unknown: preprocessorName}}
	}
	if i := strings.LastIndex(p, ".md"); i >= 0 {
		p = p[:i] + ".html"
	}
	all := s.URLs(r, p, "")
	for i := range all {
		all[i].IsStrict = false
	}
	rel, isBelow := strings.CutPrefix(path.Join(r.PageDir(), slash.Stem(r.Path)+".md"), s.Mounts[0].Dir+"/")
	if ext := r.Suffix(); isBelow && (ext == ".md" || ext == ".html") && !r.IsRooted() && b.mayList(rel) {
		all = append(all, site.Candidate{Unknown: reason.MadeByBuild})
	}
	return all
}

// include resolves the file of {{#include x}}, relative to the file that includes it. The build that makes
// the configuration may also make the file.
func (b *model) include(_ *site.Site, r *site.Reference) []site.Candidate {
	all := []site.Candidate{site.AssetCandidate(path.Join(r.Dir(), r.Path))}
	if b.isMade {
		all = append(all, site.Candidate{Unknown: reason.MadeByBuild})
	}
	return all
}

// Explain says why the target of a reference does not exist.
func (b *model) Explain(s *site.Site, r *site.Reference) (why reason.Reason, other string) {
	file := path.Join(r.PageDir(), r.Path)
	switch p := s.ByFile[file]; {
	case p == nil && r.Use.File == b.summary && r.Suffix() == ".md" && b.listed[strings.TrimPrefix(file, s.Mounts[0].Dir+"/")]:
		return emptyPage, ""
	case p == nil || r.IsRooted():
		return reason.Reason{}, ""
	case file == b.summary:
		return reason.SummaryIsNoPage, ""
	case !p.Why.IsZero():
		return site.NotPublished(p.Why), file
	case strings.EqualFold(path.Base(file), "README.md"):
		return readmeIsIndex, file
	}
	return reason.Reason{}, ""
}

var bookInclude = lazy.New(`^\{\{\s*#(?:include|rustdoc_include|playground|playpen)\s+([^\s:}]+)`)

var plainInclude = lazy.New(`^\{\{\s*#include\s+([^\s:}]+)`)

// codeIncludes returns the names in the includes that begin a code block.
func codeIncludes(text []byte) (names []string) {
	isFirst := false // line of a code block
	for len(text) > 0 {
		text = bytes.TrimLeft(text, " \t")
		if isFirst && bytes.HasPrefix(text, []byte("{{")) {
			if m := plainInclude.FindSubmatchIndex(text); m != nil {
				names = append(names, string(text[m[2]:m[3]]))
			}
		}
		isFirst = bytes.HasPrefix(text, []byte("```")) || bytes.HasPrefix(text, []byte("~~~"))
		_, text, _ = bytes.Cut(text, []byte{'\n'})
	}
	return names
}

// Parts returns the files that a page includes, without those that it shows as code: the references in
// those are not references of the page.
func (b *model) Parts(s *site.Site, p *site.Page, _ string, text []byte) (parts site.Parts) {
	if !bytes.Contains(text, []byte("{{")) {
		return parts
	}
	code := slices.DeleteFunc(codeIncludes(text), s.IsDocument)
	for m := range source.MatchesAt(text, "{{", bookInclude) {
		if !slices.Contains(code, string(m[1])) {
			parts.Add(s, path.Join(path.Dir(p.File), string(m[1])))
		}
	}
	return parts
}

// Reasons.
var (
	emptyPage        = reason.New(reason.Unpublished, "empty-page", "mdBook makes an empty page")
	preprocessorName = reason.New(reason.Code, "preprocessor-name", "a preprocessor may know the name")
	readmeIsIndex    = reason.New(reason.Unpublished, "readme-is-index", "README.md is published as index.html, and links to it are not changed")
)
