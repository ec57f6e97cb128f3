package audit

import (
	"testing"
)

// sums checks that all references are checked, skipped once or lead elsewhere, and that directories and reasons add up.
func sums(t *testing.T, r *Report) {
	t.Helper()
	elsewhere := r.audited().results.elsewhere
	if n := elsewhere + r.Checked + r.SkippedReferences(); n != r.References || elsewhere < 0 {
		t.Errorf("%d references, %d skipped, %d judged, %d elsewhere", r.References, r.SkippedReferences(), r.Checked, elsewhere)
	}
	var all Coverage
	for _, c := range r.Coverage {
		all.Checked += c.Checked
		all.Skipped += c.Skipped
	}
	if all.Checked != r.Checked || all.Skipped != r.SkippedReferences() {
		t.Errorf("%d judged, %d skipped; by directory: %v", r.Checked, r.SkippedReferences(), r.Coverage)
	}
	n := 0
	for why, count := range r.Reasons {
		n += count
		if why.IsZero() || count <= 0 {
			t.Errorf("%d references are skipped since %q", count, why)
		}
	}
	if n != r.Skipped {
		t.Errorf("reasons for %d references of %d", n, r.Skipped)
	}
}
