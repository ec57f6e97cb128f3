package template

import (
	"bytes"

	"example.org/refract/internal/ascii"
)

// frontMatter returns the length of the metadata between lines of "---" at the start of src. Eleventy
// also accepts the name of a language after the first.
func frontMatter(src []byte) int {
	if !bytes.HasPrefix(src, []byte("---")) {
		return 0
	}
	for at := ascii.NextLine(src, 0); at < len(src); {
		end := ascii.NextLine(src, at)
		if bytes.HasPrefix(src[at:end], []byte("---")) && len(bytes.TrimSpace(src[at+3:end])) == 0 {
			return end
		}
		at = end
	}
	return 0
}

// A finder returns the offset after the next mark at or after an offset, or 0 if there is none. For
// ascending offsets, it takes time linear in the document.
type finder struct {
	src  []byte
	next map[string]int // by mark: its first place at or after the last offset
}

func (f *finder) after(mark string, at int) int {
	next, ok := f.next[mark]
	if !ok || next >= 0 && next < at {
		if next = bytes.Index(f.src[at:], []byte(mark)); next >= 0 {
			next += at
		}
		f.next[mark] = next
	}
	if next < 0 {
		return 0
	}
	return next + len(mark)
}

// Where a template stands in HTML.
type place uint8

const (
	inText      place = iota
	inTag             // between attributes
	beforeValue       // after "="
	inValue           // in a value without quotes
	inQuotes          // in a value with quotes
)

// tags masks Nunjucks or Liquid.
type tags struct {
	*Scanner
	finder
	at    int
	where place
	quote byte
}

// maskTags masks the templates of Nunjucks or Liquid in a copy of the document.
func (s *Scanner) maskTags() {
	s.text = bytes.Clone(s.src)
	t := tags{Scanner: s, finder: finder{s.src, map[string]int{}}}
	t.at = frontMatter(s.src)
	blank(s.text, 0, t.at)
	for t.at < len(s.src) {
		switch c := s.src[t.at]; {
		case c == '{' && t.template():
		case t.where == inText:
			t.inText()
		default:
			t.inTag(c)
		}
	}
}

// inText moves to the next tag or template in text.
func (t *tags) inText() {
	rest := t.Scanner.src[t.at:]
	switch {
	case rest[0] != '<':
		n := bytes.IndexAny(rest[1:], "<{")
		if n < 0 {
			n = len(rest) - 1
		}
		t.at += n + 1
		return
	case len(rest) > 1 && ascii.IsLetter(rest[1]):
		t.where = inTag
	}
	t.at++
}

// inTag moves over one byte of a tag.
func (t *tags) inTag(c byte) {
	t.at++
	switch {
	case t.where == inQuotes:
		if c == t.quote {
			t.where = inTag
		}
	case c == '>':
		t.where = inText
	case t.where == inValue && c <= ' ':
		t.where = inTag
	case t.where == beforeValue && c > ' ':
		t.where = inValue
		if c == '"' || c == '\'' {
			t.where, t.quote = inQuotes, c
		}
	case t.where == inTag && c == '=':
		t.where = beforeValue
	}
}

// template masks the template at t.at, and reports whether there is one.
func (t *tags) template() bool {
	const longest = 32 << 10
	src, at := t.Scanner.src, t.at
	if at+1 >= len(src) {
		return false
	}
	end := 0
	switch src[at+1] {
	case '{':
		end = t.after("}}", at+2)
	case '%':
		end = t.after("%}", at+2)
	case '#':
		if t.Language == Nunjucks {
			end = t.after("#}", at+2)
		}
	}
	if end == 0 || end-at > longest {
		return false
	}
	t.mask(at, end)
	if t.where == beforeValue {
		t.where = inValue
	}
	if src[at+1] == '%' {
		end = t.block(src[at+2:end-2], end)
	}
	t.at = end
	return true
}

// block masks the block that a tag which ends at an offset opens, if the text in the block is no HTML of
// the page, and returns the end of the block. For a raw block, it masks only the closing tag.
func (t *tags) block(tag []byte, end int) int {
	words := bytes.Fields(bytes.Trim(tag, "-+"))
	if len(words) == 0 {
		return end
	}
	name := string(words[0])
	isLiteral := name == "raw" || name == "verbatim"
	switch {
	case isLiteral, name == "comment", name == "highlight", name == "codeblock":
	case name == "set" && len(words) == 2:
	default:
		return end
	}
	closing := t.after("end"+name, end)
	if closing == 0 {
		return end
	}
	last := t.after("%}", closing)
	if last == 0 {
		return end
	}
	if name == "set" && !isShownAsCode(t.Scanner.src[last:], words[1]) {
		return end
	}
	from := end
	if isLiteral {
		from += max(0, bytes.LastIndex(t.Scanner.src[end:closing], []byte("{%")))
	}
	t.mask(from, last)
	return last
}

// isShownAsCode reports whether text begins with a template that shows a variable as code, as in
// {{ x | highlight("html") }}.
func isShownAsCode(text, name []byte) bool {
	rest, isValue := bytes.CutPrefix(bytes.TrimLeft(text[:min(len(text), 1<<10)], " \t\r\n{-"), name)
	rest = bytes.TrimLeft(rest, " ")
	return isValue && bytes.HasPrefix(rest, []byte("|")) && bytes.HasPrefix(bytes.TrimLeft(rest[1:], " "), []byte("highlight"))
}

// mask masks src[at:end] as suits the place.
func (t *tags) mask(at, end int) {
	if t.where == inText || t.where == inTag {
		blank(t.text, at, end)
		return
	}
	t.fill(at, end)
}
