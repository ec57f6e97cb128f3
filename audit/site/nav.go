package site

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/literal"
)

// A NavLink is an entry of the navigation, or a key of front matter, that leads to a page.
type NavLink struct {
	File   string    // absolute path of the file that holds it
	Span   scan.Span // range in File, without quotes
	Ref    string    // with escapes undone
	In     string    // "nav", "sidebar", "front matter"
	Result Result    // where it leads
	Dir    string    // absolute path of the directory that file names are relative to; "" for URLs
	// Resolve returns where another value in the same place would lead.
	Resolve func(ref string) Result
}

// Navigation returns the navigation entries of s that are literals, grouped by file and in the order
// of each file. It leaves out those with a scheme or a host. To find positions, use
// [Site.NavigationText].
func (s *Site) Navigation() []NavLink {
	if s.navigate == nil {
		return nil
	}
	s.load()
	n := &navigator{s: s, seen: map[place]bool{}}
	s.navigate(s, n)
	slices.SortStableFunc(n.links, func(a, b NavLink) int {
		if a.File != b.File {
			return strings.Compare(a.File, b.File)
		}
		return a.Span.Start - b.Span.Start
	})
	return n.links
}

// NavigationText returns the text of a file that holds navigation entries.
func (s *Site) NavigationText(file string) []byte { return s.tree.text(file, maxPage) }

// A navigator collects the navigation entries of a site.
type navigator struct {
	s     *Site
	links []NavLink
	seen  map[place]bool
}

type place struct {
	file string
	at   int
}

// add adds v as an entry if it is a literal that may lead to a page of the site.
func (n *navigator) add(file, in string, v literal.Value, resolve func(ref string) Result) {
	n.addIn("", file, in, v, resolve)
}

// addIn is like add, for file names below a directory.
func (n *navigator) addIn(dir, file, in string, v literal.Value, resolve func(ref string) Result) {
	ref := v.Text
	if v.Kind != literal.String || ref == "" || v.Span == (scan.Span{}) || isElsewhere(ref) || n.seen[place{file, v.Span.Start}] {
		return
	}
	n.seen[place{file, v.Span.Start}] = true
	n.links = append(n.links, NavLink{File: file, Span: v.Span, Ref: ref, In: in, Result: resolve(ref), Dir: dir, Resolve: resolve})
}

// isElsewhere reports whether a reference has a scheme or a host.
func isElsewhere(ref string) bool {
	if strings.HasPrefix(ref, "//") {
		return true
	}
	i := strings.IndexAny(ref, ":/?#")
	return i >= 0 && ref[i] == ':' && !strings.Contains(ref[:i], " ")
}

// read returns the value of a file that may hold navigation.
func (n *navigator) read(file string) literal.Value { return n.s.tree.readFile(file).Value }

// byURL resolves a reference that is relative to the root of the site, like those of components. A
// reference relative to the page that shows it is not judged.
func (n *navigator) byURL(ref string) Result { return n.byForm(Component, ref) }

// byForm is like byURL, for a reference of another form.
func (n *navigator) byForm(form Form, ref string) Result {
	if !strings.HasPrefix(ref, "/") {
		return Result{State: Unknown, Why: "relative to each page that shows it"}
	}
	m := n.pages()
	if m == nil {
		return Result{State: Unknown, Why: "the site has no pages"}
	}
	p := &Page{File: n.s.Config, Mount: m, Routes: []string{"/"}}
	return n.s.Resolve(Use{Page: p, File: n.s.Config}, form, "nav/link", ref)
}

// pages returns the first mount with pages.
func (n *navigator) pages() *Mount {
	i := slices.IndexFunc(n.s.Mounts, func(m *Mount) bool { return m.Kind == Pages })
	if i < 0 {
		return nil
	}
	return n.s.Mounts[i]
}

// front calls add with each page that has front matter. The site must read it.
func (n *navigator) front(add func(p *Page, front literal.Value)) {
	for _, file := range sortedKeys(n.s.pages) {
		if p := n.s.pages[file]; p.Why == "" && !p.isPart && p.front.isGiven() {
			add(p, p.front.Value)
		}
	}
}

// inPage resolves a reference in the front matter of a page.
func (n *navigator) inPage(p *Page, form Form) func(ref string) Result {
	return func(ref string) Result {
		if strings.HasPrefix(ref, "#") {
			return Result{State: Unknown, Why: "a fragment of the page"}
		}
		return n.s.Resolve(Use{Page: p, File: p.File}, form, "front/link", ref)
	}
}

// missingFile returns the result for a file that does not exist.
func (n *navigator) missingFile(file string) Result {
	res := Result{State: Missing, Tried: []Candidate{{File: file}}}
	if other, ok := n.s.tree.otherCase(file); ok && n.s.tree.isFile(other) {
		res.Other, res.Case = other, true
	}
	return res
}

// plainPlugins lists MkDocs plugins that add no pages. Source: their documentation, as of November
// 2026.
var plainPlugins = []string{
	"search", "monorepo", "techdocs-core", "tags", "blog", "meta", "offline", "privacy", "social", "typeset", "group", "info", "optimize", "projects",
	"awesome-pages", "awesome-nav", "literate-nav", "section-index", "redirects", "minify", "macros", "markdownextradata",
	"git-revision-date", "git-revision-date-localized", "git-authors", "git-committers", "glightbox", "mkdocstrings", "autorefs",
	"include-markdown", "exclude", "exclude-search", "table-reader", "mermaid2", "callouts", "i18n", "roamlinks", "ezlinks",
	"same-dir", "rss", "charts", "panzoom", "git-latest-changes", "codeinclude", "open-in-new-tab", "markdownlint", "htmlproofer",
}

