package asciidoc

import (
	"bytes"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// startsConstruct marks the bytes at which a construct may begin or be recognised.
var startsConstruct = func() (t [256]bool) {
	for _, c := range []byte(":<[@{+$`*_#~^\\") {
		t[c] = true
	}
	return t
}()

// A run is the text that is being read.
type run struct {
	*parser
	from, to int
	marks    [256]bool // quote marks seen so far

	// The next occurrence of each mark, so that each is searched for only once.
	close, stop, open, angle, plus, dollar, tick next

	code int // where the code that the last "`" began ends: a single "+" in code is literal
}

// A next caches the result of a search: the next occurrence from any offset in [from, at] is at.
type next struct{ from, at int }

// find returns the offset of the next mark at or after i, or r.to if there is none.
func (r *run) find(n *next, i int, search func([]byte) int) int {
	if n.from <= i && i <= n.at && n.at > 0 {
		return n.at
	}
	n.from, n.at = i, r.to
	if k := search(r.src[i:r.to]); k >= 0 {
		n.at = i + k
	}
	return n.at
}

// closing returns the offset of the next "]" that is not escaped.
func (r *run) closing(i int) int {
	return r.find(&r.close, i, func(text []byte) int {
		for k, c := range text {
			if c == ']' && (k == 0 || text[k-1] != '\\') {
				return k
			}
		}
		return -1
	})
}

// closingText returns the offset of the "]" that closes the text of a macro, which begins at i. A passthrough at
// the start of the text may contain a "]": [+a[b]+].
func (r *run) closingText(i int) int {
	if start := i; i < r.to && (r.src[i] == '+' || r.src[i] == '`' && i+1 < r.to && r.src[i+1] == '+') {
		if r.src[i] == '`' {
			start++
		}
		if end := r.passed(start); end > start+3 && r.src[end-1] == '+' {
			i = end
		}
	}
	return r.closing(i)
}

// stopping returns the offset of the next white space or "[".
func (r *run) stopping(i int) int {
	return r.find(&r.stop, i, func(text []byte) int { return bytes.IndexAny(text, "[ \t\r\n") })
}

// inline reads the text in a range of the document, and yields its references.
func (p *parser) inline(from, to int) {
	r := run{parser: p, from: from, to: to}
	for i := from; i < to && !p.done; {
		if !startsConstruct[p.src[i]] {
			i++
			continue
		}
		end := 0
		switch c := p.src[i]; c {
		case ':':
			end = r.colon(i)
		case '<':
			end = r.crossReference(i)
		case '[':
			end = r.bracket(i)
		case '@':
			end = r.mail(i)
		case '{':
			end = r.attribute(i)
		case '+':
			end = r.passed(i)
		case '$':
			end = r.dollars(i)
		case '\\':
		case '`':
			r.marks[c] = true
			end = r.literal(i)
		default:
			r.marks[c] = true
		}
		i = max(i+1, end)
	}
}

// isEscaped reports whether a backslash precedes i: the construct there is text.
func (r *run) isEscaped(i int) bool { return i > r.from && r.src[i-1] == '\\' }

const maxName = 12 // bytes: longer than the name of a macro

// colon reads the macro or URL whose name ends at i, and returns its end, or 0 if there is none.
func (r *run) colon(i int) (end int) {
	start := i
	for start > r.from && i-start < maxName && ascii.IsLetter(r.src[start-1]) {
		start--
	}
	if start == i {
		return 0
	}
	if n := macroSuffix(r.src[start:i]); n > 0 { // any character may precede these
		return r.macro(string(r.src[i-n:i]), i-n, i+1)
	}
	name := string(r.src[start:i])
	switch name {
	case "http", "https", "ftp", "irc", "file":
		return r.url(start, i)
	case "pass", "stem", "latexmath", "asciimath", "kbd", "btn", "menu":
		if start > r.from && isWord(r.src[start-1]) && r.src[start-1] != '_' {
			return 0
		}
		open := r.stopping(i + 1)
		if open >= r.to || r.src[open] != '[' || name == "menu" && open == i+1 {
			return 0
		}
		closing := r.closing(open + 1)
		if closing == r.to {
			return 0
		}
		if name == "pass" && !r.isEscaped(start) {
			r.part(open+1, closing)
		}
		return closing + 1
	}
	return 0
}

// macroSuffix returns the length of the name of a macro at the end of letters, or 0.
func macroSuffix(letters []byte) int {
	for _, name := range []string{"link", "xref", "image", "icon", "mailto", "anchor"} {
		if bytes.HasSuffix(letters, []byte(name)) {
			return len(name)
		}
	}
	return 0
}

// passedTarget returns the range of a target at i that is a passthrough, +++target+++, ++target++,
// $$target$$ or pass:[target], and the offset of the "[" after it. Such a target may contain any character.
// next is 0 if there is none.
func (r *run) passedTarget(i int) (start, end, next int) {
	for _, mark := range []struct{ open, end string }{{"+++", "+++"}, {"++", "++"}, {"$$", "$$"}, {"pass:[", "]"}} {
		start = i + len(mark.open)
		if !bytes.HasPrefix(r.src[i:r.to], []byte(mark.open)) {
			continue
		}
		n := bytes.Index(r.src[start:min(r.to, start+maxValue)], []byte(mark.end+"["))
		if n >= 0 {
			return start, start + n, start + n + len(mark.end)
		}
	}
	return 0, 0, 0
}

// macro reads name:target[text].
func (r *run) macro(name string, start, from int) (end int) {
	to := r.stopping(from)
	if name == "xref" {
		to = r.targetOfXref(from, to)
	}
	after := to
	if start, end, next := r.passedTarget(from); next > 0 {
		if name == "xref" {
			return 0 // text: Asciidoctor has put it aside when it looks for an xref
		}
		from, to, after = start, end, next
		if name == "link" { // Asciidoctor writes spaces around a URL into href, where a browser ignores them
			to = from + len(bytes.TrimRight(r.src[from:to], " \t\r\n"))
			from = to - len(bytes.TrimLeft(r.src[from:to], " \t\r\n"))
		}
	}
	if after >= r.to || r.src[after] != '[' {
		if name == "link" {
			return after // a URL in it is not a link either
		}
		return 0
	}
	closing := r.closingText(after + 1)
	if closing == r.to || from == to && name != "link" || from < to && r.src[from] == ':' && name != "xref" {
		return 0
	}
	if r.isEscaped(start) {
		return after + 1
	}
	switch name {
	case "link":
		r.ref(scan.Link, scan.Macro, "link:", from, to)
	case "mailto":
		r.refOf(scan.Item{Kind: scan.Link, How: scan.Macro, In: "mailto:", Meant: "mailto:", Span: scan.Span{Start: from, End: to}, Value: r.src[from:to]})
	case "xref":
		r.crossRefer("xref:", from, to)
	case "anchor":
		r.anchor("anchor:", string(r.src[from:to]), from, to)
	case "image", "icon":
		r.media(name, from, to, closing)
		return closing + 1
	}
	r.images(after+1, closing)
	return closing + 1
}

// targetOfXref returns the end of the target of an xref that begins at from: the next "[", whatever stands
// before it. to is the offset of the first white space or "[".
func (r *run) targetOfXref(from, to int) int {
	if to == from || to >= r.to || r.src[to] == '[' || !isWord(r.src[from]) && bytes.IndexByte([]byte("\"/.:{#"), r.src[from]) < 0 {
		return to
	}
	open := r.find(&r.open, from, func(text []byte) int { return bytes.IndexByte(text, '[') })
	if open-from > maxTarget || bytes.Contains(r.src[to:open], []byte("link:")) || bytes.Contains(r.src[to:open], []byte("://")) {
		return to // Asciidoctor makes links of these before it looks for an xref
	}
	return open
}

// maxTarget is the maximum length of an xref target with white space and of the id of an anchor, in bytes:
// longer ones are text. The limit keeps "[[[[a" linear, where each "[[" may begin an anchor.
const maxTarget = 1 << 9

// images reads the images in the text of a link, which can contain no other references.
func (r *run) images(from, to int) {
	for {
		n := bytes.Index(r.src[from:to], []byte("image:"))
		if n < 0 {
			return
		}
		from += n + len("image:")
		open := bytes.IndexByte(r.src[from:to], '[')
		if open <= 0 {
			return
		}
		closing := r.closing(from + open + 1)
		if r.src[from] != ':' && bytes.IndexByte(r.src[from:from+open], ' ') < 0 {
			r.media("image", from, from+open, closing)
		}
		from = min(from+open+1, to)
	}
}

// media reads image, video and audio; their attributes are between the "[" at to and end.
func (p *parser) media(name string, from, to, end int) {
	const longest = 1 << 10 // the maximum length of a macro's attributes, in bytes
	attributes := p.src[min(to+1, end):min(end, to+longest)]
	switch name {
	case "image":
		p.image(from, to)
		p.attributeRef(attributes, to+1, "link", "image:/link")
		p.attributeRef(attributes, to+1, "xref", "image:/xref")
	case "video":
		first, _, _ := bytes.Cut(attributes, []byte(","))
		switch string(first) {
		case "youtube":
			p.implied("https://www.youtube.com/embed/", from, to, "?rel=0")
		case "vimeo":
			p.implied("https://player.vimeo.com/video/", from, to, "")
		default:
			p.ref(scan.Embed, scan.Macro, "video:", from, to)
		}
		p.attributeRef(attributes, to+1, "poster", "video:/poster")
	case "icon":
		p.attributeRef(attributes, to+1, "link", "icon:/link")
	case "audio":
		p.ref(scan.Embed, scan.Macro, "audio:", from, to)
	}
}

// image yields the target of an image, with imagesdir before it.
func (p *parser) image(from, to int) {
	target := p.src[from:to]
	dir := p.values["imagesdir"]
	switch {
	case len(target) == 0:
	case isResource(target) && schemeLength(target) == 0 && !bytes.HasPrefix(target, []byte("data:")):
		p.mention(ResourceSpace, "image:", from, to)
	case dir == "" || target[0] == '/' || target[0] == '{' || schemeLength(target) > 0 || bytes.HasPrefix(target, []byte("data:")):
		p.ref(scan.Embed, scan.Macro, "image:", from, to)
	default:
		value, isKnown := p.expand([]byte(strings.TrimSuffix(dir, "/") + "/" + string(target)))
		it := scan.Item{Kind: scan.Embed, How: scan.Macro, In: "image:", Span: scan.Span{Start: from, End: to}, Value: value, Loose: true}
		if !isKnown {
			it.Labels = scan.Guess
		}
		p.refOf(it)
	}
}

// implied yields the URL made from a target.
func (p *parser) implied(before string, from, to int, after string) {
	if from < to {
		p.refOf(scan.Item{Kind: scan.Embed, How: scan.Macro, In: "video:", Span: scan.Span{Start: from, End: to}, Loose: true,
			Value: []byte(before + string(p.src[from:to]) + after)})
	}
}

// attributeRef yields the value of an attribute of a macro.
func (p *parser) attributeRef(c []byte, at int, name, in string) {
	for rest, from := c, at; len(rest) > 0; {
		n := splitAt(rest)
		part := rest[:n]
		if k, value, ok := bytes.Cut(part, []byte("=")); ok && string(bytes.TrimSpace(k)) == name {
			start := from + len(k) + 1
			for len(value) > 0 && (value[0] == '"' || value[0] == ' ') {
				value, start = value[1:], start+1
			}
			value = bytes.TrimRight(value, "\" ")
			switch name {
			case "link":
				if string(value) != "self" { // the image itself
					p.ref(scan.Link, scan.Macro, in, start, start+len(value))
				}
			case "xref":
				p.crossRefer(in, start, start+len(value))
			default:
				p.ref(scan.Embed, scan.Macro, in, start, start+len(value))
			}
		}
		if n == len(rest) {
			return
		}
		rest, from = rest[n+1:], from+n+1
	}
}

// crossReference reads <<target,text>>.
func (r *run) crossReference(i int) (end int) {
	if i+3 >= r.to || r.src[i+1] != '<' || !isWord(r.src[i+2]) && bytes.IndexByte([]byte("#/.:{"), r.src[i+2]) < 0 {
		return 0
	}
	k := r.find(&r.angle, i+2, func(text []byte) int { return bytes.Index(text, []byte(">>")) })
	if k == r.to {
		return 0
	}
	if r.isEscaped(i) {
		return k
	}
	from, to := i+2, k
	if n := bytes.IndexByte(r.src[from:to], ','); n >= 0 {
		to = from + n
	}
	r.crossRefer("<<>>", from, to)
	return k + 2
}

// crossRefer yields the target of a cross reference: a document, an id, the title of a section, or an Antora
// resource.
func (p *parser) crossRefer(in string, from, to int) {
	for to > from && ascii.IsAnySpace(p.src[to-1]) {
		to--
	}
	p.crossReferOf(scan.Item{Kind: scan.Link, How: scan.Macro, In: in, Span: scan.Span{Start: from, End: to}, Value: p.src[from:to]})
}

// crossReferOf is crossRefer for targets that may differ from the text of the use.
func (p *parser) crossReferOf(it scan.Item) {
	if bytes.IndexByte(it.Value, '{') >= 0 {
		value, isKnown := p.expand(it.Value)
		it.Loose = it.Loose || !bytes.Equal(value, it.Value)
		if !isKnown {
			it.Labels |= scan.Guess
		}
		it.Value = value
	}
	target := it.Value
	if len(target) == 0 {
		return
	}
	hash := bytes.IndexByte(target, '#')
	name := target
	if hash >= 0 {
		name = target[:hash]
	}
	isDocument := hash > 0 || hash == 0 && len(target) > 1 || it.In != "<<>>" && hasSuffix(name)
	isAttribute := it.In == "image:/xref" // Antora reads it: the suffix may be missing
	switch {
	case hash != 0 && isResource(name) && (isDocument || isAttribute || it.In == "<<>>"):
		p.mentionOf(ResourceSpace, it)
	case isDocument, target[0] == '{':
		p.refOf(it)
	case isID(target):
		it.IgnoresBase, it.Loose, it.Value = true, true, append([]byte{'#'}, target...)
		p.refOf(it)
	default:
		p.mentionOf(IDSpace, it)
	}
}

// hasSuffix reports whether the last segment of a path contains a dot.
func hasSuffix(name []byte) bool {
	return bytes.LastIndexByte(name, '.') > bytes.LastIndexByte(name, '/')
}

// isResource reports whether a target has Antora coordinates: version@component:module:family$path.
func isResource(target []byte) bool {
	return bytes.ContainsAny(target, ":@$") && schemeLength(target) == 0 && !bytes.HasPrefix(target, []byte("{"))
}

// isAnchorID reports whether an anchor in text may have an id.
func isAnchorID(id []byte) bool {
	if len(id) == 0 || !isWord(id[0]) && id[0] != ':' || ascii.IsDigit(id[0]) {
		return false
	}
	for _, c := range id {
		if !isWord(c) && c != '-' && c != ':' && c != '.' {
			return false
		}
	}
	return true
}

// bracket reads [[id]], [[[id]]] and [#id]#text#.
func (r *run) bracket(i int) (end int) {
	if i+2 >= r.to || r.isEscaped(i) {
		return 0
	}
	switch {
	case r.src[i+1] == '[':
		from := i + 2
		if r.src[from] == '[' {
			from++
		}
		k := r.closing(from)
		if k+1 >= r.to || r.src[k+1] != ']' || k == from {
			return 0
		}
		id := r.src[from:min(k, from+maxTarget)]
		if n := bytes.IndexByte(id, ','); n >= 0 {
			id = id[:n]
		} else if k-from > maxTarget {
			return 0
		}
		value, isKnown := r.expand(id)
		if isKnown && !isAnchorID(value) || !isKnown && bytes.IndexByte(value, ' ') >= 0 {
			return 0
		}
		r.anchor("[[]]", string(id), from, from+len(id))
		return k + 2
	case r.src[i+1] == '#':
		k := r.closing(i + 2)
		if k+1 >= r.to || bytes.IndexByte([]byte("#*_`^~+\""), r.src[k+1]) < 0 {
			return 0
		}
		id := r.src[i+2 : k]
		if n := bytes.IndexAny(id, ".,%"); n >= 0 {
			id = id[:n]
		}
		if len(id) > 0 && !bytes.ContainsAny(id, " [\n") {
			r.anchor("[#]", string(id), i+2, i+2+len(id))
		}
		return k + 1
	}
	return 0
}

// attribute reads {name} if its value is a URL, or begins one.
func (r *run) attribute(i int) (end int) {
	n, value, ok := r.attributeAt(r.src[:r.to], i)
	if n == 0 || !ok || strings.ContainsAny(value, "[ ") {
		return i + n
	}
	if strings.HasPrefix(value, "link:") || strings.HasPrefix(value, "xref:") {
		return r.linkFrom(i, i+n, value[:len("link:")])
	}
	if (value == "link" || value == "xref") && i+n < r.to && r.src[i+n] == ':' { // {macro}:target[text]
		return r.linkFrom(i, i+n+1, value+":")
	}
	if schemeLength([]byte(value)) == 0 || !r.mayPrecede(i) && i > r.from {
		return i + n
	}
	return r.urlFrom(i, i, "{"+string(r.src[i+1:i+n-1])+"}")
}

// literal skips `text` of compat-mode.
func (r *run) literal(i int) (end int) {
	if !r.isCompat {
		r.enterCode(i)
		return 0
	}
	if i > r.from && isWord(r.src[i-1]) || i+1 >= r.to || ascii.IsAnySpace(r.src[i+1]) {
		return 0
	}
	k := r.find(&r.tick, i+1, func(text []byte) int { return bytes.IndexByte(text, '`') })
	if k == r.to || k == i+1 || ascii.IsAnySpace(r.src[k-1]) || k+1 < r.to && isWord(r.src[k+1]) {
		return 0
	}
	return k + 1
}

// enterCode finds the end of the `code` that begins at i, if there is one and it is not a passthrough itself.
func (r *run) enterCode(i int) {
	if i < r.code || i+2 >= r.to || ascii.IsAnySpace(r.src[i+1]) || i > r.from && (isWord(r.src[i-1]) || r.src[i-1] == ';' || r.src[i-1] == ':') {
		return
	}
	for k := i + 2; k < r.to && k-i <= maxPassed; k++ {
		if r.src[k] == '`' && !ascii.IsAnySpace(r.src[k-1]) && (k+1 == r.to || !isWord(r.src[k+1])) {
			if r.src[i+1] != '+' || r.src[k-1] != '+' {
				r.code = k
			}
			return
		}
	}
}

// maxPassed is the maximum distance in bytes at which to look for the end of a passthrough.
const maxPassed = 256

// linkFrom reads {name}target[text] if the value of name begins with the name of a macro.
func (r *run) linkFrom(i, after int, macro string) (end int) {
	to := r.stopping(after)
	if to >= r.to || r.src[to] != '[' {
		return after
	}
	value, isKnown := r.expand(r.src[i:to])
	it := scan.Item{Kind: scan.Link, How: scan.Macro, In: macro, Span: scan.Span{Start: i, End: to}, Loose: true, Value: bytes.TrimPrefix(value, []byte(macro))}
	if !isKnown {
		it.Labels = scan.Guess
	}
	switch {
	case len(it.Value) == 0:
	case macro == "xref:":
		r.crossReferOf(it)
	default:
		r.refOf(it)
	}
	return to
}

// passed reads +++HTML+++, ++text++ and +text+, whose content is literal.
func (r *run) passed(i int) (end int) {
	n := 1
	for n < 3 && i+n < r.to && r.src[i+n] == '+' {
		n++
	}
	if r.isEscaped(i) || n == 1 && (r.isCompat || i < r.code || i > r.from && isWord(r.src[i-1]) || i+1 < r.to && ascii.IsAnySpace(r.src[i+1])) {
		return i + n
	}
	mark := "+++"[:n]
	from := i + n
	for from < r.to {
		k := r.find(&r.plus, from, func(text []byte) int { return bytes.IndexByte(text, '+') })
		if k == r.to {
			return i + n
		}
		if bytes.HasPrefix(r.src[k:r.to], []byte(mark)) && k > i+n && (n > 1 || !ascii.IsAnySpace(r.src[k-1]) && (k+1 == r.to || !isWord(r.src[k+1]) && r.src[k+1] != '+')) {
			if n == 3 {
				r.part(i+n, k)
			}
			return k + n
		}
		if n == 1 && k-i > maxPassed { // do not search that far from each "+"
			return i + 1
		}
		from = k + 1
	}
	return i + n
}

// dollars reads $$text$$, whose content is literal.
func (r *run) dollars(i int) (end int) {
	if i+2 >= r.to || r.src[i+1] != '$' {
		return 0
	}
	k := r.find(&r.dollar, i+2, func(text []byte) int { return bytes.Index(text, []byte("$$")) })
	if k == r.to {
		return i + 2
	}
	return k + 2
}
