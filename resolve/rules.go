package resolve

import (
	"fmt"
	"slices"
	"strings"
)

// Rules says how to resolve references where the documents differ.
// The zero value is RFC 3986, read strictly; [RulesNamed] returns the rules of the others.
// Each field except Browser is one knob, and any combination is allowed.
type Rules struct {
	AboveRoot      AboveRoot // ".." with nothing left to remove
	LeaveDots      bool      // keep the dots of absolute paths, and merge relative ones by step 6 of the 1997 draft, section 5.2
	DropSegment    bool      // "?y" drops the base's last segment
	Empty          Empty     // the meaning of the empty reference
	FragmentHere   bool      // "#s" is the current document
	Params         bool      // ";params" is a component
	QueryDots      bool      // the query is merged and loses its dot segments
	EmptyAbsent    bool      // a component that is present but empty is undefined
	AuthoritySlash bool      // only "/" ends the authority, not "?"
	SameScheme     bool      // "http:g" against an http base is relative
	AnyScheme      bool      // a scheme may start with a digit, "+", "-" or "."

	// Browser selects the parser of the URL Standard. The other fields are then
	// ignored. The result is escaped, converted to lower case and normalised as
	// browsers do, and a reference may be in error (see Failure).
	Browser bool
}

// AboveRoot says what to do with a ".." that goes above the root.
// The draft allows all three (5.2 step 6g).
type AboveRoot uint8

const (
	RemoveAboveRoot AboveRoot = iota // drop it: RFC 3986 5.2.4
	RetainAboveRoot                  // keep it in the path
	FailAboveRoot                    // give no URL: Result.InError
)

// Empty is the meaning of the reference of length zero.
type Empty uint8

const (
	EmptyIsBase      Empty = iota // the base without its fragment: RFC 3986 5.2.2
	EmptyIsWholeBase              // the base with its fragment: RFC 1808 4 step 2a
	EmptyIsCurrent                // the current document: draft 3 and 5.2 step 2
)

type namedRules struct {
	name  string
	rules Rules
}

// named is the policy table, one row for each document.
var named = []namedRules{
	{"rfc3986", Rules{}},
	{"rfc1808", Rules{AboveRoot: RetainAboveRoot, LeaveDots: true, Empty: EmptyIsWholeBase,
		Params: true, EmptyAbsent: true, AuthoritySlash: true, AnyScheme: true}},
	{"draft-01", Rules{AboveRoot: RetainAboveRoot, LeaveDots: true, Empty: EmptyIsCurrent, FragmentHere: true,
		EmptyAbsent: true, AuthoritySlash: true, AnyScheme: true}},
	{"draft-02", Rules{AboveRoot: RetainAboveRoot, LeaveDots: true, DropSegment: true, Empty: EmptyIsCurrent, FragmentHere: true,
		QueryDots: true, AnyScheme: true}},
	{"draft", Rules{AboveRoot: RetainAboveRoot, LeaveDots: true, DropSegment: true, Empty: EmptyIsCurrent, FragmentHere: true,
		AnyScheme: true}},
	{"rfc2396", Rules{AboveRoot: RetainAboveRoot, LeaveDots: true, DropSegment: true, Empty: EmptyIsCurrent, FragmentHere: true}},
	{"whatwg", Rules{SameScheme: true, Browser: true}},
}

// RulesNamed returns the rules of one document, by a name that [RulesNames] lists.
func RulesNamed(name string) (Rules, bool) {
	for _, n := range named {
		if n.name == name {
			return n.rules, true
		}
	}
	return Rules{}, false
}

// RulesNames lists the names of the sets of rules, the default first.
func RulesNames() []string {
	var names []string
	for _, n := range named {
		names = append(names, n.name)
	}
	return names
}

// A Knob describes one field of [Rules] to people: a command can offer it as a flag.
type Knob struct {
	Name   string   // "above-root"
	Values []string // the values that Set accepts; the first is RFC 3986's
	Doc    string   // one line, with the sections that differ
}

