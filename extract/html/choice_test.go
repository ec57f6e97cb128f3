package html

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
)

// TestChoices checks what a page says about when browsers fetch a reference. Elements and groups are numbered here in the order of their first
// references.
func TestChoices(t *testing.T) {
	for src, want := range map[string]string{
		`<img src=a SRCSET="b 2x, c 3.5x ,d" sizes=" 50vw " sizes=1px>`:                                                                         "a 1 0 50vw,b 1 0 2x 50vw,c 1 0 3.5x 50vw,d 1 0 50vw",
		`<picture><source media="(min-width: 1px)" type=image/avif srcset="a 1w"><img src=b></picture><img src=c>`:                              "a 1 1 1w (min-width: 1px) image/avif,b 2 1,c 3 0",
		`<video poster=p><source src=a type=video/mp4><source src=b></video><audio><source src=c></audio>`:                                      "p 1 1,a 2 1 video/mp4,b 3 1,c 4 2",
		`<link rel="preload icon" as=image media=print href=a imagesrcset="b 1x" imagesizes=9px><link rel=stylesheet href='c' media='a&amp;b'>`: "a 1 0 print image 9px preload icon,b 1 0 1x print image 9px preload icon,c 2 0 a&b stylesheet",
		`<picture><div><source srcset=a></div><img src=b><p><img src=c></p></picture><video><img src=d></video><frame src=e>`:                   "a 1 0,b 2 1,c 3 0,d 4 0,e 5 0",
		`<svg><image href=a /></svg><picture/><img src=b>`:                                                                                      "a 1 0,b 2 1",
	} {
		s := Scanner{Choices: true}
		var got []string
		elements, groups := map[int]int{}, map[int]int{0: 0}
		number := func(in map[int]int, n, from int) int {
			if _, is := in[n]; !is {
				in[n] = len(in) + from
			}
			return in[n]
		}
		for it := range s.Scan([]byte(src)) {
			if it.Op != scan.Ref {
				continue
			}
			c := it.More.Choice
			text := fmt.Sprintf("%s %d %d %s %s %s %s %s %s", it.Value, number(elements, c.Element, 1), number(groups, c.Group, 0), c.Descriptor, c.Media, c.As, c.Sizes, it.Type, it.More.Rel)
			got = append(got, strings.Join(strings.Fields(text), " "))
		}
		if strings.Join(got, ",") != want {
			t.Errorf("%s:\n got %s\nwant %s", src, strings.Join(got, ","), want)
		}
	}
}

// A tag with many candidates and a long attribute is read once.
func TestChoicesAreLinear(t *testing.T) {
	src := "<img sizes='" + strings.Repeat("x", 1<<20) + "' srcset='" + strings.Repeat("a 1x,", 1<<18) + "'>"
	s := Scanner{Choices: true}
	n := 0
	for it := range s.Scan([]byte(src)) {
		if it.Op == scan.Ref {
			n++
		}
	}
	if n != 1<<18 {
		t.Error(n)
	}
}

// TestSheetChoices checks the same for style sheets.
func TestSheetChoices(t *testing.T) {
	src := `<style media=print>p{background:url(a);BACKGROUND:url(b)}/* x:y; */q{*width :url(c);src:url(d) format("Woff2"), url( 'e' ) format(ttf)}
i{cursor:url(f)!important;cursor:url(g);content:image-set("h" 1x, url(i) type("image/png") 2dppx),url(j)}</style><p style="mask : url(k)"><style type=text/less>p{x:url(l)}</style>`
	s := Scanner{Choices: true}
	var got []string
	block, declaration, set := 0, 0, 0
	for it := range s.Scan([]byte(src)) {
		if it.Op != scan.Ref {
			continue
		}
		c := it.More.Choice
		got = append(got, fmt.Sprintf("%s %d%d%d %s:%s %s", it.Value, c.Group-block, c.Element-declaration, c.Set-set, c.Property, c.Descriptor, c.Media))
		block, declaration, set = c.Group, c.Element, c.Set
	}
	want := []string{
		"a 110 background: print", "b 010 background: print", "c 110 *width: print", "d 010 src:woff2 print", "e 000 src:ttf print", "f 110 cursor: print", "g 110 cursor: print",
		`h 011 content:1x print`, `i 000 content:type("image/png") 2dppx print`, "j 00-1 content: print", "k 110 mask: ",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// The names that selectors look at, each once.
func TestSelectable(t *testing.T) {
	src := `<HTML lang=en><p class="a b&#99; A" id=x class=d><image ID="x&amp;y"><!-- <i> --><script>if (a<b class=z)</script><svg><rect stroke=1 /></svg><style>u{v:url(w)}</style><e`
	for _, src := range []string{src, "<base href=/><frameset>" + src, strings.Repeat("<svg>", maxFrames) + src} {
		s := Scanner{Choices: true}
		for range 2 {
			got := map[uint32]bool{}
			for it := range s.Scan([]byte(src)) {
				for v := it.Value; it.Op == scan.Mention && len(v) > 0; v = v[4:] {
					f := binary.BigEndian.Uint32(v)
					if got[f] {
						t.Error("twice", f)
					}
					got[f] = true
				}
			}
			for _, name := range strings.Fields("<html [lang <p .a .bc .d [class [id #x <img <image #x&y <script <svg <rect [stroke <style") {
				if f := scan.Feature(name[0], name[1:]); !got[f] {
					t.Errorf("%.40s: no %s", src, name)
				}
				delete(got, scan.Feature(name[0], name[1:]))
			}
			if n := len(got); n > 3 { // <base href>, <frameset>
				t.Errorf("%.40s: %d others", src, n)
			}
		}
	}
	s := Scanner{Choices: true}
	var many strings.Builder
	for i := range maxFeatures + 1 {
		fmt.Fprintf(&many, "<p id=%d>", i)
	}
	for it := range s.Scan([]byte(many.String())) {
		if it.Op != scan.Mention || it.Value != nil {
			t.Errorf("%v %d", it.Op, len(it.Value))
		}
	}
}
