package delimit

import (
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// Every shape that might make a scanner read its input again and again, as the
// text before and the text repeated.
var hostile = []scantest.Shape{
	{"", "<http://a "}, {"", "<http://a\n"}, {"", "<http://a\n> "}, {"> ", "<http://a\n> "}, {"", "<http://a b"},
	{"", `"http://a `}, {"", "\"http://a\n"}, {"\"http://a", "\nb"}, {"<http://a", "\nb"},
	{"", "http://"}, {"", "http:/"}, {"", "http://a,"}, {"", "http://a'"}, {"", "'http://a'"}, {"", "http://a/ "}, {"", "//"},
	{"", "mailto:"}, {"", "mailto:a"}, {"", "mailto:a@"}, {"", "news:a."}, {"", "news:"}, {"", "urn:a:"}, {"", "tel:1"}, {"", "file:/"},
	{"", "a@"}, {"", "a."}, {"", "www."}, {"", "www.a."}, {"", "ww"}, {"", "WWW.a.bc "}, {"", "www.a.bc,"},
	{"http://a/", "("}, {"http://a/", ")"}, {"http://a/", "."}, {"http://a/", "'"}, {"'http://a/", "'"}, {"http://a/", "()"},
	{"http://a/", "["}, {"http://a/", "[1]"}, {"http://a/", "]"}, {"http://", "["}, {"http://[", ":"}, {"*http://a/", "*"},
	{"http://a/", "&gt;"}, {"http://a/", "—"}, {"http://a/", "…."}, {"http://a/", "\xff"}, {"http://a/", "http://b.,"},
	{"", ":"}, {"", "s:"}, {"", "://"}, {"", "a+"}, {"", "a+://"}, {"", "http"}, {"", "x"}, {"", "URL:"}, {"", "URL: "},
	{"", "<URL:"}, {"", "<URL:a"}, {"", "<URL:a\n"}, {"", "<URL: "}, {"", "<"}, {"", "<\n"}, {"", "< \n> http://a"}, {"", " "}, {"", "\n> "},
	{"", "                                                               http://a"}, {"http://", "é"}, {"http://é", "."},
	{"", "a.b@"}, {"", "a@b."}, {"", "@"}, {"", "."}, {"", "a.org"}, {"", "a.org "}, {"", "a.org/"}, {"", "a@b.org"}, {"", "-a.b"}, {"", "é."}, {"", "é"},
	{"http://", "a@"}, {"http://", "%41"}, {"http://", "a,"}, {"", "http://a,"}, {"", "www.a.bc'"}, {"http://", "語"}, {"", "http://語."}, {"http://a/", "語"},
	{"http://a/", "[a]"}, {"http://a/", "[a]/"}, {"http://a/?", "[a"}, {"http://a/?a=", "[b]"}, {"http://a/", "(a"}, {"http://a/", "_"}, {"http://a/", "[http://a/"},
	{"", "<http://a|"}, {"", "<http://a|b>"}, {"", "# <http://a\n"}, {"# <http://a", "\n# b"}, {"", "//"}, {"", "//a.bc/"}, {"", "1.1.1.1/"}, {"", "[::1]/"}, {"", "[::"},
	{"", "a=b@"}, {"", "$a@b.org"}, {"", "é@"}, {"", "a_b."}, {"", "mailto:a@b:"}, {"mailto:a@b", "'"}, {"", "magnet:?a="}, {"", "geo:1,1"}, {"", "_www.a.bc"}, {"", "=www.a.bc"},
	{"", "                                                              http://a/\n/b "}, {"http://a/", "😀"}, {"http://a/", "।"}, {"", "mailto:?a=b"}, {"mailto:", "'"}, {"", "\"http://a\n> > > > > > > > "}, {"", "http://a-\n"}, {"", "<http://a-\n"},
	{"http://a/", ":1"}, {"http://a/b.js", ":1"}, {"http://a/", "1+"}, {"http://a/?", "...."}, {"http://a/?", "....a"}, {"http://a/", "/...."}, {"http://a/", "...a"}, {"", "http://a....b/"},
	{"a=http://a/", ",b"}, {"a=http://a/", ",b="}, {"", "a=http://a/,b"}, {"http://a/", "を"}, {"http://a/", "/を"}, {"", "http://a\\."}, {"", "\"http://a.\""}, {"", "\"http://a.\","}, {"http://a/", "${"},
	{"", "mailto:a@b+?"}, {"", "mailto:a@b,'"}, {"", "mailto:a@b,"}, {"mailto:a@b", ",a@b"}, {"mailto:a", "@"}, {"x://", ")"}, {"x://(", ")"}, {"http://a:", "')"}, {"http://", "a'"},
	{"", "~~www."}, {"", "~~www.a~~"}, {"", "http:/www.a.bc"}, {"", "http//www."}, {"", "[a](http://b."}, {"", "](http://b.)"}, {"", "www.a.bc@"}, {"http://a/", "&mdash"}, {"", "a.org!"}, {"", "(at)a.org"}, {"", "@</b>a.org"},
	{"", "'urn:a:b'a"}, {"", "'tel:123'a"}, {"'http://a/", "'a"}, {"", "'x://a'b"}, {"'", "a:b://c"}, {"", "http://a·"}, {"http://a", "·b"}, {"http://a/", "•x:"}, {"http://a/", "\u2060\ufe0f"},
	{" http://a/?b=c", "|d"}, {"", " http://a/?b=c|"}, {"", " http://a/?b=c|d"},
}

func TestHostile(t *testing.T) {
	scantest.Shapes(t, hostile, 128<<10, func(src []byte) {
		for range new(Finder).All(src) {
		}
		for range (&Finder{Rules: Rules{Domains: DomainsAll, Addresses: true, Abbreviated: AbbreviatedAll}}).All(src) {
		}
	})
}

func BenchmarkHostile(b *testing.B) {
	for _, h := range hostile {
		src := h.Text(1 << 20)
		b.Run(h[0]+h[1], func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				for range new(Finder).All(src) {
				}
			}
		})
	}
}

