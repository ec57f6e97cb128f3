package markup

import (
	"bytes"
	"iter"
	"strings"

	"example.org/refract/delimit"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/prose"
)

// The Spaces of the names that [[#x]], [[*x]], [[id:x]] and [[x]] use.
const (
	OrgCustomSpace  = "custom-id"
	OrgHeadingSpace = "heading"
	OrgIDSpace      = "id"
	OrgTargetSpace  = "target"
)

// An Org scans one document of Org. The zero Scanner has the defaults. It may be reused, but several
// goroutines must not use it at once.
//
// It is not an exporter. It knows links in brackets, keywords that refer to files, abbreviations of links,
// and the constructs that hide text: comments, blocks of code, verbatim text and COMMENT trees. It finds
// bare references by the rules of running text, and file: links by a rule of their own.
//
// Sources: the manual of Org 9.7, and org-element.el and ol.el for details that it leaves open.
type Org struct {
	Anchors  bool          // yield an Anchor for each CUSTOM_ID; with Mentions, for each heading, ID and target
	Mentions bool          // yield a Mention for each link within the document
	Rules    delimit.Rules // of references in text

	doc   prose.Doc
	value []byte
}

// Scan yields the references, anchors and mentions of src in source order. src is UTF-8, or has another
// charset whose ASCII is ASCII. Every input is valid. The time is linear in len(src).
//
// A link to an image without a description is an Embed, because exporters show the image. The search in a
// file, after "::", is not part of the reference. If a #+LINK line defines the prefix of a link, the Value
// is the expanded URL.
func (s *Org) Scan(src []byte) iter.Seq[*scan.Item] {
	return s.doc.Scan(src, s.Rules, func() {
		p := orgParser{Org: s, src: src}
		p.lines()
	})
}

// An orgParser reads one document.
type orgParser struct {
	*Org
	src      []byte
	prefixes map[string][]byte // the prefixes that #+LINK lines define
	hidden   int               // the level of the current COMMENT tree; 0 if there is none
	macros   map[string][]byte // the definitions of #+MACRO lines
	until    string            // the line that ends the current block, in lower case; "" if there is none
	html     int               // where the current block of HTML begins; -1 if there is none
	expanded int               // bytes that macros have made
	markEnds [3]int            // where the next text in "=", "~" and "/" on the current line ends; 0: not known
	close    int               // the next "]]" at or after the last offset searched from
	stops    map[string]int    // where the next line with a beginning is, at or after the last offset searched from; len(src): none
}

// lines reads all lines.
func (p *orgParser) lines() {
	p.close, p.html = -1, -1
	p.define()
	for at := 0; at < len(p.src); {
		end := ascii.LineEnd(p.src, at)
		if next := p.line(at, end); next > end {
			at = next // a link over two lines
			continue
		}
		at = end
		if at < len(p.src) {
			p.doc.Text(at, at+1)
			at++
		}
	}
}

// define reads the #+LINK and #+MACRO lines, which apply to the whole document.
func (p *orgParser) define() {
	const most = 256
	p.prefixes, p.macros = make(map[string][]byte), make(map[string][]byte)
	for at := 0; ; {
		i := bytes.Index(p.src[at:], []byte("#+"))
		if i < 0 || len(p.prefixes)+len(p.macros) == most {
			return
		}
		at += i + 2
		table := p.prefixes
		rest, ok := ascii.CutPrefixFold(p.src[at:], "LINK:")
		if !ok {
			rest, ok = ascii.CutPrefixFold(p.src[at:], "MACRO:")
			table = p.macros
		}
		if !ok || at > 2 && p.src[at-3] != '\n' {
			continue
		}
		if k := bytes.IndexByte(rest, '\n'); k >= 0 {
			rest = rest[:k]
		}
		rest = bytes.TrimSpace(rest)
		k := bytes.IndexAny(rest, " \t")
		if k <= 0 {
			continue
		}
		table[strings.Trim(string(rest[:k]), `"`)] = bytes.Trim(bytes.TrimSpace(rest[k:]), `"`)
	}
}

// line reads one line. It returns where to continue reading, if that is after end.
func (p *orgParser) line(at, end int) int {
	line := p.src[at:end]
	p.markEnds = [3]int{}
	if level := stars(line); level > 0 {
		p.until, p.html = "", -1 // a heading ends every block
		if p.hidden == 0 || level <= p.hidden {
			p.hidden = 0
			p.heading(at, end, level)
		}
		if p.hidden > 0 {
			return 0
		}
		return p.text(at+level, end)
	}
	if p.hidden > 0 {
		return 0
	}
	trimmed := bytes.TrimLeft(line, " \t")
	from := end - len(trimmed)
	if p.until != "" {
		if _, ok := ascii.CutPrefixFold(trimmed, p.until); ok {
			p.raw(p.html, from)
			p.until, p.html = "", -1
		}
		return 0
	}
	if len(trimmed) == 0 {
		return 0
	}
	switch trimmed[0] {
	case '#':
		if len(trimmed) == 1 || trimmed[1] == ' ' {
			return 0 // a comment
		}
		if trimmed[1] == '+' {
			return p.keyword(from, end)
		}
	case ':':
		if len(trimmed) == 1 || trimmed[1] == ' ' {
			return 0 // fixed width
		}
		if p.property(from, end) {
			return 0
		}
	}
	return p.text(at, end)
}

