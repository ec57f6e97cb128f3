package pdf

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"sync"

	"github.com/dsnet/compress/brotli"

	"example.org/refract/internal/inflate"
)

// maxFilters limits how many filters of a stream are applied one after the other.
const maxFilters = 4

// Deflate makes at most this many bytes of one (RFC 1951: 258 bytes of two bits). It has the largest ratio
// of all filters but Brotli, whose meta-blocks may make 16 MiB of a few bytes.
const maxRatio = 1032

var errFilter = errors.New("a stream with a filter that is not known")

// A filterStep is a filter of a stream with its parameters.
type filterStep struct {
	name      string
	predictor int // 1: none
	row       int // bytes of a row of the predictor, without its tag
	pixel     int // bytes of a pixel
	early     bool
}

// decodeStream undoes the filters of src, the data of a stream (ISO 32000-2 section 7.4). The result may be
// in the memory of into; damaged data, and data for which the account does not suffice, yields what can be
// decoded.
func decodeStream(src []byte, steps []filterStep, a *account, into []byte) ([]byte, error) {
	if len(steps) > maxFilters {
		return nil, errFilter
	}
	room := min(a.stream, a.left)
	a.spend(len(src) / 16)
	for i := range steps {
		f := &steps[i]
		most := room
		isBrotli := f.name == "BrotliDecode"
		if len(src) < most/maxRatio && !isBrotli {
			most = min(most, 4<<10+maxRatio*len(src))
		}
		switch f.name {
		case "BrotliDecode":
			src = unBrotli(src, most)
		case "FlateDecode", "Fl":
			src = unflate(into, src, most)
			into = nil
		case "LZWDecode", "LZW":
			src = unLZW(src, f.early, most)
		case "ASCIIHexDecode", "AHx":
			src = unHex(src)
		case "ASCII85Decode", "A85":
			src = un85(src, most)
		case "RunLengthDecode", "RL":
			src = unRunLength(src, most)
		case "Crypt":
			continue
		default:
			return nil, errFilter
		}
		src = src[:min(len(src), most)]
		room -= len(src)
		a.left -= len(src)
		a.isCut = a.isCut || room <= 0
		switch f.name {
		case "BrotliDecode", "FlateDecode", "Fl", "LZWDecode", "LZW":
			src = unpredict(src, f)
		}
	}
	return src, nil
}

// inflaters holds decompressors of deflate.
var inflaters = sync.Pool{New: func() any { return new(inflate.Reader) }}

// unflate decompresses src: the format of zlib (RFC 1950), without its checksum, or bare deflate.
func unflate(into, src []byte, limit int) []byte {
	src = bytes.TrimLeft(src, "\r\n") // of a line end after "stream" that is too long
	if len(src) >= 2 && src[0]&0x0f == 8 && (int(src[0])<<8|int(src[1]))%31 == 0 {
		src = src[2:]
	}
	r := inflaters.Get().(*inflate.Reader)
	defer inflaters.Put(r)
	r.ResetBytes(src)
	out := into[:0]
	if cap(out) == 0 {
		out = make([]byte, 0, min(limit, 4*len(src)+512))
	}
	for len(out) < limit {
		if len(out) == cap(out) {
			out = slices.Grow(out, min(len(out), limit-len(out)))
		}
		n, err := r.Read(out[len(out):min(cap(out), limit)])
		out = out[:len(out)+n]
		if err != nil { // what precedes damage is read
			break
		}
	}
	return out
}

// unBrotli decompresses Brotli (RFC 7932), which the PDF Association adds to PDF 2.0. A dictionary of the
// file is not used.
func unBrotli(src []byte, limit int) []byte {
	r, err := brotli.NewReader(bytes.NewReader(src), nil)
	if err != nil {
		return nil
	}
	out, _ := io.ReadAll(io.LimitReader(r, int64(limit))) // what precedes damage is read
	return out
}

