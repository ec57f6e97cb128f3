// Package judge turns a Landing into a Verdict: what is wrong with a reference, or why that is not known.
package judge

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"example.org/refract/extract/asciidoc"
	"example.org/refract/extract/rst"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/resolve"
)

// JudgeName reports the use of a site label that no document defines.
func (a *Judge) JudgeName(d *doc.Document, n *doc.Note) Verdict {
	switch n.Space {
	case asciidoc.IDSpace:
		return a.judgeSectionName(d, n)
	case doc.OrgSpace:
		return orgJudge{a}.name(d, n)
	}
	if _, uses, why := d.SiteUse(); len(uses) == 0 {
		return skipped(why)
	}
	if d.IsRST() && n.Space == rst.GlobSpace {
		return a.judgeGlob(d, n)
	}
	if d.IsRST() && doc.IsTemplate([]byte(n.Text)) {
		return skipped(reason.Template)
	}
	if n.Space == rst.ObjectSpace {
		return a.judgeObject(d, n)
	}
	if d.IsRST() {
		return a.judgeNameInRST(d, n)
	}
	switch answer := d.Layout.Generated.Names().Label("", n.Text); answer.State {
	case site.Unknown:
		return skipped(answer.Why)
	case site.Missing:
		if a.DocumentOut { // which may define it
			return skipped(tree.LeadsOutside)
		}
		p := Problem{Rule: rule.MissingFragment, Message: "the site has no label " + strconv.Quote(n.Text)}
		if answer.Lists != "" {
			p.Rule, p.Message = rule.MissingObject, lacking(answer.Lists, "label", n.Text)
		}
		return faulty(p)
	}
	return Verdict{}
}

// JudgeLabel reports [text][label] if the label is undefined.
func (a *Judge) JudgeLabel(d *doc.Document, n *doc.Note) Verdict {
	source, start := d.Source(), int(n.Pos.Offset)
	label := source[min(start, len(source)):min(start+n.Pos.Length, len(source))]
	switch {
	case d.IsMarkdown() && (bytes.HasPrefix(label, []byte("[")) || characterClass.Match(label)): // [[a]][[b]] are two references in brackets
		return Verdict{}
	case d.IsRST() && (doc.IsTemplate(label) || lead.IsInTag(source, start)):
		return skipped(reason.Template)
	case d.IsRST():
		found, why := a.IsDefinedAround(d, label)
		if found || !why.IsZero() {
			return skipped(why)
		}
	case d.IsMarkdown() && d.MakesDefinitions():
		return skipped(templateDefinitions)
	case a.IsRustItem(d, string(label)):
		return skipped(lead.RustItem)
	case d.IsMarkdown() && a.CitesInBrackets(d, start):
		return skipped(citation)
	}
	if a.DefinesInPart(d, string(label)) {
		return Verdict{}
	}
	if d.Layout.Generated == nil && d.IsMarkdown() && d.DefinesByTemplate(label) {
		return skipped(reason.Template)
	}
	if s := d.Layout.Generated; s != nil && s.Names().MayBeObject(string(label)) {
		return skipped(reason.CodeItem)
	} else if s != nil && s.Autorefs && a.hasHeading(d.Layout, string(label)) {
		return Verdict{}
	}
	return faulty(Problem{Rule: rule.Undefined, Message: n.Text})
}

// characterClass matches a part of a regular expression: [a-z][a-z0-9-]*.
var characterClass = lazy.New(`^\S*(?:a-z|A-Z|0-9)\S*$`)

// hasHeading reports whether any document of a layout has an id.
func (a *Judge) hasHeading(l *doc.Layout, id string) bool {
	headings := l.Headings.Get(func() map[string]bool {
		headings := map[string]bool{}
		for _, d := range a.Docs {
			if d.Layout == l && d.HasAllIDs() {
				for name := range d.IDsOf(l.Slug).All() {
					headings[name] = true
				}
			}
		}
		return headings
	})
	return headings[id]
}

// JudgeReference checks ref, which resolves to l. It checks an unused definition like any other; that it is
// unused is only a note: one thing to fix at a time.
func (a *Judge) JudgeReference(d *doc.Document, ref *doc.Reference, l *lead.Landing) Verdict {
	unused := ref.Labels&scan.Unused != 0
	switch {
	case l.How == lead.InPackage:
		return a.judgePackaged(d, ref)
	case lead.IsBundled(ref):
		return skipped(l.Why)
	case unused && ref.How == scan.Reference && slices.Contains([]string{"#", "", "<>", "/"}, ref.Raw):
		return Verdict{} // "[//]: # (…)" is a common way to write a comment that is not shown
	}
	v := a.judgeDestination(d, ref, l)
	// "[summary]: #summary" below a heading is there for anyone who wants to refer to it. The
	// template of Rust's RFCs begins each section this way.
	if unused && v.Remark == nil && !strings.HasPrefix(ref.Ref, "#") && !d.MakesDefinitions() && !d.IsShownElsewhere() {
		v.Remark = &Problem{Rule: rule.Unused, Message: "this definition is not used"}
	}
	return v
}

