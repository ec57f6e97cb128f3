package fix

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/refract/extract"
	"example.org/refract/internal/audit"
)

// FuzzFix writes a suggestion in place of every third reference of any document. Nothing
// may fail; what is between them stays, byte for byte; the document then has as many
// references, those that were fixed say what was suggested, and all others what they said.
func FuzzFix(f *testing.F) {
	for _, doc := range []string{
		"# A\n\n[x](A.md) ![y](<B c.png> 't') [z][d] <http://h/A> www.example.org\n\n[d]: C.md\n",
		"|a|\n|-|\n|[x](A.md)|\n\n<p align=center><img src='A.png'></p>\n\n> - [x](a\\_b.md \"t\")\r\n",
		"<base href=x/><a href=\"A.html?a&amp;b#c\">x</a><img srcset='A.png 1x, B.png 2x' style=\"b:url(&quot;c&quot;)\">",
		"<style>@import 'x.css'; a{b:url(A\\20 b.png)}</style><iframe srcdoc=\"<a href='x'>\"></iframe>",
		"[a](b(c)d.md) [e](<f>) `[g](h)` [i](j&amp;k) <a href=\n'l\nm'>", "\ufeff[a](b)\x00\r[c](\xff)",
		"[a]: b\n[a]: c\n[x][a] [y][none] ![[z]]\n\n```\n[a](b)\n```\n", "---\nurl: x.md\n---\n[a](b) {{<ref \"x\">}}",
		"\xff\xfe<\x00a\x00 \x00h\x00r\x00e\x00f\x00=\x00x\x00>\x00",
	} {
		for _, suggestion := range []string{"b.md", "a(b.md#c", "it's&amp;\"x\".md", "a|b\\<c>.md?d", "ä b.md", "x)"} {
			f.Add(doc, byte(0), suggestion)
			f.Add(doc, byte(1), suggestion)
		}
	}
	names := []string{"a.md", "a.html", "a.css", "a.xhtml", "a.mdx", "a.txt"}
	f.Fuzz(func(t *testing.T, doc string, kind byte, suggestion string) {
		if len(doc) > 1<<12 || len(suggestion) > 1<<8 || suggestion == "" {
			return
		}
		name := names[int(kind)%len(names)]
		before := references(name, []byte(doc))
		var findings []*audit.Finding
		for i, r := range before {
			if i%3 == len(doc)%3 {
				findings = append(findings, &audit.Finding{File: name, Path: name, Pos: r.Pos, Ref: r, Suggestion: suggestion})
			}
		}
		file := &File{Path: name, Old: []byte(doc)}
		new(Options).Apply(file, findings)
		if len(file.Fixed)+len(file.Skipped) != len(findings) {
			t.Fatalf("%d findings: %d fixed, %d not", len(findings), len(file.Fixed), len(file.Skipped))
		}
		if len(file.Fixed) == 0 {
			if file.New != nil {
				t.Fatalf("nothing is fixed, and %q written", file.New)
			}
			return
		}
		// What is between them.
		fixed := slices.Clone(file.Fixed)
		slices.SortFunc(fixed, func(x, y *audit.Finding) int { return int(x.Pos.Offset - y.Pos.Offset) })
		at, now := 0, 0
		isFixed := map[extract.Position]bool{}
		for _, f := range fixed {
			old, is := f.Pos, file.Now(f.Pos)
			if isFixed[old] = true; int(old.Offset) < at {
				continue // twice
			}
			if !bytes.Equal(file.Old[at:old.Offset], file.New[now:is.Offset]) {
				t.Fatalf("%q differs in front of %+v: %q", doc, old, file.New)
			}
			at, now = int(old.Offset)+old.Length, int(is.Offset)+is.Length
		}
		if !bytes.Equal(file.Old[at:], file.New[now:]) {
			t.Fatalf("%q differs behind %d: %q", doc, at, file.New)
		}
		after := references(name, file.New)
		if len(after) != len(before) {
			t.Fatalf("%q has %d references, %q %d", doc, len(before), file.New, len(after))
		}
		for i, r := range after {
			want := string(before[i].Ref)
			if isFixed[before[i].Pos] {
				want = suggestion
			}
			if string(r.Ref) != want || r.Kind != before[i].Kind || r.In != before[i].In {
				t.Fatalf("%q: reference %d of %q is %q, want %q", doc, i, file.New, r.Ref, want)
			}
		}
		if bytes.Count(file.Old, []byte{'\n'}) != bytes.Count(file.New, []byte{'\n'}) {
			t.Fatalf("%q has other lines than %q", file.New, doc)
		}
		file.AppendDiff(nil, false)
	})
}

