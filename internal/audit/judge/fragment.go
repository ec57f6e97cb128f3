package judge

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/ablate"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
)

// judgeFragment judges the fragment of ref, which points to l.
func (a *Judge) judgeFragment(d *doc.Document, ref *doc.Reference, l *lead.Landing) Verdict {
	to := a.Document(l.Real)
	fragment, _, _ := strings.Cut(l.Fragment, ":~:") // a text fragment follows
	v := Verdict{}
	if search := orgSearch(d, ref); search != "" {
		v = orgJudge{a}.search(d, to, search)
	} else if fragment != "" && l.Hash {
		v = judgeID(&idUse{a: a, d: d, ref: ref, to: to, file: l.Real, fragment: fragment, plain: ascii.UnescapeAll(fragment), l: l})
	}
	v.To = to
	return v
}

// judgeID judges a fragment that is not empty.
func judgeID(u *idUse) Verdict {
	switch m := LineFragment.FindStringSubmatch(u.fragment); {
	case strings.HasPrefix(u.fragment, "/") || strings.HasPrefix(u.fragment, "!") || strings.HasPrefix(u.fragment, "scrollTo="): // a cell in Colab
		return skipped(scriptRoute)
	case m != nil && u.d.IsMarkdown() && u.d.Layout.IsHost():
		return u.a.judgeLines(u.file, u.to, u.fragment, m[1:])
	case IsView(u.ref, u.file, u.fragment) && !u.showsLabel():
		return Verdict{}
	case u.to == nil || !u.to.HasAllIDs():
		return skipped(reason.IDsOfFileUnknown)
	}
	id, live := u.to.IDs().Hit(u.fragment)
	if live {
		return u.judgeLive(id)
	}
	return u.excused()
}

// excused checks a fragment that names no id of the document: it may be right, or not known to be wrong. u
// is a copy, since the table keeps uses from living on the stack, and most fragments name an id.
func (u idUse) excused() Verdict {
	u.site = u.to.Layout.Generated
	for i := range idReasons {
		if r := &idReasons[i]; (r.on == anywhere || (r.on == onSites) == (u.site != nil)) && !ablate.Off("id", r.Name) && r.is(&u) {
			if r.decide != nil {
				return skipped(r.decide(&u))
			}
			return skipped(r.why)
		}
	}
	v := u.a.faultyFragment(u.d, u.l, u.to, u.fragment)
	if u.lists != "" && v.Problem != nil && !v.Problem.Certain {
		v.Problem.Rule, v.Problem.Message = rule.MissingObject, lacking(u.lists, "label or object", u.plain)
	}
	return v
}

// judgeLive judges a fragment that names an id of the document.
func (u *idUse) judgeLive(id string) Verdict {
	to := u.to
	switch {
	case id != "" && to.IDs().IsMadeByExtension(id):
		return skipped(extensionID)
	case to.Layout.Generated != nil && to.Layout.Generated.NoTitleIDs && to.IDs().IsTitle(id):
		return faulty(Problem{
			Rule: rule.MissingFragment, Target: to.Path,
			Message: fmt.Sprintf("%q is the id of a heading of level 1: %s shows these without their ids", id, to.Layout.Generated.Generator),
		})
	}
	return u.a.judgeTwins(to, id)
}

// An idUse is a fragment that points to a document.
type idUse struct {
	a        *Judge
	d        *doc.Document
	ref      *doc.Reference
	l        *lead.Landing
	to       *doc.Document // nil if the file is none
	file     string
	fragment string // without a text fragment
	plain    string // the same, decoded

	site  *site.Site     // that publishes to; nil if none is known
	name  reason.Reason  // why a label is not checked
	lists string         // names of other projects, which do not have the label either
	made  *reason.Reason // why the page may have the id; nil if that is not asked yet

	served reason.Reason // why a page that a server puts together may have the id
}

// showsLabel reports whether ![](#x) shows the element that x labels.
func (u *idUse) showsLabel() bool {
	s := u.d.Layout.Generated
	return s != nil && s.Names().Space() != "" && strings.HasPrefix(u.ref.Ref, "#")
}

// isOwn reports whether the fragment points to the document that holds it.
func (u *idUse) isOwn() bool { return u.to == u.d }

// where says for which documents an entry of a table holds.
type where uint8

const (
	anywhere where = iota
	onSites        // that a known generator publishes
	offSites       // all others
)

