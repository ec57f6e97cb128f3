package audit

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/audit/site"
	"example.org/refract/base"
	"example.org/refract/extract"
	"example.org/refract/extract/asciidoc"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/resolve"
)

// A Followed is a reference and where it leads, for programs that move or rename what references
// lead to. It includes references that are not judged, such as imports, if they name a file.
//
// A Followed refers to the Report of its audit. Its methods must not be called before that audit
// ends, nor concurrently with the methods of the Report.
type Followed struct {
	Path string             // absolute path of the document, with forward slashes
	Pos  extract.Position   // of Ref
	Ref  *extract.Reference // as in Finding; Raw and Ref hold the path of an entry of a navigation
	// Target is the absolute path of the file or directory that the reference leads to. It is "" if
	// there is none, or if it is not known.
	Target string
	// Line is the line of the anchor that the fragment names, and Anchored the absolute path of the
	// document that has it: Target, or a document that is shown on the same page. Line is 0 if there
	// is no such anchor, or if it has no line of its own.
	Line     int
	Anchored string
	// Label is the id of the anchor if the reference is the use of a label of Sphinx, otherwise "".
	Label string
	// Place is where a relative reference without a Target would lead: the path of a file, or "url:"
	// and a URL of the site. "" means none.
	Place string
	// IsMisspelled says that the reference differs from the name of its Target in case or composition:
	// it works only on some file systems.
	IsMisspelled bool
	// IsNavigation says that the reference is a value in a configuration file, or in front matter.
	IsNavigation bool

	id   string // of the anchor
	root string // directory that an included file is relative to; "" is that of the document
	how  following
	a    *auditor
	d    *document
	k    *reference
	nav  *navEntry
	use  site.Use
}

// A following says how a reference was followed, and thus how to write another in its place.
type following uint8

const (
	nowhere   following = iota // its meaning does not depend on paths
	byPath                     // the path of its URL
	bySite                     // the rules of a generator
	byWiki                     // [[name]]
	byFile                     // as a path of a file: an import, metadata
	byEntry                    // an entry of a navigation
	bySection                  // <<id>> of AsciiDoc
)

// onURL precedes a Place that is a URL.
const onURL = "url:"

// followAll calls a.Followed with the references of d, before d is judged.
func (a *auditor) followAll(d *document) {
	emit := func(f Followed, k *reference) {
		f.Path, f.Pos, f.Ref, f.a, f.d, f.k = d.path, k.pos, k.extracted(), a, d, k
		a.Followed(&f)
	}
	for i := range d.nav {
		e := d.nav[i]
		emit(a.followEntry(d, &e), &e.reference)
	}
	for _, k := range slices.Clone(a.refsOf(d)) {
		d.dots.add(k.ref)
		emit(a.follow(d, &k), &k)
	}
	if a.dots == nil {
		a.dots = map[string]dots{}
	}
	n := a.dots[path.Ext(d.path)]
	a.dots[path.Ext(d.path)] = dots{n.with + d.dots.with, n.without + d.dots.without}
	for i := range d.unjudged {
		k := d.unjudged[i]
		emit(a.followFile(d, &k), &k)
	}
	for i := range d.names {
		switch n := d.names[i]; {
		case n.space == asciidoc.IDSpace:
			f, k := a.followSection(d, &n)
			emit(f, k)
		case d.isLabelUse(&n):
			f, k := a.followLabel(d, &n)
			emit(f, k)
		}
	}
}

// follow returns where k leads. It examines what judgeDestination does, in the same order.
func (a *auditor) follow(d *document, k *reference) (f Followed) {
	s := d.layout.generated
	switch {
	case k.member != "", isBundled(k), k.ref == "", k.err != nil, s != nil && s.IsCode(d.path),
		strings.HasPrefix(k.ref, attachmentScheme) && d.isNotebook():
		return f
	case k.isWiki():
		return a.followWiki(d, k)
	case d.isResourceID(k), s != nil && isTemplate([]byte(k.ref)):
		return a.followOnSite(d, k)
	case k.how == scan.Bare || k.invalid:
		return f
	case s != nil && k.result.Step != resolve.Absolute && !strings.HasPrefix(k.ref, "//"):
		return a.followOnSite(d, k)
	}
	return a.followPath(d, k)
}

