package quote

import (
	"bytes"
	"slices"
	"strings"

	"example.org/refract/extract/scan"
)

// lastUnfinished returns the result of the finders that begins last.
func lastUnfinished(line []byte, finders ...func([]byte) (scan.Unfinished, bool)) (u scan.Unfinished, ok bool) {
	for _, find := range finders {
		if v, found := find(line); found && (!ok || v.Start > u.Start) {
			u, ok = v, true
		}
	}
	return u, ok
}

// UnfinishedMarkdown is the Unfinished of Markdown.
func UnfinishedMarkdown(line []byte) (scan.Unfinished, bool) {
	return lastUnfinished(line, unfinishedInline, unfinishedDefinition, unfinishedAttribute)
}

// UnfinishedHTML is the Unfinished of HTML.
func UnfinishedHTML(line []byte) (scan.Unfinished, bool) {
	return lastUnfinished(line, unfinishedAttribute, UnfinishedCSS)
}

// unfinishedInline finds "[text](destination", "[text](<destination" and the same for an image.
func unfinishedInline(line []byte) (u scan.Unfinished, ok bool) {
	i := bytes.LastIndex(line, []byte("]("))
	if i < 0 {
		return u, false
	}
	u.How, u.Kind = scan.Inline, scan.Link
	if open := openingBracket(line[:i]); open > 0 && line[open-1] == '!' {
		u.Kind = scan.Embed
	}
	return markdownDestination(line, i+2, u)
}

// openingBracket returns the offset of the bracket that matches a closing one after s, or -1.
func openingBracket(s []byte) int {
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

// unfinishedDefinition finds "[label]: destination".
func unfinishedDefinition(line []byte) (u scan.Unfinished, ok bool) {
	rest := bytes.TrimLeft(line, " \t>")
	if !bytes.HasPrefix(rest, []byte("[")) || bytes.HasPrefix(rest, []byte("[^")) {
		return u, false
	}
	i := bytes.Index(rest, []byte("]:"))
	if i < 0 {
		return u, false
	}
	u.How, u.Kind = scan.Reference, scan.Definition
	return markdownDestination(line, len(line)-len(rest)+i+2, u)
}

// markdownDestination returns u with the destination that begins at an offset of line, if the
// destination reaches the end of line.
func markdownDestination(line []byte, at int, u scan.Unfinished) (scan.Unfinished, bool) {
	at += len(line[at:]) - len(bytes.TrimLeft(line[at:], " \t"))
	if at < len(line) && line[at] == '<' {
		u.Quote = '>'
		at++
	}
	depth := 0
	for i := at; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\':
			i++
		case u.Quote != 0:
			if c == '<' || c == '>' {
				return u, false
			}
		case c == ' ' || c == '\t' || c == '<':
			return u, false
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth < 0 {
				return u, false
			}
		}
	}
	u.Start = at
	return u, true
}

// urlAttributes are the attributes that hold one reference.
var urlAttributes = []string{"href", "src", "xlink:href", "poster", "cite", "to"}

// unfinishedAttribute finds `href="destination`.
func unfinishedAttribute(line []byte) (u scan.Unfinished, ok bool) {
	for _, quote := range []byte(`"'`) {
		i := bytes.LastIndexByte(line, quote)
		if i < 0 || ok && i < u.Start {
			continue
		}
		front, assigned := bytes.CutSuffix(bytes.TrimRight(line[:i], " \t"), []byte("="))
		front = bytes.TrimRight(front, " \t")
		tag := bytes.LastIndexAny(front, " \t<\"'{/")
		name := strings.ToLower(string(front[tag+1:]))
		if !assigned || !slices.Contains(urlAttributes, name) {
			continue
		}
		u, ok = scan.Unfinished{Start: i + 1, How: scan.Attribute, Quote: quote, Kind: scan.Text}, true
		element := front[bytes.LastIndexByte(front, '<')+1:]
		if i := bytes.IndexAny(element, " \t"); i >= 0 {
			element = element[:i]
		}
		switch strings.ToLower(string(element)) {
		case "a", "area":
			u.Kind = scan.Link
		case "img", "image", "input", "source", "feimage":
			u.Kind = scan.Embed
		}
	}
	return u, ok
}

// UnfinishedCSS finds "url(destination".
func UnfinishedCSS(line []byte) (u scan.Unfinished, ok bool) {
	i := bytes.LastIndex(line, []byte("url("))
	if i < 0 {
		return u, false
	}
	u.How, u.Kind = scan.CSS, scan.Text
	u.Start = i + len("url(")
	u.Start += len(line[u.Start:]) - len(bytes.TrimLeft(line[u.Start:], " \t"))
	closers := " \t)\"'"
	if u.Start < len(line) && (line[u.Start] == '"' || line[u.Start] == '\'') {
		u.Quote = line[u.Start]
		closers = string(u.Quote)
		u.Start++
	}
	return u, !bytes.ContainsAny(line[u.Start:], closers)
}
