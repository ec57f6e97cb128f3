package passthrough

import (
	"iter"
	"strings"

	"example.org/refract/internal/ascii"
)

// maxGroup is the length in bytes of the longest text in braces, brackets or quotes.
const maxGroup = 8 << 10

// elements goes through the start tags in a source of JSX, Vue, Svelte or Astro.
type elements struct {
	text       string
	at         int
	effort     int // bytes that may still be read, so that the time is linear: tags may be in attributes of others
	name       string
	attributes []attribute
}

// An attribute whose value is an expression.
type attribute struct{ name, value string }

// next reads the next start tag, and reports whether there is one.
func (e *elements) next() bool {
	for e.effort > 0 {
		i := strings.IndexByte(e.text[e.at:], '<')
		if i < 0 {
			return false
		}
		e.at += i + 1
		n := 0
		for e.at+n < len(e.text) && isTagByte(e.text[e.at+n]) {
			n++
		}
		if n == 0 || !ascii.IsLetter(e.text[e.at]) {
			continue
		}
		e.name = e.text[e.at : e.at+n]
		e.at += n
		if e.read() {
			return true
		}
	}
	return false
}

func isTagByte(c byte) bool { return ascii.IsAlnum(c) || c == '-' || c == '.' || c == '_' }

// read reads the attributes of a tag whose name ends before e.at. It leaves e.at there, since expressions
// may have tags.
func (e *elements) read() bool {
	e.attributes = e.attributes[:0]
	text := e.text[e.at:]
	i := 0
	defer func() { e.effort -= i }()
	for i < len(text) {
		switch c := text[i]; {
		case ascii.IsHTMLSpace(c) || c == '/':
			i++
		case c == '>':
			return true
		case c == '{': // Svelte and Astro: {name}, and what is spread
			n := closing(text[i:])
			if n == 0 {
				i += maxGroup
				return false
			}
			if name := strings.TrimSpace(text[i+1 : i+n-1]); isName(name) {
				e.attributes = append(e.attributes, attribute{name, name})
			}
			i += n
		case c == '<' || c == '=' || c == '"' || c == '\'':
			return false
		default:
			n := e.attribute(text[i:])
			if n == 0 {
				i += maxGroup
				return false
			}
			i += n
		}
	}
	return false
}

// attribute reads the attribute that text begins with, and returns its length, or 0.
func (e *elements) attribute(text string) int {
	n := strings.IndexAny(text, " \t\r\n=>/{<")
	if n <= 0 {
		return 0
	}
	name := text[:n]
	if text[n] != '=' || n+1 == len(text) {
		return n
	}
	rest := text[n+1:]
	size := 0
	switch rest[0] {
	case '{':
		size = closing(rest)
		if size > 0 {
			e.attributes = append(e.attributes, attribute{name, rest[1 : size-1]})
		}
	case '"', '\'':
		size = strings.IndexByte(rest[1:min(len(rest), maxGroup)], rest[0]) + 2
		if size < 2 {
			return 0
		}
		value := rest[1 : size-1]
		bound, isBound := strings.CutPrefix(name, ":")
		if !isBound {
			bound, isBound = strings.CutPrefix(name, "v-bind:")
		}
		switch {
		case isBound: // Vue
			e.attributes = append(e.attributes, attribute{bound, value})
		case strings.HasPrefix(value, "{") && closing(value) == len(value): // Svelte
			e.attributes = append(e.attributes, attribute{name, value[1 : len(value)-1]})
		case strings.Contains(value, "{"):
			e.attributes = append(e.attributes, attribute{name, "`" + strings.ReplaceAll(value, "{", "${") + "`"})
		}
	default:
		size = strings.IndexAny(rest, " \t\r\n>")
	}
	if size > 0 {
		size += n + 1
	}
	return max(size, 0)
}

// closing returns the length of the group in braces, brackets or parentheses that text begins with, or 0 if
// it has no end or is too long. Text in quotes does not count.
func closing(text string) int {
	depth := 0
	quote := byte(0)
	for i := 0; i < min(len(text), maxGroup); i++ {
		switch c := text[i]; {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote || c == '\n' && quote != '`' {
				quote = 0
			}
		case c == '"' || c == '\'' || c == '`':
			quote = c
		case c == '{' || c == '[' || c == '(':
			depth++
		case c == '}' || c == ']' || c == ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// topLevel yields the parts of a list between commas that are not in groups or quotes.
func topLevel(list string) iter.Seq[string] {
	return func(yield func(string) bool) {
		start := 0
		for i := 0; i < len(list); i++ {
			switch list[i] {
			case ',':
				if !yield(list[start:i]) {
					return
				}
				start = i + 1
			case '{', '[', '(':
				n := closing(list[i:])
				if n == 0 {
					return
				}
				i += n - 1
			case '\'', '"', '`':
				i += max(strings.IndexByte(list[i+1:], list[i])+1, 0)
			}
		}
		yield(list[start:])
	}
}
