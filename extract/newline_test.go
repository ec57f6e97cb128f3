package extract

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

func TestLastNewline(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	bytesNear := []byte{'\n', '\n' - 1, '\n' + 1, 0, 0x80, '\n' | 0x80, 0xFF, 'a'}
	for range 100_000 {
		text := make([]byte, random.IntN(40))
		for i := range text {
			text[i] = bytesNear[random.IntN(len(bytesNear))]
			if text[i] == '\n' && random.IntN(8) > 0 {
				text[i] = 'b'
			}
		}
		if got, want := lastNewline(text), bytes.LastIndexByte(text, '\n'); got != want {
			t.Fatalf("%q: %d, want %d", text, got, want)
		}
	}
}
