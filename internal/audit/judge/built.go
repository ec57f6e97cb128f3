package judge

import (
	"fmt"
	"strconv"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/audit/built"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/rule"
)

// JudgeBuilt returns the verdict on ref, which became a broken link of a built page. to is the document of
// the page that lacks the id; nil if it has none.
func JudgeBuilt(a *Judge, d *doc.Document, ref *doc.Reference, l *lead.Landing, b *built.Link, to *doc.Document) Verdict {
	if b.What == built.NoID {
		p := Problem{Rule: rule.MissingFragment, Message: NoBuiltID(b)}
		if to != nil && to.HasAllIDs() {
			v := a.faultyFragment(d, l, to, b.Fragment)
			if v.Problem != nil {
				p.Mend, p.ID, p.Certain, p.Target = v.Problem.Mend, v.Problem.ID, v.Problem.Certain, to.Path
			}
		}
		return faulty(p)
	}
	return faulty(Problem{Rule: lead.MissingRule(ref), Message: "in the build, this links to " + NoBuiltPage(b), Target: l.AsPlace()})
}

// NoBuiltID says that a page of the build lacks an id.
func NoBuiltID(b *built.Link) string {
	return fmt.Sprintf("the built page %s has no id %s", strconv.Quote(b.Page.Shown()), strconv.Quote(ascii.UnescapeAll(b.Fragment)))
}

// NoBuiltPage says that the build has nothing at a URL.
func NoBuiltPage(b *built.Link) string {
	text := strconv.Quote(b.URL) + ", which is not there"
	if b.Other != "" {
		text += ", but " + strconv.Quote(b.Other) + " is"
	}
	return text
}
