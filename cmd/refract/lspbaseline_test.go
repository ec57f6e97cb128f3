package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A finding can be added to the baseline, if one is configured. The audit then has what is in the editor, and later in the file.
func TestLSPBaseline(t *testing.T) {
	t.Parallel()
	const before = "# What refract audit --baseline does not report: document, rule, reference.\na.md\tmissing-file\tc.md\n"
	e := newEditor(t, "-- a.md --\n[b](b.md) [c](c.md) [d](d.md)\n-- known.txt --\n"+before+"-- .refract.yaml --\nbaseline: known.txt\n")
	e.start(allCapabilities)
	text, _ := os.ReadFile(filepath.Join(e.dir, "a.md"))
	e.open("a.md", string(text))
	b, d := `0:4-0:8 1 refract missing-file: no such file: "b.md"`, `0:24-0:28 1 refract missing-file: no such file: "d.md"`
	e.until("a.md", b+"\n"+d)
	add := func(from, to int) (title string, edits []edit) {
		t.Helper()
		p := e.place("a.md", 0, from)
		p["range"] = object{"start": at{0, from}, "end": at{0, to}}
		p["context"] = object{"diagnostics": e.raw["a.md"]}
		var all []struct {
			Title string
			Edit  struct{ Changes map[string][]edit }
		}
		json.Unmarshal([]byte(e.call("textDocument/codeAction", p).Result), &all)
		for _, a := range all {
			if strings.Contains(a.Title, "baseline") {
				title, edits = a.Title, a.Edit.Changes[e.uri("known.txt")]
			}
		}
		return title, edits
	}
	end := span{at{1, 0}, at{1, 0}}
	line := edit{end, "a.md\tmissing-file\tb.md\n"}
	last := edit{span{at{2, 0}, at{2, 0}}, "a.md\tmissing-file\td.md\n"}
	if title, edits := add(0, 9); title != "Add to baseline" || !slices.Equal(edits, []edit{line}) {
		t.Errorf("%s: %+v", title, edits)
	}
	if title, edits := add(0, 29); title != "Add 2 findings to baseline" || !slices.Equal(edits, []edit{line, last}) {
		t.Errorf("%s: %+v", title, edits)
	}
	if title, edits := add(11, 12); title != "" {
		t.Errorf("%s: %+v", title, edits)
	}
	// The editor opens the file to edit it.
	e.open("known.txt", before)
	e.changes("known.txt", replace(1, 0, 1, 0, line.NewText))
	e.until("a.md", d)
	e.changes("known.txt", replace(1, 0, 1, 0, "not a line of a baseline\n"))
	for len(e.logged) == 0 {
		e.receive()
	}
	if !strings.Contains(e.logged[0], "known.txt: line 2: want document, rule and reference") {
		t.Errorf("%q", e.logged)
	}
	if title, edits := add(24, 24); title != "" {
		t.Errorf("%s: %+v", title, edits)
	}
	// It is saved, and closed.
	os.WriteFile(filepath.Join(e.dir, "known.txt"), []byte(before+last.NewText), 0o666)
	e.notify("textDocument/didClose", object{"textDocument": object{"uri": e.uri("known.txt")}})
	e.until("a.md", b)
	// It is gone: the last one applies.
	os.Remove(filepath.Join(e.dir, "known.txt"))
	e.notify("workspace/didChangeWatchedFiles", object{"changes": []object{{"uri": e.uri("known.txt"), "type": 3}}})
	for len(e.logged) == 1 {
		e.receive()
	}
	if title, edits := add(0, 9); title != "" || e.shown["a.md"] != b {
		t.Errorf("%s: %+v, %s", title, edits, e.shown["a.md"])
	}
	e.stop()
}

// Without a baseline, there is nothing to add to.
func TestLSPNoBaseline(t *testing.T) {
	t.Parallel()
	e := viewer(t, "a.md")
	p := e.place("a.md", 5, 74)
	p["range"] = object{"start": at{5, 74}, "end": at{5, 74}}
	if got := e.result("textDocument/codeAction", p); strings.Contains(got, "baseline") {
		t.Error(got)
	}
	e.stop()
}
