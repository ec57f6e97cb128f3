package site

import (
	"strings"

	"example.org/refract/internal/reason"
)

// Published yields the pages of the site that have sources of their own, by the paths of these, and the URLs at which visitors
// find them: those of the pages and those that lead there, with the base of the site.
func (s *Site) Published(yield func(p *Page, urls []string) bool) {
	base := strings.TrimSuffix(s.Base, "/")
	for p := range s.Pages {
		if !p.Why.IsZero() || p.IsPart || p.IsCopy || len(p.Routes) == 0 {
			continue
		}
		var urls []string
		for _, u := range p.Routes {
			urls = append(urls, base+u)
		}
		for _, u := range p.Moved {
			urls = append(urls, base+u)
		}
		if !yield(p, urls) {
			return
		}
	}
}

// StillServes says whether the site has a page, a file or a redirect at a URL, a path with the base of the site, where an earlier
// state of it had a page. It is Unknown if a build may make the page, for the reason Why.
func (s *Site) StillServes(u string) Answer {
	s.Load()
	below, isIn := s.CutBase(u)
	if !isIn {
		return Answer{State: Missing}
	}
	if res, ok := s.Lookup(below, false); ok {
		return Answer{State: Found, File: res.File}
	}
	if res, ok := s.Redirected(below); ok {
		return Answer{State: Found, File: res.File}
	}
	if (resolver{s}).isIgnored(below) {
		return Answer{Why: reason.GitIgnoredPage}
	}
	why := s.IsMade(below, &Reference{Raw: below, Path: below, Form: Component})
	if why.IsZero() || why.Is(noMount) { // the tree had the page
		return Answer{State: Missing}
	}
	return Answer{Why: why}
}