// An idReason is a reason why a fragment that names no id of a document is right, or is not checked.
type idReason struct {
	Name   string // for tests and documentation
	on     where
	is     func(u *idUse) bool
	why    reason.Reason                // zero if the fragment is right
	decide func(u *idUse) reason.Reason // in place of why
}

// idReasons lists the reasons why a fragment that names no id of a document may be right. The first that
// holds counts: fragments that are certainly no ids, and documents whose ids cannot be told, come before
// those that have an id; existing ids before those that code, components or other files may make. If none
// holds, the fragment is wrong.
var idReasons []idReason

func init() {
	idReasons = []idReason{
		{Name: "bot", is: func(u *idUse) bool {
			return u.isOwn() && u.ref.How == scan.Attribute && u.d.IsByBot(int(u.ref.Pos.Offset))
		}, why: writtenByBot},
		{Name: "route", is: func(u *idUse) bool { return strings.Contains(u.fragment, "=") && !u.to.IsMarkdown() }, why: scriptRoute},
		{Name: "drawing", is: (*idUse).isPartOfDrawing, why: emptyPart},
		{Name: "unknown rules", is: (*idUse).followsUnknownRules, why: idRulesUnknown},
		{Name: "Writerside", on: offSites, is: func(u *idUse) bool { return u.to.IsMarkdown() && u.a.WritersideDir(u.to) != "" }, why: idRulesUnknown},
		{Name: "together", on: offSites, is: func(u *idUse) bool { return u.isOwn() && u.a.Together[u.d.Dir()] }, why: onOnePage},
		{Name: "tab", on: offSites, is: func(u *idUse) bool {
			return u.isOwn() && u.ref.How == scan.Attribute && u.a.Tabs[lead.GroupOf(&u.a.Library, u.d)+u.ref.Ref]
		}, why: ofScript},
		{Name: "similar", is: func(u *idUse) bool {
			return u.to.Fragments() == extract.SimilarFragments && u.to.IDs().IsSimilar(u.fragment)
		}},
		{Name: "loose", is: func(u *idUse) bool {
			return u.to.Layout.Loose && (u.to.IDs().IsSimilar(u.fragment) || u.to.Attributes()[u.plain])
		}},
		{Name: "made", on: onSites, is: func(u *idUse) bool { return u.a.HasMadeID(u.to, u.plain) }},
		{Name: "label", on: onSites, is: (*idUse).isName, decide: func(u *idUse) reason.Reason { return u.name }},
		{Name: "part", on: onSites, is: func(u *idUse) bool { return u.a.HasPartID(u.to, u.fragment) }},
		{Name: "attribute", on: offSites, is: func(u *idUse) bool { return u.to.IsAttribute(u.plain) }, why: reason.ComponentID},
		{Name: "annotation", is: func(u *idUse) bool { return u.to.IsMarkdown() && u.a.UnknownIDs(u.to).Annotated[u.plain] }},
		{Name: "HTML heading", is: func(u *idUse) bool { return u.to.IDs().IsHTMLHeading(u.plain) }},
		{Name: "code", on: onSites, is: func(u *idUse) bool { return u.mayMake(reason.CodeID) }, why: reason.CodeID},
		{Name: "template", on: onSites, is: func(u *idUse) bool { return u.to.IsTemplated(u.fragment) }, why: templateInHeading},
		{Name: "component", on: onSites, is: func(u *idUse) bool { return u.mayMake(reason.ComponentID) }, why: reason.ComponentID},
		{Name: "same page", is: func(u *idUse) bool { return u.a.HasIDAround(u.to, u.isOwn(), u.fragment) }},
		{Name: "unknown part", is: func(u *idUse) bool { return u.a.MayHaveIDAround(u.to, u.isOwn()) }, why: reason.IncludedID},
		{Name: "served part", on: offSites, is: (*idUse).isServed, decide: func(u *idUse) reason.Reason { return u.served }},
		{Name: "showing page", is: func(u *idUse) bool { return u.isOwn() && u.a.isShown(u.d) }, why: showingPageID},
		{Name: "doubtful", is: func(u *idUse) bool {
			return u.a.Doubted[u.a.IDKeyOf(u.to)].Missing > 0 && (u.site == nil && u.isOwn() && u.to.IsHTML() || u.site != nil && u.to.IDs().IsSimilar(u.fragment))
		}, why: doubtfulIDs},
		{Name: "include", is: func(u *idUse) bool { return u.to.MayHaveMore() }, why: reason.IncludedID},
		{Name: "block macro", is: func(u *idUse) bool { return u.to.HasBlockMacro() }, why: madeByBlockMacro},
	}
}

