// Package wiki supports sites of notes and wikis: Obsidian, Quartz, and the wikis of GitHub, Gitea, GitLab and Azure
// DevOps.
package wiki

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/slash"
)

// wikiSuffixes are those of files that wikis show as pages.
var wikiSuffixes = strings.Fields(".md .markdown .mdown .mkdn .mkd .rst .adoc .asciidoc .org .textile .creole .mediawiki .rdoc .pod")

// A pageWiki is a wiki whose pages are the files of a repository. Its links name pages, as they are shown,
// rather than files.
type pageWiki struct {
	dir    string
	isFlat bool              // a name means a page of any directory
	pages  map[string]string // files of pages, by keyOf their paths or names
	steps  func(w *pageWiki, r *site.Reference) []string
}

// Wiki finds sites of Wiki.
var Wiki = &site.Generator{Name: "Wiki", Configs: []string{"Home.*", "home.*"}, Find: findWiki}

// findWiki finds the wiki of a repository at GitHub or Gitea: Home beside _Sidebar, _Footer or _Header, or in a
// directory that is named like the clone of a wiki. Home is home in GitLab.
func findWiki(d *source.Dir) []*site.Site {
	var home, frame string
	for name, mode := range d.Names() {
		ext := strings.ToLower(path.Ext(name))
		if mode.IsDir() || !slices.Contains(wikiSuffixes, ext) {
			continue
		}
		switch slash.Stem(name) {
		case "Home", "home":
			home = max(home, name)
		case "_Sidebar", "_Footer", "_Header", "_sidebar":
			frame = max(frame, name)
		}
	}
	isClone := strings.HasSuffix(d.Path, ".wiki")
	switch {
	case home == "" || frame == "" && !isClone || d.First("index.html", "index.htm") != "":
		return nil
	case home[0] == 'h' && (isClone || frame[1] == 's'):
		return []*site.Site{newWiki(d, "GitLabWiki", home, &pageWiki{dir: d.Path, steps: (*pageWiki).byGitLab})}
	case home[0] == 'H' && (isClone || frame[1] != 's'):
		return []*site.Site{newWiki(d, "Wiki", home, &pageWiki{dir: d.Path, isFlat: true, steps: (*pageWiki).byName})}
	}
	return nil
}

// frames are the names of the documents that a wiki shows around each page.
var frames = func() (all []string) {
	for _, ext := range wikiSuffixes {
		all = append(all, "_Sidebar"+ext, "_Footer"+ext, "_Header"+ext, "_sidebar"+ext)
	}
	return all
}()

// azureFiles is the directory of the attachments of a wiki of Azure DevOps.
const azureFiles = ".attachments"

// AzureWiki finds sites of AzureWiki.
var AzureWiki = &site.Generator{Name: "AzureWiki", Configs: []string{".order"}, Find: findAzureWiki}

// findAzureWiki finds a wiki of Azure DevOps: the uppermost directory with a file .order that lists a page
// of the directory.
func findAzureWiki(d *source.Dir) []*site.Site {
	if d.First(".order") == "" || d.Path != d.Tree.Root && d.Tree.IsFile(path.Join(path.Dir(d.Path), ".order")) {
		return nil
	}
	for line := range strings.Lines(string(d.Tree.Config(d.In(".order")))) {
		if name := strings.TrimSpace(strings.TrimPrefix(line, "\ufeff")); name != "" && d.First(name+".md") != "" {
			s := newWiki(d, "AzureWiki", ".order", &pageWiki{dir: d.Path, steps: (*pageWiki).byAzure})
			s.DotDirs, s.Copies = []string{azureFiles}, site.CopiesNames
			s.IsLoose = true
			return []*site.Site{s}
		}
	}
	return nil
}

func newWiki(d *source.Dir, generator, config string, w *pageWiki) *site.Site {
	plan := &site.Plan{
		Generator: generator, Config: config, Slug: slug.GitHub, Dialect: markdown.Wiki, Pages: d.Path,
		Settings: site.Settings{
			Suffixes: wikiSuffixes, Copies: site.CopiesLinked, IsWiki: true, Loaded: frames,
			Links: site.Links{site.Markdown: {w.link}, site.HTML: {w.html}},
		},
	}
	return plan.Site(d, w)
}

