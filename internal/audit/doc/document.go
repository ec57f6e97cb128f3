// Package doc reads documents and keeps what an audit needs of them: references, anchors and ids, in little
// memory and from one audit to the next.
package doc

import (
	"path"
	"strings"
	"sync/atomic"

	"example.org/refract/base"
	"example.org/refract/extract"
	"example.org/refract/extract/rst"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
)

// A Document is what the audit keeps of a document.
type Document struct {
	Name string // as shown to users
	Path string // absolute, with forward slashes
	Top  string // the directory below which it was found
	// IsNeighbor says that Options.Paths does not name it: it is read for information about other documents of
	// its repository, and not checked.
	IsNeighbor bool
	Kind       Kind // by its name
	shared     *Shared
	sourceText

	Layout    *Layout
	Retrieved base.Source // the URL that gives its base
	Content
	Err    error
	Linked atomic.Bool // another document links to it

	// Where the references of a document of a site are used. unused says why they are not used.
	Uses          []site.Use
	unused        reason.Reason
	templated     lazy.Value[[]templatedHeading]
	hasMadeLabels lazy.Value[bool]            // whether a template generates definitions
	terms         lazy.Value[map[string]bool] // ids of terms of definition lists
	knowsTags     lazy.Value[bool]            // whether the site knows what its includes make

	Bundle   *bundle // of a document that is a package; nil: it is none
	IsUnread bool    // its name says that it is a package, but it is none

	Nav []NavEntry // entries of its site's navigation; checked first
	// Redirects are those that the document has, in their order; checked after Nav.
	Redirects []RedirectEntry

	Dots Dots // with Options.Followed

	Votes      *Votes    // nil if none
	Exceptions []RuleSet // by line

	Budget Budget // spent on suggestions for its references

	built atomic.Pointer[ids] // with the ids of its built page; noIDs: it has none
}

func (d *Document) Dir() string {
	if i := strings.LastIndexByte(d.Path, '/'); i > 0 {
		return d.Path[:i]
	}
	return path.Dir(d.Path)
}

func (d *Document) Base() string { return path.Base(d.Path) }

// Fragments returns which fragments can exist in d.
func (d *Document) Fragments() extract.Fragments {
	if d.Kind.IsDocument {
		return d.Kind.Fragments
	}
	return d.sniffed
}

// IsMarkdown reports whether headings of d have ids that a generator makes.
func (d *Document) IsMarkdown() bool {
	f := d.Fragments()
	return f == extract.GeneratedFragments || f == extract.SimilarFragments
}

// IsHTML reports whether the ids of d are those written in it, as in HTML and SVG.
func (d *Document) IsHTML() bool { return d.Fragments() == extract.WrittenFragments }

// IsDrawing reports whether d is a file of SVG.
func (d *Document) IsDrawing() bool { return strings.EqualFold(path.Ext(d.Path), ".svg") }

// IsRST reports whether d is reStructuredText, and isAsciiDoc whether it is AsciiDoc.
func (d *Document) IsRST() bool { return d.Fragments() == extract.TitleFragments }

func (d *Document) IsAsciiDoc() bool { return d.Fragments() == extract.SectionFragments }

// OrgSpace is the name space of the links of an Org document that search documents: "#id", "*heading" and "id:x".
const OrgSpace = "org"

// IsOrg reports whether d is an Org document.
func IsOrg(d *Document) bool { return path.Ext(d.Path) == ".org" || d.File.Type == "text/x-org" }

// IsTemplate reports whether d is a template that its site reads as HTML.
func (d *Document) IsTemplate() bool { return site.IsTemplateType(d.File.Type) }

// IsCode reports whether d is a page in a language of components, in which elements may be components.
func (d *Document) IsCode() bool { return d.File.Type == site.AstroType || d.File.Type == site.JSXType }

func IsReadme(name string) bool { return strings.HasPrefix(strings.ToLower(name), "readme.") }

// IsLabelUse reports whether n is the use of a label of Sphinx or MyST: :ref:`label`.
func (d *Document) IsLabelUse(n *Note) bool {
	return n.Space == rst.RefSpace && d.Layout.Generated != nil
}

// HasAllIDs reports whether all ids of d are known.
func (d *Document) HasAllIDs() bool {
	return !d.IsPartial && d.Fragments() != extract.NoFragments
}

// A Kind is what the name of a file says about it.
type Kind struct {
	IsDocument bool // it is read even if no argument names it
	IsExcluded bool // it is not read even if an argument names it
	Fragments  extract.Fragments
}

// Shared is what all documents of an audit share.
type Shared struct {
	Tree   tree.Tree
	recent recentAnchors
	IDs    recentIDs
	// Built, unless nil, returns the ids of the page that a build has made of a document. areAll says that the
	// page has no others. Without a page, it returns nil.
	Built func(d *Document) (ids []BuiltID, areAll bool)
}

type Anchor struct {
	Line    int
	In      string
	Name    string
	Heading *slug.Heading // of Markdown
}

type Note struct {
	Pos   extract.Position
	Text  string
	Space string // name space of the name
}
