package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// tables makes tables of paragraphs (GFM section 4.10), and strikethrough is "~~" (GFM section 6.5). Both
// build the same trees as goldmark's extensions, without alignments. Importing the extensions would compile
// unused regular expressions each time the program starts: a seventh of the time of a run on an empty file.
type tables struct{}

func (tables) Transform(n *ast.Paragraph, reader text.Reader, _ parser.Context) {
	lines, src := n.Lines(), reader.Source()
	for i := 1; i < lines.Len(); i++ {
		columns := columnsOf(src[lines.At(i).Start:lines.At(i).Stop])
		if columns == 0 {
			continue
		}
		head := tableRow(lines.At(i-1), src, columns, true)
		if head.ChildCount() != columns {
			return
		}
		table := east.NewTable()
		table.SetPos(n.Pos())
		table.AppendChild(table, east.NewTableHeader(head))
		for j := i + 1; j < lines.Len(); j++ {
			table.AppendChild(table, tableRow(lines.At(j), src, columns, false))
		}
		parent := n.Parent()
		parent.InsertAfter(parent, n, table)
		lines.SetSliced(0, i-1)
		if i == 1 {
			parent.RemoveChild(parent, n)
			return
		}
		last := lines.At(i - 2)
		last.Stop-- // the line break
		lines.Set(i-2, last)
		return
	}
}

// columnsOf returns how many columns the delimiter row line declares; 0 if it is none.
func columnsOf(line []byte) int {
	if indent, _ := util.IndentWidth(line, 0); indent > 3 || !isRule(line) || len(bytes.Trim(line, "-")) == 0 {
		return 0
	}
	cells := bytes.Split(line, []byte{'|'})
	if util.IsBlank(cells[0]) {
		cells = cells[1:]
	}
	if len(cells) > 0 && util.IsBlank(cells[len(cells)-1]) {
		cells = cells[:len(cells)-1]
	}
	for _, cell := range cells {
		cell = bytes.Trim(cell, "\t\n\f\r ")
		cell = bytes.TrimSuffix(bytes.TrimPrefix(cell, []byte{':'}), []byte{':'})
		if len(cell) == 0 || len(bytes.Trim(cell, "-")) > 0 {
			return 0
		}
	}
	return len(cells)
}

// tableRow returns the row in line. Only a head has more cells than there are columns; no row has fewer.
func tableRow(line text.Segment, src []byte, columns int, isHead bool) *east.TableRow {
	row := east.NewTableRow(nil)
	row.SetPos(line.Start)
	from := line.TrimLeftSpace(src)
	from = from.TrimRightSpace(src)
	s := from.Value(src)
	at, end := 0, len(s)
	if end > 0 && s[0] == '|' {
		at++
	}
	if end > 0 && s[end-1] == '|' {
		end--
	}
	n := 0
	for ; at < end && (isHead || n < columns); n++ {
		next := at
		for next < end && (s[next] != '|' || next > 0 && s[next-1] == '\\') {
			next++
		}
		cell := east.NewTableCell()
		cell.SetPos(line.Start + at - line.Padding)
		content := text.NewSegment(from.Start+at, from.Start+next)
		content = content.TrimLeftSpace(src)
		cell.Lines().Append(content.TrimRightSpace(src))
		row.AppendChild(row, cell)
		at = next + 1
	}
	for ; n < columns; n++ {
		row.AppendChild(row, east.NewTableCell())
	}
	return row
}

// strikethrough parses "~" and "~~".
type strikethrough struct{}

func (strikethrough) IsDelimiter(b byte) bool { return b == '~' }

func (strikethrough) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char
}

func (strikethrough) OnMatch(int) ast.Node { return east.NewStrikethrough() }

func (strikethrough) Trigger() []byte { return []byte{'~'} }

func (s strikethrough) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, at := block.PeekLine()
	run := parser.ScanDelimiter(line, before, 1, s)
	if run == nil || run.OriginalLength > 2 || before == '~' {
		return nil
	}
	run.Segment = at.WithStop(at.Start + run.OriginalLength)
	block.Advance(run.OriginalLength)
	pc.PushDelimiter(run)
	return run
}
