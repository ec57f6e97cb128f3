package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// edits returns the edits of an answer, one per line: "a.md 1:2-1:5 text".
func (e *editor) edits(m reply) string {
	e.t.Helper()
	if m.Error != nil {
		return "error: " + strings.ReplaceAll(m.Error.Message, e.dir+"/", "")
	}
	var w struct{ Changes map[string][]edit }
	if err := json.Unmarshal(m.Result, &w); err != nil {
		e.t.Fatalf("%s: %v", m.Result, err)
	}
	var lines []string
	for uri, edits := range w.Changes {
		for _, c := range edits {
			r := c.Range
			lines = append(lines, fmt.Sprintf("%s %d:%d-%d:%d %s", e.name(uri), r.Start.Line, r.Start.Character, r.End.Line, r.End.Character, c.NewText))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// Headings and files are renamed with all references to them, in the text that is in the editor.
func TestLSPRename(t *testing.T) {
	t.Parallel()
	e := newEditor(t, lspTree)
	m := e.start("{}")
	for _, want := range []string{`"renameProvider":{"prepareProvider":true}`, `"willRename":{"filters":[{"pattern":{"glob":"**/*"}}]}`} {
		if !strings.Contains(string(m.Result), want) {
			t.Errorf("%s: no %s", m.Result, want)
		}
	}
	e.open("a.md", "# A\n\né [b](b.md#intro) [u](b.md#über-uns)\n[none](none.md)\n")
	e.until("a.md", `3:7-3:14 1 refract missing-file: no such file: "none.md"`)
	e.open("b.md", "# Intro\n\n## Über uns\n\n## Two words\n\n[p](sub/p.png) [q](./page.html) [own](#über-uns)\n[none](none2.md)\n")
	e.until("b.md", `7:7-7:15 1 refract missing-file: no such file: "none2.md"`)

	if m := e.call("textDocument/prepareRename", e.place("b.md", 2, 5)); string(m.Result) != `{"range":{"start":{"line":2,"character":3},"end":{"line":2,"character":11}},"placeholder":"Über uns"}` {
		t.Errorf("%s", m.Result)
	}
	if m := e.call("textDocument/prepareRename", e.place("b.md", 1, 0)); string(m.Result) != "null" {
		t.Errorf("%s", m.Result)
	}
	heading := e.place("b.md", 2, 5)
	heading["newName"] = "Intro"
	want := "a.md 2:27-2:35 intro-1\nb.md 2:3-2:11 Intro\nb.md 6:39-6:47 intro-1"
	if got := e.edits(e.call("textDocument/rename", heading)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}

	rename := func(from, to string) string {
		return e.edits(e.call("workspace/willRenameFiles", map[string]any{"files": []map[string]string{{"oldUri": e.uri(from), "newUri": e.uri(to)}}}))
	}
	want = "a.md 2:6-2:22 sub/b.md#intro) [u](sub/\nb.md 6:4-6:19 p.png) [q](.\nb.md 7:7-7:7 ../"
	if got := rename("b.md", "sub/b.md"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	want = "b.md 6:4-6:7 dir"
	if got := rename("sub", "dir"); !strings.Contains(got, want) || !strings.Contains(got, "page.html") {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := rename("b.md", ".hidden/b.md"); !strings.HasPrefix(got, "error: ") {
		t.Errorf("got %s", got)
	}
	e.notify("workspace/didRenameFiles", map[string]any{"files": []map[string]string{}})
	e.stop()
}

// Labels are renamed with all their uses in the document.
func TestLSPRenameLabel(t *testing.T) {
	t.Parallel()
	e := newEditor(t, lspTree)
	e.start("{}")
	e.open("a.md", "# The [foo]\n\né 😀 [t][Foo] [foo] [x](none.md)\n\n[foo]: b.md\n[Bar]: b.md\n")
	e.until("a.md", "2:24-2:31 1 refract missing-file: no such file: \"none.md\"\n5:7-5:11 3 refract unused-definition: this definition is not used")
	e.open("b.md", "[a](a.md#the-foo)\n")
	e.until("b.md", "")

	for _, place := range []struct {
		line, character int
		want            string
	}{
		{2, 9, `{"range":{"start":{"line":2,"character":9},"end":{"line":2,"character":12}},"placeholder":"Foo"}`},
		{4, 4, `{"range":{"start":{"line":4,"character":1},"end":{"line":4,"character":4}},"placeholder":"foo"}`},
		{0, 7, `{"range":{"start":{"line":0,"character":7},"end":{"line":0,"character":10}},"placeholder":"foo"}`},
		{0, 3, `{"range":{"start":{"line":0,"character":2},"end":{"line":0,"character":11}},"placeholder":"The [foo]"}`},
		{2, 6, "null"},
	} {
		if m := e.call("textDocument/prepareRename", e.place("a.md", place.line, place.character)); string(m.Result) != place.want {
			t.Errorf("%v: %s", place, m.Result)
		}
	}
	for name, want := range map[string]string{
		"new one": "a.md 0:7-0:10 new one\na.md 2:9-2:18 new one] [new one\na.md 4:1-4:4 new one\nb.md 0:13-0:16 new-one",
		"bar":     `error: line 6 already defines the label "bar"`,
		"a]b":     "error: a label cannot contain brackets",
		"":        "error: the new label must be one line of text",
	} {
		p := e.place("a.md", 2, 10)
		p["newName"] = name
		if got := e.edits(e.call("textDocument/rename", p)); got != want {
			t.Errorf("%q: got\n%s\nwant\n%s", name, got, want)
		}
	}
	e.stop()
}
