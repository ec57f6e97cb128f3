package audit

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"example.org/refract/audit/site"
	"example.org/refract/extract/asciidoc"
	"example.org/refract/extract/rst"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/lazy"
	"example.org/refract/resolve"
)

// judge judges the references of d, in source order.
func (a *auditor) judge(d *document) {
	d.isJudged.Store(true)
	a.judgeNavigation(d)
	labels, names, skipped := d.undefined, d.names, d.unjudged
	judgeLabels := func(end int64) {
		for {
			isName := len(names) > 0 && names[0].pos.Offset < end
			isLabel := len(labels) > 0 && labels[0].pos.Offset < end
			switch {
			case isName && (!isLabel || names[0].pos.Offset <= labels[0].pos.Offset):
				a.judgeName(d, &names[0])
				names = names[1:]
			case isLabel:
				if !d.isMarkdown() || !isIndexed(d.source(), labels[0].pos.Offset) {
					a.judgeLabel(d, &labels[0])
				}
				labels = labels[1:]
			default:
				return
			}
		}
	}
	report := func(end int64) {
		for ; len(skipped) > 0 && skipped[0].pos.Offset < end && a.Unjudged != nil; skipped = skipped[1:] {
			s := &skipped[0]
			a.Unjudged(&Unjudged{File: d.name, Path: d.file.Path, Pos: s.pos, Ref: s.extracted(), Why: s.reason.String()})
		}
	}
	d.refs = a.refsOf(d)
	for i := range d.refs {
		judgeLabels(d.refs[i].pos.Offset)
		report(d.refs[i].pos.Offset)
		a.tallied(func() { a.judgeReference(d, &d.refs[i]) })
	}
	judgeLabels(1 << 62)
	report(1 << 62)
	d.refs, d.packed.refs, d.unjudged, d.undefined, d.names = nil, "", nil, nil, nil
	d.finish()
	a.dropIDs(d, d.layout.slug)
}

// judgeName reports the use of a site label that no document defines.
func (a *auditor) judgeName(d *document, n *note) {
	if n.space == asciidoc.IDSpace {
		a.judgeSectionName(d, n)
		return
	}
	if _, uses, why := d.siteUse(); len(uses) == 0 {
		a.skipNote(d, n, why)
		return
	}
	if d.isRST() && n.space == rst.GlobSpace {
		a.judgeGlob(d, n)
		return
	}
	if d.isRST() && isTemplate([]byte(n.text)) {
		a.skipNote(d, n, "a template")
		return
	}
	if n.space == rst.ObjectSpace {
		a.judgeObject(d, n)
		return
	}
	if d.isRST() {
		a.judgeNameInRST(d, n)
		return
	}
	switch state, why := d.layout.generated.Label(n.text, true); state {
	case site.Unknown:
		a.skipNote(d, n, why)
	case site.Missing:
		f := a.finding(d, MissingFragment, fmt.Sprintf("the site has no label %s", strconv.Quote(n.text)))
		f.Pos = n.pos
		a.report(d, f)
	}
}

// isBundled reports whether a reference of CSS is a name that a bundler resolves: an alias
// (@/x, ~/x), a module (@scope/x, ~x), or the name of a package without a suffix.
func isBundled(k *reference) bool {
	if k.how != scan.CSS || k.ref == "" {
		return false
	}
	return k.ref[0] == '@' || k.ref[0] == '~' || k.in == "@import" && !strings.ContainsAny(k.ref, "./:?#")
}

// isIndexed reports whether the brackets at an offset are not meant as a label. They may be an index,
// as in "a[i][j]", with a letter, digit or bracket before it; part of a formula; escaped; or one of
// several note numbers, "[1][2]".
func isIndexed(source []byte, at int64) bool {
	if at > int64(len(source)) {
		return false
	}
	const longest = 1000
	depth := 0
	for i := int(at) - 2; i > max(0, int(at)-longest); i-- { // start at the "]" of "]["
		switch source[i] {
		case ']':
			depth++
		case '[':
			if depth--; depth == 0 {
				c := source[i-1]
				return c == '\\' || c == '$' || isNumbers(source[i:], int(at)-i) || c == ']' || c == ')' || c == '_' || ascii.IsAlnum(c)
			}
		}
	}
	return false
}

// isNumbers reports whether s begins with two numbers like "[1][2]", the second at an offset.
func isNumbers(s []byte, at int) bool {
	end := bytes.IndexByte(s[at:], ']')
	return end > 0 && at > 3 && len(bytes.Trim(s[1:at-2], "0123456789")) == 0 && len(bytes.Trim(s[at:at+end], "0123456789")) == 0
}

