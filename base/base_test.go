package base

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"example.org/refract/resolve"
)

func named(t testing.TB, name string) resolve.Rules {
	t.Helper()
	rules, ok := resolve.RulesNamed(name)
	if !ok {
		t.Fatalf("no rules %q", name)
	}
	return rules
}

func same(b Base, uri string, l Layer, from string) bool {
	return b.URI == uri && b.Layer == l && b.From == from
}

func TestRoot(t *testing.T) {
	for _, tt := range []struct {
		sec, rules, retrieved, deflt string
		uri                          string
		layer                        Layer
		from, err                    string
	}{
		{"5.1.3", "rfc3986", "http://r/x", "http://d/", "http://r/x", Retrieval, "--url", ""},
		{"5.1.3", "rfc3986", "http://r/x", "", "http://r/x", Retrieval, "--url", ""},
		{"5.1.4", "rfc3986", "", "http://d/", "http://d/", Default, "--base", ""},
		{"5.1.4", "rfc3986", "", "", "", None, "", ""},
		{"5.1", "rfc3986", "http://r/x#f", "", "http://r/x", Retrieval, "--url", ""},
		{"5.1", "draft", "", "http://d/#f", "http://d/", Default, "--base", ""},
		{"RFC 1808 4", "rfc1808", "http://r/x#f", "", "http://r/x#f", Retrieval, "--url", ""},
		{"5.2", "rfc3986", "x/y", "http://d/", "http://d/", Default, "--base", `base: --url "x/y": not absolute`},
		{"5.2", "rfc3986", "http://r/", "x/y", "http://r/", Retrieval, "--url", ""},
		{"5.2", "rfc3986", "//r/", "x", "", None, "", "base: --url \"//r/\": not absolute\nbase: --base \"x\": not absolute"},
		{"RFC 3986 3.1", "rfc3986", "12:30", "", "", None, "", `base: --url "12:30": not absolute`},
		{"3", "draft", "12:30", "", "12:30", Retrieval, "--url", ""},
		{"2.4.3", "rfc3986", "http://r/a b<c>\"é%zz", "", "http://r/a b<c>\"é%zz", Retrieval, "--url", ""},
	} {
		b, err := Root(named(t, tt.rules), Source{tt.retrieved, "--url"}, Source{tt.deflt, "--base"})
		if !same(b, tt.uri, tt.layer, tt.from) {
			t.Errorf("%s: %s: Root(%q, %q) = %+v", tt.sec, tt.rules, tt.retrieved, tt.deflt, b)
		}
		if msg := message(err); msg != tt.err {
			t.Errorf("%s: %s: Root(%q, %q): error %q, want %q", tt.sec, tt.rules, tt.retrieved, tt.deflt, msg, tt.err)
		}
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func root(t testing.TB, rules resolve.Rules, retrieved string) Base {
	t.Helper()
	b, err := Root(rules, Source{retrieved, "--url"}, Source{})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestLayers goes down into nested entities. In each row, "<" enters an enclosed
// entity and anything else is a base that the entity states for itself.
func TestLayers(t *testing.T) {
	for _, tt := range []struct {
		sec, rules, retrieved string
		down                  []string
		uri                   string
		layer                 Layer
		from                  string
	}{
		{"5.1.1", "rfc3986", "http://r/a/b", []string{"http://e/x"}, "http://e/x", Embedded, "http://e/x"},
		{"5.1.1", "rfc3986", "", []string{"http://e/x"}, "http://e/x", Embedded, "http://e/x"},
		{"5.1.1", "rfc3986", "http://r/a/b", []string{"x/"}, "http://r/a/x/", Embedded, "x/"},
		{"5.1.1", "rfc3986", "http://r/a/b?q", []string{""}, "http://r/a/b?q", Embedded, ""},
		{"5.1.1", "rfc3986", "http://r/a/b", []string{"?y#s"}, "http://r/a/b?y", Embedded, "?y#s"},
		{"5.1.1", "rfc3986", "http://r/a/b", []string{"//e/x"}, "http://e/x", Embedded, "//e/x"},
		{"5.1.1", "rfc3986", "http://r/a/b", []string{"é x/<\"%"}, "http://r/a/é x/<\"%", Embedded, "é x/<\"%"},
		{"5.1.2", "rfc3986", "http://r/a/b", []string{"<"}, "http://r/a/b", Retrieval, "--url"},
		{"5.1.2", "rfc3986", "http://r/a/b", []string{"<", "<"}, "http://r/a/b", Retrieval, "--url"},
		{"5.1.2", "rfc3986", "http://r/a/b", []string{"x/", "<"}, "http://r/a/x/", Encapsulating, "x/"},
		{"5.1.2", "rfc3986", "http://r/a/b", []string{"x/", "<", "<"}, "http://r/a/x/", Encapsulating, "x/"},
		{"5.1.2", "rfc3986", "", []string{"<"}, "", None, ""},
		{"5.1.2", "rfc3986", "", []string{"http://e/x", "<", "<"}, "http://e/x", Encapsulating, "http://e/x"},
		// multipart with a base, HTML part with a relative one, its srcdoc with another
		{"RFC 1808 3.2", "rfc3986", "http://r/a/b", []string{"x/", "<", "y/", "<", "z"}, "http://r/a/x/y/z", Embedded, "z"},
		{"RFC 1808 3.2", "rfc3986", "", []string{"http://e/p/q", "<", "<", "../y/"}, "http://e/y/", Embedded, "../y/"},
		{"RFC 1808 3.2", "rfc3986", "http://r/", []string{"http://e/", "<", "http://f/", "<"}, "http://f/", Encapsulating, "http://f/"},
		// heading, then base element: both embedded, the inner one wins
		{"RFC 1808 3.1", "rfc3986", "http://r/a", []string{"http://e/h/", "b/"}, "http://e/h/b/", Embedded, "b/"},
		{"5.1.1", "rfc3986", "http://r/a", []string{"http://e/x#f"}, "http://e/x", Embedded, "http://e/x#f"},
		{"5.1.1", "draft", "http://r/a", []string{"x#f"}, "http://r/x", Embedded, "x#f"},
		{"RFC 1808 4", "rfc1808", "http://r/a", []string{"x#f"}, "http://r/x#f", Embedded, "x#f"},
		{"RFC 1808 4", "rfc1808", "http://r/a", []string{"x#f", "<", ""}, "http://r/x#f", Embedded, ""},
		{"5.2 6g", "draft", "", []string{"http://e/x", "<", "../y"}, "http://e/../y", Embedded, "../y"},
		{"3", "draft", "", []string{"12:30"}, "12:30", Embedded, "12:30"},
		{"RFC 3986 5.2.4", "rfc3986", "", []string{"http://e/./x"}, "http://e/x", Embedded, "http://e/./x"},
	} {
		b := root(t, named(t, tt.rules), tt.retrieved)
		for _, step := range tt.down {
			outer := b
			if step == "<" {
				b = outer.Inside()
				continue
			}
			var err error
			if b, err = outer.Embed(step, step); err != nil {
				t.Errorf("%s: %v: %v", tt.sec, tt.down, err)
			}
		}
		if !same(b, tt.uri, tt.layer, tt.from) {
			t.Errorf("%s: %s: %q %q: %q %v %q, want %q %v %q", tt.sec, tt.rules, tt.retrieved, tt.down, b.URI, b.Layer, b.From, tt.uri, tt.layer, tt.from)
		}
	}
}

func TestEmbedError(t *testing.T) {
	aboveRoot := resolve.Rules{AboveRoot: resolve.FailAboveRoot}
	for _, tt := range []struct {
		sec       string
		rules     resolve.Rules
		outer     string
		ref, want string
		is        error
	}{
		{"5.1.1", resolve.Rules{}, "", "x/", `base: embedded "x/": no outer base`, nil},
		{"5.1.1", resolve.Rules{}, "", "", `base: embedded "": no outer base`, nil},
		{"5.1.1", resolve.Rules{}, "", "//h/", `base: embedded "//h/": no outer base`, nil},
		{"5.1.1", resolve.Rules{}, "", "12:30", `base: embedded "12:30": no outer base`, nil},
		{"5", resolve.Rules{}, "mailto:a@b", "x/", `base: embedded "x/": unsuitable base: mailto URLs have no relative forms`, ErrUnsuitable},
		{"5.2 step 2", named(t, "draft"), "http://h/", "#s", `base: embedded "#s": refers to the current document`, nil},
		{"5.2 step 2", named(t, "draft"), "", "", `base: embedded "": refers to the current document`, nil},
		{"5.2 6g", aboveRoot, "http://h/", "../x", `base: embedded "../x": the path goes above the root`, nil},
	} {
		outer := root(t, tt.rules, tt.outer)
		b, err := outer.Embed(tt.ref, "base/href")
		if message(err) != tt.want || tt.is != nil && !errors.Is(err, tt.is) {
			t.Errorf("%s: error %v, want %s", tt.sec, err, tt.want)
		}
		if b != outer {
			t.Errorf("%s: %q: the outer base was not kept: %+v", tt.sec, tt.ref, b)
		}
	}
}

func TestAppend(t *testing.T) {
	for _, tt := range []struct {
		sec, rules, base, ref string
		want                  string
		err                   error
	}{
		{"5.2", "rfc3986", "http://h/a/b", "../g#s", "http://h/g#s", nil},
		{"5.2 step 3", "rfc3986", "", "http://h/./x", "http://h/x", nil},
		{"5.2 step 3", "rfc3986", "", "mailto:a@b", "mailto:a@b", nil},
		{"5.1", "rfc3986", "", "g", "", ErrNoBase},
		{"5.1", "rfc3986", "", "", "", ErrNoBase},
		{"5.1", "rfc3986", "", "#s", "", ErrNoBase},
		{"5.1", "rfc3986", "", "?y", "", ErrNoBase},
		{"5.1", "rfc3986", "", "//h/g", "", ErrNoBase},
		{"5.1", "rfc1808", "", "", "", ErrNoBase},
		{"3.1", "rfc3986", "", "12:30", "", ErrNoBase},
		{"3", "draft", "", "12:30", "12:30", nil},
		{"5.2 step 2", "draft", "", "#s", "#s", nil}, // the current document needs no base
		{"5.2 step 2", "draft", "", "", "", nil},
		{"5.2", "draft", "", "?y", "", ErrNoBase},
		{"5", "rfc3986", "mailto:a@b", "http://h/", "http://h/", nil},
		{"5", "rfc3986", "mailto:a@b", "?subject=x", "mailto:a@b?subject=x", nil},
		{"5", "rfc1808", "mailto:a@b", ";x", "", ErrUnsuitable},
		{"5", "draft", "mailto:a@b", "#s", "#s", nil},
		{"5", "rfc3986", "MAILTO:a@b", "c@d", "", ErrUnsuitable},
		{"RFC 1808 2.3", "rfc3986", "gopher://h/1a/b", "c", "gopher://h/1a/c", nil},
		{"5", "rfc3986", "unknown:a/b", "c", "unknown:a/c", nil},
		{"RFC 2557 5", "rfc3986", "thismessage:/", "c", "thismessage:/c", nil},
	} {
		b := root(t, named(t, tt.rules), tt.base)
		got, res, err := b.Append([]byte("<"), []byte(tt.ref))
		if string(got) != "<"+tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%s: %s: %q + %q = %q, %v, want %q, %v", tt.sec, tt.rules, tt.base, tt.ref, got, err, tt.want, tt.err)
		}
		if b.Keeps([]byte(tt.ref)) && (string(got) != "<"+tt.ref || err != nil || res != resolve.Result{Step: resolve.Absolute}) {
			t.Errorf("%s: %q + %q = %q, %+v, %v, but Keeps says that it is not changed", tt.sec, tt.base, tt.ref, got, res, err)
		}
		if (err != nil) != (res == resolve.Result{}) {
			t.Errorf("%s: %q + %q: result %+v with error %v", tt.sec, tt.base, tt.ref, res, err)
		}
	}
}

func TestKeeps(t *testing.T) {
	const ref = "http://h/x?y#s"
	for _, tt := range []struct {
		rules, base string
		want        bool
	}{
		{"rfc3986", "", true},
		{"rfc3986", "http://h/a", true},
		{"rfc3986", "mailto:a@b", true}, // no relative forms
		{"whatwg", "http://h/a", false},
	} {
		b := root(t, named(t, tt.rules), tt.base)
		if got := b.Keeps([]byte(ref)); got != tt.want {
			t.Errorf("%s, base %q: %t", tt.rules, tt.base, got)
		}
	}
	// With a base of the same scheme, this one is relative; without a base it is not.
	b := root(t, resolve.Rules{SameScheme: true}, "http://h/a")
	if got, _, _ := b.Append(nil, []byte("http:g")); b.Keeps([]byte("http:g")) || string(got) != "http://h/g" {
		t.Errorf("http:g becomes %q, but Keeps says that it is not changed", got)
	}
}

// The schemes that have no relative forms (the 1997 draft, section 5, last paragraph before 5.1).
var unsuitable = map[string]string{
	"about":      "about:blank",
	"afs":        "afs:x/y",
	"blob":       "blob:http://h/1",
	"cid":        "cid:part1@h",
	"data":       "data:text/html,a/b",
	"javascript": "javascript:a/b",
	"mailserver": "mailserver:x/y",
	"mailto":     "mailto:a@b",
	"mid":        "mid:m@h/c@h",
	"news":       "news:comp.lang.go",
	"snews":      "snews://h/comp.lang.go",
	"tel":        "tel:+1-201-555-0123",
	"telnet":     "telnet://h:23/",
	"tn3270":     "tn3270://h/",
	"urn":        "urn:isbn:0-395-36341-1",
	"vbscript":   "vbscript:a/b",
	"z39.50":     "z39.50://h/db",
	"z39.50r":    "z39.50r://h/db",
	"z39.50s":    "z39.50s://h/db",
}

func TestUnsuitable(t *testing.T) {
	for scheme, uri := range unsuitable {
		if Suitable(scheme) || Suitable(strings.ToUpper(scheme)) {
			t.Errorf("%s is suitable", scheme)
		}
		b := root(t, resolve.Rules{}, uri)
		for _, ref := range []string{"g", "./g", "/g", "//h/g", ".", ";x", "g?y#s"} {
			got, _, err := b.Append(nil, []byte(ref))
			if len(got) > 0 || !errors.Is(err, ErrUnsuitable) || !strings.Contains(message(err), scheme) {
				t.Errorf("%q + %q = %q, %v", uri, ref, got, err)
			}
		}
		for ref, want := range map[string]string{"": uri, "?y": uri + "?y", "#s": uri + "#s", "http://h/": "http://h/"} {
			if got, _, err := b.Append(nil, []byte(ref)); string(got) != want || err != nil {
				t.Errorf("%q + %q = %q, %v, want %q", uri, ref, got, err, want)
			}
		}
		other := scheme + ":other"
		lax := root(t, resolve.Rules{SameScheme: true}, uri)
		if got, _, err := lax.Append(nil, []byte(other)); string(got) != other || err != nil {
			t.Errorf("same-scheme=relative: %q + %q = %q, %v", uri, other, got, err)
		}
	}
	for _, scheme := range []string{"http", "https", "ftp", "file", "gopher", "nntp", "prospero", "wais", "nfs", "ws", "thismessage", "x-mine", ""} {
		if !Suitable(scheme) {
			t.Errorf("%s is not suitable", scheme)
		}
	}
}

// TestSchemes compares with what the documents say of each scheme.
func TestSchemes(t *testing.T) {
	data, err := os.ReadFile("../testdata/resolve/scheme-rules.tsv")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(data), "\n") // a comment
	for i, line := range strings.Split(strings.TrimSpace(table), "\n") {
		fields := strings.Split(line, "\t")
		if i == 0 {
			if fields[5] != "relative_base" {
				t.Fatalf("columns: %q", fields)
			}
			continue
		}
		relative := fields[5] != "no" && !strings.HasPrefix(fields[5], "no ")
		for _, scheme := range strings.FieldsFunc(fields[0], func(r rune) bool { return r == ',' || r == ' ' || r == '/' }) {
			if Suitable(scheme) != relative {
				t.Errorf("%s: suitable %v, the table says %q", scheme, !relative, fields[5])
			}
		}
	}
}

func TestZeroAndHandMade(t *testing.T) {
	var zero Base
	if got, _, err := zero.Append(nil, []byte("http://h/../x")); string(got) != "http://h/x" || err != nil {
		t.Errorf("zero: %q, %v", got, err)
	}
	if _, _, err := zero.Append(nil, []byte("x")); err != ErrNoBase {
		t.Errorf("zero: %v", err)
	}
	if b, err := zero.Inside().Embed("http://h/a", "x"); !same(b, "http://h/a", Embedded, "x") || err != nil {
		t.Errorf("zero: %+v, %v", b, err)
	}
	byHand := Base{URI: "http://h/a/b", Layer: Default}
	if got, _, err := byHand.Append(nil, []byte("../x")); string(got) != "http://h/x" || err != nil {
		t.Errorf("by hand: %q, %v", got, err)
	}
	byHand.URI = "not absolute"
	if _, _, err := byHand.Append(nil, []byte("../x")); err != ErrNoBase {
		t.Errorf("by hand: %v", err)
	}
}

func TestLayerString(t *testing.T) {
	for l, want := range map[Layer]string{None: "none", Embedded: "embedded", Encapsulating: "encapsulating", Retrieval: "retrieval", Default: "default"} {
		if l.String() != want {
			t.Errorf("%d: %s", l, l)
		}
	}
}

func TestAppendDoesNotAllocate(t *testing.T) {
	dst := make([]byte, 0, 256)
	for _, uri := range []string{"", "http://h/a/b", "mailto:a@b"} {
		b := root(t, resolve.Rules{}, uri)
		for _, ref := range []string{"http://h/x", "../g", "?y", "#s", ""} {
			ref := []byte(ref)
			if n := testing.AllocsPerRun(10, func() { b.Append(dst, ref) }); n != 0 {
				t.Errorf("%q + %q: %v allocations", uri, ref, n)
			}
		}
	}
}

func TestConcurrent(t *testing.T) {
	b := root(t, resolve.Rules{}, "http://h/a/b")
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 100 {
				inner, err := b.Embed("x/", "base/href")
				if got, _, _ := inner.Inside().Append(nil, []byte("../y")); err != nil || string(got) != "http://h/a/y" {
					t.Errorf("%q, %v", got, err)
				}
			}
		})
	}
	wg.Wait()
}

func BenchmarkAppend(b *testing.B) {
	base := root(b, resolve.Rules{}, "https://www.example.com/docs/v2/guide/index.html")
	dst, ref := make([]byte, 0, 256), []byte("../tutorial/start.html")
	b.SetBytes(int64(len(ref)))
	b.ReportAllocs()
	for b.Loop() {
		dst, _, _ = base.Append(dst[:0], ref)
	}
}

func TestString(t *testing.T) {
	b, err := Root(resolve.Rules{}, Source{URI: "http://a/b"}, Source{})
	if got := fmt.Sprintf("%v %s", b, b); err != nil || got != "http://a/b http://a/b" {
		t.Errorf("got %q, %v", got, err)
	}
	if got := fmt.Sprint(Base{}); got != "" {
		t.Errorf("the zero Base prints %q", got)
	}
}
