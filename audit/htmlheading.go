package audit

import (
	"html"
	"strings"

	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
)

// htmlHeading matches an HTML heading within Markdown.
var htmlHeading = lazy.New(`(?is)<h[1-6](?:\s[^>]*)?>(.*?)</h[1-6]\s*>`)

var anyTag = lazy.New(`<[^>]*>`)

// isHTMLHeading reports whether a fragment is the id of an HTML heading of d. Code hosts and mdBook
// make ids for these too, since they add ids to the HTML rendered from Markdown.
func (d *document) isHTMLHeading(fragment string) bool {
	f := d.layout.slug
	if !d.isMarkdown() || f != slug.GitHub && f != slug.GitLab && f != slug.GitLab16 && f != slug.MdBook {
		return false
	}
	htmlIDs := memoized(d.memo, &d.htmlIDs, false, func() map[string]bool {
		htmlIDs := map[string]bool{}
		sl := slug.Slugger{Flavour: f}
		for _, m := range htmlHeading.FindAllSubmatch(d.head(), -1) {
			text := html.UnescapeString(strings.TrimSpace(anyTag.ReplaceAllString(string(m[1]), "")))
			htmlIDs[slug.Fold(strings.ToLower(sl.Slug(slug.Heading{Text: text})))] = true
		}
		return htmlIDs
	})
	return htmlIDs[slug.Fold(strings.ToLower(strings.TrimPrefix(fragment, "user-content-")))]
}
