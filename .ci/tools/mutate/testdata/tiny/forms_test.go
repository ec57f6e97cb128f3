package tiny

import "testing"

func TestForms(t *testing.T) {
	c := counter{}
	if n, ok := c.add(3); n != 2 || !ok {
		t.Error("add")
	}
	if len(grid) != 3 || other != 3 || names["two"] != 2 || upper("no") != "no" || upper("yes") != "YES" {
		t.Error("values")
	}
	if n, ok := number("one"); n != 1 || !ok {
		t.Error("number")
	}
	if _, ok := number("two"); ok {
		t.Error("number")
	}
	if isMost(50) || !isMost(51) || index("x") >= 0 || len(buffer()) > 0 {
		t.Error("functions")
	}
}

func TestFits(t *testing.T) {
	for _, test := range []struct {
		lines, tokens, depth int
		want                 bool
	}{{200, 1000, 8, true}, {300, 1000, 8, false}, {200, 1001, 8, false}, {200, 1000, 9, false}} {
		if got := fits(test.lines, test.tokens, test.depth); got != test.want {
			t.Errorf("%v: %v", test, got)
		}
	}
}
