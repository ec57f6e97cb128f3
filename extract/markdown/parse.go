package markdown

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
	"golang.org/x/net/html"

	"example.org/refract/extract/scan"
)

// options selects a parser.
type options struct {
	wikiLinks, headings bool
	names               bool // find calls of ref and relref of Hugo
	outline             bool // parse only blocks: the content of lines is dropped
	dialect             Dialect
}

// parsers holds the parser for each value of options used so far. Several goroutines may use a parser.
var parsers sync.Map

func parserFor(o options) parser.Parser {
	o.dialect.Properties = "" // which depend on the page, and mean nothing to a parser
	p, ok := parsers.Load(o)
	if !ok {
		p, _ = parsers.LoadOrStore(o, newParser(o))
	}
	return p.(parser.Parser)
}

func newParser(o options) parser.Parser {
	links := linkParser{parser.NewLinkParser()}
	inlines := []util.PrioritizedValue{
		util.Prioritized(inlineParser{parser.NewCodeSpanParser()}, 100),
		util.Prioritized(links, 200),
		util.Prioritized(inlineParser{parser.NewAutoLinkParser()}, 300),
		util.Prioritized(inlineParser{parser.NewRawHTMLParser()}, 400),
	}
	if o.wikiLinks || o.names {
		inlines = append(inlines, util.Prioritized(inlineParser{wikiLinkParser{o.dialect.WikiTextFirst, !o.wikiLinks}}, 150))
	}
	if o.names {
		inlines = append(inlines, util.Prioritized(inlineParser{callParser{}}, 150))
	}
	if o.headings {
		inlines = append(inlines,
			util.Prioritized(inHeadings{parser.NewEmphasisParser()}, 500),
			util.Prioritized(inHeadings{strikethrough{}}, 500))
	}
	if o.outline {
		inlines = []util.PrioritizedValue{util.Prioritized(noInlines{links}, 100)}
	}
	return parser.NewParser(
		parser.WithBlockParsers(blockParsers(o.dialect)...),
		parser.WithInlineParsers(inlines...),
		parser.WithParagraphTransformers(
			util.Prioritized(definitionParser{parser.LinkReferenceParagraphTransformer}, 100),
			util.Prioritized(tableParser{tables{}}, 200),
		),
	)
}

// blockParsers returns goldmark's block parsers, the footnote parser and those of the dialect, with
// their limits.
func blockParsers(d Dialect) []util.PrioritizedValue {
	all := d.blocks(append(parser.DefaultBlockParsers(), util.Prioritized(footnoteParser{}, 999)))
	list, item, quote := parser.NewListParser(), parser.NewListItemParser(), parser.NewBlockquoteParser()
	for i := range all {
		p := all[i].Value.(parser.BlockParser)
		container := p == list || p == item || p == quote || p == footnoteParser{} || isContainer(p)
		all[i].Value = blockParser{p, container}
	}
	return all
}

// noInlines parses nothing in lines.
type noInlines struct{ linkParser }

func (noInlines) Trigger() []byte { return nil }

var collectorKey = parser.NewContextKey()

// linkParser is goldmark's link parser, which drops references without a definition; linkParser adds
// a Note for [text][label]. Only goldmark's parser knows where a link uses a label, so Mentions
// are collected here.
type linkParser struct{ parser.InlineParser }

// maxLabel is the maximum length of a label in bytes (CommonMark 6.3: 999 characters).
const maxLabel = 999

func (p linkParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, at := block.PeekLine()
	c := collectorOf(pc)
	c.chargeBrackets(parent, line)
	n := inlineParser(p).Parse(parent, block, pc)
	if n != nil && c.Mentions {
		_, next := block.Position()
		c.mention(n, at.Start, next.Start)
	}
	if link, ok := n.(*ast.Link); ok { // which holds no other: what looks like one in its text is text
		for k := len(c.undefined) - 1; k >= 0 && c.undefined[k].Start > link.Pos(); k-- {
			c.undefined = c.undefined[:k]
			c.memory += recordSize
		}
	}
	if n == nil && c.Mentions && line[0] == ']' {
		c.noteUse(at.Start)
	}
	if n != nil || len(line) < 3 || line[0] != ']' || line[1] != '[' {
		return n
	}
	label := line[2:min(len(line), 2+maxLabel)]
	end := bytes.IndexByte(label, ']')
	if end <= 0 || label[0] == '^' || bytes.HasPrefix(label[max(0, end):], []byte("](")) || bytes.LastIndexByte(c.src[max(0, at.Start-maxLabel):at.Start], '[') < 0 {
		return n
	}
	label = label[:end]
	if _, defined := pc.Reference(labelOf(label)); !defined && bytes.ContainsFunc(label, isWordRune) {
		c.undefined = append(c.undefined, scan.Span{Start: at.Start + 2, End: at.Start + 2 + end})
		c.memory -= recordSize
		c.check()
	}
	return n
}

