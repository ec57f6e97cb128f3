package audit

import (
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"

	"example.org/refract/base"
	"example.org/refract/extract"
	"example.org/refract/extract/asciidoc"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/judge"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/publish"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/gen"
	"example.org/refract/resolve"
)

// A Followed is a reference and its target, for programs that move or rename targets. It includes
// references that are not checked, such as imports, if they name a file.
//
// A Followed refers to the Report of its audit. Its methods must not be called before that audit ends, nor
// concurrently with the methods of the Report.
type Followed struct {
	Path string             // absolute path of the document, with forward slashes
	Pos  extract.Position   // of Ref
	Ref  *extract.Reference // as in Finding; Raw and Ref hold the path of an entry of a navigation
	// Target is the absolute path of the file or directory that the reference resolves to. It is "" if there is
	// none, or if it is not known.
	Target string
	// Line is the line of the anchor that the fragment names, and Anchored the absolute path of the
	// document that has it: Target, or a document that is shown on the same page. Line is 0 if there
	// is no such anchor, or if it has no line of its own.
	Line     int
	Anchored string
	// Label is the id of the anchor if the reference is the use of a label of Sphinx, otherwise "".
	Label string
	// Place is where a relative reference without a Target points: the path of a file, or "url:" and a URL of
	// the site. "" means none.
	Place string
	// Uses holds, for a document that is shown in other pages, the files that the reference resolves to there
	// by the generator's own rules, by the paths of the pages; "" if there is none.
	Uses map[string]string
	// Image is the path of an image in AsciiDoc that is not where the document says, without leading "../". A
	// book that includes the document, or the call of the program, may find it by imagesdir. So it has no
	// Place.
	Image string
	// IsMisspelled says that the reference differs from the name of its Target in case or composition:
	// it works only on some file systems.
	IsMisspelled bool
	// IsNavigation says that the reference is a value in a configuration file, or in front matter.
	IsNavigation bool

	id   string // of the anchor
	root string // directory that an included file is relative to; "" is that of the document
	how  lead.Following
	a    *auditor
	d    *doc.Document
	ref  *doc.Reference
	nav  *doc.NavEntry

	isInQuery bool // the fragment is in the query
}

// Ends returns the files that the reference resolves to, also on pages that show its own document, the
// documents of these pages, and its Image.
func (f *Followed) Ends() []string {
	ends := []string{f.Target, f.Anchored, f.Image}
	for page, file := range f.Uses {
		ends = append(ends, page, file)
	}
	return slices.DeleteFunc(ends, func(p string) bool { return p == "" })
}

// Pages returns the documents that show the reference on their pages, such as its own.
func (f *Followed) Pages() []string { return slices.Sorted(maps.Keys(f.a.PagesOf(f.d, f.ref))) }

// onURL precedes a Place that is a URL.
const onURL = "url:"

// A follower passes on what references of a document point to, for Options.Followed.
type follower struct{ a *auditor }

// pass calls a.Followed.
func (a follower) pass(d *doc.Document, f Followed, ref *doc.Reference) {
	f.Path, f.Pos, f.Ref, f.a, f.d, f.ref = d.Path, ref.Pos, ref.Extracted(), a.a, d, ref
	a.a.Followed(&f)
}

// entries calls a.Followed with the entries of a navigation that d holds.
func (a follower) entries(d *doc.Document) {
	if a.a.Followed == nil {
		return
	}
	for i := range d.Nav {
		e := d.Nav[i]
		a.pass(d, a.entry(d, &e), &e.Reference)
	}
}

// landed calls a.Followed with ref, which has a landing.
func (a follower) landed(d *doc.Document, ref *doc.Reference, l *lead.Landing) {
	if a.a.Followed != nil {
		kept := *ref
		a.pass(d, a.a.followed(d, &kept, l), &kept)
	}
}

// rest calls a.Followed with what is not checked by a landing: imports and the like, and names.
func (a follower) rest(d *doc.Document, unchecked []doc.Reference) {
	if a.a.Followed == nil {
		return
	}
	for i := range unchecked {
		ref := unchecked[i]
		a.pass(d, a.file(d, &ref), &ref)
	}
	for i := range d.Names {
		switch n := d.Names[i]; {
		case n.Space == asciidoc.IDSpace:
			f, ref := a.section(d, &n)
			a.pass(d, f, ref)
		case d.IsLabelUse(&n):
			f, ref := a.a.followLabel(d, &n)
			a.pass(d, f, ref)
		}
	}
}

