package judge

import (
	"bytes"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/reason"
)

// What programs without a model make of the form of a reference.

// directiveName returns the name of the directive of Paradox that text ends in, as it stands before the "[" of a link, or "":
// "@apidoc[Http](akka.http.Http)", "@@snip [x](x.scala)". An expression takes fifty times as long for text that ends in none.
func directiveName(text []byte) string {
	text = bytes.TrimSuffix(text, []byte(" "))
	text = bytes.TrimSuffix(text, []byte(":"))
	name := len(text)
	for name > 0 && 'a' <= text[name-1] && text[name-1] <= 'z' {
		name--
	}
	at := len(bytes.TrimRight(text[:name], "@"))
	isAfterWord := at > 0 && (ascii.IsAlnum(text[at-1]) || text[at-1] == '_')
	if name == len(text) || at == name || at < name-3 || isAfterWord {
		return ""
	}
	return string(text[name:])
}

// isOfDirective reports whether u is the argument of a directive of Paradox, which need not be a path, as that of @ref is.
func (u *missingUse) isOfDirective() bool {
	if !u.d.IsMarkdown() || u.k.How != scan.Inline {
		return false
	}
	const longest = 1000 // bytes of a link before its destination
	source := u.d.Source()
	at := int(u.k.Pos.Offset)
	before, ok := bytes.CutSuffix(source[max(0, min(at, len(source))-longest):min(at, len(source))], []byte("]("))
	if !ok {
		return false
	}
	depth := 1
	for i := len(before) - 1; i >= 0; i-- {
		switch before[i] {
		case ']':
			depth++
		case '[':
			depth--
		}
		if depth == 0 {
			name := directiveName(before[:i])
			return name != "" && name != "ref"
		}
	}
	return false
}

// Reasons.
var ofDirective = reason.New(reason.Code, "directive", "the argument of a directive, as of Paradox")
