package doc

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"slices"
	"sync"

	"example.org/refract/internal/audit/tree"
)

// A Cache keeps the contents of documents from one run to the next: a document is
// scanned again only if its bytes, or the settings that affect how it is read, have changed.
// References are judged anew, unless nothing that the outcome of an earlier audit on the disk depends on has changed:
// then its findings are repeated. The findings are always those of a run without a cache.
//
// The zero Cache is empty. Successive runs may share it, but not concurrent ones.
type Cache struct {
	mu       sync.Mutex
	kept     map[tree.Sum]*cached
	Outcomes []*Outcome // the one used last first
	lost     bool       // an entry has been added or dropped
}

type cached struct {
	content *Content
	packed  []byte // as in a file; content is nil until needed
	unused  uint8  // number of successive runs that did not use it
}

// maxUnused is the number of runs after which an unused entry is dropped.
const maxUnused = 20

// Get returns what was read of a document with a sum, and whether the cache has it.
func (c *Cache) Get(s tree.Sum) (Content, bool) {
	c.mu.Lock()
	k := c.kept[s]
	if k != nil {
		k.unused = 0
	}
	c.mu.Unlock()
	if k == nil {
		return Content{}, false
	}
	if k.content == nil { // no other goroutine asks for this document
		c, ok := Unpacked(k.packed)
		if !ok {
			return Content{}, false
		}
		k.content = &c
	}
	return *k.content, true
}

// Changed reports whether c has changed since Read.
func (c *Cache) Changed() bool {
	if c.lost {
		return true
	}
	for _, k := range c.kept {
		if k.packed == nil || k.content != nil && k.content.IsNew {
			return true
		}
	}
	return false
}

// Put adds what was read of a document.
func (c *Cache) Put(s tree.Sum, what Content) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept == nil {
		c.kept = map[tree.Sum]*cached{}
	}
	c.kept[s] = &cached{content: &what}
}

// Next starts another run.
func (c *Cache) Next() {
	for s, k := range c.kept {
		if k.unused++; k.unused > maxUnused {
			delete(c.kept, s)
			c.lost = true
		}
	}
}

// A cache file begins with a version line. Then it holds the number of outcomes, and for each its length and the
// outcome. Then it holds, for each document, its sum, the number
// of runs that did not use it, the length of its packed content, and that content. It ends with
// the CRC-32C of all bytes before.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

var errCache = errors.New("not a cache of this version")

// Read reads a cache that Write wrote for the same version. If r holds anything else, or is
// damaged, Read returns an error and leaves c unchanged. It holds all of r in memory.
func (c *Cache) Read(r io.Reader, version string) error {
	b, err := readFile(r)
	if err != nil {
		return err
	}
	head := head(version)
	n := len(b) - crc32.Size
	if !bytes.HasPrefix(b, head) || n < len(head) || crc32.Checksum(b[:n], castagnoli) != binary.LittleEndian.Uint32(b[n:]) {
		return errCache
	}
	outcomes, rest, ok := readOutcomes(b[len(head):n])
	if !ok {
		return errCache
	}
	read := map[tree.Sum]*cached{}
	for b = rest; len(b) > 0; {
		var s tree.Sum
		rest := b[min(len(b), copy(s[:], b)):]
		if len(rest) == 0 {
			return errCache
		}
		size, k := binary.Uvarint(rest[1:])
		if k <= 0 || size > uint64(len(rest)-1-k) {
			return errCache
		}
		end := 1 + k + int(size)
		read[s] = &cached{packed: rest[1+k : end], unused: rest[0]}
		b = rest[end:]
	}
	c.kept, c.Outcomes = read, outcomes
	return nil
}

// readFile reads all of r, which is probably a file, into a buffer of its size.
func readFile(r io.Reader) ([]byte, error) {
	size := 0
	if f, ok := r.(fs.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			size = int(info.Size())
		}
	}
	b := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead))
	_, err := b.ReadFrom(r)
	return b.Bytes(), err
}

// readOutcomes reads the outcomes at the beginning of b.
func readOutcomes(b []byte) (outcomes []*Outcome, rest []byte, ok bool) {
	count, k := binary.Uvarint(b)
	if k <= 0 || count > maxOutcomes {
		return nil, nil, false
	}
	b = b[k:]
	for range count {
		size, k := binary.Uvarint(b)
		if k <= 0 || size > uint64(len(b)-k) {
			return nil, nil, false
		}
		u := Unpacking{In: string(b[k : k+int(size)])}
		r := getOutcome(&u)
		if u.Bad || u.In != "" {
			return nil, nil, false
		}
		outcomes = append(outcomes, r)
		b = b[k+int(size):]
	}
	return outcomes, b, true
}

func (c *Cache) appendOutcomes(out []byte) []byte {
	out = binary.AppendUvarint(out, uint64(len(c.Outcomes)))
	for _, r := range c.Outcomes {
		p := Packings.Get().(*Packing)
		putOutcome(p, r)
		s := p.Done()
		out = append(binary.AppendUvarint(out, uint64(len(s))), s...)
	}
	return out
}

func head(version string) []byte { return fmt.Appendf(nil, "refract cache %q\n", version) }

// Write writes c in the format that Read reads.
func (c *Cache) Write(w io.Writer, version string) error {
	check := crc32.New(castagnoli)
	out := bufio.NewWriterSize(io.MultiWriter(w, check), 64<<10)
	out.Write(head(version))
	out.Write(c.appendOutcomes(nil))
	sums := make([]tree.Sum, 0, len(c.kept))
	for s := range c.kept {
		sums = append(sums, s)
	}
	slices.SortFunc(sums, func(a, b tree.Sum) int { return bytes.Compare(a[:], b[:]) })
	for _, s := range sums {
		k := c.kept[s]
		packed := k.packed
		if packed == nil || k.content != nil && k.content.IsNew {
			packed = k.content.Pack()
		}
		out.Write(s[:])
		out.WriteByte(k.unused)
		out.Write(binary.AppendUvarint(nil, uint64(len(packed))))
		out.Write(packed)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	_, err := w.Write(binary.LittleEndian.AppendUint32(nil, check.Sum32()))
	return err
}
