package lexicon

import (
	"fmt"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	names := []string{"", "a", "href", "xlink:href", "abc", "aBc"}
	for i := len(names); i < 256; i++ {
		names = append(names, fmt.Sprint("n", i*7919))
	}
	exact, folded := NewTable(names, false), NewTable(names, true)
	for i, n := range names[1:] {
		if got := exact.Find([]byte(n)); int(got) != i+1 {
			t.Errorf("%s is %d, not %d", n, got, i+1)
		}
		if n != "aBc" {
			if got := folded.Find([]byte(strings.ToUpper(n))); int(got) != i+1 {
				t.Errorf("%s in capitals is %d, not %d", n, got, i+1)
			}
		}
	}
	for _, n := range []string{"b", "HREF", "href:xlink", "n1", "\x00", strings.Repeat("é", 99)} {
		if got := exact.Find([]byte(n)); got != 0 {
			t.Errorf("%s is %d, but no name", n, got)
		}
	}
}

func TestFilter(t *testing.T) {
	var f Filter
	long := strings.Repeat("data-", 9)
	f.Add("href")
	f.Add(long)
	for _, s := range []string{"href", "HREF", long, long + "x"} {
		if !f.Has([]byte(s)) {
			t.Errorf("%s is kept out", s)
		}
	}
	for _, s := range []string{"", "src", "h", "hrefs"} {
		if f.Has([]byte(s)) {
			t.Errorf("%q is let in", s)
		}
	}
}

func TestPaths(t *testing.T) {
	var p Paths
	element := []byte("a")
	if got := p.Join(element, "href"); got != "a/href" {
		t.Error(got)
	}
	if n := testing.AllocsPerRun(10, func() { p.Join(element, "href") }); n > 0 {
		t.Errorf("a known path allocates %v times", n)
	}
	for i := range 10 * maxPaths {
		p.Join(element, fmt.Sprint(i))
		if len(p.known) > maxPaths+1 {
			t.Fatalf("%d paths are kept", len(p.known))
		}
	}
}

func TestFields(t *testing.T) {
	class := [256]uint8{' ': 1, '\n': 1, ',': 2}
	for src, want := range map[string]string{"": "", " \n": "", "a": "a", " a,b\n c ": "a,b|c"} {
		var got []string
		for i, j := range Fields([]byte(src), &class, 1) {
			got = append(got, src[i:j])
		}
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("%q: %s, want %s", src, s, want)
		}
	}
	for range Fields([]byte("a b"), &class, 1) {
		break // never goes on behind it
	}
}
