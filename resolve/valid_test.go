package resolve

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/testing/scantest"
)

func offence(g Grammar, ref string) string {
	if o, valid := g.Check([]byte(ref)); !valid {
		return o.String()
	}
	return ""
}

// The rules of the older grammars that RFC 3986 does not have; its own, and those of
// the schemes, are in schemes.tsv.
func TestCheck(t *testing.T) {
	for _, tt := range []struct{ grammar, ref, want string }{
		{"rfc1738", "x", "byte 0: there is no scheme (RFC 1738 2.1)"},
		{"rfc1738", "http://h/#s", `byte 9: "#" is not part of a URL (RFC 1738 2.2)`},
		{"rfc1738", "http://h?x", `byte 8: "?" is not allowed there in a host (RFC 1738 3.1)`},
		{"rfc1738", "http://h/?a/b", `byte 11: "/" is not allowed in a query (RFC 1738 3.3)`},
		{"rfc1738", "wais://h/d?a/b", ""},
		{"rfc1738", "http://h/~a", `byte 9: "~" is not allowed in a path (RFC 1738 2.2)`},
		{"rfc1738", "http://h:/", "byte 9: the port is empty (RFC 1738 5)"},
		{"rfc1738", "http://h./", "byte 8: a label of the host is empty (RFC 1738 3.1)"},
		{"rfc1738", "ftp://a?b:c@h/", ""},
		{"rfc1738", "3com:x", ""},
		{"rfc1738", "foo://a b/", "byte 7: a space is not allowed in an authority (RFC 1738 2.2)"},
		{"rfc1808", "this:that", ""},
		{"rfc1808", "_:that", `byte 1: ":" is not allowed in the first segment of a relative path (RFC 1808 5.3)`},
		{"rfc1808", "ftp://h//etc/motd", ""}, // absoluteURL
		{"rfc1808", "http://h/a?b?c/d", ""},
		{"rfc1808", "x:{", `byte 2: "{" is not allowed in a URL (RFC 1808 2.2)`},
		{"rfc1738", "mailto:?subject=x", "byte 7: there is no address (RFC 1738 3.5)"},
		{"rfc2396", "urn:example:a?x", ""},
		{"rfc6874", "//[fe80::1%25en0]/", ""},
		{"rfc6874", "//[fe80::1%25e%6E0]/", ""},
		{"rfc6874", "//[fe80::1%25]/", "byte 10: the zone of an IPv6 address stands behind %25, and has characters of a name or escapes (RFC 6874 2)"},
		{"rfc6874", "//[fe80::1%en0]/", "byte 10: the zone of an IPv6 address stands behind %25, and has characters of a name or escapes (RFC 6874 2)"},
		{"rfc6874", "//[fe80::1%25a/b]/", "byte 2: the brackets contain neither an IPv6 address nor a later version (RFC 3986 3.2.2)"},
		{"rfc1808", "//h//x", "byte 4: the first segment of a path is empty (RFC 1808 2.2)"},
		{"rfc1808", "//a@b?c/", ""},
		{"rfc1808", "ftp://a@b@h/", ""},
		{"rfc1808", "/~a", `byte 1: "~" is not allowed in a path (RFC 1808 2.2)`},
		{"rfc1808", "http://[::1]/", `byte 7: "[" is not allowed there in a host (RFC 1738 3.1)`},
		{"draft", "/~a", ""},
		{"draft", "/a|b", `byte 2: "|" is not allowed in a path (draft 4.3.2)`},
		{"draft", "/%4", `byte 1: "%" is not followed by two hexadecimal digits (draft 2.4.1)`},
		{"draft", "ftp://a/?{", `byte 9: "{" is not allowed in a query (draft 4.3.3)`},
		{"draft", "#{", `byte 1: "{" is not allowed in a fragment (draft 3)`},
		{"draft", "http://www.example.org./", ""},
		{"draft", "http://1.2.3.4/", ""},
		{"draft", "http://1.2.3/", "byte 11: the last label of the host begins with a digit (draft 4.3.1)"},
		{"draft", "http://1.2.3.4./", "byte 14: a label of the host is empty (draft 4.3.1)"},
		{"draft", "http://a.1b/", "byte 9: the last label of the host begins with a digit (draft 4.3.1)"},
		{"draft", "http://1b.a/", ""},
		{"draft", "http://a..b/", "byte 8: a label of the host is empty (draft 4.3.1)"},
		{"draft", "http://.a/", "byte 7: a label of the host is empty (draft 4.3.1)"},
		{"draft", "http://./", "byte 7: a label of the host is empty (draft 4.3.1)"},
		{"draft", "http://a-/", `byte 8: "-" is not allowed there in a host (draft 4.3.1)`},
		{"draft", "http://a_b/", `byte 8: "_" is not allowed there in a host (draft 4.3.1)`},
		{"draft", "http://%41/", `byte 7: "%" is not allowed there in a host (draft 4.3.1)`},
		{"draft", "foo://a_b:c@:d/", ""},
		{"draft", "foo://a[b/", `byte 7: "[" is not allowed in an authority (draft 4.3.1)`},
		{"rfc2396", "12:30", `byte 2: ":" is not allowed in the first segment of a relative path (RFC 2396 5)`},
		{"rfc2396", "foo://a$,b/", ""},
		{"rfc2396", "/[", `byte 1: "[" is not allowed in a path (RFC 2396 3.3)`},
		{"rfc3986", "http://a_b/", ""},
		{"rfc3986", "http://%41/", ""},
		{"rfc3986", "http://1.2.3/", ""},
		{"rfc3986", "/\x01", "byte 1: byte 0x01 is not allowed in a path (RFC 3986 3.3)"},
		{"rfc3986", "/\xff", "byte 1: byte 0xFF is not allowed in a path (RFC 3986 3.3)"},
		{"rfc3986", `/"`, `byte 1: '"' is not allowed in a path (RFC 3986 3.3)`},
		{"rfc3986", `/\`, `byte 1: "\\" is not allowed in a path (RFC 3986 3.3)`},
	} {
		g, ok := GrammarNamed(tt.grammar)
		if got := offence(g, tt.ref); got != tt.want || !ok {
			t.Errorf("%s: %q: %q, want %q", tt.grammar, tt.ref, got, tt.want)
		}
	}
	for _, name := range GrammarNames() {
		if g, ok := GrammarNamed(name); !ok || g.String() != name {
			t.Errorf("%s: %v, %v", name, g, ok)
		}
	}
	if g, ok := GrammarNamed("draft-01"); g != Draft || !ok {
		t.Error("draft-01")
	}
	if g, ok := GrammarNamed("whatwg"); g != RFC3986 || ok {
		t.Error("whatwg")
	}
}

// probes are references with a character in each component, in a scheme that has it.
var probes = map[string]string{
	"user": "ftp://az%sz@h/", "path": "http://h/az%sz", "query": "http://h/?az%sz", "fragment": "http://h/#az%sz",
	"search": "http://h/?az%sz",
}

func allows(g Grammar, component string, c string) bool {
	return offence(g, fmt.Sprintf(probes[component], c)) == ""
}

// A character at the end of a component begins another: the probe is valid, and holds
// nothing of it.
var delimiters = map[string]string{"user": "/#?", "path": "?#", "query": "#", "search": "#"}

func TestCharacters(t *testing.T) {
	for _, r := range scantest.Records(t, testdata+"/characters.tsv") {
		g, ok := GrammarNamed(r["grammar"])
		if !ok {
			t.Fatal(r)
		}
		component := r["component"]
		for c := range rune(128) {
			alnum := ascii.IsAlnum(byte(c)) && (component != "fragment" || g != RFC1738)
			want := alnum || strings.ContainsRune(r["allowed"], c)
			if !want && strings.ContainsRune(delimiters[component], c) {
				continue
			}
			if got := allows(g, component, string(c)); got != want {
				t.Errorf("%s: %s: %q in a %s: %v", r["section"], g, c, component, got)
			}
		}
	}
}

// TestCharacterClasses checks every row and column of the table of classes.
func TestCharacterClasses(t *testing.T) {
	columns := []struct{ column, component string }{
		{"http-path_ok", "path"}, {"query_ok", "query"}, {"fragment_ok", "fragment"}, {"userinfo_ok", "user"},
	}
	short := func(g Grammar) string { return strings.TrimPrefix(g.String(), "rfc") }
	// Where the table says that a character is not allowed, and the probe is valid.
	accepted := []struct{ column, chars, grammars, why string }{
		{"http-path_ok", "/", "1738 1808 draft 2396 3986", "it stands between two segments"},
		{"http-path_ok", "?", "1738 1808 draft 2396 3986", "a query begins there"},
		{"http-path_ok", "#", "1808 draft 2396 3986", "a fragment begins there"},
		{"query_ok", "#", "1808 draft 2396 3986", "a fragment begins there"},
		{"userinfo_ok", "/", "1738 1808 draft 2396 3986", "a path begins there, and az is the host"},
		{"userinfo_ok", "?", "draft 2396 3986", "a query begins there, and az is the host"},
		{"userinfo_ok", "#", "1808 draft 2396 3986", "a fragment begins there, and az is the host"},
	}
	used := map[string]bool{}
	// The classes, as what may stand for itself somewhere.
	allowed := map[string]bool{
		"unreserved": true, "unreserved(mark)": true, "reserved": true, "sub-delim": true, "gen-delim": true,
		"unsafe": false, "punctuation": false, "national": false, "delims": false, "unwise": false, "escape": false, "excluded": false,
	}
	accepts := map[string]string{
		"3986 #": "a gen-delim, and nothing but the beginning of a fragment",
		"3986 [": "a gen-delim, and nothing but the beginning of an IP literal",
		"3986 ]": "a gen-delim, and nothing but the end of an IP literal",
	}
	rows := scantest.Records(t, testdata+"/character-classes.tsv")
	if len(rows) < 33 {
		t.Errorf("%d rows", len(rows))
	}
	for _, r := range rows {
		char := r["char"]
		if char == "SP" {
			char = " "
		}
		for g := range RFC6874 { // which has the characters of RFC 3986
			for _, c := range columns {
				want := strings.Contains(","+r[c.column]+",", ","+short(g)+",")
				got := allows(g, c.component, char)
				excused := false
				for _, a := range accepted {
					if a.column == c.column && strings.Contains(a.chars, char) && strings.Contains(" "+a.grammars+" ", " "+short(g)+" ") {
						excused = true
						used[a.column+a.chars+short(g)] = true
						if got == want {
							t.Errorf("%s: %q %s differs no longer: strike it off (%s)", g, char, c.column, a.why)
						}
					}
				}
				if got != want && !excused {
					t.Errorf("%s: %q: %s %v, the table says %q", g, char, c.column, got, r[c.column])
				}
			}
			class := r["class_"+short(g)]
			want, ok := allowed[class]
			if !ok {
				t.Errorf("%s: %q: class %q", g, char, class)
			}
			got := false // as itself, in any component
			for where := range componentCount {
				got = got || grammars[g].allowed[char[0]]&(1<<where) != 0
			}
			key := short(g) + " " + char
			if why := accepts[key]; why != "" {
				if got == want {
					t.Errorf("%s differs no longer: strike it off (%s)", key, why)
				}
				delete(accepts, key)
			} else if got != want {
				t.Errorf("%s: %q: %v, its class is %q", g, char, got, class)
			}
			if strings.HasPrefix(class, "unreserved") { // in all components
				for _, c := range columns {
					if !allows(g, c.component, char) && !(g == RFC1738 && c.component == "fragment") {
						t.Errorf("%s: %q is %s, and not allowed in a %s", g, char, class, c.component)
					}
				}
			}
		}
	}
	for _, a := range accepted {
		for g := range strings.FieldsSeq(a.grammars) {
			if !used[a.column+a.chars+g] {
				t.Errorf("no row to excuse: %+v", a)
			}
		}
	}
	if len(accepts) > 0 {
		t.Errorf("no row to excuse: %v", accepts)
	}
}

func FuzzCheck(f *testing.F) {
	for _, r := range scantest.Records(f, testdata+"/schemes.tsv") {
		f.Add(r["url"])
	}
	f.Add("http://[v1.a]:1/%zz")
	f.Fuzz(func(t *testing.T, ref string) {
		for g := range RFC6874 { // which has the characters of RFC 3986
			o, valid := g.Check([]byte(ref))
			if valid {
				if o != (Offence{}) {
					t.Fatalf("%s: %q: valid, and %v", g, ref, o)
				}
				for i := range len(ref) {
					if c := ref[i]; c <= ' ' || c >= 0x7f || strings.IndexByte(`<>"{}|\^`+"`", c) >= 0 {
						t.Fatalf("%s: %q is valid", g, ref)
					}
				}
				continue
			}
			if o.At < 0 || o.At > len(ref) || o.Words == "" || o.Section == "" {
				t.Fatalf("%s: %q: %+v", g, ref, o)
			}
			if strings.HasSuffix(o.Words, "hexadecimal digits") && ref[o.At] != '%' {
				t.Fatalf("%s: %q: %v", g, ref, o)
			}
			// In front of the first offence, every byte may stand in a URL.
			for i := range o.At {
				if c := ref[i]; c <= ' ' || c >= 0x7f || strings.IndexByte(`<>"{}|\^`+"`", c) >= 0 {
					t.Fatalf("%s: %q: %v, but byte %d", g, ref, o, i)
				}
			}
		}
	})
}

// What these take must not grow faster than a reference does, nor be allocated.
var looks = []struct {
	name string
	look func(ref []byte)
}{
	{"Check", func(ref []byte) {
		for g := range RFC6874 { // which has the characters of RFC 3986
			g.Check(ref)
		}
	}},
	{"Parts", func(ref []byte) { partsBuffer = Rules{}.Parts(partsBuffer[:0], ref) }},
}

var partsBuffer = make([]Part, 0, 1<<17)

func TestHostileLooks(t *testing.T) {
	prefixes := []string{"", "//", "http://", "http:", "http://h/", "ftp://h/", "gopher://h/0", "gopher:", "mailto:", "mailto:?", "news:",
		"wais://h/", "prospero://h/", "file:", "urn:a:", "data:", "http://[", "http://xn--", "http://[v1.", "tel:", "http://a@"}
	shapes := append([]string{"@", ":", "a.", "%09", "%0D", "%", "\\", "\t", "é", "xn--a.", "xn--", "%E2%80", "%E2%80%AE", ";", ",a@b", "&", "[", "0.",
		"а", "h\t", "1", "-", "a"}, hostile...)
	for _, look := range looks {
		for _, prefix := range prefixes {
			for _, shape := range shapes {
				n := scantest.Amount(500, 4_000)
				short := []byte(prefix + strings.Repeat(shape, n/len(shape)))
				long := []byte(prefix + strings.Repeat(shape, 4*n/len(shape)))
				scantest.Linear(t, fmt.Sprintf("%s %q", look.name, prefix+shape+"…"), time.Duration(50*4*n), func() { look.look(short) }, func() { look.look(long) })
			}
		}
	}
}

func TestLooksDoNotAllocate(t *testing.T) {
	refs, _ := typicalBytes()
	for _, s := range []string{"http://h:80/", "ftp://a@h/%20b;type=a", "gopher://h/0a%09b", "mailto:a@h", "news:a.b", "http://h/%E2%82%AC",
		"telnet://h:23/", "data:text/plain,a", "http://www.example.org./", "X-Mine:y"} {
		refs = append(refs, []byte(s))
	}
	for _, look := range looks {
		for _, ref := range refs {
			if n := testing.AllocsPerRun(10, func() { look.look(ref) }); n != 0 && !(look.name == "Check" && offence(RFC1738, string(ref)) != "") {
				t.Errorf("%s: %q: %v allocations", look.name, ref, n)
			}
		}
	}
	for _, ref := range refs {
		if n := testing.AllocsPerRun(10, func() { RFC3986.Check(ref) }); n != 0 && offence(RFC3986, string(ref)) == "" {
			t.Errorf("Check: %q: %v allocations", ref, n)
		}
	}
}

func BenchmarkLooks(b *testing.B) {
	refs, size := typicalBytes()
	for _, look := range looks[1:] {
		b.Run(look.name, func(b *testing.B) {
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				for _, ref := range refs {
					look.look(ref)
				}
			}
		})
	}
	b.Run("Check", func(b *testing.B) {
		b.SetBytes(size)
		b.ReportAllocs()
		for b.Loop() {
			for _, ref := range refs {
				RFC3986.Check(ref)
			}
		}
	})
}

// Each grammar has its name, and what is none has a number.
func TestGrammarNumbers(t *testing.T) {
	for i, name := range GrammarNames() {
		if g, ok := GrammarNamed(name); !ok || g.String() != name || int(g) != i {
			t.Errorf("%s: %d %v", name, g, g)
		}
	}
	if s := Grammar(len(GrammarNames())).String(); s != fmt.Sprintf("Grammar(%d)", len(GrammarNames())) {
		t.Error(s)
	}
}
