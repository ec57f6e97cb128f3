package lsp

import (
	"bytes"
	"html"
	"path"
	"slices"
	"strings"

	"example.org/refract/audit"
)

// A destination is where a reference is being written: it need not be complete, nor what
// it stands in.
type destination struct {
	before string // of the reference, what is in front of the name or fragment, quoting undone
	anchor bool   // a fragment is being written, otherwise a name of its path

	start, end int  // in the text: the name or fragment, as far as it is written
	slash      bool // "/" follows it

	quote byte // that ends it; 0 is white space or a bracket
	wants func(name string) bool
}

// destinationAt returns what is being written at an offset of text, which is in a file of
// a name. Only its line is looked at.
func destinationAt(name string, text []byte, offset int) (d destination, ok bool) {
	start := bytes.LastIndexAny(text[:offset], "\r\n") + 1
	line, behind := text[start:offset], text[offset:]
	if i := bytes.IndexAny(behind, "\r\n"); i >= 0 {
		behind = behind[:i]
	}
	at := -1 // in line, of the first byte of the reference
	markdown := false
	switch ext := strings.ToLower(path.Ext(name)); ext {
	case ".md", ".markdown", ".mdx":
		for _, find := range []func([]byte) (int, destination){inline, definition} {
			if i, found := find(line); i > at {
				at, d, markdown = i, found, true
			}
		}
		if i, found := attribute(line); i > at {
			at, d, markdown = i, found, false
		}
	case ".html", ".htm", ".xhtml", ".svg":
		for _, find := range []func([]byte) (int, destination){attribute, function} {
			if i, found := find(line); i > at {
				at, d = i, found
			}
		}
	case ".css":
		at, d = function(line)
	}
	if at < 0 {
		return d, false
	}
	written := line[at:]
	undone := func(b []byte) string {
		s := string(b)
		if markdown {
			s = withoutBackslashes(s)
		}
		return html.UnescapeString(s)
	}
	behind = behind[:d.rest(behind)]
	if i := fragment(written); i >= 0 {
		d.anchor = true
		d.before = undone(written[:i])
		d.start, d.end = start+at+i+1, offset+len(behind)
		return d, true
	}
	if bytes.IndexByte(written, '?') >= 0 {
		return d, false
	}
	i := bytes.LastIndexByte(written, '/') + 1
	d.before = undone(written[:i])
	if i := bytes.IndexAny(behind, "/?#"); i >= 0 {
		d.slash = behind[i] == '/'
		behind = behind[:i]
	}
	d.start, d.end = start+at+i, offset+len(behind)
	return d, true
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

// rest returns how many bytes of what is behind the cursor belong to the reference. Where
// nothing closes it yet, that is up to what no reference holds.
func (d *destination) rest(behind []byte) int {
	if d.quote != 0 {
		if i := bytes.IndexByte(behind, d.quote); i >= 0 && !bytes.ContainsAny(behind[:i], "<>\"'=") {
			return i
		}
	}
	if i := bytes.IndexAny(behind, " \t\"'<>)"); i >= 0 {
		return i
	}
	return len(behind)
}

func anything(string) bool { return true }

func documentOrPicture(name string) bool { return audit.IsDocument(name) || audit.IsPicture(name) }

// inline finds "[text](destination", "[text](<destination" and the same of a picture, which
// the line ends in.
func inline(line []byte) (at int, d destination) {
	i := bytes.LastIndex(line, []byte("]("))
	if i < 0 {
		return -1, d
	}
	d.wants = audit.IsDocument
	if opener := opening(line[:i]); opener > 0 && line[opener-1] == '!' {
		d.wants = audit.IsPicture
	}
	return pointed(line, i+2, d)
}

// opening returns the offset of the bracket that belongs to one behind s, or -1.
func opening(s []byte) int {
	depth := 1
	for i := len(s) - 1; i >= 0; i-- {
		switch s[i] {
		case ']':
			depth++
		case '[':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// definition finds "[label]: destination", which the line ends in.
func definition(line []byte) (at int, d destination) {
	rest := bytes.TrimLeft(line, " \t>")
	if !bytes.HasPrefix(rest, []byte("[")) || bytes.HasPrefix(rest, []byte("[^")) {
		return -1, d
	}
	i := bytes.Index(rest, []byte("]:"))
	if i < 0 {
		return -1, d
	}
	d.wants = documentOrPicture
	return pointed(line, len(line)-len(rest)+i+2, d)
}

// pointed returns d with the destination of Markdown that begins at an offset of line, if
// it is not yet over at the end.
func pointed(line []byte, at int, d destination) (int, destination) {
	at += len(line[at:]) - len(bytes.TrimLeft(line[at:], " \t"))
	if at < len(line) && line[at] == '<' {
		d.quote = '>'
		at++
	}
	depth := 0
	for i := at; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\':
			i++
		case d.quote != 0:
			if c == '<' || c == '>' {
				return -1, d
			}
		case c == ' ' || c == '\t' || c == '<':
			return -1, d
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth < 0 {
				return -1, d
			}
		}
	}
	return at, d
}

// attributes that hold one reference.
var attributes = []string{"href", "src", "xlink:href", "poster", "cite", "to"}

// attribute finds `href="destination`, which the line ends in.
func attribute(line []byte) (at int, d destination) {
	at = -1
	for _, quote := range []byte(`"'`) {
		i := bytes.LastIndexByte(line, quote)
		if i < 0 || i < at {
			continue
		}
		front, ok := bytes.CutSuffix(bytes.TrimRight(line[:i], " \t"), []byte("="))
		front = bytes.TrimRight(front, " \t")
		tag := bytes.LastIndexAny(front, " \t<\"'{/")
		name := strings.ToLower(string(front[tag+1:]))
		if !ok || !slices.Contains(attributes, name) {
			continue
		}
		at, d.quote, d.wants = i+1, quote, anything
		element := front[bytes.LastIndexByte(front, '<')+1:]
		if i := bytes.IndexAny(element, " \t"); i >= 0 {
			element = element[:i]
		}
		switch strings.ToLower(string(element)) {
		case "a", "area":
			d.wants = audit.IsDocument
		case "img", "image", "input", "source", "feimage":
			d.wants = audit.IsPicture
		}
	}
	return at, d
}

// function finds "url(destination" of CSS, which the line ends in.
func function(line []byte) (at int, d destination) {
	i := bytes.LastIndex(line, []byte("url("))
	if i < 0 {
		return -1, d
	}
	at = i + len("url(")
	at += len(line[at:]) - len(bytes.TrimLeft(line[at:], " \t"))
	closers := " \t)\"'"
	if at < len(line) && (line[at] == '"' || line[at] == '\'') {
		d.quote = line[at]
		closers = string(d.quote)
		at++
	}
	if bytes.ContainsAny(line[at:], closers) {
		return -1, d
	}
	d.wants = anything
	return at, d
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
	if d.quote == '\'' {
		ref = strings.ReplaceAll(ref, "'", "%27")
	}
	return ref
}
