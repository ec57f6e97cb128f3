package markdown

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// allItems returns the Items of src, with everything that they hold.
func allItems(s *Scanner, src []byte) string {
	var b strings.Builder
	for it := range s.Scan(src) {
		more := it.More
		it.More = nil
		fmt.Fprintf(&b, "%+v %q", *it, it.Value)
		if more != nil {
			fmt.Fprintf(&b, " %+v", *more)
		}
		it.More = more
		b.WriteByte('\n')
	}
	return b.String()
}

// scanners are options that decide about what is found in lines.
var scanners = []Scanner{
	{}, {Anchors: true, Mentions: true}, {WikiLinks: true}, {MDX: true, Anchors: true}, {pieceSize: 1},
	{Dialect: HugoSite}, {Dialect: HugoSite, Anchors: true}, {Dialect: MyST, Anchors: true, Mentions: true}, {Dialect: MyST},
	{Dialect: MkDocs, Anchors: true}, {Dialect: PythonMarkdown}, {Dialect: Jekyll, Anchors: true}, {Dialect: VitePress, Anchors: true},
	{Dialect: Docusaurus, Anchors: true}, {Dialect: StarlightMDX}, {Dialect: Obsidian, Anchors: true}, {Dialect: Obsidian},
}

// checkPruned compares the Items of src with those that goldmark gives if it parses all lines.
func checkPruned(t *testing.T, src []byte) {
	t.Helper()
	for i, s := range scanners {
		whole := s
		whole.all = true
		s.HTML.Details, whole.HTML.Details = i%2 == 0, i%2 == 0
		if got, want := allItems(&s, src), allItems(&whole, src); got != want {
			t.Fatalf("scanner %d, %q:\n%s\nwithout pruning:\n%s", i, src, got, want)
		}
	}
}

var tokens = strings.Split(`[a](~[a] (~[a][l]~[l]~[l][]~[l]: u~[l]: <u>~[^f]~[^f]: x~![~]~)~(~<b>~<b~>~</b>~<!--~-->~<?~?>~<https://h/>~<a@b.org>~<A x={1}/>~`+
	"`~``~```~\\~*~_~**~~~|~|-|~--|--~:-:~http://h/x~https://h.org.~www.h.org~a@b.org~://~&amp;~&~\"t\"~'~{#i}~{: #i}~{ref}`x`~ ^id~[[w]]~![[w|x]]~#~===~---~-~1.~>~    ~:~:::~!!! note~///~\t~ ~text~text~e", "~")

// plainTokens are those of blocks that goldmark need not read, and of what makes them others.
var plainTokens = strings.Split("word~two words~[a](b)~[a b](c.md#d \"t\")~![i](s.png)~`code`~`co[de`~# ~## ~- ~* ~1. ~10. ~  - ~   2) ~    ~  ~\n~\n~\n\n~\n\n~\n\n  ~\n\n    ~"+
	"| a | [b](c) |\n~|---|---|\n~```\n~```go\n~~~~~<https://h/>~<br>~</b>~ < ~[x] ~[x][y]~[x]: y~\"t\"~**b**~_e_~\\~&amp;~http://h/x ~\\\nhttp://h/x ~a@b.org~{#i}~(label)=~\n===~\n---\n~'q'~\t~\r\n~> ~<!-- c -->~é~:~!~(", "~")

func randomPlain(r *rand.Rand) []byte {
	var b []byte
	for range 1 + r.IntN(30) {
		b = append(b, plainTokens[r.IntN(len(plainTokens))]...)
	}
	return b
}

func randomDocument(r *rand.Rand) []byte {
	if r.IntN(2) == 0 {
		return randomPlain(r)
	}
	var b []byte
	for range 1 + r.IntN(40) {
		b = append(b, tokens[r.IntN(len(tokens))]...)
		switch r.IntN(8) {
		case 0, 1:
			b = append(b, '\n')
		case 2:
			b = append(b, "\n\n"...)
		case 3:
			b = append(b, "\r\n"...)
		case 4:
			b = append(b, "\n> "...)
		case 5, 6:
			b = append(b, ' ')
		}
	}
	return b
}

func TestPruned(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range scantest.Amount(150, 4_000) {
		checkPruned(t, randomDocument(r))
	}
}

func TestPrunedCorpus(t *testing.T) {
	all, _ := scantest.Corpus(t, "docs.tar.xz", ".md")
	for i, src := range all {
		if i%4 == 0 {
			checkPruned(t, src)
		}
	}
}

func FuzzPruned(f *testing.F) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 50 {
		f.Add(randomDocument(r))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) < 4096 {
			checkPruned(t, src)
		}
	})
}
