package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"golang.org/x/net/html"

	"example.org/refract/extract"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/testing/browser"
	"example.org/refract/internal/testing/scantest"
)

// write makes a tree of files and moves the test into it.
func write(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// audited returns the audit of a directory.
func audited(t *testing.T, dir string) *Run {
	t.Helper()
	r := &Run{Version: "1.2.3", Args: []string{dir}}
	o := audit.Options{Graph: true}
	o.Paths = r.Args
	report, err := audit.Run(t.Context(), o, func(f *audit.Finding) { r.Findings = append(r.Findings, f) })
	if err != nil {
		t.Fatal(err)
	}
	r.Report = report
	return r
}

// save writes the page of a run into the tree, and returns its URL.
func save(t *testing.T, r *Run) string {
	t.Helper()
	name, err := filepath.Abs("report.html")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, render(t, r), 0o666); err != nil {
		t.Fatal(err)
	}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(name)}).String()
}

func render(t *testing.T, r *Run) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := r.HTML(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

var small = map[string]string{
	"docs/index.md":      "# Index\n\n[a](a.md) [b](sub/b.md) [gone](gone.md) and [gone](gone.md) again\n",
	"docs/a.md":          "# A\n\nSee [b](sub/b.md#none) or [c](C.md), and ![p](img/p.png).\n",
	"docs/c.md":          "[index](index.md)\n",
	"docs/sub/b.md":      "# B\n\n[gone](../gone.md) [text][nope]\n",
	"docs/sub/alone.md":  "[b](b.md)\n",
	"docs/other/page.md": "[x](<../what & \"that\".md>)\n",
}

// A read is a parsed page.
type read struct {
	elements map[string]int // by name
	attrs    map[string]bool
	text     map[string]string // of elements with an id, and of title
	items    []string          // text of li in #list
	data     data
	scripts  []string
	policy   string
	style    string
}

// expand sets the members that the JSON of findings leaves out, as page.js does.
func (d *data) expand() {
	for _, f := range d.Findings {
		f.Message, f.Written = d.Texts[f.Text], f.Raw
		if f.Target > 0 {
			f.Message = strings.Replace(f.Message, targetMark, d.Names[f.Target-1], 1)
		}
		if f.Raw == "" && f.Excerpt != nil {
			f.Written = f.Excerpt[1]
		}
	}
}

func parse(t *testing.T, page []byte) *read {
	t.Helper()
	doc, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	r := &read{elements: map[string]int{}, attrs: map[string]bool{}, text: map[string]string{}}
	var text func(n *html.Node) string
	text = func(n *html.Node) string {
		if n.Type == html.TextNode {
			return n.Data
		}
		all := ""
		for c := range n.ChildNodes() {
			all += text(c)
		}
		return all
	}
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		r.elements[n.Data]++
		a := map[string]string{}
		for _, attr := range n.Attr {
			a[attr.Key] = attr.Val
			r.attrs[attr.Key] = true
		}
		if id := a["id"]; id != "" {
			r.text[id] = text(n)
		}
		switch {
		case n.Data == "title":
			r.text["title"] = text(n)
		case n.Data == "script" && a["id"] == "data":
			if err := json.Unmarshal([]byte(text(n)), &r.data); err != nil {
				t.Fatal(err)
			}
			r.data.expand()
		case n.Data == "script":
			r.scripts = append(r.scripts, text(n))
		case n.Data == "style":
			r.style = text(n)
		case n.Data == "li" && n.Parent.Parent.Data == "section" && n.Parent.Data == "ol":
			r.items = append(r.items, text(n))
		case a["http-equiv"] == "Content-Security-Policy":
			r.policy = a["content"]
		}
	}
	return r
}

