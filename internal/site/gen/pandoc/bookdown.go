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

// bookdown holds the settings of a book of R Markdown. All chapters become one document, which is then
// split into pages: these have the names of headings, and are in one directory. "#id" can point into any
// chapter.
type bookdown struct {
	files    []string        // of the chapters, in their order
	ids      givenIDs        // other than those of headings
	slugs    map[string]bool // ids of headings, without numbers
	level    int             // of the headings that begin a page
	byFile   bool            // a page has the name of its file
	isOpen   bool            // the names of some pages are not known
	lastPage string          // URL of the page that a chapter without a heading continues
}

// Bookdown finds sites of bookdown.
var Bookdown = &site.Generator{Name: "bookdown", Configs: []string{"_bookdown.yml"}, Indexes: []string{"index.md"}, Find: findBookdown}

// findBookdown finds a book by _bookdown.yml.
func findBookdown(d *source.Dir) []*site.Site {
	if d.First("_bookdown.yml") == "" {
		return nil
	}
	g := &bookdown{ids: givenIDs{}, slugs: map[string]bool{}, level: 1}
	g.findChapters(d)
	const maxChapters = 1000 // each shows the ids of all others
	if len(g.files) == 0 || len(g.files) > maxChapters {
		return nil
	}
	g.readSplit(d)
	isChapter := make(map[string]bool, len(g.files))
	for _, file := range g.files {
		isChapter[strings.TrimPrefix(file, d.Path+"/")] = true
	}
	steps := []site.Step{g.link}
	plan := &site.Plan{
		Generator: "bookdown", Config: "_bookdown.yml", Slug: slug.Pandoc, Dialect: markdown.Bookdown,
		Settings: site.Settings{
			Suffixes: []string{".rmd", ".md"}, PartsInOrder: true, Knows: site.AllIDs,
			Links: site.Links{site.Markdown: steps, site.Image: steps, site.HTML: steps, site.HTMLSource: steps, site.Component: steps},
			Made:  []string{"/index.html", "/libs/", "/search_index.json", "/reference-keys.txt"},
		},
	}
	s := plan.Site(d, g)
	front := source.FrontMatter(d.Tree.Text(g.files[0], site.MaxFront))
	at := strings.ReplaceAll(front.Lookup("url").Or(""), `\:`, ":")
	s.IsBaseKnown = at != ""
	s.SetBase(at)
	s.Mounts = []*site.Mount{
		{Dir: d.Path, URL: "/", Kind: site.Pages, Match: func(rel string) bool { return isChapter[rel] }},
		{Dir: d.Path, URL: "/", Kind: site.Hidden, Why: reason.NoChapter, InPlace: true},
	}
	return []*site.Site{s}
}

// findChapters sets the files of the book.
func (g *bookdown) findChapters(d *source.Dir) {
	conf := d.Tree.Read(d.In("_bookdown.yml"))
	names := conf.Lookup("rmd_files").Texts()
	if lists := conf.Lookup("rmd_files"); lists.Kind == literal.Map {
		names = lists.Lookup("html").Texts()
	}
	if len(names) == 0 {
		below := conf.Lookup("rmd_subdir")
		dirs := below.Texts()
		d.Tree.Files(d.Path, func(name string) bool { return name[0] == '.' || name[0] == '_' }, func(rel string) {
			dir := path.Dir(rel)
			isIn := dir == "." || below.IsTrue(false) || slices.ContainsFunc(dirs, func(name string) bool { return dir == path.Clean(name) })
			if isIn && strings.EqualFold(path.Ext(rel), ".rmd") && path.Base(rel)[0] != '_' {
				names = append(names, rel)
			}
		})
		if i := slices.Index(names, "index.Rmd"); i > 0 {
			names = append([]string{"index.Rmd"}, slices.Delete(names, i, i+1)...)
		}
	}
	for _, name := range names {
		if file, ok := d.Inside(name); ok && d.Tree.IsFile(file) {
			g.files = append(g.files, file)
		}
	}
}

// readSplit reads where the pages of the book begin.
func (g *bookdown) readSplit(d *source.Dir) {
	conf := d.Tree.Read(d.In("_output.yml"))
	for _, format := range conf.Members() {
		switch by := format.Lookup("split_by").Or("chapter"); by {
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

// Route does nothing: Finish finds the URLs, by the headings of all chapters.
func (g *bookdown) Route(*site.Site, *site.Page) {}

// Type returns the media type of a document.
func (g *bookdown) Type(s *site.Site, file string) string { return pandocType(s, file) }

// Parts returns the other chapters, and the files that chunks of code include.
func (g *bookdown) Parts(s *site.Site, _ *site.Page, file string, text []byte) site.Parts {
	g.ids[file] = pandocIDs(text)
	parts := site.Parts{IsOpen: printsMarkdown(text)}
	for m := range source.MatchesIn(text, knitrChild, "child") {
		parts.Files = append(parts.Files, path.Join(path.Dir(file), string(m[1])), path.Join(s.Dir, string(m[1])))
	}
	if s.ByFile[file] != nil {
		parts.Files = append(parts.Files, g.files...)
	}
	return parts
}

var (
	knitrChild = lazy.New(`\bchild\s*=\s*["']([^"']+)["']`)
	rHeading   = lazy.New(`^(#{1,6})[ \t]+([^\r\n]*?)[ \t#]*(\{[^{}]*\})?[ \t]*\r?\n?$`)
	braceID    = lazy.New(`#([^\s}]+)`)
)

// Finish finds the pages, by the headings of all chapters.
func (g *bookdown) Finish(s *site.Site) {
	g.ids.add(s)
	g.lastPage = "/index.html"
	slugger := slug.Slugger{Algorithm: slug.Pandoc}
	for _, file := range g.files {
		p := s.ByFile[file]
		if p == nil {
			continue
		}
		if g.byFile {
			g.lastPage = "/" + slash.Stem(path.Base(file)) + ".html"
			p.Routes = append(p.Routes, g.lastPage)
		}
		g.headings(p, &slugger, s.Tree.Text(file, source.MaxPage))
		if len(p.Routes) == 0 {
			p.Routes = []string{g.lastPage}
		}
	}
	s.Generates = g.isOpen
}

// headings adds the pages that begin in a chapter, and the ids of its headings.
func (g *bookdown) headings(p *site.Page, slugger *slug.Slugger, text []byte) {
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

// MakesID also reports whether an id is that of a heading with a number: the title occurs in several chapters.
func (g *bookdown) MakesID(s *site.Site, file, id string) bool {
	if i := strings.LastIndexByte(id, '-'); i > 0 && strings.Trim(id[i+1:], "0123456789") == "" && g.slugs[id[:i]] {
		return true
	}
	return makesPandocID(s, file, id)
}

// link resolves a reference by the directory of the book, where all pages are. A file is copied; links to
// sources do not become links to pages.
func (g *bookdown) link(s *site.Site, r *site.Reference) []site.Candidate {
	if file := path.Join(s.Dir, r.Path); !r.IsRooted() && r.Path != "" && source.Below(file, s.Dir) {
		c := site.AssetCandidate(file)
		switch ext := r.Suffix(); {
		case s.Tree.IsFile(file):
			return []site.Candidate{c}
		case ext != "" && ext != ".html" && isMadeByCode(s, r):
			return []site.Candidate{{Unknown: reason.CodeMakesFile}}
		case ext == ".rmd" || site.IsAssetSuffix(ext):
			return []site.Candidate{c}
		}
	}
	if all := site.ByURL(s, r); len(all) > 0 {
		return all[:1] // the same from all pages of a chapter
	}
	return nil
}
