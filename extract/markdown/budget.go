package markdown

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"sort"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"example.org/refract/internal/ascii"
)

// On some input, goldmark takes more than linear time, and much more memory than the size of the input. An
// attempt at a link, at raw HTML or at a code span may search the rest of its paragraph, each line passes
// through all open blocks, and a table has as many cells in each row as in its first. No list of such
// shapes is complete. So everything that goldmark calls is ours, or wrapped: readers and parsers charge for
// the bytes they examine and for the memory of their results. When a document exceeds its budget, the parse
// stops (see overBudget).
const (
	maxWork  = 64      // bytes examined for each byte of the document
	freeWork = 1 << 23 // bytes examined in addition, for each document

	maxDepth = 100 // of nested lists, quotations and footnotes

	// Estimates of memory, in bytes. They are generous.
	freeMemory = 12 << 20 // added to the size of the document
	nameMemory = 15 << 20 // added to 5/2 of the size if the names of the document are results, too: a short heading takes some 1,000 bytes
	pieceSize  = 2 << 20  // the size of the pieces in which blocks are parsed: see lineReader

	blockSize      = 192 // for a block
	lineSize       = 192 // for a line and its text
	inlineSize     = 384 // for a node in a line, and the text before it
	definitionSize = 96  // for a definition
	referenceSize  = 224 // for the target of a label
	lineStatSize   = 64  // for goldmark's data about a line in each open block, and the copies of it
)

// overBudget is the value of the panic that stops goldmark's parse of a document that takes too
// much work or memory. It says why. Scanner.parse recovers it.
type overBudget string

const (
	tooMuchWork   = overBudget("too many unclosed constructs: scanned for links in a simpler way")
	tooLarge      = overBudget("a document of 2 GiB: scanned for links in a simpler way") // records cannot hold its offsets
	tooMuchMemory = overBudget("too many constructs for the size of the document: scanned for links in a simpler way")
)

var tooManyLevels = overBudget(fmt.Sprintf("lists and quotations more than %d deep: scanned for links in a simpler way", maxDepth))

// A budget is what the parse of one document may still spend.
type budget struct {
	work   int // in bytes examined
	memory int // in bytes that stay until the end of the parse

	piece int // bytes held until the end of the piece of the document
	stats int // bytes held until all open blocks are closed
	block int // bytes held until the end of the block whose lines are parsed
}

// newBudget returns the budget of a document of size bytes. An audit, which collects names, keeps them for
// all documents. It must also keep the names of documents with many short headings: without them, it checks
// no fragment.
func newBudget(size int, hasNames bool) budget {
	b := budget{work: freeWork + maxWork*size, memory: freeMemory + size}
	if hasNames {
		b.memory = nameMemory + 5*size/2
	}
	return b
}

// spend charges for n bytes examined.
func (b *budget) spend(n int) {
	if b.work -= n; b.work < 0 {
		panic(tooMuchWork)
	}
}

// check stops the parse if it holds too much memory.
func (b *budget) check() {
	if b.memory < b.piece+b.stats+b.block {
		panic(tooMuchMemory)
	}
}

// lineReader is goldmark's reader of whole documents, with three differences. LineOffset continues from its
// last position: goldmark's counts the line again from its beginning for each block that begins in it.
// AdvanceLine charges for the line. And SkipBlankLines, which goldmark calls when no block is open, reports
// the end of the document once there is enough for one piece, so that the blocks before and after that
// place need not be held together.
type lineReader struct {
	text.Reader
	c *collector

	line   int // the number of the line that starts at head
	head   int
	at     int // the byte in that line that begins at column
	column int

	more bool // SkipBlankLines has reported the end of the document, but there may be more

	plain plainReader
}

func newLineReader(c *collector, src []byte) *lineReader {
	return &lineReader{Reader: text.NewReader(src), c: c, line: -1, plain: plainReader{c: c}}
}

func (r *lineReader) LineOffset() int {
	line, pos := r.Position()
	if line != r.line {
		r.line = line
		r.head = bytes.LastIndexByte(r.Source()[:pos.Start], '\n') + 1
		r.at, r.column = r.head, 0
	} else if pos.Start < r.at {
		r.at, r.column = r.head, 0
	}
	for src := r.Source(); r.at < pos.Start; r.at++ {
		if src[r.at] == '\t' {
			r.column += util.TabWidth(r.column)
		} else {
			r.column++
		}
	}
	return r.column - pos.Padding
}

