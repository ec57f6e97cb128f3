package resolve

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// The suites of web-platform-tests, url/resources/toascii.json and IdnaTestV2.json, are
// run from the directory that REFRACT_IDNA names. Those that fail are in idna.tsv, each
// with its reason; a Go release with newer tables may pass them.
func TestIDNASuites(t *testing.T) {
	excused := map[string]string{}
	for _, r := range scantest.Records(t, testdata+"/idna.tsv") {
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
