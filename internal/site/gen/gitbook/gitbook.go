// Package gitbook supports sites of HonKit, of the old GitBook, and of gitbook.com.
package gitbook

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/slash"
)

// A gitbook is a book of HonKit, and of GitBook before 2018, or a space of today's GitBook. Its links name sources, in
// Markdown and in raw HTML; SUMMARY.md lists the pages.
type gitbook struct {
	dir     string // of the sources
	conf    source.Value
	summary string
	readme  string                            // the name of the page of a directory
	names   lazy.Map[string, map[string]bool] // by file, ids of what GitBook shows with an id
	pages   map[string]bool                   // that the summary lists, by path below dir; nil if all documents are pages
}

// HonKit finds sites of HonKit.
var HonKit = &site.Generator{
	Name: "HonKit", Configs: []string{"book.json"}, Contents: []string{"summary.md"},
	Indexes: []string{"README.md"}, Find: findHonKit,
}

// spaceConfigs are the names of the configuration of a space of gitbook.com.
var spaceConfigs = []string{".gitbook.yaml", ".gitbook.yml"}

// findHonKit finds a book by book.json beside a summary, and one for each language. Who has moved to gitbook.com may keep
// book.json.
func findHonKit(d *source.Dir) []*site.Site {
	if d.First("book.json") == "" || d.First(spaceConfigs...) != "" {
		return nil
	}
	conf := d.Tree.Read(d.In("book.json"))
	dir, ok := d.Inside(conf.Lookup("root").Or("."))
	if !ok || conf.IsUnknown() {
		return nil
	}
	dirs := []string{dir}
	if t := d.Tree.Config(dir + "/LANGS.md"); t != nil {
		dirs = nil
		for _, m := range site.SummaryLink.FindAllSubmatch(t, -1) {
			dirs = append(dirs, path.Join(dir, string(m[1])+string(m[2])))
		}
	}
	var sites []*site.Site
	const maxLanguages = 100
	for _, dir := range dirs[:min(len(dirs), maxLanguages)] {
		b := newGitBook(dir, conf)
		if !d.Tree.IsFile(b.summary) || !source.Below(dir, d.Tree.Root) {
			continue
		}
		b.pages = b.readSummary(d.Tree)
		s := b.newSite(d, "HonKit", "book.json")
		s.Slug, s.Dialect = slug.HonKit, markdown.HonKit
		s.Suffixes = append(s.Suffixes, ".adoc", ".asciidoc")
		s.SetModel(honkit{b})
		s.Links = site.Links{site.Markdown: {b.link}, site.Image: {b.image}, site.HTML: {b.link}, site.HTMLSource: {b.image}}
		sites = append(sites, s)
	}
	return sites
}

// GitBook finds sites of GitBook.
var GitBook = &site.Generator{
	Name: "GitBook", Configs: []string{".gitbook.yaml", ".gitbook.yml", ".gitbook/"}, Contents: []string{"summary.md"},
	Indexes: []string{"README.md"}, Find: findGitBook,
}

// findGitBook finds a space by .gitbook.yaml, or by the directory .gitbook beside a summary.
func findGitBook(d *source.Dir) []*site.Site {
	name := d.First(spaceConfigs...)
	if name == "" && (!d.HasDir(".gitbook") || d.First("SUMMARY.md") == "") {
		return nil
	}
	conf := source.Value{}
	if name != "" {
		conf = d.Tree.Read(d.In(name))
	}
	dir, ok := d.Inside(conf.Lookup("root").Or("."))
	if !ok || conf.IsUnknown() {
		return nil
	}
	b := newGitBook(dir, conf)
	s := b.newSite(d, "GitBook", name)
	if name == "" {
		s.Config = d.In("SUMMARY.md")
	}
	s.Slug, s.Dialect = slug.GitBook, markdown.GitBook
	s.DotDirs, s.Copies = []string{".gitbook"}, site.CopiesNames // it uploads them
	s.Links = site.Links{site.Markdown: {b.space}, site.HTML: {b.space}}
	s.SetModel(&space{gitbook: b, listed: b.readSummary(d.Tree)})
	for _, e := range conf.Lookup("redirects").Entries {
		to := source.Value{Value: e.Value}.Or("")
		name, fragment, hash := strings.Cut(to, "#")
		file := path.Join(dir, name)
		u := b.url(path.Clean(name))
		if hash {
			u += "#" + fragment
		}
		s.AddRedirect(site.Entry(s.Config, "redirects", site.Key(e), e.Value), site.CleanURL("/"+e.Key), u, func(s *site.Site) site.Result {
			res := s.TryFile(site.FileCandidate(file))
			res.Tried = []site.Candidate{{File: file}}
			return res
		})
	}
	return []*site.Site{s}
}

