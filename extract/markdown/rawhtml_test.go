package markdown

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"example.org/refract/internal/testing/scantest"
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
	n := scantest.Amount(30_000, 100_000)
	for range n {
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
	if known < n/20 {
		t.Errorf("%d lines known", known)
	}
}

// TestTags compares what is skipped as a tag with the regular expressions that it stands for.
func TestTags(t *testing.T) {
	inputs := []string{
		"<a>", "<a/>", "<a />", "< a>", "<a b>", "<a b c>", "<a b=c>", "<a b=c/>", "<a b = c d>", "<a b='c\">'>x", "<a b=\"c\nd\" e>", "<a b=\"c>",
		"<a\nb>", "<a\r\n>", "<a\r>", "<a\rb>", "<a b\r>", "<a b\r c>", "<a b\r=c>", "<a b==c>", "<a =b>", "<a b='c'd>", "<a / >", "<a:b>", "<a b:c.d_e-f>", "<a é>", "<a b=é>", "<a b=\x00>",
		"<a b=\"\x00\">", "<a b=`c`>", "</a>", "</a >", "</a\n>", "</a\r>", "</a\r\n >", "</ a>", "</a b>", "<a1-b>", "<1>", "<", "<a", "</", "</a", "<a b=", "<a b=\"", "<a b c=d e", "<a b\n\n=\nc>",
	}
	const alphabet = "<>/a b=\"'\n\r\t-:.`\xc3\xa9\x00{"
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var b strings.Builder
		b.WriteString([]string{"<a", "</a", "<a b", "<a b="}[random.IntN(4)])
		for range random.IntN(10) {
			b.WriteByte(alphabet[random.IntN(len(alphabet))])
		}
		inputs = append(inputs, b.String())
	}
	open, closed := regexp.MustCompile(openTagPattern), regexp.MustCompile(closeTagPattern)
	for _, in := range inputs {
		for _, re := range []*regexp.Regexp{open, closed} {
			want := 0
			if match := re.FindStringIndex(in); match != nil {
				want = match[1]
			}
			tag := tagReader{m: meterOf(in)}
			found := tag.openTag
			if re == closed {
				found = tag.closeTag
			}
			got := 0
			if found() {
				got = tag.n
			}
			if got != want {
				t.Errorf("%q: %d bytes, want %d by %s", in, got, want, re)
			}
		}
	}
}

// meterOf returns a reader of a text as one block of lines.
func meterOf(in string) *meter {
	lines := text.NewSegments()
	for at := 0; at < len(in); {
		end := at + strings.IndexByte(in[at:], '\n') + 1
		if end == at {
			end = len(in)
		}
		lines.Append(text.NewSegment(at, end))
		at = end
	}
	return &meter{Reader: text.NewBlockReader([]byte(in), lines), budget: &budget{work: 1 << 30}, lines: lines}
}

// A patternReader keeps the last regular expression that it is asked for.
type patternReader struct {
	text.Reader
	pattern string
}

func (r *patternReader) Match(re *regexp.Regexp) bool {
	r.pattern = re.String()
	return false
}

// TestTagPatterns fails when goldmark finds tags by other regular expressions.
func TestTagPatterns(t *testing.T) {
	for in, want := range map[string]string{"<a>": openTagPattern, "</a>": closeTagPattern} {
		r := patternReader{Reader: meterOf(in).Reader}
		parser.NewRawHTMLParser().Parse(nil, &r, parser.NewContext())
		if r.pattern != want {
			t.Errorf("%s: %s, want %s", in, r.pattern, want)
		}
	}
}
