package columnar

import (
	"encoding/binary"
	"slices"

	"github.com/cespare/xxhash/v2"
)

// A bloomFilter is a split block Bloom filter of Parquet (BloomFilter.md): blocks of 256 bits, in each of
// which a value sets eight.
type bloomFilter []byte

const (
	bloomBlock = 32 // bytes
	// bloomBits is the least number of bits for each distinct value. The size is a power of 2, as readers
	// expect it, so it may be up to twice as large. Of the values that are not in a row group, a filter passes
	// at most 6 in 100, and 1 in 100 on average.
	bloomBits = 7
	// bloomShare is how many times larger than its filter a column must be in the file. A look-up reads the
	// filters of all row groups in order not to read the column of most.
	bloomShare = 12
)

// newBloomFilter returns a filter of values with these hashes, which it sorts.
func newBloomFilter(hashes []uint64) bloomFilter {
	slices.Sort(hashes)
	hashes = slices.Compact(hashes)
	size := bloomBlock
	for size*8 < bloomBits*len(hashes) {
		size *= 2
	}
	f := make(bloomFilter, size)
	for _, h := range hashes {
		f.add(h)
	}
	return f
}

// bloomSalt are the odd numbers by which a key is multiplied to choose a bit of each word.
var bloomSalt = [8]uint32{0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31}

func (f bloomFilter) add(hash uint64) {
	block := hash >> 32 * uint64(len(f)/bloomBlock) >> 32
	words := f[block*bloomBlock:]
	for i, salt := range bloomSalt {
		word := words[4*i:]
		bit := uint32(hash) * salt >> 27
		binary.LittleEndian.PutUint32(word, binary.LittleEndian.Uint32(word)|1<<bit)
	}
}

// bloom writes the filter of a column that is looked up.
func (p *Parquet) bloom(k *chunk) error {
	c := k.leaf.column
	if !c.isLookedUp || c.values.len() == c.nulls && !c.repeats || c.values.len() == 0 {
		return nil
	}
	p.hashes = p.hashes[:0]
	for i := range c.values.len() {
		if c.repeats || c.valid.at(i) {
			p.hashes = append(p.hashes, xxhash.Sum64(c.values.at(i)))
		}
	}
	filter := newBloomFilter(p.hashes)
	if int64(len(filter))*bloomShare > k.packed {
		return nil
	}
	k.bloom = p.offset
	t := &p.head
	t.b = t.b[:0]
	t.open()
	t.i32(1, int64(len(filter)))
	for id := 2; id <= 4; id++ { // the algorithm, the hash and the compression: the first of each union, and no other is known
		t.begin(id)
		t.begin(1)
		t.end()
		t.end()
	}
	t.end()
	if err := p.write(t.b); err != nil {
		return err
	}
	err := p.write(filter)
	k.bloomSize = p.offset - k.bloom
	return err
}
