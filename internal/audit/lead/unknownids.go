package lead

import (
	"bytes"
	"strings"

	"example.org/refract/extract/slug"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site/source"
)

// UnknownIDs are ids that the page of a document may have if a program without a model makes it.
type UnknownIDs struct {
	Unmarked map[string]bool // of headings, without the attributes that MDC writes behind code and links: `x`{lang="ts"}
	// HasEmptyBlock says that a component of MDC without content is in the text (::name, then ::). It shows what it makes itself.
	HasEmptyBlock bool
	Keys          map[string]bool // lists and mappings in the front matter, which templates show under a heading of their name
}

// Lines of MDC.
var (
	mdcStart      = lazy.New(`^::[A-Za-z][\w-]*(?:\{[^{}]*\})?\s*$`)
	mdcAttributes = lazy.New("([`\\])])\\{[^{}]*\\}")
)

// UnknownIDs returns the ids that the page of d may have, whose headings are in no other form.
func (a *Library) UnknownIDs(d *doc.Document) *UnknownIDs {
	return a.unknownIDs.Get(d.Path, func(string) *UnknownIDs { return findUnknownIDs(d) })
}

func findUnknownIDs(d *doc.Document) *UnknownIDs {
	u := &UnknownIDs{Unmarked: map[string]bool{}, Keys: map[string]bool{}}
	text := d.Head()
	for key, v := range source.FrontMatter(text).Members() {
		if v.Item(0).IsGiven() || len(v.Keys()) > 0 {
			u.Keys[slug.GitHub.Slug(slug.Heading{Text: key})] = true
		}
	}
	isOpen := false
	for line := range bytes.Lines(text) {
		switch line = bytes.TrimSpace(line); {
		case bytes.HasPrefix(line, []byte("#")) && bytes.IndexByte(line, '{') >= 0:
			u.addHeading(string(bytes.TrimLeft(line, "# ")))
		case isOpen && string(line) == "::":
			u.HasEmptyBlock = true
		case len(line) == 0:
			continue
		}
		isOpen = mdcStart.Match(line)
	}
	return u
}

// addHeading adds the id of a heading without attributes.
func (u *UnknownIDs) addHeading(text string) {
	plain := mdcAttributes.ReplaceAllString(text, "$1")
	if plain == text {
		return
	}
	if label, _, ok := strings.Cut(plain, "]("); ok && strings.HasPrefix(label, "[") { // a link around the whole
		plain = label[1:]
	}
	u.Unmarked[slug.GitHub.Slug(slug.Heading{Text: strings.NewReplacer("`", "", "*", "").Replace(plain)})] = true
}