// followsUnknownRules reports whether an unknown program makes the ids of the document, by rules under
// which the fragment may be one.
func (u *idUse) followsUnknownRules() bool {
	switch {
	case !u.to.IsMarkdown():
		return false
	case u.to.Layout.Generated == nil && u.a.Nesting[lead.GroupOf(&u.a.Library, u.to)]:
		return u.to.IDs().IsSimilar(u.fragment) || u.to.IsNestedID(&u.d.Budget, u.plain)
	case !u.a.IsMadeByUnknown(u.to):
		return false
	}
	return u.to.IDs().IsSimilar(u.fragment) || len(u.to.AlgorithmsOf(u.fragment)) > 0 || u.isCountedFromTwo() || u.to.IsNestedID(&u.d.Budget, u.plain)
}

// isCountedFromTwo reports whether a fragment is the id of one of several equal headings, numbered with the
// second as "x-2".
func (u *idUse) isCountedFromTwo() bool {
	stem, number, _ := site.CutLast(u.plain, "-")
	n, err := strconv.Atoi(number)
	if err != nil || n < 2 || stem == "" {
		return false
	}
	_, isLive := u.to.IDs().Hit(stem)
	_, isLast := u.to.IDs().Hit(stem + "-" + strconv.Itoa(n-1))
	return isLive && isLast
}

// isPartOfDrawing reports whether the fragment names a part of the drawing that holds it, and no part has a
// similar name. Programs make names of one or two letters, which are all similar.
func (u *idUse) isPartOfDrawing() bool {
	if !u.isOwn() || !u.d.IsDrawing() {
		return false
	}
	if u.ref.Kind != scan.Embed { // a link: a page that shows several drawings may have the name of each as an id
		return len(u.a.ByName[u.plain+path.Ext(u.d.Path)]) > 0
	}
	return len(u.plain) < shortestStable || u.to.IDs().Closest(&u.d.Budget, u.plain) == ""
}

// mayMake reports whether the page of the document may have the id for a reason.
func (u *idUse) mayMake(why reason.Reason) bool {
	if u.made == nil {
		made := u.a.MayMakeID(u.to, u.plain)
		u.made = &made
	}
	return u.made.Is(why)
}

// unseenFragment judges a fragment that points to a page whose ids are not known.
func unseenFragment(fragment string) Verdict {
	if fragment != "" {
		return skipped(idsOfPageUnknown)
	}
	return Verdict{}
}

// isName reports whether a fragment is, or may be, a label of the site. In a reference to the document
// itself, it may also be a label of another project; u.name then says so. In any other, the page must have the label.
func (u *idUse) isName() bool {
	if u.to.IDs().IsTaken(u.plain) {
		return false
	}
	isOwn := u.isOwn() && strings.HasPrefix(u.ref.Ref, "#")
	file := u.to.Path
	if isOwn {
		file = ""
	}
	answer := u.site.Names().Label(file, u.plain)
	u.name, u.lists = answer.Why, answer.Lists
	return answer.State != site.Missing
}

// isServed reports whether a server puts the document on a page that has the id, or may have it.
func (u *idUse) isServed() bool {
	hasID, why := u.a.IsServed(u.to, u.isOwn(), u.fragment)
	if !hasID {
		u.served = why
	}
	return hasID || !why.IsZero()
}

// IsView reports whether a fragment says how to show the file at p, and names no id. An image is shown
// whole, whatever its fragment tells the page around it. For SVG, (…) and =… select the part to show, and
// #gh-dark-mode-only selects the theme.
func IsView(ref *doc.Reference, p, fragment string) bool {
	return ref.Kind == scan.Embed && !strings.HasPrefix(ref.In, "use/") || ref.How == scan.CSS ||
		strings.HasSuffix(p, ".svg") && (strings.ContainsAny(fragment, "(=") || strings.HasPrefix(fragment, "gh-"))
}

