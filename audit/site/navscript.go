package site

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/literal"
)

// navigate adds links from the theme configuration of VitePress, and from front matter.
func (v *vitepress) navigate(s *Site, n *navigator) {
	conf := n.read(s.Config)
	themes := []literal.Value{conf.Get("themeConfig")}
	for _, locale := range conf.Get("locales").Unwrap().All() {
		themes = append(themes, locale.Get("themeConfig"))
	}
	for _, theme := range themes {
		n.items(s.Config, theme.Get("nav"), "nav", "")
		sidebar := theme.Get("sidebar").Unwrap()
		n.items(s.Config, sidebar, "sidebar", "")
		for _, list := range sidebar.All() {
			n.items(s.Config, list, "sidebar", "")
		}
	}
	n.front(func(p *Page, front literal.Value) {
		n.hero(p, front, Markdown)
	})
}

// asPage resolves a link to a page. A link to any other file gets no base, and is not judged.
func (n *navigator) asPage(ref string) Result {
	p, _, _ := strings.Cut(ref, "#")
	p, _, _ = strings.Cut(p, "?")
	for _, name := range []string{"/index", "/index.html", "/index.md"} {
		if dir, ok := strings.CutSuffix(p, name); ok {
			ref = dir + "/"
		}
	}
	if ext := path.Ext(p); ext != "" && ext != ".md" && ext != ".html" && n.s.Base != "/" {
		return Result{State: Unknown, Why: "the base is not added to files"}
	}
	return n.byForm(Markdown, ref)
}

// items adds the links of VitePress items, and of the items in them. base precedes each link.
func (n *navigator) items(file string, v literal.Value, in, base string) {
	if v.Kind == literal.Map {
		if b := v.Get("base"); b.Kind == literal.String {
			base = b.Text
		} else if b.Kind != literal.Missing {
			return
		}
		n.add(file, in, v.Get("link"), func(ref string) Result {
			if base != "" {
				ref = strings.TrimSuffix(base, "/") + "/" + strings.TrimPrefix(ref, "/")
			}
			return n.asPage(ref)
		})
		n.items(file, v.Get("items"), in, base)
		return
	}
	if v.Kind != literal.List {
		return
	}
	for _, item := range v.Items {
		n.items(file, item, in, base)
	}
}

// hero adds the links of a home page, and the links to the previous and next page.
func (n *navigator) hero(p *Page, front literal.Value, form Form) {
	resolve := n.inPage(p, form)
	for _, action := range front.Get("hero", "actions").Items {
		n.add(p.File, "front matter", action.Get("link"), resolve)
	}
	for _, feature := range front.Get("features").Items {
		n.add(p.File, "front matter", feature.Get("link"), resolve)
	}
	for _, key := range []string{"prev", "next"} {
		n.add(p.File, "front matter", front.Get(key, "link"), resolve)
	}
}

// navigate adds the sidebar of Starlight, and links in front matter.
func (g *starlight) navigate(s *Site, n *navigator) {
	if g.isPlain {
		return
	}
	conf := n.read(s.Config)
	sidebar := starlightOptions(value{conf}).get("sidebar")
	g.sidebar(s, n, sidebar.Value)
	n.front(func(p *Page, front literal.Value) {
		n.hero(p, front, HTML)
	})
}

// sidebar adds the entries of a list: slugs of pages, and URLs below the base.
func (g *starlight) sidebar(s *Site, n *navigator, list literal.Value) {
	if list.Kind == literal.Call {
		return // its values are unknown
	}
	for _, item := range list.Items {
		if item.Kind == literal.String {
			n.add(s.Config, "sidebar", item, func(ref string) Result { return g.bySlug(s, ref) })
			continue
		}
		n.add(s.Config, "sidebar", item.Get("slug"), func(ref string) Result { return g.bySlug(s, ref) })
		n.add(s.Config, "sidebar", item.Get("link"), func(ref string) Result {
			// The base and the language are added with or without a leading slash.
			return n.byURL(strings.TrimSuffix(s.Base, "/") + "/" + strings.TrimPrefix(ref, "/"))
		})
		g.sidebar(s, n, item.Get("items"))
	}
}

// bySlug resolves the slug of a page in the default language.
func (g *starlight) bySlug(s *Site, ref string) Result {
	stem := strings.Trim(ref, "/")
	if stem == "index" {
		stem = ""
	}
	langs := []string{"", s.defaultLang}
	for _, lang := range append(langs, s.langs...) {
		if p := s.routes[g.url(strings.Trim(lang+"/"+stem, "/"))]; p != nil {
			return Result{State: Found, File: p.File, Page: p}
		}
	}
	if s.generates {
		return Result{State: Unknown, Why: "a plugin may make the page"}
	}
	return Result{State: Missing, Tried: []Candidate{{Name: ref}}}
}

// navigate adds the sidebars of Docusaurus, and links of the navigation bar and the footer.
func (g *docusaurus) navigate(s *Site, n *navigator) {
	conf := n.read(s.Config)
	theme := conf.Get("themeConfig")
	g.bar(s, n, theme.Get("navbar", "items"))
	for _, column := range theme.Get("footer", "links").Items {
		g.bar(s, n, column.Get("items"))
		g.bar(s, n, literal.Value{Kind: literal.List, Items: []literal.Value{column}})
	}
	g.paginate(s, n)
	for _, d := range g.sidebars {
		v := n.read(d.file)
		g.exported(s, n, d, v)
	}
}

