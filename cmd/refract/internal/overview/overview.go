// Package overview writes a web page that shows the references of a run at a glance. It shows how many
// there are over time, by domain, scheme, kind, mailing list, folder and sender, and has a searchable table
// of their URLs.
//
//	workers ─► Batches ─► Collector.Take, in the order of the inputs ─► Collector.HTML
//
// Memory is bounded, whatever the inputs contain: see the limits below. Two runs over the same inputs give
// the same page.
package overview

import (
	"bytes"
	"crypto/sha256"
	"time"

	"example.org/refract/cmd/refract/internal/webpage"
	"example.org/refract/extract/scan"
)

const (
	maxURLs   = 100_000  // in the table
	maxBytes  = 32 << 20 // of these URLs, and of what is known about their documents
	maxPlaces = 5        // documents that are named for a URL
	maxNames  = 10_000   // senders, domains and so on that are counted apart
)

// Memory is the most memory in bytes that a Collector takes, and the page while it is written.
const Memory = 256 << 20

// A Collector collects the references of one run. It must not be used concurrently.
type Collector struct {
	labels []string // the name of each bit of Reference.Labels

	urls    counter[address]
	groups  [groupCount]counter[struct{}]
	kinds   [16]int
	flagged [64]int // references by label
	codes   map[scan.Code]int

	days    []int32 // references by the day, from firstDay
	undated int
	outside int // references with a date that is not in days

	scheme [maxScheme]byte // memory for the scheme of a reference

	references int
	sources    int
	source     *source // of the current reference
	mark       int32   // of sources that drop has counted
}

// A group is a property by which references are counted.
type group uint8

const (
	byDomain group = iota
	byScheme
	byList
	byFolder
	byFrom
	groupCount
)

// An address is what is known about a URL.
type address struct {
	text        string // if it is not the name of the item
	domain      string
	kinds       uint16 // bits of scan.Kind
	labels      uint64
	documents   int32
	first, last int32 // days, from 1; 0: no date
	source      int32 // number of the source of the last reference
	places      [maxPlaces]place
}

// A place is where a URL stands.
type place struct {
	source       *source
	line, column int32
}

// A source is a Source that the Collector keeps while a place refers to it.
type source struct {
	Source
	number int32 // from 1
	day    int32 // from 1; 0: no date
	size   int
	mark   int32 // equals that of the Collector: counted
	index  int32 // in the page, from 1
}

// NewCollector returns a Collector for references with these labels, at most 64.
func NewCollector(labels []string) *Collector {
	c := &Collector{labels: labels, codes: map[scan.Code]int{}}
	c.urls.limit, c.urls.bytes, c.urls.size = maxURLs, maxBytes, c.sizeOf
	for i := range c.groups {
		c.groups[i].limit, c.groups[i].bytes = maxNames, maxNames*maxText
	}
	return c
}

// Take adds the references in b.
func (c *Collector) Take(b *Batch) {
	for _, code := range b.codes {
		if _, ok := c.codes[code]; ok || len(c.codes) < maxText {
			c.codes[code]++
		}
	}
	at := int32(-1)
	for i := range b.refs {
		r := &b.refs[i]
		if r.source != at {
			at = r.source
			c.enter(&b.sources[at])
		}
		c.take(b, r)
	}
}

// enter makes s the current source.
func (c *Collector) enter(s *Source) {
	if c.source != nil && c.source.Source == *s {
		return
	}
	made := &source{Source: *s, size: 160 + len(s.Document) + len(s.ID) + len(s.From) + len(s.Subject) + len(s.List)}
	if last := c.source; last == nil || last.Name != s.Name || last.Member != s.Member {
		made.size += len(s.Name) + len(s.Member) + len(s.Folder)
	} else {
		made.Name, made.Member, made.Folder = last.Name, last.Member, last.Folder // share their memory
	}
	if !s.Date.IsZero() {
		if day := dayOf(s.Date); day >= 0 && day < dayCount {
			made.day = int32(day) + 1
		}
	}
	c.sources++
	made.number = int32(c.sources)
	c.source = made
}

