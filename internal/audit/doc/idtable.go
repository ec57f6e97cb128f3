package doc

import (
	"hash/maphash"
	"iter"
	"sync"
)

// An idTable holds the ids of a document in document order, each once, and the line of each. The text of all ids
// is one string, since most tables are kept for the whole audit: an id takes 12 bytes besides its text.
type idTable struct {
	text    string
	Entries []idEntry
	slots   []uint32 // numbers of entries, from 1, by hash; nil for a few ids
}

// An idBuilder collects the ids of a table.
type idBuilder struct {
	lines map[string]int // of the first occurrence
	ids   []string
	size  int // of all ids in bytes
}

// maxPooledIDs is the size of the largest idBuilder that is used again.
const maxPooledIDs = 4096

var idBuilders = sync.Pool{New: func() any { return &idBuilder{lines: map[string]int{}} }}

// put adds an id, unless it is there. It returns the line of the first occurrence, if there is one.
func (b *idBuilder) put(id string, line int) (before int, twice bool) {
	before, twice = b.lines[id]
	if !twice {
		b.lines[id] = line
		b.ids = append(b.ids, id)
		b.size += len(id)
	}
	return before, twice
}

func (b *idBuilder) has(id string) bool {
	_, ok := b.lines[id]
	return ok
}

// table returns the table of the ids, and frees b.
func (b *idBuilder) table() (t idTable) {
	text := make([]byte, 0, b.size)
	t.Entries = make([]idEntry, len(b.ids))
	for i, id := range b.ids {
		text = append(text, id...)
		t.Entries[i] = idEntry{uint32(len(text)), uint32(b.lines[id])}
	}
	t.text = string(text)
	t.index()
	if len(b.ids) <= maxPooledIDs {
		clear(b.lines)
		clear(b.ids)
		b.ids, b.size = b.ids[:0], 0
		idBuilders.Put(b)
	}
	return t
}

// An idEntry is an id: the text from the end of the one before to its own.
type idEntry struct {
	end  uint32 // offset in text
	Line uint32
}

// fewIDs is the number of ids up to which a table is searched from the beginning.
const fewIDs = 8

var idSeed = maphash.MakeSeed()

func (t *idTable) Len() int { return len(t.Entries) }

// At returns the id with the number i, from 0.
func (t *idTable) At(i int) string { return t.text[t.start(i):t.Entries[i].end] }

func (t *idTable) start(i int) uint32 {
	if i == 0 {
		return 0
	}
	return t.Entries[i-1].end
}

// All yields the ids.
func (t *idTable) All() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range t.Entries {
			if !yield(t.At(i)) {
				return
			}
		}
	}
}

// Find returns the number of an id, or -1 if there is none.
func (t *idTable) Find(id string) int {
	if t.slots == nil {
		for i := range t.Entries {
			if t.At(i) == id {
				return i
			}
		}
		return -1
	}
	i, _ := t.slot(id)
	return i
}

// slot returns the number of an id, or -1 and the slot where it belongs.
func (t *idTable) slot(id string) (i int, free uint64) {
	mask := uint64(len(t.slots) - 1)
	for h := maphash.String(idSeed, id) & mask; ; h = (h + 1) & mask {
		n := t.slots[h]
		if n == 0 {
			return -1, h
		}
		if t.At(int(n)-1) == id {
			return int(n) - 1, h
		}
	}
}

func (t *idTable) has(id string) bool { return t.Find(id) >= 0 }

// Line returns the line of an id, or -1 if there is none.
func (t *idTable) Line(id string) int {
	if i := t.Find(id); i >= 0 {
		return int(t.Entries[i].Line)
	}
	return -1
}

// index makes slots. It returns false if the offsets are not those of an idTable.
func (t *idTable) index() bool {
	end := uint32(0)
	for _, e := range t.Entries {
		if e.end < end || e.end > uint32(len(t.text)) {
			return false
		}
		end = e.end
	}
	if len(t.Entries) <= fewIDs {
		return true
	}
	size := 2 * fewIDs
	for size < 2*len(t.Entries) {
		size *= 2
	}
	t.slots = make([]uint32, size)
	for i := range t.Entries {
		if found, free := t.slot(t.At(i)); found < 0 {
			t.slots[free] = uint32(i + 1)
		}
	}
	return true
}
