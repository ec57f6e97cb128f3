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
	if isMost(50) || !isMost(51) || index("x") >= 0 || len(buffer()) > 0 {
		t.Error("functions")
	}
}
