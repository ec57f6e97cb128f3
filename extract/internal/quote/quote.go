// Package quote knows how the built-in formats write a reference: the quoting of a reference at a place of
// a document, and, for editors, where a reference begins that is being written.
package quote

import (
	"fmt"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// Any is the Quote of most formats. A place may belong to another format than the document
// (a style attribute in HTML in Markdown), so the place determines the quoting. Places without
// quoting, such as <https://…>, get ref as it is.
func Any(dst []byte, ref string, at scan.Place) ([]byte, bool) {
	switch at.How {
	case scan.Inline, scan.Reference:
		return appendMarkdown(dst, ref, at), true
	case scan.Attribute:
		return appendAttribute(dst, ref, at), true
	case scan.CSS:
		return appendCSS(dst, ref, at), true
	}
	return append(dst, ref...), true
}

// appendMarkdown writes a destination (CommonMark 6.3, 2.4, 2.5). A "|" would end a table cell.
func appendMarkdown(dst []byte, ref string, at scan.Place) []byte {
	for i := range len(ref) {
		switch c := ref[i]; {
		case strings.IndexByte("\\|<>", c) >= 0, at.Before != '<' && (c == '(' || c == ')'):
			dst = append(dst, '\\', c)
		case c == '&' && isCharacterReference(ref[i:]):
			dst = append(dst, "&amp;"...)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// appendAttribute writes the value of an attribute (HTML 13.1.2.3). It also escapes characters that
// only XML requires to be escaped (XML 2.4).
func appendAttribute(dst []byte, ref string, at scan.Place) []byte {
	quoted := at.Before == '"' || at.Before == '\''
	for i := range len(ref) {
		switch c := ref[i]; {
		case c == '&':
			dst = append(dst, "&amp;"...)
		case c == '<' || c == '>', c == at.Before && quoted,
			!quoted && (c <= ' ' || strings.IndexByte("\"'`=", c) >= 0):
			dst = fmt.Appendf(dst, "&#%d;", c)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// appendCSS writes a string or url() (CSS Syntax 4.3.4 to 4.3.7), which may be in an attribute.
func appendCSS(dst []byte, ref string, at scan.Place) []byte {
	nested := strings.Contains(at.In, "/")
	quoted := !nested && (at.Before == '"' || at.Before == '\'')
	for i := range len(ref) {
		switch c := ref[i]; {
		case c == '\\', c < ' ', c == at.Before && quoted, nested && strings.IndexByte("&<>\"'", c) >= 0,
			!quoted && strings.IndexByte(" \"'()", c) >= 0:
			dst = fmt.Appendf(dst, "\\%x ", c)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// isCharacterReference reports whether s, which begins with "&", may begin with a character
// reference.
func isCharacterReference(s string) bool {
	const longest = 40
	for i := 1; i < min(len(s), longest); i++ {
		switch c := s[i]; {
		case c == ';':
			return i > 1
		case c != '#' && !ascii.IsAlnum(c):
			return false
		}
	}
	return false
}

// Plain is the Quote of formats in which a reference ends at white space or at a bracket, and nothing can
// be quoted: gemtext, wikitext.
func Plain(dst []byte, ref string, _ scan.Place) ([]byte, bool) {
	return append(dst, ref...), !strings.ContainsAny(ref, " \t\r\n[]{}|<>\"")
}

// Djot writes a destination, in which a backslash escapes punctuation, and nothing else does. Definitions
// and angle brackets have no escapes.
func Djot(dst []byte, ref string, at scan.Place) ([]byte, bool) {
	if at.How != scan.Inline {
		return Plain(dst, ref, at)
	}
	return appendEscaped(dst, ref, "\\|<>()"), !strings.ContainsAny(ref, "\r\n")
}

// appendEscaped writes a backslash before each of the characters.
func appendEscaped(dst []byte, ref, characters string) []byte {
	for i := range len(ref) {
		if strings.IndexByte(characters, ref[i]) >= 0 {
			dst = append(dst, '\\')
		}
		dst = append(dst, ref[i])
	}
	return dst
}

// Typst writes a string, in which a backslash escapes quotes and backslashes; elsewhere, nothing can be quoted.
func Typst(dst []byte, ref string, at scan.Place) ([]byte, bool) {
	if at.How != scan.Quoted || at.Before != '"' {
		return Plain(dst, ref, at)
	}
	return appendEscaped(dst, ref, `"\`), !strings.ContainsAny(ref, "\r\n")
}

// JSON writes a part of a string (RFC 8259 section 7).
func JSON(dst []byte, ref string, _ scan.Place) ([]byte, bool) {
	return appendEscaped(dst, ref, `"\`), strings.IndexFunc(ref, func(r rune) bool { return r < ' ' }) < 0
}

// HLS writes a line or the value of an attribute of a playlist, neither of which has escapes (RFC 8216
// sections 4.1 and 4.2).
func HLS(dst []byte, ref string, at scan.Place) ([]byte, bool) {
	return append(dst, ref...), !strings.ContainsAny(ref, "\r\n") && (at.How != scan.Attribute || strings.IndexByte(ref, '"') < 0)
}

// Texinfo writes the argument of a command or text (Texinfo 7.1, sections 12.1.1 to 12.1.3). A comma would
// end an argument.
func Texinfo(dst []byte, ref string, at scan.Place) ([]byte, bool) {
	for i := range len(ref) {
		switch c := ref[i]; {
		case strings.IndexByte("@{}", c) >= 0:
			dst = append(dst, '@', c)
		case c == ',' && at.How == scan.Macro:
			dst = append(dst, "@comma{}"...)
		default:
			dst = append(dst, c)
		}
	}
	return dst, !strings.ContainsAny(ref, "\r\n")
}

// LaTeX writes the argument of a command, in which characters that end it or begin a command have an escape
// in some commands only, or text, which needs escapes for more characters.
func LaTeX(dst []byte, ref string, at scan.Place) ([]byte, bool) {
	special := "#$%&_"
	if at.How == scan.Macro {
		special = ""
	}
	return appendEscaped(dst, ref, special), !strings.ContainsAny(ref, "\\{}\r\n")
}

// RST writes a destination of reStructuredText: white space in it would be dropped, and a "_" at
// its end would make it the name of another target.
func RST(dst []byte, ref string, at scan.Place) ([]byte, bool) {
	switch at.How {
	case scan.Attribute, scan.CSS:
		return Any(dst, ref, at)
	case scan.Role, scan.Directive:
		return append(dst, ref...), !strings.ContainsAny(ref, "`<>\\\n")
	}
	for i := range len(ref) {
		switch c := ref[i]; {
		case c == '\n':
			return dst, false
		case strings.IndexByte(" \\`<>", c) >= 0, c == '_' && i == len(ref)-1:
			dst = append(dst, '\\', c)
		default:
			dst = append(dst, c)
		}
	}
	return dst, true
}

// ASCIIDoc writes the target of an AsciiDoc macro. Characters that would end the target are
// percent-encoded; a target that AsciiDoc would read as an attribute cannot be written.
func ASCIIDoc(dst []byte, ref string, at scan.Place) ([]byte, bool) {
	switch at.How {
	case scan.Attribute, scan.CSS:
		return Any(dst, ref, at)
	}
	if strings.IndexByte(ref, '{') >= 0 || strings.Contains(ref, ">>") && at.In == "<<>>" {
		return dst, false
	}
	for i := range len(ref) {
		switch c := ref[i]; c {
		case ' ', '[', ']':
			dst = fmt.Appendf(dst, "%%%02X", c)
		case ',':
			if at.In == "<<>>" {
				return dst, false
			}
			dst = append(dst, c)
		case '\n':
			return dst, false
		default:
			dst = append(dst, c)
		}
	}
	return dst, true
}

// Org writes the target of a link of Org (Org Manual 4.1): in brackets, these and backslashes
// are escaped.
func Org(dst []byte, ref string, at scan.Place) ([]byte, bool) {
	if at.How != scan.Inline {
		return Any(dst, ref, at)
	}
	return appendEscaped(dst, ref, `[]\`), true
}
