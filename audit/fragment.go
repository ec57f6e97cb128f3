package audit

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

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
	fragment, _, _ := strings.Cut(t.fragment, ":~:") // what follows is text to be searched for
	if fragment == "" || !t.hash {
		return
	}
	if strings.HasPrefix(fragment, "/") || strings.HasPrefix(fragment, "!") {
		a.skip(d, k, "a route of a script")
		return
	}
	if m := lineFragment.FindStringSubmatch(fragment); m != nil && d.isMarkdown() && d.layout.isHost() {
		a.judgeLines(d, k, p, to, fragment, m[1:])
		return
	}
	isLabel := d.layout.generated != nil && d.layout.generated.LabelSpace() != "" && strings.HasPrefix(k.ref, "#") // ![](#x) shows what x labels
	if to == nil || !to.hasAllIDs() || isView(k, p, fragment) && !isLabel {
		return
	}
	id, live := to.hit(fragment, to.layout.slug)
	switch {
	case live && to.layout.generated != nil && to.layout.generated.DropsTitleIDs() && to.isTitle(id):
		a.reportReference(d, k, problem{
			rule: MissingFragment, target: to.path,
			message: fmt.Sprintf("%q is the id of a heading of level 1: %s shows these without their ids", id, to.layout.generated.Generator),
		})
	case live:
		a.judgeTwins(d, k, to, id)
	case a.isMadeByUnknown(to) && to.isMarkdown() && (to.isSimilar(fragment) || len(to.flavoursOf(fragment)) > 0): // nobody knows the rules
	case to.fragments() == extract.SimilarFragments && to.isSimilar(fragment):
	case to.layout.loose && (to.isSimilar(fragment) || to.attributes()[ascii.UnescapeAll(fragment)]):
	case to.layout.generated != nil && a.hasMadeID(to, ascii.UnescapeAll(fragment)):
		if to.layout.generated.GuessesIDs(to.path) {
			a.skip(d, k, "a template computes an id of the page")
		}
	case to.layout.generated != nil && a.isName(d, k, to, to == d && strings.HasPrefix(k.ref, "#"), ascii.UnescapeAll(fragment)):
	case to.layout.generated != nil && a.hasPartID(to, fragment):
	case to.isHTMLHeading(ascii.UnescapeAll(fragment)):
	case to.layout.generated != nil && to.isTemplated(fragment):
		a.skip(d, k, "a template is in the heading")
	case to.layout.generated != nil && to.layout.generated.MakesIDs(to.path):
		a.skip(d, k, "a component may make the id")
	case a.hasIDAround(to, to == d, fragment):
	case a.mayHaveIDAround(to, to == d):
		a.skip(d, k, "the id may be in an included file")
	case to.mayHaveMore():
		a.skip(d, k, "the id may be in an included file")
	default:
		a.reportFragment(d, k, t, to, fragment)
	}
}

// isName reports whether a fragment is a label of the site, or may be: that of a reference
// to the document itself may also be one of another project.
func (a *auditor) isName(d *document, k *reference, to *document, isOwn bool, fragment string) bool {
	state, why := to.layout.generated.Label(fragment, isOwn)
	if state == site.Unknown && isOwn {
		a.skip(d, k, why)
		return true
	}
	return state == site.Found
}

// isTitle reports whether an id is that of the first heading of d, and that is one of level 1
// of Markdown.
func (d *document) isTitle(id string) bool {
	s := d.idsOf(d.layout.slug)
	if id == "" || len(s.all) == 0 || s.all[0] != id || s.second[id] != 0 {
		return false
	}
	i := slices.IndexFunc(d.anchors, func(k anchor) bool { return k.line == s.first[id] && k.heading != nil })
	if i < 0 {
		return false
	}
	n := 0
	for line := range bytes.Lines(d.head()) {
		if n++; n == s.first[id] {
			return bytes.HasPrefix(line, []byte("# "))
		}
	}
	return false
}

// hasAllIDs reports whether all ids of d are known.
func (d *document) hasAllIDs() bool {
	return !d.isPartial && d.fragments() != extract.NoFragments
}