// judgeDestination judges where ref leads.
func (a *Judge) judgeDestination(d *doc.Document, ref *doc.Reference, l *lead.Landing) Verdict {
	s := d.Layout.Generated
	switch {
	case l.How == lead.Nowhere && (l.Why == lead.InSiteTemplate || l.Why == reason.PathTooLong):
		return skipped(l.Why)
	case ref.Ref == "" && d.Layout.IsMDBook() && d.Base() == "SUMMARY.md": // a chapter not yet written
		return Verdict{}
	case ref.Ref == "":
		return faulty(Problem{Rule: rule.EmptyLink, Message: "the reference is empty, and points to the document itself"})
	case ref.IsWiki():
		return a.judgeWiki(d, ref, l)
	case d.IsResourceID(ref):
		return a.judgeResource(d, ref, l)
	case strings.HasPrefix(ref.Ref, doc.AttachmentScheme) && d.IsNotebook():
		return a.judgeAttachment(d, ref)
	case s != nil && doc.IsTemplate([]byte(ref.Ref)):
		return a.judgeOnSite(d, ref, l)
	}
	if v, isChecked := a.judgeSyntax(ref); isChecked {
		if a.IsRustItem(d, ref.Ref) { // "http::StatusCode"
			return skipped(lead.RustItem)
		}
		return v
	}
	if v, isChecked := a.judgeLocal(d, ref); isChecked || ref.Err != nil {
		return v
	}
	if s != nil && ref.Result.Step != resolve.Absolute && !strings.HasPrefix(ref.Ref, "//") {
		return a.judgeOnSite(d, ref, l)
	}
	return a.judgePath(d, ref, l)
}

// judgePath judges where ref leads by the path of its URL, as a file path.
func (a *Judge) judgePath(d *doc.Document, ref *doc.Reference, l *lead.Landing) Verdict {
	switch t, p := &l.Target, &l.Place; {
	case l.How == lead.Nowhere && !l.Why.IsZero():
		return skipped(l.Why)
	case l.How == lead.ByHost:
		return a.judgeHosted(d, ref, l)
	case l.How == lead.Nowhere, l.How == lead.ByInclusion:
		return Verdict{}
	case t.Outside:
		return a.judgeOutside(d, ref, l)
	case t.Encoded:
		return faulty(Problem{
			Rule: lead.MissingRule(ref), Message: "a file name cannot contain an encoded slash or NUL", Target: p.Path, Mend: ByDecoding,
		})
	case p.Kind == tree.IsOutside:
		return skipped(tree.LeadsOutside)
	case p.Kind == tree.IsDangling:
		return faulty(Problem{Rule: rule.Symlink, Message: a.Quoted(p.Path) + " is a broken symbolic link", Target: p.Path})
	case p.Kind == tree.IsLoop:
		return faulty(Problem{Rule: rule.Symlink, Message: a.Quoted(p.Path) + " is a circular symbolic link", Target: p.Path})
	case p.Kind == tree.IsMissing:
		return a.judgeMissing(d, ref, l)
	case p.Kind == tree.IsDirectory:
		return a.judgeDirectory(d, ref, l)
	case p.Respel:
		return a.judgeSpelling(l)
	}
	return a.judgeFragment(d, ref, l)
}

// judgeOutside judges a reference that points out of the tree.
func (a *Judge) judgeOutside(d *doc.Document, ref *doc.Reference, l *lead.Landing) Verdict {
	t := &l.Target
	if a.isHosted(d, ref, t) {
		return skipped(reason.PageOfHost)
	}
	message := "points outside the audited directory"
	if strings.Contains(t.Path, "://") {
		message += ", to " + t.Path
	}
	return faulty(Problem{Rule: rule.Outside, Message: message, Target: t.Path, Mend: ByName})
}