// follow returns where ref leads, for programs that move what it points to.
func (a *auditor) follow(d *doc.Document, ref *doc.Reference) Followed {
	l := a.Lead(d, ref)
	return a.followed(d, ref, &l)
}

// followed returns what a landing says to programs that move what references point to.
func (a *auditor) followed(d *doc.Document, ref *doc.Reference, l *lead.Landing) (f Followed) {
	isText := (ref.How == scan.Bare || ref.Invalid) && !ref.IsWiki() && !d.IsResourceID(ref) && !doc.IsTemplate([]byte(ref.Ref))
	if ref.Member != "" || ref.Ref == "" || isText || l.How == lead.Nowhere || l.How == lead.ByPath && l.Target.Encoded {
		return f
	}
	f.how, f.Target, f.IsMisspelled, f.isInQuery = l.How, l.File, l.IsMisspelled, l.IsQuery
	switch {
	case l.Part != "":
		f.how, f.Target, f.root = lead.ByFile, l.Part, l.Root
		return f
	case l.How == lead.ByWiki:
		f.heading(&a.World, l)
	case l.Hash && l.File != "":
		f.anchor(&a.World, d, ref, l.Fragment, l.Real)
	}
	switch c := l.Result.Tried; {
	case l.File != "":
		if !lead.IsOwn(d, ref) {
			f.Uses = a.InAllUses(d, ref, l)
		}
	case l.How == lead.ByPath && lead.IsImageInAsciiDoc(d, ref):
		f.Image = strings.TrimLeft(path.Clean(ascii.UnescapeAll(ref.Ref)), "./")
	case l.How == lead.ByPath && l.Target.Outside:
		f.Place = l.Target.Path
	case l.How == lead.ByPath && !l.Target.Rooted && len(l.Target.Roots) > 0:
		f.Place = l.AsPlace()
	case l.How != lead.BySite || strings.HasPrefix(ref.Ref, "/") || ref.Result.Step == resolve.Absolute || len(c) == 0:
	case c[0].File != "":
		f.Place = c[0].File
	case c[0].URL != "":
		f.Place = onURL + c[0].URL
	}
	return f
}

// heading sets the anchor to the heading that a wiki link names.
func (f *Followed) heading(a *lead.World, l *lead.Landing) {
	if to := a.Document(l.Real); l.File != "" && l.Fragment != "" && to != nil && to.IsMarkdown() {
		f.id, f.Line, f.Anchored = l.Fragment, to.LineOfHeading(l.Fragment), to.Path
	}
}

// file follows a reference that is not checked, if it names an existing file by its path.
func (a follower) file(d *doc.Document, ref *doc.Reference) (f Followed) {
	switch ref.Reason {
	case doc.IsForm, doc.IsMetadata, doc.IsFrontMatter, doc.IsSpeculative, doc.IsModule:
	default:
		return f
	}
	if ref.Member != "" || ref.Entity != doc.Whole || strings.HasPrefix(ref.Ref, "#") || doc.IsTemplate([]byte(ref.Ref)) {
		return f
	}
	c := resolve.Parse([]byte(ref.Ref))
	if c.HasScheme || c.HasAuthority || len(c.Path) == 0 {
		return f
	}
	p := string(c.Path)
	if ref.Reason != doc.IsModule {
		p = ascii.UnescapeAll(p)
	}
	switch rest, isAlias := strings.CutPrefix(p, "@site/"); {
	case isAlias && d.Layout.Generated != nil:
		p = path.Join(d.Layout.Generated.Dir, rest)
	case strings.HasPrefix(p, "/"), isAlias:
		return f
	case ref.Reason == doc.IsModule && !strings.HasPrefix(p, "."):
		return f // the name of a package
	default:
		p = path.Join(d.Dir(), p)
	}
	for _, suffix := range moduleSuffixes {
		if typ, ok := a.a.Files.List(path.Dir(p)).Entry(path.Base(p) + suffix); ok && typ.IsRegular() {
			f.how, f.Target = lead.ByFile, p+suffix
			return f
		}
		if ref.Reason != doc.IsModule {
			break
		}
	}
	return f
}

// moduleSuffixes lists what an import may leave out.
var moduleSuffixes = []string{"", ".js", ".jsx", ".ts", ".tsx", ".mjs", ".mdx", ".md", ".json", ".vue", ".astro"}

// entry follows an entry of a navigation.
func (a follower) entry(d *doc.Document, e *doc.NavEntry) Followed {
	l := a.a.LeadEntry(e)
	f := Followed{IsNavigation: true, how: lead.ByEntry, nav: e, Target: l.File}
	if l.Hash && l.File != "" {
		f.anchor(&a.a.World, d, &e.Reference, l.Fragment, l.Real)
	}
	return f
}