// judgeLabel reports [text][label] if nothing defines the label.
func (a *auditor) judgeLabel(d *document, n *note) {
	source, start := d.source(), int(n.pos.Offset)
	label := source[min(start, len(source)):min(start+n.pos.Length, len(source))]
	switch {
	case d.isMarkdown() && bytes.HasPrefix(label, []byte("[")): // [[a]][[b]] are two references in brackets
		return
	case d.isRST() && (isTemplate(label) || isInTag(source, start)):
		a.skipNote(d, n, "a template")
		return
	case d.isRST():
		found, why := a.isDefinedAround(d, label)
		if why != "" {
			a.skipNote(d, n, why)
		}
		if found || why != "" {
			return
		}
	case d.isMarkdown() && d.makesDefinitions():
		a.skipNote(d, n, "a template generates definitions")
		return
	}
	if a.definesInPart(d, string(label)) {
		return
	}
	if d.layout.generated == nil && d.isMarkdown() {
		switch {
		case a.labelTrees[a.boundary(d)]:
			a.skipNote(d, n, "a program may define the label")
			return
		case d.definesByTemplate(label):
			a.skipNote(d, n, "a template")
			return
		}
	}
	if s := d.layout.generated; s != nil && s.MayBeObject(string(label)) {
		a.skipNote(d, n, "the name of an item of code")
		return
	} else if s != nil && s.HasAutorefs() && a.hasHeading(d.layout, string(label)) {
		return
	}
	f := a.finding(d, Undefined, n.text)
	f.Pos = n.pos
	a.report(d, f)
}

// templateLabel matches a definition whose label a template makes.
var templateLabel = lazy.New(`(?m)^ {0,3}\[[^\]\n]*(?:\{\{|\{%)[^\n]*\]:`)

// makesDefinitions reports whether a template in d makes definitions.
func (d *document) makesDefinitions() bool {
	if d.layout.generated == nil {
		return false
	}
	if d.hasMadeLabels == unknown {
		text, has := d.source(), false
		if bytes.Contains(text, []byte("{{")) || bytes.Contains(text, []byte("{%")) {
			for line := range bytes.Lines(text) {
				has = has || bytes.Contains(line, []byte("]:")) && templateLabel.Match(line)
			}
		}
		d.hasMadeLabels = answerOf(has)
	}
	return d.hasMadeLabels == yes
}

// definitionByTemplate matches a definition whose destination begins with a template. With spaces in it, Markdown
// sees no definition there; the program that fills the template in does.
var definitionByTemplate = lazy.New(`(?m)^ {0,3}\[([^\]\n]+)\]:[ \t]*(?:\{\{|\{%)`)

// definesByTemplate reports whether the destination of a definition of label in d begins with a template.
func (d *document) definesByTemplate(label []byte) bool {
	return memoized(d.memo, &d.filled, false, func() map[string]bool { return labelsOf(definitionByTemplate.FindAllSubmatch(d.source(), -1)) })[labelKey(string(label))]
}

// hasHeading reports whether any document of a layout has an id.
func (a *auditor) hasHeading(l *layout, id string) bool {
	headings := l.headings.Get(func() map[string]bool {
		headings := map[string]bool{}
		for _, d := range a.docs {
			if d.layout == l && d.hasAllIDs() {
				for name := range d.idsOf(l.slug).all() {
					headings[name] = true
				}
			}
		}
		return headings
	})
	return headings[id]
}

// skipNote counts a name or label as skipped.
func (a *auditor) skipNote(d *document, n *note, why string) {
	a.countSkipped(why, 1)
	a.results.SkippedNames++
	if a.Unjudged != nil {
		a.Unjudged(&Unjudged{File: d.name, Path: d.file.Path, Pos: n.pos, Why: why})
	}
}

// finding returns a finding in d that is not about a reference.
func (a *auditor) finding(d *document, rule Rule, message string) Finding {
	return Finding{File: d.name, Path: d.file.Path, Rule: rule, Message: message}
}

// A problem is what is wrong with a reference, for a Finding.
type problem struct {
	rule       Rule
	message    string
	target     string // absolute path that the reference leads to; "" means none
	suggestion string
	certain    bool
	cause      string // as in Finding; if "", it is derived from target
}

