package html

import (
	"bytes"

	"example.org/refract/internal/ascii"
)

// late yields the reference of an attribute that a script reads, or the references of url() in its CSS,
// which some scripts expect. Pages also write other things into these attributes: "true", names and
// numbers, JSON, and templates with braces, which a script fills in. A plain word is a reference unless the
// attribute is mixed.
func (s *Scanner) late(r *ref, v text, isMixed bool) {
	b := v.b
	switch {
	case len(b) == 0 || b[0] == '[' || bytes.IndexByte(b, '{') >= 0 || bytes.IndexByte(b, '<') >= 0:
	case len(b) > len("url(") && equalFold(b[:len("url(")], "url("):
		s.styles(r, v, true)
	case looksLikeURL(b) || !isMixed && isPlainWord(b):
		s.ref(r, v)
	}
}

// looksLikeURL reports whether s begins with a scheme, "/", "?" or "#", or is one word that contains a
// slash or a query, or the name of a file with a suffix.
func looksLikeURL(s []byte) bool {
	if s[0] == '/' || s[0] == '?' || s[0] == '#' {
		return true
	}
	if bytes.IndexByte(s, ' ') >= 0 {
		return bytes.Contains(s[:min(len(s), len("https://"))], []byte("://"))
	}
	if bytes.IndexByte(s, '/') >= 0 || bytes.IndexByte(s, '?') >= 0 || hasScheme(s) {
		return true
	}
	dot := bytes.LastIndexByte(s, '.')
	if dot <= 0 || len(s)-dot < len(".js") || len(s)-dot > len(".jpeg") || !ascii.IsLetter(s[dot+1]) {
		return false
	}
	for _, c := range s[dot+1:] {
		if !ascii.IsAlnum(c) {
			return false
		}
	}
	return true
}

// isPlainWord reports whether s is a short word in small letters that may be the name of a file. Others are
// tokens of programs, such as numbers and base64.
func isPlainWord(s []byte) bool {
	if len(s) > 16 || !ascii.IsLetter(s[0]) || string(s) == "true" || string(s) == "false" {
		return false
	}
	for _, c := range s {
		if c >= 'A' && c <= 'Z' || !ascii.IsAlnum(c) && c != '-' && c != '_' {
			return false
		}
	}
	return true
}

func (s *Scanner) isBgset(a *attribute) bool { return names[a.attr] == "data-bgset" }

// bgset yields the image candidates of data-bgset of lazysizes: lists as in srcset, divided by "|", each
// followed by a media query in brackets.
func (s *Scanner) bgset(r *ref, v text) {
	for from := 0; from <= len(v.b) && !s.stopped; {
		end := len(v.b)
		if i := bytes.IndexByte(v.b[from:], '|'); i >= 0 {
			end = from + i
		}
		to := end
		if i := bytes.IndexByte(v.b[from:end], '['); i >= 0 {
			to = from + i
		}
		s.srcset(r, v.cut(from, to))
		from = end + 1
	}
}
