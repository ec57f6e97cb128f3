package web

import (
	"cmp"
	"strings"

	"example.org/refract/internal/site"
)

// A Router knows the URLs that code serves by pages with parameters: files in directories whose names are
// in brackets, such as "[slug]" and "[...rest]". It is embedded in models of generators that route by
// directories. The zero Router knows none.
type Router struct {
	dynamic map[string]*dynamicRoute // by what precedes the first parameter in the URL
	// RestMayBeEmpty says that "[...rest]" also stands for no name at all.
	RestMayBeEmpty bool
}

// A dynamicRoute says how many names follow the beginning of a URL that code serves.
type dynamicRoute struct {
	depths [maxDepth + 1]bool
	file   string // one that decides, relative to the site
}

// maxDepth is the number of names of a URL that are examined. A longer one may be made by code wherever a long one may.
const maxDepth = 32

// Route returns the URL of a page, given the names of its directories without those that are not part of
// URLs. If some names are parameters, the page has none, unless all of these may be missing; the router
// then knows that the file decides. ok is false if the page has no URL of its own.
func (g *Router) Route(names []string, file string) (u string, ok bool) {
	first := 0
	for first < len(names) && !strings.Contains(names[first], "[") {
		first++
	}
	u = "/" + strings.Join(names[:first], "/")
	if first == len(names) {
		return u, true
	}
	least, most := 0, 0
	for _, name := range names[first:] {
		isRest := strings.HasPrefix(name, "[...") || strings.HasPrefix(name, "[[...")
		if !strings.HasPrefix(name, "[[") && !(isRest && g.RestMayBeEmpty) {
			least++
		}
		most++
		if isRest {
			most = maxDepth
		}
	}
	g.Decide(u, least, most, file)
	return u, least == 0
}

// Decide records that a file decides which pages there are below a URL, least to most names deeper.
func (g *Router) Decide(u string, least, most int, file string) {
	if g.dynamic == nil {
		g.dynamic = map[string]*dynamicRoute{}
	}
	if g.dynamic[u] == nil {
		g.dynamic[u] = &dynamicRoute{file: file}
	}
	for i := least; i <= min(most, maxDepth); i++ {
		g.dynamic[u].depths[i] = true
	}
}

// DecidedBy returns the file of code that decides whether there is a page at a URL below the base, or "".
func (g *Router) DecidedBy(_ *site.Site, u string) string {
	u = strings.TrimSuffix(u, "/")
	for depth, left := 0, strings.Count(u, "/"); len(g.dynamic) > 0; depth, left = depth+1, left-1 {
		if left <= maxDepth { // no directory of pages is deeper
			if r := g.dynamic[cmp.Or(u, "/")]; r != nil && r.depths[min(depth, maxDepth)] {
				return r.file
			}
		}
		if left <= 0 {
			break
		}
		u = u[:strings.LastIndexByte(u, '/')]
	}
	return ""
}
