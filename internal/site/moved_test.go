package site

import (
	"fmt"
	"testing"
)

// Whether a URL redirects to a page is looked up, however many do; also while there are still more.
func TestIsMoved(t *testing.T) {
	p := &Page{}
	for i := range 100 {
		u := fmt.Sprintf("/old%d/", i)
		if p.IsMoved(u) || p.isMovedExactly(u) {
			t.Errorf("%s is moved before it is", u)
		}
		p.Moved = append(p.Moved, u)
		if !p.IsMoved(u) || !p.IsMoved(u[:len(u)-1]) || !p.isMovedExactly(u) || p.isMovedExactly(u[:len(u)-1]) {
			t.Errorf("%s is not moved", u)
		}
	}
}
