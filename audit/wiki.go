package audit

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"example.org/refract/audit/site"
	"example.org/refract/extract/scan"
)

// isWiki reports whether k is [[name]] or ![[name]].
func (k *reference) isWiki() bool { return k.in == "wikilink" }

// judgeWiki judges a wiki link by the files of the site: a name, then behind "#" headings
// of it, or "^" and the id of a block.
func (a *auditor) judgeWiki(d *document, k *reference) {
	if d.layout.generated == nil {
		a.skip(d, k, "wiki links are not read here")
		return
	}
	s, uses, why := d.siteUse()
	if len(uses) == 0 {
		a.skip(d, k, why)
		return
	}
	name, heading, _ := strings.Cut(k.ref, "#")
	file := d.path
	if name = strings.TrimSpace(name); name != "" {
		res := s.Wiki(uses[0], name)
		switch {
		case res.State == site.Unknown:
			a.skip(d, k, res.Why)
			return
		case res.State == site.Missing && k.kind == scan.Embed && IsPicture(name):
			a.reportReference(d, k, problem{rule: BrokenImage, message: "no file has the name " + strconv.Quote(name)})
			return
		case res.State == site.Missing:
			a.reportReference(d, k, problem{rule: MissingNote, message: "no note has the name " + strconv.Quote(name)})
			return
		}
		file = a.realOf(res.File)
	}
	to := a.document(file)
	if to != nil && to != d {
		a.link(d, to)
	}
	heading = strings.TrimSpace(heading[strings.LastIndexByte(heading, '#')+1:])
	switch {
	case heading == "":
		return
	case to == nil || !to.isMarkdown() || !to.hasAllIDs():
		a.skipFragment(d, k, heading)
		return
	case to.hasHeading(heading):
		return
	}
	where, what := a.quoted(to.path), "heading"
	if to == d {
		where = "this document"
	}
	if heading[0] == '^' {
		what = "block"
		if !a.config(to).Markdown.BlockIDs {
			a.skip(d, k, "wiki links are not read here")
			return
		}
	}
	a.reportReference(d, k, problem{
		rule: MissingFragment, target: to.path, message: fmt.Sprintf("%s has no %s %s", where, what, strconv.Quote(heading)),
	})
}

// hasHeading reports whether d has a heading of a text, compared by letters and digits, or
// an id.
func (d *document) hasHeading(text string) bool {
	want := lettersOf(text)
	anchors := d.anchorList()
	for i := range anchors {
		k := &anchors[i]
		if k.name == text || want == "" {
			return true
		}
		if text[0] == '^' {
			continue
		}
		if lettersOf(k.name) == want {
			return true
		}
		if h := k.heading; h != nil && (lettersOf(h.Text) == want || lettersOf(h.Alt) == want || lettersOf(h.Source) == want) {
			return true
		}
	}
	return false
}

// lettersOf returns the letters and digits of a text, in lower case.
func lettersOf(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}
