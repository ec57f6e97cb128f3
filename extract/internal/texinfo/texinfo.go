// Package texinfo scans Texinfo documents for references.
//
// It is not a formatter. It knows the commands that refer to something, those that hide text,
// and the escapes; it reads the arguments of all other commands as text. It skips conditional text for TeX,
// DocBook, XML, LaTeX or raw HTML, and reads all other conditional text, whatever the output. Of macros, those
// that the document defines are expanded, but not in texts of others (macro.go).
//
// Source: the manual of Texinfo 6.8 and 7.1, and the output of makeinfo 6.8.
package texinfo

import (
	"bytes"
	"iter"

	"example.org/refract/delimit"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/prose"
)

// NodeSpace is the Space of nodes and anchors, which @xref uses.
const NodeSpace = "node"

// A Scanner scans one document. The zero Scanner has the defaults. It may be reused, but
// several goroutines must not use it at once.
type Scanner struct {
	Anchors  bool          // with Mentions, yield an Anchor for each @node and @anchor
	Mentions bool          // yield a Mention for each use of a node of the same manual
	Rules    delimit.Rules // of references in text

	doc   prose.Doc
	value []byte
	texts *Scanner // of the texts of macros
}

// Scan yields the references, anchors and mentions of src in source order. src is UTF-8, or has another
// charset whose ASCII is ASCII. Every input is valid. The time is linear in len(src).
//
// References to an image without a suffix, and to another manual, have the label Guess.
func (s *Scanner) Scan(src []byte) iter.Seq[*scan.Item] {
	return s.doc.Scan(src, s.Rules, func() {
		p := parser{Scanner: s, src: src, budget: 8*len(src) + maxArgument}
		p.text()
	})
}

// A parser reads one document.
type parser struct {
	*Scanner
	src       []byte
	at        int
	budget    int // bytes left for searching the ends of arguments
	args      []scan.Span
	ends      prose.Ends
	macroEnds map[string]int // where the definition of a macro ends, by the command that begins it
	backslash int            // the first one at or after the last offset searched from
	defined   map[string]macro
	made      int // bytes that calls of macros have made
}

// text reads the document.
func (p *parser) text() {
	for p.at < len(p.src) {
		k := bytes.IndexByte(p.src[p.at:], '@')
		if k < 0 {
			p.doc.Text(p.at, len(p.src))
			return
		}
		if k > 0 {
			p.doc.Text(p.at, p.at+k)
			p.at += k
		}
		if p.at+1 == len(p.src) {
			return
		}
		if c := p.src[p.at+1]; !ascii.IsLetter(c) {
			p.escape(c)
			continue
		}
		start := p.at
		p.at++
		for p.at < len(p.src) && ascii.IsLetter(p.src[p.at]) {
			p.at++
		}
		if p.command(start, string(p.src[start+1:p.at])) {
			return
		}
	}
}

// escape reads "@" and a character that is not a letter.
func (p *parser) escape(c byte) {
	at := p.at
	p.at += 2
	switch c {
	case '@', '{', '}', '.', '!', '?', '&', '\\':
		p.doc.Undone(p.src[at+1:at+2], at, at+2)
	case '/', '-', ':':
	default:
		p.doc.Break(at, at+2)
	}
}

// hidden holds the environments that are not read.
var hidden = map[string]bool{
	"ignore": true, "verbatim": true, "tex": true, "iftex": true, "docbook": true, "xml": true, "html": true, "latex": true, "iflatex": true,
	"ifdocbook": true, "ifxml": true, "displaymath": true, "direntry": true,
}

// macros holds the commands that define a macro. The text of one in which no parameter stands is read once,
// where it is defined.
var macros = map[string]bool{"macro": true, "rmacro": true, "linemacro": true}

