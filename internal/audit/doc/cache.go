package doc

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"strconv"
	"strings"
	"sync"

	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/order"
)

// A Cache keeps the contents of documents from one run to the next. A document is scanned again only if its
// bytes, or the settings that affect how it is read, have changed. References are checked again, unless
// nothing has changed that the outcome of an earlier audit on disk depends on: then its findings are
// repeated. The findings are always those of a run without a cache.
//
// The zero Cache is empty. Successive runs may share a Cache, concurrent runs may not.
type Cache struct {
	mu       sync.Mutex
	kept     map[tree.Sum]*cached
	Outcomes []*Outcome // the one used last first
	lost     bool       // an entry has been added or dropped
}

type cached struct {
	content *Content
	packed  string // as in a file; content is nil until needed
	unused  uint8  // number of successive runs that did not use it
}

// maxUnused is the number of runs after which an unused entry is dropped.
const maxUnused = 20

// Get returns the content of a document with a sum, and whether the cache has it.
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
		c, ok := Unpacked(strings.Clone(k.packed)) // not a part of the whole file
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
		if k.packed == "" || k.content != nil && k.content.IsNew {
			return true
		}
	}
	return false
}

// Put adds the content of a document.
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

// A cache file begins with a version line. Then it holds the outcomes and, for each document, its sum, the
// number of runs that did not use it, and its packed content. It ends with the CRC-32C of all bytes before.
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
	in := NewReader(string(b[len(head):n]))
	var outcomes []*Outcome
	in.outcomes(&outcomes)
	read := map[tree.Sum]*cached{}
	for in.in != "" {
		var s tree.Sum
		k := new(cached)
		in.cached(&s, k)
		read[s] = k
	}
	if in.isBad {
		return errCache
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

func (c *Codec) outcomes(list *[]*Outcome) {
	List(c, list, func(o **Outcome) {
		if c.reads {
			*o = new(Outcome)
		}
		c.outcome(*o)
	})
	if len(*list) > maxOutcomes {
		c.fail()
	}
}

// cached codes the packed content of a document with a sum.
func (c *Codec) cached(s *tree.Sum, k *cached) {
	c.sum(s)
	c.Byte(&k.unused)
	c.String(&k.packed)
	if k.packed == "" {
		c.fail()
	}
}

func head(version string) []byte {
	return append(strconv.AppendQuote([]byte("refract cache "), version), '\n')
}

// Write writes c in the format that Read reads.
func (c *Cache) Write(w io.Writer, version string) error {
	check := crc32.New(castagnoli)
	out := bufio.NewWriterSize(io.MultiWriter(w, check), 64<<10)
	out.Write(head(version))
	p := NewWriter()
	p.outcomes(&c.Outcomes)
	out.WriteString(p.Done())
	sums := make([]tree.Sum, 0, len(c.kept))
	for s := range c.kept {
		sums = append(sums, s)
	}
	order.Sort(sums, func(a, b tree.Sum) int { return bytes.Compare(a[:], b[:]) })
	for _, s := range sums {
		k := *c.kept[s]
		if k.packed == "" || k.content != nil && k.content.IsNew {
			k.packed = k.content.Pack()
		}
		p := NewWriter()
		p.cached(&s, &k)
		out.WriteString(p.Done())
	}
	if err := out.Flush(); err != nil {
		return err
	}
	_, err := w.Write(binary.LittleEndian.AppendUint32(nil, check.Sum32()))
	return err
}
