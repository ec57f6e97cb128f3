package judge

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/ablate"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/publish"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/slash"
)

// A deadLink is a reference that points to no file, in a document that no known generator publishes.
type deadLink struct {
	a   *Judge
	d   *doc.Document
	ref *doc.Reference
	t   *lead.Target
	p   *tree.Place
	s   *publish.Serving // nil if a generator publishes the document
}

// An excuse is a reason why it is unknown whether the target of a reference exists.
type excuse struct {
	Name string // for tests and documentation
	why  func(u *deadLink) reason.Reason
}

// excuses lists the reasons why the target of a reference may exist although there is no such
// file. The first that holds counts: evidence in the document itself comes first, then rules in files, then
// programs, and last the behaviour of most references in the tree. If none holds, there is no target.
var excuses = []excuse{
	{"page of a site", func(u *deadLink) reason.Reason { return pageOfSite.If(u.a.IsStray(u.d, u.t, u.p)) }},
	{"redirect", (*deadLink).redirected},
	{"code", (*deadLink).decidedByCode},
	{"found by name", func(u *deadLink) reason.Reason { return u.a.FoundByName(u.d, u.ref) }},
	{"permalink", (*deadLink).hasPermalink},
	{"missing below", (*deadLink).missingBelow},
	{"without suffix", (*deadLink).leftOutSuffix},
	{"doubtful", func(u *deadLink) reason.Reason {
		if !lead.MayBeURL(u.d, u.ref) {
			return reason.Reason{}
		}
		return doubtOf(u.a.Doubted, u.a.KeyOf(u.d, u.ref))
	}},
}

// excuseFor returns the reason why it is unknown whether the target of a reference exists,
// or the zero Reason if it is known not to exist. ref is the reference.
func (a *Judge) excuseFor(d *doc.Document, ref *doc.Reference, t *lead.Target, p *tree.Place) reason.Reason {
	u := &deadLink{a, d, ref, t, p, a.ServingOf(d)}
	for i := range excuses {
		r := &excuses[i]
		if ablate.Off("elsewhere", r.Name) {
			continue
		}
		if why := r.why(u); !why.IsZero() {
			return why
		}
	}
	return reason.Reason{}
}

// redirected returns the reason if the host has a rule for a path from the root. A relative one of a page is also tried
// from the directories that may be published.
func (u *deadLink) redirected() reason.Reason {
	if u.s == nil {
		return reason.Reason{}
	}
	var paths [][]string
	if u.t.Rooted {
		paths = append(paths, u.t.Components)
	}
	for _, root := range u.a.AppRoots(u.d) {
		if rel, ok := strings.CutPrefix(u.p.Path, root+"/"); ok {
			paths = append(paths, strings.Split(rel, "/"))
		}
	}
	for _, components := range paths {
		if file := u.a.RedirectOf(u.d, u.s, components); file != "" {
			return redirectedBy.With(file)
		}
	}
	if u.t.Rooted {
		if file := u.a.RedirectedByCode(u.d, u.t.Components); file != "" {
			return redirectedBy.With(file)
		}
	}
	return reason.Reason{}
}

// decidedByCode returns the reason if the code of a program says where pages are: those of paths from the
// root, those of names without a suffix, and those of "../x" that resolves if the page of x.md is x/.
func (u *deadLink) decidedByCode() reason.Reason {
	s := u.s
	isRooted := u.t.Rooted && (s == nil || s.Roots == nil && !u.isInSection())
	isName := !u.t.Rooted && lead.IsUnsuffixed(u.d, u.ref) && lead.IsBare(u.ref) && (s == nil || s.Suffixes == nil && !s.KnowsNames)
	if isRooted || isName || u.isFromPage() {
		if program := u.a.ProgramOf(u.d); program != "" {
			return codeDecides.With(program)
		}
	}
	return reason.Reason{}
}

// isFromPage reports whether "../x" resolves from a page that has a directory of its own.
func (u *deadLink) isFromPage() bool {
	return strings.HasPrefix(u.ref.Ref, "../") && u.d.IsMarkdown() &&
		u.a.Files.Exists(path.Join(slash.Stem(u.d.Path), ascii.UnescapeAll(u.ref.Ref[:lead.PathLength(u.ref.Ref)])))
}

