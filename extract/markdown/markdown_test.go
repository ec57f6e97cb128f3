package markdown

import (
	"fmt"
	"strings"
	"testing"

	"example.org/refract/extract/html"
	"example.org/refract/extract/scan"
)

// show writes the items of src, one a line: "kind how in raw", and what is special.
func show(s *Scanner, src string) string {
	var b strings.Builder
	for it := range s.Scan([]byte(src)) {
		raw := src[it.Span.Start:it.Span.End]
		switch it.Op {
		case scan.Ref:
			fmt.Fprintf(&b, "%s %s %s %s", it.Kind, it.How, it.In, raw)
			if string(it.Value) != raw {
				fmt.Fprintf(&b, " = %s", it.Value)
			}
			if it.Meant != "" {
				fmt.Fprintf(&b, " meant %s", it.Meant)
			}
			if it.Text != "" {
				fmt.Fprintf(&b, " %q", it.Text)
			}
			for _, l := range it.Labels.Names() {
				b.WriteString(" " + l)
			}
		case scan.Anchor:
			fmt.Fprintf(&b, "anchor %s %q %q %q %q", it.In, it.Value, it.Text, it.Extra().Alt, it.Extra().Source)
		case scan.Note:
			fmt.Fprintf(&b, "note %s %s", raw, it.Text)
			if it.Code == "" {
				b.WriteString(", without a code")
			}
		default:
			fmt.Fprintf(&b, "%d %s", it.Op, raw)
		}
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func TestScan(t *testing.T) {
	all := &Scanner{Anchors: true}
	wiki := &Scanner{WikiLinks: true}
	host := &Scanner{Dialect: Wiki}
	mdx := &Scanner{MDX: true}
	tests := []struct {
		sec  string // of CommonMark 0.31, unless another is named
		s    *Scanner
		src  string
		want string
	}{
		{"6.3", nil, "[a](b) ![c](d \"t\") [e](<f g>)", "link inline link b\nembed inline image d\nlink inline link f g"},
		{"6.3", nil, "[![a](b)](c)", "embed inline image b\nlink inline link c"},
		{"6.3", nil, "[a](b\\)c&amp;d&copy)", "link inline link b\\)c&amp;d&copy = b)c&d&copy"},
		{"6.3", nil, "> [a\n> b](c\n> 'd')", "link inline link c"},
		{"6.3", nil, "- \t[a](b)\n\t[c](d)", "link inline link b\nlink inline link d"},
		{"6.3", nil, "[a]()", "link inline link "},
		{"6.3", nil, "`[a](b)` \\[c](d)", ""},
		{"4.5", nil, "```\n[a](b)\n```\n\n    [c](d)\n", ""},
		{"4.7", nil, "[a]: b\n[c]:\n  <d e>\n\n[a] [x][C]", "definition reference definition b\ndefinition reference definition d e"},
		{"4.7", nil, "[a]: b", "definition reference definition b unused"},
		{"4.7", nil, "[a]: b\n[A]: c\n\n[a][]", "definition reference definition b\nnote c a second definition of [a] is ignored\ndefinition reference definition c unused"},
		{"6.3 inside a link", nil, "[x [a][b] [c][d]](y) [e][f]", "link inline link y\nnote f undefined link label [f]"},
		{"6.3", nil, "[a][b] [c] [d][] ![e][f]", "note b undefined link label [b]\nnote f undefined link label [f]"},
		{"6.4", nil, "![a][b]\n\n[b]: c", "definition reference definition c"},
		{"6.4", nil, "![a [b](c) ![d](e)](f)", "embed inline image f"},
		{"6.5", nil, "<http://a/b?c&d> <x@y.z> <mailto:x@y.z>", "link autolink autolink http://a/b?c&d\nlink autolink autolink x@y.z meant mailto:\nlink autolink autolink mailto:x@y.z"},
		{"6.6", nil, "a <b href='x'>c</b> <a\nhref=y>", "link attribute a/href y"},
		{"4.6", nil, "<div>\n<a href=x>\n\n*a* [b](c)\n\n</div>", "link attribute a/href x\nlink inline link c"},
		{"4.6", nil, "<table><tr><td background=\"x\n\ny\">\n", "note <td background=\"x\n\ny\">\n an unclosed tag: browsers drop it and everything after it"},
		{"4.6", nil, "<script>\n\"<a href=x>\"\n\n</script>\n\n<a href=y>", "link attribute a/href y"},
		{"4.6", nil, "<!-- [a](b) <a href=c>\n\n[d](e) -->\n", ""},
		{"4.6", nil, "<base href=x>\n\n[a](b)", "note x a base in a fragment of HTML is ignored\nlink inline link b"},
		{"4.6", nil, "<div class=a\n\n[b](c)\n\n<a href=d>", "link inline link c\nlink attribute a/href d"},
		{"GFM 6.9", nil, "www.a.b/c https://d.e/f. x@y.zz", "link bare autolink www.a.b/c meant http://\nlink bare autolink https://d.e/f\nlink bare autolink x@y.zz meant mailto:"},
		{"GFM 4.10", nil, "| a | b |\n|---|---|\n| [c](d\\|e) | http://f.g/h |", "link inline link d\\|e = d|e\nlink bare autolink http://f.g/h"},
		{"GFM 5.3", nil, "- [ ] [a](b)\n- [x] ~~[c](d)~~", "link inline link b\nlink inline link d"},
		{"footnotes", nil, "a[^1] b[^2]\n\n[^1]: see [c](d)\n\n    and [e](f)\n[^2]: http://g.h/i", "link inline link d\nlink inline link f\nlink bare autolink http://g.h/i"},

		{"YAML", nil, "---\nurl: https://a/b # c\nlist: [http://c/d, 'http://e/f']\ntext: see http://g/h\nquoted: \"http://i/j\"\n---\n[k](l)",
			"metadata bare front matter https://a/b front-matter\nmetadata bare front matter http://c/d front-matter\nmetadata bare front matter http://e/f front-matter\nmetadata bare front matter http://i/j front-matter\nlink inline link l"},
		{"TOML", nil, "+++\nurl = \"https://a/b\"\n+++\n", "metadata bare front matter https://a/b front-matter"},
		{"4.1", nil, "---\n\n[a](b)", "link inline link b"},

		{"wiki", nil, "[[a]] ![[b.png]]", ""},
		{"wiki", wiki, "[[a b]] [[ c |d]] ![[e.png]] [f](g) [[]] `[[h]]`", "link inline wikilink a b\nlink inline wikilink c\nembed inline wikilink e.png\nlink inline link g"},
		{"contents in wikis of code hosts", host, "[[_TOC_]]\n\n[[_TOSP_]] [[_TOC_ | levels = 2]] [[TOC]] [[x|_Sidebar]] [[_TOCx_]]", "link inline wikilink TOC\nlink inline wikilink _Sidebar\nlink inline wikilink _TOCx_"},
		{"MDX", mdx, "import A from './a'\nexport {b} from \"./b\";\n\n<Card to=\"c\" />\n\n```\nimport d from 'd'\n```\n", "embed bare import ./a speculative\nembed bare import ./b speculative\nlink attribute card/to c speculative"},

		{"MDX", mdx, "a <B to=\"c\"\n  src={require('./d').default} e={() => 1}/> <b to={'f'}> `<G to=\"h\"/>`", "link attribute b/to c speculative\nembed attribute b/src ./d speculative"},

		{"details", &Scanner{HTML: html.Scanner{Details: true}}, "[a `b`\n![c](d)](e) <a href=f>g</a>", "embed inline image d \"c\"\nlink inline link e \"a b c\"\nlink attribute a/href f"},
		{"anchors", all, "# *a* `b_*` [c](d) ![e](f)\n\ng\n=\n\n## h {#i}\n\n<a name=j></a><p id=k>",
			"anchor heading \"\" \"a b_* c \" \"a b_* c e\" \"*a* `b_*` [c](d) ![e](f)\"\nlink inline link d\nembed inline image f\n" +
				"anchor heading \"\" \"g\" \"\" \"g\"\nanchor heading \"i\" \"h {#i}\" \"\" \"h {#i}\"\nanchor a/name \"j\" \"\" \"\" \"\"\nanchor p/id \"k\" \"\" \"\" \"\""},
		{"anchors", all, "# a &amp; \\*b\\* <i>c</i> https://d.e", "anchor heading \"\" \"a & *b* c https://d.e\" \"\" \"a &amp; \\\\*b\\\\* <i>c</i> https://d.e\"\nlink bare autolink https://d.e"},
	}
	for _, tt := range tests {
		s := tt.s
		if s == nil {
			s = new(Scanner)
		}
		if got := show(s, tt.src); got != tt.want {
			t.Errorf("%s: %s\n got %s\nwant %s", tt.sec, tt.src, strings.ReplaceAll(got, "\n", "\n     "), strings.ReplaceAll(tt.want, "\n", "\n     "))
		}
	}
}

// What would take goldmark too long is still scanned, with a note.
func TestSimple(t *testing.T) {
	src := strings.Repeat("[a](", 20_000) + "\n\n[b](c) ![d](<e f>) <http://g.h/> `[i](j)`\n```\n[k](l)\n```\n[m]: n \"o\"\n\n> - <a href=p>\n"
	got := show(new(Scanner), src)
	want := `  too many unclosed constructs: scanned for links in a simpler way
link inline link c
link inline link e f
link autolink autolink http://g.h/
definition reference definition n
link attribute a/href p`
	if _, after, _ := strings.Cut(got, "note"); after != want {
		t.Errorf("got %s", after)
	}
}

// All headings of a document are found, also where they are short and many. Only what is no document has too many.
func TestManyHeadings(t *testing.T) {
	const text = "Text of some two hundred bytes stands below each heading of a real document. "
	for _, tt := range []struct {
		n        int
		text     string // below each heading
		isSimple bool
	}{{15_000, "", false}, {200_000, "", true}, {40_000, "\n" + text + text + text + "\n\n", false}} {
		var b strings.Builder
		for i := range tt.n {
			fmt.Fprintf(&b, "# %d\n%s", i, tt.text)
		}
		anchors, isSimple := 0, false
		s := &Scanner{Anchors: true, Mentions: true}
		for it := range s.Scan([]byte(b.String())) {
			switch {
			case it.Op == scan.Anchor:
				anchors++
			case it.Code == scan.CodeSimplified:
				isSimple = true
			}
		}
		if isSimple != tt.isSimple || !isSimple && anchors != tt.n {
			t.Errorf("%d headings, %d bytes of text each: %d found, scanned in a simpler way: %v", tt.n, len(tt.text), anchors, isSimple)
		}
	}
}

// Wherever a construct stands, its destination is found in its place: goldmark has not
// copied it.
func TestOffsets(t *testing.T) {
	constructs := []string{"[a](D)", "![a](D)", "[a](<D>)", "[a](D \"t\")", "<http://h/D>", "[a]: D\n\n[a]", "[a]: <D> 't'\n\n[a]", "[a\nb](D)", "[a](\nD\n)", "http://h.com/D x", "[![a](b)](D)", "[a]\n\n[a]: D"}
	frames := []string{"%s", "# %s", "> %s", "- %s", "1. a\n   %s", "-\t%s", "> - > %s", "| a |\n|---|\n| %s |", "[^1]: %s\n\nx[^1]", "a\n=\n\n%s", "- [ ] %s", "*%s*", "\xef\xbb\xbf%s", "---\nx: y\n---\n%s", "a\r\n\r\n%s\r\n"}
	for _, f := range frames {
		for _, c := range constructs {
			if strings.Contains(c, "\n") && strings.ContainsAny(f, "#|*") || strings.HasPrefix(c, "[a]:") && (strings.HasPrefix(f, "1. a") || strings.HasPrefix(f, "- [ ]")) {
				continue // of one line; a definition ends no paragraph
			}
			indent := strings.Repeat(" ", 2*strings.Count(f, "- "))
			if strings.HasPrefix(f, "> ") {
				indent = strings.TrimSuffix(f, "%s")
				indent = strings.ReplaceAll(indent, "-", " ")
			} else if strings.Contains(f, "1. ") || strings.Contains(f, "\t") || strings.Contains(f, "[^1]") {
				indent = "    "
			}
			src := fmt.Sprintf(f, strings.ReplaceAll(c, "\n", "\n"+indent))
			found := 0
			for it := range new(Scanner).Scan([]byte(src)) {
				if it.Op == scan.Ref && strings.HasSuffix(string(it.Value), "D") {
					found++
					if raw := src[it.Span.Start:it.Span.End]; raw != string(it.Value) {
						t.Errorf("%q: %q at %v", src, raw, it.Span)
					}
				}
			}
			if found != 1 {
				t.Errorf("%q: found %d times", src, found)
			}
		}
	}
}
