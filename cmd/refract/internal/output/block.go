package output

import (
	"fmt"
	"io"
	"sync"

	"example.org/refract/cmd/refract/internal/distinct"
	"example.org/refract/cmd/refract/internal/filter"
	"example.org/refract/cmd/refract/internal/overview"
	"example.org/refract/extract"
)

// Counts holds the totals of a run.
type Counts struct {
	Inputs     int `json:"inputs"`
	References int `json:"references"`
	Unresolved int `json:"unresolved"` // references without an absolute URL
	Notes      int `json:"notes"`

	UnreadNotes int     `json:"unread_notes,omitempty"` // notes about unread content, which --strict lists
	NotRead     NotRead `json:"not_read,omitempty"`
	AsText      NotRead `json:"as_text,omitempty"` // binary files that were named, and scanned as text

	Errors  int `json:"errors"`  // inputs that could not be read completely
	Skipped int `json:"skipped"` // archive records whose type is not read

	NoFollow int `json:"no_follow,omitempty"` // references that --format frontier leaves out because of nofollow

	Names           int `json:"names,omitempty"`            // of these, names of documents and files
	Defanged        int `json:"defanged,omitempty"`         // URLs that begin with "hxxp", which is not undone
	UnreadableDates int `json:"unreadable_dates,omitempty"` // messages whose Date cannot be read, in runs that use the fields of messages
	Undated         int `json:"undated,omitempty"`          // messages that --since and --until skip for want of a readable date
}

// Add adds d.
func (c *Counts) Add(d *Counts) {
	c.Inputs += d.Inputs
	c.References += d.References
	c.Unresolved += d.Unresolved
	c.Notes += d.Notes
	c.UnreadNotes += d.UnreadNotes
	c.NotRead.addAll(d.NotRead)
	c.AsText.addAll(d.AsText)
	c.Errors += d.Errors
	c.Skipped += d.Skipped
	c.NoFollow += d.NoFollow
	c.Defanged += d.Defanged
	c.Names += d.Names
	c.UnreadableDates += d.UnreadableDates
	c.Undated += d.Undated
}

// pageSize is the size in bytes at which a page is passed on.
const pageSize = 256 << 10

// A Page holds a part of the rendered output of one job.
type Page struct {
	Out      []byte
	Messages []byte // for standard error
	Damaged  []byte // rows of --damaged

	Overview overview.Batch // with --html

	// With --unique and --count, out is a sequence of records with keys.
	lines []keyedLine
	Keys  []byte
}

// A keyedLine is one line of a keyed page.
type keyedLine struct {
	end int // in page.out
	key int // end of its key in page.keys; -1: no key, the line is always written
}

// size returns roughly how many bytes of memory the content of p takes.
func (p *Page) size() int {
	return len(p.Out) + len(p.Messages) + len(p.Damaged) + len(p.Keys) + 16*len(p.lines) + p.Overview.Size()
}

// pages recycles the memory of pages that have been written.
var pages = sync.Pool{New: func() any { return new(Page) }}

// Release returns p to the pool, unless a very long line has made p too large to keep.
func (p *Page) Release() {
	if cap(p.Out)+cap(p.Messages)+cap(p.Damaged)+cap(p.Keys)+16*cap(p.lines) > 4*pageSize {
		return
	}
	p.Overview.Reset()
	p.Out, p.Messages, p.Damaged, p.lines, p.Keys = p.Out[:0], p.Messages[:0], p.Damaged[:0], p.lines[:0], p.Keys[:0]
	pages.Put(p)
}

// A Block collects the output of one job: its counts, and its pages, one of which is being filled.
type Block struct {
	Counts
	Page
	keyed    bool
	byLine   bool
	emit     func(*Page) bool // passes on a page; false: the receiver wants no more
	Canceled bool

	Budget budget           // of the current entity
	Known  *distinct.Recent // URLs that need not be rendered again; nil: all are rendered

	Target string // with --published: the file that the current reference resolves to; "" if it is not known

	row row    // the current line about a reference, reused
	Key []byte // its canonical key, reused

	shared                   sharedCells     // what the lines about references have in common
	entity                   *extract.Entity // the arguments of MemberOf, and its results
	inputName, shown, member string

	ShownIn *extract.Entity // the entity of the last reference in overview

	document string // the document whose URL, as edges print it, is in source
	source   []byte

	host  []byte        // of the last line of --format frontier
	names *filter.Names // nil until it is needed
	pair  []byte        // of the last record of --count
}

