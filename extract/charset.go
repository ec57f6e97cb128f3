package extract

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"mime"
	"path"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/transform"
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

// containsASCII reports whether, in the charset with this name, bytes below 0x80 are
// ASCII wherever a character may begin.
func containsASCII(name string) bool {
	return name != "iso-2022-jp" && name != "utf-16le" && name != "utf-16be" && name != "replacement"
}

// decodeCharset returns the step that decodes the charset with this label, as
// ParseType gives it. stateful says that what bytes decode to depends on those before.
func decodeCharset(label string) (s step, stateful bool) {
	enc, name := charset.Lookup(label)
	dec := enc.NewDecoder()
	ascii := containsASCII(name)
	if ascii {
		t, ok := byteTables.Load(name)
		if !ok {
			t, _ = byteTables.LoadOrStore(name, newByteTable(dec))
		}
		if t := t.(*byteTable); t != nil {
			return t.step, false
		}
	}
	stateful = name == "iso-2022-jp"
	var out [utf8.UTFMax]byte
	last := 1 // the room that the last character needed
	return func(src []byte, atEOF bool) (literal, skip int, _ []byte) {
		if ascii {
			if literal = asciiPrefix(src); literal == len(src) {
				return literal, 0, nil
			}
			src = src[literal:]
		}
		// One character at a time: as little room as it needs, so that it takes as
		// few bytes as it needs. What the last one needed is tried first, which makes
		// Chinese and Japanese twice as fast; but bytes that change the decoder's
		// state can be tried only once.
		if !stateful {
			d, k, _ := dec.Transform(out[:last], src, atEOF)
			if _, size := utf8.DecodeRune(out[:d]); d > 0 && d == size {
				return literal, k, out[:d]
			}
		}
		for room := 1; room <= utf8.UTFMax; room++ {
			d, k, err := dec.Transform(out[:room], src, atEOF)
			if d > 0 || k > 0 {
				last = room
				return literal, k, out[:d]
			}
			if !errors.Is(err, transform.ErrShortDst) {
				break
			}
		}
		return literal, 0, nil
	}, stateful
}

// A byteTable has what the bytes from 0x80 on decode to, each by itself.
type byteTable [256 - utf8.RuneSelf][]byte

// byteTables holds the byteTable of each charset by its name, once it has been asked
// for: making one takes as long as decoding 10 KB.
var byteTables sync.Map

// newByteTable returns the byteTable of a charset that contains ASCII, nil if it has
// characters of several bytes.
func newByteTable(dec transform.Transformer) *byteTable {
	var t byteTable
	out := make([]byte, len(t)*utf8.UTFMax)
	src := []byte{0}
	for i := range t {
		src[0] = utf8.RuneSelf + byte(i)
		d, k, err := dec.Transform(out[:utf8.UTFMax], src, false)
		if err != nil || k == 0 {
			return nil
		}
		t[i], out = out[:d], out[d:]
	}
	return &t
}

func (t *byteTable) step(src []byte, _ bool) (literal, skip int, out []byte) {
	if literal = asciiPrefix(src); literal == len(src) {
		return literal, 0, nil
	}
	return literal, 1, t[src[literal]-utf8.RuneSelf]
}

const highBits = 0x8080808080808080

// asciiPrefix returns how many bytes src begins with that are ASCII.
func asciiPrefix(src []byte) int {
	n := 0
	for n+8 <= len(src) {
		if high := binary.LittleEndian.Uint64(src[n:]) & highBits; high != 0 {
			return n + bits.TrailingZeros64(high)/8
		}
		n += 8
	}
	for n < len(src) && src[n] < utf8.RuneSelf {
		n++
	}
	return n
}
