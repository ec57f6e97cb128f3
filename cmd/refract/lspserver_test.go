package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"example.org/refract/internal/testing/scantest"
)

// patience is how long a test waits for what has to come. It decides nothing else.
const patience = time.Minute

// An editor is a client of "refract lsp", which runs in a process of its own.
type editor struct {
	t      *testing.T
	dir    string // of the workspace
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stderr bytes.Buffer

	messages chan reply // closed at the end of standard output
	timeout  <-chan time.Time
	id       int
	versions map[string]int
	texts    map[string]string
	shown    map[string]string // diagnostics, by name
	raw      map[string][]json.RawMessage
	told     []string // the names of documents, for each publishDiagnostics
	asked    []string // methods that the server has called
	logged   []string // what the server has told the user
	settings string   // the answer to workspace/configuration; "" is null
}

type reply struct {
	ID     *json.RawMessage
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
	}
}

type at struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

type span struct {
	Start at `json:"start"`
	End   at `json:"end"`
}

type edit struct {
	Range   span   `json:"range"`
	NewText string `json:"newText"`
}

type object = map[string]any

// newEditor writes a tree, and starts a server.
func newEditor(t *testing.T, tree string, flags ...string) *editor {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range txtar.Parse([]byte(tree)).Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		os.MkdirAll(filepath.Dir(name), 0o777)
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	e := &editor{
		t: t, dir: filepath.ToSlash(dir), messages: make(chan reply), timeout: time.After(patience),
		versions: map[string]int{}, texts: map[string]string{}, shown: map[string]string{}, raw: map[string][]json.RawMessage{},
	}
	e.cmd = &exec.Cmd{Path: self, Args: append([]string{"refract", "lsp"}, flags...), Stderr: &e.stderr}
	e.stdin, err = e.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := e.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := e.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		e.cmd.Process.Kill()
		e.cmd.Wait()
		if strings.Contains(e.stderr.String(), "goroutine ") {
			t.Error(e.stderr.String())
		}
	})
	go func() {
		defer close(e.messages)
		r := bufio.NewReader(stdout)
		for {
			header, err := r.ReadString('\n')
			if err != nil {
				return
			}
			n, _ := strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(header, "Content-Length:")))
			r.ReadString('\n')
			body := make([]byte, n)
			io.ReadFull(r, body)
			var m reply
			if json.Unmarshal(body, &m) == nil { // otherwise the answer to a batch
				e.messages <- m
			}
		}
	}()
	return e
}

func (e *editor) write(s string) { io.WriteString(e.stdin, s) }

func (e *editor) send(what object) {
	what["jsonrpc"] = "2.0"
	b, err := json.Marshal(what)
	if err != nil {
		e.t.Fatal(err)
	}
	e.write(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(b), b))
}

func (e *editor) notify(method string, params any) {
	e.send(object{"method": method, "params": params})
}

// receive takes in one message; ok is false at the end.
func (e *editor) receive() (m reply, ok bool) {
	e.t.Helper()
	select {
	case m, ok = <-e.messages:
	case <-e.timeout:
		e.t.Fatalf("nothing more comes; shown is %q\n%s", e.shown, e.stderr.String())
	}
	switch {
	case m.Method == "textDocument/publishDiagnostics":
		var p struct {
			URI         string
			Version     *int
			Diagnostics []json.RawMessage
		}
		if err := json.Unmarshal(m.Params, &p); err != nil || p.Diagnostics == nil {
			e.t.Fatalf("%s: %v", m.Params, err)
		}
		name := e.name(p.URI)
		if version := e.versions[name]; version > 0 && p.Version != nil && *p.Version > version || p.Version == nil && version > 0 {
			e.t.Errorf("%s: told of version %v, not %d", name, p.Version, version)
		}
		var lines []string
		for _, raw := range p.Diagnostics {
			var d struct {
				Range                 span
				Severity              int
				Code, Source, Message string
				Data                  struct{ Suggestion string }
			}
			if err := json.Unmarshal(raw, &d); err != nil {
				e.t.Fatalf("%s: %v", raw, err)
			}
			r := d.Range
			line := fmt.Sprintf("%d:%d-%d:%d %d %s %s: %s", r.Start.Line, r.Start.Character, r.End.Line, r.End.Character, d.Severity, d.Source, d.Code, d.Message)
			if d.Data.Suggestion != "" {
				line += " => " + d.Data.Suggestion
			}
			lines = append(lines, line)
		}
		e.shown[name] = strings.Join(lines, "\n")
		e.raw[name] = p.Diagnostics
		e.told = append(e.told, name)
	case m.Method != "" && m.ID != nil:
		e.asked = append(e.asked, m.Method+" "+string(m.Params))
		var result any
		if m.Method == "workspace/configuration" && e.settings != "" {
			result = json.RawMessage(e.settings)
		}
		e.send(object{"id": m.ID, "result": result})
	case strings.HasPrefix(m.Method, "window/"):
		e.logged = append(e.logged, string(m.Params))
	}
	return m, ok
}

