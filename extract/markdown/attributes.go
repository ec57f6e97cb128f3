package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// headingID returns the range in source of the id that a heading gives itself in a dialect, and the end of
// the heading's text, which stops before an attribute list even if that has no id.
func (d Dialect) headingID(source string) (id scan.Span, text int) {
	switch d.Attributes {
	case AttributesAny:
		return explicitID(source)
	case AttributesNone, AttributesMyST:
		return scan.Span{}, len(source)
	case AttributesBrackets:
		return bracketID(source)
	}
	trimmed := strings.TrimRight(source, " \t#")
	brace := strings.LastIndexByte(trimmed, '{')
	if brace < 0 || !strings.HasSuffix(trimmed, "}") {
		return scan.Span{}, len(source)
	}
	if d.MDX && d.Attributes == AttributesHeadings && strings.HasPrefix(trimmed[brace:], "{/*") {
		return commentID(source, brace, len(trimmed))
	}
	hasColon := strings.HasPrefix(trimmed[brace+1:], ":")
	if hasColon && d.Attributes != AttributesPython || d.Attributes == AttributesPython && brace > 0 && trimmed[brace-1] != ' ' && trimmed[brace-1] != '\t' {
		return scan.Span{}, len(source)
	}
	list := scan.Span{Start: brace + 1, End: len(trimmed) - 1}
	if brace > 0 && trimmed[brace-1] == '\\' && d.Attributes == AttributesHeadings { // \{#id\}, for MDX
		list.End -= len(trimmed[:list.End]) - len(strings.TrimSuffix(trimmed[:list.End], "\\"))
	}
	id, ok := attributeID(trimmed, list)
	isID := id.Start < id.End
	if !ok || !isID && (d.Attributes == AttributesHeadings || d.Attributes == AttributesKramdown) {
		return scan.Span{}, len(source)
	}
	return id, len(strings.TrimRight(source[:brace], " \t"))
}

// commentID returns the id in the MDX comment source[open:end], "{/* #id */}" (Docusaurus 3.10), and where
// the text of the heading ends. Other comments stay in the text.
func commentID(source string, open, end int) (id scan.Span, text int) {
	inner, isComment := strings.CutSuffix(source[open+len("{/*"):end], "*/}")
	name := strings.TrimSpace(inner)
	if !isComment || len(name) < 2 || name[0] != '#' || strings.ContainsAny(name, " \t") {
		return scan.Span{}, len(source)
	}
	start := open + len("{/*") + strings.IndexByte(inner, '#') + 1
	return scan.Span{Start: start, End: start + len(name) - 1}, len(strings.TrimRight(source[:open], " \t"))
}

// bracketID returns the range in source of the id in "[#id]" at the end of a heading, and the end of the
// text before it.
func bracketID(source string) (id scan.Span, text int) {
	trimmed := strings.TrimRight(source, " \t#")
	at := strings.LastIndexByte(trimmed, '[')
	if at < 0 || !strings.HasSuffix(trimmed, "]") || !strings.HasPrefix(trimmed[at+1:], "#") || len(trimmed)-at < 4 {
		return scan.Span{}, len(source)
	}
	return scan.Span{Start: at + 2, End: len(trimmed) - 1}, len(strings.TrimRight(source[:at], " \t"))
}

// attributeID returns the range of the id in the attribute list at a span of s; the list may begin with a
// colon. ok is false if the span is not an attribute list. If there are several ids, the last counts.
func attributeID(s string, at scan.Span) (id scan.Span, ok bool) {
	i := at.Start
	if i < at.End && s[i] == ':' {
		i++
	}
	for i < at.End {
		if s[i] == ' ' || s[i] == '\t' {
			i++
			continue
		}
		start := i
		for i < at.End && s[i] != ' ' && s[i] != '\t' && s[i] != '=' {
			i++
		}
		word := s[start:i]
		if i < at.End && s[i] == '=' {
			i++
			from := i
			if i < at.End && (s[i] == '"' || s[i] == '\'') {
				n := strings.IndexByte(s[i+1:at.End], s[i])
				if n < 0 {
					return scan.Span{}, false
				}
				from, i = i+1, i+1+n
			} else {
				for i < at.End && s[i] != ' ' && s[i] != '\t' {
					i++
				}
			}
			if word == "id" {
				id = scan.Span{Start: from, End: i}
			}
			if i < at.End && (s[i] == '"' || s[i] == '\'') {
				i++
			}
			ok = true
			continue
		}
		switch {
		case len(word) > 1 && word[0] == '#':
			id = scan.Span{Start: start + 1, End: i}
		case len(word) > 1 && word[0] == '.':
		case word[0] < 0x80 && strings.ContainsRune("{}()<>|%$!?*/\\\"'`;:,", rune(word[0])):
			return scan.Span{}, false
		}
		ok = true
	}
	return id, ok
}