// A sidebarFile is a file with sidebars of one version of a plugin's documents.
type sidebarFile struct {
	file string
	dirs []string // of the sources: the mounts that documents are in
}

// addSidebars records the file with the sidebars of a version whose sources are in dir.
func (g *docusaurus) addSidebars(d *directory, o value, version, prefix, dir string) {
	file := d.in(prefix + "versioned_sidebars/version-" + version + "-sidebars.json")
	if version == "current" {
		at := o.get("sidebarPath")
		if at.Kind == literal.Call && len(at.Items) > 0 { // require.resolve("./sidebars.js")
			at = at.at(0)
		}
		name, ok := d.inside(at.text(""))
		if !ok || at.text("") == "" {
			return
		}
		file = name
	}
	if d.tree.isFile(file) {
		g.sidebars = append(g.sidebars, sidebarFile{file, []string{dir}})
	}
}

// exported adds the sidebars that a file exports, by their names.
func (g *docusaurus) exported(s *Site, n *navigator, d sidebarFile, v literal.Value) {
	for _, sidebar := range v.Unwrap().All() {
		g.sidebar(s, n, d, sidebar, 0)
	}
}

// sidebar adds items: ids of documents, categories, and links.
func (g *docusaurus) sidebar(s *Site, n *navigator, d sidebarFile, v literal.Value, depth int) {
	const maxDepth = 50
	byID := func(ref string) Result { return g.byID(s, d, ref) }
	switch {
	case depth > maxDepth:
	case v.Kind == literal.String:
		n.add(d.file, "sidebar", v, byID)
	case v.Kind == literal.List:
		for _, item := range v.Items {
			g.sidebar(s, n, d, item, depth+1)
		}
	case v.Kind == literal.Map:
		switch typ := v.Get("type"); typ.Text {
		case "doc", "ref":
			n.add(d.file, "sidebar", v.Get("id"), byID)
		case "link":
			n.add(d.file, "sidebar", v.Get("href"), n.byURL)
		case "category":
			if link := v.Get("link"); link.Get("type").Text == "doc" {
				n.add(d.file, "sidebar", link.Get("id"), byID)
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
func (g *docusaurus) byID(s *Site, d sidebarFile, ref string) Result {
	if g.ids == nil {
		g.ids = map[string]map[string]*Page{}
		for _, p := range s.pages {
			if p.Why != "" || p.isPart || !strings.HasPrefix(p.Mount.Name, "docs") || !isMarkdownSuffix(p.Rel) {
				continue
			}
			if g.ids[p.Mount.Dir] == nil {
				g.ids[p.Mount.Dir] = map[string]*Page{}
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
				return Result{State: Found, File: p.File, Page: p}
			}
		}
	}
	for _, dir := range d.dirs {
		for _, ext := range []string{".md", ".mdx"} {
			file := path.Join(dir, ref+ext)
			if p := s.pages[file]; p != nil && p.Why != "" {
				return Result{State: Unknown, Why: p.Why}
			}
			if other, ok := s.tree.otherCase(file); ok && s.tree.isFile(other) && !s.generates {
				return Result{State: Missing, Tried: []Candidate{{Name: ref}}, Other: other, Case: true}
			}
		}
	}
	if s.generates || g.hasPlugins {
		return Result{State: Unknown, Why: "a plugin may make the page"}
	}
	return Result{State: Missing, Tried: []Candidate{{Name: ref}}}
}

// idsOf returns the ids that a document may have.
func (g *docusaurus) idsOf(p *Page) (ids []string) {
	names := strings.Split(strings.TrimSuffix(p.Rel, path.Ext(p.Rel)), "/")
	for _, isPlain := range []bool{false, true} {
		all := slices.Clone(names)
		if !isPlain && g.removesNumbers(p) {
			for i, name := range all {
				all[i] = withoutNumber(name)
			}
		}
		all[len(all)-1] = p.front.get("id").text(all[len(all)-1])
		ids = append(ids, strings.Join(all, "/"))
	}
	return ids
}

// bar adds items of the navigation bar: URLs, and ids of documents.
func (g *docusaurus) bar(s *Site, n *navigator, items literal.Value) {
	for _, item := range items.Items {
		n.add(s.Config, "navbar", item.Get("to"), func(ref string) Result {
			return n.byURL("/" + strings.TrimPrefix(ref, "/"))
		})
		n.add(s.Config, "navbar", item.Get("href"), n.byURL)
		plugin := item.Get("docsPluginId")
		if id := item.Get("docId"); id.Kind == literal.String && (plugin.Kind == literal.Missing || plugin.Kind == literal.String) {
			name := "docs"
			if plugin.Text != "" && plugin.Text != "default" {
				name += "-" + plugin.Text
			}
			var dirs []string
			for _, m := range s.Mounts {
				if m.Kind == Pages && m.Name == name {
					dirs = append(dirs, m.Dir)
				}
			}
			n.add(s.Config, "navbar", id, func(ref string) Result { return g.byID(s, sidebarFile{dirs: dirs}, ref) })
		}
		g.bar(s, n, item.Get("items"))
	}
}
