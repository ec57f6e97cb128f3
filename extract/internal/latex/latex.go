// Package latex scans LaTeX documents for references.
//
// It does not implement TeX. It knows the commands that refer to something, those that hide text, and the
// escapes for URLs. It skips all other commands, and reads their arguments as text. It does not know how a
// definition (\newcommand) uses its arguments, and skips references that contain one.
//
// Sources: LaTeX 2e; the manuals of packages hyperref, url, graphicx, biblatex, listings, minted, import
// and subfiles.
package latex

import (
	"bytes"
	"iter"

	"example.org/refract/delimit"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/prose"
)

// LabelSpace is the Space of labels, which \ref uses.
const LabelSpace = "label"

// A Scanner scans one document. The zero Scanner has the defaults. It may be reused, but
// several goroutines must not use it at once.
type Scanner struct {
	Anchors  bool          // with Mentions, yield an Anchor for each \label
	Mentions bool          // yield a Mention for each use of a label
	Rules    delimit.Rules // of references in text

	doc   prose.Doc
	value []byte
}

// Scan yields the references, anchors and mentions of src in source order. src is UTF-8, or has
// another charset whose ASCII is ASCII. Every input is valid. The time is linear in len(src).
//
// File names are relative to the directory of the main document, and may lack their suffix. Their
// references have the label Guess, unless the document is a main document, the suffix is
// present, and no command sets other directories.
func (s *Scanner) Scan(src []byte) iter.Seq[*scan.Item] {
	return s.doc.Scan(src, s.Rules, func() {
		p := parser{Scanner: s, src: src, budget: 8*len(src) + maxArgument}
		p.isMain = bytes.Contains(src, []byte(`\documentclass`)) && !bytes.Contains(src, []byte(`\graphicspath`)) &&
			!bytes.Contains(src, []byte(`{subfiles}`)) && !bytes.Contains(src, []byte(`import{`))
		p.text()
	})
}

// A parser reads one document.
type parser struct {
	*Scanner
	src    []byte
	at     int
	isMain bool

	budget     int // bytes left for searching the ends of groups
	definition int // where the last definition ends
	ends       prose.Ends
}

// text reads the document.
func (p *parser) text() {
	for p.at < len(p.src) {
		k := bytes.IndexAny(p.src[p.at:], `\%`)
		if k < 0 {
			p.doc.Text(p.at, len(p.src))
			return
		}
		if k > 0 {
			p.plain(p.at, p.at+k)
			p.at += k
		}
		if p.src[p.at] == '%' {
			p.at = ascii.LineEnd(p.src, p.at)
			continue
		}
		p.control()
	}
}

// plain adds a range without commands to the text. "~" is a space there.
func (p *parser) plain(from, to int) {
	for from < to {
		k := bytes.IndexByte(p.src[from:to], '~')
		if k < 0 {
			p.doc.Text(from, to)
			return
		}
		if k > 0 {
			p.doc.Text(from, from+k)
		}
		p.doc.Break(from+k, from+k+1)
		from += k + 1
	}
}

// control reads a command or an escape.
func (p *parser) control() {
	start := p.at
	if n, out := Escape(p.src[start:]); n > 0 {
		p.doc.Undone(out, start, start+n)
		p.at += n
		return
	}
	p.at++
	for p.at < len(p.src) && (ascii.IsLetter(p.src[p.at]) || p.src[p.at] == '@') {
		p.at++
	}
	name := string(p.src[start+1 : p.at])
	switch {
	case name == "":
		p.at = min(p.at+1, len(p.src)) // "\\", "\,"
		p.doc.Break(start, p.at)
		return
	case name == "begin":
		p.doc.Break(start, p.at)
		p.begin()
		return
	case definitions[name]:
		p.define()
	case name == "verb" || name == "lstinline" || name == "mintinline":
		p.doc.Break(start, p.at)
		p.verb(name)
		return
	}
	p.doc.Break(start, p.at)
	if c, ok := commands[name]; ok {
		p.command(name, c)
	}
}

