package warc

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/testing/scantest"
)

// heading returns the results for h: the references, and the bytes at their reported places.
func heading(t *testing.T, h *HTTP, src []byte) (list []string) {
	t.Helper()
	last := 0
	for it := range h.References() {
		if it.Op != scan.Ref || it.Kind != scan.Header && !strings.HasPrefix(it.In, "Report") || it.How != scan.Field || it.Span.Start < last || it.Span.End < it.Span.Start || it.Span.End > h.Body {
			t.Fatalf("%q: %+v", src, it)
		}
		last = it.Span.Start
		raw := string(src[it.Span.Start:it.Span.End])
		s := it.In + " " + string(it.Value)
		if raw != string(it.Value) && !strings.Contains(raw, "\n") && strings.ReplaceAll(raw, `\/`, "/") != string(it.Value) {
			t.Errorf("%q: %q is at %q", src, it.Value, raw)
		}
		for _, more := range []string{it.Extra().Rel, it.Extra().Hreflang, it.Type, it.Text} {
			s += "|" + more
		}
		list = append(list, strings.TrimRight(s, "|"))
	}
	return list
}

func TestHTTP(t *testing.T) {
	for _, tt := range []struct {
		name, fields string
		want         []string
	}{
		{"Location", "Location: http://h/a b\r\n", []string{"Location http://h/a b"}},
		{"empty", "Location:\r\nLink:\r\nRefresh: \r\nContent-Location:  \r\n", nil},
		{"case", "LOCATION:/x\r\ncontent-location: y\r\n", []string{"Location /x", "Content-Location y"}},
		{"several", "Location: a\r\nLocation: b\r\n", []string{"Location a", "Location b"}},
		{"LF", "Location: a\nX: y\n", []string{"Location a"}},
		{"folded", "Location: http://h/\r\n  a\r\nX: y\r\n z\r\n", []string{"Location http://h/a"}},
		{"blank in front of the colon", "Location : a\r\n", []string{"Location a"}},
		{"others", "Locations: a\r\nX-Location: b\r\nBase: c\r\nContent-Base: d\r\nReferer: e\r\n", nil},

		{"source maps", "SourceMap: a.map\r\nX-SourceMap: /b.map\r\n", []string{"SourceMap a.map", "SourceMap /b.map"}},
		{"reports", `Report-To: {"group":"g","max_age":1,"endpoints":[{"url":"https:\/\/r/a"},{"url":"/b","priority":1}]}, {"endpoints":[{"url":"c"}],"url":"no"}` + "\r\n",
			[]string{`Report-To https://r/a`, "Report-To /b", "Report-To c"}},
		{"endpoints", `Reporting-Endpoints: a="https://r/a?x,y", b="/b"; q="c"; r="s", d = "e", f=g, h="` + "\r\nLocation: i\r\n", []string{"Reporting-Endpoints https://r/a?x,y", "Reporting-Endpoints /b", "Location i"}},

		{"Link", "Link: <a>; rel=next\r\n", []string{"Link a|next"}},
		{"links", "Link: <a>; rel=\"next prev\"; hreflang=de, < b > ;rel=x;type=\"t/u\" , <c>,,\r\n", []string{"Link a|next prev|de", "Link b|x||t/u", "Link c"}},
		{"quoted", `Link: <a>; title="x, <y>; \"z\""; rel="a;b", <b>` + "\r\n", []string{`Link a|a;b|||x, <y>; "z"`, "Link b"}},
		{"first of several", "Link: <a>; rel=1; REL=2\r\n", []string{"Link a|1"}},
		{"no value", "Link: <a>; crossorigin; rel = x ; y=, <b>\r\n", []string{"Link a|x", "Link b"}},
		{"no brackets", "Link: a; rel=next, b, <c>; rel=next\r\n", []string{"Link c|next"}},
		{"not closed", "Link: <a>, <b\r\n", []string{"Link a"}},
		{"quote not closed", "Link: <a>; rel=\"x, <b>\r\n", []string{"Link a|x, <b>"}},
		{"empty", "Link: <>; rel=x, <b>\r\n", []string{"Link b"}},
		{"junk behind", "Link: <a> x y; rel=z, <b>\r\n", []string{"Link a", "Link b"}},
		{"commas in it", "Link: <a,b;c>; rel=x\r\n", []string{"Link a,b;c|x"}},
		{"folded links", "Link: <a>;\r\n rel=x,\r\n\t<b>\r\n", []string{"Link a|x", "Link b"}},

		{"Refresh", "Refresh: 0; url=a\r\nRefresh: 5;URL='b'\r\nRefresh:0.5 , url = \"c\" x\r\nRefresh: 1;d\r\nRefresh: 7\r\nRefresh: ;e\r\nRefresh: x\r\nRefresh: 1; urlx\r\nRefresh: 1;url='f\r\n",
			[]string{"Refresh a", "Refresh b", "Refresh c", "Refresh d", "Refresh e", "Refresh urlx", "Refresh f"}},
	} {
		var h HTTP
		h.Details = true
		src := []byte("HTTP/1.1 200 OK\r\n" + tt.fields + "\r\n<body>")
		if !h.Parse(src) {
			t.Fatal(tt.name)
		}
		if got := heading(t, &h, src); !slices.Equal(got, tt.want) || len(tt.want) > 0 && !h.Refers() {
			t.Errorf("%s: %q\n got %q\nwant %q", tt.name, src, got, tt.want)
		}
		if got := string(src[h.Body:]); got != "<body>" {
			t.Errorf("%s: body %q", tt.name, got)
		}
		h.Details = false
		for it := range h.References() {
			if it.Extra().Rel != "" || it.Text != "" {
				t.Errorf("%s: %+v", tt.name, it)
			}
		}
		n := 0
		for range h.References() {
			if n++; n == 1 {
				break
			}
		}
	}
}