// noteUndefined adds Notes for the labels of a block that have no definition.
func (c *collector) noteUndefined() {
	c.memory += recordSize * len(c.undefined)
	for _, at := range c.undefined {
		text := "undefined link label [" + labelOf(c.src[at.Start:at.End]) + "]"
		c.add(scan.Item{Op: scan.Note, Span: scan.Span{Start: c.body + at.Start, End: c.body + at.End}, Code: scan.CodeUndefinedLabel, Text: text})
	}
	c.undefined = c.undefined[:0]
}

// isWordRune reports whether a character occurs in labels that somebody would define.
func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// labelSpace is the Space of Mentions and Anchors that are labels.
const labelSpace = "label"

// mention adds the label that n uses, if n is a link or an image by reference. The text of n
// ends at src[bracket], and src[end] follows n.
func (c *collector) mention(n ast.Node, bracket, end int) {
	var ref *ast.ReferenceLink
	open := n.Pos() + len("[")
	switch n := n.(type) {
	case *ast.Link:
		ref = n.Reference
	case *ast.Image:
		ref = n.Reference
		open++
	}
	if ref == nil {
		return
	}
	at := scan.Span{Start: c.body + open, End: c.body + bracket}
	if ref.Type == ast.ReferenceLinkFull {
		at = scan.Span{Start: c.body + bracket + len("]["), End: c.body + end - len("]")}
	}
	c.add(scan.Item{Op: scan.Mention, In: "label", Space: labelSpace, Span: at, Value: []byte(labelOf(ref.Value))})
}

func (p linkParser) CloseBlock(parent ast.Node, block text.Reader, pc parser.Context) {
	p.InlineParser.(parser.CloseBlocker).CloseBlock(parent, block, pc)
	c := collectorOf(pc)
	c.noteUndefined()
	c.closeBlock(parent)
	if !c.pruned { // the blocks are known
		c.pruned = true
		c.prune(parent)
	}
}

// chargeBrackets charges for goldmark's work at a bracket, or at "![", besides reading
// forward. goldmark keeps each open bracket as a node before what follows it. At "]" it searches
// the nodes after the last one for links. If "(<" follows, it searches the line for ">".
func (c *collector) chargeBrackets(parent ast.Node, line []byte) {
	if line[0] != ']' {
		if line[0] == '[' || len(line) > 1 && line[1] == '[' {
			c.brackets++
		}
		return
	}
	if c.brackets == 0 {
		return
	}
	c.brackets--
	kind := openBracket()
	for n := parent.LastChild(); n != nil && n.Kind() != kind; n = n.PreviousSibling() {
		c.spend(nodeWork)
	}
	if len(line) < 3 || line[1] != '(' {
		return
	}
	dest := bytes.TrimLeft(line[2:], " \t")
	if len(dest) == 0 || dest[0] != '<' {
		return
	}
	if end := bytes.IndexByte(dest, '>'); end >= 0 {
		dest = dest[:end]
	}
	c.spend(len(dest))
}

// nodeWork is the number of bytes examined in the time in which a node is.
const nodeWork = 16

// openBracket is the kind of the node that stands for a bracket that may begin a link.
var openBracket = sync.OnceValue(func() ast.NodeKind {
	src := []byte("[")
	block := text.NewBlockReader(src, nil)
	lines := text.NewSegments()
	lines.Append(text.NewSegment(0, 1))
	block.Reset(lines)
	return parser.NewLinkParser().Parse(ast.NewParagraph(), block, parser.NewContext()).Kind()
})

// labelOf returns a label in the form in which labels are compared (CommonMark 6.3).
func labelOf(label []byte) string { return util.ToLinkReference(label) }

// inHeadings parses only in headings, and in none that is too long for an algorithm
// that does not run in linear time.
type inHeadings struct{ parser.InlineParser }

const maxHeading = 1024

func (p inHeadings) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	if parent.Kind() != ast.KindHeading {
		return nil
	}
	if lines := parent.Lines(); lines.At(lines.Len()-1).Stop-lines.At(0).Start > maxHeading {
		return nil
	}
	return p.InlineParser.Parse(parent, block, pc)
}

