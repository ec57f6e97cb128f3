package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// Most text holds no reference. goldmark would examine it byte by byte, and make a node of each line and each code
// span. So blocks whose lines hold nothing that can begin a result lose their lines before goldmark reads these.

// A cue is a string that something to be found contains.
type cue struct {
	text []byte
	from int // at is the offset of the first one at or after from
	at   int
}

// isIn reports whether src[start:stop] holds the beginning of a cue. The time is linear in len(src) if the ranges of
// successive calls do not overlap.
func (m *cue) isIn(src []byte, start, stop int) bool {
	if start < m.from {
		return bytes.Contains(src[start:stop], m.text)
	}
	if m.at < start {
		m.at = len(src)
		if i := bytes.Index(src[start:], m.text); i >= 0 {
			m.at = start + i
		}
	}
	m.from = start
	return m.at < stop
}

// linkCues returns the cues of all links: "[", "<" of autolinks and HTML, and those of bare links.
func (c *collector) linkCues() []cue {
	texts := [][]byte{{'['}, {'<'}}
	if c.Dialect.Bare != BareNone {
		texts = append(texts, colonSlashes, wwwDot, atSign)
	}
	return cuesOf(texts)
}

// otherCues returns the cues of the results other than links that c collects in lines: roles, attribute
// lists and ids of blocks. Code spans and emphasis give no results.
func (c *collector) otherCues() []cue {
	var texts [][]byte
	if c.Names {
		texts = append(texts, []byte("{{"))
	}
	if c.Dialect.Directives || c.Names {
		texts = append(texts, []byte("}`"))
	}
	if c.Anchors && c.Dialect.Attributes > AttributesHeadings {
		texts = append(texts, []byte{'{'})
	}
	if c.Anchors && c.Dialect.BlockIDs {
		texts = append(texts, []byte{'^'})
	}
	return cuesOf(texts)
}

func cuesOf(texts [][]byte) []cue {
	cues := make([]cue, len(texts))
	for i := range cues {
		cues[i] = cue{text: texts[i], at: -1}
	}
	return cues
}

// noLines is read-only.
var noLines = text.NewSegments()

// prune removes the lines of the blocks without cues from the tree that n belongs to.
func (c *collector) prune(n ast.Node) {
	if c.all {
		return
	}
	for n.Parent() != nil {
		n = n.Parent()
	}
	if c.cues == nil {
		c.cues = append(c.linkCues(), c.otherCues()...)
	}
	root := n
	for n = root.FirstChild(); n != nil; n = following(n, root) {
		switch n.Kind() {
		case ast.KindParagraph, ast.KindTextBlock, east.KindTableCell:
		case ast.KindHeading:
			if c.Anchors {
				continue // its text is needed
			}
		default:
			continue
		}
		lines := n.Lines()
		switch k := lines.Len(); {
		case k == 0:
		case !c.hasCue(lines.At(0).Start, lines.At(k-1).Stop):
			n.SetLines(noLines)
		case k > 1 && !(c.Anchors && (c.Dialect.Attributes > AttributesHeadings || c.Dialect.BlockIDs)):
			lines.SetSliced(c.linesWithCues(lines))
		}
	}
}

// linesWithCues returns a range of lines that give all results of a block. The lines before it begin
// nothing that affects the following ones, and the lines after it end nothing.
func (c *collector) linesWithCues(lines *text.Segments) (from, to int) {
	from = lines.Len()
	for i := range lines.Len() {
		line := lines.At(i)
		if c.hasCue(line.Start, line.Stop) {
			from, to = min(from, i), i+1
		} else if i < from && holdsAny(c.src[line.Start:line.Stop], &opens) {
			from = i
		}
	}
	if to == 0 {
		return 0, 0 // between lines
	}
	for i := lines.Len() - 1; i >= to; i-- {
		if line := lines.At(i); holdsAny(c.src[line.Start:line.Stop], &ends) {
			to = i + 1
		}
	}
	return from, to
}

var (
	opens = set("`\\")  // code and escapes; all else that spans lines begins with a cue
	ends  = set("`])>") // code, the text of links, their destinations and titles, HTML
)

func holdsAny(line []byte, bytes *[256]bool) bool {
	for _, b := range line {
		if bytes[b] {
			return true
		}
	}
	return false
}

// hasCue reports whether src[start:stop] holds a cue.
func (c *collector) hasCue(start, stop int) bool {
	return !c.outline && holdsCue(c.cues, c.src, start, stop)
}

// holdsCue reports whether src[start:stop] holds one of cues.
func holdsCue(cues []cue, src []byte, start, stop int) bool {
	for i := range cues {
		if cues[i].isIn(src, start, stop) {
			return true
		}
	}
	return false
}
