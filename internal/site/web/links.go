package web

import (
	"path"
	"regexp"
	"strings"

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

// PathPattern returns the regular expression for a pattern of path-to-regexp, with a group for each of its names.
func PathPattern(from string) (*regexp.Regexp, error) {
	var b strings.Builder
	last := 0
	for _, m := range RewriteParam.FindAllStringSubmatchIndex(from, -1) {
		b.WriteString(regexp.QuoteMeta(from[last:m[0]]))
		inner := "[^/]+"
		if m[4] >= 0 {
			inner = from[m[4]+1 : m[5]-1]
		}
		if from[m[6]:m[7]] != "" {
			inner = ".*"
		}
		b.WriteString("(?P<" + from[m[2]:m[3]] + ">" + inner + ")")
		last = m[1]
	}
	b.WriteString(regexp.QuoteMeta(from[last:]))
	return regexp.Compile("^" + b.String() + "$")
}

// Reasons.
var (
	baseTwice = reason.New("base-twice", "%s adds %s to it once more")
)
