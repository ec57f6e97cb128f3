package mediatype_test

import (
	"testing"

	"example.org/refract/extract/internal/mediatype"
)

// The signatures are those of the MIME Sniffing standard.
func TestDetect(t *testing.T) {
	const nuls = "\x00\x00\x00\x00\x00\x00\x00\x00"
	for _, tt := range []struct{ section, declared, body, want string }{
		{"7.1", "", "<!DOCTYPE html>", "text/html"},
		{"7.1", "", " \n<p>x", "text/html"},
		{"7.1", "", "<!-- x", "text/html"},
		{"7.1", "", "<px>", "text/plain"},
		{"7.1", "", "\n<?xml version='1.0'?><x/>", "text/xml"},
		{"7.1", "", "%PDF-1.7", "application/pdf"},
		{"7.1", "text/html", "%PDF-1.7 " + nuls, "application/pdf"},
		{"7.1", "", "%!PS-Adobe-3.0", "application/postscript"},
		{"7.1", "", "\xfe\xff\x00a", "text/plain"},
		{"7.1", "", "\xef\xbb\xbfa", "text/plain"},
		{"7.1", "", "plain", "text/plain"},
		{"7.1", "", "\x01\x02\x03", "application/octet-stream"},
		{"6.1", "text/html", "GIF89a\x01\x00" + nuls, "image/gif"},
		{"6.1", "image/png", "\xff\xd8\xff\xe0", "image/jpeg"},
		{"6.1", "", "\x89PNG\r\n\x1a\n" + nuls, "image/png"},
		{"6.1", "", "RIFF\x01\x00\x00\x00WEBPVP8 ", "image/webp"},
		{"6.1", "", "\x00\x00\x01\x00\x01", "image/x-icon"},
		{"6.1", "", "BM\x00\x01" + nuls, "image/bmp"},
		{"6.1", "text/plain", "BM is a name", "text/plain"},
		{"6.2", "", "ID3\x03\x00" + nuls, "audio/mpeg"},
		{"6.2", "text/csv", "ID3,ID4", "text/csv"},
		{"6.2", "", "OggS\x00\x02", "application/ogg"},
		{"6.2", "video/ogg", "OggS\x00\x02", "video/ogg"},
		{"6.2", "", "RIFF\x01\x00\x00\x00WAVEfmt ", "audio/wave"},
		{"6.2.1", "", "\x00\x00\x00\x14ftypmp42\x00\x00\x00\x00isom", "video/mp4"},
		{"6.2.1", "", "\x00\x00\x00\x14ftypisom\x00\x00\x00\x00mp41", "video/mp4"},
		{"6.2.1", "image/avif", "\x00\x00\x00\x14ftypavif\x00\x00\x00\x00mif1", "image/avif"},
		{"6.2.2", "", "\x1aE\xdf\xa3\x01\x00\x00\x00B\x82\x84webm", "video/webm"},
		{"6.3", "", "wOF2\x00\x01" + nuls, "font/woff2"},
		{"6.4", "text/html", "\x1f\x8b\x08\x00" + nuls, "application/x-gzip"},
		{"6.4", "", "PK\x03\x04" + nuls, "application/zip"},
		{"6.4", "application/epub+zip", "PK\x03\x04" + nuls, "application/epub+zip"},
		{"6.4", "text/html", "PK\x03\x04" + nuls, "application/zip"},

		// The declared type, where the bytes show only text or only binary data.
		{"", "text/html", "words", "text/html"},
		{"", "application/json", `{"a": 1}`, "application/json"},
		{"", "application/json", "<!doctype html><p>", "text/html"},
		{"", "text/javascript", "<!-- hidden\nx()", "text/javascript"},
		{"", "text/css", "<!-- a {} -->", "text/css"},
		{"", "text/plain", "<html><p>", "text/html"},
		{"", "image/png", "<html><p>", "text/html"},
		{"", "image/png", "words", "text/plain"},
		{"", "application/rtf", `{\rtf1 x}`, "application/rtf"},
		{"", "application/pdf", "not found", "text/plain"},
		{"", "application/vnd.ms-excel", "not found", "text/plain"},
		{"", "image/jxl", "\xff\x0a\x00\x00\x01", "image/jxl"},
		{"", "text/html", nuls, "application/octet-stream"},
		{"", "application/octet-stream", "words", "text/plain"},
		{"", "text/html", "a few\x01 control characters in a long text", "text/html"},
		{"", "application/x-foo", nuls, "application/x-foo"},
		{"", "text/html", "", ""},

		// XML, by its root.
		{"", "text/html", "<?xml version='1.0'?><rss version='2.0'>", "application/rss+xml"},
		{"", "application/xml", "<feed xmlns='x'>", "application/atom+xml"},
		{"", "text/html", "<?xml version='1.0'?><html xmlns='x'>", "application/xhtml+xml"},
		{"", "application/xhtml+xml", "<!DOCTYPE html><html>", "application/xhtml+xml"},
		{"", "text/xml", "<?xml version='1.0'?><x>", "text/xml"},
		{"", "application/vnd.x+xml", "<?xml version='1.0'?><x>", "application/vnd.x+xml"},
		{"", "text/html", "<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>", "application/xml"},
		{"", "text/plain", "<svg xmlns='x'>", "image/svg+xml"},
	} {
		if got := mediatype.Detect(tt.declared, []byte(tt.body)); got != tt.want {
			t.Errorf("%s %q, declared %q: %q, want %q", tt.section, tt.body, tt.declared, got, tt.want)
		}
	}
}