// call asks for something, and returns the answer.
func (e *editor) call(method string, params any) reply {
	e.t.Helper()
	e.id++
	e.send(object{"id": e.id, "method": method, "params": params})
	for {
		m, ok := e.receive()
		if !ok {
			e.t.Fatalf("%s: no answer\n%s", method, e.stderr.String())
		}
		if m.ID != nil && m.Method == "" && string(*m.ID) == strconv.Itoa(e.id) {
			return m
		}
	}
}

// start says hello for a workspace of one folder.
func (e *editor) start(capabilities string) reply {
	e.t.Helper()
	m := e.call("initialize", object{"processId": nil, "rootUri": e.uri(""), "capabilities": json.RawMessage(capabilities)})
	e.notify("initialized", object{})
	return m
}

// stop says goodbye, and returns the exit status.
func (e *editor) stop() int {
	e.t.Helper()
	if m := e.call("shutdown", nil); string(m.Result) != "null" {
		e.t.Errorf("shutdown: %+v", m)
	}
	e.notify("exit", nil)
	return e.status()
}

// status waits for the end of the server.
func (e *editor) status() int {
	e.t.Helper()
	for ok := true; ok; _, ok = e.receive() {
	}
	err := e.cmd.Wait()
	if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
		e.t.Fatal(err)
	} else if ok {
		return exit.ExitCode()
	}
	return 0
}

func (e *editor) uri(name string) string {
	p := e.dir
	if name != "" {
		p += "/" + name
	}
	return (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(p, "/")}).String()
}

func (e *editor) name(uri string) string {
	u, _ := url.Parse(uri)
	return strings.TrimPrefix(strings.TrimPrefix(u.Path, "/"), strings.TrimPrefix(e.dir, "/")+"/")
}

func (e *editor) open(name, text string) {
	e.versions[name]++
	e.texts[name] = text
	e.notify("textDocument/didOpen", object{"textDocument": object{"uri": e.uri(name), "languageId": "x", "version": e.versions[name], "text": text}})
}

func (e *editor) changes(name string, changes ...object) {
	e.versions[name]++
	e.notify("textDocument/didChange", object{
		"textDocument": object{"uri": e.uri(name), "version": e.versions[name]}, "contentChanges": changes,
	})
}

// replace is a change of the text between two positions.
func replace(l1, c1, l2, c2 int, text string) object {
	return object{"range": object{"start": at{l1, c1}, "end": at{l2, c2}}, "text": text}
}

// until waits until the diagnostics of a document are as wanted.
func (e *editor) until(name, want string) {
	e.t.Helper()
	for {
		if got, ok := e.shown[name]; ok && got == want {
			return
		}
		if _, ok := e.receive(); !ok {
			e.t.Fatalf("%s: shown is %q, want %q\n%s", name, e.shown[name], want, e.stderr.String())
		}
	}
}

func (e *editor) place(name string, line, character int) object {
	return object{"textDocument": object{"uri": e.uri(name)}, "position": at{line, character}}
}

