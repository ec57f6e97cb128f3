package markdown

import (
	"bytes"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/lazy"
)

// meta reads the metadata at the start of src if there is no line of "---" and the
// dialect has such metadata: lines of "key: value" up to the first empty line. Lines indented by 4
// columns continue a value. meta returns where the Markdown begins.
func (s *Scanner) meta(body int) int {
	if !s.Dialect.Meta {
		return body
	}
	at := body
	for at < len(s.src) {
		end := ascii.NextLine(s.src, at)
		line := bytes.TrimRight(s.src[at:end], " \t\r\n")
		if len(line) == 0 {
			break
		}
		if !isMeta(line) && (at == body || !bytes.HasPrefix(line, []byte("    "))) {
			break
		}
		at = end
	}
	s.values(body, at)
	return at
}

// isMeta reports whether line is a key, a colon, and white space or nothing after it.
func isMeta(line []byte) bool {
	line = bytes.TrimLeft(line, " ")
	n := 0
	for n < len(line) && (ascii.IsAlnum(line[n]) || line[n] == '_' || line[n] == '-') {
		n++
	}
	return n > 0 && n < len(line) && line[n] == ':' && !bytes.HasPrefix(line[n:], []byte("://"))
}

// The keys of front matter whose values point to a page or a file.
var (
	linkKeys  = lazy.NewSet("link href to prev next pagination_prev pagination_next") // to a page
	imageKeys = lazy.NewSet("src image file light dark thumbnail cover banner")       // if the value names a file
)

// navigation adds the values of front matter in src[at:end] whose keys say that they point to a page or a
// file, unless they are absolute URLs. It reads YAML and TOML values on the line of their key, in the forms
// "key: value", "key = value", "- key: value" and "{key: value}".
func (s *Scanner) navigation(at, end int) {
	for at < end {
		next := min(end, ascii.NextLine(s.src, at))
		for i := at; i < next; {
			colon := bytes.IndexAny(s.src[i:next], ":=")
			if colon < 0 {
				break
			}
			colon += i
			i = colon + 1
			from := colon
			for from > at && s.src[from-1] == ' ' {
				from--
			}
			key := from
			for key > at && (ascii.IsAlnum(s.src[key-1]) || s.src[key-1] == '_') {
				key--
			}
			name := string(s.src[key:from])
			if key > at && bytes.IndexByte([]byte(" \t-{,"), s.src[key-1]) < 0 || !linkKeys.Has(name) && !imageKeys.Has(name) {
				continue
			}
			i = s.navigationValue(name, i, next)
		}
		at = next
	}
}

// navigationValue adds the value of a key that begins at src[at], and returns where it ends.
func (s *Scanner) navigationValue(key string, at, end int) int {
	at = end - len(bytes.TrimLeft(s.src[at:end], " \t"))
	if at == end {
		return end
	}
	to := at
	if quote := s.src[at]; quote == '"' || quote == '\'' {
		n := bytes.IndexByte(s.src[at+1:end], quote)
		if n < 0 {
			return end
		}
		at, to = at+1, at+1+n
	} else {
		for to < end && bytes.IndexByte([]byte(" \t\r\n,}#"), s.src[to]) < 0 {
			to++
		}
		if to < end && s.src[to] == '#' && to > at { // the start of a fragment
			for to < end && bytes.IndexByte([]byte(" \t\r\n,}"), s.src[to]) < 0 {
				to++
			}
		}
	}
	value := s.src[at:to]
	isPath := bytes.IndexByte(value, '/') >= 0 || bytes.IndexByte(value, '.') > 0 || len(value) > 0 && value[0] == '#'
	switch key {
	case "pagination_prev", "pagination_next": // ids of documents
		isPath = string(value) != "null" && string(value) != "~"
	case "prev", "next":
		// The values of VitePress and Starlight are texts.
		isPath = isPath && bytes.IndexByte(value, ' ') < 0
	}
	if len(value) == 0 || !isPath || bytes.Contains(value, []byte("://")) || bytes.ContainsAny(value, "\"{}[]|>&*") {
		return max(to, at)
	}
	it := scan.Item{Kind: scan.Link, How: scan.Navigation, In: "front matter/" + key, Labels: scan.FrontMatter, Span: scan.Span{Start: at, End: to}, Value: value}
	if imageKeys.Has(key) {
		it.Kind = scan.Embed
	}
	s.add(it)
	return to
}