// stars returns the level of a heading, or 0 for other lines.
func stars(line []byte) int {
	n := 0
	for n < len(line) && line[n] == '*' {
		n++
	}
	if n == len(line) || line[n] != ' ' {
		return 0
	}
	return n
}

// heading reads a heading: its name, and whether its tree is hidden.
func (p *orgParser) heading(at, end, level int) {
	title := prose.Trim(p.src, scan.Span{Start: at + level, End: end})
	text := p.src[title.Start:title.End]
	if i := bytes.IndexByte(text, ' '); i > 0 && isOrgKeyword(text[:i]) {
		title.Start += i + 1
		text = text[i+1:]
	}
	if bytes.HasPrefix(text, []byte("COMMENT")) && (len(text) == len("COMMENT") || text[len("COMMENT")] == ' ') {
		p.hidden = level
		return
	}
	if p.Anchors && p.Mentions && title.Start < title.End {
		p.doc.Add(prose.Item{Op: scan.Anchor, Space: OrgHeadingSpace, In: "heading", Span: title}, nil)
	}
}

// isOrgKeyword reports whether a word is the state of a task.
func isOrgKeyword(word []byte) bool { return string(word) == "TODO" || string(word) == "DONE" }

// property reads ":NAME: value", and reports whether the line has that form.
func (p *orgParser) property(from, end int) bool {
	const maxName = 64
	i := bytes.IndexByte(p.src[from+1:min(end, from+maxName)], ':')
	if i <= 0 {
		return false
	}
	name := p.src[from+1 : from+1+i]
	value := prose.Trim(p.src, scan.Span{Start: from + i + 2, End: end})
	it := prose.Item{Op: scan.Anchor, In: ":" + string(name) + ":", Span: value}
	switch {
	case value.Start == value.End || !p.Anchors:
	case ascii.EqualFold(name, "CUSTOM_ID"):
		it.In = ":CUSTOM_ID:"
		p.doc.Add(it, nil)
		if p.Mentions {
			it.Space = OrgCustomSpace
			p.doc.Add(it, nil)
		}
	case ascii.EqualFold(name, "ID") && p.Mentions:
		it.In, it.Space = ":ID:", OrgIDSpace
		p.doc.Add(it, nil)
	}
	return ascii.EqualFold(name, "CUSTOM_ID") || ascii.EqualFold(name, "ID")
}

// orgEmbeds holds the keywords whose value is the name of a file.
var orgEmbeds = map[string]scan.Labels{"include": scan.Include, "setupfile": 0, "bibliography": 0}

// keyword reads a line that begins with "#+".
func (p *orgParser) keyword(from, end int) int {
	const maxName = 64
	head := p.src[from+2 : min(end, from+maxName)]
	if rest, ok := ascii.CutPrefixFold(head, "begin_"); ok {
		p.begin(rest, end)
		return 0
	}
	i := bytes.IndexByte(head, ':')
	if i < 0 {
		return 0
	}
	name := strings.ToLower(string(head[:i]))
	value := prose.Trim(p.src, scan.Span{Start: from + 2 + i + 1, End: end})
	if labels, ok := orgEmbeds[name]; ok {
		p.file(value, prose.Item{Op: scan.Ref, Kind: scan.Embed, How: scan.Directive, Labels: labels, In: "#+" + strings.ToUpper(name) + ":"})
		return 0
	}
	switch name {
	case "link":
		for value.Start < value.End && p.src[value.Start] > ' ' {
			value.Start++
		}
		value = prose.Trim(p.src, value)
		if value.Start < value.End && !isOrgPattern(p.src[value.Start:value.End]) {
			p.doc.Add(prose.Item{Op: scan.Ref, Kind: scan.Definition, How: scan.Directive, In: "#+LINK:", Span: value}, nil)
		}
		return 0
	case "name":
		if p.Anchors && p.Mentions && value.Start < value.End {
			p.doc.Add(prose.Item{Op: scan.Anchor, Space: OrgTargetSpace, In: "#+NAME:", Span: value}, nil)
		}
		return 0
	case "html":
		p.raw(value.Start, value.End)
		return 0
	case "property", "header", "header-args", "macro", "options", "startup":
		return 0
	}
	return p.text(value.Start, end)
}