func TestHTML(t *testing.T) {
	write(t, small)
	run := audited(t, "docs")
	page := render(t, run)
	if again := render(t, audited(t, "docs")); !bytes.Equal(page, again) {
		t.Error("the same tree gives another page")
	}
	r := parse(t, page)
	if r.text["title"] != "Audit of docs" {
		t.Errorf("title %q", r.text["title"])
	}
	if len(r.items) != len(run.Findings) || len(r.data.Findings) != len(run.Findings) || len(run.Findings) != 8 {
		t.Fatalf("%d items and %d in the data, of %d findings", len(r.items), len(r.data.Findings), len(run.Findings))
	}
	for i, f := range run.Findings {
		d := r.data.Findings[i]
		if d.Line != f.Pos.Line || d.Column != f.Pos.Column || d.Message != f.Message || d.Suggestion != f.Suggestion ||
			f.Written() != "" && d.Written != f.Written() || r.data.Names[d.Doc] != f.File || r.data.Rules[d.Rule] != string(f.Rule) {
			t.Errorf("%+v is not %+v", d, f)
		}
		if (d.Target == 0) != (f.Target == "") || f.Target != "" && r.data.Names[d.Target-1] != f.Target {
			t.Errorf("%v: target %d is not %q", f.Message, d.Target, f.Target)
		}
		if d.Excerpt == nil {
			t.Errorf("%s: no excerpt", f.Message)
		} else if f.Ref != nil && d.Excerpt[1] != f.Written() {
			t.Errorf("%q is marked", d.Excerpt[1])
		}
		for _, want := range []string{fmt.Sprintf("%s:%d:%d", f.File, f.Pos.Line, f.Pos.Column), string(f.Rule), f.Message, f.Suggestion} {
			if !strings.Contains(r.items[i], want) {
				t.Errorf("%q is not in %q", want, r.items[i])
			}
		}
	}
	// Documents come first; the others are existing or missing files.
	kinds := map[string]kind{}
	for i, name := range r.data.Names {
		kinds[name] = r.data.Kinds[i]
	}
	for name, want := range map[string]kind{"docs/a.md": document, "docs/gone.md": missing, "docs/img/p.png": missing, "docs/c.md": document} {
		if got, ok := kinds[name]; !ok || got != want {
			t.Errorf("%s: kind %d, want %d", name, got, want)
		}
	}
	links := map[string]bool{}
	for i := 0; i < len(r.data.Links); i += 2 {
		links[r.data.Names[r.data.Links[i]]+" "+r.data.Names[r.data.Links[i+1]]] = true
	}
	for _, want := range []string{"docs/index.md docs/a.md", "docs/a.md docs/sub/b.md", "docs/a.md docs/c.md", "docs/sub/alone.md docs/sub/b.md"} {
		if !links[want] {
			t.Errorf("no link %s", want)
		}
	}
	if len(links) != 5+1 || len(links) != len(r.data.Links)/2 {
		t.Errorf("%d links: %v", len(links), links)
	}
}

// The page fetches nothing, and its policy allows only our script, by its hash.
func TestPolicy(t *testing.T) {
	write(t, small)
	page := render(t, audited(t, "docs"))
	r := parse(t, page)
	if len(r.scripts) != 1 || !strings.Contains(r.scripts[0], pageJS) || !strings.HasSuffix(r.style, pageCSS) {
		t.Fatal("script or style are not as they were written")
	}
	hash := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	if want := "default-src 'none'; img-src data:; style-src " + hash(r.style) + "; script-src " + hash(r.scripts[0]) + "; base-uri 'none'; form-action 'none'"; r.policy != want {
		t.Errorf("policy %s", r.policy)
	}
	for _, name := range []string{"src", "style", "onclick", "action"} {
		if r.attrs[name] {
			t.Errorf("attribute %s", name)
		}
	}
	for _, what := range []string{"http:", "https:", "@import", "url("} {
		if bytes.Contains(page, []byte(what)) {
			t.Errorf("%s in the page", what)
		}
	}
}

// What a hostile tree may contain.
const hostileNames = "</script><img src=x onerror=alert(1)><!--{{.}}${1}\u202egpj.exe\x00\x1b[31m\xff\u2028'\"&amp;"

