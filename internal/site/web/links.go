package web

import (
	"path"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
)

// RewriteParam matches a parameter of path-to-regexp: ":name", ":name(pattern)", ":name*".
var RewriteParam = lazy.New(`:(\w+)(\([^()]*\))?([*+?]?)`)

// An Explainer is embedded in models that rewrite links of Markdown, but not those of raw HTML.
type Explainer struct{}

// Explain says why the target of a link does not exist.
func (Explainer) Explain(s *site.Site, r *site.Reference) (why reason.Reason, other string) {
	file := path.Join(r.PageDir(), r.Path)
	if r.Form == site.HTML && !r.IsRooted() && s.ByFile[file] != nil {
		return reason.RawHTML(s.Generator, s.Route(r.Use.Page)), file
	}
	if r.IsRooted() && r.Form != site.HTML && s.Base != "/" {
		if _, has := s.CutBase(r.Path); has {
			return baseTwice.With(s.Generator).With(s.Base), ""
		}
	}
	return reason.Reason{}, ""
}

// Reasons.
var (
	baseTwice = reason.New(reason.Base, "base-twice", "%s adds %s to it once more")
)
