package audit

import (
	"runtime"
	"testing"
	"weak"

	"github.com/rogpeppe/go-internal/txtar"
)

// After Release, a Report holds nothing of the tree: the program may need the memory for what follows.
func TestRelease(t *testing.T) {
	o, _, _ := unpack(t, txtar.Parse([]byte("-- docs/a.md --\n[b](b.md)\n[c](c.md)\n-- docs/b.md --\n")))
	o.Graph = true
	report, err := o.audit([]string{"docs"}, func(*Finding) {})
	must(t, err)
	documents := weak.Make(report.auditor.Inputs)
	results := weak.Make(report.auditor.results)
	report.Release()
	for range 4 {
		runtime.GC()
	}
	if documents.Value() != nil || results.Value() != nil {
		t.Error("a released Report holds documents")
	}
	if report.Documents != 2 || report.Findings != 1 || len(report.Links) != 1 {
		t.Errorf("a released Report: %+v", report)
	}
	if f := report.Config("docs/a.md"); f.FormatOfName("a.md") == nil {
		t.Error("no configuration after Release")
	}
}
