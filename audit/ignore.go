package audit

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"example.org/refract/extract"
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

// ignores returns the pattern of comments that suppress findings in d.
func (d *document) ignores() *lazy.Regexp {
	switch {
	case d.isRST():
		return ignoreInRST
	case d.isAsciiDoc():
		return ignoreInAsciiDoc
	}
	return ignoreComment
}

// isExcepted reports whether a comment suppresses f. It is called only for documents with findings.
func (a *auditor) isExcepted(d *document, f *Finding) bool {
	if d.bundle != nil {
		return false
	}
	hasIgnores := d.answer(&d.hasIgnores, true, func() bool { return bytes.Contains(d.source(), []byte("refract-ignore")) })
	if hasIgnores && d.exceptions == nil {
		d.exceptions = a.exceptions(d, d.source())
	}
	n := f.Pos.Line
	return n < len(d.exceptions) && d.exceptions[n]&setOf(f.Rule) != 0
}

// A ruleSet has a bit for each rule, in the order of Rules.
type ruleSet uint32

func setOf(r Rule) ruleSet { return 1 << (slices.Index(Rules(), r) & 31) }

// exceptions returns, indexed by line number, the rules that comments suppress in each line of text.
func (a *auditor) exceptions(d *document, text []byte) []ruleSet {
	var (
		lines  = make([]ruleSet, bytes.Count(text, []byte("\n"))+3)
		code   fence
		region ruleSet // suppressed until refract-ignore-end
		next   ruleSet // suppressed in the next line that is not blank
		n      int
		offset int
		marks  = d.ignores()
	)
	for line := range bytes.Lines(text) {
		n++
		start := offset
		offset += len(line)
		lines[n] |= region
		if fenced, _ := code.next(line); fenced && d.isMarkdown() {
			continue
		}
		comments := marks.FindAllSubmatchIndex(line, -1)
		alone := len(comments) > 0 && strings.Trim(string(marks.ReplaceAll(line, nil)), " \t\r\n{}") == ""
		lines[n] |= next
		if !alone && len(bytes.TrimSpace(line)) > 0 {
			next = 0
		}
		for _, m := range comments {
			if d.isMarkdown() && isCodeSpan(line, m[0], m[1]) {
				continue
			}
			what, names := "", ""
			if m[2] >= 0 {
				what = string(line[m[2]:m[3]])
			}
			if m[4] >= 0 {
				names = string(line[m[4]:m[5]])
			}
			warn := func(format string, args ...any) {
				pos := extract.Position{Offset: int64(start + m[0]), Length: m[1] - m[0], Line: n, Column: m[0] + 1, Exact: true}
				a.results.Notes = append(a.results.Notes, Note{d.name, pos, fmt.Sprintf(format, args...)})
			}
			var set ruleSet
			for _, name := range strings.FieldsFunc(names, func(c rune) bool { return c == ' ' || c == ',' }) {
				if r := Rule(name); slices.Contains(Rules(), r) {
					set |= setOf(r)
				} else {
					warn("refract-ignore: unknown rule %q", name)
				}
			}
			if names == "" {
				set = ^ruleSet(0)
			}
			switch what {
			case "-start":
				region |= set
				lines[n] |= set
			case "-end":
				if region == 0 {
					warn("refract-ignore-end without a start")
				}
				region = 0
			case "-next-line":
				lines[n+1] |= set
			case "":
				lines[n] |= set
				if alone {
					next |= set
				}
			default:
				warn("%q is unknown: write refract-ignore, refract-ignore-next-line, refract-ignore-start or refract-ignore-end", "refract-ignore"+what)
			}
		}
	}
	return lines
}

// A fence describes the opening of the Markdown code block that a line is in.
type fence struct {
	marks  []byte // nil means no code block
	quotes int    // number of ">" before it
	indent int    // columns by which content of the enclosing list item is indented
}

// next takes the next line. code reports whether the line is in a code block, or begins or ends one.
// A block also ends with the quote or the list that it is in (CommonMark 4.5, 5).
func (f *fence) next(line []byte) (code, begins bool) {
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
			*f = fence{}
		}
		return true, false
	}
	*f = fence{}
	blanks()                  // blanks before another quote
	least := max(0, indent-3) // the list began in another line
	if least == 1 {
		least = 2
	}
	for m := listMark.Find(line); m != nil; m = listMark.Find(line) {
		line = line[len(m)-1:]
		indent += len(m) - 1
		blanks()
		least = indent
	}
	marks := line[:len(line)-len(bytes.TrimLeft(line, "`~"))]
	if len(marks) < 3 || bytes.Count(marks, marks[:1]) < len(marks) || marks[0] == '`' && bytes.IndexByte(line[len(marks):], '`') >= 0 {
		return false, false
	}
	*f = fence{marks, quotes, least}
	return true, true
}

// listMark matches the marker of a list item and the blank after it.
var listMark = lazy.New(`^(?:[-+*]|[0-9]{1,9}[.)])[ \t]`)

// isCodeSpan reports whether the range from start to end of a line is in `code`.
func isCodeSpan(line []byte, start, end int) bool {
	open := 0 // backticks
	for i := 0; i < len(line); i++ {
		n := len(line[i:]) - len(bytes.TrimLeft(line[i:], "`"))
		switch {
		case n == 0:
			continue
		case open == n && i >= end:
			return true
		case open == n:
			open = 0
		case open == 0 && i >= start:
			return false
		case open == 0:
			open = n
		}
		i += n - 1
	}
	return false
}
