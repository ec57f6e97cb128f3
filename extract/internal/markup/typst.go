package markup

import (
	"bytes"
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.org/refract/delimit"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/prose"
)

// TypstType is the media type of Typst. It is not registered.
const TypstType = "text/vnd.typst"

// A Typst scans one document of Typst. It may be reused, but several goroutines must not use it at once.
//
// It is not a compiler: it knows where markup, code, strings, raw text, formulas and comments are, and
// which functions take a URL or the name of a file. It evaluates nothing, so it does not find a computed
// name.
//
// Sources: the reference of Typst 0.13 (typst.app/docs/reference), and typst-syntax/src/lexer.rs for
// details that it leaves open.
type Typst struct {
	Rules delimit.Rules // of references in text

	doc   prose.Doc
	stack []typstFrame
	value []byte
}

// A typstFrame is a bracket that is open.
type typstFrame struct {
	close    byte   // what closes it; lineEnd for code that ends with its line
	isMarkup bool   // whether its content is markup, or code
	isText   bool   // whether it is text of the markup around it
	function string // whose arguments it holds; "" for others
}

// lineEnd closes the code after "#let" and the like.
const lineEnd = '\n'

// typstFunctions holds those whose first argument is a URL or the name of a file.
var typstFunctions = map[string]prose.Item{
	"link":         {Kind: scan.Link, In: "link"},
	"image":        {Kind: scan.Embed, In: "image"},
	"bibliography": {Kind: scan.Embed, In: "bibliography"},
	"include":      {Kind: scan.Embed, In: "include", Labels: scan.Include},
	"import":       {Kind: scan.Embed, In: "import"},
	"read":         {Kind: scan.Embed, In: "read"}, "csv": {Kind: scan.Embed, In: "csv"}, "json": {Kind: scan.Embed, In: "json"}, "yaml": {Kind: scan.Embed, In: "yaml"},
	"toml": {Kind: scan.Embed, In: "toml"}, "xml": {Kind: scan.Embed, In: "xml"}, "cbor": {Kind: scan.Embed, In: "cbor"}, "plugin": {Kind: scan.Embed, In: "plugin"},
}

// typstStatements holds the keywords after which code extends to the end of the line.
var typstStatements = map[string]bool{"let": true, "set": true, "show": true, "import": true, "include": true, "if": true, "else": true, "for": true, "while": true, "return": true, "context": true}

// Scan yields the references of src in source order: the arguments of link, image, bibliography and of the
// functions that read files, the files that #include and #import name (but not packages,
// "@space/name:version"), and the references that markup and other strings contain as running text. It
// skips raw text, formulas and comments. src is UTF-8. Every input is valid, and the time is linear in
// len(src).
func (s *Typst) Scan(src []byte) iter.Seq[*scan.Item] {
	return s.doc.Scan(src, s.Rules, func() {
		s.stack = s.stack[:0]
		p := typstParser{Typst: s, src: src}
		for at := 0; at < len(src); {
			if p.inMarkup() {
				at = p.markup(at)
			} else {
				at = p.code(at)
			}
		}
	})
}

// A typstParser reads one document.
type typstParser struct {
	*Typst
	src  []byte
	ends prose.Ends
	name string // the identifier before the current token of code, or the keyword before a string
	last byte   // the last byte of code that is no space
}

func (p *typstParser) inMarkup() bool { return len(p.stack) == 0 || p.stack[len(p.stack)-1].isMarkup }

// pop closes the innermost bracket if close closes it, and reports whether it does. Code that ends with its
// line also ends before a bracket around it. isText says whether the bracket was text.
func (p *typstParser) pop(close byte) (isText, ok bool) {
	n := len(p.stack)
	for n > 0 && p.stack[n-1].close == lineEnd && close != lineEnd {
		n--
	}
	if n == 0 || p.stack[n-1].close != close {
		return false, false
	}
	isText = p.stack[n-1].isText
	p.stack = p.stack[:n-1]
	return isText, true
}

// markup reads markup from src[at] up to and including the next construct, and returns where it ends.
func (p *typstParser) markup(at int) int {
	i := bytes.IndexAny(p.src[at:], "\\`$/#[]")
	if i < 0 {
		p.doc.Show(at, len(p.src))
		return len(p.src)
	}
	p.doc.Show(at, at+i)
	at += i
	if next := p.hidden(at); next > at {
		return next
	}
	switch p.src[at] {
	case '\\':
		end := min(at+2, len(p.src))
		p.doc.Show(at+1, end)
		return end
	case '#':
		return p.hash(at + 1)
	case '[':
		p.stack = append(p.stack, typstFrame{close: ']', isMarkup: true, isText: true})
		p.doc.Show(at, at+1)
		return at + 1
	case ']':
		if isText, ok := p.pop(']'); ok && !isText {
			return p.chain(at + 1)
		}
	case '/':
		end := linkEnd(p.src, at)
		p.doc.Show(at, end)
		return end
	}
	p.doc.Show(at, at+1)
	return at + 1
}

