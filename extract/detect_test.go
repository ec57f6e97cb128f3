package extract

import (
	"fmt"
	"strings"
	"testing"
)

// facts returns what is known of the record or page of each reference of a crawl.
func facts(t *testing.T, src string) (list []string) {
	t.Helper()
	cfg := Config{Type: warcType, Records: true, Detect: true, Charsets: true, Robots: true}
	for ref, err := range cfg.Walk("x.warc", strings.NewReader(src)) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, fmt.Sprintf("%s %s %s %v", ref.URL, ref.Record().Detected, ref.Charset(), ref.Robots().Names()))
	}
	return list
}

// Types, charsets and restrictions of decoded bodies. What a page restricts counts for its heading, too.
func TestRecordFacts(t *testing.T) {
	const page = "<link href=s><meta name=robots content=nofollow><a href=x>\xe9"
	const link = "Link: <l>\n"
	for _, tt := range []struct {
		name, src string
		want      []string
	}{
		{"plain", response(isHTML, page), []string{"http://h/d/s text/html windows-1252 [nofollow]", "http://h/d/x text/html windows-1252 [nofollow]"}},
		{"heading", response(link+"X-Robots-Tag: noarchive\nContent-Type: text/html;charset=koi8-r\n", "<a href=x>"),
			[]string{"http://h/d/l text/html  [noarchive]", "http://h/d/x text/html koi8-r [noarchive]"}},
		{"encoded", response(isHTML+link+"Transfer-Encoding: chunked\nContent-Encoding: gzip\n", chunks(30, packed("gzip", page))),
			[]string{"http://h/d/l text/html  [nofollow]", "http://h/d/s text/html windows-1252 [nofollow]", "http://h/d/x text/html windows-1252 [nofollow]"}},
		{"zstd", response(isHTML+"Content-Encoding: gzip, zstd\n", packed("zstd", packed("gzip", page+strings.Repeat("abc ", 50000)))),
			[]string{"http://h/d/s text/html windows-1252 [nofollow]", "http://h/d/x text/html windows-1252 [nofollow]"}},
		{"an image", response(link+isHTML, "\x89PNG\r\n\x1a\n\x00\x00\x00\x00\x00\x00"), []string{"http://h/d/l image/png  []"}},
		{"an encoded image", response(link+"Content-Type: image/png\nContent-Encoding: br\n", packed("br", "\xff\xd8\xff\x00\x00\x00\x00\x00\x00")), []string{"http://h/d/l image/jpeg  []"}},
		{"nothing", response(link+isHTML, ""), []string{"http://h/d/l   []"}},
		{"resource", resource("text/plain", "http://h/1"), []string{"http://h/1 text/plain utf-8 []"}},
	} {
		if got := facts(t, tt.src); strings.Join(got, "\n") != strings.Join(tt.want, "\n") {
			t.Errorf("%s:\n got %q\nwant %q", tt.name, got, tt.want)
		}
	}
}

// A body that was encoded more often than its header says is decoded as often, up to a limit.
func TestEncodedAgain(t *testing.T) {
	const page = "<a href=x>"
	const sitemap = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>http://h/1</loc></url></urlset>"
	again := func(n int, s string) string {
		for range n {
			s = packed("gzip", s)
		}
		return s
	}
	const once = isHTML + "Content-Encoding: gzip\n"
	for _, tt := range []struct {
		name, src string
		want      []string
	}{
		{"once", response(once, again(1, page)), []string{"1 http://h/d/x*"}},
		{"twice, as declared", response(isHTML+"Content-Encoding: gzip, gzip\n", again(2, page)), []string{"1 http://h/d/x*"}},
		{"twice, in two fields", response(once+"Content-Encoding: gzip\n", again(2, page)), []string{"1 http://h/d/x*"}},
		{"declared twice, done once", response(isHTML+"Content-Encoding: gzip, gzip\n", again(1, page)), []string{"1 http://h/d/x*"}},
		{"twice", response(once, again(2, page)), []string{"1 http://h/d/x*"}},
		{"twice, of no type", response("Content-Encoding: gzip\n", again(2, "<html>"+page)), []string{"1 http://h/d/x*"}},
		{"zstd in brotli", response(isHTML+"Content-Encoding: br\n", packed("br", packed("zstd", page))), []string{"1 http://h/d/x*"}},
		{"not declared", response(isHTML, again(1, page)), []string{"1 http://h/d/x*"}},
		{"an image", response("Content-Type: image/png\nContent-Encoding: gzip\n", again(2, page)), []string{"1 skipped"}},
		{"not declared, twice", response(isHTML, again(2, page)), []string{"1 http://h/d/x*"}},
		{"a file", response("Content-Type: application/octet-stream\n", again(1, page)), []string{"1 skipped"}},
		{"a sitemap that has been decoded", response("Content-Type: application/gzip\nContent-Encoding: gzip\n", again(1, sitemap)), []string{"1 http://h/1*"}},
		{"a sitemap that the crawler has decoded", response("Content-Type: application/gzip\n", sitemap), []string{"1 http://h/1"}},
		{"a sitemap declared as its contents", response("Content-Type: text/xml\n", again(1, sitemap)), []string{"1 http://h/1*"}},
		{"a sitemap of no type", strings.Replace(response("", again(1, sitemap)), "http://h/d/", "http://h/s.xml.gz", 1), []string{"1 http://h/1*"}},
		{"four times", response(once, again(4, page)), []string{"1 http://h/d/x*"}},
		{"five times", response(once, again(5, page)), []string{"202: encoded more than 4 times: not read"}},
		{"damaged inside", response(once, again(1, again(1, "z z z")[:22])), []string{"202: a body in gzip that is damaged: read as far as that"}},
	} {
		got, err := crawlWalk(t, new(Config), strings.NewReader(tt.src), tt.src)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Join(got, "\n") != strings.Join(tt.want, "\n") {
			t.Errorf("%s:\n got %q\nwant %q", tt.name, got, tt.want)
		}
	}
}