func TestHeading(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"all", "HTTP/1.1 200 OK\r\nContent-Type: a/b; c=d\r\ntransfer-encoding: gzip, chunked\r\nContent-Encoding: br , identity,gzip;x\r\nContent-Encoding: zstd\r\n\r\nbody", "a/b; c=d [gzip chunked] [br gzip zstd] body"},
		{"first type", "HTTP/1.1 200 OK\nContent-Type: a/b\nContent-Type: c/d\n\nbody", "a/b [] [] body"},
		{"no status", "HTTP/1.0\nX: y\n\nbody", " [] [] body"},
		{"CR CR LF", "HTTP/1.0 302 \r\r\nContent-Type: a/b\r\r\n\r\r\nbody", "a/b [] [] body"},
		{"no body", "HTTP/1.0 200 OK\r\nContent-Type: a/b\r\n\r\n", "a/b [] [] "},
		{"no blank line", "HTTP/1.0 200 OK\r\nContent-Type: a/b\r\n<html>", "a/b [] [] <html>"},
		{"cut off", "HTTP/1.0 200 OK\r\nContent-Type: a/b", "a/b [] [] "},
		{"no field", "HTTP/1.0 200 OK\r\nno field\r\nContent-Type: a/b\r\n\r\nbody", "a/b [] [] body"},
		{"interim", "HTTP/1.1 100 Continue\r\nContent-Type: x/y\r\nContent-Encoding: br\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: a/b\r\n\r\nbody", "a/b [] [] body"},
		{"interim only", "HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\nbody", " [] [] body"},
		{"lower case", "http/1.1 200 OK\r\n\r\nbody", " [] [] body"},
		{"many codings", "HTTP/1.1 200 OK\r\nContent-Encoding:" + strings.Repeat(" a,", 20) + "\r\n\r\nbody", " [] [" + strings.TrimSpace(strings.Repeat("a ", 16)) + "] body"},
	} {
		var h HTTP
		if !h.Parse([]byte(tt.src)) {
			t.Errorf("%s: none", tt.name)
		}
		if got := fmt.Sprintf("%s %s %s %s", h.ContentType, h.Transfer, h.Content, tt.src[h.Body:]); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
	for _, src := range []string{"", "HTTP", "<html>", "\nHTTP/1.1 200 OK\n\n", "HTTPS/1"} {
		var h HTTP
		if h.Parse([]byte(src)) || h.Body != 0 || h.Refers() {
			t.Errorf("%q is a heading: %+v", src, h)
		}
	}
}

