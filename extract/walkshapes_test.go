package extract

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"example.org/refract/base"
	"example.org/refract/internal/testing/scantest"
)

// Contents of a message that cost much work, or expand greatly.
var mailShapes = []scantest.Shape{
	{"Subject: ", "=?utf-8?q?x?= ", "\n\nhttp://h/"}, {"Subject:", " =?utf-8?q?x?=\n", "\nhttp://h/"}, {"Subject: ", "=?utf-7?q?+AGEA-?= ", "\n\n"}, {"Subject: ", "=?utf-8?b?aHR0cDovL2gv?= ", "\n\n"}, {"Subject: ", "=?iso-2022-jp?b?GyRC?= ", "\n\n"},
	{"", "X: =?utf-8?q?http=3A//h/?=\n", "\n"}, {"", "List-Help: <http://h/>\n", "\n"}, {"List-Help: ", "<http://h/>,\n ", "\n\n"}, {"List-Help: ", "<http://h\n ", ">\n\n"}, {"Content-Location: ", "x\n ", "\n\n"}, {"Content-Base: http://h/", "x", "\n\n<a href=y>"},
	{"Message-ID: <", "x", ">\n\nhttp://h/"}, {"Date: ", "x", "\n\nhttp://h/ http://i/"}, {"References: ", "<a@b>\n ", "\n\n"}, {"Received: ", "x\n\ty ", "\n\n"}, {"", "a", ": b\n\nhttp://h/"}, {"", "a: http://h/\n", "\n"}, {"", "Content-Type: text/html\n", "\n"},
	{"Content-Type: text/html; ", "a=b; ", "\n\n<a href=x>"}, {"Content-Type: text/html; ", "charset*0=u;", "\n\n"}, {"Content-Type: multipart/mixed; boundary=\"", "b", "\"\n\nx"}, {"Content-Type: multipart/mixed; ", "boundary=b;", "\n\n--b\n\nx"},
	{"Content-Transfer-Encoding: quoted-printable\n\n", "a=41", ""}, {"Content-Transfer-Encoding: quoted-printable\n\n", "=\n", ""}, {"Content-Transfer-Encoding: quoted-printable\n\n", "a=\n", ""}, {"Content-Transfer-Encoding: quoted-printable\n\n", "http://h/=\n", ""}, {"Content-Transfer-Encoding: quoted-printable\n\n", "= \t", ""}, {"Content-Transfer-Encoding: quoted-printable\nContent-Type: text/html\n\n", "<a href=3Dx=\n>", ""},
	{"Content-Transfer-Encoding: base64\n\n", "aHR0cDovL2gv\n", ""}, {"Content-Transfer-Encoding: base64\n\n", "a-", ""}, {"Content-Transfer-Encoding: base64\n\n", "YQ==\n", ""}, {"Content-Transfer-Encoding: base64\n\n", "Y W J\n", ""}, {"Content-Transfer-Encoding: base64\nContent-Type: text/html\n\n", "PGEgaHJlZj14Pg==\n", ""}, {"Content-Transfer-Encoding: base64\n\n", "YQ==\n--\n", ""},
	{"Content-Transfer-Encoding: x-uuencode\n\n", "#86)C\n", ""}, {"\n", "begin 644 a\n#86)C\nend\n", ""}, {"\nbegin 644 a.html\n", "#86)C\n", "end\n"}, {"\n", "begin 644 a.html\n#86)C\n", ""},
	{"Content-Type: text/plain; charset=utf-7\n\n", "+AGEA-", ""}, {"Content-Type: text/plain; charset=utf-7\n\nhttp://h/", "a+AOk-", ""}, {"Content-Type: text/plain; charset=utf-7\n\nhttp://h/", "+", ""}, {"Content-Type: text/html; charset=utf-7\n\n", "+ADw-a href+AD0-x+AD4-", ""}, {"Content-Type: text/plain; charset=iso-2022-jp\n\nhttp://h/ ", "\x1b$B0l\x1b(Ba", ""}, {"Content-Type: text/plain; charset=hz-gb-2312\n\nhttp://h/ ", "~{VP~}a", ""},
	{"Content-Type: text/plain; charset=windows-1252\n\nhttp://h/ ", "a\xe9", ""}, {"Content-Type: text/html; charset=shift_jis\n\n<a href=x>", "a\x83\x41", ""}, {"Content-Type: text/html; charset=utf-16le\n\n", "<\x00a\x00 \x00", ""}, {"Content-Type: text/html; charset=gb18030\n\n<a href=x>", "\x81\x30\x81\x30", ""}, {"\nhttp://h/ ", "a\xff", ""}, {"\n", "http://h/\xe9 ", ""},
	{"Content-Type: text/plain; format=flowed\n\n", "a \n", ""}, {"Content-Type: text/plain; format=flowed; delsp=yes\n\n", "http://h/ \n", ""}, {"Content-Type: text/plain; format=flowed\n\n", "> a \n", ""}, {"Content-Type: text/enriched\n\n", "<bold>", ""}, {"Content-Type: text/enriched\n\n", "a<<", ""}, {"Content-Type: text/calendar\n\n", "a\n ", ""}, {"Content-Type: text/calendar\n\n", "URL:http\\\\://h\n", ""},
	{"Content-Type: multipart/mixed; boundary=b\n\n", "--b\n\nhttp://h/\n", ""}, {"Content-Type: multipart/mixed; boundary=b\n\n", "--b\nContent-Type: text/html\n\n<a href=x>\n", ""}, {"Content-Type: multipart/mixed; boundary=b\n\n", "--b\nContent-Base: http://h/\n\n", ""}, {"Content-Type: multipart/related; boundary=b\n\n", "--b\nContent-ID: <a@b>\n\n", ""}, {"Content-Type: multipart/related; boundary=b\n\n", "--b\nContent-Location: x\nContent-Type: text/html\n\n<a href=x>\n", ""}, {"Content-Type: multipart/digest; boundary=b\n\n", "--b\n\nSubject: x\n\n", ""},
	{"", "Content-Type: message/rfc822\n\n", ""}, {"", "Content-Type: multipart/mixed; boundary=b\n\n--b\n", ""}, {"\n", ">From x\n", ""}, {"\n", "> > > http://h/\n", ""}, {"\n", "<http://h/\n> ", ""}, {"\n", "http://h/ ", ""}, {"Content-Type: text/html\n\n<base href=http://h/>", "<a href=x>", ""}, {"Content-Type: text/html\n\n<base href='http://h/", "x", "'><a href=y>"},
	{"Content-Type: text/markdown\n\n", "[a](", ""}, {"Content-Type: text/markdown\n\n", "[^1]: ", ""}, {"Content-Type: text/css\n\n", "url(a)", ""}, {"Content-Type: application/xml\n\n", "<a href='x'/>", ""},
}