// reportReference reports what is wrong with k.
func (a *auditor) reportReference(d *document, k *reference, p problem) {
	if k.labels&scan.Unused != 0 && d.layout.generated != nil && p.rule.Level() == LevelError {
		p.rule, p.message = Unused, "this definition is not used; "+p.message
	}
	if d.isAsciiDoc() && k.labels&scan.Conditional != 0 {
		a.skip(d, k, "shown only under a condition")
		return
	}
	if isInTemplate(d, k) && (p.rule.Level() == LevelError && p.rule != BadURL && p.rule != MissingScheme) {
		a.skip(d, k, "in a template to copy or fill in")
		return
	}
	f := a.finding(d, p.rule, p.message)
	if k.member != "" {
		f.File, f.Path = inMember(f.File, k.member), inMember(f.Path, k.member)
		p.certain = false // members are not edited
	}
	f.Pos, f.Ref = k.pos, k.extracted()
	f.Suggestion, f.Certain, f.Target = p.suggestion, p.certain && !d.mayMoveReference(k), a.target(p.target)
	f.Cause, f.Facts = p.cause, a.siteFacts(d, k)
	if f.Cause == "" {
		f.Cause = a.causeOf(k, &p)
	}
	a.report(d, f)
}

// judgeReference judges k. It judges an unused definition like any other, and reports that it is
// unused only if there is no other finding: one thing to fix at a time.
func (a *auditor) judgeReference(d *document, k *reference) {
	if k.member != "" && a.judgePackaged(d, k) {
		return
	}
	if isBundled(k) {
		a.skip(d, k, "a name of the bundler")
		return
	}
	unused := k.labels&scan.Unused != 0
	// "[//]: # (…)" is a common way to write a comment that is not shown.
	if unused && k.how == scan.Reference && slices.Contains([]string{"#", "", "<>", "/"}, k.raw) {
		return
	}
	before := a.results.total
	a.judgeDestination(d, k)
	// "[summary]: #summary" below a heading is there for anyone who wants to refer to it. The
	// template of Rust's RFCs begins each section this way.
	if unused && a.results.total == before && !strings.HasPrefix(k.ref, "#") && !d.makesDefinitions() && !d.isShownElsewhere() {
		a.reportReference(d, k, problem{rule: Unused, message: "this definition is not used"})
	}
}

// maxPath is the longest path of a file in bytes, that of Linux with its zero. A judgement looks at each directory
// of a path by its full name: the time for a longer path would grow with the square of its length.
const maxPath = 4096

// judgeDestination judges where k leads.
func (a *auditor) judgeDestination(d *document, k *reference) {
	if s := d.layout.generated; s != nil && s.IsCode(d.path) {
		a.skip(d, k, "in a template of the site")
		return
	}
	if k.result.Step != resolve.Absolute && pathLength(k.ref) > maxPath {
		a.skip(d, k, "too long for the path of a file")
		return
	}
	if k.ref == "" {
		if !d.layout.isMDBook() || d.base() != "SUMMARY.md" { // there it is a chapter not yet written
			a.reportReference(d, k, problem{rule: EmptyLink, message: "the reference is empty, and points to the document itself"})
		}
		return
	}
	if k.isWiki() {
		a.judgeWiki(d, k)
		return
	}
	if d.isResourceID(k) {
		a.judgeResource(d, k)
		return
	}
	if strings.HasPrefix(k.ref, attachmentScheme) && d.isNotebook() {
		a.judgeAttachment(d, k)
		return
	}
	if d.layout.generated != nil && isTemplate([]byte(k.ref)) {
		a.judgeOnSite(d, k)
		return
	}
	if a.judgeSyntax(d, k) || a.judgeLocal(d, k) || k.err != nil {
		return
	}
	if d.layout.generated != nil && k.result.Step != resolve.Absolute && !strings.HasPrefix(k.ref, "//") {
		a.judgeOnSite(d, k)
		return
	}
	a.judgePath(d, k)
}

// judgePath judges where k leads by the path of its URL, as a file path.
func (a *auditor) judgePath(d *document, k *reference) {
	o := a.originOf(d, k)
	if p := a.targets[o]; p != "" {
		_, fragment, hash := strings.Cut(k.url, "#")
		a.judgeFragment(d, k, &target{fragment: fragment, hash: hash}, p)
		return
	}
	t := a.locate(d, k)
	switch {
	case t.outside:
		a.judgeOutside(d, k, &t)
	case t.foreign:
		a.skip(d, k, "is not below "+a.given.prefix+", the prefix of the site")
	case t.inside:
		p := a.resolve(d, k, &t)
		a.judgePlace(d, k, &t, &p, o)
	}
}

