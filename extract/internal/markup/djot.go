package markup

import (
	"bytes"
	"iter"

	"example.org/refract/delimit"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/prose"
)

// DjotType is the media type of Djot. It is not registered.
const DjotType = "text/x-djot"

// A Djot scans one document of Djot. It may be reused, but several goroutines must not use it at once.
//
// It is not a renderer: it knows links, images, definitions, automatic links, and the constructs that hide
// text. Sources: the syntax reference of Djot (htmldocs.djot.net, 2024), and @djot/djot 0.3, with which a
// test compares it.
type Djot struct {
	Rules delimit.Rules // of references in text

	doc   prose.Doc
	open  []djotBracket
	value []byte
}

// A djotBracket is a "[" that nothing has closed yet.
type djotBracket struct{ isImage bool }

// Scan yields the references of src in source order: the destinations of links and images, which may extend
// over several lines, those of definitions ("[label]: url"), URLs and addresses in angle brackets, and
// references in the text. It skips code, raw text, formulas and comments. src is UTF-8. Every input is
// valid, and the time is linear in len(src).
func (s *Djot) Scan(src []byte) iter.Seq[*scan.Item] {
	return s.doc.Scan(src, s.Rules, func() {
		p := djotParser{Djot: s, src: src}
		p.read()
	})
}

// A djotParser reads one document.
type djotParser struct {
	*Djot
	src    []byte
	fence  []byte      // what begins the line that ends the block of code; nil outside of one
	skip   int         // text before it is in a construct that began on a line before
	end    int         // where the current paragraph ends
	quotes int         // marks of block quotes before its first line
	ends   map[int]int // -1 for numbers of backticks that the rest of the paragraph does not have

	closers  map[int]int // where the parentheses after "]" end in the paragraph; nil: not known
	comments prose.Ends
}

// read reads all lines.
func (p *djotParser) read() {
	for at := 0; at < len(p.src); {
		end, next := ascii.Line(p.src, at)
		switch {
		case p.skip <= at:
			p.line(at, end, next)
		case p.skip < next: // the rest of a line: it begins no block, and if it is empty, it is no blank line
			p.inline(p.skip, end, next)
		}
		at = next
	}
}

// line reads one line.
func (p *djotParser) line(at, end, next int) {
	from := at
	for from < end && (ascii.IsBlank(p.src[from]) || p.src[from] == '>') {
		from++
	}
	line := p.src[from:end]
	if p.fence != nil {
		if bytes.HasPrefix(line, p.fence) && len(bytes.Trim(line, string(p.fence[:1])+" \t")) == 0 {
			p.fence = nil
		}
		return
	}
	if n := fenceLen(line); n > 0 {
		p.fence = line[:n]
		return
	}
	if len(line) == 0 || from >= p.end {
		p.open, p.ends, p.closers = p.open[:0], nil, nil
		p.end = paragraphEnd(p.src, next)
		p.quotes = bytes.Count(p.src[at:from], []byte(">"))
	}
	if p.definition(from, end) {
		return
	}
	p.inline(at, end, next)
}

// fenceLen returns the length of the fence of a block of code that begins a line, or 0.
func fenceLen(line []byte) int {
	n := 0
	for n < len(line) && (line[n] == '`' || line[n] == '~') && line[n] == line[0] {
		n++
	}
	if n < 3 || bytes.IndexByte(line[n:], line[0]) >= 0 {
		return 0
	}
	return n
}

// paragraphEnd returns where the next blank line at or after src[at], the beginning of a line, begins.
func paragraphEnd(src []byte, at int) int {
	for at < len(src) {
		end, next := ascii.Line(src, at)
		if len(bytes.Trim(src[at:end], "> \t")) == 0 {
			return at
		}
		at = next
	}
	return len(src)
}

// definition reads "[label]: url", whose URL continues on lines that are indented, and reports whether the
// line has that form.
func (p *djotParser) definition(at, end int) bool {
	line := p.src[at:end]
	i := bytes.Index(line, []byte("]:"))
	if i < 2 || line[0] != '[' || line[1] == '^' || bytes.IndexByte(line[1:i], ']') >= 0 {
		return false
	}
	from := at + i + len("]:")
	stop := end
	for stop < len(p.src) {
		begin := ascii.NextLine(p.src, stop)
		next, _ := ascii.Line(p.src, begin)
		if begin >= len(p.src) || !ascii.IsBlank(p.src[begin]) || len(bytes.TrimSpace(p.src[begin:next])) == 0 {
			break
		}
		stop = next
	}
	url := prose.Trim(p.src, scan.Span{Start: from, End: stop})
	p.skip = stop
	if url.Start < url.End {
		p.doc.Add(prose.Item{Op: scan.Ref, Kind: scan.Definition, How: scan.Reference, In: "definition", Span: url}, p.joined(p.src[url.Start:url.End], false))
	}
	return true
}

// joined returns a destination without its line breaks and the white space around them, and without
// escapes; nil if it has none.
func (p *djotParser) joined(raw []byte, escapes bool) []byte {
	if !bytes.ContainsAny(raw, "\r\n") && (!escapes || bytes.IndexByte(raw, '\\') < 0) {
		return nil
	}
	p.value = prose.Emptied(p.value)
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '\n' || c == '\r':
			p.value = bytes.TrimRight(p.value, " \t")
			i = p.indented(raw, i+1) - 1
			continue
		case escapes && c == '\\' && i+1 < len(raw) && ascii.IsSpace(raw[i+1]) && raw[i+1] != ' ' && raw[i+1] != '\t':
			continue // a hard line break
		case escapes && c == '\\' && i+1 < len(raw) && isPunctuation(raw[i+1]):
			i++
		}
		p.value = append(p.value, raw[i])
	}
	return p.value
}