// Route sets the URL of a page.
func (w *pageWiki) Route(_ *site.Site, p *site.Page) {
	name := slash.Stem(p.Rel)
	if w.isFlat {
		name = path.Base(name)
	}
	p.Routes = []string{"/" + strings.ReplaceAll(name, " ", "-")}
}

// MakesID reports whether an id is in an old form of GitHub.
func (w *pageWiki) MakesID(_ *site.Site, _, id string) bool {
	return w.isFlat && strings.HasPrefix(id, "wiki-")
}

// keyOf returns the form of a page's name in which names are compared: spaces are hyphens, and case is
// ignored, as in some of the wikis.
func keyOf(name string) string {
	return site.WikiKey(strings.ReplaceAll(strings.ReplaceAll(name, " ", "-"), "%2d", "-"))
}

// Finish fills w.pages. Of several pages with one name, the one nearest to the root counts.
func (w *pageWiki) Finish(s *site.Site) {
	w.pages = map[string]string{}
	depth := map[string]int{}
	add := func(key, file string) {
		n := strings.Count(file, "/")
		if known, has := depth[key]; !has || n < known {
			w.pages[key], depth[key] = file, n
		}
	}
	s.Tree.Files(w.dir, s.Skips, func(rel string) {
		ext := path.Ext(rel)
		if !slices.Contains(wikiSuffixes, strings.ToLower(ext)) {
			return
		}
		name := strings.TrimSuffix(strings.TrimSuffix(rel, ext), ".-") // Gitea's mark of a name with hyphens
		if w.isFlat {
			name = path.Base(name)
		}
		file := w.dir + "/" + rel
		add(keyOf(name), file)
		add(keyOf(ascii.UnescapeAll(name)), file)
	})
}

// find returns the file of the page or of the attachment with a path from the root of the wiki, or "".
func (w *pageWiki) find(s *site.Site, name string) string {
	name = strings.TrimPrefix(path.Clean("/"+name), "/")
	if s.Tree.IsFile(w.dir + "/" + name) {
		return w.dir + "/" + name
	}
	if isWikiSuffix(name) {
		name = slash.Stem(name)
	}
	if file := w.pages[keyOf(name)]; file != "" {
		return file
	}
	return w.pages[keyOf(ascii.UnescapeAll(name))]
}

func isWikiSuffix(name string) bool {
	return slices.Contains(wikiSuffixes, strings.ToLower(path.Ext(name)))
}

// link resolves a link of Markdown.
func (w *pageWiki) link(s *site.Site, r *site.Reference) []site.Candidate {
	if r.Path == "" {
		return nil
	}
	paths := w.steps(w, r)
	for _, name := range paths {
		if file := w.find(s, name); file != "" {
			c := site.FileCandidate(file)
			c.IsAsset = s.ByFile[file] == nil
			return []site.Candidate{c}
		}
		if s.Tree.IsDir(path.Join(w.dir, name)) {
			return []site.Candidate{{Unknown: wikiDirectory}}
		}
	}
	if strings.Contains(r.Path, azureFiles+"/") && !s.Tree.IsDir(path.Join(w.dir, azureFiles)) {
		return []site.Candidate{{Unknown: attachmentsElsewhere}}
	}
	if why := w.mayBe(r); !why.IsZero() {
		return []site.Candidate{{Unknown: why}}
	}
	return []site.Candidate{{Name: r.Path}}
}

// html resolves a link of raw HTML, which the wiki may leave as it is: one that points nowhere is not checked.
func (w *pageWiki) html(s *site.Site, r *site.Reference) []site.Candidate {
	all := w.link(s, r)
	if len(all) == 1 && all[0].File == "" {
		return site.Never(s, r)
	}
	return all
}

// mayBe says what else a path that names no page may point to.
func (w *pageWiki) mayBe(r *site.Reference) reason.Reason {
	first, _, _ := strings.Cut(strings.TrimPrefix(r.Path, "/"), "/")
	switch {
	case strings.HasPrefix(path.Join("/", w.rel(path.Dir(r.Use.File)), r.Path), "/_"), strings.HasPrefix(first, "_"), strings.Contains(r.Path, "/_"):
		return reason.PageOfHost
	case climbs(w.rel(path.Dir(r.Use.File)), r.Path):
		return reason.PageOfHost
	case w.isFlat && r.IsRooted():
		return reason.PageOfHost
	case w.isFlat && strings.Contains(strings.TrimPrefix(r.Path, "./"), "/") && path.Ext(r.Path) == "" && w.mayLead(r):
		return pathInWiki
	case strings.HasPrefix(r.Path, "/uploads/"):
		return uploadElsewhere
	}
	return reason.Reason{}
}