// references returns those of a document, as an audit has them.
func references(name string, src []byte) (refs []*extract.Reference) {
	cfg := extract.Config{Lines: true, MDX: strings.HasSuffix(name, ".mdx")}
	for r, err := range cfg.Walk(name, bytes.NewReader(src)) {
		if err == nil {
			r = r.Clone()
			r.Ranges = nil // not kept
			refs = append(refs, r)
		}
	}
	return refs
}

// FuzzTwice mends a tree with any document in it: what is certain can be written or is said
// not to, is no finding any more, and a second run finds nothing more to mend.
func FuzzTwice(f *testing.F) {
	f.Add("# A b\n\n[1](Guide.md#Set_up) ![2](i.jpg) [3](moved.md) [4](#A_b) [5](guide.md#SET--UP) [6](Sub) [7](sub/Moved.md)")
	f.Add("[1](guide.markdown?x#set-up) [2](GUIDE.MD#none) [3](/Guide.md) [4](<Guide.md>) <a href='Guide.md'>5</a> [6](Sub/)")
	f.Add("# A [b](Guide.md)\n# A c\n[1](#a-b-1) [2](#a_c) [3](#ab) [4](guide.md#se-tup) [5](guide.md#step_1) [6][x]\n\n[x]: ./MOVED.md 'x'")
	f.Add("<base href='sub/'><a href=Moved.md>1</a><a href=../Guide.md>2</a><p id=x><a href='#X'>3</a> <a href=../page.htm#Top>4</a>")
	f.Add("[a]: MOVED.md\n[b]: Guide.md\n\n[1][b]")
	f.Fuzz(func(t *testing.T, doc string) {
		if len(doc) > 1<<10 {
			return
		}
		dir := t.TempDir()
		for name, text := range map[string]string{
			"a.md": doc, "sub/b.html": doc, "sub/c.md": doc, "guide.md": "# Set up\n# Step 1\n# Step 2\n", "page.html": "<p id=top><p id=x>",
			"i.png": "", "sub/moved.md": "# A\n", ".git/HEAD": "",
		} {
			write(t, filepath.Join(dir, name), text)
		}
		run := func() (certain []*audit.Finding, all int) {
			_, err := audit.Run(t.Context(), audit.Options{Paths: []string{dir}}, func(f *audit.Finding) {
				if all++; f.Certain {
					certain = append(certain, f)
				}
			})
			must(t, err)
			return certain, all
		}
		certain, before := run()
		fixed := 0
		skipped := map[string]bool{}
		for f := range new(Options).Files(certain) {
			must(t, f.Err)
			for _, s := range f.Skipped {
				skipped[s.Finding.Path+s.Finding.Suggestion] = true
			}
			if f.New != nil {
				write(t, f.Path, string(f.New)) // not Write, which waits for the disk
				fixed += len(f.Fixed)
			}
		}
		more, after := run()
		if after > before-fixed {
			t.Errorf("%q: %d findings, %d fixed, and %d remain", doc, before, fixed, after)
		}
		for _, f := range more {
			if !skipped[f.Path+f.Suggestion] {
				t.Errorf("%q: %s: a second run would write %q", doc, f.Path, f.Suggestion)
			}
		}
	})
}
