package literal

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"example.org/refract/extract/scan"
)

const (
	maxDepth = 500 // nesting of the parser's calls, three per bracket; anything deeper is Unknown
	maxName  = 256 // bytes of a path a.b.c
)

// A parser reads expressions. An expression that it does not understand becomes Unknown, and is
// skipped up to the comma or bracket that ends it.
type parser struct {
	src    []byte
	lang   Language
	tokens []token
	i      int  // index of the next token
	end    int  // index at which the tokens of the innermost bracket or body end
	inline bool // a line break may end an expression
	depth  int
	notes  []Note

	element       string // in the last unary expression: the name of the last value of which it takes an element with an unknown key
	comprehension bool   // the last expression was the first part of [x for x in y]

	names  map[string]*binding
	scopes []scope          // scopes of the enclosing functions
	active map[string][]int // scopes that currently bind each name, innermost last
	uses   map[string]int   // token of each name's last use
	last   int              // number of the latest scope
	calls  []Value          // call statements, and in chains all calls but the last: a().b().c()
	value  Value            // the default export
	out    []Entry          // exports.x = y
	hasValue,
	hasStar bool // from x import *, or globals().update(x)
}

func (p *parser) note(text string) {
	if len(p.notes) >= 100 {
		return
	}
	at := len(p.src)
	if p.i < len(p.tokens) {
		at = int(p.tokens[p.i].start)
	}
	p.notes = append(p.notes, Note{Offset: at, Text: text})
}

// tok returns the token d after the next one; past the end it is an endToken.
func (p *parser) tok(d int) token {
	if p.i+d < p.end {
		return p.tokens[p.i+d]
	}
	return token{start: int32(len(p.src)), end: int32(len(p.src)), newline: true}
}

func (p *parser) text(t token) string { return string(p.src[t.start:t.end]) }

// is reports whether the token d after the next one is the operator or name s.
func (p *parser) is(d int, s string) bool {
	t := p.tok(d)
	return (t.kind == punctToken || t.kind == nameToken) && string(p.src[t.start:t.end]) == s
}

func (p *parser) isPunct(d int, c byte) bool {
	t := p.tok(d)
	return t.kind == punctToken && t.end == t.start+1 && p.src[t.start] == c
}

// skip skips one token or, if that is a bracket, everything up to its partner.
func (p *parser) skip() {
	if t := p.tok(0); t.kind == punctToken && int(t.match) > p.i {
		p.i = int(t.match)
	}
	p.i++
	p.i = min(p.i, p.end)
}

// atEnd reports whether an expression cannot continue with the next token.
func (p *parser) atEnd() bool {
	t := p.tok(0)
	if p.lacksOperand() {
		return true
	}
	if !p.inline || !t.newline {
		return false
	}
	if p.lang == Python {
		return true
	}
	switch t.kind {
	case punctToken:
		switch p.text(t) {
		case "{", "++", "--", "@", "...", "~", "!":
			return true
		}
		return false
	case nameToken:
		switch p.text(t) {
		case "as", "satisfies", "in", "instanceof":
			return false
		}
	}
	return true
}

// lacksOperand reports whether no operand can start here. A line break may come before an operand.
func (p *parser) lacksOperand() bool {
	t := p.tok(0)
	return t.kind == endToken || t.kind == punctToken && t.end == t.start+1 && strings.IndexByte(",;)]}:", p.src[t.start]) >= 0
}

// skipExpression skips the rest of an expression.
func (p *parser) skipExpression() Value {
	for !p.atEnd() {
		p.skip()
	}
	return Value{Kind: Unknown}
}

// expression reads up to a comma, a closing bracket, a colon, or the end of the statement.
func (p *parser) expression() Value {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxDepth {
		p.note("nested too deeply")
		return p.skipExpression()
	}
	return p.operators(p.unary())
}

