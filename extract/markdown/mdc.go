package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
	"golang.org/x/net/html"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/lazy"
)

// Bounds of components. What is longer is text.
const (
	maxList  = 8 << 10  // a list of attributes, in bytes
	maxProps = 64 << 10 // properties in YAML
)

// componentParser reads the lines that begin and end blocks of MDC, and those that begin their slots.
// Blocks may be indented, so the text between these lines is Markdown at any indentation.
type componentParser struct{}

func (componentParser) Trigger() []byte { return []byte(":#") }

func (componentParser) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	at := pc.BlockOffset()
	if at < 0 {
		at = len(line) - len(bytes.TrimLeft(line, " \t"))
	}
	stop := len(bytes.TrimRight(line, " \t\r\n"))
	n := new(marker)
	switch {
	case at >= stop:
		return nil, parser.NoChildren
	case line[at] == '#':
		if at+1 == stop || !ascii.IsLetter(line[at+1]) || at+1+runOf(line[at+1:stop], isMDCName) != stop {
			return nil, parser.NoChildren
		}
	default:
		from, isBlock := componentLine(line[at:stop])
		if !isBlock {
			return nil, parser.NoChildren
		}
		appendText(n, segment, line, at+from, stop)
	}
	reader.AdvanceToEOL()
	return n, parser.NoChildren
}

func (componentParser) Continue(ast.Node, text.Reader, parser.Context) parser.State {
	return parser.Close
}
func (componentParser) Close(ast.Node, text.Reader, parser.Context) {}
func (componentParser) CanInterruptParagraph() bool                 { return true }
func (componentParser) CanAcceptIndentedLine() bool                 { return true }

// componentLine reports whether a line without white space at its ends begins or ends a block: "::name",
// "::name[text]" or "::". The text is line[from:].
func componentLine(line []byte) (from int, isBlock bool) {
	colons := runOf(line, func(c byte) bool { return c == ':' })
	if colons < 2 {
		return 0, false
	}
	name := mdcName(line[colons:])
	from = colons + name
	switch {
	case from == len(line):
		return from, true
	case name == 0:
		return 0, false
	}
	return from, line[from] == '[' && line[len(line)-1] == ']'
}

func isMDCName(c byte) bool { return ascii.IsAlnum(c) || c == '-' || c == '_' }

// mdcName returns the length of the name at the start of s, or 0.
func mdcName(s []byte) int {
	if len(s) == 0 || !ascii.IsLetter(s[0]) {
		return 0
	}
	return runOf(s, isMDCName)
}

// An mdcReader reads the components of a document before goldmark parses it.
type mdcReader struct{ *Scanner }

// mask masks the attributes and the properties of components in src[body:], and adds what they refer to.
func (s mdcReader) mask(body int) {
	s.effort = 1<<20 + 64*(len(s.src)-body)
	var fences codeFences
	for at := body; at < len(s.src); {
		end := ascii.NextLine(s.src, at)
		line := s.src[at:end]
		if fences.isCode(line) {
			at = end
			continue
		}
		from := at + len(line) - len(bytes.TrimLeft(line, " \t>-*+"))
		if colons := runOf(s.src[from:end], func(c byte) bool { return c == ':' }); colons >= 2 {
			if next := s.openBlock(from+colons, end); next > 0 {
				at = next
				continue
			}
		}
		at = s.maskComponents(at, end)
	}
}

// openBlock reads the line that begins a block, whose name is at src[at:], and its properties. It returns
// where the next line begins, or 0 if no block begins.
func (s mdcReader) openBlock(at, end int) int {
	n := mdcName(s.src[at:end])
	if n == 0 {
		return 0
	}
	name := s.src[at : at+n]
	list := at + n
	if list < end && s.src[list] == '[' {
		list = s.label(list, end)
	}
	if list < end && s.src[list] == '{' {
		after := s.list(name, list, end)
		if after == 0 {
			return 0
		}
		s.blank(list, after)
		list = after
	}
	if !util.IsBlank(s.src[list:end]) {
		return 0
	}
	if from := at + n; from < end && s.src[from] == '[' {
		s.maskComponents(from, end)
	}
	return s.properties(name, end)
}

