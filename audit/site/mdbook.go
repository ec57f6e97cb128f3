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

// findMdBook finds a book by book.toml.
func findMdBook(d *directory) []*Site {
	if d.first("book.toml") == "" {
		return nil
	}
	conf := d.tree.read(d.in("book.toml"))
	src, ok := d.inside(conf.get("book", "src").text("src"))
	if !ok {
		return nil
	}
	s := d.newSite("mdBook", "book.toml")
	s.Slug, s.Dialect = slug.MdBook, markdown.MdBook
	s.setBase(conf.get("output", "html", "site-url").text("/"))
	b := &mdbook{summary: src + "/SUMMARY.md"}
	b.readSummary(d.tree, src)
	s.Mounts = []*Mount{{Dir: src, URL: "/", Kind: Pages}}
	s.suffixes = []string{".md"}
	s.slash, s.copies = slashAlways, copyAll
	s.knowsParts = true
	s.route, s.parts = b.route, b.parts
	s.redirects = []string{"/print.html", "/toc.html", "/404.html", "/index.html", "/searchindex.js", "/searchindex.json"}
	moves := conf.get("output", "html", "redirect")
	for _, from := range moves.keys() {
		s.move(cleanURL(from), moves.get(from).text(""))
	}
	s.finish = b.finish
	s.made = []string{"/css/", "/FontAwesome/", "/fonts/", "/theme/"}
	s.table[Markdown] = []step{b.link}
	s.table[Image] = []step{byURL}
	s.table[HTML] = []step{b.link}
	s.table[HTMLSource] = []step{byURL}
	s.explain = b.explain
	b.isChanged = b.hasProcessor(conf)
	s.hasOthers = b.isChanged
	if b.isChanged {
		s.makesID = writesID
	}
	return []*Site{s}
}

// mdbook holds the settings of a book. Its pages are those that its summary links to.
type mdbook struct {
	summary string
	listed  map[string]bool // paths in the summary, below the sources
	first   string          // the first of them
	// isChanged says that a program of the project changes chapters before mdBook reads them: it may
	// define labels, and give a meaning to names that are no files.
	isChanged bool
}

// processors are preprocessors that neither define labels nor change destinations.
var processors = strings.Fields(`links index toc mermaid admonish katex svgbob footnote linkcheck gettext i18n-helpers pagetoc
	emojicodes keeper quiz d2 plantuml graphviz tera variables template alerts callouts tabs open-on-gh last-changed chapter-zero`)

// writesID reports whether the text of a page contains, as a word, an id or the part after its first
// hyphen. A preprocessor makes ids from the text of the page.
func writesID(s *Site, file, id string) bool {
	text := s.tree.text(file, maxPage)
	_, rest, _ := strings.Cut(id, "-")
	return isWritten(text, id) || isWritten(text, rest)
}

// hasProcessor reports whether the configuration of a book has a preprocessor that may change
// chapters.
func (b *mdbook) hasProcessor(conf value) bool {
	return slices.ContainsFunc(conf.get("preprocessor").keys(), func(name string) bool { return !slices.Contains(processors, name) })
}

var summaryLink = lazy.New(`\]\(\s*(?:<([^>\n]*)>|([^)\s]*))`)

func (b *mdbook) readSummary(t *tree, src string) {
	b.listed = map[string]bool{}
	for _, m := range summaryLink.FindAllSubmatch(t.config(b.summary), -1) {
		rel := path.Clean(strings.TrimPrefix(strings.ReplaceAll(string(m[1])+string(m[2]), "%20", " "), "./"))
		if rel != "." {
			b.listed[rel] = true
			if b.first == "" {
				b.first = rel
			}
		}
	}
}

func (b *mdbook) route(s *Site, p *Page) {
	switch {
	case p.File == b.summary:
		// Its links are those of the navigation, relative to the root.
		p.Routes = []string{"/index.html"}
		p.isPart = false
		return
	case !b.listed[p.Rel]:
		p.Why = "SUMMARY.md does not list it"
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

// finish adds the pages that mdBook makes, including chapters that are listed but do not exist.
func (b *mdbook) finish(s *Site) {
	for _, u := range s.redirects {
		if s.routes[u] == nil {
			s.addRoute(u)
		}
	}
	for rel := range b.listed {
		if stem, ok := strings.CutSuffix(rel, ".md"); ok && s.pages[s.Mounts[0].Dir+"/"+rel] == nil {
			s.addRoute("/" + stem + ".html")
		}
	}
}

// link changes ".md" to ".html", in Markdown and in raw HTML.
func (b *mdbook) link(s *Site, r *reference) []candidate {
	if r.use.File == b.summary && r.suffix() == ".md" {
		return bySource(s, r)
	}
	if r.use.File == b.summary {
		return append(bySource(s, r), byURL(s, r)...)
	}
	p := r.path
	if ext := r.suffix(); b.isChanged && p != "" && !strings.HasSuffix(p, "/") && ext != ".md" && ext != ".html" && !isAssetSuffix(ext) && !s.isSource(r) {
		return []candidate{{unknown: "a preprocessor may know the name"}}
	}
	if i := strings.LastIndex(p, ".md"); i >= 0 {
		p = p[:i] + ".html"
	}
	all := s.urls(r, p, "")
	for i := range all {
		all[i].isStrict = false
	}
	return all
}

func (b *mdbook) explain(s *Site, r *reference) (why, other string) {
	file := path.Join(r.pageDir(), r.path)
	switch p := s.pages[file]; {
	case p == nil && r.use.File == b.summary && r.suffix() == ".md" && b.listed[strings.TrimPrefix(file, s.Mounts[0].Dir+"/")]:
		return "mdBook makes an empty page", ""
	case p == nil || r.isRooted():
		return "", ""
	case file == b.summary:
		return "SUMMARY.md is not a page", ""
	case p.Why != "":
		return "exists, but is not published: " + p.Why, file
	case strings.EqualFold(path.Base(file), "README.md"):
		return "README.md is published as index.html, and links to it are not changed", file
	}
	return "", ""
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

// parts returns the files that a page includes, without those that it shows as code: what they refer to is no reference
// of the page.
func (b *mdbook) parts(s *Site, p *Page, text []byte) (files []string) {
	if !bytes.Contains(text, []byte("{{")) {
		return nil
	}
	code := slices.DeleteFunc(codeIncludes(text), s.isDocument)
	for m := range matchesAt(text, "{{", bookInclude) {
		if slices.Contains(code, string(m[1])) {
			continue
		}
		if file := path.Join(path.Dir(p.File), string(m[1])); below(file, s.tree.root) {
			files = append(files, file)
		}
	}
	return files
}
