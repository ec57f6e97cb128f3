package xml

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// The input is a sitemap of 50,000 URLs, the maximum for one sitemap.
func sitemapOf(n int) []byte {
	var b bytes.Buffer
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
	for i := range n {
		fmt.Fprintf(&b, "  <url>\n    <loc>https://www.example.org/catalogue/%d/item-%d.html</loc>\n    <lastmod>2024-05-%02dT10:00:00+00:00</lastmod>\n    <changefreq>weekly</changefreq>\n    <priority>0.8</priority>\n  </url>\n", i%100, i, i%28+1)
	}
	b.WriteString("</urlset>\n")
	return b.Bytes()
}

func feedOf(n int) []byte {
	var b bytes.Buffer
	b.WriteString(`<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>x</title><link>https://example.org/</link>` + "\n")
	words := strings.Repeat("Rain in the morning, later sun and clouds. ", 20)
	for i := range n {
		fmt.Fprintf(&b, "\t<item>\n\t\t<title>Item %d</title>\n\t\t<link>https://example.org/%d/?a=1&amp;b=2</link>\n\t\t<dc:creator><![CDATA[A. Writer]]></dc:creator>\n\t\t<guid isPermaLink=\"false\">https://example.org/?p=%d</guid>\n"+
			"\t\t<description><![CDATA[%s]]></description>\n\t\t<content:encoded><![CDATA[<p>%s <a href=\"/x\">x</a></p>]]></content:encoded>\n\t\t<media:thumbnail url=\"https://example.org/%d.jpg\" width=\"1\" />\n\t</item>\n", i, i, i, words[:200], words, i)
	}
	b.WriteString("</channel></rss>\n")
	return b.Bytes()
}

func genericOf(n int) []byte {
	var b bytes.Buffer
	b.WriteString("<project xmlns=\"http://example.org/project\">\n")
	for i := range n {
		fmt.Fprintf(&b, "  <dependency id=\"d%d\" scope=\"test\" optional=\"false\">\n    <groupId>org.example.group%d</groupId>\n    <artifactId>artifact</artifactId>\n    <see href=\"docs/%d.html\"/>\n    <note>Text of some words that has nothing in it to be found; time 12:30 &amp; more.</note>\n  </dependency>\n", i, i%7, i)
	}
	b.WriteString("</project>\n")
	return b.Bytes()
}

func Benchmark(b *testing.B) {
	for _, bb := range []struct {
		name string
		src  []byte
		refs int
	}{
		{"sitemap", sitemapOf(50000), 50000},
		{"rss", feedOf(2000), 1 + 5*2000},
		{"generic", genericOf(10000), 10000},
	} {
		b.Run(bb.name, func(b *testing.B) {
			s := new(Scanner)
			b.SetBytes(int64(len(bb.src)))
			b.ReportAllocs()
			for b.Loop() {
				n := 0
				for range s.Scan(bb.src) {
					n++
				}
				if n != bb.refs {
					b.Fatalf("%d items, want %d", n, bb.refs)
				}
			}
		})
	}
}
