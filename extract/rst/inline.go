package rst

import (
	"bytes"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// failures is the set of kinds of markup without an end-string in the current text: after another
// start-string of such a kind, no search is needed.
type failures uint8

const (
	noStrong failures = 1 << iota
	noEmphasis
	noLiteral
	noTick
	noBar
	noTarget
)

// inline reads the text of a block, a range of p.src: its markup, and the URLs between markup.
func (p *parser) inline(from, to int) {
	text := p.src[from:to]
	p.failed = 0
	first := p.found.n
	for i := 0; i < len(text); {
		if classes[text[i]]&mayBeMarkup == 0 {
			i++
			continue
		}
		start, end := p.markup(from, text, i)
		if end == 0 {
			i++
			if text[i-1] == '\\' {
				i++
			}
			continue
		}
		p.standalone(from, text, start)
		from, text, i = from+end, text[end:], 0 // what follows is as at the start of a text
	}
	p.standalone(from, text, len(text))
	p.found.sort(first) // URLs before markup are found after it
}

// markup reads the markup whose mark is at i, and returns its start and end, or 0, 0 if there is none. A start-string that nothing
// ends is markup without content: docutils reports it, and reads on after it.
func (p *parser) markup(from int, text []byte, i int) (start, end int) {
	switch text[i] {
	case '*':
		return p.emphasis(text, i)
	case '`':
		return p.ticks(from, text, i)
	case '|':
		return p.bars(from, text, i)
	case '_':
		return p.underscore(from, text, i)
	case '[':
		return p.footnoteUse(from, text, i)
	}
	return 0, 0
}

// begins reports whether a start-string of n bytes is at i.
func begins(text []byte, i, n int) bool {
	return i+n < len(text) && !ascii.IsAnySpace(text[i+n]) && startsAfter(text, i) && !isQuoted(text, i, n)
}

// closing returns the start of the end-string that closes the markup at i, or -1. An end-string follows no
// white space and, if it can be escaped, no backslash.
func closing(text []byte, i int, mark string, escapes bool) int {
	for k := i; ; k++ {
		n := bytes.Index(text[k:], []byte(mark))
		if n < 0 {
			return -1
		}
		k += n
		if k > i && !ascii.IsAnySpace(text[k-1]) && (!escapes || !isEscaped(text[i:], k-i)) && endsBefore(text, k+len(mark)) {
			return k
		}
	}
}

// emphasis skips *text* and **text**, which contain no markup.
func (p *parser) emphasis(text []byte, i int) (start, end int) {
	mark, fail := "*", noEmphasis
	if i+1 < len(text) && text[i+1] == '*' {
		mark, fail = "**", noStrong
	}
	return p.span(text, i, mark, fail, true)
}

// span returns the start and end of the markup that begins with a mark at i, or of the mark if nothing ends it; 0, 0 if none
// begins there. Markup that begins with _` ends with `.
func (p *parser) span(text []byte, i int, mark string, fail failures, escapes bool) (start, end int) {
	if !begins(text, i, len(mark)) {
		return 0, 0
	}
	if p.failed&fail != 0 {
		return i, i + len(mark)
	}
	last := strings.TrimPrefix(mark, "_")
	k := closing(text, i+len(mark), last, escapes)
	if k < 0 {
		p.failed |= fail
		return i, i + len(mark)
	}
	return i, k + len(last)
}

// bars reads |name|, |name|_ and |name|__.
func (p *parser) bars(from int, text []byte, i int) (start, end int) {
	if !begins(text, i, 1) {
		return 0, 0
	}
	for k := i + 1; k < len(text) && p.failed&noBar == 0; k++ {
		n := bytes.IndexByte(text[k:], '|')
		if n < 0 {
			break
		}
		k += n
		if k == i+1 || ascii.IsAnySpace(text[k-1]) || isEscaped(text[i+1:], k-i-1) {
			continue
		}
		marks := underscores(text, k+1)
		for marks > 0 && !endsBefore(text, k+1+marks) {
			marks--
		}
		if !endsBefore(text, k+1+marks) {
			continue
		}
		if p.foreign == 0 { // it may be code
			p.names.use(nameOf(text[i:k+1]), p.spanOf(from+i, from+k+1), ofSubstitution)
		}
		p.reference(marks, from+i+1, from+k)
		return i, k + 1 + marks
	}
	p.failed |= noBar
	return i, i + 1
}

// underscores returns the number of "_" at i, up to 2.
func underscores(text []byte, i int) (n int) {
	for n < 2 && i+n < len(text) && text[i+n] == '_' {
		n++
	}
	return n
}

// reference adds the use of a name at a range of p.src, if marks is 1, or of the next anonymous target,
// if marks is 2.
func (p *parser) reference(marks, from, to int) {
	switch marks {
	case 1:
		p.useName(from, to, ofTarget)
	case 2:
		p.names.anonymous++
	}
}

// underscore reads word_, word__ and _`inline target`.
func (p *parser) underscore(from int, text []byte, i int) (start, end int) {
	if i+1 < len(text) && text[i+1] == '`' {
		if _, end = p.span(text, i, "_`", noTarget, true); end > i+2 {
			p.names.define(nameOf(text[i+2 : end-1]))
			p.anchors(from+i+2, from+end-1, "inline-target")
		}
		if end > 0 {
			return i, end
		}
	}
	marks := underscores(text, i)
	if !endsBefore(text, i+marks) {
		return 0, 0
	}
	start = nameBefore(text[:i], i)
	if start == i || !startsAfter(text, start) {
		return 0, 0
	}
	p.reference(marks, from+start, from+i)
	return start, i + marks
}

// footnoteUse reads [1]_, [#name]_, [*]_ and [Citation]_.
func (p *parser) footnoteUse(from int, text []byte, i int) (start, end int) {
	if i+1 >= len(text) || !startsAfter(text, i) {
		return 0, 0
	}
	k := i + 1
	if text[k] == '*' || text[k] == '#' {
		k++
	}
	if text[i+1] != '*' {
		k = nameAfter(text, k)
	}
	if k == i+1 || !bytes.HasPrefix(text[k:], []byte("]_")) || !endsBefore(text, k+2) {
		return 0, 0
	}
	if label := bytes.TrimLeft(text[i+1:k], "#*"); len(label) > 0 {
		of := ofCitation
		if text[i+1] == '#' || ascii.IsDigit(text[i+1]) {
			of = ofFootnote
		}
		p.useName(from+k-len(label), from+k, of)
	}
	return i, k + 2
}

// ticks reads markup that begins with a backquote: “literal“, `phrase`_, `text <target>`_ and interpreted
// text, before or after which its role may stand.
func (p *parser) ticks(from int, text []byte, i int) (start, end int) {
	if i+1 < len(text) && text[i+1] == '`' {
		return p.span(text, i, "``", noLiteral, false)
	}
	start = roleBefore(text, i)
	if i+1 >= len(text) || ascii.IsAnySpace(text[i+1]) || !startsAfter(text, start) || isQuoted(text, start, i+1-start) {
		return 0, 0
	}
	for k := i + 1; k < len(text) && p.failed&noTick == 0; k++ {
		n := bytes.IndexByte(text[k:], '`')
		if n < 0 {
			break
		}
		k += n
		if ascii.IsAnySpace(text[k-1]) || isEscaped(text[i+1:], k-i-1) {
			continue
		}
		if end = p.tickEnd(from, text, start, i, k); end > 0 {
			return start, end
		}
	}
	p.failed |= noTick
	return start, i + 1
}

// tickEnd reads the markup that begins at i and ends with the backquote at k. It returns the end of the
// markup, or 0 if the backquote at k ends nothing.
func (p *parser) tickEnd(from int, text []byte, start, i, k int) (end int) {
	role := ""
	if start < i {
		role = string(text[start+1 : i-1])
	}
	end = k + 1
	if role == "" && end < len(text) && text[end] == ':' {
		if name := nameAfter(text, end+1); name > end+1 && name < len(text) && text[name] == ':' && endsBefore(text, name+1) {
			p.role(string(text[end+1:name]), from+i+1, from+k)
			return name + 1
		}
	}
	marks := underscores(text, end)
	for marks > 0 && !endsBefore(text, end+marks) {
		marks--
	}
	switch {
	case !endsBefore(text, end+marks):
		return 0
	case marks > 0 && role == "":
		p.phrase(marks, from+i+1, from+k)
	case role != "":
		p.role(role, from+i+1, from+k)
	case !p.noDefault && p.src[from+i+1] != '!':
		p.object("", from+i+1, from+k, false)
	}
	return end + marks
}

// roleBefore returns the start of the :role: before the backquote at i, or i if there is none.
func roleBefore(text []byte, i int) int {
	if i < 3 || text[i-1] != ':' {
		return i
	}
	name := nameBefore(text[:i-1], i-1)
	if name == i-1 || name == 0 || text[name-1] != ':' {
		return i
	}
	return name - 1
}

// phrase reads the text of `text <target>`_ or `phrase`_.
func (p *parser) phrase(marks, from, to int) {
	open := embedded(p.src[from:to])
	if open < 0 {
		p.reference(marks, from, to)
		return
	}
	target, end := from+open+1, to-1
	uri := p.src[target:end]
	start, stop := p.trim(from, from+open)
	if start == stop {
		start, stop = target, end
	}
	if marks == 1 { // it defines its text as a name, too
		p.defineName(start, stop, "embedded")
	}
	if n := len(uri); uri[n-1] == '_' && !isEscaped(uri, n-1) && !hasScheme(uri) {
		p.useName(target, end-1, ofTarget)
		return
	}
	if marks == 1 {
		p.takeID(start, stop)
	}
	f := form{kind: scan.Link, how: scan.Inline, in: "embedded", value: asURI}
	if isMailAddress(uri) {
		f.meant = "mailto:"
	}
	p.add(f, target, end, -1)
}

// embedded returns the offset of "<" in the text of `text <target>`, or -1 if there is none.
func embedded(text []byte) int {
	n := len(text)
	if n < 3 || text[n-1] != '>' || ascii.IsAnySpace(text[n-2]) || isEscaped(text, n-1) {
		return -1
	}
	for i := n - 2; i >= 0; i-- {
		switch text[i] {
		case '>':
			if !isEscaped(text, i) {
				return -1
			}
		case '<':
			if isEscaped(text, i) {
				continue
			}
			if i > 0 && !ascii.IsAnySpace(text[i-1]) || ascii.IsAnySpace(text[i+1]) || i+1 == n-1 {
				return -1
			}
			return i
		}
	}
	return -1
}

// plainText returns the text of a title without its markup.
func plainText(text []byte) string {
	var dst []byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text):
			i++
			if !ascii.IsAnySpace(text[i]) {
				dst = append(dst, text[i])
			}
		case c == '`':
			if start := roleBefore(text, i); start < i {
				dst = dst[:max(0, len(dst)-(i-start))]
			}
			dst, i = plainTicks(dst, text, i)
		case c == '*', c == '|' && begins(text, i, 1):
		case c == '_' && i > 0 && text[i-1] != ' ' && endsBefore(text, i+underscores(text, i)):
			i += underscores(text, i) - 1
		default:
			dst = append(dst, c)
		}
	}
	return string(dst)
}

// plainTicks appends the text between backquotes, the first of which is at i. It returns the index of
// the last byte of the closing ones.
func plainTicks(dst, text []byte, i int) (_ []byte, last int) {
	mark := "`"
	if i+1 < len(text) && text[i+1] == '`' {
		mark = "``"
	}
	i += len(mark)
	n := bytes.Index(text[min(i, len(text)):], []byte(mark))
	if n < 0 {
		return dst, i - 1
	}
	inner, end := text[i:i+n], i+n+len(mark)
	if mark == "``" {
		return append(dst, inner...), end - 1
	}
	if open := embedded(inner); open > 0 {
		inner = bytes.TrimSpace(inner[:open])
	}
	return append(dst, unescape(inner)...), end + underscores(text, end) - 1
}
