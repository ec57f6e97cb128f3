package built

import (
	"bytes"
	"cmp"
	"strings"
	"sync"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/order"
)

// votes are the hints in the pages of a directory about the URL at which it is published. Only the first
// pages are read, so that the outcome does not depend on the order in which pages are read.
type votes struct {
	site  *Site
	mu    sync.Mutex
	paths map[string]bool   // distinct paths of links that begin with "/"
	known map[published]int // by the canonical URLs of pages
	bases map[string]int    // by the base elements of pages
}

// published is where a directory is published.
type published struct{ origin, prefix string }

const (
	maxVotes  = 20_000 // distinct paths
	maxLevels = 6      // directories in a prefix
)

func newVotes(s *Site) *votes {
	return &votes{site: s, paths: map[string]bool{}, known: map[published]int{}, bases: map[string]int{}}
}

// link takes a link of a page.
func (v *votes) link(ref []byte) {
	if v.site.URL != "" || len(ref) < 2 || ref[0] != '/' || ref[1] == '/' || len(ref) > maxTrace {
		return
	}
	if i := bytes.IndexAny(ref, "?#"); i >= 0 {
		ref = ref[:i]
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if !v.paths[string(ref)] && len(v.paths) < maxVotes {
		v.paths[string(ref)] = true
	}
}

// base takes the base element of a page: if it is a path, that is where the site is.
func (v *votes) base(ref []byte) {
	if len(ref) > 0 && ref[0] == '/' && ref[len(ref)-1] == '/' && !bytes.HasPrefix(ref, []byte("//")) && len(ref) < maxTrace {
		v.mu.Lock()
		defer v.mu.Unlock()
		v.bases[string(ref)]++
	}
}

// canonical takes the canonical URL of a page.
func (v *votes) canonical(p *Page) {
	if p.canonical == "" || v.site.URL != "" {
		return
	}
	at, ok := placeOf(p.canonical, p.Name)
	p.canonical = ""
	if ok {
		v.mu.Lock()
		defer v.mu.Unlock()
		v.known[at]++
	}
}

// placeOf returns where a directory is published if one of its pages is at a URL.
func placeOf(u, name string) (at published, ok bool) {
	scheme, rest, ok := strings.Cut(u, "://")
	if !ok {
		return at, false
	}
	if i := strings.IndexAny(rest, "?#"); i >= 0 {
		rest = rest[:i]
	}
	host, p, _ := strings.Cut(rest, "/")
	at.origin = scheme + "://" + host
	p = "/" + strings.Trim(ascii.UnescapeAll(p), "/") + "/"
	name = "/" + name + "/"
	for _, cut := range []string{"", "/index.html/", ".html/"} {
		stem, isCut := strings.CutSuffix(name, cut)
		if cut != "" && !isCut {
			continue
		}
		if cut != "" {
			stem += "/"
		}
		if prefix, ok := strings.CutSuffix(p, stem); ok {
			at.prefix = prefix + "/"
			return at, true
		}
	}
	return at, false
}

// place sets where s is published: by its URL, by the prefix with which most links of its pages resolve to
// a file, or by their canonical URLs.
func (s *Site) place(v *votes) {
	if s.URL != "" {
		scheme, rest, _ := strings.Cut(s.URL, "://")
		host, p, _ := strings.Cut(rest, "/")
		s.Origin, s.Prefix = scheme+"://"+host, "/"
		p = strings.Trim(p, "/")
		if p != "" {
			s.Prefix = "/" + p + "/"
		}
		return
	}
	s.Prefix = "/"
	best := published{}
	n := 0
	for at, votes := range v.known {
		if votes > n || votes == n && cmp.Or(strings.Compare(at.origin, best.origin), strings.Compare(at.prefix, best.prefix)) < 0 {
			best, n = at, votes
		}
	}
	s.Origin = best.origin
	if len(v.bases) == 1 {
		for base := range v.bases {
			s.Prefix = base
		}
		s.countSlashes(v)
		return
	}
	counts := map[string]int{}
	for p := range v.paths {
		s.count(counts, ascii.UnescapeAll(p))
	}
	prefixes := make([]string, 0, len(counts))
	for prefix := range counts {
		prefixes = append(prefixes, prefix)
	}
	order.Sort(prefixes, func(x, y string) int {
		return cmp.Or(cmp.Compare(counts[y], counts[x]), cmp.Compare(len(x), len(y)), strings.Compare(x, y))
	})
	switch {
	case len(prefixes) > 0:
		s.Prefix = prefixes[0]
	case n > 0:
		s.Prefix = best.prefix
	case len(v.paths) > 0:
		s.Prefix = unknownPrefix
	}
	s.countSlashes(v)
}

// unknownPrefix stands for the prefix if links begin with "/", and none of them points to a file. No link
// has it by itself.
const unknownPrefix = "/built.invalid/"

// countSlashes sets LacksSlash: whether most links to directories with an index page have no slash at their ends.
func (s *Site) countSlashes(v *votes) {
	with, without := 0, 0
	for p := range v.paths {
		rest, ok := strings.CutPrefix(ascii.UnescapeAll(p), s.Prefix)
		if !ok || rest == "" || !s.dirs[strings.TrimSuffix(rest, "/")] || s.fileAt(rest) == "" {
			continue
		}
		if strings.HasSuffix(rest, "/") {
			with++
		} else {
			without++
		}
	}
	s.lacksSlash = without > with
}

// count counts the prefixes with which a path points to a file that is no home page: that of any prefix is there.
func (s *Site) count(counts map[string]int, p string) {
	at := 0
	for range maxLevels {
		rest := p[at+1:]
		if rest != "" && s.fileAt(rest) != "" {
			counts[p[:at+1]]++
		}
		i := strings.IndexByte(rest, '/')
		if i < 0 {
			return
		}
		at += 1 + i
	}
}
