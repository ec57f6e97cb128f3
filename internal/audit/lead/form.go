package lead

import (
	"fmt"
	"path"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
)

// A Written says how a reference is written, as far as its meaning may depend on it.
type Written struct {
	Form   site.Form
	From   string // what it begins with: "/", "//" of an absolute one, "./" of another path, "" of a fragment
	Suffix string // of its path, or "/"
	IsNav  bool   // it is an entry of the navigation
}

// WrittenOf returns how ref is written.
func WrittenOf(d *doc.Document, ref *doc.Reference) Written {
	rest := ref.Ref[:PathLength(ref.Ref)]
	w := Written{Form: FormOf(d, ref), From: "./", Suffix: path.Ext(rest), IsNav: ref.How == scan.Navigation}
	switch {
	case rest == "":
		w.From = ""
	case strings.Contains(rest, "://") || strings.HasPrefix(rest, "//"):
		w.From = "//"
	case strings.HasPrefix(rest, "/"):
		w.From = "/"
	}
	if strings.HasSuffix(rest, "/") {
		w.Suffix = "/"
	}
	return w
}

// String returns an example: "/x.md" in Markdown.
func (w Written) String() string {
	in := w.Form.String()
	if w.IsNav {
		in = "navigation"
	}
	if w.From == "" {
		return fmt.Sprintf("%q in %s", "#x", in)
	}
	return fmt.Sprintf("%q in %s", strings.TrimPrefix(w.From, "./")+"x"+w.Suffix, in)
}

// A FormKey stands for the references that are written alike, in a site or in the documents of a tree that
// belong to no site.
type FormKey struct {
	Site *site.Site
	Top  string // of the tree, if there is no site
	Written
}

// A ConfigForm is a FormKey in another state of the tree.
type ConfigForm struct {
	Config string // absolute path of the configuration, or of the top of the tree
	Written
}

// In returns ref in another state of the tree, in which its configuration or top is at a path.
func (k FormKey) In(config string) ConfigForm { return ConfigForm{config, k.Written} }

// Config returns the configuration of ref, or the top of its tree.
func (k FormKey) Config() string {
	if k.Site != nil {
		return k.Site.Config
	}
	return k.Top
}

// KeyOf returns the key of ref.
func (a *Library) KeyOf(d *doc.Document, ref *doc.Reference) FormKey {
	key := FormKey{Site: d.Layout.Generated, Written: WrittenOf(d, ref)}
	if key.Site == nil {
		key.Top = a.Boundary(d)
		if key.Suffix != "/" && key.Suffix != ".html" {
			key.Suffix = "" // that of a name in code
		}
	}
	return key
}

// IDKeyOf returns the key of the fragments of the site of d, or of its tree.
func (a *Library) IDKeyOf(d *doc.Document) FormKey {
	if s := d.Layout.Generated; s != nil {
		return FormKey{Site: s, Written: Written{Form: site.Markdown}}
	}
	return FormKey{Top: a.Boundary(d), Written: Written{Form: site.HTML}}
}

// IsDoubtful reports whether forms of links are doubtful in the tree of d, which is part of no site: an
// unknown program reads the documents.
func (a *World) IsDoubtful(d *doc.Document) bool {
	top := a.Boundary(d)
	for at := range a.Doubted {
		if at.Site == nil && at.Top == top {
			return true
		}
	}
	return false
}

// MayBeURL reports whether ref, in a document without a known generator, may be meant as the URL of a page or
// for a program, rather than as a file that hosts and editors show.
func MayBeURL(d *doc.Document, ref *doc.Reference) bool {
	rest := ref.Ref[:PathLength(ref.Ref)]
	if rest == "" || strings.HasPrefix(rest, "/") || ref.Kind == scan.Embed || !d.IsMarkdown() {
		return false
	}
	ext := path.Ext(rest)
	return strings.HasSuffix(rest, "/") || ext == ".html" || !fileSuffix.MatchString(ext)
}

// fileSuffix matches what the suffix of a file looks like.
var fileSuffix = lazy.New(`^\.[a-z][a-z0-9]{0,3}$`)

// A Doubt counts the references of a form, and the broken ones.
type Doubt struct{ All, Missing int }

// IsDoubt reports whether the rules are more likely wrong than the references. That takes many broken
// references, and a third of all.
func (c *Doubt) IsDoubt() bool { return c.Missing >= 10 && 3*c.Missing >= c.All }
