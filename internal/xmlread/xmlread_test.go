package xmlread

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/prose"
	"example.org/refract/internal/testing/scantest"
)

// tokens returns a line for each token of src.
func tokens(t *testing.T, src string) (all []string) {
	t.Helper()
	var r Reader
	r.Reset([]byte(src))
	end := 0
	for r.Next() {
		if r.Span.Start < end || r.Span.End < r.Span.Start || r.Span.End > len(src) {
			t.Fatalf("%q: %v after %d", src, r.Span, end)
		}
		end = r.Span.End
		line := fmt.Sprintf("%c %s", "seTC"[r.Kind], src[r.Span.Start:r.Span.End])
		if r.Kind == Start || r.Kind == End {
			line = fmt.Sprintf("%c %s:%s", "seTC"[r.Kind], strings.TrimSuffix(string(r.Full), string(r.Name)), r.Name)
		}
		for _, a := range r.Attrs {
			line += fmt.Sprintf(" %s=%s", a.Full, src[a.Value.Start:a.Value.End])
		}
		if r.Empty && r.Kind == Start {
			line += " /"
		}
		all = append(all, line)
	}
	return all
}

func TestTokens(t *testing.T) {
	for _, tt := range []struct {
		src  string
		want []string
	}{
		{"", nil},
		{"text", []string{"T text"}},
		{"<a>b</a>", []string{"s :a", "T b", "e :a"}},
		{"<x:a/><_b />", []string{"s x::a /", "s :_b /"}},
		{"<a x:b='1' c = \"<>\" d e=f g=''/h>", []string{"s :a x:b=1 c=<> g="}},
		{"<?xml x?><!DOCTYPE a><!-- <b> --><a>", []string{"s :a"}},
		{"<a><![CDATA[<b>]]>c", []string{"s :a", "C <b>", "T c"}},
		{"<![CDATA[]]><a>", []string{"C ", "s :a"}},
		{"<a <b>", []string{"s :a", "s :b"}},
		{"< a><1><>", []string{"T  a>", "T 1>", "T >"}},
		{"<é:ü/>", []string{"s é::ü /"}},
		{"</a", []string{"e :a"}},
		{"</a b>c", []string{"e :a", "T c"}},
		{"<a", nil}, {"<a ", nil}, {"<a b='", nil}, {"<a b", nil}, {"<!--", nil}, {"<?", nil}, {"<!", nil}, {"<", nil},
		{"<a b = c>d", []string{"s :a", "T d"}},
		{"<a / >", []string{"s :a"}},
		{"<a:b:c>", []string{"s a::b:c"}},
	} {
		if got := tokens(t, tt.src); !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q, want %q", tt.src, got, tt.want)
		}
	}
	many := "<a" + strings.Repeat(" b='1'", maxAttrs+5) + " c='2'>"
	var r Reader
	r.Reset([]byte(many))
	if !r.Next() || len(r.Attrs) != maxAttrs || r.Value("c") != nil || string(r.Value("b")) != "1" || !r.Is(Start, "a") || r.Is(End, "a") || r.Is(Start, "b") {
		t.Errorf("%d attributes", len(r.Attrs))
	}
}

// References of XML 1.0 section 4.6, and what is none.
func TestDecode(t *testing.T) {
	for src, want := range map[string]string{
		"a&amp;b": "a&b", "&lt;&gt;&quot;&apos;": `<>"'`, "&#65;&#x41;&#x4a;&#X41;": "AAJ&#X41;", "&#xe4;&#228;": "ää",
		"&": "&", "&;": "&;", "&x": "&x", "&nbsp;": "&nbsp;", "&#;": "&#;", "&#x;": "&#x;", "&#0;": "&#0;", "&#xD800;": "&#xD800;",
		"&#x10FFFF;": "\U0010FFFF", "&#x110000;": "&#x110000;", "&#99999999;": "&#99999999;", "&#6a;": "&#6a;", "&#xg;": "&#xg;", "&amp": "&amp", "&#0000000065;": "&#0000000065;",
		"&lt": "&lt", "&&amp;": "&&",
	} {
		var m scan.Map
		got := Decode([]byte("x"), &m, []byte(src), scan.Span{End: len(src)})
		if string(got) != "x"+want || m.Len() != len(want) {
			t.Errorf("%q: %q, want %q; %d bytes in the map", src, got[1:], want, m.Len())
		}
		if again := Decode(nil, nil, []byte(src), scan.Span{End: len(src)}); string(again) != want {
			t.Errorf("%q without a map: %q", src, again)
		}
	}
	var m scan.Map
	Decode(nil, &m, []byte("a&amp;b"), scan.Span{End: 7})
	if at, ok := m.Back(scan.Span{Start: 1, End: 2}); at != (scan.Span{Start: 1, End: 6}) || !ok {
		t.Errorf("%v %v", at, ok)
	}
}

// items reads the text of elements, with line breaks between them, and the attributes "ref".
func items(src string, between func() bool) func(yield func(*scan.Item) bool) {
	return func(yield func(*scan.Item) bool) {
		var r Reader
		var doc prose.Doc
		doc.Reset([]byte(src))
		Items(&r, &doc, []byte(src), Handler{
			Start: func() {
				if at, ok := r.Attr("ref"); ok {
					doc.Add(prose.Item{Op: scan.Ref, Span: at, In: "ref"}, r.Value("ref"))
				}
			},
			End:        func() { doc.Break(r.Span.Start, r.Span.End) },
			Characters: func() { doc.Text(r.Span.Start, r.Span.End) },
			Between:    between,
		}, yield)
	}
}

func TestItems(t *testing.T) {
	const src = "<a ref='x&amp;y'>http://h/<b/>1 </a><c>http://i/</c>"
	var got []string
	for it := range scantest.InOrder(t, len(src), items(src, nil)) {
		got = append(got, string(it.Value))
	}
	if want := []string{"x&y", "http://h/", "http://i/"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	// A document that is larger than what is held gives the same, in order, and may be left anywhere.
	const n = 20_000
	large := strings.Repeat(src, n)
	for _, between := range []func() bool{nil, func() bool { return true }, func() bool { return false }} {
		count := 0
		for range scantest.InOrder(t, len(large), items(large, between)) {
			count++
		}
		if count != 3*n {
			t.Errorf("%d items, want %d", count, 3*n)
		}
		for _, stop := range []int{0, 1, 2, 3000, 30_000} {
			count := 0
			for range items(large, between) {
				if count++; count > stop {
					break
				}
			}
		}
	}
}
