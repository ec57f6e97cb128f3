// Files:
//
//	markdown.go  Scanner: the results of goldmark
//	record.go    the results as Items in source order
//	parse.go     goldmark with what references need
//	plain.go     blocks that can be read in one way only, without goldmark
//	prune.go     what goldmark need not parse in the others
//	rawhtml.go   blocks and tags of HTML without goldmark's expressions
//	budget.go    limits on the time and memory of goldmark
//	simple.go    the scan of documents that exceed these limits
//	bare.go      bare links by the rules of goldmark
//	autolink.go  bare links by the rules of GitHub
//	front.go     front matter
//	dialect.go     Dialect, and those of the generators
//	templates.go   templates, masked before Markdown is parsed, and the references in them
//	includes.go    lines that stand for other files
//	navigation.go  links in front matter; metadata without marks
//	containers.go  admonitions, containers, elements of HTML
//	directives.go  directives, roles and labels of MyST
//	mdx.go         JSX and expressions
//	attributes.go  attribute lists, and blockid.go ids of blocks

// Package markdown scans Markdown for references: CommonMark with the tables, bare links and footnotes of
// GitHub, raw HTML in it, and front matter before it. Use it for the links, headings and labels of a text
// as they are written; package extract also resolves links.
//
// goldmark finds the blocks and their links, except in plain blocks, which can be read in only one way. It
// skips constructs without references (emphasis outside of headings, footnote lists). This package finds
// bare links itself, because goldmark looks for them at every white space, which adds a quarter to its
// time. A destination that goldmark returns is a part of the source, which gives its position, and its
// bytes are as written. Raw HTML goes to package html as one document in which everything else is replaced
// by spaces, so that an element may begin in one block and end in another, and every offset is right.
//
// A Dialect adds the syntax of site generators: templates, includes, containers, directives, attribute
// lists and the like.
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
	"example.org/refract/internal/emoji"
)

// A Scanner scans one document. The zero Scanner has the defaults. It may be reused, but several goroutines
// must not use it at once.
type Scanner struct {
	WikiLinks bool         // find [[page]], [[page|text]] and ![[file]]
	Names     bool         // find names of documents and files, as Refs with Space
	MDX       bool         // find imports, and href, src and to of components; Dialect.MDX also reads the rest as MDX does
	Anchors   bool         // yield an Anchor for each heading, and each id and name in HTML
	Mentions  bool         // yield a Mention for each use of a label or footnote, and an Anchor for each definition of one
	HTML      html.Scanner // scans raw HTML; Details also applies to links and images
	Dialect   Dialect      // how the site generator reads Markdown

	src     []byte
	blocks  Dialect     // Dialect, with what the document shows
	records []record    // the results, in the order in which they were found
	items   []scan.Item // the results that a record cannot hold
	forms   []form
	item    scan.Item
	more    []scan.More // for headings; the memory is reused
	mask    []byte      // raw HTML at its offsets, everything else blank; nil if there is none
	budget
	prepared

	ofHTML string // the Dialect.Properties that HTML.Properties are made of

	pieceSize int  // 0 means the constant
	all       bool // do not prune: the oracle of tests
}

