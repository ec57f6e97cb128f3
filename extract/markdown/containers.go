package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/lazy"
)

// blocks returns the block parsers of d, which replace some of those of CommonMark.
func (d Dialect) blocks(commonMark []util.PrioritizedValue) []util.PrioritizedValue {
	var all []util.PrioritizedValue
	for _, p := range commonMark {
		switch p.Priority {
		case 500: // indented code
			if d.MDX || d.MDC {
				continue
			}
		case 600, 1000: // headings, paragraphs
			if d.MDX || d.MDC {
				p.Value = anyIndent{p.Value.(parser.BlockParser)}
			}
		case 700:
			if d.MDX || d.MDC {
				p.Value = mdxFenceParser{}
			}
		case 900: // HTML
			html := htmlBlocks{p.Value.(parser.BlockParser)}
			switch {
			case d.MDX:
				p.Value = jsxParser{}
			case d.HTML == HTMLElements:
				p.Value = elementParser{html}
			case d.HTML == HTMLEither:
				p.Value = markedParser{elementParser{html}}
			default:
				p.Value = html
			}
		}
		all = append(all, p)
	}
	if d.Admonitions || d.DefinitionLists {
		all = append(all, util.Prioritized(indentedParser{d.Admonitions, d.DefinitionLists}, 50))
	}
	if d.Directives {
		all = append(all, util.Prioritized(directiveParser{}, 40))
	}
	if d.MDC {
		all = append(all, util.Prioritized(componentParser{}, 45))
	}
	if d.SlashBlocks || d.Containers || d.Directives {
		all = append(all, util.Prioritized(markerParser{d.SlashBlocks, d.Containers, d.Directives}, 60))
	}
	return all
}

// isContainer reports whether the blocks of a parser contain other blocks.
func isContainer(p parser.BlockParser) bool {
	switch p.(type) {
	case indentedParser, directiveParser:
		return true
	}
	return false
}

// A container is a block that contains other blocks.
type container struct{ ast.BaseBlock }

var kindContainer = ast.NewNodeKind("Container")

func (*container) Kind() ast.NodeKind           { return kindContainer }
func (n *container) Dump(src []byte, level int) { ast.DumpHelper(n, src, level, nil, nil) }

// sourceOf returns the offset of line[i] in the source; a reader returned line for segment.
func sourceOf(segment text.Segment, line []byte, i int) int { return segment.Stop - (len(line) - i) }

// appendText makes line[from:to] inline text of n, unless it is blank.
func appendText(n ast.Node, segment text.Segment, line []byte, from, to int) {
	from += util.TrimLeftSpaceLength(line[from:to])
	to -= util.TrimRightSpaceLength(line[from:to])
	if from < to {
		n.Lines().Append(text.NewSegment(sourceOf(segment, line, from), sourceOf(segment, line, to)))
	}
}

// indentedParser reads the blocks of Python-Markdown whose bodies are indented by 4 columns.
type indentedParser struct{ admonitions, definitions bool }

func (indentedParser) Trigger() []byte { return []byte("!?=:") }

func (p indentedParser) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	at := pc.BlockOffset()
	if at < 0 {
		return nil, parser.NoChildren
	}
	n := new(container)
	if line[at] == ':' {
		room := util.TrimLeftSpaceLength(line[at+1:])
		if !p.definitions || room == 0 || at+1+room == len(line) {
			return nil, parser.NoChildren
		}
		reader.Advance(at + 1 + room)
		return n, parser.HasChildren
	}
	title, ok := admonitionTitle(line[at:])
	if !p.admonitions || !ok {
		return nil, parser.NoChildren
	}
	if title.Start < title.End {
		shown := ast.NewTextBlock()
		appendText(shown, segment, line, at+title.Start, at+title.End)
		n.AppendChild(n, shown)
	}
	reader.AdvanceToEOL()
	return n, parser.HasChildren
}

