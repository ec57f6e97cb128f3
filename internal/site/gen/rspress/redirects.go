package rspress

import (
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/literal"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

// redirects adds those of the plugin client-redirects. The source of a redirect is a regular expression, and what it matches in the
// path of a page, without the base, is replaced: one that is not closed by "$" also holds for all that begins like it, and the
// rest is kept. Where it leads has the base. Where an expression with more than "^" and "$" around a path leads depends on the URL, and is not judged; what is
// below its beginning may be there.
func (g *model) redirects(s *site.Site, conf source.Value) {
	for _, plugin := range conf.Lookup("plugins").List() {
		if plugin.Kind != literal.Call || plugin.Text != "pluginClientRedirects" {
			continue
		}
		list := plugin.Item(0).Lookup("redirects")
		s.Generates = s.Generates || list.IsUnknown()
		for _, r := range list.List() {
			for _, from := range r.Lookup("from").List() {
				g.redirect(s, from, r.Lookup("to"))
			}
		}
	}
}

func (g *model) redirect(s *site.Site, from, to source.Value) {
	pattern := from.Or("")
	plain, isClosed := strings.CutSuffix(strings.TrimPrefix(pattern, "^"), "$")
	plain = escaped.ReplaceAllString(plain, "$1")
	r := site.Entry(s.Config, "pluginClientRedirects", from.Value, to.Value)
	r.HasBase = true
	end := strings.IndexAny(plain, `*+?()[]{}|\^$`)
	switch {
	case !strings.HasPrefix(plain, "/"):
		s.Generates = true // nobody knows for which URLs
	case end >= 0:
		g.open(plain[:strings.LastIndexByte(plain[:end], '/')])
	}
	if end >= 0 || !strings.HasPrefix(plain, "/") {
		r.IsPattern, r.Why = true, fromPattern
		s.AddRedirect(r, "", to.Or(""), nil)
		return
	}
	r.IsPrefix = !isClosed
	s.AddRedirect(r, site.CleanURL(plain), to.Or(""), nil)
	if !isClosed {
		g.open(strings.TrimSuffix(plain, "/"))
	}
}

// escaped matches an escaped character that means nothing in an expression, or stands for any.
var escaped = lazy.New(`\\([./-])`)

// open notes that an expression may redirect what is below a path without a slash at its end, and where to is not known.
func (g *model) open(at string) {
	if g.isOpen == nil {
		g.isOpen = map[string]bool{}
	}
	g.isOpen[at] = true
}

// mayRedirect reports whether an expression may redirect a URL.
func (g *model) mayRedirect(u string) bool {
	for at := strings.TrimSuffix(u, "/"); len(g.isOpen) > 0; at = at[:strings.LastIndexByte(at, '/')] {
		if g.isOpen[at] {
			return true
		}
		if strings.IndexByte(at, '/') < 0 {
			break
		}
	}
	return false
}

// Reasons.
var fromPattern = reason.New("redirect-from-pattern", "a redirect whose source is a pattern, of which it keeps the rest")
