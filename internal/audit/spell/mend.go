package spell

import (
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/judge"
	"example.org/refract/internal/audit/lead"
)

// A Speller decides how to write a reference to a place, and which place was meant.
type Speller struct {
	judge.Judge
	IsPartial   bool                 // only some files are audited
	ReadIgnored func() *lead.Ignored // see isIgnored
	Claims      Claims               // of the document that is being checked
}

// Mend sets the likely replacement for a reference with a problem, and whether it is certain.
func (a *Speller) Mend(d *doc.Document, ref *doc.Reference, l *lead.Landing, p *judge.Problem) {
	t, at := &l.Target, &l.Place
	switch p.Mend {
	case judge.ByName:
		p.Suggestion, _ = a.moved(d, ref, t, nil)
	case judge.ByDecoding:
		p.Suggestion = a.recoded(d, ref, t)
	case judge.ByNearest:
		p.Suggestion, p.Certain = a.nearest(d, ref, t, at)
		a.setPlaces(d, ref, l, p)
	case judge.BySpelling:
		p.Suggestion = a.spelledRight(d, ref, t, at)
		p.Certain = a.isOnlySpelling(t, at) && a.fixes(d, ref, p.Suggestion, at.Path)
	case judge.BySiteFile:
		a.fixOnSite(d, ref, l, p)
		a.setPlaces(d, ref, l, p)
	case judge.ByRoute:
		if !doc.IsTemplate([]byte(ref.Ref)) {
			p.Suggestion = a.SpelledOnSite(d, ref, l.Use, l.Result.File)
		}
	case judge.ByID:
		p.Suggestion = a.Rewritten(d, ref, "", &p.ID)
		p.Certain = p.Certain && a.fixes(d, ref, p.Suggestion, p.Target)
	}
}

// setPlaces sets which file is to stand for which, if that is certain as far as the tree shows.
func (a *Speller) setPlaces(d *doc.Document, ref *doc.Reference, l *lead.Landing, p *judge.Problem) {
	if !p.Certain {
		return
	}
	other := a.Respelt(ref, p.Suggestion, d.IsResourceID(ref) || ref.IsWiki())
	if other == nil {
		return
	}
	to := a.Lead(d, other)
	p.Gone, p.Instead = l.AsPlace(), to.AsPlace()
}
