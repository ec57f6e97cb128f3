package urlcmd

import (
	"strings"
	"testing"

	"example.org/refract/cmd/refract/internal/output"
	"example.org/refract/resolve"
)

func TestAppendParts(t *testing.T) {
	for _, tt := range []struct{ url, want string }{
		{"x", `{"a":1,"path":"x"}`},
		{"<>&\n", `{"a":1,"path":"<>&\n"}`},
		{"/\xff", `{"a":1,"path_b64":"L/8="}`},
		{"ftp://h/\xff/b/", `{"a":1,"scheme":"ftp","authority":"h","host":"h","path_b64":"L/8vYi8=","directories_b64":["/w==","Yg=="],"name":""}`},
		{"ftp://h/%20/%0A/a", `{"a":1,"scheme":"ftp","authority":"h","host":"h","path":"/%20/%0A/a","directories":["%20","%0A"],"name":"a"}`},
	} {
		got := string(appendParts([]byte("{\"a\":1"), partsOf(resolve.Rules{}, []byte(tt.url)))) + "}\n"
		if got != tt.want+"\n" {
			t.Errorf("%q: %s, want %s", tt.url, got, tt.want)
		}
	}
}

// "refract help json" names each part.
func TestTopicOfParts(t *testing.T) {
	for _, url := range []string{
		"ftp://u:p@h:21/d/n;type=a?q#f", "gopher://h/0s%09q%09+", "mailto:a@h?b=c", "news:a.b", "news:a@b", "news:*", "nntp://h/a/1",
		"wais://h/d?s", "wais://h/d/t/p", "file:///C:/d/n", "prospero://h/o;f=v", "mid:a@b/c@d", "data:a/b;base64,c", "tel:1;a=b", "urn:isbn:1",
	} {
		for _, f := range partsOf(resolve.Rules{}, []byte(url)) {
			if !strings.Contains(output.Topic(nil).Long, f.name) {
				t.Errorf("help json does not name %s", f.name)
			}
		}
	}
}

// What is around a reference that was copied is removed, if it is on both sides.
func TestTyped(t *testing.T) {
	for text, want := range map[string]string{
		" <a> ": "a", `"a"`: "a", "<a": "<a", "a>": "a>", `<a"`: `<a"`, `"a>`: `"a>`, `"a`: `"a`, `a"`: `a"`, "<": "<", `"`: `"`, "<>": "", "a\n b\t": "ab",
		"URL:a": "a", "url:<a>": "a", "<URL:a>": "a", "URL:<a": "<a", "URL:a>": "a>", "URL:<": "<", "URLa": "URLa",
	} {
		if got := typed([]byte(text)); string(got) != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