// navigate adds nav of mkdocs.yml, and the files of awesome-pages.
func (m *mkdocs) navigate(s *Site, n *navigator) {
	plugins := m.conf.get("plugins")
	makes := s.generates || s.hasHooks || plugins.isUnknown() || plugins.Open || len(m.langs) > 0
	isLiterate := false
	names := []string{}
	for _, plugin := range plugins.list() {
		names = append(names, plugin.text(""))
		names = append(names, plugin.keys()...)
	}
	names = append(names, plugins.keys()...)
	for _, name := range names {
		isLiterate = isLiterate || name == "literate-nav"
		name = strings.TrimPrefix(name, "material/")
		makes = makes || name != "" && !slices.Contains(plainPlugins, name)
	}
	root := n.pages()
	if root == nil {
		return
	}
	resolve := func(ref string) Result {
		file := path.Join(root.Dir, ref)
		if name, ok := strings.CutPrefix(ref, siteIncludeMark); ok && hasMonorepo(m.conf) {
			file = path.Join(s.Dir, name)
			if s.tree.isFile(file) {
				return Result{State: Found, File: file}
			}
			return n.missingFile(file)
		}
		if len(m.included) > 0 {
			file = m.merged(s, path.Join("/", ref))
		}
		switch res := s.tryFile(fileCandidate(file)); {
		case res.State == Found || res.Why != "":
			res.Tried = []Candidate{{File: file}}
			return res
		case strings.HasPrefix(ref, "/"):
			return Result{State: Unknown, Why: "an absolute path in nav"}
		case strings.HasPrefix(ref, siteIncludeMark), strings.HasPrefix(ref, includeAllMark), strings.HasPrefix(ref, "..."), strings.ContainsAny(ref, "*?") && len(names) > 0,
			isLiterate && s.tree.isDir(strings.TrimSuffix(file, "/")):
			return Result{State: Unknown, Why: "an entry for a plugin"}
		case makes:
			return Result{State: Unknown, Why: "a plugin may make the page"}
		}
		ref, _, _ = strings.Cut(ref, "#")
		if res, ok := s.lookup(cleanURL("/"+ascii.UnescapeAll(ref)), false); ok {
			return res
		}
		if why := s.isMade("/"+ref, &reference{raw: "/" + ref, path: "/" + ref}); why == "is made at build time" {
			return Result{State: Unknown, Why: why}
		}
		return n.missingFile(file)
	}
	conf := n.read(s.Config)
	if strings.HasSuffix(s.Config, ".toml") {
		conf = conf.Get("project")
	}
	n.mkdocsNav(root.Dir, s.Config, conf.Get("nav"), resolve)
	m.navigateIncluded(s, n, makes)
	for plugin, deflt := range map[string]string{"awesome-pages": ".pages", "awesome-nav": ".nav.yml"} {
		o, ok := plugins.named(plugin)
		if !ok {
			continue
		}
		name := o.get("filename").text(deflt)
		s.tree.files(root.Dir, s.skips, func(rel string) {
			if path.Base(rel) == name {
				n.awesomePages(root.Dir+"/"+rel, makes, plugin == "awesome-nav")
			}
		})
	}
}

// mkdocsNav adds entries: names, and maps from a title to a name or to more entries.
func (n *navigator) mkdocsNav(dir, file string, v literal.Value, resolve func(string) Result) {
	switch v.Kind {
	case literal.String:
		n.addIn(dir, file, "nav", v, resolve)
	case literal.List:
		for _, item := range v.Items {
			n.mkdocsNav(dir, file, item, resolve)
		}
	case literal.Map:
		for _, item := range v.All() {
			n.mkdocsNav(dir, file, item, resolve)
		}
	}
}

// awesomePages adds the entries of a .pages or .nav.yml file: names in its directory, or paths and patterns
// from there. An entry with a title that is not such a name is a URL.
func (n *navigator) awesomePages(file string, makes, hasPaths bool) {
	dir := path.Dir(file)
	resolve := func(ref string) Result {
		at := path.Join(dir, ref)
		isPath := hasPaths || !strings.Contains(ref, "/")
		switch {
		case strings.HasPrefix(ref, "..."), hasPaths && strings.ContainsAny(ref, "*?["):
			return Result{State: Unknown, Why: "an entry for a plugin"}
		case isPath && n.s.tree.isDir(at):
			return Result{State: Found}
		case isPath && n.s.tree.isFile(at):
			return n.s.tryFile(fileCandidate(at))
		case makes:
			return Result{State: Unknown, Why: "a plugin may make the page"}
		}
		return n.missingFile(at)
	}
	isPage := func(ref string) Result {
		if !n.s.isDocument(ref) {
			return Result{State: Unknown, Why: "relative to each page that shows it"}
		}
		return resolve(ref)
	}
	var visit func(v literal.Value)
	visit = func(v literal.Value) {
		for _, item := range v.Items {
			n.addIn(dir, file, "nav", item, resolve)
			for _, titled := range item.All() {
				n.addIn(dir, file, "nav", titled, isPage)
				visit(titled)
			}
		}
	}
	conf := n.read(file)
	visit(conf.Get("nav"))
	visit(conf.Get("arrange"))
}