// definitions are the commands that define others.
var definitions = map[string]bool{
	"newcommand": true, "renewcommand": true, "providecommand": true, "DeclareRobustCommand": true, "newenvironment": true, "renewenvironment": true,
	"def": true, "gdef": true, "edef": true, "xdef": true, "NewDocumentCommand": true, "RenewDocumentCommand": true,
}

// define finds the end of the definition that begins here: the end of its last group. There are
// at most three groups, besides arguments in brackets.
func (p *parser) define() {
	if p.at < p.definition {
		return // the definition is within another
	}
	const maxHead = 256 // bytes in front of a group
	i, limit := p.at, p.at+maxHead
	for range 4 {
		for i < min(limit, len(p.src)) && p.src[i] != '{' && p.src[i] != '\n' {
			i++
		}
		if i == len(p.src) || p.src[i] != '{' {
			break
		}
		end := p.group(i)
		if end < 0 {
			break
		}
		isName := bytes.HasPrefix(p.src[i:end], []byte("{\\"))
		i = p.afterOptional(end, isName)
		limit = i + 1
		p.definition = end
	}
}

// afterOptional returns the offset after the arguments in brackets at src[at], such as the number of arguments of a
// command and their defaults. If mayBreak is set, a line break may follow them.
func (p *parser) afterOptional(at int, mayBreak bool) int {
	const maxOptional = 256 // bytes
	for at < len(p.src) && p.src[at] == '[' {
		n := bytes.IndexByte(p.src[at:min(len(p.src), at+maxOptional)], ']')
		if n < 0 {
			return at
		}
		at += n + 1
	}
	next := at
	for next < len(p.src) && next-at < maxOptional && (p.src[next] == ' ' || p.src[next] == '\n' || p.src[next] == '\r' || p.src[next] == '\t') {
		next++
	}
	if mayBreak && next < len(p.src) && p.src[next] == '{' {
		return next
	}
	return at
}

// group returns the end of the group that begins at src[at], after its brace, or -1 if nothing ends it.
func (p *parser) group(at int) int {
	return p.groupWithin(at, len(p.src))
}

// groupWithin is group for a group that ends before limit.
func (p *parser) groupWithin(at, limit int) int {
	limit = min(limit, at+p.budget, len(p.src))
	depth := 0
	end := -1
	i := at
	for ; i < limit && end < 0; i++ {
		switch p.src[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				end = i + 1
			}
		}
	}
	p.budget -= i - at
	return end
}

// verbatim holds the environments whose content is literal, and is not read.
var verbatim = map[string]bool{
	"verbatim": true, "verbatim*": true, "Verbatim": true, "Verbatim*": true, "BVerbatim": true, "LVerbatim": true, "lstlisting": true, "minted": true,
	"comment": true, "filecontents": true, "filecontents*": true, "VerbatimOut": true, "tikzpicture": true, "algorithmic": true,
}

// begin skips an environment whose content is not read.
func (p *parser) begin() {
	if p.at == len(p.src) || p.src[p.at] != '{' {
		return
	}
	const maxName = 32
	i := bytes.IndexByte(p.src[p.at:min(len(p.src), p.at+maxName)], '}')
	if i < 0 || !verbatim[string(p.src[p.at+1:p.at+i])] {
		return
	}
	end := `\end{` + string(p.src[p.at+1:p.at+i]) + "}"
	if k := p.ends.Find(p.src, end, p.at); k >= 0 {
		p.at = k + len(end)
	}
}

// verb skips the text between two equal characters, or in a group.
func (p *parser) verb(name string) {
	p.star()
	if name != "verb" {
		p.optional()
	}
	if name == "mintinline" {
		p.argument() // the language
	}
	if p.at == len(p.src) || p.src[p.at] == '\n' {
		return
	}
	if p.src[p.at] == '{' && name != "verb" {
		p.argument()
		return
	}
	const maxVerb = 1 << 10
	line := p.src[p.at:min(len(p.src), p.at+maxVerb)]
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	if i := bytes.IndexByte(line[1:], line[0]); i >= 0 {
		p.at += i + 2
	}
}

