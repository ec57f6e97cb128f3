package rst

import "testing"

// The marker of a field ends with a colon before white space; a role at the start of a text is none.
func TestFieldMarker(t *testing.T) {
	for s, want := range map[string]int{":a: b": 3, ":a:": 3, ":a b: c": 5, ":a:b: c": 5, ":a\\: b: c": 7, ":ref:`x`: b": 0, ":ref:`x` b": 0, ": a: b": 0, "::a: b": 0, ":a : b": 0, ":a": 0, "": 0} {
		if got := fieldMarker([]byte(s)); got != want {
			t.Errorf("%q: %d, want %d", s, got, want)
		}
	}
}
