package judge

import (
	"fmt"
	"strings"

	"example.org/refract/extract/slug"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/reason"
)

// judgeHosted judges a URL by which the host of the repository shows a file of the tree.
func (a *Judge) judgeHosted(d *doc.Document, ref *doc.Reference, l *lead.Landing) Verdict {
	switch p := &l.Place; {
	case !l.Why.IsZero():
		return skipped(l.Why)
	case p.Kind == tree.IsDangling, p.Kind == tree.IsLoop: // the host shows the link itself
		return Verdict{}
	case p.Kind == tree.IsMissing:
		return faulty(Problem{
			Rule: lead.MissingRule(ref), Target: p.Path,
			Message: fmt.Sprintf("the branch %s of this repository has no file %s", l.Hosted.Branch, a.Quoted(p.Path)),
		})
	case p.Respel:
		v := a.judgeSpelling(l)
		v.Problem.Mend = bySuggestion
		return v
	case p.Kind == tree.IsDirectory, !l.Hash || l.Fragment == "":
		return Verdict{To: a.Document(l.Real)}
	}
	return a.judgeHostedFragment(d, ref, l)
}

// hostedLines matches the fragments with which Bitbucket names lines of a file.
var hostedLines = lazy.New(`^lines-([0-9]{1,9})(?:[:-]([0-9]{1,9}))?$`)

// judgeHostedFragment checks lines of a file, and the id of a heading. The host makes ids as it does for
// any document, whatever program publishes the documents elsewhere.
func (a *Judge) judgeHostedFragment(d *doc.Document, ref *doc.Reference, l *lead.Landing) Verdict {
	to := a.Document(l.Real)
	fragment, _, _ := strings.Cut(l.Fragment, ":~:")
	m := LineFragment.FindStringSubmatch(fragment)
	if m == nil {
		m = hostedLines.FindStringSubmatch(fragment)
	}
	switch {
	case m != nil:
		v := a.judgeLines(l.Real, nil, fragment, m[1:])
		if v.Problem == nil && v.Skip.IsZero() {
			v.To = to
			v.Remark = &Problem{Rule: rule.MovingLine, Target: l.File, Message: fmt.Sprintf("lines of the branch %s move: link to a commit", l.Hosted.Branch)}
		}
		if !l.Hosted.IsCurrent && v.Problem != nil { // the file may be longer there
			return skipped(otherBranchLines)
		}
		return v
	case fragment == "" || IsView(ref, l.Real, fragment):
		return Verdict{To: to}
	case to == nil || !to.HasAllIDs():
		return skipped(reason.IDsOfFileUnknown)
	}
	if _, isLive := to.IDsOf(slug.GitHub).HitOnHost(fragment); isLive && to.IsMarkdown() {
		return Verdict{To: to}
	}
	if !l.Hosted.IsCurrent || !to.Layout.IsHost() {
		return skipped(reason.IDsOfFileUnknown)
	}
	v := judgeID(&idUse{a: a, d: d, ref: ref, to: to, file: l.Real, fragment: fragment, plain: ascii.UnescapeAll(fragment), l: l})
	v.To = to
	if v.Problem != nil {
		v.Problem.Mend, v.Problem.ID, v.Problem.Suggestion = bySuggestion, "", ""
	}
	return v
}

var otherBranchLines = reason.New(reason.OtherVersion, "other-branch-lines", "lines of a file of another branch")