// operators reads the operators that follow the operand v.
func (p *parser) operators(v Value) Value {
	for !p.atEnd() {
		t := p.tok(0)
		switch op := p.text(t); {
		case t.kind != punctToken && t.kind != nameToken:
			return p.skipExpression()
		case op == "+":
			p.i++
			v = join(concat, v, p.unary())
		case op == "??" || op == "||" || op == "or" && p.lang == Python:
			p.i++
			v = join(choice, v, p.unary())
		case op == "&&" || op == "and" && p.lang == Python:
			p.i++
			v = Value{Kind: choice, Items: []Value{p.unary()}}
		case op == "?" && p.lang != Python:
			return p.conditional(v)
		case op == "if" && p.lang == Python && !p.comprehension:
			return p.pythonConditional(v)
		case op == "for" && p.lang == Python, op == "async" && p.lang == Python:
			p.comprehension = true
			return p.skipExpression()
		case op == "as" || op == "satisfies":
			p.skipType()
		default:
			return p.skipExpression()
		}
	}
	return v
}

// across returns the range from the start of a to the end of b; zero if unknown.
func across(a, b scan.Span) scan.Span {
	if a.End == 0 || b.End < a.Start {
		return scan.Span{}
	}
	return scan.Span{Start: a.Start, End: b.End}
}

// join appends b to a if a already has this kind; otherwise it returns a new value of this kind
// with both.
func join(kind Kind, a, b Value) Value {
	if a.Kind == kind {
		a.Items = append(a.Items, b)
		a.Span = across(a.Span, b.Span)
		return a
	}
	return Value{Kind: kind, Items: []Value{a, b}, Span: across(a.Span, b.Span)}
}

// conditional reads "? b : c".
func (p *parser) conditional(test Value) Value {
	p.i++
	inline := p.inline
	p.inline = false
	yes := p.expression()
	p.inline = inline
	if !p.isPunct(0, ':') {
		return p.skipExpression()
	}
	p.i++
	no := p.expression()
	return Value{Kind: choice, Items: []Value{yes, no}, Span: test.Span}
}

// pythonConditional reads "if test else c" after the value yes.
func (p *parser) pythonConditional(yes Value) Value {
	for !p.atEnd() && !p.is(0, "else") {
		p.skip()
	}
	if !p.is(0, "else") {
		return Value{Kind: choice, Items: []Value{yes}}
	}
	p.i++
	return Value{Kind: choice, Items: []Value{yes, p.expression()}}
}

// skipType skips a TypeScript type, up to "=" or the end of the expression.
func (p *parser) skipType() {
	angles := 0 // Record<string, T> has a comma
	for p.i++; !p.is(0, "="); p.skip() {
		switch {
		case p.isPunct(0, '<'):
			angles++
		case p.isPunct(0, '>'):
			angles--
		case p.isPunct(0, ',') && angles > 0, p.isPunct(0, ':'):
		case p.atEnd():
			return
		}
	}
}

// unary reads an operand with the calls and members that follow it.
func (p *parser) unary() Value {
	t := p.tok(0)
	if p.lacksOperand() {
		return Value{Kind: Unknown}
	}
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxDepth { // new new new
		p.note("nested too deeply")
		return p.skipExpression()
	}
	v := Value{Kind: Unknown, Span: scan.Span{Start: int(t.start), End: int(t.end)}}
	switch t.kind {
	case stringToken:
		v = p.stringAt(t)
		p.i++
		for p.lang == Python && p.tok(0).kind == stringToken && !p.atEnd() {
			v = join(concat, v, p.stringAt(p.tok(0)))
			p.i++
		}
	case numberToken:
		v.Kind, v.Text = Number, p.text(t)
		p.i++
	case nameToken:
		v = p.word()
	case punctToken:
		v = p.operand(v)
	case otherToken:
		v = p.templateAt(t)
		p.i++
	default:
		p.i++
	}
	return p.members(v)
}

