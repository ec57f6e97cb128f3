package xml

import (
	"encoding/xml"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/testing/scantest"
)

var seeds = []string{
	`<a href='x&amp;y'><b src="&#x41;&q;"/></a>`, `<x xml:base="a/"><y xml:base='b/' href="c"/></x>`, `<x xmlns="a" xmlns:b='http://www.w3.org/1999/xlink' b:href="c"/>`,
	`<rss><link><![CDATA[x]]> y</link><guid isPermaLink="false">http://e/</guid><description>&lt;a&gt; <![CDATA[<b>]]></description></rss>`,
	`<feed><content type="xhtml"><div><a href="x"></div></content><title type="html">a</title><id>tag:x</id></feed>`,
	`<!DOCTYPE x SYSTEM "y" [<!ENTITY a "http://e/"><!ENTITY b SYSTEM 'c'>]><x y="&a;z">&a; www.e.example</x>`,
	`<?xml-stylesheet href="a"?><urlset><loc> a </loc><xhtml:link href="b"/></urlset>`, `<a href="x" <b>< c='d</b></a></x><`, `<a><!-- --><? ?><![CDATA[http://e/]]>`,
	`<x xsi:schemaLocation="a b c d"/><svg xmlns="http://www.w3.org/2000/svg"><a/></svg>`, "<x>&lt;URL:http://e/\n a></x>",
}

// unquoted returns the decoded forms that src[at:end], which holds a reference, may have.
func unquoted(s *Scanner, at scan.Span) (all []string) {
	again := &Scanner{src: s.src[at.Start:at.End], entities: s.entities, budget: 1 << 30, yield: func(*scan.Item) bool { return true }}
	for _, attr := range []bool{false, true} {
		all = append(all, string(again.text(0, len(again.src), attr).b))
	}
	all = append(all, string(again.src))               // in a CDATA section
	for _, before := range []string{"", "<![CDATA["} { // in which it may begin
		again.src = append([]byte(before), s.src[at.Start:at.End]...)
		v, _ := again.characters(0)
		all = append(all, string(v.b))
		again.src = append(again.src, '<') // a "<" at its end may be text because of what follows
		v, _ = again.characters(0)
		all = append(all, string(v.b))
	}
	return all
}

func check(t *testing.T, s *Scanner, src []byte) {
	n, open, before := 0, 0, 0
	for it := range s.Scan(src) {
		n++
		if it.Span.Start < 0 || it.Span.End < it.Span.Start || it.Span.End > len(src) {
			t.Fatalf("%s at %v of %d bytes", show(it), it.Span, len(src))
		}
		switch it.Op {
		case scan.Base:
			open++ // before attributes that stand in front of it
			continue
		case scan.End:
			if open--; open < 0 {
				t.Fatal("an End without a Base")
			}
			continue
		case scan.Part:
			if it.Map == nil && string(it.Value) != string(src[it.Span.Start:it.Span.End]) || it.Map != nil && it.Map.Len() != len(it.Value) {
				t.Fatalf("%s: the Map is not that of the Value", show(it))
			}
		case scan.Ref:
			if value := string(it.Value); !it.Loose && it.Extra().Parts == nil && !s.spent && !slices.Contains(unquoted(s, it.Span), value) {
				t.Fatalf("%s is no reading of %q", show(it), src[it.Span.Start:it.Span.End])
			}
		case scan.Note:
			continue
		}
		if it.Span.Start < before {
			t.Fatalf("%s at %v comes behind %d", show(it), it.Span, before)
		}
		before = it.Span.Start
	}
	if open != 0 {
		t.Fatalf("%d bases have no End", open)
	}
	for stop := range min(n, 50) {
		i := 0
		for range s.Scan(src) {
			if i++; i > stop {
				break
			}
		}
	}
}

func TestBreak(t *testing.T) {
	for _, src := range seeds {
		check(t, new(Scanner), []byte(src))
	}
}

func FuzzXML(f *testing.F) {
	for _, src := range seeds {
		f.Add([]byte(src), false)
	}
	files, _ := filepath.Glob("testdata/*.xml")
	for _, file := range files {
		if src, err := os.ReadFile(file); err == nil {
			f.Add(src, true)
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, details bool) {
		check(t, &Scanner{Details: details}, src)
	})
}

