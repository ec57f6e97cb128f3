//go:build deep

// Package playground tests the page in contrib/playground. The programs that it runs are in the directories beside this file.
package playground

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"example.org/refract/internal/testing/browser"
)

// The most bytes that the modules have, compressed by gzip as a server sends them.
const (
	maxExtract = 4_600_000
	maxAudit   = 8_800_000
)

// built builds the page into a directory.
func built(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if out, err := exec.Command("../../../../contrib/playground/build", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return dir
}

// served serves a directory on this computer, and returns what is asked for.
func served(t *testing.T, dir string) (url string, asked func() []string) {
	t.Helper()
	var mu sync.Mutex
	var names []string
	files := http.FileServer(http.Dir(dir))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		names = append(names, r.URL.Path)
		mu.Unlock()
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Sorted(slices.Values(names))
	}
}

// The page finds references in texts, in a large mail folder and in a PDF, and audits folders and ZIP archives, in Chromium. It
// asks for its own files only, and its policy stops any other request.
func TestPage(t *testing.T) {
	b := browser.Start(t, 1100, 900)
	dir := built(t)
	for name, most := range map[string]int{"extract.js": maxExtract, "audit.js": maxAudit} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		w.Write(text)
		w.Close()
		t.Logf("%s: %d bytes with gzip", name, packed.Len())
		if packed.Len() > most {
			t.Errorf("%s has %d bytes with gzip, more than %d", name, packed.Len(), most)
		}
	}
	url, asked := served(t, dir)
	b.Open(url + "/")
	const status = "document.getElementById('status').textContent"
	b.Wait(status + " === 'Ready'")
	if got := strings.Join(asked(), " "); got != "/ /code.js /extract.js /playground.css /playground.js" {
		t.Errorf("asks for %s", got)
	}
	const rows = "[...document.querySelectorAll('#results tbody tr')].map(r => [...r.cells].map(c => c.textContent).join(' | ')).join('\\n')"

	b.Eval("document.getElementById('find').click()")
	b.Wait(status + " === '2 references in 1 file'")
	b.Is(rows, "text.md | 1:17 | link link | guide.md#start | http://example.org/docs/guide.md#start | http://example.org/docs/index.md (retrieval)\n"+
		"text.md | 1:38 | link autolink | http://example.org/ | http://example.org/ | http://example.org/docs/index.md (retrieval)")
	b.Shot("playground-text")

	// A mail folder of 20 MB.
	b.Eval(`const message = "From a@example.org Thu Jan  1 00:00:00 1998\nFrom: a@example.org\nSubject: x\n\nSee http://example.org/page for more.\n" + "and so on\n".repeat(90) + "\n";
		read([{ name: "large.mbox", bytes: async () => new TextEncoder().encode(message.repeat(20000)).buffer }]).then(() => 0)`)
	b.Is(status, "20,000 references in 1 file: the first 5,000 are shown")
	b.Is("document.querySelectorAll('#results tbody tr').length", "5000")

	// A PDF.
	b.Eval(`read([{ name: "a.pdf", bytes: async () => new TextEncoder().encode(` + "`" + pdf + "`" + `).buffer }]).then(() => 0)`)
	b.Is(status, "1 reference in 1 file")
	b.Is("document.querySelector('#results tbody tr').cells[4].textContent", "http://example.org/pdf")

	// A file that the user chooses.
	name := filepath.Join(dir, "chosen.md")
	if err := os.WriteFile(name, []byte("[a](http://example.org/chosen)\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	var document struct{ Root struct{ NodeID int } }
	b.Call(&document, "DOM.getDocument", nil)
	var input struct{ NodeID int }
	b.Call(&input, "DOM.querySelector", map[string]any{"nodeId": document.Root.NodeID, "selector": "#files"})
	b.Call(nil, "DOM.setFileInputFiles", map[string]any{"nodeId": input.NodeID, "files": []string{name}})
	b.Wait("document.querySelector('#results tbody tr')?.cells[3].textContent === 'http://example.org/chosen'")

	// An audit of a folder, and of a ZIP archive.
	b.Eval("document.getElementById('audit').checked = true")
	const folder = `const file = (name, text) => ({ name, bytes: async () => new TextEncoder().encode(text).buffer });
		read([file("docs/a.md", "# A\n\n[b](b.md) [c](c.md) [d](b.md#none)\n"), file("docs/b.md", "# B\n\n[a](a.md#a)\n")]).then(() => 0)`
	b.Eval(folder)
	b.Is(status, "2 findings in 2 documents with 4 references: 4 internal links checked, 0 not")
	b.Is(rows, "docs/a.md | 3:15 | missing-file | no such file: \"docs/c.md\" | file:///docs/a.md\n"+
		"docs/a.md | 3:25 | missing-fragment | \"docs/b.md\" has no id \"none\" | file:///docs/a.md")
	b.Is("document.querySelector('#save a').download", "refract-report.html")
	b.Shot("playground-audit")
	b.Eval(`read([{ name: "docs.zip", bytes: async () => Uint8Array.from(atob("` + zipped(t) + `"), c => c.charCodeAt(0)).buffer }]).then(() => 0)`)
	b.Is(status, "1 finding in 1 document with 1 reference: 1 internal link checked, 0 not")

	testDrop(t, b, rows)

	// Nothing else is asked for, and the policy refuses it.
	b.Is("fetch('/index.html').then(() => 'sent', () => 'refused')", "refused")
	b.Is("new Promise(done => { const w = new Worker(URL.createObjectURL(new Blob([\"fetch('"+url+"/x').then(() => postMessage('sent'), () => postMessage('refused'))\"]))); w.onmessage = e => done(e.data) })", "refused")
	b.Is("new Promise(done => { const i = new Image(); i.onload = () => done('sent'); i.onerror = () => done('refused'); i.src = '/x.png' })", "refused")
	if got := strings.Join(asked(), " "); got != "/ /audit.js /code.js /extract.js /playground.css /playground.js" {
		t.Errorf("asks for %s", got)
	}
}

// testDrop drops a folder, and a file with an archive, on the page, and shows the report of an audit in it.
func testDrop(t *testing.T, b *browser.Browser, rows string) {
	dir := filepath.Join(t.TempDir(), "site")
	for name, text := range map[string]string{"index.md": "[a](docs/a.md)\n", "docs/a.md": "# A\n\n[b](deep/b.md) [none](none.md)\n", "docs/deep/b.md": "[up](../a.md#a)\n"} {
		name = filepath.Join(dir, name)
		err := os.MkdirAll(filepath.Dir(name), 0o777)
		if err == nil {
			err = os.WriteFile(name, []byte(text), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	const status = "document.getElementById('status').textContent"
	b.Drop("#drop", dir)
	b.Wait(status + " === '1 finding in 3 documents with 4 references: 4 internal links checked, 0 not'")
	b.Is(rows, "site/docs/a.md | 3:23 | missing-file | no such file: \"site/docs/none.md\" | file:///site/docs/a.md")

	b.Eval("document.querySelector('#save button').click()")
	frame := b.Frame()
	frame.Wait("document.readyState === 'complete' && document.querySelectorAll('main, table').length > 0")
	frame.Is("document.body.innerText.includes('none.md') && document.body.innerText.includes('missing-file')", "true")
	b.Eval("document.getElementById('report').scrollIntoView()")
	b.Shot("playground-report")

	b.Eval("document.getElementById('audit').checked = false")
	b.Drop("#drop", filepath.Join(dir, "index.md"), filepath.Join(dir, "docs", "deep"))
	b.Wait(status + " === '2 references in 2 files'")
	b.Is("document.getElementById('report').hidden", "true")
	b.Is("[...document.querySelectorAll('#results tbody tr')].map(r => r.cells[0].textContent).join()", "deep/b.md,index.md")
}

// pdf is a document of one page with a link.
const pdf = `%PDF-1.4
1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj
2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj
3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Annots [4 0 R]>> endobj
4 0 obj <</Type /Annot /Subtype /Link /Rect [0 0 100 100] /A <</S /URI /URI (http://example.org/pdf)>>>> endobj
trailer <</Root 1 0 R>>
`

// zipped returns an archive of one document, in base64.
func zipped(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("docs/a.md")
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, "[b](b.md)\n")
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}
