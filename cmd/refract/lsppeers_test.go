package main

import (
	"slices"
	"strings"
	"testing"
)

const peersTree = `
-- .obsidian/app.json --
{}
-- note.md --
-- other.md --
---
aliases: [Second]
---
# Other

## Head

A block. ^id

[[note]] [[note#Part one]]
-- sub/third.md --
# Low Seismic Profile

[[note]]
`

const peersNote = `# Note

Text. [t](gone.md)

## Part one

See [[other]] and [[other#Head]] and [o](other.md#head) and [[none]].

A[^n] and [[other#^id]] #tag

[^n]: A footnote.

[[ot
[[other#
#ta
[a](ot

[b](other.md#

[[Sec
> [!no
`

// What marksman and markdown-oxide list as their features, tried here: the table in docs/guides/editor.md says the same.
func TestPeersFeatures(t *testing.T) {
	t.Parallel()
	e := newEditor(t, peersTree)
	e.start(`{"workspace":{"workspaceEdit":{"resourceOperations":["create"]}}}`)
	e.open("note.md", peersNote)
	for !strings.Contains(e.shown["note.md"], "gone.md") {
		if _, ok := e.receive(); !ok {
			t.Fatal(e.stderr.String())
		}
	}
	for _, tt := range []struct {
		what, method string
		line, column int
		want         []string // what the answer contains; none: it is empty
	}{
		{"hover of a wiki link", "hover", 6, 8, []string{"**other.md**", "# Other"}},
		{"hover of a heading of a wiki link", "hover", 6, 22, []string{"**other.md**, line 6", "## Head"}},
		{"hover of a block", "hover", 8, 14, []string{"**other.md**, line 8", "A block."}},
		{"hover of a footnote", "hover", 8, 3, nil},
		{"hover of a heading", "hover", 4, 5, nil},
		{"definition of a heading", "definition", 6, 22, []string{"other.md", `"line":5`}},
		{"definition of a block", "definition", 8, 14, []string{"other.md", `"line":7`}},
		{"definition of a footnote", "definition", 8, 3, nil},
		{"completion of wiki links", "completion", 12, 4, []string{`"newText":"other]]"`}},
		{"completion of their headings", "completion", 13, 8, []string{`"newText":"Other]]"`, `"newText":"Head]]"`}},
		{"completion of tags", "completion", 14, 3, nil},
		{"completion of files", "completion", 15, 6, []string{`"newText":"other.md"`}},
		{"completion of headings in a vault", "completion", 17, 13, []string{`"newText":"other"`, `"newText":"head"`}},
		{"completion of aliases", "completion", 19, 5, nil},
		{"completion of callouts", "completion", 20, 6, nil},
		{"references of a heading", "references", 4, 5, []string{"other.md"}},
		{"references of the document", "references", 2, 1, []string{"other.md", "third.md"}},
		{"outline", "documentSymbol", 0, 0, []string{`"Note"`, `"Part one"`}},
		{"code lenses", "codeLens", 0, 0, []string{"3 links to this document", "1 link"}},
		{"creating a document", "codeAction", 2, 12, []string{`Create \"gone.md\"`}},
		{"creating a note", "codeAction", 6, 65, nil},
	} {
		p := e.place("note.md", tt.line, tt.column)
		p["range"] = object{"start": p["position"], "end": p["position"]}
		p["context"] = object{"diagnostics": []int{}, "includeDeclaration": false}
		m := e.call("textDocument/"+tt.method, p)
		got := string(m.Result)
		isEmpty := got == "null" || got == "[]" || strings.HasSuffix(got, `"items":[]}`)
		if m.Error != nil || isEmpty != (len(tt.want) == 0) || slices.ContainsFunc(tt.want, func(s string) bool { return !strings.Contains(got, s) }) {
			t.Errorf("%s: %s %v, want %q", tt.what, got, m.Error, tt.want)
		}
	}
	for query, want := range map[string]string{"lsp": "Low Seismic Profile", "hea": "Head"} {
		if got := string(e.call("workspace/symbol", object{"query": query}).Result); !strings.Contains(got, want) {
			t.Errorf("symbol %s: %s", query, got)
		}
	}
	heading := e.place("note.md", 4, 5)
	heading["newName"] = "Part two"
	if got, want := e.edits(e.call("textDocument/rename", heading)), "note.md 4:8-4:11 two\nother.md 9:21-9:24 two"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	files := object{"files": []object{{"oldUri": e.uri("other.md"), "newUri": e.uri("sub/new.md")}}}
	want := "note.md 6:6-6:46 new]] and [[new#Head]] and [o](sub/new\nnote.md 8:12-8:17 new"
	if got := e.edits(e.call("workspace/willRenameFiles", files)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	e.stop()
}
