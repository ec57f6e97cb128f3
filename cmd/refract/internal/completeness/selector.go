package completeness

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"

	"example.org/refract/extract/css"
	"example.org/refract/extract/scan"
)

// A condition says when the rules around a url() may apply to a page. It is necessary, and not sufficient: the names in selectors have to be in
// the page. How its elements are nested, and what other rules override, does not count. All levels must hold, and of a level one selector:
//
//	condition = *(length level)    level = *selector    selector = n n*feature
//
// A level without selectors never holds.
type condition []byte

// Limits on what is read of selectors. Beyond them, more pages meet a condition.
const (
	maxPrelude   = 64 << 10 // bytes of what stands before a block
	maxCondition = 8 << 10  // bytes
	maxNames     = 32       // of a selector
)

// condition returns the condition of what stands before the blocks around a url().
func (c *chooser) condition(around []string) condition {
	var all condition
	for i, prelude := range around {
		if i == len(c.levels) {
			c.levels = append(c.levels, level{isAlways: true}) // that of ""
		}
		l := &c.levels[i]
		if l.prelude != prelude { // a string of the same block is compared at once
			*l = c.level(prelude)
		}
		if l.isAlone {
			all = nil
		}
		if !l.isAlways && len(all)+len(l.selectors) < maxCondition {
			all = appendText(all, l.selectors)
		}
		if l.isLast {
			break
		}
	}
	return all
}

// A level is what stands before a block.
type level struct {
	prelude   string
	selectors []byte
	isAlways  bool // it holds in any case
	isAlone   bool // the levels around it may not hold: ":not(&)"
	isLast    bool // within it, there are no selectors
}