// footnoteParser reads the definitions of footnotes as blocks that contain others, like
// goldmark's extension, which also makes a list of them in more than linear time.
type footnoteParser struct{}

type footnote struct{ ast.BaseBlock }

var kindFootnote = ast.NewNodeKind("Footnote")

func (*footnote) Kind() ast.NodeKind           { return kindFootnote }
func (n *footnote) Dump(src []byte, level int) { ast.DumpHelper(n, src, level, nil, nil) }

func (footnoteParser) Trigger() []byte { return []byte{'['} }

func (footnoteParser) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	at := pc.BlockOffset()
	if at < 0 || !bytes.HasPrefix(line[at:], []byte("[^")) {
		return nil, parser.NoChildren
	}
	label := line[at+2 : min(len(line), at+2+maxLabel)]
	end := bytes.IndexAny(label, "[]\\")
	for end >= 0 && end+2 < len(label) && label[end] == '\\' {
		next := bytes.IndexAny(label[end+2:], "[]\\")
		if next < 0 {
			return nil, parser.NoChildren
		}
		end += 2 + next
	}
	if end <= 0 || label[end] != ']' || util.IsBlank(label[:end]) {
		return nil, parser.NoChildren
	}
	next := at + 2 + end + 1
	if next >= len(line) || line[next] != ':' {
		return nil, parser.NoChildren
	}
	if c := collectorOf(pc); c.Mentions && !c.outline {
		start := segment.Start - segment.Padding + at + len("[^")
		c.defineNote(start, start+end)
	}
	reader.AdvanceAndSetPadding(next+1-segment.Padding, segment.Padding)
	return new(footnote), parser.HasChildren
}

func (footnoteParser) Continue(_ ast.Node, reader text.Reader, _ parser.Context) parser.State {
	line, _ := reader.PeekLine()
	if util.IsBlank(line) {
		return parser.Continue | parser.HasChildren
	}
	at, padding := util.IndentPosition(line, reader.LineOffset(), 4)
	if at < 0 {
		return parser.Close
	}
	reader.AdvanceAndSetPadding(at, padding)
	return parser.Continue | parser.HasChildren
}

func (footnoteParser) Close(ast.Node, text.Reader, parser.Context) {}
func (footnoteParser) CanInterruptParagraph() bool                 { return true }
func (footnoteParser) CanAcceptIndentedLine() bool                 { return false }

// wikiLinkParser reads [[page]], [[page|text]], [[page#heading]] and ![[file]].
type wikiLinkParser struct {
	textFirst bool // [[text|page]]
	yields    bool // to links of CommonMark with such a text
}

type wikiLink struct {
	ast.BaseInline
	item scan.Item
	text []byte
}

var kindWikiLink = ast.NewNodeKind("WikiLink")

func (*wikiLink) Kind() ast.NodeKind           { return kindWikiLink }
func (n *wikiLink) Dump(src []byte, level int) { ast.DumpHelper(n, src, level, nil, nil) }

func (wikiLinkParser) Trigger() []byte { return []byte{'!', '['} }

func (p wikiLinkParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, at := block.PeekLine()
	kind, open := scan.Link, 2
	if line[0] == '!' {
		kind, open = scan.Embed, 3
	}
	if !bytes.HasPrefix(line[open-2:], []byte("[[")) {
		return nil
	}
	inner := line[open:min(len(line), open+maxLabel)]
	end := bytes.IndexAny(inner, "[]\n")
	if end <= 0 || !bytes.HasPrefix(inner[end:], []byte("]]")) {
		return nil
	}
	if p.yields && isLinkText(inner[:end], line[open+end+2:], pc) {
		return nil
	}
	inner = inner[:end]
	n := &wikiLink{item: scan.Item{Kind: kind, How: scan.Inline, In: "wikilink"}}
	target, shown, named := bytes.Cut(inner, []byte{'|'})
	if !named {
		shown = inner
	}
	offset := open
	switch {
	case !p.textFirst:
	case isPictureName(target):
		n.item.Kind = scan.Embed
	case named:
		offset += len(target) + len("|")
		target, _, _ = bytes.Cut(shown, []byte{'|'})
		shown, _, _ = bytes.Cut(inner, []byte{'|'})
	}
	trimmed := bytes.TrimLeft(target, " \t")
	from := offset + len(target) - len(trimmed)
	n.item.Value, n.text = bytes.TrimRight(trimmed, " \t\\"), shown // "\|" in tables
	if len(n.item.Value) == 0 || p.textFirst && isContentsMacro(inner) {
		return nil
	}
	start := collectorOf(pc).body + at.Start + from
	n.item.Span = scan.Span{Start: start, End: start + len(n.item.Value)}
	block.Advance(open + end + 2)
	return n
}

