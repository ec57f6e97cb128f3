package lead

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/resolve"
)

// HasMadeID reports whether the generator adds an id to the page of d.
func (a *Library) HasMadeID(d *doc.Document, id string) bool {
	s := d.Layout.Generated
	if label, ok := strings.CutPrefix(id, s.Footnotes); ok && s.Footnotes != "" && d.Attributes()["^"+label] {
		return true
	}
	if s.RST.HasIDs && d.IsMarkdown() {
		if _, live := d.IDsOf(slug.Docutils).Hit(id); live {
			return true
		}
	}
	return s.HasTermIDs && (d.TermIDs()[id] || d.TermIDs()[numbered.ReplaceAllString(id, "")]) || s.ID(d.Path, id).State == site.Found
}

// numbered matches the suffix of an id that repeats an earlier one.
var numbered = lazy.New(`-[0-9]+$`)

// HasPartID reports whether a file that d includes has an id.
func (a *Library) HasPartID(d *doc.Document, fragment string) bool {
	parts, _ := d.Layout.Generated.Parts(d.Path)
	return slices.ContainsFunc(parts, func(part string) bool {
		to := a.Document(part)
		if to == nil {
			return false // in code, nothing has an id
		}
		_, live := to.IDsOf(d.Layout.Slug).Hit(fragment)
		return live || to.IsAsciiDoc() && to.IsTitleID(ascii.UnescapeAll(fragment)) || to.Layout.Generated != nil && a.HasMadeID(to, ascii.UnescapeAll(fragment))
	})
}

// MayMakeID returns the reason why the page of d may have an id that is in no source. Code may also add it
// to a file that d includes.
func (a *Library) MayMakeID(d *doc.Document, id string) reason.Reason {
	if d.IDs().IsTaken(id) {
		return reason.Reason{} // code would have to make a second thing of the name
	}
	s := d.Layout.Generated
	parts, _ := s.Parts(d.Path)
	why := s.ID(d.Path, id).Why
	if slices.ContainsFunc(parts, func(part string) bool { return s.ID(part, id).Why.Is(reason.CodeID) }) {
		return reason.CodeID
	}
	return why
}

// FormOf returns how a reference is written.
func FormOf(d *doc.Document, ref *doc.Reference) site.Form {
	switch ref.How {
	case scan.Macro, scan.Role, scan.Directive:
		return site.Macro
	case scan.Inline, scan.Reference, scan.Autolink:
		if ref.Kind == scan.Embed {
			return site.Image
		}
		return site.Markdown
	}
	element, _, _ := strings.Cut(ref.In, "/")
	switch {
	case (d.IsMarkdown() || d.IsCode()) && (ref.Labels&scan.Speculative != 0 || element == "link" || isComponent(element)):
		return site.Component
	case ref.Kind == scan.Embed || doc.IsPicture(ref.Ref) && element != "a":
		return site.HTMLSource
	}
	return site.HTML
}

// isComponent reports whether an element is a component, not HTML: its name contains a capital
// letter or a hyphen.
func isComponent(element string) bool {
	return strings.ContainsAny(element, "-ABCDEFGHIJKLMNOPQRSTUVWXYZ.")
}

// isBaseArgument reports whether the text at an offset is an argument of the function of Docusaurus that puts the
// base of the site before a path: useBaseUrl('x'), useBaseUrl("x").
func isBaseArgument(source []byte, at int) bool {
	const call = "useBaseUrl("
	return at <= len(source) && at > len(call) && strings.IndexByte("'\"`", source[at-1]) >= 0 && bytes.HasSuffix(source[:at-1], []byte(call))
}

// MayLeadOut reports whether a reference that is broken on its site may point to a symbolic link that
// points outside the repository, which a site does not read: one of the files that were tried, or one by
// whose name the site may publish it.
func (a *World) MayLeadOut(ref *doc.Reference, res *site.Result) bool {
	if slices.ContainsFunc(res.Tried, func(c site.Candidate) bool { return c.File != "" && a.Confined.LeadsOut(c.File) }) {
		return true
	}
	if len(a.LinksOut) == 0 {
		return false
	}
	p, _, _ := strings.Cut(ref.Ref, "#")
	p, _, _ = strings.Cut(p, "?")
	return slices.ContainsFunc(strings.Split(p, "/"), func(name string) bool {
		return name != "" && a.LinksOut[tree.Fold(tree.Stem(ascii.UnescapeAll(name)))]
	})
}