func (c *chooser) level(prelude string) level {
	rest, isAt := strings.CutPrefix(prelude, "@")
	l := level{prelude: prelude, isAlone: strings.Contains(prelude, "&") && strings.Contains(prelude, "(")}
	switch {
	case len(prelude) > maxPrelude, strings.HasPrefix(prelude, "--"): // a custom property, or the end of a comment of HTML
		l.isAlways, l.isLast = true, true
	case !isAt:
		l.selectors, l.isAlways = selectors(prelude)
	}
	if !isAt || l.isAlways {
		return l
	}
	rest = strings.ToLower(rest)
	query := strings.TrimLeft(rest, "-abcdefghijklmnopqrstuvwxyz")
	switch name := rest[:len(rest)-len(query)]; {
	case name == "media":
		l.isAlways = c.matches(query) || strings.ContainsAny(query, `/\`)
	case name == "page", name == "document", isForeign(name):
	case slices.Contains([]string{"supports", "layer", "container", "scope", "starting-style"}, name):
		l.isAlways = true
	default: // of keyframes and fonts, for two
		l.isAlways, l.isLast = true, true
	}
	return l
}

// isForeign reports whether Chromium does not know an at-rule or a pseudo-class by its prefix.
func isForeign(name string) bool {
	return strings.HasPrefix(name, "-moz-") || strings.HasPrefix(name, "-ms-") || strings.HasPrefix(name, "-o-")
}

// states are pseudo-classes and -elements that no element of a page is or has when it is loaded, unless the page has this attribute.
var states = map[string]string{
	"hover": "", "active": "", "visited": "", "target": "", "target-within": "", "selection": "",
	"focus": "autofocus", "focus-visible": "autofocus", "focus-within": "autofocus",
}

// implied are elements that pages have without their start tags.
var implied = []string{"html", "head", "body", "tbody", "tr", "colgroup", "p", "br"}

// A selectorReader reads a list of selectors (selectors-4).
type selectorReader struct {
	rest     []byte
	list     []byte
	names    []byte // features that the current selector needs
	isNever  bool   // the current selector matches nothing
	isAlways bool   // something that is not read may match
}

// selectors returns what a list of selectors needs, or that it may match anything.
func selectors(text string) (list []byte, isAlways bool) {
	r := selectorReader{rest: []byte(text)}
	for len(r.rest) > 0 && !r.isAlways {
		switch kind, text := r.next(); kind {
		case 'a':
			if !slices.Contains(implied, strings.ToLower(string(text))) {
				r.need('<', text)
			}
		case ' ', '>', '+', '~', '*', '&':
		case ',':
			r.end()
		case '.', '#':
			r.need(kind, r.name())
		case '[':
			r.attribute()
		case ':':
			r.pseudo()
		default: // "|", for one
			r.isAlways = true
		}
	}
	r.end()
	return r.list, r.isAlways
}

// next reads a token.
func (r *selectorReader) next() (kind byte, text []byte) {
	kind, text, n := css.Token(r.rest)
	r.rest = r.rest[n:]
	return kind, text
}

// name reads a name.
func (r *selectorReader) name() []byte {
	if len(r.rest) > 0 {
		if kind, name := r.next(); kind == 'a' {
			return name
		}
	}
	r.isAlways = true
	return nil
}

func (r *selectorReader) need(kind byte, name []byte) {
	if len(r.names) < 4*maxNames {
		r.names = binary.BigEndian.AppendUint32(r.names, scan.Feature(kind, name))
	}
}

// end ends a selector of the list.
func (r *selectorReader) end() {
	r.isAlways = r.isAlways || !r.isNever && len(r.names) == 0
	if !r.isNever {
		r.list = append(append(r.list, byte(len(r.names)/4)), r.names...)
	}
	r.names, r.isNever = r.names[:0], false
}

// attribute reads on after "[".
func (r *selectorReader) attribute() {
	r.rest = bytes.TrimLeft(r.rest, " \t\r\n\f")
	if len(r.rest) > 0 && r.rest[0] != ']' {
		kind, name := r.next()
		if kind == 'a' && !bytes.HasPrefix(r.rest, []byte("|")) { // without a namespace
			r.need('[', name)
		}
	}
	r.skipTo(']')
}

// pseudo reads on after ":".
func (r *selectorReader) pseudo() {
	r.rest = bytes.TrimPrefix(r.rest, []byte(":"))
	name := strings.ToLower(string(r.name()))
	attribute, isState := states[name]
	switch {
	case attribute != "":
		r.need('[', []byte(attribute))
	case isState, isForeign(name):
		r.isNever = true
	}
	if bytes.HasPrefix(r.rest, []byte("(")) {
		r.skipTo(')') // ":not(.a)" needs no class
	}
}

// skipTo skips what is in brackets, up to the one that closes them.
func (r *selectorReader) skipTo(end byte) {
	for depth := 0; len(r.rest) > 0; {
		switch kind, _ := r.next(); {
		case kind == '(' && end == ')':
			depth++
		case kind == end:
			depth--
			if depth <= 0 {
				return
			}
		}
	}
	r.isAlways = true
}

// names are the features of those in a page: see scan.Selectable. Those of an unknown page are nil.
type names map[uint32]struct{}

// namesOf returns the names in a page from the values of scan.Selectable.
func namesOf(values []byte) names {
	n := make(names, len(values)/4)
	for ; len(values) > 0; values = values[4:] {
		n[binary.BigEndian.Uint32(values)] = struct{}{}
	}
	return n
}

// meet reports whether a page with the names may meet a condition.
func (n names) meet(when condition) bool {
	for len(when) > 0 && n != nil {
		size, at := binary.Uvarint(when)
		end := at + int(size)
		if !n.meetOne(when[at:end]) {
			return false
		}
		when = when[end:]
	}
	return true
}

// meetOne reports whether a page may have what one of the selectors needs.
func (n names) meetOne(selectors []byte) bool {
	for len(selectors) > 0 {
		need := selectors[1 : 1+4*int(selectors[0])]
		selectors = selectors[1+len(need):]
		for is := true; is; need = need[4:] {
			if len(need) == 0 {
				return true
			}
			_, is = n[binary.BigEndian.Uint32(need)]
		}
	}
	return false
}
