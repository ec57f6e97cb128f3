package latex

import "bytes"

// marks are what URLs are written with in LaTeX, longer ones first.
//
// Source: LaTeX 2e, "ltoutenc" and "ltplain"; package url.
var marks = []struct{ from, to string }{
	{`\textasciitilde{}`, "~"}, {`\textasciitilde `, "~"}, {`\textasciitilde`, "~"},
	{`\textunderscore{}`, "_"}, {`\textunderscore `, "_"}, {`\textunderscore`, "_"},
	{`\allowbreak{}`, ""}, {`\allowbreak `, ""}, {`\allowbreak`, ""},
	{`\slash{}`, "/"}, {`\slash `, "/"}, {`\string`, ""},
	{`\~{}`, "~"}, {`\~{ }`, "~"}, {`\^{}`, "^"}, {`$\sim$`, "~"}, {`{\sim}`, "~"},
	{`\_`, "_"}, {`\%`, "%"}, {`\#`, "#"}, {`\&`, "&"}, {`\$`, "$"}, {`\-`, ""}, {`\/`, ""}, {`\~`, "~"},
}

// Longest is the length of the longest escape, in bytes.
const Longest = len(`\textasciitilde{}`)

// Escape returns the length of the escape that s begins with, and what it stands for in a
// URL; 0 if it is none.
func Escape(s []byte) (n int, out []byte) {
	for _, m := range marks {
		if bytes.HasPrefix(s, []byte(m.from)) {
			return len(m.from), []byte(m.to)
		}
	}
	return 0, nil
}
