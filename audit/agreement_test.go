package audit

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// The warnings of sphinx-build -n about references, on three trees, and on two of them again with up to 40 names of
// each kind changed to ones that do not exist. Each row has a kind of warning, and for how many the audit has a finding
// at the same reference, for how many it counts the reference as not judged, and how many are in no text that could be
// read: generated, or types in signatures.
func TestAgreementWithSphinx(t *testing.T) {
	data, err := os.ReadFile("testdata/sphinx-agreement.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	same, other := map[string]int{}, map[string]int{}
	for line := range strings.Lines(string(data)) {
		var row struct {
			Tree, Warning, Why                   string
			Found, Generated, Signature, Neither int
			NotJudged                            int `json:"not_judged"`
		}
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		same[row.Tree] += row.Found + row.NotJudged
		other[row.Tree] += row.Neither
		if row.NotJudged+row.Generated+row.Signature+row.Neither > 0 && row.Why == "" {
			t.Errorf("%s, %s: no reason", row.Tree, row.Warning)
		}
	}
	for tree, n := range same {
		if share := float64(n) / float64(n+other[tree]); share < 0.98 {
			t.Errorf("%s: the audit agrees with %.1f %% of the warnings, want 98 %%", tree, 100*share)
		}
	}
	if len(same) != 5 {
		t.Errorf("%d trees, want 5", len(same))
	}
}
