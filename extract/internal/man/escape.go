package man

import "bytes"

// marks are the special characters of roff that occur in URLs and their delimiters, by
// the names that follow "\(" and "\[".
//
// Source: groff_char(7) of groff 1.23.
var marks = map[string]string{
	"ti": "~", "ha": "^", "aq": "'", "dq": `"`, "hy": "-", "mi": "-", "at": "@", "sh": "#", "sl": "/", "rs": `\`, "pl": "+", "eq": "=",
	"lq": "“", "rq": "”", "oq": "‘", "cq": "’", "Fo": "«", "Fc": "»", "em": "—", "en": "–", "la": "⟨", "ra": "⟩", "Do": "$",
	"or": "|", "ul": "_", "ga": "`", "lB": "[", "rB": "]", "lC": "{", "rC": "}",
}

// Escape returns the length of the roff escape sequence at the start of s, and the text that it stands
// for in a URL. The length is 0 if there is no escape that matters.
func Escape(s []byte) (n int, out []byte) {
	if len(s) < 2 || s[0] != '\\' {
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
		name, k := readName(s[2:])
		switch {
		case k == 0:
			return 0, nil
		case c != '*':
			return 2 + k, []byte{}
		case name == "lq" || name == "rq" || name == "Lq" || name == "Rq" || name == "Aq":
			return 2 + k, []byte(`"`)
		}
		return 0, nil
	case 's':
		return size(s)
	case '(', '[':
		name, k := readName(s[1:])
		if mark, ok := marks[name]; ok {
			return 1 + k, []byte(mark)
		}
	}
	return 0, nil
}

// size reads a change of the type size: \s-1, \s+2, \s0.
func size(s []byte) (n int, out []byte) {
	i := 2
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		i++
	}
	if i < len(s) && s[i] >= '0' && s[i] <= '9' {
		return i + 1, []byte{}
	}
	return 0, nil
}

// readName reads a name, "x", "(xx" or "[xxx]", and returns its length with the brackets.
func readName(s []byte) (name string, n int) {
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
