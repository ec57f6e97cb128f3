package tiny

import "testing"

func Test(t *testing.T) {
	if !Small(3) || Small(30) {
		t.Error("Small")
	}
	if !isDE('d') || !isDE('e') || isDE('c') || isDE('f') {
		t.Error("isDE")
	}
	if size("x", true) != "x" || size("x", false) != "?" {
		t.Error("size")
	}
}
