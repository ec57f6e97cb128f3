package delimit

import (
	"strings"
	"testing"
	"time"
)

// Every shape that might make a scanner read its input again and again, as the
// text before and the text repeated.
var hostile = []struct{ before, repeated string }{
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
	{"http://", "a@"}, {"http://", "%41"}, {"", "\"http://a\n> > > > > > > > "}, {"", "http://a-\n"}, {"", "<http://a-\n"},
}

// Linear: four times the input takes at most six times as long.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("timing")
	}
	const size = 128 << 10
	for _, h := range hostile {
		text := func(size int) []byte {
			return []byte(h.before + strings.Repeat(h.repeated, size/len(h.repeated)))
		}
		scan := func(src []byte) time.Duration {
			start := time.Now()
			for range new(Finder).All(src) {
			}
			for range (&Finder{Rules: Rules{Domains: true, Addresses: true}}).All(src) {
			}
			return time.Since(start)
		}
		small, large := text(size), text(4*size)
		ratio := 0.0
		for range 25 { // noise only ever adds: one quiet run is enough
			best := scan(small)
			for range 2 {
				best = min(best, scan(small))
			}
			l := min(scan(large), scan(large))
			ratio = float64(l) / float64(max(best, 50*time.Microsecond))
			if ratio <= 6 {
				break
			}
		}
		if ratio > 6 {
			t.Errorf("%q + %q × n: 4n takes %.1f times as long as n", h.before, h.repeated, ratio)
		}
	}
}

func BenchmarkHostile(b *testing.B) {
	for _, h := range hostile {
		src := []byte(h.before + strings.Repeat(h.repeated, (1<<20)/len(h.repeated)))
		b.Run(h.before+h.repeated, func(b *testing.B) {
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
	if testing.Short() {
		t.Skip("64 MB")
	}
	src := []byte("http://a/" + strings.Repeat("b,", 32<<20) + ` "http://c/`)
	n := 0
	for s := range new(Finder).All(src) {
		if n++; s.TooLong != (n == 1) {
			t.Errorf("span %d: %+v", n, s)
		}
	}
	if n != 2 {
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
		for name, rules := range map[string]Rules{"": {}, "-ftp": {Abbreviated: AbbreviatedAll}, "-domains": {Domains: true}, "-addresses": {Addresses: true}} {
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
