package texinfo

import (
	"bytes"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/prose"
)

// A macro is the definition of one with parameters (Texinfo 7.1, section 17.3.2).
type macro struct {
	params []string
	body   scan.Span // in src
}

// The most bytes of the text of a macro, the most parameters, and the most macros of a document.
const (
	maxBody       = 4 << 10
	maxParameters = 16
	maxMacros     = 1 << 12
)

// unknown stands for each byte of a parameter where no call says what it is. It ends references in text.
const unknown = 1

// define reads the definition of a macro with parameters, which ends at end: its first line follows p.at.
// References in its text that have no parameter are the same in each call, and are read here; the others in
// each call.
func (p *parser) define(end int) {
	line := ascii.LineEnd(p.src, p.at)
	name, list, _ := strings.Cut(string(p.src[p.at:min(line, p.at+maxBody)]), "{")
	list, _, ok := strings.Cut(list, "}")
	m := macro{body: scan.Span{Start: min(line+1, end), End: end}}
	for param := range strings.SplitSeq(list, ",") {
		m.params = append(m.params, strings.TrimSpace(param))
	}
	name = strings.TrimSpace(name)
	p.at = end
	if !ok || len(m.params) > maxParameters || m.body.End-m.body.Start > maxBody {
		return
	}
	if p.defined == nil {
		p.defined = make(map[string]macro)
	}
	if _, again := p.defined[name]; again || len(p.defined) < maxMacros {
		p.defined[name] = m
	}
	text := append([]byte(nil), p.src[m.body.Start:m.body.End]...)
	for s, at := range parameters(text) {
		if isParameter(m.params, s) >= 0 {
			fill(text[at.Start:at.End])
		}
	}
	for it := range p.inner().Scan(text) {
		if it.Op == scan.Ref && !isOpen(text, it.Span) {
			p.take(it, scan.Span{Start: m.body.Start + it.Span.Start, End: m.body.Start + it.Span.End}, it.Loose)
		}
	}
}

// inner returns the scanner of the texts of macros, in which no others are called.
func (p *parser) inner() *Scanner {
	if p.texts == nil {
		p.texts = &Scanner{Rules: p.Rules}
	}
	return p.texts
}

// take adds a reference of the text of a macro.
func (p *parser) take(it *scan.Item, at scan.Span, loose bool) {
	p.doc.Add(prose.Item{Op: it.Op, Kind: it.Kind, How: it.How, Labels: it.Labels, Span: at, In: it.In, Meant: it.Meant, Loose: loose}, it.Value)
}

// parameters yields what stands between pairs of backslashes in the text of a macro, and where it stands with them.
func parameters(text []byte) func(yield func(string, scan.Span) bool) {
	return func(yield func(string, scan.Span) bool) {
		for at := 0; ; {
			i := bytes.IndexByte(text[at:], '\\')
			if i < 0 {
				return
			}
			k := bytes.IndexByte(text[at+i+1:], '\\')
			if k < 0 {
				return
			}
			span := scan.Span{Start: at + i, End: at + i + 1 + k + 1}
			if !yield(string(text[span.Start+1:span.End-1]), span) {
				return
			}
			at = span.End
		}
	}
}

func isParameter(params []string, name string) int {
	for i, p := range params {
		if p == name && name != "" {
			return i
		}
	}
	return -1
}

func fill(text []byte) {
	for i := range text {
		text[i] = unknown
	}
}

// isOpen reports whether a reference contains a parameter, or stands beside one.
func isOpen(text []byte, at scan.Span) bool {
	return bytes.IndexByte(text[max(0, at.Start-1):min(len(text), at.End+1)], unknown) >= 0
}

// A given is an argument of a call, where it stands in the text that the call makes.
type given struct {
	in  scan.Span
	arg scan.Span // in src
	raw bool      // nothing in it is escaped
}

// call reads the call of a macro with parameters at src[start:p.at], and adds the references of its text
// that the arguments are part of. ok is false if this is none, or if calls have made much text before.
func (p *parser) call(start int, m macro) (ok bool) {
	most := 4*len(p.src) + maxBody
	if p.made > most {
		return false
	}
	args, end := p.given(len(m.params))
	if args == nil {
		return false
	}
	p.made += m.body.End - m.body.Start
	var text []byte
	var all []given
	body, last := p.src[m.body.Start:m.body.End], 0
	for name, at := range parameters(body) {
		text = append(text, body[last:at.Start]...)
		last = at.End
		i := isParameter(m.params, name)
		if i < 0 {
			text = append(text, body[at.Start:at.End]...)
			continue
		}
		g := given{in: scan.Span{Start: len(text)}, arg: args[i]}
		value := p.src[g.arg.Start:g.arg.End]
		g.raw = bytes.IndexByte(value, '\\') < 0
		text = appendArgument(text, value)
		g.in.End = len(text)
		all = append(all, g)
		p.made += len(value)
		if p.made > most {
			return false
		}
	}
	text = append(text, body[last:]...)
	p.at = end
	p.doc.Break(start, end)
	for it := range p.inner().Scan(text) {
		if it.Op == scan.Ref {
			p.takeGiven(it, all, scan.Span{Start: start, End: end})
		}
	}
	return true
}

// takeGiven adds a reference of the text of a call if an argument is a part of it or stands beside it. Its
// place is in the argument, if it is a part of that, or else the call.
func (p *parser) takeGiven(it *scan.Item, all []given, call scan.Span) {
	for _, g := range all {
		if it.Span.End < g.in.Start || it.Span.Start > g.in.End { // as isOpen
			continue
		}
		if g.raw && g.in.Start <= it.Span.Start && it.Span.End <= g.in.End {
			shift := g.arg.Start - g.in.Start
			p.take(it, scan.Span{Start: it.Span.Start + shift, End: it.Span.End + shift}, it.Loose)
		} else {
			p.take(it, call, true)
		}
		return
	}
}

// appendArgument adds an argument without its escapes, which are backslashes.
func appendArgument(dst, arg []byte) []byte {
	for i := 0; i < len(arg); i++ {
		if arg[i] == '\\' && i+1 < len(arg) {
			i++
		}
		dst = append(dst, arg[i])
	}
	return dst
}

// given reads the arguments of a call of a macro with n parameters: in braces, separated by commas if n is
// not 1, or the rest of the line if n is 1. It returns nil if there are too many, or if they are too long.
// Missing ones are empty.
func (p *parser) given(n int) (args []scan.Span, end int) {
	if p.at == len(p.src) || p.src[p.at] != '{' {
		if n != 1 || p.at == len(p.src) || p.src[p.at] != ' ' {
			return nil, 0
		}
		end = ascii.LineEnd(p.src, p.at)
		return []scan.Span{prose.Trim(p.src, scan.Span{Start: p.at, End: end})}, end
	}
	first, start, depth := p.at, p.at+1, 0
	limit := min(len(p.src), start+min(maxArgument, p.budget))
	i := start
	defer func() { p.budget -= i - first }()
	for ; i < limit; i++ {
		switch p.src[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			if depth--; depth >= 0 {
				continue
			}
			args = append(args, prose.Trim(p.src, scan.Span{Start: start, End: i}))
			for len(args) < n {
				args = append(args, scan.Span{})
			}
			return args, i + 1
		case ',':
			if depth == 0 && len(args)+1 < n {
				args = append(args, prose.Trim(p.src, scan.Span{Start: start, End: i}))
				start = i + 1
			}
		}
	}
	return nil, 0
}
