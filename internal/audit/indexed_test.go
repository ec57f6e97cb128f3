package audit

import (
	"strings"
	"testing"
)

// "|" is where the label begins.
func TestIsIndexed(t *testing.T) {
	for text, want := range map[string]bool{
		"a[i][|j]":             true,
		"f(x)[i][|j]":          true,
		"a[0][i][|j]":          true,
		"a_[i][|j]":            true,
		`\[i][|j]`:             true,
		"$[i][|j]":             true,
		"see [12][|3]":         true,
		"[1][|x]":              false,
		"see [text][|label]":   false,
		"see [a[b]][|label]":   false, // the outer bracket decides
		"x[a [b]][|label]":     true,
		"see [a [b] c][|l]":    false,
		"see ([text][|label])": false,
		" [][|label]":          false,
		"text][|label]":        false,
	} {
		at := strings.IndexByte(text, '|')
		if got := isIndexed([]byte(text[:at]+text[at+1:]), int64(at)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
	for n, want := range map[int]bool{996: true, 997: false} { // the bracket is among the 1,000 bytes before, or not
		text := "a[" + strings.Repeat("i", n) + "]["
		if got := isIndexed([]byte(text), int64(len(text))); got != want {
			t.Errorf("after %d bytes: %v", n, got)
		}
	}
	if isIndexed([]byte("a[i][j]"), 100) {
		t.Error("an offset behind the source")
	}
}
