package fix

import (
	"fmt"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// spell returns how ref is written in place of r in src. Of path, query and fragment,
// those that are the same in both stay as they are written.
func spell(src []byte, r *reference, ref string) []byte {
	q := quoting{how: r.how, nested: strings.Contains(r.in, "/")}
	if r.start > 0 {
		q.before = src[r.start-1]
	}
	was, is := parts(r.ref), parts(ref)
	written, ok := writtenParts(r.raw, was)
	var dst []byte
	for i := range is {
		if ok && is[i] == was[i] {
			dst = append(dst, written[i]...)
		} else {
			dst = q.append(dst, is[i])
		}
	}
	return dst
}

// parts returns the path of a reference, with what is in front of it, its query with "?",
// and its fragment with "#".
func parts(ref string) (p [3]string) {
	p[0] = ref
	if i := strings.IndexByte(p[0], '#'); i >= 0 {
		p[0], p[2] = p[0][:i], p[0][i:]
	}
	if i := strings.IndexByte(p[0], '?'); i >= 0 {
		p[0], p[1] = p[0][:i], p[0][i:]
	}
	return p
}

// writtenParts returns the parts of a reference as written, and whether it has the same
// parts: a "#" may be that of a character reference, and a "?" written as one.
func writtenParts(raw string, was [3]string) (p [3]string, ok bool) {
	hash := strings.IndexByte(raw, '#')
	for hash > 0 && raw[hash-1] == '&' {
		next := strings.IndexByte(raw[hash+1:], '#')
		if next < 0 {
			hash = -1
			break
		}
		hash += 1 + next
	}
	p[0] = raw
	if hash >= 0 {
		p[0], p[2] = raw[:hash], raw[hash:]
	}
	if i := strings.IndexByte(p[0], '?'); i >= 0 {
		p[0], p[1] = p[0][:i], p[0][i:]
	}
	return p, (p[1] != "") == (was[1] != "") && (p[2] != "") == (was[2] != "")
}

// quoting is how a place wants its references to be written.
type quoting struct {
	how    scan.How
	before byte // in front of the reference
	nested bool // in HTML, also what is CSS
}

// append appends a part of a reference. What has no quoting, such as <https://…>, gets it
// as it is.
func (q *quoting) append(dst []byte, part string) []byte {
	for i := 0; i < len(part); i++ {
		c := part[i]
		switch q.how {
		case scan.Inline, scan.Reference: // CommonMark 6.3, 2.4, 2.5; "|" ends a cell of a table
			switch {
			case strings.IndexByte("\\|<>", c) >= 0, q.before != '<' && (c == '(' || c == ')'):
				dst = append(dst, '\\', c)
				continue
			case c == '&' && isEntity(part[i:]):
				dst = append(dst, "&amp;"...)
				continue
			}
		case scan.Attribute: // HTML 13.1.2.3, and of XML 2.4 what that does not ask for
			quoted := q.before == '"' || q.before == '\''
			switch {
			case c == '&':
				dst = append(dst, "&amp;"...)
				continue
			case c == '<' || c == '>', c == q.before && quoted,
				!quoted && (c <= ' ' || strings.IndexByte("\"'`=", c) >= 0):
				dst = fmt.Appendf(dst, "&#%d;", c)
				continue
			}
		case scan.CSS: // CSS Syntax 4.3.4 to 4.3.7
			quoted := !q.nested && (q.before == '"' || q.before == '\'')
			switch {
			case c == '\\', c < ' ', c == q.before && quoted, q.nested && strings.IndexByte("&<>\"'", c) >= 0,
				!quoted && strings.IndexByte(" \"'()", c) >= 0:
				dst = fmt.Appendf(dst, "\\%x ", c)
				continue
			}
		}
		dst = append(dst, c)
	}
	return dst
}

// isEntity reports whether s, which begins with "&", may be a character reference.
func isEntity(s string) bool {
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
