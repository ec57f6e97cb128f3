// Package literal reads the literal values in JavaScript, TypeScript, Python and JSON text, without
// running it.
//
// Files:
//
//	value.go     Value and its accessors
//	token.go     the tokenizer, one for all languages
//	parse.go     expressions
//	script.go    statements of JavaScript and TypeScript
//	python.go    statements of Python
//	resolve.go   names, spreads and concatenations
package literal

import (
	"iter"
	"strings"

	"example.org/refract/extract/scan"
)

// A Kind is the kind of a Value.
type Kind uint8

const (
	Missing Kind = iota // nothing is there: the reader's default applies
	Unknown             // something is there, but it is computed: no default applies
	Nil                 // null, None, undefined
	Bool
	Number
	String
	List
	Map
	Call // of a function not defined in the text: starlight({…}), require("x"); or a YAML tag

	// Used only before names are resolved:
	name     // Text is the path "a.b"
	spread   // Items[0] is inserted in its place
	concat   // Items are joined
	choice   // one of Items, or another value
	function // Items[0] is its result
)

var kindNames = [...]string{"missing", "unknown", "nil", "bool", "number", "string", "list", "map", "call",
	"name", "spread", "concat", "choice", "function"}

func (k Kind) String() string { return kindNames[k] }

// A Value is a literal, or records that there is none. It is a finite tree: a walk through Items
// and Entries visits a limited number of values (see Read). The zero Value is Missing.
type Value struct {
	Kind Kind

	// Open is set for a List or Map that has further, unknown elements: from a spread, or an append
	// in a condition of Python.
	Open bool

	// Text is the value of a String with escapes undone; a Number as written; "true" or "false" for
	// a Bool; the function of a Call ("starlight", "require.resolve", "!ENV"); and for an Unknown
	// the name in the text ("process.env.BASE"), or "".
	Text string

	// Items holds the elements of a List; the arguments of a Call (keyword arguments form one Map,
	// the last item); and for an Unknown some of its possible values: x ?? '/a' may be "/a".
	Items []Value

	// Entries holds the entries of a Map in source order. If keys are equal, the last counts.
	Entries []Entry

	// Span is the range of the value in the text: without quotes for a String, with brackets for
	// other values. If Text differs from the bytes there, they contain escapes or several literals.
	// The zero Span means unknown.
	Span scan.Span
}

// An Entry is one key of a Map.
type Entry struct {
	Key   string
	At    scan.Span // range of the key, without quotes; zero means unknown
	Value Value
}

// IsKnown reports whether v is a literal: neither Missing nor Unknown nor a Call.
func (v Value) IsKnown() bool { return v.Kind >= Nil && v.Kind <= Map }

// Get follows keys through Maps. It looks through a Call that has exactly one Map among its
// arguments (defineConfig({…})). The result is Missing if a key is certainly absent, or if its
// parent is Missing or Nil. It is Unknown if a parent is unknown or has an unknown key.
func (v Value) Get(keys ...string) Value {
	for _, key := range keys {
		v = v.get(key)
	}
	return v
}

func (v Value) get(key string) Value {
	v = v.Unwrap()
	switch v.Kind {
	case Map:
		for i := len(v.Entries) - 1; i >= 0; i-- {
			if v.Entries[i].Key == key {
				return v.Entries[i].Value
			}
		}
		if v.Open {
			return Value{Kind: Unknown}
		}
	case Unknown, Call:
		return Value{Kind: Unknown}
	}
	return Value{}
}

// Unwrap returns the Map among the arguments of a Call that has exactly one, also through several
// calls. It returns other values unchanged.
func (v Value) Unwrap() Value {
	for depth := 0; v.Kind == Call && depth < maxDepth; depth++ {
		i := v.wrapped()
		if i < 0 || v.Items[i].Kind == Call && v.Items[i].Unwrap().Kind != Map {
			return v
		}
		v = v.Items[i]
	}
	return v
}

