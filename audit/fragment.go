package audit

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.org/refract/audit/site"
	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/lazy"
)

// judgeFragment judges the fragment of k, which leads to the file at p.
func (a *auditor) judgeFragment(d *document, k *reference, t *target, p string) {
	to := a.document(p)
	if to != nil && to != d {
		a.link(d, to)
	}
	fragment, _, _ := strings.Cut(t.fragment, ":~:") // a text fragment follows
	if fragment == "" || !t.hash {
		return
	}
	if strings.HasPrefix(fragment, "/") || strings.HasPrefix(fragment, "!") || strings.HasPrefix(fragment, "scrollTo=") { // a cell in Colab
		a.skip(d, k, "a route of a script")
		return
	}
	if m := lineFragment.FindStringSubmatch(fragment); m != nil && d.isMarkdown() && d.layout.isHost() {
		a.judgeLines(d, k, p, to, fragment, m[1:])
		return
	}
	isLabel := d.layout.generated != nil && d.layout.generated.LabelSpace() != "" && strings.HasPrefix(k.ref, "#") // ![](#x) shows the element that x labels
	switch {
	case isView(k, p, fragment) && !isLabel:
		return
	case to == nil || !to.hasAllIDs():
		a.skip(d, k, "the ids of the file are not known")
		return
	}
	id, live := to.hit(fragment, to.layout.slug)
	switch {
	case live && id != "" && to.isMadeByExtension(id):
		a.skip(d, k, "an id that an extension makes")
	case live && to.layout.generated != nil && to.layout.generated.DropsTitleIDs() && to.isTitle(id):
		a.reportReference(d, k, problem{
			rule: MissingFragment, target: to.path,
			message: fmt.Sprintf("%q is the id of a heading of level 1: %s shows these without their ids", id, to.layout.generated.Generator),
		})
	case live:
		a.judgeTwins(d, k, to, id)
	case !live && strings.Contains(fragment, "=") && !to.isMarkdown():
		a.skip(d, k, "a route of a script")
	case a.isMadeByUnknown(to) && to.isMarkdown() && (to.isSimilar(fragment) || len(to.flavoursOf(fragment)) > 0):
		a.skip(d, k, "the rules for ids are not known here")
	case to.fragments() == extract.SimilarFragments && to.isSimilar(fragment):
	case to.layout.loose && (to.isSimilar(fragment) || to.attributes()[ascii.UnescapeAll(fragment)]):
	case to.layout.generated != nil && a.hasMadeID(to, ascii.UnescapeAll(fragment)):
		if to.layout.generated.GuessesIDs(to.path) {
			a.skip(d, k, "a template computes an id of the page")
		}
	case to.layout.generated != nil && a.isName(d, k, to, to == d && strings.HasPrefix(k.ref, "#"), ascii.UnescapeAll(fragment)):
	case to.layout.generated != nil && a.hasPartID(to, fragment):
	case to.layout.generated == nil && to.isAttribute(ascii.UnescapeAll(fragment)):
		a.skip(d, k, "a component may make the id")
	case to.isHTMLHeading(ascii.UnescapeAll(fragment)):
	case to.layout.generated != nil && a.mayMakeID(to, ascii.UnescapeAll(fragment)):
		a.skip(d, k, "code of the project may make the id")
	case to.layout.generated != nil && to.isTemplated(fragment):
		a.skip(d, k, "a template is in the heading")
	case to.layout.generated != nil && to.layout.generated.MakesIDs(to.path):
		a.skip(d, k, "a component may make the id")
	case a.hasIDAround(to, to == d, fragment):
	case a.mayHaveIDAround(to, to == d):
		a.skip(d, k, "the id may be in an included file")
	case to == d && a.isShown(d):
		a.skip(d, k, "the id may be on a page that shows the document")
	case to.mayHaveMore():
		a.skip(d, k, "the id may be in an included file")
	case to.hasBlockMacro():
		a.skip(d, k, madeByBlockMacro)
	default:
		a.reportFragment(d, k, t, to, fragment)
	}
}

