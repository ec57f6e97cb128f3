// Package markdown scans Markdown for references: CommonMark with the tables, bare
// links and footnotes of GitHub, raw HTML in it, and front matter before it.
//
// goldmark finds the blocks and the links in them; what references do not need
// (emphasis outside of headings, footnote lists) is not parsed, and bare links are
// found here, as goldmark asks for them at every white space, which takes it a quarter
// of its time again. A destination that
// goldmark gives is a part of the source: where it stands follows from that, and its
// bytes are as written. Raw HTML goes to package html, as one document in which all
// that is not HTML is blank, so that an element may begin in one block and end in
// another, and every offset is right.
//
//	markdown.go  Scanner: what goldmark found
//	record.go    what was found, as Items in source order
//	parse.go     goldmark with what references need
//	budget.go    the bounds of goldmark's time and memory
//	simple.go    the scan of documents that are beyond these
//	bare.go      links that stand bare in text, as goldmark makes them
//	autolink.go  the same, as GitHub does
//	front.go     front matter
//
// A Dialect adds what generators of sites read:
//
//	dialect.go     Dialect, and those of the generators
//	templates.go   templates, masked before Markdown is parsed, and the references in them
//	includes.go    lines that stand for other files
//	navigation.go  links in front matter; metadata without marks
//	containers.go  admonitions, containers, elements of HTML
//	directives.go  directives, roles and labels of MyST
//	mdx.go         JSX and expressions
//	attributes.go  attribute lists, and blockid.go ids of blocks
package markdown

import (
	"bytes"
	"cmp"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"

	"example.org/refract/extract/html"
	"example.org/refract/extract/scan"
)

// A Scanner scans one document. The zero Scanner has the defaults. It may be used
// again, not by several goroutines at once.
type Scanner struct {
	WikiLinks bool         // find [[page]], [[page|text]] and ![[file]]
	MDX       bool         // find imports, and href, src and to of components
	Anchors   bool         // yield an Anchor for each heading, and each id and name in HTML
	Mentions  bool         // yield a Mention for each use of a label, and an Anchor for each definition of one
	HTML      html.Scanner // of raw HTML; Details is for links and images, too
	Dialect   Dialect      // what the generator of the site reads

	src     []byte
	records []record    // what was found, in the order in which it was
	items   []scan.Item // those that a record has no room for
	forms   []form
	item    scan.Item
	more    []scan.More // of headings: memory that is used again
	mask    []byte      // raw HTML where it stands, all else blank; nil if there is none
	budget
	prepared

	pieceSize int // 0 stands for the constant
}

// Scan yields the references, parts, anchors, mentions and notes of src in source order.
// src is UTF-8. Every input is valid. The time is linear in len(src).
//
// The Span of a Ref is that of its destination. A link by reference ([text][label]) has no
// destination of its own: its definition is yielded instead, once, with the label Unused
// if no link uses it. A full reference without a definition gives a Note.
//
// With Mentions, [text][label], [label][] and [label] that a definition exists for are also
// Mentions in the Space "label": Span is the label as written, Value the label as labels
// are compared (CommonMark 6.3). The definitions are Anchors in that Space, In "definition".
// Neither is found in a document that is scanned in a simpler way.
//
// An Anchor In "heading" has in Text, Alt and Source what slugs are made of, and in Value
// the id that the heading sets itself with {#id}; Text, Alt and Source contain that, too, unless
// the Dialect says which lists are read. Then they are without the list, and lists elsewhere are
// Anchors In "attribute".
//
// A reference that contains a template is found where it would be, with the template in its
// Value. If the template names a page or file, and nothing but a prefix, a query or a fragment is
// beside it, the reference is what the template names, with How Macro and In "shortcode/ref",
// "shortcode/relref", "tag/link", "tag/post_url", "filter/relative_url" and the like; "baseurl "
// is in front of that if {{ site.baseurl }} is in front of the template. Includes, with How Macro
// or Directive, have the label Include where the file is read as Markdown.
func (s *Scanner) Scan(src []byte) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		s.src, s.mask, s.budget = src, nil, newBudget(len(src))
		s.records, s.items, s.more, s.forms = s.records[:0], s.items[:0], s.more[:0], s.forms[:0]
		body := s.frontMatter()
		records, items := len(s.records), len(s.items)
		s.prepare(body)
		var simple *simpleScan
		if reason := s.parse(body); reason != "" {
			s.records, s.items = s.records[:records], s.items[:items]
			s.add(scan.Item{Op: scan.Note, Span: scan.Span{Start: body, End: body}, Code: scan.CodeSimplified, Text: string(reason)})
			s.mask = s.simpleMask(body)
			simple = &simpleScan{src: src, at: body, end: body}
		} else {
			s.expandAll()
		}
		s.sort()
		s.merge(simple, yield)
		s.release()
	}
}

