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

// bookdown holds the settings of a book of R Markdown. All chapters become one document, which is then split into
// pages: these have the names of headings, and are in one directory. "#id" leads to any chapter.
type bookdown struct {
	files    []string        // of the chapters, in their order
	ids      givenIDs        // other than those of headings
	slugs    map[string]bool // ids of headings, without numbers
	level    int             // of the headings that begin a page
	byFile   bool            // a page has the name of its file
	isOpen   bool            // the names of some pages are not known
	lastPage string          // URL of the page that a chapter without a heading continues
}

// findBookdown finds a book by _bookdown.yml.
func findBookdown(d *directory) []*Site {
	if d.first("_bookdown.yml") == "" {
		return nil
	}
	g := &bookdown{ids: givenIDs{}, slugs: map[string]bool{}, level: 1}
	g.findChapters(d)
	const maxChapters = 1000 // each shows the ids of all others
	if len(g.files) == 0 || len(g.files) > maxChapters {
		return nil
	}
	s := d.newSite("bookdown", "_bookdown.yml")
	s.Slug, s.Dialect = slug.Pandoc, markdown.Bookdown
	front := frontMatter(d.tree.text(g.files[0], maxFront))
	at := strings.ReplaceAll(front.get("url").text(""), `\:`, ":")
	s.IsBaseKnown = at != ""
	s.setBase(at)
	g.readSplit(d)
	isChapter := make(map[string]bool, len(g.files))
	for _, file := range g.files {
		isChapter[strings.TrimPrefix(file, d.dir+"/")] = true
	}
	s.Mounts = []*Mount{
		{Dir: d.dir, URL: "/", Kind: Pages, Match: func(rel string) bool { return isChapter[rel] }},
		{Dir: d.dir, URL: "/", Kind: Hidden, Why: "is not a chapter", InPlace: true},
	}
	s.suffixes = []string{".rmd", ".md"}
	s.made = []string{"/index.html", "/libs/", "/search_index.json", "/reference-keys.txt"}
	s.route, s.partsIn, s.finish = func(*Site, *Page) {}, g.partsIn, g.finish
	s.opens, s.knowsParts = printsMarkdown, true
	s.makesID, s.markupType = g.makesID, pandocType
	for _, form := range []Form{Markdown, Image, HTML, HTMLSource, Component} {
		s.table[form] = []step{g.link}
	}
	return []*Site{s}
}

// findChapters sets the files of the book.
func (g *bookdown) findChapters(d *directory) {
	conf := d.tree.read(d.in("_bookdown.yml"))
	names := conf.get("rmd_files").texts()
	if lists := conf.get("rmd_files"); lists.Kind == literal.Map {
		names = lists.get("html").texts()
	}
	if len(names) == 0 {
		below := conf.get("rmd_subdir")
		dirs := below.texts()
		d.tree.files(d.dir, func(name string) bool { return name[0] == '.' || name[0] == '_' }, func(rel string) {
			dir := path.Dir(rel)
			isIn := dir == "." || below.isTrue(false) || slices.ContainsFunc(dirs, func(name string) bool { return dir == path.Clean(name) })
			if isIn && strings.EqualFold(path.Ext(rel), ".rmd") && path.Base(rel)[0] != '_' {
				names = append(names, rel)
			}
		})
		if i := slices.Index(names, "index.Rmd"); i > 0 {
			names = append([]string{"index.Rmd"}, slices.Delete(names, i, i+1)...)
		}
	}
	for _, name := range names {
		if file, ok := d.inside(name); ok && d.tree.isFile(file) {
			g.files = append(g.files, file)
		}
	}
}

// readSplit reads where the pages of the book begin.
func (g *bookdown) readSplit(d *directory) {
	conf := d.tree.read(d.in("_output.yml"))
	for _, name := range conf.keys() {
		switch by := conf.get(name, "split_by").text("chapter"); by {
		case "chapter":
		case "section":
			g.level = 2
		case "rmd":
			g.byFile = true
		default: // names with numbers
			g.isOpen = true
		}
	}
}

// partsIn returns the other chapters, and the files that chunks of code include.
func (g *bookdown) partsIn(s *Site, _ *Page, file string, text []byte) (files []string) {
	g.ids[file] = pandocIDs(text)
	for m := range matchesIn(text, "child", knitrChild) {
		files = append(files, path.Join(path.Dir(file), string(m[1])), path.Join(s.Dir, string(m[1])))
	}
	if s.pages[file] != nil {
		files = append(files, g.files...)
	}
	return files
}

