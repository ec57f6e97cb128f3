package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.org/refract/internal/testing/scantest"
)

const viewTree = `
-- a.md --
---
title: x
---
# Alpha

[b](b.md#two-words) [b](b.md) [u](https://example.org/x) [i](p.svg) [n](none.md) ![g](g.gif)

## Second part

See [r](r.rst), [ad](d.adoc#_part), [h](h.html#x), [self](#second-part).
-- b.md --
# Intro

text

## Two words

More *text* here.

[back](a.md)
-- r.rst --
Title
=====

Sub
---

` + "`a <a.md>`_ `b <b.md>`_" + `
-- d.adoc --
= Doc

== Part

link:b.md#two-words[x]

=== Deeper
-- h.html --
<h1>Page</h1><h2 id=x>A <b>head</b></h2><a href="b.md#two-words">b</a>
-- o.org --
* One
** Two
[[file:b.md][b]]
-- p.svg --
<svg width="30" height="20" xmlns="http://www.w3.org/2000/svg"></svg>
-- sub/x.md --
x
`

const allCapabilities = `{"general":{"positionEncodings":["utf-8"]},"workspace":{"workspaceEdit":{"documentChanges":true,"resourceOperations":["create","rename"]}},"textDocument":{"documentSymbol":{"hierarchicalDocumentSymbolSupport":true}}}`

