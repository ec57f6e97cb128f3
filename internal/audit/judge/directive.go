package judge

import (
	"bytes"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/reason"
)

// What programs without a model make of the form of a reference.

// directiveName matches what stands before the "[" of a link that is a directive of Paradox: "@apidoc[Http](akka.http.Http)",
// "@@snip [x](x.scala)".
var directiveName = lazy.New(`(?:^|[^\w@])@@?@?([a-z]+):? ?$`)

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
			m := directiveName.Compiled().FindSubmatch(before[:i])
			return m != nil && string(m[1]) != "ref"
		}
	}
	return false
}

// Reasons.
var ofDirective = reason.New("directive", "the argument of a directive, as of Paradox")
