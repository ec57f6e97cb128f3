package report

import "example.org/refract/cmd/refract/internal/webpage"

// body writes the page's body.
func (p *content) body(h *webpage.HTML) {
	h.Addf(`<header>
<h1>%v</h1>
<button type="button" id="theme" hidden>Dark</button>
<dl class="totals">
<div`, p.Title)
	if p.Total > 0 {
		h.Addf(` class="bad"`)
	}
	h.Addf("><dt>findings</dt><dd>%v</dd></div>\n", p.Total)
	if p.NoteFindings > 0 {
		h.Addf("<div><dt>of these, notes</dt><dd>%v</dd></div>\n", p.NoteFindings)
	}
	if p.Pages != nil {
		h.Addf(`<div><dt>incomplete pages</dt><dd>%v <small>of %v</small></dd></div>
<div><dt>resources here</dt><dd>%v <small>of %v needed</small></dd></div>
`, p.Pages.Incomplete, p.Pages.N, p.Pages.Here, p.Pages.Needed)
	} else {
		h.Addf(`<div><dt>in documents</dt><dd>%v <small>of %v</small></dd></div>
<div><dt>internal links</dt><dd>%v <small>of %v references</small></dd></div>
<div><dt>reported if broken</dt><dd>%v <small>of %v</small></dd></div>
`, p.Broken, p.Documents, p.InternalLinks(), p.References, p.Reported, p.InternalLinks())
	}
	h.Addf("</dl>\n")
	p.asides(h)
	h.Addf(`</header>
<main>
<section class="list" aria-labelledby="findings-title">
<form id="controls" role="search" hidden>
<fieldset class="rules"><legend>Rules</legend><div id="rules"></div></fieldset>
<div class="fields">
<label>Search <input type="search" id="q" autocomplete="off" spellcheck="false"></label>
<label>Document path <input type="search" id="path" autocomplete="off" spellcheck="false"></label>
<fieldset class="by"><legend>Group by</legend>
<label><input type="radio" name="by" value="document" checked><span>Document</span></label>
<label><input type="radio" name="by" value="target"><span>Target</span></label>
<label><input type="radio" name="by" value="rule"><span>Rule</span></label>
<label><input type="radio" name="by" value="cause"><span>Cause</span></label>
</fieldset>
</div>
<p class="status"><output id="status" aria-live="polite"></output> <button type="button" id="clear" hidden>Clear all filters</button> <button type="button" id="down">Graph</button></p>
</form>
<h2 id="findings-title">Findings</h2>
<div id="list">`)
	p.findings(h)
	h.Addf("\n" + `</div>
<button type="button" id="more" hidden></button>
</section>
` + graph + "</main>\n")
}

// An aside is a list that is shown on request, or at once.
type aside struct {
	title string
	n     int // in the title, if it is not 0
	open  bool
}

// write writes the aside and its items.
func (a aside) write(h *webpage.HTML, items func()) {
	h.Addf(`<details class="odd"`)
	if a.open {
		h.Addf(" open")
	}
	h.Addf("><summary>%v", a.title)
	if a.n > 0 {
		h.Addf(": %v", a.n)
	}
	h.Addf("</summary>")
	items()
	h.Addf("</details>\n")
}

// asides writes what is not a finding.
func (p *content) asides(h *webpage.HTML) {
	if p.Pages != nil && len(p.Pages.Worst) > 0 {
		aside{"Incomplete pages and style sheets", p.Pages.Incomplete, true}.write(h, func() {
			h.Addf("\n<table class=\"pages\">")
			for _, page := range p.Pages.Worst {
				h.Addf("\n<tr><td><bdi>%v</bdi></td><td>%v</td></tr>", webpage.Shown(page.URL), page.Text)
			}
			h.Addf("\n</table>")
			if p.Pages.Incomplete > len(p.Pages.Worst) {
				h.Addf("\n<p>Only those that lack most are listed.</p>")
			}
		})
	}
	if p.Root != "" {
		h.Addf("<p class=\"root\">Names are relative to <bdi>%v</bdi>.</p>\n", p.Root)
	}
	if len(p.Why) > 0 {
		aside{title: "Links and names that would not be reported if they were broken"}.write(h, func() { p.blind(h) })
	}
	if len(p.Floods) > 0 {
		aside{"Findings with a common cause", p.ManyFloods, p.ManyFloods <= 10}.write(h, func() {
			h.Addf("<ul>")
			for _, flood := range p.Floods {
				h.Addf("\n<li>%v</li>", flood)
			}
			if p.ManyFloods > len(p.Floods) {
				h.Addf("\n<li>and others: group by cause</li>")
			}
			h.Addf("\n</ul>")
		})
	}
	if len(p.Errors) > 0 {
		aside{"Could not be read", len(p.Errors), true}.write(h, func() {
			h.Addf("<ul>")
			for _, e := range p.Errors {
				h.Addf("\n<li>%v</li>", webpage.Shown(e.Err.Error()))
			}
			h.Addf("\n</ul>")
		})
	}
	if len(p.Notes) > 0 {
		aside{"Read in a simpler way", len(p.Notes), false}.write(h, func() {
			h.Addf("<ul>")
			for _, n := range p.Notes {
				h.Addf("\n<li><bdi>%v</bdi>: %v</li>", webpage.Shown(n.File), webpage.Shown(n.Text))
			}
			h.Addf("\n</ul>")
		})
	}
}