// indented returns where the text of a line begins, after white space and the marks of the block quotes
// that the paragraph is in. The line begins in raw[at], or before it with a line break.
func (p *djotParser) indented(raw []byte, at int) int {
	for marks := p.quotes; at < len(raw); at++ {
		if raw[at] == '>' && marks > 0 {
			marks--
		} else if !ascii.IsSpace(raw[at]) {
			break
		}
	}
	return at
}

func isPunctuation(c byte) bool { return c > ' ' && c < 0x7f && !ascii.IsAlnum(c) }

// inline reads the text of one line.
func (p *djotParser) inline(at, end, next int) {
	for at < end {
		i := bytes.IndexAny(p.src[at:end], "\\`<[]{")
		if i < 0 {
			break
		}
		p.doc.Show(at, at+i)
		at += i
		stop := p.construct(at)
		if stop > end {
			p.skip = stop
			return
		}
		if stop <= at {
			p.doc.Show(at, at+1)
			stop = at + 1
		}
		at = stop
	}
	p.doc.Show(at, next)
}

// construct reads the construct that begins at src[at], and returns where it ends, or 0 if none begins there.
func (p *djotParser) construct(at int) int {
	switch p.src[at] {
	case '\\':
		if at+1 < len(p.src) && isPunctuation(p.src[at+1]) {
			p.doc.Show(at+1, at+2)
			return at + 2
		}
	case '`':
		return p.verbatim(at)
	case '<':
		return p.angle(at)
	case '{':
		if bytes.HasPrefix(p.src[at:], []byte("{%")) {
			if end := p.comments.Find(p.src, "%}", at+2); end >= 0 && end < p.end {
				return end + 2
			}
		}
	case '[':
		p.open = append(p.open, djotBracket{isImage: at > 0 && p.src[at-1] == '!'})
	case ']':
		n := len(p.open)
		if n == 0 {
			return 0
		}
		isImage := p.open[n-1].isImage
		p.open = p.open[:n-1]
		if at+1 < len(p.src) && p.src[at+1] == '(' {
			return p.destination(at+2, isImage)
		}
	}
	return 0
}

// verbatim returns the end of the verbatim text at src[at], which ends with as many backticks, or with the paragraph.
func (p *djotParser) verbatim(at int) int {
	n := 1
	for at+n < len(p.src) && p.src[at+n] == '`' {
		n++
	}
	if p.ends == nil {
		p.ends = make(map[int]int)
	}
	if p.ends[n] < 0 {
		return max(p.end, at+n)
	}
	for i := at + n; i < p.end; {
		k := bytes.IndexByte(p.src[i:p.end], '`')
		if k < 0 {
			break
		}
		i += k
		m := 1
		for i+m < p.end && p.src[i+m] == '`' {
			m++
		}
		i += m
		if m == n {
			return i
		}
	}
	p.ends[n] = -1
	return max(p.end, at+n)
}

// angle reads <URL> or <address>, and returns where it ends, or 0 if there is none.
func (p *djotParser) angle(at int) int {
	end := at + 1
	for end < len(p.src) && p.src[end] > ' ' && p.src[end] != '<' && p.src[end] != '>' {
		end++
	}
	if end == len(p.src) || p.src[end] != '>' || end == at+1 {
		return 0
	}
	it := prose.Item{Op: scan.Ref, Kind: scan.Link, How: scan.Angle, In: "<>", Span: scan.Span{Start: at + 1, End: end}}
	raw := p.src[at+1 : end]
	colon := bytes.IndexByte(raw, ':')
	switch i := bytes.IndexByte(raw, '@'); {
	case i > 0 && raw[i-1] != ':':
		if colon < 0 {
			it.Meant = "mailto:"
		}
	case colon <= 0 || !ascii.IsLetter(raw[colon-1]):
		return 0
	}
	p.doc.Add(it, nil)
	return end + 1
}

// destination reads a destination from src[at], after "](", and returns where it ends, or 0 if nothing
// closes it in the paragraph.
func (p *djotParser) destination(at int, isImage bool) int {
	if p.closers == nil {
		p.closers = closersOf(p.src[:max(p.end, at)], at-1)
	}
	end, ok := p.closers[at-1]
	if !ok {
		return 0
	}
	it := prose.Item{Op: scan.Ref, Kind: scan.Link, How: scan.Inline, In: "link", Span: scan.Span{Start: at, End: end}}
	if isImage {
		it.Kind, it.In = scan.Embed, "image"
	}
	if at < end {
		p.doc.Add(it, p.joined(p.src[at:end], true))
	}
	return end + 1
}

// closersOf returns where each "(" after "]" from src[at] on is closed. A backslash escapes a parenthesis.
func closersOf(src []byte, at int) map[int]int {
	closers := make(map[int]int)
	var open []int
	for i := at; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '(':
			open = append(open, i)
		case ')':
			n := len(open)
			if n == 0 {
				continue
			}
			if start := open[n-1]; start > 0 && src[start-1] == ']' {
				closers[start] = i
			}
			open = open[:n-1]
		}
	}
	return closers
}
