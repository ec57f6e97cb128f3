package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// A plainReader reads plain blocks in place of goldmark, without a node for each line. Most blocks of
// documentation are plain: headings, code, paragraphs, lists and tables whose lines can be read in one way
// only, with links [a](b) that no other construct affects. A block that may be anything else goes to
// goldmark as a whole. That includes blocks with an unclosed bracket or code span, a label, HTML with
// attributes, a block within an item of a list, and everything that only a dialect reads.
//
// goldmark takes the refused blocks at once, so that the time is linear. Tests and a fuzz target compare
// the results of both.
type plainReader struct {
	c             *collector
	links, others []cue // of what it reads in lines, and of what only goldmark reads

	// Of the current block:
	kind  plainKind
	items []scan.Item
	runs  []scan.Span // of text in which bare links may be
	tags  []scan.Span

	hasDefinitions, knowsDefinitions bool
}

// A plainKind says which lines of a block belong together.
type plainKind int

const (
	plainParagraph plainKind = iota
	plainList                // what begins in a line ends in it
	plainTable               // the same, and "|" ends it
)

// maxPlain is the maximum size in bytes of a block whose results wait until all of it has been read: 2 MB
// if they are the shortest links.
const maxPlain = 32 << 10

// skipPlain reads the plain block at the position of r, the start of a line, and goes to the line after it.
// It returns false if there is none. After HTML, goldmark reads on: see collector.shut.
func (r *lineReader) skipPlain() bool {
	if r.c.all || r.c.afterHTML {
		return false
	}
	line, pos := r.Position()
	end := r.plain.read(pos.Start)
	if end == pos.Start {
		return false
	}
	r.SetPosition(line, text.NewSegment(end-1, end))
	r.Reader.AdvanceLine()
	return true
}

// read reads the plain block at src[at], and returns its end, or at if there is none.
func (p *plainReader) read(at int) int {
	c := p.c
	if p.links == nil {
		p.links, p.others = c.linkCues(), c.otherCues()
	}
	p.items, p.runs, p.tags = p.items[:0], p.runs[:0], p.tags[:0]
	end := at
	switch c.src[at] {
	case '#':
		end = p.heading(at)
	case '`', '~':
		end = p.fence(at)
	}
	if end == at {
		end = p.block(at)
	}
	if end == at || c.isEdited && !bytes.Equal(c.src[at:end], c.original[at:end]) {
		return at
	}
	if !c.outline {
		p.add()
	}
	return end
}

// add adds the results of the block.
func (p *plainReader) add() {
	for _, it := range p.items {
		p.c.add(it)
	}
	for _, run := range p.runs {
		p.c.bare(run.Start, run.End, false)
	}
	for _, tag := range p.tags {
		p.c.raw(tag.Start, tag.End)
	}
}

// heading reads a heading (CommonMark 4.2) whose text is as written, but for code.
func (p *plainReader) heading(at int) int {
	c := p.c
	end := ascii.NextLine(c.src, at)
	level := runOf(c.src[at:end], func(b byte) bool { return b == '#' })
	start := at + level
	for start < end && c.src[start] == ' ' {
		start++
	}
	source := bytes.TrimRight(c.src[start:end], " \t\r\n")
	shown, ok := plainHeading(source)
	if c.Dialect.hasEmoji() && bytes.Count(source, []byte(":")) > 1 {
		return at
	}
	if !ok || level > 6 || start == at+level || holdsCue(p.links, c.src, at, end) || holdsCue(p.others, c.src, at, end) {
		return at
	}
	if c.Anchors {
		span := scan.Span{Start: c.body + start, End: c.body + start + len(source)}
		it := scan.Item{Op: scan.Anchor, In: "heading", Text: shown, Span: span}
		it.More = c.moreOf()
		it.More.Source, it.More.TextSpan = string(source), span
		p.items = append(p.items, it)
	}
	return end
}

