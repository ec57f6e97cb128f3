package message

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// A subject in ASCII is the first characters of its words, joined by blanks.
func TestASCIISubject(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const letters = "ab c\t\n\r\v\f\x00\x7fd  "
	for range 5000 {
		text := make([]byte, random.IntN(2*maxSubject))
		for i := range text {
			text[i] = letters[random.IntN(len(letters))]
		}
		want := strings.Join(strings.Fields(string(text)), " ")
		want = want[:min(len(want), maxSubject)]
		if got, ok := asciiSubject(text); !ok || got != want {
			t.Fatalf("%q: %q, %v; want %q", text, got, ok, want)
		}
	}
	if got, ok := asciiSubject([]byte("a é")); ok {
		t.Errorf("%q", got)
	}
}