func (r *lineReader) AdvanceLine() {
	r.c.piece += lineSize
	r.c.check()
	r.Reader.AdvanceLine()
}

func (r *lineReader) SkipBlankLines() (text.Segment, int, bool) {
	r.c.stats = 0
	if r.c.piece > cmp.Or(r.c.pieceSize, pieceSize) {
		r.more = true
		_, pos := r.Position()
		r.c.defineRest(pos.Start)
		return pos, 0, false
	}
	for {
		at, n, ok := r.Reader.SkipBlankLines()
		if !ok || !r.skipPlain() {
			return at, n, ok
		}
	}
}

// blockParser charges for the blocks that a block parser opens, and for each line that
// continues them.
type blockParser struct {
	parser.BlockParser
	container bool // its blocks contain other blocks
}

func (p blockParser) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	n, state := p.BlockParser.Open(parent, reader, pc)
	if n == nil {
		return nil, state
	}
	b := collectorOf(pc)
	b.piece += blockSize
	b.check()
	_, isElement := n.(*element)
	b.afterHTML = isElement || n.Kind() == ast.KindHTMLBlock
	if p.container {
		checkDepth(pc.OpenedBlocks())
	}
	return n, state
}

// checkDepth stops the parse if an opening block is nested too deeply. A list and
// its items count once.
func checkDepth(open []parser.Block) {
	if len(open) < maxDepth {
		return
	}
	depth := 0
	for _, b := range open {
		if b.Node.Kind() != ast.KindList {
			depth++
		}
	}
	if depth >= maxDepth {
		panic(tooManyLevels)
	}
}

func (p blockParser) Continue(n ast.Node, reader text.Reader, pc parser.Context) parser.State {
	b := collectorOf(pc)
	b.spend(nodeWork)
	b.stats += lineStatSize
	b.check()
	isCode := n.Kind() == ast.KindFencedCodeBlock
	if isCode && !b.all && n.Parent().Kind() == ast.KindDocument && skipCode(n, reader) {
		return parser.Continue | parser.NoChildren
	}
	state := p.BlockParser.Continue(n, reader, pc)
	if isCode {
		n.Lines().SetSliced(0, 0) // nobody reads them
	}
	return state
}

// skipCode goes to the end of the line before the next one that may end n, a top-level block of code. It
// returns false if that is the current line. A fifth to two fifths of the lines of documentation are such
// code.
func skipCode(n ast.Node, reader text.Reader) bool {
	src := reader.Source()
	fence := bytes.Repeat(src[n.Pos():n.Pos()+1], 3)
	line, pos := reader.Position()
	end := nextFence(src, pos.Start, fence)
	if end == pos.Start {
		return false
	}
	reader.SetPosition(line, text.NewSegment(end-1, end))
	return true
}

// nextFence returns the start of the next line of src[from:] that begins with fence behind spaces, or len(src).
func nextFence(src []byte, from int, fence []byte) int {
	for at := from; at < len(src); {
		i := bytes.Index(src[at:], fence)
		if i < 0 {
			break
		}
		start := max(from, bytes.LastIndexByte(src[:at+i], '\n')+1)
		if len(bytes.TrimLeft(src[start:at+i], " \t")) == 0 {
			return start
		}
		at = ascii.NextLine(src, at+i)
	}
	return len(src)
}

// definitionParser takes the definitions at the start of a paragraph. goldmark takes quadratic time in
// their number, because it removes the lines of each definition from those of the paragraph. It gets only
// the definitions other than the usual line with a label and a destination, and is charged for them.
type definitionParser struct{ parser.ParagraphTransformer }

func (p definitionParser) Transform(n *ast.Paragraph, reader text.Reader, pc parser.Context) {
	p.takeFirst(n, reader, pc)
	if c := collectorOf(pc); c.Dialect.DefinitionsInText {
		takeDefinitions(n, reader.Source(), pc)
	}
}

