package eleventy

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
)

// An unknownURL is the URL of pages whose permalink is computed, with what is known of it.
type unknownURL struct {
	link string
	re   *regexp.Regexp // matches the URLs that it may be
	file string         // that has the permalink, as shown to users
}

// maxUnknown limits the permalinks that are told apart. With more, every URL may be that of a page.
const maxUnknown = 200

// setUnknown sets that the URL of a page is unknown: a template of which only some parts are literal. from is
// the file that has it.
func (g *model) setUnknown(s *site.Site, p *site.Page, link, from string) {
	p.HasUnknownURL = true
	if len(g.unknown) == maxUnknown {
		link = ""
	}
	if len(g.unknown) > maxUnknown || slices.ContainsFunc(g.unknown, func(u unknownURL) bool { return u.link == link }) {
		return
	}
	if !strings.HasSuffix(link, "/") && !strings.HasSuffix(link, ".html") {
		g.isOpen, s.Generates = true, true // may be the URL of a file, or of a feed
	}
	g.unknown = append(g.unknown, unknownURL{link, permalinkPattern(link), strings.TrimPrefix(from, s.Dir+"/")})
	dir, _, _ := strings.Cut(link, "{")
	if i := strings.LastIndexByte(dir, '/'); i > 0 {
		s.AddSegment(site.CleanURL("/" + dir[:i+1]))
	}
}

var (
	// permalinkCode matches code of a template from its first block to its last, and permalinkValue one value.
	permalinkCode  = lazy.New(`(?s)\{%.*%\}`)
	permalinkValue = lazy.New(`(?s)\{\{.*?\}\}`)
	// oneName matches a value without a slash.
	oneName = lazy.New(`(?:^\{\{-?\s*page\.fileSlug|\|\s*slug(?:ify)?)\s*-?\}\}$`)
)

// isTemplate reports whether a permalink has templates of Liquid or Nunjucks in it.
func isTemplate(link string) bool {
	return strings.Contains(link, "{{") || strings.Contains(link, "{%")
}

// permalinkPattern returns what matches the URLs that a permalink may give to a page.
func permalinkPattern(link string) *regexp.Regexp {
	const any, name = "\x00", "\x01"
	link = permalinkCode.ReplaceAllString(link, any)
	link = permalinkValue.ReplaceAllStringFunc(link, func(tag string) string {
		if oneName.MatchString(tag) {
			return name
		}
		return any
	})
	const most = 1000 // bytes, since each URL may be compared with them
	if isTemplate(link) || link == "" || len(link) > most {
		return regexp.MustCompile("")
	}
	link = lazy.Quote(site.WithoutIndex(site.CleanURL("/" + link)))
	expr := strings.NewReplacer( // a value may be empty
		"/"+any+"/", "/(?:.*/)?", "/"+name+"/", "/(?:[^/]*/)?", any, ".*", name, "[^/]*",
	).Replace(link)
	return regexp.MustCompile("(?s)^" + expr + "$")
}

// DecidedBy returns the file with a computed permalink that may have a URL below the base as its value, or
// "".
func (g *model) DecidedBy(_ *site.Site, u string) string {
	u = site.WithoutIndex(u)
	for _, one := range g.unknown {
		if one.re.MatchString(u) || path.Ext(u) == "" && (one.re.MatchString(u+"/") || one.re.MatchString(u+".html")) {
			return one.file
		}
	}
	return ""
}
