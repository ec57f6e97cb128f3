package move

import (
	"bytes"
	"errors"
	"fmt"

	"slices"
	"strings"
	"unicode/utf8"

	"example.org/refract/extract"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/lazy"
)

// renamed returns the text of a document with another heading, and the text of the heading before.
func renamed(report *audit.Report, h *Heading, text []byte) (made []byte, was string, err error) {
	found, ok := report.Heading(h.Path, h.ID)
	if h.ID == "" {
		found, ok = report.HeadingAt(h.Path, h.Line)
	}
	if !ok {
		return nil, "", fmt.Errorf("%s has no heading with the id %q", h.Path, h.ID)
	}
	if id, isMade := report.IDOfBuild(h.Path, found.Line); isMade {
		return nil, "", fmt.Errorf("line %d of %s: the build gives this heading the id %q by a rule that is not known here, so that its next id is not known: edit it and its links by hand", found.Line, h.Path, id)
	}
	wanted := strings.TrimSpace(h.Text)
	if wanted == "" || strings.ContainsAny(wanted, "\r\n") {
		return nil, "", errors.New("the new heading must be one line of text")
	}
	lines := bytes.SplitAfter(text, []byte{'\n'})
	if found.Line > len(lines) {
		return nil, "", errors.New("the document has changed")
	}
	i := found.Line - 1
	body, end := cutEnd(lines[i])
	from, to, ok := textOf(string(body), &found)
	if !ok {
		return nil, "", fmt.Errorf("the text of the heading in line %d was not found", found.Line)
	}
	old := string(body[from:to])
	lines[i] = slices.Concat(body[:from], []byte(wanted), body[to:], end)
	underline(lines, i, old, wanted, found.Format)
	return bytes.Join(lines, nil), old, nil
}

// cutEnd cuts the line break off a line.
func cutEnd(line []byte) (body, end []byte) {
	n := len(bytes.TrimRight(line, "\r\n"))
	return line[:n], line[n:]
}

// attributes matches an explicit id or attributes behind a heading, a sequence of "#" that closes it, or at
// least its end.
var attributes = lazy.New(`([ \t]+\{[^{}]*\}|[ \t]+\{/\*.*?\*/\})?([ \t]+#+)?[ \t]*$`)

// sectionTitle matches the line of a title of AsciiDoc.
var sectionTitle = lazy.New(`^(?:[=#]{1,6}[ \t]+)?(\S.*?)(?:[ \t]+[=#]{1,6})?[ \t]*$`)

// textOf returns the range of the text of a heading in its line, without attributes behind it.
func textOf(line string, h *doc.Heading) (from, to int, ok bool) {
	if h.Format == extract.SectionFragments {
		m := sectionTitle.Compiled().FindStringSubmatchIndex(line)
		if m == nil {
			return 0, 0, false
		}
		return m[2], m[3], true
	}
	source := h.Source
	if source == "" {
		source = h.Text
	}
	source = strings.TrimSpace(source)
	from = strings.Index(line, source)
	if from < 0 || source == "" {
		return 0, 0, false
	}
	to = from + len(source)
	if h.Format == extract.GeneratedFragments || h.Format == extract.SimilarFragments {
		to = from + attributes.Compiled().FindStringIndex(source)[0] // not at 0: there is no blank in front
	}
	return from, to, true
}

// underline makes the lines of punctuation below a title, and above it, as long as the new title if
// they were as long as the old one, or would be too short.
func underline(lines [][]byte, i int, old, title string, format extract.Fragments) {
	if format != extract.TitleFragments && format != extract.SectionFragments {
		return
	}
	for _, at := range []int{i - 1, i + 1} {
		if at < 0 || at >= len(lines) {
			continue
		}
		body, end := cutEnd(lines[at])
		rule := bytes.TrimRight(body, " \t")
		if len(rule) < 2 || len(bytes.Trim(rule, string(rule[:1]))) > 0 || !strings.Contains("=-~^\"'`#*+._:", string(rule[:1])) {
			continue
		}
		width := utf8.RuneCountInString(title)
		if len(rule) == utf8.RuneCountInString(old) || len(rule) < width || format == extract.SectionFragments {
			lines[at] = slices.Concat(bytes.Repeat(rule[:1], max(width, 2)), end)
		}
	}
}