// begin hides the content of a block that is not read as Org. The line of its beginning ends at end.
func (p *orgParser) begin(rest []byte, end int) {
	for _, name := range []string{"src", "example", "export", "comment", "html", "latex"} {
		after, ok := ascii.CutPrefixFold(rest, name)
		if !ok || len(after) > 0 && after[0] > ' ' {
			continue
		}
		if until := "#+end_" + name; p.stop(until, end) < p.stop("*", end) {
			p.until = until
		} else {
			return // nothing ends it: it is text
		}
		if name == "html" || name == "export" && ascii.EqualFold(bytes.TrimSpace(after), "html") {
			p.html = end
		}
	}
}

// stop returns where the next line begins that has the given beginning, after the line that ends at end;
// "*" stands for a heading.
func (p *orgParser) stop(beginning string, end int) int {
	at, isKnown := p.stops[beginning]
	if isKnown && at >= end {
		return at
	}
	if p.stops == nil {
		p.stops = make(map[string]int)
	}
	for at = end; at < len(p.src); {
		at++
		stop := ascii.LineEnd(p.src, at)
		line := p.src[at:stop]
		if beginning == "*" && stars(line) > 0 {
			break
		}
		if _, ok := ascii.CutPrefixFold(bytes.TrimLeft(line, " \t"), beginning); ok && beginning != "*" {
			break
		}
		at = stop
	}
	p.stops[beginning] = at
	return at
}

// raw adds a part of HTML, if from is not negative.
func (p *orgParser) raw(from, to int) {
	if from >= 0 && bytes.IndexByte(p.src[from:to], '<') >= 0 {
		p.doc.Add(prose.Item{Op: scan.Part, Type: "text/html", Span: scan.Span{Start: from, End: to}}, nil)
	}
}

// file adds the file that a keyword names, in quotes or not, without the search after "::".
func (p *orgParser) file(at scan.Span, it prose.Item) {
	if at.Start == at.End {
		return
	}
	raw := p.src[at.Start:at.End]
	if raw[0] == '"' {
		at.Start++
		i := bytes.IndexByte(raw[1:], '"')
		if i < 0 {
			return
		}
		at.End = at.Start + i
	} else if i := bytes.IndexAny(raw, " \t"); i > 0 {
		at.End = at.Start + i
	}
	if i := bytes.Index(p.src[at.Start:at.End], []byte("::")); i >= 0 {
		at.End = at.Start + i
	}
	if at.Start < at.End {
		it.Span = at
		p.doc.Add(it, nil)
	}
}

// text adds a range of one line, without links in brackets and verbatim text. It returns where
// to continue reading, if that is after end.
func (p *orgParser) text(from, end int) int {
	for i := from; i < end; {
		k := p.special(i, from, end)
		p.bare(i, k)
		if k == end {
			return 0
		}
		i = k
		next := 0
		switch p.src[i] {
		case '[':
			next = p.link(i)
		case '<':
			next = p.target(i, end)
		case '/':
			next = p.italic(i, end)
			i = max(i, next-1)
		case '{':
			next = p.macro(i, end)
		case '@':
			next = p.snippet(i, end)
		default:
			next = p.markEnd(i, from, end)
		}
		switch {
		case next > end:
			p.doc.Break(i, next)
			return next
		case next > 0:
			p.doc.Break(i, next)
			i = next
		default:
			p.doc.Text(i, i+1)
			i++
		}
	}
	return 0
}

// special returns the offset of the next byte that may begin something other than text, or end.
func (p *orgParser) special(at, from, end int) int {
	for i := at; i < end; i++ {
		k := bytes.IndexAny(p.src[i:end], "[=~</{@")
		if k < 0 {
			return end
		}
		i += k
		if p.src[i] != '/' || p.markEnd(i, from, end) > 0 {
			return i
		}
	}
	return end
}

// italic adds the text of the italics that begin at src[at], and returns where they end: their last "/" is
// no part of a URL.
func (p *orgParser) italic(at, end int) int {
	close := p.markEnds[2] - 1
	p.doc.Break(at, at+1)
	p.markEnds[2] = end + 1 // no italics within
	if next := p.text(at+1, close); next > close {
		close = next - 1
	}
	p.markEnds[2] = 0
	return close + 1
}

// snippet reads @@html:…@@ and returns where it ends, or 0 if there is none at src[at].
func (p *orgParser) snippet(at, end int) int {
	const open = "@@html:"
	if _, ok := ascii.CutPrefixFold(p.src[at:end], open); !ok {
		return 0
	}
	i := bytes.Index(p.src[at+len(open):end], []byte("@@"))
	if i < 0 {
		return 0
	}
	p.raw(at+len(open), at+len(open)+i)
	return at + len(open) + i + 2
}