// judgeOutside judges a reference that leads out of the tree.
func (a *auditor) judgeOutside(d *document, k *reference, t *target) {
	if a.isHosted(d, k, t) {
		a.skip(d, k, "a page of the code host")
		return
	}
	where := "and no file is there"
	if strings.Contains(t.path, "://") {
		where = "to " + t.path
	} else if a.files.exists(t.path) {
		where = "to a file that is not published with it"
	}
	suggestion, _ := a.moved(d, k, t, nil)
	a.reportReference(d, k, problem{
		rule: Outside, message: "points outside the audited directory, " + where, target: t.path, suggestion: suggestion,
	})
}

// judgePlace judges a reference that leads to p.
func (a *auditor) judgePlace(d *document, k *reference, t *target, p *place, o origin) {
	switch {
	case t.encoded:
		a.reportReference(d, k, problem{
			rule: missingRule(k), message: "a file name cannot contain an encoded slash or NUL",
			target: p.path, suggestion: a.recoded(d, k, t),
		})
	case p.kind == isDangling:
		a.reportReference(d, k, problem{
			rule: Symlink, message: a.quoted(p.path) + " is a broken symbolic link", target: p.path,
		})
	case p.kind == isLoop:
		a.reportReference(d, k, problem{
			rule: Symlink, message: a.quoted(p.path) + " is a circular symbolic link", target: p.path,
		})
	case p.kind == isMissing:
		a.judgeMissing(d, k, t, p)
	case p.kind == isDirectory:
		a.judgeDirectory(d, k, t, p)
	case p.respel:
		a.reportSpelling(d, k, t, p)
	default:
		if p.linked {
			p.path = a.behind(p.path)
		}
		if o.ref != "" {
			a.keepTarget(o, p.path)
		}
		a.judgeFragment(d, k, t, p.path)
	}
}

// judgeMissing judges a reference to what does not exist.
func (a *auditor) judgeMissing(d *document, k *reference, t *target, p *place) {
	switch {
	case isHomePath(t):
		a.reportReference(d, k, problem{rule: LocalURL, message: "points into a home directory"})
		return
	case d.layout.isMDBook() && path.Base(p.path) == "print.html":
		a.skip(d, k, "is made by the generator or the host") // all chapters on one page
		return
	case a.isThereWhereIncluded(d, k):
		return
	case a.mayExist(d, k, t, p):
		a.skip(d, k, "may be made by the generator or the host")
		return
	case a.mayHaveImagesDir(d, k):
		a.skip(d, k, "a build may set imagesdir")
		return
	}
	if a.judgeAdopted(d, k, t) {
		return
	}
	if why := a.isPublishedElsewhere(d, k, t, p); why != "" {
		a.skip(d, k, why)
		return
	}
	if why := a.mayBeBundled(d, k, t, p); why != "" {
		a.skip(d, k, why)
		return
	}
	if a.judgeScheme(d, k) {
		return
	}
	rule, what := missingRule(k), "file"
	if rule == BrokenImage {
		what = "image"
	} else if t.slash {
		what = "directory"
	}
	message := fmt.Sprintf("no such %s: %s", what, a.quoted(p.path))
	if strings.IndexByte(p.path, '%') >= 0 {
		message += ", the path decoded once"
	}
	suggestion, certain := a.nearest(d, k, t, p)
	a.reportReference(d, k, problem{rule: rule, message: message, target: p.path, suggestion: suggestion, certain: certain})
}

// mayExist reports whether the target of k may exist once the site is built, or where the repository
// is shown, although there is no such file.
func (a *auditor) mayExist(d *document, k *reference, t *target, p *place) bool {
	switch {
	}
	// If a directory has the name of a page of the host, the reference means a file in it.
	isPageOfHost := p.in == nil || slices.Contains(hostedPages, path.Base(p.path))
	return isPageOfHost && a.repository(d.dir()) == "" && a.isHosted(d, k, t)
}

// importMap is where the addresses of an import map are.
const importMap = "script/importmap"

// judgeDirectory judges a reference to a directory without an index page.
func (a *auditor) judgeDirectory(d *document, k *reference, t *target, p *place) {
	isHome := len(t.components) == 0 && t.rooted && a.sites.root == "" && d.layout.name == ""
	switch {
	case k.in == importMap: // an address there may be the prefix of others (HTML Standard, 8.1.6.1)
	case k.kind == scan.Embed:
		a.reportReference(d, k, problem{
			rule: missingRule(k), message: "a directory cannot be shown here: " + a.quoted(p.path), target: p.path,
		})
	case isHome:
		a.skip(d, k, "the home page of an unknown site")
	case a.isMadeByUnknown(d):
		a.skip(d, k, "a directory that the server may list")
	case !d.layout.isHost() || d.isHTML() || len(a.servingOf(d).indexNames()) > 0:
		a.reportReference(d, k, problem{
			rule: MissingFile, message: "a directory without an index page: " + a.quoted(p.path), target: p.path,
		})
	case p.respel:
		a.reportSpelling(d, k, t, p)
	}
}