// followOnSite follows k by the rules of the generator.
func (a *auditor) followOnSite(d *document, k *reference) (f Followed) {
	f.how = bySite
	_, fragment, hash := strings.Cut(k.ref, "#")
	_, uses, _ := d.siteUse()
	switch {
	case strings.HasPrefix(k.ref, "#"):
		f.Target = d.path
		f.anchor(a, d, k, fragment, a.ownPage(d, fragment))
		return f
	case len(uses) == 0 || k.base.Layer != base.Retrieval:
		f.how = nowhere
		return f
	}
	res, u := a.onSite(d, k, k.ref)
	f.use = u
	if res.State != site.Found && a.sites.root != "" && strings.HasPrefix(k.ref, "/") {
		return a.followPath(d, k)
	}
	switch {
	case res.State == site.Found && res.File != "":
		f.Target = res.File
		if hash {
			f.anchor(a, d, k, fragment, a.realOf(res.File))
		}
	case res.Case && res.Other != "":
		f.Target, f.IsMisspelled = res.Other, true
		if hash {
			f.anchor(a, d, k, fragment, a.realOf(res.Other))
		}
	case k.how == scan.Directive && !d.isRST() && !d.isAsciiDoc():
		return a.followInclude(d, k)
	case strings.HasPrefix(k.ref, "/") || k.result.Step == resolve.Absolute:
	case len(res.Tried) > 0 && res.Tried[0].File != "":
		f.Place = res.Tried[0].File
	case len(res.Tried) > 0 && res.Tried[0].URL != "":
		f.Place = onURL + res.Tried[0].URL
	}
	return f
}

// followPath follows k by the path of its URL.
func (a *auditor) followPath(d *document, k *reference) (f Followed) {
	f.how = byPath
	t := a.locate(d, k)
	switch {
	case t.outside:
		f.Place = t.path
		return f
	case !t.inside || t.encoded || t.foreign:
		f.how = nowhere
		return f
	}
	p := a.resolve(d, k, &t)
	switch {
	case p.kind == isFile: // even if the reference differs in case, and is reported for that
		f.Target, f.IsMisspelled = p.path, p.respel
		real := p.path
		if p.linked {
			real = a.behind(p.path)
		}
		if t.hash {
			f.anchor(a, d, k, t.fragment, real)
		}
	case p.kind == isDirectory:
		f.Target, f.IsMisspelled = p.path, p.respel
	case !t.rooted && len(t.roots) > 0:
		f.Place = path.Join(t.roots[0]+"/", strings.Join(t.components, "/"))
	}
	return f
}

// followWiki follows [[name]].
func (a *auditor) followWiki(d *document, k *reference) (f Followed) {
	if d.layout.generated == nil {
		return f
	}
	s, uses, _ := d.siteUse()
	if len(uses) == 0 {
		return f
	}
	f.how, f.Target, f.use = byWiki, d.path, uses[0]
	name, heading, _ := strings.Cut(k.ref, "#")
	if name = strings.TrimSpace(name); name != "" {
		f.Target = s.Wiki(uses[0], name).File
	}
	heading = strings.TrimSpace(heading[strings.LastIndexByte(heading, '#')+1:])
	if to := a.document(a.realOf(f.Target)); f.Target != "" && heading != "" && to != nil && to.isMarkdown() {
		f.id, f.Line, f.Anchored = heading, to.lineOfHeading(heading), to.path
	}
	return f
}

// lineOfHeading returns the line of the heading with a text, compared by letters and digits as
// hasHeading does, or 0 if there is none or if an id has that text.
func (d *document) lineOfHeading(text string) int {
	want := lettersOf(text)
	anchors := d.anchorList()
	for i := range anchors {
		k := &anchors[i]
		if k.name == text || text[0] == '^' || want == "" {
			return 0
		}
		if h := k.heading; h != nil && (lettersOf(h.Text) == want || lettersOf(h.Alt) == want || lettersOf(h.Source) == want) {
			return k.line
		}
	}
	return 0
}

// followFile follows a reference that is not judged, if it names an existing file by its path.
func (a *auditor) followFile(d *document, k *reference) (f Followed) {
	switch k.reason {
	case isForm, isMetadata, isFrontMatter, isSpeculative, isModule:
	default:
		return f
	}
	if k.member != "" || k.entity != whole || strings.HasPrefix(k.ref, "#") || isTemplate([]byte(k.ref)) {
		return f
	}
	c := resolve.Parse([]byte(k.ref))
	if c.HasScheme || c.HasAuthority || len(c.Path) == 0 {
		return f
	}
	p := string(c.Path)
	if k.reason != isModule {
		p = ascii.UnescapeAll(p)
	}
	switch rest, isAlias := strings.CutPrefix(p, "@site/"); {
	case isAlias && d.layout.generated != nil:
		p = path.Join(d.layout.generated.Dir, rest)
	case strings.HasPrefix(p, "/"), isAlias:
		return f
	case k.reason == isModule && !strings.HasPrefix(p, "."):
		return f // the name of a package
	default:
		p = path.Join(d.dir(), p)
	}
	for _, suffix := range moduleSuffixes {
		if typ, ok := a.files.list(path.Dir(p)).entry(path.Base(p) + suffix); ok && typ.IsRegular() {
			f.how, f.Target = byFile, p+suffix
			return f
		}
		if k.reason != isModule {
			break
		}
	}
	return f
}

