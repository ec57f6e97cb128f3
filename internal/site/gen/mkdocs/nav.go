package mkdocs

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/literal"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
)

// plainPlugins lists MkDocs plugins that add no pages. Source: their documentation, as of November
// 2026.
var plainPlugins = []string{
	"search", "monorepo", "techdocs-core", "tags", "blog", "meta", "offline", "privacy", "social", "typeset", "group", "info", "optimize", "projects",
	"awesome-pages", "awesome-nav", "literate-nav", "section-index", "redirects", "minify", "macros", "markdownextradata",
	"git-revision-date", "git-revision-date-localized", "git-authors", "git-committers", "glightbox", "mkdocstrings", "autorefs",
	"include-markdown", "exclude", "exclude-search", "table-reader", "mermaid2", "callouts", "i18n", "roamlinks", "ezlinks",
	"same-dir", "rss", "charts", "panzoom", "git-latest-changes", "codeinclude", "open-in-new-tab", "markdownlint", "htmlproofer",
}

// Navigate adds nav of mkdocs.yml, and the files of awesome-pages.
func (m *model) Navigate(s *site.Site, n *site.Navigation) {
	plugins := m.conf.Lookup("plugins")
	makes := s.Generates || m.hasHooks || plugins.IsUnknown() || plugins.Open || len(m.langs) > 0
	isLiterate := false
	names := []string{}
	for _, plugin := range plugins.List() {
		names = append(names, plugin.Or(""))
		names = append(names, plugin.Keys()...)
	}
	names = append(names, plugins.Keys()...)
	for _, name := range names {
		isLiterate = isLiterate || name == "literate-nav"
		name = strings.TrimPrefix(name, "material/")
		makes = makes || name != "" && !slices.Contains(plainPlugins, name)
	}
	root := n.Pages()
	if root == nil {
		return
	}
	resolve := func(ref string) site.Result {
		file := path.Join(root.Dir, ref)
		if name, ok := strings.CutPrefix(ref, siteIncludeMark); ok && hasMonorepo(m.conf) {
			file = path.Join(s.Dir, name)
			if s.Tree.IsFile(file) {
				return site.Result{State: site.Found, File: file}
			}
			return n.MissingFile(file)
		}
		if len(m.included) > 0 {
			file = m.merged(s, path.Join("/", ref))
		}
		switch res := s.TryFile(site.FileCandidate(file)); {
		case res.State == site.Found || !res.Why.IsZero():
			res.Tried = []site.Candidate{{File: file}}
			return res
		case strings.HasPrefix(ref, "/"):
			return site.Result{State: site.Unknown, Why: site.AbsolutePathInNav}
		case strings.HasPrefix(ref, siteIncludeMark), strings.HasPrefix(ref, includeAllMark), strings.HasPrefix(ref, "..."), strings.ContainsAny(ref, "*?") && len(names) > 0,
			isLiterate && s.Tree.IsDir(strings.TrimSuffix(file, "/")):
			return site.Result{State: site.Unknown, Why: reason.PluginEntry}
		case makes:
			return site.Result{State: site.Unknown, Why: reason.PluginPage}
		}
		ref, _, _ = strings.Cut(ref, "#")
		if res, ok := s.Lookup(site.CleanURL("/"+ascii.UnescapeAll(ref)), false); ok {
			return res
		}
		if why := s.IsMade("/"+ref, &site.Reference{Raw: "/" + ref, Path: "/" + ref}); why.Is(reason.MadeByBuild) {
			return site.Result{State: site.Unknown, Why: why}
		}
		return n.MissingFile(file)
	}
	conf := n.Read(s.Config)
	if strings.HasSuffix(s.Config, ".toml") {
		conf = conf.Get("project")
	}
	mkdocsNav(n, root.Dir, s.Config, conf.Get("nav"), resolve)
	m.navigateIncluded(s, n, makes)
	for plugin, deflt := range map[string]string{"awesome-pages": ".pages", "awesome-nav": ".nav.yml"} {
		o, ok := plugins.Named(plugin)
		if !ok {
			continue
		}
		name := o.Lookup("filename").Or(deflt)
		s.Tree.Files(root.Dir, s.Skips, func(rel string) {
			if path.Base(rel) == name {
				awesomePages(n, root.Dir+"/"+rel, makes, plugin == "awesome-nav")
			}
		})
	}
}

// mkdocsNav adds entries: names, and maps from a title to a name or to more entries.
func mkdocsNav(n *site.Navigation, dir, file string, v literal.Value, resolve func(string) site.Result) {
	switch v.Kind {
	case literal.String:
		n.AddIn(dir, file, "nav", v, resolve)
	case literal.List:
		for _, item := range v.Items {
			mkdocsNav(n, dir, file, item, resolve)
		}
	case literal.Map:
		for _, item := range v.All() {
			mkdocsNav(n, dir, file, item, resolve)
		}
	}
}

// awesomePages adds the entries of a .pages or .nav.yml file: names in its directory, or paths and patterns
// from there. An entry with a title that is not such a name is a URL.
func awesomePages(n *site.Navigation, file string, makes, hasPaths bool) {
	dir := path.Dir(file)
	resolve := func(ref string) site.Result {
		at := path.Join(dir, ref)
		isPath := hasPaths || !strings.Contains(ref, "/")
		switch {
		case strings.HasPrefix(ref, "..."), hasPaths && strings.ContainsAny(ref, "*?["):
			return site.Result{State: site.Unknown, Why: reason.PluginEntry}
		case isPath && n.Site.Tree.IsDir(at):
			return site.Result{State: site.Found}
		case isPath && n.Site.Tree.IsFile(at):
			return n.Site.TryFile(site.FileCandidate(at))
		case makes:
			return site.Result{State: site.Unknown, Why: reason.PluginPage}
		}
		return n.MissingFile(at)
	}
	isPage := func(ref string) site.Result {
		if !n.Site.IsDocument(ref) {
			return site.Result{State: site.Unknown, Why: reason.RelativeToEachPage}
		}
		return resolve(ref)
	}
	var visit func(v literal.Value)
	visit = func(v literal.Value) {
		for _, item := range v.Items {
			n.AddIn(dir, file, "nav", item, resolve)
			for _, titled := range item.All() {
				n.AddIn(dir, file, "nav", titled, isPage)
				visit(titled)
			}
		}
	}
	conf := n.Read(file)
	visit(conf.Get("nav"))
	visit(conf.Get("arrange"))
}
