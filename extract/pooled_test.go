package extract

import (
	"iter"
	"testing"

	"example.org/refract/extract/scan"
)

type optionScanner struct {
	readAs func(mediaType, name string) string
}

func (s *optionScanner) Scan([]byte) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		for s.readAs != nil && yield(&scan.Item{}) {
		}
	}
}

// A scanner has the options of the walk while it scans, and none of them when it is in the pool, also
// if the caller stops.
func TestPooled(t *testing.T) {
	var last *optionScanner
	f := pooled(func(s *optionScanner, _ *Config, x Context) { last, s.readAs = s, x.ReadAs })
	x := Context{ReadAs: func(mediaType, _ string) string { return mediaType }}
	n := 0
	for range f(nil, &Config{}, x) {
		if n++; n == 3 {
			break
		}
	}
	if n != 3 || last.readAs != nil {
		t.Errorf("%d items, want 3; the option is kept: %v", n, last.readAs != nil)
	}
}