// plainHeading returns the text of a heading with this source. ok is false if only goldmark can tell.
func plainHeading(source []byte) (shown string, ok bool) {
	inCode, hasCode := false, false
	for i, b := range source {
		switch {
		case isPlainHeading[b]:
		case b == '`' && inCode:
			if source[i-1] == ' ' {
				return "", false
			}
			inCode = false
		case b == '`':
			if i+1 < len(source) && (source[i+1] == ' ' || source[i+1] == '`') || i > 0 && source[i-1] == '`' {
				return "", false
			}
			inCode, hasCode = true, true
		case inCode && isPlainCode[b]:
		case b == '_' && i > 0 && i+1 < len(source) && ascii.IsAlnum(source[i-1]) && ascii.IsAlnum(source[i+1]): // no emphasis (6.2)
		default:
			return "", false
		}
	}
	if !hasCode {
		return string(source), len(source) > 0
	}
	return strings.ReplaceAll(string(source), "`", ""), !inCode
}

// isPlainHeading holds the bytes that mean nothing in headings, isPlainCode those that mean nothing in
// their code either.
var (
	isPlainHeading = func() (t [256]bool) {
		for b := range t {
			t[b] = b >= 0x80 || ascii.IsAlnum(byte(b))
		}
		for _, b := range []byte(" ,.:;?!'\"()/%+-$=@^|") {
			t[b] = true
		}
		return t
	}()
	isPlainCode = set("*_~#<>{}[]\\")
)

// fence reads fenced code (CommonMark 4.5) without attributes.
func (p *plainReader) fence(at int) int {
	c := p.c
	d := &c.Dialect
	end := ascii.NextLine(c.src, at)
	line := c.src[at:end]
	mark := fenceOf(line)
	if !opensFence(mark, line) || bytes.IndexByte(line, '{') >= 0 || d.Directives || d.MDX || d.MDC {
		return at
	}
	for end < len(c.src) {
		start := nextFence(c.src, end, mark[:3])
		end = ascii.NextLine(c.src, start)
		line = c.src[start:end]
		body := bytes.TrimLeft(line, " ")
		last := fenceOf(body)
		if len(line)-len(body) <= 3 && bytes.HasPrefix(last, mark) && util.IsBlank(body[len(last):]) {
			break
		}
	}
	return end
}

// block reads a paragraph, a list or a table.
func (p *plainReader) block(at int) int {
	end := p.lines(at)
	if end == at || holdsCue(p.others, p.c.src, at, end) || holdsCue(p.links, p.c.src, at, end) && !p.inlines(at, end) {
		return at
	}
	return end
}

// lines returns the end of the block at src[at], which starts a line, and sets its kind. It returns at if a
// line may be anything else.
func (p *plainReader) lines(at int) int {
	src := p.c.src
	p.kind = plainParagraph
	pipes := 0
	least, most := maxLabel, 0 // where the text of items begins: the columns of those of the outermost list
	for end := at; end-at <= maxPlain; {
		if end == len(src) {
			return end
		}
		start := end
		for start < len(src) && src[start] == ' ' {
			start++
		}
		next := ascii.NextLine(src, start)
		line := src[start:next]
		if end == at && start > at {
			return at
		}
		mark := plainMark(line)
		switch {
		case util.IsBlank(line):
			if p.kind != plainList {
				return end
			}
			ends, isPlain := listEnds(src, next, least, most)
			if !isPlain {
				return at
			}
			if ends {
				return end
			}
		case line[0] == '|' && (end == at || p.kind == plainTable):
			// A row with more cells than the first loses them.
			n := bytes.Count(line, []byte{'|'})
			if pipes > 0 && n != pipes || bytes.IndexByte(line, '\\') >= 0 {
				return at
			}
			p.kind, pipes = plainTable, n
		case p.kind == plainTable:
			return at
		case mark > 0:
			// In a paragraph, a number or an indented mark may be text (CommonMark 5.2, 5.3).
			if end > at && p.kind != plainList && (start > end || ascii.IsDigit(line[0])) {
				return at
			}
			p.kind = plainList
			if start == end {
				least, most = min(least, mark), max(most, mark)
			}
		case line[0] == '#' && start == end: // ends any of them
			return end
		case !startsText(line):
			return at
		}
		end = next
	}
	return at
}