// admonitionTitle reports whether line is the first line of an admonition, of details or of a tab, and
// returns the range of its title.
func admonitionTitle(line []byte) (title scan.Span, ok bool) {
	line = bytes.TrimRight(line, " \t\r\n")
	if len(line) < 3 || line[1] != line[0] || line[2] != line[0] {
		return title, false
	}
	i := 3
	for i < len(line) && (line[i] == '+' || line[i] == '!') && line[0] != '!' {
		i++
	}
	rest := line[i:]
	if quote := bytes.IndexByte(rest, '"'); quote >= 0 {
		if quote == len(rest)-1 || rest[len(rest)-1] != '"' || quote == 0 || rest[quote-1] != ' ' {
			return title, false
		}
		title = scan.Span{Start: i + quote + 1, End: len(line) - 1}
		rest = rest[:quote]
	} else if line[0] == '=' {
		return title, false
	}
	rest = bytes.TrimSpace(rest)
	if len(rest) == 0 {
		return title, title.Start > 0
	}
	for _, c := range rest {
		if !ascii.IsAlnum(c) && c != '_' && c != '-' && c != ' ' && c < 0x80 {
			return title, false
		}
	}
	return title, line[0] != '='
}

func (indentedParser) Continue(_ ast.Node, reader text.Reader, _ parser.Context) parser.State {
	return footnoteParser{}.Continue(nil, reader, nil)
}

func (indentedParser) Close(ast.Node, text.Reader, parser.Context) {}
func (indentedParser) CanInterruptParagraph() bool                 { return true }
func (indentedParser) CanAcceptIndentedLine() bool                 { return false }

// markerParser reads lines that begin or end a block, or that only the generator reads. The text
// between them is not indented.
type markerParser struct{ slashes, colons, myst bool }

// A marker is such a line. Its Lines are the title of the block that it begins.
type marker struct {
	ast.BaseBlock
	label text.Segment // of "(label)="
}

var kindMarker = ast.NewNodeKind("Marker")

func (*marker) Kind() ast.NodeKind           { return kindMarker }
func (n *marker) Dump(src []byte, level int) { ast.DumpHelper(n, src, level, nil, nil) }

func (markerParser) Trigger() []byte { return []byte("/:%(+") }

func (p markerParser) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	at := pc.BlockOffset()
	if at < 0 {
		return nil, parser.NoChildren
	}
	end := at
	for end < len(line) && line[end] == line[at] {
		end++
	}
	stop := len(bytes.TrimRight(line, " \t\r\n"))
	n := new(marker)
	switch c := line[at]; {
	case c == '/' && p.slashes && end-at >= 3:
		if title := bytes.IndexByte(line[end:stop], '|'); title >= 0 {
			appendText(n, segment, line, end+title+1, stop)
		}
	case c == ':' && p.colons && end-at >= 3:
		if end < stop {
			appendText(n, segment, line, end, stop)
		}
	case c == '%' && p.myst, c == '+' && p.myst && end-at == 3:
	case c == '(' && p.myst && end-at == 1 && stop-at > 3 && bytes.HasSuffix(line[:stop], []byte(")=")):
		if bytes.ContainsAny(line[at+1:stop-2], "()") {
			return nil, parser.NoChildren
		}
		n.label = text.NewSegment(sourceOf(segment, line, at+1), sourceOf(segment, line, stop-2))
	default:
		return nil, parser.NoChildren
	}
	reader.AdvanceToEOL()
	return n, parser.NoChildren
}

func (markerParser) Continue(ast.Node, text.Reader, parser.Context) parser.State { return parser.Close }
func (markerParser) Close(ast.Node, text.Reader, parser.Context)                 {}
func (markerParser) CanInterruptParagraph() bool                                 { return true }
func (markerParser) CanAcceptIndentedLine() bool                                 { return false }

// elementParser reads HTML blocks as Python-Markdown and kramdown do: an element is HTML up to its end,
// whatever it contains, but Markdown if it has an attribute "markdown". goldmark reads all other HTML, in
// blocks or inline.
type elementParser struct{ parser.BlockParser }

// An element is an HTML block that its own end tag ends.
type element struct {
	*ast.HTMLBlock
	name  []byte
	depth int // of open elements with that name; 0: the block ends with this line
}

