package buildmatch

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/refract/internal/audit/built"
	"example.org/refract/internal/testing/scantest"
)

// usesFrom makes references of words such as "text>target", with "*" before one that is embedded and "&" before a definition.
func usesFrom(words string) (uses []use) {
	for i, w := range strings.Fields(words) {
		w, isEmbedded := strings.CutPrefix(w, "*")
		w, isFloating := strings.CutPrefix(w, "&")
		text, target, _ := strings.Cut(w, ">")
		u := use{at: int64(i), text: built.Key(text), raw: built.Hash(target), isEmbedded: isEmbedded, isFloating: isFloating}
		if !strings.HasPrefix(target, "{") {
			u.sig = built.Signature(target, "")
		}
		uses = append(uses, u)
	}
	return uses
}

// linksFrom makes links of words like those of usesFrom, with "-" before one in navigation, "+" around the content, and "." before
// a hidden one.
func linksFrom(words string) (links []built.Link) {
	for i, w := range strings.Fields(words) {
		w, isNav := strings.CutPrefix(w, "-")
		w, isOther := strings.CutPrefix(w, "+")
		w, isHidden := strings.CutPrefix(w, ".")
		w, isEmbedded := strings.CutPrefix(w, "*")
		text, target, _ := strings.Cut(w, ">")
		k := built.Link{Pos: i, Text: built.Key(text), Sig: built.Signature(target, ""), IsEmbedded: isEmbedded, IsHidden: isHidden}
		k.URL, k.What = target, built.Alive
		switch {
		case isNav:
			k.Zone = built.Nav
		case isOther:
			k.Zone = built.Other
		}
		links = append(links, k)
	}
	return links
}

// said returns what an alignment says of each reference: the link, "-" for none, or "?".
func said(a *alignment) string {
	var all []string
	for _, j := range a.to {
		switch j {
		case isAbsent:
			all = append(all, "-")
		case isUnclear:
			all = append(all, "?")
		default:
			all = append(all, fmt.Sprint(j))
		}
	}
	return strings.Join(all, " ")
}

func TestAlign(t *testing.T) {
	tests := []struct{ name, uses, links, want string }{
		{"nothing", "", "", ""},
		{"no links", "a>x", "", "-"},
		{"text and target", "a>x b>y", "a>x b>y", "0 1"},
		{"another order", "a>x b>y c>z", "c>z a>x b>y", "1 2 0"},
		{"a target that is rewritten, between others", "a>x b>y c>z", "a>x b>q c>z", "0 1 2"},
		{"a text that is rewritten", "a>x b>y c>z", "a>x other>y c>z", "0 1 2"},
		{"a template", "a>x b>{y} c>z", "a>x b>q c>z", "0 1 2"},
		{"a text that occurs again elsewhere", "a>x b>{y} c>z b>{w}", "a>x b>q c>z b>r", "0 1 2 3"},
		{"one of two is shown", "b>{y} b>{w}", "b>q", "? ?"},
		{"one of two is shown, and both are the same", "b>y b>y", "b>y", "0 0"},
		{"more links than references, to the same place", "b>y", "b>y b>y", "0"},
		{"more links than references, to different places", "b>{y}", "b>q b>r", "?"},
		{"as many, where the same reference would lead to different places", "b>{y} b>{y}", "b>q b>r", "? ?"},
		{"as many, with different references", "b>{y} b>{w}", "b>q b>r", "0 1"},
		{"a picture is no link", "*a>x", "a>x", "-"},
		{"a picture", "*a>x a>x", "a>x *a>x", "1 0"},
		{"navigation does not count", "a>x", "-a>x", "-"},
		{"around the content, what agrees in all", "a>x b>{y}", "+a>x +b>q", "0 ?"},
		{"hidden links do not count", "a>x", ".a>x", "?"},
		{"definitions", "&>x &>y", "a>x b>x c>y", "0 2"},
		{"definitions of one place, links to two", "&>x", "a>sub/x b>x", "?"},
		{"a definition, where a reference has the other link", "b>{y} &>x", "b>sub/x a>x", "0 1"},
		{"two definitions of the same name and other places", "&>x &>sub/x", "a>x", "? ?"},
		{"neither text nor target", ">{x}", "a>x", "-"},
	}
	for _, test := range tests {
		a := align(usesFrom(test.uses), linksFrom(test.links))
		if got := said(a); got != test.want {
			t.Errorf("%s: %q and %q: got %q, want %q", test.name, test.uses, test.links, got, test.want)
		}
	}
}

// The longest chain in the same order divides what is between.
func TestChain(t *testing.T) {
	for _, test := range []struct {
		to   []int32
		want []int32
	}{
		{nil, nil},
		{[]int32{isOpen, isOpen}, nil},
		{[]int32{0, 1, 2}, []int32{0, 1, 2}},
		{[]int32{5, 0, 1, isOpen, 2}, []int32{1, 2, 4}},
		{[]int32{2, 1, 0}, []int32{2}},
		{[]int32{0, 0, 1}, []int32{1, 2}},
	} {
		a := &alignment{to: test.to}
		var open []int32
		for i := range test.to {
			open = append(open, int32(i))
		}
		got := a.chain(open)
		if len(got) != len(test.want) || len(got) > 1 && !slices.Equal(got, test.want) {
			t.Errorf("%v: %v, want %v", test.to, got, test.want)
		}
	}
}

// Alignments of n and of 4n references.
func TestAlignGrowth(t *testing.T) {
	shapes := map[string]func(i, n int) (use, link string){
		"in order":     func(i, n int) (string, string) { return fmt.Sprintf("t%d>x%d", i, i), fmt.Sprintf("t%d>x%d", i, i) },
		"reversed":     func(i, n int) (string, string) { return fmt.Sprintf("t%d>x%d", i, i), fmt.Sprintf("t%d>x%d", n-i, n-i) },
		"one text":     func(i, n int) (string, string) { return fmt.Sprintf("t>x%d", i), fmt.Sprintf("t>y%d", i) },
		"one target":   func(i, n int) (string, string) { return fmt.Sprintf("t%d>x", i), fmt.Sprintf("u%d>x", i) },
		"all the same": func(i, n int) (string, string) { return "t>x", "t>x" },
		"few kinds": func(i, n int) (string, string) {
			return fmt.Sprintf("t%d>x%d", i%7, i%11), fmt.Sprintf("t%d>x%d", i%11, i%7)
		},
		"definitions":   func(i, n int) (string, string) { return fmt.Sprintf("&>x%d", i%97), fmt.Sprintf("t%d>x%d", i, i%97) },
		"all templates": func(i, n int) (string, string) { return fmt.Sprintf("t%d>{x}", i%5), fmt.Sprintf("t%d>x%d", i%5, i) },
	}
	n := scantest.Amount(100, 10_000)
	for name, shape := range shapes {
		run := func(n int) func() {
			var uses, links strings.Builder
			for i := range n {
				u, k := shape(i, n)
				uses.WriteString(u + " ")
				links.WriteString(k + " ")
			}
			all, to := usesFrom(uses.String()), linksFrom(links.String())
			return func() { align(all, to) }
		}
		scantest.Linear(t, name, time.Duration(4*n)*10*time.Microsecond, run(n), run(4*n))
	}
}
