package main

import (
	"fmt"
	"io"
	"sync"

	"example.org/refract/cmd/refract/internal/distinct"
)

// counts are what a run counts.
type counts struct {
	Inputs     int `json:"inputs"`
	References int `json:"references"`
	Unresolved int `json:"unresolved"` // references without an absolute URL
	Notes      int `json:"notes"`
	Errors     int `json:"errors"`  // inputs that could not be read
	Skipped    int `json:"skipped"` // records of archives of a type that is not read
}

func (c *counts) add(d *counts) {
	c.Inputs += d.Inputs
	c.References += d.References
	c.Unresolved += d.Unresolved
	c.Notes += d.Notes
	c.Errors += d.Errors
	c.Skipped += d.Skipped
}

// A block is the output of one job, rendered.
type block struct {
	counts
	out      []byte
	messages []byte // for standard error

	// With --unique and --count, out is a sequence of records with keys.
	keyed bool
	lines []keyedLine
	keys  []byte

	row row    // the line at hand, reused
	key []byte // its canonical key, reused
}

// A keyedLine is one line of a keyed block.
type keyedLine struct {
	end int // in block.out
	key int // end of its key in block.keys; -1: it has none and is always written
}

// buffers holds the memory of blocks that have been written.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

func newBlock(keyed bool) block {
	b := block{keyed: keyed, out: (*buffers.Get().(*[]byte))[:0]}
	if keyed {
		b.keys = (*buffers.Get().(*[]byte))[:0]
	}
	return b
}

// release gives the memory of b back.
func (b *block) release() {
	out, keys := b.out, b.keys
	buffers.Put(&out)
	if keys != nil {
		buffers.Put(&keys)
	}
	*b = block{}
}

// endRecord ends a record of a keyed block whose key has been appended to b.keys.
func (b *block) endRecord() {
	if b.keyed {
		b.lines = append(b.lines, keyedLine{len(b.out), len(b.keys)})
	}
}

// endUnkeyed ends a record that is always written.
func (b *block) endUnkeyed() {
	if b.keyed {
		b.lines = append(b.lines, keyedLine{len(b.out), -1})
	}
}

// writeDistinct writes to w the records of b that set has not seen before.
func (b *block) writeDistinct(w io.Writer, set *distinct.Set, flag string) error {
	start, key := 0, 0
	for _, r := range b.lines {
		text := b.out[start:r.end]
		start = r.end
		if r.key >= 0 {
			fresh, err := set.Add(b.keys[key:r.key], text)
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

// appendSummary appends the last line of --json.
func (c *counts) appendSummary(dst []byte) []byte {
	return appendSummary(dst, total{"inputs", c.Inputs, false}, total{"references", c.References, false},
		total{"unresolved", c.Unresolved, false}, total{"notes", c.Notes, false},
		total{"errors", c.Errors, false}, total{"skipped", c.Skipped, true})
}
