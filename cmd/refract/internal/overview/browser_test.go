package overview

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/testing/browser"
)

// theme sets whether the system prefers light or dark pages.
func theme(b *browser.Browser, value string) {
	b.Call(nil, "Emulation.setEmulatedMedia", map[string]any{"features": []any{map[string]string{"name": "prefers-color-scheme", "value": value}}})
}

func key(b *browser.Browser, name string) {
	b.Call(nil, "Input.dispatchKeyEvent", map[string]any{"type": "keyDown", "key": name})
	b.Call(nil, "Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": name})
}

const (
	urlsInTable = `[...document.querySelectorAll("#rows .line0 bdi")].map(e => e.textContent).join(" ")`
	status      = `document.getElementById("status").textContent`
)

func TestBrowser(t *testing.T) {
	page := save(t, render(t, small(100), smallRun()))
	b := browser.Start(t, 1440, 900)
	theme(b, "light")
	b.Open(page)
	const all = "http://www.example.org/a http://user@192.0.2.1/ mailto:ann@example.org https://example.net/?q=<b>&x"
	b.Is("document.title", "Links in a.mbox, docs")
	b.Is(status, "4 URLs, 6 references")
	b.Is(urlsInTable, all)
	b.Is(`document.getElementById("plain").hidden`, "true")
	b.Is(`document.querySelector("#rows .line0").innerText.replace(/\s+/g, " ")`, "3 http://www.example.org/a 2 1997-06-02 1997-06-30")
	b.Is(`[...document.querySelectorAll(".tag")].map(e => e.textContent).join()`, "userinfo,ip-host")
	b.Shot("overview-small")

	// Filters: in the cards, the timeline, the fields, and together; the fragment of the URL keeps them.
	pick := func(name string) {
		b.Eval(`[...document.querySelectorAll(".pick")].find(e => e.textContent === ` + strconv.Quote(name) + `).click()`)
	}
	pick("example.org")
	b.Is(status, "1 of 4 URLs, 3 references")
	b.Is("location.hash", "#domain=example.org")
	b.Is(`document.querySelector(".pick[aria-pressed=true]").textContent`, "example.org")
	pick("example.org")
	b.Is(urlsInTable, all)
	pick("bob@example.net")
	b.Is(urlsInTable, "http://www.example.org/a mailto:ann@example.org")
	b.Is("location.hash", "#from=bob%40example.net")
	b.Eval(`document.querySelector("#chips button").click()`)
	b.Is(urlsInTable, all)
	pick("docs/b.zip")
	b.Is(urlsInTable, "https://example.net/?q=<b>&x")
	pick("docs/b.zip")
	pick("uri.example.org")
	b.Is(status, "3 of 4 URLs, 5 references, by the documents that are named")
	b.Eval(`document.getElementById("clear").click()`)
	b.Eval(`[...document.querySelectorAll("#bars g")].at(-1).dispatchEvent(new MouseEvent("click"))`)
	b.Is("location.hash", "#period=1997-06-30")
	b.Is(urlsInTable, "http://www.example.org/a mailto:ann@example.org")
	b.Eval("location.hash = '#label=any&kind=link'")
	b.Wait("refract.status().shown === 1")
	b.Is(urlsInTable, "http://user@192.0.2.1/")
	b.Eval("location.hash = '#scheme=https&order=url'")
	b.Wait("refract.status().shown === 1")
	b.Eval(`document.getElementById("clear").click()`)
	b.Is(urlsInTable, "http://user@192.0.2.1/ http://www.example.org/a https://example.net/?q=<b>&x mailto:ann@example.org")
	b.Eval(`document.querySelector(".head span[data-order=documents]").click()`)
	b.Is("location.hash", "#order=documents")
	b.Is(`document.querySelector("[aria-sort=descending]").textContent`, "Documents")
	b.Is(urlsInTable, all)
	b.Eval("location.hash = '#q=nor+this'")
	b.Wait("refract.status().shown === 0")
	b.Is(`document.getElementById("rows").textContent`, "No URLs match.")
	b.Eval("location.hash = ''")
	b.Wait("refract.status().shown === 4")

	// The keyboard: "/" searches, the arrows move, Enter shows where a URL is.
	b.Eval("document.activeElement.blur()")
	b.Call(nil, "Input.dispatchKeyEvent", map[string]any{"type": "keyDown", "key": "/", "text": "/"})
	b.Is("document.activeElement.id", "q")
	b.Is("document.activeElement.value", "")
	b.Call(nil, "Input.insertText", map[string]string{"text": "DRAFT org/a"})
	b.Wait("refract.status().shown === 1")
	b.Eval(`document.getElementById("clear").click()`)
	b.Eval(`document.getElementById("grid").focus()`)
	key(b, "ArrowDown")
	b.Is("refract.status().active", "1")
	b.Is(`document.getElementById("grid").getAttribute("aria-activedescendant")`, "row1")
	key(b, "Enter")
	b.Is("refract.status().open", "1")
	b.Is(`document.querySelector(".more ol").textContent`, "a.mbox:9:1 1997-06-02 · ann@example.org · The draft")
	b.Is(`document.querySelectorAll(".more a").length`, "0") // it has labels
	b.Is(`document.querySelector(".more dl").innerText.includes("user information before")`, "true")
	b.Shot("overview-open")
	key(b, "Home")
	key(b, "Enter")
	b.Is(`document.querySelector(".more a").href`, "http://www.example.org/a")
	b.Is(`document.querySelector(".more a").rel`, "noopener noreferrer")
	key(b, "End")
	b.Is("refract.status().active", "3")
	key(b, "Escape")
	b.Is("refract.status().open", "-1")
	b.Is(`document.querySelector("#row3 bdi").textContent`, "https://example.net/?q=<b>&x")
	key(b, "Enter")
	b.Is(`document.querySelector(".more ol code").textContent`, "docs/b.zip!/x.html:2:1")

	// The export has what is shown.
	const head = "url,references,at_least,documents,first_seen,last_seen,domain,kinds,labels,places\n"
	pick("192.0.2.1")
	b.Is("refract.csv()", head+"http://user@192.0.2.1/,1,false,1,1997-06-02,1997-06-02,192.0.2.1,link,userinfo ip-host,a.mbox:9:1\n")
	dir := t.TempDir()
	b.Call(nil, "Browser.setDownloadBehavior", map[string]any{"behavior": "allow", "downloadPath": dir})
	b.Eval(`document.getElementById("export").click()`)
	for start := time.Now(); time.Since(start) < 10*time.Second; time.Sleep(20 * time.Millisecond) {
		if text, err := os.ReadFile(filepath.Join(dir, "links.csv")); err == nil && strings.HasPrefix(string(text), head) {
			break
		}
	}
	if text, err := os.ReadFile(filepath.Join(dir, "links.csv")); err != nil || !strings.HasPrefix(string(text), head) {
		t.Errorf("downloaded %q, %v", text, err)
	}

	// Dark by the setting of the system, or by the button.
	paper := func() string { return b.Eval("getComputedStyle(document.body).backgroundColor") }
	light := paper()
	b.Eval("document.getElementById('theme').click()")
	if paper() == light {
		t.Error("the button does not make it dark")
	}
	b.Shot("overview-dark")
	b.Eval("document.getElementById('theme').click()")
	b.Eval("localStorage.clear()")

	// On narrow screens nothing is wider than the screen.
	b.Call(nil, "Emulation.setDeviceMetricsOverride", map[string]any{"width": 400, "height": 800, "deviceScaleFactor": 1, "mobile": false})
	b.Is("document.documentElement.scrollWidth <= 400", "true")
	b.Shot("overview-narrow")
}

