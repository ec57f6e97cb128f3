// Package robots reads what a site asks of robots: restrictions in pages and in headings of HTTP, and robots.txt.
package robots

import (
	"bytes"
	"iter"
	"slices"
	"strings"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/decode"
)

// Rules is a set of restrictions: those of Names, by bit.
type Rules uint16

// Names are the names of restrictions.
var Names = [...]string{"noindex", "nofollow", "noarchive", "nocache", "nosnippet", "noimageindex", "notranslate", "noai", "noimageai"}

// none is the restriction of that name: noindex and nofollow.
const none Rules = 1<<0 | 1<<1

// parse parses a list of restrictions, divided by commas or spaces. Others are skipped.
func parse(list []byte) (r Rules) {
	for word := range bytes.FieldsFuncSeq(list, func(c rune) bool { return c == ',' || c == ';' || c <= ' ' }) {
		if len(word) > len("noimageindex") {
			continue
		}
		name := strings.ToLower(string(word))
		if name == "none" {
			r |= none
		} else if i := slices.Index(Names[:], name); i >= 0 {
			r |= 1 << i
		}
	}
	return r
}

// OfHeading returns the restrictions in the values of the fields X-Robots-Tag of an HTTP heading. In a
// field, a name and a colon address the rules after it to one robot, unless it is the name of a rule with a
// value.
func OfHeading(fields iter.Seq[[]byte]) (r Rules) {
	for value := range fields {
		isForAll := true
		for rule := range bytes.SplitSeq(value, []byte{','}) {
			name, rest, hasColon := bytes.Cut(rule, []byte{':'})
			if name = bytes.TrimSpace(name); hasColon && !hasValue(name) {
				isForAll, rule = string(name) == "*", rest
			}
			if isForAll {
				r |= parse(rule)
			}
		}
	}
	return r
}

// hasValue reports whether a rule for robots is one with a value.
func hasValue(name []byte) bool {
	for _, s := range [...]string{"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"} {
		if ascii.EqualFold(name, s) {
			return true
		}
	}
	return false
}

// rawText are the elements of HTML whose content is no markup, without scripts.
var rawText = [...]string{"script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes"}

// OfPage returns the restrictions that the meta elements of a page name. It knows tags, comments and elements
// whose content is text, and runs in time linear in len(src).
func OfPage(src []byte) (r Rules) {
	if decode.SniffUTF16(src[:min(len(src), 4096)]) != "" {
		src = decode.Narrow(src)
	}
	if !mayHaveRobots(src) {
		return 0
	}
	for {
		lt := bytes.IndexByte(src, '<')
		if lt < 0 || len(src) < lt+2 {
			return r
		}
		src = src[lt:]
		switch c := src[1]; {
		case bytes.HasPrefix(src, []byte("<!--")):
			end := bytes.Index(src[2:], []byte("-->"))
			if end < 0 {
				return r
			}
			src = src[2+end+len("-->"):]
			continue
		case !ascii.IsLetter(c) && c != '/':
			src = src[1:]
			continue
		}
		end := bytes.IndexAny(src, decode.Spaces+"/>")
		if src[1] == '/' {
			end = 2
		}
		if end < 0 {
			return r
		}
		name := src[1:end]
		a := decode.Attributes{Src: src[end:]}
		r |= ofTag(&a, ascii.EqualFold(name, "meta"))
		if a.Src == nil {
			return r
		}
		src = a.Src
		if slices.ContainsFunc(rawText[:], func(s string) bool { return ascii.EqualFold(name, s) }) {
			src = afterElement(src, name)
		}
	}
}

// mayHaveRobots reports whether the word robots is in src, in any case.
func mayHaveRobots(src []byte) bool {
	for _, s := range [...]string{"robots", "ROBOTS", "Robots"} {
		if bytes.Contains(src, []byte(s)) {
			return true
		}
	}
	return false
}

// ofTag reads the attributes of a tag. If isMeta, it returns the restrictions for all robots that they name.
func ofTag(a *decode.Attributes, isMeta bool) Rules {
	var key, content []byte
	for {
		name, value, ok := a.Next()
		switch {
		case !ok && ascii.EqualFold(bytes.TrimSpace(key), "robots"):
			return parse(content)
		case !ok:
			return 0
		case !isMeta:
		case key == nil && ascii.EqualFold(name, "name"):
			key = value
		case content == nil && ascii.EqualFold(name, "content"):
			content = value
		}
	}
}

// afterElement returns what follows the end tag of an element; nothing if there is none.
func afterElement(src, name []byte) []byte {
	for {
		i := bytes.Index(src, []byte("</"))
		if i < 0 {
			return nil
		}
		src = src[i+2:]
		if len(src) > len(name) && bytes.EqualFold(src[:len(name)], name) && !ascii.IsLetter(src[len(name)]) {
			return src[len(name):]
		}
	}
}
