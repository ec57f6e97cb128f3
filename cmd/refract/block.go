package main

import (
	"fmt"
	"io"
	"sync"

	"example.org/refract/cmd/refract/internal/distinct"
	"example.org/refract/cmd/refract/internal/overview"
	"example.org/refract/extract"
)

// counts holds the totals of a run.
type counts struct {
	Inputs     int `json:"inputs"`
	References int `json:"references"`
	Unresolved int `json:"unresolved"` // references without an absolute URL
	Notes      int `json:"notes"`

	UnreadNotes int     `json:"unread_notes,omitempty"` // notes about unread content, which --strict lists
	NotRead     notRead `json:"not_read,omitempty"`
	AsText      notRead `json:"as_text,omitempty"` // binary files that were named, and scanned as text

	Errors  int `json:"errors"`  // inputs that could not be read completely
	Skipped int `json:"skipped"` // archive records whose type is not read

	NoFollow int `json:"no_follow,omitempty"` // references that --frontier leaves out because of nofollow
}

func (c *counts) add(d *counts) {
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
}

// pageSize is the size in bytes at which a page is passed on.
const pageSize = 256 << 10

// A page holds a part of the rendered output of one job.
type page struct {
	out      []byte
	messages []byte // for standard error

	overview overview.Batch // with --html

	// With --unique and --count, out is a sequence of records with keys.
	lines []keyedLine
	keys  []byte
}

// A keyedLine is one line of a keyed page.
type keyedLine struct {
	end int // in page.out
	key int // end of its key in page.keys; -1: no key, the line is always written
}

// size returns roughly how many bytes of memory the content of p takes.
func (p *page) size() int {
	return len(p.out) + len(p.messages) + len(p.keys) + 16*len(p.lines) + p.overview.Size()
}

// pages recycles the memory of pages that have been written.
var pages = sync.Pool{New: func() any { return new(page) }}

// release returns p to the pool, unless a very long line has made p too large to keep.
func (p *page) release() {
	if cap(p.out)+cap(p.messages)+cap(p.keys)+16*cap(p.lines) > 4*pageSize {
		return
	}
	p.overview.Reset()
	p.out, p.messages, p.lines, p.keys = p.out[:0], p.messages[:0], p.lines[:0], p.keys[:0]
	pages.Put(p)
}

// A block collects the output of one job: its counts, and its pages, of which one is being filled.
type block struct {
	counts
	page
	keyed    bool
	emit     func(*page) bool // passes on a page; false: the receiver wants no more
	canceled bool

	budget budget // of the current entity

	row row    // the current line about a reference, reused
	key []byte // its canonical key, reused

	shared                   sharedCells     // what the lines about references have in common
	entity                   *extract.Entity // the arguments of memberOf, and its results
	inputName, shown, member string

	shownIn *extract.Entity // the entity of the last reference in overview

	document string // the document whose URL, as edges print it, is in source
	source   []byte

	authority, hostKey []byte // of the last line of --frontier
	pair               []byte // of the last record of --count
}

// begin prepares b for a job that passes on its pages with emit.
func (b *block) begin(keyed bool, emit func(*page) bool) {
	*b = block{keyed: keyed, emit: emit}
	p := pages.Get().(*page)
	b.page = *p
}

// hasRoom passes on the page if it is full. It returns false if the receiver wants no more.
func (b *block) hasRoom() bool {
	if b.page.size() >= pageSize {
		b.flush()
	}
	return !b.canceled
}

// flush passes on the page.
func (b *block) flush() {
	if b.canceled || b.page.size() == 0 {
		return
	}
	p, next := new(page), pages.Get().(*page)
	*p, b.page = b.page, *next
	b.canceled = !b.emit(p)
}

// end passes on the last page.
func (b *block) end() {
	b.flush()
	last := b.page // a copy: the memory of the block itself must not enter the pool
	b.page, b.row, b.key, b.entity, b.shownIn = page{}, row{}, nil, nil, nil
	last.release()
}

// endRecord ends a record of a keyed block. The caller has appended its key to b.keys.
func (b *block) endRecord() {
	if b.keyed {
		b.lines = append(b.lines, keyedLine{len(b.out), len(b.keys)})
	}
}

// endUnkeyed ends a record without a key, which is always written.
func (b *block) endUnkeyed() {
	if b.keyed {
		b.lines = append(b.lines, keyedLine{len(b.out), -1})
	}
}

// writeDistinct writes to w the records of p that are not yet in set.
func (p *page) writeDistinct(w io.Writer, set *distinct.Set, flag string) error {
	start, key := 0, 0
	for _, r := range p.lines {
		text := p.out[start:r.end]
		start = r.end
		if r.key >= 0 {
			fresh, err := set.Add(p.keys[key:r.key], text)
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

// appendSummary appends the last line of the --json output.
func (c *counts) appendSummary(dst []byte) []byte {
	dst = appendSummary(dst, total{"inputs", c.Inputs, false}, total{"references", c.References, false},
		total{"unresolved", c.Unresolved, false}, total{"notes", c.Notes, false},
		total{"errors", c.Errors, false}, total{"skipped", c.Skipped, true})
	return c.AsText.appendTo("as_text", c.NotRead.appendTo("not_read", dst))
}