// release lets go of the document, and of more memory than most documents need.
func (s *Scanner) release() {
	const (
		maxRecords = 1 << 14
		maxItems   = 1 << 10
	)
	s.src, s.mask, s.item, s.prepared = nil, nil, scan.Item{}, prepared{}
	clear(s.items)
	clear(s.more)
	clear(s.forms)
	if cap(s.records) > maxRecords {
		s.records = nil
	}
	if cap(s.items) > maxItems {
		s.items, s.more = nil, nil
	}
}

// parse lets goldmark parse the body, and takes what it finds. It returns why it gave up, "" if
// it did not. Where no block is open goldmark may stop, and go on with the next piece: only the
// blocks of one piece are held at a time, and only the nodes of one block of lines.
func (s *Scanner) parse(body int) (reason overBudget) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case overBudget:
			reason = v
		default:
			panic(v)
		}
	}()
	if len(s.src) > math.MaxInt32 {
		return tooLarge
	}
	src := s.text[body:]
	pc := parser.NewContext()
	c := &collector{Scanner: s, src: src, original: s.src[body:], body: body, context: pc, htmlEnd: -1}
	c.meter.budget = &s.budget
	pc.Set(collectorKey, c)
	r := newLineReader(c, src)
	p := parserFor(options{wikiLinks: s.WikiLinks || s.Dialect.WikiLinks, headings: s.Anchors, dialect: s.Dialect})
	for more := true; more; more = r.more {
		r.more, s.piece = false, 0
		root := p.Parse(r, parser.WithContext(pc))
		c.blocks(root)
	}
	c.define()
	if s.MDX || s.Dialect.MDX {
		s.imports(body)
	}
	return ""
}

// A collector takes what stands in one tree.
type collector struct {
	*Scanner
	src         []byte // what is parsed: Scanner.text from body on
	original    []byte // the same of Scanner.src
	body        int
	context     parser.Context
	used        map[string]bool // labels of links by reference
	definitions []definition
	htmlEnd     int // where an HTML block ends that what follows it has not been seen of; -1: none

	meter    meter
	brackets int  // that are open in the block at hand
	outline  bool // only definitions are wanted
	rest     bool // the definitions of the rest of the document are known
}

type definition struct {
	label []byte
	dest  []byte
	pos   int
	at    int // of the destination
}

func collectorOf(pc parser.Context) *collector { return pc.Get(collectorKey).(*collector) }

// add adds an Item that goldmark found.
func (c *collector) add(it scan.Item) {
	c.Scanner.add(it)
	c.check()
}

// blocks takes the HTML blocks and definitions of a piece of the document.
func (c *collector) blocks(root ast.Node) {
	if first := root.FirstChild(); c.htmlEnd >= 0 && first != nil {
		c.shut(c.htmlEnd, first)
		c.htmlEnd = -1
	}
	for n := root.FirstChild(); n != nil; n = following(n, root) {
		switch n := n.(type) {
		case *ast.HTMLBlock:
			c.htmlBlock(n)
		case *ast.LinkReferenceDefinition:
			c.definition(n)
		case *element:
			c.htmlBlock(n.HTMLBlock)
		case *ast.FencedCodeBlock:
			c.fenceID(n)
		case *directive:
			c.directive(n)
		case *marker:
			if n.label.Start < n.label.Stop {
				c.defineName(n.label, RefSpace, "label")
			}
		}
	}
}