const lspTree = `
-- a.md --
# Alpha

[b](b.md#intro)
-- b.md --
# Intro

## Über uns

## Two words
-- sub/my file.md --
x
-- sub/deep/c.md --
x
-- sub/p.png --
-- .gitignore --
ignored.md
-- .git/x --
-- ignored.md --
-- .hidden.md --
-- page.html --
<base href="sub/"><a href="deep/c.md">
`

const utf8Too = `{"general":{"positionEncodings":["utf-32","utf-8","utf-16"]},"workspace":{"didChangeWatchedFiles":{"dynamicRegistration":true}}}`

func TestLSP(t *testing.T) {
	t.Parallel()
	for _, encoding := range []string{"utf-8", "utf-16"} {
		t.Run(encoding, func(t *testing.T) {
			capabilities := "{}"
			if encoding == "utf-8" {
				capabilities = utf8Too
			}
			e := newEditor(t, lspTree)
			m := e.start(capabilities)
			if !strings.Contains(string(m.Result), `"positionEncoding":"`+encoding+`"`) {
				t.Errorf("%s", m.Result)
			}
			e.open("a.md", "# Alpha\n\n[b](b.md#intro)\n")
			e.until("a.md", "")

			// "𝄞é" are six bytes, and three units of UTF-16.
			e.changes("a.md", replace(2, 0, 2, 0, "𝄞é [x](bb.md) "))
			column, end, é := 11, 16, 2
			if encoding == "utf-16" {
				column, end, é = 8, 13, 1
			}
			missing := func(line int) string {
				return fmt.Sprintf(`%d:%d-%d:%d 1 refract missing-file: no such file: "bb.md"`, line, column, line, end)
			}
			e.until("a.md", missing(2))
			e.changes("a.md", replace(2, 0, 2, 0, "é"), replace(0, 0, 0, 0, "\r\n"))
			column, end = column+é, end+é
			e.until("a.md", missing(3))
			e.changes("a.md", replace(3, column, 3, column+1, "")) // "b.md"
			e.until("a.md", "")
			e.changes("a.md", object{"text": "[b](b.md#none)"})
			e.until("a.md", `0:4-0:13 1 refract missing-fragment: "b.md" has no id "none"`)

			if got := strings.Contains(strings.Join(e.asked, "\n"), `client/registerCapability {"registrations":[{"id":"files","method":"workspace/didChangeWatchedFiles","registerOptions":{"watchers":[{"globPattern":"**/*"}]}}]}`); got != (encoding == "utf-8") {
				t.Errorf("asked %q", e.asked)
			}
			if status := e.stop(); status != 0 {
				t.Errorf("status %d", status)
			}
		})
	}
}

