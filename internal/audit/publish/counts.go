package publish

import (
	"strings"

	"example.org/refract/internal/site"
)

const minMadeLinks = 20 // missing references into a directory of a site that show that a build makes the directory

const MinMadePages = 5 // distinct pages that they lead to, of a build or of a mapping

// A MadeCount counts the references "/x" into a directory of a site.
type MadeCount struct{ All, Missing, Pages int }

// IsMade reports whether a program makes a directory of a site when the site is built: many references
// lead to many of its pages, but hardly any of these pages exist. The directory that the whole site
// is published in, and one with about as many pages that have sources, are not made.
func (c *MadeCount) IsMade(s *site.Site, dir string) bool {
	if c == nil || c.Missing < minMadeLinks || c.Pages < MinMadePages || 10*(c.All-c.Missing) > c.All || strings.HasPrefix(s.Base, dir) {
		return false
	}
	return 2*s.Below(dir) < c.Pages
}

// IsMapping reports whether the references that lead nowhere show that pages are in another directory, too: many of many pages would lead
// to a page there, and so would most. All is how many lead nowhere.
func (c *MadeCount) IsMapping() bool {
	return c.Missing >= minMadeLinks && c.Pages >= MinMadePages && 4*c.Missing >= 3*c.All
}

// A RootCount counts the references "/x" of a site, and those that lead below no mount.
type RootCount struct {
	All    int
	First  map[string]int // those that lead below no mount, by the first name in the path
	Strays int            // their number
}
