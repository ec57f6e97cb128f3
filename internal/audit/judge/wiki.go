package judge

import (
	"fmt"
	"strconv"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/site"
)

// judgeWiki checks a wiki link by the files of the site: a name, then after "#" headings of it, or "^" and
// the id of a block.
func (a *Judge) judgeWiki(d *doc.Document, ref *doc.Reference, l *lead.Landing) Verdict {
	name, _, _ := strings.Cut(ref.Ref, "#")
	name = strings.TrimSpace(name)
	switch {
	case l.State == site.Unknown:
		return skipped(l.Why)
	case l.State == site.Missing && ref.Kind == scan.Embed && doc.IsPicture(name):
		return faulty(Problem{Rule: rule.BrokenImage, Message: "no file named " + strconv.Quote(name)})
	case l.State == site.Missing:
		return faulty(Problem{Rule: rule.MissingNote, Message: "no note named " + strconv.Quote(name)})
	}
	to := a.Document(l.Real)
	v := a.judgeWikiHeading(d, to, l.Fragment)
	v.To = to
	return v
}

// judgeWikiHeading judges the heading of a wiki link to a document, which is nil if the file is none.
func (a *Judge) judgeWikiHeading(d, to *doc.Document, heading string) Verdict {
	switch {
	case heading == "":
		return Verdict{}
	case to == nil || !to.IsMarkdown() || !to.HasAllIDs():
		return unseenFragment(heading)
	case to.HasHeading(heading):
		return Verdict{}
	}
	where, what := a.Quoted(to.Path), "heading"
	if to == d {
		where = "this document"
	}
	if heading[0] == '^' {
		what = "block"
		if !a.ConfigFor(to).Markdown.BlockIDs {
			return skipped(lead.WikiLinks)
		}
	}
	return faulty(Problem{
		Rule: rule.MissingFragment, Target: to.Path, Message: fmt.Sprintf("%s has no %s %s", where, what, strconv.Quote(heading)),
	})
}