// cutAttributes returns the text of a heading without the attribute list at its end.
func (d Dialect) cutAttributes(text string) string {
	open := byte('{')
	if d.Attributes == AttributesBrackets {
		open = '['
	}
	if i := strings.LastIndexByte(text, open); i >= 0 {
		return strings.TrimRight(text[:i], " \t")
	}
	return text
}

// attributes yields the ids of the attribute lists in src[start:stop], a run of text.
func (c *collector) attributes(first, last ast.Node, start, stop int) {
	d := c.Dialect
	if d.Attributes <= AttributesHeadings || d.Attributes == AttributesBrackets {
		return
	}
	for i := start; i < stop; i++ {
		open := bytes.IndexByte(c.src[i:stop], '{')
		if open < 0 {
			return
		}
		i += open
		const longest = 512
		end := bytes.IndexByte(c.src[i:min(stop, i+longest)], '}')
		if end < 0 {
			continue
		}
		end += i
		if !c.givesID(first, last, scan.Span{Start: i, End: end + 1}, scan.Span{Start: start, End: stop}) {
			continue
		}
		id, ok := attributeID(string(c.src[i:end]), scan.Span{Start: 1, End: end - i})
		if ok && id.Start < id.End {
			at := scan.Span{Start: c.body + i + id.Start, End: c.body + i + id.End}
			it := scan.Item{Op: scan.Anchor, In: "attribute", Span: at, Value: c.Scanner.src[at.Start:at.End], More: c.moreOf()}
			it.More.NameSpan = at
			c.add(it)
		}
		i = end
	}
}

// givesID reports whether the list in braces at a span of src, in a run of text, gives an element
// an id in the dialect.
func (c *collector) givesID(first, last ast.Node, at, run scan.Span) bool {
	d := c.Dialect
	hasColon := at.Start+1 < at.End && c.src[at.Start+1] == ':'
	// The list follows an inline element.
	if at.Start == run.Start && first.PreviousSibling() != nil || at.Start > 0 && bytes.IndexByte([]byte("*_~^"), c.src[at.Start-1]) >= 0 && at.Start > run.Start {
		if bytes.IndexByte([]byte(" \t\n"), c.src[max(at.Start-1, 0)]) < 0 {
			switch d.Attributes {
			case AttributesPython:
				return true
			case AttributesKramdown:
				return hasColon
			case AttributesMarkdownIt, AttributesMyST:
				return !hasColon
			}
			return false
		}
	}
	if last.Parent().Kind() == ast.KindHeading {
		return false // see headingID
	}
	isAlone := isAlone(c.src, at.Start, at.End)
	switch d.Attributes {
	case AttributesPython:
		// The list is on the last line of a block that has other lines.
		isLast := last.NextSibling() == nil && first.PreviousSibling() != nil || at.Start > run.Start && at.End == run.End
		return isAlone && isLast || last.Parent().Kind() == east.KindTableCell && at.End == run.End
	case AttributesKramdown:
		return hasColon && isAlone
	case AttributesBlocks, AttributesMyST:
		return !hasColon && isAlone
	case AttributesMarkdownIt:
		return !hasColon && (isAlone || last.NextSibling() == nil && at.End == run.End)
	}
	return false
}

// fenceID yields the id in the attribute list after a fence of code, which Python-Markdown's
// extensions read.
func (c *collector) fenceID(n *ast.FencedCodeBlock) {
	if c.Dialect.Attributes != AttributesPython || !c.Anchors || c.outline || n.Info == nil {
		return
	}
	info := n.Info.Segment
	text := string(info.Value(c.src))
	open, end := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')
	if open < 0 || end < open {
		return
	}
	if id, ok := attributeID(text, scan.Span{Start: open + 1, End: end}); ok && id.Start < id.End {
		at := scan.Span{Start: c.body + info.Start + id.Start, End: c.body + info.Start + id.End}
		it := scan.Item{Op: scan.Anchor, In: "attribute", Span: at, Value: c.Scanner.src[at.Start:at.End], More: c.moreOf()}
		it.More.NameSpan = at
		c.add(it)
	}
}

// blockID yields the id "^id" at the end of src[start:stop], a run of text that ends with n, if
// nothing follows it in its block.
func (c *collector) blockID(n ast.Node, start, stop int) {
	if !c.Dialect.BlockIDs || n.NextSibling() != nil {
		return
	}
	line := bytes.TrimRight(c.src[start:stop], " \t")
	i := len(line)
	for i > 0 && (ascii.IsAlnum(line[i-1]) || line[i-1] == '-') {
		i--
	}
	if i == 0 || i == len(line) || line[i-1] != '^' || i > 1 && line[i-2] != ' ' && line[i-2] != '\t' {
		return
	}
	at := scan.Span{Start: c.body + start + i - 1, End: c.body + start + len(line)}
	it := scan.Item{Op: scan.Anchor, In: "block", Span: at, Value: c.Scanner.src[at.Start:at.End], More: c.moreOf()}
	it.More.NameSpan = at
	c.add(it)
}
