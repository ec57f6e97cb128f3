// Package distinct finds the distinct ones of any number of records, exactly, in a
// given memory. What does not fit goes to disk.
//
//	record ─► table of keys in memory ─► first of its key: Add says so
//	             └─ full ─► partitions on disk, by hash ─► each through a table of its own
//	                            ─► runs in the order asked for ─► merged
//
// A key is in one partition only, and a partition has what came to it in order, so that
// nothing has to be sorted for the order of first appearance; other orders sort what is
// in memory anyway. A partition that does not fit is partitioned again, by other bits.
//
// Time is linear in the bytes of the records, but for the sorting that an order asks for,
// and for what is partitioned again: that is for once each time that what is distinct grows
// 64-fold. On disk is at most a little more than twice the bytes of the records. Two files are open,
// and two more for each level of partitions that are partitioned again.
package distinct

import (
	"bufio"
	"bytes"
	"cmp"
	"container/heap"
	"encoding/binary"
	"errors"
	"hash/maphash"
	"io"
	"os"
	"slices"
)

// An Order is that in which records are put out.
type Order uint8

const (
	First  Order = iota // of first appearance
	Sorted              // by key, as bytes
	Count               // the most frequent first, then by key
)

// A Set is one run. It is not for several goroutines at once.
type Set struct {
	// Memory is the size in bytes of what is held, but for what a single record takes and
	// for buffers of 8 MiB. 0 is 256 MiB.
	Memory int64
	Order  Order
	Temp   string // directory for what does not fit; "" is that of the system

	table *table
	n     uint64 // records that were added
	parts *partitions
	runs  *spool   // of Finish
	left  []string // files that could not be removed while they are open
}

const defaultMemory = 256 << 20

// Add adds a record with a key. fresh reports whether it is to be put out now: it is the
// first of its key, and the Order is First; the caller does so. All others come from Finish.
// An error is one of the disk: then the Set is of no further use.
func (s *Set) Add(key, record []byte) (fresh bool, err error) {
	if s.table == nil {
		s.table = newTable(s.memory())
	}
	s.n++
	hash := hashOf(key)
	if e := s.table.find(hash, key); e != nil {
		e.count++
		return false, nil
	}
	e := entry{seq: s.n, count: 1}
	if s.parts == nil {
		held := record
		if s.Order == First {
			held = nil // it is put out now
		}
		if s.table.add(hash, e, key, held) {
			return s.Order == First, nil
		}
		if s.parts, err = s.partitions(0); err != nil {
			return false, err
		}
	}
	return false, s.parts.put(hash, &e, key, record)
}

func (s *Set) memory() int64 {
	if s.Memory <= 0 {
		return defaultMemory
	}
	return s.Memory
}

// Finish gives what has not been put out to emit, in order, with the number of records of
// its key. What emit is given is valid until it returns. The Set is empty afterwards.
func (s *Set) Finish(emit func(record []byte, count uint64) error) error {
	defer s.Close()
	switch {
	case s.table == nil:
		return nil
	case s.parts == nil && s.Order == First:
		return nil
	case s.parts == nil:
		return s.table.each(s.Order, func(e *entry) error { return emit(s.table.record(e), e.count) })
	}
	var err error
	if s.runs, err = s.create(); err != nil {
		return err
	}
	var runs []*run
	if s.Order != First {
		r, err := s.write(s.runs, s.table)
		if err != nil {
			return err
		}
		runs = append(runs, r)
	}
	s.table.reset() // what it holds is in no partition
	made, err := s.reduce(s.parts, s.runs)
	if err != nil {
		return err
	}
	return merge(s.Order, append(runs, made...), func(r *run) error { return emit(r.record, r.count) })
}

// Close removes what is on disk. Finish does so, too.
func (s *Set) Close() {
	if s.parts != nil {
		s.parts.spool.close()
	}
	s.runs.close()
	for _, name := range s.left {
		os.Remove(name)
	}
	*s = Set{Memory: s.Memory, Order: s.Order, Temp: s.Temp}
}

// create makes a file that has no name any more, so that nothing is left of it whatever
// happens; where files that are open cannot be removed, Close does so.
func (s *Set) create() (*spool, error) {
	f, err := os.CreateTemp(s.Temp, "refract")
	if err != nil {
		return nil, err
	}
	if os.Remove(f.Name()) != nil {
		s.left = append(s.left, f.Name())
	}
	return &spool{file: f}, nil
}

