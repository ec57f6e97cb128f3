package extract

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
)

// Anything that is not read is noted, with its kind and place.
func TestUnread(t *testing.T) {
	attach := func(heading string) string {
		return "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhttp://h/\n--b\n" + heading + "\n\nAAAA\n--b--\n"
	}
	record := func(mediaType, target, body string) string {
		return fmt.Sprintf("WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", target, mediaType, len(body), body)
	}
	for _, tt := range []struct{ name, src, want string }{
		{"a.eml", attach("Content-Type: application/pdf; name=a.pdf"), "105 2 PDF: a PDF without objects: not read"},
		{"a.eml", attach("Content-Type: application/octet-stream\nContent-Disposition: attachment; filename=old.PST"), "62 2 .pst: a part of type application/octet-stream (\"old.PST\"): not read"},
		{"a.eml", attach("Content-Type: image/png"), "62 2 image: a part of type image/png: not read"},
		{"a.eml", attach("Content-Type: application/x-thing"), "62 2 application/x-thing: a part of type application/x-thing: not read"},
		{"a.eml", attach("Content-Type: application/octet-stream; name=\"a.b c\""), "62 2 binary: a part of type application/octet-stream (\"a.b c\"): not read"},
		{"a.eml", attach("Content-Type: application/octet-stream; name=a.html"), ""},
		{"a.eml", "Content-Type: application/zip\n\nx\n", "0 1 ZIP: a part of type application/zip: not read"},
		{"a.eml", "A: b\n\ntext\nbegin 644 a.vsd\n#0V%T\n`\nend\n", "11  .vsd: a part of type application/octet-stream (\"a.vsd\"): not read"},
		{"a.eml", "A: b\n\nhttp://h/\n", ""},
		{"a.warc", record("image/gif", "http://h.example/x", "GIF89a"), "114  image: a record of type image/gif (\"http://h.example/x\"): not read"},
		{"a.warc", record("", "http://h.example", "%PDF-1.4"), "103 1 PDF: a PDF without objects: not read"},
		{"a.warc", record("text/html", "http://h/a.PDF?x", "%PDF-1.4"), "112 1 PDF: a PDF without objects: not read"},
		{"a.warc", record("text/html", "http://h/", "http://h/"+strings.Repeat("x", 2000)), "0  large record: a record of more than 1000 bytes: cut there"},
		{"d/a.msg", "\xd0\xcf\x11\xe0\x00\x00", "0  .msg: a binary file (\"a.msg\"): not read"},
		{"d/a.pst", "!BDN\x00\x00\x00\x00SM\x00", "0  .pst: a binary file of type application/vnd.ms-outlook-pst (\"a.pst\"): not read"},
		{"d/mail", "!BDN\x00\x00\x00\x00SM\x00", "0  application/vnd.ms-outlook-pst: a binary file of type application/vnd.ms-outlook-pst (\"mail\"): not read"},
		{"d/a", "x\x00\x00\x01", "0  binary: a binary file (\"a\"): not read"},
		{"d/a.txt.gz", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x00", "0  .gz: a compressed file, which package source opens (\"a.txt.gz\"): not read"},
		{"d/a.txt.lz4", "\x04\"M\x18x", "0  .lz4: a compressed file, which package source opens (\"a.txt.lz4\"): not read"},
		{"d/a.gz", "\x00\x8b\x08\x00", "0  .gz: a binary file (\"a.gz\"): not read"},
		{"d/a.html", "<a href=x>\x00", ""},
		{"d/a.pdf", "%PDF-1.4 http://h/", "0  PDF: a PDF without objects: not read"},
	} {
		var got []string
		c := Config{SkipBinary: true, MaxEntity: 1000, Note: func(n *Note) {
			if n.Unread != "" {
				got = append(got, fmt.Sprintf("%d %s %s: %s", n.Pos.Offset, n.Entity.Path(), n.Unread, n.Text))
			} else if n.Code == scan.CodeUnreadType {
				t.Errorf("%s: %q without a kind", tt.name, n.Text)
			}
		}}
		urls(&c, tt.name, tt.src)
		want := []string{tt.want}
		if tt.want == "" {
			want = nil
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s %q:\ngot  %q\nwant %q", tt.name, tt.src, got, want)
		}
	}
}

// A packed file is not read as text, even if it is named; other binary files may have text, which a note
// says, and --type decides.
func TestPacked(t *testing.T) {
	const text = " http://h/ "
	for _, tt := range []struct{ name, mediaType, src, want string }{
		{"a.7z", "", "7z\xbc\xaf\x27\x1c" + text, ".7z"},
		{"a.rar", "", "Rar!\x1a\x07" + text, ".rar"},
		{"a.warc.lz4", "", "\x04\"M\x18d@\xa7" + text, ".lz4"},
		{"a", "", "\x04\"M\x18d@\xa7" + text, "binary"},
		{"a.pst", "", "!BDN\x00\x00\x00\x00SM" + text, ".pst"},
		{"a.msg", "", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + text, ".msg"},
		{"a.zip", "text/plain", "PK\x03\x04\x14\x00" + text, ""},
		{"a", "", "\x7fELF\x00" + text, "as-text binary"},
		{"a.pdf", "", "%PDF-1.4" + text, "PDF"},
		{"a.PNG", "", "\x89PNG\r\n\x1a\n" + text, "as-text image"},
		{"photo", "", "\xff\xd8\xff\xe0" + text, "as-text image"},
		{"a.txt.gz", "", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x00" + text, "as-text .gz"},
		{"d/a.db", "", "\x00\x01\x02" + text, "as-text .db"},
		{"d/a.db-wal", "", "\x37\x7f\x06\x82" + text, ".db-wal"},
		{"a.pdf", "text/plain", "%PDF-1.4" + text, ""},
		{"a.txt", "", "%PDF-1.4" + text, ""},
		{"a", "", "!BDN SM" + text, ""},
	} {
		kind := ""
		c := Config{Type: tt.mediaType, Note: func(n *Note) {
			if n.Code == scan.CodeAsText {
				kind = "as-text "
			}
			kind += n.Unread
		}}
		found := urls(&c, tt.name, tt.src)
		if kind != tt.want || len(found) > 0 != (tt.want == "" || strings.HasPrefix(tt.want, "as-text")) {
			t.Errorf("%s %q: %q, not read: %q", tt.name, tt.src, found, kind)
		}
	}
}

// A file that is not read is no input that is.
func TestUnreadIsNotFirst(t *testing.T) {
	c := Config{SkipBinary: true}
	n := 0
	for b, err := range c.Batches("a.bin", strings.NewReader("a\x00b http://h/")) {
		if err != nil || b.First() {
			t.Errorf("error %v, first %v", err, b.First())
		}
		for range b.References() {
			t.Error("a reference")
		}
		b.Release()
		n++
	}
	if n != 1 {
		t.Errorf("%d batches", n)
	}
}