// isConstant reports whether the macro that is defined at p.at has a text in which no parameter (\name\) is put.
func (p *parser) isConstant(name string) bool {
	end, ok := p.macroEnds[name]
	if !ok || end >= 0 && end < p.at { // those in another macro have its end
		end = p.ends.Find(p.src, "\n@end "+name, p.at)
		if p.macroEnds == nil {
			p.macroEnds = make(map[string]int)
		}
		p.macroEnds[name] = end
	}
	if end >= 0 && p.backslash < p.at {
		p.backslash = len(p.src)
		if i := bytes.IndexByte(p.src[p.at:], '\\'); i >= 0 {
			p.backslash = p.at + i
		}
	}
	return end >= 0 && p.backslash >= end
}

// command reads the text after the name of a command. It reports whether the document ends.
func (p *parser) command(start int, name string) (ends bool) {
	switch name {
	case "c", "comment":
		p.at = ascii.LineEnd(p.src, p.at)
		return false
	case "bye":
		return true
	case "include", "verbatiminclude", "setfilename", "documentencoding", "node", "set", "clear":
		p.doc.Break(start, p.at)
		p.line(name)
		return false
	case "w", "asis":
		return false // the text goes on
	case "comma":
		if bytes.HasPrefix(p.src[p.at:], []byte("{}")) {
			p.at += 2
		}
		p.doc.Undone([]byte(","), start, p.at)
		return false
	}
	if macros[name] && p.isLineStart(start) && p.isConstant(name) {
		p.doc.Break(start, p.at)
		p.at = ascii.LineEnd(p.src, p.at)
		return false
	}
	if (hidden[name] || macros[name]) && p.isLineStart(start) {
		k := p.ends.Find(p.src, "\n@end "+name, p.at)
		if k < 0 {
			return false
		}
		if macros[name] {
			p.doc.Break(start, p.at)
			p.define(k)
		}
		p.at = k + len("\n@end ") + len(name)
		return false
	}
	if m, ok := p.defined[name]; ok && p.call(start, m) {
		return false
	}
	p.doc.Break(start, p.at)
	if refers[name] && p.arguments() {
		p.refer(name)
	}
	return false
}

const maxIndent = 16

// isLineStart reports whether only white space precedes src[at] on its line.
func (p *parser) isLineStart(at int) bool {
	for range maxIndent {
		if at == 0 || p.src[at-1] != ' ' && p.src[at-1] != '\t' {
			break
		}
		at--
	}
	return at == 0 || p.src[at-1] == '\n'
}

// line reads a command whose argument is the rest of its line.
func (p *parser) line(name string) {
	end := ascii.LineEnd(p.src, p.at)
	at := prose.Trim(p.src, scan.Span{Start: p.at, End: end})
	p.at = end
	if at.Start == at.End {
		return
	}
	it := prose.Item{Op: scan.Ref, Kind: scan.Embed, How: scan.Directive, Span: at, In: "@" + name}
	switch name {
	case "include":
		it.Labels = scan.Include
		p.add(it)
	case "verbatiminclude":
		p.add(it)
	case "node":
		if i := bytes.IndexByte(p.src[at.Start:at.End], ','); i >= 0 {
			it.Span = prose.Trim(p.src, scan.Span{Start: at.Start, End: at.Start + i})
		}
		p.anchor(it)
	}
}

// add adds a reference, with its escapes undone. It skips a reference that contains a command.
func (p *parser) add(it prose.Item) {
	value, known := p.unescape(p.src[it.Span.Start:it.Span.End])
	if known && it.Span.End > it.Span.Start {
		p.doc.Add(it, value)
	}
}

func (p *parser) anchor(it prose.Item) {
	if p.Anchors && p.Mentions {
		it.Op, it.Space = scan.Anchor, NodeSpace
		p.add(it)
	}
}

// refers holds the commands with arguments in braces that refer to something.
var refers = map[string]bool{
	"uref": true, "url": true, "email": true, "image": true, "xref": true, "pxref": true, "ref": true, "inforef": true, "anchor": true,
}

// maxArgument is more than the length of a command's arguments, in bytes.
const maxArgument = 8 << 10