// takeFirst takes the definitions at the start of n.
func (p definitionParser) takeFirst(n *ast.Paragraph, reader text.Reader, pc parser.Context) {
	lines, src := n.Lines(), reader.Source()
	if lines.Len() == 0 {
		p.ParagraphTransformer.Transform(n, reader, pc)
		return
	}
	if !begins(src, lines.At(0), '[') {
		first := lines.At(0)
		if rest := trimSpace(src[first.Start:first.Stop]); len(rest) == 0 || rest[0] == '[' {
			p.ParagraphTransformer.Transform(n, reader, pc)
		}
		return // goldmark would copy the lines to find out that this is no definition
	}
	c := collectorOf(pc)
	definer := definer{pc, c.context}
	done := 0
	for done < lines.Len() {
		d := usualDefinition(src, lines.At(done))
		if d == nil || done+1 < lines.Len() && !begins(src, lines.At(done+1), '[') { // a title may follow
			break
		}
		c.chargeDefinition()
		c.check()
		definer.AddReference(parser.NewReference(d.Label, d.Destination, nil))
		if done == 0 { // so that the blocks before it see that something follows
			n.Parent().InsertBefore(n.Parent(), n, d)
		} else {
			c.definition(d)
		}
		done++
	}
	if done == lines.Len() {
		n.Parent().RemoveChild(n.Parent(), n)
		return
	}
	lines.SetSliced(done, lines.Len())
	count := 0
	for i := range lines.Len() {
		line := lines.At(i)
		if bytes.Contains(src[line.Start:min(line.Stop, line.Start+maxLabel)], []byte("]:")) {
			count++
		}
	}
	c.spend(count * lines.Len() / 4)
	for range count {
		c.chargeDefinition()
	}
	c.check()
	p.ParagraphTransformer.Transform(n, reader, definer)
}

// chargeDefinition charges for a definition. A definition in the rest of the document is charged twice.
func (c *collector) chargeDefinition() {
	if !c.outline {
		c.memory -= definitionSize
	}
	if !c.rest {
		c.memory -= referenceSize
	}
}

// usualDefinition returns the definition on a line that consists of a label without brackets and a
// destination without brackets, quotation marks and backslashes, or nil for any other line.
func usualDefinition(src []byte, at text.Segment) *ast.LinkReferenceDefinition {
	line := bytes.Trim(src[at.Start:at.Stop], " \t\r\n")
	if at.Padding > 0 || len(line) == 0 || line[0] != '[' {
		return nil
	}
	label := line[1:min(len(line), maxLabel)]
	end := bytes.IndexAny(label, "[]\\")
	if end < 0 || !bytes.HasPrefix(label[end:], []byte("]:")) || util.IsBlank(label[:end]) {
		return nil
	}
	dest := bytes.TrimLeft(line[1+end+2:], " \t")
	for _, b := range dest {
		if b <= ' ' || b == 0x7f || bytes.IndexByte([]byte("<>\"'()\\"), b) >= 0 {
			return nil
		}
	}
	if len(dest) == 0 {
		return nil
	}
	d := ast.NewLinkReferenceDefinition(label[:end], dest, nil)
	start := at.Start + bytes.IndexByte(src[at.Start:at.Stop], '[')
	d.Lines().Append(text.NewSegment(start, start+len(line)))
	return d
}

// A definer is a context that keeps the text of definitions for the whole document, instead of
// their nodes, which would keep everything around them in memory.
type definer struct {
	parser.Context
	document parser.Context
}

func (d definer) AddReference(r parser.Reference) {
	d.document.AddReference(parser.NewReference(r.Label(), r.Destination(), r.Title()))
}

// begins reports whether a line begins with b after spaces.
func begins(src []byte, line text.Segment, b byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(src[line.Start:line.Stop], " \t"), []byte{b})
}

// trimSpace returns s without what goldmark takes for white space at its beginning.
func trimSpace(s []byte) []byte {
	for len(s) > 0 && util.IsSpace(s[0]) {
		s = s[1:]
	}
	return s
}

// tableParser charges for the cells of tables: each row gets as many cells as the first has.
type tableParser struct{ parser.ParagraphTransformer }

func (p tableParser) Transform(n *ast.Paragraph, reader text.Reader, pc parser.Context) {
	lines, src := n.Lines(), reader.Source()
	for i := 1; i < lines.Len(); i++ {
		line := lines.At(i)
		rule := src[line.Start:line.Stop]
		if !isRule(rule) {
			continue
		}
		c := collectorOf(pc)
		head := lines.At(i - 1)
		cells := max(bytes.Count(rule, []byte{'|'}), 2) * (lines.Len() - i)
		cells += bytes.Count(src[head.Start:head.Stop], []byte{'|'})
		c.spend(cells)
		c.piece += cells * blockSize
		c.check()
		p.ParagraphTransformer.Transform(n, reader, pc)
		return
	}
}

