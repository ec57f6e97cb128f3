package resolve

import (
	"fmt"
	"slices"
	"strings"
)

// Rules says how to resolve references where the documents differ. The zero value is RFC 3986, read
// strictly; [RulesNamed] returns the rules of the others. Each field except Browser is one [Option], and
// any combination is allowed.
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

	// Browser selects the parser of the URL Standard. The other fields are then ignored. The result is escaped,
	// converted to lower case and normalised as browsers do, and a reference may be in error (see Failure).
	Browser bool
}

// AboveRoot says what to do with a ".." that goes above the root. The draft allows all three (5.2 step 6g).
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

// An Option describes one field of [Rules] to people.
type Option struct {
	Name   string   // "above-root"
	Values []string // the values that Set accepts; the first is RFC 3986's
	Doc    string   // one line, with the sections that differ
}

// An option sets its field by the index of a value.
type option struct {
	Option
	set func(r *Rules, value int)
}

var options = []option{
	{Option{"above-root", []string{"remove", "retain", "error"},
		"`..` above the root (RFC 3986 5.2.4; draft 5.2 step 6g)"},
		func(r *Rules, v int) { r.AboveRoot = AboveRoot(v) }},
	{Option{"absolute-dots", []string{"remove", "leave"},
		"dot segments of absolute paths and URLs (RFC 3986 5.2.2; draft 5.2 steps 3 to 5)"},
		func(r *Rules, v int) { r.LeaveDots = v == 1 }},
	{Option{"query-only", []string{"keep", "drop"},
		"the base's last segment under `?y` (RFC 3986 5.2.2; draft 5.2 step 6a)"},
		func(r *Rules, v int) { r.DropSegment = v == 1 }},
	{Option{"empty", []string{"base", "base-fragment", "current"},
		"the empty reference (RFC 3986 5.2.2; RFC 1808 4 step 2a; draft 5.2 step 2)"},
		func(r *Rules, v int) { r.Empty = Empty(v) }},
	{Option{"fragment-only", []string{"base", "current"},
		"`#s`, on the base or in the current document (RFC 3986 5.2.2; draft 5.2 step 2)"},
		func(r *Rules, v int) { r.FragmentHere = v == 1 }},
	{Option{"params", []string{"no", "yes"},
		"`;params` as a component of its own (RFC 1808 2.4.5)"},
		func(r *Rules, v int) { r.Params = v == 1 }},
	{Option{"query-dots", []string{"no", "yes"},
		"dot segments of the query (draft -02 5.2 step 6c)"},
		func(r *Rules, v int) { r.QueryDots = v == 1 }},
	{Option{"empty-component", []string{"present", "absent"},
		"a component that is present but empty (draft 5.2, last note; RFC 1808 2.4)"},
		func(r *Rules, v int) { r.EmptyAbsent = v == 1 }},
	{Option{"authority-end", []string{"any", "slash"},
		"what ends the authority: `/` or `?`, or `/` alone (draft Appendix B; RFC 1808 2.4.3)"},
		func(r *Rules, v int) { r.AuthoritySlash = v == 1 }},
	{Option{"same-scheme", []string{"absolute", "relative"},
		"`http:g` against an http base (RFC 3986 5.2.2, strict; RFC 2396 5.2 step 3)"},
		func(r *Rules, v int) { r.SameScheme = v == 1 }},
	{Option{"digit-scheme", []string{"no", "yes"},
		"a scheme that does not start with a letter (RFC 3986 3.1; RFC 1808 2.4.2; draft 3)"},
		func(r *Rules, v int) { r.AnyScheme = v == 1 }},
}

// Options lists the fields of Rules as data, in their order.
func Options() []Option {
	var list []Option
	for _, o := range options {
		o.Values = slices.Clone(o.Values)
		list = append(list, o.Option)
	}
	return list
}

// ParseRules returns the rules that text describes: a name that [RulesNames] lists, then, separated by
// commas, the options that differ from it, as in "rfc2396,above-root=remove". The name rfc3986 may be left
// out. It is the inverse of Rules.String. The error lists the names or values that are valid.
func ParseRules(text string) (Rules, error) {
	name, rest, _ := strings.Cut(text, ",")
	if strings.Contains(name, "=") {
		name, rest = named[0].name, text
	}
	r, ok := RulesNamed(name)
	if !ok {
		return Rules{}, fmt.Errorf("resolve: %q: not one of %s", name, strings.Join(RulesNames(), ", "))
	}
	for word := range strings.SplitSeq(rest, ",") {
		option, value, isSet := strings.Cut(word, "=")
		switch {
		case word == "":
			continue
		case !isSet:
			return Rules{}, fmt.Errorf("resolve: %q: give OPTION=VALUE", word)
		}
		if err := r.Set(option, value); err != nil {
			return Rules{}, err
		}
	}
	return r, nil
}

// Set sets one option. It returns an error, and changes nothing, if there is no such option, if the option
// has no such value, or if the rules are those of browsers, which have no options.
func (r *Rules) Set(name, value string) error {
	i := slices.IndexFunc(options, func(o option) bool { return o.Name == name })
	if i < 0 {
		var names []string
		for _, o := range options {
			names = append(names, o.Name)
		}
		return fmt.Errorf("resolve: %q: not one of %s", name, strings.Join(names, ", "))
	}
	v := slices.Index(options[i].Values, value)
	if v < 0 {
		return fmt.Errorf("resolve: %s=%q: not one of %s", name, value, strings.Join(options[i].Values, ", "))
	}
	if r.Browser {
		return fmt.Errorf("resolve: %s=%q: the rules of browsers have no options", name, value)
	}
	options[i].set(r, v)
	return nil
}