// mayLead reports whether a path with directories may point to a page: one with its last name, or one of
// the code host, since Home and the pages shown beside it have a URL above the others.
func (w *pageWiki) mayLead(r *site.Reference) bool {
	name := path.Base(r.Use.File)
	return w.pages[keyOf(path.Base(r.Path))] != "" || name[0] == '_' || strings.HasPrefix(name, "Home.")
}

// rel returns the path of a directory below the root of the wiki.
func (w *pageWiki) rel(dir string) string { return strings.TrimPrefix(dir, w.dir) }

// climbs reports whether a relative path leads above the root from a directory.
func climbs(dir, p string) bool {
	if strings.HasPrefix(p, "/") {
		dir = ""
	}
	joined := path.Join(strings.Trim(dir, "/"), strings.TrimLeft(p, "/"))
	return joined == ".." || strings.HasPrefix(joined, "../")
}

// byName returns the paths that a link may mean where all pages are shown in one directory. It finds an
// attachment by its path from the root or from the file, and a page by its name.
func (w *pageWiki) byName(r *site.Reference) []string {
	if r.IsRooted() {
		return nil
	}
	p := strings.TrimPrefix(r.Path, "./")
	paths := []string{p, path.Join(w.rel(r.Dir()), p)}
	if dir, name := path.Split(p); dir == "" || strings.Trim(dir, "./") == "" || dir == "wiki/" || dir == "../wiki/" {
		paths = append(paths, name)
	}
	return paths
}

// byGitLab follows GitLab: a path with a suffix, or that begins with a dot, is relative to the page, all
// others to the root of the wiki.
func (w *pageWiki) byGitLab(r *site.Reference) []string {
	beside := path.Join(w.rel(r.Dir()), r.Path)
	switch {
	case r.IsRooted():
		return []string{r.Path}
	case strings.HasPrefix(r.Path, "."):
		return []string{beside}
	case path.Ext(r.Path) != "":
		return []string{beside, r.Path}
	}
	return []string{r.Path}
}

// byAzure returns the paths from the root, from the directory of the page, and from the directory of its
// subpages.
func (w *pageWiki) byAzure(r *site.Reference) []string {
	if r.IsRooted() {
		return []string{r.Path}
	}
	file := w.rel(r.Use.File)
	return []string{path.Join(path.Dir(file), r.Path), path.Join(slash.Stem(file), r.Path), r.Path}
}

// Wiki is the rule of [site.Site.Wiki]: [[page]], and [[picture]].
func (w *pageWiki) Wiki(s *site.Site, u site.Use, name string) site.Result {
	res := site.Result{State: site.Missing, Tried: []site.Candidate{{Name: name}}}
	switch {
	case strings.Contains(name, "://"), strings.HasPrefix(name, "mailto:"), strings.HasPrefix(name, "_"):
		return site.Result{State: site.Unknown, Why: reason.FormUnknown}
	}
	r := &site.Reference{Raw: name, Path: name, Use: u}
	for _, p := range append([]string{name}, w.steps(w, r)...) {
		if file := w.find(s, p); file != "" {
			res.State, res.File, res.Page = site.Found, file, s.ByFile[file]
			return res
		}
	}
	if strings.Contains(name, "/") && w.isFlat && w.mayLead(r) {
		return site.Result{State: site.Unknown, Why: pathInWiki}
	}
	return res
}

// Reasons.
var (
	attachmentsElsewhere = reason.New(reason.OtherSite, "attachments-elsewhere", "attachments that are not in the tree")
	pathInWiki           = reason.New(reason.Base, "path-in-wiki", "a path with directories, in a wiki that has none")
	wikiDirectory        = reason.New(reason.Unpublished, "wiki-directory", "a directory of the wiki")
)

// Reasons.
var (
	uploadElsewhere = reason.New(reason.OtherSite, "upload-elsewhere", "an upload, which may be elsewhere")
)
