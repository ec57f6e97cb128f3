package docusaurus

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/literal"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/slash"
)

// paginate adds the document ids in the front matter of Docusaurus pages.
func (g *model) paginate(s *site.Site, n *site.Navigation) {
	n.Front(func(p *site.Page, front literal.Value) {
		if !strings.HasPrefix(p.Mount.Name, "docs") {
			return
		}
		for _, key := range []string{"pagination_prev", "pagination_next"} {
			n.Add(p.File, "front matter", front.Get(key), func(ref string) site.Result {
				return g.byID(s, sidebarFile{dirs: []string{p.Mount.Dir}}, ref)
			})
		}
	})
}

// Navigate adds the sidebars of Docusaurus, and links of the navigation bar and the footer.
func (g *model) Navigate(s *site.Site, n *site.Navigation) {
	conf := n.Read(s.Config)
	theme := conf.Get("themeConfig")
	g.bar(s, n, theme.Get("navbar", "items"))
	for _, column := range theme.Get("footer", "links").Items {
		g.bar(s, n, column.Get("items"))
		g.bar(s, n, literal.Value{Kind: literal.List, Items: []literal.Value{column}})
	}
	g.paginate(s, n)
	for _, d := range g.sidebars {
		v := n.Read(d.file)
		g.exported(s, n, d, v)
	}
}

// A sidebarFile is a file with sidebars of one version of a plugin's documents.
type sidebarFile struct {
	file string
	dirs []string // of the sources: the mounts that documents are in
}

// addSidebars records the file with the sidebars of a version whose sources are in dir.
func (g *model) addSidebars(d *source.Dir, o source.Value, version, prefix, dir string) {
	file := d.In(prefix + "versioned_sidebars/version-" + version + "-sidebars.json")
	if version == "current" {
		at := o.Lookup("sidebarPath")
		if at.Kind == literal.Call && len(at.Items) > 0 { // require.resolve("./sidebars.js")
			at = at.Item(0)
		}
		name, ok := d.Inside(at.Or(""))
		if !ok || at.Or("") == "" {
			return
		}
		file = name
	}
	if d.Tree.IsFile(file) {
		g.sidebars = append(g.sidebars, sidebarFile{file, []string{dir}})
	}
}

// exported adds the sidebars that a file exports, by their names.
func (g *model) exported(s *site.Site, n *site.Navigation, d sidebarFile, v literal.Value) {
	for _, sidebar := range v.Unwrap().All() {
		g.sidebar(s, n, d, sidebar, 0)
	}
}

// sidebar adds items: ids of documents, categories, and links.
func (g *model) sidebar(s *site.Site, n *site.Navigation, d sidebarFile, v literal.Value, depth int) {
	const maxDepth = 50
	byID := func(ref string) site.Result { return g.byID(s, d, ref) }
	switch {
	case depth > maxDepth:
	case v.Kind == literal.String:
		n.Add(d.file, "sidebar", v, byID)
	case v.Kind == literal.List:
		for _, item := range v.Items {
			g.sidebar(s, n, d, item, depth+1)
		}
	case v.Kind == literal.Map:
		switch typ := v.Get("type"); typ.Text {
		case "doc", "ref":
			n.Add(d.file, "sidebar", v.Get("id"), byID)
		case "link":
			n.Add(d.file, "sidebar", v.Get("href"), n.ByURL)
		case "category":
			if link := v.Get("link"); link.Get("type").Text == "doc" {
				n.Add(d.file, "sidebar", link.Get("id"), byID)
			}
			g.sidebar(s, n, d, v.Get("items"), depth+1)
		case "":
			if typ.Kind != literal.Missing {
				return
			}
			for _, items := range v.All() { // the short form: a label, and the items below it
				if items.Kind == literal.List || items.Kind == literal.Map {
					g.sidebar(s, n, d, items, depth+1)
				}
			}
		}
	}
}

// byID resolves the id of a document: its path without suffix and numbers, whose last name may be the
// id from its front matter.
func (g *model) byID(s *site.Site, d sidebarFile, ref string) site.Result {
	if g.ids == nil {
		g.ids = map[string]map[string]*site.Page{}
		for _, p := range s.ByFile {
			if !p.Why.IsZero() || p.IsPart || !strings.HasPrefix(p.Mount.Name, "docs") || !source.IsMarkdown(p.Rel) {
				continue
			}
			if g.ids[p.Mount.Dir] == nil {
				g.ids[p.Mount.Dir] = map[string]*site.Page{}
			}
			for _, id := range g.idsOf(p) {
				g.ids[p.Mount.Dir][id] = p
			}
		}
	}
	ids := []string{ref}
	if version, id, ok := strings.Cut(ref, "/"); ok && strings.HasPrefix(version, "version-") {
		ids = append(ids, id) // as old versions wrote them
	}
	for _, dir := range d.dirs {
		for _, id := range ids {
			if p := g.ids[dir][id]; p != nil {
				return site.Result{State: site.Found, File: p.File, Page: p}
			}
		}
	}
	for _, dir := range d.dirs {
		for _, ext := range []string{".md", ".mdx"} {
			file := path.Join(dir, ref+ext)
			if p := s.ByFile[file]; p != nil && !p.Why.IsZero() {
				return site.Result{State: site.Unknown, Why: p.Why}
			}
			if other, ok := s.Tree.OtherCase(file); ok && s.Tree.IsFile(other) && !s.Generates {
				return site.Result{State: site.Missing, Tried: []site.Candidate{{Name: ref}}, Other: other, Case: true}
			}
		}
	}
	if s.Generates || g.hasPlugins {
		return site.Result{State: site.Unknown, Why: reason.PluginPage}
	}
	return site.Result{State: site.Missing, Tried: []site.Candidate{{Name: ref}}}
}

// idsOf returns the ids that a document may have.
func (g *model) idsOf(p *site.Page) (ids []string) {
	names := strings.Split(slash.Stem(p.Rel), "/")
	for _, isPlain := range []bool{false, true} {
		all := slices.Clone(names)
		if !isPlain && g.removesNumbers(p) {
			for i, name := range all {
				all[i] = withoutNumber(name)
			}
		}
		all[len(all)-1] = p.Front.Lookup("id").Or(all[len(all)-1])
		ids = append(ids, strings.Join(all, "/"))
	}
	return ids
}

// bar adds items of the navigation bar: URLs, and ids of documents.
func (g *model) bar(s *site.Site, n *site.Navigation, items literal.Value) {
	for _, item := range items.Items {
		n.Add(s.Config, "navbar", item.Get("to"), func(ref string) site.Result {
			return n.ByURL("/" + strings.TrimPrefix(ref, "/"))
		})
		n.Add(s.Config, "navbar", item.Get("href"), n.ByURL)
		plugin := item.Get("docsPluginId")
		if id := item.Get("docId"); id.Kind == literal.String && (plugin.Kind == literal.Missing || plugin.Kind == literal.String) {
			name := "docs"
			if plugin.Text != "" && plugin.Text != "default" {
				name += "-" + plugin.Text
			}
			var dirs []string
			for _, m := range s.Mounts {
				if m.Kind == site.Pages && m.Name == name {
					dirs = append(dirs, m.Dir)
				}
			}
			n.Add(s.Config, "navbar", id, func(ref string) site.Result { return g.byID(s, sidebarFile{dirs: dirs}, ref) })
		}
		g.bar(s, n, item.Get("items"))
	}
}
