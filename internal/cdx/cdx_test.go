package cdx

import (
	"fmt"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/testing/scantest"
)

// found returns the items of src, and checks their places.
func found(t *testing.T, src string) string {
	var list []string
	for it := range LayoutOf([]byte(src)).Scan([]byte(src)) {
		if it.Op == scan.Note {
			list = append(list, fmt.Sprintf("%d: %s", it.Span.Start, it.Text))
			continue
		}
		written := src[it.Span.Start:it.Span.End]
		if !strings.Contains(written, `\`) && written != string(it.Value) || strings.Contains(written, "\n") {
			t.Errorf("%q stands at %q", it.Value, written)
		}
		list = append(list, it.In+" "+string(it.Value))
	}
	return strings.Join(list, "\n")
}

// The forms are those of the CDX file format of the Internet Archive (2003 and 2006), of pywb, of OpenWayback CDXJ 1.0, of
// Common Crawl's index, and of WACZ 1.2.0 (5.2.3 and 5.3).
func TestScan(t *testing.T) {
	const other = "not a line of an index: not read"
	for _, tt := range []struct {
		name, src, want string
		is              bool
	}{
		{"11 columns", " CDX N b a m s k r M S V g\nh)/ 20140103030321 http://h/?a=1 text/html 200 B2LT - - 1043 333 e.warc.gz\n", "cdx/a http://h/?a=1", true},
		{"9 columns", " CDX N b a m s k r V g\r\nh)/ 20140103030321 http://h/ text/html 200 B2LT - 333 e.arc\r\n", "cdx/a http://h/", true},
		{"another order", " CDX A b e a m s c k r V v D d g M n\nh/ 20020120142510 1.2.3.4 http://h/x text/html 200 c k - 1 2 3 4 g - 5\n", "cdx/a http://h/x", true},
		{"divided by tabs", "\tCDX\ta\tb\nhttp://h/a b\t2014\n", "cdx/a http://h/a b", true},
		{"no header", "h)/ 20140103030321 http://h/ text/html 200 B2LT - - 1043 333 e.warc.gz", "cdx/a http://h/", true},
		{"of an index server", "h)/ 20140103030321 http://h/ text/html 200 B2LT 1043\n", "cdx/a http://h/", true},
		{"no URLs", " CDX N b h m s k r V g\nh)/ 2014 h text/html 200 B2LT - 333 e.arc\n", "0: an index without the column of URLs (a): not read", true},
		{"two files in one", " CDX a b\nhttp://h/1 2014\n CDX b a\n2014 http://h/2\n", "cdx/a http://h/1\ncdx/a http://h/2", true},
		{"a blank in the URL", " CDX N b a m\nh)/ 2014 http://h/a b text/html\nh)/ 2014 http://h/c text/html\n", "13: " + other + "\ncdx/a http://h/c", true},
		{"too few columns", " CDX N b a m\nh)/ 2014 http://h/a\n", "13: " + other, true},
		{"an unknown URL", " CDX a b\n- 2014\nh/x 2014\n", "16: a line of an index whose URL is not absolute: not read", true},
		{"about the crawler", " CDX a b\ndns:h 2014\nfiledesc:x 2014\nmetadata://gnu.org/x 2014\nwarcinfo:/x 2014\nurn:X-wpull:log 2014\nurn:isbn:1 2014\n", "cdx/a urn:isbn:1", true},
		{"CDXJ", `h)/ 20140103030321 {"url": "http://h/?a=1", "mime": "text/html"}` + "\n", "cdxj/url http://h/?a=1", true},
		{"CDXJ of OpenWayback", "!OpenWayback-CDXJ 1.0\n@a {\"url\": \"http://x/\"}\n(h,)/ 20140103030321 {\"url\":\"http://h/\"}", "cdxj/url http://h/", true},
		{"CDXJ of pywb, packed", "!meta 0 {\"format\": \"cdxj-gzip-1.0\"}\nh)/ 2020 {\"url\": \"http://h/\"}", "cdxj/url http://h/", true},
		{"CDXJ by keys that are no SURT", `h/x 2014 {"url": "http://h/x"}`, "cdxj/url http://h/x", true},
		{"escapes", `h)/ 2014 {"u\"rl": "x", "url": "http:\/\/h\/\u0026\"", "url": "http://second/"}`, "cdxj/url http://h/&\"", true},
		{"a URL that is not the member", `h)/ 2014 {"a": {"url": "http://x/"}, "b": ["url", "http://y/"], "url": "http://h/"}`, "cdxj/url http://h/", true},
		{"no URL", `h)/ 2014 {"offset": 0, "url": {"url": "x"}}`, "", true},
		{"JSON that does not end", `h)/ 2014 {"url": "http://h/"` + "\n" + `h)/ 2014 {"url": "http://h/`, "0: " + other + "\n29: " + other, true},
		{"JSON and more", `h)/ 2014 {"url": "http://h/"} h)/ 2014 {"url": "http://h/2"}`, "0: " + other, true},
		{"pages", `{"format": "json-pages-1.0", "id": "pages"}` + "\n" + `{"id": "1", "url": "http://h/", "text": "http://no/"}` + "\n", "pages/url http://h/", true},
		{"CDX and CDXJ", " CDX N b a\nh)/ 2014 http://h/1\nh)/ 2014 {\"url\": \"http://h/2\"}", "cdx/a http://h/1\ncdxj/url http://h/2", true},
		{"blank lines", "\n\r\nh)/ 2014 {\"url\": \"http://h/2\"}\n\n", "cdxj/url http://h/2", true},

		{"text", "see http://h/ and so on", "0: " + other, false},
		{"a log", "h - - 20140103030321 GET http://h/ 200\n", "", false},
		{"CDX is a name", " CDX is a format\n", "0: " + other, false},
		{"JSON lines", `{"url": "http://h/"}`, "pages/url http://h/", false},
		{"ChemDraw", "VjCD0100\x04\x03\x02\x01\x00\x00", "0: " + other, false},
		{"nothing", "", "", false},
	} {
		if got := found(t, tt.src); got != tt.want {
			t.Errorf("%s:\n got %q\nwant %q", tt.name, got, tt.want)
		}
		if is := Is([]byte(tt.src)); is != tt.is {
			t.Errorf("%s: Is: %v", tt.name, is)
		}
	}
	for src := range strings.SplitSeq("http://h/ 1 2 3 4 5 6 7|a 1 http://h/ 3 4 5 6| CDX| CDX a|\tCDX N", "|") {
		Is([]byte(src))
		found(t, src)
	}
}

