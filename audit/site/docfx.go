package site

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/literal"
)

// docfx holds the settings of a docfx.json: of DocFX, or of a docset of Microsoft Learn.
type docfx struct {
	isLearn bool
	apis    []string        // directories in which a build describes the interfaces of programs
	moved   map[string]bool // files, in lower case, whose URLs redirect elsewhere
	open    []string        // files that include others which are not in the repository
	left    int             // patterns and directories that may still be read: each file may be compared with all of them
}

// learnConfig is at the root of a repository of Microsoft Learn.
const learnConfig = ".openpublishing.publish.config.json"

// findDocFX finds a site by docfx.json.
func findDocFX(d *directory) []*Site {
	if d.first("docfx.json") == "" {
		return nil
	}
	conf := d.tree.read(d.in("docfx.json"))
	build := conf.get("build")
	if !build.get("content").isGiven() {
		return nil
	}
	s := d.newSite("DocFX", "docfx.json")
	g := &docfx{isLearn: d.tree.isFile(path.Join(d.tree.root, learnConfig)), moved: map[string]bool{}, left: 2000}
	s.Slug, s.Dialect = slug.DocFX, markdown.DocFX
	at := build.get("sitemap", "baseUrl").text(build.get("sitemap", "baseurl").text(""))
	s.IsBaseKnown = at != ""
	s.setBase(at)
	g.mounts(s, d, build.get("content"), Pages)
	g.mounts(s, d, build.get("resource"), Static)
	for _, api := range conf.get("metadata").list() {
		g.left--
		if dir, ok := d.inside(api.get("dest").text(api.get("output").text("api"))); ok {
			g.apis = append(g.apis, dir)
		}
	}
	if g.left < 0 {
		return nil
	}
	rest := &Mount{Dir: d.dir, URL: "/", Kind: Hidden, Why: "docfx.json does not list it", InPlace: true}
	if g.isLearn { // other steps of the build add files
		rest = &Mount{Dir: d.dir, URL: "/", Kind: Pages}
		s.copies = copyAll
	}
	s.Mounts = append(s.Mounts, rest)
	g.readMoves(d)
	s.suffixes = []string{".md", ".yml", ".yaml", ".json"}
	s.route, s.partsIn, s.finish, s.navigate = g.route, g.partsIn, g.finish, g.navigate
	s.isMadeAt = g.isMadeAt
	s.knowsParts = true
	s.opens = func(*Site, []byte) bool { return false } // see finish
	for _, form := range []Form{Markdown, Image, HTML, HTMLSource, Macro} {
		s.table[form] = []step{g.link}
	}
	return []*Site{s}
}

// mounts adds the mounts of a list of files, each with patterns, a source directory and a destination.
func (g *docfx) mounts(s *Site, d *directory, conf value, kind Kind) {
	var names []string
	add := func(src, dest string, files, exclude []string) {
		dir, ok := d.inside(src)
		if g.left -= 1 + len(files) + len(exclude); g.left < 0 {
			return
		}
		matches, excludes := docfxGlobs(files), docfxGlobs(exclude)
		if !ok || matches == nil {
			return
		}
		s.Mounts = append(s.Mounts, &Mount{
			Dir: dir, URL: path.Join("/", dest) + slashOf(path.Join("/", dest) != "/"), Kind: kind,
			Match: func(rel string) bool {
				rel = strings.ToLower(rel)
				return matches(rel) && (excludes == nil || !excludes(rel))
			},
		})
	}
	for _, item := range conf.list() {
		if item.Kind == literal.String {
			names = append(names, item.text(""))
			continue
		}
		src := item.get("src").text(item.get("cwd").text(""))
		add(src, item.get("dest").text(""), item.get("files").texts(), item.get("exclude").texts())
	}
	add("", "", names, nil)
}

// docfxGlobs is anyGlob for patterns of DocFX, which ignore case. A pattern with a set of characters
// matches everything.
func docfxGlobs(patterns []string) func(string) bool {
	var all []string
	for _, p := range patterns {
		if strings.ContainsAny(p, "[]!\\") {
			p = "**"
		}
		all = append(all, strings.ToLower(strings.TrimSuffix(p, "/")))
	}
	return anyGlob(all)
}

// readMoves reads the redirects of a repository of Microsoft Learn: source paths relative to the file, or to the root.
func (g *docfx) readMoves(d *directory) {
	if !g.isLearn {
		return
	}
	files := d.tree.read(path.Join(d.tree.root, learnConfig)).get("redirection_files").texts()
	for name := range d.tree.list(d.tree.root) {
		if strings.HasPrefix(name, ".openpublishing.redirection") {
			files = append(files, name)
		}
	}
	for _, name := range files {
		file := path.Join(d.tree.root, name)
		for _, move := range d.tree.read(file).get("redirections").list() {
			dir := path.Dir(file)
			from := move.get("source_path").text("")
			if from == "" {
				dir, from = d.tree.root, move.get("source_path_from_root").text("")
			}
			g.moved[strings.ToLower(path.Join(dir, from))] = true
		}
	}
}

func (g *docfx) route(_ *Site, p *Page) {
	at := p.Mount.URL + strings.TrimSuffix(p.Rel, path.Ext(p.Rel))
	p.Routes = []string{at + ".html"}
	if dir, ok := strings.CutSuffix(at, "/index"); ok {
		p.Also = []string{dir + "/"}
	}
}

// isMadeAt reports whether a URL is below that of a directory of generated descriptions.
func (g *docfx) isMadeAt(s *Site, u string) bool {
	for _, m := range s.Mounts {
		if rest, ok := strings.CutPrefix(u, m.URL); ok && m.Kind == Pages && g.isAPI(path.Join(m.Dir, rest)) {
			return true
		}
	}
	return false
}