// isLinkText reports whether [[label]] is the text of a link of CommonMark, because of the text after it,
// or contains one.
func isLinkText(label, rest []byte, pc parser.Context) bool {
	_, isDefined := pc.Reference(labelOf(label))
	switch {
	case isDefined, bytes.HasPrefix(rest, []byte("(")):
		return true
	case !bytes.HasPrefix(rest, []byte("[")):
		return false
	}
	end := bytes.IndexByte(rest[:min(len(rest), maxLabel)], ']')
	if end < 0 {
		return false
	}
	_, isDefined = pc.Reference(labelOf(rest[1:end]))
	return isDefined
}

// callParser reads {{< ref "page" >}} and {{% relref "page" %}} of Hugo.
type callParser struct{}

func (callParser) Trigger() []byte { return []byte{'{'} }

func (callParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, at := block.PeekLine()
	line = line[:min(len(line), maxLabel)]
	if !bytes.HasPrefix(line, []byte("{{<")) && !bytes.HasPrefix(line, []byte("{{%")) {
		return nil
	}
	end := bytes.Index(line, []byte("}}"))
	if end < 0 {
		return nil
	}
	name, rest, _ := bytes.Cut(bytes.TrimLeft(line[3:end], " "), []byte{' '})
	open := bytes.IndexAny(rest, "\"`")
	if in := string(name); in != "ref" && in != "relref" || open < 0 {
		return nil
	}
	closing := bytes.IndexByte(rest[open+1:], rest[open])
	if closing <= 0 {
		return nil
	}
	n := &wikiLink{item: scan.Item{Kind: scan.Link, How: scan.Inline, In: "shortcode/" + string(name), Space: "shortcode"}}
	n.item.Value = rest[open+1:][:closing]
	from := end - len(bytes.TrimLeft(line[3:end], " ")) + len(name) + 1 + open + 1
	start := collectorOf(pc).body + at.Start + from
	n.item.Span = scan.Span{Start: start, End: start + closing}
	block.Advance(end + 2)
	return n
}

// isContentsMacro reports whether name stands for a table of contents: [[_TOC_]] in the wikis of GitHub,
// GitLab, Gitea and Azure DevOps, and [[_TOSP_]], of subpages, in the last. Gollum takes options after it:
// [[_TOC_ | levels = 2]].
func isContentsMacro(name []byte) bool {
	name, _, _ = bytes.Cut(name, []byte{'|'})
	name = bytes.TrimSpace(name)
	return string(name) == "_TOC_" || string(name) == "_TOSP_"
}

// isPictureName reports whether the suffix of a name in a wiki link is that of a picture.
func isPictureName(name []byte) bool {
	dot := bytes.LastIndexByte(name, '.')
	return dot >= 0 && slices.Contains([]string{"png", "jpg", "jpeg", "gif", "svg", "bmp", "webp"}, strings.ToLower(string(bytes.TrimSpace(name[dot+1:]))))
}

// unescape undoes CommonMark's escapes (2.4, 2.5): "\" before ASCII punctuation, and character references
// with their semicolon. If there are none, the result is s.
func unescape(s []byte) []byte {
	if bytes.IndexByte(s, '\\') < 0 && bytes.IndexByte(s, '&') < 0 {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s) && util.IsPunct(s[i+1]):
			i++
		case s[i] == '&':
			const longest = len("&CounterClockwiseContourIntegral;")
			end := bytes.IndexByte(s[i:min(len(s), i+longest)], ';') + 1
			if decoded, ok := entity(s[i : i+end]); ok {
				out = append(out, decoded...)
				i += end - 1
				continue
			}
		}
		out = append(out, s[i])
	}
	return out
}

// entity returns the text that s, "&…;", stands for.
func entity(s []byte) (string, bool) {
	if len(s) < 3 {
		return "", false
	}
	if s[1] == '#' && len(s) > len("&#x10FFFF;") {
		return "", false
	}
	// html may decode a prefix of an unknown name; then the rest of the name remains.
	decoded := html.UnescapeString(string(s))
	return decoded, decoded != string(s) && (decoded == ";" || decoded[len(decoded)-1] != ';')
}
