package site

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/reason"
	"example.org/refract/internal/site/source"
)

// tryBeside looks up a relative reference that points above the root of the site. It assumes that published
// sites keep the relative positions of their directories. The book in "first-edition" is below the book
// around it, and "../reference/x.html" in "book" points into the book in "reference". ok is false if no
// site of the repository is there.
func (s resolver) tryBeside(c Candidate) (res Result, ok bool) {
	if c.up == 0 || s.around == nil {
		return Result{}, false
	}
	dir := s.Dir
	for range c.up {
		dir = path.Dir(dir)
	}
	at := path.Join(dir, c.rest)
	if !source.Below(at, s.Tree.Root) {
		return Result{}, false
	}
	var best *Site
	for _, o := range s.around() {
		if o != s.Site && source.Below(at, o.Dir) && o.Generator == s.Generator && !source.Below(o.Dir, s.Dir) && (best == nil || len(o.Dir) > len(best.Dir)) {
			best = o
		}
	}
	if best == nil {
		return Result{}, false
	}
	best.Load()
	u := "/" + strings.TrimPrefix(strings.TrimPrefix(at, best.Dir), "/")
	if strings.HasSuffix(c.URL, "/") {
		u = strings.TrimSuffix(u, "/") + "/"
	}
	if res, ok := best.Lookup(u, false); ok {
		return res, true
	}
	return Result{State: Unknown, Why: reason.OutsideSiteSameHost}, true
}

// Serves reports whether the URL of some page or file of the site ends in a name.
func (s *Site) Serves(name string) bool {
	s.Load()
	return s.names.Get(s.lastNames)[strings.ToLower(name)]
}

// lastNames returns the names that URLs end in, in lower case.
func (s *Site) lastNames() map[string]bool {
	names := map[string]bool{}
	for u := range s.ByURL {
		names[strings.ToLower(path.Base(u))] = true
	}
	for _, m := range s.Mounts {
		if m.Kind == Pages || m.Kind == Static {
			s.Tree.Files(m.Dir, s.Skips, func(rel string) { names[strings.ToLower(path.Base(rel))] = true })
		}
	}
	return names
}

// At returns the page or file at a URL path that includes the base of the site.
func (s *Site) At(u string) Result {
	s.Load()
	r := &Reference{Raw: strings.TrimPrefix(u, "/"), Path: u, Form: HTML}
	return resolver{s}.tryURL(URLCandidate(u), r)
}

// urlsByEnd returns the URLs of pages by their last names.
func (s *Site) urlsByEnd() map[string][]string {
	byEnd := map[string][]string{}
	for u := range s.ByURL {
		byEnd[path.Base(u)] = append(byEnd[path.Base(u)], u)
	}
	for _, list := range byEnd {
		slices.Sort(list)
	}
	return byEnd
}