// judgeMissing judges a reference to what does not exist.
func (a *Judge) judgeMissing(d *doc.Document, ref *doc.Reference, l *lead.Landing) Verdict {
	t, p := &l.Target, &l.Place
	switch {
	case isHomePath(t):
		return faulty(Problem{Rule: rule.LocalURL, Message: "points into a home directory"})
	case d.Layout.IsMDBook() && path.Base(p.Path) == "print.html":
		return skipped(reason.MadeByHost) // all chapters on one page
	case a.mayExist(d, ref, t, p):
		return skipped(mayBeMadeByHost)
	case d.IsHTML() && d.Layout.Generated == nil && toWrite.MatchString(ref.Ref):
		return skipped(reason.Template)
	case a.MayHaveImagesDir(d, ref):
		return skipped(imagesDir)
	case d.Layout.Generated == nil && !t.Rooted && a.Together[d.Dir()]:
		return skipped(onOnePage)
	case l.How == lead.ByProgram && l.File != "":
		return a.judgeFragment(d, ref, l)
	case l.How == lead.ByProgram:
		return Verdict{}
	}
	if why := a.excuseFor(d, ref, t, p); !why.IsZero() {
		return skipped(why)
	}
	if a.IsRustItem(d, ref.Ref) {
		return skipped(lead.RustItem)
	}
	at := p.Path
	if t.Slash {
		at += "/"
	}
	if api := site.APIDirectory(at); api != "" && !a.Files.Exists(api) {
		return skipped(site.APIPages.With(path.Base(api)))
	}
	if why := a.MayBeBundled(d, ref, t, p); !why.IsZero() {
		return skipped(why)
	}
	if why := a.IsIgnoredOutput(d, p); !why.IsZero() {
		return skipped(why)
	}
	if why := a.WrittenBy(d, p.Path); !why.IsZero() {
		return skipped(why)
	}
	if v, isChecked := a.judgeScheme(d, ref); isChecked {
		return v
	}
	broken, what := lead.MissingRule(ref), "file"
	if broken == rule.BrokenImage {
		what = "image"
	} else if t.Slash {
		what = "directory"
	}
	message := fmt.Sprintf("no such %s: %s", what, a.Quoted(p.Path))
	if strings.IndexByte(p.Path, '%') >= 0 {
		message += ", the path decoded once"
	}
	if file := a.SuffixedFile(d, t, p); file != "" && len(a.Given.Suffixes) == 0 {
		message += "; a server that adds \".html\" finds " + a.Quoted(file) + " (--suffixes .html)"
	}
	return faulty(Problem{Rule: broken, Message: message, Target: p.Path, Mend: ByNearest})
}

// toWrite matches a name in place of which the reader of an example is to write a URL.
var toWrite = lazy.New(`(?i)^(?:your|insert|enter)[-_](?:[a-z0-9]+[-_])*(?:url|uri|link)(?:[-_]here)?$`)

// mayExist reports whether the target of ref may exist once the site is built, or where the repository
// is shown, although there is no such file.
func (a *Judge) mayExist(d *doc.Document, ref *doc.Reference, t *lead.Target, p *tree.Place) bool {
	// If a directory has the name of a page of the host, the reference means a file in it.
	isPageOfHost := p.In == nil || slices.Contains(hostedPages, path.Base(p.Path))
	return isPageOfHost && a.Repository(d.Dir()) == "" && a.isHosted(d, ref, t)
}

// importMap is where the addresses of an import map are.
const importMap = "script/importmap"

// judgeDirectory judges a reference to a directory without an index page.
func (a *Judge) judgeDirectory(d *doc.Document, ref *doc.Reference, l *lead.Landing) Verdict {
	t, p := &l.Target, &l.Place
	isHome := len(t.Components) == 0 && t.Rooted && a.Published.RootOf(d.Path) == "" && d.Layout.Name == ""
	switch {
	case ref.In == importMap: // an address there may be the prefix of others (HTML Standard, 8.1.6.1)
	case ref.Kind == scan.Embed:
		return faulty(Problem{Rule: lead.MissingRule(ref), Message: "a directory cannot be shown here: " + a.Quoted(p.Path), Target: p.Path})
	case a.Layouts.Finder.ListsDirectory(p.Path, a.Boundary(d)):
		if p.Respel {
			return a.judgeSpelling(l)
		}
		return Verdict{}
	case isHome:
		return skipped(unknownHomePage)
	case a.IsMadeByUnknown(d) || d.Layout.IsVoted() && !d.Layout.IsHost() && !d.IsHTML() && a.ServingOf(d).IndexNames() == nil:
		return skipped(listedDirectory)
	case !d.Layout.IsHost() || d.IsHTML() || len(a.ServingOf(d).IndexNames()) > 0:
		if why := a.ServedByCode(d, t); !why.IsZero() {
			return skipped(why)
		}
		return faulty(Problem{Rule: rule.MissingFile, Message: "a directory without an index page: " + a.Quoted(p.Path), Target: p.Path})
	case p.Respel:
		return a.judgeSpelling(l)
	}
	return Verdict{}
}

