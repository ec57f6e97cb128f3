package audit

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"example.org/refract/audit/site"
	"example.org/refract/base"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/lazy"
	"example.org/refract/resolve"
)

// siteUse returns the site that d is part of, and where its references are used. If there are no
// uses, why says why the references are not judged.
func (d *document) siteUse() (s *site.Site, uses []site.Use, why string) {
	s = d.layout.generated
	if d.uses == nil && d.unused == "" {
		d.uses, d.unused = s.Uses(d.path)
	}
	return s, d.uses, d.unused
}

// hasMadeID reports whether the generator adds an id to the page of d.
func (a *auditor) hasMadeID(d *document, id string) bool {
	s := d.layout.generated
	if p := s.Page(d.path); p != nil && slices.Contains(p.IDs, id) {
		return true
	}
	if label, ok := strings.CutPrefix(id, "footnote-"); ok && s.Generator == "mdBook" && d.attributes()["^"+label] {
		return true
	}
	return s.HasTermIDs() && (d.termIDs()[id] || d.termIDs()[numbered.ReplaceAllString(id, "")])
}

// numbered matches the suffix of an id that repeats an earlier one.
var numbered = lazy.New(`-[0-9]+$`)

// mayHaveMore reports whether d may have ids that are in none of the files that it is known to
// include.
func (d *document) mayHaveMore() bool {
	s := d.layout.generated
	if s == nil {
		return d.includes()
	}
	_, isComplete := s.Parts(d.path)
	if s.KnowsIDs() {
		return !isComplete
	}
	return d.includes() && (!isComplete || !s.KnowsTags(d.head()))
}

// hasPartID reports whether a file that d includes has an id.
func (a *auditor) hasPartID(d *document, fragment string) bool {
	parts, _ := d.layout.generated.Parts(d.path)
	return slices.ContainsFunc(parts, func(part string) bool {
		to := a.document(part)
		if to == nil {
			return false // in code, nothing has an id
		}
		_, live := to.hit(fragment, d.layout.slug)
		return live || to.isAsciiDoc() && to.isTitleID(ascii.UnescapeAll(fragment)) || to.layout.generated != nil && a.hasMadeID(to, ascii.UnescapeAll(fragment))
	})
}

// mayMakeID reports whether code of the project may add an id to the page of d, or to a file that
// d includes.
func (a *auditor) mayMakeID(d *document, id string) bool {
	s := d.layout.generated
	parts, _ := s.Parts(d.path)
	return s.MayMakeID(d.path, id) || slices.ContainsFunc(parts, func(part string) bool { return s.MayMakeID(part, id) })
}

// formOf returns how a reference is written.
func formOf(d *document, k *reference) site.Form {
	switch k.how {
	case scan.Macro, scan.Role, scan.Directive:
		return site.Macro
	case scan.Inline, scan.Reference, scan.Autolink:
		if k.kind == scan.Embed {
			return site.Image
		}
		return site.Markdown
	}
	element, _, _ := strings.Cut(k.in, "/")
	switch {
	case (d.isMarkdown() || d.isCode()) && (k.labels&scan.Speculative != 0 || element == "link" || isComponent(element)):
		return site.Component
	case k.kind == scan.Embed || IsPicture(k.ref) && element != "a":
		return site.HTMLSource
	}
	return site.HTML
}

// isComponent reports whether an element is a component, not HTML: its name contains a capital
// letter or a hyphen.
func isComponent(element string) bool {
	return strings.ContainsAny(element, "-ABCDEFGHIJKLMNOPQRSTUVWXYZ.")
}

// onSite returns where k leads on the site that d is part of. If several pages include d, it is
// enough that k leads somewhere from one of them.
func (a *auditor) onSite(d *document, k *reference, ref string) (site.Result, site.Use) {
	s, uses, why := d.siteUse()
	if len(uses) == 0 {
		return site.Result{State: site.Unknown, Why: why}, site.Use{}
	}
	form := formOf(d, k)
	if d.isMarkdown() && k.how == scan.Attribute && ref != "" && ref[0] != '/' && isBaseArgument(d.source(), int(k.pos.Offset)) {
		ref = "/" + ref
	}
	var first site.Result
	isTemplate := isTemplate([]byte(ref))
	for i, u := range uses {
		if isTemplate {
			expanded, ok := s.Expand(u, ref)
			if !ok {
				return site.Result{State: site.Unknown, Why: "a template"}, u
			}
			ref, u.IsExpanded = expanded, true
		}
		if s.ReadsSource() && (k.how == scan.Inline || k.how == scan.Reference) {
			at := int(k.pos.Offset) - 1
			source := d.source()
			u.IsAngle = at >= 0 && at < len(source) && source[at] == '<'
			u.IsLine = k.how == scan.Inline && isInDefinition(source, at)
		}
		if s.ReadsTitles() && k.how == scan.Inline {
			u.Title = titleAt(d.source(), int(k.pos.Offset)+k.pos.Length)
		}
		if s.HasLeft() && k.how == scan.Inline {
			u.IsVerbatim = s.Leaves(attributeListAt(d.source(), int(k.pos.Offset)+k.pos.Length))
		}
		res := s.Resolve(u, form, k.in, ref)
		if res.State != site.Missing {
			return res, u
		}
		if i == 0 {
			first = res
		}
	}
	return first, uses[0]
}

