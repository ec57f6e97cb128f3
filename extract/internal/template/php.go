package template

import (
	"bytes"

	"example.org/refract/internal/ascii"
)

// IsPHP reports whether a file that begins with head is a program or a template of PHP. It begins with a
// program, or with a tag or a comment of HTML and has a program.
func IsPHP(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	if len(head) == 0 || head[0] != '<' {
		return false
	}
	for at := 0; ; at++ {
		i := bytes.Index(head[at:], []byte("<?"))
		if i < 0 {
			return false
		}
		at += i
		if isProgram(head[at:]) {
			return true
		}
	}
}

// isProgram reports whether a program begins at the beginning of s ("PHP tags" of the language reference):
// "<?php" with white space behind it, "<?=", or "<?" with white space behind it.
func isProgram(s []byte) bool {
	rest, ok := bytes.CutPrefix(s, []byte("<?"))
	if !ok || len(rest) == 0 {
		return false
	}
	if len(rest) > 2 && ascii.EqualFold(rest[:3], "php") {
		rest = rest[3:]
		return len(rest) == 0 || rest[0] <= ' '
	}
	return rest[0] == '=' || rest[0] <= ' '
}

// maskPHP masks the programs of PHP in a copy of the document.
func (s *Scanner) maskPHP() {
	s.text = bytes.Clone(s.src)
	t := tags{Scanner: s}
	for t.at < len(s.src) {
		switch c := s.src[t.at]; {
		case c == '<' && isProgram(s.src[t.at:]):
			end := programEnd(s.src, t.at+len("<?"))
			t.mask(t.at, end)
			if t.where == beforeValue {
				t.where = inValue
			}
			t.at = end
		case t.where == inText:
			t.inText()
		default:
			t.inTag(c)
		}
	}
}

// programEnd returns the end of the program whose content begins at an offset: after the first "?>" outside
// strings and comments of several lines, or that of the document.
func programEnd(src []byte, at int) int {
	for at < len(src) {
		rest := src[at:]
		switch c := rest[0]; {
		case bytes.HasPrefix(rest, []byte("?>")):
			return at + 2
		case c == '"' || c == '\'' || c == '`':
			at = stringEnd(src, at)
		case bytes.HasPrefix(rest, []byte("/*")):
			at = skipTo(src, at+2, "*/")
		case c == '#' && !bytes.HasPrefix(rest, []byte("#[")), bytes.HasPrefix(rest, []byte("//")):
			at = commentEnd(src, at)
		case bytes.HasPrefix(rest, []byte("<<<")):
			at = heredocEnd(src, at+3)
		default:
			at++
		}
	}
	return len(src)
}

// skipTo returns the offset behind the next mark, or the end of src.
func skipTo(src []byte, at int, mark string) int {
	i := bytes.Index(src[at:], []byte(mark))
	if i < 0 {
		return len(src)
	}
	return at + i + len(mark)
}

// stringEnd returns the end of the string that begins with the quote at an offset.
func stringEnd(src []byte, at int) int {
	for i := at + 1; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case src[at]:
			return i + 1
		}
	}
	return len(src)
}

// commentEnd returns the end of a comment of one line: a program ends in it, too.
func commentEnd(src []byte, at int) int {
	for at < len(src) && src[at] != '\n' && src[at] != '\r' && !bytes.HasPrefix(src[at:], []byte("?>")) {
		at++
	}
	return at
}

// longestName limits the line that begins a heredoc, in bytes.
const longestName = 256

// heredocEnd returns the end of the text whose identifier begins at an offset, behind "<<<"; at if there is
// none. The closing identifier may be indented.
func heredocEnd(src []byte, at int) int {
	line, _, isLine := bytes.Cut(src[at:min(len(src), at+longestName)], []byte("\n"))
	name := bytes.Trim(line, "\"' \t\r")
	if !isLine || len(name) == 0 || !ascii.IsLetter(name[0]) && name[0] != '_' {
		return at
	}
	next := at + len(line) + 1
	for next < len(src) {
		start := next
		var end int
		end, next = ascii.Line(src, start)
		rest, isEnd := bytes.CutPrefix(bytes.TrimLeft(src[start:end], " \t"), name)
		if isEnd && (len(rest) == 0 || !ascii.IsAlnum(rest[0]) && rest[0] != '_') {
			return end - len(rest)
		}
	}
	return len(src)
}
