package warc

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/dsnet/compress/brotli"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/inflate"
)

// IsChunked reports whether coding is the chunked coding of RFC 9112 section 7.1.
func IsChunked(coding []byte) bool { return ascii.EqualFold(coding, "chunked") }

// Unchunk decodes chunked coding: it appends to dst the content of src, and to m the map back. ok is
// false if src does not begin with a chunk, because many crawlers store decoded bodies; note is then
// "". If a later chunk is wrong, the rest is taken as it is, with a note. Trailers, and anything
// after the last chunk, are left out.
func Unchunk(dst []byte, m *scan.Map, src []byte) (text []byte, note string, ok bool) {
	const wrong = "invalid chunks: the rest of the body is read without decoding"
	for at := 0; ; {
		size, n := chunkLine(src[at:])
		first := at == 0
		switch {
		case n == 0 && first:
			return dst, "", false
		case n == 0:
			if at < len(src) {
				note = wrong
			}
			m.Add(len(src)-at, at, 1, 1)
			return append(dst, src[at:]...), note, true
		}
		data := src[at+n:]
		if size == 0 {
			return dst, "", true
		}
		if size > len(data) {
			m.Add(len(data), at+n, 1, 1)
			return append(dst, data...), "the body ends within a chunk", true
		}
		end := 0
		switch rest := data[size:]; {
		case bytes.HasPrefix(rest, []byte("\r\n")):
			end = 2
		case bytes.HasPrefix(rest, []byte("\n")):
			end = 1
		case len(rest) > 0 && first:
			return dst, "invalid chunks: the body is read without decoding", false
		case len(rest) > 0:
			m.Add(len(src)-at, at, 1, 1)
			return append(dst, src[at:]...), wrong, true
		}
		m.Add(size, at+n, 1, 1)
		dst = append(dst, data[:size]...)
		at += n + size + end
	}
}

// chunkLine reads the line before a chunk. It returns the size, however large, and the length of the
// line, 0 if it is not such a line.
func chunkLine(src []byte) (size, n int) {
	const most = 1 << 30
	for ; n < len(src); n++ {
		c := src[n]
		switch {
		case ascii.IsHex(c):
			c = byte(ascii.Unhex(c))
		default:
			c = 0xff
		}
		if c == 0xff {
			break
		}
		if size > most>>4 {
			size = most
			continue
		}
		size = size<<4 | int(c)
	}
	if n == 0 {
		return 0, 0
	}
	// Extensions follow the size, and some servers pad the line with spaces.
	line := src[n:min(len(src), n+maxChunkLine)]
	i := bytes.IndexByte(line, '\n')
	if i < 0 {
		return 0, 0
	}
	if ext := bytes.TrimSpace(line[:i]); len(ext) > 0 && ext[0] != ';' {
		return 0, 0
	}
	return size, n + i + 1
}

// maxChunkLine limits the extensions of a chunk, in bytes.
const maxChunkLine = 4096

// A Decoder decodes content codings. The zero Decoder is ready for use, and it may be reused.
type Decoder struct {
	src    bytes.Reader
	gzip   *gzipBody
	flate  *inflate.Reader
	zlib   io.ReadCloser
	brotli *brotli.Reader
	zstd   *zstd.Decoder
}

