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
	// Annotated are ids that annotations of headings give (## x {{ id: 'y' }}, as mdx-annotations reads them), and those of headings
	// without their annotations.
	Annotated    map[string]bool
	Called       map[string]bool // those that macros may make of the texts in calls of a template: {% call row("Set the title") %}
	LoadsParts   bool            // a page of HTML loads parts of itself when it is shown
	HasPermalink bool            // its front matter says where the page is
	Keys         map[string]bool // lists and mappings in the front matter, which templates show under a heading of their name
}

// Lines of MDC, and what annotates headings.
var (
	mdcStart      = lazy.New(`^::[A-Za-z][\w-]*(?:\{[^{}]*\})?\s*$`)
	annotation    = lazy.New(`\s*\{\{((?:[^{}]|\{[^{}]*\})*)\}\}\s*$`)
	annotatedID   = lazy.New(`(?:^|[\s,{])id\s*:\s*(?:'([^'\n]*)'|"([^"\n]*)")`)
	mdcAttributes = lazy.New("([`\\])])\\{[^{}]*\\}")
)

// UnknownIDs returns the ids that the page of d may have, whose headings are in no other form.
func (a *Library) UnknownIDs(d *doc.Document) *UnknownIDs {
	return a.unknownIDs.Get(d.Path, func(string) *UnknownIDs { return findUnknownIDs(d) })
}

func findUnknownIDs(d *doc.Document) *UnknownIDs {
	u := &UnknownIDs{Unmarked: map[string]bool{}, Annotated: map[string]bool{}, Keys: map[string]bool{}, Called: map[string]bool{}}
	text := d.Head()
	for key, v := range source.FrontMatter(text).Members() {
		u.HasPermalink = u.HasPermalink || key == "permalink"
		if v.Item(0).IsGiven() || len(v.Keys()) > 0 {
			u.Keys[slug.GitHub.Slug(slug.Heading{Text: key})] = true
		}
	}
	if d.IsHTML() {
		u.LoadsParts = loadsParts(text)
		return u
	}
	isOpen := false
	for line := range bytes.Lines(text) {
		u.addCalls(line)
		switch line = bytes.TrimSpace(line); {
		case bytes.HasPrefix(line, []byte("#")) && bytes.IndexByte(line, '{') >= 0:
			u.addHeading(string(bytes.TrimLeft(line, "# ")))
		case isOpen && string(line) == "::":
			u.HasEmptyBlock = true
		case len(line) == 0:
			continue
		}
		isOpen = bytes.HasPrefix(line, []byte("::")) && mdcStart.Match(line)
	}
	return u
}

// templateCall matches a call in a tag of a template, from its first argument, and callText a text among its arguments.
var (
	templateCall = lazy.New(`\{[%{]-?[^{}%]*\(([^{}%]*)`)
	callText     = lazy.New(`"([^"]+)"|'([^']+)'`)
)

// addCalls adds the ids that macros may make of the texts in the calls of a line: of one, or of two that follow each other.
func (u *UnknownIDs) addCalls(line []byte) {
	if !bytes.Contains(line, []byte("{%")) && !bytes.Contains(line, []byte("{{")) {
		return
	}
	for _, call := range templateCall.FindAllSubmatch(line, -1) {
		last := ""
		for _, m := range callText.FindAllSubmatch(call[1], -1) {
			id := slug.GitHub.Slug(slug.Heading{Text: string(m[1]) + string(m[2])})
			u.Called[id] = true
			if last != "" {
				u.Called[last+"-"+id] = true
			}
			last = id
		}
	}
}

// loadsParts reports whether a page has an element that is filled when the page is shown: of GitHub's components, Turbo or htmx. An expression
// takes ten times as long.
func loadsParts(text []byte) bool {
	if bytes.Contains(text, []byte("<include-fragment")) || bytes.Contains(text, []byte(" hx-get=")) {
		return true
	}
	for {
		_, rest, ok := bytes.Cut(text, []byte("<turbo-frame "))
		if !ok {
			return false
		}
		tag, _, _ := bytes.Cut(rest, []byte(">"))
		if bytes.Contains(tag, []byte("src=")) {
			return true
		}
		text = rest[len(tag):]
	}
}

// addHeading adds the ids of a heading with attributes or an annotation.
func (u *UnknownIDs) addHeading(text string) {
	if m := annotation.FindStringSubmatch(text); m != nil {
		if id := annotatedID.FindStringSubmatch(m[1]); id != nil {
			u.Annotated[id[1]+id[2]] = true
		}
		u.Annotated[slug.GitHub.Slug(slug.Heading{Text: withoutMarks.Replace(strings.TrimSuffix(text, m[0]))})] = true
		return
	}
	plain := mdcAttributes.ReplaceAllString(text, "$1")
	if plain == text {
		return
	}
	if label, _, ok := strings.Cut(plain, "]("); ok && strings.HasPrefix(label, "[") { // a link around the whole
		plain = label[1:]
	}
	u.Unmarked[slug.GitHub.Slug(slug.Heading{Text: withoutMarks.Replace(plain)})] = true
}

// withoutMarks drops the marks of code and emphasis.
var withoutMarks = strings.NewReplacer("`", "", "*", "")
