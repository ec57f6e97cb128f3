package message_test

import (
	"strings"
	"testing"

	"example.org/refract/extract/message"
)

// In each text, a digit marks a place whose depth is that digit.
func TestQuotes(t *testing.T) {
	for _, html := range []string{
		"0<blockquote>0<p>0</blockquote>0",
		`0<blockquote type="cite">1<blockquote type='cite' class=x>2</blockquote>1</blockquote>0`,
		`<div class="gmail_quote">0<BLOCKQUOTE class="gmail_quote" style="x">1<blockquote>1</blockquote>1</blockquote>0</div>`,
		"0</blockquote></blockquote>0<blockquote type=cite>1",
		"<blockquotes type=cite>0<blockquote",
	} {
		checkQuotes(t, html, true)
	}
	for _, text := range []string{
		"0\n> 1\n>> 2 2\n> > > 3\n| 1\n: 1\n 0 > 0\n",
		"0\n-----Original Message-----\nFrom: x\n1\n> 1\n>> 2",
		"0\n--- original message ---\nSent: x\n*From:* x\n1",
		"0\n-----Original Message-----\n0\n0\n0\n0\nFrom: x\n0",
		"0\n> -----Original Message-----\n> From: x\n0",
		"0",
		"",
	} {
		checkQuotes(t, text, false)
	}
}

func checkQuotes(t *testing.T, text string, html bool) {
	var q message.Quotes
	q.Reset([]byte(text), html)
	for i := range len(text) {
		if c := text[i]; c >= '0' && c <= '9' {
			if got := q.Depth(i); got != int(c-'0') {
				t.Errorf("%q: depth %d at %d", text, got, i)
			}
		}
	}
}

// The tags are read once, and the number of unclosed elements is limited.
func TestQuotesHostile(t *testing.T) {
	for _, s := range []string{"<blockquote type=cite>", "</blockquote>", "<blockquote ", "<"} {
		src := strings.Repeat(s, 100_000)
		var q message.Quotes
		q.Reset([]byte(src), true)
		for i := 0; i < len(src); i += 7 {
			if d := q.Depth(i); d > 1000 {
				t.Fatalf("%q: depth %d", s, d)
			}
		}
	}
	src := strings.Repeat("-----Original Message-----\n", 100_000)
	var q message.Quotes
	q.Reset([]byte(src), false)
	if d := q.Depth(len(src)); d != 0 {
		t.Errorf("depth %d", d)
	}
}
