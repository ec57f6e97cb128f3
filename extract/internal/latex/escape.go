package latex

import "bytes"

// marks are the escapes for URLs in LaTeX, longer ones first.
//
// Source: LaTeX 2e, "ltoutenc" and "ltplain"; package url; "The LaTeX3 Interfaces", l3str, for the
// constants, after which white space is skipped.
var marks = []struct{ from, to string }{
	{`\textasciitilde{}`, "~"}, {`\textasciitilde `, "~"}, {`\textasciitilde`, "~"},
	{`\textunderscore{}`, "_"}, {`\textunderscore `, "_"}, {`\textunderscore`, "_"},
	{`\allowbreak{}`, ""}, {`\allowbreak `, ""}, {`\allowbreak`, ""},
	{`\slash{}`, "/"}, {`\slash `, "/"}, {`\string`, ""},
	{`\c_hash_str `, "#"}, {`\c_hash_str`, "#"}, {`\c_percent_str `, "%"}, {`\c_percent_str`, "%"},
	{`\c_tilde_str `, "~"}, {`\c_tilde_str`, "~"}, {`\c_ampersand_str `, "&"}, {`\c_ampersand_str`, "&"},
	{`\c_underscore_str `, "_"}, {`\c_underscore_str`, "_"}, {`\c_colon_str `, ":"}, {`\c_colon_str`, ":"},
	{`\~{}`, "~"}, {`\~{ }`, "~"}, {`\^{}`, "^"}, {`$\sim$`, "~"}, {`{\sim}`, "~"},
	{`\_`, "_"}, {`\%`, "%"}, {`\#`, "#"}, {`\&`, "&"}, {`\$`, "$"}, {`\-`, ""}, {`\/`, ""}, {`\~`, "~"},
}

// Longest is the length of the longest escape, in bytes.
const Longest = len(`\c_underscore_str `)

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