var lastEndKey = parser.NewContextKey()

func (p elementParser) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	at := pc.BlockOffset()
	if at < 0 || at+1 >= len(line) {
		return nil, parser.NoChildren
	}
	i := at + 1
	isEnd := line[i] == '/'
	if isEnd {
		i++
	}
	name := tagName(line[i:])
	switch {
	case len(name) == 0:
		return p.BlockParser.Open(parent, reader, pc) // a comment, a declaration
	case isEnd && blockElements.Has(string(bytes.ToLower(name))):
		return p.whole(reader, line, segment)
	case !blockElements.Has(string(bytes.ToLower(name))):
		if rawElements.Has(string(bytes.ToLower(name))) {
			return p.BlockParser.Open(parent, reader, pc)
		}
		return nil, parser.NoChildren // inline
	}
	tag, isMarkdown := startTag(reader.Source()[sourceOf(segment, line, at):])
	if isMarkdown {
		if tag == 0 || at+tag > len(line) || !util.IsBlank(line[at+tag:]) {
			return nil, parser.NoChildren // inline
		}
		return p.whole(reader, line, segment)
	}
	if !hasEnd(pc, reader.Source(), name, segment.Start) {
		return p.BlockParser.Open(parent, reader, pc)
	}
	n := &element{HTMLBlock: ast.NewHTMLBlock(ast.HTMLBlockType6), name: bytes.ToLower(name)}
	n.count(line)
	n.Lines().Append(segment)
	reader.AdvanceToEOL()
	return n, parser.NoChildren
}

// markedParser reads elements with an attribute "markdown" as elementParser does, and all others as goldmark does.
type markedParser struct{ elementParser }

func (p markedParser) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	at := pc.BlockOffset()
	if at >= 0 && at+1 < len(line) && blockElements.Has(string(bytes.ToLower(tagName(line[at+1:])))) {
		tag, isMarkdown := startTag(reader.Source()[sourceOf(segment, line, at):])
		if isMarkdown && tag > 0 && at+tag <= len(line) && util.IsBlank(line[at+tag:]) {
			return p.whole(reader, line, segment)
		}
	}
	return p.BlockParser.Open(parent, reader, pc)
}

// whole makes the line an HTML block.
func (p elementParser) whole(reader text.Reader, _ []byte, segment text.Segment) (ast.Node, parser.State) {
	n := &element{HTMLBlock: ast.NewHTMLBlock(ast.HTMLBlockType6)}
	n.Lines().Append(segment)
	reader.AdvanceToEOL()
	return n, parser.NoChildren
}

func (p elementParser) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	n, ok := node.(*element)
	if !ok {
		return p.BlockParser.Continue(node, reader, pc)
	}
	if n.depth <= 0 {
		return parser.Close
	}
	line, segment := reader.PeekLine()
	n.count(line)
	n.Lines().Append(segment)
	reader.AdvanceToEOL()
	return parser.Continue | parser.NoChildren
}

func (p elementParser) Close(node ast.Node, reader text.Reader, pc parser.Context) {
	if _, ok := node.(*element); !ok {
		p.BlockParser.Close(node, reader, pc)
	}
}

// count counts the tags of line.
func (n *element) count(line []byte) {
	for i := range line {
		if line[i] != '<' {
			continue
		}
		rest := line[i+1:]
		if name, isEnd := bytes.CutPrefix(rest, []byte("/")); isEnd {
			if bytes.EqualFold(tagName(name), n.name) {
				n.depth--
			}
		} else if bytes.EqualFold(tagName(rest), n.name) {
			n.depth++
		}
	}
}

// hasEnd reports whether src[at:] contains an end tag with the given name.
func hasEnd(pc parser.Context, src, name []byte, at int) bool {
	last, _ := pc.Get(lastEndKey).(map[string]int)
	if last == nil {
		last = make(map[string]int)
		pc.Set(lastEndKey, last)
	}
	end, ok := last[string(name)]
	if !ok {
		end = bytes.LastIndex(src, append([]byte("</"), name...))
		last[string(name)] = end
	}
	return end > at
}

