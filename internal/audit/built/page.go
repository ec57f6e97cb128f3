package built

import (
	"bytes"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"example.org/refract/extract/html"
	"example.org/refract/extract/scan"
)

// A Page is the kept data of an HTML file.
type Page struct {
	Site *Site
	Name string // path below the directory: "guide/setup/index.html"
	Time time.Time

	// Headings are the texts of its headings, as converted by Key, in order; at most MaxHeadings.
	Headings []uint64
	// Traces are URLs and paths in the page that may name its source: links to edit or to show it, and the like.
	Traces []string
	// refresh is where the page sends the browser at once; "" means nowhere.
	refresh string
	// IsUnread says that the file could not be read, or is too large: its ids and links are unknown.
	IsUnread bool
	// isScripted says that a script makes the content of the page, so that its ids are unknown.
	isScripted bool
	// isCut says that the file seems to end too early, so that it may lack ids.
	isCut bool

	ids       []uint64 // sorted
	lacksIDs  bool     // because of maxIDs
	isClosed  bool     // it ends with the end tag of html
	isPiece   bool     // it has no html element of its own
	canonical string
	size      int64
}

const (
	MaxHeadings = 128
	maxTraces   = 8
	maxTrace    = 1024 // bytes
	maxTail     = 256  // bytes at the end of a page in which its end tag is
)

// Shown returns the name of p as shown to users.
func (p *Page) Shown() string { return path.Join(p.Site.Shown, p.Name) }

// knowsIDs reports whether all ids of p are known.
func (p *Page) knowsIDs() bool {
	return !p.IsUnread && !p.isScripted && !p.isCut && !p.lacksIDs && p.refresh == ""
}

// hasID reports whether p has an id, which is not decoded.
func (p *Page) hasID(id string) bool {
	_, ok := slices.BinarySearch(p.ids, Hash(id))
	return ok
}

// A reader reads pages, one after another.
type reader struct {
	site    *Site
	scanner html.Scanner
	votes   *votes
	ids     []uint64
	zones   zones
}

func newReader(s *Site, v *votes) *reader {
	return &reader{site: s, votes: v, scanner: html.Scanner{Anchors: true, Details: true}}
}

// Text returns the bytes of p, or nil if it cannot be read or is too large.
func (p *Page) Text() []byte {
	if p.size > maxPage {
		return nil
	}
	f, err := p.Site.fs.Open(p.Site.Path + "/" + p.Name)
	if err != nil {
		return nil
	}
	defer f.Close()
	b := bytes.NewBuffer(make([]byte, 0, p.size+bytes.MinRead))
	_, err = b.ReadFrom(io.LimitReader(f, maxPage+1))
	if err != nil || b.Len() > maxPage {
		return nil
	}
	return b.Bytes()
}

// read reads a page.
func (r *reader) read(p *Page) {
	text := p.Text()
	if text == nil {
		p.IsUnread = true
		return
	}
	p.isClosed = bytes.HasSuffix(bytes.ToLower(bytes.TrimSpace(text[max(0, len(text)-maxTail):])), []byte("</html>"))
	p.isPiece = len(text) > 0 && !bytes.Contains(bytes.ToLower(text[:min(len(text), maxTrace)]), []byte("<html"))
	r.ids = r.ids[:0]
	r.zones.find(text)
	p.Headings = slices.Clone(r.zones.headings)
	for _, t := range r.zones.traces {
		p.addTrace(t)
	}
	r.scanner.XML = strings.HasSuffix(p.Name, ".xhtml")
	links, scripts := 0, 0
	for it := range r.scanner.Scan(text) {
		switch {
		case it.Op == scan.Anchor && it.Space == "":
			r.ids = append(r.ids, Hash(it.Value))
		case it.Op == scan.Base && it.In == "base/href":
			r.votes.base(it.Value)
		case it.Op != scan.Ref:
		case it.In == "a/href":
			links++
			r.trace(p, it)
			r.votes.link(it.Value)
		case it.In == "link/href" && isRel(it, "canonical"):
			p.canonical = string(it.Value)
		case it.In == "link/href" && isRel(it, "edit"):
			p.addTrace(string(it.Value))
		case it.In == "script/src":
			scripts++
			r.votes.link(it.Value)
		case it.In == "meta/refresh" && p.refresh == "":
			p.refresh = string(it.Value)
		case it.Kind == scan.Embed:
			r.votes.link(it.Value)
		}
	}
	p.isScripted = scripts > 0 && links == 0 && len(p.Headings) == 0 && r.zones.words < minWords
	r.votes.canonical(p)
	slices.Sort(r.ids)
	ids := slices.Compact(r.ids)
	if r.site.build.ids.Add(-int64(len(ids))) < 0 {
		p.lacksIDs = true
		return
	}
	p.ids = slices.Clone(ids)
}

// minWords is the number of bytes of text with which a page without links and headings has content of its own.
const minWords = 200

// isRel reports whether a word is in the rel attribute of a link element.
func isRel(it *scan.Item, word string) bool {
	return slices.Contains(strings.Fields(strings.ToLower(it.Extra().Rel)), word)
}

// trace keeps the target of a link that may name the source of p: one to edit it, or to show it as it is written.
func (r *reader) trace(p *Page, it *scan.Item) {
	v := it.Value
	if len(p.Traces) >= maxTraces || len(v) > maxTrace {
		return
	}
	for _, mark := range sourceMarks {
		if bytes.Contains(v, mark) {
			p.addTrace(string(v))
			return
		}
	}
}

// sourceMarks are parts of URLs at which hosts of code and generators edit and show sources.
var sourceMarks = [][]byte{[]byte("/edit/"), []byte("/-/edit"), []byte("_edit/"), []byte("_sources/"), []byte("?action=edit"), []byte("mode=edit")}

func (p *Page) addTrace(s string) {
	if len(p.Traces) < maxTraces && len(s) <= maxTrace && !slices.Contains(p.Traces, s) {
		p.Traces = append(p.Traces, s)
	}
}
