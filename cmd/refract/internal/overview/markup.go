package overview

import (
	"strconv"

	"example.org/refract/cmd/refract/internal/webpage"
)

// body writes the page's body.
func (p *content) body(h *webpage.HTML) {
	p.header(h)
	h.Addf("<main>\n")
	if p.Time != nil {
		p.Time.markup(h)
	}
	h.Addf("<div class=\"cards\">\n")
	for _, c := range p.Cards {
		c.markup(h)
	}
	h.Addf("</div>\n")
	if p.Risks != nil {
		h.Addf("<div id=\"labels\" class=\"cards wide\">\n")
		p.Risks.markup(h)
		h.Addf("</div>\n")
	}
	p.urls(h)
	if p.isPartial() {
		p.unread(h)
	}
	h.Addf("</main>\n")
}

// isPartial reports whether anything was not read, or not as it should be.
func (p *content) isPartial() bool { return len(p.Unread) > 0 || p.Errors > 0 || p.Skipped > 0 }

func (p *content) header(h *webpage.HTML) {
	h.Addf(`<header>
<h1>%v</h1>
<button type="button" id="theme" hidden>Dark</button>
<dl class="totals">
<div><dt>references</dt><dd>%v</dd></div>
<div><dt>distinct URLs</dt><dd>%v</dd></div>
<div><dt>domains</dt><dd>%v</dd></div>
`, p.Title, p.References, p.Distinct, p.Sites)
	if p.Senders != "0" {
		h.Addf("<div><dt>senders</dt><dd>%v</dd></div>\n", p.Senders)
	}
	h.Addf(`<div><dt>documents with references</dt><dd>%v</dd></div>
<div><dt>%v</dt><dd>%v</dd></div>
</dl>
<nav aria-label="Sections"><a href="#urls">URLs</a>`, p.Documents, noun(p.Inputs, "input", "inputs"), p.Inputs)
	if p.Risks != nil {
		h.Addf(` <a href="#labels">Labels</a>`)
	}
	if p.isPartial() {
		h.Addf(` <a href="#unread">Not read</a>`)
	}
	h.Addf("</nav>\n</header>\n")
}

func (t *timeline) markup(h *webpage.HTML) {
	h.Addf(`<section class="time" aria-labelledby="time-title">
<h2 id="time-title">References over time</h2>
<p class="note">by %v, from %v to %v; highest bar: %v`, t.Unit, t.From, t.To, t.Most)
	for _, rest := range []struct {
		n    int
		what string
	}{{t.Before, "earlier"}, {t.After, "later"}, {t.Undated, "without a date"}} {
		if rest.n > 0 {
			h.Addf("; %v %v", rest.n, rest.what)
		}
	}
	h.Addf(`</p>
<svg id="bars" viewBox="0 0 %v 100" preserveAspectRatio="none" role="img" aria-label="References by %v: the table below has the numbers" focusable="false">`, strconv.Itoa(len(t.Bars)), t.Unit)
	for _, b := range t.Bars {
		h.Addf(`<g><rect class="room" x="%[1]v" y="0" width=".8" height="100"/><rect class="bar" x="%[1]v" y="%v" width=".8" height="%v"/><title>%v: %v</title></g>`,
			b.X, b.Y, b.High, b.Name, b.N)
	}
	h.Addf("</svg>\n<p class=\"ticks\" aria-hidden=\"true\">")
	for _, tick := range t.Ticks {
		h.Addf("<span>%v</span>", tick)
	}
	h.Addf(`</p>
<details><summary>As a table</summary><table class="plain"><thead><tr><th scope="col">%v</th><th scope="col">References</th></tr></thead><tbody>`, t.Unit)
	for _, b := range t.Bars {
		if b.N > 0 {
			h.Addf("\n<tr><th scope=\"row\">%v</th><td>%v</td></tr>", b.Name, b.N)
		}
	}
	h.Addf("\n</tbody></table></details>\n</section>\n")
}

func (c *card) markup(h *webpage.HTML) {
	h.Addf(`<section class="card"`)
	if c.ID != "" {
		h.Addf(` data-facet="%v"`, c.ID)
	}
	h.Addf(">\n<h3>%v</h3>\n", c.Title)
	c.table(h, c.Rows)
	if len(c.More) > 0 {
		h.Addf("\n<details><summary>%v more</summary>\n", len(c.More))
		c.table(h, c.More)
		if c.Others > 0 {
			h.Addf(`<p class="note">and %v others</p>`, c.Others)
		}
		h.Addf("</details>")
	}
	if c.About != "" {
		h.Addf("\n<p class=\"note\">%v</p>", c.About)
	}
	h.Addf("\n</section>\n")
}

