package markdown

import (
	"bytes"
	"maps"
	"os"
	"regexp"
	"slices"
	"testing"

	"example.org/refract/extract/scan"
)

var seeds = []string{
	"[a](b) ![c](d \"t\") [e](<f g>)", "[![a](b)](c)", "> [a\n> b](c\n> 'd')", "- \t[a](b)\n\t[c](d)", "`[a](b)` \\[c](d)",
	"[a]: b\n[c]:\n  <d e>\n\n[a] [x][C]", "<http://a/b?c&d> <x@y.z>", "a <b href='x'>c</b> <a\nhref=y>", "<div>\n<a href=x>\n\n*a* [b](c)\n\n</div>",
	"www.a.b/c https://d.e/f. x@y.zz", "| a | b |\n|---|---|\n| [c](d\\|e) | http://f.g/h |", "a[^1]\n\n[^1]: see [c](d)\n\n    and [e](f)",
	"---\nurl: https://a/b # c\n---\n[k](l)", "# *a* [c](d) {#e}\n\n```\n[f](g)\n```\n", "(http://a.b/c) *http://d.e/f* ~www.g.h~ _i@j.k_", "1. a\n2. [b](c)\n   > - [d](e)\n",
}

// FuzzProof is the proof of TestSharedDocs for any text. It is for runs by hand, with
// REFRACT_PROOF set: what it finds is to be looked at, since it may be goldmark that
// departs from CommonMark. The seeds are always proved.
func FuzzProof(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if os.Getenv("REFRACT_PROOF") == "" && !slices.Contains(seeds, string(src)) {
			return
		}
		if len(src) > 2048 || bytes.Contains(src, []byte("refract")) || simplified(src) != "" || excused(src) {
			return
		}
		if d := proof(t, src); d != "" {
			t.Fatalf("%s\n%q", d, src)
		}
	})
}

// excused reports whether src holds what makes a difference that is accepted:
//   - HTML: what a tag that is left open swallows depends on the tags of the rendering
//     around it. Package html has its own proof, and the documents of the corpus are
//     proved with their HTML.
//   - "$" in what begins with "www.": goldmark ends that there, though not a URL.
//   - A bare link behind a tab or a carriage return, which goldmark finds only behind
//     a blank.
//   - An address that begins with "www.", which goldmark makes mailto:http://www.
//   - A footnote that nothing refers to: goldmark leaves it out.
func excused(src []byte) bool {
	return markup.Match(src) || footnotes.Match(src) || dollar.Match(src) || tab.Match(src)
}

var (
	markup    = regexp.MustCompile(`<[/!?]|<[A-Za-z][^:@\s]*(\s|>|$)`)
	dollar    = regexp.MustCompile(`www\.\S*[$@]`)
	tab       = regexp.MustCompile(`[\t\r\v\f]\S*(@|://|www\.)`)
	footnotes = regexp.MustCompile(`\[\^[^\]]*\]:`)
)

// FuzzScan checks what holds for every input, with every option.
func FuzzScan(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s), uint8(0))
		f.Add([]byte(s), uint8(15))
	}
	names := slices.Sorted(maps.Keys(dialects))
	f.Add([]byte("<!-->@include:"), uint8(slices.Index(names, "vitepress")<<4))
	for name, shapes := range hostileDialects {
		for _, s := range shapes {
			f.Add([]byte(s[0]+s[1]+s[1]+s[2]), uint8(12|slices.Index(names, name)<<4))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, options uint8) {
		s := &Scanner{WikiLinks: options&1 != 0, MDX: options&2 != 0, Anchors: options&4 != 0, Mentions: options&8 != 0}
		s.Dialect = dialects[names[int(options>>4)%len(names)]]
		n, last := 0, 0
		for it := range s.Scan(src) {
			n++
			if it.Span.Start < 0 || it.Span.End < it.Span.Start || it.Span.End > len(src) {
				t.Fatalf("%s at %v of %d bytes", it.In, it.Span, len(src))
			}
			if it.Op == scan.Ref && it.How != scan.Attribute && it.How != scan.CSS {
				if it.Span.Start < last {
					t.Fatalf("%s at %v, behind what ends at %d", it.In, it.Span, last)
				}
				last = it.Span.End
			}
		}
		for stop := range min(n, 20) {
			i := 0
			for range s.Scan(src) {
				if i++; i > stop {
					break
				}
			}
		}
	})
}

// FuzzPieces checks that a document that is parsed in pieces has the Items that it has as a whole.
func FuzzPieces(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
		f.Add([]byte(s + "\n\n" + s + "\n\n[k]\n\n" + s))
	}
	f.Add([]byte("[a] [b]\n\n[a]: u\n[b]:\n v\n\n> [a]: w\n\n[a]: x\n"))
	f.Add([]byte("[a] [b]\n\n- [a]: u\n\n  [b]: v 't'\n\n<!-- a\n\n--> [b]\n[c]: x\n"))
	f.Add([]byte("<div>\n\n[a](b)\n\n<a href=\n\nx>\n\n<pre>\n\n</pre>\n\n<p\n\n# [c]\n\n[c]: d\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		s := Scanner{WikiLinks: true, Anchors: true, Mentions: true}
		whole := show(&s, string(src))
		s.pieceSize = 1
		if pieces := show(&s, string(src)); pieces != whole {
			t.Fatalf("in pieces\n%s\nas a whole\n%s", pieces, whole)
		}
	})
}
