package extract

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"example.org/refract/internal/testing/scantest"
)

// printed is a page whose links have all forms that a browser prints. What is not displayed is not printed, and a
// link to a place in the page becomes a destination.
const printed = `<!doctype html><meta charset=utf-8><title>t</title>
<p><a href="http://h/a">a</a> <a href="http://h/b?x=1&amp;y=(2)">b</a> <a href="http://h/ä€">c</a> <a href="rel.html">d</a> <a href="http://h/a">again</a>
<p><a href="mailto:a@h.example?subject=x%20y">f</a> <a href="http://h/f#frag">g</a> <a href="http://h/%5C%28x%29">i</a>
<p style="width: 3em"><a href="http://h/wrap">a link that is wrapped over several lines of the page</a>
<p style="page-break-before: always"><a href="http://user:pw@h:8080/">l</a> <a href="file:///d/f">m</a> <a href="tel:+1">n</a>
<svg width=50 height=20><a href="http://h/svg"><text y=15>svg</text></a></svg>`

const notPrinted = `<p style="display: none"><a href="http://h/none">j</a></p><p id=id><a href="#id">e</a>`

// The links of a PDF that Chromium prints are those of the page.
func TestPrintedPage(t *testing.T) {
	scantest.Long(t, "runs a browser")
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	page, file := filepath.Join(dir, "page.html"), filepath.Join(dir, "page.pdf")
	if err := os.WriteFile(page, []byte(printed+notPrinted), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run",
		"--user-data-dir="+filepath.Join(dir, "profile"), "--no-pdf-header-footer", "--print-to-pdf="+file, "file://"+page)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	distinct := func(name string, src []byte) (list []string) {
		c := Config{}
		c.Retrieved.URI = "file://" + page
		for ref, err := range c.Walk(name, bytes.NewReader(src)) {
			if err != nil {
				t.Fatal(err)
			}
			if ref.In == "URI" || ref.In == "a/href" {
				list = append(list, string(ref.URL))
			}
		}
		slices.Sort(list)
		return slices.Compact(list)
	}
	got, want := distinct("page.pdf", src), distinct("page.html", []byte(printed))
	for i := range want { // the browser writes URIs
		want[i] = escapedIRI(want[i])
	}
	slices.Sort(want)
	if len(want) != 12 || !slices.Equal(got, want) {
		t.Errorf("%d links: got %q, want %q", len(want), got, want)
	}
}

// escapedIRI returns s with the bytes above ASCII percent-encoded.
func escapedIRI(s string) string {
	var b []byte
	for _, c := range []byte(s) {
		if c < 0x80 {
			b = append(b, c)
		} else {
			b = append(b, '%', "0123456789ABCDEF"[c>>4], "0123456789ABCDEF"[c&15])
		}
	}
	return string(b)
}
