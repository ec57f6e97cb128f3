package ooxml

import (
	"bytes"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/prose"
)

// fieldKinds are the fields whose first argument is a reference (Part 1 section 17.16.5), and the index of that
// argument: that of LINK follows the name of a program.
var fieldKinds = map[string]struct {
	kind  scan.Kind
	index int
}{
	"HYPERLINK": {scan.Link, 0}, "INCLUDEPICTURE": {scan.Embed, 0}, "INCLUDETEXT": {scan.Embed, 0}, "IMPORT": {scan.Embed, 0}, "INCLUDE": {scan.Embed, 0},
	"LINK": {scan.Embed, 1}, "RD": {scan.Link, 0}, "DATABASE": {scan.Embed, 0},
}

// An argument is one of a field: its range in the instruction without quotes, and its value.
type argument struct {
	start, end int
	value      []byte
	isSwitch   bool // it begins with a backslash that is not quoted
}

// arguments cuts an instruction into arguments (Part 1 section 17.16.1). In quotes, a backslash stands
// before a quote or a backslash.
func arguments(b []byte) (args []argument) {
	for p := 0; p < len(b); {
		if ascii.IsSpace(b[p]) {
			p++
			continue
		}
		a := argument{start: p}
		if n := quoteAt(b[p:]); n > 0 {
			p += n
			a.start = p
			for p < len(b) && quoteAt(b[p:]) == 0 {
				if b[p] == '\\' && p+1 < len(b) && (b[p+1] == '\\' || b[p+1] == '"') {
					p++
				}
				a.value = append(a.value, b[p])
				p++
			}
			a.end = p
			if p < len(b) {
				p += quoteAt(b[p:])
			}
		} else {
			a.isSwitch = b[p] == '\\'
			for p < len(b) && !ascii.IsSpace(b[p]) && (p == a.start || quoteAt(b[p:]) == 0) {
				p++
			}
			a.end = p
			a.value = b[a.start:p]
		}
		args = append(args, a)
		const most = 64
		if len(args) == most {
			return args
		}
	}
	return args
}

// quoteAt returns the length of the quotation mark that b begins with, in bytes; 0 if there is none. Word
// also takes typographic ones.
func quoteAt(b []byte) int {
	switch {
	case len(b) > 0 && b[0] == '"':
		return 1
	case bytes.HasPrefix(b, []byte("\u201c")), bytes.HasPrefix(b, []byte("\u201d")):
		return 3
	}
	return 0
}

// instruction adds the reference of a field.
func (s *Scanner) instruction(p *piece) {
	args := arguments(p.b)
	if len(args) == 0 {
		return
	}
	name := string(bytes.ToUpper(args[0].value))
	kind, ok := fieldKinds[name]
	if !ok {
		return
	}
	var target, fragment *argument
	index := 0
	for i := 1; i < len(args); i++ {
		a := &args[i]
		switch {
		case !a.isSwitch && index == kind.index && target == nil:
			target = a
		case !a.isSwitch:
			index++
		case name == "DATABASE" && ascii.EqualFold(a.value, `\d`) && i+1 < len(args): // its database
			i++
			target = &args[i]
		case name == "HYPERLINK" && ascii.EqualFold(a.value, `\l`) && i+1 < len(args):
			i++
			fragment = &args[i]
		case name == "HYPERLINK" && (ascii.EqualFold(a.value, `\o`) || ascii.EqualFold(a.value, `\t`)),
			name == "INCLUDEPICTURE" && ascii.EqualFold(a.value, `\c`):
			i++ // its argument is no reference
		}
	}
	it := prose.Item{Op: scan.Ref, Kind: kind.kind, How: scan.Macro, In: name, IgnoresBase: true}
	switch {
	case target != nil && len(target.value) > 0:
		if fragment != nil && bytes.IndexByte(target.value, '#') < 0 && len(fragment.value) < maxFragment {
			it.Fragment = string(fragment.value)
		}
	case fragment != nil && len(fragment.value) > 0:
		target, it.Meant, it.IgnoresBase = fragment, "#", false
	default:
		return
	}
	s.addFrom(it, p, target.start, target.end, target.value)
}

// addFrom adds an Item whose value is at a range of a piece.
func (s *Scanner) addFrom(it prose.Item, p *piece, start, end int, value []byte) {
	back, exact := p.m.Back(scan.Span{Start: start, End: end})
	it.Span, it.Loose = back, !exact
	s.doc.Add(it, value)
}

// functions are those whose first argument is a URL.
var functions = []struct {
	name string
	kind scan.Kind
}{{"HYPERLINK", scan.Link}, {"IMAGE", scan.Embed}, {"WEBSERVICE", scan.Embed}}

// formula adds the references of a formula: the first arguments of functions, if they are constant.
func (s *Scanner) formula(p *piece) {
	b := p.b
	for i := 0; i < len(b); i++ {
		if b[i] == '"' { // a string
			i += stringEnd(b[i:]) - 1
			continue
		}
		if b[i] != '(' {
			continue
		}
		for _, f := range functions {
			at := i - len(f.name)
			if at < 0 || !ascii.EqualFold(b[at:i], f.name) || at > 0 && (ascii.IsAlnum(b[at-1]) || b[at-1] == '_') {
				continue
			}
			from := i + 1
			for from < len(b) && ascii.IsSpace(b[from]) {
				from++
			}
			if from < len(b) && b[from] == '"' {
				s.argument(f.name+"()", f.kind, p, from)
			}
		}
	}
}

// stringEnd returns the length of the string that b begins with, with its quotes.
func stringEnd(b []byte) int {
	for i := 1; i < len(b); i++ {
		if b[i] != '"' {
			continue
		}
		if i+1 < len(b) && b[i+1] == '"' {
			i++
			continue
		}
		return i + 1
	}
	return len(b)
}

// argument adds the reference in the string at an offset of a formula, if the string is the whole argument.
func (s *Scanner) argument(in string, kind scan.Kind, p *piece, at int) {
	n := stringEnd(p.b[at:])
	end := at + n
	next := end
	for next < len(p.b) && ascii.IsSpace(p.b[next]) {
		next++
	}
	if n < 3 || next < len(p.b) && p.b[next] != ',' && p.b[next] != ';' && p.b[next] != ')' {
		return
	}
	it := prose.Item{Op: scan.Ref, Kind: kind, How: scan.Macro, In: in, IgnoresBase: true}
	value := bytes.ReplaceAll(p.b[at+1:end-1], []byte(`""`), []byte(`"`))
	start, stop := at+1, end-1
	if value[0] == '[' { // a place in another workbook: the name of its file is in brackets
		i := bytes.IndexByte(value, ']')
		if i < 2 || bytes.IndexByte(value, '"') >= 0 {
			return
		}
		it.Fragment = string(value[i+1 : min(len(value), i+1+maxFragment)])
		value, start, stop = value[1:i], start+1, start+i
	}
	s.addFrom(it, p, start, stop, value)
}
