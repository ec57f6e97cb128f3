package html

import (
	"bytes"
	"slices"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// With Exhaustive, the scanner finds what no browser fetches, or what is no reference by the letter, and what
// crawlers that must not miss anything look for, such as those that test the security of a site:
//
//   - the base, as a link
//   - the DTD of the document type, unless it is one of the W3C's, which are the same for all pages
//   - <import implementation> of Internet Explorer
//   - the report-uri of a Content-Security-Policy in a meta element
//   - HTML in <meta name=copyright>, which the reading view of Edge showed
//   - SVG in data: URLs, as documents
//   - URLs in running text, and paths that begin with "./" or "../", or with "/" and end like the name of a file
//
// In all of these it labels what is only assumed to be a reference as speculative.

// documentType yields the system identifier of the document type src[lt:end], if it is one (13.2.5.53 and on).
func (s *Scanner) documentType(lt, end int) {
	doctype := s.src[lt:end]
	if len(doctype) < len("<!doctype") || !equalFold(doctype[2:len("<!doctype")], "doctype") {
		return
	}
	i := bytes.LastIndexAny(doctype, `"'`)
	if i < 0 {
		return
	}
	from := bytes.LastIndexByte(doctype[:i], doctype[i]) + 1
	if from == 0 {
		return
	}
	if word := bytes.ToLower(doctype[:from]); !bytes.Contains(word, []byte("system")) && bytes.Count(doctype[:from], []byte{doctype[i]}) < 3 {
		return // a public identifier
	}
	v := text{b: s.src[lt+from : lt+i], at: lt + from, lines: true}.url()
	if len(v.b) == 0 || bytes.Contains(v.b, []byte("w3.org/")) || bytes.HasPrefix(v.b, []byte("about:")) {
		return
	}
	s.ref(&ref{kind: scan.Metadata, in: "doctype", of: own}, v)
}

// rareMeta yields the references of a meta element that only Exhaustive finds, and reports whether it is one.
func (s *Scanner) rareMeta(a *attribute) bool {
	if policy := s.lower(nHTTPEquiv); policy == "content-security-policy" || policy == "content-security-policy-report-only" {
		v := s.text(a.at, a.end)
		at := 0
		for directive := range bytes.SplitSeq(v.b, []byte(";")) {
			isReport := false
			for i, j := range v.cut(at, at+len(directive)).fields() {
				if len(bytes.TrimSpace(directive[:i])) == 0 {
					isReport = equalFold(directive[i:j], "report-uri")
				} else if isReport {
					s.ref(&ref{kind: scan.Form, in: "meta/report-uri"}, v.cut(at+i, at+j))
				}
			}
			at += len(directive) + 1
		}
		return true
	}
	if s.lower(nName) != "copyright" {
		return false
	}
	if v := s.text(a.at, a.end); bytes.IndexByte(v.b, '<') >= 0 {
		s.document(v, "text/html", "copyright", "meta/content")
	}
	return true
}

// image yields the SVG of a data: URL as a document, and reports whether v is one. Base64 is left alone.
func (s *Scanner) image(v text) bool {
	const prefix = "data:image/svg+xml"
	b := v.b
	if len(b) < len(prefix) || !equalFold(b[:len(prefix)], prefix) {
		return false
	}
	comma := bytes.IndexByte(b, ',')
	if comma < 0 || strings.HasSuffix(strings.ToLower(string(b[:comma])), ";base64") {
		return false
	}
	decoded := make([]byte, 0, len(b)-comma)
	m := new(scan.Map)
	for i := comma + 1; i < len(b); {
		n, c := 1, b[i]
		if c == '%' && i+2 < len(b) && ascii.Unhex(b[i+1]) >= 0 && ascii.Unhex(b[i+2]) >= 0 {
			n, c = 3, byte(ascii.Unhex(b[i+1])<<4|ascii.Unhex(b[i+2]))
		}
		span := v.span(i, i+n)
		m.Add(1, span.Start, 1, span.End-span.Start)
		decoded = append(decoded, c)
		i += n
	}
	s.item = scan.Item{Op: scan.Part, Type: "image/svg+xml", Name: "data", In: "img/src", Span: v.span(0, len(b)), Value: decoded, Map: m}
	s.put()
	return true
}

// knownSuffixes are the suffixes of file names by which a path in running text is recognised.
var knownSuffixes = strings.Fields("html htm xhtml shtml php asp aspx jsp jspx do action cgi pl cfm pdf doc docx xls xlsx ppt pptx odt ods csv txt md xml rss atom json js mjs css png jpg jpeg gif svg webp avif ico mp3 mp4 webm ogg wav zip gz tgz tar rar 7z exe dmg iso apk jar war bak sql log")

// paths yields the relative paths in the text src[at:end] that are words of their own, with Exhaustive.
func (s *Scanner) paths(at, end int) {
	if !s.Exhaustive || at >= end {
		return
	}
	src := s.src[:end]
	for p := at; p < end && !s.stopped; {
		i := bytes.IndexByte(src[p:], '/')
		if i < 0 {
			return
		}
		from := p + i
		for from > at && from > p && src[from-1] == '.' {
			from--
		}
		to := p + i + 1
		for to < end && isPathByte(src[to]) {
			to++
		}
		p = to
		if from > at && !isPathStart(src[from-1]) {
			continue
		}
		path := bytes.TrimRight(src[from:to], ".,;:!?)")
		if dots := bytes.IndexByte(path, '/'); dots > 2 || len(path) < dots+2 || path[dots+1] == '/' || dots == 0 && !hasKnownSuffix(path) {
			continue
		}
		s.refAt(&ref{kind: scan.Text, how: scan.Bare, in: "text", labels: scan.Speculative}, path, scan.Span{Start: from, End: from + len(path)})
	}
}

// isPathByte reports whether c may be in a path: unreserved, a percent sign, or one of a few delimiters.
func isPathByte(c byte) bool {
	return ascii.IsAlnum(c) || strings.IndexByte("-._~%/+=&?#!$:@,;*", c) >= 0
}

// isPathStart reports whether a path in running text may follow c.
func isPathStart(c byte) bool {
	return byteClass[c]&spaceByte != 0 || c == '(' || c == '"' || c == '\'' || c == '>'
}

// hasKnownSuffix reports whether the last segment of path, without a query, ends in one of knownSuffixes.
func hasKnownSuffix(path []byte) bool {
	if i := bytes.IndexAny(path, "?#"); i >= 0 {
		path = path[:i]
	}
	dot := bytes.LastIndexByte(path, '.')
	if dot < 0 || len(path)-dot > 8 || path[dot-1] == '/' {
		return false
	}
	return slices.Contains(knownSuffixes, strings.ToLower(string(path[dot+1:])))
}