var hostile = []scantest.Shape{
	{"", "\n", ""}, {"", " ", ""}, {"", " CDX a b\n", ""}, {" CDX", " a", "\n"}, {"", "a 2014 {\n", ""}, {"a 2014 ", "{\"a\":", ""}, {"a 2014 {\"", "\\", ""},
	{"a 2014 {\"url\":\"", "\\\"", "\"}"}, {"a 2014 {", "\"url\":\"http://h/\",", "}"}, {"", "!x\n", ""}, {"{", "[", ""}, {"a 2014 ", " ", "{"},
	{"a 2014 {\"url\":\"http://h/", "\\u0061", "\"}"},
}

func TestLinear(t *testing.T) {
	scantest.Shapes(t, hostile, 256<<10, func(src []byte) {
		Is(src[:min(len(src), 4096)])
		for range LayoutOf(src).Scan(src) {
		}
	})
}

// Any bytes are an index: references are in lines, and each line gives one thing at most.
func FuzzScan(f *testing.F) {
	for _, s := range hostile {
		f.Add(string(s.Text(60)))
	}
	f.Add(" CDX N b a m\nh)/ 2014 http://h/a text/html\nh)/ 2014 {\"url\": \"http:\\/\\/h/\"}\n{\"url\":\"x:\"}")
	f.Fuzz(func(t *testing.T, src string) {
		Is([]byte(src))
		n := 1
		if got := found(t, src); got != "" {
			n += strings.Count(src, "\n")
		}
		items := 0
		last := 0
		for it := range LayoutOf([]byte(src)).Scan([]byte(src)) {
			if it.Span.Start < last || it.Span.End < it.Span.Start || it.Span.End > len(src) {
				t.Fatalf("%v", it.Span)
			}
			last = it.Span.End
			if items++; items > n {
				t.Fatalf("%d items in %d lines", items, n)
			}
		}
	})
}

// Of columns with the same letter, the first one counts.
func TestHeaderTwice(t *testing.T) {
	l, ok := header([]byte(" CDX m s b a N m s b a A"))
	if !ok || l.mime != 0 || l.status != 1 || l.date != 2 || l.URL != 3 || l.key != 4 || l.Columns != 10 {
		t.Errorf("%+v %v", l, ok)
	}
}