// wrapped returns the index of the argument of a Call that Unwrap looks at: its only Map or, without one,
// its last Call. It returns -1 if there is none, or if it is unknown which one counts.
func (v Value) wrapped() int {
	found := -1
	for i := range v.Items {
		if k := v.Items[i].Kind; k != Map && k != Call {
			continue
		}
		if found >= 0 && v.Items[found].Kind == Map {
			if v.Items[i].Kind == Map {
				return -1
			}
			continue
		}
		found = i
	}
	return found
}

// At returns element i of a List, or argument i of a Call; Missing if there is none.
func (v Value) At(i int) Value {
	if i >= 0 && i < len(v.Items) && (v.Kind == List || v.Kind == Call) {
		return v.Items[i]
	}
	if v.Kind == Unknown || v.Open {
		return Value{Kind: Unknown}
	}
	return Value{}
}

// All iterates over the entries of a Map in source order. Other values have none.
func (v Value) All() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		for _, e := range v.Entries {
			if !yield(e.Key, e.Value) {
				return
			}
		}
	}
}

// Walk calls visit for v and, if that returns true, for the values in v, in source order within
// Items and Entries.
func (v Value) Walk(visit func(Value) bool) {
	if !visit(v) {
		return
	}
	for _, item := range v.Items {
		item.Walk(visit)
	}
	for _, e := range v.Entries {
		e.Value.Walk(visit)
	}
}

// StringOr returns the value of a String, or fallback if v is Missing or Nil. For any other value,
// it returns fallback, and known is false.
func (v Value) StringOr(fallback string) (s string, known bool) {
	switch v.Kind {
	case String:
		return v.Text, true
	case Missing, Nil:
		return fallback, true
	}
	return fallback, false
}

// ScalarOr is like StringOr, for values that may be written without quotes: it also returns a
// Number or Bool as written.
func (v Value) ScalarOr(fallback string) (s string, known bool) {
	if v.Kind == Number || v.Kind == Bool {
		return v.Text, true
	}
	return v.StringOr(fallback)
}

// BoolOr returns the value of a Bool, or of a String yes, no, on or off (as in YAML 1.1), or
// fallback if v is Missing or Nil. For any other value, it returns fallback, and known is false.
func (v Value) BoolOr(fallback bool) (b, known bool) {
	switch v.Kind {
	case Bool:
		return v.Text == "true", true
	case Missing, Nil:
		return fallback, true
	case String:
		switch strings.ToLower(v.Text) {
		case "yes", "on", "true":
			return true, true
		case "no", "off", "false":
			return false, true
		}
	}
	return fallback, false
}

// Strings returns the strings in a List, or a single String. known is false if there may be others.
// A value that is Missing or Nil has none.
func (v Value) Strings() (list []string, known bool) {
	switch v.Kind {
	case String:
		return []string{v.Text}, true
	case Missing, Nil:
		return nil, true
	case List:
		known = !v.Open
		for _, item := range v.Items {
			s, ok := item.ScalarOr("")
			if !ok || item.Kind == Nil {
				known = false
				continue
			}
			list = append(list, s)
		}
		return list, known
	}
	return nil, false
}

// Possible returns the possible values of v: v itself if it is known; for an Unknown, the literals
// that its expression names.
func (v Value) Possible() []Value {
	if v.Kind != Unknown {
		return []Value{v}
	}
	return v.Items
}

// Function returns the last part of a Call's name: "addPlugin" for config.addPlugin(…).
func (v Value) Function() string {
	if v.Kind != Call {
		return ""
	}
	return v.Text[strings.LastIndexByte(v.Text, '.')+1:]
}

// Import reports whether v is the result of import or require. It returns the name of the module,
// and the export ("default", or "*" for all).
func (v Value) Import() (module, export string, ok bool) {
	if v.Kind != Call || len(v.Items) == 0 || v.Items[0].Kind != String {
		return "", "", false
	}
	switch v.Text {
	case "import":
		if len(v.Items) > 1 {
			return v.Items[0].Text, v.Items[1].Text, true
		}
		return v.Items[0].Text, "*", true
	case "require":
		return v.Items[0].Text, "default", true
	}
	return "", "", false
}
