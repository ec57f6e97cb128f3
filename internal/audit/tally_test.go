package audit

import (
	"testing"
)

// sums checks that all references are judged, skipped once or lead elsewhere, and that directories and reasons add up.
func sums(t *testing.T, r *Report) {
	t.Helper()
	elsewhere := r.audited().results.elsewhere
	if n := elsewhere + r.Judged + r.SkippedReferences(); n != r.References || elsewhere < 0 {
		t.Errorf("%d references, %d skipped, %d judged, %d elsewhere", r.References, r.SkippedReferences(), r.Judged, elsewhere)
	}
	var all Coverage
	for _, c := range r.Coverage {
		all.Judged += c.Judged
		all.Skipped += c.Skipped
	}
	if all.Judged != r.Judged || all.Skipped != r.SkippedReferences() {
		t.Errorf("%d judged, %d skipped; by directory: %v", r.Judged, r.SkippedReferences(), r.Coverage)
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
