package audit

import (
	"bytes"
	"strconv"

	"example.org/refract/extract/scan"
)

// What toctrees of Sphinx list.

// judgeGlob judges a pattern of a toctree for names of documents.
func (a *auditor) judgeGlob(d *document, n *note) {
	s, uses, _ := d.siteUse()
	found := false
	for _, u := range uses {
		files, isAll := s.Documents(u, n.text)
		found = found || !isAll || len(files) > 0
		for _, file := range files {
			a.listed.add(file)
			if to := a.byPath[file]; to != nil && to != d {
				a.link(d, to)
			}
		}
	}
	if found {
		return
	}
	f := a.finding(d, MissingFile, "no document of the site has a name like "+strconv.Quote(n.text))
	f.Pos, f.Ref = n.pos, a.nameAsReference(d, n, scan.Directive, "toctree")
	a.report(d, f)
}

// reportUnlisted reports a document of Sphinx that is in no toctree, where it does not say that it is to be in none.
func (a *auditor) reportUnlisted(d *document) {
	s := d.layout.generated
	if a.listed.files[d.path] || d.err != nil || s.Document(d.path) == s.RootDocument() || len(a.included.by[d.path]) > 0 {
		return
	}
	text := d.head()
	if bytes.HasPrefix(text, []byte(":orphan:")) || bytes.Contains(text, []byte("\n:orphan:")) {
		return
	}
	f := a.finding(d, Orphan, "no toctree has this document")
	f.Pos.Line, f.Pos.Column = 1, 1
	a.report(d, f)
}
