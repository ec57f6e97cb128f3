package markdown

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"example.org/refract/internal/testing/scantest"
)

// tree returns the nodes of src, with their places and the ranges of their lines.
func tree(src []byte, table parser.ParagraphTransformer, strike parser.InlineParser) string {
	p := parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(append(parser.DefaultInlineParsers(), util.Prioritized(strike, 500))...),
		parser.WithParagraphTransformers(append(parser.DefaultParagraphTransformers(), util.Prioritized(table, 200))...))
	var out strings.Builder
	ast.Walk(p.Parse(text.NewReader(src)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			out.WriteString(")")
			return ast.WalkContinue, nil
		}
		fmt.Fprintf(&out, "(%s %d", n.Kind(), n.Pos())
		if n.Type() == ast.TypeBlock {
			fmt.Fprint(&out, n.Lines().Sliced(0, n.Lines().Len()))
		}
		if t, ok := n.(*ast.Text); ok {
			fmt.Fprint(&out, t.Segment)
		}
		return ast.WalkContinue, nil
	})
	return out.String()
}

// Tables and strikethrough are those of goldmark.
func TestTables(t *testing.T) {
	check := func(src string) {
		t.Helper()
		got := tree([]byte(src), tables{}, strikethrough{})
		if want := tree([]byte(src), extension.NewTableParagraphTransformer(), extension.NewStrikethroughParser()); got != want {
			t.Errorf("%q:\ngot  %s\nwant %s", src, got, want)
		}
	}
	pieces := strings.Split("|,|,|,-,--,:-,-:,:--:,\n,\n,\n| - | - |\n,\n-|-\n,|a|b|\n, ,    ,\t,\\|,`,a,~,~~,~~~,x~~y~~,> ,- ,\n\n,\f,\r\n,é,:,\\", ",")
	random := rand.New(rand.NewPCG(1, 2))
	found := 0
	n := scantest.Amount(2_500, 8_000)
	for range n {
		var src strings.Builder
		for range 2 + random.IntN(16) {
			src.WriteString(pieces[random.IntN(len(pieces))])
		}
		check(src.String())
		if strings.Contains(tree([]byte(src.String()), tables{}, strikethrough{}), "(TableRow") {
			found++
		}
	}
	if found < n/32 {
		t.Errorf("only %d tables with rows", found)
	}
	for _, src := range []string{"|a|\n|-|", "a|b\n-|-\nc|d|e\nf", "x\na|b\n:-|-:\n1|2", "a|b\n|-", "    a|b\n-|-", "a | b\n    -|-", "a\n-", "a|b\n-|x", "- a|b\n  -|-\n  c"} {
		check(src)
	}
}
