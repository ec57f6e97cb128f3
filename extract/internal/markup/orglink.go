package markup

import (
	"bytes"
	"net/url"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/prose"
)

// maxOrgLink limits the length of a link with its description, in bytes.
const maxOrgLink = 8 << 10

// link reads a link, [[target]] or [[target][description]], and returns where it ends, or 0 if there
// is none at src[at].
func (p *orgParser) link(at int) int {
	if at+1 >= len(p.src) || p.src[at+1] != '[' {
		return 0
	}
	start := at + 2
	if p.close < start && p.close != len(p.src) { // no "]]" follows
		p.close = len(p.src)
		if i := bytes.Index(p.src[start:], []byte("]]")); i >= 0 {
			p.close = start + i
		}
	}
	if p.close == len(p.src) || p.close-start > maxOrgLink {
		return 0
	}
	stop := targetEnd(p.src, start, min(len(p.src), start+maxOrgLink))
	if stop <= start || stop+1 >= len(p.src) {
		return 0
	}
	target := prose.Trim(p.src, scan.Span{Start: start, End: stop})
	if p.src[stop+1] == ']' {
		p.refer(target, scan.Span{})
		return stop + 2
	}
	if p.src[stop+1] != '[' {
		return 0
	}
	from := stop + 2
	i := bytes.Index(p.src[from:min(len(p.src), from+maxOrgLink)], []byte("]]"))
	if i <= 0 || bytes.Contains(p.src[from:from+i], []byte("\n\n")) {
		return 0
	}
	p.refer(target, scan.Span{Start: from, End: from + i})
	return from + i + 2
}

// targetEnd returns the end of the link target that begins at src[at]: a bracket that no
// backslash escapes. It returns -1 if there is no target.
func targetEnd(src []byte, at, limit int) int {
	breaks := 0
	for i := at; i < limit; i++ {
		switch src[i] {
		case '\\':
			i++
		case '[':
			return -1
		case ']':
			return i
		case '\n':
			if breaks++; breaks > 1 {
				return -1
			}
		}
	}
	return -1
}

// refer adds the references of a link: its target, and its text if that is a picture.
func (p *orgParser) refer(target, text scan.Span) {
	raw := p.src[target.Start:target.End]
	if len(raw) == 0 {
		return
	}
	it := prose.Item{Op: scan.Ref, Kind: scan.Link, How: scan.Inline, Span: target, In: "[[]]"}
	if text.Start < text.End {
		it.In = "[[][]]"
	}
	hasText := text.Start < text.End
	p.destination(raw, it, hasText)
	if !hasText {
		return
	}
	// A picture may be the text of a link.
	text = prose.Trim(p.src, text)
	raw = p.src[text.Start:text.End]
	if isOrgPicture(raw) && (bytes.HasPrefix(raw, []byte("file:")) || bytes.HasPrefix(raw, []byte("http")) || bytes.HasPrefix(raw, []byte("./"))) && bytes.IndexByte(raw, ' ') < 0 {
		p.destination(raw, prose.Item{Op: scan.Ref, Kind: scan.Embed, How: scan.Inline, Span: text, In: "[[][]]"}, false)
	}
}

// destination adds one destination.
func (p *orgParser) destination(raw []byte, it prose.Item, hasText bool) {
	if !hasText && isOrgPicture(raw) {
		it.Kind = scan.Embed
	}
	switch raw[0] {
	case '#':
		p.mention(it, OrgCustomSpace, 1)
		return
	case '*':
		p.mention(it, OrgHeadingSpace, 1)
		return
	case '(':
		return // a line of a block of code
	case '/', '~', '.':
		if raw[0] != '.' || bytes.HasPrefix(raw, []byte("./")) || bytes.HasPrefix(raw, []byte("../")) {
			p.path(it.Span, it)
			return
		}
	}
	i := bytes.IndexByte(raw, ':')
	if i <= 0 || bytes.ContainsAny(raw[:i], " \t/") {
		p.mention(it, OrgTargetSpace, 0)
		return
	}
	prefix := string(raw[:i])
	switch prefix {
	case "file", "file+sys", "file+emacs", "docview":
		it.Span.Start += i + 1
		it.In = "[[file:]]"
		if bytes.HasPrefix(raw[i+1:], []byte("//")) {
			it.Span.Start -= i + 1
			p.add(it)
			return
		}
		p.path(it.Span, it)
		return
	case "id":
		p.mention(it, OrgIDSpace, i+1)
		return
	case "doi":
		it.Span.Start += i + 1
		p.doi(it)
		return
	}
	if pattern, ok := p.prefixes[prefix]; ok {
		it.Span.Start += i + 1
		it.In = "[[abbr:]]"
		p.abbreviated(it, pattern, raw[i+1:])
		return
	}
	if bytes.HasPrefix(raw[i:], []byte("://")) || orgSchemes[strings.ToLower(prefix)] {
		p.add(it)
	}
}

// orgSchemes holds the schemes without "//" that point out of Org. Others are commands and files of Emacs.
var orgSchemes = map[string]bool{"mailto": true, "news": true, "tel": true, "urn": true, "sip": true, "xmpp": true, "magnet": true, "data": true, "geo": true}

// add adds a destination with its escapes undone.
func (p *orgParser) add(it prose.Item) {
	if it.Span.Start < it.Span.End {
		p.doc.Add(it, p.unescape(p.src[it.Span.Start:it.Span.End]))
	}
}