// realOf is like behind, for a file of a site. It asks for the real path of each directory once, not for
// that of each file, for which the system examines each directory on the path.
func (a *Library) realOf(file string) string {
	dir, name := path.Split(file)
	dir = strings.TrimSuffix(dir, "/")
	if !a.Files.List(dir).Names[name].IsRegular() {
		return a.real.Get(file, a.behind)
	}
	real := a.realDirs.Get(dir, func(dir string) string {
		real, err := a.Shared.Tree.Real(dir + "/")
		if err != nil {
			return dir
		}
		return strings.TrimSuffix(real, "/")
	})
	if real != dir && a.ByPath[real+"/"+name] != nil {
		return real + "/" + name
	}
	return file
}

// ownPage returns the path of the page that a fragment in d points to: d, or a page that includes d and has
// the fragment.
func (a *World) ownPage(d *doc.Document, fragment string) string {
	if _, live := d.IDs().Hit(fragment); live {
		return d.Path
	}
	for _, u := range d.Uses {
		if u.Page.File != d.Path && a.Document(u.Page.File) != nil {
			return u.Page.File
		}
	}
	return d.Path
}

// WithReason adds to a message the reason why a reference is broken on the site.
func (a *World) WithReason(message string, res *site.Result) string {
	switch {
	case res.Why.IsZero():
		return message
	case res.Other != "" && (res.Why.Is(reason.NotPublished) || res.Why.Is(reason.OnlyIncluded)):
		return a.Quoted(res.Other) + " " + res.Why.String()
	}
	return message + ": " + res.Why.String()
}

// IsOneOfTwins reports whether another entry has the same name as a file, or as a directory on its
// path, except for case. A reference may then mean either.
func (a *World) IsOneOfTwins(d *doc.Document, file string) bool {
	for top := a.Boundary(d); tree.Below(file, top) && file != top && path.Dir(file) != file; file = path.Dir(file) {
		if a.HasTwins(path.Dir(file), path.Base(file)) {
			return true
		}
	}
	return false
}

// MissingOnSite describes what is missing. It also returns the path that it would have on disk or, if it
// would not be a file, the cause for the Finding.
func (a *World) MissingOnSite(d *doc.Document, ref *doc.Reference, res *site.Result) (message, target, cause string) {
	what := "page"
	if MissingRule(ref) == rule.BrokenImage {
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
		return fmt.Sprintf("no such %s: %s", what, a.Quoted(file)), file, ""
	case served != "":
		return fmt.Sprintf("the site has no %s at %s", what, strconv.Quote(served)), file, served
	case len(res.Tried) > 0 && res.Tried[0].Name != "" && d.Layout.Generated.IsWiki:
		return fmt.Sprintf("the wiki has no %s %s", what, strconv.Quote(res.Tried[0].Name)), "", res.Tried[0].Name
	case len(res.Tried) > 0 && res.Tried[0].Name != "":
		return fmt.Sprintf("the site has no page or label %s", strconv.Quote(res.Tried[0].Name)), "", res.Tried[0].Name
	}
	return "leads nowhere", "", ""
}

// SpelledOnSite returns ref rewritten to link to a file of the site.
func (a *World) SpelledOnSite(d *doc.Document, ref *doc.Reference, u site.Use, file string) string {
	s := d.Layout.Generated
	made, ok := s.Spell(s.AllUses(d.Path), FormOf(d, ref), ref.In, file, ref.Ref)
	if !ok {
		made, ok = s.Spell([]site.Use{u}, FormOf(d, ref), ref.In, file, ref.Ref)
	}
	if !ok {
		return ""
	}
	c := resolve.Parse([]byte(ref.Ref))
	c.Path, c.HasScheme, c.HasAuthority = []byte(made), false, false
	return string(c.Append(nil))
}

// Reasons.
var (
	baseInDocument = reason.New(reason.Base, "base-in-document", "relative to a base in the document")
	WikiLinks      = reason.New(reason.Component, "wiki-links", "wiki links are not read here")
)

// IsStray reports whether a document that is part of no site refers by ".html" to a page of a site in the
// repository. If so, some program also publishes the document on that site.
//
// A reference that resolves to the source of such a page is a link within the repository instead. "/x" in a
// document below the directory of a site, but not at the top of the tree, is also a URL of that site. Code
// of the site shows the document.
func (a *World) IsStray(d *doc.Document, t *Target, p *tree.Place) bool {
	if d.Layout.Generated != nil || !d.IsMarkdown() || len(t.Components) == 0 {
		return false
	}
	if t.Rooted {
		top := a.Boundary(d)
		return slices.ContainsFunc(a.Layouts.Finder.Sites(), func(s *site.Site) bool {
			return s.Dir != top && !s.IsProgram && tree.Below(d.Path, s.Dir)
		})
	}
	name := t.Components[len(t.Components)-1]
	if path.Ext(name) != ".html" {
		return false
	}
	if _, ok := a.Files.List(path.Dir(p.Path)).SameStem(name); ok {
		return false
	}
	return slices.ContainsFunc(a.Layouts.Finder.Sites(), func(s *site.Site) bool { return s.Serves(name) })
}
