package djot

import "testing"

// A Scanner that is used for the first time finds an empty destination, as one does that is used again.
func TestEmpty(t *testing.T) {
	var s Scanner
	for range 2 {
		n := 0
		for it := range s.Scan([]byte("[a](\r)\n")) {
			n++
			if len(it.Value) > 0 {
				t.Errorf("%q", it.Value)
			}
		}
		if n != 1 {
			t.Errorf("%d references", n)
		}
	}
}