// generate writes a well-formed document of about n elements.
func generate(r *rand.Rand, n int) string {
	var b strings.Builder
	pick := func(s ...string) string { return s[r.IntN(len(s))] }
	b.WriteString(pick("", `<?xml version="1.0"?>`, "<!-- a -->", "<!DOCTYPE a>", `<!DOCTYPE a [<!ENTITY e "f"><!-- ] --><?p ]>?>]>`))
	text := func() {
		switch r.IntN(8) {
		case 0:
			b.WriteString("<![CDATA[ <a href='no'/> ]]>")
		case 1:
			b.WriteString("<!-- <a href='no'/> -->")
		case 2:
			b.WriteString("<?p <a href='no'/> ?>")
		case 3:
			b.WriteString("a &lt;a href='no'/> &amp;&#65;>")
		case 4:
			b.WriteString("\n  ")
		}
	}
	var element func(depth int)
	element = func(depth int) {
		n--
		name := pick("a", "b", "c.d", "e-f", "link", "é", "p:q", "loc", "_x")
		b.WriteString("<" + name)
		if depth == 0 {
			b.WriteString(` xmlns:p="http://e/p"`)
		}
		for _, a := range []string{"href", "x", "xml:base", "id", "p:href", "hrefs"} {
			if r.IntN(3) > 0 {
				continue
			}
			q := pick(`"`, "'")
			b.WriteString(pick(" ", "\n", "\t ") + a + pick("=", " = ") + q)
			for range r.IntN(4) {
				b.WriteString(pick("u", "/", "&amp;", "&#x3a;", "&lt;", " ", "\n", ">", "/>", "é", "?a=b", "&quot;", "]]>", "-->"))
			}
			b.WriteString(q)
		}
		if r.IntN(3) == 0 {
			b.WriteString(pick("/>", " />"))
			return
		}
		b.WriteString(pick(">", " >"))
		for range r.IntN(5) {
			if text(); n > 0 {
				element(depth + 1)
			}
		}
		text()
		b.WriteString("</" + name + pick(">", " >"))
	}
	element(0)
	return b.String()
}

// normal returns a value in the form in which a reference is taken from it.
func normal(v string) string {
	return strings.Trim(strings.NewReplacer("\r\n", " ", "\n", " ", "\t", " ").Replace(v), " ")
}

// oracle lists the href attributes of all elements that encoding/xml finds, each with the bases in
// force.
func oracle(src string) (all []string, err error) {
	stack := [][]string{nil} // the bases in force, in each open element
	d := xml.NewDecoder(strings.NewReader(src))
	for {
		tok, err := d.Token()
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		switch e := tok.(type) {
		case xml.StartElement:
			bases := slices.Clone(stack[len(stack)-1])
			for _, a := range e.Attr {
				if a.Name.Space == "http://www.w3.org/XML/1998/namespace" && a.Name.Local == "base" {
					bases = append(bases, normal(a.Value))
				}
			}
			for _, a := range e.Attr {
				if a.Name.Space == "" && a.Name.Local == "href" {
					all = append(all, fmt.Sprintf("%q %s", bases, normal(a.Value)))
				}
			}
			stack = append(stack, bases)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		}
	}
}

// ours lists what the Scanner finds, in the same form.
func ours(src string) (all []string) {
	var bases []string
	for it := range new(Scanner).Scan([]byte(src)) {
		switch it.Op {
		case scan.Base:
			bases = append(bases, string(it.Value))
		case scan.End:
			bases = bases[:len(bases)-1]
		case scan.Ref:
			if strings.HasSuffix(it.In, "/href") {
				all = append(all, fmt.Sprintf("%q %s", bases, it.Value))
			}
		}
	}
	return all
}

func TestOracle(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	refs := 0
	n := scantest.Amount(1500, 5000)
	for range n {
		src := generate(r, 1+r.IntN(40))
		want, err := oracle(src)
		if err != nil {
			t.Fatalf("%s: %v", src, err)
		}
		if got := ours(src); !slices.Equal(got, want) {
			t.Fatalf("%s\n got %q\nwant %q", src, got, want)
		}
		check(t, new(Scanner), []byte(src))
		refs += len(want)
	}
	if refs < 2*n {
		t.Errorf("only %d references", refs)
	}
}
