package site

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/lazy"
)

// A gitbook is a book of HonKit, and of GitBook before 2018, or a space of today's GitBook. Its links name sources, in
// Markdown and in raw HTML; SUMMARY.md lists the pages.
type gitbook struct {
	dir     string // of the sources
	conf    value
	summary string
	readme  string                            // the name of the page of a directory
	names   lazy.Map[string, map[string]bool] // by file, ids of what GitBook shows with an id
	pages   map[string]bool                   // that the summary lists, by path below dir; nil if all documents are pages
}

// findHonKit finds a book by book.json beside a summary, and one for each language.
func findHonKit(d *directory) []*Site {
	if d.first("book.json") == "" {
		return nil
	}
	conf := d.tree.read(d.in("book.json"))
	dir, ok := d.inside(conf.get("root").text("."))
	if !ok || conf.isUnknown() {
		return nil
	}
	dirs := []string{dir}
	if t := d.tree.config(dir + "/LANGS.md"); t != nil {
		dirs = nil
		for _, m := range summaryLink.FindAllSubmatch(t, -1) {
			dirs = append(dirs, path.Join(dir, string(m[1])+string(m[2])))
		}
	}
	var sites []*Site
	const maxLanguages = 100
	for _, dir := range dirs[:min(len(dirs), maxLanguages)] {
		b := newGitBook(dir, conf)
		if !d.tree.isFile(b.summary) || !below(dir, d.tree.root) {
			continue
		}
		b.readSummary(d.tree)
		s := b.newSite(d, "HonKit", "book.json")
		s.Slug, s.Dialect = slug.HonKit, markdown.HonKit
		s.suffixes = append(s.suffixes, ".adoc", ".asciidoc")
		s.copies, s.expand = b.copies, b.expand
		s.table[Markdown], s.table[Image], s.table[HTML] = []step{b.link}, []step{b.image}, []step{b.link}
		s.table[HTMLSource] = s.table[Image]
		s.makesID = func(_ *Site, _, id string) bool {
			return strings.HasPrefix(id, "fn_") || strings.HasPrefix(id, "reffn_")
		}
		sites = append(sites, s)
	}
	return sites
}

// findGitBook finds a space by .gitbook.yaml, or by the directory .gitbook beside a summary.
func findGitBook(d *directory) []*Site {
	name := d.first(".gitbook.yaml", ".gitbook.yml")
	if name == "" && (!d.hasDir(".gitbook") || d.first("SUMMARY.md") == "") {
		return nil
	}
	conf := value{}
	if name != "" {
		conf = d.tree.read(d.in(name))
	}
	dir, ok := d.inside(conf.get("root").text("."))
	if !ok || conf.isUnknown() {
		return nil
	}
	b := newGitBook(dir, conf)
	s := b.newSite(d, "GitBook", name)
	if name == "" {
		s.Config = d.in("SUMMARY.md")
	}
	s.Slug, s.Dialect = slug.GitBook, markdown.GitBook
	s.isLoose, s.copies, s.dotDirs = true, copyAll, []string{".gitbook"}
	s.table[Markdown], s.table[HTML] = []step{b.space}, []step{b.space}
	s.makesID = b.makesID
	for _, from := range conf.get("redirects").keys() {
		s.redirects = append(s.redirects, cleanURL("/"+from))
	}
	s.finish = func(s *Site) {
		for _, u := range s.redirects {
			s.addRoute(u)
		}
	}
	return []*Site{s}
}

func newGitBook(dir string, conf value) *gitbook {
	return &gitbook{
		dir: dir, conf: conf, summary: path.Join(dir, conf.get("structure", "summary").text("SUMMARY.md")),
		readme: conf.get("structure", "readme").text("README.md"),
	}
}

func (b *gitbook) newSite(d *directory, generator, config string) *Site {
	s := d.newSite(generator, config)
	s.Mounts = []*Mount{{Dir: b.dir, URL: "/", Kind: Pages}}
	s.suffixes = []string{".md", ".markdown"}
	s.route, s.parts, s.knowsParts = b.route, b.parts, true
	s.knowsTags = func(_ *Site, text []byte) bool { return !farPart.Match(text) }
	return s
}

// readSummary reads which documents are pages: those of the summary, the first page and the glossary.
func (b *gitbook) readSummary(t *tree) {
	b.pages = map[string]bool{path.Clean(b.readme): true, b.conf.get("structure", "glossary").text("GLOSSARY.md"): true}
	for _, m := range bookLink.FindAllSubmatch(t.config(b.summary), -1) {
		name, _, _ := strings.Cut(ascii.UnescapeAll(string(m[1])), "#")
		b.pages[strings.TrimPrefix(path.Clean("/"+name), "/")] = true
	}
}

func (b *gitbook) route(_ *Site, p *Page) {
	stem := "/" + strings.TrimSuffix(p.Rel, path.Ext(p.Rel))
	switch {
	case p.File == b.summary && b.pages != nil:
		p.Routes = []string{"/index.html"} // its links are those of the navigation
		return
	case b.pages != nil && !b.pages[p.Rel]:
		p.Why, p.isCopy = "SUMMARY.md does not list it", true
		return
	}
	dir, name := path.Split(stem)
	if name == "README" || p.Rel == path.Clean(b.readme) {
		p.Routes = []string{dir}
		p.Also = []string{dir + "index.html"}
		return
	}
	p.Routes = []string{stem + ".html"}
	if b.pages == nil {
		p.Routes = []string{stem}
	}
}

// unpublished are the names in a book that HonKit does not copy.
var unpublished = strings.Fields("book.json book.js SUMMARY.md LANGS.md package.json node_modules _book _layouts .git .gitignore .bookignore .npmignore .DS_Store")

