package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

const completionTree = `
-- a.md --
# Alpha
-- sub/deep.md --
# The Depths

## Far below
-- sub/more/deepest.md --
# Other
-- sub/plain.md --
no heading
-- other/x.md --
# Depth of field
-- .git/x --
`

// An offered is what a test looks at in an item.
type offered struct {
	Label, FilterText, SortText, Detail, Documentation string
	TextEdit                                           edit
}

// offers returns the items at "|" in a text, each as its label and the line when it has been taken, in the order of the editor.
func offers(t *testing.T, e *editor, name, marked string) (items []string, isIncomplete bool, all []offered) {
	t.Helper()
	text, _, _ := strings.Cut(marked, "|")
	line := strings.Count(text, "\n")
	column := len([]rune(text[strings.LastIndexByte(text, '\n')+1:]))
	whole := strings.Replace(marked, "|", "", 1)
	if e.versions[name] == 0 {
		e.open(name, whole)
	} else {
		e.changes(name, object{"text": whole})
	}
	var list struct {
		IsIncomplete bool
		Items        []offered
	}
	m := e.call("textDocument/completion", e.place(name, line, column))
	if err := json.Unmarshal(m.Result, &list); err != nil {
		t.Fatalf("%s: %v", m.Result, err)
	}
	runes := []rune(strings.Split(whole, "\n")[line])
	for _, i := range list.Items {
		r := i.TextEdit.Range
		items = append(items, i.Label+" "+string(runes[:r.Start.Character])+i.TextEdit.NewText+string(runes[r.End.Character:]))
	}
	return items, list.IsIncomplete, list.Items
}

// Documents, headings and labels are offered from the whole tree, by names and titles, the closest first.
func TestCompletionFromTree(t *testing.T) {
	t.Parallel()
	e := newEditor(t, completionTree)
	e.start("{}")
	e.open("a.md", "")
	e.until("a.md", "")
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"a.md", "[x](dee|)", []string{"a.md [x](a.md)", "other/ [x](other/)", "sub/ [x](sub/)", "deep.md [x](sub/deep.md)", "deepest.md [x](sub/more/deepest.md)"}},
		{"a.md", "[x](DEPTH|", []string{"a.md [x](a.md", "other/ [x](other/", "sub/ [x](sub/", "x.md [x](other/x.md", "deep.md [x](sub/deep.md"}},
		{"a.md", "[x](plai|", []string{"a.md [x](a.md", "other/ [x](other/", "sub/ [x](sub/", "plain.md [x](sub/plain.md"}},
		{"a.md", "[x](d|", []string{"a.md [x](a.md", "other/ [x](other/", "sub/ [x](sub/"}},
		{"a.md", "![x](dee|", nil},
		{"sub/more/deepest.md", "[x](depth|)", []string{"deepest.md [x](deepest.md)", "deep.md [x](../deep.md)", "x.md [x](../../other/x.md)"}},
		{"a.md", "# Far Alpha\n\n[x](##fa|)", []string{"Far below [x](sub/deep.md#far-below)"}},
		{"sub/deep.md", "[x](##othe|", []string{"Other [x](more/deepest.md#other"}},
		{"a.md", "[x][c|]\n\n[ci]: b\n[CI]: c\n[other \\[x\\]]: d\n[^note]: x", []string{"ci [x][ci]", `other \[x\] [x][other \[x\]]`}},
		{"a.md", "x[^|\n\n[^note]: x\n[ci]: b", []string{"note x[^note]"}},
		{"a.md", "[[dee|", nil}, // no wiki
		{"a.md", "x [y] [|", nil},
	} {
		got, _, all := offers(t, e, test.name, test.text)
		if test.text == "![x](dee|" {
			got = slices.DeleteFunc(got, func(s string) bool { return strings.HasSuffix(strings.Fields(s)[0], "/") })
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q:\ngot  %q\nwant %q", test.name, test.text, got, test.want)
		}
		for _, i := range all {
			if i.Label == "deep.md" && i.Detail != "" && (i.Detail != "sub/deep.md" || i.Documentation != "The Depths") {
				t.Errorf("%+v", i)
			}
		}
	}
	if _, isIncomplete, _ := offers(t, e, "a.md", "[x](d|"); !isIncomplete {
		t.Error("after one letter, the client would not ask again")
	}
	e.stop()
}

// In a vault, [[ offers notes by their names.
func TestCompletionOfNotes(t *testing.T) {
	t.Parallel()
	e := newEditor(t, completionTree+"-- .obsidian/app.json --\n{}\n")
	e.start("{}")
	e.open("a.md", "")
	e.until("a.md", "")
	for text, want := range map[string][]string{
		"[[dee|":        {"deep [[deep]]", "deepest [[deepest]]"},
		"[[dee|]]":      {"deep [[deep]]", "deepest [[deepest]]"},
		"[[zzz|":        nil,
		"[[deep#|":      {"The Depths [[deep#The Depths]]", "Far below [[deep#Far below]]"},
		"[[deep#Fa|]]":  {"The Depths [[deep#The Depths]]", "Far below [[deep#Far below]]"},
		"# Own\n\n[[#|": {"Own [[#Own]]"},
		"[[zzz#|":       nil,
	} {
		if got, _, _ := offers(t, e, "a.md", text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	e.stop()
}

// An item that is resolved has the title and the first lines of what it points to. Data that names another file than one of a
// workspace changes nothing.
func TestCompletionItemResolve(t *testing.T) {
	t.Parallel()
	e := newEditor(t, completionTree)
	if m := e.start("{}"); !strings.Contains(string(m.Result), `"resolveProvider":true`) {
		t.Errorf("%s", m.Result)
	}
	e.open("a.md", "")
	e.until("a.md", "")
	resolve := func(text, label string) string {
		t.Helper()
		offers(t, e, "a.md", text)
		at := strings.Index(text, "|")
		var list struct{ Items []map[string]any }
		if err := json.Unmarshal(e.call("textDocument/completion", e.place("a.md", 0, at)).Result, &list); err != nil {
			t.Fatal(err)
		}
		for _, i := range list.Items {
			if i["label"] != label {
				continue
			}
			var item struct{ Documentation any }
			if err := json.Unmarshal(e.call("completionItem/resolve", i).Result, &item); err != nil {
				t.Fatal(err)
			}
			if m, ok := item.Documentation.(map[string]any); ok {
				return m["kind"].(string) + ": " + m["value"].(string)
			}
			return "none"
		}
		return "no item"
	}
	for _, tt := range []struct{ text, label, want string }{
		{"[x](dee|", "deep.md", "markdown: The Depths\n\n**sub/deep.md**\n\n```\n# The Depths"},
		{"[x](a|", "a.md", "markdown: **a.md**"},
		{"[x](dee|", "sub/", "none"},
		{"[x](##far|", "Far below", "markdown: **sub/deep.md**, line "},
		{"[x](sub/deep.md#far|", "far-below", "markdown: **sub/deep.md**, line "},
	} {
		if got := resolve(tt.text, tt.label); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s %s: %s, want %s", tt.text, tt.label, got, tt.want)
		}
	}
	for _, data := range []any{nil, object{"path": "/etc/passwd"}, object{"path": ""}} {
		item := object{"label": "x", "kind": 17, "filterText": "x", "textEdit": object{"range": object{"start": at{0, 0}, "end": at{0, 0}}, "newText": ""}, "data": data}
		if m := e.call("completionItem/resolve", item); m.Error != nil || strings.Contains(string(m.Result), "documentation") {
			t.Errorf("%v: %s %v", data, m.Result, m.Error)
		}
	}
	e.stop()
}
