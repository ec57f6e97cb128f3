package publish

import (
	"strings"

	"example.org/refract/internal/site"
)

// An Adoption records that the documents of a directory outside any site are published in a
// directory of a site. In names, "*" stands for a directory of any name.
type Adoption struct {
	Site  *site.Site
	Names []string
}

// Url returns the URL that a relative path leads to from the directory. outside is true if that is
// above the root of the site, or below an unknown directory.
func (b *Adoption) Url(ref string) (u string, outside bool) {
	names := b.Names
	for name := range strings.SplitSeq(ref, "/") {
		switch {
		case name == ".." && len(names) == 0:
			return "", true
		case name == "..":
			names = names[:len(names)-1]
		case name != "" && name != ".":
			names = append(names[:len(names):len(names)], name)
		}
	}
	u = strings.TrimSuffix(b.Site.Base, "/") + "/" + strings.Join(names, "/")
	return u, strings.Contains(u, "*/")
}