// Without scripts, everything but the table can be read.
func TestBrowserPlain(t *testing.T) {
	page := save(t, render(t, small(100), smallRun()))
	b := browser.Start(t, 1440, 900)
	b.Call(nil, "Emulation.setScriptExecutionDisabled", map[string]any{"value": true})
	b.Open(page)
	b.Is("typeof refract", "undefined")
	b.Is(`document.querySelectorAll("#plain tbody tr").length`, "4")
	b.Is(`document.querySelectorAll(".card").length`, "9")
	b.Is(`document.getElementById("controls").hidden && document.getElementById("grid").hidden && document.getElementById("theme").hidden`, "true")
	b.Clean(page)
}

// Hostile text has no effect in a browser.
func TestBrowserHostile(t *testing.T) {
	c, run := hostile()
	page := save(t, render(t, c, run))
	b := browser.Start(t, 1440, 900)
	b.Open(page)
	b.Is("refract.status().shown", "5")
	b.Is("document.querySelectorAll('img, script').length", "2")
	b.Eval(`document.getElementById("grid").focus()`)
	for range 5 {
		key(b, "Enter")
		b.Is("document.querySelectorAll('.more a').length", "0")
		key(b, "Escape")
		key(b, "ArrowDown")
	}
	for _, name := range []string{"domain", "folder", "list", "from"} {
		b.Eval(`document.querySelector(".card[data-facet=` + name + `] .pick")?.click()`)
		b.Is("refract.status().shown", "5")
	}
	b.Eval("refract.csv()")
	b.Clean(page)
}

// A page with 100,000 URLs has few elements. The times it prints are those of the
// browser, from the start of the navigation to the first paint with content.
func TestBrowserHuge(t *testing.T) {
	w := browser.Start(t, 1440, 900)
	c := NewCollector(labels)
	var b Batch
	for i := range maxURLs {
		if i%4 == 0 {
			b.In(Source{Name: "archive.mbox", Folder: "archive.mbox", Date: june(1).AddDate(0, 0, i%3000), From: fmt.Sprintf("a%d@h%d.example", i%5000, i%800), Subject: fmt.Sprintf("Subject %d of a message about trees", i), List: fmt.Sprintf("l%d.example.org", i%7)})
		}
		domain := fmt.Sprintf("h%d.example", i*i%6000)
		b.Add(&Reference{URL: fmt.Appendf(nil, "https://www.%s/path/to/some/page-%d.html?id=%d", domain, i, i*7919), Domain: domain, Kind: scan.Kind(i % 3), Line: i * 10, Column: 3})
	}
	c.Take(&b)
	text := render(t, c, smallRun())
	page := save(t, text)
	theme(w, "light")
	for range 3 {
		t.Logf("%d bytes: milliseconds to first paint and table: %d", len(text), w.Marks(page, "window.refract !== undefined", "refract-table"))
	}
	w.Is(status, "100,000 URLs, 100,000 references")
	w.Is("document.querySelectorAll('#rows .item').length < 60", "true")
	w.Eval(`document.getElementById("grid").focus()`)
	key(w, "End")
	w.Is("refract.status().active", "99999")
	w.Is(`document.querySelector("#row99999 bdi").textContent.includes("page-99999.html")`, "true")
	for _, x := range []string{"#q=page-4711", "#domain=h1.example", "#order=url", "#from=a10@h10.example", "#list=l1.example.org"} {
		took := w.Eval("(() => { const t = performance.now(); location.hash = " + strconv.Quote(x) + "; return t; })()")
		w.Wait("document.getElementById('clear').hidden === " + strconv.FormatBool(x == "#order=url"))
		t.Logf("%s: %s, %s ms", x, w.Eval(status), w.Eval("Math.round(performance.now() - "+took+")"))
	}
	w.Shot("overview-huge")
	w.Clean(page)
}