// linkEnd returns the end of the bare URL whose "//" begins at src[at], in which "#" and "$" are no markup
// (link_prefix of the lexer); at+1 if there is none.
func linkEnd(src []byte, at int) int {
	if !bytes.HasSuffix(src[:at], []byte("http:")) && !bytes.HasSuffix(src[:at], []byte("https:")) {
		return at + 1
	}
	var open []byte
	end := at
	for end < len(src) {
		c := src[end]
		switch {
		case c == '(' || c == '[':
			open = append(open, c)
		case c == ')' || c == ']':
			n := len(open)
			if n == 0 || (open[n-1] == '(') != (c == ')') {
				return max(end, at+1)
			}
			open = open[:n-1]
		case !ascii.IsAlnum(c) && bytes.IndexByte([]byte("!#$%&*+,-./:;=?@_~'"), c) < 0:
			return max(end, at+1)
		}
		end++
	}
	return end
}

// hidden returns the end of the raw text, formula or comment that begins at src[at], or 0. Unclosed raw
// text and comments extend to the end, formulas do not.
func (p *typstParser) hidden(at int) int {
	rest := p.src[at:]
	switch {
	case rest[0] == '`':
		n := 1
		for n < len(rest) && rest[n] == '`' {
			n++
		}
		if n == 2 {
			return at + 2
		}
		return p.after(string(rest[:min(n, maxTicks)]), at+n)
	case rest[0] == '$':
		for i := at + 1; ; i += 2 {
			end := p.ends.Find(p.src, "$", i)
			if end < 0 {
				return 0
			}
			if p.src[end-1] != '\\' {
				return end + 1
			}
			i = end - 1
		}
	case bytes.HasPrefix(rest, []byte("//")) && (at == 0 || p.src[at-1] != ':'):
		return ascii.LineEnd(p.src, at)
	case bytes.HasPrefix(rest, []byte("/*")):
		return p.after("*/", at+2)
	}
	return 0
}

// maxTicks limits how many backticks begin raw text; more are part of it.
const maxTicks = 16

// after returns where the next end after src[at] ends, or len(src).
func (p *typstParser) after(end string, at int) int {
	i := p.ends.Find(p.src, end, at)
	if i < 0 {
		return len(p.src)
	}
	return i + len(end)
}

// hash reads what follows a "#" in markup: an expression or a statement.
func (p *typstParser) hash(at int) int {
	p.name, p.last = "", 0
	end := identifierEnd(p.src, at)
	if word := string(p.src[at:end]); typstStatements[word] {
		p.stack = append(p.stack, typstFrame{close: lineEnd})
		p.name = word
		return end
	}
	if end > at {
		p.name = string(p.src[at:min(end, at+maxTypstName)])
		return p.chain(end)
	}
	if at < len(p.src) && p.src[at] == '"' {
		return p.text(at)
	}
	return p.open(at)
}

// maxTypstName limits the length of names that are compared, in bytes.
const maxTypstName = 32

// chain reads what continues an expression in markup at src[at]: fields, and the bracket of arguments or of content.
func (p *typstParser) chain(at int) int {
	for at+1 < len(p.src) && p.src[at] == '.' && identifierEnd(p.src, at+1) > at+1 {
		end := identifierEnd(p.src, at+1)
		p.name = string(p.src[at+1 : min(end, at+1+maxTypstName)])
		at = end
	}
	if at < len(p.src) && (p.src[at] == '(' || p.src[at] == '[') {
		return p.open(at)
	}
	p.name = ""
	return at
}

// open opens the bracket at src[at], if there is one, and returns what follows.
func (p *typstParser) open(at int) int {
	if at == len(p.src) {
		return at
	}
	f := typstFrame{function: p.name}
	switch p.src[at] {
	case '(':
		f.close = ')'
	case '{':
		f.close, f.function = '}', ""
	case '[':
		f.close, f.isMarkup, f.function = ']', true, ""
	default:
		return at
	}
	if f.function == "" && f.close == ')' && len(p.stack) > 0 && p.stack[len(p.stack)-1].function == "bibliography" {
		f.function = "bibliography" // a list of files
	}
	p.stack = append(p.stack, f)
	p.name, p.last = "", p.src[at]
	return at + 1
}

