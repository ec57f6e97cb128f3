package webjson

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
)

func TestIsHAR(t *testing.T) {
	for head, want := range map[string]bool{
		`{"log":{"version":"1.2","creator":{`: true, "\xef\xbb\xbf \r\n{\t\"log\" :\n{ \"entries\":[": true,
		`{"log":{"version":"1.2"`: false, `{"creator":{}}`: false, `{"log":["creator"]}`: false, `["log":{"entries"`: false, "": false, `{"log`: false,
	} {
		if got := IsHAR([]byte(head)); got != want {
			t.Errorf("%q: %v", head, got)
		}
	}
}

// harList returns a line for each Item of an archive.
func harList(src string) (all []string) {
	for it := range new(HAR).Scan([]byte(src)) {
		text := src[it.Span.Start:it.Span.End]
		switch it.Op {
		case scan.Enter:
			c := it.More.Capture
			all = append(all, fmt.Sprintf("enter %s %q %s %d %s %q %q", it.Name, it.Type, c.URL, c.Status, c.Date, c.Redirect, c.RobotsTags))
		case scan.Ref:
			all = append(all, fmt.Sprintf("ref %s at %s, loose %v", it.Value, text, it.Loose))
		case scan.Body:
			packed, charset := false, ""
			if it.More != nil {
				packed, charset = it.More.Packed, it.More.Charset
			}
			all = append(all, fmt.Sprintf("body %q %q at %s, %q packed %v", it.Type, it.Value, text, charset, packed))
		case scan.Note:
			all = append(all, fmt.Sprintf("note %s at %s", it.Text, text))
		case scan.Leave:
			all = append(all, "leave")
		}
	}
	return all
}

func TestHAR(t *testing.T) {
	in := func(entries ...string) string {
		return `{"log":{"creator":{"name":"http://none/"},"entries":[` + strings.Join(entries, ",\n") + `]}}`
	}
	const noted = `"request":{"url":"http://h/"}`
	half := base64.StdEncoding.EncodeToString([]byte("abc"))
	tests := []struct {
		name, src string
		want      []string
	}{
		{"the fields of the response, not those of the request", in(`{"startedDateTime":"2026-01-02T03:04:05Z","request":{"url":"http:\/\/h\/a","headers":[{"name":"Link","value":"<no>"}]},` +
			`"response":{"status":301,"headers":[{"value":"\u002fb","name":"LOCATION"},{"name":"X-Robots-Tag","value":"noindex"},{"name":"Link"},{"name":"Server","value":"no"}],"content":{"mimeType":" Text/HTML; charset=x"}}}`),
			[]string{`enter 1 "text/html" http://h/a 301 2026-01-02T03:04:05Z "/b" ["noindex"]`, `ref /b at \u002fb, loose true`, "leave"}},
		{"a Location without a redirect", in(`{` + noted + `,"response":{"status":201,"headers":[{"name":"Location","value":"b"}],"content":{}}}`),
			[]string{`enter 1 "" http://h/ 201  "" []`, "ref b at b, loose false", "leave"}},
		{"line ends in a value", in(`{` + noted + `,"response":{"status":200,"headers":[{"name":"Link","value":"<a>\r\n,<b>"}],"content":{}}}`),
			[]string{`enter 1 "" http://h/ 200  "" []`, "ref a at a, loose false", "ref b at b, loose false", "leave"}},
		{"a body with escapes", in(`{` + noted + `,"response":{"status":200,"content":{"mimeType":"text/html","text":"<a>\n\u00e9"}}}`),
			[]string{`enter 1 "text/html" http://h/ 200  "" []`, `body "text/html" "<a>\né" at <a>\n\u00e9, "utf-8" packed false`, "leave"}},
		{"a body in base64", in(`{` + noted + `,"response":{"status":200,"content":{"encoding":"BASE64","text":"` + half + `"}}}`),
			[]string{`enter 1 "" http://h/ 200  "" []`, `body "" "abc" at YWJj, "" packed true`, "leave"}},
		{"broken base64", in(`{` + noted + `,"response":{"status":200,"content":{"encoding":"base64","text":"` + half + `-YWJj"}}}`),
			[]string{`enter 1 "" http://h/ 200  "" []`, "note base64 that is not valid: read up to there at YWJj-YWJj", `body "" "abc" at YWJj-YWJj, "" packed true`, "leave"}},
		{"without a request, a URL or a response", in(`{"response":{"status":200,"content":{"text":"a"}}}`, `{"request":{"url":""},"response":{"status":200,"content":{"text":"b"}}}`, `{`+noted+`}`,
			`{`+noted+`,"response":{"status":"x","content":{"text":"c"}}}`),
			[]string{`enter 4 "" http://h/ 0  "" []`, `body "" "c" at c, "utf-8" packed false`, "leave"}},
		{"entries elsewhere", `{"log":{"pages":[{` + noted + `,"response":{"content":{"text":"a"}}}],"entries":{"a":{}}},"entries":[{` + noted + `,"response":{"content":{"text":"a"}}}]}`, nil},
		{"cut", `{"log":{"entries":[{` + noted + `,"response":{"status":204,"content":{"mimeType":"a/b"}}},{"request":{"url":"http://i/`,
			[]string{`enter 1 "a/b" http://h/ 204  "" []`, "leave", "note the HTTP Archive is cut or not valid: the rest is read as text at ",
				`body "application/json" "\"}}},{\"request\":{\"url\":\"http://i/" at "}}},{"request":{"url":"http://i/, "" packed false`}},
		{"with white space behind it", in() + " \n", nil},
	}
	for _, tt := range tests {
		if got := harList(tt.src); !slices.Equal(got, tt.want) {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
		}
	}
}

// Of a heading, a limited number of fields is kept, also if it has no end.
func TestHARFields(t *testing.T) {
	src := `{"log":{"entries":[{"request":{"url":"http://h/"},"response":{"status":200,"headers":[` +
		strings.Repeat(`{"name":"Link","value":"<a>"},{"name":"X-Robots-Tag","value":"a"},`, maxHARFields+1) + `{}]}}]}}`
	refs := 0
	for it := range new(HAR).Scan([]byte(src)) {
		switch {
		case it.Op == scan.Ref:
			refs++
		case it.Op == scan.Enter && len(it.More.Capture.RobotsTags) != maxHARFields:
			t.Errorf("%d values of X-Robots-Tag", len(it.More.Capture.RobotsTags))
		}
	}
	if refs != maxHARFields {
		t.Errorf("%d references", refs)
	}
}

// A loop over the Items may end at each of them, and the Scanner can be used again.
func TestHARStop(t *testing.T) {
	src := `{"log":{"entries":[{"request":{"url":"http://h/"},"response":{"status":200,"headers":[{"name":"Link","value":"<a>,<b>"},{"name":"Refresh","value":"0;url=c"}],` +
		`"content":{"encoding":"base64","text":"YWJj-"}}},{"request":{"url":"http://i/"},"response":{"status":200,"statusText":"OK"}},{`
	var s HAR
	all := 0
	for range s.Scan([]byte(src)) {
		all++
	}
	for most := 1; most <= all; most++ {
		n := 0
		for range s.Scan([]byte(src)) {
			if n++; n == most {
				break
			}
		}
		if n != most {
			t.Errorf("%d of %d Items", n, most)
		}
	}
	if all != 11 {
		t.Errorf("%d Items", all)
	}
}
