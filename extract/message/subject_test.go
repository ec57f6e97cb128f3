package message

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// A subject is cut as its whole text would be.
func TestCutSubject(t *testing.T) {
	whole := func(text string) string {
		characters := []rune(strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " "))
		return string(characters[:min(len(characters), maxSubject)])
	}
	pieces := []string{"a", "bc", " ", "\t\r\n", "\v\f", "\u00a0", "\u2003", "\x85", "\xff\xfe", "é", "\xc3", "日本", "\xf0\x9f\x98", "\U0001f600", "\ufffd", "\x00", strings.Repeat("x", maxSubject-2)}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		text := ""
		for range random.IntN(12) {
			text += strings.Repeat(pieces[random.IntN(len(pieces))], 1+random.IntN(3)*random.IntN(20))
		}
		if got, want := cutSubject([]byte(text)), whole(text); got != want {
			t.Fatalf("%q: %q, want %q", text, got, want)
		}
	}
}
