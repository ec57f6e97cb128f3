package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

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
