package audit

import (
	"bytes"
	"path"
	"strings"

	"example.org/refract/audit/site"
	"example.org/refract/base"
	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/lazy"
)

// A navEntry is an entry of the navigation of a site. The document that holds it is a configuration
// file, or a page with front matter.
type navEntry struct {
	reference
	result  site.Result
	dir     string // directory that names are relative to; "" for a URL
	resolve func(ref string) site.Result
}

// addNavigation adds the navigation entries of all sites to the documents that hold them.
// Configuration files are documents that come last. It must be called before documents are read,
// while the sites still keep their text.
func (a *auditor) addNavigation() {
	for _, s := range a.layouts.finder.Sites() {
		if a.layouts.bySite[s] == nil {
			continue // no file of it is audited
		}
		var d *document
		var text lined
		last := ""
		for _, link := range s.Navigation() {
			if link.File != last {
				last, text, d = link.File, lined{text: s.NavigationText(link.File), line: 1}, a.navHolder(s, link.File)
			}
			if d != nil && link.Span.End <= len(text.text) {
				a.addEntry(d, &link, &text)
			}
		}
	}
}

// navHolder returns the document of a file that holds navigation entries, or nil if the file is not
// audited.
func (a *auditor) navHolder(s *site.Site, file string) *document {
	if d := a.byPath[file]; d != nil {
		return d
	}
	isListed := false
	for _, p := range a.byName[path.Base(file)] {
		isListed = isListed || p == file
	}
	if !isListed && (len(a.Globs) > 0 || !a.contain(file)) { // .vitepress is hidden
		return nil
	}
	d := a.newDocument(file)
	d.layout, d.top = a.layouts.ofSite(s), a.topOf(file)
	d.retrieved = a.sites.retrieved(file)
	a.byPath[file] = d
	a.navigation = append(a.navigation, d)
	return d
}

// lined counts the lines of a text. It looks at each byte once if the offsets come in order.
type lined struct {
	text            []byte
	line, start, at int // the line of offset at, and the offset where that line begins
}

// position returns the line and the column of an offset that is not before the previous one.
func (l *lined) position(offset int) (line, column int) {
	passed := l.text[l.at:offset]
	l.line += bytes.Count(passed, []byte("\n"))
	if i := bytes.LastIndexByte(passed, '\n'); i >= 0 {
		l.start = l.at + i + 1
	}
	l.at = offset
	return l.line, offset - l.start + 1
}

// addEntry adds an entry to the document d, whose text is text.
func (a *auditor) addEntry(d *document, link *site.NavLink, text *lined) {
	start, end := link.Span.Start, link.Span.End
	raw := string(text.text[start:end])
	line, column := text.position(start)
	e := navEntry{result: link.Result, dir: link.Dir, resolve: link.Resolve}
	e.reference = reference{
		pos: extract.Position{
			Offset: int64(start), Length: end - start, Line: line, Column: column, Exact: raw == link.Ref,
		},
		kind: scan.Link, how: scan.Navigation, in: link.In, raw: raw, ref: link.Ref, entity: whole,
		base: &base.Base{URI: d.retrieved.URI, Layer: base.Retrieval, From: d.retrieved.From},
	}
	d.nav = append(d.nav, e)
}

// component matches an element that code of the project makes. Navigation may lead to a page that
// consists of nothing else, with a fragment for the script of the page.
var component = lazy.New(`<[A-Z]\w*[ />]`)

// judgeNavigation judges the entries that d holds.
func (a *auditor) judgeNavigation(d *document) {
	for i := range d.nav {
		e := &d.nav[i]
		a.tallied(func() { a.judgeEntry(d, e) })
	}
	d.nav = nil
}

// judgeEntry judges one of the entries that d holds.
func (a *auditor) judgeEntry(d *document, e *navEntry) {
	switch e.result.State {
	case site.Unknown:
		a.skip(d, &e.reference, e.result.Why)
	case site.Found:
		_, fragment, hash := strings.Cut(e.ref, "#")
		if e.result.File == "" {
			a.skipFragment(d, &e.reference, fragment)
			return
		}
		if to := a.document(e.result.File); hash && to != nil && component.Match(to.head()) {
			a.skip(d, &e.reference, "a component may make the id")
			return
		}
		a.judgeFragment(d, &e.reference, &target{fragment: fragment, hash: hash, inside: true}, a.realOf(e.result.File))
	case site.Missing:
		a.reportEntry(d, e)
	}
}

// reportEntry reports an entry that leads nowhere.
func (a *auditor) reportEntry(d *document, e *navEntry) {
	p := problem{rule: MissingFile}
	p.message, p.target, p.cause = a.missingOnSite(d, &e.reference, &e.result)
	if e.result.Case {
		p.rule, p.target = Case, e.result.Other
		p.message = "the name on disk is " + a.quoted(e.result.Other) + ", which differs in case"
	}
	p.message = a.withReason(p.message, &e.result)
	to := e.result.Other
	if paths := a.byName[path.Base(e.ref)]; to == "" && len(paths) == 1 {
		to = paths[0]
	}
	if rest, ok := strings.CutPrefix(to, e.dir+"/"); ok && e.dir != "" && rest != e.ref && (e.result.Why == "" || e.result.Case) {
		p.suggestion = rest
	}
	a.reportReference(d, &e.reference, p)
}