// isRule reports whether a line may separate the head of a table from its rows.
func isRule(line []byte) bool {
	for _, b := range line {
		if b != '-' && b != '|' && b != ':' && !util.IsSpace(b) {
			return false
		}
	}
	return true
}

// inlineParser charges for the bytes that an inline parser examines, and for the nodes that it
// makes.
type inlineParser struct{ parser.InlineParser }

func (p inlineParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	c := collectorOf(pc)
	c.meter.Reader, c.meter.lines = block, parent.Lines()
	n := p.InlineParser.Parse(parent, &c.meter, pc)
	if n != nil {
		c.block += inlineSize
		c.check()
	}
	return n
}

// A meter is a reader of the lines of one block. It charges for the bytes that it advances
// over or searches.
type meter struct {
	text.Reader
	*budget
	lines *text.Segments
}

func (m *meter) Advance(n int) {
	m.spend(n)
	m.Reader.Advance(n)
}

func (m *meter) AdvanceLine() {
	_, pos := m.Position()
	m.spend(max(pos.Stop-pos.Start, 1))
	m.Reader.AdvanceLine()
}

// ReadRune is the method that regular expressions call. goldmark's method takes U+FFFD for the end of the
// text.
func (m *meter) ReadRune() (rune, int, error) {
	m.spend(runeWork)
	r, size, err := m.Reader.ReadRune()
	if err == nil {
		return r, size, nil
	}
	line, _ := m.PeekLine()
	if len(line) == 0 {
		return 0, 0, err
	}
	r, size = utf8.DecodeRune(line)
	m.Reader.Advance(size)
	return r, size, nil
}

// runeWork is the number of bytes examined in the time in which a regular expression reads a character.
const runeWork = 16

func (m *meter) Match(re *regexp.Regexp) bool {
	line, pos := m.Position()
	n := 0
	switch tag := (tagReader{m: m}); re.String() {
	case openTagPattern:
		if tag.openTag() {
			n = tag.n
		}
		m.spend(runeWork * tag.n)
	case closeTagPattern:
		if tag.closeTag() {
			n = tag.n
		}
		m.spend(runeWork * tag.n)
	default:
		if match := re.FindReaderIndex(m); match != nil {
			n = match[1]
		}
	}
	m.SetPosition(line, pos)
	m.Reader.Advance(n)
	return n > 0
}

// Value returns the bytes of at. goldmark's method goes through all lines after it, and copies.
func (m *meter) Value(at text.Segment) []byte {
	i := sort.Search(m.lines.Len(), func(i int) bool { return m.lines.At(i).Start > at.Start }) - 1
	if i < 0 {
		return m.Reader.Value(at)
	}
	m.spend(at.Stop - at.Start)
	line := m.lines.At(i)
	if line.Padding == 0 && at.Stop <= line.Stop {
		return m.Source()[at.Start:max(at.Start, at.Stop)]
	}
	var value []byte
	for from := at.Start; from < at.Stop; from = line.Start {
		value = line.ConcatPadding(value)
		value = append(value, m.Source()[min(from, line.Stop):min(at.Stop, line.Stop)]...)
		if i++; i == m.lines.Len() {
			break
		}
		line = m.lines.At(i)
	}
	return value
}

// FindClosure looks for closer in this line and the lines after it, up to the next opener. It supports the
// options for links and leaves all others to goldmark's FindClosure.
func (m *meter) FindClosure(opener, closer byte, options text.FindClosureOptions) (*text.Segments, bool) {
	if options != (text.FindClosureOptions{Newline: true, Advance: true}) {
		return m.Reader.FindClosure(opener, closer, options)
	}
	found := text.NewSegments()
	for {
		line, at := m.PeekLine()
		if line == nil {
			break
		}
		i := 0
		for i < len(line) && line[i] != closer && line[i] != opener {
			if line[i] == '\\' && i+1 < len(line) && util.IsPunct(line[i+1]) {
				i++
			}
			i++
		}
		m.spend(min(i, len(line)))
		if i < len(line) && line[i] == closer {
			found.Append(at.WithStop(at.Start + i - at.Padding))
			m.Reader.Advance(i + 1)
			return found, true
		}
		if i < len(line) {
			break
		}
		found.Append(at)
		m.AdvanceLine()
	}
	return nil, false // links that fail set the position themselves
}
