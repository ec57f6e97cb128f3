package literal

import (
	"slices"
	"strings"

	"example.org/refract/extract/scan"
)

const (
	maxCopies = 1 << 17 // limits the copies of values that names and functions create
	maxText   = 1 << 20 // limits the bytes of joined strings
)

// A Note describes a part of a text that could not be read.
type Note struct {
	Offset int
	Text   string
}

// A File is the result of Read.
type File struct {
	// Value is the main value of the text: the default export of a script (if that is a function,
	// its result; for defineConfig({…}), the object), the names of a Python module, or the value of
	// JSON. For a script without a default export, it is the exports.
	Value Value
	// Wrappers has the functions of the calls that Value is an argument of, the outermost first: "defineConfig" for
	// export default defineConfig({…}).
	Wrappers []string

	// Names holds the names of the module; those that are bound once have values.
	Names Value

	// Calls holds the calls that are statements, also within functions and blocks:
	// config.addPassthroughCopy("x"). A function that is the only argument counts as its result: define.doc(()
	// => ({…})).
	Calls []Value

	Notes []Note
}

// Read reads literals. Every input is valid: if it is not in the language, Read finds less, and
// Notes says so. A value that is not literal is Unknown. Read runs in time linear in len(src),
// which must be less than 2 GiB. It replaces names by their values, up to a fixed number of copies;
// beyond that, they are Unknown.
func Read(src []byte, lang Language) File {
	z := tokenizer{src: src, lang: lang}
	z.run()
	p := &parser{src: src, lang: lang, tokens: z.tokens, end: len(z.tokens), names: map[string]*binding{}, active: map[string][]int{}, uses: map[string]int{}, notes: z.notes}
	switch lang {
	case JSON:
		p.value, p.hasValue = p.expression(), len(p.tokens) > 0
		if p.i < p.end {
			p.note("more than one value")
		}
	case Python:
		p.inline = true
		p.python()
	default:
		p.inline = true
		p.statements(new([]Value))
	}
	return p.file()
}

func (p *parser) file() File {
	r := resolver{parser: p}
	f := File{}
	f.Names = r.value(Value{Kind: Map, Entries: p.entriesOfNames(), Open: p.hasStar})
	switch {
	case p.lang == Python:
		f.Value = f.Names
	case p.hasValue:
		f.Value, f.Wrappers = r.export(p.value)
	case len(p.out) > 0:
		f.Value = r.value(Value{Kind: Map, Entries: p.out})
	case p.lang == JavaScript && len(p.names) > 0:
		f.Value = f.Names
	}
	for _, call := range p.calls {
		if len(call.Items) == 1 {
			call.Items[0] = r.exported(call.Items[0])
		}
		call.Text, call.Items = plain(call.Text), r.values(call.Items)
		f.Calls = append(f.Calls, call)
	}
	f.Notes = p.notes
	return f
}

// entriesOfNames returns an entry for each name that the text binds, in the order of the first
// binding.
func (p *parser) entriesOfNames() []Entry {
	list := make([]Entry, len(p.names))
	for id, b := range p.names {
		if b.count > 0 && id == plain(id) {
			list[b.order] = Entry{Key: id, Value: Value{Kind: name, Text: id, Span: b.value.Span}}
		}
	}
	return slices.DeleteFunc(list, func(e Entry) bool { return e.Key == "" })
}

// A resolver replaces names with their values.
type resolver struct {
	*parser
	level  int
	nodes  int // number of values created
	copies int // those created in place of a name
	bytes  int // of joined strings
	full   bool
}

// unknown returns a value that may be one of items.
func unknown(text string, span scan.Span, items ...Value) Value {
	return Value{Kind: Unknown, Text: plain(text), Span: span, Items: items}
}

// values resolves a list. It replaces a spread by its elements. A spread with unknown elements
// makes the list open.
func (r *resolver) values(items []Value) []Value {
	out, _ := r.list(items)
	return out
}

func (r *resolver) list(items []Value) (out []Value, open bool) {
	for _, item := range items {
		if item.Kind != spread {
			out = append(out, r.value(item))
			continue
		}
		v := r.value(item.Items[0])
		open = open || v.Kind != List && v.Kind != Nil || v.Open
		if v.Kind == List {
			out = append(out, v.Items...)
		} else {
			for _, p := range v.Possible() { // ...(x ? [a] : [])
				if p.Kind == List {
					out = append(out, p.Items...)
				}
			}
		}
	}
	return out, open
}