// Scan yields the references, parts, anchors, mentions and notes of src in source order. src is UTF-8.
// Every input is valid. The time is linear in len(src). A document of 2 GiB, with lists and quotations more
// than 100 deep, or with too many constructs for its size is scanned for links in a simpler way, without
// labels and footnotes, and with a Note that says so.
//
// The Span of a Ref is that of its destination. A link by reference ([words][label]) has no destination of
// its own: its definition is yielded instead, once, with the label Unused if no link uses it. A full
// reference without a definition gives a Note.
//
// With Mentions, each [words][label], [label][] and [label] with a definition is also a Mention in the
// Space "label": Span is the label as written, Value the label in the form in which labels are compared
// (CommonMark 6.3). The definitions are Anchors in that Space, In "definition". Footnotes are the same in
// FootnoteSpace, In "footnote", without "^": [^name] is the use of one if it is no link.
//
// An Anchor In "heading" has the texts from which slugs are made in Text, Alt and Source, and in Value the
// id that the heading sets itself with {#id}. If the Dialect does not say which lists are read, Text, Alt
// and Source also contain the list. Otherwise they do not, and lists elsewhere are Anchors In "attribute".
//
// A reference that contains a template is found as if the template were text, with the template in its
// Value. If the template names a page or file, and only a prefix, a query or a fragment stands beside it,
// the reference is the one in the template, with How Macro. Its In is "shortcode/ref", "shortcode/relref",
// "shortcode/ref/fr" with a language, "tag/link", "tag/post_url", "filter/relative_url" and the like; if {{
// site.baseurl }} precedes the template, In begins with "baseurl ". Includes, with How Macro or Directive,
// have the label Include if the file is read as Markdown.
func (s *Scanner) Scan(src []byte) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		s.src, s.mask, s.budget = src, nil, newBudget(len(src), s.Anchors)
		s.records, s.items, s.more, s.forms = s.records[:0], s.items[:0], s.more[:0], s.forms[:0]
		s.blocks = s.Dialect.guess(src)
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
			s.expressions()
			s.expandAll()
		}
		s.sort()
		s.merge(simple, yield)
		s.release()
	}
}

// release releases the document, and memory beyond what most documents need.
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

// parse lets goldmark parse the body, and collects the results. It returns the reason why goldmark
// gave up, or "". When no block is open, goldmark may stop and continue with the next piece, so that
// memory holds only the blocks of one piece, and only the nodes of one block of lines.
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
	p := parserFor(options{wikiLinks: s.WikiLinks || s.Dialect.WikiLinks, names: s.Names, headings: s.Anchors, dialect: s.blocks})
	for more := true; more; more = r.more {
		r.more, s.piece, c.pruned = false, 0, false
		root := p.Parse(r, parser.WithContext(pc))
		c.blocks(root)
	}
	c.define()
	c.mentionNotes()
	if s.MDX || s.Dialect.MDX {
		s.imports(body)
	}
	return ""
}

// A collector collects the results from one tree.
type collector struct {
	*Scanner
	src         []byte // the parsed text: Scanner.text from body on
	original    []byte // Scanner.src from body on
	body        int
	context     parser.Context
	used        map[string]bool // labels of links by reference
	definitions []definition
	notes       map[string]bool // names of footnotes
	noteUses    []scan.Span     // in src
	undefined   []scan.Span     // labels of the current block without a definition, in src
	htmlEnd     int             // where the last HTML block ends, until the block after it has been seen; -1: none

	meter     meter
	brackets  int  // the number of open brackets in the current block
	outline   bool // collect only definitions
	rest      bool // the definitions in the rest of the document are known
	afterHTML bool // the last block that goldmark has begun is HTML
	pruned    bool // the current tree has no lines without cues
	cues      []cue
}

type definition struct {
	label []byte
	dest  []byte
	pos   int
	at    int // the offset of the destination
}

func collectorOf(pc parser.Context) *collector { return pc.Get(collectorKey).(*collector) }

// add adds an Item that goldmark found.
func (c *collector) add(it scan.Item) {
	c.Scanner.add(it)
	c.check()
}

// blocks collects the HTML blocks and definitions of a piece of the document.
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

// definition collects a definition.
func (c *collector) definition(n *ast.LinkReferenceDefinition) {
	if !c.outline {
		c.definitions = append(c.definitions, definition{n.Label, n.Destination, n.Pos(), c.offset(n.Destination, n.Pos())})
	}
}

// following returns the first block within root that begins after the beginning of n, or nil if
// there is none.
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

// smallDocument is the size in bytes up to which a document keeps its nodes: releasing them takes
// a fortieth of the whole time.
const smallDocument = 64 << 10

