package site

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/lazy"
)

// resourceForm matches a resource id: a version, a component, a module, a family and a path.
var resourceForm = lazy.New(`^(?:[^@:$]+@)?(?:(?:[^@:$]+:)?[^@:$]*:)?(?:[^@:$]+\$)?[^:$][^@:$]*$`)

// IsResourceID reports whether the target of an xref, without its fragment, has the form of a resource id.
func IsResourceID(target string) bool {
	return resourceForm.Compiled().MatchString(target) && !strings.Contains(target, "://") && !strings.Contains(target, "\n")
}

// markdownType is the media type of documents that are Markdown only in the site of their generator.
const markdownType = "text/markdown"

// Media types of templates.
const (
	nunjucksType = "text/x-nunjucks"
	liquidType   = "text/x-liquid"
	AstroType    = "text/x-astro"
	JSXType      = "text/jsx"
)

// TemplateTypes are the media types of templates by suffix.
var TemplateTypes = map[string]string{
	".njk": nunjucksType, ".liquid": liquidType, ".astro": AstroType, ".jsx": JSXType, ".tsx": JSXType, ".js": JSXType,
	".qmd": markdownType, ".Rmd": markdownType, ".rmd": markdownType,
}

// MayBeTemplate reports whether, by its name, a file may be a template from which a generator makes a page.
// Only MarkupType knows whether it is one.
func MayBeTemplate(file string) bool {
	ext := path.Ext(file)
	return TemplateTypes[ext] != "" && (ext != ".js" || strings.Contains(file, "/pages/"))
}

// IsTemplateType reports whether a media type is that of templates of HTML.
func IsTemplateType(mediaType string) bool {
	return mediaType == nunjucksType || mediaType == liquidType
}

// TemplateType returns the media type of a page, or of a part of pages, that is a template with one of
// some suffixes. A page without a URL, one that is no HTML, and a part that only documents in other
// languages include, has none.
func TemplateType(s *Site, file string, suffixes ...string) string {
	ext := path.Ext(file)
	p := s.ByFile[file]
	if p == nil || !slices.Contains(suffixes, ext) {
		return ""
	}
	if inner := path.Ext(strings.TrimSuffix(path.Base(file), ext)); inner != "" && inner != ".html" {
		return ""
	}
	if p.IsPart || !p.Why.IsZero() || len(p.Routes) == 0 && !p.HasUnknownURL {
		isInTemplate := slices.ContainsFunc(s.IncludedBy[file], func(by *Page) bool {
			return path.Ext(by.File) == ext
		})
		if !isInTemplate { // Markdown may show it as code
			return ""
		}
		return TemplateTypes[ext]
	}
	if p.HasUnknownURL {
		return TemplateTypes[ext]
	}
	if to := path.Ext(p.Routes[0]); to != "" && to != ".html" && to != ext {
		return ""
	}
	return TemplateTypes[ext]
}

var (
	templatePart = lazy.New(`\{\{.*?\}\}|\{%.*?%\}`)
	// slugOfText matches a template that makes an id from a text, and slugged an id that consists of a slug.
	slugOfText = lazy.New(`^\{\{-?\s*["']([^"']+)["']\s*\|\s*slug(?:ify)?\s*-?\}\}$`)
	slugged    = lazy.New(`^\{\{[^{}]*\|\s*slug(?:ify)?\s*-?\}\}$`)
)

// TemplatedID returns an expression for the values of an id with templates of Liquid or Nunjucks in it. It
// returns nil if nothing is known of them.
func TemplatedID(id string) *regexp.Regexp {
	expr, letters := "", false
	last := 0
	for _, at := range templatePart.FindAllStringIndex(id, -1) {
		expr += regexp.QuoteMeta(id[last:at[0]])
		last = at[1]
		if m := slugOfText.FindStringSubmatch(id[at[0]:at[1]]); m != nil {
			isBetween := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
			expr += "(?i:" + strings.Join(strings.FieldsFunc(m[1], isBetween), "[-_]*") + ")"
			letters = true
			continue
		}
		expr += ".*"
	}
	expr += regexp.QuoteMeta(id[last:])
	for _, c := range []byte(templatePart.ReplaceAllString(id, "")) {
		letters = letters || ascii.IsAlnum(c)
	}
	if !letters && slugged.MatchString(id) { // in lower case
		expr, letters = "[^A-Z]*", true
	}
	re, err := regexp.Compile("^" + expr + "$")
	if err != nil || !letters {
		return nil
	}
	return re
}
