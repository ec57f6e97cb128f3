package judge

import (
	"fmt"
	"strconv"
	"strings"

	"example.org/refract/extract/rst"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
)

// judgeResource judges a resource id.
func (a *Judge) judgeResource(d *doc.Document, ref *doc.Reference, l *lead.Landing) Verdict {
	if ref.In == "<<>>" && !strings.Contains(ref.Ref, "#") { // Antora takes it for an id
		return faulty(Problem{Rule: rule.MissingFragment, Message: "this document has no id " + strconv.Quote(ref.Ref) + ": a document is named by xref:", Target: d.Path})
	}
	if d.Layout.Generated.IsExample(d.Path) {
		return skipped(partialExample)
	}
	if id, _, _ := strings.Cut(ref.Ref, "#"); ref.In == "xref:" && id != "" && !site.IsResourceID(id) && !strings.ContainsAny(id, "{}") {
		return faulty(Problem{Rule: rule.MissingFile, Message: strconv.Quote(id) + " is not a resource id: Antora does not find it"})
	}
	return a.judgeOnSite(d, ref, l)
}

var madeByBlockMacro = reason.New(reason.Code, "block-macro-id", "an extension of Asciidoctor may make the id")

// judgeSectionName judges <<x>>, where x may be the title of a section or of a block with an id.
func (a *Judge) judgeSectionName(d *doc.Document, n *doc.Note) Verdict {
	if strings.ContainsAny(n.Text, "{}") {
		return skipped(doc.IsAttribute.Reason())
	}
	if _, live := d.IDs().Hit(n.Text); live || a.HasIDAround(d, true, n.Text) {
		return Verdict{}
	}
	files, isAll, why := a.SamePage(d)
	for _, file := range files {
		to := a.ByPath[file]
		if to == nil {
			continue
		}
		if _, live := to.IDs().Hit(n.Text); live || to.HasReferenceText(strings.Join(strings.Fields(n.Text), " ")) {
			return Verdict{}
		}
	}
	if !isAll {
		return skipped(why)
	}
	if d.Layout.Generated == nil && a.Together[d.Dir()] {
		return skipped(onOnePage)
	}
	if d.HasBlockMacro() {
		return skipped(madeByBlockMacro)
	}
	return faulty(Problem{Rule: rule.MissingFragment, Message: "this document has neither an id nor a title " + strconv.Quote(n.Text), Use: a.NameAsReference(d, n, scan.Macro, "<<>>")})
}

// judgeNameInRST judges the use of a label or a term.
func (a *Judge) judgeNameInRST(d *doc.Document, n *doc.Note) Verdict {
	s, uses, _ := d.SiteUse()
	names := s.Names()
	answer := names.Role(uses[0], n.Space, n.Text)
	switch answer.State {
	case site.Unknown:
		return skipped(answer.Why)
	case site.Found:
		if files := names.DefinedIn(n.Text); len(files) == 2 && n.Space == rst.RefSpace {
			message := fmt.Sprintf("%s and %s define the label %s", a.Quoted(files[0]), a.Quoted(files[1]), strconv.Quote(n.Text))
			return faulty(Problem{Rule: rule.DuplicateID, Message: message, Use: a.NameAsReference(d, n, scan.Role, "label")})
		}
		return Verdict{}
	}
	if a.DocumentOut { // which may define it
		return skipped(tree.LeadsOutside)
	}
	what := "label"
	p := Problem{Rule: rule.MissingFragment}
	switch n.Space {
	case rst.TermSpace:
		what = "term"
	case rst.CitationSpace:
		what, p.Rule = "citation", rule.Undefined
	}
	p.Message, p.Use = fmt.Sprintf("the site has no %s %s", what, strconv.Quote(n.Text)), a.NameAsReference(d, n, scan.Role, what)
	if lists := answer.Lists; lists != "" {
		p.Rule, p.Message = rule.MissingObject, lacking(lists, what, n.Text)
	}
	if what == "label" && !a.IsProbing {
		p.Suggestion, p.Certain = names.Nearest(n.Text)
	}
	return faulty(p)
}

// lacking says that neither the site nor lists of names of other projects have a name.
func lacking(lists, what, name string) string {
	if lists == site.OwnNamesOnly {
		return fmt.Sprintf("the site has no %s %s, and nearly all that it uses are its own", what, strconv.Quote(name))
	}
	return fmt.Sprintf("neither the site nor %s has the %s %s", lists, what, strconv.Quote(name))
}

var partialExample = reason.New(reason.Templated, "partial-example", "in an example that may be shown in part")
