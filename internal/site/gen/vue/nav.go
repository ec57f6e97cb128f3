package vue

import (
	"path"
	"strings"

	"example.org/refract/internal/literal"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/web"
)

// Navigate adds links from the theme configuration of VitePress, and from front matter.
func (v *vitepress) Navigate(s *site.Site, n *site.Navigation) {
	conf := n.Read(s.Config)
	themes := []literal.Value{conf.Get("themeConfig")}
	for _, locale := range conf.Get("locales").Unwrap().All() {
		themes = append(themes, locale.Get("themeConfig"))
	}
	for _, theme := range themes {
		navigateItems(n, s.Config, theme.Get("nav"), "nav", "")
		sidebar := theme.Get("sidebar").Unwrap()
		navigateItems(n, s.Config, sidebar, "sidebar", "")
		for _, list := range sidebar.All() {
			navigateItems(n, s.Config, list, "sidebar", "")
		}
	}
	n.Front(func(p *site.Page, front literal.Value) {
		web.Hero(n, p, front, site.Markdown)
	})
}

// asPage resolves a link to a page. A link to any other file gets no base, and is not checked.
func asPage(n *site.Navigation, ref string) site.Result {
	p, _, _ := strings.Cut(ref, "#")
	p, _, _ = strings.Cut(p, "?")
	for _, name := range []string{"/index", "/index.html", "/index.md"} {
		if dir, ok := strings.CutSuffix(p, name); ok {
			ref = dir + "/"
		}
	}
	if ext := path.Ext(p); ext != "" && ext != ".md" && ext != ".html" && n.Site.Base != "/" {
		return site.Result{State: site.Unknown, Why: baseNotAddedToFiles}
	}
	return n.ByForm(site.Markdown, ref)
}

// navigateItems adds the links of VitePress items, and of the items in them. base precedes each link.
func navigateItems(n *site.Navigation, file string, v literal.Value, in, base string) {
	if v.Kind == literal.Map {
		if b := v.Get("base"); b.Kind == literal.String {
			base = b.Text
		} else if b.Kind != literal.Missing {
			return
		}
		n.Add(file, in, v.Get("link"), func(ref string) site.Result {
			if base != "" {
				ref = strings.TrimSuffix(base, "/") + "/" + strings.TrimPrefix(ref, "/")
			}
			return asPage(n, ref)
		})
		navigateItems(n, file, v.Get("items"), in, base)
		return
	}
	if v.Kind != literal.List {
		return
	}
	for _, item := range v.Items {
		navigateItems(n, file, item, in, base)
	}
}

// Reasons.
var (
	baseNotAddedToFiles = reason.New(reason.Base, "base-not-added-to-files", "the base is not added to files")
)