// moduleSuffixes lists what an import may leave out.
var moduleSuffixes = []string{"", ".js", ".jsx", ".ts", ".tsx", ".mjs", ".mdx", ".md", ".json", ".vue", ".astro"}

// followInclude follows the name of an included file, which may be relative to the document, to the
// configuration or to the sources of the site.
func (a *auditor) followInclude(d *document, k *reference) (f Followed) {
	s := d.layout.generated
	roots := []string{"", s.Dir}
	for _, m := range s.Mounts {
		roots = append(roots, m.Dir)
	}
	for _, root := range roots {
		p := path.Join(root, k.ref)
		if root == "" {
			p = path.Join(d.dir(), k.ref)
		}
		if typ, ok := a.files.list(path.Dir(p)).entry(path.Base(p)); ok && typ.IsRegular() {
			f.how, f.Target, f.root = byFile, p, root
			return f
		}
	}
	return f
}

// followEntry follows an entry of a navigation.
func (a *auditor) followEntry(d *document, e *navEntry) Followed {
	f := Followed{IsNavigation: true, how: byEntry, nav: e}
	if e.result.State == site.Found {
		f.Target = e.result.File
		if _, fragment, hash := strings.Cut(e.ref, "#"); hash && f.Target != "" {
			f.anchor(a, d, &e.reference, fragment, a.realOf(f.Target))
		}
	}
	return f
}

// followSection follows <<id>> to a section of the same page. It also returns it as a reference.
func (a *auditor) followSection(d *document, n *note) (f Followed, k *reference) {
	r := a.nameAsReference(d, n, scan.Macro, "<<>>")
	b := base.Base{URI: d.retrieved.URI}
	k = &reference{pos: n.pos, kind: r.Kind, how: r.How, in: r.In, raw: string(r.Raw), ref: string(r.Ref), entity: whole, base: &b}
	if k.raw != n.text {
		return f, k
	}
	for _, file := range a.around(d, true) {
		to := a.byPath[file]
		if to == nil || file != d.path && !to.isAsciiDoc() {
			continue
		}
		if id, live := to.hit(n.text, to.layout.slug); live && id != "" {
			f.how, f.Target, f.Anchored = bySection, d.path, file
			f.id, f.Line = id, max(0, to.idsOf(to.layout.slug).line(id))
			return f, k
		}
	}
	return f, k
}

// anchor sets the anchor that a fragment names in the document at a path.
func (f *Followed) anchor(a *auditor, d *document, k *reference, fragment, file string) {
	fragment, _, _ = strings.Cut(fragment, ":~:")
	to := a.document(file)
	if to == nil || fragment == "" || isView(k, file, fragment) {
		return
	}
	if id, live := to.hit(fragment, to.layout.slug); live && id != "" {
		if line := to.idsOf(to.layout.slug).line(id); line > 0 {
			f.id, f.Line, f.Anchored = id, line, file
		}
		return
	}
	if !d.isRST() && !d.isAsciiDoc() {
		return
	}
	for _, part := range a.around(to, to == d) {
		from := a.byPath[part]
		if from == nil || from == to {
			continue
		}
		if id, live := from.hit(fragment, from.layout.slug); live && id != "" {
			f.id, f.Line, f.Anchored = id, max(0, from.idsOf(from.layout.slug).line(id)), part
			return
		}
	}
}

// IsFixed reports whether what the reference means does not depend on the paths of files.
func (f *Followed) IsFixed() bool { return f.how == nowhere }

// Page returns the Page of the document at an absolute path. It must not be called concurrently with
// itself or with the methods of a [View].
func (r *Report) Page(p string) Page {
	a := r.audited()
	if a == nil {
		return Page{}
	}
	if d := a.byPath[p]; d != nil && d.layout != nil {
		return a.pageOf(d)
	}
	d := a.newDocument(p)
	d.top = a.topOf(p)
	d.layout = a.layouts.of(d)
	return a.pageOf(d)
}