// isInApp reports whether a reference "/x/y" in a page begins with the name of a directory of the
// application that the page is part of: "/src/main.js". What the rest of the tree does says nothing about
// it.
func (u *deadLink) isInApp() bool {
	if !u.t.Rooted || len(u.t.Components) < 2 {
		return false
	}
	return slices.ContainsFunc(u.a.AppRoots(u.d), func(root string) bool {
		return path.Base(root) != "public" && path.Base(root) != "static" && u.a.Files.Exists(root+"/"+u.t.Components[0])
	})
}

// isCounted reports whether enough references "/x" in the tree show how it is published.
func (u *deadLink) isCounted() bool {
	return u.s != nil && u.s.Counts != nil && u.s.Counts.All >= publish.MinRooted && len(u.t.Components) > 0
}

// missingBelow returns the reason if many broken references "/x" of the tree begin as this one does: they
// are URLs of pages that are made elsewhere.
func (u *deadLink) missingBelow() reason.Reason {
	s := u.s
	if s == nil || s.Counts == nil || u.isInApp() {
		return reason.Reason{}
	}
	components := u.t.Components
	if !u.t.Rooted {
		rel, isBelow := strings.CutPrefix(u.p.Path, u.d.Dir()+"/")
		if !isBelow || !slices.Contains(s.Roots, u.d.Dir()) { // else "x" is "/x" there
			return reason.Reason{}
		}
		components = strings.Split(rel, "/")
	}
	if len(components) == 0 {
		return reason.Reason{}
	}
	if s.IsAboveSection(strings.Join(components, "/")) {
		return listedDirectory
	}
	const few = 3 // references
	isPage := lead.IsBare(u.ref) || u.d.IsHTML()
	for i := 1; i < len(components); i++ {
		below := strings.Join(components[:i], "/")
		c := s.Counts.Below[below]
		if c != nil && c.Missing < c.All || u.existsBelow(components[:i]) {
			continue
		}
		if s.Counts.IsMisspelled(components[:i]) {
			return reason.Reason{}
		}
		if s.IsLearnt() || c != nil && c.All >= few && isPage {
			return noPageBelow.With(below)
		}
		break
	}
	below, c := s.Counts.Group(components, s.IsLearnt() || isPage)
	if c.IsDoubtful(s.IsLearnt()) || s.IsLearnt() && below == "" && !c.IsMany() {
		return manyMissing.With(fmt.Sprintf("%s of %s links that begin with /%s", ascii.Number(c.Missing), ascii.Number(c.All), below))
	}
	if u.t.Rooted && s.IsLearnt() && u.isBelowAnother() {
		return underAnotherRoot
	}
	return reason.Reason{}
}

// existsBelow reports whether a directory is in one of those that "/x" points into.
func (u *deadLink) existsBelow(components []string) bool {
	return slices.ContainsFunc(slices.Concat(u.s.RootsOf(components), u.a.Packages(u.d)), func(root string) bool {
		return u.a.Files.Exists(root + "/" + strings.Join(components, "/"))
	})
}

// isBelowAnother reports whether a file or document has the whole path below any directory of the tree,
// where a program may take it from.
func (u *deadLink) isBelowAnother() bool {
	const most = 100 // files of one name
	p, last := "/"+strings.Join(u.t.Components, "/"), u.t.Components[len(u.t.Components)-1]
	for _, suffix := range []string{"", ".md", ".mdx", ".html"} {
		for _, file := range u.a.ByName[last+suffix][:min(len(u.a.ByName[last+suffix]), most)] {
			if strings.HasSuffix(file, p+suffix) && tree.Below(file, u.a.Boundary(u.d)) {
				return true
			}
		}
	}
	return false
}

// isInSection reports whether the reference begins with names that show where it leads.
func (u *deadLink) isInSection() bool {
	_, ok := u.s.SectionOf(u.t.Components)
	return ok
}

// leftOutSuffix returns the reason if a document of that name exists, with a suffix, in a tree in which
// references "/x" are common.
func (u *deadLink) leftOutSuffix() reason.Reason {
	dir, name := path.Split(u.p.Path)
	mayBeRoute := u.isCounted() && (u.s.Counts.MostAreMissing() || u.t.Rooted)
	if !mayBeRoute && !u.t.Slash {
		return reason.Reason{} // the directory is not listed for nothing
	}
	l := u.a.Files.List(strings.TrimSuffix(dir, "/"))
	_, isSection := l.Entry(lead.HugoIndex) // which Hugo publishes, wherever its configuration is
	if !mayBeRoute && !isSection {
		return reason.Reason{}
	}
	for _, ext := range []string{".md", ".html"} {
		if _, ok := l.Entry(strings.TrimSuffix(name, ".html") + ext); ok {
			return withoutSuffix
		}
	}
	return reason.Reason{}
}

