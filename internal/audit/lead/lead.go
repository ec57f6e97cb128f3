package lead

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/base"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/resolve"
)

// A Landing is the target of a reference. Checks, fixes, moves, editors and inference all use it, so they
// cannot differ. If no field says more, it is the zero Landing: the target is not examined, such as another
// host.
type Landing struct {
	How   Following
	State site.State    // Why says more
	Why   reason.Reason // why it is unknown; zero if the target is not examined

	// File is the absolute path of the file or directory that the reference resolves to, and Real the same
	// without symbolic links. IsMisspelled says that its name differs in case or composition. File is "" if
	// there is none, or if a page has no source.
	File, Real   string
	IsMisspelled bool

	Fragment string // as written; Hash says that there is one
	Hash     bool
	IsQuery  bool // it is in the query

	Target Target // with ByPath
	Place  tree.Place
	Hosted *doc.HostedFile // with ByHost; Place is set if the branch is known

	Use    site.Use // with BySite and ByWiki
	Result site.Result
	Part   string // the file that a directive of a generator includes, by paths that are not rules of the generator
	Root   string // directory that Part is relative to; "" is that of the document

	page string // File is found only from this one, which includes the document
}

// A Following says which rules determine the target of a reference, and so how to write a replacement.
type Following uint8

const (
	Nowhere     Following = iota // its meaning does not depend on paths
	ByPath                       // the path of its URL
	BySite                       // the rules of a generator
	ByWiki                       // [[name]]
	ByFile                       // as a path of a file: an import, metadata
	ByEntry                      // an entry of a navigation
	BySection                    // <<id>> of AsciiDoc
	ByProgram                    // a URL of the site whose code may publish the document
	ByInclusion                  // from the documents that include its own
	InPackage                    // a member of the same package
	ByHost                       // a URL of the host of the repository
)

// Lead returns the target of ref. It has no side effects except lookups.
func (a *World) Lead(d *doc.Document, ref *doc.Reference) (l Landing) {
	a.LeadTo(d, ref, &l)
	return l
}

// LeadTo sets l to the target of ref: a Landing is large, and copies of it take time.
func (a *World) LeadTo(d *doc.Document, ref *doc.Reference, l *Landing) {
	*l = Landing{}
	s := d.Layout.Generated
	isSiteForm := s != nil && doc.IsTemplate([]byte(ref.Ref)) || d.IsResourceID(ref)
	switch {
	case isPackaged(d, ref):
		l.How = InPackage
	case IsBundled(ref):
		l.Why = reason.BundlerName
	case s != nil && s.IsCode(d.Path):
		l.Why = InSiteTemplate
	case isTooLong(ref):
		l.Why = reason.PathTooLong
	case ref.Ref == "":
		l.State, l.File, l.Real = site.Found, d.Path, d.Path
	case ref.IsWiki():
		a.leadWiki(d, ref, l)
	case strings.HasPrefix(ref.Ref, doc.AttachmentScheme) && d.IsNotebook():
	case isSiteForm:
		a.leadOnSite(d, ref, l)
	case ref.Err != nil || ref.How == scan.Bare && ref.Invalid:
	case s != nil && ref.Result.Step != resolve.Absolute && !strings.HasPrefix(ref.Ref, "//"):
		a.leadOnSite(d, ref, l)
	default:
		a.LeadByPath(d, ref, l)
	}
}

func isTooLong(ref *doc.Reference) bool {
	return ref.Result.Step != resolve.Absolute && PathLength(ref.Ref) > maxPath
}

