package doc

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"path"
	"strings"

	"example.org/refract/extract"
	"example.org/refract/extract/markdown"
	"example.org/refract/internal/audit/forbid"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/input"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/passthrough"
	"example.org/refract/resolve"
)

// A Reader reads documents.
type Reader struct {
	Names
	ResolveRules   resolve.Rules
	MoreFormats    []extract.Format
	MoreContainers []extract.Container
	EntityLimit    int64
	Published      publication
	SiteList       string // Options.Sites, a sum of Options.Forbid, and the hosts of the repository, as text
	Store          store  // nil: none
	Context        context.Context
	OnRead         func(bytes int)
	// OnReference is called with each reference of a document that Read reads, with its details, and the text
	// of the document, perhaps by several goroutines at once. It is not called for packages, with a Store, or
	// for documents too large to keep.
	OnReference func(d *Document, r *extract.Reference, text []byte)
	// Forbidden says which references are forbidden; nil: none.
	Forbidden *forbid.List
	Shared    *Shared

	KeepsUnchecked, KeepsFollowed bool // also keep references that are not checked
	KeepsTexts                    bool // keep texts of links
}

// maxCached is the size in bytes of the largest document that a store keeps.
const maxCached = 32 << 20

// A store keeps what has been read of documents for later audits.
type store interface {
	Get(s tree.Sum) (Content, bool)
	Put(s tree.Sum, what Content)
}

// NewDocument returns the document at a path, and uses that path both to show it and to read it.
func (a *Reader) NewDocument(p string) *Document {
	d := &Document{Name: a.Shown(p), Path: p, Top: a.TopOf(p), shared: a.Shared, Kind: a.KindOf(p), Content: Content{Memo: new(Memo)}}
	d.File, d.tree = input.File{Name: d.Name, Path: p}, a.Shared.Tree
	return d
}

// TopOf returns the outermost directory of Paths that contains a file, or else its repository, if that is
// read, or its own directory.
func (a *Reader) TopOf(p string) string {
	if g, ok := a.outermost(p); ok {
		return g.Path
	}
	return cmp.Or(a.around(p), path.Dir(p))
}

// ConfigOf returns the configuration with which a document is read, as far as its path tells.
func (a *Reader) ConfigOf(path string) extract.Config {
	c := extract.Config{Rules: a.ResolveRules, MaxEntity: a.EntityLimit, Formats: a.MoreFormats, Containers: a.MoreContainers, Archives: extract.OpenNone}
	if f := c.FormatOfName(path); f != nil && f.Setup != nil {
		f.Setup(&c)
	}
	return c
}

// ConfigFor returns the configuration with which d is read.
func (a *Reader) ConfigFor(d *Document) extract.Config {
	c := a.ConfigOf(d.Path)
	c.Markdown.GuessAdmonitions = true
	if s := d.Layout.Generated; s != nil {
		c.Markdown = DialectOf(s, d.Path)
		c.MDX = c.MDX || c.Markdown.MDX
		c.Extlinks, c.Attributes = s.RST.Extlinks, s.Attributes
	}
	return c
}

// DialectOf returns the dialect in which a site reads a file, with the properties that its components pass
// on to links.
func DialectOf(s *site.Site, file string) markdown.Dialect {
	dialect := s.DialectOf(file)
	dialect.Properties = passthrough.In(s, file)
	return dialect
}

// KindOf returns the kind of a file from the table of formats.
func (a *Reader) KindOf(name string) Kind {
	c := extract.Config{Formats: a.MoreFormats, Containers: a.MoreContainers}
	role, fragments := extract.WhenNamed, extract.NoFragments
	if f := c.FormatOfName(name); f != nil {
		role, fragments = f.Audit, f.Fragments
	} else if k := c.ContainerOfName(name); k != nil {
		role = k.Audit
	}
	return Kind{role == extract.Always, role == extract.Never, fragments}
}

// isPackage reports whether the name of d says that it is a package.
func (a *Reader) isPackage(d *Document) bool {
	c := extract.Config{Formats: a.MoreFormats, Containers: a.MoreContainers}
	return d.Text == nil && d.File.Path != "-" && d.File.Type == "" && c.FormatOfName(input.Inner(d.Path)) == nil && c.ContainerOfName(input.Inner(d.Path)).IsPackage()
}

// sumOf returns the sum of d if its text is text.
func (a *Reader) sumOf(d *Document, text []byte) (s tree.Sum) {
	h := sha256.New()
	cfg := a.ConfigFor(d)
	fmt.Fprintf(h, "%+v\n%q\n%q %q %v\n%d\n%+v\n", a.ResolveRules, a.SiteList, d.Retrieved.URI, d.File.Type, d.File.Named, a.EntityLimit, cfg.Markdown)
	fmt.Fprintf(h, "%q %q %d\n", cfg.Extlinks, cfg.Attributes, d.Kind.Fragments) // maps print in key order
	if d.Layout.Generated == nil && (d.IsRST() || d.IsAsciiDoc()) {
		fmt.Fprintln(h, "plain")
	} else if d.IsAsciiDoc() {
		fmt.Fprintln(h, d.Layout.Generated.Generator)
	}
	if a.KeepsTexts {
		fmt.Fprintln(h, "texts")
	}
	sum := tree.Derive(a.Shared.Tree, text, sumKey{}, func() tree.Sum { return sha256.Sum256(text) })
	h.Write(sum[:])
	h.Sum(s[:0])
	return s
}

// sumKey is the key of the sum of a text, for tree.Derive.
type sumKey struct{}

// IsDocument reports whether a file is a document for readers or the source of a page, by its name.
func IsDocument(name string) bool { return new(Reader).KindOf(name).IsDocument }

// IsPicture reports whether a file is an image, by its name.
func IsPicture(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif", ".ico", ".bmp":
		return true
	}
	return false
}
