package audit

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/pattern"

	"example.org/refract/extract"
)

// A comment in a document says what is not to be reported there:
//
//	<!-- refract-ignore -->            in its line; if nothing else is in that, in the next
//	<!-- refract-ignore-next-line -->  in the next line
//	<!-- refract-ignore-start -->      from here to refract-ignore-end, or to the end
//
// Names of rules may follow: then only those. In CSS, and in MDX within braces, it is
// /* refract-ignore */. In code that Markdown fences it is a piece of text.
var ignoreComment = regexp.MustCompile(`(?:<!--|/\*)\s*refract-ignore(-[a-z-]+)?(?:\s+([a-z][a-z, -]*?))?\s*(?:-->|\*/)`)

// excepted reports whether a comment says that f is not to be reported. Only of documents
// in which something is found is this asked.
func (a *auditor) excepted(d *document, f *Finding) bool {
	if d.makes == unknown {
		d.makes, d.grown = answerOf(bytes.Contains(d.source(), []byte("refract-ignore"))), true
	}
	if d.makes == yes && d.exceptions == nil {
		d.exceptions = a.exceptions(d, d.source())
	}
	n := f.Ref.Pos.Line
	return n < len(d.exceptions) && d.exceptions[n]&setOf(f.Rule) != 0
}

// A ruleSet has a bit for each rule, in the order of Rules.
type ruleSet uint16

func setOf(r Rule) ruleSet { return 1 << (slices.Index(Rules(), r) & 15) }

// exceptions returns for each line of text, by its number, the rules that comments except.
func (a *auditor) exceptions(d *document, text []byte) []ruleSet {
	var (
		lines  = make([]ruleSet, bytes.Count(text, []byte("\n"))+3)
		code   fence
		region ruleSet // until refract-ignore-end
		next   ruleSet // in the next line in which there is something
		n      int
		offset int
	)
	for line := range bytes.Lines(text) {
		n++
		start := offset
		offset += len(line)
		lines[n] |= region
		if fenced, _ := code.next(line); fenced && d.kind() == markdown {
			continue
		}
		comments := ignoreComment.FindAllSubmatchIndex(line, -1)
		alone := len(comments) > 0 && strings.Trim(string(ignoreComment.ReplaceAll(line, nil)), " \t\r\n{}") == ""
		lines[n] |= next
		if !alone && len(bytes.TrimSpace(line)) > 0 {
			next = 0
		}
		for _, m := range comments {
			what, names := "", ""
			if m[2] >= 0 {
				what = string(line[m[2]:m[3]])
			}
			if m[4] >= 0 {
				names = string(line[m[4]:m[5]])
			}
			odd := func(format string, args ...any) {
				pos := extract.Position{Offset: int64(start + m[0]), Length: m[1] - m[0], Line: n, Column: m[0] + 1, Exact: true}
				a.report.Notes = append(a.report.Notes, Note{d.name, pos, fmt.Sprintf(format, args...)})
			}
			var set ruleSet
			for _, name := range strings.FieldsFunc(names, func(c rune) bool { return c == ' ' || c == ',' }) {
				if r := Rule(name); slices.Contains(Rules(), r) {
					set |= setOf(r)
				} else {
					odd("refract-ignore: there is no rule %q", name)
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
					odd("refract-ignore-end without a start")
				}
				region = 0
			case "-next-line":
				lines[n+1] |= set
			case "":
				if lines[n] |= set; alone {
					next |= set
				}
			default:
				odd("there is refract-ignore, -next-line, -start and -end, and no %q", "refract-ignore"+what)
			}
		}
	}
	return lines
}

// A fence is what begins the block of code of Markdown that a line is in.
type fence []byte

// next takes the next line, and reports whether it is in code, or begins or ends it.
func (f *fence) next(line []byte) (code, begins bool) {
	line = bytes.TrimLeft(line, " \t>")
	marks := line[:len(line)-len(bytes.TrimLeft(line, "`~"))]
	switch {
	case *f != nil:
		if bytes.HasPrefix(marks, *f) {
			*f = nil
		}
		return true, false
	case len(marks) >= 3 && bytes.Count(marks, marks[:1]) == len(marks) && bytes.IndexByte(line[len(marks):], '`') < 0:
		*f = marks
		return true, true
	}
	return false, false
}

// A reference that Options.Ignore matches is not reported, whatever is wrong with it.
func (a *auditor) prepareIgnore() error {
	for _, glob := range a.Ignore {
		expr, err := pattern.Regexp(glob, pattern.EntireString|pattern.ExtendedOperators)
		if err != nil {
			return fmt.Errorf("ignore %q: %w", glob, err)
		}
		re, err := regexp.Compile(expr)
		if err != nil {
			return fmt.Errorf("ignore %q: %w", glob, err)
		}
		a.ignored = append(a.ignored, re)
	}
	return nil
}
