package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// anyIndent also opens its blocks on lines indented by 4 or more columns: MDX has no
// indented code.
type anyIndent struct{ parser.BlockParser }

func (anyIndent) CanAcceptIndentedLine() bool { return true }

// mdxFenceParser reads fenced code at any indentation.
type mdxFenceParser struct{}

type mdxFence struct {
	ast.BaseBlock
	mark []byte
}

var kindMDXFence = ast.NewNodeKind("MDXFence")

func (*mdxFence) Kind() ast.NodeKind           { return kindMDXFence }
func (*mdxFence) IsRaw() bool                  { return true }
func (n *mdxFence) Dump(src []byte, level int) { ast.DumpHelper(n, src, level, nil, nil) }

func (mdxFenceParser) Trigger() []byte { return []byte("`~") }

func (mdxFenceParser) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, _ := reader.PeekLine()
	at := pc.BlockOffset()
	if at < 0 {
		return nil, parser.NoChildren
	}
	mark := fenceOf(line[at:])
	if !opensFence(mark, line[at:]) {
		return nil, parser.NoChildren
	}
	n := &mdxFence{mark: bytes.Clone(mark)}
	reader.AdvanceToEOL()
	return n, parser.NoChildren
}

func (mdxFenceParser) Continue(node ast.Node, reader text.Reader, _ parser.Context) parser.State {
	line, _ := reader.PeekLine()
	n := node.(*mdxFence)
	rest := bytes.TrimLeft(line, " \t")
	mark := fenceOf(rest)
	reader.AdvanceToEOL()
	if bytes.HasPrefix(mark, n.mark) && util.IsBlank(rest[len(mark):]) {
		return parser.Close
	}
	return parser.Continue | parser.NoChildren
}

func (mdxFenceParser) Close(ast.Node, text.Reader, parser.Context) {}
func (mdxFenceParser) CanInterruptParagraph() bool                 { return true }
func (mdxFenceParser) CanAcceptIndentedLine() bool                 { return true }

// jsxParser reads lines that consist of tags alone; the text between two such lines is Markdown.
// Other tags are inline.
type jsxParser struct{}

func (jsxParser) Trigger() []byte { return []byte("<") }

func (jsxParser) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	at := pc.BlockOffset()
	if at < 0 {
		return nil, parser.NoChildren
	}
	for rest := line[at:]; !util.IsBlank(rest); {
		rest = bytes.TrimLeft(rest, " \t")
		n := jsxTag(rest)
		if n == 0 {
			return nil, parser.NoChildren
		}
		rest = rest[n:]
	}
	n := ast.NewHTMLBlock(ast.HTMLBlockType7)
	n.Lines().Append(segment)
	reader.AdvanceToEOL()
	return n, parser.NoChildren
}

func (jsxParser) Continue(ast.Node, text.Reader, parser.Context) parser.State { return parser.Close }
func (jsxParser) Close(ast.Node, text.Reader, parser.Context)                 {}
func (jsxParser) CanInterruptParagraph() bool                                 { return true }
func (jsxParser) CanAcceptIndentedLine() bool                                 { return true }

// endsTag holds the bytes that jsxTag stops at.
var endsTag = [256]bool{'"': true, '\'': true, '<': true, '>': true}

// jsxTag returns the length of the tag at the start of s, or 0 if it does not end in s. Expressions
// in it have been masked.
func jsxTag(s []byte) int {
	if len(s) < 2 || s[0] != '<' || s[1] != '/' && s[1] != '>' && !ascii.IsLetter(s[1]) {
		return 0
	}
	for i := 1; i < len(s); i++ {
		c := s[i]
		if !endsTag[c] {
			continue
		}
		switch c {
		case '>':
			return i + 1
		case '<':
			return 0
		}
		n := bytes.IndexByte(s[i+1:], c)
		if n < 0 {
			return 0
		}
		i += n + 1
	}
	return 0
}

// maskMDX masks the JavaScript in src[body:]: imports and exports up to the next empty line,
// expressions and comments in braces, and the characters of component names that HTML does not allow.
func (s *Scanner) maskMDX(body int) {
	s.effort, s.tagEnd = 1<<20+64*(len(s.src)-body), 0
	var fences codeFences
	isFirst := true // the previous line is empty, or there is none
	for at := body; at < len(s.src); {
		end := ascii.NextLine(s.src, at)
		line := s.src[at:end]
		if fences.isCode(line) {
			at, isFirst = end, false
			continue
		}
		if isFirst && (bytes.HasPrefix(line, []byte("import ")) || bytes.HasPrefix(line, []byte("export "))) {
			for end < len(s.src) && !util.IsBlank(s.src[end:ascii.NextLine(s.src, end)]) {
				end = ascii.NextLine(s.src, end)
			}
			s.blank(at, end)
			at = end
			continue
		}
		isFirst = util.IsBlank(line)
		at = s.maskLine(at, end)
	}
}

