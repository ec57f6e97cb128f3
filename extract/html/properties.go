package html

import (
	"strings"

	"example.org/refract/extract/scan"
)

// Properties are properties of components that hold links, besides href, src, to, link and url.
type Properties struct {
	rules  map[string]*attrRule
	filter [256]bool // the first letters of components, folded
}

// NewProperties returns the Properties in a list of words, each of the form "component/property:use". The
// use is "link", "embed" (of an image, say), or "part": the component builds the URL from this value, so
// the reference is labelled [scan.Guess]. Case, "-", "_" and "." do not count: Vue reads MyCard and my-card
// as the same name. Other words are ignored. NewProperties returns nil if there are none.
func NewProperties(list string) *Properties {
	p := &Properties{rules: map[string]*attrRule{}}
	for word := range strings.FieldsSeq(list) {
		name, use, _ := strings.Cut(word, ":")
		r := &rule{kind: scan.Link, form: braced}
		switch use {
		case "link":
		case "embed":
			r.kind = scan.Embed
		case "part":
			r.form = bracedPart
		default:
			continue
		}
		component, property, ok := strings.Cut(name, "/")
		if key := foldName([]byte(component)); ok && key != "" && property != "" {
			p.rules[key+"/"+foldName([]byte(property))] = &attrRule{rule: r, in: strings.ToLower(name)}
			p.filter[key[0]] = true
		}
	}
	if len(p.rules) == 0 {
		return nil
	}
	return p
}

// Use returns the kind of reference that a component makes of a property; isPart reports that the value is
// only a part of the reference. ok is false if the list does not have the property.
func (p *Properties) Use(component, property []byte) (kind scan.Kind, isPart, ok bool) {
	r := p.rule(component, property)
	if r == nil {
		return 0, false, false
	}
	return r.kind, r.form == bracedPart, true
}

// rule returns the rule for a property of a component, or nil. p may be nil.
func (p *Properties) rule(component, property []byte) *attrRule {
	if p == nil || len(component) == 0 || !p.filter[component[0]|0x20] || len(component)+len(property) > maxPropertyName {
		return nil
	}
	return p.rules[foldName(component)+"/"+foldName(property)]
}

// add appends the attribute of a component whose value is src[from:to] to attrs, if p has it.
func (p *Properties) add(attrs []attribute, component, name []byte, from, to int) []attribute {
	if r := p.rule(component, name); r != nil {
		attrs = append(attrs, attribute{r, from, to})
	}
	return attrs
}

// maxPropertyName is the length in bytes of the longest names of a component and a property together.
const maxPropertyName = 200

// foldName returns a name in lower case, without "-", "_" and ".".
func foldName(s []byte) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '-' || r == '_' || r == '.':
			return -1
		case 'A' <= r && r <= 'Z':
			return r + 'a' - 'A'
		}
		return r
	}, string(s))
}
