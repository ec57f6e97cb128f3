package lazy

import (
	"fmt"
	"regexp"
	"testing"
)

// A Regexp finds what the regular expression finds.
func TestRegexp(t *testing.T) {
	r := New(`(a+)(b?)`)
	const s = "xaaby a"
	b := []byte(s)
	for _, test := range []struct{ got, want any }{
		{r.Match(b), true}, {r.MatchString("x"), false}, {string(r.Find(b)), "aab"}, {r.FindString(s), "aab"}, {r.FindIndex(b), []int{1, 4}},
		{r.FindStringSubmatch(s), []string{"aab", "aa", "b"}},
		{r.FindSubmatchIndex(b), []int{1, 4, 1, 3, 3, 4}},
		{r.FindAllStringIndex(s, 1), [][]int{{1, 4}}},
		{len(r.FindAllSubmatch(b, -1)), 2},
		{r.FindAllStringSubmatch(s, -1), [][]string{{"aab", "aa", "b"}, {"a", "a", ""}}},
		{r.FindAllSubmatchIndex(b, 1), [][]int{{1, 4, 1, 3, 3, 4}}},
		{r.FindAllStringSubmatchIndex(s, 1), [][]int{{1, 4, 1, 3, 3, 4}}},
		{string(r.ReplaceAll(b, []byte("$2"))), "xby "}, {r.ReplaceAllString(s, "<$1>"), "x<aa>y <a>"},
		{r.ReplaceAllStringFunc(s, func(m string) string { return fmt.Sprint(len(m)) }), "x3y 1"},
		{r.Compiled().String(), `(a+)(b?)`},
	} {
		if got, want := fmt.Sprint(test.got), fmt.Sprint(test.want); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("an invalid pattern does not panic")
		}
	}()
	New("(").MatchString("")
}

func TestSet(t *testing.T) {
	s := NewSet(" a  bc\n\td ")
	for word, want := range map[string]bool{"a": true, "bc": true, "d": true, "b": false, "": false, "a  bc": false} {
		if s.Has(word) != want {
			t.Errorf("%q: %v", word, !want)
		}
	}
	if NewSet("").Has("") {
		t.Error("an empty set has a word")
	}
}

// Text that is no UTF-8 makes an expression, too, and matches itself.
func TestQuote(t *testing.T) {
	for _, text := range []string{"", "a.b", "a\xff\xfe.b", "é\x00\ufffd"} {
		re, err := regexp.Compile("^" + Quote(text) + "$")
		if err != nil || !re.MatchString(text) || re.MatchString(text+"x") {
			t.Errorf("%q: %v, %v", text, re, err)
		}
	}
}