func hostileRun() *Run {
	r := &Run{Version: "1.2.3", Args: []string{hostileNames}, Report: &audit.Report{Documents: 1, Names: []string{hostileNames}}}
	r.Report.Errors = []audit.Failure{{File: hostileNames, Err: fmt.Errorf("%s", hostileNames)}}
	r.Report.Notes = []audit.Note{{File: hostileNames, Text: hostileNames}}
	r.Report.Links = []audit.Link{{From: hostileNames, To: hostileNames + "2"}}
	for _, rule := range rule.Rules() {
		r.Findings = append(r.Findings, &audit.Finding{
			File: hostileNames, Path: hostileNames, Rule: rule, Message: hostileNames, Suggestion: hostileNames, Target: hostileNames + "3",
			Ref: &extract.Reference{Raw: []byte(hostileNames)}, Pos: extract.Position{Line: 1, Column: 1, Length: len(hostileNames)},
		})
	}
	return r
}

func TestEscaping(t *testing.T) {
	page := render(t, hostileRun())
	r := parse(t, page)
	if n := r.elements["img"]; n > 0 {
		t.Errorf("%d images", n)
	}
	if r.elements["script"] != 2 || r.attrs["onerror"] {
		t.Errorf("scripts %v, attributes %v", r.elements["script"], r.attrs)
	}
	for _, c := range string(page) {
		if c != '\n' && c != '\t' && (unicode.IsControl(c) || c == unicode.ReplacementChar || c == '\u202e' || c == '\u2028') {
			t.Fatalf("%q in the page", c)
		}
	}
	const want = `</script><img src=x onerror=alert(1)><!--{{.}}${1}\u{202e}gpj.exe\u{0}\u{1b}[31m\xff\u{2028}'"&amp;`
	if got := r.data.Findings[0].Message; got != want {
		t.Errorf("message %q", got)
	}
	if !strings.Contains(r.items[0], want) {
		t.Errorf("item %q", r.items[0])
	}
	if r.text["title"] != "Audit of "+want {
		t.Errorf("title %q", r.text["title"])
	}
}

func TestExcerpt(t *testing.T) {
	wide := strings.Repeat("ü", 100)
	for _, x := range []struct{ line, ref, want string }{
		{"\tsee [a](x.md) or", "x.md", "see [a](|x.md|) or"},
		{"x.md", "x.md", "|x.md|"},
		{wide + "x.md" + wide, "x.md", "…" + wide[:80] + "|x.md|" + wide[:80] + "…"},
		{"a" + wide + "x.md", "x.md", "…" + wide[:80] + "|x.md|"},
		{"\xff\x01 x.md \xfe", "x.md", `\xff\u{1} |x.md| \xfe`},
		{"it is (a\nb) here", "a\nb", "it is (|a b|) here"},
	} {
		write(t, map[string]string{"f": "first\r\n" + x.line + "\r\nlast\n"})
		at := strings.Index(x.line, x.ref)
		f := &audit.Finding{Path: "f", Ref: &extract.Reference{Raw: []byte(x.ref)},
			Pos: extract.Position{Line: 2, Column: at + 1, Offset: int64(7 + at), Length: len(x.ref)}}
		var l lines
		got := l.excerpt(f)
		if got == nil || strings.Join(got[:], "|") != x.want {
			t.Errorf("%q: %q, want %q", x.line, got, x.want)
		}
		// The document has changed since.
		f.Ref.Raw = []byte("else")
		if l.excerpt(f) != nil {
			t.Errorf("%q: quoted, though it has changed", x.line)
		}
		f.Ref.Raw, f.Pos.Offset = nil, 1<<40
		if l.excerpt(f) != nil {
			t.Errorf("%q: quoted beyond its end", x.line)
		}
	}
}

// An error of the writer is returned.
func TestHTMLFails(t *testing.T) {
	r, w := io.Pipe()
	r.Close()
	if err := hostileRun().HTML(w); err == nil {
		t.Error("no error")
	}
}

func TestPageNothing(t *testing.T) {
	r := parse(t, render(t, &Run{Report: &audit.Report{}}))
	if !strings.Contains(r.text["list"], "No broken links found.") {
		t.Errorf("list %q", r.text["list"])
	}
}

// query returns an expression for the text of the element that a selector finds.
func query(selector string) string {
	return "document.querySelector(" + strconv.Quote(selector) + ").textContent.trim()"
}

func each(selector string) string {
	return "[...document.querySelectorAll(" + strconv.Quote(selector) + ")].map(e => e.textContent).join(';')"
}

