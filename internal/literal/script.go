package literal

import (
	"strconv"
	"strings"
)

// A binding holds the information about one name in a file.
type binding struct {
	value   Value
	order   int      // position among names, by first use
	count   int      // number of bindings; a name that is bound twice is Unknown
	changes []change // config.x = y, list.push(z)
	state   uint8    // of resolution: 0, working, done
	size    int      // number of values it resolves to
}

// A change modifies a value after it is bound.
type change struct {
	path   []string // keys from the value
	value  Value    // the value that is set or appended
	add    bool     // append to a list
	always bool     // unconditional
	isPush bool     // by a call of push or unshift
}

func (p *parser) bindingOf(id string) *binding {
	b := p.names[id]
	if b == nil {
		b = &binding{order: len(p.names)}
		p.names[id] = b
	}
	return b
}

// A scope is the scope of a function. A name that it binds is written "3:name" in paths.
type scope struct {
	number int
	start  int // index of its first token
	names  []string
}

func (p *parser) enter() {
	p.last++
	p.scopes = append(p.scopes, scope{number: p.last, start: p.i})
}

func (p *parser) leave() {
	top := len(p.scopes) - 1
	for _, id := range p.scopes[top].names {
		p.active[id] = p.active[id][:len(p.active[id])-1]
	}
	p.scopes = p.scopes[:top]
}

// use returns the path of a name that is used here.
func (p *parser) use(id string) string {
	p.uses[id] = p.i
	return p.path(id)
}

func (p *parser) path(id string) string {
	if list := p.active[id]; len(list) > 0 {
		return strconv.Itoa(list[len(list)-1]) + ":" + id
	}
	return id
}

// plain returns a path without the number of its scope.
func plain(path string) string {
	if path == "" || path[0] < '0' || path[0] > '9' {
		return path
	}
	return path[strings.IndexByte(path, ':')+1:]
}

// declare binds a name in the innermost scope.
func (p *parser) declare(id string, v Value) {
	if len(p.scopes) == 0 {
		p.bind(id, v)
		return
	}
	s := &p.scopes[len(p.scopes)-1]
	if list := p.active[id]; len(list) == 0 || list[len(list)-1] != s.number {
		if at, ok := p.uses[id]; ok && at >= s.start { // that earlier use may have meant this name
			p.bindingOf(p.path(id)).count += 2
		}
		p.active[id] = append(list, s.number)
		s.names = append(s.names, id)
	}
	p.bind(p.path(id), v)
}

// bind binds the name of a path to a value.
func (p *parser) bind(id string, v Value) {
	b := p.bindingOf(id)
	b.count++
	b.value = v
}

// bindParameter binds the name of a parameter, whose value is unknown.
func (p *parser) bindParameter(id string) { p.declare(id, Value{Kind: Unknown}) }

// isArrow reports whether the parentheses here hold the parameters of an arrow function.
func (p *parser) isArrow() bool {
	d := int(p.tok(0).match) - p.i + 1
	if !p.isPunct(d, ':') {
		return p.is(d, "=>")
	}
	for stop := d + 16; d < stop; d++ { // skip the return type
		switch t := p.tok(d); {
		case p.is(d, "=>"):
			return true
		case t.kind != nameToken && (t.kind != punctToken || strings.IndexByte(":[]<>|.", p.src[t.start]) < 0):
			return false
		}
	}
	return false
}

func (p *parser) arrow() Value {
	p.enter()
	defer p.leave()
	p.parameters()
	for !p.is(0, "=>") {
		p.i++
	}
	return p.arrowBody()
}

// arrowBody reads "=>" and the body that follows.
func (p *parser) arrowBody() Value {
	p.i++
	if p.isPunct(0, '{') {
		return p.body()
	}
	v := p.expression()
	return Value{Kind: function, Items: []Value{v}, Span: v.Span}
}

// function reads from "function", or from the parameters of a method, to the end of the body.
func (p *parser) function() Value {
	for !p.isPunct(0, '(') {
		if p.tok(0).kind == endToken || p.isPunct(0, '{') {
			return Value{Kind: Unknown}
		}
		p.i++
	}
	p.enter()
	defer p.leave()
	p.parameters()
	for !p.isPunct(0, '{') {
		if p.tok(0).kind == endToken || p.isPunct(0, ';') || p.isPunct(0, ',') {
			return Value{Kind: Unknown}
		}
		p.skip()
	}
	return p.body()
}

// parameters skips parameters. Their names, and all names in their defaults, are unknown from here
// on.
func (p *parser) parameters() {
	stop := min(int(p.tok(0).match), p.end)
	for ; p.i < stop; p.i++ {
		if t := p.tok(0); t.kind == nameToken {
			p.bindParameter(p.text(t))
		}
	}
	p.i = min(stop+1, p.end)
}

// body reads the body of a function, and returns the function's result.
func (p *parser) body() Value {
	return p.bracketed(func() Value {
		p.inline = true
		var returns []Value
		p.statements(&returns)
		switch len(returns) {
		case 0:
			return Value{Kind: function}
		case 1:
			return Value{Kind: function, Items: returns, Span: returns[0].Span}
		}
		return Value{Kind: function, Items: []Value{{Kind: choice, Items: returns}}}
	})
}

