package completeness

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/refract/internal/audit"
)

// response returns a record, compressed.
func response(url, head, body string) []byte {
	block := "HTTP/1.1 " + head + "\r\n\r\n" + body
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	fmt.Fprintf(z, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", url, len(block), block)
	z.Close()
	return b.Bytes()
}

const okHTML = "200 OK\r\nContent-Type: text/html"

// findings runs over an archive, and returns the rules and targets of findings.
func findings(t *testing.T, archive []byte, jobs int) (found []string, r *Result) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "a.warc.gz")
	if err := os.WriteFile(file, archive, 0o666); err != nil {
		t.Fatal(err)
	}
	o := Options{Names: []string{file}, Width: 1280, Memory: 1 << 16, Jobs: jobs}
	r, err := Run(o, func(f *audit.Finding) { found = append(found, fmt.Sprintf("%s %s", f.Rule, f.Ref.URL)) })
	if err != nil {
		t.Fatal(err)
	}
	return found, r
}

// Browsers follow twenty redirects. A chain of any length takes no more look-ups.
func TestRedirectChain(t *testing.T) {
	const n = 500
	archive := response("http://h/", okHTML, fmt.Sprintf("<img src=/%d><img src=/%d><img src=/0><img src=/%d>", n-20, n-21, n-1))
	for i := range n {
		archive = append(archive, response(fmt.Sprintf("http://h/%d", i), fmt.Sprintf("302 Found\r\nLocation: /%d", i+1), "")...)
	}
	found, _ := findings(t, archive, 1)
	last := "redirect-target http://h/500"
	if want := []string{"redirect-loop http://h/0", "redirect-loop http://h/479", last, last}; !slices.Equal(found, want) && !slices.Equal(found, slices.Compact(want)) {
		t.Errorf("%q", found)
	}
	found, r := findings(t, append(archive, response("http://h/500", "200 OK\r\nContent-Type: image/png", "x")...), 3)
	if want := []string{"redirect-loop http://h/0", "redirect-loop http://h/479"}; !slices.Equal(found, want) || r.Total.Here != 2 {
		t.Errorf("%q, %+v", found, r.Total)
	}
}

// What a page shows and links to is one finding.
func TestLoopOnce(t *testing.T) {
	archive := append(response("http://h/", okHTML, "<img src=/l><a href=/l>x</a>"), response("http://h/l", "302 Found\r\nLocation: /l", "")...)
	if found, _ := findings(t, archive, 1); !slices.Equal(found, []string{"redirect-loop http://h/l"}) {
		t.Errorf("%q", found)
	}
}

// What is damaged is a finding, and no resource that a page needs is missing because of it.
func TestDamaged(t *testing.T) {
	image := response("http://h/a.png", "200 OK\r\nContent-Type: image/png", strings.Repeat("x1y2", 500))
	image[len(image)-6] ^= 0xff // the checksum
	archive := slices.Concat(response("http://h/", okHTML, "<img src=a.png><img src=b.png>"), image, response("http://h/b.png", "200 OK", "x"))
	found, r := findings(t, archive, 1)
	if want := []string{"damaged http://h/a.png"}; !slices.Equal(found, want) || r.Total.Damaged != 1 || r.Total.Here != 1 {
		t.Errorf("%q, %+v", found, r.Total)
	}
}
