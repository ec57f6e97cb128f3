package site

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/ascii"
)

// wikiSuffixes are those of files that wikis show as pages.
var wikiSuffixes = strings.Fields(".md .markdown .mdown .mkdn .mkd .rst .adoc .asciidoc .org .textile .creole .mediawiki .rdoc .pod")

// A pageWiki is a wiki whose pages are the files of a repository. Its links name pages, as they are shown,
// rather than files.
type pageWiki struct {
	dir    string
	isFlat bool              // a name means a page of any directory
	pages  map[string]string // files of pages, by keyOf their paths or names
	steps  func(w *pageWiki, r *reference) []string
}

// findWiki finds the wiki of a repository at GitHub or Gitea: Home beside _Sidebar, _Footer or _Header, or in a
// directory that is named like the clone of a wiki. Home is home in GitLab.
func findWiki(d *directory) []*Site {
	var home, frame string
	for name, mode := range d.tree.list(d.dir) {
		ext := strings.ToLower(path.Ext(name))
		if mode.IsDir() || !slices.Contains(wikiSuffixes, ext) {
			continue
		}
		switch strings.TrimSuffix(name, path.Ext(name)) {
		case "Home", "home":
			home = max(home, name)
		case "_Sidebar", "_Footer", "_Header", "_sidebar":
			frame = max(frame, name)
		}
	}
	isClone := strings.HasSuffix(d.dir, ".wiki")
	switch {
	case home == "" || frame == "" && !isClone || d.first("index.html", "index.htm") != "":
		return nil
	case home[0] == 'h' && (isClone || frame[1] == 's'):
		return []*Site{newWiki(d, "GitLabWiki", home, &pageWiki{dir: d.dir, steps: (*pageWiki).byGitLab})}
	case home[0] == 'H' && (isClone || frame[1] != 's'):
		return []*Site{newWiki(d, "Wiki", home, &pageWiki{dir: d.dir, isFlat: true, steps: (*pageWiki).byName})}
	}
	return nil
}

// azureFiles is the directory of the attachments of a wiki of Azure DevOps.
const azureFiles = ".attachments"

// findAzureWiki finds a wiki of Azure DevOps: the uppermost directory with a file .order that lists a page
// of the directory.
func findAzureWiki(d *directory) []*Site {
	if d.first(".order") == "" || d.dir != d.tree.root && d.tree.isFile(path.Join(path.Dir(d.dir), ".order")) {
		return nil
	}
	for line := range strings.Lines(string(d.tree.config(d.in(".order")))) {
		if name := strings.TrimSpace(strings.TrimPrefix(line, "\ufeff")); name != "" && d.first(name+".md") != "" {
			s := newWiki(d, "AzureWiki", ".order", &pageWiki{dir: d.dir, steps: (*pageWiki).byAzure})
			s.dotDirs = []string{azureFiles}
			s.isLoose = true
			return []*Site{s}
		}
	}
	return nil
}

func newWiki(d *directory, generator, config string, w *pageWiki) *Site {
	s := d.newSite(generator, config)
	s.Slug, s.Dialect = slug.GitHub, markdown.Wiki
	s.Mounts = []*Mount{{Dir: d.dir, URL: "/", Kind: Pages}}
	s.suffixes = wikiSuffixes
	s.copies = copyAll
	s.route = func(_ *Site, p *Page) {
		name := strings.TrimSuffix(p.Rel, path.Ext(p.Rel))
		if w.isFlat {
			name = path.Base(name)
		}
		p.Routes = []string{"/" + strings.ReplaceAll(name, " ", "-")}
	}
	s.table[Markdown] = []step{w.link}
	s.table[HTML] = []step{w.html}
	s.finish = w.index
	s.wiki = w.resolve
	s.finish = w.index
	s.makesID = func(_ *Site, _, id string) bool { return w.isFlat && strings.HasPrefix(id, "wiki-") } // an old form of GitHub
	return s
}

// IsWiki reports whether s is the wiki of a code host.
func (s *Site) IsWiki() bool { return strings.HasSuffix(s.Generator, "Wiki") }

// keyOf returns the form of a page's name in which names are compared: spaces are hyphens, and case is
// ignored, which some of the wikis do.
func keyOf(name string) string {
	return wikiKey(strings.ReplaceAll(strings.ReplaceAll(name, " ", "-"), "%2d", "-"))
}