func (p *parser) operand(v Value) Value {
	switch p.text(p.tok(0)) {
	case "{":
		return p.bracketed(p.entries)
	case "[":
		return p.bracketed(p.elements)
	case "(":
		if p.lang != Python && p.isArrow() {
			return p.arrow()
		}
		return p.bracketed(p.group)
	case "...", "*", "**":
		p.i++
		return Value{Kind: spread, Items: []Value{p.expression()}}
	case "<": // a TypeScript type before its value
		if p.tok(1).kind == nameToken && p.isPunct(2, '>') {
			p.i += 3
			return p.unary()
		}
	case "-", "+":
		if next := p.tok(1); next.kind == numberToken {
			v.Kind, v.Text, v.Span.End = Number, strings.TrimPrefix(string(p.src[v.Span.Start:next.end]), "+"), int(next.end)
			p.i += 2
			return v
		}
	}
	p.skip()
	return p.skipExpression()
}

// bracketed reads the contents of a bracket with read, and continues after the bracket.
func (p *parser) bracketed(read func() Value) Value {
	open := p.tok(0)
	stop := min(int(open.match), len(p.tokens))
	end, inline, comprehension := p.end, p.inline, p.comprehension
	if p.depth >= maxDepth {
		p.note("nested too deeply")
		p.i = min(stop+1, end)
		return Value{Kind: Unknown}
	}
	p.depth++
	p.i++
	p.end, p.inline, p.comprehension = stop, false, false
	v := read()
	if p.comprehension {
		v = Value{Kind: Unknown}
	}
	p.depth--
	p.end, p.inline, p.comprehension = end, inline, comprehension
	p.i = min(stop+1, end)
	if stop == len(p.tokens) && (v.Kind == List || v.Kind == Map) {
		v.Open = true // the bracket is never closed
	}
	if v.Kind == List || v.Kind == Map || v.Kind == Unknown {
		v.Span = scan.Span{Start: int(open.start), End: len(p.src)}
		if stop < len(p.tokens) {
			v.Span.End = int(p.tokens[stop].end)
		}
	}
	return v
}

// group reads the contents of parentheses: one expression, or a tuple.
func (p *parser) group() Value {
	if p.lang == Python && p.tok(0).kind == endToken {
		return Value{Kind: List}
	}
	v := p.expression()
	switch {
	case p.tok(0).kind == endToken:
		return v
	case p.lang == Python && p.isPunct(0, ','):
		p.i++
		rest := p.elements()
		rest.Items = append([]Value{v}, rest.Items...)
		return rest
	}
	return Value{Kind: Unknown}
}

// elements reads expressions separated by commas.
func (p *parser) elements() Value {
	v := Value{Kind: List}
	var keywords Value
	for p.tok(0).kind != endToken {
		if p.isPunct(0, ',') {
			p.i++
			continue
		}
		at := p.i
		if t := p.tok(0); p.lang == Python && t.kind == nameToken && p.isPunct(1, '=') {
			p.i += 2
			keywords.Kind = Map
			keywords.Entries = append(keywords.Entries, Entry{Key: p.text(t), At: spanOf(t), Value: p.expression()})
		} else {
			v.Items = append(v.Items, p.expression())
		}
		for p.tok(0).kind != endToken && !p.isPunct(0, ',') {
			p.skip() // a colon, or invalid syntax
		}
		if p.i == at {
			p.i++
		}
	}
	if keywords.Kind == Map {
		v.Items = append(v.Items, keywords)
	}
	return v
}

// entries reads the keys and values of an object or dictionary. A Python set becomes a List.
func (p *parser) entries() Value {
	v := Value{Kind: Map}
	for p.tok(0).kind != endToken {
		if p.isPunct(0, ',') || p.isPunct(0, ';') {
			p.i++
			continue
		}
		if p.lang == Python && !p.is(0, "**") {
			key := p.expression()
			if !p.isPunct(0, ':') {
				if len(v.Entries) > 0 || p.comprehension {
					return Value{Kind: Unknown}
				}
				set := p.elements()
				set.Items = append([]Value{key}, set.Items...)
				return set
			}
			p.i++
			p.add(&v, key, p.expression())
		} else {
			p.entry(&v)
		}
		for p.tok(0).kind != endToken && !p.isPunct(0, ',') {
			p.skip()
		}
	}
	return v
}

