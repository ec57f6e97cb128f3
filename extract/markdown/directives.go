package markdown

import (
	"bytes"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/lazy"
)

// RefSpace is the Space of Sphinx labels, and TermSpace that of the terms of Sphinx glossaries.
const (
	RefSpace  = "ref"
	TermSpace = "term"
)

// directiveParser reads fences of MyST: ```{name} argument, or the same with ":" or "~". The name of
// the directive decides whether the body is Markdown or raw.
type directiveParser struct{}

type directive struct {
	ast.BaseBlock
	name     string
	argument text.Segment
	options  []text.Segment
	body     []text.Segment // set if the body is raw
	mark     byte
	length   int // of the fence
	raw      bool
	header   header
}

// A header is the state of reading a directive's options.
type header uint8

const (
	atStart   header = iota // lines of ":name: value" or "---" may follow
	inYAML                  // between two lines of "---"
	behindAll               // the body has begun
)

var kindDirective = ast.NewNodeKind("Directive")

func (*directive) Kind() ast.NodeKind           { return kindDirective }
func (n *directive) IsRaw() bool                { return n.raw }
func (n *directive) Dump(src []byte, level int) { ast.DumpHelper(n, src, level, nil, nil) }

// proseDirectives are those whose body is Markdown. The body of an unknown directive is raw in fences of
// "`" and "~", which renderers without directives show as code. It is Markdown in fences of ":", which they
// show as text, unless rawDirectives contains the name.
var proseDirectives = lazy.NewSet("note warning tip hint important caution danger error attention seealso admonition topic sidebar versionadded " +
	"versionchanged deprecated versionremoved figure epigraph highlights pull-quote compound container margin dropdown card card-header " +
	"grid grid-item grid-item-card tab-set tab-item tab-set-code glossary exercise solution proof theorem definition example remark lemma " +
	"corollary proposition property assumption axiom conjecture criterion observation algorithm list-table rubric centered only aside " +
	"blockquote details div todo collapse table tab-item card-carousel figure-md")

// rawDirectives are those whose body is not Markdown in any fence.
var rawDirectives = lazy.NewSet("code code-block code-cell sourcecode highlight literalinclude include math toctree tableofcontents csv-table raw " +
	"eval-rst mermaid graphviz graph digraph plantuml uml doctest testcode testsetup testoutput testcleanup prompt index bibliography contents " +
	"image video audio iframe embed anywidget any:bundle altair-plot plot ipython jupyter-execute exec program-output command-output " +
	"raw:latex raw:typst typst latex tikz")

// isRaw reports whether the body of a directive in a fence of mark is not Markdown. Directives
// that describe objects ("py:function") contain Markdown.
func isRaw(name string, mark byte) bool {
	switch {
	case proseDirectives.Has(name):
		return false
	case rawDirectives.Has(name), strings.HasPrefix(name, "auto"):
		return true
	}
	domain, _, hasDomain := strings.Cut(name, ":")
	return mark != ':' && !(hasDomain && objectDomains.Has(domain))
}

// objectDomains are the domains of directives that describe objects.
var objectDomains = lazy.NewSet("py c cpp js rst http prf std")

func (directiveParser) Trigger() []byte { return []byte("`~:") }

func (directiveParser) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	at := pc.BlockOffset()
	if at < 0 {
		return nil, parser.NoChildren
	}
	i := at
	for i < len(line) && line[i] == line[at] {
		i++
	}
	n := &directive{mark: line[at], length: i - at}
	i += util.TrimLeftSpaceLength(line[i:])
	if n.length < 3 || i == len(line) || line[i] != '{' {
		return nil, parser.NoChildren
	}
	end := bytes.IndexByte(line[i:], '}')
	if end < 2 || bytes.ContainsAny(line[i:i+end], " \t=\"#") {
		return nil, parser.NoChildren
	}
	n.name = string(line[i+1 : i+end])
	n.raw = isRaw(n.name, n.mark)
	from := i + end + 1
	from += util.TrimLeftSpaceLength(line[from:])
	to := len(bytes.TrimRight(line, " \t\r\n"))
	if from < to {
		n.argument = text.NewSegment(sourceOf(segment, line, from), sourceOf(segment, line, to))
		if !n.raw && n.name != "figure" {
			title := ast.NewTextBlock()
			title.Lines().Append(n.argument)
			n.AppendChild(n, title)
		}
	}
	reader.AdvanceToEOL()
	if n.raw {
		return n, parser.NoChildren
	}
	return n, parser.HasChildren
}