// judgeSpelling judges a reference to a file whose name differs in case or composition.
func (a *Judge) judgeSpelling(l *lead.Landing) Verdict {
	p := &l.Place
	how := "case"
	if p.Norm {
		how = "Unicode normalization"
	}
	v := faulty(Problem{
		Rule: rule.Case, Message: fmt.Sprintf("%s mismatch: the file is %s", how, a.Quoted(p.Path)), Target: p.Path, Mend: BySpelling,
	})
	v.To = a.Document(p.Path)
	return v
}

// OriginOf returns the origin of ref. Its Ref is "" if more than an origin matters: another base, or
// the name of the page itself.
func (a *Judge) OriginOf(d *doc.Document, ref *doc.Reference) (o lead.Origin) {
	isXref := ref.In == "xref:" || ref.In == "<<>>" // which may point to HTML where a link does not
	if ref.Base.URI != d.Retrieved.URI || ref.URL == "" || isXref {
		return o
	}
	if s := a.ServingOf(d); s != nil && s.MayNest() {
		return o
	}
	text, _, _ := strings.Cut(ref.Ref, "#")
	return lead.Origin{Dir: d.Dir(), Top: d.Top, Ref: text, Layout: d.Layout, Fragments: d.Fragments(), Ext: path.Ext(d.Path)}
}

// isHosted reports whether a document refers to a page that GitHub provides for its repository.
// GitHub shows a file below /owner/name/blob/branch/, so "../../issues" in a README is
// /owner/name/issues.
//
// An unpacked package is in no repository, and its depth in its original one is unknown. The code
// takes two directories up from its README for /owner/name.
func (a *Judge) isHosted(d *doc.Document, ref *doc.Reference, t *lead.Target) bool {
	if !d.Layout.IsHost() {
		return false
	}
	top := a.Repository(d.Dir())
	if top == "" {
		rest, ok := strings.CutPrefix(strings.TrimPrefix(ref.Ref, "./"), "../../")
		page := rest
		if i := strings.IndexAny(rest, "/?#"); i >= 0 {
			page = rest[:i]
		}
		return ok && doc.IsReadme(d.Base()) && slices.Contains(hostedPages, page)
	}
	rest, ok := strings.CutPrefix(t.Path, strings.TrimSuffix(path.Dir(path.Dir(top)), "/")+"/")
	page, _, _ := strings.Cut(rest, "/")
	return ok && slices.Contains(hostedPages, page)
}

var hostedPages = []string{
	"actions", "blob", "branches", "commit", "commits", "compare", "contributors", "discussions", "edit", "fork", "graphs", "issues",
	"labels", "milestones", "network", "new", "packages", "projects", "pull", "pulls", "raw", "releases", "security", "settings",
	"stargazers", "tags", "tree", "watchers", "wiki",
}

// isHomePath reports whether a path points into somebody's home directory.
func isHomePath(t *lead.Target) bool {
	return t.Rooted && len(t.Components) > 1 && (t.Components[0] == "home" || t.Components[0] == "Users")
}

// Reasons.
var (
	citation            = reason.New(reason.IDs, "citation", "brackets of a citation: the document has others like it that are no links")
	conditional         = reason.New(reason.Templated, "conditional", "shown only under a condition")
	imagesDir           = reason.New(reason.Code, "images-dir", "a build may set imagesdir")
	listedDirectory     = reason.New(reason.Unpublished, "listed-directory", "a directory that the server may list")
	mayBeMadeByHost     = reason.New(reason.Build, "may-be-made-by-host", "the generator or the host may make it")
	templateDefinitions = reason.New(reason.Templated, "template-definitions", "a template generates definitions")
	templateToCopy      = reason.New(reason.Templated, "template-to-copy", "in a template to copy or fill in")
	unknownHomePage     = reason.New(reason.OtherSite, "unknown-home-page", "the home page of an unknown site")
)

// A Judge makes Verdicts of Landings.
type Judge struct {
	lead.World
	WithSchemes bool                         // a missing scheme is certain
	WithTests   bool                         // also check documents that tests read
	Attached    map[string][]map[string]bool // attachments of the cells of a notebook, by path
	Org         *OrgIndex
	Titles      *TitleIndex
	IsProbing   bool // nobody will read the findings: do not look for suggestions
}
