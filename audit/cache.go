package audit

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"slices"
	"sync"

	"example.org/refract/extract"
	"example.org/refract/extract/slug"
)

// A Cache keeps the contents of documents from one run to the next: a document is
// scanned again only if its bytes, or the settings that affect how it is read, have changed.
// References are judged anew in each run, so the findings are those of a run without a cache.
//
// The zero Cache is empty. Successive runs may share it, but not concurrent ones.
type Cache struct {
	mu       sync.Mutex
	kept     map[sum]*kept
	outcomes []*outcome // the one used last first
	lost     bool       // an entry has been added or dropped
}

// A sum is the SHA-256 of everything that the content of a document depends on.
type sum [sha256.Size]byte

type kept struct {
	content *content
	packed  []byte // as in a file; content is nil until needed
	unused  uint8  // number of successive runs that did not use it
}

const (
	// maxCached is the size in bytes of the largest document that is kept.
	maxCached = 32 << 20
	// maxUnused is the number of runs after which an unused entry is dropped.
	maxUnused = 20
)

// sumOf returns the sum of d if its text is text.
func (a *auditor) sumOf(d *document, text []byte) (s sum) {
	h := sha256.New()
	cfg := a.config(d)
	fmt.Fprintf(h, "%+v\n%q\n%q %q %v\n%d\n%+v\n", a.Resolve, a.Sites, d.retrieved.URI, d.file.Type, d.file.Named, a.MaxEntity, cfg.Markdown)
	fmt.Fprintf(h, "%q %q %d\n", cfg.Extlinks, cfg.Attributes, d.kind.fragments) // maps print in key order
	if d.layout.generated == nil && (d.isRST() || d.isAsciiDoc()) {
		fmt.Fprintln(h, "plain")
	} else if d.isAsciiDoc() {
		fmt.Fprintln(h, d.layout.generated.Generator)
	}
	h.Write(text)
	h.Sum(s[:0])
	return s
}

func (c *Cache) get(s sum) (content, bool) {
	c.mu.Lock()
	k := c.kept[s]
	if k != nil {
		k.unused = 0
	}
	c.mu.Unlock()
	if k == nil {
		return content{}, false
	}
	if k.content == nil { // no other goroutine asks for this document
		c, ok := unpacked(k.packed)
		if !ok {
			return content{}, false
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
		if k.packed == nil || k.content != nil && k.content.isNew {
			return true
		}
	}
	return false
}

func (c *Cache) put(s sum, what content) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept == nil {
		c.kept = map[sum]*kept{}
	}
	c.kept[s] = &kept{content: &what}
}

// next starts another run.
func (c *Cache) next() {
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
	b, err := io.ReadAll(r)
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
	read := map[sum]*kept{}
	for b = rest; len(b) > 0; {
		var s sum
		rest := b[min(len(b), copy(s[:], b)):]
		if len(rest) == 0 {
			return errCache
		}
		size, k := binary.Uvarint(rest[1:])
		if k <= 0 || size > uint64(len(rest)-1-k) {
			return errCache
		}
		end := 1 + k + int(size)
		read[s] = &kept{packed: rest[1+k : end], unused: rest[0]}
		b = rest[end:]
	}
	c.kept, c.outcomes = read, outcomes
	return nil
}

// readOutcomes reads the outcomes at the beginning of b.
func readOutcomes(b []byte) (outcomes []*outcome, rest []byte, ok bool) {
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
		u := unpacking{in: string(b[k : k+int(size)])}
		r := u.outcome()
		if u.bad || u.in != "" {
			return nil, nil, false
		}
		outcomes = append(outcomes, r)
		b = b[k+int(size):]
	}
	return outcomes, b, true
}

