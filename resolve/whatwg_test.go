package resolve

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/hostname"
	"example.org/refract/internal/testing/scantest"
)

func browser(t testing.TB) Rules {
	t.Helper()
	rules, ok := RulesNamed("whatwg")
	if !ok {
		t.Fatal("no rules whatwg")
	}
	return rules
}

// What a table cannot hold: tabs, line ends, controls, and bytes that are not UTF-8.
func TestWHATWGBytes(t *testing.T) {
	b := browser(t).Resolver("http://h/a/b")
	for _, tt := range []struct{ sec, ref, want string }{
		{"URL 4.4 step 1", "\x00\x1f http://x/ \x00", "http://x/"},
		{"URL 4.4 step 1", "http://x/\u00a0", "http://x/%C2%A0"},
		{"URL 4.4 step 3", "ht\ttp\n:\r//x\t.y/a\nb", "http://x.y/ab"},
		{"URL 4.4 step 3", "/\t/x", "http://x/"},
		{"URL 4.4 step 3", ".\t.", "http://h/"},
		{"URL 4.4 step 3", "%\n41", "http://h/a/%41"},
		{"Encoding 8.1.1", "\xff", "http://h/a/%EF%BF%BD"},
		{"Encoding 8.1.1", "\xf0\x9f\x92x", "http://h/a/%EF%BF%BDx"},
		{"Encoding 8.1.1", "\xf0\x9f\xf0\x9f\x92\xa9", "http://h/a/%EF%BF%BD%F0%9F%92%A9"},
		{"Encoding 8.1.1", "\xed\xa0\x80", "http://h/a/%EF%BF%BD%EF%BF%BD%EF%BF%BD"},
		{"Encoding 8.1.1", "?\xc0\x80", "http://h/a/b?%EF%BF%BD%EF%BF%BD"},
		{"Encoding 8.1.1", "\xef\xbb\xbfx", "http://h/a/%EF%BB%BFx"},
		{"URL 3.5", "//a\xff", ""},
		{"URL 3.5", "//a%ff", ""},
		{"URL 3.5", "//%C3%A9", "http://xn--9ca/"},
		{"hostname.MaxDomain", "//" + strings.Repeat("é.", hostname.MaxDomain/3), "http://" + strings.Repeat("xn--9ca.", hostname.MaxDomain/3) + "/"},
		{"hostname.MaxDomain", "//" + strings.Repeat("é.", hostname.MaxDomain/3+1), ""},
	} {
		got, res := b.Append(nil, []byte(tt.ref))
		if string(got) != tt.want || res.InError != (tt.want == "") {
			t.Errorf("%s: %q = %q (%v), want %q", tt.sec, tt.ref, got, res.Err(), tt.want)
		}
	}
}

func TestWHATWGResult(t *testing.T) {
	for _, tt := range []struct {
		base, ref  string
		step       Step
		departures Departures
		failure    Failure
	}{
		{"http://h/a", "x:y", Absolute, 0, 0},
		{"http://h/a", "http://g", Absolute, 0, 0},
		{"http://h/a", "https:g", Absolute, 0, 0},
		{"http://h/a", "http:g", RelativePath, 0, 0},
		{"http://h/a", `\\g`, NetworkPath, 0, 0},
		{"x://h/a", `\\g`, RelativePath, 0, 0},
		{"http://h/a", `\g`, AbsolutePath, 0, 0},
		{"http://h/a", "?g", SamePath, 0, 0},
		{"http://h/a", " ", SameURI, 0, 0},
		{"http://h/a", "#g", SameURI, 0, 0},
		{"x:a", "#g", SameURI, 0, 0},
		{"file:///C:/a", "file:g", RelativePath, 0, 0},
		{"file:///C:/a", "file://g", Absolute, 0, 0},
		{"file:///C:/a", "../../g", RelativePath, WentAbove, 0},
		{"http://h/a/b", "../g", RelativePath, 0, 0},
		{"http://h/a", "%2e./g", RelativePath, WentAbove, 0},
		{"x:/a", ".//g", RelativePath, Guarded, 0},
		{"", "g", NoBase, 0, NoBaseURL},
		{"http://a b/", "g", NoBase, 0, NoBaseURL},
		{"", "", NoBase, 0, NoBaseURL},
		{"x:a", "g", RelativePath, 0, OpaqueBase},
		{"x:a", "", SameURI, 0, OpaqueBase},
		{"x:a", "?", SamePath, 0, OpaqueBase},
		{"x:a", "x:?", Absolute, 0, 0},
		{"", "http://?", Absolute, 0, HostMissing},
		{"", "x://a@/", Absolute, 0, HostMissing},
		{"", "x://:1/", Absolute, 0, HostMissing},
		{"", "x://a b/", Absolute, 0, HostInvalid},
		{"", "http://a%00b/", Absolute, 0, DomainInvalid},
		{"", "http://\u00ad/", Absolute, 0, DomainInvalid},
		{"", "http://1.x.2/", Absolute, 0, IPv4Invalid},
		{"", "x://[::1/", Absolute, 0, IPv6Invalid},
		{"x://h/", "//h:1a/", NetworkPath, 0, PortInvalid},
		{"", "x://h:65536/", Absolute, 0, PortInvalid},
	} {
		out, res := browser(t).Resolver(tt.base).Append([]byte("before"), []byte(tt.ref))
		if want := (Result{tt.step, tt.departures, tt.failure != 0, tt.failure}); res != want {
			t.Errorf("%q + %q: %+v, want %+v", tt.base, tt.ref, res, want)
		}
		if string(out) == "before" != res.InError || res.InError != (res.Err() != nil) || res.InError && res.Err() != error(tt.failure) {
			t.Errorf("%q + %q: %q, %v", tt.base, tt.ref, out, res.Err())
		}
	}
	for f := range PortInvalid + 2 {
		if (f.Error() == "none") != (f == 0 || f > PortInvalid) {
			t.Errorf("failure %d is called %q", f, f.Error())
		}
	}
}