// isAttribute reports whether an id is the value of an attribute in a Markdown document, or the name of a component in it in
// lower case. A component of an unknown program may make either the id of an element.
func (d *document) isAttribute(id string) bool {
	if !d.isMarkdown() || len(id) < 2 {
		return false
	}
	text := d.source()
	return bytes.Contains(text, []byte(`="`+id+`"`)) || bytes.Contains(text, []byte("<"+strings.ToUpper(id[:1])+id[1:]+">"))
}

// skipFragment counts a reference with a fragment to a page without a source as skipped.
func (a *auditor) skipFragment(d *document, k *reference, fragment string) {
	if fragment != "" {
		a.skip(d, k, "the ids of the page are not known")
	}
}

// isMadeByExtension reports whether an extension, not the text, gives d an id: that of a tab, a line
// of code and the like, or of a footnote with another label.
func (d *document) isMadeByExtension(id string) bool {
	if d.idsOf(d.layout.slug).has(id) {
		return false
	}
	label, ok := strings.CutPrefix(strings.Replace(id, "fnref:", "fn:", 1), "fn:")
	return strings.HasPrefix(id, "__") || ok && !d.attributes()["^"+label]
}

// isName reports whether a fragment is, or may be, a label of the site. In a reference to the document
// itself, it may also be a label of another project.
func (a *auditor) isName(d *document, k *reference, to *document, isOwn bool, fragment string) bool {
	state, why := to.layout.generated.Label(fragment, isOwn)
	if state == site.Unknown && isOwn {
		a.skip(d, k, why)
		return true
	}
	return state == site.Found
}

// isTitle reports whether an id belongs to the first heading of d, and that is a Markdown heading of
// level 1.
func (d *document) isTitle(id string) bool {
	s := d.idsOf(d.layout.slug)
	if id == "" || s.len() == 0 || s.at(0) != id || s.second[id] != 0 {
		return false
	}
	line := s.line(id)
	i := slices.IndexFunc(d.anchorList(), func(k anchor) bool { return k.line == line && k.heading != nil })
	if i < 0 {
		return false
	}
	n := 0
	for text := range bytes.Lines(d.head()) {
		if n++; n == line {
			return bytes.HasPrefix(text, []byte("# "))
		}
	}
	return false
}

// hasAllIDs reports whether all ids of d are known.
func (d *document) hasAllIDs() bool {
	return !d.isPartial && d.fragments() != extract.NoFragments
}

// isView reports whether a fragment says how to show the file at p, and names no id. A picture is
// shown whole, whatever its fragment tells the page around it. For SVG, (…) and =… select the part to
// show, and #gh-dark-mode-only selects the theme.
func isView(k *reference, p, fragment string) bool {
	return k.kind == scan.Embed && !strings.HasPrefix(k.in, "use/") || k.how == scan.CSS ||
		strings.HasSuffix(p, ".svg") && (strings.ContainsAny(fragment, "(=") || strings.HasPrefix(fragment, "gh-"))
}

// judgeTwins reports a fragment whose id occurs twice in the document.
func (a *auditor) judgeTwins(d *document, k *reference, to *document, id string) {
	s := to.idsOf(to.layout.slug)
	line := s.second[id]
	if line == 0 || id == "" {
		return
	}
	a.reportReference(d, k, problem{
		rule: DuplicateID, target: to.path,
		message: fmt.Sprintf("the id %q occurs in lines %d and %d: browsers go to the first", id, s.line(id), line),
	})
}

