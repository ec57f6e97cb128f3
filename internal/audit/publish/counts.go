package publish

import (
	"strings"

	"example.org/refract/internal/site"
)

const minMadeLinks = 20 // missing references into a directory of a site that show that a build makes the directory

const MinMadePages = 5 // distinct pages of a build or of a mapping that they point to

// A MadeCount counts the references "/x" into a directory of a site.
type MadeCount struct{ All, Missing, Pages int }

// IsMade reports whether a program makes a directory of a site when the site is built. Many references
// point to many of its pages, but hardly any of these pages exist. The directory that the whole site is
// published in, and one with about as many pages that have sources, are not made.
func (c *MadeCount) IsMade(s *site.Site, dir string) bool {
	if c == nil || c.Missing < minMadeLinks || c.Pages < MinMadePages || 10*(c.All-c.Missing) > c.All || strings.HasPrefix(s.Base, dir) {
		return false
	}
	return 2*s.Below(dir) < c.Pages
}

// IsMapping reports whether the broken references show that pages are also in another directory: many
// broken references, and most of all, to many pages would find a page there. All is the number of broken
// references.
func (c *MadeCount) IsMapping() bool {
	return c.Missing >= minMadeLinks && c.Pages >= MinMadePages && 4*c.Missing >= 3*c.All
}

// A RootCount counts the references "/x" of a site, and those that point below no mount.
type RootCount struct {
	All    int
	First  map[string]int // those that point below no mount, by the first name in the path
	Strays int            // their number
}
