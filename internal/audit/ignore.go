package audit

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"example.org/refract/extract"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/rule"
)

// isExcepted reports whether a comment suppresses f. It is called only for documents with findings.
func (a *auditor) isExcepted(d *doc.Document, f *Finding) bool {
	if d.Bundle != nil {
		return false
	}
	hasIgnores := d.Answer(&d.HasIgnores, func() bool { return bytes.Contains(d.Source(), []byte("refract-ignore")) })
	if hasIgnores && d.Exceptions == nil {
		d.Exceptions = a.exceptions(d, d.Source())
	}
	n := f.Pos.Line
	return n < len(d.Exceptions) && d.Exceptions[n]&setOf(f.Rule) != 0
}

func setOf(r rule.Rule) doc.RuleSet { return 1 << (slices.Index(rule.Rules(), r) & 31) }

// exceptions returns, indexed by line number, the rules that comments suppress in each line of text.
func (a *auditor) exceptions(d *doc.Document, text []byte) []doc.RuleSet {
	var (
		lines  = make([]doc.RuleSet, bytes.Count(text, []byte("\n"))+3)
		code   doc.Fence
		region doc.RuleSet // suppressed until refract-ignore-end
		next   doc.RuleSet // suppressed in the next line that is not blank
		n      int
		offset int
		marks  = d.Ignores()
	)
	for line := range bytes.Lines(text) {
		n++
		start := offset
		offset += len(line)
		lines[n] |= region
		if fenced, _ := code.Next(line); fenced && d.IsMarkdown() {
			continue
		}
		comments := marks.FindAllSubmatchIndex(line, -1)
		alone := len(comments) > 0 && strings.Trim(string(marks.ReplaceAll(line, nil)), " \t\r\n{}") == ""
		lines[n] |= next
		if !alone && len(bytes.TrimSpace(line)) > 0 {
			next = 0
		}
		for _, m := range comments {
			if d.IsMarkdown() && isCodeSpan(line, m[0], m[1]) {
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
				a.results.Notes = append(a.results.Notes, Note{d.Name, pos, fmt.Sprintf(format, args...)})
			}
			var set doc.RuleSet
			for _, name := range strings.FieldsFunc(names, func(c rune) bool { return c == ' ' || c == ',' }) {
				if r := rule.Rule(name); slices.Contains(rule.Rules(), r) {
					set |= setOf(r)
				} else {
					warn("refract-ignore: unknown rule %q", name)
				}
			}
			if names == "" {
				set = ^doc.RuleSet(0)
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