// leadOnSite says where ref leads by the rules of the generator.
func (a *World) leadOnSite(d *doc.Document, ref *doc.Reference, l *Landing) {
	s, uses, why := d.SiteUse()
	if len(uses) > 0 {
		uses, why = ref.UsesOf(uses), notShown
		if len(uses) == 0 && s.MountOf(d.Path) == nil && ref.Ref[0] != '#' {
			a.LeadByPath(d, ref, l)
			return
		}
	}
	l.How = BySite
	_, l.Fragment, l.Hash = strings.Cut(ref.Ref, "#")
	if id, isQuery := s.QueryFragment(ref.Ref); isQuery && !l.Hash {
		l.Fragment, l.Hash, l.IsQuery = id, true, true
	}
	switch {
	case strings.HasPrefix(ref.Ref, "#"):
		l.State, l.File, l.Real = site.Found, d.Path, a.ownPage(d, l.Fragment)
		if len(uses) > 0 {
			l.Use = uses[0]
		} else if path.Ext(d.Path) != ".svg" { // which has the same ids wherever it is published
			l.Why = why
		}
		return
	case len(uses) == 0:
		l.How, l.Why = Nowhere, why
		return
	case ref.Base.Layer != base.Retrieval:
		l.How, l.Why = Nowhere, baseInDocument
		return
	}
	a.Ask(d, ref, uses, l)
	res := &l.Result
	l.State, l.Why = res.State, res.Why
	if l.State == site.Unknown && (res.IsUnmounted && a.isRootStray(s, ref.Ref, res)) {
		l.State, l.Why = site.Missing, reason.Reason{}
	}
	if l.State != site.Found && a.Published.RootOf(d.Path) != "" && strings.HasPrefix(ref.Ref, "/") { // --root overrides the configuration
		by := *l
		*l = Landing{}
		a.LeadByPath(d, ref, l)
		l.Result, l.Use = by.Result, by.Use
		return
	}
	if l.State != site.Found && a.leadInApp(d, ref, l) {
		return
	}
	switch {
	case res.State == site.Found && res.File != "":
		l.File, l.Real = res.File, a.realOf(res.File)
	case res.Case && res.Other != "":
		l.File, l.Real, l.IsMisspelled = res.Other, a.realOf(res.Other), true
	case res.State != site.Found && ref.How == scan.Directive && !d.IsRST() && !d.IsAsciiDoc():
		l.Part, l.Root = a.partOf(d, ref)
	}
}

// Ask sets l to what the site that d is part of says about ref. If several pages include d, it is enough that
// ref works on one of them.
func (a *World) Ask(d *doc.Document, ref *doc.Reference, uses []site.Use, l *Landing) {
	s, text, form := d.Layout.Generated, ref.Ref, FormOf(d, ref)
	if d.IsMarkdown() && ref.How == scan.Attribute && text != "" && text[0] != '/' && isBaseArgument(d.Source(), int(ref.Pos.Offset)) {
		text = "/" + text
	}
	var first site.Result
	isTemplate := doc.IsTemplate([]byte(text))
	for i, u := range uses {
		if isTemplate {
			expanded, ok := s.Expand(u, text)
			if !ok {
				l.Result, l.Use = site.Result{State: site.Unknown, Why: reason.Template}, u
				return
			}
			if absolute.MatchString(expanded) {
				l.How, l.Use = Nowhere, u
				return
			}
			text, u.IsExpanded = expanded, true
			_, l.Fragment, l.Hash = strings.Cut(text, "#")
		}
		u = d.WrittenIn(u, ref)
		res := s.Resolve(u, form, ref.In, text)
		if res.State != site.Missing {
			l.Result, l.Use = res, u
			return
		}
		if i == 0 {
			first = res
		}
	}
	l.Result, l.Use = first, uses[0]
}

// absolute matches a URL with a scheme, or with a host and the scheme of its base.
var absolute = lazy.New(`^(?:[A-Za-z][A-Za-z0-9+.-]*:|//)`)

// leadWiki says where [[name]] leads.
func (a *World) leadWiki(d *doc.Document, ref *doc.Reference, l *Landing) {
	l.How = ByWiki
	if d.Layout.Generated == nil {
		l.How, l.Why = Nowhere, WikiLinks
		return
	}
	s, uses, why := d.SiteUse()
	if len(uses) == 0 {
		l.How, l.Why = Nowhere, why
		return
	}
	name, heading, hash := strings.Cut(ref.Ref, "#")
	l.State, l.File, l.Real, l.Use, l.Hash = site.Found, d.Path, d.Path, uses[0], hash
	l.Fragment = strings.TrimSpace(heading[strings.LastIndexByte(heading, '#')+1:])
	if name = strings.TrimSpace(name); name != "" {
		l.Result = s.Wiki(uses[0], name)
		l.State, l.Why, l.File, l.Real = l.Result.State, l.Result.Why, l.Result.File, ""
		if l.File != "" {
			l.Real = a.realOf(l.File)
		}
	}
}