// value returns v with names replaced; the result has only the exported kinds.
func (r *resolver) value(v Value) Value {
	r.nodes++
	r.level++
	defer func() { r.level-- }()
	if r.level > 3*maxDepth {
		return unknown("", v.Span)
	}
	switch v.Kind {
	case List:
		var open bool
		v.Items, open = r.list(v.Items)
		v.Open = v.Open || open
	case Map:
		return r.entries(v)
	case Call:
		return r.call(v)
	case Unknown:
		v.Items = r.values(v.Items)
	case name:
		return r.name(v)
	case spread:
		return unknown("", v.Span)
	case concat:
		return r.concat(v)
	case choice:
		var items []Value
		for _, item := range v.Items {
			item = r.value(item)
			if item.Kind != Call { // x ?? (a ? b : c)
				items = append(items, item.Possible()...)
			}
		}
		return unknown("", v.Span, items...)
	case function:
		return unknown("", v.Span)
	}
	return v
}

// entries resolves a Map. A spread with unknown keys may replace any entry before it.
func (r *resolver) entries(v Value) Value {
	var out []Entry
	unsure := 0 // number of entries that a later spread may replace
	for _, e := range v.Entries {
		if e.Value.Kind != spread {
			e.Value = r.value(e.Value)
			out = append(out, e)
			continue
		}
		values, isOne, isOpen := r.spread(e.Value.Items[0])
		if isOpen {
			unsure, v.Open = len(out), true
		}
		for _, inner := range values {
			for _, e := range inner.Entries {
				if !isOne {
					e.Value = maybe(e.Value)
				}
				out = append(out, e)
			}
		}
	}
	for i := range unsure {
		out[i].Value = maybe(out[i].Value)
	}
	v.Entries = out
	return v
}

// spread resolves what is spread in a Map: one of values, which isOne says if it has this one, or another one if it isOpen. ...(x ? {a: b} : {}) is
// not open: it replaces no other key than a.
func (r *resolver) spread(v Value) (values []Value, isOne, isOpen bool) {
	if v.Kind == choice {
		for _, item := range v.Items {
			more, _, open := r.spread(item)
			values, isOpen = append(values, more...), isOpen || open
		}
		return values, false, isOpen
	}
	v = r.value(v)
	isCall := v.Kind == Call // which may return more than its argument
	if isCall {
		v = v.Unwrap()
	}
	switch v.Kind {
	case Nil, Bool:
		return nil, false, false
	case Map:
		return []Value{v}, true, v.Open || isCall
	}
	return v.Possible(), false, true
}

// maybe returns an Unknown that may be v.
func maybe(v Value) Value {
	if v.Kind == Unknown {
		return v
	}
	return unknown("", v.Span, v)
}

func (r *resolver) call(v Value) Value {
	switch v.Text {
	case "dict":
		if len(v.Items) == 1 && v.Items[0].Kind == Map {
			return r.value(v.Items[0])
		}
	case "Object.freeze":
		if len(v.Items) == 1 {
			return r.value(v.Items[0])
		}
	}
	if b := r.names[v.Text]; b != nil && b.count == 1 && b.value.Kind == function {
		return r.bound(v, b)
	}
	v.Text, v.Items = plain(v.Text), r.values(v.Items)
	return v
}

// name returns the value of a path of names.
func (r *resolver) name(v Value) Value {
	id, rest, isPath := strings.Cut(v.Text, ".")
	b := r.names[id]
	if b == nil || b.count != 1 || b.value.Kind == function || b.value.Kind == Missing && len(b.changes) == 0 {
		return unknown(v.Text, v.Span)
	}
	if !isPath {
		value := r.bound(v, b)
		// The value of a Python module is its names, so an unknown name adds nothing there.
		if value.Kind == Unknown && value.Text == "" && len(value.Items) == 0 && r.lang != Python {
			value.Text = plain(v.Text)
		}
		return value
	}
	got := r.bound(v, b).Get(strings.Split(rest, ".")...)
	if got.Kind == Missing || got.Kind == Unknown && got.Text == "" && len(got.Items) == 0 {
		return unknown(v.Text, v.Span)
	}
	return got
}

const (
	working = 1
	done    = 2
)

// bound returns the value of a name that is used at v or, for a function, its result.
func (r *resolver) bound(v Value, b *binding) Value {
	switch b.state {
	case working: // it depends on itself
		return unknown(v.Text, v.Span)
	case done:
	default:
		b.state = working
		nodes := r.nodes
		value := b.value
		isFunction := value.Kind == function
		if isFunction && len(value.Items) > 0 {
			value = value.Items[0]
		}
		value = r.value(value)
		value = r.apply(value, b.changes)
		if isFunction { // the function has no other value
			b.value.Items = []Value{value}
		} else {
			b.value = value
		}
		b.size = r.nodes - nodes
		b.state = done
	}
	if b.size > maxCopies+len(r.tokens)-r.copies {
		if !r.full {
			r.full = true
			r.notes = append(r.notes, Note{Offset: v.Span.Start, Text: "names expand to too many values"})
		}
		return unknown(v.Text, v.Span)
	}
	r.copies += b.size
	r.nodes += b.size
	if b.value.Kind == function {
		return b.value.Items[0]
	}
	return b.value
}

