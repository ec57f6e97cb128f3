package lsp

import (
	"bytes"
	"html"
	"strings"

	"example.org/refract/internal/audit/doc"

	"example.org/refract/extract"
	"example.org/refract/extract/scan"
)

// A destination is a reference that is being written. It may be incomplete, and so may the
// construct that contains it.
type destination struct {
	scan.Unfinished

	before   string // the part of the reference before the name or fragment, with quoting undone
	isAnchor bool   // a fragment is being written, not a name in the path

	start, end int  // range in the text of the name or fragment written so far
	hasSlash   bool // a "/" follows
}

// destinationAt returns the reference that is being written at an offset of text. The file has the
// given name, and is read as cfg says. Only the line at the offset matters.
func destinationAt(cfg extract.Config, name string, text []byte, offset int) (d destination, ok bool) {
	f := cfg.FormatOfName(name)
	if f == nil || f.Unfinished == nil {
		return d, false
	}
	start := bytes.LastIndexAny(text[:offset], "\r\n") + 1
	line, rest := text[start:offset], text[offset:]
	if i := bytes.IndexAny(rest, "\r\n"); i >= 0 {
		rest = rest[:i]
	}
	d.Unfinished, ok = f.Unfinished(line)
	if !ok {
		return d, false
	}
	written := line[d.Start:]
	rest = rest[:d.length(rest)]
	if i := fragment(written); i >= 0 {
		d.isAnchor = true
		d.before = d.unquoted(written[:i])
		d.start, d.end = start+d.Start+i+1, offset+len(rest)
		return d, true
	}
	if bytes.IndexByte(written, '?') >= 0 {
		return d, false
	}
	i := bytes.LastIndexByte(written, '/') + 1
	d.before = d.unquoted(written[:i])
	if i := bytes.IndexAny(rest, "/?#"); i >= 0 {
		d.hasSlash = rest[i] == '/'
		rest = rest[:i]
	}
	d.start, d.end = start+d.Start+i, offset+len(rest)
	return d, true
}

// unquoted undoes the quoting of a part of the reference.
func (d *destination) unquoted(written []byte) string {
	s := string(written)
	if d.How == scan.Inline || d.How == scan.Reference {
		s = withoutBackslashes(s)
	}
	return html.UnescapeString(s)
}

// accepts reports whether the reference may point to the file called name.
func (d *destination) accepts(name string) bool {
	switch d.Kind {
	case scan.Link:
		return doc.IsDocument(name)
	case scan.Embed:
		return doc.IsPicture(name)
	case scan.Definition:
		return doc.IsDocument(name) || doc.IsPicture(name)
	}
	return true
}

// fragment returns the offset of the "#" of a reference, which must not be part of "&#35;".
func fragment(ref []byte) int {
	for i, c := range ref {
		if c == '#' && (i == 0 || ref[i-1] != '&') {
			return i
		}
	}
	return -1
}

// length returns how many bytes of rest, the text behind the cursor, belong to the reference. If
// nothing closes the reference yet, it ends before the first byte that no reference contains.
func (d *destination) length(rest []byte) int {
	if d.Quote != 0 {
		if i := bytes.IndexByte(rest, d.Quote); i >= 0 && !bytes.ContainsAny(rest[:i], "<>\"'=") {
			return i
		}
	}
	if i := bytes.IndexAny(rest, " \t\"'<>)"); i >= 0 {
		return i
	}
	return len(rest)
}

// withoutBackslashes undoes Markdown escapes.
func withoutBackslashes(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", s[i+1]) >= 0 {
			i++
		}
		b = append(b, s[i])
	}
	return string(b)
}

// quoted returns a name or fragment in the spelling needed at d. It uses URL escapes, because these
// mean the same in every host format.
func (d *destination) quoted(ref string) string {
	ref = strings.ReplaceAll(ref, "&", "%26") // prevents entities
	if d.Quote == '\'' {
		ref = strings.ReplaceAll(ref, "'", "%27")
	}
	return ref
}
