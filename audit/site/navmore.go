package site

import (
	"path"
	"strings"

	"example.org/refract/internal/literal"
)

// navigate adds the menus of Hugo: pages by pageRef, and URLs.
func (g *hugo) navigate(s *Site, n *navigator) {
	conf := n.read(s.Config)
	g.menus(s, n, s.Config, conf.Get("menus"))
	g.menus(s, n, s.Config, conf.Get("menu"))
	for _, language := range conf.Get("languages").All() {
		g.menus(s, n, s.Config, language.Get("menus"))
		g.menus(s, n, s.Config, language.Get("menu"))
	}
	dir := path.Join(s.Dir, "config/_default")
	if !s.tree.isDir(dir) {
		return
	}
	for _, name := range sortedKeys(s.tree.list(dir)) {
		if strings.HasPrefix(name, "menu") {
			g.menus(s, n, dir+"/"+name, n.read(dir+"/"+name))
		}
	}
}

// menus adds the entries of menus, by their names.
func (g *hugo) menus(s *Site, n *navigator, file string, menus literal.Value) {
	for _, menu := range menus.All() {
		for _, item := range menu.Items {
			n.add(file, "menu", item.Get("pageRef"), func(ref string) Result { return g.menuPage(s, n, ref) })
			n.add(file, "menu", item.Get("url"), func(ref string) Result { return g.menuURL(s, n, ref) })
		}
	}
}

// menuPage resolves a name in a menu: a page, or a directory, for which Hugo makes a page.
func (g *hugo) menuPage(s *Site, n *navigator, ref string) Result {
	m := n.pages()
	if m == nil {
		return Result{State: Unknown, Why: "the site has no pages"}
	}
	p := &Page{File: s.Config, Mount: m, Routes: []string{"/"}}
	res := s.Resolve(Use{Page: p, File: s.Config}, Macro, "shortcode/relref", ref)
	if res.State == Found {
		return res
	}
	for _, m := range s.Mounts {
		if m.Kind == Pages && s.tree.isDir(path.Join(m.Dir, ref)) {
			return Result{State: Found}
		}
	}
	return g.menuURL(s, n, strings.TrimSuffix(s.Base, "/")+cleanURL("/"+ref+"/"))
}

// menuURL resolves a URL in a menu. The theme decides whether the base precedes it.
func (g *hugo) menuURL(s *Site, n *navigator, ref string) Result {
	res := n.byForm(HTML, ref)
	if res.State == Missing {
		if with := n.byForm(HTML, strings.TrimSuffix(s.Base, "/")+ref); with.State != Missing {
			return with
		}
		if g.isOwn {
			return Result{State: Unknown, Why: "a theme may make the page"}
		}
	}
	return res
}

// navigate adds the files of _toc.yml (Jupyter Book, sphinx-external-toc), and of the toc of
// mystmd.
func (g *sphinx) navigate(s *Site, n *navigator) {
	for _, name := range []string{"_toc.yml", "_toc.yaml"} {
		if file := s.Dir + "/" + name; s.tree.isFile(file) {
			n.toc(file, n.read(file), 0)
		}
	}
	if s.Generator == "MyST" {
		n.toc(s.Config, n.read(s.Config).Get("project", "toc"), 0)
	}
}

// toc adds the values of "file" and "root" in v.
func (n *navigator) toc(file string, v literal.Value, depth int) {
	const maxDepth = 50
	if depth > maxDepth {
		return
	}
	for _, item := range v.Items {
		n.toc(file, item, depth+1)
	}
	for key, value := range v.All() {
		if key != "file" && key != "root" {
			n.toc(file, value, depth+1)
			continue
		}
		n.add(file, "toc", value, func(ref string) Result {
			at := path.Join(path.Dir(file), ref)
			for _, ext := range []string{"", ".md", ".ipynb", ".rst", ".txt", ".myst", ".myst.md"} {
				if n.s.tree.isFile(at + ext) {
					return Result{State: Found, File: at + ext, Page: n.s.pages[at+ext]}
				}
			}
			if n.s.generates || n.s.hasHooks {
				return Result{State: Unknown, Why: "a plugin may make the page"}
			}
			return n.missingFile(at)
		})
	}
}

// paginate adds the document ids in the front matter of Docusaurus pages.
func (g *docusaurus) paginate(s *Site, n *navigator) {
	n.front(func(p *Page, front literal.Value) {
		if !strings.HasPrefix(p.Mount.Name, "docs") {
			return
		}
		for _, key := range []string{"pagination_prev", "pagination_next"} {
			n.add(p.File, "front matter", front.Get(key), func(ref string) Result {
				return g.byID(s, sidebarFile{dirs: []string{p.Mount.Dir}}, ref)
			})
		}
	})
}
