package vue

import (
	"path"
	"strings"

	"example.org/refract/internal/literal"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
)

// Navigate adds links of the navigation bar and of sidebars, and those of front matter.
func (v *vuepress) Navigate(s *site.Site, n *site.Navigation) {
	_, conf := s.Tree.ReadScript(s.Config)
	if ext := path.Ext(s.Config); ext == ".yml" || ext == ".toml" {
		conf = s.Tree.Read(s.Config)
	}
	theme := conf.Lookup("theme")
	if theme.Kind == literal.Call && len(theme.Items) > 0 {
		theme = theme.Item(0)
	}
	themes := []literal.Value{conf.Lookup("themeConfig").Value, theme.Value}
	for _, one := range themes[:2] {
		for _, locale := range one.Get("locales").Unwrap().All() {
			themes = append(themes, locale)
		}
	}
	for _, one := range themes {
		v.items(s, n, one.Get("nav"), "nav", "/")
		v.items(s, n, one.Get("navbar"), "nav", "/")
		sidebar := one.Get("sidebar").Unwrap()
		v.items(s, n, sidebar, "sidebar", "/")
		for base, list := range sidebar.All() {
			v.items(s, n, list, "sidebar", base)
		}
	}
	n.Front(func(p *site.Page, front literal.Value) {
		n.Add(p.File, "front matter", front.Get("actionLink"), func(ref string) site.Result { return v.byPath(n, "/", ref) })
		for _, key := range []string{"actions", "features"} {
			for _, one := range front.Get(key).Items {
				n.Add(p.File, "front matter", one.Get("link"), n.InPage(p, site.Component))
			}
		}
	})
}

// items adds the links of a list: paths, pairs of a path and a title, and maps. A path is relative to base. Lists that
// are written elsewhere have no position.
func (v *vuepress) items(s *site.Site, n *site.Navigation, list literal.Value, in, base string) {
	if list.Kind != literal.List || v.hasLayout {
		return
	}
	add := func(at literal.Value, base string) {
		n.Add(s.Config, in, at, func(ref string) site.Result { return v.byPath(n, base, ref) })
	}
	for _, item := range list.Items {
		switch item.Kind {
		case literal.String:
			add(item, base)
		case literal.List:
			if len(item.Items) > 0 {
				add(item.Items[0], base)
			}
		case literal.Map:
			inner := base
			if prefix, ok := item.Get("prefix").StringOr(""); !ok {
				continue // it is unknown
			} else if prefix != "" {
				inner = joinPrefix(base, prefix)
			}
			add(item.Get("link"), base)
			add(item.Get("path"), base)
			for _, key := range []string{"items", "children"} {
				v.items(s, n, item.Get(key), in, inner)
			}
		}
	}
}

func joinPrefix(base, ref string) string {
	if strings.HasPrefix(ref, "/") {
		return ref
	}
	return strings.TrimSuffix(base, "/") + "/" + ref
}

// byPath resolves the path of a page, with or without suffix.
func (v *vuepress) byPath(n *site.Navigation, base, ref string) site.Result {
	if ref == "auto" || ref == "heading" || ref == "structure" {
		return site.Result{State: site.Unknown, Why: madeEntries}
	}
	return n.ByForm(site.Component, joinPrefix(base, ref))
}

// Reasons.
var (
	madeEntries = reason.New(reason.Build, "made-entries", "entries made at build time")
)