// isBaseArgument reports whether the text at an offset is an argument of the function of Docusaurus that puts the
// base of the site before a path: useBaseUrl('x'), useBaseUrl("x").
func isBaseArgument(source []byte, at int) bool {
	const call = "useBaseUrl("
	return at <= len(source) && at > len(call) && strings.IndexByte("'\"`", source[at-1]) >= 0 && bytes.HasSuffix(source[:at-1], []byte(call))
}

// shownElsewhere is the reason why a fragment in a document that is no page by itself is not judged.
const shownElsewhere = "code shows this on other pages"

// attributeListAt returns the attribute list, without braces, after the link whose destination ends
// at an offset. nil means none.
func attributeListAt(source []byte, end int) []byte {
	if end > len(source) || !bytes.HasPrefix(source[end:], []byte("){")) {
		return nil
	}
	const longest = 200
	list, _, ok := bytes.Cut(source[end+2:min(len(source), end+longest)], []byte("}"))
	if !ok {
		return nil
	}
	return list
}

// titleAt returns what follows the destination of a link that ends at an offset, up to the parenthesis or the end of
// the line.
func titleAt(source []byte, end int) []byte {
	const longest = 200
	if end > len(source) {
		return nil
	}
	rest := source[end:min(len(source), end+longest)]
	if i := bytes.IndexAny(rest, ")\n"); i >= 0 {
		rest = rest[:i]
	}
	return rest
}

// isInDefinition reports whether a generator's regular expression takes the line of an offset for a
// definition: the line begins with "[x]: …" after white space, which may be the end of an empty line.
func isInDefinition(source []byte, at int) bool {
	const longest = 1000
	if at < 0 || at >= len(source) {
		return false
	}
	start := bytes.LastIndexByte(source[:at], '\n') + 1
	if at-start > longest {
		return false
	}
	head := bytes.TrimLeft(source[start:at], " \t")
	if len(head) == 0 || head[0] != '[' || !bytes.Contains(head, []byte("]: ")) {
		return false
	}
	before := source[:start]
	return len(head) < at-start || bytes.HasSuffix(before, []byte("\n\n")) || bytes.HasSuffix(before, []byte("\n\r\n"))
}

// judgeOnSite judges where k leads on the site that d is part of.
func (a *auditor) judgeOnSite(d *document, k *reference) {
	_, uses, why := d.siteUse()
	_, fragment, hash := strings.Cut(k.ref, "#")
	t := &target{fragment: fragment, hash: hash, inside: true}
	if id, isQuery := d.layout.generated.QueryFragment(k.ref); isQuery && !hash {
		t = &target{fragment: id, hash: true, inside: true, isQuery: true}
	}
	switch {
	case len(uses) == 0 && strings.HasPrefix(k.ref, "#") && path.Ext(d.path) == ".svg": // wherever it is published
		a.judgeFragment(d, k, t, a.ownPage(d, fragment))
		return
	case len(uses) == 0:
		a.skip(d, k, why)
		return
	case strings.HasPrefix(k.ref, "#"):
		_, live := d.hit(fragment, d.layout.slug)
		switch {
		case !live && isTemplate([]byte(k.ref)):
			a.skip(d, k, isFilledIn.String())
			return
		case !live && len(uses[0].Page.Routes) == 0:
			a.skip(d, k, shownElsewhere)
			return
		case !live && strings.HasPrefix(k.in, "use/") && !strings.HasSuffix(d.path, ".svg"):
			a.skip(d, k, "code may add the picture to the page")
			return
		case !live && uses[0].Page.File != d.path && d.isTemplate():
			a.skip(d, k, "a page that includes the template may have the id")
			return
		}
		a.judgeFragment(d, k, t, a.ownPage(d, fragment))
		return
	case k.base.Layer != base.Retrieval:
		a.skip(d, k, "relative to a base in the document")
		return
	}
	res, u := a.onSite(d, k, k.ref)
	if res.IsBeside && res.State == site.Unknown && a.beside[d.layout.generated].isRule() {
		res.State, res.Why = site.Missing, ""
	}
	if res.IsUnmounted && res.State == site.Unknown && a.isRootStray(d.layout.generated, k.ref) {
		res.State, res.Why = site.Missing, ""
	}
	if res.State != site.Found && a.sites.root != "" && strings.HasPrefix(k.ref, "/") {
		a.judgePath(d, k) // --root overrides the configuration
		return
	}
	if res.State != site.Found && a.judgeScheme(d, k) {
		return
	}
	switch res.State {
	case site.Unknown:
		a.skip(d, k, res.Why)
	case site.Found:
		if res.File == "" {
			a.skipFragment(d, k, fragment)
			return
		}
		if k.in == "toctree" {
			a.listed.add(res.File)
		}
		before := a.results.total
		a.judgeFragment(d, k, t, a.realOf(res.File))
		if a.results.total == before {
			a.judgeMoved(d, k, u, &res)
		}
	case site.Missing:
		if dir := a.madeDir(d.layout.generated, u, k.ref, &res); dir != "" && !res.Case && res.Other == "" {
			a.skip(d, k, "hardly any page below "+dir+" has a source here")
			return
		}
		a.reportMissing(d, k, u, &res)
	}
}

