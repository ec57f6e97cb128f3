package delimit

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// TestMain runs the tests twice where there are vectors: with them, and without.
func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	if code == 0 && vectors && flag.Lookup("test.fuzz").Value.String() == "" && flag.Lookup("test.bench").Value.String() == "" {
		vectors = false
		fmt.Println("without vectors:")
		code = m.Run()
	}
	os.Exit(code)
}

// allTriggers returns all triggers of src, in order.
func allTriggers(src []byte) (all []int) {
	var f Finder
	for pos := 0; ; {
		t := f.trigger(src, pos)
		if t < 0 {
			return all
		}
		all = append(all, t)
		pos = t + 1
	}
}

// checkVectors compares the triggers that vectors find with those that words find, at each
// alignment, without what follows, and without what stands in front.
func checkVectors(t *testing.T, src []byte) {
	if !vectors {
		t.Skip("no vectors")
	}
	defer func() { vectors = true }()
	room := make([]byte, len(src)+64)
	for shift := range 33 {
		for i := range room {
			room[i] = ":w"[i&1] // what must not be seen
		}
		text := room[shift : shift+len(src) : shift+len(src)]
		copy(text, src)
		vectors = true
		got := allTriggers(text)
		vectors = false
		if want := allTriggers(text); !slices.Equal(got, want) {
			t.Fatalf("%q: %d with vectors, %d without", src, got, want)
		}
	}
}

// Every length and each place within it.
func TestVectors(t *testing.T) {
	for _, s := range []string{"://", "www.x", "WWW2.", "wwww.", "<URL:x", "<URL: x", "urn:", "e:/", "a:=b", "tel:\x00", "mailto:\xff", "::", ":"} {
		for n := len(s); n < 140; n++ {
			for at := 0; at+len(s) <= n; at += 1 + n/scantest.Amount(10, 40) {
				src := []byte(fmt.Sprintf("%*s", n, ""))
				copy(src[at:], s)
				checkVectors(t, src)
				if t.Skipped() {
					return
				}
			}
		}
	}
	letters := []byte("::::wwwwWW2..//<<UuRrLlnNe =!\n\x7f\x80\xbaj\xff")
	random := rand.New(rand.NewPCG(1, 2))
	for range scantest.Amount(1000, 2000) {
		src := make([]byte, random.IntN(200))
		for i := range src {
			src[i] = letters[random.IntN(len(letters))]
		}
		checkVectors(t, src)
	}
}

func FuzzVectors(f *testing.F) {
	f.Add([]byte("see http://example.org/, www.example.org and <URL: x> : = urn:isbn:1 here and there"))
	f.Fuzz(func(t *testing.T, src []byte) { checkVectors(t, src) })
}