// LeadByPath sets l, which is zero, to the target of ref by the path of its URL, as a path of a file.
func (a *World) LeadByPath(d *doc.Document, ref *doc.Reference, l *Landing) {
	t := &l.Target
	*t = a.locate(d, ref)
	if t.hosted != nil {
		a.leadByHost(l)
		return
	}
	l.How, l.Fragment, l.Hash = ByPath, t.Fragment, t.Hash
	switch {
	case t.Outside:
		l.State = site.Missing
		a.leadFromPages(d, ref, l)
		return
	case t.foreign:
		l.How, l.Why = Nowhere, outsidePrefix.With(a.Given.Prefix)
		return
	case !t.Inside:
		l.How = Nowhere
		return
	}
	l.Place = a.Find(d, ref, t)
	p := &l.Place
	l.State = site.Missing
	switch {
	case t.Encoded:
	case p.Kind == tree.IsOutside:
		l.State, l.Why = site.Unknown, tree.LeadsOutside
	case p.Kind == tree.IsFile, p.Kind == tree.IsDirectory: // even if the reference differs in case
		l.State, l.File, l.Real, l.IsMisspelled = site.Found, p.Path, p.Path, p.Respel
		if p.Kind == tree.IsFile && p.Linked {
			l.Real = a.behind(p.Path)
		}
	case p.Kind == tree.IsMissing:
		a.leadElsewhere(d, ref, l)
	}
}

// leadByHost sets l to the target of a URL of the host of the repository. The host shows files and
// directories by their own names.
func (a *World) leadByHost(l *Landing) {
	t := &l.Target
	l.How, l.Hosted, l.Fragment, l.Hash = ByHost, t.hosted, t.Fragment, t.Hash
	if l.Hosted.Branch == "" {
		l.Why = otherRevision
		return
	}
	t.Set(l.Hosted.Top, l.Hosted.Path)
	l.Place = a.Files.At(l.Hosted.Top, t.Components)
	l.State = site.Missing
	switch p := &l.Place; p.Kind {
	case tree.IsOutside:
		l.State, l.Why = site.Unknown, tree.LeadsOutside
	case tree.IsFile, tree.IsDirectory:
		l.State, l.File, l.Real, l.IsMisspelled = site.Found, p.Path, p.Path, p.Respel
		if p.Kind == tree.IsFile && p.Linked {
			l.Real = a.behind(p.Path)
		}
	case tree.IsMissing:
		if !l.Hosted.IsCurrent {
			l.State, l.Why = site.Unknown, otherRevision
		}
	}
}

// notShown is the reason why a reference is not checked that stands in a part of a file that no page includes.
var notShown = reason.New(reason.OtherPage, "not-shown", "pages include other parts of the file")

// otherRevision is the reason why a link to another branch, a tag or a commit is not checked. A file of the
// default branch may be missing in another one.
var otherRevision = reason.New(reason.OtherVersion, "other-revision", "a file of the repository, in another branch, tag or commit")

// Aim returns the target of ref by the path of its URL, before any lookup. Inference begins with it. ok is
// false if ref has no URL, or a path that is too long for a file.
func (a *World) Aim(d *doc.Document, ref *doc.Reference) (t Target, ok bool) {
	if ref.Err != nil || isTooLong(ref) {
		return t, false
	}
	return a.locate(d, ref), true
}

// leadElsewhere completes where ref leads if that is nowhere by its path.
func (a *World) leadElsewhere(d *doc.Document, ref *doc.Reference, l *Landing) {
	if a.leadFromPages(d, ref, l) || !l.Target.Rooted && a.leadByAlias(d, ref, l) || a.leadBelowTop(d, ref, l) {
		return
	}
	if !l.Target.Rooted {
		return
	}
	if res, ok := a.OnProgram(d, l.Target.Components); ok {
		l.How, l.State, l.Result = ByProgram, site.Found, res
		if res.File != "" {
			l.File, l.Real = res.File, a.realOf(res.File)
		}
	}
}

// leadBelowTop completes the target of ref, if ref is an xref without a suffix, which is the URL of a page, and
// a directory above d is the top of the site: ".." does not leave it (RFC 3986, 5.2.4). It reports whether
// a page is there.
func (a *World) leadBelowTop(d *doc.Document, ref *doc.Reference, l *Landing) bool {
	if !l.Target.isXref || !IsBare(ref) || d.Layout.Generated != nil {
		return false
	}
	text := ascii.UnescapeAll(ref.Ref[:PathLength(ref.Ref)])
	for top := d.Dir(); tree.Below(top, a.Boundary(d)); top = path.Dir(top) {
		t := Target{isXref: true}
		t.Set(top, path.Join("/"+strings.TrimPrefix(d.Dir(), top), text))
		p := a.ResolveIn(d, top, &t)
		if p.Kind == tree.IsFile {
			l.Place, l.State, l.File, l.Real, l.IsMisspelled = p, site.Found, p.Path, a.behind(p.Path), p.Respel
			return true
		}
		if top == a.Boundary(d) {
			break
		}
	}
	return false
}

