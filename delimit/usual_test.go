package delimit

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// What usual finds is what delimited finds, and neither depends on whether the text ends there.
func TestUsual(t *testing.T) {
	pieces := []string{"http://", "https://", "HTTP://", "h", "example.org", "www.x.org:80", "a@b", "/", "/x", "/docs", "/a/b.html", "/a....b", "....", "..", ".", ",", ";", "?", "?a=b", "&",
		"&gt", "&amp;", "#", "#x", "-", "_", "=", "~", "*", "+", "$", "%", "%41", ":", ":80", "12", "(", ")", "[", "]", "{", "}", "'", "\"", "<", ">", "|", "\\", "^", "`", "é", "語", "\x00", "\x7f", "\xff",
		" ", "  ", "\n", "\n\n", "\r\n", "\t", "\n> ", "\n| ", "URL:", "URL: ", "<URL:", "url:\n", "word ", "word\n", "a\n", "b ", "0123456789abcdef0123456789",
		"/a/long/path/that/goes/on/and/on/and/on/until/the/line/is/full/of/it/"}
	before := []string{"\n", "a ", "a\n", "URL: ", "<\n", "a:\n", "> ", "'a ", "=\n", "\xe9 "}
	random := rand.New(rand.NewPCG(1, 2))
	piece := func() string { return pieces[random.IntN(len(pieces))] }
	some := checkUsual(t, []byte("see http://"))
	n := scantest.Amount(60_000, 200_000)
	for range n {
		src := []byte(piece() + before[random.IntN(len(before))] + "https://h")
		for range 1 + random.IntN(6) {
			src = append(src, piece()...)
		}
		src = append(src, " \n"[random.IntN(2)])
		src = append(src, piece()...)
		some += checkUsual(t, src)
		if t.Failed() {
			return
		}
	}
	if some < n/100 {
		t.Errorf("only %d usual references", some)
	}
}

// checkUsual returns the number of references that usual finds in src.
func checkUsual(t *testing.T, src []byte) (some int) {
	var f, full Finder
	for colon := range src {
		if !bytes.HasPrefix(src[colon:], []byte("://")) {
			continue
		}
		start := schemeStart(src, 0, colon)
		if start < 0 {
			continue
		}
		end := f.usual(src, start, colon+3)
		if end == 0 {
			continue
		}
		some++
		next, v := full.delimited(src, start, colon+3, located, true)
		if v != found || next != end || !reflect.DeepEqual(f.span, full.span) {
			t.Errorf("%q: usual %d %+v, delimited %d %+v", src, end, f.span, next, full.span)
		}
		if next, v = full.delimited(src, start, colon+3, located, false); v == found && next != end {
			t.Errorf("%q: usual %d, delimited in a longer text %d", src, end, next)
		}
	}
	return some
}
