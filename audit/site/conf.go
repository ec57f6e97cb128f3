package site

import (
	"fmt"
	"strings"
)

// A value is what a configuration file gives for a key. A value that the file computes is
// unknown, which differs from one that it does not give.
type value struct{ v any }

// unknownValue is the v of a value that is not a literal.
type unknownValue struct{}

// isGiven reports whether the file has the value, known or not.
func (v value) isGiven() bool { return v.v != nil }

func (v value) isUnknown() bool {
	_, is := v.v.(unknownValue)
	return is
}

// get returns the value behind keys; unknown if one on the way is.
func (v value) get(keys ...string) value {
	for _, key := range keys {
		m, ok := v.v.(map[string]any)
		if !ok {
			if v.isUnknown() {
				return v
			}
			return value{}
		}
		inner, ok := m[key]
		if !ok {
			_, isSpread := m["..."] // of JavaScript: any key may be given there
			if isSpread {
				return value{unknownValue{}}
			}
			return value{}
		}
		v = value{inner}
	}
	return v
}

// text returns a string, or deflt where there is none. A number is taken as it is written.
func (v value) text(deflt string) string {
	switch t := v.v.(type) {
	case string:
		return t
	case int, int64, uint64, float64, bool:
		return fmt.Sprint(t)
	}
	return deflt
}

// isTrue returns a boolean, or deflt where there is none.
func (v value) isTrue(deflt bool) bool {
	switch t := v.v.(type) {
	case bool:
		return t
	case string:
		switch strings.ToLower(t) {
		case "true", "yes", "on":
			return true
		case "false", "no", "off":
			return false
		}
	}
	return deflt
}

// at returns an element of a list.
func (v value) at(i int) value {
	if l, ok := v.v.([]any); ok && i < len(l) {
		return value{l[i]}
	}
	return value{}
}

// list returns the elements of a list. A single value is a list of one.
func (v value) list() (all []value) {
	switch t := v.v.(type) {
	case nil, unknownValue:
		return nil
	case []any:
		for _, e := range t {
			all = append(all, value{e})
		}
		return all
	}
	return []value{v}
}

// texts returns the strings of a list.
func (v value) texts() (all []string) {
	for _, e := range v.list() {
		if s := e.text(""); s != "" {
			all = append(all, s)
		}
	}
	return all
}

// keys returns the keys of a map, sorted.
func (v value) keys() []string {
	m, _ := v.v.(map[string]any)
	return sortedKeys(m)
}

// named returns the options of an entry of a list whose entries are names, or maps of one
// name to its options, as plugins are configured. ok reports whether the name is there.
func (v value) named(name string) (options value, ok bool) {
	if m, isMap := v.v.(map[string]any); isMap {
		o, ok := m[name]
		return value{o}, ok
	}
	for _, e := range v.list() {
		if e.text("") == name {
			return value{}, true
		}
		if m, isMap := e.v.(map[string]any); isMap {
			if o, ok := m[name]; ok {
				return value{o}, true
			}
		}
	}
	return value{}, false
}
