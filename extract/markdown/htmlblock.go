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

// htmlBlocks is goldmark's parser of HTML blocks, without its regular expressions for lines that begin with an ordinary
// tag: they took a twelfth of the time of the Rust book.
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