// identifierEnd returns the end of the identifier that begins at src[at]; at if there is none.
func identifierEnd(src []byte, at int) int {
	end := at
	for end < len(src) && (ascii.IsAlnum(src[end]) || src[end] == '_' || src[end] == '-' && end > at || src[end] >= utf8.RuneSelf) {
		end++
	}
	if end > at && ascii.IsDigit(src[at]) {
		return at
	}
	return end
}

// code reads one token of code at src[at], and returns where it ends.
func (p *typstParser) code(at int) int {
	if next := p.hidden(at); next > at {
		return next
	}
	c := p.src[at]
	switch {
	case c == '"':
		return p.text(at)
	case c == '(' || c == '{' || c == '[':
		return p.open(at)
	case c == '\n' || c == ';':
		if _, ok := p.pop(lineEnd); ok {
			return at
		}
		p.name = ""
		return at + 1
	case c == ')' || c == '}' || c == ']':
		p.last = c
		if _, ok := p.pop(c); ok && p.inMarkup() {
			return p.chain(at + 1)
		}
		p.name = ""
		return at + 1
	case ascii.IsSpace(c):
		if p.name != "import" && p.name != "include" {
			p.name = ""
		}
		return at + 1
	}
	p.last = c
	if end := identifierEnd(p.src, at); end > at {
		p.name = string(p.src[at:min(end, at+maxTypstName)])
		return end
	}
	p.name = ""
	return at + 1
}

// text reads the string that begins at src[at], and returns where it ends: it is a reference, or text.
func (p *typstParser) text(at int) int {
	end := at + 1
	for end < len(p.src) && p.src[end] != '"' {
		if p.src[end] == '\\' {
			end++
		}
		end++
	}
	end = min(end, len(p.src))
	next := min(end+1, len(p.src))
	it, ok := typstFunctions[p.function()]
	p.name, p.last = "", '"'
	if !ok || end == at+1 {
		p.doc.Show(at, next)
		return next
	}
	raw := p.src[at+1 : end]
	if it.In == "import" && raw[0] == '@' {
		return next // a package
	}
	it.Op, it.How, it.Span = scan.Ref, scan.Quoted, scan.Span{Start: at + 1, End: end}
	p.doc.Add(it, p.unescape(raw))
	return next
}

// function returns the function or keyword whose first argument a string at the current place is; "" if it is none.
func (p *typstParser) function() string {
	if p.name == "import" || p.name == "include" {
		return p.name
	}
	if len(p.stack) == 0 {
		return ""
	}
	name := p.stack[len(p.stack)-1].function
	isFirst := p.last == '(' || name == "bibliography" && p.last == ','
	if !isFirst || name == "import" || name == "include" {
		return ""
	}
	return name
}

// unescape undoes the escapes of a string: \\ \" \n \r \t and \u{…}. It returns nil if there are none.
// Others are left as written.
func (p *typstParser) unescape(raw []byte) []byte {
	if bytes.IndexByte(raw, '\\') < 0 {
		return nil
	}
	p.value = prose.Emptied(p.value)
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' || i+1 == len(raw) {
			p.value = append(p.value, raw[i])
			continue
		}
		switch c := raw[i+1]; c {
		case '\\', '"':
			p.value = append(p.value, c)
			i++
		case 'n', 'r', 't':
			p.value = append(p.value, "\n\r\t"[strings.IndexByte("nrt", c)])
			i++
		case 'u':
			r, n := codePoint(raw[i+2:])
			if n == 0 {
				p.value = append(p.value, '\\')
				continue
			}
			p.value = utf8.AppendRune(p.value, r)
			i += 1 + n
		default:
			p.value = append(p.value, '\\')
		}
	}
	return p.value
}

// codePoint reads the "{…}" of an escape, and returns its length, or 0 if it names no character.
func codePoint(s []byte) (r rune, n int) {
	const most = len("{10ffff}")
	end := bytes.IndexByte(s[:min(len(s), most)], '}')
	if end < 2 || s[0] != '{' {
		return 0, 0
	}
	code, err := strconv.ParseUint(string(s[1:end]), 16, 32)
	if err != nil || !utf8.ValidRune(rune(code)) {
		return 0, 0
	}
	return rune(code), end + 1
}
