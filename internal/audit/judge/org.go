package judge

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/org"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/reason"
)

// An OrgIndex holds the names of Org documents. It reads them at the first link that searches them.
type OrgIndex struct {
	of  lazy.Map[string, *org.Names] // by path
	ids lazy.Value[map[string]bool]  // of all documents
}

// An orgJudge judges links of Org documents that search.
type orgJudge struct{ a *Judge }

// orgSearch returns what ref searches in the file that it names, or "".
func orgSearch(d *doc.Document, ref *doc.Reference) string {
	if !doc.IsOrg(d) || !strings.HasPrefix(ref.In, "[[") {
		return ""
	}
	return org.Search(d.Source(), int(ref.Pos.Offset)+ref.Pos.Length)
}

func (a orgJudge) namesOf(d *doc.Document) *org.Names {
	return a.a.Org.of.Get(d.Path, func(string) *org.Names {
		text := d.Head()
		n := org.NamesOf(text)
		n.IsPartial = n.IsPartial || len(text) >= doc.MaxHead
		return n
	})
}

// name judges a link of an Org document that searches the document, or all documents for an ID.
func (a orgJudge) name(d *doc.Document, n *doc.Note) Verdict {
	id, isID := strings.CutPrefix(n.Text, "id:")
	var v Verdict
	if isID {
		id, _, _ = strings.Cut(id, "::")
		v = a.id(d, strings.TrimSpace(id))
	} else {
		v = a.search(d, d, n.Text)
	}
	if v.Problem != nil {
		v.Problem.Use = a.a.NameAsReference(d, n, scan.Inline, "[[]]")
	}
	return v
}

// search judges "#id" or "*heading", which d searches in the document to. Emacs and the exporters distinguish capitals.
func (a orgJudge) search(d, to *doc.Document, search string) Verdict {
	if to == nil || !doc.IsOrg(to) {
		return skipped(reason.IDsOfFileUnknown)
	}
	names := a.namesOf(to)
	switch {
	case names.Has(search):
		return Verdict{}
	case names.IsPartial:
		return skipped(reason.IDsOfFileUnknown)
	}
	isOwn := to == d
	isFound := slices.ContainsFunc(a.a.Around(to, isOwn), func(file string) bool {
		part := a.a.ByPath[file]
		return part != nil && doc.IsOrg(part) && a.namesOf(part).Has(search)
	})
	switch {
	case isFound:
		return Verdict{}
	case a.a.MayHaveIDAround(to, isOwn):
		return skipped(reason.IncludedID)
	}
	where, what := a.a.Quoted(to.Path), "CUSTOM_ID"
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

// id checks the ID of a heading or file, which may be in any document that Emacs has seen. If the tree
// defines others, and is read as a whole, other readers of it find no other documents.
func (a orgJudge) id(d *doc.Document, id string) Verdict {
	if names := a.namesOf(d); names.IDs[id] || names.CustomIDs[id] {
		return Verdict{}
	}
	ids := a.a.Org.ids.Get(func() map[string]bool {
		all := map[string]bool{}
		for _, d := range a.a.Docs {
			if doc.IsOrg(d) {
				for id := range a.namesOf(d).IDs {
					all[id] = true
				}
			}
		}
		return all
	})
	switch {
	case ids[id]:
		return Verdict{}
	case len(ids) == 0 || d.File.Named || a.a.DocumentOut || a.a.Boundary(d) != d.Top:
		return skipped(orgIDElsewhere)
	}
	return faulty(Problem{Rule: rule.MissingFragment, Message: "no document has the ID " + strconv.Quote(id)})
}

var orgIDElsewhere = reason.New(reason.OtherSite, "org-id-elsewhere", "the ID may be in a document elsewhere")
