package resolve

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// showParts writes parts as tables have them.
func showParts(parts []Part) string {
	var list []string
	for _, p := range parts {
		s := p.Name + "=" + string(p.Value)
		if octets, ok := p.Decoded(); ok {
			s += "→" + string(octets)
		}
		list = append(list, s)
	}
	return strings.Join(list, " | ")
}

// generic returns how many of the parts are those of the generic syntax.
func generic(parts []Part) int {
	for i, p := range parts {
		switch p.Name {
		case "scheme", "authority", "user", "password", "host", "port", "path", "params", "query", "fragment":
		default:
			return i
		}
	}
	return len(parts)
}

func TestSchemesTable(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range scantest.Records(t, testdata+"/schemes.tsv") {
		url := []byte(r["url"])
		parts := Rules{}.Parts(nil, url)
		if got := showParts(parts[generic(parts):]); got != r["parts"] {
			t.Errorf("%s: %q: parts %s, want %s", r["section"], url, got, r["parts"])
		}
		got := ""
		if o, valid := RFC3986.Check(url); !valid {
			got = o.String()
		}
		if got != r["offence"] {
			t.Errorf("%s: %q: offence %q, want %q", r["section"], url, got, r["offence"])
		}
		s, _ := SchemeOf(string(Parse(url).Scheme))
		seen[s.Name] = true
	}
	for _, s := range Schemes() {
		if !seen[s.Name] {
			t.Errorf("no row for %s", s.Name)
		}
	}
}

func TestGenericParts(t *testing.T) {
	for _, tt := range []struct{ sec, rules, url, want string }{
		{"RFC 3986 3.2", "rfc3986", "foo://u:p:w@h:8042/over/there?name=ferret#nose",
			"scheme=foo | authority=u:p:w@h:8042 | user=u | password=p:w | host=h | port=8042 | path=/over/there | query=name=ferret | fragment=nose"},
		{"RFC 3986 3", "rfc3986", "foo:", "scheme=foo | path="},
		{"draft 5.2", "rfc3986", "foo://:@:?#", "scheme=foo | authority=:@: | user= | password= | host= | port= | path= | query= | fragment="},
		{"RFC 3986 3.2.2", "rfc3986", "foo://[::1]", "scheme=foo | authority=[::1] | host=[::1] | path="},
		{"RFC 3986 3.2.2", "rfc3986", "foo://a@[::1]:1", "scheme=foo | authority=a@[::1]:1 | user=a | host=[::1] | port=1 | path="},
		{"RFC 3986 4.2", "rfc3986", "//a@b@h/x", "authority=a@b@h | user=a@b | host=h | path=/x"},
		{"RFC 3986 4.2", "rfc3986", "12:30", "path=12:30"},
		{"draft 3", "draft", "3com:x", "scheme=3com | path=x"},
		{"RFC 1808 2.4.5", "rfc1808", "ftp://h/a;type=d", "scheme=ftp | authority=h | host=h | path=/a | params=type=d | name=a | typecode=d"},
		{"RFC 1808 2.4.3", "rfc1808", "foo://h?x/y", "scheme=foo | authority=h?x | host=h?x | path=/y"},
	} {
		if got := showParts(parseRules(t, tt.rules).Parts(nil, []byte(tt.url))); got != tt.want {
			t.Errorf("%s: %s: %q: %s, want %s", tt.sec, tt.rules, tt.url, got, tt.want)
		}
	}
	if parts := (Rules{}).Parts([]Part{{Name: "mine"}}, []byte("x")); len(parts) != 2 || parts[0].Name != "mine" {
		t.Errorf("Parts does not append: %v", parts)
	}
}

