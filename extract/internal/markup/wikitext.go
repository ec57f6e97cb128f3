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

// WikitextType is the media type of wikitext. It is not registered; MediaWiki names its content model "wikitext".
const WikitextType = "text/x-wiki"

// WikiPageSpace is the Space of the names of pages and files.
const WikiPageSpace = "[[]]"

// A Wikitext scans one document in the markup of MediaWiki. The zero Scanner has the defaults. It may be
// reused, but several goroutines must not use it at once.
//
// It is not MediaWiki's parser: it expands no templates. Sources: Help:Links and Help:Templates of
// mediawiki.org, and Parser.php and Preprocessor_Hash.php of MediaWiki 1.43 for details that they leave
// open.
type Wikitext struct {
	WikiLinks bool          // yield [[Page]] as relative references
	Names     bool          // yield [[Page]] as names of pages, with WikiPageSpace
	Rules     delimit.Rules // of references in text

	doc prose.Doc
}

// Scan yields the references of src in source order: external links ([http://h/x label], [//h/x]), pages
// and files ([[Page]], [[File:x.png]]) if they are wanted, and the references in the text, where a "|" or
// "}}" in a template ends a reference, as two apostrophes do. It skips comments, and the contents of
// <nowiki>, <pre>, <syntaxhighlight> and the like. A URL with "{{" in it comes from a template, and is no
// reference. src is UTF-8. Every input is valid, and the time is linear in len(src).
func (s *Wikitext) Scan(src []byte) iter.Seq[*scan.Item] {
	return s.doc.Scan(src, s.Rules, func() {
		p := wikiParser{Wikitext: s, src: src}
		p.read()
	})
}

// A wikiParser reads one document.
type wikiParser struct {
	*Wikitext
	src       []byte
	ends      prose.Ends
	templates int // how many templates are open
	close     int // the next "]" or line break at or after the last offset searched from
}

// read reads the document.
func (p *wikiParser) read() {
	for at := 0; at < len(p.src); {
		i := bytes.IndexAny(p.src[at:], "[{}|<'")
		if i < 0 {
			p.doc.Show(at, len(p.src))
			return
		}
		p.doc.Show(at, at+i)
		at += i
		if next := p.construct(at); next > at {
			at = next
			continue
		}
		p.doc.Show(at, at+1)
		at++
	}
}

// construct reads the construct that begins at src[at], and returns where it ends, or 0 if none begins there.
func (p *wikiParser) construct(at int) int {
	rest := p.src[at:]
	switch rest[0] {
	case '[':
		if bytes.HasPrefix(rest, []byte("[[")) {
			return p.page(at)
		}
		return p.external(at)
	case '<':
		return p.hidden(at)
	case '\'':
		if bytes.HasPrefix(rest, []byte("''")) {
			return at + 2
		}
	case '|':
		return at + 1
	case '{':
		if !bytes.HasPrefix(rest, []byte("{{")) {
			return 0
		}
		p.templates++
		if at == 0 || bytes.IndexByte([]byte(" \t\n|={>"), p.src[at-1]) >= 0 {
			return at + 2
		}
		p.doc.Show(at, at+2) // within a reference, perhaps
		return at + 2
	case '}':
		if p.templates == 0 || !bytes.HasPrefix(rest, []byte("}}")) {
			return 0
		}
		p.templates--
		return at + 2
	}
	return 0
}

// wikiRaw holds the tags whose content is not wikitext.
var wikiRaw = []string{"nowiki", "pre", "syntaxhighlight", "source", "math", "chem", "score", "timeline", "templatedata", "graph"}

// maxWikiTag limits the length of the attributes of a tag whose content is not read, in bytes.
const maxWikiTag = 1 << 10

// hidden returns the end of the comment or raw element that begins at src[at], or 0. An unclosed comment
// extends to the end of the page; an unclosed element is text.
func (p *wikiParser) hidden(at int) int {
	rest := p.src[at:]
	if bytes.HasPrefix(rest, []byte("<!--")) {
		end := p.ends.Find(p.src, "-->", at+len("<!--"))
		if end < 0 {
			return len(p.src)
		}
		return end + len("-->")
	}
	for _, name := range wikiRaw {
		after, ok := ascii.CutPrefixFold(rest[1:], name)
		if !ok || len(after) == 0 || ascii.IsAlnum(after[0]) {
			continue
		}
		tag := bytes.IndexByte(after[:min(len(after), maxWikiTag)], '>')
		if tag < 0 || tag > 0 && after[tag-1] == '/' {
			return 0
		}
		from := len(p.src) - len(after) + tag + 1
		end := p.ends.Find(p.src, "</"+name, from)
		if end < 0 {
			return 0
		}
		return end + len("</") + len(name)
	}
	return 0
}

