// Package man scans manual pages for references: roff with the macros of man and mdoc.
//
// It is not a formatter. It knows the requests and macros that refer to something, those that
// join their arguments, and those whose arguments are not shown. The arguments of all others are
// text, like lines without a request. Short strings that a document defines are expanded, macros are not.
//
// Sources: groff(7), groff_man(7), groff_char(7) of groff 1.23; mdoc(7) and roff(7) of mandoc 1.14.
package man

import (
	"bytes"
	"iter"
	"strings"

	"example.org/refract/delimit"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/prose"
)

// A Scanner scans one manual page. The zero Scanner has the defaults. It may be reused, but
// several goroutines must not use it at once.
type Scanner struct {
	Rules delimit.Rules // of references in text

	doc  prose.Doc
	args []arg
	name []byte
}

// Scan yields the references of src in source order: those of .UR, .URL, .MT, .Lk, .Mt and .so,
// and those in text. src is UTF-8, or has another charset whose ASCII is ASCII. Every input is valid.
// The time is linear in len(src).
//
// The file of .so is relative to the root of the manual, which is unknown: the reference has the label Guess.
func (s *Scanner) Scan(src []byte) iter.Seq[*scan.Item] {
	return s.doc.Scan(src, s.Rules, func() {
		p := page{Scanner: s, src: src}
		p.lines()
	})
}

// A page is a document that is being read.
type page struct {
	*Scanner
	src     []byte
	isMdoc  bool
	strings map[string][]byte // that the document defines
}

// lines reads all lines.
func (p *page) lines() {
	p.define()
	hidden := "" // the request that ends the hidden lines, such as a definition; "" if nothing is hidden
	for at := 0; at < len(p.src); {
		end := ascii.LineEnd(p.src, at)
		line := p.src[at:end]
		switch {
		case hidden != "":
			if name, _ := request(line); name == hidden {
				hidden = ""
			}
		case len(line) > 0 && (line[0] == '.' || line[0] == '\''):
			hidden = p.control(at, end)
		default:
			p.text(at, end)
		}
		at = end
		if at < len(p.src) {
			p.doc.Text(at, at+1)
			at++
		}
	}
}

// request returns the name of the request or macro of a line, and where its arguments begin.
func request(line []byte) (name string, args int) {
	if len(line) == 0 || line[0] != '.' && line[0] != '\'' {
		return "", 0
	}
	i := 1
	for i < len(line) && (line[i] == ' ' || line[i] == '\t') {
		i++
	}
	start := i
	for i < len(line) && line[i] > ' ' && line[i] != '\\' {
		i++
	}
	return string(line[start:i]), i
}

// define reads the definitions of strings, .ds. The first of each counts, as it stands in the branch for groff. One with escapes
// that have no place in a URL is not known.
func (p *page) define() {
	const most, longest = 256, 64
	if !bytes.Contains(p.src, []byte(`\*`)) {
		return
	}
	for at := 0; len(p.strings) < most; {
		i := bytes.Index(p.src[at:], []byte("ds "))
		if i < 0 {
			return
		}
		before := bytes.TrimRight(p.src[max(0, at+i-longest):at+i], " \t")
		end := ascii.LineEnd(p.src, at+i)
		name, value, _ := bytes.Cut(bytes.TrimLeft(p.src[at+i+len("ds "):end], " "), []byte(" "))
		at = end
		if len(name) == 0 || len(name) > longest || len(value) > longest || !bytes.HasSuffix(before, []byte(".")) && !bytes.HasSuffix(before, []byte("'")) {
			continue
		}
		if k := bytes.Index(value, []byte(`\"`)); k >= 0 {
			value = bytes.TrimRight(value[:k], " ")
		}
		if _, isKnown := p.strings[string(name)]; isKnown {
			continue
		}
		if p.strings == nil {
			p.strings = make(map[string][]byte)
		}
		value = bytes.TrimPrefix(bytes.TrimLeft(value, " "), []byte(`"`))
		if text := p.unescape(nil, value); bytes.IndexByte(text, '\\') < 0 {
			p.strings[string(name)] = text
		}
	}
}

