package doc

import (
	"bytes"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/lazy"
)

// A comment in a document suppresses findings there:
//
//	<!-- refract-ignore -->            in its line; if nothing else is in that, in the next
//	<!-- refract-ignore-next-line -->  in the next line
//	<!-- refract-ignore-start -->      from here to refract-ignore-end, or to the end
//
// In reStructuredText it is ".. refract-ignore", and in AsciiDoc "// refract-ignore", in a line of its own.
// Names of rules may follow, to suppress only those. In CSS, and in MDX within braces, it is
// /* refract-ignore */. In Markdown code, fenced or inline, it is ordinary text.
var ignoreComment = lazy.New(`(?:<!--|/\*)\s*refract-ignore(-[a-z-]+)?(?:\s+([a-z][a-z, -]*?))?\s*(?:-->|\*/)`)

var (
	ignoreInRST      = lazy.New(`^[ \t]*\.\. refract-ignore(-[a-z-]+)?(?:\s+([a-z][a-z, -]*?))?\s*$`)
	ignoreInAsciiDoc = lazy.New(`^//[ \t]*refract-ignore(-[a-z-]+)?(?:\s+([a-z][a-z, -]*?))?\s*$`)
)

// Ignores returns the pattern of comments that suppress findings in d.
func (d *Document) Ignores() *lazy.Regexp {
	switch {
	case d.IsRST():
		return ignoreInRST
	case d.IsAsciiDoc():
		return ignoreInAsciiDoc
	}
	return ignoreComment
}

// A RuleSet has a bit for each rule, in the order of Rules.
type RuleSet uint32

// A Fence describes the opening of the Markdown code block that a line is in.
type Fence struct {
	marks  []byte // nil means no code block
	quotes int    // number of ">" before it
	indent int    // columns by which content of the enclosing list item is indented
}

// Next takes the next line. code reports whether the line is in a code block, or begins or ends one.
// A block also ends with the quote or the list that it is in (CommonMark 4.5, 5).
func (f *Fence) Next(line []byte) (code, begins bool) {
	quotes, indent := 0, 0
	blanks := func() {
		for ; len(line) > 0; line = line[1:] {
			switch c := line[0]; {
			case c == ' ':
				indent++
			case c == '\t':
				indent += 4 - indent%4
			case c == '>' && (f.marks == nil || quotes < f.quotes):
				quotes, indent = quotes+1, 0
			default:
				return
			}
		}
	}
	blanks()
	if f.marks != nil && quotes == f.quotes && (indent >= f.indent || len(bytes.TrimSpace(line)) == 0) {
		if rest := bytes.TrimLeft(line, string(f.marks[:1])); len(line)-len(rest) >= len(f.marks) && len(bytes.TrimSpace(rest)) == 0 {
			*f = Fence{}
		}
		return true, false
	}
	*f = Fence{}
	blanks()                  // spaces before another quote
	least := max(0, indent-3) // the list began in another line
	if least == 1 {
		least = 2
	}
	for m := findListMark(line); m != nil; m = findListMark(line) {
		line = line[len(m)-1:]
		indent += len(m) - 1
		blanks()
		least = indent
	}
	marks := line[:len(line)-len(bytes.TrimLeft(line, "`~"))]
	if len(marks) < 3 || bytes.Count(marks, marks[:1]) < len(marks) || marks[0] == '`' && bytes.IndexByte(line[len(marks):], '`') >= 0 {
		return false, false
	}
	*f = Fence{marks, quotes, least}
	return true, true
}

// listMark matches the marker of a list item and the blank after it.
var listMark = lazy.New(`^(?:[-+*]|[0-9]{1,9}[.)])[ \t]`)

// findListMark returns the marker at the beginning of a line, or nil. Few lines begin with a character of one.
func findListMark(line []byte) []byte {
	if len(line) == 0 || !ascii.IsDigit(line[0]) && line[0] != '-' && line[0] != '+' && line[0] != '*' {
		return nil
	}
	return listMark.Find(line)
}