// reportSpelling reports a reference to a file whose name differs in case or composition.
func (a *auditor) reportSpelling(d *document, k *reference, t *target, p *place) {
	how := "case"
	if p.norm {
		how = "Unicode normalization"
	}
	if to := a.document(p.path); to != nil && to != d {
		a.link(d, to)
	}
	suggestion := a.spelledRight(d, k, t, p)
	a.reportReference(d, k, problem{
		rule: Case, message: fmt.Sprintf("the name on disk is %s, which differs in %s", a.quoted(p.path), how),
		target: p.path, suggestion: suggestion,
		certain: a.isOnlySpelling(d, t, p) && a.mends(d, k, suggestion, p.path),
	})
}

// An origin holds everything that determines which file a reference leads to. Pages of a manual refer
// to the same files over and over: to look each up once takes a third of the time of judging.
type origin struct {
	dir, top, ref string
	layout        *layout
	html          bool
}

// maxTargets limits the number of targets that are kept. Documents are judged directory by directory, and an origin
// is of one directory.
const maxTargets = 1 << 13

// keepTarget keeps the path that an origin leads to.
func (a *auditor) keepTarget(o origin, p string) {
	if len(a.targets) >= maxTargets {
		clear(a.targets)
	}
	o.ref = strings.Clone(o.ref) // it may be part of all packed references of a document
	a.targets[o] = p
}

// originOf returns the origin of k. Its ref is "" if more than an origin matters: another base, or
// the name of the page itself.
func (a *auditor) originOf(d *document, k *reference) (o origin) {
	if k.base.URI == d.retrieved.URI && k.url != "" && !a.leavesOut {
		o = origin{d.dir(), d.top, k.ref, d.layout, d.isHTML()}
		o.ref, _, _ = strings.Cut(k.ref, "#")
	}
	return o
}

// behind returns the path of the input that path leads to through symbolic links, or path itself if
// there is none.
func (a *auditor) behind(path string) string {
	if real, err := a.Tree.Real(path); err == nil && a.byPath[real] != nil {
		return real
	}
	return path
}

// isHosted reports whether a document refers to a page that GitHub provides for its repository.
// GitHub shows a file below /owner/name/blob/branch/, so "../../issues" in a README is
// /owner/name/issues.
//
// An unpacked package is in no repository, and its depth in its original one is unknown. The code
// takes two directories up from its README for /owner/name.
func (a *auditor) isHosted(d *document, k *reference, t *target) bool {
	if !d.layout.isHost() {
		return false
	}
	top := a.repository(d.dir())
	if top == "" {
		rest, ok := strings.CutPrefix(strings.TrimPrefix(k.ref, "./"), "../../")
		page := rest
		if i := strings.IndexAny(rest, "/?#"); i >= 0 {
			page = rest[:i]
		}
		return ok && isReadme(d.base()) && slices.Contains(hostedPages, page)
	}
	rest, ok := strings.CutPrefix(t.path, strings.TrimSuffix(path.Dir(path.Dir(top)), "/")+"/")
	page, _, _ := strings.Cut(rest, "/")
	return ok && slices.Contains(hostedPages, page)
}

func isReadme(name string) bool { return strings.HasPrefix(strings.ToLower(name), "readme.") }

var hostedPages = []string{
	"actions", "blob", "branches", "commit", "commits", "compare", "contributors", "discussions", "edit", "fork", "graphs", "issues",
	"labels", "milestones", "network", "new", "packages", "projects", "pull", "pulls", "raw", "releases", "security", "settings",
	"stargazers", "tags", "tree", "watchers", "wiki",
}

// isHomePath reports whether a path leads into somebody's home directory.
func isHomePath(t *target) bool {
	return t.rooted && len(t.components) > 1 && (t.components[0] == "home" || t.components[0] == "Users")
}

func (a *auditor) quoted(p string) string { return strconv.Quote(a.shown(p)) }

// missingRule returns the rule that a reference breaks if its target is missing.
func missingRule(k *reference) Rule {
	if k.kind != scan.Embed {
		return MissingFile
	}
	element, _, _ := strings.Cut(k.in, "/")
	switch element {
	case "image", "img", "source", "input", "feimage":
		return BrokenImage
	}
	c := resolve.Parse([]byte(k.ref))
	if IsPicture(string(c.Path)) {
		return BrokenImage
	}
	return MissingFile
}
