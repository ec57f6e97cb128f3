package site

import (
	"path"
	"slices"
	"strings"
)

// Media types of templates.
const (
	nunjucksType = "text/x-nunjucks"
	liquidType   = "text/x-liquid"
	AstroType    = "text/x-astro"
	JSXType      = "text/jsx"
)

// templateTypes are the media types of templates by suffix.
var templateTypes = map[string]string{
	".njk": nunjucksType, ".liquid": liquidType, ".astro": AstroType, ".jsx": JSXType, ".tsx": JSXType, ".js": JSXType,
	".qmd": markdownType, ".Rmd": markdownType, ".rmd": markdownType,
}

// MayBeTemplate reports whether, by its name, a file may be a template of which a generator makes a
// page. Only MarkupType knows whether it is one.
func MayBeTemplate(file string) bool {
	ext := path.Ext(file)
	return templateTypes[ext] != "" && (ext != ".js" || strings.Contains(file, "/pages/"))
}

// IsTemplateType reports whether a media type is that of templates of HTML.
func IsTemplateType(mediaType string) bool {
	return mediaType == nunjucksType || mediaType == liquidType
}

// templateType returns the media type of a page, or of a part of pages, that is a template with one of
// some suffixes. A page without a URL, one that is no HTML, and a part that only documents in other
// languages include, has none.
func templateType(s *Site, file string, suffixes ...string) string {
	ext := path.Ext(file)
	p := s.pages[file]
	if p == nil || !slices.Contains(suffixes, ext) {
		return ""
	}
	if inner := path.Ext(strings.TrimSuffix(path.Base(file), ext)); inner != "" && inner != ".html" {
		return ""
	}
	if p.isPart || p.Why != "" || len(p.Routes) == 0 {
		isInTemplate := slices.ContainsFunc(s.includes[file], func(by *Page) bool {
			return path.Ext(by.File) == ext
		})
		if !isInTemplate { // Markdown may show it as code
			return ""
		}
		return templateTypes[ext]
	}
	if to := path.Ext(p.Routes[0]); to != "" && to != ".html" && to != ext {
		return ""
	}
	return templateTypes[ext]
}