// listEnds reports whether a list ends before the empty line that ends at src[next]. The texts of its items
// begin in the columns from least to most. isPlain is false if that is not certain, or if the next line may
// be code.
func listEnds(src []byte, next, least, most int) (ends, isPlain bool) {
	line := next
	for next < len(src) && ascii.IsSpace(src[next]) {
		if src[next] == '\n' {
			line = next + 1
		} else if src[next] != ' ' {
			return false, false
		}
		next++
	}
	column := next - line
	if next == len(src) || column == 0 && plainMark(src[next:]) == 0 {
		return true, true
	}
	return false, column == 0 || most <= column && column < least+4
}

// plainMark returns the length of the mark of a list item (CommonMark 5.2) at the start of a line, with one
// to four spaces, if plain text follows it, or else 0.
func plainMark(line []byte) int {
	n := listMark(line)
	if n == 0 || line[n-1] != ' ' {
		return 0
	}
	n += runOf(line[n:min(len(line), n+4)], func(b byte) bool { return b == ' ' })
	if n == len(line) || line[n] == ' ' || n-len(bytes.TrimRight(line[:n], " ")) > 4 || !startsText(line[n:]) {
		return 0
	}
	return n
}

// startsText reports whether a line, which may follow others in a block, can only be one of text.
func startsText(line []byte) bool {
	for i, b := range line {
		switch {
		case ascii.IsLetter(b) || b >= 0x80:
			return true
		case ascii.IsDigit(b):
			return listMark(line) == 0
		case b == '"' || b == '\'':
			return i+1 < len(line) && line[i+1] > ' '
		case b == '[' || b == '!' && bytes.HasPrefix(line[i:], []byte("![")):
			return true
		case b == '`':
			return !bytes.HasPrefix(line[i:], []byte("```"))
		case (b == '*' || b == '_') && i < 2: // emphasis, no rule
		default:
			return false
		}
	}
	return false
}

// inlines reads the lines src[at:end]. It returns false if a result is not certain.
func (p *plainReader) inlines(at, end int) bool {
	src := p.c.src
	run := at
	for i := at; i < end; i++ {
		var next int
		switch b := src[i]; {
		case b == '\\' && i+1 < end && util.IsPunct(src[i+1]):
			i++
			continue
		case b == '\n': // for goldmark, the text of each line is a node
			next = i + 1
		case b == '`':
			next = p.code(i, end)
		case b == '!' && i+1 < end && src[i+1] == '[':
			next = p.link(i+1, end, scan.Item{Kind: scan.Embed, In: "image"})
		case b == '[':
			next = p.link(i, end, scan.Item{Kind: scan.Link, In: "link"})
		case b == ']' && i+1 < end && src[i+1] == '[': // of a label
			return false
		case b == '<':
			next = p.tag(i, end)
		case b == '|' && p.kind == plainTable:
			next = i + 1
		default:
			continue
		}
		if next < 0 || next > i && !p.text(run, i) {
			return false
		}
		if next > i {
			run, i = next, next-1
		}
	}
	return p.text(run, end)
}

// text adds a run of text. It returns false if that may be a bare link in a cell of a table.
func (p *plainReader) text(start, end int) bool {
	if p.c.Dialect.Bare == BareNone || start == end {
		return true
	}
	if p.kind == plainTable && (bytes.Contains(p.c.src[start:end], colonSlashes) || bytes.Contains(p.c.src[start:end], wwwDot) ||
		bytes.Contains(p.c.src[start:end], atSign)) {
		return false
	}
	p.runs = append(p.runs, scan.Span{Start: start, End: end})
	return true
}

// code returns the end of the code span at src[i] in one line (CommonMark 6.1), or -1 if it may not be one.
func (p *plainReader) code(i, end int) int {
	src := p.c.src
	isBacktick := func(b byte) bool { return b == '`' }
	n := runOf(src[i:end], isBacktick)
	for k := i + n; k < end; k++ {
		switch b := src[k]; {
		case b == '`':
			m := runOf(src[k:end], isBacktick)
			k += m
			if m == n {
				return k
			}
		case b == '\n' || p.endsLine(b):
			return -1
		}
	}
	return -1
}

