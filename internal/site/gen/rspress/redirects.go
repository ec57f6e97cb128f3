package rspress

import (
	"strings"

	"example.org/refract/internal/literal"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

// redirects adds those of the plugin client-redirects. The source of a redirect is a regular expression, and what it matches in the
// path of a page, without the base, is replaced: one that is not closed by "$" also holds for all that begins like it, and the
// rest is kept. Where an expression with more than "^" and "$" around a path leads depends on the URL, and is not judged; what is
// below its beginning may be there.
func redirects(s *site.Site, conf source.Value) {
	for _, plugin := range conf.Lookup("plugins").List() {
		if plugin.Kind != literal.Call || plugin.Text != "pluginClientRedirects" {
			continue
		}
		list := plugin.Item(0).Lookup("redirects")
		s.Generates = s.Generates || list.IsUnknown()
		for _, r := range list.List() {
			for _, from := range r.Lookup("from").List() {
				add(s, from, r.Lookup("to"))
			}
		}
	}
}

func add(s *site.Site, from, to source.Value) {
	pattern := from.Or("")
	plain, isClosed := strings.CutSuffix(strings.TrimPrefix(pattern, "^"), "$")
	r := site.Entry(s.Config, "pluginClientRedirects", from.Value, to.Value)
	end := strings.IndexAny(plain, `*+?()[]{}|\^$`)
	switch {
	case !strings.HasPrefix(plain, "/"):
		s.Generates = true // nobody knows for which URLs
	case end >= 0:
		s.Made = append(s.Made, plain[:strings.LastIndexByte(plain[:end], '/')+1])
	}
	if end >= 0 || !strings.HasPrefix(plain, "/") {
		r.IsPattern, r.Why = true, fromPattern
		s.AddRedirect(r, "", to.Or(""), nil)
		return
	}
	r.IsPrefix = !isClosed
	s.AddRedirect(r, site.CleanURL(plain), to.Or(""), nil)
	if !isClosed {
		s.Made = append(s.Made, strings.TrimSuffix(plain, "/")+"/")
	}
}

// Reasons.
var fromPattern = reason.New("redirect-from-pattern", "a redirect whose source is a pattern, of which it keeps the rest")
