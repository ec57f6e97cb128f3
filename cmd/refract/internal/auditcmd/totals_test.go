package auditcmd

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/reason"
)

// The totals have rules and causes with the most findings first.
func TestTotals(t *testing.T) {
	var findings []*audit.Finding
	add := func(n int, f audit.Finding) {
		for range n {
			one := f
			findings = append(findings, &one)
		}
	}
	add(3, audit.Finding{Rule: rule.MissingFile, Cause: "docs/new/"})
	add(1, audit.Finding{Rule: rule.MissingFile, Cause: "docs/x.md"})
	add(1200, audit.Finding{Rule: rule.MissingFragment, Cause: "a.md#b", Certain: true})
	var out bytes.Buffer
	certain := writeTotals(&out, slices.Values(findings))
	want := `refract: by rule:
  1,200  missing-fragment
      4  missing-file
refract: by likely cause:
  1,200  missing-fragment: a.md#b
      3  missing-file: docs/new/
`
	if out.String() != want || certain != 1200 {
		t.Error(certain, out.String())
	}
	for c := range 9 {
		add(2, audit.Finding{Rule: rule.MissingFile, Cause: strings.Repeat("x", 1+c)})
	}
	out.Reset()
	writeTotals(&out, slices.Values(findings))
	if !strings.Contains(out.String(), "         and 6 others\n") {
		t.Error(out.String())
	}
	out.Reset()
	writeTotals(&out, slices.Values(findings[:0]))
	if out.Len() > 0 {
		t.Error(out.String())
	}
}

// The share of broken links that would be reported is not rounded up.
func TestCoverage(t *testing.T) {
	for _, tt := range []struct {
		judged, skipped, least int
		want                   string
	}{
		{0, 0, 100, ""}, {90, 10, 90, ""}, {899, 101, 90, "89.9 would"}, {8999, 1001, 90, "89.9 would"}, {0, 1, 1, "0.0 would"}, {1, 0, 100, ""}, {0, 1, 0, ""},
	} {
		var stderr strings.Builder
		a := &auditRun{options: &auditOptions{minCoverage: tt.least}, stderr: &stderr}
		isTooLow := a.checkCoverage(&audit.Report{Checked: tt.judged, Skipped: tt.skipped, Coverage: []audit.Coverage{{Blind: tt.skipped}}})
		if isTooLow != (tt.want != "") || !strings.Contains(stderr.String(), tt.want) {
			t.Errorf("%+v: %v %s", tt, isTooLow, stderr.String())
		}
	}
}

// The summary has a line for each cause, with its most frequent detail.
func TestReasons(t *testing.T) {
	r := &audit.Report{Reasons: map[audit.Reason]int{
		reason.New(reason.Build, "a", "a"): 1, reason.New(reason.IDs, "b", "b"): 2, reason.New(reason.Build, "c", "c"): 3, reason.New(reason.Build, "d", "d"): 1,
	}}
	var b strings.Builder
	writeReasons(&b, r)
	_, lines, _ := strings.Cut(b.String(), "\n")
	if want := "      5  made by a build (c; 2 other reasons)\n      2  an id, by rules that are unknown here (b)\n"; lines != want {
		t.Errorf("%s, want %s", lines, want)
	}
	b.Reset()
	writeReasons(&b, &audit.Report{})
	if b.Len() > 0 {
		t.Error(b.String())
	}
}
