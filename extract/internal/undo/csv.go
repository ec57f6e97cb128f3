package undo

import (
	"bytes"

	"example.org/refract/internal/decode"
)

// CSV returns the step that marks the ends of CSV fields: the separator becomes a tab, and in a
// quoted field two quotes become one (RFC 4180 section 2). The separator is a semicolon if the first
// line has no comma.
//
// A stream may take fewer bytes than the step returned as literal, and call it again. So the state
// changes only at the first byte of src.
func CSV() decode.Step {
	var separators string // the separator and a line break; "" before the first line
	quoted, isStart := false, true
	return func(src []byte, atEOF bool) (literal, skip int, out []byte) {
		if len(src) == 0 {
			return 0, 0, nil
		}
		if separators == "" {
			separators = ",\n"
			first, _, _ := bytes.Cut(src, []byte("\n"))
			if bytes.IndexByte(first, ',') < 0 && bytes.IndexByte(first, ';') >= 0 {
				separators = ";\n"
			}
		}
		if isStart && src[0] == '"' {
			quoted, isStart = true, false
			return 0, 1, src[:1]
		}
		i := 0
		if quoted {
			i = bytes.IndexByte(src, '"')
		} else {
			i = bytes.IndexAny(src, separators)
		}
		switch {
		case i < 0:
			isStart = false
			return len(src), 0, nil
		case i > 0:
			isStart = false
			return i, 0, nil
		case src[0] == '\n':
			isStart = true
			return 0, 1, src[:1]
		case !quoted:
			isStart = true
			return 0, 1, []byte("\t")
		case len(src) > 1 && src[1] == '"':
			return 0, 2, src[:1]
		case len(src) == 1 && !atEOF:
			return 0, 0, nil
		}
		quoted = false
		return 0, 1, src[:1]
	}
}
