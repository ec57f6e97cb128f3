package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// takeDefinitions takes the lines of a paragraph that are complete definitions, wherever they
// stand in it.
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