// Notations of text.
var textShapes = []scantest.Shape{
	{"", "http://h/ ", ""}, {"", "http://h/\n", ""}, {"http://h/", "x", ""}, {"", "<http://h/\n", ""}, {"", "<URL:http://h/ x>", ""}, {"", "<URL:a\n> ", ""}, {"", "\"http://h/\n", ""}, {"", "http://h/(", ""}, {"http://h/", "()", ""}, {"", "www.a.b ", ""}, {"", "mailto:a@b ", ""}, {"", "http", ""}, {"", "://", ""}, {"", ":", ""}, {"", "//", ""},
	{"", "\n", ""}, {"", "\r", ""}, {"", " ", ""}, {"", "x", ""}, {"", "\x00", ""}, {"", "\xff", ""}, {"", "é", ""}, {"", "http://é/ ", ""}, {"", "http://h/\xe9\n", ""}, {"", "http://h/%zz ", ""}, {"", "http://h/a b ", ""}, {"", "news:a.b ", ""}, {"", "urn:a:b ", ""}, {"", "tel:123 ", ""}, {"", "file:/a ", ""}, {"", "http://[::1]/ ", ""},
	{"", "\xff\xfeh\x00t\x00t\x00p\x00", ""}, {"\xff\xfe", "a\x00", ""}, {"\xff\xfe", "h\x00:\x00/\x00/\x00", ""}, {"\xfe\xff", "\x00a", ""}, {"\xef\xbb\xbf", "http://h/ ", ""}, {"", "http://h/\x1b[0m", ""}, {"", "> http://h/\n", ""}, {"", "> > <http://h/\n", ""}, {"", "'http://h/' ", ""}, {"", "http://h/, ", ""}, {"", "http://h/...", ""}, {"", "http://h/;http://h/", ""}, {"", "http://h/http://h/", ""},
	{"", "http://h/&gt;", ""}, {"", "http://h/—", ""}, {"", "http://h/[1]", ""}, {"", "*http://h/* ", ""}, {"", "git+https://h/ ", ""}, {"", "httpshttp://h/ ", ""}, {"", "a@b.c ", ""}, {"", "a.org ", ""}, {"", "http://h/-\n", ""}, {"", "http://h/x\ty\n", ""}, {"", "\\/\\/h ", ""}, {"", "http:\\/\\/h\\/ ", ""}, {"", "hxxp://h[.]x ", ""}, {"", "\x1b[31mhttp://h/\x1b[0m ", ""}, {"", "&#104;ttp://h/ ", ""}, {"", "\\u0068ttp://h/ ", ""},
}

