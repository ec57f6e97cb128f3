package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/lazy"
)

// htmlBlocks is goldmark's parser of HTML blocks, without its regular expressions for lines that begin with
// an ordinary tag: they took a twelfth of the time of the Rust book.
type htmlBlocks struct{ parser.BlockParser }

// blockTags has the names of elements that begin a block (CommonMark 4.6, condition 6), in the version of goldmark.
var blockTags = lazy.NewSet(`address article aside base basefont blockquote body caption center col colgroup dd details dialog dir
	div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link
	main menu menuitem meta nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead title
	tr track ul`)

func (p htmlBlocks) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	kind, known := blockOfTag(line, ast.IsParagraph(pc.LastOpenedBlock().Node))
	if !known {
		return p.BlockParser.Open(parent, reader, pc)
	}
	if kind == 0 {
		return nil, parser.NoChildren
	}
	n := ast.NewHTMLBlock(kind)
	reader.AdvanceToEOL()
	n.Lines().Append(segment)
	return n, parser.NoChildren
}

// noBlock is the kind of lines that begin no block.
const noBlock = ast.HTMLBlockType(0)

// blockOfTag returns the kind of the block that a line begins. known is false if goldmark has to find out.
func blockOfTag(line []byte, inParagraph bool) (kind ast.HTMLBlockType, known bool) {
	tag := bytes.TrimLeft(line, " ")
	if len(line)-len(tag) > 3 || len(tag) < 2 || tag[0] != '<' {
		return noBlock, false
	}
	rest := tag[1:]
	isEnd := rest[0] == '/'
	if isEnd {
		rest = rest[1:]
	}
	n := 0
	for n < len(rest) && (ascii.IsLetter(rest[n]) || n > 0 && (ascii.IsDigit(rest[n]) || rest[n] == '-')) {
		n++
	}
	if n == 0 {
		return noBlock, false
	}
	name := strings.ToLower(string(rest[:n]))
	if name == "script" || name == "pre" || name == "style" || name == "textarea" {
		return noBlock, false
	}
	rest = rest[n:]
	if before, ok := bytes.CutSuffix(rest, []byte("\n")); ok {
		rest = bytes.TrimSuffix(before, []byte("\r"))
	}
	if blockTags.Has(name) {
		isName := len(rest) == 0 || rest[0] == ' ' || rest[0] == '>' || bytes.HasPrefix(rest, []byte("/>"))
		return ast.HTMLBlockType6, isName
	}
	if !inParagraph && isTagEnd(rest, !isEnd) {
		return ast.HTMLBlockType7, true
	}
	return noBlock, true
}

// isTagEnd reports whether a line ends with the tag that s is the rest of, behind its name.
func isTagEnd(s []byte, mayHaveAttributes bool) bool {
	s = bytes.TrimRight(s, " ")
	if !bytes.HasSuffix(s, []byte(">")) {
		return false
	}
	if mayHaveAttributes {
		for n := attribute(s); n > 0; n = attribute(s) {
			s = s[n:]
		}
	}
	s = bytes.TrimLeft(s, " ")
	return string(s) == ">" || string(s) == "/>"
}

// attribute returns the length of the attribute that s begins with, with the white space before it; 0 if there is none.
func attribute(s []byte) int {
	n := blanks(s)
	if n == 0 || n == len(s) || !ascii.IsLetter(s[n]) && s[n] != '_' && s[n] != ':' {
		return 0
	}
	for n < len(s) && (ascii.IsAlnum(s[n]) || bytes.IndexByte([]byte(":._-"), s[n]) >= 0) {
		n++
	}
	value := n + blanks(s[n:])
	if value == len(s) || s[value] != '=' {
		return n
	}
	value++
	value += blanks(s[value:])
	if value < len(s) && (s[value] == '"' || s[value] == '\'') {
		if end := bytes.IndexByte(s[value+1:], s[value]); end >= 0 {
			return value + 1 + end + 1
		}
		return n
	}
	end := value
	for end < len(s) && s[end] > ' ' && bytes.IndexByte([]byte("\"'=<>`"), s[end]) < 0 {
		end++
	}
	if end == value {
		return n
	}
	return end
}

// blanks returns the number of bytes of white space that s begins with.
func blanks(s []byte) int { return len(s) - len(bytes.TrimLeft(s, " \t\r\n")) }