// closeBlock collects the results in the lines of n, which goldmark has parsed, and releases n.
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

// defineRest collects the definitions in the text that goldmark has not parsed yet, src[from:],
// before goldmark looks for links in the text before it.
func (c *collector) defineRest(from int) {
	if c.outline || c.rest || !bytes.Contains(c.src[from:], []byte("]:")) {
		return
	}
	c.rest = true
	held := c.budget
	rest := &collector{Scanner: c.Scanner, src: c.src[from:], original: c.original[from:], context: c.context, outline: true}
	pc := parser.NewContext()
	pc.Set(collectorKey, rest)
	r := newLineReader(rest, rest.src)
	for more := true; more; more = r.more {
		r.more, c.piece, rest.pruned = false, 0, false
		parserFor(options{outline: true, dialect: c.Scanner.blocks}).Parse(r, parser.WithContext(pc))
	}
	c.piece, c.stats, c.block = held.piece, held.stats, held.block
}

// inlines collects the results in the children of n, which are inline.
func (c *collector) inlines(n ast.Node) {
	inCell := n.Kind() == east.KindTableCell
	for n := n.FirstChild(); n != nil; n = n.NextSibling() {
		text, ok := n.(*ast.Text)
		if !ok {
			c.inline(n)
			continue
		}
		// Adjacent texts are one.
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
		if (c.MDX || c.Dialect.Vue) && !c.Dialect.MDX {
			c.components(start, stop)
		}
		if c.Anchors {
			c.attributes(text, n, start, stop)
			c.blockID(n, start, stop)
		}
	}
}

// components marks the tags of components in src[start:stop] as HTML. MDX adds values in braces, which make
// CommonMark read the whole tag as text.
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
		return // the content of a description is text (CommonMark 6.4)
	case *ast.AutoLink:
		c.autolink(n)
	case *ast.RawHTML:
		for i := range n.Segments.Len() {
			seg := n.Segments.At(i)
			c.raw(seg.Start, seg.Stop)
		}
	case *wikiLink:
		if n.item.Space == "" && !c.WikiLinks && !c.Dialect.WikiLinks {
			n.item.Space = n.item.In
		}
		c.add(n.item)
	case *ast.CodeSpan:
		if c.Dialect.Directives || c.Names {
			c.role(n)
		}
		return
	}
	c.within(n)
}

// within collects the results in an inline node: images in links and links in emphasis, but
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

