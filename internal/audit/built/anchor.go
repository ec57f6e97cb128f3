package built

import (
	"bytes"
	"hash/fnv"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/input"
)

// An Anchor is an id of a page.
type Anchor struct {
	ID      string
	Heading uint64 // Key of the heading that it points to; 0 if it points to none
	Nth     int    // of the headings with this Key, from 0
}

// Anchors returns the ids of p in order; nil if p cannot be read, or if its ids are not known. An id
// belongs to a heading if it is in it, or in the tags directly before it.
func (p *Page) Anchors() (all []Anchor) {
	if !p.knowsIDs() {
		return nil
	}
	text := p.Text()
	if text == nil {
		return nil
	}
	r := newReader(p.Site, nil)
	r.zones.find(text)
	r.scanner.XML = strings.HasSuffix(p.Name, ".xhtml")
	places, passed := r.zones.places, map[uint64]int{}
	for it := range r.scanner.Scan(text) {
		if it.Op != scan.Anchor || it.Space != "" {
			continue
		}
		at := it.Span.Start
		for len(places) > 0 && places[0].end <= at {
			passed[places[0].key]++
			places = places[1:]
		}
		a := Anchor{ID: string(it.Value)}
		if len(places) > 0 && (places[0].at <= at || isNextTo(text[at:places[0].at])) {
			a.Heading, a.Nth = places[0].key, passed[places[0].key]
		}
		all = append(all, a)
	}
	return all
}

// isNextTo reports whether a piece of a page, which begins in a tag, has no text.
func isNextTo(between []byte) bool {
	const longest = 1024
	if len(between) > longest {
		return false
	}
	for {
		end := bytes.IndexByte(between, '>')
		if end < 0 {
			return len(bytes.TrimSpace(between)) == 0
		}
		between = bytes.TrimLeft(between[end+1:], " \t\r\n")
		if len(between) > 0 && between[0] != '<' {
			return false
		}
	}
}

// State returns a number that changes when files of the directories change, by their names, sizes and
// times.
func State(files input.Tree, dirs []Dir) uint64 {
	h := fnv.New64a()
	for _, d := range dirs {
		s := &Site{Dir: d, files: map[string]int32{}, dirs: map[string]bool{}, lower: map[string]string{}, fs: files}
		s.list("", 0)
		h.Write([]byte(d.Path + "\x00" + d.URL + "\x00"))
		for _, p := range s.Pages {
			h.Write([]byte(p.Name + "\x00" + p.Time.UTC().String() + "\x00"))
			h.Write([]byte{byte(p.size), byte(p.size >> 8), byte(p.size >> 16), byte(p.size >> 24)})
		}
	}
	return h.Sum64()
}
