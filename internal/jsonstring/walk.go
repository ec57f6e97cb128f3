package jsonstring

import (
	"bytes"

	"example.org/refract/extract/scan"
)

// A Level is an object or an array around a value.
type Level struct {
	IsObject bool
	Key      scan.Span // of the current member, without its quotation marks; empty in an array

	value bool // the next string is a value, not a key
}

// Named returns the key of the current member, as written; "" in an array. It is cut after maxKey bytes, so
// that many strings below a long key take no more time than others.
func (l *Level) Named(src []byte) string {
	return string(src[l.Key.Start:min(l.Key.End, l.Key.Start+maxKey)])
}

// maxKey is more than the bytes of any key that is looked for.
const maxKey = 128

// maxDepth limits the depth to which JSON is read.
const maxDepth = 256

// Walk calls text with every string that is a value, without its quotation marks, and the levels around it,
// from the outermost in. It calls end, unless that is nil, when an object or array ends, with the levels
// around it and its own. It stops if one of these returns false, and where JSON is nested deeper than
// MaxDepth. It takes time in proportion to len(src).
func Walk(src []byte, text func(in []Level, value scan.Span) bool, end func(in []Level) bool) {
	var in []Level
	for at := 0; at < len(src); at++ {
		top := len(in) - 1
		switch src[at] {
		case '{', '[':
			if len(in) == maxDepth {
				return
			}
			in = append(in, Level{IsObject: src[at] == '{'})
		case '}', ']':
			if top < 0 || end != nil && !end(in) {
				return
			}
			in = in[:top]
		case ':':
			if top >= 0 {
				in[top].value = true
			}
		case ',':
			if top >= 0 {
				in[top].value = false
			}
		case '"':
			s := scan.Span{Start: at + 1, End: stringEnd(src, at+1)}
			at = s.End
			switch {
			case at == len(src):
				return
			case top >= 0 && in[top].IsObject && !in[top].value:
				in[top].Key = s
			case !text(in, s):
				return
			}
		}
	}
}

// stringEnd returns the end of the string that begins at src[at].
func stringEnd(src []byte, at int) int {
	for from := at; ; {
		i := bytes.IndexByte(src[from:], '"')
		if i < 0 {
			return len(src)
		}
		end := from + i
		k := end
		for k > from && src[k-1] == '\\' {
			k--
		}
		if (end-k)%2 == 0 {
			return end
		}
		from = end + 1
	}
}
