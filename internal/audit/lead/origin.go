// Package lead finds the target of one reference: where it leads, a Landing. It reports nothing and counts
// nothing.
package lead

import (
	"strconv"
	"strings"

	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/reason"
	"example.org/refract/resolve"
)

// IsBundled reports whether a reference of CSS is a name that a bundler resolves: an alias
// (@/x, ~/x), a module (@scope/x, ~x), or the name of a package without a suffix.
func IsBundled(ref *doc.Reference) bool {
	if ref.How != scan.CSS || ref.Ref == "" {
		return false
	}
	return ref.Ref[0] == '@' || ref.Ref[0] == '~' || strings.HasSuffix(ref.In, "@import") && !strings.ContainsAny(ref.Ref, "./:?#")
}

// maxPath is the longest path of a file in bytes, that of Linux with its zero. A check looks at each
// directory of a path by its full name: the time for a longer path would grow with the square of its
// length.
const maxPath = 4096

// An Origin holds everything that determines which file a reference resolves to. Pages of a manual refer to
// the same files over and over: looking each up once takes a third of the time.
type Origin struct {
	Dir, Top, Ref string
	Layout        *doc.Layout
	// Formats differ in which file stands for a page: guide.rst for guide.html, index.html for a directory.
	// Some suffixes also differ in the meaning of "/x", see appRoots.
	Fragments extract.Fragments
	Ext       string
}

// behind returns the path of the input that path points to through symbolic links, or path itself if there
// is none.
func (a *Library) behind(path string) string {
	if real, err := a.Shared.Tree.Real(path); err == nil && a.ByPath[real] != nil {
		return real
	}
	return path
}

func (a *Library) Quoted(p string) string { return strconv.Quote(a.Shown(p)) }

// MissingRule returns the rule that a reference breaks if its target is missing.
func MissingRule(ref *doc.Reference) rule.Rule {
	if ref.Kind != scan.Embed {
		return rule.MissingFile
	}
	element, _, _ := strings.Cut(ref.In, "/")
	switch element {
	case "image", "img", "source", "input", "feimage":
		return rule.BrokenImage
	}
	c := resolve.Parse([]byte(ref.Ref))
	if doc.IsPicture(string(c.Path)) {
		return rule.BrokenImage
	}
	return rule.MissingFile
}

// Reasons.
var (
	outsidePrefix  = reason.New(reason.OtherSite, "outside-prefix", "is not below %s, the prefix of the site")
	InSiteTemplate = reason.New(reason.Templated, "in-site-template", "in a template of the site")
)
