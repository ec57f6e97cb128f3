package robots

import (
	"strings"
	"testing"

	"example.org/refract/extract/internal/warc"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/testing/scantest"
)

func TestPageRobots(t *testing.T) {
	for _, tt := range []struct{ page, want string }{
		{"<meta name=robots content='noindex,nofollow'>", "noindex nofollow"},
		{"<META CONTENT=' NoIndex , NOARCHIVE' NAME='Robots'/>", "noindex noarchive"},
		{"<meta name=robots content=none>", "noindex nofollow"},
		{"<meta name=robots content='index, follow, all'>", ""},
		{"<meta name=robots content='max-snippet:-1, noindex nosnippet;noai'>", "noindex nosnippet noai"},
		{"<meta name=robots content='unavailable_after: 25 Jun 2010 15:00:00 PST'>", ""},
		{"<meta name=robots content=noindex><p><meta name=robots content=nofollow>", "noindex nofollow"},
		{"<meta name=robots name=x content=noindex content=nofollow>", "noindex"},
		{"<meta name=googlebot content=noindex><meta name=robots2 content=noindex>", ""},
		{"<noscript><meta name=robots content=noindex></noscript>", "noindex"},
		{"<!-- <meta name=robots content=noindex> -->", ""},
		{"<script>'<meta name=robots content=noindex>'</script><meta name=robots content=nofollow>", "nofollow"},
		{"<title></x<meta name=robots content=noindex></TITLE ><meta name=robots content=nofollow>", "nofollow"},
		{"<a title='<meta name=robots content=noindex>'>", ""},
		{"<style><meta name=robots content=noindex>", ""},
		{"<meta name=robots content='noindex", ""},
		{"<meta http-equiv=robots content=noindex>", ""},
		{"<\x00m\x00e\x00t\x00a\x00 \x00n\x00a\x00m\x00e\x00=\x00r\x00o\x00b\x00o\x00t\x00s\x00 \x00c\x00o\x00n\x00t\x00e\x00n\x00t\x00=\x00n\x00o\x00n\x00e\x00>\x00", "noindex nofollow"},
	} {
		if got := names(OfPage([]byte(tt.page))); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.page, got, tt.want)
		}
	}
}

func TestHeaderRobots(t *testing.T) {
	for _, tt := range []struct{ fields, want string }{
		{"X-Robots-Tag: noindex", "noindex"},
		{"x-robots-tag: None\r\nX-Robots-Tag:noarchive", "noindex nofollow noarchive"},
		{"X-Robots-Tag: googlebot: nofollow\r\nX-Robots-Tag: otherbot: noindex, nofollow", ""},
		{"X-Robots-Tag: noindex, googlebot: nofollow, noarchive", "noindex"},
		{"X-Robots-Tag: *: noindex", "noindex"},
		{"X-Robots-Tag: googlebot: noindex, *: nofollow", "nofollow"},
		{"X-Robots-Tag: unavailable_after: 25 Jun 2010 15:00:00 PST, nosnippet", "nosnippet"},
		{"X-Robots-Tag: max-snippet:10, googlebot: noindex", ""},
		{"Robots: noindex", ""},
	} {
		var h warc.HTTP
		h.Parse([]byte("HTTP/1.1 200 OK\r\n" + tt.fields + "\r\n\r\n"))
		if got := names(OfHeading(h.Fields("X-Robots-Tag"))); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.fields, got, tt.want)
		}
	}
}

func TestRobotsLinear(t *testing.T) {
	scantest.Shapes(t, []scantest.Shape{
		{"robots", "<", ""}, {"robots", "<a", ""}, {"robots", "<a ", ""}, {"robots", "<a b='", ""}, {"robots", "<!--", ""}, {"robots", "<script>", ""},
		{"robots<script>", "</", ""}, {"robots", "</script", ""}, {"<meta name=robots content='", "none,", "'>"}, {"robots", "<meta name=robots ", ""},
		{"robots<meta ", "name=robots ", ">"}, {"robots", "<!", ">"},
	}, 128<<10, func(src []byte) { OfPage(src) })
}

func names(r Rules) string {
	var list []string
	for i, name := range Names {
		if r>>i&1 != 0 {
			list = append(list, name)
		}
	}
	return strings.Join(list, " ")
}

func TestText(t *testing.T) {
	const src = "# http://h.example/doc\nUser-agent: *\r\nDisallow: /a # /no\r\nDISALLOW:/b?c\nAllow : /d\nDisallow:\nDisallow: /*.x$\nDisallow: e\nSitemap: http://h.example/s.xml\nsitemap:/t.xml\nHost: http://h.example\nx"
	const want = "text http://h.example/doc, metadata /a, metadata /b?c, metadata /d, link http://h.example/s.xml, link /t.xml, text http://h.example"
	var got []string
	for it := range (&TextScanner{Paths: true}).Scan([]byte(src)) {
		if string(it.Value) != src[it.Span.Start:it.Span.End] {
			t.Errorf("%s: %v", it.Value, it.Span)
		}
		got = append(got, it.Kind.String()+" "+string(it.Value))
	}
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("got %s\nwant %s", s, want)
	}
	for it := range new(TextScanner).Scan([]byte(src)) {
		if it.Kind == scan.Metadata {
			t.Errorf("without Paths: %s", it.Value)
		}
	}
	for n := range len(got) {
		for range (&TextScanner{Paths: true}).Scan([]byte(src)) {
			if n--; n < 0 {
				break
			}
		}
	}
}

func TestIsText(t *testing.T) {
	for name, want := range map[string]bool{"robots.txt": true, "http://h/robots.txt?x": true, "a/robots.txt": true, "robot.txt": false, "robots.txt/x": false} {
		if got := IsText(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestTextLinear(t *testing.T) {
	scantest.Shapes(t, []scantest.Shape{{"", "Disallow: /a\n", ""}, {"Disallow: ", "/", ""}, {"", ":", ""}, {"", "\n", ""}, {"Allow: /", " ", "x"}, {"", "http://h.example/ ", ""}, {"", "x\nhttp://h.example\n", ""}}, 128<<10, func(src []byte) {
		for range new(TextScanner).Scan(src) {
		}
	})
}