func newGitBook(dir string, conf source.Value) *gitbook {
	return &gitbook{
		dir: dir, conf: conf, summary: path.Join(dir, conf.Lookup("structure", "summary").Or("SUMMARY.md")),
		readme: conf.Lookup("structure", "readme").Or("README.md"),
	}
}

func (b *gitbook) newSite(d *source.Dir, generator, config string) *site.Site {
	s := site.New(d, generator, config)
	s.Mounts = []*site.Mount{{Dir: b.dir, URL: "/", Kind: site.Pages}}
	s.Suffixes = []string{".md", ".markdown"}
	s.Knows = site.AllParts
	return s
}

// A honkit is a book that HonKit or the old GitBook makes.
type honkit struct{ *gitbook }

// MakesID reports whether an id is that of a footnote.
func (honkit) MakesID(_ *site.Site, _, id string) bool {
	return strings.HasPrefix(id, "fn_") || strings.HasPrefix(id, "reffn_")
}

// Copies reports whether a file is no part of the book's programs.
func (b honkit) Copies(_ *site.Site, _ *site.Mount, rel string) bool { return b.copies(rel) }

// Expand replaces the variables of the configuration.
func (b honkit) Expand(_ *site.Site, _ site.Use, ref string) (string, bool) { return b.expand(ref) }

// A space is one of gitbook.com.
type space struct {
	*gitbook
	listed map[string]bool // the documents of its summary
}

// Route sets the URL of a page. Links to documents that the summary does not list are not checked differently.
func (b *space) Route(s *site.Site, p *site.Page) {
	b.gitbook.Route(s, p)
	p.IsUnlisted = !b.listed[p.Rel] && s.Tree.IsFile(b.summary)
}

// MakesID reports whether GitBook may show an id.
func (b *space) MakesID(s *site.Site, file, id string) bool { return b.makesID(s, file, id) }

// KnowsTags reports whether a page includes only parts that are in the repository.
func (b *gitbook) KnowsTags(_ *site.Site, text []byte) bool { return !farPart.Match(text) }

// readSummary returns which documents are pages: those of the summary, the first page and the glossary.
func (b *gitbook) readSummary(t *source.Tree) map[string]bool {
	pages := map[string]bool{path.Clean(b.readme): true, b.conf.Lookup("structure", "glossary").Or("GLOSSARY.md"): true}
	for _, m := range bookLink.FindAllSubmatch(t.Config(b.summary), -1) {
		name, _, _ := strings.Cut(ascii.UnescapeAll(string(m[1])), "#")
		pages[strings.TrimPrefix(path.Clean("/"+name), "/")] = true
	}
	return pages
}

// Route sets the URLs of a page.
func (b *gitbook) Route(_ *site.Site, p *site.Page) {
	switch {
	case p.File == b.summary && b.pages != nil:
		p.IsUnlisted = true
		p.Routes = []string{"/index.html"} // its links are those of the navigation
		return
	case b.pages != nil && !b.pages[p.Rel]:
		p.Why, p.IsCopy = reason.NotInSummary, true
		return
	}
	u := b.url(p.Rel)
	p.Routes = []string{u}
	if strings.HasSuffix(u, "/") {
		p.Also = []string{u + "index.html"}
	}
}