// tagName returns the name at the start of s.
func tagName(s []byte) []byte {
	n := 0
	for n < len(s) && (ascii.IsAlnum(s[n]) || s[n] == '-' && n > 0) {
		n++
	}
	if n == 0 || !ascii.IsLetter(s[0]) {
		return nil
	}
	return s[:n]
}

// startTag returns the length of the start tag at the start of src, or 0 if it does not end within
// 4 KiB, and whether it has an attribute "markdown" other than "0".
func startTag(src []byte) (n int, isMarkdown bool) {
	src = src[:min(len(src), 4096)]
	quote := byte(0)
	for n = range src {
		switch c := src[n]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return n + 1, isMarkdown
		case c == 'm' && (src[n-1] == ' ' || src[n-1] == '\t' || src[n-1] == '\n'):
			rest, ok := bytes.CutPrefix(src[n:], []byte("markdown"))
			if ok && len(rest) > 0 && !ascii.IsAlnum(rest[0]) && rest[0] != '-' && !bytes.HasPrefix(rest, []byte(`="0"`)) {
				isMarkdown = true
			}
		}
	}
	return 0, isMarkdown
}

// blockElements are the elements that begin a block of HTML: those of CommonMark 4.6 and of Python-Markdown.
var blockElements = lazy.NewSet("address article aside audio blockquote body canvas caption center col colgroup dd details dialog dir div dl dt " +
	"fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 head header html iframe legend li main menu nav noframes noscript ol " +
	"optgroup option p section summary table tbody td tfoot th thead tr ul video math object output progress")

// rawElements are the elements whose content is text.
var rawElements = lazy.NewSet("script pre style textarea base hr link meta track")

// guess returns the Dialect for a document that shows which notations of Python-Markdown its generator reads.
func (d Dialect) guess(src []byte) Dialect {
	if !d.GuessAdmonitions || d.MDX || d.MDC {
		return d
	}
	d.GuessAdmonitions = false
	d.Admonitions = d.Admonitions || hasAdmonition(src)
	if d.HTML == HTMLLines && (bytes.Contains(src, []byte(" markdown>")) || bytes.Contains(src, []byte(` markdown="`))) {
		d.HTML = HTMLEither
	}
	return d
}

// hasAdmonition reports whether a document has an admonition, details or a tab with a body, which is
// indented further than the first line. In other dialects, such a body would be code after a paragraph that
// begins with "!!!".
func hasAdmonition(src []byte) bool {
	for _, mark := range []string{"!!!", "???", `=== "`} {
		for at := 0; ; {
			i := bytes.Index(src[at:], []byte(mark))
			if i < 0 {
				break
			}
			i += at
			at = i + len(mark)
			start := len(bytes.TrimRight(src[:i], " "))
			if start > 0 && src[start-1] != '\n' {
				continue
			}
			indent := i - start
			end := bytes.IndexByte(src[i:], '\n')
			if end < 0 {
				break
			}
			at = i + end
			if _, ok := admonitionTitle(src[i : i+end]); ok && namesKind(src[i+len("!!!"):i+end]) && hasBody(src[i+end+1:], indent) {
				return true
			}
		}
	}
	return false
}

// namesKind reports whether a first line has, after its marks, the name of a kind of admonition, or a
// title. Ordinary text may also begin with "!!!".
func namesKind(s []byte) bool {
	s = bytes.TrimLeft(s, "+! ")
	return len(s) > 0 && (s[0] >= 'a' && s[0] <= 'z' || s[0] == '"')
}

// hasBody reports whether text begins with a line that is indented by 4 columns more than indent, perhaps
// after an empty one.
func hasBody(text []byte, indent int) bool {
	const room = 4
	for range 2 {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		if content := bytes.TrimLeft(line, " "); len(bytes.TrimSpace(content)) > 0 {
			return len(line)-len(content) >= indent+room || bytes.HasPrefix(line, []byte("\t"))
		}
		text = rest
	}
	return false
}