// copies reports whether HonKit copies a file that is no page.
func (b *gitbook) copies(_ *Site, _ *Mount, rel string) bool {
	first, _, _ := strings.Cut(rel, "/")
	return !slices.Contains(unpublished, first)
}

// path returns the file that a reference names.
func (b *gitbook) path(r *reference) string {
	if r.isRooted() {
		return path.Join(b.dir, r.path)
	}
	return path.Join(r.pageDir(), r.path)
}

// link resolves a link to a source. Any other is a URL, relative to the page or to the root of the book.
func (b *gitbook) link(s *Site, r *reference) []candidate {
	file := b.path(r)
	rel := strings.TrimPrefix(file, b.dir+"/")
	p := s.pages[file]
	c := fileCandidate(file)
	switch {
	case r.path == "":
		return nil
	case p != nil && p.Why == "" && file != b.summary:
		if r.raw != r.path || strings.Contains(rel, " ") {
			c.why = "HonKit does not decode %20 in links to pages"
		}
		return []candidate{c}
	case file == b.summary:
		c.why = "SUMMARY.md is not a page"
		return []candidate{c}
	case p != nil && b.copies(s, p.Mount, rel): // published as it is
		c.isAsset = true
		return []candidate{c}
	case s.isDocument(rel):
		return []candidate{c}
	case !below(file, b.dir):
		return []candidate{{Candidate: Candidate{URL: "/" + path.Base(file)}, why: "is outside the book"}}
	}
	u := cleanURL("/" + strings.TrimPrefix(rel, b.dir))
	if strings.HasSuffix(r.path, "/") && u != "/" {
		u += "/"
	}
	return []candidate{urlCandidate(u)}
}

// image resolves an image, which any file of the book may be.
func (b *gitbook) image(s *Site, r *reference) []candidate {
	if r.path == "" {
		return nil
	}
	c := fileCandidate(b.path(r))
	c.isAsset = true
	return []candidate{c}
}

// space resolves a reference of today's GitBook: to a file, to a directory with a page, or to the URL of a page.
func (b *gitbook) space(s *Site, r *reference) []candidate {
	switch {
	case r.path == "":
		return nil
	case r.path == "broken-reference" || strings.HasPrefix(r.path, "/broken/"):
		return []candidate{{Candidate: Candidate{Name: r.path}, why: "GitBook wrote this in place of a link that led nowhere"}}
	case strings.HasPrefix(r.path, "/spaces/") || strings.HasPrefix(r.path, "/o/") || strings.HasPrefix(r.path, "/files/"):
		return []candidate{{unknown: "another space of the organization"}}
	}
	file := b.path(r)
	c := fileCandidate(file)
	c.isAsset = true
	all := []candidate{c}
	if s.tree.isDir(file) {
		all = append(all, fileCandidate(file+"/"+path.Base(b.readme)))
	}
	if !below(file, b.dir) || r.isRooted() && !isMarkdownSuffix(file) {
		all = append(all, candidate{unknown: "outside the space"})
	}
	if path.Ext(file) == "" {
		all = append(all, fileCandidate(file+".md"))
	}
	return all
}

var (
	bookTitle   = lazy.New(`(?m)^ {0,3}#{1,6}[ \t]+(.*)$|<summary>(.*?)</summary>|\btitle="([^"\n]*)"`)
	bookID      = lazy.New(`\bid="([^"\n]*)"`)
	numberAtEnd = lazy.New(`-\d+$`)
)

// makesID reports whether GitBook may give an id to a summary or a tab, or number an id that occurs twice.
func (b *gitbook) makesID(s *Site, file, id string) bool {
	names := b.names.Get(file, func(file string) map[string]bool {
		names := map[string]bool{}
		for _, m := range bookTitle.FindAllSubmatch(s.tree.text(file, maxPage), -1) {
			names[slug.GitBook.Slug(slug.Heading{Text: string(bytes.Join(m[1:], nil))})] = true
		}
		for _, m := range bookID.FindAllSubmatch(s.tree.text(file, maxPage), -1) {
			names[string(m[1])] = true
		}
		return names
	})
	return names[id] || names[numberAtEnd.ReplaceAllString(id, "")]
}

// expand replaces "{{ book.name }}" by a variable of the configuration.
func (b *gitbook) expand(_ *Site, _ Use, ref string) (string, bool) {
	known := true
	out := bookVariable.ReplaceAllStringFunc(ref, func(m string) string {
		v := b.conf.get(append([]string{"variables"}, strings.Split(bookVariable.FindStringSubmatch(m)[1], ".")...)...)
		known = known && v.isGiven() && !v.isUnknown()
		return v.text("")
	})
	return out, known && !strings.Contains(out, "{{") && !strings.Contains(out, "{%")
}

var (
	bookVariable = lazy.New(`\{\{-?\s*book\.([\w.]+)\s*-?\}\}`)
	bookLink     = lazy.New(`\]\(\s*<?([^)>"\n]*[^)>"\s])`)
	farPart      = lazy.New(`\{%-?\s*(?:include|import|extends)\s+(?:[^"'\s]|["'][^"'\n]*:)`)
	bookPart     = lazy.New(`^\{%-?\s*include\s+["']([^"':]+)["']`)
)

// parts returns the files that a page includes.
func (b *gitbook) parts(s *Site, p *Page, text []byte) (files []string) {
	if !bytes.Contains(text, []byte("{%")) {
		return nil
	}
	for m := range matchesAt(text, "{%", bookPart) {
		file := path.Join(path.Dir(p.File), string(m[1]))
		if bytes.HasPrefix(m[1], []byte("/")) {
			file = path.Join(b.dir, string(m[1]))
		}
		if below(file, s.tree.root) {
			files = append(files, file)
		}
	}
	return files
}