// section follows <<id>> to a section of the same page. It also returns it as a reference.
func (a follower) section(d *doc.Document, n *doc.Note) (f Followed, ref *doc.Reference) {
	r := a.a.NameAsReference(d, n, scan.Macro, "<<>>")
	b := base.Base{URI: d.Retrieved.URI}
	ref = &doc.Reference{Pos: n.Pos, Kind: r.Kind, How: r.How, In: r.In, Raw: string(r.Raw), Ref: string(r.Ref), Entity: doc.Whole, Base: &b}
	if ref.Raw != n.Text {
		return f, ref
	}
	for _, file := range a.a.Around(d, true) {
		to := a.a.ByPath[file]
		if to == nil || file != d.Path && !to.IsAsciiDoc() {
			continue
		}
		if id, live := to.IDs().Hit(n.Text); live && id != "" {
			f.how, f.Target, f.Anchored = lead.BySection, d.Path, file
			f.id, f.Line = id, max(0, to.IDs().Line(id))
			return f, ref
		}
	}
	return f, ref
}

// anchor sets the anchor that a fragment names in the document at a path.
func (f *Followed) anchor(a *lead.World, d *doc.Document, ref *doc.Reference, fragment, file string) {
	fragment, _, _ = strings.Cut(fragment, ":~:")
	to := a.Document(file)
	if to == nil || fragment == "" || judge.IsView(ref, file, fragment) {
		return
	}
	if id, live := to.IDs().Hit(fragment); live && id != "" {
		if line := to.IDs().Line(id); line > 0 {
			f.id, f.Line, f.Anchored = id, line, file
		}
		return
	}
	if !d.IsRST() && !d.IsAsciiDoc() {
		return
	}
	for _, part := range a.Around(to, to == d) {
		from := a.ByPath[part]
		if from == nil || from == to {
			continue
		}
		if id, live := from.IDs().Hit(fragment); live && id != "" {
			f.id, f.Line, f.Anchored = id, max(0, from.IDs().Line(id)), part
			return
		}
	}
}

// IsFixed reports whether the meaning of the reference is independent of the paths of files.
func (f *Followed) IsFixed() bool { return f.how == lead.Nowhere }

// Page returns the Page of the document at an absolute path. It must not be called concurrently with
// itself or with the methods of a [View].
func (r *Report) Page(p string) Page {
	a := r.audited()
	if a == nil {
		return Page{}
	}
	if d := a.ByPath[p]; d != nil && d.Layout != nil {
		return a.pageOf(d)
	}
	d := a.NewDocument(p)
	d.Layout = a.Layouts.Of(d)
	return a.pageOf(d)
}

// Fixed returns why a file, by its absolute path, has to stay where it is in the directory of its site. It
// is the configuration, or a template that code refers to. why is "" if it may move.
func (r *Report) Fixed(p string) (why, dir string) {
	a := r.audited()
	for _, s := range a.Layouts.Finder.Sites() {
		if s.Config == p {
			return "it is the configuration of a site", s.Dir
		}
	}
	if s := a.SiteAt(p); s != nil && s.IsCode(p) {
		return "it is a template or a program of the site, and code may refer to it", s.Dir
	}
	return "", ""
}

// LeadsTo reports whether a URL of a site, as in [Page], resolves to the document at an absolute path,
// directly or by a redirect that the repository defines.
func (r *Report) LeadsTo(u, p string) bool {
	d, s := r.siteOf(p)
	if s == nil {
		return false
	}
	s, uses, _ := d.SiteUse()
	if len(uses) == 0 {
		return false
	}
	res := s.Resolve(uses[0], site.HTML, "a/href", strings.TrimPrefix(u, s.Origin))
	return res.State == site.Found && res.File == p || res.File == "" && redirectLeadsTo(s, strings.TrimPrefix(u, s.Origin), p)
}

// redirectLeadsTo reports whether a redirect of a site from a URL points to the document at an absolute path.
func redirectLeadsTo(s *site.Site, u, p string) bool {
	if s.StillServes(u).State != site.Found {
		return false
	}
	for _, to := range s.Redirects() {
		if to.URL == u {
			goal, _, _ := strings.Cut(to.Goal, "#")
			return s.StillServes(goal).File == p
		}
	}
	return false
}

