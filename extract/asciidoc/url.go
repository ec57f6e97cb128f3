package asciidoc

import (
	"bytes"
	"html"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// schemeLength returns the length of the scheme of a URL, with "://", if Asciidoctor makes links of
// such URLs.
func schemeLength(text []byte) int {
	for _, s := range []string{"https://", "http://", "ftp://", "irc://", "file://"} {
		if bytes.HasPrefix(text, []byte(s)) {
			return len(s)
		}
	}
	return 0
}

// mayPrecede reports whether a URL may begin at i: after white space, a bracket, or a quote mark.
func (r *run) mayPrecede(i int) bool {
	return i == r.from || ascii.IsAnySpace(r.src[i-1]) || bytes.IndexByte([]byte("<>()[];\"'`*_#~^\\|"), r.src[i-1]) >= 0 ||
		bytes.HasSuffix(r.src[r.from:i], []byte("\u00a0")) || bytes.HasSuffix(r.src[r.from:i], []byte("\u3000"))
}

// url reads the URL that begins at start; its scheme ends at i.
func (r *run) url(start, i int) (end int) {
	if !bytes.HasPrefix(r.src[i:r.to], []byte("://")) || !r.mayPrecede(start) {
		return 0
	}
	return r.urlFrom(start, i+3, "url")
}

// urlFrom reads a URL, either bare or with its text in brackets. It returns where the URL ends.
func (r *run) urlFrom(start, from int, in string) (end int) {
	end = from
	for end < r.to && !ascii.IsAnySpace(r.src[end]) && r.src[end] != '[' && r.src[end] != ']' {
		end++
	}
	if end == from {
		return 0
	}
	escaped := r.isEscaped(start)
	if k := r.imageIn(from, end); k > from {
		end = k
	} else if end < r.to && r.src[end] == '[' && r.src[end-1] != '.' && r.src[end-1] != ',' {
		if closing := r.closingText(end + 1); closing < r.to {
			if !escaped {
				r.ref(scan.Link, scan.Macro, in+"[]", start, end)
				r.images(end+1, closing)
			}
			return closing + 1
		}
	}
	bare := r.trim(from, end)
	isQuoted := start > r.from && (r.src[start-1] == '"' || r.src[start-1] == '\'')
	if !escaped && !isQuoted && bare > from {
		r.ref(scan.Text, scan.Bare, in, start, bare)
	}
	return end
}

// imageIn returns where the image or icon begins whose "[" is at end and whose target begins in a URL from from on; 0 if there is
// none. Asciidoctor replaces images first.
func (r *run) imageIn(from, end int) int {
	if end == r.to || r.src[end] != '[' || r.closing(end+1) == r.to {
		return 0
	}
	for _, name := range []string{"image:", "icon:"} {
		if i := bytes.LastIndex(r.src[from:end], []byte(name)); i > 0 && from+i+len(name) < end && r.src[from+i+len(name)] != ':' {
			return from + i
		}
	}
	return 0
}

// trim returns the end of a URL without the punctuation after it, and without the quote mark that closes
// the text around it.
func (r *run) trim(from, end int) int {
	for end > from {
		c := r.src[end-1]
		switch {
		case bytes.IndexByte([]byte(",.?!)"), c) >= 0:
		case c == ';' || c == ':':
		case c == '>' && bytes.IndexByte(r.src[from:end], '<') < 0: // unless it closes a placeholder, <name>
		case r.marks[c] && bytes.IndexByte([]byte("`*_#~^"), c) >= 0 && (end == r.to || !isWord(r.src[end])):
		default:
			return end
		}
		end--
	}
	return end
}

// mail reads the address whose "@" is at i.
func (r *run) mail(i int) (end int) {
	start := i
	for start > r.from && (isWord(r.src[start-1]) || bytes.IndexByte([]byte("-.%+"), r.src[start-1]) >= 0) {
		start--
	}
	for start < i && !isWord(r.src[start]) {
		start++
	}
	if start == i || start > r.from && bytes.IndexByte([]byte("\\:/`*#"), r.src[start-1]) >= 0 {
		return 0 // also after a quote mark: the tag that replaces it ends in ">"
	}
	end = i + 1
	for end < r.to && (ascii.IsAlnum(r.src[end]) || bytes.IndexByte([]byte("_-."), r.src[end]) >= 0) {
		end++
	}
	for end > i && !ascii.IsLetter(r.src[end-1]) {
		end--
	}
	dot := bytes.LastIndexByte(r.src[i:end], '.')
	if n := end - i - dot - 1; dot < 2 || n < 2 || n > 5 || end < r.to && r.src[end] == '_' {
		return 0
	}
	for _, c := range r.src[i+dot+1 : end] {
		if !ascii.IsLetter(c) {
			return 0
		}
	}
	r.refOf(scan.Item{Kind: scan.Text, How: scan.Bare, In: "mail", Meant: "mailto:", Span: scan.Span{Start: start, End: end}, Value: r.src[start:end]})
	return end
}

// hasEntity reports whether a target may contain a character reference.
func hasEntity(target []byte) bool {
	i := bytes.IndexByte(target, '&')
	return i >= 0 && bytes.IndexByte(target[i:], ';') > 0
}

// unescape returns target with its character references replaced: a name of at least two letters, or a number.
func unescape(target []byte) []byte {
	const longest = 32 // bytes: more than the longest name
	var dst []byte
	for i := 0; i < len(target); {
		end := bytes.IndexByte(target[i:min(len(target), i+longest)], ';')
		if target[i] == '&' && end > 2 {
			decoded := html.UnescapeString(string(target[i : i+end+1]))
			if !strings.HasPrefix(decoded, "&") || decoded == "&" {
				dst = append(dst, decoded...)
				i += end + 1
				continue
			}
		}
		dst = append(dst, target[i])
		i++
	}
	return dst
}
