package extract_test

import (
	"bytes"
	"testing"

	"example.org/refract/extract"
)

// The first 4,096 bytes of an input decide what it is, whatever is given.
func TestFormatOfHead(t *testing.T) {
	for zero, want := range map[int]string{4095: "application/octet-stream", 4096: "text/plain"} {
		head := bytes.Repeat([]byte("a\n"), 4096)
		head[zero] = 0
		var cfg extract.Config
		if _, got := cfg.FormatOf("name", head); got != want {
			t.Errorf("a zero at %d: %s, want %s", zero, got, want)
		}
	}
}
