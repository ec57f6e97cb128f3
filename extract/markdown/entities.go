package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
)

// withEntities writes the text of the children of n as [collector.shown] does, without images, but with
// entities as the rule restoreEntities of VitePress leaves them. It joins adjacent pieces of text. When it
// joins them, it writes entities as in the source, and "\&" as "&amp;"; an entity that is the only piece is
// undone.
func (c *collector) withEntities(n ast.Node, b *strings.Builder) {
	for n := n.FirstChild(); n != nil; n = n.NextSibling() {
		switch t := n.(type) {
		case *ast.Text:
			var run []byte
			alone := !isStrong(t.PreviousSibling())
			for {
				run = append(run, t.Segment.Value(c.original)...)
				next, ok := t.NextSibling().(*ast.Text)
				if !ok || t.SoftLineBreak() || t.HardLineBreak() {
					break
				}
				n, t = next, next
			}
			b.Write(restored(run, alone && !isStrong(t.NextSibling())))
			if t.SoftLineBreak() || t.HardLineBreak() {
				b.WriteByte('\n')
			}
		case *ast.CodeSpan:
			c.shown(t, b, &strings.Builder{}, false)
		case *ast.String:
			b.Write(t.Value)
		case *ast.AutoLink:
			b.Write(t.Label(c.src))
		case *wikiLink:
			b.Write(t.text)
		case *ast.Image, *ast.RawHTML:
		default:
			c.withEntities(n, b)
		}
	}
}

// isStrong reports whether n is strong emphasis, beside which markdown-it leaves an empty piece of text.
func isStrong(n ast.Node) bool {
	e, ok := n.(*ast.Emphasis)
	return ok && e.Level == 2
}

// restored returns a run of text with its entities as written, and other escapes undone. alone says that
// there is no other text beside it.
func restored(run []byte, alone bool) []byte {
	if alone && (isEntity(run) || string(run) == `\&`) {
		return unescape(run)
	}
	out := make([]byte, 0, len(run))
	for i := 0; i < len(run); i++ {
		if run[i] == '\\' && i+1 < len(run) && util.IsPunct(run[i+1]) {
			i++
			if run[i] == '&' {
				out = append(out, "&amp;"...)
				continue
			}
		}
		out = append(out, run[i])
	}
	return out
}

// isEntity reports whether s is one entity and nothing else.
func isEntity(s []byte) bool {
	_, ok := entity(s)
	return ok && s[0] == '&' && bytes.IndexByte(s, ';') == len(s)-1
}