// realOf is like behind, for a file of a site. It asks for the real path of each directory once, not for that of each
// file, for which the system examines each directory on the path.
func (a *auditor) realOf(file string) string {
	dir, name := path.Split(file)
	dir = strings.TrimSuffix(dir, "/")
	if !a.files.list(dir).names[name].IsRegular() {
		return a.real.Get(file, a.behind)
	}
	real := a.realDirs.Get(dir, func(dir string) string {
		real, err := a.Tree.Real(dir + "/")
		if err != nil {
			return dir
		}
		return strings.TrimSuffix(real, "/")
	})
	if real != dir && a.byPath[real+"/"+name] != nil {
		return real + "/" + name
	}
	return file
}

// ownPage returns the path of the page that a fragment in d leads to: d, or a page that includes d and
// has the fragment.
func (a *auditor) ownPage(d *document, fragment string) string {
	if _, live := d.hit(fragment, d.layout.slug); live {
		return d.path
	}
	for _, u := range d.uses {
		if u.Page.File != d.path && a.document(u.Page.File) != nil {
			return u.Page.File
		}
	}
	return d.path
}

// withReason adds to a message the reason why a reference leads nowhere on the site.
func (a *auditor) withReason(message string, res *site.Result) string {
	switch {
	case res.Why == "":
		return message
	case res.Other != "" && strings.HasPrefix(res.Why, "exists, but "):
		return a.quoted(res.Other) + " " + res.Why
	}
	return message + ": " + res.Why
}

// reportMissing reports a reference that leads nowhere on the site.
func (a *auditor) reportMissing(d *document, k *reference, u site.Use, res *site.Result) {
	if c := resolve.Parse([]byte(k.ref)); isHomePath(&target{rooted: strings.HasPrefix(k.ref, "/"), components: strings.FieldsFunc(string(c.Path), func(r rune) bool { return r == '/' })}) {
		a.reportReference(d, k, problem{rule: LocalURL, message: "points into a home directory"})
		return
	}
	p := problem{rule: missingRule(k)}
	p.message, p.target, p.cause = a.missingOnSite(d, k, res)
	if res.Case {
		p.rule, p.target = Case, res.Other
		p.message = fmt.Sprintf("the name on disk is %s, which differs in case", a.quoted(res.Other))
	}
	p.message = a.withReason(p.message, res)
	if len(d.uses) > 0 && d.uses[0].Page.File != d.path {
		p.message += fmt.Sprintf(" (where %s includes it)", a.quoted(u.Page.File))
	}
	switch {
	case res.Other != "":
		p.suggestion = a.spelledOnSite(d, k, u, res.Other)
		p.certain = a.mends(d, k, p.suggestion, res.Other) && !(res.Case && a.isOneOfTwins(d, res.Other))
	default:
		near := p.target
		if near == "" && d.isRST() && len(res.Tried) > 0 && u.Page.Mount != nil { // a document name
			near = path.Join(u.Page.Mount.Dir, res.Tried[0].Name) + path.Ext(u.Page.File)
		}
		p.suggestion, p.certain = a.nearestOnSite(d, k, u, near)
	}
	a.reportReference(d, k, p)
}