// Fixed returns why a file, by its absolute path, has to stay where it is in the directory of its
// site: it is the configuration, or a template that code refers to. why is "" if it may move.
func (r *Report) Fixed(p string) (why, dir string) {
	a := r.audited()
	for _, s := range a.layouts.finder.Sites() {
		if s.Config == p {
			return "it is the configuration of a site", s.Dir
		}
	}
	if s := a.siteAt(p); s != nil && s.IsCode(p) {
		return "it is a template or a program of the site, and code may refer to it", s.Dir
	}
	return "", ""
}

// LeadsTo reports whether a URL of a site, as in [Page], leads to the document at an absolute path,
// directly or by a redirect that the repository defines.
func (r *Report) LeadsTo(u, p string) bool {
	d, s := r.siteOf(p)
	if s == nil {
		return false
	}
	s, uses, _ := d.siteUse()
	if len(uses) == 0 {
		return false
	}
	res := s.Resolve(uses[0], site.HTML, "a/href", strings.TrimPrefix(u, s.Origin))
	return res.State == site.Found && res.File == p
}

// Together returns the absolute paths of the files that the generator shows on the same pages as the
// document at a path. Their definitions of labels are one.
func (r *Report) Together(p string) (files []string) {
	d := r.audited().byPath[p]
	if d == nil || d.layout.generated == nil {
		return nil
	}
	return d.layout.generated.Together(p)
}

// Earlier returns the URLs that redirect to the page of a document, by its front matter or by the
// configuration of its site.
func (r *Report) Earlier(p string) (urls []string) {
	_, s := r.siteOf(p)
	if s == nil {
		return nil
	}
	if page := s.Page(p); page != nil {
		for _, u := range page.Moved {
			urls = append(urls, s.Origin+strings.TrimSuffix(s.Base, "/")+u)
		}
	}
	return urls
}

// Publishes returns the directories whose files are published as they are at the root of the site that
// a document is part of, and the directories of the site and of its repository.
func (r *Report) Publishes(p string) (dirs []string) {
	d, s := r.siteOf(p)
	if s == nil {
		return nil
	}
	for _, m := range s.Mounts {
		if m.Kind == site.Static && m.URL == "/" {
			dirs = append(dirs, m.Dir)
		}
	}
	return append(dirs, s.Dir, r.audited().repository(d.dir()))
}

// siteOf returns the document at an absolute path and its site, which is nil if there is none.
func (r *Report) siteOf(p string) (*document, *site.Site) {
	if d := r.audited().byPath[p]; d != nil {
		return d, d.layout.generated
	}
	return nil, nil
}

// A Heading is the heading of a section of a document.
type Heading struct {
	Line   int    // of its text, from 1
	Text   string // without markup; "" for AsciiDoc
	Source string // the line as written, without the marks of the heading; "" means Text
	ID     string
	Format extract.Fragments
}

// Heading returns the heading of the document at an absolute path that a fragment, without "#",
// leads to. ok is false if the fragment names no heading.
func (r *Report) Heading(p, fragment string) (h Heading, ok bool) {
	a := r.audited()
	if a == nil {
		return h, false
	}
	d := a.document(p)
	if d == nil {
		return h, false
	}
	id, live := d.hit(fragment, d.layout.slug)
	if !live || id == "" {
		return h, false
	}
	line := d.idsOf(d.layout.slug).line(id)
	return d.headingIn(line, id)
}

// HeadingAt returns the heading whose text is in a line of the document at an absolute path.
func (r *Report) HeadingAt(p string, line int) (h Heading, ok bool) {
	a := r.audited()
	if a == nil {
		return h, false
	}
	d := a.document(p)
	if d == nil {
		return h, false
	}
	s, id := d.idsOf(d.layout.slug), ""
	for i := range s.len() {
		if int(s.entries[i].line) == line {
			id = s.at(i)
		}
	}
	return d.headingIn(line, id)
}

func (d *document) headingIn(line int, id string) (h Heading, ok bool) {
	anchors := d.anchorList()
	for i := range anchors {
		k := &anchors[i]
		if k.line == line && k.in == "section" && k.heading == nil {
			return Heading{Line: line, ID: id, Format: d.fragments()}, true
		}
		if k.line == line && k.heading != nil {
			h = Heading{Line: line, Text: k.heading.Text, Source: k.heading.Source, ID: id, Format: d.fragments()}
			return h, true
		}
	}
	return h, false
}
