package doc_test

import (
	"testing"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/tree"
)

// A Handover keeps what one audit reads, and hands it to the next one, once.
func TestHandover(t *testing.T) {
	var c doc.Handover
	first, second := tree.Sum{1}, tree.Sum{2}
	has := func(s tree.Sum, want bool) {
		t.Helper()
		content, ok := c.Get(s)
		if ok != want || ok && content.References != 7 {
			t.Errorf("%v: %v, %d references", s[0], ok, content.References)
		}
	}
	has(first, false)
	c.Put(first, doc.Content{References: 7})
	has(first, true)
	has(first, true) // two alike documents of one tree
	c.Finish()
	c.Put(second, doc.Content{References: 7})
	has(second, false)
	has(first, true)
	has(first, false)
}