// url returns the URL of a source, given its path below b.dir.
func (b *gitbook) url(rel string) string {
	stem := "/" + slash.Stem(rel)
	dir, name := path.Split(stem)
	switch {
	case name == "README" || rel == path.Clean(b.readme):
		return dir
	case b.pages == nil:
		return stem
	}
	return stem + ".html"
}

// unpublished are the names in a book that HonKit does not copy.
var unpublished = strings.Fields("book.json book.js SUMMARY.md LANGS.md package.json node_modules _book _layouts .git .gitignore .bookignore .npmignore .DS_Store")

// copies reports whether HonKit copies a file that is no page.
func (b *gitbook) copies(rel string) bool {
	first, _, _ := strings.Cut(rel, "/")
	return !slices.Contains(unpublished, first)
}

// link resolves a link to a source. Any other is a URL, relative to the page or to the root of the book.
func (b *gitbook) link(s *site.Site, r *site.Reference) []site.Candidate {
	file := r.FileIn(b.dir)
	rel := strings.TrimPrefix(file, b.dir+"/")
	p := s.ByFile[file]
	c := site.FileCandidate(file)
	switch {
	case r.Path == "":
		return nil
	case p != nil && p.Why.IsZero() && file != b.summary:
		if r.Raw != r.Path || strings.Contains(rel, " ") {
			c.Why = keepsEscapes
		}
		return []site.Candidate{c}
	case file == b.summary:
		c.Why = reason.SummaryIsNoPage
		return []site.Candidate{c}
	case p != nil && b.copies(rel): // published as it is
		c.IsAsset = true
		return []site.Candidate{c}
	case s.IsDocument(rel):
		return []site.Candidate{c}
	case !source.Below(file, b.dir):
		return []site.Candidate{{URL: "/" + path.Base(file), Why: outsideBook}}
	}
	u := site.CleanURL("/" + strings.TrimPrefix(rel, b.dir))
	if strings.HasSuffix(r.Path, "/") && u != "/" {
		u += "/"
	}
	return []site.Candidate{site.URLCandidate(u)}
}

// image resolves an image, which any file of the book may be.
func (b *gitbook) image(s *site.Site, r *site.Reference) []site.Candidate {
	if r.Path == "" {
		return nil
	}
	return []site.Candidate{site.AssetCandidate(r.FileIn(b.dir))}
}

// space resolves a reference of today's GitBook: to a file, to a directory with a page, or to the URL of a page.
func (b *gitbook) space(s *site.Site, r *site.Reference) []site.Candidate {
	switch {
	case r.Path == "":
		return nil
	case r.Path == "broken-reference" || strings.HasPrefix(r.Path, "/broken/"):
		return []site.Candidate{{Name: r.Path, Why: gitBookWrote}}
	case strings.HasPrefix(r.Path, "/spaces/") || strings.HasPrefix(r.Path, "/o/") || strings.HasPrefix(r.Path, "/files/"):
		return []site.Candidate{{Unknown: otherSpace}}
	}
	file := r.FileIn(b.dir)
	all := []site.Candidate{site.AssetCandidate(file)}
	if s.Tree.IsDir(file) {
		all = append(all, site.FileCandidate(file+"/README.md")) // structure.readme is that of the root only
		if file == b.dir {
			all = append(all, site.FileCandidate(path.Join(file, b.readme)))
		}
	}
	if !source.Below(file, b.dir) || r.IsRooted() && !source.IsMarkdown(file) {
		all = append(all, site.Candidate{Unknown: outsideSpace})
	}
	if path.Ext(file) == "" {
		all = append(all, site.FileCandidate(file+".md"))
	}
	return all
}