// statements reads JavaScript up to p.end. It reads blocks as if they had no braces.
func (p *parser) statements(returns *[]Value) {
	for p.i < p.end {
		at := p.i
		if t := p.tok(0); t.kind == nameToken {
			p.statement(p.text(t), returns)
		} else if p.isPunct(0, '{') || p.isPunct(0, '}') || p.isPunct(0, ';') {
			p.i++
		} else {
			p.expressionStatement()
		}
		if p.i == at {
			p.i++
		}
	}
}

func (p *parser) statement(word string, returns *[]Value) {
	switch word {
	case "import":
		if p.isPunct(1, '(') || p.isPunct(1, '.') {
			p.expressionStatement()
			return
		}
		p.importStatement()
	case "export":
		p.i++
		switch {
		case p.is(0, "default") || p.isPunct(0, '='):
			p.i++
			p.setDefault(p.expression())
		case p.isPunct(0, '{'):
			p.exportList()
		}
	case "const", "let", "var":
		p.i++
		p.declarations()
	case "async":
		if !p.is(1, "function") {
			p.expressionStatement()
			return
		}
		p.i++
	case "function":
		id := p.tok(1)
		if p.isPunct(1, '*') {
			id = p.tok(2)
		}
		v := p.function()
		if id.kind == nameToken {
			p.declare(p.text(id), v)
		}
	case "return":
		p.i++
		v := Value{Kind: Nil}
		if !p.atEnd() {
			v = p.expression()
		}
		*returns = append(*returns, v)
	case "if", "for", "while", "switch", "with", "catch":
		p.i++
		if p.is(0, "await") {
			p.i++
		}
		if p.isPunct(0, '(') {
			p.skip()
		}
	case "else", "try", "finally", "do", "case", "default", "declare", "abstract":
		p.i++
	case "type":
		if p.tok(1).kind == nameToken && !p.tok(1).newline {
			p.skipType()
			p.i++
			p.skipExpression()
			return
		}
		p.expressionStatement()
	case "class", "interface", "enum", "namespace":
		for p.tok(0).kind != endToken && !p.isPunct(0, '{') && !p.isPunct(0, ';') {
			p.i++
		}
		p.skip()
	default:
		p.expressionStatement()
	}
}

func (p *parser) setDefault(v Value) {
	if p.hasValue {
		v = Value{Kind: choice, Items: []Value{p.value, v}}
	}
	p.value, p.hasValue = v, true
}

// exportList reads { a, b as default }.
func (p *parser) exportList() {
	stop := min(int(p.tok(0).match), p.end)
	for ; p.i < stop; p.i++ {
		if t := p.tok(0); t.kind == nameToken && p.is(1, "as") && p.is(2, "default") {
			p.setDefault(Value{Kind: name, Text: p.text(t), Span: spanOf(t)})
		}
	}
	p.i++
}

// importStatement binds the names of import a, { b as c } from 'm'.
func (p *parser) importStatement() {
	type pair struct {
		export string
		local  token
	}
	var pairs []pair
	p.i++
	depth := 0
	for p.tok(0).kind != endToken && p.tok(0).kind != stringToken && !p.isPunct(0, ';') && !p.isPunct(0, '=') {
		t := p.tok(0)
		switch {
		case p.isPunct(0, '{'):
			depth++
		case p.isPunct(0, '}'):
			depth--
		case p.isPunct(0, '*') && p.is(1, "as"):
			pairs = append(pairs, pair{"*", p.tok(2)})
			p.i += 2
		case p.is(0, "type") && p.tok(1).kind == nameToken && !p.is(1, "as") && !p.is(1, "from"):
		case t.kind == nameToken && p.is(1, "as") && depth > 0:
			pairs = append(pairs, pair{p.text(t), p.tok(2)})
			p.i += 2
		case t.kind == nameToken && depth > 0:
			pairs = append(pairs, pair{p.text(t), t})
		case t.kind == nameToken && !p.is(0, "from"):
			pairs = append(pairs, pair{"default", t})
		}
		p.i++
	}
	if p.tok(0).kind != stringToken {
		return
	}
	module := p.stringAt(p.tok(0))
	p.i++
	for _, pair := range pairs {
		if pair.local.kind == nameToken {
			p.declare(p.text(pair.local), imported(module, pair.export))
		}
	}
	if p.is(0, "with") || p.is(0, "assert") { // { type: 'json' }
		p.i++
		p.skip()
	}
}

func imported(module Value, export string) Value {
	return Value{Kind: Call, Text: "import", Items: []Value{module, {Kind: String, Text: export}}, Span: module.Span}
}

