package eleventy

import (
	"bytes"
	"slices"
	"strings"

	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

var (
	// shortcodeCall matches a call that defines a shortcode or a tag, up to its code.
	shortcodeCall = lazy.New("\\.add\\w*(?:Shortcode|Tag)\\(\\s*(?:[\"'`]([\\w-]+)[\"'`]\\s*,\\s*)?")
	// configCall matches the next call on the configuration.
	configCall = lazy.New(`\.add\w*(?:Shortcode|Tag|Filter|Function|Collection|Transform|Copy|Plugin|Data|Target|Extension|Engine|Linter)\(`)
	// tagName matches the name of a tag.
	tagName = lazy.New(`^\{%-?\s*(\w[\w-]*)`)
	// idMaker matches code that may make an id, or a heading.
	idMaker = lazy.New(`(?i)\b(?:id|ids)\b|<h[1-6]|#\s|render|setAttribute|\.attr\(|innerHTML|markdown|readFile`)
	// functionName matches a function by its name, in place of its code, and functionCall a call, with the dot of a
	// method.
	functionName = lazy.New(`^[\w$.]+\s*[,)]`)
	functionCall = lazy.New(`(\.?)([A-Za-z_$][\w$]*)\(`)
)

// plainCalls are words before a parenthesis that call no function of the project.
var plainCalls = strings.Fields("if for while switch catch function Date String Number Array Set Map parseInt encodeURIComponent decodeURIComponent")

// shortcodesOf returns whether the shortcodes that the configuration, and files that it imports, define may make ids.
// The one with the name "" has a computed name.
func (g *model) shortcodesOf(s *site.Site) map[string]bool {
	return g.shortcodes.Get(func() map[string]bool {
		all := map[string]bool{}
		texts := s.Tree.Code(s.Config)
		isMaker := slices.ContainsFunc(texts, func(text []byte) bool { return idMaker.Match(text) })
		for _, text := range texts {
			for _, at := range shortcodeCall.FindAllSubmatchIndex(text, -1) {
				name, code := "", text[at[1]:]
				if at[2] >= 0 {
					name = string(text[at[2]:at[3]])
				}
				next := configCall.FindIndex(code)
				if next != nil {
					code = code[:next[0]]
				}
				all[name] = all[name] || name == "" || idMaker.Match(code) || isMaker && usesOtherCode(code)
			}
		}
		return all
	})
}

// usesOtherCode reports whether the code of a shortcode is, or calls, a function that is elsewhere.
func usesOtherCode(code []byte) bool {
	return functionName.Match(code) || slices.ContainsFunc(functionCall.FindAllSubmatch(code, -1), func(m [][]byte) bool {
		return len(m[1]) == 0 && !slices.Contains(plainCalls, string(m[2]))
	})
}

// usesMaker reports whether a text uses a shortcode that may make ids.
func (g *model) usesMaker(s *site.Site, text []byte) bool {
	known := g.shortcodesOf(s)
	if len(known) == 0 {
		return false
	}
	for m := range source.MatchesAt(rawBlock.ReplaceAll(text, nil), "{%", tagName) {
		name := string(m[1])
		_, isKnown := known[name]
		if known[name] || !isKnown && known[""] && !isPlainTag(name) {
			return true
		}
	}
	return false
}

// isPlainTag reports whether a tag is one of Liquid or Nunjucks, or the end of one.
func isPlainTag(name string) bool {
	return strings.HasPrefix(name, "end") || slices.Contains(plainTags, name)
}

var plainTags = strings.Fields(`if elsif elseif elif else unless case when for break continue cycle tablerow increment decrement assign echo capture
	comment raw verbatim liquid layout block include render set macro call filter import from extends switch default asyncEach asyncAll super`)

// templateHeading matches a heading of Markdown.
var templateHeading = lazy.New(`(?m)^ {0,3}#{1,6}[ \t]+([^\n]*?)[ \t#]*$`)

// markdownHeadings adds the ids of the headings in a template that a page in Markdown shows: it is rendered before
// the Markdown is.
func (all *idsOfPart) markdownHeadings(text []byte) {
	if !bytes.Contains(text, []byte("#")) {
		return
	}
	for _, m := range templateHeading.FindAllStringSubmatch(string(source.Body(text)), -1) {
		if isTemplate(m[1]) {
			all.isOpen = true
			continue
		}
		if all.loose == nil {
			all.loose = map[string]bool{}
		}
		all.loose[lettersOf(slug.GitHub.Slug(slug.Heading{Text: m[1]}))] = true
	}
}

var numberBehind = lazy.New(`-\d+$`)

// hasLoose reports whether an id is that of such a heading, or of one that is equal to another.
func (all *idsOfPart) hasLoose(id string) bool {
	return len(all.loose) > 0 && (all.loose[lettersOf(id)] || all.loose[lettersOf(numberBehind.ReplaceAllString(id, ""))])
}

// lettersOf returns the letters and digits of an id in lower case.
func lettersOf(id string) string {
	return strings.ToLower(strings.Join(strings.FieldsFunc(id, isNoLetter), ""))
}
