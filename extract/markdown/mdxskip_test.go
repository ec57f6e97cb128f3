package markdown

import (
	"math/rand/v2"
	"testing"
)

// Expressions, tags and strings end where a loop over all bytes finds their end.
func TestSkipped(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	const bytes = "{}{}\"'`<>/*\\\n a\"'"
	found := [3]int{}
	for range 300_000 {
		s := make([]byte, 1+random.IntN(90))
		for i := range s {
			if random.IntN(3) > 0 {
				s[i] = 'x'
			} else {
				s[i] = bytes[random.IntN(len(bytes))]
			}
		}
		s[0] = "{<\"'`"[random.IntN(5)]
		switch s[0] {
		case '{':
			compareSkipped(t, s, expression(s), plainExpression(s), &found[0])
		case '<':
			compareSkipped(t, s, jsxTag(s), plainTag(s), &found[1])
		default:
			compareSkipped(t, s, new(Scanner).skipScript(s), plainString(s), &found[2])
		}
	}
	for i, n := range found {
		if n < 1000 {
			t.Errorf("only %d of kind %d", n, i)
		}
	}
}

func compareSkipped(t *testing.T, s []byte, got, want int, found *int) {
	t.Helper()
	if got != want {
		t.Fatalf("%q: %d, want %d", s, got, want)
	}
	if want > 0 {
		*found++
	}
}

func plainExpression(s []byte) int {
	depth, quote := 0, byte(0)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			switch {
			case c == '\\':
				i++
			case c == quote, c == '\n' && quote != '`':
				quote = 0
			}
		case c == '/' && i+1 < len(s) && s[i+1] == '*':
			n := i + 2
			for n < len(s) && (s[n] != '*' || n+1 == len(s) || s[n+1] != '/') {
				n++
			}
			i = n + 1
		case c == '"' || c == '\'' || c == '`':
			quote = c
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

func plainTag(s []byte) int {
	if len(s) < 2 || s[1] != '/' && s[1] != '>' && (s[1] < 'a' || s[1] > 'z') {
		return 0
	}
	quote := byte(0)
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i + 1
		case c == '<':
			return 0
		}
	}
	return 0
}

func plainString(s []byte) int {
	for i := 1; i < len(s) && (s[i] != '\n' || s[0] == '`'); i++ {
		if s[i] == '\\' {
			i++
		} else if s[i] == s[0] {
			return i
		}
	}
	return 0
}