func (c *card) table(h *webpage.HTML, rows []row) {
	h.Addf(`<table><thead class="vh"><tr><th scope="col">%v</th><th scope="col">Number</th></tr></thead>
<tbody>`, c.Title)
	for _, r := range rows {
		h.Addf("\n<tr><th scope=\"row\"><span class=\"name\"")
		if r.Value != "" {
			h.Addf(` data-value="%v"`, r.Value)
		}
		h.Addf("><bdi>%v</bdi></span>", r.Name)
		if r.About != "" {
			h.Addf(" <small>%v</small>", r.About)
		}
		least := ""
		if r.Least {
			least = "≥ "
		}
		h.Addf(`<svg class="share" aria-hidden="true" focusable="false"><rect width="%v" height="100%%"/></svg></th><td>%v%v</td></tr>`, r.Width, least, r.N)
	}
	h.Addf("\n</tbody></table>")
}

func (p *content) urls(h *webpage.HTML) {
	h.Addf(`<section id="urls" class="urls" aria-labelledby="urls-title">
<h2 id="urls-title">URLs</h2>
<p class="note">`)
	if p.IsCut {
		h.Addf("%v of %v URLs, with %v of the %v references. While reading, the URLs seen least were dropped, of these the latest first; a count with ≥ may be too low. ",
			p.URLs, p.Distinct, p.Listed, p.References)
	}
	if p.Unresolved > 0 {
		h.Addf("%v relative %v without a known base %v no URL (--base or --url gives one). ",
			p.Unresolved, noun(p.Unresolved, "reference", "references"), noun(p.Unresolved, "has", "have"))
	}
	h.Addf(`For each URL, the first %v documents are named.</p>
<form id="controls" role="search" hidden>
<div class="fields">
<label>Search <input type="search" id="q" autocomplete="off" spellcheck="false" placeholder="words of the URL, subject, sender, file"></label>
<label>Domain <input type="search" id="domain" autocomplete="off" spellcheck="false" list="domains"></label>
<datalist id="domains"></datalist>
<label>Kind <select id="kind"></select></label>
<label>Label <select id="label"></select></label>
<label id="period-field">Period <select id="period"></select></label>
<label>Order <select id="order">
<option value="count">most references</option>
<option value="documents">most documents</option>
<option value="first">first seen</option>
<option value="last">last seen</option>
<option value="url">URL</option>
<option value="site">domain</option>
</select></label>
</div>
<p class="status"><output id="status" aria-live="polite"></output><span id="chips"></span><button type="button" id="clear" hidden>Clear all filters</button><button type="button" id="export">Export as CSV</button></p>
</form>
<div id="plain">`, p.MaxPlaces)
	p.top(h)
	h.Addf(`
</div>
<div id="grid" role="treegrid" aria-labelledby="urls-title" tabindex="0" hidden>
<div role="row" class="head" aria-rowindex="1"><span role="columnheader" data-order="count">References</span><span role="columnheader" data-order="url">URL</span><span role="columnheader" data-order="documents">Documents</span><span role="columnheader" data-order="first">First seen</span><span role="columnheader" data-order="last">Last seen</span></div>
<div id="rows" role="rowgroup"></div>
</div>
<p class="note" id="printed"></p>
<p class="note keys" hidden id="keys">Arrow keys move in the table, Enter shows where a URL occurs, / searches.</p>
</section>
`)
}

// top writes the URLs that can be read without JavaScript.
func (p *content) top(h *webpage.HTML) {
	if len(p.Top) == 0 {
		h.Addf(`<p class="none">No URLs found.</p>`)
		return
	}
	h.Addf(`<table class="plain"><thead><tr><th scope="col">URL</th><th scope="col">References</th><th scope="col">Documents</th><th scope="col">First place</th></tr></thead><tbody>`)
	for _, u := range p.Top {
		h.Addf(`
<tr><th scope="row"><bdi dir="ltr">%v</bdi></th><td>%v</td><td>%v</td><td class="at"><bdi>%v</bdi></td></tr>`, u.URL, u.N, u.Documents, u.Place)
	}
	h.Addf("\n</tbody></table>")
	if p.URLs > len(p.Top) {
		h.Addf("\n<p class=\"note\">The %v URLs of the whole table are shown with JavaScript.</p>", p.URLs)
	}
}

// unread writes what was not read, or not as it should be.
func (p *content) unread(h *webpage.HTML) {
	h.Addf(`<section id="unread" aria-labelledby="unread-title">
<h2 id="unread-title">Not read, and notes</h2>
`)
	if p.Errors > 0 {
		h.Addf(`<p class="note">%v %v: inputs, or parts of them, that could not be read.</p>`, p.Errors, noun(p.Errors, "error", "errors"))
	}
	if p.Skipped > 0 {
		h.Addf("\n<p class=\"note\">%v records of web archives were skipped because of their type.</p>", p.Skipped)
	}
	h.Addf("\n<div class=\"cards\">\n")
	for _, c := range p.Unread {
		c.markup(h)
	}
	h.Addf("</div>\n</section>\n")
}

// noun returns one for 1, and many for any other number.
func noun(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