// escape is Escape, with the strings that the document defines.
func (p *page) escape(s []byte) (n int, out []byte) {
	if len(p.strings) > 0 && bytes.HasPrefix(s, []byte(`\*`)) {
		name, k := readName(s[2:])
		if text, ok := p.strings[name]; ok {
			return 2 + k, text
		}
	}
	return Escape(s)
}

// unescape appends text to dst, with its escapes undone.
func (p *page) unescape(dst, text []byte) []byte {
	for i := 0; i < len(text); {
		n, out := p.escape(text[i:])
		if n == 0 {
			n, out = 1, text[i:i+1]
		}
		dst = append(dst, out...)
		i += n
	}
	return dst
}

// hiddenRequests holds the requests whose arguments are not shown.
var hiddenRequests = map[string]bool{
	"ds": true, "ds1": true, "as": true, "as1": true, "nr": true, "tr": true, "rm": true, "rn": true, "als": true, "do": true, "cp": true, "ft": true, "ta": true,
	"in": true, "ti": true, "ll": true, "sp": true, "ne": true, "nh": true, "hy": true, "ad": true, "hw": true, "IX": true, "TS": true, "TE": true, "tm": true,
	"mso": true, "color": true, "fam": true, "warn": true, "PD": true, "HP": true, "nf": true, "fi": true, "UE": true, "ME": true,
}

// joining are the macros of man that put nothing between their arguments.
var joining = map[string]bool{"BR": true, "BI": true, "RB": true, "RI": true, "IB": true, "IR": true, "SB": true}

// control reads a line that begins with a request. It returns the request that ends the lines hidden by this
// one, or "" if it hides nothing.
func (p *page) control(at, end int) (hides string) {
	name, skip := request(p.src[at:end])
	from := at + skip
	switch {
	case name == "" || hiddenRequests[name]:
		return ""
	case name == "ig" || name == "de" || name == "de1" || name == "am" || name == "am1" || name == "dei" || name == "ami":
		return p.endOf(name, from, end)
	case name == "so":
		if a := p.arguments(from, end); len(a) > 0 {
			p.refer(a[0], scan.Item{Kind: scan.Embed, In: ".so", Labels: scan.Include | scan.Guess})
		}
		return ""
	case name == "UR" || name == "URL" || name == "MT" || name == "MTO":
		p.link(name, from, end)
		return ""
	case name == "Dd" || name == "Sh":
		p.isMdoc = true
	}
	p.macro(name, from, end)
	return ""
}

// endOf returns the request that ends a definition or the text that .ig hides: the argument, or ".".
func (p *page) endOf(name string, from, end int) string {
	args := p.arguments(from, end)
	n := 1
	if name == "ig" {
		n = 0
	}
	if len(args) > n {
		return string(p.src[args[n].start:args[n].end])
	}
	return "."
}

// link reads a macro of man whose first argument is a URL or an address.
func (p *page) link(name string, from, end int) {
	args := p.arguments(from, end)
	if len(args) == 0 {
		return
	}
	it := scan.Item{Kind: scan.Link, In: "." + name}
	if name[0] == 'M' {
		it.Meant = "mailto:"
	}
	p.refer(args[0], it)
	for _, a := range args[1:] {
		p.space(a)
		p.text(a.start, a.end)
	}
}

// macro reads the arguments of a macro as text; in mdoc, they may call other macros.
func (p *page) macro(name string, from, end int) {
	args := p.arguments(from, end)
	if p.isMdoc && (name == "Lk" || name == "Mt") {
		p.called(name, args)
		return
	}
	for i, a := range args {
		if i > 0 && !joining[name] || i == 0 {
			p.space(a)
		}
		if p.isMdoc && !a.quoted && a.end-a.start == 2 {
			if called := string(p.src[a.start:a.end]); called == "Lk" || called == "Mt" {
				p.called(called, args[i+1:])
				return
			}
		}
		p.text(a.start, a.end)
	}
}

// called reads the arguments of .Lk and .Mt: a URL and text, or addresses.
func (p *page) called(name string, args []arg) {
	for i, a := range args {
		word := p.src[a.start:a.end]
		switch {
		case name == "Lk" && i > 0:
			p.space(a)
			p.text(a.start, a.end)
		case name == "Lk":
			p.refer(a, scan.Item{Kind: scan.Link, In: ".Lk"})
		case bytes.IndexByte(word, '@') > 0:
			p.refer(a, scan.Item{Kind: scan.Link, In: ".Mt", Meant: "mailto:"})
		}
	}
}