// Decode decodes one coding: it appends to dst the content of src, at most limit bytes.
//
// ok is false if src does not have this coding, whatever its header says: crawlers store decoded
// bodies, and servers declare codings that they do not use. ok is also false, with a note, if the
// coding is not known. Otherwise note describes the error, if there is one: text then ends where
// decoding failed.
func (d *Decoder) Decode(dst, src []byte, coding []byte, limit int) (text []byte, note string, ok bool) {
	d.src.Reset(src)
	var r io.Reader
	switch {
	case ascii.EqualFold(coding, "gzip"), ascii.EqualFold(coding, "x-gzip"):
		if !bytes.HasPrefix(src, []byte("\x1f\x8b")) {
			return dst, "", false
		}
		if d.gzip == nil {
			d.gzip = &gzipBody{in: bufio.NewReader(nil)}
		}
		if err := d.gzip.reset(&d.src); err != nil {
			return dst, "", false
		}
		r = d.gzip
	case ascii.EqualFold(coding, "deflate"):
		// By RFC 9110 8.4.1.2 that is zlib; but servers have always sent raw deflate, too.
		var err error
		if len(src) >= 2 && src[0]&0x0f == 8 && (int(src[0])<<8|int(src[1]))%31 == 0 {
			if d.zlib == nil {
				d.zlib, err = zlib.NewReader(&d.src)
			} else {
				err = d.zlib.(zlib.Resetter).Reset(&d.src, nil)
			}
			r = d.zlib
		} else {
			if d.flate == nil {
				d.flate = new(inflate.Reader)
			}
			d.flate.ResetBytes(src)
			r = d.flate
		}
		if err != nil {
			return dst, "", false
		}
	case ascii.EqualFold(coding, "br"):
		if d.brotli == nil {
			d.brotli = new(brotli.Reader)
		}
		if err := d.brotli.Reset(&d.src); err != nil {
			return dst, "", false
		}
		r = d.brotli
	case ascii.EqualFold(coding, "zstd"):
		if !bytes.HasPrefix(src, []byte("\x28\xb5\x2f\xfd")) {
			return dst, "", false
		}
		if d.zstd == nil {
			// RFC 9659 2: the window size for content is at most 8 MiB.
			z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(8<<20))
			if err != nil {
				return dst, "", false
			}
			d.zstd = z
		}
		if err := d.zstd.Reset(&d.src); err != nil {
			return dst, "", false
		}
		r = d.zstd
	default:
		return dst, fmt.Sprintf("unknown content encoding %.40q: the body is read without decoding", coding), false
	}
	text = slices.Grow(dst, min(limit, 4*len(src)+512))
	begin := len(text)
	for {
		if len(text) == cap(text) {
			text = slices.Grow(text, len(text)-begin+512)
		}
		n, err := r.Read(text[len(text):min(cap(text), begin+limit+1)])
		if err == io.EOF && r == d.brotli && d.brotli.InputOffset < int64(len(src)) {
			err = errTrailing
		}
		text = text[:len(text)+n]
		switch {
		case len(text)-begin > limit:
			return text[:begin+limit], fmt.Sprintf("a body that decodes to more than %d bytes: cut there", limit), true
		case err == nil:
			continue
		case err == io.EOF, err == gzip.ErrHeader && len(text) > begin: // other bytes follow
			return text, "", true
		case plain(src):
			return dst, "", false
		}
		return text, fmt.Sprintf("a body in %s that is damaged: read as far as that", bytes.ToLower(coding)), true
	}
}

// errTrailing says that bytes follow a stream of Brotli. One has no signature, and its first byte may end
// it: a "." in a body that was decoded before is an empty stream.
var errTrailing = errors.New("bytes follow the stream")

// A gzipBody reads members one after the other.
type gzipBody struct {
	in     *bufio.Reader
	member inflate.Member
}

func (g *gzipBody) reset(r io.Reader) error {
	g.in.Reset(r)
	return g.member.Reset(g.in)
}

// Read implements io.Reader. The error is gzip.ErrHeader if something else follows a member.
func (g *gzipBody) Read(p []byte) (int, error) {
	n, err := g.member.Read(p)
	if err == io.EOF {
		err = g.member.Reset(g.in)
	}
	return n, err
}

// plain reports whether src looks like text: compressed data has control characters within the first
// few bytes.
func plain(src []byte) bool {
	for _, c := range src[:min(len(src), 256)] {
		if c < ' ' && c != '\t' && c != '\n' && c != '\f' && c != '\r' && c != 0x1b {
			return false
		}
	}
	return true
}
