package extract

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/testing/scantest"
)

// record returns a WARC record with these fields, lines, and this block.
func record(fields, block string) string {
	return fmt.Sprintf("WARC/1.0\r\n%sContent-Length: %d\r\n\r\n%s\r\n\r\n", strings.ReplaceAll(fields, "\n", "\r\n"), len(block), block)
}

// response returns a record of the response of http://h/d/, with these HTTP fields.
func response(fields, body string) string {
	return record("WARC-Type: response\nWARC-Target-URI: http://h/d/\nContent-Type: application/http; msgtype=response\n",
		"HTTP/1.1 200 OK\r\n"+strings.ReplaceAll(fields, "\n", "\r\n")+"\r\n"+body)
}

// resource returns a resource record with this type of block.
func resource(mediaType, body string) string {
	return record("WARC-Type: resource\nWARC-Target-URI: http://h/d/\nContent-Type: "+mediaType+"\n", body)
}

func arc(url, block string) string {
	return fmt.Sprintf("%s 1.2.3.4 20080430204825 text/html %d\n%s\n", url, len(block), block)
}

func packed(coding, s string) string {
	var b bytes.Buffer
	var w io.WriteCloser
	switch coding {
	case "gzip":
		w = gzip.NewWriter(&b)
	case "br":
		return scantest.Brotli(s)
	case "zstd":
		w, _ = zstd.NewWriter(&b)
	}
	io.WriteString(w, s)
	w.Close()
	return b.String()
}

func chunks(size int, s string) string {
	var b strings.Builder
	for ; len(s) > 0; s = s[min(size, len(s)):] {
		fmt.Fprintf(&b, "%x\r\n%s\r\n", min(size, len(s)), s[:min(size, len(s))])
	}
	return b.String() + "0\r\n\r\n"
}

const isHTML = "Content-Type: text/html\n"

// crawlWalk returns each reference with its part, and unusual properties: "*" after those whose place
// is not exact; the notes; and the number of skipped bodies.
func crawlWalk(t *testing.T, c *Config, r io.Reader, src string) (list []string, err error) {
	t.Helper()
	cfg := *c
	cfg.Lines, cfg.Type = true, warcType
	cfg.Note = func(n *Note) {
		if n.Code != scan.CodeUnreadType { // Batch.Skipped counts these
			list = append(list, fmt.Sprintf("%d: %s", n.Pos.Offset, n.Text))
		}
	}
	skipped := 0
	for b, err := range cfg.Batches("x.warc", r) {
		if err != nil {
			return list, err
		}
		for ref := range b.References() {
			before := src[:ref.Pos.Offset]
			line, column := 1+strings.Count(before, "\n"), len(before)-strings.LastIndexByte(before, '\n')
			if ref.Pos.Line != line || ref.Pos.Column != column {
				t.Errorf("%q of %.300q at %d:%d, want %d:%d", ref.Ref, src, ref.Pos.Line, ref.Pos.Column, line, column)
			}
			if raw := src[ref.Pos.Offset:][:ref.Pos.Length]; ref.Pos.Exact && raw != string(ref.Raw) {
				t.Errorf("%q stands at %q", ref.Raw, raw)
			}
			s := ref.Entity.Path() + " " + string(ref.URL)
			if ref.Err != nil {
				s += ref.Err.Error()
			}
			if !ref.Pos.Exact {
				s += "*"
			}
			if ref.Kind == scan.Header {
				s += " " + ref.In
			}
			list = append(list, s)
		}
		skipped += b.Skipped
	}
	if skipped > 0 {
		list = append(list, fmt.Sprintf("%d skipped", skipped))
	}
	return list, nil
}

