package risk

import (
	"strconv"
	"testing"

	"example.org/refract/internal/testing/scantest"
	"example.org/refract/resolve"
)

// Each vector has its labels, and its second reading.
func TestVectors(t *testing.T) {
	rows := scantest.Records(t, "../../testdata/resolve/vectors.tsv")
	if len(rows) < 90 {
		t.Errorf("%d rows", len(rows))
	}
	readings := resolve.NewReadings("")
	for _, r := range rows {
		url, err := strconv.Unquote(`"` + r["url"] + `"`)
		if err != nil {
			t.Errorf("%s: %v", r["url"], err)
			continue
		}
		labels := Of([]byte(url)).String()
		if labels == "" {
			labels = "-"
		}
		browser, two := readings.AppendBrowser(nil, []byte(url))
		if !two {
			browser = []byte("-")
		}
		if labels != r["labels"] || string(browser) != r["browser"] {
			t.Errorf("%s: %q: %s %s, want %s %s", r["origin"], url, labels, browser, r["labels"], r["browser"])
		}
	}
}