// bare adds text, and the file: and doi: links in it.
func (p *orgParser) bare(from, end int) {
	for from < end {
		start, prefix := end, ""
		for _, name := range []string{"file:", "doi:"} {
			if i := bytes.Index(p.src[from:start], []byte(name)); i >= 0 {
				start, prefix = from+i, name
			}
		}
		if prefix == "" {
			break
		}
		path := start + len(prefix)
		isWord := start > 0 && (ascii.IsAlnum(p.src[start-1]) || p.src[start-1] == '+' || p.src[start-1] == '-')
		stop := path
		if !isWord && path < end && p.src[path] != '/' {
			stop = orgPathEnd(p.src, path, end)
		}
		if stop == path {
			p.doc.Text(from, path)
			from = path
			continue
		}
		p.doc.Text(from, start)
		p.doc.Break(start, stop)
		it := prose.Item{Op: scan.Ref, Kind: scan.Link, How: scan.Bare, In: prefix, Span: scan.Span{Start: path, End: stop}}
		if prefix == "doi:" {
			p.doi(it)
		} else {
			p.path(it.Span, it)
		}
		from = stop
	}
	if from < end {
		p.doc.Text(from, end)
	}
}

// orgPathEnd returns the end of the path of a bare file: link that begins at src[at].
func orgPathEnd(src []byte, at, end int) int {
	stop := at
	for stop < end && src[stop] > ' ' && bytes.IndexByte([]byte("()<>[]{}|\"'`"), src[stop]) < 0 {
		stop++
	}
	for stop > at && bytes.IndexByte([]byte(".,;:!?*/_+"), src[stop-1]) >= 0 {
		stop--
	}
	return stop
}

// markEnd returns the end of the text between marks that begins at src[at], or 0 if none begins there.
func (p *orgParser) markEnd(at, from, end int) int {
	if at > from && bytes.IndexByte([]byte(" \t-({'\""), p.src[at-1]) < 0 || at+2 >= end || p.src[at+1] <= ' ' {
		return 0
	}
	mark := p.src[at]
	next := &p.markEnds[bytes.IndexByte([]byte("=~/"), mark)]
	if *next < at+3 { // the cached end is not known, or lies before at
		*next = p.verbatimEnd(mark, at+2, end)
	}
	if *next > end {
		return 0 // there is none on this line
	}
	return *next
}

// verbatimEnd returns the end of the next verbatim text at or after src[i], or len(src)+1 if none ends before end.
func (p *orgParser) verbatimEnd(mark byte, i, end int) int {
	for i < end {
		k := bytes.IndexByte(p.src[i:end], mark)
		if k < 0 {
			break
		}
		i += k + 1
		if p.src[i-2] > ' ' && (i == end || bytes.IndexByte([]byte(" \t\r-.,;:!?')}[\"\\"), p.src[i]) >= 0) {
			return i
		}
	}
	return len(p.src) + 1
}

// target reads <<target>>, and returns where it ends, or 0 if there is none at src[at].
func (p *orgParser) target(at, end int) int {
	const maxTarget = 256
	if !bytes.HasPrefix(p.src[at:end], []byte("<<")) {
		return p.angle(at, end)
	}
	start := at + 2
	if start < end && p.src[start] == '<' {
		start++
	}
	i := bytes.Index(p.src[start:min(end, start+maxTarget)], []byte(">>"))
	if i <= 0 {
		return 0
	}
	if p.Anchors && p.Mentions {
		p.doc.Add(prose.Item{Op: scan.Anchor, Space: OrgTargetSpace, In: "<<>>", Span: scan.Span{Start: start, End: start + i}}, nil)
	}
	return start + i + 2
}

// angle reads <https://…>, and returns where it ends, or 0 if there is none at src[at].
func (p *orgParser) angle(at, end int) int {
	line := p.src[at+1 : min(end, at+maxOrgLink)]
	n := 0
	for n < len(line) && (ascii.IsAlnum(line[n]) || line[n] == '+') {
		n++
	}
	if n < 2 || !bytes.HasPrefix(line[n:], []byte("://")) && !bytes.HasPrefix(line, []byte("mailto:")) {
		return 0
	}
	i := bytes.IndexByte(line, '>')
	if i < 0 || bytes.IndexByte(line[:i], '<') >= 0 {
		return 0
	}
	p.add(prose.Item{Op: scan.Ref, Kind: scan.Link, How: scan.Angle, In: "<>", Span: scan.Span{Start: at + 1, End: at + 1 + i}})
	return at + i + 2
}
