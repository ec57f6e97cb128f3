package audit

import (
	"testing"
)

// sums checks that all references are right, faulty, skipped once or lead elsewhere, and that the
// reasons add up.
func sums(t *testing.T, r *Report) {
	t.Helper()
	all := r.audited().results.tally
	if n := all.elsewhere + all.right + all.faulty + r.Skipped - r.SkippedNames; n != r.References || all.elsewhere < 0 {
		t.Errorf("%d references, and %d skipped: %+v", r.References, r.Skipped, all)
	}
	n := 0
	for why, count := range r.Reasons {
		n += count
		if why.IsZero() || count < 0 {
			t.Errorf("%d references are skipped since %q", count, why)
		}
	}
	if n != r.Skipped {
		t.Errorf("reasons for %d references of %d", n, r.Skipped)
	}
}