// judgeTwins judges a fragment whose id may occur twice in the document.
func (a *Judge) judgeTwins(to *doc.Document, id string) Verdict {
	s := to.IDs()
	line := s.Second[id]
	if line == 0 || id == "" || a.MayExclude(to, s.Line(id), line) {
		return Verdict{}
	}
	return faulty(Problem{
		Rule: rule.DuplicateID, Target: to.Path,
		Message: fmt.Sprintf("the id %q occurs in lines %d and %d: browsers go to the first", id, s.Line(id), line),
	})
}

// faultyFragment returns the verdict on a fragment that names no id of the document to.
func (a *Judge) faultyFragment(d *doc.Document, l *lead.Landing, to *doc.Document, fragment string) Verdict {
	where := a.Quoted(to.Path)
	if to == d {
		where = "this document"
	}
	p := Problem{
		Rule: rule.MissingFragment, Target: to.Path,
		Message: fmt.Sprintf("%s has no id %s", where, strconv.Quote(ascii.UnescapeAll(fragment))),
	}
	if a.IsProbing {
		return faulty(p)
	}
	if other := a.InLanguageOf(d, to); other != nil && other.HasAllIDs() && other.IDs().Find(ascii.UnescapeAll(fragment)) >= 0 {
		return skipped(otherLanguage) // programs publish x.en.md as en/x
	}
	id, certain, others := a.likelyID(d, to, fragment)
	if len(others) == 0 && !certain {
		if other, same := a.InOtherLanguage(to, ascii.UnescapeAll(fragment)); other != nil {
			if l.Target.Rooted && to.Layout.Generated == nil {
				return skipped(otherLanguage) // programs put the language of the page before "/x"
			}
			p.Message += fmt.Sprintf(": only the page in another language has it, %s", a.Quoted(other.Path))
			if same != "" {
				id = same
			}
		}
	}
	if len(others) > 0 {
		p.Message += fmt.Sprintf(" by the slug algorithm %s, but has one by %s", to.Layout.Slug, several(others))
	}
	if s := to.Layout.Generated; s != nil && s.DoubtsID(to.Path, id) {
		id = ""
	}
	if id != "" && !l.IsQuery {
		p.Mend, p.ID, p.Certain = ByID, id, certain && fragment == l.Fragment && isStable(to, id)
	}
	return faulty(p)
}

// isStable reports whether an id still names the same place after others are added. "_3" does not: it
// is the third heading without ASCII letters. In HTML, programs make ids of one or two letters, and
// distinguish "o" from "O".
func isStable(to *doc.Document, id string) bool {
	return !countedOnly.MatchString(id) && (len(id) >= shortestStable || to.IsMarkdown())
}

// shortestStable is the least length of an id in HTML that a person gives.
const shortestStable = 3

// countedOnly matches an id that consists only of a number.
var countedOnly = lazy.New(`^(?:_|id|section-?)[0-9]+$`)

// likelyID returns the id of to that a fragment most likely means, or "", and whether that is certain.
// It also returns the algorithms under which the fragment names an id.
func (a *Judge) likelyID(d, to *doc.Document, fragment string) (id string, certain bool, algorithms []string) {
	ids, plain := to.IDs(), ascii.UnescapeAll(fragment)
	id = ids.Closest(&d.Budget, plain)
	certain = id != "" && ids.IsSameHeading(&d.Budget, plain, id)
	if !to.IsMarkdown() {
		return id, certain, nil
	}
	if algorithms = to.AlgorithmsOf(fragment); len(algorithms) == 0 {
		return id, certain, nil
	}
	same := ids.Same(&d.Budget, plain, algorithms[0])
	switch {
	case same == "":
	case same == id || !certain:
		certain = certain || to.IsOnlyHeading(&d.Budget, plain, algorithms)
		id = same
	default: // ambiguous
		certain = false
		id = same
	}
	return id, certain && a.isRendererKnown(to) && !dropsLetters(plain, id), algorithms
}

// dropsLetters reports whether an id has letters outside ASCII, and a fragment has none. Another rule for ids may
// drop them, but the fragment may as well mean a heading in the language that the document is translated from.
func dropsLetters(fragment, id string) bool {
	isWide := func(r rune) bool { return r >= utf8.RuneSelf && unicode.IsLetter(r) }
	return strings.ContainsFunc(id, isWide) && !strings.ContainsFunc(fragment, isWide)
}