// apply applies the changes to v.
func (r *resolver) apply(v Value, changes []change) Value {
	const maxChanges = 256
	if len(changes) > maxChanges {
		v.Open = true
		return maybe(v)
	}
	for _, c := range changes {
		c.value = r.value(c.value)
		v = changed(v, c, 0)
	}
	return v
}

// changed returns v with the change c at the keys from depth on.
func changed(v Value, c change, depth int) Value {
	if isProperty := depth < len(c.path) || depth == 0; isProperty && v.Kind == Call && v.Unwrap().Kind == Map { // of what defineConfig({…}) returns
		i := v.wrapped()
		v.Items = slices.Clone(v.Items)
		v.Items[i] = changed(v.Items[i], c, depth)
		return v
	}
	if depth < len(c.path) {
		if v.Kind != Map {
			return maybe(v)
		}
		key := c.path[depth]
		entries := make([]Entry, len(v.Entries), len(v.Entries)+1)
		copy(entries, v.Entries)
		for i := len(entries) - 1; i >= 0; i-- {
			if entries[i].Key == key {
				entries[i].Value = changed(entries[i].Value, c, depth+1)
				v.Entries = entries
				return v
			}
		}
		v.Entries = append(entries, Entry{Key: key, Value: changed(Value{}, c, depth+1)})
		return v
	}
	switch {
	case c.add && v.Kind == List:
		v.Open = v.Open || !c.isWhole()
		v.Items = append(v.Items[:len(v.Items):len(v.Items)], c.value.Items...)
		return v
	case c.add && v.Kind == Map:
		v.Open = true
		return v
	case c.always && !c.add:
		return c.value
	}
	var items []Value
	if v.Kind != Missing {
		items = append(items, v.Possible()...)
	}
	if !c.add {
		items = append(items, c.value.Possible()...)
	}
	return unknown("", v.Span, items...)
}

// isWhole reports whether everything that c adds to a list is known. Scripts do not say whether a call of
// push is under a condition: its items count as present.
func (c *change) isWhole() bool {
	isUnknown := func(v Value) bool { return v.Kind == Unknown }
	return (c.always || c.isPush) && c.value.Kind == List && !c.value.Open && !slices.ContainsFunc(c.value.Items, isUnknown)
}

// concat joins strings and numbers.
func (r *resolver) concat(v Value) Value {
	items := r.values(v.Items)
	var lists []Value
	n := 0
	for _, item := range items {
		if item.Kind == List {
			lists = append(lists, item)
		} else if item.Kind != String && item.Kind != Number {
			return unknown("", v.Span)
		}
		n += len(item.Text)
	}
	if len(lists) > 0 { // Python lists
		if r.lang != Python || len(lists) < len(items) {
			return unknown("", v.Span)
		}
		all := Value{Kind: List, Span: v.Span}
		for _, list := range lists {
			all.Items = append(all.Items, list.Items...)
			all.Open = all.Open || list.Open
		}
		return all
	}
	if r.bytes += n; r.bytes > maxText+len(r.src) {
		return unknown("", v.Span)
	}
	var b strings.Builder
	b.Grow(n)
	for _, item := range items {
		b.WriteString(item.Text)
	}
	return Value{Kind: String, Text: b.String(), Span: v.Span}
}

// export returns the configuration in the default export v: it looks through functions and calls. It also returns the
// functions of these calls.
func (r *resolver) export(v Value) (conf Value, wrappers []string) {
	for depth := 0; depth < maxDepth; depth++ {
		switch v.Kind {
		case function:
			if len(v.Items) == 0 {
				return Value{}, nil
			}
			v = v.Items[0]
			continue
		case name:
			if b := r.names[v.Text]; b != nil && b.count == 1 && b.value.Kind == function && len(b.value.Items) > 0 {
				return r.bound(v, b).unwrapped()
			}
		case Call:
			if b := r.names[v.Text]; b != nil && b.value.Kind == function {
				break
			}
			for i, item := range v.Items {
				v.Items[i] = r.exported(item)
			}
		}
		break
	}
	return r.value(v).unwrapped()
}

// unwrapped returns what Unwrap returns, and the functions of the calls that it looks through, the outermost first.
func (v Value) unwrapped() (inner Value, functions []string) {
	inner = v.Unwrap()
	for depth := 0; v.Kind == Call && inner.Kind == Map && depth < maxDepth; depth++ {
		functions = append(functions, v.Text)
		v = v.Items[v.wrapped()]
	}
	return inner, functions
}

// exported returns the argument of a wrapper call; a function counts as its result.
func (r *resolver) exported(v Value) Value {
	for depth := 0; v.Kind == function && len(v.Items) > 0 && depth < maxDepth; depth++ {
		v = v.Items[0]
	}
	return v
}
