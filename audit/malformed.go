package audit

import (
	"bytes"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/resolve"
)

// judgeSyntax reports k if it is not a URL, and returns whether it did. Much that RFC 3986 does not
// allow works everywhere because readers escape it, such as spaces and non-ASCII letters; that is
// not reported. The rest means something different to each reader, or nothing.
func (a *auditor) judgeSyntax(d *document, k *reference) bool {
	if k.how == scan.Bare { // a piece of running text, not written as a link
		return k.invalid
	}
	c := resolve.Parse([]byte(k.ref))
	p := problem{rule: BadURL}
	switch {
	case k.err != nil:
		p.message = strings.TrimPrefix(k.err.Error(), "base: ")
	case k.invalid:
		p.message = "not a URL: " + offence(k, "its authority is not valid")
	case hasBadPort(&c):
		p.message = "not a URL: " + offence(k, "its port is not a number")
	case isHostless(&c):
		if rest := strings.TrimLeft(string(c.Path), "/"); strings.IndexByte(rest, '.') > 0 {
			p.suggestion = string(c.Scheme) + "://" + k.ref[len(c.Scheme)+1+len(c.Path)-len(rest):]
		}
		p.message = "a URL of " + strings.ToLower(string(c.Scheme)) + " needs a host after //"
	case hasBadPercent(c.Path):
		p.message = "not a URL: " + offence(k, `"%" is not followed by two hexadecimal digits`)
	default:
		return false
	}
	a.reportReference(d, k, p)
	return true
}

// offence describes what in k violates the grammar of RFC 3986. It returns words if nothing does.
func offence(k *reference, words string) string {
	if o, ok := resolve.RFC3986.Check([]byte(k.ref)); !ok {
		return o.String()
	}
	return words
}

// hasBadPercent reports whether p has a "%" that two hexadecimal digits do not follow.
func hasBadPercent(p []byte) bool {
	for i := range p {
		if _, ok := ascii.Unescape(p[i:]); p[i] == '%' && !ok {
			return true
		}
	}
	return false
}

// judgeLocal reports k if it leads to the computer of the person who follows it, and returns
// whether it did.
func (a *auditor) judgeLocal(d *document, k *reference) bool {
	switch k.how {
	case scan.Bare, scan.Angle, scan.Quoted, scan.Prefixed: // in running text: shown, not linked
		return false
	}
	if k.result.Step != resolve.Absolute {
		return false
	}
	c := resolve.Parse([]byte(k.url))
	if !isLocal([]byte(k.url), &c) {
		return false
	}
	if _, _, inSite := a.sites.find(&c); inSite {
		return false
	}
	switch {
	case d.shows(k, &c):
		a.skip(d, k, "an address on the reader's machine, which the text shows")
	case len(c.Scheme) == 1:
		a.reportReference(d, k, problem{rule: LocalURL, message: string(c.Scheme) + ": is a drive of the local machine"})
	default:
		a.reportReference(d, k, problem{rule: LocalURL, message: "points to the reader's own machine"})
	}
	return true
}

// shows reports whether the text of a link shows its destination. Readers of a tutorial are told to
// open http://localhost:8000 on their own computer, and the text tells them where the link leads.
func (d *document) shows(k *reference, c *resolve.Components) bool {
	if k.how == scan.Autolink {
		return true
	}
	const longest = 1000
	what := string(c.Authority)
	if what == "" {
		what = string(c.Path)
	}
	if k.kind == scan.Embed || what == "" {
		return false
	}
	source := d.source()
	at, end := int(k.pos.Offset), int(k.pos.Offset)+k.pos.Length
	if at > len(source) || end > len(source) { // the file has changed
		return false
	}
	if k.how == scan.Attribute {
		rest := source[end:min(len(source), end+longest)]
		_, rest, _ = bytes.Cut(rest, []byte(">"))
		text, _, closed := bytes.Cut(rest, []byte("</a"))
		return closed && bytes.Contains(text, []byte(what))
	}
	front := bytes.TrimRight(source[max(0, at-longest):at], " \t\r\n<(:")
	if !bytes.HasSuffix(front, []byte("]")) {
		return false
	}
	depth := 0
	for i := len(front) - 1; i >= 0; i-- {
		switch front[i] {
		case ']':
			depth++
		case '[':
			if depth--; depth == 0 {
				return bytes.Contains(front[i:], []byte(what))
			}
		}
	}
	return false
}
