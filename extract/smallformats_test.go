package extract

import (
	"bytes"
	"testing"

	"example.org/refract/internal/scantest"
)

// shapesOf are hostile documents of small formats, by their alias.
var shapesOf = map[string][]scantest.Shape{
	"man": {
		{"", ".", ""}, {"", ".\n", ""}, {"", ".UR\n", ""}, {"", ".UR http://a\n", ""}, {"", ".UR a\n.UE\n", ""}, {".UR ", "a", ""}, {".UR ", "\\-", ""}, {".UR ", "\\", ""}, {".UR ", "\"", ""},
		{".UR \"", "\"\"", ""}, {".UR ", "a ", ""}, {".Dd x\n", ".Lk a\n", ""}, {".Dd x\n.Lk ", "Lk ", ""}, {".Dd x\n.Pq ", "Lk Lk ", ""}, {".Dd x\n.Mt ", "a@b ", ""}, {".Dd x\n.Pq ", "Mt a@b ", ""},
		{"", ".MT a\n", ""}, {"", ".so a\n", ""}, {"", ".de a\n", ""}, {"", ".de a\n..\n", ""}, {".ig\n", "a\n", ""}, {"", ".ig\n", ""}, {"", ".ig x\n.x\n", ""}, {"", ".de\n", ""},
		{"", "\\", ""}, {"", "\\-", ""}, {"", "\\f", ""}, {"", "\\f[", ""}, {"", "\\f(", ""}, {"", "\\fB", ""}, {"", "\\[", ""}, {"", "\\(aq", ""}, {"", "\\[aq]", ""}, {"", "\\*[", ""}, {"", "\\*(lq", ""},
		{"", "\\s-1", ""}, {"", "\\s", ""}, {"", "\\\"", ""}, {"", "\\\" a\n", ""}, {"", ".\\\"\n", ""}, {"", "'\n", ""}, {"", ".BR a b\n", ""}, {".BR ", "a ", ""}, {".BR ", "\"a\" ", ""}, {".B ", "\"", ""}, {".B ", "\\ ", ""},
		{"", "\n", ""}, {"", " ", ""}, {"", "a", ""}, {"", "http://a ", ""}, {"", "http://a\\-b ", ""}, {"", "http://a\\fR\n", ""}, {"", "\x00", ""}, {"", "\xff", ""}, {"", ". \t", ""}, {"", ".IX a\n", ""}, {"", "\\c\n", ""}, {"http://", "\\:", "a"},
	},
	"latex": {
		{"", "\\", ""}, {"", "%", ""}, {"", "%\n", ""}, {"", "{", ""}, {"", "}", ""}, {"", "$", ""}, {"", "~", ""}, {"", "\\url", ""}, {"", "\\url{", ""}, {"", "\\url{a", ""}, {"", "\\url{a}", ""}, {"\\url{", "a", "}"},
		{"\\url{", "{", "}"}, {"\\url{", "{}", "}"}, {"\\url{", "\\_", "}"}, {"\\url{", "%", "}"}, {"\\url{", "\n", "}"}, {"\\url{", "%\n", "}"}, {"", "\\url[", ""}, {"", "\\url[{", ""}, {"", "\\url|", ""}, {"", "\\url|a|", ""}, {"\\url|", "a", ""},
		{"", "\\href{a}{\\href{", ""}, {"", "\\href{a}{b}", ""}, {"", "\\href[", ""}, {"", "\\href ", ""}, {"", "\\href\n\n", ""}, {"", "\\verb", ""}, {"", "\\verb|", ""}, {"", "\\verb|a|", ""}, {"", "\\lstinline[", ""}, {"", "\\lstinline{", ""}, {"", "\\mintinline{a}", ""},
		{"", "\\begin{verbatim}", ""}, {"", "\\begin{verbatim}\\end{verbatim}", ""}, {"", "\\begin{", ""}, {"", "\\begin{verbatim}\\begin{lstlisting}\\begin{minted}", ""}, {"", "\\newcommand{", ""}, {"", "\\newcommand{\\a}{", ""}, {"", "\\newcommand{\\a}{b}", ""}, {"", "\\newcommand{\\a}[1]{b}", ""}, {"\\newcommand{\\a}", "[1]", "{b}"}, {"", "\\newcommand{\\a}[", ""}, {"", "\\newcommand{\\a}\n", ""}, {"", "\\def\\a{", ""}, {"", "\\def\\a{\\url{#1}}", ""}, {"", "\\def", ""},
		{"", "\\input a ", ""}, {"", "\\input{a}", ""}, {"", "\\input ", ""}, {"\\input ", "a", ""}, {"\\bibliography{", "a,", "}"}, {"\\bibliography{", ",", "}"}, {"\\graphicspath{", "{a}", "}"}, {"\\graphicspath{", "{", "}"}, {"", "\\graphicspath{{a}", ""}, {"", "\\ref{a}", ""}, {"", "\\label{a}", ""}, {"", "\\cref{a,b,", ""}, {"\\", "a", ""}, {"", "\\includegraphics*[a]{b}", ""}, {"", "\\string", ""}, {"http://", "\\slash ", ""}, {"", "http://a ", ""}, {"", "\xff", ""},
	},
	"texinfo": {
		{"", "@", ""}, {"", "@@", ""}, {"", "@{", ""}, {"", "{", ""}, {"", "}", ""}, {"", "@c", ""}, {"", "@c \n", ""}, {"", "@uref", ""}, {"", "@uref{", ""}, {"", "@uref{a", ""}, {"", "@uref{a}", ""}, {"", "@uref{a,", ""}, {"@uref{", ",", "}"}, {"@uref{", "a", "}"}, {"@uref{", "@@", "}"},
		{"@uref{", "{", "}"}, {"@uref{", "{}", "}"}, {"@uref{", "@comma{}", "}"}, {"@uref{", "\n", "}"}, {"@uref{", "@", "}"}, {"", "@uref{a,@uref{", ""}, {"", "@email{a}", ""}, {"", "@email{@", ""}, {"", "@image{a,,,,b}", ""}, {"", "@image{,,,,b}", ""}, {"", "@image{", ""}, {"", "@image{a,,,,", ""},
		{"", "@xref{a}", ""}, {"", "@xref{a,,,b}", ""}, {"", "@pxref{,,,,", ""}, {"", "@inforef{a,,b}", ""}, {"", "@inforef{", ""}, {"", "@anchor{a}", ""}, {"", "@node a\n", ""}, {"", "@node a,b,c\n", ""}, {"@node ", "a", ""}, {"", "@node", ""}, {"", "@include a\n", ""}, {"", "@include", ""}, {"", "@verbatiminclude a\n", ""},
		{"", "@ignore\n", ""}, {"", "@ignore\n@end ignore\n", ""}, {"", "@tex\n", ""}, {"", "@tex\n@html\n@xml\n", ""}, {"", "@verbatim\n@end verbatim", ""}, {"", "@macro\n", ""}, {"", "\n @tex", ""}, {"", " @tex", ""}, {"", "@end tex\n", ""}, {"", "@w{", ""}, {"", "@comma{}", ""}, {"", "@comma", ""}, {"", "@/", ""}, {"http://a", "@/", ""}, {"", "@*", ""}, {"", "@code{http://a} ", ""}, {"", "@bye", ""}, {"", "@ifhtml\n", ""}, {"", "a", ""}, {"@", "a", ""}, {"", "\n", ""}, {"", "\xff", ""},
	},
	"org": {
		{"", "[", ""}, {"", "[[", ""}, {"", "[[a", ""}, {"", "[[a]", ""}, {"", "[[a]]", ""}, {"", "[[a][", ""}, {"", "[[a][b", ""}, {"", "[[a][b]]", ""}, {"", "[[a][[", ""}, {"", "]", ""}, {"", "]]", ""}, {"[[", "a", "]]"}, {"[[", "\\", "]]"}, {"[[", "\\]", "]]"}, {"[[", "\n", "]]"}, {"[[a][", "b", "]]"}, {"[[a][", "\n", "]]"}, {"[[a][", "]", "]]"},
		{"", "[[a\n", ""}, {"", "[[a]]]]", ""}, {"", "[[a", "]]"}, {"", "[[[", "]]"}, {"", "[[#a]]", ""}, {"", "[[*a]]", ""}, {"", "[[id:a]]", ""}, {"", "[[file:a::b]]", ""}, {"", "[[file:", ""}, {"", "[[http://a]]", ""}, {"", "[[:", ""}, {"", "file:", ""}, {"", "file:a ", ""}, {"", "file:a", ""}, {"file:", ".", ""}, {"file:", "a", ""}, {"", "file:/", ""},
		{"", "<", ""}, {"", "<<", ""}, {"", "<<a", ""}, {"", "<<a>>", ""}, {"", "<<<a>>>", ""}, {"", ">>", ""}, {"", "<http://", ""}, {"", "<http://a>", ""}, {"", "<a", ""}, {"", "=", ""}, {"", " =a", ""}, {"", " =a= ", ""}, {"", " ~a~ ", ""}, {"", " ~", ""}, {" =", "a=", ""}, {"", "=a", ""},
		{"", "*", ""}, {"", "* ", ""}, {"", "* a\n", ""}, {"", "* COMMENT\n", ""}, {"* COMMENT\n", "a\n", ""}, {"", "* TODO COMMENT a\n", ""}, {"", "#", ""}, {"", "# a\n", ""}, {"", "#+", ""}, {"", "#+begin_src\n", ""}, {"", "#+begin_src\n#+end_src\n", ""}, {"", "#+LINK: a b\n", ""}, {"#+LINK: a b%s%h\n", "[[a:b]]", ""}, {"", "#+LINK: a b\n[[a:c]]\n", ""}, {"", "#+INCLUDE: a\n", ""}, {"", "#+INCLUDE: \"\n", ""},
		{"", "#+NAME: a\n", ""}, {"#+LINK: a ", "b", "\n[[a:c]]"}, {"", ":a: b\n", ""}, {"", ":ID: b\n", ""}, {"", ":CUSTOM_ID: b\n", ""}, {"", ": a\n", ""}, {"", ":", ""}, {"", "\n", ""}, {"", " ", ""}, {"", "\t\n", ""}, {"", "http://a ", ""}, {"", "\xff", ""},
	},
}