// definition takes a definition.
func (c *collector) definition(n *ast.LinkReferenceDefinition) {
	if !c.outline {
		c.definitions = append(c.definitions, definition{n.Label, n.Destination, n.Pos(), c.offset(n.Destination, n.Pos())})
	}
}

// following returns the block that begins behind the beginning of n, within root; nil if there
// is none.
func following(n, root ast.Node) ast.Node {
	if child := n.FirstChild(); child != nil && child.Type() == ast.TypeBlock {
		return child
	}
	for ; n != nil && n != root; n = n.Parent() {
		if next := n.NextSibling(); next != nil {
			return next
		}
	}
	return nil
}

// smallDocument is the size in bytes of documents whose nodes are not worth the time to let go
// of, a fortieth of that of the whole.
const smallDocument = 64 << 10

// closeBlock takes what stands in the lines of n, which goldmark has parsed, and lets go of it.
func (c *collector) closeBlock(n ast.Node) {
	if first := n.FirstChild(); first == nil || first.Type() == ast.TypeInline {
		if h, ok := n.(*ast.Heading); ok && c.Anchors && !c.outline {
			c.heading(h)
		}
		if first != nil && !c.outline {
			c.inlines(n)
		}
		if len(c.src) > smallDocument {
			n.RemoveChildren(n)
		}
	}
	c.block, c.brackets = 0, 0
}

// defineRest takes the definitions of what goldmark has not parsed yet, src[from:], before
// links are looked for in what is in front of it.
func (c *collector) defineRest(from int) {
	if c.outline || c.rest || !bytes.Contains(c.src[from:], []byte("]:")) {
		return
	}
	c.rest = true
	held := c.budget
	rest := &collector{Scanner: c.Scanner, src: c.src[from:], context: c.context, outline: true}
	pc := parser.NewContext()
	pc.Set(collectorKey, rest)
	r := newLineReader(rest, rest.src)
	for more := true; more; more = r.more {
		r.more, c.piece = false, 0
		parserFor(options{outline: true, dialect: c.Dialect}).Parse(r, parser.WithContext(pc))
	}
	c.piece, c.stats, c.block = held.piece, held.stats, held.block
}

// inlines takes what stands in the children of n, which are inline.
func (c *collector) inlines(n ast.Node) {
	inCell := n.Kind() == east.KindTableCell
	for n := n.FirstChild(); n != nil; n = n.NextSibling() {
		text, ok := n.(*ast.Text)
		if !ok {
			c.inline(n)
			continue
		}
		// Texts that touch are one.
		start, stop := text.Segment.Start, text.Segment.Stop
		for {
			next, ok := n.NextSibling().(*ast.Text)
			if !ok || next.Segment.Start != stop {
				break
			}
			n, stop = next, next.Segment.Stop
		}
		if c.Dialect.Bare != BareNone {
			c.bare(start, stop, inCell)
		}
		if c.MDX && !c.Dialect.MDX {
			c.components(start, stop)
		}
		if c.Anchors {
			c.attributes(text, n, start, stop)
			c.blockID(n, start, stop)
		}
	}
}

// components lets the tags of components in src[start:stop] be HTML: what MDX adds are
// values in braces, for which CommonMark takes the whole for text.
func (c *collector) components(start, stop int) {
	const longest = 4096
	for i := start; i < stop; i++ {
		n := bytes.IndexByte(c.src[i:stop], '<')
		if i += n; n < 0 || i+1 == stop || c.src[i+1] < 'A' || c.src[i+1] > 'Z' {
			if n < 0 {
				return
			}
			continue
		}
		depth, quote := 0, byte(0)
		for end := i + 1; end < min(len(c.src), i+longest); end++ {
			switch b := c.src[end]; {
			case quote != 0:
				if b == quote {
					quote = 0
				}
			case b == '"' || b == '\'' || b == '`':
				quote = b
			case b == '{':
				depth++
			case b == '}':
				depth--
			case b == '>' && depth == 0:
				c.raw(i, end+1)
				i, end = end, len(c.src)
			}
			c.spend(1)
		}
	}
}

