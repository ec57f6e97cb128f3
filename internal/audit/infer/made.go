package infer

import (
	"strings"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/publish"
	"example.org/refract/internal/site"
)

// made counts the references "/x" of each site by the directories that they point into.
type made struct {
	a     *Inference
	paths map[madeKey]*madePath
}

type madeKey struct {
	s    *site.Site
	path string
}

type madePath struct {
	n           int
	served      string // "" means that the page exists
	isUnmounted bool
}

func (l *made) takes(d *doc.Document) bool { return d.Layout.Generated != nil }

func (l *made) see(d *doc.Document, ref *doc.Reference) {
	if !strings.HasPrefix(ref.Ref, "/") || strings.HasPrefix(ref.Ref, "//") || ref.Err != nil || doc.IsTemplate([]byte(ref.Ref)) {
		return
	}
	at := madeKey{d.Layout.Generated, ref.Ref[:lead.PathLength(ref.Ref)]}
	e := l.paths[at]
	if e == nil {
		if len(l.paths) >= maxRooted {
			return
		}
		e = new(madePath)
		l.paths[at] = e
		res := l.a.Lead(d, ref).Result
		if res.State == site.Missing {
			e.served = lead.ServedURL(&res)
		}
		e.isUnmounted = res.IsUnmounted
	}
	e.n++
}

func (l *made) learn() {
	missing := map[*site.Site]map[string]int{}
	for at, e := range l.paths {
		if u, isIn := at.s.CutBase(e.served); isIn && e.served != "" {
			if missing[at.s] == nil {
				missing[at.s] = map[string]int{}
			}
			missing[at.s][u] += e.n
		}
		l.countRooted(at.s, at.path, e)
		u := e.served
		if u == "" {
			u = at.path
		}
		if l.a.Made[at.s] == nil {
			l.a.Made[at.s] = map[string]*publish.MadeCount{}
		}
		for dir := range lead.ParentsOf(u) {
			c := l.a.Made[at.s][dir]
			if c == nil {
				c = new(publish.MadeCount)
				l.a.Made[at.s][dir] = c
			}
			c.All += e.n
			if e.served != "" {
				c.Missing += e.n
				c.Pages++
			}
		}
	}
	for s, urls := range missing {
		if len(urls) >= publish.MinMadePages {
			l.learnMappings(s, urls)
		}
	}
}

// countRooted counts references "/x" of a site.
func (l *made) countRooted(s *site.Site, ref string, e *madePath) {
	c := l.a.Rooted[s]
	if c == nil {
		c = &publish.RootCount{First: map[string]int{}}
		l.a.Rooted[s] = c
	}
	c.All += e.n
	if e.isUnmounted {
		c.First[lead.FirstName(ref)] += e.n
		c.Strays += e.n
	}
}
