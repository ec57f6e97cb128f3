// Package distinct finds the distinct records in any number of records. The result is exact, and memory is
// limited: records that do not fit go to disk.
//
//	record ─► table of keys in memory ─► first with its key: Add reports it
//	             └─ full ─► partitions on disk, by hash ─► each through a table of its own
//	                            ─► runs in the requested order ─► merged
//
// Each key is in a single partition, and a partition keeps records in the order of arrival, so the order of
// first appearance needs no sorting. Other orders sort in memory. A partition that does not fit is
// partitioned again, by other bits of the hash.
//
// Time is linear in the bytes of the records, except for sorting and for repeated partitioning: records are
// partitioned once more each time the distinct data grows 64-fold. The files on disk take at most a little
// more than twice the bytes of the records. Two files are open, and two more for each further level of
// partitions.
package distinct

import (
	"bufio"
	"bytes"
	"container/heap"
	"encoding/binary"
	"errors"
	"hash/maphash"
	"io"
	"os"
)

// An Order is the order in which records are output.
type Order uint8

const (
	First  Order = iota // of first appearance
	Sorted              // by key, as bytes
	Count               // the most frequent first, then by key
)

// A Set finds distinct records in one run. It must not be used concurrently.
type Set struct {
	// Memory limits the size in bytes of the data in memory, not counting a single record and
	// buffers of 8 MiB. 0 means 256 MiB.
	Memory int64
	Order  Order
	Temp   string // directory for data that does not fit; "" is the default of the system

	// Log, if not nil, receives the data that Replay needs to bring another Set to the same state. The writer
	// must keep its errors and report them when it is flushed.
	Log io.Writer

	table *table
	n     uint64 // records that were added
	parts *partitions
	runs  *spool   // for Finish
	left  []string // files that cannot be removed while they are open
	head  []byte   // scratch, for Log
}

const defaultMemory = 256 << 20

// Add adds a record with a key. fresh reports that the caller must output the record now, because
// it is the first with its key and the Order is First. Finish outputs all others. Errors are disk
// errors; after one, the Set must not be used.
func (s *Set) Add(key, record []byte) (fresh bool, err error) {
	if s.table == nil {
		s.table = newTable(s.memory())
	}
	s.n++
	hash := hashOf(key)
	if i := s.table.find(hash, key); i >= 0 {
		s.table.entry(i).count++
		s.logAgain(i)
		return false, nil
	}
	e := entry{seq: s.n, count: 1}
	if s.parts == nil {
		held := record
		if s.Order == First {
			held = nil // the caller outputs it now
		}
		if s.table.add(hash, e, key, held) {
			s.logNew(key, held)
			return s.Order == First, nil
		}
		if s.parts, err = s.partitions(0); err != nil {
			return false, err
		}
	}
	s.logNew(key, record)
	return false, s.parts.put(hash, &e, key, record)
}

// Ahead is the number of keys that Prefetch takes at once.
const Ahead = 16

// Prefetch reads the memory that Add needs for keys, for all keys at the same time. In a table that exceeds
// the CPU caches, Add would wait for its slot, its entry and its text, key by key. At most the first Ahead
// keys count.
func (s *Set) Prefetch(keys [][]byte) {
	const cached = 1 << 17 // slots of 1 MiB, with at most 8 MB of entries and their text
	if s.table == nil || len(s.table.slots) <= cached {
		return
	}
	s.table.prefetch(keys[:min(len(keys), Ahead)])
}

func (s *Set) memory() int64 {
	if s.Memory <= 0 {
		return defaultMemory
	}
	return s.Memory
}

// Finish passes the remaining records to emit, in order, each with the number of records that have
// its key. The arguments of emit are valid until it returns. Afterwards the Set is empty.
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
	s.table.reset() // its contents are in no partition
	made, err := s.reduce(s.parts, s.runs)
	if err != nil {
		return err
	}
	return merge(s.Order, append(runs, made...), func(r *run) error { return emit(r.record, r.count) })
}

// Close removes the files on disk. So does Finish.
func (s *Set) Close() {
	if s.parts != nil {
		s.parts.spool.close()
	}
	s.runs.close()
	for _, name := range s.left {
		os.Remove(name)
	}
	*s = Set{Memory: s.Memory, Order: s.Order, Temp: s.Temp, Log: s.Log, head: s.head}
}

// create creates a file and removes its name at once, so that nothing remains of it in any case.
// Where open files cannot be removed, Close removes it.
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

// reduce turns partitions into runs, in out: the first record of each key, and the number of its
// records.
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

// partition turns one partition into a run, in out.
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
		if i := t.find(hash, key); i >= 0 {
			t.entry(i).count += e.count
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
	// Merge the runs of its partitions into one, so that the final merge has few runs.
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

// write writes the contents of t as a run, in out.
func (s *Set) write(out *spool, t *table) (*run, error) {
	return out.run(func(w *bufio.Writer) error {
		return t.each(s.Order, func(e *entry) error { return e.write(w, t.key(e), t.record(e)) })
	})
}

// A spool is an append-only file. All partitions of a level share one, and so do all runs, so the
// number of open files does not depend on the amount of data.
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

// run returns the output of write as a run.
func (s *spool) run(write func(*bufio.Writer) error) (*run, error) {
	start := s.size
	w := bufio.NewWriterSize(s, bufferSize)
	if err := errors.Join(write(w), w.Flush()); err != nil {
		return nil, err
	}
	return &run{from: io.NewSectionReader(s.file, start, s.size-start)}, nil
}

// An entry describes a key.
type entry struct {
	seq   uint64 // number of its first record, from 1
	count uint64 // number of its records
	at    uint64 // position of key and record in the table: chunk and offset
	key   uint32 // length in bytes
	size  uint32 // of the record; if asKey, the record is the key and one byte
}

const (
	entrySize = 32
	asKey     = 1<<32 - 1
)

// write writes e with its key and record. read reads it back.
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

// read reads an entry, and reuses the memory of key and record.
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
	key, record, err = readKey(r, key, record, n, size)
	return key, record, unexpected(err)
}