func (c *collector) inline(n ast.Node) {
	switch n := n.(type) {
	case *ast.Link:
		c.link(n.Destination, n.Reference, n.Pos(), scan.Item{Kind: scan.Link, How: scan.Inline, In: "link", Text: c.details(n)})
	case *ast.Image:
		c.link(n.Destination, n.Reference, n.Pos(), scan.Item{Kind: scan.Embed, How: scan.Inline, In: "image", Text: c.details(n)})
		return // what is in a description is text (CommonMark 6.4)
	case *ast.AutoLink:
		c.autolink(n)
	case *ast.RawHTML:
		for i := range n.Segments.Len() {
			seg := n.Segments.At(i)
			c.raw(seg.Start, seg.Stop)
		}
	case *wikiLink:
		c.add(n.item)
	case *ast.CodeSpan:
		if c.Dialect.Directives {
			c.role(n)
		}
		return
	}
	c.within(n)
}

// within takes what stands in an inline node: images in links, links in emphasis, and
// no bare links.
func (c *collector) within(n ast.Node) {
	if n.Kind() == ast.KindEmphasis || n.Kind() == east.KindStrikethrough {
		c.inlines(n)
		return
	}
	for n := n.FirstChild(); n != nil; n = n.NextSibling() {
		c.inline(n)
	}
}

// link takes a link or an image.
func (c *collector) link(dest []byte, ref *ast.ReferenceLink, pos int, it scan.Item) {
	at := c.offset(dest, pos)
	if ref != nil {
		if c.used == nil {
			c.used = make(map[string]bool)
		}
		c.used[labelOf(ref.Value)] = true
		return
	}
	if len(dest) == 0 && c.Dialect.Attributes == AttributesPython && bytes.HasPrefix(c.src[max(pos, 0):], []byte("[](){")) {
		return // it is there for its id
	}
	it.Span = scan.Span{Start: c.body + at, End: c.body + at + len(dest)}
	it.Value = unescape(c.written(dest, at))
	if isFile, isInclude := c.isDocFX(pos); isFile {
		it.Kind = scan.Embed
		if isInclude {
			it.Labels |= scan.Include
		}
	}
	c.add(it)
}

// details returns the text of a link, images described, or the description of an image,
// if it is asked for.
func (c *collector) details(n ast.Node) string {
	if !c.HTML.Details {
		return ""
	}
	var text, alt strings.Builder
	c.shown(n, &text, &alt, false)
	return strings.Join(strings.Fields(alt.String()), " ")
}

// offset returns where dest stands, which goldmark has cut out of src: what a slice can
// grow by tells where it begins. If it has been copied all the same, or is empty, it is
// said to stand at pos, where its construct begins.
func (c *collector) offset(dest []byte, pos int) int {
	at := cap(c.src) - cap(dest)
	if len(dest) > 0 && at >= 0 && at < len(c.src) && &c.src[at] == &dest[0] {
		return at
	}
	return max(pos, 0)
}

// written returns what the document has where s is in src, at an offset that is that of s unless
// goldmark has copied it.
func (c *collector) written(s []byte, at int) []byte {
	if len(s) > 0 && at < len(c.src) && &c.src[at] == &s[0] {
		return c.original[at : at+len(s)]
	}
	return s
}

