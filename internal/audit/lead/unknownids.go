package lead

import (
	"bytes"
	"strings"

	"example.org/refract/extract/slug"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site/source"
)

// UnknownIDs are the ids that the page of a document may have if an unsupported generator makes it.
type UnknownIDs struct {
	// Annotated are ids from annotations of headings (## x {{ id: 'y' }}, as mdx-annotations reads them), and
	// those of headings without their annotations.
	Annotated    map[string]bool
	HasPermalink bool // its front matter says where the page is
}

// What annotates headings.
var (
	annotation  = lazy.New(`\s*\{\{((?:[^{}]|\{[^{}]*\})*)\}\}\s*$`)
	annotatedID = lazy.New(`(?:^|[\s,{])id\s*:\s*(?:'([^'\n]*)'|"([^"\n]*)")`)
)

// UnknownIDs returns the ids that the page of d may have.
func (a *Library) UnknownIDs(d *doc.Document) *UnknownIDs {
	return a.unknownIDs.Get(d.Path, func(string) *UnknownIDs { return findUnknownIDs(d) })
}

func findUnknownIDs(d *doc.Document) *UnknownIDs {
	text := d.Head()
	hasPermalink := source.FrontMatter(text).Lookup("permalink").IsGiven()
	u := &UnknownIDs{Annotated: map[string]bool{}, HasPermalink: hasPermalink}
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		if bytes.HasPrefix(line, []byte("#")) && bytes.Contains(line, []byte("{{")) {
			u.addHeading(string(bytes.TrimLeft(line, "# ")))
		}
	}
	return u
}

// addHeading adds the ids of a heading with an annotation.
func (u *UnknownIDs) addHeading(text string) {
	m := annotation.FindStringSubmatch(text)
	if m == nil {
		return
	}
	if id := annotatedID.FindStringSubmatch(m[1]); id != nil {
		u.Annotated[id[1]+id[2]] = true
	}
	u.Annotated[slug.GitHub.Slug(slug.Heading{Text: withoutMarks.Replace(strings.TrimSuffix(text, m[0]))})] = true
}

// withoutMarks drops the marks of code and emphasis.
var withoutMarks = strings.NewReplacer("`", "", "*", "")
