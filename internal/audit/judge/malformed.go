package judge

import (
	"bytes"
	"strings"
	"unicode"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/reason"
	"example.org/refract/resolve"
)

// judgeSyntax reports ref if it is not a URL, and returns whether it did. Much that RFC 3986 does not allow
// works everywhere because readers escape it, such as spaces and non-ASCII letters; that is not reported.
// The rest means something different to each reader, or nothing.
func (a *Judge) judgeSyntax(ref *doc.Reference) (v Verdict, isChecked bool) {
	if ref.How == scan.Bare || ref.How == scan.Quoted { // a piece of running text, not written as a link
		return v, ref.Invalid
	}
	c := resolve.Parse([]byte(ref.Ref))
	if ref.Err == nil && hasPortWord(&c) {
		return skipped(portWord), true
	}
	p := Problem{Rule: rule.BadURL}
	switch {
	case ref.Err != nil:
		p.Message = strings.TrimPrefix(ref.Err.Error(), "base: ")
	case ref.Invalid:
		p.Message = "not a URL: " + offence(ref, "its authority is not valid")
	case doc.HasBadPort(&c):
		p.Message = "not a URL: " + offence(ref, "its port is not a number")
	case doc.IsHostless(&c):
		if rest := strings.TrimLeft(string(c.Path), "/"); strings.IndexByte(rest, '.') > 0 {
			p.Suggestion = string(c.Scheme) + "://" + strings.TrimLeft(ref.Ref[len(c.Scheme)+1:], "/")
		}
		p.Message = "a URL of " + strings.ToLower(string(c.Scheme)) + " needs a host after //"
	case hasBadPercent(c.Path):
		p.Message = "not a URL: " + offence(ref, `"%" is not followed by two hexadecimal digits`)
	default:
		return v, false
	}
	return faulty(p), true
}

// hasPortWord reports whether the port of a URL is a word, as in http://host:port/, for which readers write a number.
func hasPortWord(c *resolve.Components) bool {
	i := bytes.LastIndexByte(c.Authority, ':')
	port := c.Authority[i+1:]
	return i > 0 && len(port) > 1 && bytes.ContainsFunc(port, unicode.IsLetter) && bytes.IndexByte(c.Authority, '@') < 0 && !bytes.ContainsFunc(port, func(r rune) bool {
		return !unicode.IsLetter(r) && r != '_' && r != '-'
	})
}

var portWord = reason.New(reason.Templated, "port-word", "a word stands for the port, as in examples")

// offence describes what in ref violates the grammar of RFC 3986. It returns words if nothing does.
func offence(ref *doc.Reference, words string) string {
	if o, ok := resolve.RFC3986.Check([]byte(ref.Ref)); !ok {
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

// judgeLocal reports ref if it points to the computer of the person who follows it, and returns whether it
// did.
func (a *Judge) judgeLocal(d *doc.Document, ref *doc.Reference) (v Verdict, isChecked bool) {
	switch ref.How {
	case scan.Bare, scan.Angle, scan.Quoted, scan.Prefixed: // in running text: shown, not linked
		return v, false
	}
	if ref.Result.Step != resolve.Absolute {
		return v, false
	}
	c := resolve.Parse([]byte(ref.URL))
	if !doc.IsLocal([]byte(ref.URL), &c) {
		return v, false
	}
	if _, _, inSite := a.Published.Find(&c); inSite {
		return v, false
	}
	switch {
	case d.Shows(ref, &c):
		return skipped(readerMachine), true
	case len(c.Scheme) == 1:
		return faulty(Problem{Rule: rule.LocalURL, Message: string(c.Scheme) + ": is a drive of the local machine"}), true
	}
	return faulty(Problem{Rule: rule.LocalURL, Message: "points to the reader's own machine"}), true
}

var readerMachine = reason.New(reason.Outside, "reader-machine", "an address on the reader's machine, which the text shows")