// several joins names, or only the first ones if there are many.
func several(names []string) string {
	const most = 4
	if len(names) > most+1 {
		return fmt.Sprintf("%s and %d others", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

// LineFragment matches the fragments with which code hosts name lines of a file.
var LineFragment = lazy.New(`^L([0-9]{1,9})(?:C[0-9]+)?(?:-L?([0-9]{1,9})(?:C[0-9]+)?)?$`)

// judgeLines judges "#L10" and "#L10-L20", lines of a file as code hosts show it.
func (a *Judge) judgeLines(p string, to *doc.Document, fragment string, numbers []string) Verdict {
	if to != nil && !to.IsPartial {
		if _, live := to.IDs().Hit(fragment); live {
			return Verdict{}
		}
	}
	s, lines := a.MissingLine(p, numbers)
	switch {
	case lines < 0:
		return skipped(linesUnknown)
	case s != "":
		return faulty(Problem{Rule: rule.MissingFragment, Message: fmt.Sprintf("%s has %d lines, and no line %s", a.Quoted(p), lines, s), Target: p})
	}
	return Verdict{}
}

// MissingLine returns the first of the given line numbers that the file at p does not have. It ignores
// numbers that are "". It also returns how many lines the file has, or -1 if it is not text.
func (a *Judge) MissingLine(p string, numbers []string) (missing string, lines int) {
	lines = a.Lines.Get(p, func(p string) int { return doc.CountLines(a.Shared.Tree, p) })
	i := slices.IndexFunc(numbers, func(s string) bool {
		n, _ := strconv.Atoi(s)
		return s != "" && (n == 0 || n > lines)
	})
	if i < 0 {
		return "", lines
	}
	return numbers[i], lines
}

// Reasons.
var (
	doubtfulIDs       = reason.New(reason.IDs, "doubtful-ids", "many fragments name no id by the rules of the generator: code may make other ids")
	emptyPart         = reason.New(reason.IDs, "empty-part", "a part of a drawing: programs leave out parts that are empty")
	extensionID       = reason.New(reason.Code, "extension-id", "an id that an extension makes")
	idsOfPageUnknown  = reason.New(reason.IDs, "ids-of-page-unknown", "the ids of the page are not known")
	otherLanguage     = reason.New(reason.OtherVersion, "other-language", "the page in another language has the id, and the program of the site may show that page")
	ofScript          = reason.New(reason.Code, "script-fragment", "a fragment in HTML of many documents, none of which has the id: a script may handle it")
	onOnePage         = reason.New(reason.OtherPage, "on-one-page", "a program puts the documents of this directory on one page")
	idRulesUnknown    = reason.New(reason.IDs, "id-rules-unknown", "the rules for ids are not known here")
	linesUnknown      = reason.New(reason.IDs, "lines-unknown", "the lines of the file are not known")
	scriptRoute       = reason.New(reason.Code, "script-route", "a route of a script")
	writtenByBot      = reason.New(reason.Code, "written-by-bot", "a bot writes the link: it shows what somebody contributed")
	templateInHeading = reason.New(reason.Templated, "template-in-heading", "a template is in the heading")
	showingPageID     = reason.New(reason.OtherPage, "showing-page-id", "the id may be on a page that shows the document")
)

// isRendererKnown reports whether the renderer of d is known: from a configuration or --slugs, from
// most of the fragments that exist, or because a code host shows the repository.
func (a *Judge) isRendererKnown(d *doc.Document) bool {
	return d.Layout.Name != "" || d.Layout.Slug != slug.GitHub || a.Repository(d.Dir()) != ""
}

// Renames reports whether text in place of ref changes the id of the heading that contains ref: some
// algorithms make ids from the source text.
func (a *Judge) Renames(d *doc.Document, ref *doc.Reference, text string) bool {
	anchors := d.AnchorList()
	i, _ := slices.BinarySearchFunc(anchors, ref.Pos.Line+1, func(x doc.Anchor, line int) int { return x.Line - line })
	for i--; i >= 0 && anchors[i].Line >= ref.Pos.Line-doc.Near; i-- {
		if !d.Budget.Spend(1) {
			return true
		}
		h := anchors[i].Heading
		if h == nil || !strings.Contains(h.Source, ref.Raw) {
			continue
		}
		changed := *h
		changed.Source = strings.ReplaceAll(h.Source, ref.Raw, text)
		if f := d.Layout.Slug; f.Slug(*h) != f.Slug(changed) {
			return true
		}
	}
	return false
}
