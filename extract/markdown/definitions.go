package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"example.org/refract/extract/scan"
)

// takeDefinitions takes the lines of a paragraph that are complete definitions, wherever they stand in it.
func takeDefinitions(n *ast.Paragraph, src []byte, pc parser.Context) {
	lines := n.Lines()
	if n.Parent() == nil || lines.Len() < 2 {
		return // the first line is not a definition, or goldmark has taken it
	}
	c := collectorOf(pc)
	definer := definer{pc, c.context}
	kept := 0
	for i := range lines.Len() {
		at := lines.At(i)
		if d := titledDefinition(src, at); d != nil && i > 0 && column(src, at) < column(src, lines.At(0))+4 {
			c.chargeDefinition()
			c.check()
			definer.AddReference(parser.NewReference(d.Label, d.Destination, nil))
			c.definition(d)
			continue
		}
		lines.Set(kept, at)
		kept++
	}
	lines.SetSliced(0, kept)
}

// column returns the number of bytes before the text of a line.
func column(src []byte, at text.Segment) int {
	blanks := at.Len() - len(bytes.TrimLeft(src[at.Start:at.Stop], " \t"))
	return at.Start + blanks - 1 - bytes.LastIndexByte(src[:at.Start], '\n')
}

// titledDefinition is usualDefinition for a line that may end with a title.
func titledDefinition(src []byte, at text.Segment) *ast.LinkReferenceDefinition {
	if !begins(src, at, '[') {
		return nil
	}
	line := src[at.Start:at.Stop]
	i := bytes.Index(line, []byte("]:"))
	if i < 0 {
		return nil
	}
	blanks := len(line[i+2:]) - len(bytes.TrimLeft(line[i+2:], " \t"))
	from := i + 2 + blanks
	if end := bytes.IndexAny(line[from:], " \t\r\n"); end > 0 {
		title := bytes.TrimSpace(line[from+end:])
		closing := map[byte]byte{'"': '"', '\'': '\'', '(': ')'}
		if len(title) > 1 && closing[title[0]] != 0 && title[len(title)-1] == closing[title[0]] {
			at.Stop = at.Start + from + end
		}
	}
	return usualDefinition(src, at)
}

// FootnoteSpace is the Space of the names of footnotes: an Anchor for [^name]:, and a Mention for each
// [^name] that refers to one.
const FootnoteSpace = "footnote"

// defineNote adds the name of the footnote that is defined at src[start:end].
func (c *collector) defineNote(start, end int) {
	label := labelOf(c.src[start:end])
	if c.notes == nil {
		c.notes = map[string]bool{}
	}
	c.notes[label] = true
	it := scan.Item{Op: scan.Anchor, In: "footnote", Space: FootnoteSpace, Value: []byte(label), More: c.moreOf()}
	it.Span = scan.Span{Start: c.body + start, End: c.body + end}
	it.More.NameSpan = it.Span
	c.add(it)
}

// noteUse keeps the use of a footnote that ends with the bracket at src[bracket], which ends no link. As in
// cmark-gfm, [^name] is the use of a footnote only if it is nothing else. The bracket before it is at most
// one label away.
func (c *collector) noteUse(bracket int) {
	first := max(0, bracket-maxLabel)
	open := first + bytes.LastIndexAny(c.src[first:bracket], "[] \t\r\n`<")
	if open < first || c.src[open] != '[' || bracket-open < len("[^x") || c.src[open+1] != '^' || isEscaped(c.src, open) {
		return
	}
	c.noteUses = append(c.noteUses, scan.Span{Start: open + len("[^"), End: bracket})
}

// isEscaped reports whether src[at] follows an odd number of backslashes.
func isEscaped(src []byte, at int) bool {
	n := at - len(bytes.TrimRight(src[:at], `\`))
	return n%2 == 1
}

// mentionNotes adds the uses of footnotes, once it is known which are defined.
func (c *collector) mentionNotes() {
	for _, at := range c.noteUses {
		if label := labelOf(c.src[at.Start:at.End]); c.notes[label] {
			c.add(scan.Item{Op: scan.Mention, In: "footnote", Space: FootnoteSpace, Span: scan.Span{Start: c.body + at.Start, End: c.body + at.End}, Value: []byte(label)})
		}
	}
}