var (
	knitrChild = lazy.New(`\bchild\s*=\s*["']([^"']+)["']`)
	rHeading   = lazy.New(`^(#{1,6})[ \t]+([^\r\n]*?)[ \t#]*(\{[^{}]*\})?[ \t]*\r?\n?$`)
	braceID    = lazy.New(`#([^\s}]+)`)
)

// finish finds the pages, by the headings of all chapters.
func (g *bookdown) finish(s *Site) {
	g.ids.add(s)
	g.lastPage = "/index.html"
	slugger := slug.Slugger{Flavour: slug.Pandoc}
	for _, file := range g.files {
		p := s.pages[file]
		if p == nil {
			continue
		}
		if g.byFile {
			g.lastPage = "/" + strings.TrimSuffix(path.Base(file), path.Ext(file)) + ".html"
			p.Routes = append(p.Routes, g.lastPage)
		}
		g.headings(p, &slugger, s.tree.text(file, maxPage))
		if len(p.Routes) == 0 {
			p.Routes = []string{g.lastPage}
		}
	}
	s.generates = g.isOpen
}

// headings adds the pages that begin in a chapter, and the ids of its headings.
func (g *bookdown) headings(p *Page, slugger *slug.Slugger, text []byte) {
	var fence []byte
	for line := range bytes.Lines(text) {
		trimmed := bytes.TrimLeft(line, " \t>")
		run := trimmed[:len(trimmed)-len(bytes.TrimLeft(trimmed, string(trimmed[:min(1, len(trimmed))])))]
		switch {
		case len(run) < 3 || run[0] != '`' && run[0] != '~':
		case fence == nil:
			fence = run
		case bytes.HasPrefix(run, fence) && len(bytes.TrimSpace(trimmed)) == len(run):
			fence = nil
		}
		if fence != nil || line[0] != '#' {
			continue
		}
		m := rHeading.Compiled().FindSubmatch(line)
		if m == nil || bytes.HasPrefix(m[2], []byte("(PART")) || bytes.HasPrefix(m[2], []byte("(APPENDIX")) {
			continue
		}
		id := ""
		if own := braceID.Compiled().FindSubmatch(m[3]); own != nil {
			id = string(own[1])
			slugger.Reserve(id)
		} else {
			title := strings.NewReplacer("*", "", "`", "").Replace(string(m[2]))
			if strings.ContainsAny(title, "[<$\\") || strings.Contains(string(m[2]), "`r ") {
				g.isOpen = true
				continue
			}
			g.slugs[slug.Pandoc.Slug(slug.Heading{Text: title, Source: string(m[2])})] = true
			id = slugger.Slug(slug.Heading{Text: title, Source: string(m[2])})
		}
		if len(m[1]) <= g.level && !g.byFile {
			g.lastPage = "/" + id + ".html"
			p.Routes = append(p.Routes, g.lastPage)
		}
	}
}

// makesID also reports whether an id is that of a heading with a number: the title occurs in several chapters.
func (g *bookdown) makesID(s *Site, file, id string) bool {
	if i := strings.LastIndexByte(id, '-'); i > 0 && strings.Trim(id[i+1:], "0123456789") == "" && g.slugs[id[:i]] {
		return true
	}
	return makesPandocID(s, file, id)
}

// link resolves a reference by the directory of the book, where all pages are. A file is copied; links to sources do not
// become links to pages.
func (g *bookdown) link(s *Site, r *reference) []candidate {
	if file := path.Join(s.Dir, r.path); !r.isRooted() && r.path != "" && below(file, s.Dir) {
		c := fileCandidate(file)
		c.isAsset = true
		switch ext := r.suffix(); {
		case s.tree.isFile(file):
			return []candidate{c}
		case ext != "" && ext != ".html" && isMadeByCode(s, r):
			return []candidate{{unknown: "code of the document may make the file"}}
		case ext == ".rmd" || isAssetSuffix(ext):
			return []candidate{c}
		}
	}
	if all := byURL(s, r); len(all) > 0 {
		return all[:1] // the same from all pages of a chapter
	}
	return nil
}
