package latex

import "bytes"

// marks are the escapes for URLs in LaTeX, longer ones first.
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

// Escape returns the length of the escape at the start of s, and the text that it stands for in a
// URL. The length is 0 if there is no escape.
func Escape(s []byte) (n int, out []byte) {
	for _, m := range marks {
		if bytes.HasPrefix(s, []byte(m.from)) {
			return len(m.from), []byte(m.to)
		}
	}
	return 0, nil
}
