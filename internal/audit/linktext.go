package audit

import (
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/judge"
	"example.org/refract/internal/audit/lead"
)

// texts are the texts of the links of a document that are not yet checked.
type texts struct {
	a      *auditor
	d      *doc.Document
	vague  []doc.LinkText
	titles map[int64]*doc.LinkText // texts that may be titles, by the offset of the reference
}

// textsOf returns the texts of the links of d. There are none without Options.LinkTexts.
func (a *auditor) textsOf(d *doc.Document) *texts {
	t := &texts{a: a, d: d, vague: d.Texts.Vague}
	if len(d.Texts.Titles) > 0 {
		t.titles = make(map[int64]*doc.LinkText, len(d.Texts.Titles))
		for i := range d.Texts.Titles {
			t.titles[d.Texts.Titles[i].Pos.Offset] = &d.Texts.Titles[i]
		}
	}
	return t
}

// report reports the links before an offset whose text says nothing.
func (t *texts) report(end int64) {
	for ; len(t.vague) > 0 && t.vague[0].Pos.Offset < end; t.vague = t.vague[1:] {
		k := &t.vague[0]
		if p := t.a.JudgeVague(t.d, k); p != nil {
			t.found(&k.Reference, p)
		}
	}
}

// take judges the text of a link that works. A section of a page has a name of its own.
func (t *texts) take(ref *doc.Reference, l *lead.Landing, v *judge.Verdict) {
	text := t.titles[ref.Pos.Offset]
	if text == nil || v.Problem != nil || !v.Skip.IsZero() || v.To == nil || v.To.Path == t.d.Path || l.Fragment != "" {
		return
	}
	if p := t.a.JudgeTitle(t.d, v.To, ref.Ref, text); p != nil {
		t.found(ref, p)
	}
}

func (t *texts) found(ref *doc.Reference, p *judge.Problem) {
	f := t.a.finding(t.d, p.Rule, p.Message)
	f.Pos, f.Ref, f.Target = ref.Pos, ref.Extracted(), t.a.Target(p.Target)
	t.a.report(t.d, f)
}