// reportFragment reports a fragment that names no id of the document to.
func (a *auditor) reportFragment(d *document, k *reference, t *target, to *document, fragment string) {
	where := a.quoted(to.path)
	if to == d {
		where = "this document"
	}
	p := problem{
		rule: MissingFragment, target: to.path,
		message: fmt.Sprintf("%s has no id %s", where, strconv.Quote(ascii.UnescapeAll(fragment))),
	}
	id, certain, others := a.likelyID(d, to, fragment)
	if len(others) == 0 && !certain {
		if other, same := a.inOtherLanguage(to, ascii.UnescapeAll(fragment)); other != nil {
			p.message += fmt.Sprintf(": only the page in another language has it, %s", a.quoted(other.path))
			if same != "" {
				id = same
			}
		}
	}
	if len(others) > 0 {
		p.message += fmt.Sprintf(" in the flavour %s, but has one in %s", to.layout.slug, several(others))
	}
	if id != "" && !t.isQuery {
		p.suggestion = a.rewritten(d, k, "", &id)
		p.certain = certain && fragment == t.fragment && isStable(to, id) && a.mends(d, k, p.suggestion, to.path)
	}
	a.reportReference(d, k, p)
}

// isStable reports whether an id still names the same place after others are added. "_3" does not: it
// is the third heading without ASCII letters. In HTML, programs make ids of one or two letters, and
// distinguish "o" from "O".
func isStable(to *document, id string) bool {
	const shortest = 3
	return !countedOnly.MatchString(id) && (len(id) >= shortest || to.isMarkdown())
}

// countedOnly matches an id that consists only of a number.
var countedOnly = lazy.New(`^_[0-9]+$|^(?:id|section-?)[0-9]+$`)

// likelyID returns the id of to that a fragment most likely means, or "", and whether that is certain.
// It also returns the flavours under which the fragment names an id.
func (a *auditor) likelyID(d, to *document, fragment string) (id string, certain bool, flavours []string) {
	id = to.closest(d, ascii.UnescapeAll(fragment), to.layout.slug)
	certain = id != "" && to.isSameHeading(d, ascii.UnescapeAll(fragment), id)
	if !to.isMarkdown() {
		return id, certain, nil
	}
	if flavours = to.flavoursOf(fragment); len(flavours) == 0 {
		return id, certain, nil
	}
	same := to.same(d, ascii.UnescapeAll(fragment), to.layout.slug, flavours[0])
	switch {
	case same == "":
	case same == id || !certain:
		certain = certain || to.isOnlyHeading(d, ascii.UnescapeAll(fragment), flavours)
		id = same
	default: // ambiguous
		certain = false
		id = same
	}
	return id, certain && a.isRendererKnown(to) && !dropsLetters(ascii.UnescapeAll(fragment), id), flavours
}

// dropsLetters reports whether an id has letters outside ASCII, and a fragment has none: another rule for ids may
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

// lineFragment matches the fragments with which code hosts name lines of a file.
var lineFragment = lazy.New(`^L([0-9]{1,9})(?:C[0-9]+)?(?:-L?([0-9]{1,9})(?:C[0-9]+)?)?$`)

// judgeLines judges "#L10" and "#L10-L20", lines of a file as code hosts show it.
func (a *auditor) judgeLines(d *document, k *reference, p string, to *document, fragment string, numbers []string) {
	if to != nil && !to.isPartial {
		if _, live := to.hit(fragment, to.layout.slug); live {
			return
		}
	}
	s, lines := a.missingLine(p, numbers)
	if lines < 0 {
		a.skip(d, k, "the lines of the file are not known")
	} else if s != "" {
		a.reportReference(d, k, problem{
			rule: MissingFragment, message: fmt.Sprintf("%s has %d lines, and no line %s", a.quoted(p), lines, s), target: p,
		})
	}
}

// missingLine returns the first of the given line numbers that the file at p does not have. It ignores
// numbers that are "". It also returns how many lines the file has, or -1 if it is not text.
func (a *auditor) missingLine(p string, numbers []string) (missing string, lines int) {
	lines = a.lines.Get(p, func(p string) int { return countLines(a.Tree, p) })
	i := slices.IndexFunc(numbers, func(s string) bool {
		n, _ := strconv.Atoi(s)
		return s != "" && (n == 0 || n > lines)
	})
	if i < 0 {
		return "", lines
	}
	return numbers[i], lines
}