// add adds an entry to v. If the key is not literal, v has unknown keys.
func (p *parser) add(v *Value, key, value Value) {
	switch key.Kind {
	case String, Number, Bool:
		v.Entries = append(v.Entries, Entry{Key: key.Text, At: key.Span, Value: value})
	default: // it may replace any earlier entry, as a spread does
		v.Entries = append(v.Entries, Entry{Value: Value{Kind: spread, Items: []Value{{Kind: Unknown}}}})
	}
}

// entry reads one entry of an object: key: value, key, key() {…}, get key() {…}, ...x.
func (p *parser) entry(v *Value) {
	t := p.tok(0)
	if p.is(0, "...") || p.is(0, "**") {
		p.i++
		v.Entries = append(v.Entries, Entry{Value: Value{Kind: spread, Items: []Value{p.expression()}}})
		return
	}
	for t.kind == nameToken && (p.is(0, "async") || p.is(0, "get") || p.is(0, "set") || p.is(0, "static")) {
		if next := p.tok(1); next.kind == endToken || next.kind == punctToken && !p.isPunct(1, '[') && !p.isPunct(1, '*') {
			break // the name is the key itself
		}
		p.i++
		t = p.tok(0)
	}
	if p.isPunct(0, '*') {
		p.i++
		t = p.tok(0)
	}
	var key Value
	switch {
	case t.kind == nameToken:
		key = Value{Kind: String, Text: p.text(t), Span: spanOf(t)}
		p.i++
	case t.kind == stringToken:
		key = p.stringAt(t)
		p.i++
	case t.kind == numberToken:
		key = Value{Kind: Number, Text: p.text(t), Span: spanOf(t)}
		p.i++
	case p.isPunct(0, '['):
		if key = p.bracketed(p.elements); key.Kind == List && len(key.Items) == 1 {
			key = key.Items[0]
		}
	default:
		p.i++
		v.Open = true
		return
	}
	switch {
	case p.isPunct(0, ':'):
		p.i++
		p.add(v, key, p.expression())
	case p.isPunct(0, '('):
		p.add(v, key, p.function())
	case t.kind == nameToken:
		p.add(v, key, Value{Kind: name, Text: p.use(key.Text), Span: key.Span})
	}
}

func spanOf(t token) scan.Span { return scan.Span{Start: int(t.start), End: int(t.end)} }

// word reads an operand that begins with a name.
func (p *parser) word() Value {
	t := p.tok(0)
	v := Value{Span: spanOf(t)}
	word := p.text(t)
	switch word {
	case "true", "false", "True", "False":
		v.Kind, v.Text = Bool, strings.ToLower(word)
	case "null", "None", "undefined":
		v.Kind = Nil
	case "function":
		return p.function()
	case "class", "lambda", "typeof", "void", "delete", "not", "yield":
		p.i++
		return p.skipExpression()
	case "new", "await":
		p.i++
		return p.unary()
	case "async":
		if next := p.tok(1); next.kind == nameToken || p.isPunct(1, '(') {
			p.i++
			if p.isPunct(0, '(') && !p.isArrow() {
				p.i--
				break
			}
			return p.unary()
		}
	}
	p.i++
	if v.Kind != Missing {
		return v
	}
	if p.lang != Python && p.is(0, "=>") {
		p.enter()
		p.bindParameter(word)
		body := p.arrowBody()
		p.leave()
		return body
	}
	v.Kind, v.Text = name, p.use(word)
	return v
}