// FuzzWHATWG checks what the standard promises of its serializer (URL 4): a URL
// parsed again is itself, with no exception since a space at the end of an opaque
// path is escaped; and it is in ASCII without controls.
func FuzzWHATWG(f *testing.F) {
	for _, file := range []string{"whatwg.tsv", "rfc3986.tsv", "departures.tsv"} {
		for _, r := range scantest.Records(f, testdata+"/"+file) {
			f.Add(r["base"], r["reference"])
		}
	}
	rng := rand.New(rand.NewPCG(4, 5))
	for range 1000 {
		f.Add(nastyBases[rng.IntN(len(nastyBases))], randomNasty(rng, 6))
	}
	rules := browser(f)
	f.Fuzz(func(t *testing.T, base, ref string) {
		b := rules.Resolver(base)
		got, res := b.Append(nil, []byte(ref))
		if res.InError {
			if len(got) > 0 {
				t.Fatalf("in error, and yet %q", got)
			}
			return
		}
		for i, c := range got {
			if c < ' ' || c > '~' || c == ' ' && i+1 == len(got) {
				t.Fatalf("%q + %q = %q", base, ref, got)
			}
		}
		for _, base := range []string{"", base, string(got)} {
			again, res := rules.Resolver(base).Append(nil, got)
			if !bytes.Equal(again, got) || res.Step != Absolute {
				t.Fatalf("%q against %q is %q (%v, %v)", got, base, again, res.Step, res.Err())
			}
		}
	})
}

// nasty are pieces of references that parsers take differently.
var nasty = []string{
	"/", "/", "/", "\\", "//", "?", "#", ":", "@", ".", "..", "%2e", "%2E.", "[", "]", "%", "%2f", "%5c", "%41", "%00", "%zz",
	"a", "b", "C:", "c|", "h", "file:", "http:", "https:", "ws:", "foo:", "javascript:", "http://", "//h/", "localhost",
	"0", "1", "09", "0x", "0x7f", "256", "4294967296", ".1", ":80", ":443", ":0", ":65536", "::", "::1", "[::1]", "[1::2.3.4.5]", "[::ffff:1.2.3.4]",
	"\t", "\n", " ", "\x00", "\x01", "\x1f", "\x7f", "\"", "'", "<", ">", "`", "{", "}", "|", "^", "~", "!", "$", "&", "=", ";", "+", ",", "-", "_",
	"é", "ß", "日本", "。", "．", "１", "％", "\u00ad", "\u200d", "\u2260", "א", "\U0001f4a9", "\ufffd", "\ufeff", "\u0300",
	"%c3%a9", "%ff", "%e3%80%82", "\xff", "\xe2\x80", "\xf0\x9f\x92", "\xed\xa0\x80", "\xc3", "xn--", "xn--9ca", "xn--a", "XN--", "faß.de",
}

func randomNasty(rng *rand.Rand, most int) string {
	var s strings.Builder
	for range rng.IntN(most + 1) {
		s.WriteString(nasty[rng.IntN(len(nasty))])
	}
	return s.String()
}

var nastyBases = []string{"", "http://h/a/b?q#f", "http://u:p@h:81/", "https://h/a/..", "file:///C:/a/b", "file:///a", "file://h/C|/", "foo://h/a/b", "foo://h", "foo:/a/b", "foo:/.//x", "foo:a b", "ws://h/"}