// leadByAlias completes the target of ref if ref begins with a prefix that stands for a directory in modules
// (@/assets/x.png): programs treat images in documents as modules. It reports whether the file exists.
func (a *World) leadByAlias(d *doc.Document, ref *doc.Reference, l *Landing) bool {
	if d.Layout.Generated != nil || !d.IsMarkdown() || IsOwn(d, ref) {
		return false
	}
	name := ascii.UnescapeAll(ref.Ref[:PathLength(ref.Ref)])
	file := a.Layouts.Finder.AliasedPath(d.Path, name, a.Boundary(d))
	if file == "" || !tree.Below(file, a.Boundary(d)) {
		return false
	}
	l.Place = a.Files.At(path.Dir(file), []string{path.Base(file)})
	if l.Place.Kind != tree.IsFile {
		return false
	}
	l.State, l.File, l.Real, l.IsMisspelled = site.Found, file, a.behind(file), l.Place.Respel
	return true
}

// leadFromPages completes where ref leads if that is nowhere from d, but somewhere from a document that includes d.
func (a *World) leadFromPages(d *doc.Document, ref *doc.Reference, l *Landing) bool {
	for _, page := range a.including(d, ref) {
		if file := a.fromPage(d, ref, page); file != "" {
			l.How, l.State, l.File, l.Real, l.page = ByInclusion, site.Found, file, a.behind(file), page
			return true
		}
	}
	return false
}

// including returns the documents that include d, directly or not, if ref is relative to these. With an
// image, d is the first of them if imagesdir is set on its page.
func (a *World) including(d *doc.Document, ref *doc.Reference) []string {
	if len(a.Included.By[d.Path]) == 0 && !IsImageInAsciiDoc(d, ref) || doc.IsOrg(d) || IsInclude(d, ref) || strings.HasPrefix(ref.Ref, "/") || IsOwn(d, ref) || ref.Result.Step == resolve.Absolute {
		return nil
	}
	pages, _ := reachable([]string{d.Path}, a.Included.By)
	if IsImageInAsciiDoc(d, ref) && len(a.imagesDirs.Get(d.Path, a.imagesDirsOf).values) > 0 {
		return pages
	}
	return pages[1:]
}

// fromPage returns the file or directory that ref points to if it stands in a page that includes d, or "".
func (a *World) fromPage(d *doc.Document, ref *doc.Reference, page string) string {
	text := a.onPage(d, ref, page)
	for _, base := range a.BaseDirs(d, ref, page) {
		dir, name := path.Split(path.Join(base, text))
		dir = strings.TrimSuffix(dir, "/")
		l := a.Files.List(dir)
		for _, name := range append(d.MarkupSources(name), name) {
			if _, ok := l.Entry(name); ok {
				return dir + "/" + name
			}
		}
	}
	return ""
}

// InAllUses returns the files that ref resolves to by the generator's own rules, by the pages that show d,
// with "" for none. It returns nil if d is only a page by itself.
func (a *World) InAllUses(d *doc.Document, ref *doc.Reference, l *Landing) map[string]string {
	s := d.Layout.Generated
	if s == nil {
		return a.inAllPages(d, ref, l)
	}
	uses := s.AllUses(d.Path)
	if len(uses) == 0 || len(uses) == 1 && uses[0].Page.File == d.Path {
		return nil
	}
	files := map[string]string{}
	for _, u := range uses {
		res := s.Resolve(d.WrittenIn(u, ref), FormOf(d, ref), ref.In, ref.Ref)
		files[u.Page.File] = ""
		if res.IsAt(res.File) {
			files[u.Page.File] = res.File
		}
	}
	return files
}

// PagesOf returns the pages that show d, perhaps d itself: those that inAllUses asks.
func (a *World) PagesOf(d *doc.Document, ref *doc.Reference) map[string]bool {
	pages := map[string]bool{d.Path: true}
	if s := d.Layout.Generated; s != nil {
		delete(pages, d.Path)
		for _, u := range s.AllUses(d.Path) {
			pages[u.Page.File] = true
		}
		return pages
	}
	including := a.including(d, ref)
	for _, page := range including[:min(len(including), maxPages)] {
		pages[page] = true
	}
	return pages
}

