package resolve

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Names are mapped by Unicode 17, whatever Go release there is.
func TestMapHost(t *testing.T) {
	for _, tt := range []struct{ host, want string }{
		{"straẞe.example", "xn--strae-oqa.example"},
		{"STRASSE.example", "strasse.example"},
		{"straße.example", "xn--strae-oqa.example"},
		{"\U0001CCD6\U0001CCEF\U0001CCF0.example", "az0.example"},
		{"\u10A0.example", "xn--rkj.example"},
		{"\u2D00.example", "xn--rkj.example"},
		{"\u04C0.example", "xn--s5a.example"},
		{"\u2132\u2183.example", "xn--73g4g.example"},
		{"\uA7CB\uA7DC\uA7F1", "xn--s-gqa61d"},
		{"look\u180Eout.net", "lookout.net"}, // web-platform-tests, toascii.json
		{"look\u206Bout.net", "lookout.net"},
		{"\U0002F868.com", "xn--snl.com"},
		{"\u1160a\u3164b\uFFA0.\u17B4c\u2063\U0001D17A", "ab.c"},
		{"\uF951\U0002F868\U0002F874\U0002F91F\U0002F95F\U0002F9BF", "xn--snl253bgitxhzwu2arn60c"},
		{"\U0001CCF1\U0001CCF2\U0001CCF7.1", "127.1"},
	} {
		got, failure := domainToASCII([]byte(tt.host))
		if got != tt.want || failure != 0 {
			t.Errorf("%q: %q, %v, want %q", tt.host, got, failure, tt.want)
		}
		if name, ok := IDNASCII.name([]byte(tt.host)); tt.host != "STRASSE.example" && (name != tt.want || !ok) {
			t.Errorf("%q: key %q, want %q", tt.host, name, tt.want)
		}
	}
	for _, same := range []string{"", "example.org", "bücher.example", "日本.example"} {
		if got := MapHost(same); got != same {
			t.Errorf("%q: %q", same, got)
		}
	}
}

// The suites of web-platform-tests, url/resources/toascii.json and IdnaTestV2.json, are
// run from the directory that REFRACT_IDNA names. Those that fail are in idna.tsv, each
// with its reason; a Go release with newer tables may pass them.
func TestIDNASuites(t *testing.T) {
	excused := map[string]string{}
	for _, r := range readTable(t, testdata+"/idna.tsv") {
		input, err := strconv.Unquote(`"` + r["input"] + `"`)
		if err != nil || r["reason"] == "" {
			t.Fatal(r, err)
		}
		excused[input] = r["reason"]
		if got := browserHost(t, input); got != r["output"] && got != r["wanted"] {
			t.Errorf("%+q: %q, want %q", input, got, r["output"])
		}
	}
	dir := os.Getenv("REFRACT_IDNA")
	if dir == "" {
		t.Skip("REFRACT_IDNA names no directory with toascii.json and IdnaTestV2.json")
	}
	for _, file := range []string{"toascii.json", "IdnaTestV2.json"} {
		n, good := 0, 0
		for _, c := range readCases(t, filepath.Join(dir, file)) {
			n++
			got := browserHost(t, c.Input)
			if got == c.Output {
				good++
			} else if excused[c.Input] == "" {
				t.Errorf("%s: %+q: %q, want %q (%s)", file, c.Input, got, c.Output, c.Comment)
			}
		}
		t.Logf("%s: %d of %d", file, good, n)
		if n < 80 {
			t.Errorf("%s: %d cases", file, n)
		}
	}
}

// An idnaCase is one of those suites. Output is "" for an error. The empty input is left
// out: a URL is asked for with the host, and "https:///x" has another.
type idnaCase struct{ Input, Output, Comment string }

func readCases(t *testing.T, name string) []idnaCase {
	t.Helper()
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var rows []json.RawMessage
	if err := json.Unmarshal(src, &rows); err != nil {
		t.Fatal(err)
	}
	var cases []idnaCase
	for _, row := range rows {
		var c idnaCase
		if row[0] == '"' { // a comment
			continue
		}
		if err := json.Unmarshal(row, &c); err != nil {
			t.Fatal(err)
		}
		if c.Input != "" {
			cases = append(cases, c)
		}
	}
	return cases
}

// browserHost returns the host of "https://" + host + "/x" under the rules of browsers, as
// the suites ask for, "" where that is no URL.
func browserHost(t *testing.T, host string) string {
	t.Helper()
	got, res := browser(t).Resolver("").Append(nil, []byte("https://"+host+"/x"))
	if res.InError {
		return ""
	}
	return strings.TrimSuffix(strings.TrimPrefix(string(got), "https://"), "/x")
}
