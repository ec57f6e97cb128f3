package message_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"example.org/refract/extract/message"
)

// Depth finds all tags before an offset, in any spelling and wherever a tag before ends. The oracle
// looks at every "<".
func TestQuotesTags(t *testing.T) {
	words := []string{"<blockquote type=cite>", "</blockquote>", "<BLOCKQUOTE TYPE=cite>", "</BlockQuote>", "<blockQuote class=gmail_quote>",
		"<", "/", "q", "Q", "block", "blockquote", "<blockquote", " ", "x", "</", "<q>", "<blockquotes type=cite>", "blockq", "<blockquote>"}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var src []byte
		for range 1 + rng.IntN(10) {
			src = append(src, words[rng.IntN(len(words))]...)
		}
		var q message.Quotes
		q.Reset(src, true)
		for at := rng.IntN(4); at <= len(src); at += 1 + rng.IntN(12) {
			if got, want := q.Depth(at), slowDepth(src, at); got != want {
				t.Fatalf("%q: depth %d at %d, want %d", src, got, at, want)
			}
		}
	}
}

func slowDepth(src []byte, at int) (depth int) {
	var open []bool
	for i := range src[:at] {
		if src[i] != '<' {
			continue
		}
		tag := bytes.ToLower(src[i+1:])
		name, end := bytes.CutPrefix(tag, []byte("/"))
		rest, ok := bytes.CutPrefix(name, []byte("blockquote"))
		if !ok || len(rest) == 0 || rest[0] >= 'a' && rest[0] <= 'z' {
			continue
		}
		rest, _, _ = bytes.Cut(rest, []byte(">"))
		cited := bytes.Contains(rest, []byte("gmail_quote")) || bytes.Contains(rest, []byte("type=cite"))
		switch {
		case !end:
			open = append(open, cited)
			if cited {
				depth++
			}
		case len(open) > 0:
			if open[len(open)-1] {
				depth--
			}
			open = open[:len(open)-1]
		}
	}
	return depth
}