// members reads .x, [x], (x) and templates after an operand.
func (p *parser) members(v Value) Value {
	for !p.atEnd() {
		t := p.tok(0)
		switch {
		case p.isPunct(0, '.') || p.is(0, "?."):
			p.i++
			next := p.tok(0)
			if next.kind != nameToken {
				if p.isPunct(0, '(') || p.isPunct(0, '[') {
					continue // a?.(b)
				}
				return p.skipExpression()
			}
			v = p.member(v, next)
		case p.isPunct(0, '['):
			index := p.bracketed(p.elements)
			if v.Kind == name && len(index.Items) == 1 && index.Items[0].Kind == String {
				v.Text = longer(v.Text, ".", index.Items[0].Text)
				v.Span = across(v.Span, index.Span)
				continue
			}
			if v.Kind == name {
				p.element = v.Text
			}
			v = Value{Kind: Unknown}
		case p.isPunct(0, '('):
			args := p.bracketed(p.elements)
			if args.Kind == Unknown {
				args.Items = []Value{{Kind: Unknown}} // f(x for x in y)
			}
			switch v.Kind {
			case function: // (() => x)()
				if len(v.Items) == 0 {
					return Value{Kind: Unknown}
				}
				v = v.Items[0]
				continue
			case name:
				v = Value{Kind: Call, Text: v.Text, Items: args.Items, Span: v.Span}
			case Call:
				v.Items = args.Items // a(b)(c)
			default:
				v = Value{Kind: Unknown}
			}
			v.Span = across(v.Span, args.Span)
		case p.isPunct(0, '<') && p.typeArguments() > 0:
			p.i += p.typeArguments()
		case p.isPunct(0, '!') && !t.newline && p.lang == JavaScript:
			p.i++
		case t.kind == stringToken && p.src[t.start] == '`' || t.kind == otherToken:
			p.i++
			v = Value{Kind: Unknown}
		default:
			return v
		}
	}
	return v
}

// typeArguments returns the number of tokens of <T, U> before the arguments of a call, or 0.
func (p *parser) typeArguments() int {
	if p.lang != JavaScript {
		return 0
	}
	angles := 0
	for d := range 32 {
		switch t := p.tok(d); {
		case p.isPunct(d, '<'):
			angles++
		case p.isPunct(d, '>'):
			angles--
			if angles == 0 && p.isPunct(d+1, '(') {
				return d + 1
			} else if angles == 0 {
				return 0
			}
		case t.kind == punctToken && strings.IndexByte(",.[]|&{}:;?", p.src[t.start]) >= 0 || t.kind == nameToken || t.kind == stringToken:
		default:
			return 0
		}
	}
	return 0
}

// member reads .x behind v.
func (p *parser) member(v Value, x token) Value {
	p.i++
	word := p.text(x)
	switch v.Kind {
	case name:
		v.Text = longer(v.Text, ".", word)
		v.Span = across(v.Span, spanOf(x))
		return v
	case Call:
		if v.Text == "require" || v.Text == "import" {
			if len(v.Items) == 1 && !p.isPunct(0, '(') {
				v.Text = "import"
				v.Items = append(v.Items, Value{Kind: String, Text: word, Span: spanOf(x)})
				return v
			}
		}
		if p.isPunct(0, '(') {
			p.calls = append(p.calls, v)
		}
		return Value{Kind: name, Text: longer(v.Text, "().", word), Span: across(v.Span, spanOf(x))}
	case List:
		if word == "filter" && p.isPunct(0, '(') && p.is(1, "Boolean") {
			p.skip()
			return v
		}
	}
	return Value{Kind: Unknown}
}

// longer returns path with another name appended. A path that is too long has no text.
func longer(path, dot, word string) string {
	if len(path)+len(word) > maxName || path == "" {
		return ""
	}
	return path + dot + word
}

// stringAt returns the value of the string token t.
func (p *parser) stringAt(t token) Value {
	raw := p.src[t.start:t.end]
	start := int(t.start)
	isRaw, isFormat := false, false
	for len(raw) > 0 && isNameByte(raw[0]) {
		isRaw = isRaw || raw[0]|0x20 == 'r'
		isFormat = isFormat || raw[0]|0x20 == 'f' || raw[0]|0x20 == 't'
		raw = raw[1:]
		start++
	}
	n := 1
	if p.lang == Python && len(raw) >= 6 && raw[1] == raw[0] && raw[2] == raw[0] {
		n = 3
	}
	if len(raw) < 2*n || raw[len(raw)-1] != raw[0] {
		return Value{Kind: Unknown, Span: spanOf(t)} // the string is never closed
	}
	body := raw[n : len(raw)-n]
	if isFormat && bytes.ContainsAny(body, "{}") {
		return Value{Kind: Unknown, Span: spanOf(t)}
	}
	v := Value{Kind: String, Span: scan.Span{Start: start + n, End: start + n + len(body)}}
	if isRaw || bytes.IndexByte(body, '\\') < 0 {
		v.Text = string(body)
	} else {
		v.Text = unescape(body, p.lang)
	}
	return v
}