func (g *docfx) isAPI(file string) bool {
	return slices.ContainsFunc(g.apis, func(dir string) bool { return below(file, dir) })
}

// link resolves a reference by the source file that holds it: DocFX rewrites those of raw HTML, too. One that
// names no source stays as it is, so that "x.html" is relative to the page.
func (g *docfx) link(s *Site, r *reference) []candidate {
	rest, isHome := strings.CutPrefix(r.path, "~/")
	switch {
	case r.path == "":
		return nil
	case r.use.Page.Mount != nil && r.use.Page.Mount.Kind == Static: // a page that is copied
		return byURL(s, r)
	case r.isRooted() && g.isLearn:
		return []candidate{{unknown: "a page of the host, which has other docsets"}}
	case r.isRooted():
		return g.rooted(s, r)
	case strings.HasPrefix(r.path, "~") && !isHome, strings.HasPrefix(r.path, "@"):
		return never(s, r)
	}
	file := path.Join(r.dir(), r.path)
	if isHome {
		file = path.Join(s.Dir, rest)
	}
	if other, ok := s.tree.otherCase(file); ok && g.isLearn { // which ignores case
		file = other
	}
	c := fileCandidate(file)
	c.isAsset = r.form == Image && r.in == "link" || r.in == ":::code" // the build reads the file
	switch {
	case s.tree.isFile(file) && !c.isAsset && g.isLearn && !below(file, s.Dir):
		return []candidate{{unknown: "in another docset"}}
	case s.tree.isFile(file):
	case g.moved[strings.ToLower(file)]:
		return []candidate{{unknown: "redirected by the docset"}}
	case g.isAPI(file):
		return []candidate{{unknown: "is made at build time"}}
	case strings.HasSuffix(r.path, "/") && slices.Contains(tocNames, path.Base(r.use.File)) && g.tocOf(s, file) != "":
		return []candidate{fileCandidate(g.tocOf(s, file))}
	case g.isLearn && g.isElsewhere(s, file):
		return []candidate{{unknown: "in a repository that the docset depends on"}}
	case isHome, r.form == Macro, c.isAsset, isMarkdownSuffix(r.path):
	default:
		return append([]candidate{c}, byURL(s, r)...)
	}
	return []candidate{c}
}

// rooted resolves "/x". It is not judged if it leads nowhere and the base of the site is not known.
func (g *docfx) rooted(s *Site, r *reference) []candidate {
	if u, isIn := s.cutBase(cleanURL(r.path)); isIn && !s.IsBaseKnown {
		if _, ok := s.lookup(u, false); !ok {
			return []candidate{{unknown: "the base of the site is not known"}}
		}
	}
	return byURL(s, r)
}

// isElsewhere reports whether the first directory of a path below the docset, or below the repository, does not
// exist: a docset may have other repositories mounted there.
func (g *docfx) isElsewhere(s *Site, file string) bool {
	root := s.Dir
	if !below(file, root) {
		root = s.tree.root
	}
	rest, ok := strings.CutPrefix(file, root+"/")
	first, _, isBelow := strings.Cut(rest, "/")
	return !ok || isBelow && !s.tree.isDir(root+"/"+first)
}

// tocNames are the names of tables of contents.
var tocNames = []string{"toc.yml", "TOC.yml", "toc.md", "TOC.md"}

// tocOf returns the table of contents in a directory, or "".
func (g *docfx) tocOf(s *Site, dir string) string {
	for _, name := range tocNames {
		if file := path.Join(dir, name); s.tree.isFile(file) {
			return file
		}
	}
	return ""
}

var docfxInclude = lazy.New(`(?i)\[!include\s*\[[^\]\n]*\]\(\s*([^)\s<>"]+)`)

// partsIn returns the files that a file includes.
func (g *docfx) partsIn(s *Site, _ *Page, file string, text []byte) (files []string) {
	for m := range matchesIn(text, "[!", docfxInclude) {
		ref := string(m[1])
		part := path.Join(path.Dir(file), ref)
		if rest, isHome := strings.CutPrefix(ref, "~/"); isHome {
			part = path.Join(s.Dir, rest)
		}
		if !s.tree.isFile(part) {
			g.open = append(g.open, file)
			continue
		}
		files = append(files, part)
	}
	return files
}

// finish marks the pages that show a file which is not in the repository.
func (g *docfx) finish(s *Site) {
	for _, file := range g.open {
		s.open[file] = true
		for _, p := range s.includes[file] {
			s.open[p.File] = true
		}
	}
}

// navigate adds the entries of tables of contents.
func (g *docfx) navigate(s *Site, n *navigator) {
	for _, file := range sortedKeys(s.pages) {
		if p := s.pages[file]; p.Why == "" && path.Ext(file) == ".yml" && slices.Contains(tocNames, path.Base(file)) {
			g.toc(s, n, p, n.read(file), 0)
		}
	}
}

func (g *docfx) toc(s *Site, n *navigator, p *Page, v literal.Value, depth int) {
	const maxDepth = 50
	if depth > maxDepth {
		return
	}
	if v.Kind == literal.Map {
		for _, key := range []string{"href", "topicHref", "tocHref", "homepage"} {
			n.add(p.File, "toc", v.Get(key), func(ref string) Result {
				return s.Resolve(Use{Page: p, File: p.File}, Markdown, "toc", ref)
			})
		}
		g.toc(s, n, p, v.Get("items"), depth+1)
		return
	}
	for _, item := range v.Items {
		g.toc(s, n, p, item, depth+1)
	}
}