func TestSchemeOf(t *testing.T) {
	for _, tt := range []struct {
		sec, name, want string
		port            int
	}{
		{"RFC 1738 2.1", "HTTP", "http", 80},
		{"RFC 1738 4", "X-Mine", "x-", 0},
		{"RFC 1738 4", "x-", "x-", 0},
		{"RFC 1738 4", "x-of-more-than-sixteen-letters", "x-", 0},
		{"RFC 2056 2", "Z39.50s", "z39.50s", 210},
		{"draft 5", "unknown", "", 0},
		{"draft 5", "x", "", 0},
		{"draft 5", "", "", 0},
		{"draft 5", "httphttphttphttphttp", "", 0},
	} {
		if s, ok := SchemeOf(tt.name); s.Name != tt.want || s.Port != tt.port || ok != (tt.want != "") {
			t.Errorf("%s: %q: %+v %v", tt.sec, tt.name, s, ok)
		}
	}
	if n := testing.AllocsPerRun(10, func() { SchemeOf("HTTP"); SchemeOf("x-mine"); SchemeOf("unknown") }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	for i, s := range Schemes() {
		for _, other := range Schemes()[:i] {
			if s.Name == other.Name {
				t.Errorf("%s twice", s.Name)
			}
		}
		if s.Section == "" || s.Host.String() == "" || s.Port > 0 && s.Host == HostNone {
			t.Errorf("%+v", s)
		}
	}
	Schemes()[0].Name = "changed"
	if Schemes()[0].Name != "ftp" {
		t.Error("Schemes gives its own table away")
	}
}

// TestSchemeRules compares with what the documents say of each scheme.
func TestSchemeRules(t *testing.T) {
	// What the table says in other words, or of more than one scheme.
	elsewhere := map[string]string{
		"afs": "the authority of a reserved name is unknown", "mailserver": "likewise",
		"z39.50": "the row is that of z39.50r and z39.50s too", "x-*": "likewise of any",
		"data": "one row for several", "javascript": `"//" begins a comment in a program`, "vbscript": "likewise a path",
		"news": "RFC 5538 puts a server there", "snews": "likewise; the port is that of nntps",
		"x": "a name of no scheme",
	}
	rows := 0
	for _, r := range scantest.Records(t, testdata+"/scheme-rules.tsv") {
		names := strings.FieldsFunc(r["scheme"], func(r rune) bool { return r == ',' || r == ' ' || r == '/' })
		ports := strings.Split(r["default_port"], " / ")
		for i, name := range names {
			rows++
			s, ok := SchemeOf(name)
			if !ok {
				t.Errorf("%s is unknown", name)
				continue
			}
			if elsewhere[name] != "" {
				continue
			}
			if want := ports[min(i, len(ports)-1)]; want == "-" && s.Port != 0 || want != "-" && want != itoa(s.Port) {
				t.Errorf("%s: port %d, the table says %s", name, s.Port, want)
			}
			var want Host
			switch a := r["authority"]; {
			case strings.HasPrefix(a, "required"):
				want = HostRequired
			case strings.HasPrefix(a, "none"):
				want = HostNone
			case strings.Contains(a, "may be empty"):
				want = HostMayBeEmpty
			}
			if s.Host != want {
				t.Errorf("%s: host %v, the table says %q", name, s.Host, r["authority"])
			}
			if strings.Contains(r["authority"], "no userinfo") && s.User {
				t.Errorf("%s: a user, the table says %q", name, r["authority"])
			}
		}
	}
	if rows < 23 {
		t.Errorf("%d rows", rows)
	}
}

func itoa(n int) string {
	var b []byte
	for ; n > 0; n /= 10 {
		b = append([]byte{byte('0' + n%10)}, b...)
	}
	return string(b)
}

// recompose makes a URL of its parts: the generic ones, and for the forms that lose
// nothing, what the scheme's own make of path and query.
func recompose(scheme string, parts []Part) (url, rest string, lossless bool) {
	n := generic(parts)
	var b, authority strings.Builder
	var whole, user string
	for _, p := range parts[:n] {
		v := string(p.Value)
		switch p.Name {
		case "scheme":
			b.WriteString(v + ":")
		case "authority":
			b.WriteString("//" + v)
			whole = v
		case "user":
			authority.WriteString(v)
			user = "@"
		case "password":
			authority.WriteString(":" + v)
		case "host":
			authority.WriteString(user + v)
		case "port":
			authority.WriteString(":" + v)
		case "path":
			b.WriteString(v)
		case "query":
			b.WriteString("?" + v)
		case "fragment":
			b.WriteString("#" + v)
		}
	}
	if whole != authority.String() {
		return "authority " + authority.String(), "", false
	}
	var r strings.Builder
	for i, p := range parts[n:] {
		v := string(p.Value)
		first := i == 0 || parts[n+i-1].Name != p.Name
		switch p.Name {
		case "directories":
			r.WriteString("/" + v)
		case "name", "gophertype", "database", "object", "wtype", "wpath", "drive":
			r.WriteString("/" + v)
		case "typecode":
			r.WriteString(";type=" + v)
		case "search":
			if scheme == "wais" {
				r.WriteString("?" + v)
			} else {
				r.WriteString("%09" + v)
			}
		case "gopher_plus":
			r.WriteString("%09" + v)
		case "article":
			if i > 0 {
				r.WriteString("/")
			}
			r.WriteString(v)
		case "group":
			if scheme == "nntp" {
				r.WriteString("/")
			}
			r.WriteString(v)
		case "content_id":
			if i > 0 {
				r.WriteString("/")
			}
			r.WriteString(v)
		case "fields":
			switch {
			case scheme == "prospero":
				r.WriteString(";" + v)
			case first:
				r.WriteString("?" + v)
			default:
				r.WriteString("&" + v)
			}
		case "addresses":
			if !first {
				r.WriteString(",")
			}
			r.WriteString(v)
		case "parameters":
			r.WriteString(";" + v)
		case "encoding":
			r.WriteString(";" + v)
		case "data":
			r.WriteString("," + v)
		case "nss":
			r.WriteString(":" + v)
		case "r_component":
			r.WriteString("?+" + v)
		case "q_component":
			r.WriteString("?=" + v)
		case "host_class":
		default: // selector, all, message_id, number, mediatype, nid
			r.WriteString(v)
		}
	}
	return b.String(), r.String(), len(parts) > n
}

func FuzzParts(f *testing.F) {
	for _, r := range scantest.Records(f, testdata+"/schemes.tsv") {
		f.Add(r["url"])
	}
	f.Add("ftp://h/;type=;TYPE=a")
	f.Fuzz(func(t *testing.T, url string) {
		in := []byte(url)
		parts := Rules{}.Parts(nil, in)
		c := Parse(in)
		s, _ := SchemeOf(string(c.Scheme))
		got, rest, lossless := recompose(s.Name, parts)
		if got != url {
			t.Fatalf("%q: %s make %q", url, showParts(parts), got)
		}
		for _, p := range parts {
			if !bytes.Contains(in, p.Value) && p.Name != "host_class" {
				t.Fatalf("%q: %s %q is not written there", url, p.Name, p.Value)
			}
			if octets, ok := p.Decoded(); ok && bytes.ContainsFunc(octets, func(r rune) bool { return r < ' ' || r == 0x7f }) {
				t.Fatalf("%q: %s is decoded to %q", url, p.Name, octets)
			}
		}
		want := string(c.Path)
		if c.HasQuery {
			want += "?" + string(c.Query)
		}
		switch s.Name {
		case "ftp", "nntp", "file": // the query is no part of the form
			want = string(c.Path)
		case "wais":
			if strings.Count(string(c.Path), "/") > 1 {
				want = string(c.Path)
			}
		case "urn": // "?" in front of nothing else begins no component
			if c.HasQuery && !bytes.HasPrefix(c.Query, []byte("+")) && !bytes.HasPrefix(c.Query, []byte("=")) {
				want = string(c.Path)
			}
		case "gopher":
			lossless = lossless && parts[generic(parts)].Name == "gophertype"
		case "news", "snews":
			if c.HasAuthority {
				want = strings.TrimPrefix(want, "/")
			}
		}
		switch {
		case !lossless, s.Name == "ftp" && strings.Contains(strings.ToLower(want), ";type="):
		case strings.HasSuffix(want, "?"), strings.HasSuffix(want, ";"), s.Name == "mailto" && c.HasQuery && len(c.Query) == 0:
		case s.Name == "file" && (len(want) == 0 || want[0] != '/' || strings.HasSuffix(want, ":") || strings.HasSuffix(want, "|")):
		case s.Name != "" && rest != want:
			t.Fatalf("%q: %s make %q, not %q", url, showParts(parts), rest, want)
		}
	})
}

func TestPartsDoesNotAllocate(t *testing.T) {
	dst := make([]Part, 0, 64)
	for _, r := range scantest.Records(t, testdata+"/schemes.tsv") {
		url := []byte(r["url"])
		if n := testing.AllocsPerRun(10, func() { dst = Rules{}.Parts(dst[:0], url) }); n > 0 && !strings.HasPrefix(r["url"], "file:") {
			t.Errorf("%q: %v allocations", url, n)
		}
	}
}

func BenchmarkParts(b *testing.B) {
	var size int64
	var urls [][]byte
	for _, r := range scantest.Records(b, testdata+"/schemes.tsv") {
		urls = append(urls, []byte(r["url"]))
		size += int64(len(r["url"]))
	}
	dst := make([]Part, 0, 64)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, url := range urls {
			dst = Rules{}.Parts(dst[:0], url)
		}
	}
}