func TestUnchunk(t *testing.T) {
	const wrong = "invalid chunks: the rest of the body is read without decoding"
	for _, tt := range []struct{ src, want, note string }{
		{"3\r\none\r\n0\r\n\r\n", "one", ""},
		{"3\r\none\r\n003 \r\ntwo\r\n0\r\nX: y\r\n\r\nmore", "onetwo", ""},
		{"A;x=y\r\n0123456789\r\n0;z\r\n\r\n", "0123456789", ""},
		{"a\n0123456789\n0\n\n", "0123456789", ""},
		{"3\r\none\r\n", "one", ""},
		{"3\r\none", "one", ""},
		{"3\r\none\r\n3\r\ntw", "onetw", "the body ends within a chunk"},
		{"ffffffffffffffffffff\r\none", "one", "the body ends within a chunk"},
		{"8000000000000000\r\none", "one", "the body ends within a chunk"},
		{"3\r\none\r\nx\r\ntwo", "onex\r\ntwo", wrong},
		{"3\r\none\r\n3\r\ntwo!\r\n0\r\n\r\n", "one3\r\ntwo!\r\n0\r\n\r\n", wrong},
		{"0\r\n\r\n", "", ""},
		{"\r\n", "!", ""},
		{"", "!", ""},
		{"<html>", "!", ""},
		{"abc def\r\n", "!", ""},
		{"face\r\n", "", "the body ends within a chunk"},
		{"3\r\nonemore", "!", "invalid chunks: the body is read without decoding"},
		{"3;" + strings.Repeat("x", maxChunkLine) + "\r\none\r\n", "!", ""},
	} {
		var m scan.Map
		text, note, ok := Unchunk([]byte("+")[:0], &m, []byte(tt.src))
		got := string(text)
		if !ok {
			got = "!"
		} else if m.Len() != len(text) {
			t.Errorf("%q: %d bytes lead back, of %d", tt.src, m.Len(), len(text))
		}
		if got != tt.want || note != tt.note {
			t.Errorf("%q: %q, %q, want %q, %q", tt.src, got, note, tt.want, tt.note)
		}
		for i := range text {
			if s, exact := m.Back(scan.Span{Start: i, End: i + 1}); ok && (!exact || tt.src[s.Start:s.End] != string(text[i:i+1])) {
				t.Errorf("%q: byte %d leads back to %v", tt.src, i, s)
			}
		}
	}
}

// coded returns src encoded with a coding.
func coded(coding, src string) string {
	var b bytes.Buffer
	switch coding {
	case "gzip":
		w := gzip.NewWriter(&b)
		w.Write([]byte(src))
		w.Close()
	case "deflate":
		w, _ := flate.NewWriter(&b, 9)
		w.Write([]byte(src))
		w.Close()
	case "zlib":
		w := zlib.NewWriter(&b)
		w.Write([]byte(src))
		w.Close()
	case "br":
		return scantest.Brotli(src)
	case "zstd":
		w, _ := zstd.NewWriter(&b)
		w.Write([]byte(src))
		w.Close()
	}
	return b.String()
}

const page = "<!DOCTYPE html>\n<a href=\"../x\">a page</a> with <a href=y>links</a>, and <b>some text</b> to be compressed.\n"

func TestDecode(t *testing.T) {
	large := strings.Repeat(page, 1000)
	var d Decoder
	for _, c := range []struct{ in, name string }{{"gzip", "gzip"}, {"gzip", "X-GZIP"}, {"zlib", "deflate"}, {"deflate", "Deflate"}, {"br", "br"}, {"zstd", "zstd"}} {
		for _, src := range []string{page, large, "x", "", page} {
			in := coded(c.in, src)
			text, note, ok := d.Decode([]byte("in front"), []byte(in), []byte(c.name), 1<<20)
			if string(text) != "in front"+src || note != "" || !ok {
				t.Errorf("%s of %d bytes: %d, %q, %v", c.name, len(src), len(text), note, ok)
			}
			if len(src) < 100 {
				continue
			}
			// Truncated, damaged, or too large input gives as much as possible.
			text, note, ok = d.Decode(nil, []byte(in[:len(in)-9]), []byte(c.name), 1<<20)
			if !strings.HasPrefix(src, string(text)) || !ok || !strings.Contains(note, "that is damaged") {
				t.Errorf("%s, cut off: %d of %d, %q, %v", c.name, len(text), len(src), note, ok)
			}
			text, note, ok = d.Decode(nil, []byte(in), []byte(c.name), 100)
			if string(text) != src[:100] || !ok || note != "a body that decodes to more than 100 bytes: cut there" {
				t.Errorf("%s, too large: %d of %d, %q, %v", c.name, len(text), len(src), note, ok)
			}
			text, note, ok = d.Decode(nil, []byte(in), []byte(c.name), len(src))
			if string(text) != src || !ok || note != "" {
				t.Errorf("%s, not too large: %d of %d, %q, %v", c.name, len(text), len(src), note, ok)
			}
			// Input that is already decoded stays as it is.
			for _, plain := range []string{src, "<?xml version='1.0'?>\n" + src, " ", "{\"a\": 1}\n", "x\n", ".x", "far", "&amp; so on", "\ufeff" + src} {
				if text, note, ok := d.Decode(nil, []byte(plain), []byte(c.name), 1<<20); ok || text != nil || note != "" {
					t.Errorf("%s of %.20q: %q, %q, %v", c.name, plain, text, note, ok)
				}
			}
		}
	}
	in := coded("gzip", page)
	if text, note, ok := d.Decode(nil, []byte(in+in), []byte("gzip"), 1<<20); string(text) != page+page || note != "" || !ok {
		t.Errorf("two members: %q, %q, %v", text, note, ok)
	}
	if text, note, ok := d.Decode(nil, []byte(in+"more than a header"), []byte("gzip"), 1<<20); string(text) != page || note != "" || !ok {
		t.Errorf("something behind: %q, %q, %v", text, note, ok)
	}
	if text, note, ok := d.Decode(nil, []byte(in), []byte("compress"), 1<<20); text != nil || ok || note != `unknown content encoding "compress": the body is read without decoding` {
		t.Errorf("unknown: %q, %q, %v", text, note, ok)
	}
}