func TestCrawl(t *testing.T) {
	const page = "<a href=x>\n<a href=y>\n"
	const heads = "Location: l\nContent-Location: http://h/c/\nLink: <i>; rel=next\n"
	headed := []string{"1 http://h/d/l Location", "1 http://h/c/ Content-Location", "1 http://h/d/i Link"}
	x := []string{"1 http://h/d/x", "1 http://h/d/y"}
	const rest = "more than 400 bytes of a record: the rest is scanned as running text"
	packedX := []string{"1 http://h/d/x*", "1 http://h/d/y*"}
	latin := func(label string) string {
		return response("Content-Type: text/html"+label+"\n", "<a href=/\xe9>")
	}
	tests := []struct {
		name, src string
		want      []string
	}{
		{"empty", "", nil},
		{"response", response(isHTML, page), x},
		{"with fields", response(isHTML+heads, page), slices.Concat(headed, x)},
		{"base", response(isHTML+heads, "<base href=/b/>"+page), slices.Concat(headed, []string{"1 http://h/b/x", "1 http://h/b/y"})},
		{"two", response(isHTML, page) + response(isHTML, page), slices.Concat(x, []string{"2 http://h/d/x", "2 http://h/d/y"})},
		{"srcdoc", response(isHTML, "<iframe srcdoc='<a href=x>'></iframe>"), []string{"1.srcdoc http://h/d/x"}},
		{"bare", record("WARC-Type: response\nWARC-Target-URI: http://h/d/\nContent-Type: application/http; msgtype=response\n", "<html>"+page), x},
		{"bare, of no type", record("WARC-Type: response\nWARC-Target-URI: http://h/d/\n", "<html>"+page), x},
		{"no target", record("WARC-Type: response\n", "<html><a href=x><a href=//h/>"), []string{"1 no base", "1 no base"}},
		{"a target that is no base", record("WARC-Type: resource\nWARC-Target-URI: x/y\nContent-Type: text/html\n", "<a href=x>"),
			[]string{`100: base: WARC-Target-URI "x/y": not absolute`, "1 no base"}},
		{"blanks in the target", record("WARC-Type: resource\nWARC-Target-URI: <http://h/d e/?f g>\nContent-Type: text/html\n", "<a href=x><a href='#z'>"), []string{"1 http://h/d%20e/x", "1 http://h/d%20e/?f%20g#z"}},

		{"resource", resource("text/html; charset=utf-8", page), x},
		{"resource that begins like HTTP", resource("text/plain", "HTTP/1.1 is at http://h/1\n\nhttp://h/2\n"), []string{"1 http://h/1", "1 http://h/2"}},
		{"resource of HTTP", resource("application/http", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"+page), x},
		{"conversion", record("WARC-Type: conversion\nWARC-Target-URI: http://h/d/\nContent-Type: text/plain\n", "see http://h/1, and <a href=x>\n"), []string{"1 http://h/1"}},
		{"revisit", record("WARC-Type: revisit\nWARC-Target-URI: http://h/d/\n", "HTTP/1.1 304 Not Modified\r\nContent-Type: text/html\r\nLocation: l\r\n\r\n"+page), headed[:1]},
		{"revisit of nothing", record("WARC-Type: revisit\nWARC-Target-URI: http://h/d/\n", ""), nil},
		{"request", record("WARC-Type: request\nWARC-Target-URI: http://h/d/\n", "GET / HTTP/1.1\r\nReferer: http://h/1\r\nLocation: l\r\n\r\n"+page), nil},
		{"warcinfo", record("WARC-Type: warcinfo\n", "x: http://h/1\r\n"), nil},
		{"metadata", record("WARC-Type: metadata\nWARC-Target-URI: http://h/d/\nContent-Type: application/warc-fields\n", "outlink: http://h/1 L a/@href\r\n"), nil},
		{"WAT", record("WARC-Type: metadata\nWARC-Target-URI: http://h/d/\nContent-Type: application/json\n", `{"Headers":{"Location":"l"},"HTML-Metadata":{"Links":[{"path":"A@/href","url":"x"},{"url":"a\/b"}],"Head":{"Base":"b/"}}}`),
			[]string{"1 http://h/d/b/l Location", "1 http://h/d/b/x", "1 http://h/d/b/a/b"}},
		{"continuation", record("WARC-Type: continuation\nWARC-Target-URI: http://h/d/\n", page), []string{"87: a record that continues one of another file: not read"}},
		{"unknown", record("WARC-Type: x\nWARC-Target-URI: http://h/d/\n", page), []string{"76: a record of an unknown type: not read"}},
		{"dns", record("WARC-Type: response\nWARC-Target-URI: dns:h\nContent-Type: text/dns\n", "http://h/"), nil},
		{"robots", record("WARC-Type: response\nWARC-Target-URI: http://h/robots.txt\n", "HTTP/1.0 200 OK\r\n\r\nUser-agent: *\nDisallow: /x\nSitemap: http://h/s.xml\nSitemap:http://h/t.xml\n"), []string{"1 http://h/s.xml", "1 http://h/t.xml"}},

		{"ARC", arc("filedesc://x.arc", "1 1 x\nhttp://h/0\n") + arc("http://h/d/", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nLocation: l\r\n\r\n"+page), []string{"2 http://h/d/l Location", "2 http://h/d/x", "2 http://h/d/y"}},
		{"ARC, of HTML only", arc("http://h/d/", page), x},
		{"ARC, a blank in the URL", arc("http://h/d e/", "<a href=x>"), []string{"1 http://h/d%20e/x"}},
		{"ARC, dns", arc("dns:h", "http://h/"), nil},

		// Types.
		{"image", response("Content-Type: image/png\nLink: <i>\n", page), []string{"1 http://h/d/i Link", "1 skipped"}},
		{"not read", response("Content-Type: application/pdf\n", page) + response("Content-Type: text/javascript\n", page) + response("Content-Type: application/json\n", `["http://h/"]`) + response("Content-Type: multipart/x-mixed-replace\n", page) + resource("video/mp4", page), []string{"5 skipped"}},
		{"style sheet", response("Content-Type: text/css\n", "a{background:url(x)}"), x[:1]},
		{"SVG", response("Content-Type: image/svg+xml\n", "<svg><a href='x'/></svg>"), x[:1]},
		{"text", response("Content-Type: text/plain\n", "http://h/1 <a href=x>"), []string{"1 http://h/1"}},
		{"no type", response("", "<!doctype html>"+page), x},
		{"unknown type", response("Content-Type: application/octet-stream\n", "<!doctype html>"+page), x},
		{"nonsense", response("Content-Type: html\n", "<!doctype html>"+page), x},
		{"no type, a comment first", response("", "<!-- saved -->"+page), x},
		{"no type, a title first", response("", "\n<TITLE >x</TITLE>"+page), x},
		{"no type, an element first", response("", page), x},
		{"no type, nearly an element", response("", "<px http://h/1 <a href=x>"), []string{"1 http://h/1"}},
		{"a compressed sitemap", record("WARC-Type: resource\nWARC-Target-URI: http://h/s.xml.gz?a\nContent-Type: application/x-gzip\n", packed("gzip", "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>http://h/1</loc></url></urlset>")), []string{"1 http://h/1*"}},
		{"compressed, who knows what", resource("application/gzip", packed("gzip", "<px"+page)), nil},
		{"no type, text", response("", "http://h/1 <a href=x>"), []string{"1 http://h/1"}},
		{"no type, by the name", record("WARC-Type: resource\nWARC-Target-URI: http://h/d/s.css?v=1\n", "a{background:url(x)}"), x[:1]},
		{"no type, a script", record("WARC-Type: resource\nWARC-Target-URI: http://h/d/s.js\n", "'http://h/1'"), []string{"1 skipped"}},
		{"no type, PDF", response("", "%PDF-1.4\n1 0 obj<</URI(http://h/1)>>"), []string{"1 http://h/1"}},
		{"no type, binary", response("", "\x00\x01\x02\x03 http://h/1"), []string{"1 skipped"}},
		{"an image, said to be HTML", response(isHTML, "GIF89a\x01\x00\x01\x00\x80\x00\x00 <a href=x>"), x[:1]},
		{"one control character", response(isHTML, "<a href=x>\x08"+strings.Repeat(" ", 40)), x[:1]},
		{"a feed, said to be HTML", response(isHTML, "<?xml version='1.0'?><rss><channel><link>x</link></channel></rss>"), x[:1]},
		{"a sitemap, said to be HTML", response(isHTML, "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>x</loc></url></urlset>"), x[:1]},
		{"HTML that begins as XML", response(isHTML, "<?xml version='1.0'?><body><br><a href='x'>"), x[:1]},
		{"XHTML, said to be XML", response("Content-Type: text/xml\n", "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><a href='x'/></html>"), x[:1]},
		{"type in capitals", response("Content-Type: TEXT/HTML;charset=x\n", page), x},
		{"message", resource("message/rfc822", "Content-Base: http://b/\nContent-Type: text/html\n\n<a href=x>"), []string{"1.1 http://b/ Content-Base", "1.1 http://b/x"}},

		// Charsets.
		{"label", latin("; charset=iso-8859-1"), []string{"1 http://h/%C3%A9"}},
		{"quoted label", latin(`; a=b; charset="koi8-r"`), []string{"1 http://h/%D0%98"}},
		{"unknown label", latin("; charset=none"), []string{"1 http://h/%C3%A9"}},
		{"no label", latin(""), []string{"1 http://h/%C3%A9"}},
		{"UTF-16", response(isHTML, "\xff\xfe<\x00a\x00 \x00h\x00r\x00e\x00f\x00=\x00x\x00>\x00"), x[:1]},

		// Codings.
		{"chunked", response(isHTML+"Transfer-Encoding: chunked\n", chunks(7, page)), []string{"1 http://h/d/x", "1 http://h/d/y"}},
		{"chunked, within a reference", response(isHTML+"Transfer-Encoding: chunked\n", chunks(5, "<a href=xyz>")), []string{"1 http://h/d/xyz"}},
		{"chunked, but not so", response(isHTML+"Transfer-Encoding: chunked\n", page), x},
		{"wrong chunks", response(isHTML+"Transfer-Encoding: chunked\n", "3\r\n"+page), []string{"205: invalid chunks: the body is read without decoding", x[0], x[1]}},
		{"gzip", response(isHTML+"Content-Encoding: gzip\n", packed("gzip", page)), packedX},
		{"br", response(isHTML+"Content-Encoding: br\n", packed("br", page)), packedX},
		{"zstd", response(isHTML+"Content-Encoding: zstd\n", packed("zstd", page)), packedX},
		{"several", response(isHTML+"Content-Encoding: br\nContent-Encoding: zstd,gzip\n", packed("gzip", packed("zstd", packed("br", page)))), packedX},
		{"too many", response(isHTML+"Content-Encoding: gzip, gzip, gzip, gzip, gzip\n", packed("gzip", packed("gzip", packed("gzip", packed("gzip", packed("gzip", page)))))),
			[]string{"226: encoded more than 4 times: not read"}},
		{"chunked and gzip", response(isHTML+"Transfer-Encoding: chunked\nContent-Encoding: gzip\n", chunks(10, packed("gzip", page))), packedX},
		{"gzip of transfer", response(isHTML+"Transfer-Encoding: gzip, chunked\n", chunks(10, packed("gzip", page))), packedX},
		{"gzip, but not so", response(isHTML+"Content-Encoding: gzip\nX-Crawler-Content-Encoding: gzip\n", page), x},
		{"br, but not so", response(isHTML+"Content-Encoding: br\n", page), x},
		{"unknown coding", response(isHTML+"Content-Encoding: x\n", page), []string{`198: unknown content encoding "x": the body is read without decoding`, x[0], x[1]}},
		{"gzip, cut off", response(isHTML+"Content-Encoding: gzip\n", packed("gzip", page)[:len(packed("gzip", page))-4]), []string{"202: a body in gzip that is damaged: read as far as that", packedX[0], packedX[1]}},
		{"gzip of an image", response("Content-Encoding: gzip\n", packed("gzip", "GIF89a\x01\x00\x01\x00\x80\x00\x00")), []string{"1 skipped"}},

		// Archives.
		{"in front", "junk\nmore\n" + response(isHTML, page), []string{"0: no record begins here: skipped to the next one", x[0], x[1]}},
		{"between", response(isHTML, page) + "junk\n" + response(isHTML, page), []string{x[0], x[1], fmt.Sprintf("%d: no record begins here: skipped to the next one", len(response(isHTML, page))), "2 http://h/d/x", "2 http://h/d/y"}},
		{"cut off", response(isHTML, page) + response(isHTML, page)[:188], []string{x[0], x[1], fmt.Sprintf("%d: the record of http://h/d/ is incomplete: the archive ends inside it", len(response(isHTML, page))), "2 http://h/d/x"}},
		{"wrong length", strings.Replace(response(isHTML, page), "Content-Length: ", "Content-Length: 1", 1) + response(isHTML, page),
			[]string{"0: the length of the record is wrong: it ends where the next one begins", x[0], x[1], "2 http://h/d/x", "2 http://h/d/y"}},
		{"large", response(isHTML, page+strings.Repeat(" <a href=x>", 50)) + response(isHTML, page),
			slices.Concat(x, slices.Repeat(x[:1], 18), []string{"399: " + rest, "2 http://h/d/x", "2 http://h/d/y"})},
		{"large, and cut off", response(isHTML, page+strings.Repeat(" <a href=x>", 50))[:600],
			slices.Concat(x, slices.Repeat(x[:1], 18), []string{"399: " + rest, "600: a record is incomplete: the archive ends inside it"})},
		{"large, with absolute URLs behind", response(isHTML, strings.Repeat("<a href=x>", 40)+"<a href='http://i/?a=1&amp;b'> http://j/\n</a>") + response(isHTML, page),
			slices.Concat(slices.Repeat(x[:1], 22), []string{"398: " + rest, "1 http://i/?a=1&b", "1 http://j/", "2 http://h/d/x", "2 http://h/d/y"})},
		{"large, a URL where it is cut", response(isHTML, strings.Repeat(" ", 192)+"http://i/"+strings.Repeat("x", 100)+" http://j/ "),
			[]string{"370: " + rest, "1 http://i/" + strings.Repeat("x", 100), "1 http://j/"}},
		{"large, in a charset", response("Content-Type: text/plain; charset=windows-1252\n", strings.Repeat(" ", 200)+"\xe9 http://i/ "),
			[]string{"400: " + rest, "1 http://i/"}},
		{"large, in wide characters", response("Content-Type: text/plain; charset=utf-16le\n", strings.ReplaceAll(strings.Repeat(" ", 200)+"http://i/ ", "", "\x00")[1:]),
			[]string{"0: a record of more than 400 bytes: cut there"}},
		{"large, and no PDF", response("Content-Type: application/pdf\n", strings.Repeat(" http://i/", 40)),
			[]string{"0: a record of more than 400 bytes: cut there", "1 skipped"}},
		{"large, encoded", response(isHTML+"Content-Encoding: x\n", strings.Repeat(" http://i/", 40)),
			[]string{"0: a record of more than 400 bytes: cut there", `199: unknown content encoding "x": the body is read without decoding`}},
		{"large, of a wrong length", strings.Replace(response(isHTML, page+strings.Repeat(" <a href=x>", 50)), "Content-Length: ", "Content-Length: x", 1) + response(isHTML, page),
			slices.Concat([]string{"0: a record of more than 400 bytes: cut there"}, x, slices.Repeat(x[:1], 18), []string{"2 http://h/d/x", "2 http://h/d/y"})},
	}
	for _, tt := range tests {
		for _, window := range []int{0, 1, 20, 100, 1000} {
			c := Config{MaxEntity: 400, window: window}
			got, err := crawlWalk(t, &c, strings.NewReader(tt.src), tt.src)
			if err != nil || !slices.Equal(got, tt.want) {
				t.Errorf("%s, window %d: error %v, got\n%s\nwant\n%s\n%.500q", tt.name, window, err, strings.Join(got, "\n"), strings.Join(tt.want, "\n"), tt.src)
				break
			}
			if window > 1 && !scantest.IsLong() {
				continue
			}
			if got, err := crawlWalk(t, &c, iotest.OneByteReader(strings.NewReader(tt.src)), tt.src); err != nil || !slices.Equal(got, tt.want) {
				t.Errorf("%s, a byte at a time: error %v, got %q", tt.name, err, got)
			}
			if got, err := crawlWalk(t, &c, iotest.DataErrReader(strings.NewReader(tt.src)), tt.src); err != nil || !slices.Equal(got, tt.want) {
				t.Errorf("%s, data with the end: error %v, got %q", tt.name, err, got)
			}
		}
	}
}

// The place of a reference in the input, and in its decoded body.
func TestCrawlPlaces(t *testing.T) {
	const page = "<p>\n <a href=x>\n"
	for _, tt := range []struct{ fields, body, want string }{
		{"", page, "13 x true, 2:10 x"},
		{"Transfer-Encoding: chunked\n", chunks(12, page), "21 x true, 2:10 x"},
		{"Transfer-Encoding: chunked\n", chunks(5, "<p>\n <a href=xyz>"), "26 xy\r\n2\r\nz true, 2:10 xy\r\n2\r\nz"},
		{"Content-Encoding: gzip\n", packed("gzip", page), "0 body false, 2:10 x"},
		{"Transfer-Encoding: chunked\nContent-Encoding: gzip\n", chunks(1000, packed("gzip", page)), "4 body false, 2:10 x"},
	} {
		src := response(isHTML+tt.fields, tt.body)
		for r, err := range (&Config{Type: warcType, Lines: true}).Walk("x", strings.NewReader(src)) {
			if err != nil {
				t.Fatal(err)
			}
			stored := src[r.Pos.Offset:][:r.Pos.Length]
			if stored == packed("gzip", page) {
				stored = "body"
			}
			got := fmt.Sprintf("%d %s %v, %d:%d %s", int(r.Pos.Offset)-strings.Index(src, tt.body), stored, r.Pos.Exact, r.PartLine, r.PartColumn, r.Raw)
			if got != tt.want {
				t.Errorf("%q: got %q, want %q", tt.fields, got, tt.want)
			}
		}
	}
}

// JSON is read on request.
func TestCrawlJSON(t *testing.T) {
	src := response("Content-Type: application/ld+json\n", `{"a":"http:\/\/h\/1","b":"/2"}`) + record("WARC-Type: resource\nWARC-Target-URI: http://h/a.json\n", `["http://h/3"]`)
	got, err := crawlWalk(t, &Config{JSONLD: true}, strings.NewReader(src), src)
	if want := []string{"1 http://h/1", "2 http://h/3"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}

// Everything read before an error has been walked.
func TestCrawlErrors(t *testing.T) {
	broken := errors.New("broken")
	src := strings.Repeat(response(isHTML, "<a href=x>"), 4) + response(isHTML, strings.Repeat("<a href=x>\n", 60))
	for _, window := range []int{0, 1, 100} {
		for end := 0; end < len(src); end += scantest.Amount(31, 7) {
			c := Config{MaxEntity: 400, window: window}
			want, err := crawlWalk(t, &c, strings.NewReader(src[:end]), src)
			if err != nil {
				t.Fatal(err)
			}
			got, err := crawlWalk(t, &c, io.MultiReader(strings.NewReader(src[:end]), iotest.ErrReader(broken)), src)
			if err != broken || !slices.Equal(got, want) {
				t.Fatalf("window %d, after %d bytes: error %v, got\n%q, want\n%q", window, end, err, got, want)
			}
		}
	}
}

// An archive of any size is walked in little memory: records of up to 1 MiB, some in gzip,
// and now and then one that is far too large, or decodes to that.
func TestCrawlMemory(t *testing.T) {
	scantest.Long(t, "200 MB")
	scantest.CollectAsUsual(t)
	text := strings.Repeat("<a href=x>some text, and more of it</a>\n", 1<<20/40)
	block := response(isHTML, text[:2000]) + response(isHTML, text) + response(isHTML+"Content-Encoding: gzip\n", packed("gzip", text)) +
		response("Content-Type: video/mp4\n", strings.Repeat("\x00", 20<<20)) + response(isHTML+"Content-Encoding: gzip\n", packed("gzip", strings.Repeat(" ", 50<<20)))
	runtime.GC()
	runtime.GC()
	var before, m runtime.MemStats
	runtime.ReadMemStats(&before)
	c := Config{Type: warcType, MaxEntity: 4 << 20}
	n, peak := 0, uint64(0)
	for _, err := range c.Walk("x", io.LimitReader(&cycle{block: []byte(block)}, 200<<20)) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n%10_000 == 0 {
			runtime.ReadMemStats(&m)
			peak = max(peak, m.HeapInuse)
		}
	}
	t.Logf("%d references, heap of %d MiB, %d MiB before", n, peak>>20, before.HeapInuse>>20)
	if peak > before.HeapInuse+64<<20 || n < 400_000 {
		t.Errorf("%d references, heap of %d MiB", n, peak>>20)
	}
}

// hostileCrawls are shapes of archives, and of their HTTP headings.
var hostileCrawls = []scantest.Shape{
	{"", record("", ""), ""},
	{"", record("WARC-Type: response\n", "HTTP/1.1 200 OK\r\n\r\n<a href=x>"), ""},
	{"", response(isHTML+"Link: <a>, <b>\n", "<a href=x>"), ""},
	{"", response(isHTML+"Transfer-Encoding: chunked\nContent-Encoding: gzip\n", chunks(1, packed("gzip", "<a href=x>"))), ""},
	{"", strings.Replace(response(isHTML, "<a href=x>"), "Length: ", "Length: 9", 1), ""},
	{"", strings.Replace(response(isHTML, "<a href=x>"), "Length: ", "Length: 99999999999999", 1), ""},
	{"", strings.Replace(response(isHTML, "<a href=x>"), "Length: ", "Length: -", 1), ""},
	{"WARC/1.0\r\n", "X: y\r\n", "\r\n"},
	{"WARC/1.0\r\nWARC-Type: response\r\n\r\nHTTP/1.1 200 OK\r\n", "Link: <a>\r\n", "\r\n"},
	{"WARC/1.0\r\nWARC-Type: response\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n", ""},
	{"WARC/1.0\r\nWARC-Type: response\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8000000000000000\r\n", "x", ""},
	{"WARC/1.0\r\nWARC-Type: response\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", "x", ""},
	{"WARC/1.0\r\nWARC-Type: metadata\r\nContent-Type: application/json\r\n\r\n{\"Links\":[", "{\"url\":\"x\\/\",\"path\":\"A@/href\"},", "]}"},
	{"WARC/1.0\r\n\r\n", "\nWARC/1.0\n", ""},
	{"", "WARC/1.0\r\nX: y\r\n", ""},
	{"WARC/1.0\r\nX: y\r\n", "\x00", ""},
	{"", arc("http://h/", ""), ""},
	{"", "http://h/ 1.2.3.4 20080430204825 text/html 99999\n", ""},
}

func TestCrawlHostile(t *testing.T) {
	scantest.Shapes(t, hostileCrawls, 128<<10, func(src []byte) {
		walkAll(t, &Config{Type: warcType, Lines: true, Details: true}, "x", src)
	})
	scantest.Shapes(t, hostileCrawls, 128<<10, func(src []byte) {
		walkAll(t, &Config{Type: warcType, Lines: true, MaxEntity: 5000, window: 1000}, "x", src)
	})
}

// Nested decompression bombs decode to no more than an entity may have.
func TestCrawlBombs(t *testing.T) {
	for _, coding := range []string{"gzip", "br", "zstd"} {
		bomb := "\v\x10\x80\xcb\xff\xff?\xf8\xa5|\xf0J\x98\xcbJ\x81\x82\xd84\xec\xfd_\xf2\xff\xff\x03\xbf\x04@\x1c\x16\x00\xe8\xde\x7f\x00\x03"
		if coding != "br" { // the same, by brotli's own encoder
			bomb = packed(coding, packed(coding, strings.Repeat("<a href=x>", 1<<20)))
		}
		src := response(isHTML+"Content-Encoding: "+coding+", "+coding+"\n", bomb)
		got, err := crawlWalk(t, &Config{MaxEntity: 1 << 20}, strings.NewReader(src), src)
		limit := min(1<<20, 64<<10+1032*len(bomb))
		want := fmt.Sprintf("%d: a body that decodes to more than %d bytes: cut there", strings.Index(src, bomb), limit)
		if err != nil || len(got) < limit/10 || len(got) > limit/10+2 || got[0] != want {
			t.Errorf("%s: %d bytes, %d lines, %v, %q", coding, len(bomb), len(got), err, got[:min(3, len(got))])
		}
	}
}

// Any bytes are an archive: places are in the input, on the lines that counting gives, and
// neither where windows end nor whether they are walked in advance makes a difference.
func FuzzCrawl(f *testing.F) {
	for _, s := range hostileCrawls {
		f.Add(s.Text(300), 100, 200)
	}
	f.Add([]byte("stray"+response(isHTML+"Location: l\n", "<a href=x>")+record("WARC-Type: conversion\n", "http://h/\n")), 1, 4000)
	f.Add([]byte(response(isHTML+"Transfer-Encoding: chunked\nContent-Encoding: br\n", chunks(9, packed("br", "<a href=x>\n<a href=y>")))), 20, 4000)
	f.Fuzz(func(t *testing.T, src []byte, window, limit int) {
		c := &Config{Type: warcType, Lines: true, JSONLD: true, MaxEntity: int64(limit & 0xfff)}
		want, err := crawlWalk(t, c, bytes.NewReader(src), string(src))
		if err != nil {
			t.Fatal(err)
		}
		c.window = 1 + window&255
		if got, _ := crawlWalk(t, c, bytes.NewReader(src), string(src)); !slices.Equal(got, want) {
			t.Fatalf("window %d: %q, want %q", c.window, got, want)
		}
		in, _ := walk(c, bytes.NewReader(src))
		var advance []string
		for b, err := range c.Batches("x", bytes.NewReader(src)) {
			if err != nil {
				t.Fatal(err)
			}
			for ref := range b.References() {
				advance = append(advance, render(ref))
			}
			if b.redo(b.detach()) {
				t.Fatal("records do not depend on those before")
			}
		}
		if !slices.Equal(advance, in) {
			t.Fatalf("in advance: %q, want %q", advance, in)
		}
	})
}

// The samples are walked without an error in windows of any size, and their relative references have
// a base.
func TestCrawlCorpus(t *testing.T) {
	total, unresolved, notes := 0, 0, make(map[string]int)
	for name, src := range scantest.Files(t, "warc.tar.xz") {
		if bytes.HasPrefix(src, []byte("\x1f\x8b")) {
			z, err := gzip.NewReader(bytes.NewReader(src))
			if err != nil {
				t.Fatal(err)
			}
			src, _ = io.ReadAll(z)
		}
		if mediaType, _ := (&Config{}).detect("x", src[:min(len(src), 4096)]); mediaType != warcType {
			continue
		}
		c := Config{Lines: true}
		want, err := walk(&c, bytes.NewReader(src))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		c.window = 10_000
		if got, err := walk(&c, bytes.NewReader(src)); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %d references in windows, %v, want %d", name, len(got), err, len(want))
		}
		c = Config{Note: func(n *Note) { notes[n.Text]++ }}
		for ref, err := range c.Walk("x", bytes.NewReader(src)) {
			if err != nil {
				t.Fatal(err)
			}
			if total++; ref.Err != nil {
				unresolved++
				t.Logf("%s: %s %q: %v", name, ref.Entity.Path(), ref.Ref, ref.Err)
			}
		}
	}
	t.Logf("%d references, %d unresolved, %v", total, unresolved, notes)
	if total < 100_000 || unresolved > 0 {
		t.Errorf("%d references, %d unresolved", total, unresolved)
	}
}

// crawlOf makes an archive of pages, with one gzip member for each record if asked.
func crawlOf(pages [][]byte, compressed bool) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	for i, page := range pages {
		http := fmt.Sprintf("HTTP/1.1 200 OK\r\nDate: Mon, 06 Mar 2017 04:02:06 GMT\r\nServer: x\r\nContent-Type: text/html\r\nContent-Length: %d\r\nConnection: close\r\n\r\n", len(page))
		one := record(fmt.Sprintf("WARC-Type: response\nWARC-Date: 2017-03-06T04:02:06Z\nWARC-Record-ID: <urn:uuid:a9c51e3e-0221-11e7-bf66-%012d>\nWARC-Target-URI: http://h%d/a/b\nContent-Type: application/http; msgtype=response\n", i, i), http+string(page))
		if !compressed {
			b.WriteString(one)
			continue
		}
		z.Reset(&b)
		io.WriteString(z, one)
		z.Close()
	}
	return b.Bytes()
}

// Pages in an archive are read as fast as on their own.
func BenchmarkCrawl(b *testing.B) {
	pages, size := scantest.Corpus(b, "html.tar.xz", ".html")
	plain, compressed := crawlOf(pages, false), crawlOf(pages, true)
	c := Config{}
	all := func(b *testing.B, name string, r io.Reader) {
		for _, err := range c.Walk(name, r) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	for _, bb := range []struct {
		name string
		walk func(b *testing.B)
	}{
		{"pages", func(b *testing.B) {
			for _, page := range pages {
				all(b, "x.html", bytes.NewReader(page))
			}
		}},
		{"plain", func(b *testing.B) { all(b, "x.warc", bytes.NewReader(plain)) }},
		{"gunzip", func(b *testing.B) {
			z, _ := gzip.NewReader(bytes.NewReader(compressed))
			io.Copy(io.Discard, z)
		}},
		{"gzip", func(b *testing.B) {
			z, _ := gzip.NewReader(bytes.NewReader(compressed))
			all(b, "x.warc", z)
		}},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				bb.walk(b)
			}
		})
	}
}

// References in a record, and in a message in one, have a date.
func TestDate(t *testing.T) {
	http := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nLink: <a>\r\n\r\n<a href=b>"
	crawl := fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2017-03-06T04:02:06Z\r\nWARC-Target-URI: http://h/\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", len(http), http)
	mail := "From: a@b\nDate: Mon, 2 Jun 1997 09:14:01 +0200\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nhttp://h/\n--b--\n"
	for _, x := range []struct {
		name, src, want string
		n               int
	}{{"a.warc", crawl, "2017-03-06T04:02:06Z", 2}, {"a.eml", mail, "1997-06-02T07:14:01Z", 1}, {"a.txt", "http://h/", "0001-01-01T00:00:00Z", 1}} {
		cfg := Config{Cite: true}
		n := 0
		for r, err := range cfg.Walk(x.name, strings.NewReader(x.src)) {
			if err != nil {
				t.Fatal(err)
			}
			n++
			if got := r.Date().Format(time.RFC3339); got != x.want {
				t.Errorf("%s: %s: %s", x.name, r.URL, got)
			}
		}
		if n != x.n {
			t.Errorf("%s: %d references", x.name, n)
		}
	}
}
