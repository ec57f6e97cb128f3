package antora

import (
	"bytes"

	"example.org/refract/internal/lazy"
)

// beforeTitle matches the lines that may stand before the title of a document: attributes, comments, attributes and
// titles of blocks, and conditions. continued is the beginning of a value that the next line goes on with.
var (
	beforeTitle = lazy.New(`^(?::[^:\s][^:\n]*:(?:\s|$)|//|\[.*\]\s*$|\.[^\s.]|(?:ifdef|ifndef|ifeval|endif|include)::)`)
	continued   = lazy.New(`^:[^:\s][^:\n]*:.*\\\s*$`)
)

// header returns the beginning of a document up to the end of its header, with blanks in place of a byte order mark and
// of blocks of comments. Antora reads the attributes of a page there, and not those of its body. Before a title, blank
// lines do not end the header. Source: Antora 3.1.
func header(text []byte) []byte {
	text = bytes.Clone(text)
	blank(text[:len(text)-len(bytes.TrimPrefix(text, []byte("\ufeff")))])
	hasTitle, isComment, isValue := false, false, false
	at := 0
	for line := range bytes.Lines(text) {
		start := at
		at += len(line)
		if start == 0 {
			line = bytes.TrimLeft(line, " ")
		}
		line = bytes.TrimRight(line, " \t\r\n")
		isFence := len(line) >= 4 && len(bytes.Trim(line, "/")) == 0
		switch {
		case isComment, isFence:
			isComment = isComment != isFence
			blank(line)
		case isValue:
			isValue = bytes.HasSuffix(line, []byte{'\\'})
		case len(line) == 0:
			if hasTitle {
				return text[:start]
			}
		case continued.Match(line):
			isValue = true
		case hasTitle, beforeTitle.Match(line):
		default:
			next, _, _ := bytes.Cut(text[at:], []byte("\n"))
			next = bytes.TrimSpace(next)
			isUnderlined := len(next) > 0 && len(bytes.Trim(next, "=")) == 0
			hasTitle = isUnderlined || bytes.HasPrefix(line, []byte("= ")) || bytes.HasPrefix(line, []byte("# "))
			if !hasTitle {
				return text[:start]
			}
		}
	}
	return text
}

func blank(text []byte) {
	for i := range text {
		text[i] = ' '
	}
}
