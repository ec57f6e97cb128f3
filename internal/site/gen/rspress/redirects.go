package rspress

import (
	"fmt"
	"regexp"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/literal"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

// redirects adds those of the plugin client-redirects. The source of a redirect is a regular expression, and what it matches first anywhere
// in the path of a page, without the base, is replaced: the rest is kept, such as ".html" or a language. Where it leads has the base. An
// expression with more than "^" and "$" around a path has no single target that is checked.
func redirects(d *source.Dir, s *site.Site, conf source.Value) {
	for _, plugin := range conf.Lookup("plugins").List() {
		if plugin.Kind != literal.Call || plugin.Text != "pluginClientRedirects" {
			continue
		}
		options := d.Tree.Follow(s.Config, plugin.Item(0))
		list := d.Tree.Follow(s.Config, options.Lookup("redirects"))
		s.Generates = s.Generates || options.IsUnknown() || options.Open || list.IsUnknown() || list.Open
		for _, r := range list.List() {
			for _, from := range r.Lookup("from").List() {
				redirect(s, from, r.Lookup("to"))
			}
		}
	}
}

func redirect(s *site.Site, from, to source.Value) {
	pattern := from.Or("")
	replacement := ""
	if to.Kind == literal.String {
		replacement = reference.ReplaceAllStringFunc(to.Text, asExpanded)
	}
	plain, isClosed := strings.CutSuffix(strings.TrimPrefix(pattern, "^"), "$")
	plain = escaped.ReplaceAllString(plain, "$1")
	end := strings.IndexAny(plain, `*+?()[]{}|\^$`)
	r := site.Entry(s.Config, "pluginClientRedirects", from.Value, to.Value)
	r.HasBase = true
	if end >= 0 || !strings.HasPrefix(plain, "/") {
		r.IsPattern, r.Why = true, fromPattern
		s.AddRedirect(r, "", to.Or(""), nil)
	} else {
		r.IsPrefix = !isClosed
		s.AddRedirect(r, site.CleanURL(plain), to.Or(""), nil)
	}
	switch re, err := regexp.Compile(pattern); {
	case pattern == "":
		s.Generates = true // nobody knows for which URLs
	case err == nil:
		site.AddReplacement(s, re, replacement)
	case end > 0 && strings.HasPrefix(pattern, "^/"): // an expression that only JavaScript has
		site.AddReplacement(s, regexp.MustCompile("^"+lazy.Quote(plain[:strings.LastIndexByte(plain[:end], '/')+1])), "")
	default:
		s.Generates = true
	}
}

// reference matches what stands for a part of what an expression has matched, in a replacement of JavaScript.
var reference = lazy.New(`\$(?:[$&]|[0-9]{1,2}|<\w+>)?`)

// asExpanded returns the same for [regexp.Regexp.ExpandString].
func asExpanded(ref string) string {
	switch name := strings.Trim(ref[1:], "<>"); name {
	case "", "$":
		return "$$"
	case "&":
		return "${0}"
	default:
		return "${" + strings.TrimPrefix(name, "0") + "}"
	}
}

// escaped matches an escaped character that means nothing in an expression, or stands for any.
var escaped = lazy.New(`\\([./-])`)

// Reasons.
var fromPattern = reason.New(reason.Unpublished, "redirect-from-pattern", "a redirect whose source is a pattern, of which it keeps the rest")

// redirectList matches the beginning of the redirects of the plugin client-redirects.
var redirectList = lazy.New(`\bpluginClientRedirects\(\s*\{\s*redirects\s*:\s*\[`)

// Redirect adds a redirect of the plugin client-redirects, whose source is a regular expression for paths
// without the base. Its target has the base, since the browser goes there.
func (g *model) Redirect(e *site.Edits, was, is site.Target) (where string) {
	item := fmt.Sprintf("{ from: '^%s$', to: '%s' }", strings.ReplaceAll(was.Route, ".", `\\.`), e.Base+is.Route)
	if !e.AddItem(e.Config, redirectList, item, was.Route, is.Route) {
		return ""
	}
	return "client-redirects in " + e.Config
}
