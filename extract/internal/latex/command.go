package latex

import (
	"bytes"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/prose"
)

// A command is what is known about a command.
type command struct {
	what    what
	skip    int  // the number of arguments before the one with the reference
	isList  bool // the argument is a comma-separated list
	isPlain bool // the argument is a URL in which only braces are special
}

// A what is the meaning of the argument of a command.
type what uint8

const (
	link    what = iota // a URL
	file                // the name of a file, to be included
	picture             // the name of a picture
	folders             // names of directories, in groups
	label               // a name that is defined
	use                 // a name that is used
)

var commands = map[string]command{
	"href": {what: link}, "url": {what: link, isPlain: true}, "nolinkurl": {what: link, isPlain: true}, "path": {what: link, isPlain: true},
	"urlstyle": {what: use, skip: 9}, "hrefurl": {what: link}, "burl": {what: link, isPlain: true},

	"input": {what: file}, "include": {what: file}, "subfile": {what: file}, "subfileinclude": {what: file}, "InputIfFileExists": {what: file},
	"bibliography": {what: file, isList: true}, "addbibresource": {what: file}, "lstinputlisting": {what: file}, "verbatiminput": {what: file},
	"VerbatimInput": {what: file}, "inputminted": {what: file, skip: 1}, "includeonly": {what: file, isList: true},

	"includegraphics": {what: picture}, "includepdf": {what: picture}, "includesvg": {what: picture}, "graphicspath": {what: folders},

	"label": {what: label}, "ref": {what: use}, "eqref": {what: use}, "pageref": {what: use}, "autoref": {what: use}, "nameref": {what: use},
	"cref": {what: use, isList: true}, "Cref": {what: use, isList: true}, "vref": {what: use},
}

// command reads the arguments of a known command.
func (p *parser) command(name string, c command) {
	if c.skip > 1 || (c.what == label || c.what == use) && !p.Mentions {
		return
	}
	p.star()
	p.optional()
	if c.what == link && c.isPlain && p.quoted(name) {
		return
	}
	for range c.skip {
		p.argument()
	}
	p.optional()
	in, ok := p.argument()
	if !ok {
		if name == "input" {
			p.bareInput()
		}
		return
	}
	p.doc.Break(in.Start-1, in.Start)
	switch {
	case c.what == folders:
		p.folders(in)
	case c.isList:
		for in.Start < in.End {
			end := in.End
			if i := bytes.IndexByte(p.src[in.Start:in.End], ','); i >= 0 {
				end = in.Start + i
			}
			p.refer(name, c, scan.Span{Start: in.Start, End: end})
			in.Start = end + 1
		}
	default:
		p.refer(name, c, in)
	}
}

// quoted reads \url|…| and the like, where any character may delimit the URL.
func (p *parser) quoted(name string) bool {
	if p.at == len(p.src) || bytes.IndexByte([]byte("|!+\"/="), p.src[p.at]) < 0 {
		return false
	}
	rest := p.src[p.at+1 : min(len(p.src), p.at+maxArgument)]
	i := bytes.IndexAny(rest, string(p.src[p.at])+"\n")
	if i < 0 || rest[i] == '\n' {
		return false
	}
	p.refer(name, commands[name], scan.Span{Start: p.at + 1, End: p.at + 1 + i})
	p.at += i + 2
	return true
}

// bareInput reads the file name of TeX's own \input, which ends at a space.
func (p *parser) bareInput() {
	start := p.at
	p.space()
	from := p.at
	for p.at < min(len(p.src), from+maxArgument) && p.src[p.at] > ' ' && bytes.IndexByte([]byte(`\{}%$#`), p.src[p.at]) < 0 {
		p.at++
	}
	if from == start || p.at == from {
		p.at = start
		return
	}
	p.refer("input", commands["input"], scan.Span{Start: from, End: p.at})
}

// folders reads the groups of \graphicspath.
func (p *parser) folders(in scan.Span) {
	for in.Start < in.End {
		i := bytes.IndexByte(p.src[in.Start:in.End], '{')
		if i < 0 {
			return
		}
		start := in.Start + i + 1
		k := bytes.IndexByte(p.src[start:in.End], '}')
		if k < 0 {
			return
		}
		p.refer("graphicspath", commands["graphicspath"], scan.Span{Start: start, End: start + k})
		in.Start = start + k + 1
	}
}

// refer adds what an argument refers to.
func (p *parser) refer(name string, c command, at scan.Span) {
	at = prose.Trim(p.src, at)
	raw := p.src[at.Start:at.End]
	if len(raw) == 0 || at.Start < p.definition && hasParameter(raw) {
		return
	}
	it := prose.Item{Op: scan.Ref, Kind: scan.Link, How: scan.Macro, Span: at, In: `\` + name}
	switch c.what {
	case label:
		if p.Anchors {
			it.Op, it.Space = scan.Anchor, LabelSpace
			p.doc.Add(it, nil)
		}
		return
	case use:
		it.Op, it.Space = scan.Mention, LabelSpace
		p.doc.Add(it, nil)
		return
	case link:
	default:
		it.Kind = scan.Embed
		if c.what == file {
			it.Labels = scan.Include
		}
		if !p.isMain || !hasSuffix(raw) || c.what == folders {
			it.Labels |= scan.Guess
		}
	}
	if name == "path" && !bytes.Contains(raw, []byte("://")) {
		return // the name of a file, to be read
	}
	value, known := p.unescape(raw, c)
	if !known {
		return // it holds a command
	}
	p.doc.Add(it, value)
}

// unescape returns the text that an argument stands for, until the next call, or nil if that is raw itself.
// known is false if the argument contains a command.
func (p *parser) unescape(raw []byte, c command) (value []byte, known bool) {
	if !bytes.ContainsAny(raw, "\\\n%{}$") {
		return nil, true
	}
	p.value = prose.Emptied(p.value)
	for i := 0; i < len(raw); {
		n, out := 1, raw[i:i+1]
		switch raw[i] {
		case '\\', '$', '{', '}':
			k, mark := Escape(raw[i:])
			switch {
			case k > 0:
				n, out = k, mark
			case raw[i] == '\\' && (isCommand(raw[i:]) || !c.isPlain):
				return nil, false
			case raw[i] != '$' && !c.isPlain:
				out = nil // a brace
			}
		case '%':
			if k := bytes.IndexByte(raw[i:], '\n'); k == 1 || k > 1 && !c.isPlain {
				n, out = k+leadingSpace(raw[i+k:]), nil // a comment
			}
		case '\n', '\r':
			n, out = leadingSpace(raw[i:]), nil
		}
		p.value = append(p.value, out...)
		i += n
	}
	return p.value, true
}

func leadingSpace(s []byte) (n int) {
	for n < len(s) && ascii.IsSpace(s[n]) {
		n++
	}
	return n
}

// isCommand reports whether s, which begins with a backslash, begins with a named command.
func isCommand(s []byte) bool { return len(s) > 1 && ascii.IsLetter(s[1]) }

// hasParameter reports whether s contains an argument of a definition, "#1".
func hasParameter(s []byte) bool {
	for i := 1; i < len(s); i++ {
		if s[i-1] == '#' && s[i] >= '1' && s[i] <= '9' && (i == 1 || s[i-2] != '\\') {
			return true
		}
	}
	return false
}

// hasSuffix reports whether the name of a file has a suffix.
func hasSuffix(s []byte) bool {
	name := s[bytes.LastIndexByte(s, '/')+1:]
	i := bytes.LastIndexByte(name, '.')
	return i > 0 && len(name)-i <= 5 && i < len(name)-1
}