// define takes the definitions, once it is known which are used: of several for one
// label the first.
func (c *collector) define() {
	slices.SortStableFunc(c.definitions, func(a, b definition) int { return cmp.Compare(a.pos, b.pos) })
	seen := make(map[string]bool, len(c.definitions))
	last := make(map[string]int)
	if c.Dialect.LastDefinition {
		for i, d := range c.definitions {
			last[labelOf(d.label)] = i
		}
	}
	for i, d := range c.definitions {
		it := scan.Item{
			Kind: scan.Definition, How: scan.Reference, In: "definition",
			Span:  scan.Span{Start: c.body + d.at, End: c.body + d.at + len(d.dest)},
			Value: unescape(c.written(d.dest, d.at)),
		}
		label := labelOf(d.label)
		if c.Mentions {
			c.label(d.pos, label)
		}
		isOther := seen[label]
		if n, ok := last[label]; ok {
			isOther = n != i
		}
		if isOther {
			c.add(scan.Item{Op: scan.Note, Span: it.Span, Code: scan.CodeDuplicateLabel, Text: orderOf[c.Dialect.LastDefinition] + " definition of [" + label + "] is ignored"})
		}
		if isOther || !c.used[label] {
			it.Labels = scan.Unused
		}
		seen[label] = true
		c.add(it)
	}
}

// orderOf says which definition of a label is ignored, by whether the last one counts.
var orderOf = map[bool]string{false: "a second", true: "an earlier"}

// label takes the label of the definition at pos.
func (c *collector) label(pos int, label string) {
	start := max(pos, 0)
	for start < len(c.src) && c.src[start] == ' ' { // up to three
		start++
	}
	if start == len(c.src) || c.src[start] != '[' {
		return
	}
	start++
	end := start
	for end < len(c.src) && c.src[end] != ']' {
		if c.src[end] == '\\' {
			end++
		}
		end++
	}
	end = min(end, len(c.src))
	it := scan.Item{Op: scan.Anchor, In: "definition", Space: labelSpace, Value: []byte(label), More: c.moreOf()}
	it.Span = scan.Span{Start: c.body + start, End: c.body + end}
	it.More.NameSpan = it.Span
	c.add(it)
}

// autolink takes <http://…> and <user@host>.
func (c *collector) autolink(n *ast.AutoLink) {
	label := n.Label(c.src)
	at := c.offset(label, n.Pos())
	it := scan.Item{Kind: scan.Link, How: scan.Autolink, In: "autolink", Value: c.written(label, at)}
	it.Span = scan.Span{Start: c.body + at, End: c.body + at + len(label)}
	if n.AutoLinkType == ast.AutoLinkEmail && !bytes.HasPrefix(bytes.ToLower(label), []byte("mailto:")) {
		it.Meant = "mailto:"
	}
	c.add(it)
}

// htmlBlock takes an HTML block. What comes after it, unless that is HTML too, begins
// with a tag where it is shown, which ends one that the block has left open.
func (c *collector) htmlBlock(n *ast.HTMLBlock) {
	end := 0
	lines := n.Lines()
	for i := range lines.Len() {
		seg := lines.At(i)
		c.raw(seg.Start, seg.Stop)
		end = seg.Stop
	}
	if n.HasClosure() {
		c.raw(n.ClosureLine.Start, n.ClosureLine.Stop)
		end = n.ClosureLine.Stop
	}
	if next := n.NextSibling(); next != nil {
		c.shut(end, next)
	} else if n.Parent().Kind() == ast.KindDocument {
		c.htmlEnd = end
	}
}

// shut ends a tag that the HTML block in front of src[end] has left open, if next, which follows,
// is no HTML. What is HTML within its first line stays.
func (c *collector) shut(end int, next ast.Node) {
	at := c.body + end
	if _, also := next.(*ast.HTMLBlock); !also && at < len(c.mask) && c.mask[at] == ' ' {
		c.mask[at] = '>'
	}
}

// raw lets src[at:end] be HTML.
func (c *collector) raw(at, end int) {
	if c.mask == nil {
		c.mask = bytes.Repeat([]byte{' '}, len(c.Scanner.src))
	}
	copy(c.mask[c.body+at:c.body+end], c.markup[c.body+at:c.body+end])
}

