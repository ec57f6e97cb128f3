package css

import (
	"fmt"
	"strings"
	"testing"
)

func TestAround(t *testing.T) {
	for src, want := range map[string]string{
		`a{b:url(x)}`: "x a",
		`/* c */ @media print { a , b:hover{b:url(x)} c{d:url(y)} } e{f:url("z")}`: "x @media print|a , b:hover y @media print|c z e",
		`a{b:url(q);&:hover{b:url(x)} c:d;.e{f:url(y)} g:url(z)}`:                  "q a x a|&:hover y a|.e z a",
		`a[b="{"]{c:url(x{y})}d\{e{f:url(y)}`:                                      `x{y} a[b="{"] y d\{e`,
		`a{b:url( "x" )}}}c{d:url(y)}`:                                             "x a y c",
		`a{b:'}';c:url(x)`:                                                         "x a",
		`@import "x";a{b:url(data:;{,}c)}d{e:url(y)}`:                              "x data:;{,}c a y d",
		`a{b:url(x y);}c{d:image-set(url(e) 1x, "f" 2x)}`:                          "e c f c",
		`<!-- a{b:url(x)} -->c{d:url(y)}`:                                          "x <!-- a y -->c",
	} {
		s := Scanner{Choices: true}
		var got []string
		for it := range s.Scan([]byte(src)) {
			got = append(got, string(it.Value))
			if c := it.Extra().Choice; c != nil {
				got = append(got, strings.Join(c.Around, "|"))
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s:\n got %s\nwant %s", src, strings.Join(got, " "), want)
		}
	}
}

// A long prelude is read once, and few of many blocks are kept.
func TestAroundIsLinear(t *testing.T) {
	for _, src := range []string{
		strings.Repeat("a", 1<<20) + "{" + strings.Repeat("b:url(x);", 1<<17),
		strings.Repeat("a{", 1<<19) + strings.Repeat("b:url(x)}", 1<<17),
	} {
		s := Scanner{Choices: true}
		n, kept := 0, 0
		for it := range s.Scan([]byte(src)) {
			n++
			kept = max(kept, len(it.Extra().Choice.Around))
		}
		if n != 1<<17 || kept > maxPreludes {
			t.Error(n, kept)
		}
	}
}

func TestToken(t *testing.T) {
	var got []string
	for rest := []byte(`a\62 .c\:d #\31 "e\"" /**/ -f:é[`); len(rest) > 0; {
		k, text, n := Token(rest)
		if n < 1 {
			t.Fatal("no progress")
		}
		got = append(got, fmt.Sprintf("%c%s", k, text))
		rest = rest[n:]
	}
	if want := "aab . ac:d   # a1 \"e\"   a-f : aé ["; strings.Join(got, " ") != want {
		t.Errorf("%q", strings.Join(got, " "))
	}
}