// declarations reads a: T = x, { b, c: d } = y.
func (p *parser) declarations() {
	for {
		t := p.tok(0)
		switch {
		case t.kind == nameToken:
			p.i++
			if p.isPunct(0, ':') || p.isPunct(0, '!') && p.isPunct(1, ':') {
				p.skipType()
			}
			v := Value{Kind: Unknown}
			if p.isPunct(0, '=') {
				p.i++
				v = p.expression()
			}
			p.declare(p.text(t), v)
		case p.isPunct(0, '{') || p.isPunct(0, '['):
			p.pattern()
		default:
			return
		}
		if !p.isPunct(0, ',') {
			return
		}
		p.i++
	}
}

// pattern reads { a, b: c } = x, where x is a module or a path of names.
func (p *parser) pattern() {
	type pair struct{ key, local string }
	var pairs []pair
	isObject := p.isPunct(0, '{')
	stop := min(int(p.tok(0).match), p.end)
	for p.i++; p.i < stop; p.i++ {
		t := p.tok(0)
		if t.kind != nameToken {
			continue
		}
		key := p.text(t)
		if p.isPunct(1, ':') && p.tok(2).kind == nameToken {
			p.i += 2
		}
		pairs = append(pairs, pair{key, p.text(p.tok(0))})
	}
	p.i = min(stop+1, p.end)
	if p.isPunct(0, ':') {
		p.skipType()
	}
	v := Value{Kind: Unknown}
	if p.isPunct(0, '=') {
		p.i++
		v = p.expression()
	}
	for _, pair := range pairs {
		value := Value{Kind: Unknown}
		switch {
		case !isObject:
		case v.Kind == name:
			value = Value{Kind: name, Text: longer(v.Text, ".", pair.key), Span: v.Span}
		case v.Kind == Call && (v.Text == "require" || v.Text == "import") && len(v.Items) == 1:
			value = imported(v.Items[0], pair.key)
		}
		p.declare(pair.local, value)
	}
}

// expressionStatement reads an assignment, a call, or another statement that begins with an
// expression.
func (p *parser) expressionStatement() {
	if p.isPunct(0, '(') && p.is(1, "module") && p.isPunct(2, '.') && p.is(3, "exports") { // (module.exports = x)
		stop := min(int(p.tok(0).match)+1, p.end)
		p.i++
		p.expressionStatement()
		p.i = max(p.i, stop)
		return
	}
	p.element = ""
	v := p.unary()
	op := p.tok(0)
	if v.Kind == Unknown && p.element != "" && p.isPunct(0, '=') {
		p.setElement()
	}
	if v.Kind == name && op.kind == punctToken && op.end > op.start && p.src[op.end-1] == '=' && !p.is(0, "==") && !p.is(0, "===") && !p.is(0, "!=") && !p.is(0, "!==") && !p.is(0, "<=") && !p.is(0, ">=") {
		p.i++
		p.assign(v.Text, p.text(op), p.expression())
		return
	}
	if v.Kind == Call {
		p.calls = append(p.calls, v)
		p.changeByCall(v)
	}
	p.skipExpression()
}

func (p *parser) assign(path, op string, v Value) {
	switch {
	case path == "module.exports" || path == "exports.default":
		p.setDefault(v)
		return
	case strings.HasPrefix(path, "module.exports.") || strings.HasPrefix(path, "exports."):
		key := path[strings.Index(path, "exports.")+len("exports."):]
		p.out = append(p.out, Entry{Key: key, Value: v})
		return
	}
	if op != "=" {
		v = Value{Kind: Unknown}
	}
	id, rest, ok := strings.Cut(path, ".")
	b := p.bindingOf(id)
	if !ok {
		if b.count == 1 && b.value.Kind == Unknown && len(b.value.Items) == 0 && op == "=" {
			b.value = v // let x; x = …
			return
		}
		p.bind(id, v)
		return
	}
	b.changes = append(b.changes, change{path: strings.Split(rest, "."), value: v})
}

// setElement records that an element of p.element is set, whose key is unknown.
func (p *parser) setElement() {
	keys := strings.Split(p.element, ".")
	b := p.bindingOf(keys[0])
	b.changes = append(b.changes, change{path: keys[1:], add: true})
}

// appends lists the methods that add to a list or dictionary.
var appends = map[string]bool{"push": true, "unshift": true, "append": true, "extend": true, "insert": true, "update": true,
	"splice": true, "add": true, "setdefault": true, "pop": true, "remove": true, "clear": true}

// changeByCall records the changes that a.b.push(x) and Object.assign(a, x) make.
func (p *parser) changeByCall(v Value) {
	path := v.Text
	if path == "Object.assign" && len(v.Items) > 0 && v.Items[0].Kind == name {
		path = v.Items[0].Text + ".update"
	}
	dot := strings.LastIndexByte(path, '.')
	if dot < 0 || !appends[path[dot+1:]] {
		return
	}
	keys := strings.Split(path[:dot], ".")
	c := change{path: keys[1:], add: true}
	if m := path[dot+1:]; m == "push" || m == "append" || m == "unshift" {
		c.value, c.isPush = Value{Kind: List, Items: v.Items}, m != "append"
	}
	b := p.bindingOf(keys[0])
	b.changes = append(b.changes, c)
}
