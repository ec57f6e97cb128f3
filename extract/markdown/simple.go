package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/util"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// A simpleScan scans a document that would cost goldmark too much work or memory. It finds
// inline links, definitions, autolinks and HTML, line by line, and ignores blocks except
// fenced code. It holds only its position.
type simpleScan struct {
	src, mask []byte // mask: see Scanner.mask
	item      scan.Item

	at, end int // the rest of the current line
	fresh   bool
	fences  codeFences
}

// simpleMask returns the HTML of s.src from body on.
func (s *Scanner) simpleMask(body int) []byte {
	mask := bytes.Repeat([]byte{' '}, len(s.src))
	x := simpleScan{src: s.src, mask: mask, end: body}
	for x.next() {
	}
	return mask
}

// next finds the next reference and stores it in x.item.
func (x *simpleScan) next() bool {
	for {
		if x.at == x.end && !x.nextLine() {
			return false
		}
		if x.fresh {
			x.fresh = false
			if x.definition() {
				return true
			}
		}
		if x.inline() {
			return true
		}
	}
}

// nextLine goes to the next line outside code.
func (x *simpleScan) nextLine() bool {
	for x.end < len(x.src) {
		x.at, x.end = x.end, ascii.NextLine(x.src, x.end)
		line := x.src[x.at:x.end]
		if x.fences.isCode(line) {
			continue
		}
		if x.mask != nil {
			copy(x.mask[x.at:], line)
		}
		x.fresh = true
		return true
	}
	x.at = x.end
	return false
}

func (x *simpleScan) ref(from, to int, how scan.How, in string, kind scan.Kind) {
	x.item = scan.Item{Kind: kind, How: how, In: in, Span: scan.Span{Start: from, End: to}}
	if x.mask == nil {
		x.item.Value = unescape(x.src[from:to])
	}
}

// definition reads the current line as a definition.
func (x *simpleScan) definition() bool {
	label := bytes.TrimLeft(x.src[x.at:x.end], " >")
	if len(label) == 0 || label[0] != '[' {
		return false
	}
	i := bytes.Index(label[:min(len(label), maxLabel)], []byte("]:"))
	if i <= 1 || label[1] == '^' {
		return false
	}
	rest := bytes.TrimLeft(label[i+2:], " \t")
	from, to := destination(x.src[:x.end], x.end-len(rest))
	if to == from {
		return false
	}
	x.ref(from, to, scan.Reference, "definition", scan.Definition)
	x.at = x.end
	return true
}

// inline finds the next reference in the rest of the line.
func (x *simpleScan) inline() bool {
	end := x.end
	src := x.src[:end]
	for i := x.at; i < end; i++ {
		switch c := src[i]; {
		case c == '\\':
			i++
		case c == '`':
			i = x.code(i)
		case c == ']' && i+1 < end && src[i+1] == '(':
			from := i + 2
			for from < end && (src[from] == ' ' || src[from] == '\t') {
				from++
			}
			if from, to := destination(src, from); to > from && closes(src[to:]) {
				x.ref(from, to, scan.Inline, "link", scan.Link)
				x.at = to
				return true
			}
		case c == '<':
			if n := bytes.IndexAny(src[i+1:end], "<> \t\r\n"); n > 0 && src[i+1+n] == '>' && bytes.Contains(src[i+1:i+1+n], []byte("://")) {
				x.ref(i+1, i+1+n, scan.Autolink, "autolink", scan.Link)
				x.at = i + 1 + n
				return true
			}
		}
	}
	x.at = end
	return false
}

// maxCode is the maximum distance in bytes at which to look for the end of code.
const maxCode = 64 << 10

// code returns the last byte of the code that begins at i, or of its marks if it does not end
// in its line.
func (x *simpleScan) code(i int) int {
	run := i
	for run < x.end && x.src[run] == '`' {
		run++
	}
	n := bytes.Index(x.src[run:min(x.end, run+maxCode)], x.src[i:run])
	if n < 0 {
		return run - 1
	}
	if x.mask != nil {
		for k := i; k < run+n; k++ {
			x.mask[k] = ' '
		}
	}
	return run + n + (run - i) - 1
}

// codeFences finds the lines of fenced code (CommonMark 4.5) where a document is read line by line. Unlike
// in goldmark, containers do not end the code in them: an unclosed fence in a quotation or an item
// continues after it.
type codeFences struct {
	open []byte // the fence that began the code, or nil
}

// isCode reports whether the next line is within fenced code, or begins or ends it.
func (f *codeFences) isCode(line []byte) bool {
	line = bytes.TrimLeft(line, " \t>")
	if f.open != nil {
		mark := fenceOf(line)
		if bytes.HasPrefix(mark, f.open) && util.IsBlank(line[len(mark):]) {
			f.open = nil
		}
		return true
	}
	for n := listMark(line); n > 0; n = listMark(line) {
		line = bytes.TrimLeft(line[n:], " \t>")
	}
	if mark := fenceOf(line); opensFence(mark, line) {
		f.open = mark
	}
	return f.open != nil
}

// opensFence reports whether line, which begins with mark, begins fenced code. Behind "`", there is no
// other in the line.
func opensFence(mark, line []byte) bool {
	return mark != nil && (mark[0] != '`' || bytes.IndexByte(line[len(mark):], '`') < 0)
}

// listMark returns the length of the mark of a list item at the start of a line (CommonMark 5.2), with the
// space after it, or 0.
func listMark(line []byte) int {
	const longest = 9 // digits
	n := runOf(line, ascii.IsDigit)
	if n > longest || n >= len(line)-1 || line[n+1] != ' ' && line[n+1] != '\t' {
		return 0
	}
	marks := "-*+"
	if n > 0 {
		marks = ".)"
	}
	if strings.IndexByte(marks, line[n]) < 0 {
		return 0
	}
	return n + 2
}

// fenceOf returns the fence that opens or closes a block of code.
func fenceOf(s []byte) []byte {
	for _, c := range []byte("`~") {
		n := 0
		for n < len(s) && s[n] == c {
			n++
		}
		if n >= 3 {
			return s[:n]
		}
	}
	return nil
}

// destination returns the range of the destination at src[at], if there is one (CommonMark
// 6.3): in angle brackets, or without white space and with balanced parentheses.
func destination(src []byte, at int) (from, to int) {
	if at < len(src) && src[at] == '<' {
		if n := bytes.IndexAny(src[at+1:], "<>\r\n"); n >= 0 && src[at+1+n] == '>' {
			return at + 1, at + 1 + n
		}
		return at, at
	}
	depth := 0
	for i := at; i < len(src); i++ {
		switch c := src[i]; {
		case c == '\\' && i+1 < len(src):
			i++
		case c <= ' ' && depth > 0:
			return at, at
		case c <= ' ':
			return at, i
		case c == '(':
			if depth++; depth > 32 {
				return at, at
			}
		case c == ')':
			if depth--; depth < 0 {
				return at, i
			}
		}
	}
	if depth > 0 {
		return at, at
	}
	return at, len(src)
}

// closes reports whether s, which follows a destination, can be the rest of a link.
func closes(s []byte) bool {
	s = bytes.TrimLeft(bytes.TrimPrefix(s, []byte(">")), " \t")
	return len(s) > 0 && bytes.IndexByte([]byte(")\"'("), s[0]) >= 0
}