// Reasons.
var (
	redirectedBy     = reason.New(reason.OtherSite, "redirected-by", "is redirected by %s")
	codeDecides      = reason.New(reason.Code, "code-decides", "the code of the site decides where the page is published: %s")
	permalink        = reason.New(reason.Unpublished, "permalink", "the front matter says where the page is")
	manyMissing      = reason.New(reason.Base, "many-missing", "%s lead nowhere in this tree")
	noPageBelow      = reason.New(reason.OtherSite, "no-page-below", "this tree has no page below /%s")
	underAnotherRoot = reason.New(reason.Base, "below-another-directory", "a file with this path is below a directory that a program may publish")
	pageOfSite       = reason.New(reason.OtherSite, "page-of-site", "a page of a site, linked from a document of no site")
	withoutSuffix    = reason.New(reason.Base, "document-without-suffix", "a document without its suffix")
)

// isInTemplate reports whether a reference is in a document that a program fills in and writes elsewhere,
// or that people copy, so that the reference is relative to another place. Such documents are HTML pages
// with a template in another reference (except index pages, and not for "/x"), those whose name begins with
// an underscore, and documents whose name, or whose directory's name, says that they are templates.
func isInTemplate(d *doc.Document, ref *doc.Reference) bool {
	if d.Layout.Generated != nil || d.File.Named {
		return false
	}
	if strings.HasPrefix(ref.Ref, "#") {
		return isTemplateOfProgram(d)
	}
	isPage := strings.HasPrefix(path.Ext(d.Path), ".htm")
	stem := strings.ToLower(tree.Stem(d.Base()))
	if isPage && strings.HasPrefix(stem, "_") {
		return true
	}
	if isPage && (d.Skipped[doc.IsFilledIn] > 0 && !strings.HasPrefix(ref.Ref, "/") && !publish.IsIndex(d.Base()) || strings.Contains(stem, "template")) {
		return true
	}
	if !isPage && !d.IsMarkdown() || doc.IsReadme(d.Base()) {
		return false
	}
	if stem == "template" || strings.HasSuffix(stem, "-template") || strings.HasSuffix(stem, "_template") || strings.HasSuffix(stem, ".template") {
		return true
	}
	rest, ok := strings.CutPrefix(strings.ToLower(d.Dir()), strings.ToLower(d.Top)+"/")
	if !ok {
		return false
	}
	names := strings.Split(rest, "/")
	isInDocs := slices.ContainsFunc(names, func(name string) bool { return slices.Contains(docDirs, name) })
	return (!isInDocs || isTemplateOfProgram(d)) &&
		slices.ContainsFunc(names, func(name string) bool { return slices.Contains(templateDirs, name) })
}

// isTemplateOfProgram reports whether d is a template of a program of the repository, which may add text to
// it: docs/scripts/x/templates/page.md.
func isTemplateOfProgram(d *doc.Document) bool {
	rest := strings.TrimPrefix(strings.ToLower(d.Dir()), strings.ToLower(d.Top)+"/")
	names := strings.Split(rest, "/")
	program := slices.IndexFunc(names, func(name string) bool { return slices.Contains(programDirs, name) })
	return program >= 0 && slices.ContainsFunc(names[program:], func(name string) bool { return slices.Contains(templateDirs, name) })
}

// programDirs are the names of directories of programs.
var programDirs = []string{"scripts", "script", "tools", "generator", "generators", "codegen"}

// templateDirs are the names of directories of templates.
var templateDirs = []string{"template", "templates", "issue_template", "pull_request_template", "discussion_template", "_templates", "archetypes", "layouts", "_layouts", "partials", "_includes"}

const (
	bySuggestion mending = iota // the problem says it
	ByName                      // the only file of that name
	ByDecoding                  // the path decoded once more
	ByNearest                   // the file beside it, or the only one of that name
	BySpelling                  // the name as on disk
	BySiteFile                  // a file of the site
	ByRoute                     // the present URL of the page
	ByID                        // the id that the problem names
)

// hasPermalink returns the reason if the front matter of d says where its page is, which decides what a
// relative reference is relative to.
func (u *deadLink) hasPermalink() reason.Reason {
	if u.t.Rooted || !u.d.IsMarkdown() {
		return reason.Reason{}
	}
	return permalink.If(u.a.UnknownIDs(u.d).HasPermalink)
}