func TestOfField(t *testing.T) {
	for _, tt := range []struct{ field, mediaType, label string }{
		{"Text/HTML; charset=KOI8-R", "text/html", "koi8-r"},
		{"text/html;charset='x'", "text/html", "x"},
		{"text/html, text/plain", "text/html", ""},
		{"html", "", ""},
		{"", "", ""},
	} {
		if mediaType, label := mediatype.OfField([]byte(tt.field)); mediaType != tt.mediaType || label != tt.label {
			t.Errorf("%s: %q, %q", tt.field, mediaType, label)
		}
	}
	if mediaType, label := mediatype.OfField(nil); mediaType+label != "" {
		t.Error("no field has a type")
	}
}

func TestKind(t *testing.T) {
	for _, tt := range []struct{ mediaType, name, want string }{
		{"image/x", "a.pdf", "image"},
		{"application/pdf", "", "PDF"},
		{"application/x-zip-compressed", "", "ZIP"},
		{"application/octet-stream", "http://h.example/a/B.WOFF2?x.y", "font"},
		{"application/octet-stream", "http://h.example", "binary"},
		{"", "a.pst", ".pst"},
		{"", "a.a suffix", "binary"},
		{"a/b", "a.a-very-long-suffix", "a/b"},
		{"a b", "", "binary"},
	} {
		if got := mediatype.Kind(tt.mediaType, tt.name); got != tt.want {
			t.Errorf("%s, %s: %s, want %s", tt.mediaType, tt.name, got, tt.want)
		}
	}
}

func TestFirstBytes(t *testing.T) {
	for _, tt := range []struct {
		head, binary, packed string
		isPacked             bool
	}{
		{"%PDF-1", "application/pdf", "", false},
		{"GIF87a", "image/gif", "", false},
		{"PK\x03\x04", "", "", true},
		{"!BDN\x00\x00\x00\x00SM\x00", "", "application/vnd.ms-outlook-pst", true},
		{"7z\xbc\xaf\x27\x1c", "", "application/x-7z-compressed", true},
		{"Rar!\x1a\x07", "", "application/vnd.rar", true},
		{"x", "", "", false},
	} {
		head := []byte(tt.head)
		if mediatype.OfBinary(head) != tt.binary || mediatype.OfPacked(head) != tt.packed || mediatype.IsPacked(head) != tt.isPacked {
			t.Errorf("%q: %q, %q, %v", tt.head, mediatype.OfBinary(head), mediatype.OfPacked(head), mediatype.IsPacked(head))
		}
	}
}

// A file without a suffix is a page by the tags at its beginning, if nothing else says that it is text.
func TestIsPage(t *testing.T) {
	for head, want := range map[string]bool{
		"<br />\n<b>Warning</b>: Undefined index<br />\n<!DOCTYPE html><html>": true,
		"<!-- saved from --><html>":                          true,
		"<!-- a comment that does not end":                   true,
		"<style>a{}</style><p>x":                             true,
		"<script>f(a[b](c))</script>":                        true,
		"<!doctypehtml><meta charset=utf-8>":                 true,
		"<!DOCTYPE\nhtml>":                                   true,
		"<p align=center>\n  <img src=a>\n</p>\n\n# Title\n": false,
		"<div>\n\n[a](https://h/)\n</div>":                   false,
		"<p>\n\n```\nx\n```\n":                               false,
		"<!-- a licence -->\ntext":                           false,
		"<!-- a --><rss>":                                    false,
		"<px>":                                               false,
		"":                                                   false,
	} {
		if got := mediatype.IsPage([]byte(head)); got != want {
			t.Errorf("%q: %v", head, got)
		}
	}
}

// A tag that text may begin with, too, does not suffice where the type of any text is asked.
func TestMarkup(t *testing.T) {
	for _, tt := range []struct{ head, markup, html, xml string }{
		{"\xef\xbb\xbf <!DOCTYPE HTML>", mediatype.HTML, mediatype.HTML, ""},
		{"<!doctypehtml>", mediatype.HTML, mediatype.HTML, ""},
		{"<p>x", mediatype.Text, "", ""},
		{"<?xml?><!-- <svg> --><RDF:rdf >", "application/rdf+xml", "", "application/rdf+xml"},
		{"<?xml?><kml>", "application/vnd.google-earth.kml+xml", "", "application/vnd.google-earth.kml+xml"},
		{"<opml ", mediatype.OPML, "", mediatype.OPML},
		{"<?xml?><", mediatype.Text, "", ""},
		{"<?xml?><x>", mediatype.XML, "", mediatype.XML},
		{"<plist version=\"1.0\"><dict>", mediatype.XML, "", mediatype.XML},
		{"<svg", mediatype.SVG, "", mediatype.SVG},
		{"x", mediatype.Text, "", ""},
		{"", mediatype.Text, "", ""},
	} {
		head := []byte(tt.head)
		if mediatype.Markup(head) != tt.markup || mediatype.SniffHTML(head) != tt.html || mediatype.SniffXML(head) != tt.xml {
			t.Errorf("%q: %q, %q, %q", tt.head, mediatype.Markup(head), mediatype.SniffHTML(head), mediatype.SniffXML(head))
		}
	}
	if !mediatype.LooksLikeHTML([]byte(" <P >")) || mediatype.LooksLikeHTML([]byte("<px>")) {
		t.Error("LooksLikeHTML")
	}
}