// The ports are those of IANA's registry of services.
func TestPorts(t *testing.T) {
	const want = "acap 674 afp 548 amqp 5672 amqps 5671 coap 5683 coaps 5684 dict 2628 finger 79 ftp 21 gemini 1965 git 9418 gopher 70 " +
		"http 80 https 443 imap 143 imaps 993 ipp 631 ipps 631 irc 6667 ircs 6697 ldap 389 ldaps 636 mqtt 1883 mqtts 8883 msrp 2855 " +
		"msrps 2855 nfs 2049 nntp 119 pop 110 prospero 1525 redis 6379 rsync 873 rtsp 554 rtsps 322 sftp 22 sieve 4190 smb 445 snews 563 " +
		"snmp 161 ssh 22 svn 3690 telnet 23 tftp 69 tn3270 23 vnc 5900 wais 210 ws 80 wss 443 z39.50r 210 z39.50s 210"
	fields := strings.Fields(want)
	for i := 0; i < len(fields); i += 2 {
		s, ok := SchemeOf(fields[i])
		if got := strconv.Itoa(s.Port); !ok || got != fields[i+1] {
			t.Errorf("%s: port %s, want %s", fields[i], got, fields[i+1])
		}
	}
	for _, name := range []string{"mailto", "news", "file", "urn", "data", "about"} {
		if s, _ := SchemeOf(name); s.Port != 0 {
			t.Errorf("%s: port %d", name, s.Port)
		}
	}
}
