package extract

import (
	"example.org/refract/extract/internal/archivedpage"
	"example.org/refract/extract/internal/decode"
	"example.org/refract/extract/internal/robots"
	"example.org/refract/extract/scan"
)

// A document is an entity that is held whole, for the scanner of its format.
type document struct {
	format *Format
	query  string // its charset, in which its queries are encoded
}

// setDocument makes b hold a whole document, as it was read, in the charset with this label.
func (c *Config) setDocument(b *Batch, f *Format, src []byte, label string) {
	c.setCallbacks(b)
	b.atEOF = true
	d := &document{format: f}
	b.content, b.buf = d, src
	if !f.Multipart {
		d.query = c.pageCharset(src, b.entity.Type, label)
		b.buf, b.maps = decode.Page(src, d.query)
		if c.Charsets {
			b.entity.Charset = charsetName(d.query)
		}
		if c.Robots && hasRobots(f) {
			b.entity.Robots = Robots(robots.OfPage(b.buf))
		}
	}
	b.end = len(b.buf)
	if (c.Messages || c.Cite) && b.entity.Type == htmlType {
		b.entity.Message = pageMessage(b.buf[:b.end], c)
	}
}

func (d *document) walk(w *walker) {
	b := w.Batch
	w.entity(scan.Span{End: len(b.buf)}, func() bool { return d.scan(w) })
}

func (d *document) scan(w *walker) bool {
	b, f := w.Batch, d.format
	switch {
	case !f.Multipart:
		if m := b.entity.Message; m != nil && w.Message != nil {
			w.calling = true
			w.Message(m)
			w.calling = false
		}
		w.setQueryCharset(f, d.query)
		return w.document(f, b.buf[:b.end], Context{Type: b.entity.Type})
	case f.Trim != nil:
		return w.message(f, f.Trim(b.buf), false)
	}
	return w.message(f, scan.Span{End: len(b.buf)}, false)
}

func (d *document) cuts() []cut { return nil }

// pageMessage returns the message that an HTML page shows, as far as its comments say so, or nil.
func pageMessage(page []byte, c *Config) *scan.Message {
	header := archivedpage.Header(page)
	if header == nil {
		return nil
	}
	for it := range scanMessage(header, c, Context{}) {
		if it.Op == scan.Enter && it.Extra().Message != nil {
			m := *it.Extra().Message
			return &m
		}
	}
	return nil
}