// label returns the offset after the text in brackets at src[at], or at if it does not end before end.
func (s mdcReader) label(at, end int) int {
	const deepest = 3
	depth := 0
	if s.effort < 0 {
		return at
	}
	for i := at; i < end; i++ {
		switch s.src[i] {
		case '\\':
			i++
		case '[':
			if depth++; depth > deepest+1 {
				s.effort -= i - at
				return at
			}
		case ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	s.effort -= end - at
	return at
}

// properties reads the properties in YAML between lines of "---" that begin at src[at]. It returns where
// the next line begins, or at if there are none.
func (s mdcReader) properties(name []byte, at int) int {
	next := ascii.NextLine(s.src, at)
	if !isPropsMark(s.src[at:next]) || s.effort < 0 {
		return at
	}
	for line := next; line < min(len(s.src), at+maxProps); {
		end := ascii.NextLine(s.src, line)
		if isPropsMark(s.src[line:end]) {
			for from := next; from < line; {
				to := ascii.NextLine(s.src, from)
				s.property(name, from, to)
				from = to
			}
			s.blank(at, end)
			return end
		}
		line = end
	}
	s.effort -= maxProps
	return at
}

// isPropsMark reports whether a line consists of three or more hyphens.
func isPropsMark(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) >= 3 && len(bytes.Trim(line, "-")) == 0
}

// property adds the values of the keys in a line of YAML that refer to something.
func (s mdcReader) property(name []byte, at, end int) {
	isFlow := false // within "{" or "["
	for i := at; i < end; {
		n := bytes.IndexByte(s.src[i:end], ':')
		if n < 0 {
			return
		}
		colon := i + n
		isFlow = isFlow || bytes.ContainsAny(s.src[i:colon], "{[")
		key := colon
		for key > at && (isMDCName(s.src[key-1])) {
			key--
		}
		i = colon + 1
		value := i + blanks(s.src[i:end])
		if value == i || value == end || key == colon || key > at && bytes.IndexByte([]byte(" \t-{,:\"'"), s.src[key-1]) < 0 {
			continue
		}
		to := value
		if c := s.src[value]; c == '{' || c == '[' {
			i, isFlow = value+1, true
			continue
		}
		if quote := s.src[value]; quote == '"' || quote == '\'' {
			value++
			n := bytes.IndexByte(s.src[value:end], quote)
			if n < 0 {
				return
			}
			to = value + n
			i = to + 1
		} else {
			for to < end && bytes.IndexByte([]byte(" \t\r\n"), s.src[to]) < 0 && !(isFlow && bytes.IndexByte([]byte(",}]"), s.src[to]) >= 0) {
				to++
			}
			i = to
		}
		s.refer(name, s.src[key:colon], value, to)
	}
}

// maskComponents masks the attributes of the components, spans, links and code in the line src[at:end], and
// the names of components. It returns where the next line begins: a list of attributes may have several
// lines.
func (s mdcReader) maskComponents(at, end int) int {
	for i := at; i < end; i++ {
		switch c := s.src[i]; c {
		case '\\':
			i++
		case '`':
			run := len(fenceOrCode(s.src[i:end]))
			i += run - 1
			if s.effort < 0 {
				continue
			}
			if n := bytes.Index(s.src[i+1:end], s.src[i+1-run:i+1]); n >= 0 {
				i += n + run
			} else {
				s.effort -= end - i
			}
			i, end = s.attached("", i, end)
		case ']', ')', '*', '_':
			i, end = s.attached("", i, end)
		case ':':
			i, end = s.inline(at, i, end)
		}
	}
	return end
}

// inline masks the name and the attributes of the component that begins at src[i], in a line src[at:end].
// It returns the last byte that it has read, and where the line ends.
func (s mdcReader) inline(at, i, end int) (last, lineEnd int) {
	n := mdcName(s.src[i+1 : end])
	if n == 0 || i > at && bytes.IndexByte([]byte(" \t[*_("), s.src[i-1]) < 0 || s.src[i+n] == '_' {
		return i, end
	}
	name := s.src[i+1 : i+1+n]
	after := i + 1 + n
	switch {
	case after < end && s.src[after] == '[':
		s.blank(i, after)
		label := s.label(after, end)
		if label == after || label >= end || s.src[label] != '{' {
			break
		}
		if list := s.list(name, label, s.listEnd(label)); list > 0 {
			s.blank(label, list)
		}
	case after < end && s.src[after] == '{':
		_, end = s.attached(string(name), after-1, end)
		if s.text[after] != '{' {
			s.blank(i, after)
		}
	case after == end || s.src[after] != ':':
		s.blank(i, after)
	}
	return i, end
}

// listEnd returns where a list of attributes in text that begins at src[at] must end.
func (s mdcReader) listEnd(at int) int { return min(len(s.src), at+maxList) }

// attached masks the list of attributes behind src[at], if there is one. It returns where the list ends,
// and where its line does.
func (s mdcReader) attached(name string, at, end int) (int, int) {
	if at+1 >= end || s.src[at+1] != '{' || s.text[at+1] != '{' || s.effort < 0 {
		return at, end
	}
	list := s.list([]byte(name), at+1, s.listEnd(at+1))
	if list == 0 {
		return at, end
	}
	s.blank(at+1, list)
	for list > end {
		end = ascii.NextLine(s.src, end)
	}
	return list - 1, end
}

// list reads the list of attributes in braces at src[at], and adds the references and the id in it. It
// returns the offset after the list, or 0 if there is none before end.
func (s mdcReader) list(name []byte, at, end int) int {
	var found []mdcAttribute
	for i := at + 1; i < end && s.effort > 0; {
		i += runOf(s.src[i:end], func(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' })
		if i >= end {
			break
		}
		if s.src[i] == '}' {
			for _, a := range found {
				s.attribute(name, a)
			}
			return i + 1
		}
		a, next := s.one(i, end)
		if next == 0 {
			s.effort -= i - at
			return 0
		}
		found = append(found, a)
		i = next
	}
	s.effort -= end - at
	return 0
}

// An mdcAttribute is a name and a value.
type mdcAttribute struct{ name, value scan.Span }

// one reads the attribute at src[at], and returns the offset after it, or 0 if there is none.
func (s mdcReader) one(at, end int) (a mdcAttribute, next int) {
	i := at
	switch c := s.src[at]; {
	case c == '#' || c == '.':
		n := runOf(s.src[at+1:end], func(c byte) bool { return bytes.IndexByte([]byte("\"#'.<=>`} \t\r\n"), c) < 0 })
		if n == 0 {
			return a, 0
		}
		return mdcAttribute{scan.Span{Start: at, End: at + 1}, scan.Span{Start: at + 1, End: at + 1 + n}}, at + 1 + n
	case c != ':' && c != '_' && c != '@' && !ascii.IsLetter(c):
		return a, 0
	}
	i += 1 + runOf(s.src[i+1:end], func(c byte) bool { return isMDCName(c) || c == '.' || c == ':' })
	a.name = scan.Span{Start: at, End: i}
	next = i
	i += blanks(s.src[i:end])
	if i >= end || s.src[i] != '=' {
		return a, next
	}
	i++
	i += blanks(s.src[i:end])
	if i >= end {
		return a, 0
	}
	if quote := s.src[i]; quote == '"' || quote == '\'' {
		for k := i + 1; k < end; k++ {
			if s.src[k] == '\\' && k+1 < end && s.src[k+1] == quote {
				k++
			} else if s.src[k] == quote {
				a.value = scan.Span{Start: i + 1, End: k}
				return a, k + 1
			}
		}
		return a, 0
	}
	n := runOf(s.src[i:end], func(c byte) bool { return bytes.IndexByte([]byte("\"'<=>`} \t\r\n"), c) < 0 })
	if n == 0 {
		return a, 0
	}
	a.value = scan.Span{Start: i, End: i + n}
	return a, i + n
}

// attribute adds what an attribute refers to, or the id that it gives.
func (s mdcReader) attribute(name []byte, a mdcAttribute) {
	key := s.src[a.name.Start:a.name.End]
	switch {
	case a.value.Start == a.value.End:
	case string(key) == "#" || string(key) == "id":
		if s.Anchors {
			it := scan.Item{Op: scan.Anchor, In: "attribute", Span: a.value, Value: s.src[a.value.Start:a.value.End], More: s.moreOf()}
			it.More.NameSpan = a.value
			s.add(it)
		}
	case len(name) > 0:
		s.refer(name, key, a.value.Start, a.value.End)
	}
}

// The properties of components that refer to something, as those of MDX do; those of maybeLinks if the value is a path.
var (
	mdcLinks   = lazy.NewSet("to href")
	mdcEmbeds  = lazy.NewSet("src")
	maybeLinks = lazy.NewSet("link url")
)

// refer adds the value src[at:end] of a property of a component if it is a reference. The value of a
// property that begins with a colon is an expression: a string in it is the value, anything else a
// template, which an audit counts.
func (s mdcReader) refer(component, key []byte, at, end int) {
	name := string(bytes.TrimPrefix(key, []byte(":")))
	isBound := len(name) < len(key)
	value := s.src[at:end]
	if len(value) == 0 {
		return
	}
	isPath := isBound || bytes.IndexByte(value, '/') >= 0 || value[0] == '#'
	it := scan.Item{Kind: scan.Link, How: scan.Attribute, In: componentName(component) + "/" + name, Span: scan.Span{Start: at, End: end}, Value: value}
	kind, isPart, isOwn := s.ownProperties().Use(component, []byte(name))
	switch {
	case isOwn:
		it.Kind = kind
		if isPart && !isPath {
			return
		}
		if isPart {
			it.Labels = scan.Speculative | scan.Guess
		}
	case len(name) > len("href"):
		return
	case mdcEmbeds.Has(name):
		it.Kind = scan.Embed
	case mdcLinks.Has(name), maybeLinks.Has(name) && isPath:
	default:
		return
	}
	switch quote := value[0]; {
	case !isBound:
		if bytes.IndexByte(value, '&') >= 0 {
			it.Value = []byte(html.UnescapeString(string(value)))
		}
	case len(value) > 2 && (quote == '\'' || quote == '"' || quote == '`') && bytes.IndexByte(value[1:], quote) == len(value)-2:
		it.Span = scan.Span{Start: at + 1, End: end - 1}
		it.Value = value[1 : len(value)-1]
	case !s.Anchors:
		return
	default:
		it.Span.End = at // there is no destination to write elsewhere
		it.Value = []byte("{" + string(value) + "}")
	}
	s.add(it)
}

// componentName returns the name of a component with a capital letter, as components have in Vue.
func componentName(name []byte) string {
	if len(name) == 0 {
		return ""
	}
	return string(bytes.ToUpper(name[:1])) + string(name[1:])
}