// An edit breaks another document, which is not open, and mends it; a file that comes does
// as well.
func TestLSPElsewhere(t *testing.T) {
	t.Parallel()
	e := newEditor(t, lspTree)
	e.start("{}")
	e.open("b.md", "# Intro\n\nx\n")
	e.until("b.md", "")
	if _, told := e.shown["a.md"]; told {
		t.Error("a.md has nothing to be told")
	}
	e.changes("b.md", replace(0, 0, 2, 0, ""))
	e.until("a.md", `2:4-2:14 1 refract missing-fragment: "b.md" has no id "intro"`)
	e.changes("b.md", replace(0, 0, 0, 0, "# Intro\n"), object{"range": nil, "text": "[x](new.md)\n# Intro"})
	e.until("a.md", "")
	e.until("b.md", `0:4-0:10 1 refract missing-file: no such file: "new.md"`)
	if err := os.WriteFile(filepath.Join(e.dir, "new.md"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	e.notify("workspace/didChangeWatchedFiles", object{"changes": []object{{"uri": e.uri("new.md"), "type": 1}}})
	e.until("b.md", "")

	// What is closed counts as it is on disk.
	e.changes("b.md", object{"text": ""})
	e.until("a.md", `2:4-2:14 1 refract missing-fragment: "b.md" has no id "intro"`)
	e.notify("textDocument/didClose", object{"textDocument": object{"uri": e.uri("b.md")}})
	e.versions["b.md"] = 0
	e.until("a.md", "")

	// Another folder, and none.
	e.notify("textDocument/didSave", object{"textDocument": object{"uri": e.uri("b.md")}})
	e.open("page.html", "<a href=\"none.md\">")
	e.until("page.html", `0:9-0:16 1 refract missing-file: no such file: "none.md"`)
	folder := func(name string) []object { return []object{{"uri": e.uri(name), "name": "x"}} }
	e.notify("workspace/didChangeWorkspaceFolders", object{"event": object{"added": folder("sub"), "removed": folder("")}})
	e.open("sub/deep/c.md", "[x](../p.pn)")
	e.until("sub/deep/c.md", `0:4-0:11 1 refract missing-file: no such file: "p.pn" => ../p.png`) // relative to the folder
	if status := e.stop(); status != 0 {
		t.Errorf("status %d", status)
	}
}

func TestLSPActions(t *testing.T) {
	t.Parallel()
	e := newEditor(t, lspTree)
	e.start("{}")
	const text = "é [x](sub/dep/c.md) [y](b.md#introo) [z](sub/deep/my%20file.md) [w](B.md)"
	e.open("a.md", text)
	want := `0:6-0:18 1 refract missing-file: no such file: "sub/dep/c.md" => sub/deep/c.md
0:24-0:35 1 refract missing-fragment: "b.md" has no id "introo" => b.md#intro
0:41-0:62 1 refract missing-file: no such file: "sub/deep/my file.md" => sub/my%20file.md
0:68-0:72 1 refract case: case mismatch: the file is "b.md" => b.md`
	e.until("a.md", want)
	actions := func(c1, c2 int, only ...string) (titles []string, edits []edit) {
		t.Helper()
		p := e.place("a.md", 0, 0)
		p["range"] = object{"start": at{0, c1}, "end": at{0, c2}}
		p["context"] = object{"diagnostics": e.raw["a.md"], "only": only}
		var all []struct {
			Title, Kind string
			IsPreferred bool
			Diagnostics []json.RawMessage
			Edit        struct{ Changes map[string][]edit }
		}
		m := e.call("textDocument/codeAction", p)
		if err := json.Unmarshal(m.Result, &all); err != nil {
			t.Fatalf("%+v: %v", m, err)
		}
		for _, a := range all {
			if a.Kind != "quickfix" || len(a.Diagnostics) != 1 || a.IsPreferred != (len(all) == 1 && !strings.Contains(a.Title, "deep")) || // a move is not certain: git is not asked
				len(a.Edit.Changes) != 1 {
				t.Errorf("%+v", a)
			}
			titles = append(titles, a.Title)
			edits = append(edits, a.Edit.Changes[e.uri("a.md")]...)
		}
		return titles, edits
	}
	if titles, _ := actions(0, 5); titles != nil {
		t.Errorf("%q", titles)
	}
	if titles, _ := actions(7, 7, "refactor"); titles != nil {
		t.Errorf("%q", titles)
	}
	if titles, _ := actions(7, 7, "quickfix"); !slices.Equal(titles, []string{`Change to "sub/deep/c.md"`}) {
		t.Errorf("%q", titles)
	}
	if titles, _ := actions(69, 69); !slices.Equal(titles, []string{`Change to "b.md"`}) {
		t.Errorf("%q", titles)
	}
	titles, edits := actions(0, 99)
	if !slices.Equal(titles, []string{`Change to "sub/deep/c.md"`, `Change to "b.md#intro"`, `Change to "sub/my%20file.md"`, `Change to "b.md"`}) {
		t.Errorf("%q", titles)
	}
	slices.Reverse(edits) // from the end, so that the others stay where they are
	var changes []object
	for _, c := range edits {
		changes = append(changes, object{"range": c.Range, "text": c.NewText})
	}
	e.changes("a.md", changes...)
	// They are not of this text, which has not been audited.
	if titles, _ := actions(0, 99); e.shown["a.md"] == want && titles != nil {
		t.Errorf("%q", titles)
	}
	e.until("a.md", "")
	if titles, _ := actions(0, 99); titles != nil {
		t.Errorf("%q", titles)
	}
	e.stop()
}

func TestLSPCompletion(t *testing.T) {
	t.Parallel()
	e := newEditor(t, lspTree)
	e.start("{}")
	// "|" is the cursor. What is wanted is each label, and the line when it has been taken.
	tests := []struct {
		name, text string
		want       []string
	}{
		{"a.md", "é [x](|", []string{
			"a.md é [x](a.md", "b.md é [x](b.md", "page.html é [x](page.html", "sub/ é [x](sub/"}},
		{"a.md", "[x](su|b/deep/c.md) é", []string{
			"a.md [x](a.md/deep/c.md) é", "b.md [x](b.md/deep/c.md) é", "page.html [x](page.html/deep/c.md) é", "sub/ [x](sub/deep/c.md) é"}},
		{"a.md", "[x](./sub/|)", []string{"deep/ [x](./sub/deep/)", "my file.md [x](./sub/my%20file.md)"}},
		{"a.md", "![x](sub/|", []string{"deep/ ![x](sub/deep/", "p.png ![x](sub/p.png"}},
		{"a.md", "[x](/sub/deep/|", []string{"c.md [x](/sub/deep/c.md"}},
		{"a.md", "[x](none/|", nil},
		{"a.md", "[x](../|", nil},
		{"a.md", "[x](https://example.org/|", nil},
		{"a.md", "[x](b.md#t|wo)", []string{"intro [x](b.md#intro)", "über-uns [x](b.md#über-uns)", "two-words [x](b.md#two-words)"}},
		{"a.md", "# One & all\n# New\n[x](#|", []string{"one--all [x](#one--all", "new [x](#new"}},
		{"a.md", "[x](none.md#|", nil},
		{"a.md", "no |destination", nil},
		{"sub/deep/c.md", "[x](../my%20f|ile.md)", []string{
			"deep/ [x](../deep/)", "my file.md [x](../my%20file.md)"}},
		{"page.html", "<base href='sub/'><a href=''>\n<a href=\"|", []string{"deep/ <a href=\"deep/", "my file.md <a href=\"my%20file.md"}},
		{"new.md", "[x](su|", []string{"a.md [x](a.md", "b.md [x](b.md", "page.html [x](page.html", "sub/ [x](sub/"}},
	}
	e.open("a.md", "")
	e.until("a.md", "")
	for i, test := range tests {
		text, _, _ := strings.Cut(test.text, "|")
		line := strings.Count(text, "\n")
		text = text[strings.LastIndexByte(text, '\n')+1:]
		cursor := at{line, len([]rune(text))} // all is in the first plane
		whole := strings.Replace(test.text, "|", "", 1)
		if e.versions[test.name] == 0 {
			e.open(test.name, whole)
		} else {
			e.changes(test.name, object{"text": whole})
		}
		var list struct {
			IsIncomplete bool
			Items        []struct {
				Label, FilterText, SortText string
				Kind                        int
				TextEdit                    edit
			}
		}
		m := e.call("textDocument/completion", e.place(test.name, cursor.Line, cursor.Character))
		if err := json.Unmarshal(m.Result, &list); err != nil {
			t.Fatalf("%s, %v", m.Result, err)
		}
		var got []string
		runes := []rune(strings.Split(whole, "\n")[line])
		for _, item := range list.Items {
			r := item.TextEdit.Range
			if r.Start.Line != line || r.End.Line != line || item.FilterText != item.TextEdit.NewText ||
				(item.Kind == 19) != strings.HasSuffix(item.Label, "/") || (item.Kind == 18) != (item.SortText != "") {
				t.Errorf("%+v", item)
			}
			got = append(got, item.Label+" "+string(runes[:r.Start.Character])+item.TextEdit.NewText+string(runes[r.End.Character:]))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%d: %s: %q:\ngot  %q\nwant %q", i, test.name, test.text, got, test.want)
		}
	}
	e.stop()
}

func TestLSPDefinition(t *testing.T) {
	t.Parallel()
	e := newEditor(t, lspTree)
	e.start("{}")
	e.open("a.md", "# A\n[é](b.md#über-uns) [2](sub/my%20file.md) [3](none.md) [4](sub/deep/) [5](#a) ![6](sub/p.png) [7](b.md#L3) [8](https://example.org/)\n")
	e.until("a.md", `1:45-1:52 1 refract missing-file: no such file: "none.md"`)
	for column, want := range map[int]string{
		0: "", 3: "", 4: "b.md:2", 17: "b.md:2", 18: "", 22: "", 23: "sub/my file.md:0", 50: "", 60: "", 74: "a.md:0", 85: "sub/p.png:0", 100: "b.md:2", 115: "",
	} {
		m := e.call("textDocument/definition", e.place("a.md", 1, column))
		got := ""
		if string(m.Result) != "null" {
			var l struct {
				URI string
				edit
			}
			if err := json.Unmarshal(m.Result, &l); err != nil {
				t.Fatal(err)
			}
			got = fmt.Sprintf("%s:%d", e.name(l.URI), l.Range.Start.Line)
		}
		if got != want {
			t.Errorf("column %d: %q, want %q", column, got, want)
		}
	}
	e.stop()
}

// Flags are those of audit, relative to the workspace.
func TestLSPFlags(t *testing.T) {
	t.Parallel()
	e := newEditor(t, lspTree, "--stdio", "--root", "sub", "--no-rule", "missing-fragment", "--site", "https://example.org/d/=sub/deep")
	e.start("{}")
	e.open("a.md", "[1](/p.png) [2](/a.md) [3](b.md#none) [4](https://example.org/d/none)")
	e.until("a.md", `0:16-0:21 1 refract missing-file: no such file: "sub/a.md"
0:42-0:68 1 refract missing-file: no such file: "sub/deep/none"`)
	e.stop()
}

// The configuration of the workspace counts, with what only audit has in it; comments and
// the baseline do, too.
func TestLSPConfiguration(t *testing.T) {
	t.Parallel()
	e := newEditor(t, lspTree+"-- .refract.yaml --\npaths: [a.md]\nno-rule: missing-fragment\nbaseline: known\nstrict: true\n-- known --\na.md\tmissing-file\tknown.md\n")
	e.start("{}")
	e.open("a.md", "[1](known.md) [2](b.md#none) [3](new.md)\n[4](x.md) <!-- refract-ignore -->\n")
	e.until("a.md", `0:33-0:39 1 refract missing-file: no such file: "new.md"`)
	e.stop()

	e = newEditor(t, lspTree+"-- .refract.yaml --\nslug: x\n")
	m := e.call("initialize", object{"rootUri": e.uri(""), "capabilities": object{}})
	if m.Error == nil || !strings.Contains(m.Error.Message, `.refract.yaml: line 1: "slug" is not a flag`) {
		t.Errorf("%+v", m)
	}
}

// A suggestion is written in the quoting of its place.
func TestLSPQuoted(t *testing.T) {
	t.Parallel()
	e := newEditor(t, lspTree+"-- p.html --\n<p>\n-- a & (b).png --\n")
	e.start("{}")
	const text = "<img src=\"A &amp; (b).png\">"
	e.open("p.html", text)
	e.until("p.html", `0:10-0:25 1 refract case: case mismatch: the file is "a & (b).png" => a%20&%20%28b%29.png`)
	p := e.place("p.html", 0, 12)
	p["range"] = object{"start": at{0, 12}, "end": at{0, 12}}
	p["context"] = object{"diagnostics": e.raw["p.html"]}
	var all []struct {
		Edit struct{ Changes map[string][]edit }
	}
	if m := e.call("textDocument/codeAction", p); json.Unmarshal(m.Result, &all) != nil || len(all) != 1 {
		t.Fatalf("%s", m.Result)
	}
	for _, c := range all[0].Edit.Changes[e.uri("p.html")] {
		e.changes("p.html", object{"range": c.Range, "text": c.NewText})
		if !strings.Contains(c.NewText, "&amp;") {
			t.Errorf("%+v", c)
		}
	}
	e.until("p.html", "")
	e.stop()
}

// What comes fast is audited once, as it is at the end.
func TestLSPRapid(t *testing.T) {
	e := newEditor(t, lspTree)
	e.start("{}")
	e.open("a.md", "")
	e.until("a.md", "")
	before := len(e.told)
	text := ""
	for i := range 200 {
		line := fmt.Sprintf("[é%d](none%d.md)\n", i, i)
		e.changes("a.md", replace(0, 0, 0, 0, "x"), replace(0, 0, 0, 1, line))
		text += line
	}
	e.changes("a.md", replace(0, 0, 199, 0, ""))
	e.until("a.md", `0:5-0:13 1 refract missing-file: no such file: "none0.md"`)
	if told := len(e.told) - before; told > 100 {
		t.Errorf("told %d times", told)
	}
	e.stop()
}

func TestLSPLife(t *testing.T) {
	t.Parallel()
	code := func(m reply) int {
		if m.Error == nil {
			return 0
		}
		return m.Error.Code
	}
	e := newEditor(t, lspTree)
	want := func(what string, m reply, wanted int) {
		t.Helper()
		if got := code(m); got != wanted {
			t.Errorf("%s: code %d, want %d", what, got, wanted)
		}
	}
	want("early", e.call("textDocument/completion", e.place("a.md", 0, 0)), -32002)
	want("early and unknown", e.call("x", nil), -32002)
	e.open("a.md", "[x](none.md)") // dropped
	e.versions["a.md"] = 0
	want("initialize", e.start(`{}`), 0)
	want("again", e.call("initialize", object{}), -32600)
	want("unknown", e.call("textDocument/moniker", e.place("a.md", 0, 0)), -32601)
	want("$/unknown", e.call("$/x", nil), -32601)
	want("params", e.call("textDocument/completion", []int{1}), -32602)
	want("params", e.call("textDocument/completion", object{"position": "x"}), -32602)
	want("params", e.call("textDocument/definition", object{"position": object{"line": 1e30}}), -32602)
	want("none", e.call("textDocument/completion", nil), 0)
	want("negative", e.call("textDocument/definition", e.place("a.md", -1, -5)), 0)
	e.notify("$/cancelRequest", object{"id": e.id})
	e.notify("$/cancelRequest", object{"id": 999})
	e.notify("$/setTrace", object{"value": "off"})
	e.notify("textDocument/didChange", object{"textDocument": 5})
	e.notify("textDocument/didChange", object{"textDocument": object{"uri": e.uri("a.md")}, "contentChanges": []object{{"text": "x"}}})
	e.notify("textDocument/didOpen", object{"textDocument": object{"uri": "untitled:1", "text": "[x](none.md)"}})
	e.notify("textDocument/didOpen", object{"textDocument": object{"uri": "\x00", "text": "[x](none.md)"}})
	e.open("b.md", "[x](none.md)")
	e.until("b.md", `0:4-0:11 1 refract missing-file: no such file: "none.md"`)
	want("shutdown", e.call("shutdown", nil), 0)
	want("late", e.call("textDocument/completion", e.place("a.md", 0, 0)), -32600)
	want("again", e.call("shutdown", nil), -32600)
	e.notify("exit", nil)
	if status := e.status(); status != 0 {
		t.Errorf("status %d", status)
	}

	// Without shutdown, before and after initialize; and when the editor is gone.
	for i := range 4 {
		e := newEditor(t, lspTree)
		if i%2 > 0 {
			e.start("{}")
		}
		if i < 2 {
			e.notify("exit", nil)
		} else {
			e.stdin.Close()
		}
		if status := e.status(); status != 1 {
			t.Errorf("%d: status %d", i, status)
		}
	}
	// All at once, in the order of the protocol.
	e = newEditor(t, lspTree)
	e.send(object{"id": 1, "method": "initialize", "params": object{}})
	e.send(object{"method": "initialized"})
	e.send(object{"id": 2, "method": "shutdown"})
	e.notify("exit", nil)
	if status := e.status(); status != 0 {
		t.Errorf("status %d", status)
	}
}

// A large document and many edits are as good as any.
func TestLSPLarge(t *testing.T) {
	scantest.Long(t, "a document of 50 MB")
	e := newEditor(t, lspTree)
	e.start("{}")
	e.open("b.md", strings.Repeat("prose and more prose, and no link at all\n", 50<<20/41)+"[x](none.md)\n")
	for i := range 10000 {
		if i > 0 {
			e.versions["a.md"] = i + 2 // diagnostics may come in between
		}
		e.notify("textDocument/didChange", object{"textDocument": object{"uri": e.uri("a.md"), "version": i + 2}, "contentChanges": []object{
			{"range": object{"start": object{"line": i % 7, "character": i % 5}, "end": object{"line": i % 7, "character": i % 11}}, "text": "xy[z](q)"[:i%9]}}})
		if i == 0 {
			e.open("a.md", "[x](none.md)")
		}
	}
	if m := e.call("textDocument/definition", e.place("b.md", 3, 3)); m.Error != nil {
		t.Errorf("%+v", m.Error)
	}
	if status := e.stop(); status != 0 {
		t.Errorf("status %d", status)
	}
}

// What is no message ends the server, what is no request is answered; nothing else happens.
func TestLSPGarbage(t *testing.T) {
	t.Parallel()
	frame := func(s string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(s), s) }
	tests := []struct {
		in     string
		status int // -1: it lives
	}{
		{"garbage\r\n\r\n", 2},
		{strings.Repeat("x", 1<<17), 2},
		{"\x00\xff\r\n", 2},
		{"Content-Length: 9223372036854775807\r\n\r\n{}", 2},
		{"Content-Length: -1\r\n\r\n{}", 2},
		{"Content-Length: 99999999999999999999999\r\n\r\n{}", 2},
		{"Content-Type: x\r\n\r\n{}", 2},
		{frame("{"), -1},
		{frame(""), -1},
		{frame("null"), -1},
		{frame("[]"), -1},
		{frame("[1,null,{}]"), -1},
		{frame(strings.Repeat("[", 1<<17)), -1},
		{frame("\xff\xfe"), -1},
		{frame(`{"jsonrpc":"1.0","id":7,"method":"initialize"}`), -1},
		{frame(`{"jsonrpc":"2.0","id":{},"method":"initialize"}`), -1},
		{frame(`{"jsonrpc":"2.0","id":7,"method":5}`), -1},
		{frame(`{"jsonrpc":"2.0","id":7,"result":5}`), -1},
		{frame(`{"jsonrpc":"2.0","id":7,"method":"initialize","params":5}`), -1},
	}
	for _, test := range tests {
		t.Run(fmt.Sprintf("%.40q", test.in), func(t *testing.T) {
			e := newEditor(t, lspTree)
			e.write(test.in)
			if test.status >= 0 {
				if status := e.status(); status != test.status || !strings.HasPrefix(e.stderr.String(), "refract: lsp: ") {
					t.Errorf("status %d, want %d: %s", status, test.status, e.stderr.String())
				}
				return
			}
			e.id = 100
			if m := e.start("{}"); m.Error != nil {
				t.Errorf("%+v", m.Error)
			}
			if status := e.stop(); status != 0 {
				t.Errorf("status %d", status)
			}
		})
	}
	// A length that nothing comes of is no memory, and ends with the input.
	e := newEditor(t, lspTree)
	e.write("Content-Length: 200000000\r\n\r\n{")
	e.stdin.Close()
	if status := e.status(); status != 2 {
		t.Errorf("status %d", status)
	}
}
