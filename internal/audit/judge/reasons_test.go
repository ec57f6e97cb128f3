package judge

import (
	"slices"
	"testing"
)

// Several reasons may hold for one reference, and the first is counted: what is certain comes before what is only possible.
// A new reason needs a place in this order.
func TestOrderOfReasons(t *testing.T) {
	var ids, elsewhere []string
	for _, r := range idReasons {
		ids = append(ids, r.Name)
	}
	for _, r := range excuses {
		elsewhere = append(elsewhere, r.Name)
	}
	if want := []string{
		"bot", "route", "drawing", "unknown rules", "Writerside", "together", "tab", "similar", "loose", // no id, or ids by rules that are not known
		"made", "label", "part", "attribute", "annotation", "HTML heading", // what has the id
		"code", "template", "component", // what may make it
		"same page", "unknown part", "served part", "showing page", "doubtful", "include", "block macro", // other files on the page, and what may be in them
	}; !slices.Equal(ids, want) {
		t.Errorf("%q, want %q", ids, want)
	}
	if want := []string{
		"page of a site", "redirect",
		"code", "found by name", "permalink", "missing below", "without suffix", "doubtful",
	}; !slices.Equal(elsewhere, want) {
		t.Errorf("%q, want %q", elsewhere, want)
	}
}

// A reason that holds must not hide an id that is certain to be there, and one that is only possible must not come before it.
func TestCertainReasonsComeFirst(t *testing.T) {
	isCertain := false
	for i := len(idReasons) - 1; i >= 0; i-- {
		r := &idReasons[i]
		if r.Name == "same page" || r.Name == "HTML heading" {
			isCertain = true // ids in sources, which are looked up before what makes ids
		}
		if isCertain && (r.Name == "include" || r.Name == "block macro" || r.Name == "unknown part") {
			t.Errorf("%s comes before ids that are there", r.Name)
		}
	}
}
