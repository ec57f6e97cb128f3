// Package columnar writes tables by column: streams of Arrow IPC, and Parquet files, both compressed
// with zstd. It writes the formats itself. The usual modules would add some sixty modules to the
// build list of every importer of this module, and their compilation takes longer than that of
// refract.
//
//	cells.go    rows as bytes, which goroutines that render prepare
//	batch.go    rows in memory, by column
//	arrow.go    the streaming format of Arrow IPC
//	flat.go     FlatBuffers, which hold the metadata of Arrow
//	parquet.go  Parquet: files, row groups, columns and pages
//	hybrid.go   the encoding of levels and indexes in Parquet
//	bounds.go   the least and greatest values in Parquet, and its page index
//	bloom.go    Bloom filters of Parquet
//	sort.go     rows that are sorted
//	footer.go   the metadata of Parquet
//	thrift.go   the compact protocol of Thrift, in which it is written
package columnar

import (
	"encoding/binary"
	"time"
	"unicode/utf8"
)

// A Type is the type of a field. Every field but a Flag may be null.
type Type uint8

const (
	Text   Type = iota // UTF-8
	Octets             // two columns: text, null where it is not UTF-8, and then the bytes in the second one
	Number             // int64
	Flag               // bool
	Time               // microseconds since 1970, UTC
	Texts              // list of Text
	Pairs              // list of pairs of int64, "offset" and "length"
)

// A Field is a field of a table.
type Field struct {
	Name    string
	Type    Type
	Repeats bool // of Text and Octets: many rows have the same value, so it gets a dictionary
	LookUp  bool // of Text: rows are looked up by it, so Parquet gets a Bloom filter
}

// octetsSuffix ends the name of the second column of an Octets field.
const octetsSuffix = "_bytes"

// A Schema describes a table.
type Schema struct {
	Table  string
	Fields []Field
}

// A row is a cell for each field of the schema, in order. The functions below append a cell. Null is
// a cell of each type; as a Flag, it is false.

// AppendNull appends a null.
func AppendNull(dst []byte) []byte { return append(dst, 0) }

// AppendText appends a cell of type Text. Each byte of s that is not UTF-8 becomes U+FFFD.
func AppendText[S string | []byte](dst []byte, s S) []byte {
	if !isUTF8(s) {
		s = S(string([]rune(string(s))))
	}
	return append(binary.AppendUvarint(dst, uint64(len(s))+1), s...)
}

// AppendOctets appends a cell of type Octets.
func AppendOctets[S string | []byte](dst []byte, s S) []byte {
	head := uint64(len(s)) << 1
	if !isUTF8(s) {
		head |= 1
	}
	return append(binary.AppendUvarint(dst, head+1), s...)
}

func isUTF8[S string | []byte](s S) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return utf8.ValidString(string(s[i:]))
		}
	}
	return true
}

// AppendNumber appends a cell of type Number. n must not be the smallest int64.
func AppendNumber(dst []byte, n int64) []byte {
	return binary.AppendUvarint(dst, uint64(n<<1)^uint64(n>>63)+1)
}

// AppendTime appends a cell of type Time. A time that is not in the years 0 to 9999 is null: not all
// readers know others.
func AppendTime(dst []byte, t time.Time) []byte {
	if y := t.UTC().Year(); y < 0 || y > 9999 {
		return AppendNull(dst)
	}
	return AppendNumber(dst, t.UnixMicro())
}

// AppendFlag appends a cell of type Flag.
func AppendFlag(dst []byte, is bool) []byte {
	if is {
		return append(dst, 1)
	}
	return append(dst, 0)
}

// AppendTexts appends a cell of type Texts.
func AppendTexts(dst []byte, list []string) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(list))+1)
	for _, s := range list {
		dst = AppendText(dst, s)
	}
	return dst
}

// AppendPairs appends the beginning of a cell of type Pairs. n calls of AppendPair must follow.
func AppendPairs(dst []byte, n int) []byte { return binary.AppendUvarint(dst, uint64(n)+1) }

// AppendPair appends a pair of a cell of type Pairs.
func AppendPair(dst []byte, offset, length int64) []byte {
	return AppendNumber(AppendNumber(dst, offset), length)
}

// A reader reads cells. They are well formed: only this package makes them.
type reader []byte

// uvarint reads a number plus 1; ok is false for null.
func (r *reader) uvarint() (n uint64, ok bool) {
	if first := (*r)[0]; first < 0x80 {
		*r = (*r)[1:]
		return uint64(first) - 1, first > 0
	}
	n, size := binary.Uvarint(*r)
	if size <= 0 {
		panic("columnar: a row is damaged")
	}
	*r = (*r)[size:]
	return n - 1, true
}

func (r *reader) number() (n int64, ok bool) {
	u, ok := r.uvarint()
	if !ok {
		return 0, false
	}
	return int64(u>>1) ^ -int64(u&1), true
}

func (r *reader) bytes(n uint64) []byte {
	b := (*r)[:n]
	*r = (*r)[n:]
	return b
}
