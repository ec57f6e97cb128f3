package auditcmd

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// shownURLs returns what keep.keptURLs yields for a file or directory: URLs, numbers of uses and lines.
func shownURLs(t *testing.T, name string) string {
	t.Helper()
	var all []string
	for k, err := range keptURLs(name) {
		if err != nil {
			return strings.Join(append(all, "error: "+strings.NewReplacer(strconv.Quote(name), `"NAME"`, name, "NAME").Replace(err.Error())), "\n")
		}
		all = append(all, fmt.Sprintf("%d:%s %d", k.Line, k.URL, k.Uses))
	}
	return strings.Join(all, "\n")
}

func TestKeepList(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"a plain list", "# comment\n/a/\n\nhttps://x.example/b?c,d;e#f\r\n/a,b\n", "2:/a/ 0\n4:https://x.example/b?c,d;e#f 0\n5:/a,b 0"},
		{"uses", "12 /a/\n/b\t7\n/c,3\n5;/d\n\"/e,f\",\"9\"\nURL,Views\n", "1:/a/ 12\n2:/b 7\n3:/c 3\n4:/d 5\n5:/e,f 9"},
		{"CDX", "org,x)/ 20200102030405 http://x.example/ text/html 200 AAAA - - 5 0 a.warc\norg,x)/e 20200102030405 http://x.example/e text/html 404 A\norg,x)/r 20200102030405 http://x.example/r warc/revisit - A\n", "1:http://x.example/ 0\n3:http://x.example/r 0"},
		{"CDXJ", "org,x)/ 20200102030405 {\"url\": \"http://x.example/ a\", \"status\": \"200\"}\norg,x)/e 20200102030405 {\"url\": \"http://x.example/e\", \"status\": 404}\norg,x)/f 20200102030405 {\"url\n", "1:http://x.example/ a 0"},
		{"routes", "{\"type\":\"page\",\"url\":\"/a/\",\"aliases\":[\"/old/\"]}\n{\"type\":\"redirect\"}\n{broken\n", "1:/a/ 0\n1:/old/ 0"},
		{"a sitemap", "\xef\xbb\xbf<?xml version=\"1.0\"?>\n<urlset><url>\n<loc> https://x.example/a?b&amp;c </loc></url><url><lastmod>2020</lastmod><loc></loc></url></urlset>", "3:https://x.example/a?b&c 0"},
		{"a sitemap that is cut", "<urlset><url><loc>https://x.example/a</loc><lo", "1:https://x.example/a 0\nerror: --must-keep \"NAME\": XML syntax error on line 1: unexpected EOF"},
		{"a long line", strings.Repeat("x", 2<<20), "error: --must-keep \"NAME\": bufio.Scanner: token too long"},
	}
	for _, test := range tests {
		name := filepath.Join(t.TempDir(), "list")
		err := os.WriteFile(name, []byte(test.text), 0o666)
		if err != nil {
			t.Fatal(err)
		}
		if got := shownURLs(t, name); got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
	for _, name := range []string{os.DevNull, filepath.Join(t.TempDir(), "none")} {
		if got := shownURLs(t, name); !strings.HasPrefix(got, "error: ") {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestKeepListBuild(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"index.html", "a/index.html", "b.htm", "404.html", "sub/404.html", "x.css"} {
		err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777)
		if err != nil {
			t.Fatal(err)
		}
		err = os.WriteFile(filepath.Join(dir, name), nil, 0o666)
		if err != nil {
			t.Fatal(err)
		}
	}
	if got, want := shownURLs(t, dir), "1:/a/ 0\n1:/b.htm 0\n1:/ 0\n1:/sub/404.html 0"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for range keptURLs(dir) {
		break // the rest is not yielded
	}
}
