package built

import (
	"bytes"
	"strings"

	"example.org/refract/internal/ascii"
)

// findCut finds pages that end too early. The end tag of html may be left out, so the other pages tell whether it is.
func (s *Site) findCut() {
	const part = 2 // of which one is closed, at least
	closed, all := 0, 0
	for _, p := range s.Pages {
		if p.IsUnread || p.isPiece {
			continue
		}
		all++
		if p.isClosed {
			closed++
		}
	}
	if closed*part < all {
		return
	}
	for _, p := range s.Pages {
		p.isCut = !p.IsUnread && !p.isPiece && !p.isClosed
	}
}

// Cut returns the number of truncated pages.
func (s *Site) Cut() (n int) {
	for _, p := range s.Pages {
		if p.isCut {
			n++
		}
	}
	return n
}

// findUnserved compares the URLs in sitemap.xml with the files: if a part of them is missing, other files may be, too.
func (s *Site) findUnserved() {
	const few, part = 2, 20
	text := s.payload("sitemap.xml")
	unserved, all := 0, 0
	for {
		_, rest, ok := bytes.Cut(text, []byte("<loc>"))
		u, rest, isClosed := bytes.Cut(rest, []byte("</loc>"))
		if !ok || !isClosed {
			break
		}
		text = rest
		_, at, ok := strings.Cut(strings.TrimSpace(string(u)), "://")
		if !ok {
			continue
		}
		_, p, _ := strings.Cut(at, "/")
		below, isIn := strings.CutPrefix("/"+ascii.UnescapeAll(p), s.Prefix)
		if !isIn {
			continue
		}
		all++
		if s.fileAt(below) == "" {
			unserved++
		}
	}
	// If hardly any is there, the sitemap is of another site, or has other URLs.
	if unserved >= few && unserved*part >= all && unserved*2 <= all {
		s.IsPartial, s.Unserved = true, unserved
	}
}