// viewer starts an editor that has opened a document of viewTree, and waits for its findings.
func viewer(t *testing.T, name string) *editor {
	t.Helper()
	e := newEditor(t, viewTree)
	gif := "GIF89a\x07\x00\x05\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"
	os.WriteFile(filepath.Join(e.dir, "g.gif"), []byte(gif), 0o666)
	e.start(allCapabilities)
	text, err := os.ReadFile(filepath.Join(e.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	e.open(name, string(text))
	e.until(name, map[string]string{"a.md": `5:72-5:79 1 refract missing-file: no such file: "none.md"`}[name])
	return e
}

// result asks about a place, and returns the answer as JSON, with the directory of the workspace
// replaced.
func (e *editor) result(method string, params object) string {
	e.t.Helper()
	m := e.call(method, params)
	if m.Error != nil {
		e.t.Errorf("%s: %+v", method, m.Error)
	}
	return strings.ReplaceAll(string(m.Result), e.uri(""), "DIR")
}

func TestLSPHover(t *testing.T) {
	t.Parallel()
	e := viewer(t, "a.md")
	for _, x := range []struct {
		column int
		want   string // part of what is shown
	}{
		{6, "**b.md**, line 5\n\n```\n## Two words\n\nMore *text* here.\n\n[back](a.md)\n```"},
		{26, "**b.md**\n\n```\n# Intro\n\ntext\n\n## Two words"},
		{36, `https://example.org/x`},
		{61, "**p.svg**, 30 × 20, 70 bytes"},
		{74, `**missing-file**: no such file: "none.md"`},
		{88, "**g.gif**, 7 × 5, "},
		{0, ""},
	} {
		var h struct{ Contents struct{ Kind, Value string } }
		json.Unmarshal([]byte(e.result("textDocument/hover", e.place("a.md", 5, x.column))), &h)
		if !strings.Contains(h.Contents.Value, x.want) || (h.Contents.Value == "") != (x.want == "") {
			t.Errorf("column %d: %q, want %q", x.column, h.Contents.Value, x.want)
		}
	}
	e.stop()
}

// Hover shows the lines of code that a link names, and nothing of a file outside of the workspace.
func TestLSPHoverLines(t *testing.T) {
	t.Parallel()
	e := newEditor(t, "-- .git/HEAD --\n-- ws/main.go --\n"+numbered(30)+"-- ws/big.c --\n"+strings.Repeat("a long line of text\n", 60000)+"-- secret.go --\npassword\n-- ws/odd.``` --\n````\n-- ws/bad.c --\n\xff\x1b[31m\n-- ws/none.h --\n-- ws/a.md --\n")
	os.Symlink("../secret.go", filepath.Join(e.dir, "ws", "link.go"))
	e.call("initialize", object{"rootUri": e.uri("ws"), "capabilities": json.RawMessage(allCapabilities)})
	e.notify("initialized", object{})
	for i, x := range []struct{ ref, want string }{
		{"main.go#L3-L5", "**main.go**, lines 3 to 5\n\n```go\nline 3\nline 4\nline 5\n```"},
		{"main.go#L5-3", "**main.go**, lines 3 to 5\n\n```go\nline 3\nline 4\nline 5\n```"},
		{"main.go#L4C1-L5C2", "lines 4 to 5\n\n```go\nline 4\nline 5\n```"},
		{"main.go#L30", "**main.go**, line 30\n\n```go\nline 30\n```"},
		{"main.go#L1", "**main.go**, line 1\n\n```go\nline 1\nline 2\nline 3\nline 4\nline 5\nline 6\nline 7\nline 8\n```"},
		{"main.go#L2-L999999999", "lines 2 to 999999999\n\n```go\n" + strings.TrimPrefix(numbered(21), "line 1\n") + "```"},
		{"main.go#L99-L100", "lines 99 to 100\n\n```go\n\n```"},
		{"main.go#L0", "**main.go**, line 1\n"},
		{"main.go", "**main.go**\n\n```go\nline 1\n"},
		{"big.c#L3", "**big.c**, 1200000 bytes"},
		{"odd.```#L1", "line 1\n\n`````\n````\n`````"},
		{"bad.c#L1", "```c\n\ufffd\x1b[31m\n```"},
		{"none.h#L1-L3", "```h\n\n```"},
		{"../secret.go#L1", "/secret.go**"},
		{"link.go#L1", "**link.go**"},
	} {
		name, text := "ws/a.md", "[n](none.md) [x]("+x.ref+")\n"
		if i == 0 {
			e.open(name, text)
		} else {
			e.changes(name, object{"text": text})
		}
		for e.shown[name] == "" {
			e.receive()
		}
		var h struct{ Contents struct{ Value string } }
		got := e.result("textDocument/hover", e.place(name, 0, 18))
		json.Unmarshal([]byte(got), &h)
		if got = h.Contents.Value; !strings.Contains(got, x.want) && !strings.HasPrefix(got, "**missing-fragment**") || strings.Contains(got, "password") {
			t.Errorf("%s: %q, want %q", x.ref, got, x.want)
		}
	}
	e.stop()
}

// numbered returns lines with their numbers.
func numbered(n int) (text string) {
	for i := range n {
		text += fmt.Sprintf("line %d\n", i+1)
	}
	return text
}

// Symbols are the headings, in every format.
func TestLSPSymbols(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"a.md":   "Alpha 3-10 [Second part 7-10 []]",
		"b.md":   "Intro 0-9 [Two words 4-9 []]",
		"r.rst":  "Title 0-7 [Sub 3-7 []]",
		"d.adoc": "Part 2-7 [Deeper 6-7 []]",
		"h.html": "Page 0-1 [A head 0-1 []]",
		"o.org":  "One 0-3 [Two 1-3 []]",
	} {
		e := viewer(t, name)
		type symbol struct {
			Name     string
			Range    span
			Children []symbol
		}
		var show func(list []symbol) string
		show = func(list []symbol) string {
			var all []string
			for _, s := range list {
				all = append(all, fmt.Sprintf("%s %d-%d [%s]", s.Name, s.Range.Start.Line, s.Range.End.Line, show(s.Children)))
			}
			return strings.Join(all, " ")
		}
		var list []symbol
		got := e.result("textDocument/documentSymbol", e.place(name, 0, 0))
		json.Unmarshal([]byte(got), &list)
		if show(list) != want {
			t.Errorf("%s: %s, want %s", name, show(list), want)
		}
		if name == "a.md" {
			got := e.result("workspace/symbol", object{"query": "tw"})
			if strings.Count(got, `"name"`) != 2 || !strings.Contains(got, `"name":"Two words"`) || !strings.Contains(got, `"uri":"DIR/b.md"`) || !strings.Contains(got, `"uri":"DIR/o.org"`) {
				t.Error(got)
			}
			if got := e.result("workspace/symbol", object{"query": ""}); strings.Count(got, `"name"`) != 12 {
				t.Error(got)
			}
		}
		e.stop()
	}
}

func TestLSPLinks(t *testing.T) {
	t.Parallel()
	e := viewer(t, "a.md")
	got := e.result("textDocument/documentLink", e.place("a.md", 0, 0))
	for _, want := range []string{`"DIR/b.md#L5"`, `"DIR/b.md"`, `"https://example.org/x"`, `"DIR/p.svg"`, `"DIR/r.rst"`, `"DIR/d.adoc#L3"`, `"DIR/a.md#L8"`} {
		if !strings.Contains(got, `"target":`+want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	if strings.Contains(got, "none.md") {
		t.Error(got)
	}
	e.stop()
}

// References come from documents of every format, to a document, to a heading, and to the target of
// the reference at the cursor.
func TestLSPReferences(t *testing.T) {
	t.Parallel()
	e := viewer(t, "b.md")
	sources := func(line, column int) string {
		t.Helper()
		var all []struct {
			URI   string
			Range span
		}
		p := e.place("b.md", line, column)
		p["context"] = object{"includeDeclaration": false}
		json.Unmarshal([]byte(e.result("textDocument/references", p)), &all)
		var list []string
		for _, l := range all {
			list = append(list, fmt.Sprintf("%s:%d:%d", strings.TrimPrefix(l.URI, "DIR/"), l.Range.Start.Line, l.Range.Start.Character))
		}
		return strings.Join(list, " ")
	}
	if got, want := sources(4, 5), "a.md:5:4 d.adoc:4:5 h.html:0:49"; got != want {
		t.Errorf("to a heading: %s, want %s", got, want)
	}
	if got, want := sources(2, 0), "a.md:5:4 a.md:5:24 d.adoc:4:5 h.html:0:49 o.org:2:7 r.rst:6:16"; got != want {
		t.Errorf("to the document: %s, want %s", got, want)
	}
	if got, want := sources(8, 8), "b.md:8:7 r.rst:6:4"; got != want {
		t.Errorf("of a link: %s, want %s", got, want)
	}
	lenses := e.result("textDocument/codeLens", e.place("b.md", 0, 0))
	for _, want := range []string{`"line":0,"character":0}},"command":{"title":"6 links to this document"`, `"line":4,"character":0}},"command":{"title":"3 links"`} {
		if !strings.Contains(lenses, want) {
			t.Errorf("no %s in %s", want, lenses)
		}
	}
	// An edit above the heading moves it; nothing else changes.
	e.changes("b.md", replace(2, 0, 2, 0, "x\n\n"))
	e.until("b.md", "")
	for lenses = ""; !strings.Contains(lenses, `"line":6,"character":0}},"command":{"title":"3 links"`); {
		lenses = e.result("textDocument/codeLens", e.place("b.md", 0, 0))
	}
	if got, want := sources(6, 5), "a.md:5:4 d.adoc:4:5 h.html:0:49"; got != want {
		t.Errorf("to a heading that has moved: %s, want %s", got, want)
	}
	e.stop()
}

// The missing document can be created, if the client can do that.
func TestLSPCreate(t *testing.T) {
	t.Parallel()
	e := viewer(t, "a.md")
	p := e.place("a.md", 5, 74)
	p["range"] = object{"start": at{5, 74}, "end": at{5, 74}}
	p["context"] = object{"diagnostics": e.raw["a.md"]}
	got := e.result("textDocument/codeAction", p)
	if !strings.Contains(got, `"title":"Create \"none.md\""`) || !strings.Contains(got, `{"documentChanges":[{"kind":"create","uri":"DIR/none.md"}]}`) {
		t.Error(got)
	}
	e.stop()
}

// Each folder has its own configuration, and settings of the client come before it.
func TestLSPFolders(t *testing.T) {
	t.Parallel()
	e := newEditor(t, "-- one/a.md --\n[x](none.md) [y](/b.md)\n-- one/.refract.yaml --\nno-rule: missing-file\n-- two/a.md --\n[x](none.md)\n-- two/b.md --\n[x](../one/a.md)\n")
	e.call("initialize", object{"capabilities": object{"workspace": object{"configuration": true}}, "workspaceFolders": []object{{"uri": e.uri("one"), "name": "1"}, {"uri": e.uri("two"), "name": "2"}}})
	e.settings = `[null,{"noRule":["orphan"],"unknown":1}]`
	e.notify("initialized", object{})
	e.until("two/a.md", `0:4-0:11 1 refract missing-file: no such file: "none.md"`)
	if len(e.asked) != 1 || !strings.Contains(e.asked[0], `{"scopeUri":"`+e.uri("two")+`","section":"refract"}`) {
		t.Errorf("%q", e.asked)
	}
	if len(e.logged) != 1 || !strings.Contains(e.logged[0], `\"unknown\" is not a flag of refract lsp`) {
		t.Errorf("%q", e.logged)
	}
	if e.shown["one/a.md"] != "" {
		t.Errorf("%q", e.shown)
	}
	e.settings = `[null,{"noRule":"missing-file"}]`
	e.notify("workspace/didChangeConfiguration", object{"settings": nil})
	e.until("two/a.md", "")
	e.stop()
}

// Without a folder, the settings of the client are asked for without one.
func TestLSPNoFolder(t *testing.T) {
	t.Parallel()
	e := newEditor(t, "-- a.md --\n[x](none.md)\n")
	e.call("initialize", object{"capabilities": object{"workspace": object{"configuration": true}}})
	e.settings = `[{"noRule":["orphan"]}]`
	e.notify("initialized", object{})
	e.open("a.md", "[x](gone.md)\n")
	e.until("a.md", fmt.Sprintf("0:4-0:11 1 refract missing-file: no such file: %q", e.dir+"/gone.md"))
	if want := `workspace/configuration {"items":[{"section":"refract"}]}`; len(e.asked) != 1 || e.asked[0] != want {
		t.Errorf("%q, want %q", e.asked, want)
	}
	e.stop()
}

// A document that is checked by itself has the findings that an audit of the folder has.
func TestLSPLocal(t *testing.T) {
	t.Parallel()
	e := viewer(t, "a.md")
	broken := func(name string) string {
		return fmt.Sprintf(`0:4-0:%d 1 refract missing-file: no such file: %q`, 4+len(name), name)
	}
	for i := range 5 {
		name := fmt.Sprintf("n%d.md", i)
		e.changes("a.md", object{"text": "[x](" + name + ")\n# Alpha\n## Second part\n"})
		e.until("a.md", broken(name))
	}
	e.notify("textDocument/didSave", object{"textDocument": object{"uri": e.uri("a.md")}})
	e.open("b.md", "[back](a.md#second-part)") // its headings are gone: others are checked again
	e.until("d.adoc", `4:5-4:19 1 refract missing-fragment: "b.md" has no id "two-words"`)
	if e.shown["a.md"] != broken("n4.md") {
		t.Errorf("%q", e.shown["a.md"])
	}
	e.stop()
}

// In a tree of 3,000 documents, an edit takes little CPU: an audit of the tree takes some hundred
// milliseconds.
func TestLSPEffort(t *testing.T) {
	scantest.Long(t, "measures CPU time in a tree of 3,000 documents")
	const documents, edits = 3000, 20
	var tree strings.Builder
	for i := range documents {
		fmt.Fprintf(&tree, "-- s%d/p%d.md --\n# Page %d\n\n", i%30, i, i)
		for k := range 8 {
			to := (i*31 + k*977) % documents
			fmt.Fprintf(&tree, "## Section %d\n\nSome text. See [it](../s%d/p%d.md#section-%d) and [that](https://example.org/%d).\n\n", k, to%30, to, k, i)
		}
	}
	effort := func(edits int) time.Duration {
		e := newEditor(t, tree.String())
		e.start(allCapabilities)
		text, _ := os.ReadFile(filepath.Join(e.dir, "s1", "p1.md"))
		e.open("s1/p1.md", string(text))
		e.until("s1/p1.md", "")
		line := strings.Count(string(text), "\n")
		for i := range edits {
			e.changes("s1/p1.md", replace(line, 0, line, 99, fmt.Sprintf("[x](none%d.md)", i)))
			e.until("s1/p1.md", fmt.Sprintf(`%d:4-%d:%d 1 refract missing-file: no such file: "s1/none%d.md"`, line, line, len(fmt.Sprintf("[x](none%d.md", i)), i))
		}
		e.stop()
		return e.cmd.ProcessState.UserTime() + e.cmd.ProcessState.SystemTime()
	}
	none, some := effort(0), effort(edits)
	each := (some - none) / edits
	t.Logf("%v for the audit, %v for each edit", none, each)
	if each > 50*time.Millisecond {
		t.Errorf("an edit takes %v", each)
	}
}

const labelTree = `
-- conf.py --
extensions = ["myst_parser"]
-- index.rst --
Index
=====

.. toctree::

   a
   b

See :ref:` + "`my_label`, :ref:`x <my label>`, :ref:`Other`, :numref:`fig` and :ref:`none`" + `.
-- a.rst --
.. _my_label:
.. _my label:

=====
Title
=====

.. _fig:

.. figure:: x.png

:ref:` + "`my_label`" + `
-- b.md --
(other)=
# Other

{ref}` + "`my_label`" + `
-- x.png --
`

// Uses of labels of Sphinx point to the sections below the labels.
func TestLSPLabels(t *testing.T) {
	t.Parallel()
	e := newEditor(t, labelTree)
	e.start("{}")
	for _, name := range []string{"index.rst", "a.rst", "b.md"} {
		text, err := os.ReadFile(filepath.Join(e.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		e.open(name, string(text))
	}
	e.until("index.rst", `8:80-8:84 1 refract missing-fragment: the site has no label "none"`)
	where := func(method, name string, line, character int) string {
		t.Helper()
		p := e.place(name, line, character)
		p["context"] = object{"includeDeclaration": false}
		var list []struct {
			URI     string
			Range   span
			Command struct{ Title string }
		}
		raw := []byte(e.result(method, p))
		if raw[0] == '{' {
			raw = []byte("[" + string(raw) + "]")
		}
		if err := json.Unmarshal(raw, &list); err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		var lines []string
		for _, l := range list {
			r := l.Range
			lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %d:%d-%d:%d %s", strings.TrimPrefix(l.URI, "DIR/"), r.Start.Line, r.Start.Character, r.End.Line, r.End.Character, l.Command.Title)))
		}
		return strings.Join(lines, "\n")
	}
	const uses = "a.rst 11:6-11:14\nb.md 3:6-3:14\nindex.rst 8:10-8:18\nindex.rst 8:30-8:38"
	for _, tt := range []struct {
		method, name    string
		line, character int
		want            string
	}{
		{"references", "a.rst", 4, 1, uses},
		{"references", "a.rst", 0, 5, uses},
		{"references", "index.rst", 8, 12, uses},
		{"references", "b.md", 1, 3, "index.rst 8:48-8:53"},
		{"definition", "index.rst", 8, 48, "b.md 1:0-1:0"},
		{"definition", "b.md", 3, 8, "a.rst 0:0-0:0"},
		{"codeLens", "a.rst", 0, 0, "0:0-0:0 5 links to this document\n4:0-4:0 4 links"},
		{"codeLens", "b.md", 0, 0, "0:0-0:0 2 links to this document\n1:0-1:0 1 link"},
	} {
		if got := where("textDocument/"+tt.method, tt.name, tt.line, tt.character); got != tt.want {
			t.Errorf("%s in %s, line %d: got\n%s\nwant\n%s", tt.method, tt.name, tt.line, got, tt.want)
		}
	}
	if got := e.result("textDocument/hover", e.place("b.md", 3, 8)); !strings.Contains(got, "a.rst") || !strings.Contains(got, "_my_label:") {
		t.Errorf("hover: %s", got)
	}
	e.stop()
}

// A folder that the client names by a symbolic link above it, as /tmp on macOS: answers have the client's names, and what the
// configuration names is the same tree.
func TestLSPLinkAbove(t *testing.T) {
	t.Parallel()
	e := newEditor(t, "-- docs/a.md --\n# Alpha\n-- docs/b.md --\n[x](a.md#alpha) [y](https://example.org/a.md#alpha)\n-- .refract.yaml --\nsite: https://example.org/=docs\norphans: true\n")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(e.dir, link); err != nil {
		t.Skip(err)
	}
	if real, err := filepath.EvalSymlinks(link); err != nil || filepath.ToSlash(real) != e.dir {
		t.Skip("no symbolic links")
	}
	e.dir = filepath.ToSlash(link)
	e.start("{}")
	e.open("docs/a.md", "# Alpha\n[b](b.md) [none](none.md)\n")
	e.until("docs/a.md", `1:17-1:24 1 refract missing-file: no such file: "docs/none.md"`)
	if got := e.shown["docs/b.md"]; got != "" {
		t.Errorf("docs/b.md: %q", got)
	}
	p := e.place("docs/a.md", 0, 3)
	p["newName"] = "Beta"
	got := e.result("textDocument/rename", p)
	if !strings.Contains(got, `"DIR/docs/a.md":[`) || !strings.Contains(got, `"newText":"beta) [y](https://example.org/a.md#bet"`) {
		t.Error(got)
	}
	e.changes("docs/a.md", object{"text": "# Gamma\n[b](b.md)\n"})
	e.until("docs/b.md", `0:4-0:14 1 refract missing-fragment: "docs/a.md" has no id "alpha"
0:20-0:50 1 refract missing-fragment: "docs/a.md" has no id "alpha"`)
	e.stop()
}
