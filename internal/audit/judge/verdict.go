package judge

import (
	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/reason"
)

// A Verdict is the result of checking a reference, or a name. The zero Verdict means that nothing is wrong.
type Verdict struct {
	Skip    reason.Reason // why it is not checked; zero if it is
	Problem *Problem      // what is wrong; nil if nothing is
	Remark  *Problem      // reported if nothing is wrong: an unused definition, an earlier URL of a page
	To      *doc.Document // what it links to, which may be the document itself; nil if no document
	Files   []string      // documents that a toctree lists by a pattern
}

// A Problem describes a faulty reference, for a Finding.
type Problem struct {
	Rule       rule.Rule
	Message    string
	Target     string // absolute path that the reference points to; "" means none
	Mend       mending
	ID         string // the id that was probably meant, with byID
	Suggestion string // replacement for the reference, if no search is necessary
	Certain    bool   // ID or Suggestion is the only possible fix
	Cause      string // as in Finding; if "", it is derived from Target
	Gone       string // absolute path of the missing file that Instead replaces in Suggestion; "" if none
	Instead    string

	Use *extract.Reference // of a name; nil for a label
}

// A mending says how to find the reference that was meant in place of one with a problem.
type mending uint8

func skipped(why reason.Reason) Verdict { return Verdict{Skip: why} }

func faulty(p Problem) Verdict { return Verdict{Problem: &p} }

// Excuse replaces a problem by the reason why it may not be one.
func (v *Verdict) Excuse(a *lead.World, d *doc.Document, ref *doc.Reference) {
	p := v.Problem
	if ref.Labels&scan.Unused != 0 && d.Layout.Generated != nil && p.Rule.Level() == rule.LevelError {
		p.Rule, p.Message = rule.Unused, "this definition is not used; "+p.Message
	}
	switch {
	case d.IsAsciiDoc() && ref.Labels&scan.Conditional != 0:
		v.Skip = conditional
	case isInTemplate(d, ref) && p.Rule.Level() == rule.LevelError && p.Rule != rule.BadURL && p.Rule != rule.MissingScheme:
		v.Skip = templateToCopy
	case p.Target != "" && a.Confined.LeadsOut(p.Target):
		v.Skip = tree.LeadsOutside
	default:
		return
	}
	v.Problem = nil
}