// Together returns the absolute paths of the files that the generator shows on the same pages as the
// document at a path. Their definitions of labels are one.
func (r *Report) Together(p string) (files []string) {
	d := r.audited().ByPath[p]
	if d == nil || d.Layout.Generated == nil {
		return nil
	}
	return d.Layout.Generated.Together(p)
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

// Publishes returns the directories whose files are published unchanged at the root of the site that a
// document is part of, and the directories of the site and of its repository.
func (r *Report) Publishes(p string) (dirs []string) {
	_, s := r.siteOf(p)
	if s == nil {
		return nil
	}
	for _, m := range s.Mounts {
		if m.Kind == site.Static && m.URL == "/" {
			dirs = append(dirs, m.Dir)
		}
	}
	dirs = append(dirs, s.Dir)
	if top := r.RepositoryOf(p); top != "" {
		dirs = append(dirs, top)
	}
	return dirs
}

// RepositoryOf returns the directory of the repository that the file at an absolute path is in, or "".
func (r *Report) RepositoryOf(p string) string { return r.audited().Repository(path.Dir(p)) }

// siteOf returns the document at an absolute path and its site, which is nil if there is none.
func (r *Report) siteOf(p string) (*doc.Document, *site.Site) {
	if d := r.audited().ByPath[p]; d != nil {
		return d, d.Layout.Generated
	}
	return nil, nil
}

// Heading returns the heading of the document at an absolute path that a fragment, without "#", points to.
// ok is false if the fragment names no heading.
func (r *Report) Heading(p, fragment string) (h doc.Heading, ok bool) {
	a := r.audited()
	if a == nil {
		return h, false
	}
	d := a.Document(p)
	if d == nil {
		return h, false
	}
	id, live := d.IDs().Hit(fragment)
	if !live || id == "" {
		return h, false
	}
	line := d.IDs().Line(id)
	return d.HeadingIn(line, id)
}

// HeadingIDs returns the ids of the headings of the document at an absolute path, in their order; nil if
// not all are known.
func (r *Report) HeadingIDs(p string) []string {
	d := r.audited().Document(p)
	if d == nil || !d.HasAllIDs() {
		return nil
	}
	return headingIDs(d)
}

// IDOfBuild returns the id that a build has given the heading in a line of the document at an absolute
// path, if another is known for it without the build; see [Options.BuiltIDs].
func (r *Report) IDOfBuild(p string, line int) (id string, is bool) {
	d := r.audited().Document(p)
	if d == nil {
		return "", false
	}
	return d.MadeOtherwise(line)
}

// HeadingAt returns the heading whose text is in a line of the document at an absolute path.
func (r *Report) HeadingAt(p string, line int) (h doc.Heading, ok bool) {
	a := r.audited()
	if a == nil {
		return h, false
	}
	d := a.Document(p)
	if d == nil {
		return h, false
	}
	s, id := d.IDs(), ""
	for i := range s.Len() {
		if int(s.Entries[i].Line) == line {
			id = s.At(i)
		}
	}
	return d.HeadingIn(line, id)
}

// SiteOf returns the site that the document at an absolute path is part of, or nil. It is for those that
// move documents, and write redirects.
func (r *Report) SiteOf(p string) *site.Site {
	a := r.audited()
	if a == nil {
		return nil
	}
	if d := a.ByPath[p]; d != nil && d.Layout != nil {
		return d.Layout.Generated
	}
	return a.Layouts.Of(a.NewDocument(p)).Generated
}

// IsOrdinary reports whether a file is a document or an image whose name does not say that it is more than
// that.
func IsOrdinary(file string) bool {
	base := path.Base(file)
	return (doc.IsDocument(file) || slices.Contains(pictures, strings.ToLower(path.Ext(base)))) &&
		!strings.HasPrefix(base, "_") && !strings.HasPrefix(base, ".") && !publish.IsIndex(base) && !gen.IsContents(base)
}

// pictures lists suffixes of files that nothing but references is about.
var pictures = []string{".avif", ".gif", ".jpeg", ".jpg", ".pdf", ".png", ".svg", ".webp"}

// NameLetters returns the letters and digits of the name by which references may call a file or directory:
// up to a dot, without a leading number or date; the name of the directory if the file is its index page.
func NameLetters(file string) string {
	base := path.Base(file)
	if publish.IsIndex(base) {
		base = path.Base(path.Dir(file))
	}
	if i := strings.IndexByte(base, '.'); i > 0 {
		base = base[:i]
	}
	if rest := strings.TrimLeftFunc(base, func(r rune) bool { return !unicode.IsLetter(r) }); rest != "" {
		base = rest
	}
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, base)
}