// endsLine reports whether nothing goes on behind b, in an item or in a cell.
func (p *plainReader) endsLine(b byte) bool {
	return b == '\n' && p.kind != plainParagraph || b == '|' && p.kind == plainTable
}

// link reads the link or the image at src[i], "[" (CommonMark 6.3, 6.4); it holds its Kind and In. It
// returns its end, i if there is none, or -1.
func (p *plainReader) link(i, end int, it scan.Item) int {
	c, src := p.c, p.c.src
	close := i + 1
	for ; close < end && src[close] != ']'; close++ {
		b := src[close]
		if b == '[' || b == '\\' || b == '<' || b == '&' || p.endsLine(b) {
			return -1
		}
		if b == '`' {
			code := p.code(close, end)
			if code < 0 || c.HTML.Details && src[close+1] == '`' {
				return -1
			}
			close = code - 1
		}
	}
	words := src[i+1 : close]
	if close+1 >= end || len(words) == 0 || words[0] == '^' || words[0] == '!' {
		return -1
	}
	if src[close+1] != '(' {
		if bytes.IndexByte([]byte("[:{"), src[close+1]) >= 0 || p.mayDefine() {
			return -1
		}
		return i
	}
	start := close + 2
	stop := start
	for stop < end && !ends[src[stop]] && src[stop] > ' ' && src[stop] != '(' && src[stop] != '\\' && src[stop] != '<' && src[stop] != 0x7f {
		stop++
	}
	after := p.title(stop, end)
	if after < 0 || stop == start || bytes.HasPrefix(src[start:stop], []byte("#tab/")) {
		return -1
	}
	it.How, it.Span = scan.Inline, scan.Span{Start: c.body + start, End: c.body + stop}
	if c.HTML.Details {
		it.Text = strings.Join(strings.Fields(strings.ReplaceAll(string(words), "`", "")), " ")
	}
	it.Value = unescape(c.original[start:stop])
	p.items = append(p.items, it)
	return after
}

// title returns the end of a link behind its destination, and behind a title, at src[i], or -1 if there may be none.
func (p *plainReader) title(i, end int) int {
	rest := p.c.src[i:end]
	if bytes.HasPrefix(rest, []byte{')'}) {
		return i + 1
	}
	if !bytes.HasPrefix(rest, []byte(` "`)) {
		return -1
	}
	n := bytes.IndexAny(rest[2:], "\"\\\n|")
	if n < 0 || !bytes.HasPrefix(rest[2+n:], []byte(`")`)) {
		return -1
	}
	return i + 2 + n + len(`")`)
}

// mayDefine reports whether the document may define labels.
func (p *plainReader) mayDefine() bool {
	if !p.knowsDefinitions {
		p.hasDefinitions, p.knowsDefinitions = bytes.Contains(p.c.src, []byte("]:")), true
	}
	return p.hasDefinitions
}

// tag reads the autolink (CommonMark 6.5) or the tag without attributes (6.6) at src[i], "<". It returns
// its end, i if it is none, or -1.
func (p *plainReader) tag(i, end int) int {
	c, rest := p.c, p.c.src[i+1:end]
	if n := util.FindURLIndex(rest); n > 0 && n < len(rest) && rest[n] == '>' {
		at := scan.Span{Start: c.body + i + 1, End: c.body + i + 1 + n}
		p.items = append(p.items, scan.Item{Kind: scan.Link, How: scan.Autolink, In: "autolink", Span: at, Value: c.original[i+1 : i+1+n]})
		return i + 1 + n + 1
	}
	name := bytes.TrimPrefix(rest, []byte{'/'})
	n := runOf(name, ascii.IsAlnum)
	switch {
	case c.Dialect.MDX || c.Dialect.MDC:
		return -1
	case n == 0 && len(rest) > 0 && (ascii.IsBlank(rest[0]) || rest[0] == '=' || rest[0] == '-'):
		return i
	case n == 0 || ascii.IsDigit(name[0]) || n == len(name) || name[n] != '>':
		return -1
	}
	after := end - len(name) + n + 1
	p.tags = append(p.tags, scan.Span{Start: i, End: after})
	return after
}
