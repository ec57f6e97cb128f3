package literal

import "strings"

// python reads the statements of a module. A name that is assigned at the left margin has the last
// value; one that is assigned in a condition may have that value.
func (p *parser) python() {
	local := false // inside the body of a function or class
	for p.i < p.end {
		at := p.i
		t := p.tok(0)
		margin := p.isMargin(t)
		if margin {
			local = p.is(0, "def") || p.is(0, "class") || p.is(0, "async")
		}
		switch {
		case local:
			p.i++
			for p.tok(0).kind != endToken && !p.isMargin(p.tok(0)) {
				p.i++
			}
		case p.is(0, "import"), p.is(0, "from"):
			p.pythonImport()
		case t.kind == nameToken && (p.is(0, "if") || p.is(0, "for") || p.is(0, "while") || p.is(0, "with") || p.is(0, "else") || p.is(0, "elif") || p.is(0, "try") || p.is(0, "except") || p.is(0, "finally")):
			p.i++
			p.skipExpression()
		default:
			p.pythonStatement(margin)
		}
		if p.i == at {
			p.i++
		}
	}
}

// isMargin reports whether t is the first token of a line and is not indented.
func (p *parser) isMargin(t token) bool {
	return t.start == 0 || t.newline && (p.src[t.start-1] == '\n' || p.src[t.start-1] == '\r')
}

// pythonStatement reads a = b = x, a: T = x, a += x, a.b = x, a["b"] = x and calls.
func (p *parser) pythonStatement(always bool) {
	var paths []string
	for {
		p.element = ""
		v := p.unary()
		op := p.text(p.tok(0))
		if v.Kind == Unknown && p.element != "" && op == "=" {
			p.setElement()
		}
		if v.Kind == name && op == ":" {
			p.skipType()
			op = p.text(p.tok(0))
			if op != "=" {
				return
			}
		}
		if v.Kind == name && op == "=" {
			paths = append(paths, v.Text)
			p.i++
			continue
		}
		if v.Kind == name && op == "+=" {
			p.i++
			p.pythonAssign(v.Text, change{value: p.expression(), add: true, always: always})
			return
		}
		v = p.finish(v)
		for _, path := range paths {
			p.pythonAssign(path, change{value: v, always: always})
		}
		if len(paths) == 0 && v.Kind == Call {
			p.hasStar = p.hasStar || v.Text == "globals().update"
			p.calls = append(p.calls, v)
			p.changeByCall(v)
			if b := p.changed(v); b != nil {
				b.changes[len(b.changes)-1].always = always
			}
		}
		return
	}
}

// changed returns the binding whose last change is the call v, or nil.
func (p *parser) changed(v Value) *binding {
	for i := range len(v.Text) {
		if v.Text[i] == '.' {
			if b := p.names[v.Text[:i]]; b != nil && len(b.changes) > 0 && appends[v.Function()] {
				return b
			}
			return nil
		}
	}
	return nil
}

func (p *parser) pythonAssign(path string, c change) {
	keys := splitPath(path)
	b := p.bindingOf(keys[0])
	c.path = keys[1:]
	if len(c.path) == 0 && !c.add && c.always {
		b.value, b.changes, b.count = c.value, nil, 1
		return
	}
	b.count = 1
	b.changes = append(b.changes, c)
}

// pythonImport binds the names of import a.b as c and from m import (d as e, f).
func (p *parser) pythonImport() {
	isFrom := p.is(0, "from")
	p.i++
	start := p.i
	for !p.atEnd() && !p.is(0, "import") {
		p.i++
	}
	module := Value{Kind: String}
	if start < p.i {
		module.Span.Start, module.Span.End = int(p.tokens[start].start), int(p.tokens[p.i-1].end)
		module.Text = string(p.src[module.Span.Start:module.Span.End])
	}
	if !isFrom {
		for !p.atEnd() || p.isPunct(0, ',') {
			p.i++
		}
		return
	}
	p.i++
	stop := p.end
	if p.isPunct(0, '(') {
		stop = min(int(p.tok(0).match), p.end)
		p.i++
	}
	for p.i < stop {
		t := p.tok(0)
		if stop == p.end && t.newline {
			break
		}
		if p.isPunct(0, '*') {
			p.hasStar = true
		}
		if t.kind == nameToken {
			export := p.text(t)
			if p.is(1, "as") {
				p.i += 2
			}
			p.pythonAssign(p.text(p.tok(0)), change{value: imported(module, export), always: true})
		}
		p.i++
	}
	if stop < p.end {
		p.i = stop + 1
	}
}

func splitPath(path string) []string { return strings.Split(path, ".") }

// finish reads the operators after the operand v, and the elements of a tuple without parentheses.
func (p *parser) finish(v Value) Value {
	v = p.operators(v)
	if !p.isPunct(0, ',') || p.tok(0).newline {
		return v
	}
	list := Value{Kind: List, Items: []Value{v}, Span: v.Span}
	for p.isPunct(0, ',') {
		p.i++
		if p.atEnd() {
			break
		}
		list.Items = append(list.Items, p.expression())
	}
	return list
}