// arguments reads the arguments of a command, in braces and separated by commas, into p.args.
func (p *parser) arguments() bool {
	p.args = p.args[:0]
	i := p.at
	for i < len(p.src) && (p.src[i] == ' ' || p.src[i] == '\n') && i < p.at+2 {
		i++
	}
	if i == len(p.src) || p.src[i] != '{' {
		return false
	}
	limit := min(len(p.src), i+min(maxArgument, p.budget))
	first, start, depth := i, i+1, 0
	defer func() { p.budget -= i - first }()
	for i++; i < limit; i++ {
		switch p.src[i] {
		case '@':
			i++
		case '{':
			depth++
		case '}':
			if depth--; depth < 0 {
				p.args = append(p.args, prose.Trim(p.src, scan.Span{Start: start, End: i}))
				p.at = i + 1
				return true
			}
		case ',':
			if depth == 0 {
				p.args = append(p.args, prose.Trim(p.src, scan.Span{Start: start, End: i}))
				start = i + 1
			}
		}
	}
	return false
}

// arg returns an argument, or an empty one if it is missing.
func (p *parser) arg(i int) scan.Span {
	if i < len(p.args) {
		return p.args[i]
	}
	return scan.Span{}
}

func isThere(at scan.Span) bool { return at.Start < at.End }

// refer adds the reference of a command, whose arguments are p.args.
func (p *parser) refer(name string) {
	end := p.at
	p.doc.Break(end-1, end)
	it := prose.Item{Op: scan.Ref, Kind: scan.Link, How: scan.Macro, Span: p.arg(0), In: "@" + name}
	switch name {
	case "uref", "url":
		p.add(it)
	case "email":
		it.Meant = "mailto:"
		p.add(it)
	case "anchor":
		p.anchor(it)
	case "image":
		p.image(it)
	case "inforef":
		it.Span, it.In, it.Labels = p.arg(2), "@inforef/manual", scan.Guess
		p.add(it)
	default:
		if file := p.arg(3); isThere(file) || isThere(p.arg(4)) {
			it.Span, it.In, it.Labels = file, "@"+name+"/manual", scan.Guess
			p.add(it)
		} else if p.Mentions {
			it.Op, it.Space = scan.Mention, NodeSpace
			p.add(it)
		}
	}
}

// image adds a picture. The first argument is the name of a file without its suffix, the last one the suffix.
func (p *parser) image(it prose.Item) {
	it.Kind = scan.Embed
	suffix := p.arg(4)
	if !isThere(suffix) {
		it.Labels = scan.Guess
		p.add(it)
		return
	}
	value, known := p.unescape(p.src[it.Span.Start:it.Span.End])
	if !known {
		return
	}
	if value == nil {
		value = p.src[it.Span.Start:it.Span.End]
	}
	dst := append([]byte{}, value...)
	if p.src[suffix.Start] != '.' {
		dst = append(dst, '.')
	}
	it.Loose = true
	p.doc.Add(it, append(dst, p.src[suffix.Start:suffix.End]...))
}

// unescape returns the text that an argument stands for, until the next call, or nil if that is raw itself.
// known is false if the argument contains a command.
func (p *parser) unescape(raw []byte) (value []byte, known bool) {
	if !bytes.ContainsAny(raw, "@\n") {
		return nil, true
	}
	p.value = prose.Emptied(p.value)
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		switch {
		case c == '\n' || c == '\r':
			continue
		case c != '@':
		case bytes.HasPrefix(raw[i:], []byte("@comma{}")):
			c = ','
			i += len("comma{}")
		case i+1 == len(raw):
			return nil, false
		default:
			i++
			switch c = raw[i]; c {
			case '@', '{', '}', '.', '&', '\\':
			case '/', '-', ':', '\n':
				continue
			default:
				return nil, false
			}
		}
		p.value = append(p.value, c)
	}
	return p.value, true
}

// Is reports whether head, the first bytes of a document, is Texinfo.
func Is(head []byte) bool {
	i := bytes.Index(head, []byte(`\input texinfo`))
	return i == 0 || i > 0 && head[i-1] == '\n'
}
