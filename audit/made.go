package audit

import (
	"path"
	"strings"

	"example.org/refract/audit/site"
)

const (
	minMadeLinks = 20 // missing references into a directory of a site that show that a build makes the directory
	minMadePages = 5  // distinct pages that they lead to
)

// A madeCount counts the references "/x" into a directory of a site.
type madeCount struct{ all, missing, pages int }

// isMade reports whether a program makes a directory of a site when the site is built: many references
// lead to many of its pages, but hardly any of these pages exist. The directory that the whole site
// is published in, and one with about as many pages that have sources, are not made.
func (c *madeCount) isMade(s *site.Site, dir string) bool {
	if c == nil || c.missing < minMadeLinks || c.pages < minMadePages || 10*(c.all-c.missing) > c.all || strings.HasPrefix(s.Base, dir) {
		return false
	}
	return 2*s.Below(dir) < c.pages
}

const (
	minRootLinks = 100 // references "/x" of a site that show what its host has
	maxStray     = 3   // references to a first name that nothing else shows to exist
)

// A rootCount counts the references "/x" of a site, and those that lead below no mount.
type rootCount struct {
	all    int
	first  map[string]int // those that lead below no mount, by the first name in the path
	strays int            // their number
}

// firstName returns the first name in the path of a reference "/x".
func firstName(ref string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(ref[:pathLength(ref)], "/"), "/")
	return name
}

// isRootStray reports whether a reference "/x", which leads below no mount of the site, leads nowhere: few
// references have the same first name, and few have any such name. Where the host has something beside the
// site, or a program gets pages from elsewhere, many references lead there.
func (a *auditor) isRootStray(s *site.Site, ref string) bool {
	c := a.rooted[s]
	return c != nil && strings.HasPrefix(ref, "/") && c.all >= minRootLinks && 50*c.strays <= c.all && c.first[firstName(ref)] <= maxStray
}

// countMade counts the references "/x" of each site by the directories that they lead into.
func (a *auditor) countMade() {
	type key struct {
		s    *site.Site
		path string
	}
	type entry struct {
		n           int
		served      string // "" means that the page exists
		isUnmounted bool
	}
	paths := map[key]*entry{}
	for _, d := range a.docs {
		s := d.layout.generated
		if s == nil {
			continue
		}
		refs := a.refsOf(d)
		for i := range refs {
			k := &refs[i]
			if !strings.HasPrefix(k.ref, "/") || strings.HasPrefix(k.ref, "//") || k.err != nil || isTemplate([]byte(k.ref)) {
				continue
			}
			at := key{s, k.ref[:pathLength(k.ref)]}
			e := paths[at]
			if e == nil && len(paths) < maxRooted {
				e = new(entry)
				paths[at] = e
				res, _ := a.onSite(d, k, k.ref)
				if res.State == site.Missing {
					e.served = servedURL(&res)
				}
				e.isUnmounted = res.IsUnmounted
			}
			if e != nil {
				e.n++
			}
		}
	}
	for at, e := range paths {
		a.countRooted(at.s, at.path, e.n, e.isUnmounted)
		u := e.served
		if u == "" {
			u = at.path
		}
		if a.made[at.s] == nil {
			a.made[at.s] = map[string]*madeCount{}
		}
		for dir := range parentsOf(u) {
			c := a.made[at.s][dir]
			if c == nil {
				c = new(madeCount)
				a.made[at.s][dir] = c
			}
			c.all += e.n
			if e.served != "" {
				c.missing += e.n
				c.pages++
			}
		}
	}
}

// countRooted counts n references "/x" of a site.
func (a *auditor) countRooted(s *site.Site, ref string, n int, isUnmounted bool) {
	c := a.rooted[s]
	if c == nil {
		c = &rootCount{first: map[string]int{}}
		a.rooted[s] = c
	}
	c.all += n
	if isUnmounted {
		c.first[firstName(ref)] += n
		c.strays += n
	}
}

// madeDir returns the directory of a site that a reference leads into and that a build makes, or
// "". It resolves a relative reference against both its page and its source.
func (a *auditor) madeDir(s *site.Site, u site.Use, ref string, res *site.Result) string {
	urls := []string{servedURL(res)}
	if !strings.HasPrefix(ref, "/") {
		urls = append(urls, path.Join(s.Base, u.Page.Mount.URL, path.Dir(u.Page.Rel), ref[:pathLength(ref)]))
	}
	for _, url := range urls {
		for dir := range parentsOf(url) {
			if a.made[s][dir].isMade(s, dir) {
				return dir
			}
		}
	}
	return ""
}

// parentsOf yields the directories of a URL path except the root, each with a trailing slash:
// "/a/", "/a/b/".
func parentsOf(u string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		u = strings.TrimSuffix(u, "/")
		for i, n := 1, 0; i < len(u) && n < maxDirs; n++ {
			j := strings.IndexByte(u[i:], '/')
			if j < 0 || !yield(u[:i+j+1]) {
				return
			}
			i += j + 1
		}
	}
}

// pathLength returns the length of a reference without its query and fragment.
func pathLength(ref string) int {
	if i := strings.IndexAny(ref, "?#"); i >= 0 {
		return i
	}
	return len(ref)
}

// servedURL returns the URL on its site that a broken reference would lead to.
func servedURL(res *site.Result) (u string) {
	for _, c := range res.Tried {
		if c.URL != "" {
			u = c.URL
		}
	}
	return u
}
