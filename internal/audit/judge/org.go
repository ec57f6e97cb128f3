package judge

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/reason"
)

// An OrgIndex holds the names of Org documents, which are read at the first link that searches them.
type OrgIndex struct {
	of  lazy.Map[string, *doc.OrgNames] // by path
	ids lazy.Value[map[string]bool]     // of all documents
}

func (a *Judge) orgNamesOf(d *doc.Document) *doc.OrgNames {
	return a.Org.of.Get(d.Path, func(string) *doc.OrgNames { return d.OrgNames() })
}

// judgeOrgName judges a link of an Org document that searches the document, or all documents for an ID.
func (a *Judge) judgeOrgName(d *doc.Document, n *doc.Note) Verdict {
	id, isID := strings.CutPrefix(n.Text, "id:")
	var v Verdict
	if isID {
		id, _, _ = strings.Cut(id, "::")
		v = a.judgeOrgID(d, strings.TrimSpace(id))
	} else {
		v = a.judgeOrgSearch(d, d, n.Text)
	}
	if v.Problem != nil {
		v.Problem.Use = a.NameAsReference(d, n, scan.Inline, "[[]]")
	}
	return v
}

// judgeOrgSearch judges "#id" or "*heading", which d searches in the document to. Emacs and the exporters distinguish capitals.
func (a *Judge) judgeOrgSearch(d, to *doc.Document, search string) Verdict {
	if to == nil || !to.IsOrg() {
		return skipped(reason.IDsOfFileUnknown)
	}
	names := a.orgNamesOf(to)
	switch {
	case names.Has(search):
		return Verdict{}
	case names.IsPartial:
		return skipped(reason.IDsOfFileUnknown)
	}
	isOwn := to == d
	isFound := slices.ContainsFunc(a.Around(to, isOwn), func(file string) bool {
		part := a.ByPath[file]
		return part != nil && part.IsOrg() && a.orgNamesOf(part).Has(search)
	})
	switch {
	case isFound:
		return Verdict{}
	case a.MayHaveIDAround(to, isOwn):
		return skipped(reason.IncludedID)
	}
	where, what := a.Quoted(to.Path), "CUSTOM_ID"
	if isOwn {
		where = "this document"
	}
	if search[0] == '*' {
		what = "heading"
	}
	return faulty(Problem{
		Rule: rule.MissingFragment, Target: to.Path, Message: fmt.Sprintf("%s has no %s %s", where, what, strconv.Quote(strings.TrimSpace(search[1:]))),
	})
}

// judgeOrgID judges the ID of a heading or file, which may be in any document that Emacs has seen. If the tree defines others, and
// is read as a whole, other readers of it find no other documents.
func (a *Judge) judgeOrgID(d *doc.Document, id string) Verdict {
	if names := a.orgNamesOf(d); names.IDs[id] || names.CustomIDs[id] {
		return Verdict{}
	}
	ids := a.Org.ids.Get(func() map[string]bool {
		all := map[string]bool{}
		for _, d := range a.Docs {
			if d.IsOrg() {
				for id := range a.orgNamesOf(d).IDs {
					all[id] = true
				}
			}
		}
		return all
	})
	switch {
	case ids[id]:
		return Verdict{}
	case len(ids) == 0 || d.File.Named || a.DocumentOut || a.Boundary(d) != d.Top:
		return skipped(orgIDElsewhere)
	}
	return faulty(Problem{Rule: rule.MissingFragment, Message: "no document has the ID " + strconv.Quote(id)})
}

var orgIDElsewhere = reason.New("org-id-elsewhere", "the ID may be in a document elsewhere")
