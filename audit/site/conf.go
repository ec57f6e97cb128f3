package site

import (
	"example.org/refract/internal/literal"
)

// A value is the value of a key in a configuration file. A value that the file computes is unknown,
// which is not the same as missing.
type value struct{ literal.Value }

// isGiven reports whether the file has the value, known or not.
func (v value) isGiven() bool { return v.Kind != literal.Missing && v.Kind != literal.Nil }

// isUnknown reports whether the file computes the value.
func (v value) isUnknown() bool { return v.isGiven() && !v.IsKnown() }

// get returns the value at the path keys. It is unknown if a value on the path is.
func (v value) get(keys ...string) value { return value{v.Get(keys...)} }

// text returns a string, a number or a boolean as written, or deflt.
func (v value) text(deflt string) string {
	s, _ := v.ScalarOr(deflt)
	return s
}

// isTrue returns a boolean, or deflt if the value is not a known boolean.
func (v value) isTrue(deflt bool) bool {
	b, _ := v.BoolOr(deflt)
	return b
}

// at returns an element of a list.
func (v value) at(i int) value { return value{v.At(i)} }

// list returns the elements of a list. A single value is a list of one.
func (v value) list() (all []value) {
	switch {
	case v.Kind == literal.List:
		for _, item := range v.Items {
			all = append(all, value{item})
		}
		return all
	case !v.isGiven() || v.Kind == literal.Unknown:
		return nil
	}
	return []value{v}
}

// texts returns the strings of a list, or a string by itself.
func (v value) texts() []string {
	list, _ := v.Strings()
	return list
}

// keys returns the keys of a map.
func (v value) keys() (keys []string) {
	for key := range v.Unwrap().All() {
		keys = append(keys, key)
	}
	return keys
}

// named returns the options of an entry of a list, such as a list of plugins, whose entries are names
// or maps from one name to its options. ok reports whether the list has the name.
func (v value) named(name string) (options value, ok bool) {
	if v.Kind == literal.Map {
		options = v.get(name)
		return options, options.Kind != literal.Missing && options.Kind != literal.Unknown
	}
	for _, e := range v.list() {
		if e.text("") == name {
			return value{}, true
		}
		for key, o := range e.All() {
			if key == name {
				return value{o}, true
			}
		}
	}
	return value{}, false
}
