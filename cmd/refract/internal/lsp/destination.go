package lsp

import (
	"bytes"
	"html"
	"strings"

	"example.org/refract/audit"
	"example.org/refract/extract"
	"example.org/refract/extract/scan"
)

// A destination is where a reference is being written: it need not be complete, nor what
// it stands in.
type destination struct {
	extract.Unfinished

	before   string // of the reference, what is in front of the name or fragment, quoting undone
	isAnchor bool   // a fragment is being written, otherwise a name of its path

	start, end int  // in the text: the name or fragment, as far as it is written
	hasSlash   bool // "/" follows it
}

// destinationAt returns what is being written at an offset of text, which is in a file of
// a name that is read as cfg says. Only its line is looked at.
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

// unquoted undoes the quoting of what is written of the reference.
func (d *destination) unquoted(written []byte) string {
	s := string(written)
	if d.How == scan.Inline || d.How == scan.Reference {
		s = withoutBackslashes(s)
	}
	return html.UnescapeString(s)
}

// accepts reports whether a file may be what the reference leads to.
func (d *destination) accepts(name string) bool {
	switch d.Kind {
	case scan.Link:
		return audit.IsDocument(name)
	case scan.Embed:
		return audit.IsPicture(name)
	case scan.Definition:
		return audit.IsDocument(name) || audit.IsPicture(name)
	}
	return true
}

// fragment returns the offset of the "#" of a reference, which is not that of "&#35;".
func fragment(ref []byte) int {
	for i, c := range ref {
		if c == '#' && (i == 0 || ref[i-1] != '&') {
			return i
		}
	}
	return -1
}

// length returns how many bytes of what follows the cursor belong to the reference. Where
// nothing closes it yet, that is up to what no reference holds.
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

// withoutBackslashes undoes the escapes of Markdown.
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

// quoted returns a name or fragment as it is written at d. Its escapes are those of a URL:
// they mean the same in each host.
func (d *destination) quoted(ref string) string {
	ref = strings.ReplaceAll(ref, "&", "%26") // no entity
	if d.Quote == '\'' {
		ref = strings.ReplaceAll(ref, "'", "%27")
	}
	return ref
}