// isView reports whether a fragment says what is shown of the file at p, and names no id. A
// picture is shown whole, whatever its fragment says to the page that shows it; of SVG, (…)
// and =… say which part is shown, and #gh-dark-mode-only, in which theme.
func isView(k *reference, p, fragment string) bool {
	return k.kind == scan.Embed && !strings.HasPrefix(k.in, "use/") || k.how == scan.CSS ||
		strings.HasSuffix(p, ".svg") && (strings.ContainsAny(fragment, "(=") || strings.HasPrefix(fragment, "gh-"))
}

// judgeTwins reports a fragment whose id is in the document twice.
func (a *auditor) judgeTwins(d *document, k *reference, to *document, id string) {
	s := to.idsOf(to.layout.slug)
	line := s.second[id]
	if line == 0 || id == "" {
		return
	}
	a.reportReference(d, k, problem{
		rule: DuplicateID, target: to.path,
		message: fmt.Sprintf("the id %q occurs in lines %d and %d: browsers go to the first", id, s.first[id], line),
	})
}

// reportFragment reports a fragment that to has no id for.
func (a *auditor) reportFragment(d *document, k *reference, t *target, to *document, fragment string) {
	where := a.quoted(to.path)
	if to == d {
		where = "this document"
	}
	p := problem{
		rule: MissingFragment, target: to.path,
		message: fmt.Sprintf("%s has no id %s", where, strconv.Quote(ascii.UnescapeAll(fragment))),
	}
	id, certain, others := a.likelyID(to, fragment)
	if len(others) > 0 {
		p.message += fmt.Sprintf(" with the ids of %s, but has with those of %s", to.layout.slug, several(others))
	}
	if id != "" {
		p.suggestion = a.rewritten(d, k, "", &id)
		p.certain = certain && fragment == t.fragment && a.mends(d, k, p.suggestion, to.path)
	}
	a.reportReference(d, k, p)
}

// likelyID returns the id of to that is meant by a fragment, "" if there is none, and
// whether that is certain; and the flavours under which the fragment names an id.
func (a *auditor) likelyID(to *document, fragment string) (id string, certain bool, flavours []string) {
	id = to.closest(ascii.UnescapeAll(fragment), to.layout.slug)
	certain = id != "" && to.isSameHeading(ascii.UnescapeAll(fragment), id)
	if !to.isMarkdown() {
		return id, certain, nil
	}
	if flavours = to.flavoursOf(fragment); len(flavours) == 0 {
		return id, certain, nil
	}
	same := to.same(ascii.UnescapeAll(fragment), to.layout.slug, flavours[0])
	switch {
	case same == "":
	case same == id || !certain:
		certain = certain || to.isOnlyHeading(ascii.UnescapeAll(fragment), flavours)
		id = same
	default: // two answers are none
		certain = false
		id = same
	}
	return id, certain && a.isRendererKnown(to), flavours
}

// several joins names, or the first of many.
func several(names []string) string {
	const most = 4
	if len(names) > most+1 {
		return fmt.Sprintf("%s and %d others", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

// lineFragment is how code hosts name lines of a file.
var lineFragment = lazy.New(`^L([0-9]{1,9})(?:C[0-9]+)?(?:-L?([0-9]{1,9})(?:C[0-9]+)?)?$`)

// judgeLines judges "#L10" and "#L10-L20", the lines of a file as code hosts show them.
func (a *auditor) judgeLines(d *document, k *reference, p string, to *document, fragment string, numbers []string) {
	if to != nil && !to.isPartial {
		if _, live := to.hit(fragment, to.layout.slug); live {
			return
		}
	}
	if s, lines := a.missingLine(p, numbers); s != "" && lines >= 0 {
		a.reportReference(d, k, problem{
			rule: MissingFragment, message: fmt.Sprintf("%s has %d lines, and no line %s", a.quoted(p), lines, s), target: p,
		})
	}
}

// missingLine returns the first of some numbers of lines, of which "" is none, that the
// file at p does not have; and how many it has, -1 if it is not text.
func (a *auditor) missingLine(p string, numbers []string) (missing string, lines int) {
	lines, counted := a.lines[p]
	if !counted {
		lines = countLines(a.Tree, p)
		a.lines[p] = lines
	}
	i := slices.IndexFunc(numbers, func(s string) bool {
		n, _ := strconv.Atoi(s)
		return s != "" && (n == 0 || n > lines)
	})
	if i < 0 {
		return "", lines
	}
	return numbers[i], lines
}