// node parses pairs of base64, a line each, and writes what it makes of them.
const node = `
const dec = s => new TextDecoder('utf-8', {ignoreBOM: true}).decode(Buffer.from(s, 'base64'));
let out = [];
for (const line of require('fs').readFileSync(0, 'latin1').split('\n')) {
	if (line === '') continue;
	const [ref, base] = line.split(' ');
	let href = '';
	try { href = base === '' ? new URL(dec(ref)).href : new URL(dec(ref), dec(base)).href } catch {}
	out.push(href);
}
process.stdout.write(out.join('\n') + '\n');
`

// TestNode compares random pairs with Node.js 20, if that is there; nodeDiffers knows
// where its parser (ada) differs. REFRACT_NODE says how many
// thousand pairs.
func TestNode(t *testing.T) {
	scantest.Long(t, "depends on the version of Node.js")
	path, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node here")
	}
	thousands, _ := strconv.Atoi(os.Getenv("REFRACT_NODE"))
	if version, _ := exec.Command(path, "--version").Output(); thousands == 0 && !bytes.HasPrefix(version, []byte("v20.")) {
		t.Skipf("Node.js %s: what is known is about version 20; REFRACT_NODE=10 tries it", version)
	}
	type pair struct{ base, ref string }
	pairs := make([]pair, max(10, thousands)*1000)
	rng := rand.New(rand.NewPCG(uint64(thousands), 0))
	var in bytes.Buffer
	for i := range pairs {
		p := &pairs[i]
		p.base, p.ref = nastyBases[rng.IntN(len(nastyBases))], randomNasty(rng, 8)
		switch rng.IntN(4) {
		case 0:
			p.ref = "http://" + p.ref
		case 1:
			p.ref = "//" + p.ref
		case 2:
			p.base = randomNasty(rng, 4)
		}
		fmt.Fprintf(&in, "%s %s\n", base64.StdEncoding.EncodeToString([]byte(p.ref)), base64.StdEncoding.EncodeToString([]byte(p.base)))
	}
	cmd := exec.Command(path, "-e", node)
	cmd.Stdin = &in
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(lines) != len(pairs) {
		t.Fatalf("%d answers to %d pairs", len(lines), len(pairs))
	}
	rules := browser(t)
	classes := map[string]int{}
	for i, p := range pairs {
		b := rules.Resolver(p.base)
		if p.base != "" && b.browser == nil {
			continue // new URL fails on the base, whatever the reference
		}
		got, res := b.Append(nil, []byte(p.ref))
		if string(got) == lines[i] {
			continue
		}
		class := nodeDiffers(p.base, p.ref, string(got), lines[i], res)
		classes[class]++
		if class == "" && classes[class] < 40 {
			t.Errorf("%q + %q = %q (%v), node %q", p.base, p.ref, got, res.Err(), lines[i])
		}
	}
	t.Logf("%d pairs, where we differ: %v", len(pairs), classes)
}

// nodeDiffers names the reason why Node.js gives something else, if that is known.
// Each is a change of the standard that Node.js 20 does not have, or an error of it.
func nodeDiffers(base, ref, got, node string, res Result) string {
	older := strings.NewReplacer("%5E", "^", "%20?", " ?", "%20#", " #")
	switch {
	case older.Replace(got) == older.Replace(node):
		return "^ in paths, and a space at the end of opaque paths, are escaped since 2024"
	case node == "" && strings.Contains(strings.ToLower(got+base), "xn--"):
		return "labels of ASCII domains are not looked into since 2025"
	case res.Failure == OpaqueBase && strings.Contains(ref, "#"):
		return "ada lets any reference with a fragment pass against an opaque path"
	case res.Failure == DomainInvalid && strings.Contains(percentDecoded(base+ref), "א"):
		return "ada does not check the Bidi rule"
	case res.Failure == DomainInvalid && strings.Contains(node, "xn--"):
		return "ada lets a label pass that Punycode decodes to ASCII"
	case len(got) == len(node)+1 && strings.Count(got, "/") == strings.Count(node, "/")+1 && !strings.HasPrefix(got, "http"):
		return "ada drops the slash of .. in an empty path"
	case strings.Replace(got, "?", "", 1) == node && strings.Contains(base, "?"):
		return "ada drops the empty query of a base"
	case strings.HasPrefix(base, "file:") && len(node) > 10 && isDrive([]byte(node[8:10])):
		return "ada takes any first segment that begins like a drive letter for one"
	}
	return ""
}

func percentDecoded(s string) string { return ascii.UnescapeAll(s) }