// link adds a link or an image.
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
		return // the element exists for its id
	}
	if c.Dialect.Includes&DocFXInclude != 0 && bytes.HasPrefix(dest, []byte("#tab/")) {
		return // the mark of a tab
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

// details returns the text of a link, with images described, or the description of an image,
// if the caller wants it.
func (c *collector) details(n ast.Node) string {
	if !c.HTML.Details {
		return ""
	}
	var text, alt strings.Builder
	c.shown(n, &text, &alt, false)
	return strings.Join(strings.Fields(alt.String()), " ")
}

// offset returns the offset of dest, which goldmark has sliced from src: the capacity of a slice shows
// where it begins. If dest is a copy all the same, or is empty, offset returns pos, where the construct
// begins.
func (c *collector) offset(dest []byte, pos int) int {
	at := cap(c.src) - cap(dest)
	if len(dest) > 0 && at >= 0 && at < len(c.src) && &c.src[at] == &dest[0] {
		return at
	}
	return max(pos, 0)
}

// written returns the original bytes for s, a part of src. at is the offset of s, unless goldmark has
// copied s.
func (c *collector) written(s []byte, at int) []byte {
	if len(s) > 0 && at < len(c.src) && &c.src[at] == &s[0] {
		return c.original[at : at+len(s)]
	}
	return s
}

// define adds the definitions, once it is known which are used. If a label has several
// definitions, the first counts.
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

// orderOf describes the definition that is ignored, by whether the last one counts.
var orderOf = map[bool]string{false: "a second", true: "an earlier"}

// label adds the label of the definition at pos.
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

// autolink adds <http://…> and <user@host>.
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

// htmlBlock adds an HTML block. When rendered, the text after it begins with a tag, unless that text is
// also HTML; the tag ends one that the block has left open.
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

// shut ends a tag that the HTML block before src[end] has left open, unless the block after it, next,
// is HTML. HTML within the first line of next stays.
func (c *collector) shut(end int, next ast.Node) {
	at := c.body + end
	if _, also := next.(*ast.HTMLBlock); !also && at < len(c.mask) && c.mask[at] == ' ' {
		c.mask[at] = '>'
	}
}

// raw marks src[at:end] as HTML.
func (c *collector) raw(at, end int) {
	if c.mask == nil {
		c.mask = bytes.Repeat([]byte{' '}, len(c.Scanner.src))
	}
	copy(c.mask[c.body+at:c.body+end], c.markup[c.body+at:c.body+end])
}

// heading yields the Anchor of a heading.
func (c *collector) heading(n *ast.Heading) {
	lines := n.Lines()
	it := scan.Item{Op: scan.Anchor, In: "heading"}
	if lines.Len() == 0 { // some renderers give an id to an empty heading too
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
		// The id is in the last line. Between earlier lines, ">" of quotations may stand.
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
	if c.Dialect.hasEmoji() {
		names, hasLists := emoji.Set{Emoji: c.Dialect.Emoji, Icons: c.Dialect.Icons}, c.Dialect.Attributes == AttributesPython
		it.Text, more.Alt = names.Drop(it.Text, hasLists), names.Drop(more.Alt, hasLists)
	}
	if strings.IndexByte(source, '&') >= 0 {
		var kept strings.Builder
		c.withEntities(n, &kept)
		more.Entities = kept.String()
	}
	if text < len(source) && c.Dialect.Attributes != AttributesAny {
		more.Entities = c.Dialect.cutAttributes(more.Entities)
		it.Text, more.Alt, more.Source = c.Dialect.cutAttributes(it.Text), c.Dialect.cutAttributes(more.Alt), source[:text]
	}
	if more.Alt == it.Text {
		more.Alt = ""
	}
	if more.Entities == it.Text {
		more.Entities = ""
	}
	it.More = more
	c.add(it)
}

// hasEmoji reports whether names between colons may be pictures.
func (d *Dialect) hasEmoji() bool { return d.Emoji || d.Icons }

// shown writes the text of the children of n, without and with the text of images.
func (c *collector) shown(n ast.Node, text, alt *strings.Builder, image bool) {
	both := func(s []byte) {
		if !image {
			text.Write(s)
		}
		alt.Write(s)
	}
	src := c.original
	if c.Dialect.MDC {
		src = c.src // without attributes
	}
	hold := func(s []byte, colon string) []byte {
		if !c.Dialect.hasEmoji() {
			return s
		}
		return bytes.ReplaceAll(s, []byte(colon), []byte(emoji.Held))
	}
	for n := n.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			if value := n.Segment.Value(src); n.Parent().Kind() == ast.KindCodeSpan {
				both(hold(value, ":"))
			} else {
				both(unescape(hold(value, `\:`)))
			}
			if n.SoftLineBreak() || n.HardLineBreak() {
				both([]byte{'\n'})
			}
		case *ast.String:
			both(n.Value)
		case *ast.AutoLink:
			both(hold(n.Label(c.src), ":"))
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
	if len(s.more) == cap(s.more) { // Items point to the earlier ones
		s.more = make([]scan.More, 0, 16)
	}
	s.more = append(s.more, scan.More{})
	return &s.more[len(s.more)-1]
}

// explicitID returns the range in source of the id that a heading gives itself at its end: {#id}
// of Docusaurus and Hugo, {#id .class} and {: #id} of Python-Markdown and kramdown. text is where
// the text of the heading ends. Without an id, the span is empty.
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