// wikiProtocols holds those of $wgUrlProtocols that links in single brackets may begin with.
var wikiProtocols = []string{
	"//", "http://", "https://", "ftp://", "ftps://", "sftp://", "mailto:", "news:", "nntp://", "irc://", "ircs://", "git://", "ssh://", "svn://",
	"gopher://", "telnet://", "tel:", "sip:", "sips:", "sms:", "urn:", "xmpp:", "geo:", "magnet:", "bitcoin:", "matrix:", "mms://", "redis://",
}

// maxWikiLink limits the length of a link with its label, in bytes.
const maxWikiLink = 8 << 10

// external reads "[URL label]", and returns where it ends, or 0 if there is none.
func (p *wikiParser) external(at int) int {
	start := at + 1
	if !beginsWikiURL(p.src[start:]) {
		return 0
	}
	limit := min(len(p.src), at+maxWikiLink)
	stop := start
	for stop < limit && p.src[stop] > ' ' && bytes.IndexByte([]byte("[]<>\"\x7f"), p.src[stop]) < 0 {
		stop++
	}
	if p.close < stop {
		p.close = len(p.src)
		if i := bytes.IndexAny(p.src[stop:], "]\n"); i >= 0 {
			p.close = stop + i
		}
	}
	if p.close >= limit || p.src[p.close] != ']' {
		return 0
	}
	if !bytes.Contains(p.src[start:stop], []byte("{{")) {
		p.doc.Add(prose.Item{Op: scan.Ref, Kind: scan.Link, How: scan.Inline, In: "[]", Span: scan.Span{Start: start, End: stop}}, nil)
	}
	return p.close + 1
}

// beginsWikiURL reports whether s begins with a protocol.
func beginsWikiURL(s []byte) bool {
	for _, protocol := range wikiProtocols {
		if rest, ok := ascii.CutPrefixFold(s, protocol); ok && len(rest) > 0 && rest[0] > ' ' && rest[0] != ']' {
			return true
		}
	}
	return false
}

// page reads the target of "[[Page#section|label]]", and returns where it ends, or 0 if there is none. The
// label is text.
func (p *wikiParser) page(at int) int {
	start := at + 2
	if beginsWikiURL(p.src[start:]) {
		p.doc.Show(at, at+1)
		return at + 1
	}
	limit := min(len(p.src), start+maxWikiLink)
	i := bytes.IndexAny(p.src[start:limit], "|]\n[{<>")
	if i <= 0 {
		return 0
	}
	stop := start + i
	if p.src[stop] != '|' && !bytes.HasPrefix(p.src[stop:], []byte("]]")) {
		return 0
	}
	name := prose.Trim(p.src, scan.Span{Start: start, End: stop})
	it := prose.Item{Op: scan.Ref, Kind: scan.Link, How: scan.Inline, In: "[[]]", Span: name}
	if isWikiMedia(p.src[name.Start:name.End]) {
		it.Kind = scan.Embed
	}
	if name.Start < name.End && p.src[name.Start] == ':' {
		it.Span.Start++ // "[[:Category:x]]" links to a page that "[[Category:x]]" would put the page in
	}
	p.name(it)
	return stop
}

// isWikiMedia reports whether a name is that of a file to show.
func isWikiMedia(name []byte) bool {
	for _, space := range []string{"file:", "image:"} {
		if _, ok := ascii.CutPrefixFold(name, space); ok {
			return true
		}
	}
	return false
}

// name adds the name of a page. As a relative reference, spaces are "_" (Manual:Page title), and a name
// with a colon, which is no scheme, begins with "./".
func (p *wikiParser) name(it prose.Item) {
	name := string(p.src[it.Span.Start:it.Span.End])
	switch {
	case name == "" || name[0] == '#':
	case p.WikiLinks:
		value := strings.ReplaceAll(name, " ", "_")
		if i := strings.IndexAny(value, ":/?#"); i >= 0 && value[i] == ':' {
			value = "./" + value
		}
		it.Loose = value != name
		p.doc.Add(it, []byte(value))
	case p.Names:
		it.Space = WikiPageSpace
		p.doc.Add(it, nil)
	}
}
