package extract

import (
	"strings"
	"testing"
)

// Chrome names style sheets and frames by a Content-Location with the scheme cid (RFC 2557 section 8).
func TestContentLocationCid(t *testing.T) {
	const page = "From: <Saved by Blink>\nSnapshot-Content-Location: http://h/\nMIME-Version: 1.0\n" +
		"Content-Type: multipart/related; type=\"text/html\"; boundary=\"B\"\n\n" +
		"--B\nContent-Type: text/html\nContent-ID: <frame-1@mhtml.blink>\nContent-Location: http://h/\n\n" +
		"<link href=\"cid:css-1@mhtml.blink\"><iframe src=\"cid:frame-2@mhtml.blink\"></iframe><img src=\"cid:none@mhtml.blink\">\n" +
		"--B\nContent-Type: text/css\nContent-Location: cid:css-1@mhtml.blink\n\nbody {}\n" +
		"--B\nContent-Type: text/html\nContent-ID: <frame-2@mhtml.blink>\n\n<p>\n--B--\n"
	var got []string
	for ref, err := range (&Config{Type: "multipart/related", Cite: true}).Walk("p.mhtml", strings.NewReader(page)) {
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(string(ref.Ref), "cid:") {
			got = append(got, string(ref.Ref)+" "+ref.TargetPart)
		}
	}
	want := "cid:css-1@mhtml.blink 2, cid:frame-2@mhtml.blink 3, cid:none@mhtml.blink "
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
}
