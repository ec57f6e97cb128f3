package web

import (
	"strings"

	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
)

const (
	maxAdded = 200
)

var (
	// addedHeading matches a heading of Markdown in a string of code: at its start, or after a line break.
	addedHeading = lazy.New("(?m)(?:^|\\\\n|[`'\"])#{1,6} ([^\\n`'\"\\\\]+)")
)

// AddedIDs returns the ids of headings that code adds to pages: of those that its strings contain.
func AddedIDs(texts [][]byte, algorithm slug.Algorithm) (ids map[string]bool) {
	ids = map[string]bool{}
	for _, text := range texts {
		for _, m := range addedHeading.FindAllSubmatch(text, maxAdded) {
			heading := strings.TrimSpace(string(m[1]))
			if strings.Contains(heading, "${") {
				continue
			}
			ids[new(slug.Slugger{Algorithm: algorithm}).Slug(slug.Heading{Text: heading, Alt: heading, Source: heading})] = true
		}
	}
	return ids
}