// path adds the name of a file, without the search behind "::".
func (p *orgParser) path(at scan.Span, it prose.Item) {
	raw := p.src[at.Start:at.End]
	if i := bytes.Index(raw, []byte("::")); i >= 0 {
		at.End = at.Start + i
		raw = raw[:i]
	}
	if len(raw) == 0 || raw[0] == '~' || bytes.HasPrefix(raw, []byte("/ssh:")) || bytes.HasPrefix(raw, []byte("ssh:")) {
		return // in a home directory, or on another computer
	}
	it.Span = at
	p.add(it)
}

// unescape undoes "\[", "\]" and "\\", and replaces line breaks by spaces. It returns nil if there are none.
func (p *orgParser) unescape(raw []byte) []byte {
	if !bytes.ContainsAny(raw, "\\\n") {
		return nil
	}
	p.value = prose.Emptied(p.value)
	for i := 0; i < len(raw); i++ {
		if raw[i] == '\\' && i+1 < len(raw) && bytes.IndexByte([]byte(`[]\`), raw[i+1]) >= 0 {
			i++
		}
		if raw[i] == '\n' {
			p.value = append(p.value, ' ')
			continue
		}
		p.value = append(p.value, raw[i])
	}
	return p.value
}

// mention adds the use of a name of this document, which begins after skip bytes.
func (p *orgParser) mention(it prose.Item, space string, skip int) {
	it.Span.Start += skip
	if p.Mentions && it.Span.Start < it.Span.End {
		it.Op, it.Space = scan.Mention, space
		p.doc.Add(it, nil)
	}
}

// abbreviated adds a link whose prefix stands for pattern: tag replaces %s or, escaped for a
// URL, %h, or is added at the end.
func (p *orgParser) abbreviated(it prose.Item, pattern, tag []byte) {
	if len(pattern)+len(tag) > maxOrgLink || bytes.Contains(pattern, []byte("%(")) {
		return // a function of Lisp
	}
	dst := make([]byte, 0, len(pattern)+len(tag))
	switch before, after, ok := bytes.Cut(pattern, []byte("%s")); {
	case ok:
		dst = append(append(append(dst, before...), tag...), after...)
	default:
		if before, after, ok := bytes.Cut(pattern, []byte("%h")); ok {
			dst = append(append(append(dst, before...), strings.ReplaceAll(url.QueryEscape(string(tag)), "+", "%20")...), after...)
		} else {
			dst = append(append(dst, pattern...), tag...)
		}
	}
	it.Loose = true
	p.doc.Add(it, dst)
}

// doi adds the DOI that it spans, as ol-doi.el does.
func (p *orgParser) doi(it prose.Item) {
	it.Loose = true
	p.doc.Add(it, append([]byte("https://doi.org/"), p.src[it.Span.Start:it.Span.End]...))
}

// macro reads a call, {{{name(a,b)}}}, and returns where it ends, or 0 if there is none at src[at]. The
// links and URLs that the macro makes are references.
func (p *orgParser) macro(at, end int) int {
	const most = 1 << 20 // bytes that the macros of a document make
	call, ok := bytes.CutPrefix(p.src[at:min(end, at+maxOrgLink)], []byte("{{{"))
	i := bytes.Index(call, []byte("}}}"))
	if !ok || i < 0 {
		return 0
	}
	name, args, _ := strings.Cut(string(call[:i]), "(")
	definition, isKnown := p.macros[name]
	if !isKnown || bytes.HasPrefix(definition, []byte("(eval")) || p.expanded > most {
		return at + i + 6
	}
	values := strings.Split(strings.TrimSuffix(args, ")"), ",")
	var made []byte
	for k := 0; k < len(definition) && len(made) < maxOrgLink; k++ {
		if c := definition[k]; c != '$' || k+1 == len(definition) || !ascii.IsDigit(definition[k+1]) {
			made = append(made, c)
			continue
		}
		k++
		if n := int(definition[k] - '1'); n >= 0 && n < len(values) {
			made = append(made, strings.TrimSpace(values[n])...)
		}
	}
	p.expanded += len(made) + 64
	it := prose.Item{Op: scan.Ref, Kind: scan.Link, How: scan.Macro, Span: scan.Span{Start: at, End: at + i + 6}, In: "{{{}}}", Loose: true}
	inner := Org{Rules: p.Rules}
	for ref := range inner.Scan(made) {
		if ref.Op == scan.Ref {
			it.Kind = ref.Kind
			p.doc.Add(it, ref.Value)
		}
	}
	return at + i + 6
}

// isOrgPattern reports whether the definition of a prefix is a URL only with what stands for %s, %h or %(function).
func isOrgPattern(text []byte) bool {
	i := bytes.IndexByte(text, '%')
	return i >= 0 && i+1 < len(text) && bytes.IndexByte([]byte("sh("), text[i+1]) >= 0
}

// isOrgPicture reports whether a destination names a picture, by its suffix.
func isOrgPicture(raw []byte) bool {
	i := bytes.LastIndexByte(raw, '.')
	if i < 0 || len(raw)-i > 6 {
		return false
	}
	switch strings.ToLower(string(raw[i+1:])) {
	case "png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "tiff", "tif", "xbm", "xpm", "pbm", "pgm", "ppm", "bmp":
		return true
	}
	return false
}