// opensMDX holds the bytes that maskLine stops at.
var opensMDX = [256]bool{'\\': true, '`': true, '{': true, '<': true}

// maskLine masks the expressions that begin in the line src[at:end], and returns where the next
// line begins.
func (s *Scanner) maskLine(at, end int) int {
	const longest = 256 << 10 // the longest expression, in bytes
	marks := runOf(s.src[at:end], func(c byte) bool { return bytes.IndexByte([]byte(" \t>-*+.)0123456789"), c) >= 0 })
	isQuoted := bytes.IndexByte(s.src[at:at+marks], '>') >= 0
	for i := at; i < end; i++ {
		c := s.src[i]
		if !opensMDX[c] {
			continue
		}
		switch {
		case c == '\\':
			i++
		case c == '`':
			run := len(fenceOrCode(s.src[i:end]))
			i += run - 1
			// Code that does not end in this line is read as text.
			if s.effort < 0 {
				continue
			}
			if n := bytes.Index(s.src[i+1:end], s.src[i+1-run:i+1]); n >= 0 {
				i += n + run
			} else {
				s.effort -= end - i
			}
		case c == '{' && i+1 < len(s.src) && s.src[i+1] != '#' && s.effort > 0:
			within := s.src[i:min(len(s.src), i+longest)]
			n := expression(within)
			if n == 0 {
				s.effort -= len(within)
				continue
			}
			s.fill(i, i+n)
			s.elements(i, i+n)
			i += n - 1
			for i >= end && end < len(s.src) {
				end = ascii.NextLine(s.src, end)
			}
		case c == '<' && i+1 < end && (ascii.IsLetter(s.src[i+1]) || s.src[i+1] == '/'):
			if !isQuoted {
				s.joinTag(i, end)
			}
			for k := i + 1; k < end && (ascii.IsAlnum(s.src[k]) || bytes.IndexByte([]byte("/._-"), s.src[k]) >= 0); k++ {
				if s.src[k] == '.' || s.src[k] == '_' {
					s.edit()[k] = '-'
				}
			}
		case c == '<' && bytes.HasSuffix(bytes.TrimRight(s.src[at:i], " \t"), []byte("]:")): // the destination of a definition
		case c == '<' && (bytes.HasPrefix(s.src[i:end], []byte("<>")) || bytes.HasPrefix(s.src[i:end], []byte("</>"))):
			n := bytes.IndexByte(s.src[i:end], '>') + 1
			s.blank(i, i+n)
		}
	}
	return end
}

// joinTag makes one line of the tag that begins at src[open], in a line that ends at end, if the tag ends
// in a later line. Its lines then begin no blocks: ">" on a line of its own is no quotation. It is not for
// tags in quotations, whose lines all begin with ">".
func (s *Scanner) joinTag(open, end int) {
	const longest = 64 << 10 // the longest tag, in bytes
	if s.effort < 0 || open < s.tagEnd {
		return
	}
	n, isTag := componentTag(s.src[open:min(len(s.src), open+longest)])
	if !isTag {
		s.effort -= n
		return
	}
	s.tagEnd = open + n
	if s.tagEnd <= end {
		return
	}
	text := s.edit()
	for i, c := range s.src[open : open+n] {
		if c == '\n' || c == '\r' {
			text[open+i] = ' '
		}
	}
}

// joinTags makes one line of each tag of a component in src[body:] that has several lines, as Vue's
// extension of markdown-it reads them. Where a line begins with a tag, ">" on a line of its own ends it.
func joinTags(s *Scanner, body int) {
	s.effort, s.tagEnd = 1<<20+64*(len(s.src)-body), 0
	var fences codeFences
	for at := body; at < len(s.src); {
		end := ascii.NextLine(s.src, at)
		rest := bytes.TrimLeft(s.src[at:end], " \t")
		if !fences.isCode(s.src[at:end]) && len(rest) > 1 && rest[0] == '<' && isVueComponent(rest[1:]) {
			s.joinTag(end-len(rest), end)
		}
		at = end
	}
}

// isVueComponent reports whether s begins with the name of a component: one with a capital letter at its
// start, or with a hyphen.
func isVueComponent(s []byte) bool {
	name := s[:runOf(s, isComponentName)]
	return len(name) > 0 && (name[0] >= 'A' && name[0] <= 'Z' || ascii.IsLetter(name[0]) && bytes.IndexByte(name, '-') > 0)
}

