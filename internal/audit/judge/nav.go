package judge

import (
	"path"
	"strconv"
	"strings"

	"example.org/refract/base"
	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
)

// AddEntry adds an entry to the document d, whose text is text.
func (a *Judge) AddEntry(d *doc.Document, link *site.NavLink, text *doc.Lined) {
	start, end := link.Span.Start, link.Span.End
	raw := string(text.Text[start:end])
	line, column := text.Position(start)
	e := doc.NavEntry{Result: link.Result, Dir: link.Dir, Resolve: link.Resolve}
	e.Reference = doc.Reference{
		Pos: extract.Position{
			Offset: int64(start), Length: end - start, Line: line, Column: column, Exact: raw == link.Ref,
		},
		Kind: scan.Link, How: scan.Navigation, In: link.In, Raw: raw, Ref: link.Ref, Entity: doc.Whole,
		Base: &base.Base{URI: d.Retrieved.URI, Layer: base.Retrieval, From: d.Retrieved.From},
	}
	d.Nav = append(d.Nav, e)
}

// component matches an element that code of the project makes. Navigation may link to a page that consists
// of nothing else, with a fragment for the script of the page.
var component = lazy.New(`<[A-Z]\w*[ />]`)

// JudgeEntry checks one of the entries that d holds.
func (a *Judge) JudgeEntry(d *doc.Document, e *doc.NavEntry, l *lead.Landing) Verdict {
	switch {
	case l.State == site.Unknown:
		return skipped(l.Why)
	case l.State == site.Missing:
		if why := a.mayBeOnSite(d, &e.Reference, site.Use{}, &e.Result); !why.IsZero() {
			return skipped(why)
		}
		return a.faultyEntry(d, e)
	case l.File == "":
		return unseenFragment(l.Fragment)
	}
	if to := a.Document(l.File); l.Hash && to != nil && component.Match(to.Head()) {
		return skipped(reason.ComponentID)
	}
	return a.judgeFragment(d, &e.Reference, l)
}

// faultyEntry returns the verdict on an entry that points nowhere.
func (a *Judge) faultyEntry(d *doc.Document, e *doc.NavEntry) Verdict {
	p := Problem{Rule: rule.MissingFile}
	p.Message, p.Target, p.Cause = a.MissingOnSite(d, &e.Reference, &e.Result)
	if e.Result.Case {
		p.Rule, p.Target = rule.Case, e.Result.Other
		p.Message = "case mismatch: the file is " + a.Quoted(e.Result.Other)
	}
	p.Message = a.WithReason(p.Message, &e.Result)
	to := e.Result.Other
	if paths := a.ByName[path.Base(e.Ref)]; to == "" && len(paths) == 1 {
		to = paths[0]
	}
	if rest, ok := strings.CutPrefix(to, e.Dir+"/"); ok && e.Dir != "" && rest != e.Ref && (e.Result.Why.IsZero() || e.Result.Case) {
		p.Suggestion = rest
	}
	return faulty(p)
}

// judgeGlob judges a pattern of a toctree for names of documents.
func (a *Judge) judgeGlob(d *doc.Document, n *doc.Note) Verdict {
	s, uses, _ := d.SiteUse()
	found, v := false, Verdict{}
	for _, u := range uses {
		files, isAll := s.Names().Documents(u, n.Text)
		found = found || !isAll || len(files) > 0
		if v.Files == nil {
			v.Files = files[:len(files):len(files)] // shared by all that have the pattern
		} else {
			v.Files = append(v.Files, files...)
		}
	}
	if !found {
		v.Problem = &Problem{
			Rule: rule.MissingFile, Message: "no document of the site has a name like " + strconv.Quote(n.Text), Use: a.NameAsReference(d, n, scan.Directive, "toctree"),
		}
	}
	return v
}
