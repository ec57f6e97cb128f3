package site

import (
	"net/url"
	"strings"

	"example.org/refract/internal/site/source"
)

// An Address is where a site is published.
type Address struct {
	Base        string // path of the site's URL, with a slash at both ends: "/", "/docs/"
	IsBaseKnown bool   // false if the configuration computes the base: Base is a guess then
	Origin      string // "https://example.org", for absolute links into the site; "" means unknown
}

// SetURL sets the base and the origin from the URL of a site.
func (a *Address) SetURL(v source.Value) {
	if v.IsUnknown() {
		a.IsBaseKnown = false
		return
	}
	u, err := url.Parse(v.Or(""))
	if err != nil {
		return
	}
	a.SetBase(u.Path)
	if u.Host != "" {
		a.Origin = u.Scheme + "://" + u.Host
	}
}

// SetBase sets the base to a path, with slashes at both ends.
func (a *Address) SetBase(p string) {
	if _, rest, ok := strings.Cut(p, "://"); ok {
		_, p, _ = strings.Cut(rest, "/")
	}
	if p = strings.Trim(p, "/"); p == "" {
		a.Base = "/"
		return
	}
	a.Base = "/" + p + "/"
}

// SetBaseTo sets the base to a path or a URL of the configuration. If it computes the value, the base is
// unknown, and the default of an environment variable (process.env.BASE || "/docs/") is the guess.
func (a *Address) SetBaseTo(v source.Value) {
	if v.IsUnknown() {
		a.IsBaseKnown = false
		a.SetBase(v.Default("/"))
		return
	}
	a.SetBase(v.Or("/"))
}

// CutBase returns a URL without the base of the site, with a leading slash.
func (a *Address) CutBase(u string) (string, bool) {
	if u+"/" == a.Base {
		return "/", true
	}
	rest, ok := strings.CutPrefix(u, a.Base)
	return "/" + rest, ok
}

// Route returns the canonical URL of the page, with the base of a.
func (a *Address) Route(p *Page) string {
	if len(p.Routes) == 0 {
		return ""
	}
	return strings.TrimSuffix(a.Base, "/") + p.Routes[0]
}
