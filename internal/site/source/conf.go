package source

import (
	"iter"

	"example.org/refract/internal/literal"
)

// A Value is the value of a key in a configuration file. A value that the file computes is unknown,
// which is not the same as missing.
type Value struct{ literal.Value }

// IsGiven reports whether the file has the value, known or not.
func (v Value) IsGiven() bool { return v.Kind != literal.Missing && v.Kind != literal.Nil }

// IsUnknown reports whether the file computes the value.
func (v Value) IsUnknown() bool { return v.IsGiven() && !v.IsKnown() }

// Lookup returns the value at the path keys. It is unknown if a value on the path is.
func (v Value) Lookup(keys ...string) Value { return Value{v.Get(keys...)} }

// Or returns a string, a number or a boolean as written, or deflt.
func (v Value) Or(deflt string) string {
	s, _ := v.ScalarOr(deflt)
	return s
}

// Default returns the only string that the expression of a computed value names (process.env.BASE ||
// "/docs/"), or deflt.
func (v Value) Default(deflt string) string {
	all := v.Possible()
	if len(all) != 1 || all[0].Kind != literal.String {
		return deflt
	}
	return all[0].Text
}

// IsTrue returns a boolean, or deflt if the value is not a known boolean.
func (v Value) IsTrue(deflt bool) bool {
	b, _ := v.BoolOr(deflt)
	return b
}

// Item returns an element of a list.
func (v Value) Item(i int) Value { return Value{v.At(i)} }

// List returns the elements of a list. A single value is a list of one.
func (v Value) List() (all []Value) {
	switch {
	case v.Kind == literal.List:
		for _, item := range v.Items {
			all = append(all, Value{item})
		}
		return all
	case !v.IsGiven() || v.Kind == literal.Unknown:
		return nil
	}
	return []Value{v}
}

// Texts returns the strings of a list, or a string by itself.
func (v Value) Texts() []string {
	list, _ := v.Strings()
	return list
}

// Written yields the strings that Texts returns, as values that say where they are written.
func (v Value) Written(yield func(literal.Value) bool) {
	if v.Kind == literal.String {
		yield(v.Value)
		return
	}
	for _, item := range v.Items {
		if text, ok := item.ScalarOr(""); ok && v.Kind == literal.List && item.Kind != literal.Nil {
			item.Text = text
			if !yield(item) {
				return
			}
		}
	}
}

// Keys returns the keys of a map.
func (v Value) Keys() (keys []string) {
	for key := range v.Unwrap().All() {
		keys = append(keys, key)
	}
	return keys
}

// Members yields the keys of a map, each once, with their values. To get each value by its key takes quadratic time.
func (v Value) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		entries := v.Unwrap().Entries
		last := make(map[string]int, len(entries)) // if keys are equal, the last counts
		for i, e := range entries {
			last[e.Key] = i
		}
		for i, e := range entries {
			if last[e.Key] == i && !yield(e.Key, Value{e.Value}) {
				return
			}
		}
	}
}

// Named returns the options of an entry of a list, such as a list of plugins, whose entries are names
// or maps from one name to its options. ok reports whether the list has the name.
func (v Value) Named(name string) (options Value, ok bool) {
	if v.Kind == literal.Map {
		options = v.Lookup(name)
		return options, options.Kind != literal.Missing && options.Kind != literal.Unknown
	}
	for _, e := range v.List() {
		if e.Or("") == name {
			return Value{}, true
		}
		for key, o := range e.All() {
			if key == name {
				return Value{o}, true
			}
		}
	}
	return Value{}, false
}
