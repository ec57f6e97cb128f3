package extract

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"example.org/refract/extract/internal/mediatype"
	"example.org/refract/extract/internal/warc"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/decode"
)

// A recordReader parses and decodes records. It is reused.
type recordReader struct {
	record  warc.Record
	http    warc.HTTP
	decoder warc.Decoder
	header  *Record // with Config.Records
}

var recordReaders = sync.Pool{New: func() any { return new(recordReader) }}

// maxCodings limits how many content codings are decoded.
const maxCodings = 4

var tooManyCodings = fmt.Sprintf("encoded more than %d times: not read", maxCodings)

// decodeBody decodes the codings that the header of a body names, in the memory of kept. The result has at
// most as many bytes as an entity may have, and at most as many as deflate can make of the body.
//
// If the decoded body is itself gzip or zstd, it was encoded more often than its header says, unless its
// type or name says that it is a compressed file. Then it is decoded again, at most maxCodings times in all. So
// is a body of text whose header declares no coding.
func (w *walker) decodeBody(c *recordReader, body []byte, declared string, kept [2]*decode.Decoding) []byte {
	note := func(text string) {
		if text != "" {
			w.note(w.position(scan.Span{}), scan.CodeUnknownEncoding, text)
		}
	}
	limit := int(min(w.cfg.limit(), 64<<10+1032*int64(len(body))))
	for i := len(c.http.Transfer) - 1; i >= 0; i-- {
		if d := kept[0]; warc.IsChunked(c.http.Transfer[i]) {
			d.Map.Reset()
			text, odd, ok := warc.Unchunk(d.Text[:0], &d.Map, body)
			note(odd)
			d.Text = text
			if ok {
				w.mappings = append(w.mappings, mapping{m: &d.Map})
				body = text
			}
			break // the codings before it in the list were applied first, to the content
		}
	}
	codings := c.http.Content
	for _, name := range c.http.Transfer {
		if warc.IsChunked(name) {
			break
		}
		codings = append(codings, name)
	}
	stored := len(body)
	d := kept[1]
	layers := 0
	for i := len(codings) - 1; i >= 0; i-- {
		if layers == maxCodings {
			note(tooManyCodings)
			body = nil
			break
		}
		into := d.Text[:0]
		if layers > 0 { // body is in that memory
			into = nil
		}
		text, odd, ok := c.decoder.Decode(into, body, codings[i], limit)
		note(odd)
		if !ok {
			continue
		}
		layers++
		d.Text, body = text, text
	}
	if w.cfg.decodesAgain(declared, c.record.Target, layers) {
		before := layers
		body, layers = w.decodeAgain(c, body, layers, limit)
		if layers > before {
			d.Text = body
		}
	}
	if layers > 0 {
		d.Map.Reset()
		d.Map.Add(len(body), 0, max(len(body), 1), stored)
		w.mappings = append(w.mappings, mapping{m: &d.Map, packed: body})
	}
	return body
}

// decodeAgain undoes the codings that body has by its first bytes. layers is how many have been undone.
func (w *walker) decodeAgain(c *recordReader, body []byte, layers, limit int) ([]byte, int) {
	for {
		coding := codingOf(body)
		if coding == "" {
			return body, layers
		}
		if layers == maxCodings {
			w.note(w.position(scan.Span{}), scan.CodeUnknownEncoding, tooManyCodings)
			return nil, layers
		}
		text, odd, ok := c.decoder.Decode(nil, body, []byte(coding), limit)
		if odd != "" {
			w.note(w.position(scan.Span{}), scan.CodeUnknownEncoding, odd)
		}
		if !ok {
			return body, layers
		}
		layers++
		body = text
	}
}

// codingOf returns the content coding that a body has by its first bytes, "" if these show none.
func codingOf(body []byte) string {
	switch {
	case bytes.HasPrefix(body, []byte("\x1f\x8b\x08")):
		return "gzip"
	case bytes.HasPrefix(body, []byte("\x28\xb5\x2f\xfd")):
		return "zstd"
	}
	return ""
}

// decodesAgain reports whether to decode the body of a record, from which some codings have been undone, if
// it is still gzip or zstd. It does so if the header declares text, or if the body was encoded and is no
// compressed file by its type and name.
func (c *Config) decodesAgain(declared string, target []byte, layers int) bool {
	return mediatype.IsTextual(declared) || layers > 0 && mediatype.IsUnknown(declared) && c.packedType(declared, nameOf(target)) == ""
}

// nameOf returns the name of the file that a URL points to.
func nameOf(target []byte) string {
	name, _, _ := strings.Cut(string(target), "?")
	return path.Base(ascii.UnescapeAll(name))
}

// maxHeadSource limits how many bytes of a body are read to decode its first sniffSize bytes. A block of
// zstd has up to 128 KiB.
const maxHeadSource = 160 << 10

// bodyHead returns the first bytes of the decoded body of a record.
func (r *recordReader) bodyHead(c *Config, declared string, block []byte) []byte {
	body := block[r.http.Body:]
	body = body[:min(len(body), maxHeadSource)]
	transfer := r.http.Transfer
	for i, name := range slices.Backward(transfer) {
		if warc.IsChunked(name) {
			var m scan.Map
			if text, _, ok := warc.Unchunk(nil, &m, body); ok {
				body = text
			}
			transfer = transfer[:i]
			break
		}
	}
	layers := 0
	decode := func(name []byte) bool {
		text, _, ok := r.decoder.Decode(nil, body, name, max(maxHeadSource>>(4*layers), mediatype.HeadSize))
		if ok {
			body = text
			layers++
		}
		return ok
	}
	for _, name := range slices.Backward(slices.Concat(r.http.Content, transfer)) {
		if layers < maxCodings {
			decode(name)
		}
	}
	for layers < maxCodings && c.decodesAgain(declared, r.record.Target, layers) && codingOf(body) != "" && decode([]byte(codingOf(body))) {
	}
	return body
}