// A decompression bomb is read up to the limit, in as much memory.
func TestBombs(t *testing.T) {
	zeros := strings.Repeat("\x00", 8<<20)
	var d Decoder
	for _, c := range []string{"gzip", "deflate", "br", "zstd"} {
		in := []byte(coded(c, zeros))
		text, note, ok := d.Decode(nil, in, []byte(c), 1<<20)
		if len(text) != 1<<20 || cap(text) > 4<<20 || !ok || note != "a body that decodes to more than 1048576 bytes: cut there" {
			t.Errorf("%s, %d bytes: %d, %q, %v", c, len(in), len(text), note, ok)
		}
	}
}

var hostileHTTP = []scantest.Shape{
	{"HTTP/1.1 200 OK\r\n", "X: y\r\n", "\r\n"},
	{"HTTP/1.1 200 OK\r\n", "Link: <a>\r\n", "\r\n"},
	{"HTTP/1.1 200 OK\r\nLink: ", "<a>,", "\r\n\r\n"},
	{"HTTP/1.1 200 OK\r\nLink: ", "<", "\r\n\r\n"},
	{"HTTP/1.1 200 OK\r\nLink: ", "a", "\r\n\r\n"},
	{"HTTP/1.1 200 OK\r\nLink: <a>", ";x=\"", "\r\n\r\n"},
	{"HTTP/1.1 200 OK\r\nLink: <a>", ";", "\r\n\r\n"},
	{"HTTP/1.1 200 OK\r\nLink: ", "<a>;title=\"\\\"\\\"\",", "\r\n\r\n"},
	{"HTTP/1.1 200 OK\r\nLink: <a>;title=\"", "\\", "\r\n\r\n"},
	{"HTTP/1.1 200 OK\r\nLocation: a", "\r\n b", "\r\n\r\n"},
	{"HTTP/1.1 200 OK\r\n", "Refresh: 0;url='a\r\n", "\r\n"},
	{"HTTP/1.1 200 OK\r\n", "Content-Encoding: gzip,br\r\n", "\r\n"},
	{"", "HTTP/1.1 100 Continue\r\n\r\n", ""},
	{"", "1\r\nx\r\n", ""},
	{"", "1;", "\r\n"},
	{"", "0", "\r\nx"},
	{"", "f", "\r\nx"},
	{"1\r\nx\r\n", "1\r\nxx", ""},
	{"", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", ""},
	{"", coded("gzip", "x"), ""},
	{"", coded("zstd", "x"), ""},
	{"", "{\"Links\":[{\"url\":\"a\",\"path\":\"A@/href\"}]},", ""},
	{"{\"HTML-Metadata\":{\"Links\":[", "{\"url\":\"a\",\"path\":\"A@/href\"},", "]}}"},
	{"", "[{", ""},
	{"", "\"\\", ""},
	{"", "\\\"", ""},
	{"", "\"http://h/", ""},
	{"\"", "\\\\", ""},
	{"{", "\"Base\":", ""},
}

// payload reads src in every way that it may be read.
func payload(d *Decoder, src []byte) (total int) {
	var h HTTP
	h.Details = true
	h.Parse(src)
	for it := range h.References() {
		total += len(it.Value)
	}
	var m scan.Map
	text, _, ok := Unchunk(nil, &m, src)
	if ok && len(text) > len(src) {
		panic("chunks are longer than what they stand in")
	}
	for _, c := range []string{"gzip", "deflate", "br", "zstd", "x"} {
		text, _, _ := d.Decode(nil, src, []byte(c), 1<<16)
		if len(text) > 1<<16 {
			panic("more than the limit")
		}
	}
	for it := range WAT(src) {
		total += len(it.Value)
	}
	for it := range AbsoluteURLs(src) {
		total += len(it.Value)
	}
	return total
}

func TestHTTPLinear(t *testing.T) {
	var d Decoder
	scantest.Shapes(t, hostileHTTP, 128<<10, func(src []byte) { payload(&d, src) })
}

// Any bytes are a payload: references are at their reported places, and no more is decoded than is
// asked for.
func FuzzHTTP(f *testing.F) {
	for _, s := range hostileHTTP {
		f.Add(s.Text(100))
	}
	for _, c := range []string{"gzip", "deflate", "zlib", "br", "zstd"} {
		f.Add([]byte(coded(c, page)))
	}
	f.Add([]byte(wat))
	f.Add([]byte("HTTP/1.1 200 OK\r\nLink: <a>; rel=\"x\", <b>\r\nRefresh: 0; url='c'\r\nLocation: d\r\n e\r\n\r\n3\r\none\r\n0\r\n\r\n"))
	var d Decoder
	f.Fuzz(func(t *testing.T, src []byte) {
		payload(&d, src)
		var h HTTP
		h.Details = true
		if h.Parse(src); h.Body < 0 || h.Body > len(src) {
			t.Fatal(h.Body)
		}
		heading(t, &h, src)
		for _, items := range []func(func(*scan.Item) bool){WAT(src), AbsoluteURLs(src)} {
			n := 0
			for it := range items {
				if it.Span.Start < 0 || it.Span.End < it.Span.Start || it.Span.End > len(src) {
					t.Fatalf("%+v", it)
				}
				if n++; n == 3 {
					break
				}
			}
		}
	})
}

// wat has the order of fields, and the escapes, that Common Crawl uses.
const wat = `{"Container":{"Filename":"x.warc.gz"},"Envelope":{"Payload-Metadata":{"HTTP-Response-Metadata":{"Headers":{"Location":"/moved","Content-Location":"l","Server":"http://x/"},` +
	`"HTML-Metadata":{"Links":[{"path":"A@/href","url":"a\/b","text":"\"text\""},{"url":"i.png","path":"IMG@/src"},{"path":"FORM@/action","url":"f","method":"get"},{"path":"Q@/cite","url":"q"},{"path":"A@/href"}],` +
	`"Head":{"Link":[{"path":"LINK@/href","url":"s.css","rel":"stylesheet"}],"Scripts":[{"path":"SCRIPT@/src","url":"\u0073.js"}],"Metas":[{"content":"http://m/","url":"n"}],"Base":"http://base/"}}}},` +
	`"WARC-Header-Metadata":{"WARC-Target-URI":"http://h/"}}}`

func TestWAT(t *testing.T) {
	want := []string{
		"base base/href http://base/", "header Location /moved", "header Content-Location l",
		"link a/href a/b", "embed img/src i.png", "form form/action f", "cite q/cite q", "link link/href s.css", "embed script/src s.js",
	}
	var got []string
	for it := range WAT([]byte(wat)) {
		kind := it.Kind.String()
		if it.Op == scan.Base {
			kind = "base"
		}
		got = append(got, fmt.Sprintf("%s %s %s", kind, it.In, it.Value))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	for _, src := range []string{"", "x", "{", `{"Base":"x"}`, `{"Links":{"url":"x"}}`, `["Links"]`, `{"Links":[[{"url":"x"}]]}`, `{"Links":[{"url":"x"`, `}}{"Links`} {
		for it := range WAT([]byte(src)) {
			t.Errorf("%q: %+v", src, it)
		}
	}
}

func TestAbsoluteURLs(t *testing.T) {
	const src = `{"a":"http://h/1","http://key/":2,"b":["https:\/\/h\/2","ftp://h/3 4","/5","x:6","mailto:a@b","://7"," http://h/8","http://h/\u0039"],"c":"see http://h/10"}`
	var got []string
	for it := range AbsoluteURLs([]byte(src)) {
		if it.Labels != scan.Speculative || it.How != scan.JSON {
			t.Errorf("%+v", it)
		}
		got = append(got, string(it.Value))
	}
	if want := []string{"http://h/1", "https://h/2", "http://h/9"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
