package extract

import (
	"bytes"
	"errors"
	"fmt"
	"mime"
	"path"
	"strings"
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

// decodeCharset returns the step that decodes the charset with this label, as
// ParseType gives it. stateful says that what bytes decode to depends on those before.
func decodeCharset(label string) (s step, stateful bool) {
	enc, name := charset.Lookup(label)
	dec := enc.NewDecoder()
	stateful = name == "iso-2022-jp"
	// Whether bytes below 0x80 decode to themselves wherever a character may begin.
	ascii := !stateful && name != "utf-16le" && name != "utf-16be"
	var out [utf8.UTFMax]byte
	return func(src []byte, atEOF bool) (int, int, []byte) {
		if ascii {
			n := 0
			for n < len(src) && src[n] < utf8.RuneSelf {
				n++
			}
			if n > 0 {
				return n, 0, nil
			}
		}
		// One character at a time: as little room as it needs, so that it takes as
		// few bytes as it needs.
		for room := 1; room <= utf8.UTFMax; room++ {
			d, k, err := dec.Transform(out[:room], src, atEOF)
			if d > 0 || k > 0 {
				return 0, k, out[:d]
			}
			if !errors.Is(err, transform.ErrShortDst) {
				break
			}
		}
		return 0, 0, nil
	}, stateful
}