// templateAt returns the value of the token t: of a template whose expressions are names, the parts to be
// joined; of any other template, and of a regular expression, Unknown.
func (p *parser) templateAt(t token) Value {
	v := Value{Kind: Unknown, Span: spanOf(t)}
	body := p.src[t.start:t.end]
	if len(body) < 2 || body[0] != '`' || body[len(body)-1] != '`' || bytes.IndexByte(body, '\\') >= 0 {
		return v
	}
	body = body[1 : len(body)-1]
	made := Value{Kind: concat, Span: v.Span}
	for len(body) > 0 {
		text, rest, hasName := bytes.Cut(body, []byte("${"))
		if len(text) > 0 {
			made.Items = append(made.Items, Value{Kind: String, Text: string(text)})
		}
		if !hasName {
			break
		}
		path, rest, ok := bytes.Cut(rest, []byte("}"))
		path = bytes.TrimSpace(path)
		if !ok || len(path) == 0 || len(path) > maxName || bytes.ContainsFunc(path, isNotInPath) || path[0] == '.' || path[0] <= '9' {
			return v
		}
		word, members, hasMembers := strings.Cut(string(path), ".")
		word = p.use(word)
		if hasMembers {
			word += "." + members
		}
		made.Items = append(made.Items, Value{Kind: name, Text: word, Span: v.Span})
		body = rest
	}
	return made
}

// isNotInPath reports whether r cannot be part of a name or a path of names.
func isNotInPath(r rune) bool {
	return r != '.' && (r >= utf8.RuneSelf || !isNameByte(byte(r)))
}

var controls = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 'f': '\f', 'v': '\v', '0': 0}

// unescape undoes the backslash escapes of a string.
func unescape(b []byte, lang Language) string {
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		if b[i] != '\\' || i+1 == len(b) {
			out = append(out, b[i])
			continue
		}
		i++
		c := b[i]
		if c == 'x' || c == 'u' || c == 'U' && lang == Python {
			r, n := codePoint(b[i:])
			if utf16.IsSurrogate(r) && i+n+1 < len(b) && b[i+n] == '\\' {
				if low, m := codePoint(b[i+n+1:]); m > 0 && utf16.DecodeRune(r, low) != utf8.RuneError {
					r = utf16.DecodeRune(r, low)
					n += m + 1
				}
			}
			if n > 0 {
				out = utf8.AppendRune(out, r)
				i += n - 1
				continue
			}
		}
		switch control, ok := controls[c]; {
		case c == '\r' && i+1 < len(b) && b[i+1] == '\n':
			i++
		case c == '\n':
		case ok:
			out = append(out, control)
		case lang == Python && c != '\\' && c != '\'' && c != '"':
			out = append(out, '\\', c) // Python keeps the backslash
		default:
			out = append(out, c)
		}
	}
	return string(out)
}

// codePoint decodes xHH, uHHHH, u{H…} and UHHHHHHHH. It returns the number of bytes read, or 0 if
// the escape is malformed.
func codePoint(b []byte) (rune, int) {
	if len(b) == 0 {
		return 0, 0
	}
	n := map[byte]int{'x': 2, 'u': 4, 'U': 8}[b[0]]
	start, end := 1, 1+n
	if b[0] == 'u' && len(b) > 1 && b[1] == '{' {
		n = bytes.IndexByte(b[:min(len(b), 10)], '}') - 2
		start, end = 2, 2+n
	}
	if n <= 0 || end > len(b) {
		return 0, 0
	}
	r, err := strconv.ParseUint(string(b[start:end]), 16, 31)
	if err != nil {
		return 0, 0
	}
	if start == 2 {
		end++
	}
	return rune(r), end
}
