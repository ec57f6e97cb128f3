package site

import (
	"path"
	"strings"

	"example.org/refract/internal/literal"
)

// navigate adds links of the navigation bar and of sidebars, and those of front matter.
func (v *vuepress) navigate(s *Site, n *navigator) {
	_, conf := s.tree.readScript(s.Config)
	if ext := path.Ext(s.Config); ext == ".yml" || ext == ".toml" {
		conf = s.tree.read(s.Config)
	}
	theme := conf.get("theme")
	if theme.Kind == literal.Call && len(theme.Items) > 0 {
		theme = theme.at(0)
	}
	themes := []literal.Value{conf.get("themeConfig").Value, theme.Value}
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
	n.front(func(p *Page, front literal.Value) {
		n.add(p.File, "front matter", front.Get("actionLink"), func(ref string) Result { return v.byPath(s, n, "/", ref) })
		for _, key := range []string{"actions", "features"} {
			for _, one := range front.Get(key).Items {
				n.add(p.File, "front matter", one.Get("link"), n.inPage(p, Component))
			}
		}
	})
}

// items adds the links of a list: paths, pairs of a path and a title, and maps. A path is relative to base. Lists that
// are written elsewhere have no position.
func (v *vuepress) items(s *Site, n *navigator, list literal.Value, in, base string) {
	if list.Kind != literal.List || v.hasLayout {
		return
	}
	add := func(at literal.Value, base string) {
		n.add(s.Config, in, at, func(ref string) Result { return v.byPath(s, n, base, ref) })
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
func (v *vuepress) byPath(s *Site, n *navigator, base, ref string) Result {
	if ref == "auto" || ref == "heading" || ref == "structure" {
		return Result{State: Unknown, Why: "entries made at build time"}
	}
	return n.byForm(Component, joinPrefix(base, ref))
}
