package extract

import (
	"strings"
	"testing"
)

// Text that arrives byte by byte is examined only where a run ends after what may begin a reference, or n bytes of one
// URL would be walked n times.
func TestMayShow(t *testing.T) {
	text := "no more than text. http://a.example/" + strings.Repeat("x", 100) + " and a\n"
	var l liveText
	l.begin(nil, 0, 0)
	var at []int
	for n := 1; n <= len(text); n++ {
		if l.mayShow([]byte(text[:n])) {
			at = append(at, n-1)
			l.begin([]byte(text[:n]), n, n)
		}
	}
	if len(at) != 1 || at[0] != strings.LastIndex(text, " and") {
		t.Errorf("examined at %d", at)
	}
}