// refer adds a reference at an argument.
func (p *page) refer(a arg, it scan.Item) {
	raw := p.src[a.start:a.end]
	if a.quoted && len(raw) == 0 || len(raw) == 0 || raw[0] == '\\' && (len(raw) < 2 || raw[1] == '$' || raw[1] == '*') {
		return // an argument or a string of a definition
	}
	var value []byte
	if bytes.IndexByte(raw, '\\') >= 0 {
		p.name = p.unescape(p.name[:0], raw)
		value = p.name
	}
	whole := raw
	if value != nil {
		whole = value
	}
	if strings.HasPrefix(string(whole[:min(len(whole), 7)]), "mailto:") {
		it.Meant = ""
	}
	p.doc.Add(prose.Item{Op: scan.Ref, Kind: it.Kind, How: scan.Directive, Labels: it.Labels, In: it.In, Meant: it.Meant,
		Span: scan.Span{Start: a.start, End: a.end}}, value)
}

// space adds the space in front of an argument to the text.
func (p *page) space(a arg) {
	at := a.start - 1
	if a.quoted {
		at--
	}
	p.doc.Break(max(at, 0), max(at, 0)+1)
}

// text adds a range of one line to the text, without escapes and comments.
func (p *page) text(from, end int) {
	for i := from; i < end; {
		k := bytes.IndexByte(p.src[i:end], '\\')
		if k < 0 {
			p.doc.Text(i, end)
			return
		}
		if k > 0 {
			p.doc.Text(i, i+k)
			i += k
		}
		if i+1 < end && (p.src[i+1] == '"' || p.src[i+1] == '#') {
			return // a comment
		}
		n, out := p.escape(p.src[i:end])
		if n == 0 {
			p.doc.Text(i, i+1)
			n = 1
		} else {
			p.doc.Undone(out, i, i+n)
		}
		i += n
	}
}

// An arg is the range of an argument, without its quotes.
type arg struct {
	start, end int
	quoted     bool
}

// arguments returns the arguments of a request, until the next call. A comment is not an argument.
func (p *page) arguments(from, end int) []arg {
	p.args = p.args[:0]
	for i := from; i < end; {
		switch c := p.src[i]; {
		case c == ' ' || c == '\t':
			i++
		case c == '"':
			a := arg{i + 1, i + 1, true}
			for a.end < end && (p.src[a.end] != '"' || a.end+1 < end && p.src[a.end+1] == '"') {
				if p.src[a.end] == '"' {
					a.end++
				}
				a.end++
			}
			a.end = min(a.end, end)
			p.args = append(p.args, a)
			i = a.end + 1
		case c == '\\' && i+1 < end && (p.src[i+1] == '"' || p.src[i+1] == '#'):
			return p.args
		default:
			a := arg{i, p.wordEnd(i, end), false}
			p.args = append(p.args, a)
			i = a.end
		}
	}
	return p.args
}

// wordEnd returns the end of the unquoted argument that begins at src[i].
func (p *page) wordEnd(i, end int) int {
	for ; i < end && p.src[i] != ' ' && p.src[i] != '\t'; i++ {
		if p.src[i] != '\\' || i+1 == end {
			continue
		}
		if p.src[i+1] == '"' {
			return i
		}
		i++ // "\ " is part of the argument
	}
	return i
}

// Is reports whether head, the first bytes of a document, begins with a comment or a request, and
// contains the title or a section of a manual, or a paragraph of a document.
func Is(head []byte) bool {
	head = bytes.TrimLeft(head, "\r\n")
	if len(head) < 3 || head[0] != '.' && head[0] != '\'' || head[1] != '\\' && head[1] != '.' && head[1] != ' ' && !ascii.IsLetter(head[1]) {
		return false
	}
	for _, r := range []string{".TH ", ".Dd ", ".SH", ".Sh ", ".so ", ".PP", ".LP", ".de ", ".ds "} {
		if i := bytes.Index(head, []byte(r)); i == 0 || i > 0 && head[i-1] == '\n' {
			return true
		}
	}
	return bytes.HasPrefix(head, []byte(`.\"`)) || bytes.HasPrefix(head, []byte(`'\"`))
}