// maxPages limits the including documents from which a reference is written.
const maxPages = 4

// inAllPages is inAllUses for a document of no site. If ref points somewhere from a page that includes d, it
// is written for these pages, not for d as a page by itself.
func (a *World) inAllPages(d *doc.Document, ref *doc.Reference, l *Landing) map[string]string {
	pages := a.including(d, ref)
	if len(pages) == 0 {
		return nil
	}
	files, isFound := map[string]string{}, false
	for _, page := range pages[:min(len(pages), maxPages)] {
		files[page] = a.fromPage(d, ref, page)
		isFound = isFound || files[page] != ""
	}
	if l.How == ByPath && !isFound {
		files[d.Path] = l.File
	}
	return files
}

// OnProgram returns the target of a path from the root on the site whose code may publish d, which is in no
// mount of it. ok is false if there is no such site, or if the site has no file of its own there: code
// decides that.
func (a *Library) OnProgram(d *doc.Document, components []string) (res site.Result, ok bool) {
	s := a.ProgramSite(d)
	if s == nil || len(components) == 0 {
		return res, false
	}
	u := "/" + strings.Join(components, "/")
	for _, u := range []string{u, strings.TrimSuffix(s.Base, "/") + u} { // components of links add the base
		if res := s.At(u); res.State == site.Found {
			return res, true
		}
	}
	return res, false
}

// ProgramSite returns the site whose code may publish d, which is no page of it, or nil.
func (a *Library) ProgramSite(d *doc.Document) *site.Site {
	if d.Layout.Generated != nil {
		return nil
	}
	return a.programSites.Get(d.Dir(), func(string) *site.Site { return a.Layouts.Finder.ProgramOf(d.Path, a.Boundary(d)) })
}

// MayPublishMore reports whether the code of a site may publish one of the documents that is not a known
// page of it.
func (a *World) MayPublishMore(s *site.Site) bool {
	return s.IsProgram && a.publishMore.Get(s, func(*site.Site) bool {
		return slices.ContainsFunc(a.Docs, func(d *doc.Document) bool { return d.IsMarkdown() && a.ProgramSite(d) == s && !doc.IsReadme(d.Base()) })
	})
}

// LeadEntry says where an entry of a navigation leads.
func (a *World) LeadEntry(e *doc.NavEntry) Landing {
	l := Landing{How: ByEntry, State: e.Result.State, Why: e.Result.Why, Result: e.Result}
	_, l.Fragment, l.Hash = strings.Cut(e.Ref, "#")
	if l.State == site.Found && e.Result.File != "" {
		l.File, l.Real = e.Result.File, a.realOf(e.Result.File)
	}
	return l
}

// partOf returns the included file that ref names, which may be relative to the document, to the
// configuration or to the sources of the site, and the directory that it is relative to.
func (a *World) partOf(d *doc.Document, ref *doc.Reference) (file, root string) {
	s := d.Layout.Generated
	roots := []string{"", s.Dir}
	for _, m := range s.Mounts {
		roots = append(roots, m.Dir)
	}
	for _, root := range roots {
		p := path.Join(root, ref.Ref)
		if root == "" {
			p = path.Join(d.Dir(), ref.Ref)
		}
		if typ, ok := a.Files.List(path.Dir(p)).Entry(path.Base(p)); ok && typ.IsRegular() {
			return p, root
		}
	}
	return "", ""
}

// AsPlace returns the path that a reference points to, whether there is a file or not; "" is none.
func (l *Landing) AsPlace() string {
	switch {
	case l.How == BySite && l.Result.File != "":
		return l.Result.File
	case l.How == BySite:
		for _, c := range l.Result.Tried {
			if c.File != "" {
				return c.File
			}
		}
	case l.Target.Inside && len(l.Target.Roots) > 0: // a kept target has none
		return path.Join(l.Target.Roots[0], strings.Join(l.Target.Components, "/"))
	}
	return ""
}

// IsFile reports whether the reference resolves to an existing file.
func (l *Landing) IsFile() bool {
	return l.State == site.Found && l.File != "" && (l.How != ByPath || l.Place.Kind == tree.IsFile)
}

// ArriveAt makes a file of a site the target of a landing.
func (a *Library) ArriveAt(l *Landing, file string) { l.File, l.Real = file, a.realOf(file) }
