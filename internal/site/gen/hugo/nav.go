package hugo

import (
	"path"
	"strings"

	"example.org/refract/internal/literal"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

// Navigate adds the menus of Hugo: pages by pageRef, and URLs.
func (g *model) Navigate(s *site.Site, n *site.Navigation) {
	conf := n.Read(s.Config)
	g.menus(s, n, s.Config, conf.Get("menus"))
	g.menus(s, n, s.Config, conf.Get("menu"))
	for _, language := range conf.Get("languages").All() {
		g.menus(s, n, s.Config, language.Get("menus"))
		g.menus(s, n, s.Config, language.Get("menu"))
	}
	dir := path.Join(s.Dir, "config/_default")
	if !s.Tree.IsDir(dir) {
		return
	}
	for _, name := range source.SortedKeys(s.Tree.List(dir)) {
		if strings.HasPrefix(name, "menu") {
			g.menus(s, n, dir+"/"+name, n.Read(dir+"/"+name))
		}
	}
}

// menus adds the entries of menus, by their names.
func (g *model) menus(s *site.Site, n *site.Navigation, file string, menus literal.Value) {
	for _, menu := range menus.All() {
		for _, item := range menu.Items {
			n.Add(file, "menu", item.Get("pageRef"), func(ref string) site.Result { return g.menuPage(s, n, ref) })
			n.Add(file, "menu", item.Get("url"), func(ref string) site.Result { return g.menuURL(s, n, ref) })
		}
	}
}

// menuPage resolves a name in a menu: a page, or a directory, for which Hugo makes a page.
func (g *model) menuPage(s *site.Site, n *site.Navigation, ref string) site.Result {
	m := n.Pages()
	if m == nil {
		return site.Result{State: site.Unknown, Why: reason.NoPages}
	}
	p := &site.Page{File: s.Config, Mount: m, Routes: []string{"/"}}
	res := s.Resolve(site.Use{Page: p, File: s.Config}, site.Macro, "shortcode/relref", ref)
	if res.State == site.Found {
		return res
	}
	for _, m := range s.Mounts {
		if m.Kind == site.Pages && s.Tree.IsDir(path.Join(m.Dir, ref)) {
			return site.Result{State: site.Found}
		}
	}
	return g.menuURL(s, n, strings.TrimSuffix(s.Base, "/")+site.CleanURL("/"+ref+"/"))
}

// menuURL resolves a URL in a menu. The theme decides whether the base precedes it.
func (g *model) menuURL(s *site.Site, n *site.Navigation, ref string) site.Result {
	res := n.ByForm(site.HTML, ref)
	if res.State == site.Missing {
		if with := n.ByForm(site.HTML, strings.TrimSuffix(s.Base, "/")+ref); with.State != site.Missing {
			return with
		}
		if g.isOwn {
			return site.Result{State: site.Unknown, Why: themePage}
		}
	}
	return res
}

// Reasons.
var (
	themePage = reason.New(reason.Component, "theme-page", "a theme may make the page")
)