func (c *Cache) appendOutcomes(out []byte) []byte {
	out = binary.AppendUvarint(out, uint64(len(c.outcomes)))
	for _, r := range c.outcomes {
		p := packings.Get().(*packing)
		p.outcome(r)
		s := p.done()
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
	sums := make([]sum, 0, len(c.kept))
	for s := range c.kept {
		sums = append(sums, s)
	}
	slices.SortFunc(sums, func(a, b sum) int { return bytes.Compare(a[:], b[:]) })
	for _, s := range sums {
		k := c.kept[s]
		packed := k.packed
		if packed == nil || k.content != nil && k.content.isNew {
			packed = k.content.pack()
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

func (c *content) pack() []byte {
	p := packer{seen: map[string]uint64{}}
	p.content(c)
	return p.out
}

// unpacked returns the content that b holds. ok is false if pack did not make b.
func unpacked(b []byte) (c content, ok bool) {
	p := packer{in: string(b), reads: true}
	p.content(&c)
	return c, !p.bad && p.in == ""
}

// A packer writes to out or reads from in. A string is written out at its first occurrence, and
// as a number afterwards.
type packer struct {
	reads bool
	bad   bool

	in    string
	table []string

	out  []byte
	seen map[string]uint64
}

func (p *packer) uint(n *uint64) {
	if !p.reads {
		p.out = binary.AppendUvarint(p.out, *n)
		return
	}
	*n = 0
	for i := 0; i < len(p.in) && i < binary.MaxVarintLen64; i++ {
		*n |= uint64(p.in[i]&0x7f) << (7 * i)
		if p.in[i] < 0x80 {
			p.in = p.in[i+1:]
			return
		}
	}
	p.bad, p.in = true, ""
}

// number packs a number that is not negative.
func number[T ~int | ~int64 | ~uint8 | ~uint16 | ~uint32](p *packer, n *T) {
	u := uint64(*n)
	p.uint(&u)
	*n = T(u)
}

func (p *packer) bool(b *bool) {
	var n uint8
	if *b {
		n = 1
	}
	number(p, &n)
	*b = n != 0
}

func (p *packer) string(s *string) {
	if !p.reads {
		n, again := p.seen[*s]
		if again {
			p.uint(&n)
			return
		}
		n = uint64(len(p.seen))
		p.seen[*s] = n
		p.uint(&n)
		n = uint64(len(*s))
		p.uint(&n)
		p.out = append(p.out, *s...)
		return
	}
	var n uint64
	p.uint(&n)
	if n < uint64(len(p.table)) {
		*s = p.table[n]
		return
	}
	p.uint(&n)
	if n > uint64(len(p.in)) {
		p.bad, p.in = true, ""
		return
	}
	*s, p.in = p.in[:n], p.in[n:]
	p.table = append(p.table, *s)
}

// list packs a list, each element by one. An element takes at least a byte, so a false length
// cannot make list allocate more elements than the input has bytes.
func list[T any](p *packer, of *[]T, one func(*T)) {
	n := uint64(len(*of))
	p.uint(&n)
	if p.reads && n > 0 {
		if n > uint64(len(p.in)) {
			p.bad, p.in = true, ""
			return
		}
		*of = make([]T, n)
	}
	for i := range *of {
		one(&(*of)[i])
	}
}

func (p *packer) content(c *content) {
	number(p, &c.sniffed)
	number(p, &c.references)
	for i := range c.skipped {
		number(p, &c.skipped[i])
	}
	p.bool(&c.isPartial)
	list(p, &c.undefined, p.note)
	list(p, &c.names, p.note)
	list(p, &c.limits, p.note)
	p.string(&c.packed.anchors)
	number(p, &c.packed.refCount)
	p.string(&c.packed.refs)
	if p.reads {
		c.memo = new(memo)
	}
	p.memo(c.memo)
}

func (p *packer) memo(m *memo) {
	number(p, &m.hasIncludes)
	number(p, &m.hasIgnores)
	flavours := slices.Sorted(maps.Keys(m.ids))
	list(p, &flavours, func(f *slug.Flavour) {
		number(p, f)
		if p.reads {
			if m.ids == nil {
				m.ids = map[slug.Flavour]*ids{}
			}
			m.ids[*f] = new(ids)
		}
		p.ids(m.ids[*f])
	})
	hasAttrs := m.attrs != nil
	p.bool(&hasAttrs)
	if !hasAttrs {
		return
	}
	names := slices.Sorted(maps.Keys(m.attrs))
	list(p, &names, p.string)
	if p.reads {
		m.attrs = make(map[string]bool, len(names))
		for _, name := range names {
			m.attrs[name] = true
		}
	}
}

func (p *packer) ids(s *ids) {
	p.string(&s.text)
	list(p, &s.entries, func(e *idEntry) {
		number(p, &e.end)
		number(p, &e.line)
	})
	if p.reads && !s.index() {
		p.bad, p.in = true, ""
	}
	twice := slices.Sorted(maps.Keys(s.second))
	list(p, &twice, func(id *string) {
		p.string(id)
		line := s.second[*id]
		number(p, &line)
		if p.reads {
			if s.second == nil {
				s.second = map[string]int{}
			}
			s.second[*id] = line
		}
	})
}

func (p *packer) note(n *note) {
	p.position(&n.pos)
	p.string(&n.text)
	p.string(&n.space)
}

func (p *packer) position(k *extract.Position) {
	number(p, &k.Offset)
	number(p, &k.Length)
	number(p, &k.Line)
	number(p, &k.Column)
	p.bool(&k.Exact)
}