func TestBrowser(t *testing.T) {
	write(t, small)
	run := audited(t, "docs")
	page := save(t, run)
	b := browser.Start(t, 1440, 900)
	theme := func(value string) {
		b.Call(nil, "Emulation.setEmulatedMedia", map[string]any{"features": []any{map[string]string{"name": "prefers-color-scheme", "value": value}}})
	}
	theme("light")
	b.Open(page)
	b.Wait("refract.status().graph.settled")
	b.Is("document.title", "Audit of docs")
	b.Is(query("#status"), "8 findings in 4 documents")
	b.Is(each("#rules span"), "missing-file4;broken-image1;missing-fragment1;case1;undefined-reference1")
	b.Is(each("h3 bdi"), "docs/a.md;docs/index.md;docs/other/page.md;docs/sub/b.md")
	b.Is("document.querySelectorAll('#list li').length", "8")
	b.Is("document.querySelector('#list li .at').textContent", "docs/a.md:3:9")
	b.Is("document.querySelector('#list mark').textContent", "sub/b.md#none")
	b.Is("JSON.stringify(document.querySelector('#list .suggestion').textContent)", `"c.md"`)

	// The graph shows documents and missing targets, and has drawn pixels.
	b.Is("JSON.stringify(refract.status().graph, ['nodes', 'links', 'broken', 'missing', 'orphans'])", `{"nodes":9,"links":6,"broken":6,"missing":3,"orphans":2}`)
	painted := func(layer int) int {
		n, _ := strconv.Atoi(b.Eval(fmt.Sprintf(`(() => {
			const c = document.querySelectorAll("canvas")[%d], d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
			let n = 0;
			for (let i = 3; i < d.length; i += 4) if (d[i]) n++;
			return n;
		})()`, layer)))
		return n
	}
	for layer, what := range []string{"boxes and links", "broken links", "documents"} {
		if n := painted(layer); n < 300 {
			t.Errorf("%s: %d pixels", what, n)
		}
	}
	b.Shot("light")

	// Filters, alone and combined, and the fragment of the URL that keeps them.
	b.Eval("document.querySelector('#rules input[value=missing-file]').click()")
	b.Is(query("#status"), "4 of 8 findings in 3 documents")
	b.Is("location.hash", "#rule=missing-file")
	typed := func(id, text string) {
		b.Eval("document.getElementById('" + id + "').focus()")
		b.Call(nil, "Input.insertText", map[string]string{"text": text})
		b.Wait("location.hash.includes('" + id + "=')")
	}
	typed("path", "INDEX")
	b.Is(query("#status"), "2 of 8 findings in 1 document")
	b.Is(each("#rules b"), "2;0;0;0;0")
	typed("q", "again gone")
	b.Is(query("#status"), "2 of 8 findings in 1 document")
	b.Is("location.hash", "#rule=missing-file&path=INDEX&q=again+gone")
	b.Is("refract.status().graph.broken", "1")
	b.Eval("document.getElementById('clear').click()")
	b.Is(query("#status"), "8 findings in 4 documents")
	b.Is("location.hash", "")
	b.Eval("location.hash = '#rule=case&by=target'")
	b.Wait("refract.status().shown === 1")
	b.Is(each("h3 bdi"), "docs/c.md")
	b.Is("document.querySelector('#rules :checked').value", "case")
	typed("q", "no such thing at all")
	b.Is(query("#list"), "No findings match.")
	b.Eval("document.getElementById('clear').click()")

	// Grouped by target, largest first, chosen with the keyboard.
	b.Is(each("h3 bdi"), `docs/gone.md;docs/sub/b.md;docs/c.md;docs/img/p.png;docs/what & "that".md`)
	b.Is(each(".group:last-child .message"), "undefined link label [nope]undefined-reference")
	b.Is(each(".group:first-child .at"), "docs/index.md:3:32;docs/index.md:3:52;docs/sub/b.md:3:8")
	b.Shot("target")
	b.Eval("document.querySelector('input[name=by]:checked').focus()")
	for _, kind := range []string{"keyDown", "keyUp"} {
		b.Call(nil, "Input.dispatchKeyEvent", map[string]any{"type": kind, "key": "ArrowLeft", "code": "ArrowLeft", "windowsVirtualKeyCode": 37})
	}
	b.Wait("location.hash === ''")
	b.Is(each("h3 bdi"), "docs/a.md;docs/index.md;docs/other/page.md;docs/sub/b.md")
	b.Eval("document.activeElement.blur()")
	b.Call(nil, "Input.dispatchKeyEvent", map[string]any{"type": "keyDown", "key": "/", "text": "/"})
	b.Is("document.activeElement.id", "q")
	b.Is("document.activeElement.value", "")

	// A document under the pointer, and a selected one.
	var at struct{ X, Y float64 }
	where := func(name string) {
		if err := json.Unmarshal([]byte(b.Eval("JSON.stringify(refract.position("+strconv.Quote(name)+"))")), &at); err != nil {
			t.Fatal(err)
		}
	}
	where("docs/gone.md")
	b.Mouse("mouseMoved", at.X, at.Y)
	b.Is(query("#tip"), "docs/gone.mdmissing · 3 links to it")
	b.Click(at.X, at.Y)
	b.Wait("location.hash === '#at=docs%2Fgone.md'")
	b.Is(query("#status"), "3 of 8 findings in 2 documents, from or to docs/gone.md")
	b.Is(each("#about li"), "docs/index.md;docs/sub/b.md")
	b.Wait("refract.status().graph.settled")
	if painted(3) < 300 {
		t.Error("nothing is drawn of a selection")
	}
	b.Shot("selected")
	b.Eval("document.querySelectorAll('#about li button')[1].click()")
	b.Is("location.hash", "#at=docs%2Fsub%2Fb.md")
	b.Is("refract.status().shown", "3") // its own two, and one that points to it
	b.Eval("document.getElementById('stage').focus()")
	b.Call(nil, "Input.dispatchKeyEvent", map[string]any{"type": "keyDown", "key": "Escape"})
	b.Is("location.hash", "")
	zoom := b.Eval("refract.status().graph.zoom")
	b.Call(nil, "Input.dispatchKeyEvent", map[string]any{"type": "keyDown", "key": "+", "text": "+"})
	if b.Eval("refract.status().graph.zoom") == zoom {
		t.Error("+ does not zoom")
	}
	b.Call(nil, "Input.dispatchKeyEvent", map[string]any{"type": "keyDown", "key": "0", "text": "0"})
	b.Is("refract.status().graph.zoom", zoom)

	// Dark by the setting of the system, or by the button.
	paper := func() string { return b.Eval("getComputedStyle(document.body).backgroundColor") }
	light := paper()
	b.Eval("document.getElementById('theme').click()")
	if paper() == light {
		t.Error("the button does not make it dark")
	}
	b.Wait("refract.status().graph.settled")
	b.Mouse("mouseMoved", 5, 5)
	b.Shot("dark")
	b.Eval("document.getElementById('theme').click()")
	b.Is("getComputedStyle(document.body).backgroundColor", light)
	b.Eval("localStorage.clear()")
	b.Clean(page)
	const positions = `JSON.stringify(["docs/index.md", "docs/sub/b.md", "docs/img/p.png"].map(refract.position))`
	b.Eval("scrollTo(0, 0)")
	first := b.Eval(positions)
	theme("dark")
	b.Open(page)
	b.Wait("refract.status().graph.settled")
	b.Is(positions, first)
	if paper() == light {
		t.Error("the system does not make it dark")
	}
	b.Clean(page)

	// Without scripts, the findings can be read.
	b.Call(nil, "Emulation.setScriptExecutionDisabled", map[string]any{"value": true})
	b.Call(nil, "Page.navigate", map[string]any{"url": page + "?plain"})
	b.Wait("document.readyState === 'complete' && location.search === '?plain'")
	b.Is("typeof refract", "undefined")
	b.Is("document.querySelectorAll('#list li').length", "8")
	b.Is("document.getElementById('controls').hidden", "true")
}

