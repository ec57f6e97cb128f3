//go:build !js

package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	tests := []struct{ name, url, text, want string }{
		{"a.md", "http://h/d/", "[x](y z) [x](y)\n", `{"references":[{"line":1,"column":14,"offset":13,"length":1,"kind":"link","in":"link","raw":"y","base":"http://h/d/","layer":"retrieval","url":"http://h/d/y"}],"count":1}`},
		{"a.md", "", "[x](\xff)\n", `{"references":[{"line":1,"column":5,"offset":4,"length":1,"kind":"link","in":"link","raw":"ÿ","layer":"none","error":"no base"}],"count":1}`},
		{"a.png", "", "\x89PNG\r\n\x1a\n", `{"references":[],"count":0,"notes":["a binary file of type image/png (\"a.png\"): not read"]}`},
	}
	for _, tt := range tests {
		if got := string(find(tt.name, tt.url, []byte(tt.text))); got != tt.want {
			t.Errorf("%s:\n%s, want\n%s", tt.text, got, tt.want)
		}
	}
	var many found
	err := json.Unmarshal(find("a.txt", "", []byte(strings.Repeat("http://h/ ", maxShown+1))), &many)
	if err != nil || many.Count != maxShown+1 || len(many.References) != maxShown {
		t.Errorf("%d of %d references, %v", len(many.References), many.Count, err)
	}
}

// A reference may point to a member of its archive, and text may be of no charset.
func TestFindInside(t *testing.T) {
	var book bytes.Buffer
	z := zip.NewWriter(&book)
	for _, m := range []struct{ name, text string }{
		{"mimetype", "application/epub+zip"},
		{"META-INF/container.xml", `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="o/p.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`},
		{"o/p.opf", `<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest></package>`},
		{"o/a.xhtml", `<html xmlns="http://www.w3.org/1999/xhtml"><a href="b/c.xhtml">c</a></html>`},
	} {
		w, err := z.CreateHeader(&zip.FileHeader{Name: m.name})
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, m.text)
	}
	z.Close()
	var f found
	if err := json.Unmarshal(find("a.epub", "", book.Bytes()), &f); err != nil {
		t.Fatal(err)
	}
	has := func(r reference) bool {
		return r.Place == "o/a.xhtml" && r.Raw == "b/c.xhtml" && r.URL == "/o/b/c.xhtml" && r.Error == ""
	}
	if !slices.ContainsFunc(f.References, has) {
		t.Errorf("%+v", f)
	}
	if got := valid([]byte("a\xff\xfeb")); got != "a\uFFFDb" {
		t.Errorf("%q", got)
	}
}

func TestRun(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.md")
	if err := os.WriteFile(name, []byte("<http://h/a>\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	var out, errs strings.Builder
	if code := run([]string{name, name}, &out, &errs); code != 0 || errs.Len() > 0 || strings.Count(out.String(), `"raw":"http://h/a"`) != 2 {
		t.Errorf("%d %s%s", code, &out, &errs)
	}
	out.Reset()
	if code := run([]string{name + "x"}, &out, &errs); code != 2 || out.Len() > 0 || !strings.Contains(errs.String(), "a.mdx") {
		t.Errorf("%d %s%s", code, &out, &errs)
	}
}