// A knob sets its field by the index of a value.
type knob struct {
	Knob
	set func(r *Rules, value int)
}

var knobs = []knob{
	{Knob{"above-root", []string{"remove", "retain", "error"},
		"`..` above the root (RFC 3986 5.2.4; draft 5.2 step 6g)"},
		func(r *Rules, v int) { r.AboveRoot = AboveRoot(v) }},
	{Knob{"absolute-dots", []string{"remove", "leave"},
		"dot segments of absolute paths and URLs (RFC 3986 5.2.2; draft 5.2 steps 3 to 5)"},
		func(r *Rules, v int) { r.LeaveDots = v == 1 }},
	{Knob{"query-only", []string{"keep", "drop"},
		"the base's last segment under `?y` (RFC 3986 5.2.2; draft 5.2 step 6a)"},
		func(r *Rules, v int) { r.DropSegment = v == 1 }},
	{Knob{"empty", []string{"base", "base-fragment", "current"},
		"the empty reference (RFC 3986 5.2.2; RFC 1808 4 step 2a; draft 5.2 step 2)"},
		func(r *Rules, v int) { r.Empty = Empty(v) }},
	{Knob{"fragment-only", []string{"base", "current"},
		"`#s`, on the base or in the current document (RFC 3986 5.2.2; draft 5.2 step 2)"},
		func(r *Rules, v int) { r.FragmentHere = v == 1 }},
	{Knob{"params", []string{"no", "yes"},
		"`;params` as a component of its own (RFC 1808 2.4.5)"},
		func(r *Rules, v int) { r.Params = v == 1 }},
	{Knob{"query-dots", []string{"no", "yes"},
		"dot segments of the query (draft -02 5.2 step 6c)"},
		func(r *Rules, v int) { r.QueryDots = v == 1 }},
	{Knob{"empty-component", []string{"present", "absent"},
		"a component that is present but empty (draft 5.2, last note; RFC 1808 2.4)"},
		func(r *Rules, v int) { r.EmptyAbsent = v == 1 }},
	{Knob{"authority-end", []string{"any", "slash"},
		"what ends the authority: `/` or `?`, or `/` alone (draft Appendix B; RFC 1808 2.4.3)"},
		func(r *Rules, v int) { r.AuthoritySlash = v == 1 }},
	{Knob{"same-scheme", []string{"absolute", "relative"},
		"`http:g` against an http base (RFC 3986 5.2.2, strict; RFC 2396 5.2 step 3)"},
		func(r *Rules, v int) { r.SameScheme = v == 1 }},
	{Knob{"digit-scheme", []string{"no", "yes"},
		"a scheme that does not start with a letter (RFC 3986 3.1; RFC 1808 2.4.2; draft 3)"},
		func(r *Rules, v int) { r.AnyScheme = v == 1 }},
}

// Knobs lists the fields of Rules as data, in their order.
func Knobs() []Knob {
	var list []Knob
	for _, k := range knobs {
		k.Values = slices.Clone(k.Values)
		list = append(list, k.Knob)
	}
	return list
}

// Set turns one knob. It returns an error, and changes nothing, if there is no such
// knob, if the knob has no such value, or if the rules are those of browsers, which have
// no knobs.
func (r *Rules) Set(knob, value string) error {
	for _, k := range knobs {
		if k.Name != knob {
			continue
		}
		v := slices.Index(k.Values, value)
		if v < 0 {
			return fmt.Errorf("resolve: %s %q: not one of %s", knob, value, strings.Join(k.Values, ", "))
		}
		if r.Browser {
			return fmt.Errorf("resolve: %s %q: the rules of browsers have no knobs", knob, value)
		}
		k.set(r, v)
		return nil
	}
	return fmt.Errorf("resolve: knob %q: unknown", knob)
}
