package asciidoc

import (
	"bytes"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// maxValue is the maximum length of a substituted value, in bytes.
const maxValue = 1 << 10

// attributes holds the values of the attributes in force.
type attributes struct {
	values  map[string]string
	locked  map[string]bool // those that a document cannot set
	targets map[string]bool // the attributes that are the whole target of a macro: link:{name}[]
}

// newAttributes returns the predefined attributes, and those of a site.
func newAttributes(site map[string]string) attributes {
	a := attributes{locked: map[string]bool{}, values: map[string]string{
		"empty": "", "sp": " ", "nbsp": "\u00a0", "zwsp": "\u200b", "wj": "\u2060", "apos": "'", "quot": "\"", "lsquo": "‘", "rsquo": "’",
		"ldquo": "“", "rdquo": "”", "deg": "°", "plus": "+", "brvbar": "¦", "vbar": "|", "amp": "&", "lt": "<", "gt": ">", "startsb": "[",
		"endsb": "]", "caret": "^", "asterisk": "*", "tilde": "~", "backslash": "\\", "backtick": "`", "two-colons": "::", "two-semicolons": ";;",
		"cpp": "C++", "pp": "++", "idprefix": "_", "idseparator": "_", "sectids": "",
	}}
	for name, value := range site {
		name = strings.ToLower(name)
		value, isDefault := strings.CutSuffix(value, "@")
		a.values[name], a.locked[name] = value, !isDefault
	}
	return a
}

// findTargets looks for attributes that are the target of a macro.
func (p *parser) findTargets() {
	for rest := p.src; ; {
		i := bytes.Index(rest, []byte(":{"))
		if i < 0 {
			return
		}
		rest = rest[i+2:]
		if n := attributeName(rest); n > 0 && n+1 < len(rest) && rest[n] == '}' && rest[n+1] == '[' {
			if p.targets == nil {
				p.targets = map[string]bool{}
			}
			p.targets[strings.ToLower(string(rest[:n]))] = true
		}
	}
}

// attributeName returns the length of the name at the start of text.
func attributeName(text []byte) (n int) {
	for n < len(text) && (ascii.IsAlnum(text[n]) || text[n] == '_' || n > 0 && text[n] == '-') {
		n++
	}
	return n
}

// entry reads the line ":name: value"; lines that end in " \" continue on the next. It returns false for
// other lines.
func (p *parser) entry(l line) bool {
	c := p.src[l.start:l.end]
	if len(c) < 3 || c[0] != ':' {
		return false
	}
	from, unset := 1, false
	if c[1] == '!' {
		from, unset = 2, true
	}
	n := attributeName(c[from:])
	i := from + n
	if n > 0 && i < len(c) && c[i] == '!' {
		i, unset = i+1, true
	}
	if n == 0 || i >= len(c) || c[i] != ':' || i+1 < len(c) && c[i+1] != ' ' && c[i+1] != '\t' {
		return false
	}
	name := strings.ToLower(string(c[from : from+n]))
	start := min(l.start+i+2, l.end)
	end := l.end
	for end-start > 1 && p.src[end-1] == '\\' && p.src[end-2] == ' ' && l.next < len(p.src) {
		l = p.lineAt(l.next)
		end = l.end
	}
	p.at = l.next
	if unset {
		if p.hidden == 0 && !p.locked[name] {
			delete(p.values, name)
		}
		return true
	}
	p.define(name, start, end)
	return true
}

// define sets an attribute, and yields its value if it is a reference.
func (p *parser) define(name string, from, to int) {
	for from < to && ascii.IsAnySpace(p.src[from]) {
		from++
	}
	for to > from && ascii.IsAnySpace(p.src[to-1]) {
		to--
	}
	value := p.src[from:to]
	if p.hidden == 0 && !p.locked[name] { // names in the value stand for their current values
		delete(p.values, name)
		if expanded, _ := p.expand(value); len(expanded) <= maxValue {
			p.values[name] = strings.ReplaceAll(string(expanded), " \\\n", " ")
		}
	}
	switch {
	case len(value) == 0:
	case hasMacro(value):
		if open := bytes.IndexByte(value, '['); bytes.HasPrefix(value, []byte("pass:")) && value[len(value)-1] == ']' {
			from, to = from+open+1, to-1 // a passthrough at the definition is text at the use
		}
		p.inline(from, to)
	case bytes.ContainsAny(value, " \t\n"):
	case name == "email" && schemeLength(value) == 0:
		p.address(":email:", from, to)
	case name == "imagesdir":
		p.ref(scan.Metadata, scan.Field, ":imagesdir:", from, to)
	case schemeLength(value) > 0, p.targets[name] && value[0] != '{':
		p.ref(scan.Definition, scan.Reference, ":"+name+":", from, to)
	}
}

// hasMacro reports whether a value contains a macro with its brackets. Such a macro is read at the definition,
// not at the use.
func hasMacro(value []byte) bool {
	open := bytes.IndexByte(value, '[')
	if open <= 0 {
		return bytes.Contains(value, []byte("<<"))
	}
	for _, mark := range []string{"://", "link:", "xref:", "image:", "mailto:", "}["} {
		if bytes.Contains(value, []byte(mark)) {
			return true
		}
	}
	return false
}

// expand replaces the names in braces in a target. isKnown is false if one has no value.
func (p *parser) expand(text []byte) (_ []byte, isKnown bool) {
	var dst []byte
	isKnown = true
	for i := 0; i < len(text); {
		n, value, ok := p.attributeAt(text, i)
		switch {
		case n == 0:
			n = 1
			dst = append(dst, text[i])
		case ok:
			dst = append(dst, value...)
		default:
			isKnown = false
			dst = append(dst, text[i:i+n]...)
		}
		i += n
		if len(dst) > maxValue+len(text) {
			return text, false
		}
	}
	return dst, isKnown
}

// attributeAt returns the length of the {name} at i, or 0 if there is none, and its value.
func (p *parser) attributeAt(text []byte, i int) (n int, value string, ok bool) {
	if text[i] != '{' || i > 0 && text[i-1] == '\\' {
		return 0, "", false
	}
	n = attributeName(text[i+1:])
	if n == 0 || i+1+n >= len(text) || text[i+1+n] != '}' {
		return 0, "", false
	}
	value, ok = p.values[strings.ToLower(string(text[i+1:i+1+n]))]
	return n + 2, value, ok
}
