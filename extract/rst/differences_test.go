package rst

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
)

// Documents of which docutils 0.22.4 and this package may find other references: what each finds, and why. On
// 614 documents of Django, 507 of CPython, 161 of Sphinx, 37 of pybind11 and 900 of Linux these are all classes
// of differences.
func TestDifferences(t *testing.T) {
	data, err := os.ReadFile("testdata/differences.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var c struct {
			Name, Text, Why   string
			Docutils, Refract []string
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		var got []string
		var s Scanner
		for it := range s.Scan([]byte(c.Text)) {
			if ref := it.Meant + string(it.Value); it.Op == scan.Ref && !slices.Contains(got, ref) {
				got = append(got, ref)
			}
		}
		if !slices.Equal(got, c.Refract) {
			t.Errorf("%s: got %q, want %q", c.Name, got, c.Refract)
		}
		if !slices.Equal(c.Docutils, c.Refract) && c.Why == "" {
			t.Errorf("%s: no reason", c.Name)
		}
	}
}
