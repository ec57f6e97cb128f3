package markdown

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// kindsOf returns the kind of the block that goldmark begins with a line, outside of paragraphs and in one.
func kindsOf(line []byte) (kinds [2]ast.HTMLBlockType) {
	for i, last := range []ast.Node{ast.NewTextBlock(), ast.NewParagraph()} {
		pc := parser.NewContext()
		pc.SetOpenedBlocks([]parser.Block{{Node: last}})
		n, _ := parser.NewHTMLBlockParser().Open(nil, text.NewReader(line), pc)
		if n != nil {
			kinds[i] = n.(*ast.HTMLBlock).HTMLBlockType
		}
	}
	return kinds
}

func checkBlockOfTag(t *testing.T, line []byte) (known bool) {
	t.Helper()
	for i, want := range kindsOf(line) {
		kind, isKnown := blockOfTag(line, i == 1)
		if isKnown && kind != want {
			t.Fatalf("%q: %d, goldmark: %d (in a paragraph: %v)", line, kind, want, i == 1)
		}
		known = known || isKnown
	}
	return known
}

// The kind of the block that a line begins is that of goldmark.
func TestBlockOfTag(t *testing.T) {
	words := strings.Split("<|<|</|<a|<div|<Tab|a|x-1|p|pre|script|>|/>|/| | |\t|\r|=|\"|'|`|_b|:c|href=|\"x>\"|'y'|=z|é|\x80|<!--|<?|-->|.|1|\x00", "|")
	random := rand.New(rand.NewPCG(1, 2))
	known := 0
	for range 100_000 {
		var b strings.Builder
		b.WriteString(strings.Repeat(" ", random.IntN(5)/2) + "<")
		for range random.IntN(9) {
			b.WriteString(words[random.IntN(len(words))])
		}
		b.WriteString([]string{"", ">", "\n", ">\n", "\r\n", ">\r\n", "> \n"}[random.IntN(7)])
		if checkBlockOfTag(t, []byte(b.String())) {
			known++
		}
	}
	if known < 5_000 {
		t.Errorf("%d lines known", known)
	}
}
