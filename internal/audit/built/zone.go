package built

import (
	"bytes"
	"path"
	"slices"
	"strings"
)

// A Zone says in which part of a page a link is, as far as its elements tell.
type Zone uint8

const (
	Content Zone = iota // in the main element or an article, or anywhere in a page without them
	Other               // around that
	Nav                 // in navigation, wherever it is
)

// zones are the parts of a page. It is a separate pass over the tags: finding the relevant ancestors of a
// link needs only a few elements, and no tree.
type zones struct {
	marks    []zoneMark
	hasMain  bool
	headings []uint64
	places   []headingPlace
	traces   []string // values of attributes that may name the source
	words    int      // bytes of text outside of tags
	text     []byte
}

// A headingPlace is where a heading is in a page, with its tags.
type headingPlace struct {
	at, end int
	key     uint64
}

// A zoneMark says in which zone a page is from an offset on.
type zoneMark struct {
	at   int
	zone Zone
}

// find finds the zones of a page.
func (z *zones) find(src []byte) {
	z.marks, z.headings, z.hasMain, z.words = append(z.marks[:0], zoneMark{0, Other}), z.headings[:0], false, 0
	z.traces, z.places = z.traces[:0], z.places[:0]
	navs, mains := 0, 0
	heading, tag := -1, 0 // offsets of the text and of the tag of the heading that is open
	for p := 0; p < len(src); {
		i := bytes.IndexByte(src[p:], '<')
		if i < 0 {
			break
		}
		z.words += len(bytes.TrimSpace(src[p : p+i]))
		p += i
		if bytes.HasPrefix(src[p:], []byte("<!--")) {
			p = after(src, p, "-->")
			continue
		}
		name, isEnd := tagName(src[p+1:])
		end := tagEnd(src, p+1)
		if !isEnd {
			z.addTraces(name, src[p:end])
		}
		switch {
		case len(name) == 2 && name[0]|0x20 == 'h' && '1' <= name[1] && name[1] <= '6':
			if heading >= 0 {
				z.addHeading(src, tag, heading, p)
				heading = -1
			}
			if !isEnd {
				heading, tag = end, p
			}
		case isEnd && is(name, "nav"):
			navs = max(0, navs-1)
			z.mark(end, navs, mains)
		case is(name, "nav"):
			navs++
			z.mark(end, navs, mains)
		case isEnd && (is(name, "main") || is(name, "article")):
			mains = max(0, mains-1)
			z.mark(end, navs, mains)
		case is(name, "main"), is(name, "article"):
			mains++
			z.hasMain = true
			z.mark(end, navs, mains)
		case !isEnd && (is(name, "script") || is(name, "style") || is(name, "textarea") || is(name, "title")):
			p = rawEnd(src, end, name)
			continue
		}
		p = end
	}
}

// addTraces adds what the tag of an element says about the source of the page: attributes such as
// data-source of the elements around the content, and meta elements.
func (z *zones) addTraces(name, tag []byte) {
	isMeta := is(name, "meta")
	if !isMeta && !is(name, "html") && !is(name, "body") && !is(name, "main") && !is(name, "article") {
		return
	}
	for len(tag) > 0 && len(z.traces) < maxTraces {
		before, rest, ok := bytes.Cut(tag, []byte(`="`))
		value, after, isClosed := bytes.Cut(rest, []byte(`"`))
		if !ok || !isClosed {
			return
		}
		tag = after
		i := bytes.LastIndexAny(before, " \t\r\n")
		key := bytes.ToLower(before[i+1:])
		if isMeta && string(key) != "content" || !isMeta && !bytes.HasPrefix(key, []byte("data-")) || len(value) > maxTrace {
			continue
		}
		file, _, _ := strings.Cut(string(value), "#")
		file = strings.TrimRight(file, "/")
		isFile := slices.Contains(sourceSuffixes, path.Ext(file)) && (!isMeta || strings.Contains(file, "/"))
		if isFile && !strings.ContainsAny(file, " \t\n") {
			z.traces = append(z.traces, file)
		}
	}
}

func (z *zones) mark(at, navs, mains int) {
	zone := Other
	switch {
	case navs > 0:
		zone = Nav
	case mains > 0:
		zone = Content
	}
	z.marks = append(z.marks, zoneMark{at, zone})
}

// of returns the zone at an offset, which must not be before the one that the cursor has seen.
func (z *zones) of(at int, cursor *int) Zone {
	for *cursor+1 < len(z.marks) && z.marks[*cursor+1].at <= at {
		*cursor++
	}
	zone := z.marks[*cursor].zone
	if zone == Other && !z.hasMain {
		return Content
	}
	return zone
}

// addHeading adds a heading, given the offsets of its tag and of its text.
func (z *zones) addHeading(src []byte, tag, text, end int) {
	if len(z.headings) >= MaxHeadings {
		return
	}
	if key := Key(string(z.plain(src[text:end]))); key != 0 {
		z.headings = append(z.headings, key)
		z.places = append(z.places, headingPlace{tag, end, key})
	}
}

// maxHeading limits the source of a heading that is read, in bytes.
const maxHeading = 4096

// plain returns the text of a piece of HTML.
func (z *zones) plain(src []byte) []byte {
	z.text = z.text[:0]
	src = src[:min(len(src), maxHeading)]
	for len(src) > 0 {
		i := bytes.IndexByte(src, '<')
		if i < 0 {
			i = len(src)
		}
		z.text = append(z.text, src[:i]...)
		src = src[i:]
		if len(src) > 0 {
			src = src[min(len(src), tagEnd(src, 1)):]
		}
	}
	return z.text
}

// tagName returns the name of the tag that begins before s, and whether it is an end tag.
func tagName(s []byte) (name []byte, isEnd bool) {
	if len(s) > 0 && s[0] == '/' {
		s, isEnd = s[1:], true
	}
	n := 0
	for n < len(s) && (s[n]|0x20 >= 'a' && s[n]|0x20 <= 'z' || n > 0 && '0' <= s[n] && s[n] <= '9') {
		n++
	}
	if n < len(s) && s[n] != '>' && s[n] != '/' && s[n] > ' ' {
		return nil, isEnd // of another element: <nav-bar>
	}
	return s[:n], isEnd
}

// is reports whether name is an element, in any case.
func is(name []byte, element string) bool {
	return len(name) == len(element) && bytes.EqualFold(name, []byte(element))
}

// tagEnd returns the offset after the tag that p is in, with ">" in quoted values left out.
func tagEnd(src []byte, p int) int {
	for p < len(src) {
		switch src[p] {
		case '>':
			return p + 1
		case '"', '\'':
			if p > 0 && src[p-1] != '=' && src[p-1] > ' ' {
				break
			}
			i := bytes.IndexByte(src[p+1:], src[p])
			if i < 0 {
				return len(src)
			}
			p += i + 1
		}
		p++
	}
	return len(src)
}

// after returns the offset after the next occurrence of s, or the end.
func after(src []byte, p int, s string) int {
	i := bytes.Index(src[p:], []byte(s))
	if i < 0 {
		return len(src)
	}
	return p + i + len(s)
}

// rawEnd returns the offset of the end tag of an element whose content is text.
func rawEnd(src []byte, p int, name []byte) int {
	for {
		i := bytes.Index(src[p:], []byte("</"))
		if i < 0 {
			return len(src)
		}
		p += i
		if called, _ := tagName(src[p+1:]); bytes.EqualFold(called, name) {
			return p
		}
		p += 2
	}
}