// readKey reads a key of n bytes and its record, and reuses their memory. size is the length of the record
// plus 1, or 0 for the key plus one byte.
func readKey(r io.Reader, key, record []byte, n, size uint64) (_, _ []byte, err error) {
	key = append(key[:0], make([]byte, n)...)
	if _, err = io.ReadFull(r, key); err != nil {
		return nil, nil, err
	}
	if size == 0 {
		record = append(append(record[:0], key...), 0)
		_, err = io.ReadFull(r, record[n:])
	} else {
		record = append(record[:0], make([]byte, size-1)...)
		_, err = io.ReadFull(r, record)
	}
	return key, record, err
}

func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// isKey reports whether a record is its key plus one byte. Then it is stored once.
func isKey(key, record []byte) bool {
	return len(record) == len(key)+1 && bytes.Equal(record[:len(key)], key)
}

var seed = maphash.MakeSeed()

func hashOf(key []byte) uint64 { return maphash.Bytes(seed, key) }

// A table holds the entries whose keys and records fit into its memory. It uses open addressing. It
// grows in chunks, because doubling would take three times the memory.
type table struct {
	memory int64
	used   int64
	n      int
	chunks [][]byte
	chunk  int // index of the chunk being filled; later chunks are empty
	pages  [][]entry
	read   uint64   // what was prefetched, so that the compiler keeps it
	slots  []uint64 // 32 bits of the hash, and the number of the entry from 1; 0 is a free slot
}

const (
	chunkBits = 20
	pageBits  = 12
)

func newTable(memory int64) *table { return &table{memory: memory, slots: make([]uint64, 1<<10)} }

// reset empties t, but keeps its memory: new tables would occupy memory until the collector runs.
func (t *table) reset() {
	t.n, t.used, t.chunk = 0, 0, 0
	for i, c := range t.chunks {
		t.chunks[i] = c[:0]
	}
	clear(t.slots)
}

func (t *table) entry(i int) *entry { return &t.pages[i>>pageBits][i&(1<<pageBits-1)] }

// find returns the number of the entry with a key, or -1.
func (t *table) find(hash uint64, key []byte) int {
	tag := hash >> 32
	mask := uint64(len(t.slots) - 1)
	for i := tag & mask; t.slots[i] != 0; i = (i + 1) & mask {
		if t.slots[i]>>32 == tag {
			n := int(t.slots[i]&(1<<32-1)) - 1
			if bytes.Equal(t.key(t.entry(n)), key) {
				return n
			}
		}
	}
	return -1
}

// prefetch reads what find reads for keys.
func (t *table) prefetch(keys [][]byte) {
	var numbers [Ahead]uint64
	mask := uint64(len(t.slots) - 1)
	for i, key := range keys {
		numbers[i] = t.slots[hashOf(key)>>32&mask]
	}
	n := 0
	for _, slot := range numbers[:len(keys)] {
		if slot != 0 {
			numbers[n] = slot - 1
			n++
		}
	}
	t.prefetchEntries(numbers[:n])
}

// prefetchEntries reads the entries with these numbers, and then the start of their keys. The reads of a
// loop do not depend on each other, so the CPU waits for them together.
func (t *table) prefetchEntries(numbers []uint64) {
	for _, n := range numbers {
		t.read += t.numbered(n).at
	}
	for _, n := range numbers {
		if e := t.numbered(n); e.key > 0 {
			t.read += uint64(t.at(e)[0])
		}
	}
}

func (t *table) at(e *entry) []byte { return t.chunks[e.at>>chunkBits][e.at&(1<<chunkBits-1):] }

func (t *table) key(e *entry) []byte { return t.at(e)[:e.key] }

func (t *table) record(e *entry) []byte {
	if e.size == asKey {
		return t.at(e)[:e.key+1]
	}
	return t.at(e)[e.key : e.key+e.size]
}

// add adds an entry that is not in t, and reports whether there was room. There is always room for
// the first entry.
func (t *table) add(hash uint64, e entry, key, record []byte) bool {
	e.key, e.size = uint32(len(key)), uint32(len(record))
	if isKey(key, record) {
		e.size = asKey
		record = record[len(key):]
	}
	need := len(key) + len(record)
	slots := len(t.slots)
	if 4*t.n > 3*slots {
		slots *= 3 // the old slots remain while the new ones are filled
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

const (
	fan        = 64 // number of partitions
	fanBits    = 6
	maxLevel   = 32/fanBits - 1
	bufferSize = 64 << 10
)

// partitions holds lists of records, by bits of the hash of their keys.
type partitions struct {
	spool *spool
	level int // selects the bits
	parts [fan]partition
}

// A partition is a list of records, stored as blocks of a spool.
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

// Write appends a block, or extends the last one if it ends the spool.
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
	blocks []block // not yet read
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

// flush writes the buffers. Nothing may be added afterwards.
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

// A run is a sorted list of entries in a spool, with its current entry.
type run struct {
	from *io.SectionReader
	in   *bufio.Reader

	entry
	text, record []byte // its key is text
}

// next advances to the next entry, and reports whether there is one.
func (r *run) next() (ok bool, err error) {
	r.text, r.record, err = r.read(r.in, r.text, r.record)
	if err == io.EOF {
		return false, nil
	}
	return err == nil, err
}

// runs is a heap of the runs that have an entry, with the first in order on top.
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

// merge passes the entries of all runs to emit, in order.
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