// isOneOfTwins reports whether another entry has the same name as a file, or as a directory on its
// path, except for case. A reference may then mean either.
func (a *auditor) isOneOfTwins(d *document, file string) bool {
	for top := a.boundary(d); below(file, top) && file != top && path.Dir(file) != file; file = path.Dir(file) {
		if a.hasTwins(d, path.Dir(file), path.Base(file)) {
			return true
		}
	}
	return false
}

// missingOnSite describes what is missing. It also returns the path that it would have on disk or,
// if it would not be a file, the cause for the Finding.
func (a *auditor) missingOnSite(d *document, k *reference, res *site.Result) (message, target, cause string) {
	what := "page"
	if missingRule(k) == BrokenImage {
		what = "image"
	}
	file, served := "", ""
	for _, c := range res.Tried {
		if c.File != "" && file == "" {
			file = c.File
		}
		if c.URL != "" {
			served = c.URL
		}
	}
	switch {
	case file != "" && (served == "" || path.Ext(file) != "" && path.Ext(file) != ".html"):
		if what == "page" {
			what = "file"
		}
		return fmt.Sprintf("no such %s: %s", what, a.quoted(file)), file, ""
	case served != "":
		return fmt.Sprintf("the site has no %s at %s", what, strconv.Quote(served)), file, served
	case len(res.Tried) > 0 && res.Tried[0].Name != "" && d.layout.generated.IsWiki():
		return fmt.Sprintf("the wiki has no %s %s", what, strconv.Quote(res.Tried[0].Name)), "", res.Tried[0].Name
	case len(res.Tried) > 0 && res.Tried[0].Name != "":
		return fmt.Sprintf("the site has no page or label %s", strconv.Quote(res.Tried[0].Name)), "", res.Tried[0].Name
	}
	return "leads nowhere", "", ""
}

// spelledOnSite returns k rewritten to lead to a file of the site.
func (a *auditor) spelledOnSite(d *document, k *reference, u site.Use, file string) string {
	made, ok := d.layout.generated.Spell(u, formOf(d, k), k.in, file, k.ref)
	if !ok {
		return ""
	}
	c := resolve.Parse([]byte(k.ref))
	c.Path, c.HasScheme, c.HasAuthority = []byte(made), false, false
	return string(c.Append(nil))
}

// nearestOnSite returns the reference that a broken one may have meant, and whether that is certain.
// It leads to the only file of that name, or to one beside it with another suffix.
func (a *auditor) nearestOnSite(d *document, k *reference, u site.Use, file string) (string, bool) {
	c := resolve.Parse([]byte(k.ref))
	name := path.Base(strings.TrimSuffix(string(c.Path), "/"))
	if name == "." || name == ".." || name == "/" || isIndex(name) {
		return "", false
	}
	names := []string{name}
	if path.Ext(name) == "" || path.Ext(name) == ".html" {
		stem := strings.TrimSuffix(name, ".html")
		names = []string{stem + ".md", stem + ".mdx"}
		if d.isRST() {
			names = append(names, stem+path.Ext(u.Page.File))
		}
	}
	if file != "" {
		if other, ok := a.files.list(path.Dir(file)).sameStem(path.Base(file)); ok {
			to := path.Dir(file) + "/" + other
			if s := a.spelledOnSite(d, k, u, to); s != "" && isSameContent(k, path.Base(file), other) {
				return s, len(a.byName[path.Base(file)]) == 0 && !a.isContested(d, k, file, to) && a.mends(d, k, s, to)
			}
		}
	}
	for _, name := range names {
		paths := a.byName[name]
		if len(paths) != 1 || paths[0] == d.path || paths[0] == file {
			continue
		}
		s := a.spelledOnSite(d, k, u, paths[0])
		certain := file != "" && a.isWhereItWas(file, paths[0]) && !a.isContested(d, k, file, paths[0]) && a.mends(d, k, s, paths[0])
		return s, certain
	}
	return "", false
}

// mendsOnSite reports whether ref in place of k leads to want, a file of the site, and to a fragment
// that exists.
func (a *auditor) mendsOnSite(d *document, k *reference, ref, want string) bool {
	_, fragment, hash := strings.Cut(ref, "#")
	t := &target{fragment: fragment, hash: hash}
	if strings.HasPrefix(ref, "#") {
		return want == d.path && a.hits(d, t, want)
	}
	res, _ := a.onSite(d, k, ref)
	if res.State != site.Found || res.File == "" || res.File != want && a.behind(res.File) != want || !a.hits(d, t, want) {
		return false
	}
	if to := a.byPath[want]; to != nil && to != d {
		to.linked.Store(true)
	}
	return true
}
