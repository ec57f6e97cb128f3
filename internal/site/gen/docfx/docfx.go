// Package docfx supports sites of DocFX and of Microsoft Learn.
package docfx

import (
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

// model holds the settings of a docfx.json: of DocFX, or of a docset of Microsoft Learn.
type model struct {
	isLearn bool
	apis    []string        // directories in which a build describes the interfaces of programs
	moved   map[string]bool // files, in lower case, whose URLs redirect elsewhere
	base    string          // of a docset, below its host; "" if it is not known
	open    []string        // files that include others which are not in the repository
	left    int             // patterns and directories that may still be read: each file may be compared with all of them
}

// learnConfig is at the root of a repository of Microsoft Learn.
const learnConfig = ".openpublishing.publish.config.json"

// Generator finds sites of DocFX.
var Generator = &site.Generator{Name: "DocFX", Configs: []string{"docfx.json"}, Indexes: []string{"index.md"}, Output: "_site", Find: find}

// find finds a site by docfx.json.
func find(d *source.Dir) []*site.Site {
	if d.First("docfx.json") == "" {
		return nil
	}
	conf := d.Tree.Read(d.In("docfx.json"))
	build := conf.Lookup("build")
	if !build.Lookup("content").IsGiven() {
		return nil
	}
	s := site.New(d, "DocFX", "docfx.json")
	g := &model{isLearn: d.Tree.IsFile(path.Join(d.Tree.Root, learnConfig)), moved: map[string]bool{}, left: 2000}
	s.Slug, s.Dialect = slug.DocFX, markdown.DocFX
	at := build.Lookup("sitemap", "baseUrl").Or(build.Lookup("sitemap", "baseurl").Or(""))
	s.IsBaseKnown = at != ""
	s.SetBase(at)
	g.mounts(s, d, build.Lookup("content"), site.Pages)
	g.mounts(s, d, build.Lookup("resource"), site.Static)
	for _, api := range conf.Lookup("metadata").List() {
		g.left--
		if dir, ok := d.Inside(api.Lookup("dest").Or(api.Lookup("output").Or("api"))); ok {
			g.apis = append(g.apis, dir)
		}
	}
	if g.left < 0 {
		return nil
	}
	rest := &site.Mount{Dir: d.Path, URL: "/", Kind: site.Hidden, Why: notInDocfx, InPlace: true}
	if g.isLearn { // other steps of the build add files
		rest = &site.Mount{Dir: d.Path, URL: "/", Kind: site.Pages, MayBe: true}
		s.Copies, s.IgnoresCase = site.CopiesAll, true
	}
	s.Mounts = append(s.Mounts, rest)
	s.Suffixes = []string{".md", ".yml", ".yaml", ".json"}
	s.Loaded = tocNames
	s.PartsInOrder, s.Knows = true, site.AllIDs
	s.FrontMatter = true
	s.SetModel(g)
	g.redirections(d, s)
	for _, form := range []site.Form{site.Markdown, site.Image, site.HTML, site.HTMLSource, site.Macro} {
		s.Links[form] = []site.Step{g.link}
	}
	return []*site.Site{s}
}

// mounts adds the mounts of a list of files, each with patterns, a source directory and a destination.
func (g *model) mounts(s *site.Site, d *source.Dir, conf source.Value, kind site.Kind) {
	var names []string
	add := func(src, dest string, files, exclude []string) {
		dir, ok := d.Inside(src)
		if g.left -= 1 + len(files) + len(exclude); g.left < 0 {
			return
		}
		matches, excludes := docfxGlobs(files), docfxGlobs(exclude)
		if !ok || matches == nil {
			return
		}
		s.Mounts = append(s.Mounts, &site.Mount{
			Dir: dir, URL: path.Join("/", dest) + site.SlashOf(path.Join("/", dest) != "/"), Kind: kind,
			Match: func(rel string) bool {
				rel = strings.ToLower(rel)
				return matches(rel) && (excludes == nil || !excludes(rel))
			},
		})
	}
	for _, item := range conf.List() {
		if item.Kind == literal.String {
			names = append(names, item.Or(""))
			continue
		}
		src := item.Lookup("src").Or(item.Lookup("cwd").Or(""))
		add(src, item.Lookup("dest").Or(""), item.Lookup("files").Texts(), item.Lookup("exclude").Texts())
	}
	add("", "", names, nil)
}

// docfxGlobs is source.AnyGlob for patterns of DocFX, which ignore case. A pattern with a set of characters
// matches everything.
func docfxGlobs(patterns []string) func(string) bool {
	var all []string
	for _, p := range patterns {
		if strings.ContainsAny(p, "[]!\\") {
			p = "**"
		}
		all = append(all, strings.ToLower(strings.TrimSuffix(p, "/")))
	}
	return source.AnyGlob(all)
}

// Route sets the URLs of a page. Those of Microsoft Learn have no suffix.
func (g *model) Route(_ *site.Site, p *site.Page) {
	at := p.Mount.URL + slash.Stem(p.Rel)
	p.Routes = []string{g.route(p.Mount, p.Rel)}
	dir, isIndex := strings.CutSuffix(at, "/index")
	switch {
	case g.isLearn:
		p.Also = []string{at + ".html"}
	case isIndex:
		p.Also = []string{dir + "/"}
	}
}

// route returns the URL below the base of a document of a mount.
func (g *model) route(m *site.Mount, rel string) string {
	at := m.URL + slash.Stem(rel)
	switch dir, isIndex := strings.CutSuffix(at, "/index"); {
	case !g.isLearn:
		return at + ".html"
	case isIndex:
		return dir + "/"
	}
	return at
}

// Makes reports whether a URL is below that of a directory of generated descriptions.
func (g *model) Makes(s *site.Site, u string) bool {
	for _, m := range s.Mounts {
		if rest, ok := strings.CutPrefix(u, m.URL); ok && m.Kind == site.Pages && g.isAPI(path.Join(m.Dir, rest)) {
			return true
		}
	}
	return false
}

func (g *model) isAPI(file string) bool {
	return slices.ContainsFunc(g.apis, func(dir string) bool { return source.Below(file, dir) })
}

// link resolves a reference against the source file that holds it: DocFX also rewrites those of raw HTML. A
// reference that names no source stays as it is, so that "x.html" is relative to the page.
func (g *model) link(s *site.Site, r *site.Reference) []site.Candidate {
	rest, isHome := strings.CutPrefix(r.Path, "~/")
	switch {
	case r.Path == "":
		return nil
	case r.Use.Page.Mount != nil && r.Use.Page.Mount.Kind == site.Static: // a page that is copied
		return site.ByURL(s, r)
	case r.IsRooted() && g.isLearn:
		return []site.Candidate{{Unknown: otherDocsets}}
	case r.IsRooted():
		return g.rooted(s, r)
	case strings.HasPrefix(r.Path, "~") && !isHome, strings.HasPrefix(r.Path, "@"):
		return site.Never(s, r)
	}
	file := path.Join(r.Dir(), r.Path)
	if isHome {
		file = path.Join(s.Dir, rest)
	}
	if other, ok := s.Tree.OtherCase(file); ok && g.isLearn { // which ignores case
		file = other
	}
	c := site.FileCandidate(file)
	c.IsAsset = r.Form == site.Image && r.In == "link" || r.In == ":::code" // the build reads the file
	switch {
	case s.Tree.IsFile(file) && !c.IsAsset && g.isLearn && !source.Below(file, s.Dir):
		return []site.Candidate{{Unknown: inOtherDocset}}
	case s.Tree.IsFile(file):
	case g.moved[strings.ToLower(file)]:
		return []site.Candidate{{Unknown: redirectedByDocset}}
	case g.isAPI(file):
		return []site.Candidate{{Unknown: reason.MadeByBuild}}
	case strings.HasSuffix(r.Path, "/") && slices.Contains(tocNames, path.Base(r.Use.File)) && g.tocOf(s, file) != "":
		return []site.Candidate{site.FileCandidate(g.tocOf(s, file))}
	case g.isLearn && g.isElsewhere(s, file):
		return []site.Candidate{{Unknown: inDependency}}
	case isHome, r.Form == site.Macro, c.IsAsset, source.IsMarkdown(r.Path):
	default:
		return append([]site.Candidate{c}, site.ByURL(s, r)...)
	}
	return []site.Candidate{c}
}

// rooted resolves "/x". It is not checked if it points nowhere and the base of the site is not known.
func (g *model) rooted(s *site.Site, r *site.Reference) []site.Candidate {
	if u, isIn := s.CutBase(site.CleanURL(r.Path)); isIn && !s.IsBaseKnown {
		if _, ok := s.Lookup(u, false); !ok {
			return []site.Candidate{{Unknown: baseUnknown}}
		}
	}
	return site.ByURL(s, r)
}

// isElsewhere reports whether the first directory of a path below the docset, or below the repository, does not
// exist: a docset may have other repositories mounted there.
func (g *model) isElsewhere(s *site.Site, file string) bool {
	root := s.Dir
	if !source.Below(file, root) {
		root = s.Tree.Root
	}
	rest, ok := strings.CutPrefix(file, root+"/")
	first, _, isBelow := strings.Cut(rest, "/")
	return !ok || isBelow && !s.Tree.IsDir(root+"/"+first)
}

// tocNames are the names of tables of contents.
var tocNames = []string{"toc.yml", "TOC.yml", "toc.md", "TOC.md"}

// tocOf returns the table of contents in a directory, or "".
func (g *model) tocOf(s *site.Site, dir string) string {
	for _, name := range tocNames {
		if file := path.Join(dir, name); s.Tree.IsFile(file) {
			return file
		}
	}
	return ""
}

var docfxInclude = lazy.New(`(?i)\[!include\s*\[[^\]\n]*\]\(\s*([^)\s<>"]+)`)

// Parts returns the files that a file includes. Finish says which are open.
func (g *model) Parts(s *site.Site, _ *site.Page, file string, text []byte) (parts site.Parts) {
	for m := range source.MatchesIn(text, docfxInclude, "[!") {
		ref := string(m[1])
		part := path.Join(path.Dir(file), ref)
		if rest, isHome := strings.CutPrefix(ref, "~/"); isHome {
			part = path.Join(s.Dir, rest)
		}
		if !s.Tree.IsFile(part) {
			g.open = append(g.open, file)
			continue
		}
		parts.Files = append(parts.Files, part)
	}
	return parts
}

// Finish marks the pages that show a file which is not in the repository, and adds the redirects in the
// front matter of pages.
func (g *model) Finish(s *site.Site) {
	g.senders(s)
	for _, file := range g.open {
		s.SetOpen(file)
		for _, p := range s.IncludedBy[file] {
			s.SetOpen(p.File)
		}
	}
}

// Navigate adds the entries of tables of contents.
func (g *model) Navigate(s *site.Site, n *site.Navigation) {
	for _, file := range source.SortedKeys(s.ByFile) {
		if p := s.ByFile[file]; p.Why.IsZero() && path.Ext(file) == ".yml" && slices.Contains(tocNames, path.Base(file)) {
			g.toc(s, n, p, n.Read(file), 0)
		}
	}
}

func (g *model) toc(s *site.Site, n *site.Navigation, p *site.Page, v literal.Value, depth int) {
	const maxDepth = 50
	if depth > maxDepth {
		return
	}
	if v.Kind == literal.Map {
		for _, key := range []string{"href", "topicHref", "tocHref", "homepage"} {
			n.Add(p.File, "toc", v.Get(key), func(ref string) site.Result {
				return s.Resolve(site.Use{Page: p, File: p.File}, site.Markdown, "toc", ref)
			})
		}
		g.toc(s, n, p, v.Get("items"), depth+1)
		return
	}
	for _, item := range v.Items {
		g.toc(s, n, p, item, depth+1)
	}
}

// Reasons.
var (
	baseUnknown        = reason.New(reason.Base, "base-unknown", "the base of the site is not known")
	inDependency       = reason.New(reason.OtherSite, "in-dependency", "in a repository that the docset depends on")
	inOtherDocset      = reason.New(reason.Unpublished, "in-other-docset", "in another docset")
	notInDocfx         = reason.New(reason.Unpublished, "not-in-docfx", "docfx.json does not list it")
	otherDocsets       = reason.New(reason.OtherSite, "other-docsets", "a page of the host, which has other docsets")
	redirectedByDocset = reason.New(reason.Unpublished, "redirected-by-docset", "redirected by the docset")
)