// heading yields what a heading may be linked by.
func (c *collector) heading(n *ast.Heading) {
	lines := n.Lines()
	it := scan.Item{Op: scan.Anchor, In: "heading"}
	if lines.Len() == 0 { // some renderers have an id for that, too
		it.Span = scan.Span{Start: c.body + max(n.Pos(), 0), End: c.body + max(n.Pos(), 0)}
		c.add(it)
		return
	}
	it.Span = scan.Span{Start: c.body + lines.At(0).Start, End: c.body + lines.At(lines.Len()-1).Stop}
	source := string(lines.Value(c.original))
	size := len(source)
	source = strings.TrimRight(source, "\r\n")
	more := c.moreOf()
	more.Source, more.TextSpan = source, it.Span
	more.TextSpan.End -= min(size-len(source), it.Span.End-it.Span.Start)
	id, text := c.Dialect.headingID(source)
	if id.Start < id.End {
		it.Value = []byte(source[id.Start:id.End])
		// It is in the last line. Lines before that may have marks of quotations between them.
		last := lines.At(lines.Len() - 1)
		if back := size - id.Start; back <= last.Stop-last.Start {
			at := c.body + last.Stop - back
			more.NameSpan = scan.Span{Start: at, End: at + id.End - id.Start}
		}
	}
	if text < len(source) && (id.Start < id.End || c.Dialect.Attributes != AttributesAny) {
		last := lines.At(lines.Len() - 1)
		if back := size - text; back <= last.Stop-last.Start {
			more.TextSpan.End = c.body + last.Stop - back
		}
	}
	var shown, alt strings.Builder
	c.shown(n, &shown, &alt, false)
	it.Text, more.Alt = shown.String(), alt.String()
	if text < len(source) && c.Dialect.Attributes != AttributesAny {
		it.Text, more.Alt, more.Source = cutAttributes(it.Text), cutAttributes(more.Alt), source[:text]
	}
	if more.Alt == it.Text {
		more.Alt = ""
	}
	it.More = more
	c.add(it)
}

// shown writes the text of the children of n: without and with that of images.
func (c *collector) shown(n ast.Node, text, alt *strings.Builder, image bool) {
	both := func(s []byte) {
		if !image {
			text.Write(s)
		}
		alt.Write(s)
	}
	for n := n.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			if value := n.Segment.Value(c.original); n.Parent().Kind() == ast.KindCodeSpan {
				both(value)
			} else {
				both(unescape(value))
			}
			if n.SoftLineBreak() || n.HardLineBreak() {
				both([]byte{'\n'})
			}
		case *ast.String:
			both(n.Value)
		case *ast.AutoLink:
			both(n.Label(c.src))
		case *ast.Image:
			c.shown(n, text, alt, true)
		case *wikiLink:
			both(n.text)
		case *ast.RawHTML, *east.TaskCheckBox:
		default:
			c.shown(n, text, alt, image)
		}
	}
}

// moreOf returns a More that nothing else uses during this scan.
func (s *Scanner) moreOf() *scan.More {
	if len(s.more) == cap(s.more) { // Items point to those before
		s.more = make([]scan.More, 0, 16)
	}
	s.more = append(s.more, scan.More{})
	return &s.more[len(s.more)-1]
}

// explicitID returns where source has the id that a heading gives itself at its end: {#id}
// of Docusaurus and Hugo, {#id .class} and {: #id} of Python-Markdown and kramdown. The
// text of the heading ends at text. Without an id, the span is empty.
func explicitID(source string) (id scan.Span, text int) {
	source = strings.TrimRight(source, " \t#")
	body, ok := strings.CutSuffix(source, "}")
	brace := strings.LastIndexByte(body, '{')
	if !ok || brace < 0 {
		return scan.Span{}, len(source)
	}
	at := brace + 1
	if strings.HasPrefix(body[at:], ":") {
		at++
	}
	for field := range strings.FieldsSeq(body[at:]) {
		at += strings.Index(body[at:], field)
		if len(field) > 1 && field[0] == '#' {
			return scan.Span{Start: at + 1, End: at + len(field)}, len(strings.TrimRight(source[:brace], " \t"))
		}
		at += len(field)
	}
	return scan.Span{}, len(source)
}