// take adds one reference in the current source.
func (c *Collector) take(b *Batch, r *reference) {
	s := c.source
	url, key, domain := b.text[r.start:r.url], b.text[r.url:r.key], b.text[r.key:r.domain]
	c.references++
	c.kinds[r.kind]++
	for i := range c.labels {
		if r.labels>>i&1 != 0 {
			c.flagged[i]++
		}
	}
	switch {
	case s.Date.IsZero():
		c.undated++
	case s.day == 0:
		c.outside++
	default:
		if c.days == nil {
			c.days = make([]int32, dayCount)
		}
		c.days[s.day-1]++
	}
	for g, name := range [...]string{byList: s.List, byFolder: s.Folder, byFrom: s.From} {
		if name != "" {
			c.groups[g].add([]byte(name))
		}
	}
	c.groups[byScheme].add(schemeOf(c.scheme[:0], url))
	site := ""
	if len(domain) > 0 {
		site = c.groups[byDomain].add(domain).name
	}
	name := url
	if len(key) > 0 {
		name = key
	}
	it := c.urls.add(name)
	a := &it.value
	if it.n == 1 {
		a.domain = site
		if len(key) > 0 {
			a.text = string(url)
			c.urls.held += len(url)
		}
	}
	c.place(a, r)
}

// place adds what r says about a: where it is, and when.
func (c *Collector) place(a *address, r *reference) {
	s := c.source
	a.kinds |= 1 << r.kind
	a.labels |= r.labels
	if s.day > 0 {
		if a.first == 0 || s.day < a.first {
			a.first = s.day
		}
		a.last = max(a.last, s.day)
	}
	if a.source == s.number {
		return
	}
	a.source = s.number
	if a.documents < maxPlaces {
		a.places[a.documents] = place{s, r.line, r.column}
		if s.mark != c.mark {
			s.mark = c.mark
			c.urls.held += s.size
		}
	}
	a.documents++
}

// sizeOf returns the bytes of an address, and of its sources that were not counted before.
func (c *Collector) sizeOf(a *address, isFirst bool) int {
	if isFirst {
		c.mark++
	}
	n := len(a.text)
	for _, p := range a.places[:min(a.documents, maxPlaces)] {
		if p.source.mark != c.mark {
			p.source.mark = c.mark
			n += p.source.size
		}
	}
	return n
}

// appendKey appends a URL, or the part of it that is kept and a digest of the whole.
func appendKey(dst, url []byte) []byte {
	if len(url) <= maxName {
		return append(dst, url...)
	}
	sum := sha256.Sum256(url)
	return append(append(dst, url[:webpage.Start(url, maxName-1)]...), sum[:]...)
}

// shownURL returns a text that appendKey made, in a form for the page.
func shownURL(text string) string {
	if len(text) > maxName {
		return webpage.Shown(text[:len(text)-sha256.Size]) + "…"
	}
	return webpage.Shown(text)
}

// schemeOf returns the scheme of a URL, in lower case, or the text for a reference without one. It
// appends it to dst.
func schemeOf(dst, url []byte) []byte {
	for i, c := range url {
		switch {
		case c == ':' && i > 0:
			return append(dst, bytes.ToLower(url[:min(i, maxScheme)])...)
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9' && i > 0, c == '+', c == '-', c == '.':
		default:
			return append(dst, noScheme...)
		}
	}
	return append(dst, noScheme...)
}

const (
	maxScheme = 40 // bytes of a scheme that are kept
	noScheme  = "(relative)"
)

// The days that are counted: those from 1970 to 2099. Other dates are wrong.
var firstDay = time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC)

const dayCount = 47482

// dayOf returns the number of days from firstDay to t.
func dayOf(t time.Time) int {
	seconds := t.Unix() - firstDay.Unix()
	if seconds < 0 {
		return -1
	}
	return int(seconds / (24 * 60 * 60))
}
