package rule

import (
	"slices"
	"strings"
	"testing"
)

// Each rule has a name, a level and a description of its own; what is no rule has none.
func TestRules(t *testing.T) {
	all := Rules()
	var notes []Rule
	seen := map[string]bool{}
	for _, r := range all {
		about := r.About()
		if about == "" || seen[about] || seen[string(r)] || strings.HasSuffix(about, ".") || strings.ToLower(string(r)) != string(r) {
			t.Errorf("%s: %q", r, about)
		}
		seen[about], seen[string(r)] = true, true
		switch r.Level() {
		case LevelNote:
			notes = append(notes, r)
		case LevelError:
		default:
			t.Errorf("%s: level %q", r, r.Level())
		}
	}
	want := []Rule{DuplicateID, EmptyLink, LocalURL, Redirect, Unused, Orphan, MissingNote, MissingObject, MovingLine, VagueText, SameTarget, RedirectChain, RedirectShadowed, RedirectTwice, MissingPage, MissingOptional, RemovedID}
	if !slices.Equal(notes, want) {
		t.Errorf("notes: %q, want %q", notes, want)
	}
	if none := Rule("none"); none.About() != "" || none.Level() != LevelNote {
		t.Errorf("%q %q", none.About(), none.Level())
	}
	all[0] = "changed"
	if Rules()[0] != MissingFile {
		t.Error("Rules returns the table itself")
	}
}