// reduce makes runs of partitions, in out: of each key the first record, and how many there are.
func (s *Set) reduce(p *partitions, out *spool) (all []*run, err error) {
	if err := p.flush(); err != nil {
		return nil, err
	}
	for i := range p.parts {
		if len(p.parts[i].blocks) == 0 {
			continue
		}
		r, err := s.partition(&p.parts[i], p.level, out)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// partition makes a run of one partition, in out.
func (s *Set) partition(part *partition, level int, out *spool) (*run, error) {
	t := s.table
	t.reset()
	var more *partitions
	in := bufio.NewReaderSize(part.reader(), bufferSize)
	var e entry
	var key, record []byte
	for {
		var err error
		if key, record, err = e.read(in, key, record); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		hash := hashOf(key)
		if at := t.find(hash, key); at != nil {
			at.count += e.count
			continue
		}
		if more == nil {
			if t.add(hash, e, key, record) {
				continue
			}
			if level == maxLevel {
				return nil, errors.New("out of memory: increase --memory")
			}
			if more, err = s.partitions(level + 1); err != nil {
				return nil, err
			}
			defer more.spool.close()
		}
		if err := more.put(hash, &e, key, record); err != nil {
			return nil, err
		}
	}
	if more == nil {
		return s.write(out, t)
	}
	// The runs of its partitions become one, so that those that are merged at the end stay few.
	own, err := s.create()
	if err != nil {
		return nil, err
	}
	defer own.close()
	r, err := s.write(own, t)
	if err != nil {
		return nil, err
	}
	made, err := s.reduce(more, own)
	if err != nil {
		return nil, err
	}
	return out.run(func(w *bufio.Writer) error {
		return merge(s.Order, append(made, r), func(r *run) error { return r.write(w, r.text, r.record) })
	})
}

// write writes what is in t as a run, in out.
func (s *Set) write(out *spool, t *table) (*run, error) {
	return out.run(func(w *bufio.Writer) error {
		return t.each(s.Order, func(e *entry) error { return e.write(w, t.key(e), t.record(e)) })
	})
}

// A spool is a file that is only appended to. All partitions of a level share one, and so do all
// runs: the number of open files does not grow with what is distinct.
type spool struct {
	file *os.File
	size int64
}

func (s *spool) Write(p []byte) (int, error) {
	n, err := s.file.Write(p)
	s.size += int64(n)
	return n, err
}

// close closes the file. A nil spool is allowed.
func (s *spool) close() {
	if s != nil {
		s.file.Close()
	}
}

// run makes a run of what write writes.
func (s *spool) run(write func(*bufio.Writer) error) (*run, error) {
	start := s.size
	w := bufio.NewWriterSize(s, bufferSize)
	if err := errors.Join(write(w), w.Flush()); err != nil {
		return nil, err
	}
	return &run{from: io.NewSectionReader(s.file, start, s.size-start)}, nil
}

// An entry is what is known of a key.
type entry struct {
	seq   uint64 // of its first record, from 1
	count uint64 // of its records
	at    uint64 // of key and record in the table: chunk and offset
	key   uint32 // length in bytes
	size  uint32 // of the record; it is the key and one byte if that is asKey
}

const (
	entrySize = 32
	asKey     = 1<<32 - 1
)

// write writes e with its key and record; read reads it again.
func (e *entry) write(w *bufio.Writer, key, record []byte) error {
	head := binary.AppendUvarint(w.AvailableBuffer(), e.seq)
	head = binary.AppendUvarint(head, e.count)
	head = binary.AppendUvarint(head, uint64(len(key)))
	if isKey(key, record) {
		record = record[len(key):]
		head = append(head, 0)
	} else {
		head = binary.AppendUvarint(head, uint64(len(record))+1)
	}
	w.Write(head)
	w.Write(key)
	_, err := w.Write(record)
	return err
}

// read reads into the memory of key and record.
func (e *entry) read(r *bufio.Reader, key, record []byte) (_, _ []byte, err error) {
	var n, size uint64
	if e.seq, err = binary.ReadUvarint(r); err != nil {
		return nil, nil, err // io.EOF at the end
	}
	for _, p := range []*uint64{&e.count, &n, &size} {
		if *p, err = binary.ReadUvarint(r); err != nil {
			return nil, nil, unexpected(err)
		}
	}
	key = append(key[:0], make([]byte, n)...)
	if _, err = io.ReadFull(r, key); err != nil {
		return nil, nil, unexpected(err)
	}
	if size == 0 {
		record = append(append(record[:0], key...), 0)
		_, err = io.ReadFull(r, record[n:])
	} else {
		record = append(record[:0], make([]byte, size-1)...)
		_, err = io.ReadFull(r, record)
	}
	return key, record, unexpected(err)
}

func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// isKey reports whether a record is its key and one byte: then it is held once.
func isKey(key, record []byte) bool {
	return len(record) == len(key)+1 && bytes.Equal(record[:len(key)], key)
}

var seed = maphash.MakeSeed()

func hashOf(key []byte) uint64 { return maphash.Bytes(seed, key) }

// A table holds the entries whose keys and records fit into its memory. They are found by
// open addressing. What grows does so by chunks: doubling would take three times the memory.
type table struct {
	memory int64
	used   int64
	n      int
	chunks [][]byte
	chunk  int // that is being filled; those behind it are empty
	pages  [][]entry
	slots  []uint64 // 32 bits of the hash, and the number of the entry from 1; 0 is free
}

const (
	chunkBits = 20
	pageBits  = 12
)

func newTable(memory int64) *table { return &table{memory: memory, slots: make([]uint64, 1<<10)} }

// reset empties t, and keeps its memory: that of one table after the other would be there
// until it is collected.
func (t *table) reset() {
	t.n, t.used, t.chunk = 0, 0, 0
	for i, c := range t.chunks {
		t.chunks[i] = c[:0]
	}
	clear(t.slots)
}

func (t *table) entry(i int) *entry { return &t.pages[i>>pageBits][i&(1<<pageBits-1)] }

func (t *table) find(hash uint64, key []byte) *entry {
	tag := hash >> 32
	mask := uint64(len(t.slots) - 1)
	for i := tag & mask; t.slots[i] != 0; i = (i + 1) & mask {
		if t.slots[i]>>32 == tag {
			if e := t.entry(int(t.slots[i]&(1<<32-1)) - 1); bytes.Equal(t.key(e), key) {
				return e
			}
		}
	}
	return nil
}

func (t *table) at(e *entry) []byte { return t.chunks[e.at>>chunkBits][e.at&(1<<chunkBits-1):] }

func (t *table) key(e *entry) []byte { return t.at(e)[:e.key] }

func (t *table) record(e *entry) []byte {
	if e.size == asKey {
		return t.at(e)[:e.key+1]
	}
	return t.at(e)[e.key : e.key+e.size]
}

// add adds an entry that is not in t, and reports whether there was room. There always is
// for the first.
func (t *table) add(hash uint64, e entry, key, record []byte) bool {
	e.key, e.size = uint32(len(key)), uint32(len(record))
	if isKey(key, record) {
		e.size = asKey
		record = record[len(key):]
	}
	need := len(key) + len(record)
	slots := len(t.slots)
	if 4*t.n > 3*slots {
		slots *= 3 // the old ones are there while the new ones are filled
	}
	if t.used+int64(need)+int64(t.n)*entrySize+8*int64(slots) > t.memory && t.n > 0 || t.n == 1<<31-1 {
		return false
	}
	if 4*t.n > 3*len(t.slots) {
		old := t.slots
		t.slots = make([]uint64, 2*len(old))
		for _, slot := range old {
			if slot != 0 {
				t.link(slot)
			}
		}
	}
	for t.chunk < len(t.chunks) && (len(t.chunks[t.chunk]) >= 1<<chunkBits || len(t.chunks[t.chunk])+need > cap(t.chunks[t.chunk])) {
		t.chunk++
	}
	if t.chunk == len(t.chunks) {
		size := min(max(1<<12, t.memory/4), 1<<chunkBits)
		t.chunks = append(t.chunks, make([]byte, 0, max(need, int(size))))
	}
	e.at = uint64(t.chunk)<<chunkBits | uint64(len(t.chunks[t.chunk]))
	t.chunks[t.chunk] = append(append(t.chunks[t.chunk], key...), record...)
	t.used += int64(need)
	if t.n>>pageBits == len(t.pages) {
		t.pages = append(t.pages, make([]entry, 1<<pageBits))
	}
	*t.entry(t.n) = e
	t.n++
	t.link(hash>>32<<32 | uint64(t.n))
	return true
}

func (t *table) link(slot uint64) {
	mask := uint64(len(t.slots) - 1)
	i := slot >> 32 & mask
	for t.slots[i] != 0 {
		i = (i + 1) & mask
	}
	t.slots[i] = slot
}

// each gives the entries of t to do, in an order.
func (t *table) each(order Order, do func(*entry) error) error {
	numbers := make([]uint32, t.n)
	for i := range numbers {
		numbers[i] = uint32(i)
	}
	if order != First {
		slices.SortFunc(numbers, func(i, j uint32) int {
			a, b := t.entry(int(i)), t.entry(int(j))
			return order.compare(a, b, t.key(a), t.key(b))
		})
	}
	for _, i := range numbers {
		if err := do(t.entry(int(i))); err != nil {
			return err
		}
	}
	return nil
}

func (o Order) compare(a, b *entry, key, other []byte) int {
	switch o {
	case First:
		return cmp.Compare(a.seq, b.seq)
	case Count:
		if c := cmp.Compare(b.count, a.count); c != 0 {
			return c
		}
	}
	return bytes.Compare(key, other)
}

const (
	fan        = 64 // the number of partitions
	fanBits    = 6
	maxLevel   = 32/fanBits - 1
	bufferSize = 64 << 10
)

// partitions are lists of records, by bits of the hash of their keys.
type partitions struct {
	spool *spool
	level int // which bits these are
	parts [fan]partition
}

// A partition is a list of records: blocks of a spool.
type partition struct {
	spool  *spool
	out    *bufio.Writer
	blocks []block
}

// A block is a range of a spool.
type block struct{ start, size int64 }

func (s *Set) partitions(level int) (*partitions, error) {
	spool, err := s.create()
	if err != nil {
		return nil, err
	}
	p := &partitions{spool: spool, level: level}
	for i := range p.parts {
		p.parts[i].spool = spool
	}
	return p, nil
}

// Write appends a block, or to the last one if nothing has been written after that.
func (p *partition) Write(b []byte) (int, error) {
	start := p.spool.size
	n, err := p.spool.Write(b)
	if k := len(p.blocks) - 1; k >= 0 && p.blocks[k].start+p.blocks[k].size == start {
		p.blocks[k].size += int64(n)
	} else {
		p.blocks = append(p.blocks, block{start, int64(n)})
	}
	return n, err
}

// reader returns a reader of the records.
func (p *partition) reader() io.Reader { return &blockReader{p.spool.file, p.blocks} }

type blockReader struct {
	file   io.ReaderAt
	blocks []block // what has not been read
}

func (r *blockReader) Read(b []byte) (int, error) {
	if len(r.blocks) == 0 {
		return 0, io.EOF
	}
	next := &r.blocks[0]
	n, err := r.file.ReadAt(b[:min(int64(len(b)), next.size)], next.start)
	next.start, next.size = next.start+int64(n), next.size-int64(n)
	if next.size == 0 {
		r.blocks = r.blocks[1:]
	}
	if n > 0 {
		err = nil
	}
	return n, unexpected(err)
}

func (p *partitions) put(hash uint64, e *entry, key, record []byte) error {
	part := &p.parts[hash>>(p.level*fanBits)&(fan-1)]
	if part.out == nil {
		part.out = bufio.NewWriterSize(part, bufferSize)
	}
	return e.write(part.out, key, record)
}

// flush writes what is in buffers. Nothing is put after it.
func (p *partitions) flush() error {
	for i := range p.parts {
		if w := p.parts[i].out; w != nil {
			if err := w.Flush(); err != nil {
				return err
			}
			p.parts[i].out = nil
		}
	}
	return nil
}

// A run is a list of entries in order, in a spool, with the one at hand.
type run struct {
	from *io.SectionReader
	in   *bufio.Reader

	entry
	text, record []byte // its key is text
}

// next goes to the next entry, and reports whether there is one.
func (r *run) next() (ok bool, err error) {
	r.text, r.record, err = r.read(r.in, r.text, r.record)
	if err == io.EOF {
		return false, nil
	}
	return err == nil, err
}

// runs is a heap of those that have an entry, the first in order on top.
type runs struct {
	order Order
	list  []*run
}

func (h *runs) Len() int      { return len(h.list) }
func (h *runs) Swap(i, j int) { h.list[i], h.list[j] = h.list[j], h.list[i] }
func (h *runs) Less(i, j int) bool {
	a, b := h.list[i], h.list[j]
	return h.order.compare(&a.entry, &b.entry, a.text, b.text) < 0
}
func (h *runs) Push(r any) { h.list = append(h.list, r.(*run)) }
func (h *runs) Pop() any {
	last := len(h.list) - 1
	r := h.list[last]
	h.list = h.list[:last]
	return r
}

// merge gives the entries of runs to emit, in order.
func merge(order Order, list []*run, emit func(*run) error) error {
	h := &runs{order: order}
	for _, r := range list {
		r.in = bufio.NewReaderSize(r.from, bufferSize)
		ok, err := r.next()
		if err != nil {
			return err
		}
		if ok {
			h.list = append(h.list, r)
		}
	}
	heap.Init(h)
	for h.Len() > 0 {
		r := h.list[0]
		if err := emit(r); err != nil {
			return err
		}
		if ok, err := r.next(); err != nil {
			return err
		} else if ok {
			heap.Fix(h, 0)
		} else {
			heap.Pop(h)
		}
	}
	return nil
}