// componentTag returns the length of the opening tag of JSX that s begins with: a name, attributes whose
// values are strings or expressions, and expressions that are spread. If isTag is false, n is how far s was
// read.
func componentTag(s []byte) (n int, isTag bool) {
	n = 1 + runOf(s[1:], isComponentName)
	for n < len(s) {
		before := n
		n += blanks(s[n:])
		switch {
		case n == len(s):
			return n, false
		case s[n] == '>':
			return n + 1, n > 1
		case bytes.HasPrefix(s[n:], []byte("/>")):
			return n + 2, n > 1
		case n == before:
			return n, false
		case s[n] == '{':
			length := expression(s[n:])
			if length == 0 {
				return len(s), false
			}
			n += length
			continue
		}
		name := runOf(s[n:], isComponentName)
		if name == 0 {
			return n, false
		}
		n += name
		value := n + blanks(s[n:])
		if value == len(s) || s[value] != '=' {
			continue
		}
		value++
		value += blanks(s[value:])
		if value == len(s) {
			return value, false
		}
		length := 0
		switch s[value] {
		case '"', '\'':
			length = bytes.IndexByte(s[value+1:], s[value]) + 2 // 1 if it does not end
		case '{':
			length = expression(s[value:])
		}
		if length < 2 {
			return len(s), false
		}
		n = value + length
	}
	return n, false
}

// isComponentName reports whether c may stand in the name of a component or an attribute.
func isComponentName(c byte) bool {
	return ascii.IsAlnum(c) || c == '_' || c == '$' || c == ':' || c == '.' || c == '-' || c == '@'
}

// runOf returns the length of the run of bytes at the start of s that is accepts.
func runOf(s []byte, is func(byte) bool) int {
	n := 0
	for n < len(s) && is(s[n]) {
		n++
	}
	return n
}

// fenceOrCode returns the run of "`" at the start of s.
func fenceOrCode(s []byte) []byte { return s[:len(s)-len(bytes.TrimLeft(s, "`"))] }

// inExpression holds the bytes that matter in an expression outside of strings.
var inExpression = [256]bool{'/': true, '"': true, '\'': true, '`': true, '{': true, '}': true}

// quoted returns how many bytes follow the first one in the string that s begins with. The string ends at
// its quotation mark or, unless it is a template, with its line; the result is len(s) if it does not end in
// s.
func quoted(s []byte) int {
	const short = 64
	quote := s[0]
	if n := bytes.IndexByte(s[1:min(len(s), short)], quote); n >= 0 {
		if within := s[1 : n+1]; bytes.IndexByte(within, '\\') < 0 && (quote == '`' || bytes.IndexByte(within, '\n') < 0) {
			return n + 1
		}
	}
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case c == quote, c == '\n' && quote != '`':
			return i
		}
	}
	return len(s)
}

// expression returns the length of the expression in braces at the start of s, or 0 if
// it does not end in s.
func expression(s []byte) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !inExpression[c] {
			continue
		}
		switch {
		case c == '/' && i+1 < len(s) && s[i+1] == '*':
			end := bytes.Index(s[i+2:], []byte("*/"))
			if end < 0 {
				return 0
			}
			i += 2 + end + 1
		case c == '"' || c == '\'' || c == '`':
			i += quoted(s[i:])
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// withoutExpressions returns the document for package html: with component names as
// written, and without the content of braces. Strings in braces may contain tags and quotes.
func (s *Scanner) withoutExpressions() []byte {
	if !s.isMarked {
		return s.src
	}
	markup := bytes.Clone(s.src)
	for i, c := range s.text {
		if c == mark {
			markup[i] = mark
		}
	}
	return markup
}

// isLiteral reports whether the value of an attribute that is an expression is known. If the expression
// contains one string, as in require('x') and useBaseUrl("x"), the string becomes the value; a template
// without expressions is a string.
func (s *Scanner) isLiteral(it *scan.Item) bool {
	if it.Op != scan.Ref && it.Op != scan.Anchor {
		return true
	}
	v := s.src[it.Span.Start:it.Span.End]
	if it.Op == scan.Ref && it.How != scan.Attribute || v[0] != '{' || v[len(v)-1] != '}' || bytes.ContainsAny(v, "+?$\\") {
		return false
	}
	open := bytes.IndexAny(v, "'\"`")
	if open < 0 {
		return false
	}
	n := bytes.IndexByte(v[open+1:], v[open])
	if n <= 0 || bytes.ContainsAny(v[open+n+2:], "'\"`") {
		return false
	}
	it.Value = v[open+1 : open+1+n]
	it.Span = scan.Span{Start: it.Span.Start + open + 1, End: it.Span.Start + open + 1 + n}
	if it.Op == scan.Ref && len(bytes.TrimSpace(v[1:len(v)-1])) != n+2 { // a function has the string as its argument
		it.Labels |= scan.Speculative
	}
	return true
}

// keepsExpression reports whether to yield a reference that is an expression, with the expression as its
// Value. With Anchors it does, so that an audit can count what it cannot check.
func (s *Scanner) keepsExpression(it *scan.Item) bool {
	v := s.src[it.Span.Start:it.Span.End]
	if !s.Anchors || it.Op != scan.Ref || v[0] != '{' || v[len(v)-1] != '}' {
		return false
	}
	it.Value = v
	return true
}