// One line of 64 MB without a space: a long run that is passed over, and a
// reference at its end.
func TestLongLine(t *testing.T) {
	scantest.Long(t, "64 MB")
	src := []byte("http://a/" + strings.Repeat("b,", 32<<20) + ` "http://c/`)
	n := 0
	for s := range new(Finder).All(src) {
		if n++; string(s.AppendTo(nil, src)) != "http://c/" {
			t.Errorf("span %d: %+v", n, s)
		}
	}
	if n != 1 {
		t.Errorf("%d spans", n)
	}
}

func BenchmarkFinder(b *testing.B) {
	prose := strings.Repeat("It was the best of times, it was the worst of times: it was the age of wisdom.\n", 12)
	for _, bb := range []struct{ name, text string }{
		{"nothing", prose},
		{"prose", prose + "See http://www.example.com/a/b?c=d#e and <URL:http://a/b>.\n"},
		{"markup", `<p class="x">A <a href="http://www.example.com/a/b.html">link</a> and <img src="http://h/i.png">.</p>` + "\n"},
		{"links", "http://www.example.com/a/b/c?d=e&f=g#h\n"},
	} {
		src := []byte(strings.Repeat(bb.text, (1<<20)/len(bb.text)))
		for name, rules := range map[string]Rules{"": {}, "-ftp": {Abbreviated: AbbreviatedAll}, "-domains": {Domains: DomainsAll}, "-addresses": {Addresses: true}} {
			f := &Finder{Rules: rules}
			b.Run(bb.name+name, func(b *testing.B) {
				b.SetBytes(int64(len(src)))
				b.ReportAllocs()
				for b.Loop() {
					for range f.All(src) {
					}
				}
			})
		}
	}
}
