package lead

import (
	"fmt"
	"path"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/site"
)

// A Written says how a reference is written, as far as its meaning may depend on it.
type Written struct {
	Form   site.Form
	From   string // what it begins with: "/", "//" of an absolute one, "./" of another path, "" of a fragment
	Suffix string // of its path, or "/"
	IsNav  bool   // it is an entry of the navigation
}

// WrittenOf returns how k is written.
func WrittenOf(d *doc.Document, k *doc.Reference) Written {
	rest := k.Ref[:PathLength(k.Ref)]
	w := Written{Form: FormOf(d, k), From: "./", Suffix: path.Ext(rest), IsNav: k.How == scan.Navigation}
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

// A FormKey stands for the references of a site that are written alike.
type FormKey struct {
	Site *site.Site
	Written
}

// A ConfigForm is a FormKey in another state of the tree.
type ConfigForm struct {
	Config string // absolute path
	Written
}

// KeyOf returns the key of k, in a document of a site.
func KeyOf(d *doc.Document, k *doc.Reference) FormKey {
	return FormKey{d.Layout.Generated, WrittenOf(d, k)}
}

// IDKeyOf returns the key of the fragments of a site.
func IDKeyOf(s *site.Site) FormKey { return FormKey{s, Written{Form: site.Markdown}} }

// A Doubt counts the references of a form, and those that lead nowhere.
type Doubt struct{ All, Missing int }

// IsDoubt reports whether the rules are more likely wrong than the references. It takes many of them, and a third.
func (c *Doubt) IsDoubt() bool { return c.Missing >= 10 && 3*c.Missing >= c.All }