// Begin prepares b for a job that passes on its pages with emit; byLine makes a page of each reference and note.
func (b *Block) Begin(keyed, byLine bool, emit func(*Page) bool) {
	*b = Block{keyed: keyed, byLine: byLine, emit: emit}
	p := pages.Get().(*Page)
	b.Page = *p
}

// HasRoom passes on the page if it is full. It returns false if the receiver wants no more.
func (b *Block) HasRoom() bool {
	if b.byLine || b.Page.size() >= pageSize {
		b.flush()
	}
	return !b.Canceled
}

// flush passes on the page.
func (b *Block) flush() {
	if b.Canceled || b.Page.size() == 0 {
		return
	}
	p, next := new(Page), pages.Get().(*Page)
	*p, b.Page = b.Page, *next
	b.Canceled = !b.emit(p)
}

// End passes on the last page.
func (b *Block) End() {
	b.flush()
	last := b.Page // a copy: the memory of the block itself must not enter the pool
	b.Page, b.row, b.Key, b.entity, b.ShownIn = Page{}, row{}, nil, nil, nil
	last.Release()
	b.names.Release()
	b.names = nil
}

// namesOf returns the host and the domain of url.
func (b *Block) namesOf(url []byte) (host, domain []byte) {
	if b.names == nil {
		b.names = filter.NewNames()
	}
	return b.names.Of(url)
}

// endRecord ends a record of a keyed block. The caller has appended its key to b.keys.
func (b *Block) endRecord() {
	if b.keyed {
		b.lines = append(b.lines, keyedLine{len(b.Out), len(b.Keys)})
	}
}

// endUnkeyed ends a record without a key, which is always written.
func (b *Block) endUnkeyed() {
	if b.keyed {
		b.lines = append(b.lines, keyedLine{len(b.Out), -1})
	}
}

// WriteDistinct writes to w the records of p that are not yet in set.
func (p *Page) WriteDistinct(w io.Writer, set *distinct.Set, flag string) error {
	start, key := 0, 0
	for i, r := range p.lines {
		if i%distinct.Ahead == 0 {
			p.prefetch(set, i, key)
		}
		text := p.Out[start:r.end]
		start = r.end
		if r.key >= 0 {
			fresh, err := set.Add(p.Keys[key:r.key], text)
			if err != nil {
				return fmt.Errorf("--%s: %w", flag, err)
			}
			key = r.key
			if !fresh {
				continue
			}
		}
		if _, err := w.Write(text); err != nil {
			return err
		}
	}
	return nil
}

// prefetch prepares set for the keys of p that begin with that of line i, which is at from.
func (p *Page) prefetch(set *distinct.Set, i, from int) {
	var keys [distinct.Ahead][]byte
	n := 0
	for _, r := range p.lines[i:min(i+distinct.Ahead, len(p.lines))] {
		if r.key >= 0 {
			keys[n] = p.Keys[from:r.key]
			from = r.key
			n++
		}
	}
	set.Prefetch(keys[:n])
}

// AppendSummary appends the last line of the --json output.
func (c *Counts) AppendSummary(dst []byte) []byte {
	dst = AppendSummary(dst, Total{"inputs", c.Inputs, false}, Total{"references", c.References, false},
		Total{"unresolved", c.Unresolved, false}, Total{"notes", c.Notes, false},
		Total{"errors", c.Errors, false}, Total{"skipped", c.Skipped, true},
		Total{"names", c.Names, true}, Total{"defanged", c.Defanged, true}, Total{"unreadable_dates", c.UnreadableDates, true}, Total{"undated", c.Undated, true})
	return c.AsText.AppendTo("as_text", c.NotRead.AppendTo("not_read", dst))
}