var (
	bookTitle = lazy.New(`(?m)^ {0,3}#{1,6}[ \t]+(.*)$|<summary>(.*?)</summary>|\btitle="([^"\n]*)"`)
	bookID    = lazy.New(`\bid="([^"\n]*)"`)
)

// makesID reports whether GitBook may give an id to a summary or a tab, or number an id that occurs twice.
func (b *gitbook) makesID(s *site.Site, file, id string) bool {
	names := b.names.Get(file, func(file string) map[string]bool {
		names := map[string]bool{}
		for _, m := range bookTitle.FindAllSubmatch(s.Tree.Text(file, source.MaxPage), -1) {
			names[slug.GitBook.Slug(slug.Heading{Text: string(bytes.Join(m[1:], nil))})] = true
		}
		for _, m := range bookID.FindAllSubmatch(s.Tree.Text(file, source.MaxPage), -1) {
			names[string(m[1])] = true
		}
		return names
	})
	return names[id] || names[site.NumberAtEnd.ReplaceAllString(id, "")]
}

// expand replaces "{{ book.name }}" by a variable of the configuration.
func (b *gitbook) expand(ref string) (string, bool) {
	known := true
	out := bookVariable.ReplaceAllStringFunc(ref, func(m string) string {
		v := b.conf.Lookup(append([]string{"variables"}, strings.Split(bookVariable.FindStringSubmatch(m)[1], ".")...)...)
		known = known && v.IsGiven() && !v.IsUnknown()
		return v.Or("")
	})
	return out, known && !strings.Contains(out, "{{") && !strings.Contains(out, "{%")
}

var (
	bookVariable = lazy.New(`\{\{-?\s*book\.([\w.]+)\s*-?\}\}`)
	bookLink     = lazy.New(`\]\(\s*<?([^)>"\n]*[^)>"\s])`)
	farPart      = lazy.New(`\{%-?\s*(?:include|import|extends)\s+(?:[^"'\s]|["'][^"'\n]*:)`)
	bookPart     = lazy.New(`^\{%-?\s*include\s+["']([^"':]+)["']`)
)

// Parts returns the files that a page includes.
func (b *gitbook) Parts(s *site.Site, p *site.Page, _ string, text []byte) (parts site.Parts) {
	for m := range source.MatchesAt(text, "{%", bookPart) {
		parts.Add(s, source.Join(path.Dir(p.File), b.dir, string(m[1])))
	}
	return parts
}

// Reasons.
var (
	gitBookWrote = reason.New(reason.Unpublished, "git-book-wrote", "GitBook wrote this in place of a link that led nowhere")
	keepsEscapes = reason.New(reason.Unpublished, "keeps-escapes", "HonKit does not decode %20 in links to pages")
	otherSpace   = reason.New(reason.OtherSite, "other-space", "another space of the organization")
	outsideBook  = reason.New(reason.Unpublished, "outside-book", "is outside the book")
	outsideSpace = reason.New(reason.Unpublished, "outside-space", "outside the space")
)

// redirectMap matches the key of the redirects, and the indentation of the first of them.
var redirectMap = lazy.New(`(?m)^redirects:[ \t]*\r?\n([ \t]+)`)

// Redirect adds a redirect to .gitbook.yaml, from a URL to a source.
func (s *space) Redirect(e *site.Edits, was, is site.Target) (where string) {
	conf := e.ConfigText()
	at := redirectMap.Compiled().FindSubmatchIndex(conf)
	to, isIn := strings.CutPrefix(is.File, s.dir+"/")
	from := strings.Trim(was.Route, "/")
	if at == nil || !isIn || from == "" || strings.ContainsAny(from+to, "'\n\\:#") {
		return ""
	}
	e.Set(e.Config, slices.Concat(conf[:at[2]], conf[at[2]:at[3]], fmt.Appendf(nil, "%s: %s\n", from, to), conf[at[2]:]))
	return "redirects in " + e.Config
}