func (p *parser) star() {
	if p.at < len(p.src) && p.src[p.at] == '*' {
		p.at++
	}
}

// space skips white space with at most one line break.
func (p *parser) space() {
	breaks := 0
	for p.at < len(p.src) {
		switch p.src[p.at] {
		case ' ', '\t', '\r':
		case '\n':
			if breaks++; breaks > 1 {
				return
			}
		default:
			return
		}
		p.at++
	}
}

// optional skips an argument in brackets.
func (p *parser) optional() {
	const maxOptional = 4 << 10
	start := p.at
	p.space()
	if p.at == len(p.src) || p.src[p.at] != '[' {
		p.at = start
		return
	}
	depth := 0
	limit := min(len(p.src), p.at+min(maxOptional, p.budget))
	i := p.at + 1
	for ; i < limit && (p.src[i] != ']' || depth > 0); i++ {
		switch p.src[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			depth--
		}
	}
	p.budget -= i - p.at
	if i >= limit {
		p.at = start
		return
	}
	p.at = i + 1
}

// maxArgument is more than the length of the name of a file or a URL, in bytes. A longer group is
// not an argument: otherwise nested groups would be read again and again.
const maxArgument = 8 << 10

// argument reads a group, and returns the range of its content.
func (p *parser) argument() (in scan.Span, ok bool) {
	start := p.at
	p.space()
	if p.at < len(p.src) && p.src[p.at] == '{' {
		if end := p.groupWithin(p.at, p.at+maxArgument); end >= 0 {
			in = scan.Span{Start: p.at + 1, End: end - 1}
			p.at = end
			return in, true
		}
	}
	p.at = start
	return in, false
}

// marks are the escapes for URLs in LaTeX, longer ones first.
//
// Source: LaTeX 2e, "ltoutenc" and "ltplain"; package url; "The LaTeX3 Interfaces", l3str, for the
// constants, after which white space is skipped.
var marks = []struct{ from, to string }{
	{`\textasciitilde{}`, "~"}, {`\textasciitilde `, "~"}, {`\textasciitilde`, "~"},
	{`\textunderscore{}`, "_"}, {`\textunderscore `, "_"}, {`\textunderscore`, "_"},
	{`\allowbreak{}`, ""}, {`\allowbreak `, ""}, {`\allowbreak`, ""},
	{`\slash{}`, "/"}, {`\slash `, "/"}, {`\string`, ""},
	{`\c_hash_str `, "#"}, {`\c_hash_str`, "#"}, {`\c_percent_str `, "%"}, {`\c_percent_str`, "%"},
	{`\c_tilde_str `, "~"}, {`\c_tilde_str`, "~"}, {`\c_ampersand_str `, "&"}, {`\c_ampersand_str`, "&"},
	{`\c_underscore_str `, "_"}, {`\c_underscore_str`, "_"}, {`\c_colon_str `, ":"}, {`\c_colon_str`, ":"},
	{`\~{}`, "~"}, {`\~{ }`, "~"}, {`\^{}`, "^"}, {`$\sim$`, "~"}, {`{\sim}`, "~"},
	{`\_`, "_"}, {`\%`, "%"}, {`\#`, "#"}, {`\&`, "&"}, {`\$`, "$"}, {`\-`, ""}, {`\/`, ""}, {`\~`, "~"},
}

// Longest is the length of the longest escape, in bytes.
const Longest = len(`\c_underscore_str `)

// Escape returns the length of the escape at the start of s, and the text that it stands for in a
// URL. The length is 0 if there is no escape.
func Escape(s []byte) (n int, out []byte) {
	for _, m := range marks {
		if bytes.HasPrefix(s, []byte(m.from)) {
			return len(m.from), []byte(m.to)
		}
	}
	return 0, nil
}
