package vue

import (
	"fmt"
	"path"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/literal"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

var (
	redirectPlugin     = lazy.New(`plugin-redirect(?:-frontmatter)?\b|redirectPlugin\(|['"](?:vuepress-plugin-)?redirect(?:-frontmatter)?['"]`)
	htmlRedirectPlugin = lazy.New(`['"](?:@vuepress/|vuepress-|@vuepress/plugin-|vuepress-plugin-)?(?:plugin-)?html-redirect['"]`)
	redirectOption     = lazy.New(`\bredirect\s*:\s*[{t]`)
	redirectMaker      = lazy.New(`\bautoLocale\b|\bredirectors\b|\blocales\s*:\s*true|redirect['"]?\s*[:,(]\s*\{?\s*locales`)
)

// readRedirects adds the redirects of plugins: config of @vuepress/plugin-redirect, which themes may take
// as an option, and the file .vuepress/redirects of html-redirect for VuePress 1. Route and Finish read
// front matter. text is that of the configuration and of the theme. Plugins that make pages for each
// language, or look for other pages in the browser, make unknown URLs.
func (v *vuepress) readRedirects(s *site.Site, d *source.Dir, text string, conf source.Value) {
	isOption := v.hasLayout && redirectOption.MatchString(text)
	v.redirects = redirectPlugin.MatchString(text) || isOption
	if !v.redirects && !htmlRedirectPlugin.MatchString(text) {
		return
	}
	known := false
	for _, plugin := range conf.Lookup("plugins").List() {
		if plugin.Kind == literal.Call && plugin.Text == "redirectPlugin" {
			known = v.redirectMap(s, plugin.Item(0).Lookup("config"))
		}
	}
	if option := conf.Lookup("theme").Item(0).Lookup("plugins", "redirect"); option.Kind == literal.Map || option.Kind == literal.Bool {
		known = v.redirectMap(s, option.Lookup("config"))
	}
	isFrontMatter := strings.Contains(text, "redirect-frontmatter")
	s.Generates = s.Generates || redirectMaker.MatchString(text) || v.redirects && !known && !isFrontMatter
	if file := d.In(".vuepress/redirects"); htmlRedirectPlugin.MatchString(text) && d.Tree.IsFile(file) {
		lines := string(d.Tree.Config(file))
		for _, m := range redirectLine.FindAllStringSubmatchIndex(lines, maxRedirectLines) {
			v.lineRedirect(s, file, lines, m)
		}
	}
}

// vuepressThemes are the files that may hold the theme and its options.
var vuepressThemes = []string{"theme/index.js", "theme/index.ts", "theme.ts", "theme.js"}

// redirectLine matches a line of .vuepress/redirects: two URLs with a space between them.
var redirectLine = lazy.New(`(?m)^[ \t]*(\S+) (\S+)[ \t]*\r?$`)

// maxRedirectLines is the number of lines of .vuepress/redirects that are read.
const maxRedirectLines = 10_000

// lineRedirect adds a redirect of html-redirect, which makes x/index.html for x.
func (v *vuepress) lineRedirect(s *site.Site, file, text string, m []int) {
	word := func(i int) literal.Value {
		span := scan.Span{Start: m[2*i], End: m[2*i+1]}
		return literal.Value{Kind: literal.String, Text: text[span.Start:span.End], Span: span}
	}
	r := site.Entry(file, "redirects", word(1), word(2))
	from := "/" + strings.Trim(ascii.UnescapeAll(r.From), "/") + "/"
	s.AddRedirect(r, site.CleanURL(from), ascii.UnescapeAll(r.To), nil)
}

// redirectMap adds the redirects of a map from URLs to URLs. isKnown is false if there are more: a function
// may make them.
func (v *vuepress) redirectMap(s *site.Site, config source.Value) (isKnown bool) {
	for _, e := range config.Unwrap().Entries {
		to := e.Value.Text
		if strings.HasPrefix(to, "/") {
			to = v.redirectURL(to)
		}
		s.AddRedirect(site.Entry(s.Config, "redirect", site.Key(e), e.Value), v.redirectURL(e.Key), to, nil)
	}
	return !config.IsUnknown() && !config.Open
}

// redirectURL returns the URL below the base that a redirect names: it replaces ".md", or no suffix, by
// ".html". It keeps the fragment.
func (v *vuepress) redirectURL(u string) string {
	p, fragment, hash := strings.Cut(u, "#")
	p = v.infer(site.CleanURL("/" + p))
	if hash {
		p += "#" + fragment
	}
	return p
}

// Finish adds the redirects in the front matter of pages.
func (v *vuepress) Finish(s *site.Site) {
	if !v.redirects {
		return
	}
	for _, file := range source.SortedKeys(s.ByFile) {
		p := s.ByFile[file]
		to := p.Front.Lookup("redirectTo")
		if to.Kind != literal.String {
			continue
		}
		at := to.Text
		if strings.HasPrefix(at, "/") {
			at = strings.TrimSuffix(s.Base, "/") + v.redirectURL(at)
		}
		site.AddSender(s, p, to.Value, at, reason.Reason{}, nil)
	}
}

// redirectConfig matches the beginning of the redirects of the plugin redirect of VuePress 2.
var redirectConfig = lazy.New(`\b(?:redirectPlugin\(\s*\{|redirect\s*:\s*\{)[^{}]*?\bconfig\s*:\s*\{`)

// Redirect adds a redirect of the plugin redirect, or of html-redirect of VuePress 1.
func (v *vuepress) Redirect(e *site.Edits, was, is site.Target) (where string) {
	if e.AddItem(e.Config, redirectConfig, fmt.Sprintf("'%s': '%s'", was.Route, is.Route), was.Route, is.Route) {
		return "redirects in " + e.Config
	}
	file := path.Dir(e.Config) + "/redirects"
	if htmlRedirectPlugin.Match(e.ConfigText()) && e.AddLine(file, was.Route+" "+is.Route+"\n", was.Route, is.Route) {
		return file
	}
	return ""
}
