package web

import (
	"example.org/refract/internal/literal"
	"example.org/refract/internal/site"
)

// Hero adds the links of a home page, and the links to the previous and next page.
func Hero(n *site.Navigation, p *site.Page, front literal.Value, form site.Form) {
	resolve := n.InPage(p, form)
	for _, action := range front.Get("hero", "actions").Items {
		n.Add(p.File, "front matter", action.Get("link"), resolve)
	}
	for _, feature := range front.Get("features").Items {
		n.Add(p.File, "front matter", feature.Get("link"), resolve)
	}
	for _, key := range []string{"prev", "next"} {
		n.Add(p.File, "front matter", front.Get(key, "link"), resolve)
	}
}
