package extract

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"path"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/transform"

	"example.org/refract/extract/scan"
)

const (
	textType   = "text/plain"
	binaryType = "application/octet-stream"
)

// types holds the suffixes of names that are text, whatever their bytes look like.
var types = map[string]string{
	".txt": textType, ".text": textType, ".log": textType, ".csv": "text/csv",
	".md": "text/markdown", ".markdown": "text/markdown", ".mdx": "text/markdown",
	".html": "text/html", ".htm": "text/html", ".xhtml": "application/xhtml+xml",
	".css": "text/css", ".js": "text/javascript", ".json": "application/json",
	".xml": "application/xml", ".svg": "image/svg+xml",
	".eml": "message/rfc822", ".mbox": "application/mbox", ".mht": "multipart/related", ".mhtml": "multipart/related",
}

// detect finds the media type of an input by its name, otherwise by its first
// bytes, and its charset by these: "" where they are to be scanned as they are,
// which is ASCII, UTF-8, and all that contains ASCII.
func detect(name string, head []byte) (mediaType, label string) {
	mediaType, label = sniff(head)
	if t, ok := types[strings.ToLower(path.Ext(name))]; ok {
		mediaType = t
	}
	return mediaType, label
}

func sniff(head []byte) (mediaType, label string) {
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe")):
		return textType, "utf-16le"
	case bytes.HasPrefix(head, []byte("\xfe\xff")):
		return textType, "utf-16be"
	}
	if bytes.IndexByte(head, 0) < 0 {
		return textType, ""
	}
	// UTF-16 of mostly ASCII has NULs at every other place, and at no others.
	var nuls [2]int
	for i, c := range head {
		if c == 0 {
			nuls[i&1]++
		}
	}
	half := len(head) / 2
	switch {
	case nuls[0] == 0 && nuls[1] > half*2/5:
		return textType, "utf-16le"
	case nuls[1] == 0 && nuls[0] > half*2/5:
		return textType, "utf-16be"
	}
	return binaryType, ""
}

// ParseType splits a media type with parameters: the type in lower case, and the
// charset's label, "" where the input needs no decoding to be scanned. An unknown
// charset is an error.
func ParseType(s string) (mediaType, label string, err error) {
	mediaType, params, err := mime.ParseMediaType(s)
	if err != nil {
		return "", "", fmt.Errorf("extract: type %q: %w", s, err)
	}
	label = params["charset"]
	if label == "" {
		return mediaType, "", nil
	}
	enc, name := charset.Lookup(label)
	if enc == nil || name == "replacement" { // what browsers refuse to decode
		return "", "", fmt.Errorf("extract: type %q: unknown charset %q", s, label)
	}
	if name == "utf-8" {
		name = ""
	}
	return mediaType, name, nil
}

// readSize is how much is asked for at a time. A read that takes more than 20 µs
// makes the runtime hand the processor to another thread: reading 1 MiB at once
// took a sixth more of the whole time on one core.
const readSize = 64 << 10

// A stream reads the text of an input, decoded to UTF-8.
type stream struct {
	r     io.Reader
	dec   *encoding.Decoder // nil: as it is
	ascii bool              // bytes below 0x80 decode to themselves wherever a character may begin
	state bool              // what bytes decode to depends on those before

	raw []byte // read and not decoded
	eof bool
}

func newStream(r io.Reader, label string) *stream {
	s := &stream{r: r}
	if label != "" {
		enc, name := charset.Lookup(label)
		s.dec = enc.NewDecoder()
		s.state = name == "iso-2022-jp" || name == "utf-7"
		s.ascii = !s.state && name != "utf-16le" && name != "utf-16be"
	}
	return s
}

// fill reads text into buf until that is full or the input ends, and adds to m,
// which maps what stands in front of buf, where it came from. src is the source
// offset of the next byte. It returns the number of bytes in buf, the source offset
// behind, and io.EOF or what else stopped it.
func (s *stream) fill(buf []byte, m *scan.Map, src int) (n, next int, err error) {
	if s.dec == nil {
		for n < len(buf) && err == nil {
			var k int
			k, err = s.r.Read(buf[n:min(len(buf), n+readSize)])
			n += k
		}
		return n, src + n, err
	}
	for n < len(buf) {
		if len(s.raw) < 64 && !s.eof {
			raw := make([]byte, 32<<10)
			k := copy(raw, s.raw)
			more, rerr := io.ReadFull(s.r, raw[k:])
			s.raw = raw[:k+more]
			if rerr != nil {
				s.eof = true
				if rerr != io.EOF && rerr != io.ErrUnexpectedEOF {
					err = rerr
				}
			}
		}
		if len(s.raw) == 0 {
			break
		}
		d, k := s.decode(buf[n:], m, src)
		if k == 0 && d == 0 {
			if len(buf)-n < utf8.UTFMax {
				return n, src, nil // no room for one more character
			}
			k = 1 // no character at all
		}
		n, src, s.raw = n+d, src+k, s.raw[k:]
	}
	if s.eof && len(s.raw) == 0 && err == nil {
		err = io.EOF
	}
	return n, src, err
}

// decode decodes some of s.raw into buf: a run of ASCII, or one character.
func (s *stream) decode(buf []byte, m *scan.Map, src int) (nDst, nSrc int) {
	if s.ascii {
		n := 0
		for n < len(s.raw) && n < len(buf) && s.raw[n] < utf8.RuneSelf {
			n++
		}
		if n > 0 {
			copy(buf, s.raw[:n])
			m.Add(n, src, 1, 1)
			return n, n
		}
	}
	// One character at a time: as little room as it needs, as few bytes as it needs.
	for room := 1; room <= min(utf8.UTFMax, len(buf)); room++ {
		d, k, err := s.dec.Transform(buf[:room], s.raw, s.eof)
		if d > 0 || k > 0 {
			if s.state && !bytes.Equal(buf[:d], s.raw[:k]) {
				m.AddStateful(d, src, max(d, 1), k)
			} else {
				m.Add(d, src, max(d, 1), k)
			}
			return d, k
		}
		if !errors.Is(err, transform.ErrShortDst) {
			break
		}
	}
	return 0, 0
}