func (directiveParser) Continue(node ast.Node, reader text.Reader, _ parser.Context) parser.State {
	n := node.(*directive)
	line, segment := reader.PeekLine()
	state := parser.Continue
	if !n.raw {
		state |= parser.HasChildren
	}
	rest := bytes.TrimLeft(line, " \t")
	run := 0
	for run < len(rest) && rest[run] == n.mark {
		run++
	}
	if width, _ := util.IndentWidth(line, reader.LineOffset()); width < 4 && run >= n.length && util.IsBlank(rest[run:]) {
		reader.AdvanceToEOL()
		return parser.Close
	}
	rest = bytes.TrimRight(rest, " \t\r\n")
	switch {
	case n.header == inYAML && string(rest) == "---":
		n.header = behindAll
	case n.header == inYAML, n.header == atStart && len(rest) > 1 && rest[0] == ':' && bytes.IndexByte(rest[1:], ':') > 0:
		n.options = append(n.options, segment)
	case n.header == atStart && string(rest) == "---":
		n.header = inYAML
	default:
		n.header = behindAll
		if !n.raw {
			return state
		}
		n.body = append(n.body, segment)
	}
	reader.AdvanceToEOL()
	return state
}

func (directiveParser) Close(ast.Node, text.Reader, parser.Context) {}
func (directiveParser) CanInterruptParagraph() bool                 { return true }
func (directiveParser) CanAcceptIndentedLine() bool                 { return false }

// directive yields what a directive refers to, and the labels that it defines.
func (c *collector) directive(n *directive) {
	kind, labels := scan.Embed, scan.Labels(0)
	switch n.name {
	case "include":
		labels = scan.Include
		fallthrough
	case "image", "figure", "literalinclude", "video", "audio", "iframe", "embed", "video-embed":
		c.refer(n.argument, kind, labels, n.name)
	case "button-link":
		c.refer(n.argument, scan.Link, 0, n.name)
	case "button-ref":
		if c.hasOption(n, "ref-type", "doc") {
			c.refer(n.argument, scan.Link, 0, "doc")
		} else {
			c.mentionOf(n.argument, RefSpace, n.name)
		}
	case "toctree":
		for _, line := range n.body {
			c.entry(line)
		}
	}
	for _, line := range n.options {
		c.option(n, line)
	}
}

// refer yields a reference that is a part of the source, without the white space around it.
func (c *collector) refer(at text.Segment, kind scan.Kind, labels scan.Labels, in string) {
	value := at.Value(c.src)
	at.Start += util.TrimLeftSpaceLength(value)
	at.Stop -= util.TrimRightSpaceLength(value)
	if at.Start >= at.Stop {
		return
	}
	span := scan.Span{Start: c.body + at.Start, End: c.body + at.Stop}
	c.add(scan.Item{Kind: kind, How: scan.Directive, In: in, Labels: labels, Span: span, Value: c.Scanner.src[span.Start:span.End]})
}

// option reads a line of options of a directive.
func (c *collector) option(n *directive, line text.Segment) {
	value := line.Value(c.src)
	text := bytes.TrimSpace(value)
	text = bytes.TrimPrefix(text, []byte(":"))
	name, rest, ok := bytes.Cut(text, []byte(":"))
	rest = bytes.TrimSpace(rest)
	if !ok || len(rest) == 0 {
		return
	}
	at := line
	at.Start += bytes.LastIndex(value, rest)
	at.Stop = at.Start + len(rest)
	at.Padding = 0
	if line.Padding > 0 {
		at.Start, at.Stop = at.Start-line.Padding, at.Stop-line.Padding
	}
	if rest[0] == rest[len(rest)-1] && (rest[0] == '"' || rest[0] == '\'') && len(rest) > 2 {
		at.Start, at.Stop = at.Start+1, at.Stop-1
	}
	switch string(name) {
	case "target":
		c.refer(at, scan.Link, 0, n.name+"/target")
	case "link":
		c.refer(at, scan.Link, 0, n.name+"/link")
	case "file":
		c.refer(at, scan.Embed, 0, n.name+"/file")
	case "name", "label":
		c.defineName(at, RefSpace, n.name+"/"+string(name))
	}
}