// The regular expressions with which goldmark finds tags in a line of text. Running them over a
// reader took two fifths of the time of pages with components.
const (
	openTagPattern = "^<([A-Za-z][A-Za-z0-9-]*)(?:[\\r\\n \\t]+[a-zA-Z_:][a-zA-Z0-9:._-]*(?:[\\r\\n \\t]*=[\\r\\n \\t]*" +
		"(?:[^\\\"'=<>`\\x00-\\x20]+|'[^']*'|\"[^\"]*\"))?)*(?:[ \\t]|(?:\\r\\n|\\n){0,1})*/?>"
	closeTagPattern = "^</([A-Za-z][A-Za-z0-9-]*)(?:[ \\t]|(?:\\r\\n|\\n){0,1})*>"
)

// A tagReader goes through the lines of a block byte by byte.
type tagReader struct {
	m    *meter
	line []byte
	at   int // in line
	n    int // bytes read
	done bool
}

// peek returns the next byte. At the end of the block it returns 0 and sets done.
func (r *tagReader) peek() byte {
	for r.at == len(r.line) && !r.done {
		if len(r.line) > 0 {
			r.m.Reader.AdvanceLine()
		}
		line, _ := r.m.PeekLine()
		if len(line) == 0 {
			r.line, r.at, r.done = nil, 0, true
			return 0
		}
		r.line, r.at = line, 0
	}
	if r.done {
		return 0
	}
	return r.line[r.at]
}

func (r *tagReader) skip(n int) {
	r.at += n
	r.n += n
}

// take skips the next byte if it is c.
func (r *tagReader) take(c byte) bool {
	if r.peek() != c {
		return false
	}
	r.skip(1)
	return true
}

// spaces skips white space. isPlain is false if the white space contains a carriage return without a
// line feed, which may only stand before an attribute.
func (r *tagReader) spaces() (n int, isPlain bool) {
	isPlain = true
	for before := byte(0); ; n++ {
		c := r.peek()
		if before == '\r' && c != '\n' {
			isPlain = false
		}
		if c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return n, isPlain
		}
		before = c
		r.skip(1)
	}
}

// while skips bytes that is accepts, and returns their number.
func (r *tagReader) while(is func(byte) bool) (n int) {
	for c := r.peek(); c != 0 && is(c); c = r.peek() {
		r.skip(1)
		n++
	}
	return n
}

func isTagName(c byte) bool       { return ascii.IsAlnum(c) || c == '-' }
func isAttributeName(c byte) bool { return isTagName(c) || c == '_' || c == ':' || c == '.' }
func isUnquoted(c byte) bool {
	return c > ' ' && c != '"' && c != '\'' && c != '=' && c != '<' && c != '>' && c != '`'
}

// value skips the value of an attribute.
func (r *tagReader) value() bool {
	quote := r.peek()
	if quote != '"' && quote != '\'' {
		return r.while(isUnquoted) > 0
	}
	r.skip(1)
	for r.peek(); !r.done; r.peek() {
		i := bytes.IndexByte(r.line[r.at:], quote)
		if i >= 0 {
			r.skip(i + 1)
			return true
		}
		r.skip(len(r.line) - r.at)
	}
	return false
}

// attribute skips an attribute.
func (r *tagReader) attribute() bool {
	if c := r.peek(); !ascii.IsLetter(c) && c != '_' && c != ':' {
		return false
	}
	r.while(isAttributeName)
	return true
}

// openTag skips an opening tag (CommonMark 0.31.2, section 6.6), and reports whether it is one.
func (r *tagReader) openTag() bool {
	if !r.take('<') || !ascii.IsLetter(r.peek()) {
		return false
	}
	r.while(isTagName)
	for {
		n, isPlain := r.spaces()
		for { // attributes without a value, one after the other
			switch c := r.peek(); {
			case c == '>' && isPlain:
				r.skip(1)
				return true
			case c == '/' && isPlain:
				r.skip(1)
				return r.take('>')
			}
			if n == 0 || !r.attribute() {
				return false
			}
			n, isPlain = r.spaces()
			if r.peek() == '=' {
				break
			}
		}
		r.skip(1)
		r.spaces()
		if !r.value() {
			return false
		}
	}
}

// closeTag skips a closing tag, and reports whether it is one.
func (r *tagReader) closeTag() bool {
	if !r.take('<') || !r.take('/') || !ascii.IsLetter(r.peek()) {
		return false
	}
	r.while(isTagName)
	_, isPlain := r.spaces()
	return isPlain && r.take('>')
}
