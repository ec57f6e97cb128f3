package site

import (
	"path"
	"slices"
	"strings"
)

// A move is a redirect in a configuration, for which the generator makes a page.
type move struct {
	from string // URL below the base
	to   string // URL below the base, possibly relative to from; or an absolute URL
}

// maxMoves is the number of redirects of one site.
const maxMoves = 100_000

// Move adds a redirect. If from has a fragment, the generated page has that id.
func (s *Site) Move(from, to string) {
	if len(s.moves) < maxMoves && from != "" {
		s.moves = append(s.moves, move{from, to})
	}
}

// addMoves adds the redirects to the index: those to pages of the site as earlier URLs of these
// pages, others as routes.
func (s loader) addMoves() {
	byFrom := make(map[string]string, len(s.moves))
	for _, m := range s.moves {
		if _, again := byFrom[m.from]; !again {
			byFrom[m.from] = m.to
		}
	}
	for _, m := range s.moves {
		from, fragment, hash := strings.Cut(m.from, "#")
		if p := s.ByURL[from]; hash {
			if p != nil {
				p.IDs = append(p.IDs, fragment)
			}
			continue
		}
		if s.ByURL[from] != nil {
			continue // a page or an earlier redirect has this URL
		}
		p := s.movedTo(from, byFrom)
		if p == nil || p.File == "" || len(p.Routes) == 0 {
			s.AddRoute(from)
			continue
		}
		p.Moved, p.Also = append(p.Moved, from), append(p.Also, from)
		s.ByURL[from] = p
		s.AddSegment(from)
	}
}

// movedTo returns the page that a URL redirects to, directly or through others. It returns nil if the
// target is not a page of the site.
func (s loader) movedTo(from string, byFrom map[string]string) *Page {
	for range maxHops {
		to, ok := byFrom[from]
		if !ok {
			return nil
		}
		if i := strings.IndexAny(to, "?#"); i >= 0 {
			to = to[:i]
		}
		if s.Origin != "" {
			to = strings.TrimPrefix(to, s.Origin)
		}
		switch {
		case to == "" || strings.Contains(to, "://"):
			return nil
		case !strings.HasPrefix(to, "/"):
			to = CleanURL(path.Dir(from) + "/" + to)
		}
		places := []string{CleanURL(to)}
		if below, isIn := s.CutBase(to); isIn && s.Base != "/" {
			places = append(places, below)
		}
		for _, u := range places {
			if res, ok := s.Lookup(u, false); ok && res.Page != nil && !slices.Contains(res.Page.Moved, u) {
				return res.Page
			}
		}
		from = places[len(places)-1]
	}
	return nil
}