func TestSmallFormatsHostile(t *testing.T) {
	c := new(Config)
	for alias, shapes := range shapesOf {
		f := c.FormatOfType(c.Aliases()[alias])
		t.Run(alias, func(t *testing.T) {
			scantest.Shapes(t, shapes, 64<<10, func(src []byte) {
				for range f.Scan(src, c, Context{Anchors: true, Mentions: true}) {
				}
			})
		})
	}
}

// Spans are in the document, and in order; a scanner stops when it is told to.
func TestSmallFormatsSpans(t *testing.T) {
	c := new(Config)
	for alias, shapes := range shapesOf {
		f := c.FormatOfType(c.Aliases()[alias])
		for _, s := range shapes {
			src := s.Text(300)
			n := 0
			for range scantest.InOrder(t, len(src), f.Scan(src, c, Context{Anchors: true, Mentions: true})) {
				n++
			}
			for stop := range min(n, 5) {
				k := 0
				for range f.Scan(src, c, Context{Anchors: true, Mentions: true}) {
					if k++; k > stop {
						break
					}
				}
			}
		}
	}
}

func FuzzSmallFormats(f *testing.F) {
	c := new(Config)
	for alias, shapes := range shapesOf {
		for _, s := range shapes {
			f.Add(s.Text(40), alias)
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, alias string) {
		if shapesOf[alias] == nil {
			return
		}
		format := c.FormatOfType(c.Aliases()[alias])
		for range scantest.InOrder(t, len(src), format.Scan(bytes.Clone(src), c, Context{Anchors: true, Mentions: true})) {
		}
	})
}
