package doc

import (
	"bytes"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/site"
	"example.org/refract/resolve"
)

// WrittenIn returns a use with how ref is written.
func (d *Document) WrittenIn(u site.Use, ref *Reference) site.Use {
	if ref.How == scan.Inline || ref.How == scan.Reference {
		start := int(ref.Pos.Offset)
		u.Markup = site.Markup{File: d, Start: start, End: start + ref.Pos.Length, IsInline: ref.How == scan.Inline}
	}
	return u
}

// Shows reports whether the text of a link shows its destination. A tutorial tells its readers to open
// http://localhost:8000 on their own computer, and the text shows them where the link points.
func (d *Document) Shows(ref *Reference, c *resolve.Components) bool {
	if ref.How == scan.Autolink {
		return true
	}
	const longest = 1000
	what := string(c.Authority)
	if what == "" {
		what = string(c.Path)
	}
	if ref.Kind == scan.Embed || what == "" {
		return false
	}
	source := d.Source()
	at, end := int(ref.Pos.Offset), int(ref.Pos.Offset)+ref.Pos.Length
	if at > len(source) || end > len(source) { // the file has changed
		return false
	}
	if ref.How == scan.Attribute {
		rest := source[end:min(len(source), end+longest)]
		_, rest, _ = bytes.Cut(rest, []byte(">"))
		text, _, closed := bytes.Cut(rest, []byte("</a"))
		return closed && bytes.Contains(text, []byte(what))
	}
	front := bytes.TrimRight(source[max(0, at-longest):at], " \t\r\n<(:")
	if !bytes.HasSuffix(front, []byte("]")) {
		return false
	}
	depth := 0
	for i := len(front) - 1; i >= 0; i-- {
		switch front[i] {
		case ']':
			depth++
		case '[':
			if depth--; depth == 0 {
				return bytes.Contains(front[i:], []byte(what))
			}
		}
	}
	return false
}
