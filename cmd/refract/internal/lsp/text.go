package lsp

import (
	"bytes"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"example.org/refract/internal/slash"
)

// A text knows where its lines begin. Lines end in "\n", "\r\n" or "\r", as the protocol defines.
type text struct {
	bytes  []byte
	starts []int
	utf8   bool // columns count bytes, otherwise UTF-16 code units

	at   int // the byte that was asked for last, and
	last position
}

func newText(b []byte, utf8 bool) *text {
	t := &text{bytes: b, starts: []int{0}, utf8: utf8}
	for i := 0; ; i++ {
		n := bytes.IndexAny(b[i:], "\r\n")
		if n < 0 {
			return t
		}
		i += n
		if b[i] == '\r' && i+1 < len(b) && b[i+1] == '\n' {
			i++
		}
		t.starts = append(t.starts, i+1)
	}
}

// line returns the start and end of a line, without its line break.
func (t *text) line(n int) (start, end int) {
	start, end = t.starts[n], len(t.bytes)
	if n+1 < len(t.starts) {
		end = t.starts[n+1]
	}
	line := bytes.TrimSuffix(t.bytes[start:end], []byte{'\n'})
	return start, start + len(bytes.TrimSuffix(line, []byte{'\r'}))
}

// position returns the position of a byte offset. An offset beyond the end counts as the end, one
// within a character as the character's start, and one within a line break as the end of the line.
// A sequence of calls from left to right takes time linear in the length of the line.
func (t *text) position(offset int) position {
	offset = max(0, min(offset, len(t.bytes)))
	n, exact := slices.BinarySearch(t.starts, offset)
	if !exact {
		n--
	}
	start, end := t.line(n)
	p, i := position{Line: n}, start
	if t.last.Line == n && t.at <= offset {
		p, i = t.last, t.at
	}
	for i < min(offset, end) {
		size, units := t.letter(i)
		if i+size > offset {
			break
		}
		i += size
		p.Character += units
	}
	t.at, t.last = i, p
	return p
}

// offset returns the byte offset of a position. A position beyond the end of a line counts as its
// end, and one within a character as the character's start.
func (t *text) offset(p position) int {
	if p.Line < 0 {
		return 0
	}
	if p.Line >= len(t.starts) {
		return len(t.bytes)
	}
	start, end := t.line(p.Line)
	for character := 0; start < end; {
		size, units := t.letter(start)
		if character += units; character > p.Character {
			break
		}
		start += size
	}
	return start
}

// letter returns the number of bytes and of units of the character at an offset. A byte that is not
// UTF-8 counts as one character, which editors show as U+FFFD.
func (t *text) letter(at int) (size, units int) {
	r, size := utf8.DecodeRune(t.bytes[at:])
	switch {
	case t.utf8:
		return size, size
	case r > 0xffff:
		return size, 2
	}
	return size, 1
}

// changed returns b after the change.
func (c *change) changed(b []byte, utf8 bool) []byte {
	if c.Range == nil {
		return []byte(c.Text)
	}
	t := newText(b, utf8)
	start := t.offset(c.Range.Start)
	end := max(start, t.offset(c.Range.End))
	made := make([]byte, 0, start+len(c.Text)+len(b)-end)
	return append(append(append(made, b[:start]...), c.Text...), b[end:]...)
}

// pathOf returns the absolute path of a file: URI, with forward slashes. ok is false for other
// URIs.
func pathOf(uri string, s slash.System) (p string, ok bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || !strings.HasPrefix(u.Path, "/") || strings.IndexByte(u.Path, 0) >= 0 {
		return "", false
	}
	p = path.Clean(u.Path)
	switch {
	case u.Host != "" && u.Host != "localhost":
		return slash.Windows.OfURL(u.Host, p), s == slash.Windows
	case s == slash.Windows && len(p) > 2 && p[2] == ':': // "/c:/x": editors differ in the case of the letter
		return strings.ToUpper(p[1:2]) + p[2:], true
	}
	return p, true
}

// before reports whether p comes before q.
func (p position) before(q position) bool {
	return p.Line < q.Line || p.Line == q.Line && p.Character < q.Character
}
