package lead

import (
	"path"
	"strings"

	"example.org/refract/internal/audit/publish"
	"example.org/refract/internal/site"
)

const minRootLinks = 40 // references "/x" of a site that show what its host has

const maxStray = 3 // references to a first name that nothing else shows to exist

// FirstName returns the first name in the path of a reference "/x".
func FirstName(ref string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(ref[:PathLength(ref)], "/"), "/")
	return name
}

// isRootStray reports whether a reference "/x", which points below no mount of the site, is broken. Either
// few references have the same first name, and that name is a misspelled one, or few have any such name.
// Where the host has something beside the site, or a program gets pages from elsewhere, many references
// point there.
func (a *World) isRootStray(s *site.Site, ref string, res *site.Result) bool {
	c := a.Rooted[s]
	if c == nil || !strings.HasPrefix(ref, "/") || c.First[FirstName(ref)] > maxStray {
		return false
	}
	if u, isIn := s.CutBase(ServedURL(res)); isIn && s.HasMisspelled(u) {
		return true
	}
	isAlone := s.OwnHost || s.Known == site.ClosedRoutes
	return isAlone && s.Base == "/" && !s.Generates && c.All >= minRootLinks && 40*c.Strays <= c.All
}

// MadeDir returns the directory of a site that a reference points into and that a build makes, or "". It
// resolves a relative reference against both its page and its source.
func (a *World) MadeDir(s *site.Site, u site.Use, ref string, res *site.Result) string {
	urls := []string{ServedURL(res)}
	if !strings.HasPrefix(ref, "/") && u.Page != nil {
		urls = append(urls, path.Join(s.Base, u.Page.Mount.URL, path.Dir(u.Page.Rel), ref[:PathLength(ref)]))
	}
	for _, url := range urls {
		for dir := range ParentsOf(url) {
			if a.Made[s][dir].IsMade(s, dir) {
				return dir
			}
		}
	}
	return ""
}

// A Mapping says that the pages of a directory are in the directory Name in it, which many references leave out.
type Mapping struct {
	Name  string
	Links int // references to a page there
}

// MappedTo returns the directory of a site, below its base, in which a broken reference would find its page
// by a mapping; "" if there is none.
func (a *World) MappedTo(s *site.Site, res *site.Result) string {
	u, isIn := s.CutBase(ServedURL(res))
	for at := 1; isIn && len(a.Mapped[s]) > 0 && at < len(u); {
		if m, ok := a.Mapped[s][u[:at]]; ok {
			dir := u[:at] + m.Name + "/"
			if _, isPage := s.Lookup(dir+u[at:], false); isPage {
				return dir
			}
		}
		i := strings.IndexByte(u[at:], '/')
		if i < 0 {
			break
		}
		at += i + 1
	}
	return ""
}

// ParentsOf yields the directories of a URL path except the root, each with a trailing slash:
// "/a/", "/a/b/".
func ParentsOf(u string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		u = strings.TrimSuffix(u, "/")
		for i, n := 1, 0; i < len(u) && n < publish.MaxDirs; n++ {
			j := strings.IndexByte(u[i:], '/')
			if j < 0 || !yield(u[:i+j+1]) {
				return
			}
			i += j + 1
		}
	}
}

// PathLength returns the length of a reference without its query and fragment.
func PathLength(ref string) int {
	if i := strings.IndexAny(ref, "?#"); i >= 0 {
		return i
	}
	return len(ref)
}

// ServedURL returns the URL on its site that a broken reference points to.
func ServedURL(res *site.Result) (u string) {
	for _, c := range res.Tried {
		if c.URL != "" {
			u = c.URL
		}
	}
	return u
}
