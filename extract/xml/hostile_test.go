package xml

import (
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// hostile holds shapes that might make the scanner read its input again and again.
var hostile = []scantest.Shape{
	{"", "<a ", ""}, {"<a", " b='c'", ">"}, {"<a", " href='c'", ">"}, {"<a", " x:href='c'", "/>"}, {"<a ", "b ", ""}, {"<a b", "=", ">"}, {"<a ", "'", ">"}, {"<a b", "='", ">"},
	{"", "<a href=\"", ""}, {"", "<a href='x", ""}, {"", "<a href=\"'\">", ""}, {"", "<a b=\"c' ", ""}, {"", "<", ""}, {"", "</", ""}, {"", "<!", ""}, {"", "<?", ""}, {"", "</a ", ""}, {"", "<a/", ""}, {"", "<a/>", ""},
	{"", "<a>", ""}, {"", "<a></b>", ""}, {"", "</a>", ""}, {"", "<a><b></a>", ""}, {"", "<a:b>", ""}, {"", ":", ""}, {"<", "a", ""}, {"<", "a:", ">"},
	{"", "<!--", ""}, {"", "<!---->", ""}, {"<!--", "-", ""}, {"", "<![CDATA[", ""}, {"", "<![CDATA[]]>", ""}, {"<![CDATA[", "]", ""}, {"", "<?x ?>", ""}, {"", "<?xml-stylesheet href='x'?>", ""}, {"", "<?xml-stylesheet ", ""},
	{"<rss><link>", "<!--", ""}, {"<rss><link>", "<![CDATA[x]]>", "</link>"}, {"<rss><link>", "<![CDATA[x]]> ", "</link>"}, {"<rss><link>", "<?", "</link>"}, {"<rss><link>", "< ", "</link>"}, {"<rss><link>", "&amp;", "</link>"},
	{"<rss>", "<link>", ""}, {"<rss>", "<link>x</link>", ""}, {"<rss>", "<description>&lt;", ""}, {"<rss>", "<description>x</description>", ""}, {"<feed>", "<content type='xhtml'><div>", ""}, {"<feed>", "<content type='xhtml'><div></content>", ""},
	{"<feed><content type='xhtml'>", "<div>", ""}, {"<feed><content type='xhtml'>", "<div/>", ""}, {"<feed><content type='xhtml'><div>", "</p>", ""}, {"<feed><content type='xhtml'><div>", "<![CDATA[", ""}, {"<feed><content type='xhtml'><div>", "<?", ""},
	{"", "<svg xmlns='http://www.w3.org/2000/svg'>", ""}, {"", "<x xmlns='http://www.w3.org/1999/xhtml'/>", ""},
	{"", "<x xmlns:a='b'>", ""}, {"<x", " xmlns:a='b'", ">"}, {"", "<x xmlns:a='b' c:d='e'/>", ""}, {"<x", " xmlns:xlink='http://www.w3.org/1999/xlink'", "><y xlink:href='z'/>"},
	{"", "<x xml:base='y/'>", ""}, {"", "<x xml:base='y/'/>", ""}, {"", "<x xml:base=''>", ""}, {"<x", " xml:base='y'", ">"}, {"", "<x xml:base='y/'><z href='a'/>", ""},
	{"", "<!DOCTYPE ", ""}, {"", "<!DOCTYPE a [", ""}, {"<!DOCTYPE a [", "]", ""}, {"<!DOCTYPE a [", "<!ENTITY ", ""}, {"<!DOCTYPE a [", "<!ENTITY b 'c'>", "]>"}, {"<!DOCTYPE a [", "<!X \"", ""}, {"<!DOCTYPE a [", "<!X '", ""}, {"<!DOCTYPE a [", "<?", ""}, {"<!DOCTYPE a [", "<!--", ""}, {"<!DOCTYPE a ", "'b'", ">"}, {"<!DOCTYPE ", "\"", ""},
	{"<!DOCTYPE a [", "<!ENTITY b SYSTEM 'c'>", "]>"}, {"<!DOCTYPE a [<!ENTITY b 'ccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc'>]><x href='", "&b;", "'>"},
	{"<!DOCTYPE a [<!ENTITY b 'http://c/d'>]>", "<x>&b;</x>", ""}, {"<!DOCTYPE a [<!ENTITY b0 'x'>", "<!ENTITY b1 '&b0;&b0;&b0;'>", "]>"}, {"<!DOCTYPE a [<!ENTITY b '", "&", "'>]>"}, {"<!DOCTYPE a [<!ENTITY ", "b ", "'c'>]>"},
	{"<a href='", "&amp;", "'>"}, {"<a href='", "&", "'>"}, {"<a href='", "&#", "'>"}, {"<a href='&#", "0", "'>"}, {"<a href='&", "a", "'>"}, {"<a href='", "\n", "x'>"}, {"<a href='", "x\r\n", "'>"}, {"<a xsi:schemaLocation='", "x ", "'>"},
	{"<x>", "&amp;http://", ""}, {"<x>", "http://a ", ""}, {"", "<x>http://a</x>", ""}, {"", "<x y='http://a'/>", ""}, {"<x>", "&#58;", ""}, {"", "<xsl:stylesheet a='{'>", ""},
}

func TestHostile(t *testing.T) {
	for _, s := range []*Scanner{new(Scanner), {Details: true}} {
		scantest.Shapes(t, hostile, 128<<10, func(src []byte) {
			for range s.Scan(src) {
			}
		})
	}
}

// TestShapes limits the CPU time and memory for every shape.
func TestShapes(t *testing.T) {
	scantest.Table(t, scantest.Inputs(hostile...), 1<<20, func(src []byte) {
		for range new(Scanner).Scan(src) {
		}
	})
}