// In a large tree, directories are folded in the graph, and unfolded with the keyboard or by coming closer.
func TestBrowserFolds(t *testing.T) {
	files := map[string]string{}
	for _, dir := range []string{"api", "guide/a", "guide/b"} {
		for i := range 180 {
			files[fmt.Sprintf("%s/p%d.md", dir, i)] = fmt.Sprintf("[next](p%d.md) [other](/guide/a/p%d.md) [gone](gone%d.md)\n", (i+1)%180, i, i%2)
		}
	}
	write(t, files)
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	page := save(t, audited(t, here))
	b := browser.Start(t, 1440, 900)
	b.Open(page)
	b.Wait("refract.status().graph.settled")
	b.Is(query(".root"), "Names are relative to "+here+".")
	b.Is(query("h3 bdi"), "api/p0.md")
	b.Is("refract.status().graph.folds", "3")
	b.Is(query("#folds summary"), "Folded directories: 3")
	b.Is("document.getElementById('folded').hidden", "false")
	b.Shot("folded")

	// With the keyboard alone: Tab reaches a button that leads past the list of findings to the graph, and then the list below
	// it. That opens, its first button unfolds a directory, and the focus is in the graph.
	press := func(key, text string, code int) {
		for _, kind := range []string{"keyDown", "keyUp"} {
			b.Call(nil, "Input.dispatchKeyEvent", map[string]any{"type": kind, "key": key, "code": key, "text": text, "windowsVirtualKeyCode": code})
		}
	}
	const focus = "document.activeElement.matches(%q)"
	tab := func(selector string, most int) {
		t.Helper()
		for range most {
			press("Tab", "", 9)
			if b.Eval(fmt.Sprintf(focus, selector)) == "true" {
				return
			}
		}
		t.Fatalf("%d times Tab do not lead to %s, but to %s", most, selector, b.Eval("document.activeElement.outerHTML.slice(0, 99)"))
	}
	b.Call(nil, "Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true})
	tab("#down", 30)
	b.Is("getComputedStyle(document.activeElement).position", "static")
	b.Shot("skips")
	press("Enter", "\r", 13)
	b.Is("document.activeElement.id", "stage")
	tab("#folds summary", 1)
	press("Enter", "\r", 13)
	b.Wait("document.getElementById('folds').open")
	b.Is("document.querySelectorAll('#folds button').length", "3")
	tab("#folds button", 3)
	press("Enter", "\r", 13)
	b.Wait("refract.status().graph.folds === 0 && refract.status().graph.settled")
	b.Is("document.getElementById('folds').hidden", "true")
	b.Is("document.activeElement.id", "stage")
	b.Shot("unfolded")
	press("0", "0", 48)
	b.Wait("refract.status().graph.folds === 3 && refract.status().graph.settled")
	b.Clean(page)
}

// Hostile names have no effect in a browser.
func TestBrowserHostile(t *testing.T) {
	write(t, nil)
	page := save(t, hostileRun())
	b := browser.Start(t, 1440, 900)
	b.Open(page)
	b.Wait("refract.status().graph.settled")
	b.Is("document.querySelectorAll('img, script').length", "2")
	b.Is("refract.status().shown", strconv.Itoa(len(rule.Rules())))
	b.Eval("document.querySelector('input[value=target]').click()")
	b.Clean(page)
}

// A report about 5,000 documents opens and can be searched.
func TestBrowserMany(t *testing.T) {
	scantest.Long(t, "starts a browser")
	const documents = 5000
	name := func(i int) string {
		area := []string{"guide", "reference", "tutorial", "api", "blog", "internals", "ops", "faq"}[i*7%8]
		if i%5 == 0 {
			return fmt.Sprintf("%s/page-%04d.md", area, i)
		}
		return fmt.Sprintf("%s/part%02d/page-%04d.md", area, i/97%17, i)
	}
	files := map[string]string{}
	for i := range documents {
		up := strings.Repeat("../", strings.Count(name(i), "/"))
		text := fmt.Sprintf("# Page %d\n\n", i)
		for j := range 8 {
			to := (i*31 + j*j*577 + j*13) % documents
			if j%2 == 0 {
				to = (i*i*3 + j*101) % 400
			}
			text += fmt.Sprintf("See [page %d](%s%s) for the details.\n", j, up, name(to))
		}
		if i%3 == 0 {
			text += fmt.Sprintf("And [gone](gone-%d.md), and ![picture](%simg/p%d.png).\n", i%40, up, i%30)
		}
		if i%2 == 0 {
			text += fmt.Sprintf("Or [that](#nowhere-%d), or [this](#nor-%d), or [those](#neither-%d).\n", i, i, i)
		}
		files["docs/"+name(i)] = text
	}
	write(t, files)
	run := audited(t, "docs")
	if len(run.Findings) < 10000 {
		t.Fatalf("%d findings", len(run.Findings))
	}
	page := save(t, run)
	b := browser.Start(t, 1440, 900)
	b.Call(nil, "Emulation.setEmulatedMedia", map[string]any{"features": []any{map[string]string{"name": "prefers-color-scheme", "value": "light"}}})
	start := time.Now()
	b.Open(page)
	b.Is("refract.status().shown", strconv.Itoa(len(run.Findings)))
	ready := time.Since(start)
	b.Wait("refract.status().graph.settled")
	t.Logf("%d findings, %d links: ready in %v, drawn in %v", len(run.Findings), len(run.Links), ready, time.Since(start))
	b.Is("refract.status().graph.links", strconv.Itoa(len(run.Links)))
	b.Is("document.querySelectorAll('#list li').length < 1000", "true")
	b.Shot("many")
	took := b.Eval("(() => { const t = performance.now(); document.getElementById('q').value = 'page-4998'; document.getElementById('q').dispatchEvent(new Event('input')); return t; })()")
	b.Wait("refract.status().shown < 100")
	t.Logf("searched in %s ms", b.Eval("Math.round(performance.now() - "+took+")"))
	b.Eval("location.hash = '#by=target'")
	b.Wait("refract.status().shown === " + strconv.Itoa(len(run.Findings)))
	b.Eval("location.hash = '#at=docs/guide/page-0000.md'")
	b.Wait("refract.status().shown < 100 && refract.status().graph.settled")
	b.Shot("many-selected")
	b.Clean(page)
}

// The list of 100,000 findings can be read and searched. The times it prints are those
// of the browser, from the start of the navigation: of its first paint with content, and of the
// marks that the page sets.
func TestBrowserHuge(t *testing.T) {
	scantest.Long(t, "starts a browser")
	const documents, each = 5000, 20
	files := map[string]string{}
	for i := range documents {
		text := fmt.Sprintf("# Page %d\n\n", i)
		for j := range each {
			text += fmt.Sprintf("A sentence with [a link](missing-%d-%d.md) that leads nowhere.\n", i%977, j)
		}
		files[fmt.Sprintf("docs/part%02d/page-%04d.md", i%50, i)] = text
	}
	write(t, files)
	run := audited(t, "docs")
	if len(run.Findings) != documents*each {
		t.Fatalf("%d findings", len(run.Findings))
	}
	page := save(t, run)
	b := browser.Start(t, 1440, 900)
	for range 3 {
		t.Logf("%d findings: milliseconds to first paint, list and graph: %d", len(run.Findings), b.Marks(page, "refract.status().graph?.settled", "refract-list", "refract-graph"))
	}
	b.Is("refract.status().shown", strconv.Itoa(len(run.Findings)))
	b.Clean(page)
}

// The directory to which names are relative has a name of its own among those with links that would not be reported.
func TestTopDirectory(t *testing.T) {
	write(t, map[string]string{"a.md": "[x](x.md)\n", "d/b.md": "[x](x.md)\n"})
	r := audited(t, ".")
	r.Coverage, r.Reasons = nil, map[audit.Reason]int{{}: 2}
	for _, dir := range []string{".", "d"} {
		r.Coverage = append(r.Coverage, audit.Coverage{Dir: dir, Checked: 1, Blind: 1})
	}
	page := string(render(t, r))
	for _, want := range []string{"<bdi>(top)</bdi>: 1 of", "<bdi>d/</bdi>: 1 of"} {
		if !strings.Contains(page, want) {
			_, part, _ := strings.Cut(page, "Links by directory")
			t.Errorf("no %q in %.200s", want, part)
		}
	}
}
