package extract

import (
	"bytes"
	"slices"
	"strings"

	"example.org/refract/extract/internal/decode"
	"example.org/refract/extract/warc"
	"example.org/refract/internal/ascii"
)

// Robots is the set of restrictions that a page puts on all robots: by <meta name=robots>, anywhere in it and also in
// <noscript>, and, in a record of a web archive, by the field X-Robots-Tag of HTTP. What is addressed to
// one robot by its name, such as googlebot, does not count, nor do rules with a value, such as max-snippet.
type Robots uint16

const (
	NoIndex Robots = 1 << iota
	NoFollow
	NoArchive
	NoCache
	NoSnippet
	NoImageIndex
	NoTranslate
	NoAI
	NoImageAI
)

var robotsNames = [...]string{"noindex", "nofollow", "noarchive", "nocache", "nosnippet", "noimageindex", "notranslate", "noai", "noimageai"}

// Names returns the names of the members of r.
func (r Robots) Names() (names []string) {
	for i, name := range robotsNames {
		if r>>i&1 != 0 {
			names = append(names, name)
		}
	}
	return names
}

// Robots returns the restrictions on the innermost page that contains r; 0 without Config.Robots.
func (r *Reference) Robots() Robots {
	for e := r.Entity; e != nil; e = e.Parent {
		if e.Robots != 0 {
			return e.Robots
		}
	}
	return 0
}

// hasRobots reports whether documents of Format f are pages that may restrict robots.
func hasRobots(f *Format) bool { return f.Types[0] == htmlType || f.Types[0] == xhtmlType }

// parseRobots parses a list of restrictions, divided by commas or blanks. Others are skipped.
func parseRobots(list []byte) (r Robots) {
	for word := range bytes.FieldsFuncSeq(list, func(c rune) bool { return c == ',' || c == ';' || c <= ' ' }) {
		if len(word) > len("noimageindex") {
			continue
		}
		name := strings.ToLower(string(word))
		if name == "none" {
			r |= NoIndex | NoFollow
		} else if i := slices.Index(robotsNames[:], name); i >= 0 {
			r |= 1 << i
		}
	}
	return r
}

// headerRobots returns the restrictions in the fields X-Robots-Tag of an HTTP heading. In a field, a name and a colon
// address the rules after it to one robot, unless it is the name of a rule with a value.
func headerRobots(h *warc.HTTP) (r Robots) {
	for value := range h.Fields("X-Robots-Tag") {
		isForAll := true
		for rule := range bytes.SplitSeq(value, []byte{','}) {
			name, rest, hasColon := bytes.Cut(rule, []byte{':'})
			if name = bytes.TrimSpace(name); hasColon && !hasValue(name) {
				isForAll, rule = string(name) == "*", rest
			}
			if isForAll {
				r |= parseRobots(rule)
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

// pageRobots returns the restrictions that the meta elements of a page name. It knows tags, comments and elements
// whose content is text, and runs in time linear in len(src).
func pageRobots(src []byte) (r Robots) {
	if decode.SniffUTF16(src[:min(len(src), 4096)]) != "" {
		src = narrow(src)
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
		r |= robotsOf(&a, ascii.EqualFold(name, "meta"))
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

// robotsOf reads the attributes of a tag. If isMeta, it returns the restrictions for all robots that they name.
func robotsOf(a *decode.Attributes, isMeta bool) Robots {
	var key, content []byte
	for {
		name, value, ok := a.Next()
		switch {
		case !ok && ascii.EqualFold(bytes.TrimSpace(key), "robots"):
			return parseRobots(content)
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