// index fills w.pages. Of several pages with one name, the one nearest to the root counts.
func (w *pageWiki) index(s *Site) {
	w.pages = map[string]string{}
	depth := map[string]int{}
	add := func(key, file string) {
		n := strings.Count(file, "/")
		if known, has := depth[key]; !has || n < known {
			w.pages[key], depth[key] = file, n
		}
	}
	s.tree.files(w.dir, s.skips, func(rel string) {
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
func (w *pageWiki) find(s *Site, name string) string {
	name = strings.TrimPrefix(path.Clean("/"+name), "/")
	if s.tree.isFile(w.dir + "/" + name) {
		return w.dir + "/" + name
	}
	if isWikiSuffix(name) {
		name = strings.TrimSuffix(name, path.Ext(name))
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
func (w *pageWiki) link(s *Site, r *reference) []candidate {
	if r.path == "" {
		return nil
	}
	paths := w.steps(w, r)
	for _, name := range paths {
		if file := w.find(s, name); file != "" {
			c := fileCandidate(file)
			c.isAsset = s.pages[file] == nil
			return []candidate{c}
		}
		if s.tree.isDir(path.Join(w.dir, name)) {
			return []candidate{{unknown: "a directory of the wiki"}}
		}
	}
	if strings.Contains(r.path, azureFiles+"/") && !s.tree.isDir(path.Join(w.dir, azureFiles)) {
		return []candidate{{unknown: "attachments that are not in the tree"}}
	}
	if why := w.mayBe(r); why != "" {
		return []candidate{{unknown: why}}
	}
	return []candidate{{Candidate: Candidate{Name: r.path}}}
}

// html resolves a link of raw HTML, which the wiki may leave as it is: one that leads nowhere is not judged.
func (w *pageWiki) html(s *Site, r *reference) []candidate {
	all := w.link(s, r)
	if len(all) == 1 && all[0].File == "" {
		return never(s, r)
	}
	return all
}

// mayBe says what else a path that names no page may lead to.
func (w *pageWiki) mayBe(r *reference) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(r.path, "/"), "/")
	switch {
	case strings.HasPrefix(path.Join("/", w.rel(path.Dir(r.use.File)), r.path), "/_"), strings.HasPrefix(first, "_"), strings.Contains(r.path, "/_"):
		return "a page of the code host"
	case climbs(w.rel(path.Dir(r.use.File)), r.path):
		return "a page of the code host"
	case w.isFlat && r.isRooted():
		return "a page of the code host"
	case w.isFlat && strings.Contains(strings.TrimPrefix(r.path, "./"), "/") && path.Ext(r.path) == "" && w.mayLead(r):
		return "a path with directories, in a wiki that has none"
	case strings.HasPrefix(r.path, "/uploads/"):
		return "an upload, which may be elsewhere"
	}
	return ""
}

// mayLead reports whether a path with directories may lead to a page: one with its last name, or one of the code
// host, since Home and what is shown beside it have a URL above the others.
func (w *pageWiki) mayLead(r *reference) bool {
	name := path.Base(r.use.File)
	return w.pages[keyOf(path.Base(r.path))] != "" || name[0] == '_' || strings.HasPrefix(name, "Home.")
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

// byName returns the paths that a link may mean where all pages are shown in one directory: an attachment by
// its path from the root or from the file, and a page by its name.
func (w *pageWiki) byName(r *reference) []string {
	if r.isRooted() {
		return nil
	}
	p := strings.TrimPrefix(r.path, "./")
	paths := []string{p, path.Join(w.rel(r.dir()), p)}
	if dir, name := path.Split(p); dir == "" || strings.Trim(dir, "./") == "" || dir == "wiki/" || dir == "../wiki/" {
		paths = append(paths, name)
	}
	return paths
}

// byGitLab follows GitLab: a path with a suffix, or that begins with a dot, is relative to the page, all
// others to the root of the wiki.
func (w *pageWiki) byGitLab(r *reference) []string {
	beside := path.Join(w.rel(r.dir()), r.path)
	switch {
	case r.isRooted():
		return []string{r.path}
	case strings.HasPrefix(r.path, "."):
		return []string{beside}
	case path.Ext(r.path) != "":
		return []string{beside, r.path}
	}
	return []string{r.path}
}

// byAzure returns the paths from the root, from the directory of the page, and from the directory of its
// subpages.
func (w *pageWiki) byAzure(r *reference) []string {
	if r.isRooted() {
		return []string{r.path}
	}
	file := w.rel(r.use.File)
	return []string{path.Join(path.Dir(file), r.path), path.Join(strings.TrimSuffix(file, path.Ext(file)), r.path), r.path}
}

// resolve is the rule of [Site.Wiki]: [[page]], and [[picture]].
func (w *pageWiki) resolve(s *Site, u Use, name string) Result {
	res := Result{State: Missing, Tried: []Candidate{{Name: name}}}
	switch {
	case strings.Contains(name, "://"), strings.HasPrefix(name, "mailto:"), strings.HasPrefix(name, "_"):
		return Result{State: Unknown, Why: "the form of the reference is unknown"}
	}
	r := &reference{raw: name, path: name, use: u}
	for _, p := range append([]string{name}, w.steps(w, r)...) {
		if file := w.find(s, p); file != "" {
			res.State, res.File, res.Page = Found, file, s.pages[file]
			return res
		}
	}
	if strings.Contains(name, "/") && w.isFlat && w.mayLead(r) {
		return Result{State: Unknown, Why: "a path with directories, in a wiki that has none"}
	}
	return res
}
