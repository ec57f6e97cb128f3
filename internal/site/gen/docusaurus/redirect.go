package docusaurus

import (
	"fmt"
	"slices"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

// redirects adds those of the plugin client-redirects. It writes a page at each source, which is a path below the base.
func (g *model) redirects(d *source.Dir, s *site.Site, options source.Value) {
	options = d.Tree.Follow(s.Config, options)
	list := d.Tree.Follow(s.Config, options.Lookup("redirects"))
	g.fromSuffixes = append(g.fromSuffixes, options.Lookup("fromExtensions").Texts()...)
	g.hasMoreSources = g.hasMoreSources || options.IsUnknown() || options.Open || list.IsUnknown() || list.Open || options.Lookup("createRedirects").IsGiven()
	for _, r := range list.List() {
		to := r.Lookup("to")
		for _, from := range r.Lookup("from").List() {
			s.AddRedirect(site.Entry(s.Config, "client-redirects", from.Value, to.Value), site.CleanURL(from.Or("")), to.Or(""), nil)
		}
	}
}

// redirectSuffixes adds the redirects of the option fromExtensions: from "/x.html" to "/x", unless "/x" has one of the suffixes.
func (g *model) redirectSuffixes(s *site.Site) {
	for _, p := range s.ByFile {
		for _, u := range p.Routes {
			stem := strings.TrimSuffix(u, "/")
			if stem == "" || slices.ContainsFunc(g.fromSuffixes, func(suffix string) bool { return strings.HasSuffix(stem, "."+suffix) }) {
				continue
			}
			for _, suffix := range g.fromSuffixes {
				p.Moved, p.Also = append(p.Moved, stem+"."+suffix), append(p.Also, stem+"."+suffix)
			}
		}
	}
}

// DecidedBy returns the configuration if its code may redirect from a URL below the base, or "".
func (g *model) DecidedBy(s *site.Site, u string) string {
	if !g.hasMoreSources {
		return ""
	}
	return g.moreSources.DecidedBy(s, u)
}

// clientRedirects matches the beginning of the redirects of the plugin client-redirects.
var clientRedirects = lazy.New(`client-redirects['"][\s\S]*?redirects:\s*\[`)

// Redirect adds a redirect of the plugin client-redirects.
func (g *model) Redirect(e *site.Edits, was, is site.Target) (where string) {
	conf := e.ConfigText()
	m := clientRedirects.Compiled().FindIndex(conf)
	if m == nil || strings.ContainsAny(was.Route+is.Route, "'\n\\") {
		return ""
	}
	e.Set(e.Config, slices.Concat(conf[:m[1]], fmt.Appendf(nil, "{from: '%s', to: '%s'}, ", was.Route, is.Route), conf[m[1]:]))
	return "client-redirects in " + e.Config
}

// Retarget changes the targets of the plugin client-redirects.
func (g *model) Retarget(e *site.Edits, was, is site.Target) {
	e.Replace(`(to:\s*['"])%s(['"])`, was.Route, is.Route)
}