// hasOption reports whether an option of a directive has the given value.
func (c *collector) hasOption(n *directive, name, value string) bool {
	return slices.ContainsFunc(n.options, func(line text.Segment) bool {
		option := bytes.TrimPrefix(bytes.TrimSpace(line.Value(c.src)), []byte(":"))
		key, rest, _ := bytes.Cut(option, []byte(":"))
		return string(key) == name && string(bytes.TrimSpace(rest)) == value
	})
}

// entry reads a line of a toctree: "document", "Title <document>" or a URL. Patterns are not
// references.
func (c *collector) entry(line text.Segment) {
	value := line.Value(c.src)
	entry := bytes.TrimSpace(value)
	if len(entry) == 0 || entry[0] == '#' || entry[0] == ':' || string(entry) == "self" || string(entry) == "genindex" || string(entry) == "modindex" || string(entry) == "search" {
		return
	}
	if open := bytes.LastIndexByte(entry, '<'); open >= 0 && entry[len(entry)-1] == '>' {
		entry = entry[open+1 : len(entry)-1]
	}
	if bytes.ContainsAny(entry, "*?[") {
		return
	}
	from := line.Start + bytes.LastIndex(value, entry) - line.Padding
	c.refer(text.NewSegment(from, from+len(entry)), scan.Link, 0, "toctree")
}

// defineName yields the definition of a label.
func (c *collector) defineName(at text.Segment, space, in string) {
	if !c.Mentions {
		return
	}
	span := scan.Span{Start: c.body + at.Start, End: c.body + at.Stop}
	it := scan.Item{Op: scan.Anchor, In: in, Space: space, Span: span, Value: nameOf(c.Scanner.src[span.Start:span.End]), More: c.moreOf()}
	it.More.NameSpan = span
	c.add(it)
}

// mentionOf yields the use of a name.
func (c *collector) mentionOf(at text.Segment, space, in string) {
	if !c.Mentions || at.Start >= at.Stop {
		return
	}
	span := scan.Span{Start: c.body + at.Start, End: c.body + at.Stop}
	c.add(scan.Item{Op: scan.Mention, In: in, Space: space, Span: span, Value: nameOf(c.Scanner.src[span.Start:span.End])})
}

// nameOf returns a name in the form in which docutils compares names: in lower case, with white space merged.
func nameOf(name []byte) []byte {
	return []byte(strings.Join(strings.Fields(strings.ToLower(string(name))), " "))
}

// role reads the code span n if it is the text of a MyST role: {name}`text`.
func (c *collector) role(n *ast.CodeSpan) {
	before, ok := n.PreviousSibling().(*ast.Text)
	if !ok || n.FirstChild() == nil {
		return
	}
	value := before.Segment.Value(c.src)
	open := bytes.LastIndexByte(value, '{')
	if open < 0 || len(value) < open+3 || value[len(value)-1] != '}' || c.src[before.Segment.Stop] != '`' {
		return
	}
	name := string(value[open+1 : len(value)-1])
	for i := range len(name) {
		if !ascii.IsAlnum(name[i]) && strings.IndexByte("-_:+.", name[i]) < 0 {
			return
		}
	}
	first, _ := n.FirstChild().(*ast.Text)
	last, _ := n.LastChild().(*ast.Text)
	if first == nil || last == nil {
		return
	}
	at := text.NewSegment(first.Segment.Start, last.Segment.Stop)
	content := at.Value(c.src)
	if open := bytes.LastIndexByte(content, '<'); open >= 0 && content[len(content)-1] == '>' {
		at = text.NewSegment(at.Start+open+1, at.Stop-1)
	}
	if at.Start < at.Stop && c.src[at.Start] == '!' {
		at.Start++
	}
	switch name {
	case "doc", "std:doc", "download":
		name = strings.TrimPrefix(name, "std:")
		span := scan.Span{Start: c.body + at.Start, End: c.body + at.Stop}
		if span.Start < span.End {
			it := scan.Item{Kind: scan.Link, How: scan.Role, In: name, Span: span, Value: c.Scanner.src[span.Start:span.End]}
			if !c.Dialect.Directives {
				it.Space = "role"
			}
			c.add(it)
		}
	case "ref", "std:ref", "numref", "std:numref", "eq", "math:numref", "prf:ref":
		c.mentionOf(at, RefSpace, name)
	case "term", "std:term":
		c.mentionOf(at, TermSpace, name)
	}
}