// unLZW decompresses LZW with codes of 9 to 12 bits (section 7.4.4). early is the value 1 of EarlyChange.
func unLZW(src []byte, early bool, limit int) []byte {
	const clearTable, end = 256, 257
	var (
		prefix [4096]int16
		last   [4096]byte
		size   [4096]int32
		out    []byte
	)
	for i := range 256 {
		last[i], size[i] = byte(i), 1
	}
	change := 0
	if early {
		change = 1
	}
	next, width, previous := 258, 9, -1
	bits, n := uint32(0), 0
	for _, c := range src {
		bits, n = bits<<8|uint32(c), n+8
		if n < width {
			continue
		}
		n -= width
		code := int(bits >> n & (1<<width - 1))
		if code == end {
			return out
		}
		if code == clearTable {
			next, width, previous = 258, 9, -1
			continue
		}
		if code > next || code == next && previous < 0 || code >= 4096 {
			return out
		}
		whole := code
		if code == next {
			whole = previous
		}
		length := int(size[whole])
		if len(out)+length+1 > limit {
			return out
		}
		at := len(out) + length
		out = append(out, make([]byte, length)...)
		k := whole
		for range length {
			at--
			out[at] = last[k]
			k = int(prefix[k])
		}
		first := out[at]
		if code == next {
			out = append(out, first)
		}
		if previous >= 0 && next < 4096 {
			prefix[next], last[next], size[next] = int16(previous), first, size[previous]+1
			next++
		}
		if width < 12 && next+change >= 1<<width {
			width++
		}
		previous = code
	}
	return out
}

// unHex undoes ASCIIHexDecode (section 7.4.2).
func unHex(src []byte) []byte {
	out := make([]byte, 0, len(src)/2+1)
	high := -1
	for _, c := range src {
		v := hexValue(c)
		switch {
		case c == '>':
			if high >= 0 {
				out = append(out, byte(high<<4))
			}
			return out
		case v < 0:
		case high < 0:
			high = v
		default:
			out = append(out, byte(high<<4|v))
			high = -1
		}
	}
	return out
}

// un85 undoes ASCII85Decode (section 7.4.3).
func un85(src []byte, limit int) []byte {
	out := make([]byte, 0, min(limit, len(src)/5*4+4))
	v, n := uint32(0), 0
	for _, c := range src {
		switch {
		case len(out) >= limit:
			return out
		case c == '~':
			if n > 1 {
				for range 5 - n {
					v = v*85 + 84
				}
				for i := range n - 1 {
					out = append(out, byte(v>>(24-8*i)))
				}
			}
			return out
		case c == 'z' && n == 0:
			out = append(out, 0, 0, 0, 0)
		case '!' <= c && c <= 'u':
			v = v*85 + uint32(c-'!')
			if n++; n == 5 {
				out = append(out, byte(v>>24), byte(v>>16), byte(v>>8), byte(v))
				v, n = 0, 0
			}
		}
	}
	return out
}

// unRunLength undoes RunLengthDecode (section 7.4.5).
func unRunLength(src []byte, limit int) []byte {
	out := make([]byte, 0, min(limit+128, 64*len(src))) // no run makes more of one byte
	for len(src) > 1 && src[0] != 128 && len(out) < limit {
		n := int(src[0])
		if n < 128 {
			k := min(n+2, len(src))
			out = append(out, src[1:k]...)
			src = src[k:]
			continue
		}
		for range 257 - n {
			out = append(out, src[1])
		}
		src = src[2:]
	}
	return out
}

// unpredict undoes the predictor of a filter in place (section 7.4.4.4): those of PNG, and TIFF's for bytes.
func unpredict(src []byte, f *filterStep) []byte {
	switch {
	case f.predictor < 2 || f.row <= 0 || f.pixel <= 0:
		return src
	case f.predictor == 2:
		for row := src; len(row) > 0; row = row[min(f.row, len(row)):] {
			for i := f.pixel; i < min(f.row, len(row)); i++ {
				row[i] += row[i-f.pixel]
			}
		}
		return src
	}
	out := src[:0] // in place: each row moves towards the beginning
	above := make([]byte, min(f.row, len(src)))
	for len(src) > 1 {
		kind, n := src[0], min(f.row, len(src)-1)
		out = append(out, src[1:1+n]...)
		row := out[len(out)-n:]
		unfilterPNG(kind, row, above, f.pixel)
		above, src = row, src[1+n:]
	}
	return out
}

// unfilterPNG undoes a filter of PNG in place. above, the row before it, is at least as long as row.
func unfilterPNG(kind byte, row, above []byte, pixel int) {
	for i := range row {
		var left, corner int
		if i >= pixel {
			left, corner = int(row[i-pixel]), int(above[i-pixel])
		}
		up := int(above[i])
		switch kind {
		case 1:
			row[i] += byte(left)
		case 2:
			row[i] += byte(up)
		case 3:
			row[i] += byte((left + up) / 2)
		case 4:
			row[i] += byte(paeth(left, up, corner))
		}
	}
}

func paeth(a, b, c int) int {
	p := a + b - c
	da, db, dc := max(p-a, a-p), max(p-b, b-p), max(p-c, c-p)
	switch {
	case da <= db && da <= dc:
		return a
	case db <= dc:
		return b
	}
	return c
}
