package lead

import (
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site/source"
)

// dataTag matches a component that makes its text of data, in a line: <Reference {schemas} />.
var dataTag = lazy.New(`^<[A-Z][\w.]*\s[^<>\n]*\{[^<>\n]*/>`)

// ShowsData reports whether a component on the page of d, which no known generator publishes, makes its text of data.
func (a *Library) ShowsData(d *doc.Document) bool {
	return a.showsData.Get(d.Path, func(string) bool {
		if d.Layout.Generated != nil || !d.IsMarkdown() {
			return false
		}
		for range source.MatchesIn(d.Source(), dataTag, "/>") {
			return true
		}
		return false
	})
}
