package completeness

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"io"
	"os"
	"slices"
	"sort"
	"sync"

	"example.org/refract/cmd/refract/internal/distinct"
	"example.org/refract/resolve/canon"
)

// A key stands for the URLs that web archives treat as equal: it is a hash of the key "cdx" of
// resolve/canon. Of a million captures, one in 18 million million missing URLs is mistaken for one of them.
type key uint64

// A keyer makes keys. It must not be used concurrently. Pages of one site link to the same URLs, and a key
// takes as long as all other work for a reference, so it keeps those of recent URLs.
type keyer struct {
	text   []byte
	recent [1 << 15]recentKey // by the hash of the URL
}

// A recentKey is the key of the URL with a hash.
type recentKey struct {
	url uint64
	key key
}

// keyers are those that no task uses.
var keyers = sync.Pool{New: func() any { return new(keyer) }}

var seed = maphash.MakeSeed()

var surt = &canon.Key{Profile: canon.CDX}

// of returns the key of url.
func (k *keyer) of(url []byte) key {
	is, _ := k.withText(url)
	return is
}

// withText returns the key of url, and the text of which it is the hash, unless the URL is a recent one. The text is valid
// until the next call.
func (k *keyer) withText(url []byte) (is key, text []byte) {
	h := maphash.Bytes(seed, url)
	r := &k.recent[h%uint64(len(k.recent))]
	if r.url != h {
		k.text = surt.Append(k.text[:0], url)
		*r, text = recentKey{h, hashOf(k.text)}, k.text
	}
	return r.key, text
}

// hashOf returns the key of a text of surt.
func hashOf(text []byte) key {
	h := uint64(14695981039346656037) // FNV-1a: the order of findings must not depend on the run
	for _, c := range text {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return key(h)
}

// A state is what an archive has of a URL; of several captures, the least counts.
type state uint8

const (
	isHere     state = iota
	isRedirect       // to the URL in a row
	isDamaged        // the record is incomplete
	isError          // the server had no such resource: nothing to fetch
	isMissing        // no capture; in no index
)

// An index has the states of all captures, in a file if they take too much memory.
type index struct {
	set    distinct.Set
	firsts []key    // of each page
	memory []byte   // all pages, if there is no file
	file   *os.File // nil: in memory
	size   int64    // of all pages
	buf    []byte   // a page of the file
}

const (
	entrySize = 16  // a key, and a state with the place of the row of a redirect
	pageSize  = 256 // entries
)

// add adds a capture. at is the place of the row of a redirect.
func (x *index) add(k key, s state, at int64) error {
	var record [18]byte // the set stores a record once that is its key and a byte
	binary.BigEndian.PutUint64(record[:], uint64(k))
	record[8] = byte(s)
	binary.BigEndian.PutUint64(record[9:], uint64(at))
	_, err := x.set.Add(record[:17], record[:])
	return err
}

// seal prepares the index for look-ups. limit is the number of bytes that it may keep in memory.
func (x *index) seal(limit int64) error {
	var text bytes.Buffer
	n, last := int64(0), key(0)
	flush := func() error {
		var err error
		if x.file == nil {
			x.file, err = os.CreateTemp("", "refract")
			if err != nil {
				return err
			}
			os.Remove(x.file.Name())
		}
		_, err = x.file.Write(text.Bytes())
		text.Reset()
		return err
	}
	err := x.set.Finish(func(record []byte, _ uint64) error {
		k := key(binary.BigEndian.Uint64(record))
		if n > 0 && k == last {
			return nil // a worse state
		}
		if n%pageSize == 0 {
			x.firsts = append(x.firsts, k)
		}
		n, last = n+1, k
		text.Write(record[:8])
		text.Write(binary.BigEndian.AppendUint64(text.AvailableBuffer(), uint64(record[8])<<56|binary.BigEndian.Uint64(record[9:])))
		if int64(text.Len()) < limit {
			return nil
		}
		return flush()
	})
	if err == nil && x.file != nil {
		err = flush()
	}
	x.size, x.memory, x.buf = n*entrySize, text.Bytes(), make([]byte, pageSize*entrySize)
	return err
}

// find returns the state of k, and the place of the row if it is a redirect.
func (x *index) find(k key) (s state, at int64, err error) {
	i := sort.Search(len(x.firsts), func(i int) bool { return x.firsts[i] > k }) - 1
	if i < 0 {
		return isMissing, 0, nil
	}
	start := int64(i) * pageSize * entrySize
	length := min(int64(len(x.buf)), x.size-start)
	page := x.buf[:length]
	if x.file == nil {
		page = x.memory[start : start+length]
	} else if _, err := x.file.ReadAt(page, start); err != nil && err != io.EOF {
		return 0, 0, err
	}
	n := len(page) / entrySize
	j := sort.Search(n, func(j int) bool { return key(binary.BigEndian.Uint64(page[j*entrySize:])) >= k })
	if j == n || key(binary.BigEndian.Uint64(page[j*entrySize:])) != k {
		return isMissing, 0, nil
	}
	value := binary.BigEndian.Uint64(page[j*entrySize+8:])
	return state(value >> 56), int64(value &^ (0xff << 56)), nil
}

// close removes the file.
func (x *index) close() {
	x.set.Close()
	if x.file != nil {
		name := x.file.Name()
		x.file.Close()
		os.Remove(name) // where open files cannot be removed
	}
}

// appendText appends a text with its length.
func appendText[T ~string | ~[]byte](dst []byte, s T) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

// A rowReader reads rows. Its texts are valid until the next row.
type rowReader struct {
	r interface {
		io.Reader
		io.ByteReader
	}
	err   error
	buf   []byte
	eight [8]byte
}

func (r *rowReader) begin() { r.buf = r.buf[:0] }

// bytes reads a text.
func (r *rowReader) bytes() []byte {
	n := r.number()
	if r.err != nil {
		return nil
	}
	at := len(r.buf)
	r.buf = slices.Grow(r.buf, int(n))[:at+int(n)]
	_, err := io.ReadFull(r.r, r.buf[at:])
	r.fail(err)
	return r.buf[at:len(r.buf):len(r.buf)]
}

// number reads a number.
func (r *rowReader) number() uint64 {
	if r.err != nil {
		return 0
	}
	n, err := binary.ReadUvarint(r.r)
	r.fail(err)
	return n
}

// key reads a key.
func (r *rowReader) key() key {
	if r.err != nil {
		return 0
	}
	_, err := io.ReadFull(r.r, r.eight[:])
	r.fail(err)
	return key(binary.BigEndian.Uint64(r.eight[:]))
}

// skip reads what follows the kind of a row.
func (r *rowReader) skip(kind byte) {
	switch kind {
	case inputRow, namesRow:
		r.bytes()
	case pageRow, damageRow:
		r.number()
		r.bytes()
		r.bytes()
	case appliesRow, idleRow:
		r.key()
	case revisitRow:
		r.key()
		r.bytes()
	case needRow, linkRow, optionalRow, importRow, conditionRow:
		r.key()
		r.bytes()
		r.bytes()
		r.bytes()
		if kind == conditionRow {
			r.bytes()
		}
	case redirectRow:
		r.number()
		r.key()
		r.bytes()
		r.bytes()
		r.bytes()
	}
}

func (r *rowReader) fail(err error) {
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if r.err == nil {
		r.err = err
	}
}