// blind writes how many links would not be reported, and why.
func (p *content) blind(h *webpage.HTML) {
	h.Addf("\n<ul>")
	for _, why := range p.Why {
		h.Addf("\n<li>%v: %v</li>", why.N, why.Text)
	}
	h.Addf("\n</ul>")
	if len(p.Partial) == 0 {
		return
	}
	h.Addf("\n<p>Links by directory:</p>\n<ul>")
	for _, c := range p.Partial {
		h.Addf("\n<li><bdi>%v</bdi>: %v of %v</li>", webpage.Shown(c.Dir), c.Blind, c.All())
	}
	h.Addf("\n</ul>")
}

// findings writes the findings that can be read without JavaScript.
func (p *content) findings(h *webpage.HTML) {
	if p.Total == 0 {
		h.Addf("\n<p class=\"none\">No broken links found.</p>")
	}
	for _, g := range p.Plain {
		h.Addf("\n<section class=\"group\"><h3><bdi>%v</bdi></h3>\n<ol>", g.File)
		for _, f := range g.Findings {
			h.Addf(`
<li><span class="at"><span class="vh"><bdi>%v</bdi>:</span>%v</span><div><p class="message"><span>%v</span><span class="rule">%v</span></p>`,
				g.File, f.Place(), f.Message, f.RuleName)
			if e := f.Excerpt; e != nil {
				h.Addf(`<code class="line"><bdi dir="ltr">%v<mark>%v</mark>%v</bdi></code>`, e[0], e[1], e[2])
			}
			if f.Written != "" && (f.Suggestion != "" || f.Excerpt == nil) {
				h.Addf(`<p class="meta"><code>%v</code>`, f.Written)
				if f.Suggestion != "" {
					h.Addf(` → <code class="suggestion">%v</code>`, f.Suggestion)
				}
				h.Addf("</p>")
			}
			h.Addf("</div></li>")
		}
		h.Addf("\n</ol></section>")
	}
	if p.More > 0 {
		h.Addf("\n<p class=\"none\">%v more findings are shown with JavaScript.</p>", p.More)
	}
}

// graph is where the script draws the graph of links.
const graph = `<section class="graph" id="graph" aria-labelledby="graph-title" hidden>
<div class="bar">
<h2 id="graph-title">Links</h2>
<label><input type="checkbox" id="live" checked> Working links</label>
<span class="zoom"><button type="button" id="out" aria-label="Zoom out">−</button><button type="button" id="in" aria-label="Zoom in">+</button><button type="button" id="fit">Fit</button><button type="button" id="wide" aria-pressed="false">Widen</button></span>
</div>
<div class="stage" id="stage" tabindex="0" role="application" aria-label="Graph of links: arrow keys move it, plus and minus zoom, 0 shows all, Escape ends a selection. Above 400 names in view, directories are folded: the list below unfolds them">
<canvas></canvas><canvas></canvas><canvas></canvas><canvas></canvas>
<div id="tip" hidden></div>
</div>
<ul class="legend" aria-label="Legend">
<li><i class="dot fine" data-colour="fine"></i>document</li>
<li><i class="dot bad" data-colour="bad"></i>with findings</li>
<li><i class="ring fine"></i>nothing links to it</li>
<li><i class="dot other" data-colour="other"></i>other file</li>
<li><i class="hollow" data-colour="gone"></i>missing</li>
<li id="folded" hidden><i class="dot pie"></i>directory: its share of files with findings</li>
<li><i class="edge bad"></i>broken</li>
<li><i class="edge out" data-colour="out"></i>its links</li>
<li><i class="edge in" data-colour="in"></i>links to it</li>
</ul>
<details id="folds" hidden><summary></summary><ul></ul></details>
<div id="about" class="about" aria-live="polite" hidden></div>
<i hidden data-colour="line"></i><i hidden data-colour="box"></i><i hidden data-colour="ink"></i><i hidden data-colour="muted"></i><i hidden data-colour="paper"></i>
</section>
`
