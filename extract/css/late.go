package css

import (
	"bytes"
	"slices"
	"strings"
)

// mayImport reports whether an @import at src[at] may be valid: by css-cascade-5 2, it must precede all
// other valid rules, except for @charset and the statements of @layer. Only a browser knows which rules are
// valid, so doubtful rules do not count. Rules are examined once, so that all calls for src take linear
// time.
func (s *Scanner) mayImport(src []byte, at int) bool {
	for !s.late {
		if s.end == 0 {
			s.seen = between(src, s.seen)
			s.block, s.end = rule(src, s.seen)
		}
		inBlock := s.block >= 0 && s.block < at
		switch {
		case at <= s.seen:
			return true
		case inBlock && isKnown(src[s.seen:s.block]), s.block < 0 && s.end <= at && isNamespace(src[s.seen:s.end]):
			s.late = true
		case s.end > at:
			return !inBlock
		default:
			s.seen, s.end = s.end, 0
		}
	}
	return false
}

// between returns the offset behind white space, comments and the marks of comments of HTML.
func between(src []byte, i int) int {
	for {
		i = blank(src, i)
		switch {
		case bytes.HasPrefix(src[i:], []byte("<!--")):
			i += len("<!--")
		case bytes.HasPrefix(src[i:], []byte("-->")):
			i += len("-->")
		default:
			return i
		}
	}
}

// isNamespace reports whether a rule without a block is a valid @namespace, nearly always.
func isNamespace(rule []byte) bool {
	return strings.EqualFold(atName(rule), "namespace") && bytes.IndexByte(rule[1:], '@') < 0
}

// rule returns where the rule at src[i] ends, and where its block begins, -1 if it has none.
func rule(src []byte, i int) (block, end int) {
	block = -1
	depth, nested := 0, 0 // of braces, of other brackets
	for i < len(src) {
		if end := opaque(src, i); end > i {
			i = end
			continue
		}
		switch src[i] {
		case '(', '[':
			nested++
		case ')', ']':
			nested = max(0, nested-1)
		case '{':
			if depth == 0 && nested == 0 && block < 0 {
				block = i
			}
			depth, nested = depth+1, 0
		case '}':
			depth, nested = depth-1, 0
			if depth <= 0 {
				return block, i + 1
			}
		case ';':
			if depth == 0 && nested == 0 {
				return block, i + 1
			}
		}
		i++
	}
	return block, len(src)
}

// atName returns the name of the at-rule that begins with prelude, "" if that is a list of selectors.
func atName(prelude []byte) string {
	name, ok := bytes.CutPrefix(prelude, []byte("@"))
	if !ok {
		return ""
	}
	n := 0
	for n < len(name) && (name[n] == '-' || name[n]|0x20 >= 'a' && name[n]|0x20 <= 'z') {
		n++
	}
	return string(name[:n])
}

// blockRules are at-rules with blocks that are valid whatever their preludes hold, or nearly so.
var blockRules = strings.Fields("media font-face keyframes -webkit-keyframes page supports layer")

// isKnown reports whether a rule with this prelude and a block is valid in every browser: it is one of
// blockRules, or its selectors are lists of types, classes and ids.
func isKnown(prelude []byte) bool {
	prelude = bytes.TrimRight(prelude, " \t\r\n\f")
	if len(prelude) == 0 {
		return false
	}
	if name := atName(prelude); name != "" {
		return slices.Contains(blockRules, strings.ToLower(name))
	}
	for _, one := range bytes.Split(prelude, []byte(",")) {
		fields := bytes.Fields(one)
		for _, f := range fields {
			f = bytes.TrimPrefix(f, []byte("*"))
			dot := true // before a name
			for i, c := range f {
				isLetter := c|0x20 >= 'a' && c|0x20 <= 'z'
				switch {
				case isLetter:
					dot = false
				case (c == '.' || c == '#') && (i == 0 || !dot):
					dot = true
				case !dot && (c == '-' || c == '_' || c >= '0' && c <= '9'):
				default:
					return false
				}
			}
			if dot && len(f) > 0 {
				return false
			}
		}
		if len(fields) == 0 {
			return false
		}
	}
	return true
}