// within puts text into a container, as often as it takes.
func within(name string, shapes []scantest.Shape, wrap func(text []byte) []byte) (all []scantest.Input) {
	for _, in := range scantest.Inputs(shapes...) {
		all = append(all,
			scantest.Input{Name: name + ": " + in.Name, Make: func(size int) []byte { return wrap(in.Make(size)) }})
	}
	return all
}

// manyOf repeats a small member of a container.
func manyOf(name string, member []byte) scantest.Input {
	return scantest.Input{Name: name, Make: func(size int) []byte { return bytes.Repeat(member, size/len(member)+1) }}
}

func mboxed(text []byte) []byte {
	return append([]byte("From a@b Mon Jan  1 00:00:00 2024\n"), append(text, "\n\n"...)...)
}

func batched(text []byte) []byte {
	return append(fmt.Appendf(nil, "#! rnews %d\n", len(text)), text...)
}

func recorded(header string, body []byte) []byte {
	http := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + header + "\r\n\r\n"
	return append(fmt.Appendf(nil, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s%s", len(http)+len(body), http, body), "\r\n\r\n"...)
}

// walkEverything walks src with all options that cost time.
func walkEverything(mediaType string) func(src []byte) {
	return func(src []byte) {
		c := Config{Type: mediaType, Cite: true, Details: true, Retrieved: base.Source{URI: "http://h/d/e"}}
		for range c.Walk("x", bytes.NewReader(src)) {
		}
	}
}

// Every shape of what is not scanned by one scanner alone, in CPU time and memory. Those of
// the scanners are in their packages.
func TestShapes(t *testing.T) {
	const size = 1 << 20
	table := func(mediaType string, inputs []scantest.Input) {
		name := strings.ReplaceAll(mediaType, "/", " ")
		t.Run(name, func(t *testing.T) { scantest.Table(t, inputs, size, walkEverything(mediaType)) })
	}
	table(textType, scantest.Inputs(textShapes...))
	table(messageType, scantest.Inputs(mailShapes...))
	var mails, news, records []scantest.Input
	mails = append(within("mbox", mailShapes, mboxed), manyOf("mbox: n small messages", mboxed([]byte("Subject: x\n\nhttp://h/"))), manyOf("mbox: n lines From", []byte("From a@b Mon Jan  1 00:00:00 2024\n")))
	news = append(within("news", mailShapes, batched), manyOf("news: n small articles", batched([]byte("Subject: x\n\nhttp://h/\n"))), manyOf("news: n wrong lengths", []byte("#! rnews 99999999\nSubject: x\n\n")), manyOf("news: n zero lengths", []byte("#! rnews 0\n")))
	for _, in := range scantest.Inputs(
		scantest.Shape{"Link: ", "<x>,", ""}, scantest.Shape{"Link: ", "<x>; rel=a,", ""}, scantest.Shape{"Link: ", "<", ""}, scantest.Shape{"Link: <x>", "; rel=\"a\"", ""}, scantest.Shape{"Link: <x>; rel=\"", "\\", ""}, scantest.Shape{"Link: <x>; rel=\"", "\\a", "\""}, scantest.Shape{"", "Link: <x>\r\n", "A: b"}, scantest.Shape{"Link: <", "x", ">"}, scantest.Shape{"Link: <x>; anchor=\"", "y", "\""}, scantest.Shape{"Link: <x>; title*=\"", "%41", "\""},
		scantest.Shape{"Content-Location: ", "x", ""}, scantest.Shape{"Location: ", "x", ""}, scantest.Shape{"", "Location: x\r\n", "A: b"}, scantest.Shape{"Refresh: 0;url=", "x", ""}, scantest.Shape{"", "a", ": b"}, scantest.Shape{"", "a: b\r\n", "A: b"}, scantest.Shape{"A: b", "\r\n c", ""}, scantest.Shape{"Content-Encoding: ", "gzip,", ""}, scantest.Shape{"Content-Encoding: ", "identity,", ""}, scantest.Shape{"Transfer-Encoding: ", "chunked,", ""}, scantest.Shape{"Content-Type: text/html;", "charset=x;", ""}, scantest.Shape{"Content-Security-Policy: report-uri", " x", ""}, scantest.Shape{"", "Set-Cookie: a=b\r\n", "A: b"}, scantest.Shape{"SourceMap: ", "x", ""},
	) {
		records = append(records, scantest.Input{Name: "warc header: " + in.Name, Make: func(n int) []byte { return recorded(string(in.Make(n)), []byte("<a href=x>")) }})
	}
	for _, shape := range []scantest.Shape{
		{"", "1\r\nx\r\n", "0\r\n\r\n"}, {"", "0\r\n", ""}, {"", "0", ""}, {"", "1;a\r\nx\r\n", ""}, {"ffffffff\r\n", "x", ""}, {"", "a\r\n<a href=x>\r\n", "0\r\n\r\n"},
	} {
		records = append(records, scantest.Input{Name: fmt.Sprintf("warc chunked: %q", shape), Make: func(n int) []byte { return recorded("Transfer-Encoding: chunked", shape.Text(n)) }})
	}
	page := func(text []byte) []byte { return recorded("A: b", text) }
	records = append(records, within("warc page", []scantest.Shape{
		{"<base href='", "x", "'><a href=y>"}, {"<base href=x>", "<a href=y>", ""}, {"", "<a href=x>", ""}, {"<img srcset='", "a,", "'>"}, {"<object codebase=x archive='", "y ", "'>"}, {"<meta charset=utf-7>", "+ADw-", ""}, {"<meta charset=iso-2022-jp><a href=x>", "\x1b$B0l\x1b(Ba", ""},
		{"\xff\xfe", "<\x00a\x00", ""}, {"<?xml version='1.0'?><rss>", "<link>x</link>", ""}, {"{", "\"http:\\/\\/h\\/\",", "}"}, {"", "http://h/ ", ""}, {"<iframe srcdoc='", "&lt;a href=x&gt;", "'>"}, {"", "<iframe srcdoc='&lt;a href=x&gt;'></iframe>", ""}, {"", "<iframe srcdoc=\"<iframe srcdoc='&amp;lt;a href=x&amp;gt;'>\"></iframe>", ""}, {"<a href='", "x\n", "'>"},
		{"<meta charset=windows-1252><a href=x>", "a\xe9", ""}, {"<meta charset=gbk><a href=x>", "a\x81\x40", ""}, {"<meta charset=big5><a href='?", "\xa4\x40", "'>"}, {"<style>", "url(a)", ""}, {"<a href='", "%zz", "'>"}, {"", "<p id=x>", ""}, {"<!--", "-", ""}, {"<a href='?", "é", "'>"}, {"<meta charset=koi8-r><a href='?", "\xc1", "'>"},
	}, page)...)
	records = append(records, manyOf("warc: n small records", page([]byte("<a href=x>"))), manyOf("warc: n heads", []byte("WARC/1.0\r\n")), manyOf("warc: n records of no length", []byte("WARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\n")), manyOf("warc: n wrong lengths", []byte("WARC/1.0\r\nContent-Length: 999999999\r\n\r\n")),
		scantest.Input{Name: "warc: a head of n lines", Make: func(n int) []byte {
			return []byte("WARC/1.0\r\n" + strings.Repeat("A: b\r\n", n/6) + "Content-Length: 0\r\n\r\n")
		}},
		scantest.Input{Name: "warc: a target of n bytes", Make: func(n int) []byte {
			return bytes.Replace(page([]byte("<a href=x><a href=y>")), []byte("http://h/\r"), []byte("http://h/"+strings.Repeat("x", n)+"\r"), 1)
		}},
		scantest.Input{Name: "warc: a conversion of n lines", Make: func(n int) []byte {
			body := strings.Repeat("http://h/ \n", n/11)
			return fmt.Appendf(nil, "WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: http://h/\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", len(body), body)
		}})
	table(mboxType, mails)
	table(builtinType(t, "news"), news)
	table(builtinType(t, "warc"), records)
}

// builtinType returns the media type of an alias.
func builtinType(t *testing.T, alias string) string {
	mediaType := new(Config).Aliases()[alias]
	if mediaType == "" {
		t.Fatalf("no type has the alias %q: %v", alias, new(Config).Aliases())
	}
	return mediaType
}
