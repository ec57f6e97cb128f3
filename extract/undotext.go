package extract

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/ascii"
)

// undoByName returns the notations that a text with this name, which begins with head, is
// written in: escapes of JSON by the name alone, those of roff and LaTeX by both.
func undoByName(name string, head []byte) Undo {
	name = strings.ToLower(path.Base(strings.ReplaceAll(name, `\`, "/")))
	for _, packed := range []string{".gz", ".xz", ".bz2", ".zst"} {
		name = strings.TrimSuffix(name, packed)
	}
	ext := path.Ext(name)
	switch ext {
	case ".json", ".ndjson", ".jsonl":
		return UndoJSON
	case ".tex", ".ltx", ".latex", ".sty", ".cls", ".dtx", ".bib", ".bbl":
		if bytes.ContainsAny(head, `\%@`) {
			return UndoLaTeX
		}
		return 0
	case ".man", ".mdoc", ".roff", ".troff", ".me", ".ms", ".mm":
	default:
		if len(ext) < 2 || len(ext) > 5 || !ascii.IsDigit(ext[1]) || strings.ContainsAny(ext[2:], "0123456789") {
			return 0
		}
	}
	if isRoff(head) {
		return UndoRoff
	}
	return 0
}

// isRoff reports whether head begins with a comment or a request, and holds the title or a section
// of a manual or a paragraph of a document.
func isRoff(head []byte) bool {
	head = bytes.TrimLeft(head, "\r\n")
	if len(head) < 3 || head[0] != '.' && head[0] != '\'' || head[1] != '\\' && head[1] != '.' && head[1] != ' ' && !ascii.IsLetter(head[1]) {
		return false
	}
	return slices.ContainsFunc([]string{".TH ", ".Dd ", ".SH", ".Sh ", ".so ", ".PP", ".LP", ".de ", ".ds "}, func(request string) bool {
		i := bytes.Index(head, []byte(request))
		return i == 0 || i > 0 && head[i-1] == '\n'
	}) || bytes.HasPrefix(head, []byte(`.\"`)) || bytes.HasPrefix(head, []byte(`'\"`))
}

// roffMarks are the special characters of roff that URLs and their delimiters are written with, by
// the names that follow "\(" and "\[".
//
// Source: groff_char(7) of groff 1.23.
var roffMarks = map[string]string{
	"ti": "~", "ha": "^", "aq": "'", "dq": `"`, "hy": "-", "mi": "-", "at": "@", "sh": "#", "sl": "/", "rs": `\`, "pl": "+", "eq": "=",
	"lq": "“", "rq": "”", "oq": "‘", "cq": "’", "Fo": "«", "Fc": "»", "em": "—", "en": "–", "la": "⟨", "ra": "⟩", "Do": "$",
	"or": "|", "ul": "_", "ga": "`", "lB": "[", "rB": "]", "lC": "{", "rC": "}",
}

// undoRoff undoes escapes of roff, and puts "mailto:" in place of the requests of mail addresses
// (groff(7), "Escape sequences"; groff_man(7) MT; mdoc(7) Mt). A step sees no line's begin but
// behind a line break.
func undoRoff(src []byte, atEOF bool) (literal, skip int, out []byte) {
	const longest = 32
	i := bytes.IndexAny(src, "\\\n")
	for i >= 0 && src[i] == '\n' {
		s := src[i:]
		if len(s) < len("\n.MT a") && !atEOF {
			return i, 0, nil
		}
		if bytes.HasPrefix(s, []byte("\n.MT ")) || bytes.HasPrefix(s, []byte("\n.Mt ")) {
			return i + 1, len(".MT "), []byte("mailto:")
		}
		k := bytes.IndexAny(s[1:], "\\\n")
		if k < 0 {
			return len(src), 0, nil
		}
		i += 1 + k
	}
	if i < 0 {
		return len(src), 0, nil
	}
	s := src[i:]
	if len(s) < longest && !atEOF {
		return i, 0, nil
	}
	if n, out := roffEscape(s); n > 0 {
		return i, n, out
	}
	return i + 1, 0, nil
}

// roffEscape returns the length of the escape that s begins with and what it stands for; 0 if it
// is none that matters.
func roffEscape(s []byte) (n int, out []byte) {
	if len(s) < 2 {
		return 0, nil
	}
	switch c := s[1]; c {
	case '-', '.', '\'', '`', '_':
		return 2, s[1:2]
	case 'e', '\\':
		return 2, s[:1]
	case ':', '&', '%', '/', ',', '|', '^', ')', 'c':
		return 2, []byte{}
	case ' ', '~', '0':
		return 2, []byte(" ")
	case 'f', 'm', '*':
		name, k := roffName(s[2:])
		switch {
		case k == 0:
			return 0, nil
		case c != '*':
			return 2 + k, []byte{}
		case name == "lq" || name == "rq" || name == "Lq" || name == "Rq" || name == "Aq":
			return 2 + k, []byte(`"`)
		}
		return 0, nil
	case '(', '[':
		name, k := roffName(s[1:])
		if mark, ok := roffMarks[name]; ok {
			return 1 + k, []byte(mark)
		}
	}
	return 0, nil
}

// roffName reads a name, "x", "(xx" or "[xxx]", and returns its length with the brackets.
func roffName(s []byte) (name string, n int) {
	switch {
	case len(s) == 0 || s[0] <= ' ':
		return "", 0
	case s[0] == '(':
		if len(s) < 3 {
			return "", 0
		}
		return string(s[1:3]), 3
	case s[0] == '[':
		if i := bytes.IndexByte(s[:min(len(s), 16)], ']'); i > 0 {
			return string(s[1:i]), i + 1
		}
		return "", 0
	}
	return string(s[:1]), 1
}

// latexMarks are what URLs are written with in LaTeX, longer ones first.
//
// Source: LaTeX 2e, "ltoutenc" and "ltplain"; package url.
var latexMarks = []struct{ from, to string }{
	{`\textasciitilde{}`, "~"}, {`\textasciitilde `, "~"}, {`\textasciitilde`, "~"},
	{`\textunderscore{}`, "_"}, {`\textunderscore `, "_"}, {`\textunderscore`, "_"},
	{`\allowbreak{}`, ""}, {`\allowbreak `, ""}, {`\allowbreak`, ""},
	{`\slash{}`, "/"}, {`\slash `, "/"}, {`\string`, ""},
	{`\~{}`, "~"}, {`\~{ }`, "~"}, {`\^{}`, "^"}, {`$\sim$`, "~"}, {`{\sim}`, "~"},
	{`\_`, "_"}, {`\%`, "%"}, {`\#`, "#"}, {`\&`, "&"}, {`\$`, "$"}, {`\-`, ""}, {`\/`, ""}, {`\~`, "~"},
}

// undoLaTeX undoes the escapes of LaTeX.
func undoLaTeX(src []byte, atEOF bool) (literal, skip int, out []byte) {
	const longest = len(`\textasciitilde{}`)
	for i := 0; ; i++ {
		k := bytes.IndexAny(src[i:], "\\${")
		if k < 0 {
			return len(src), 0, nil
		}
		i += k
		s := src[i:]
		if len(s) < longest && !atEOF {
			return i, 0, nil
		}
		for _, m := range latexMarks {
			if bytes.HasPrefix(s, []byte(m.from)) {
				return i, len(m.from), []byte(m.to)
			}
		}
		if s[0] == '\\' && len(s) > 1 && s[1] == '\\' {
			i++ // a line break, "\\%"
		}
	}
}
