package doc

import (
	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
)

// A Layout describes how a generator makes a site from documents.
type Layout struct {
	Slug slug.Algorithm
	Name string // what determines it: "mkdocs.yml", "--slugs"; "" means the vote

	Loose bool // ids follow the rules of no algorithm: compare letters and digits only

	Headings  lazy.Value[map[string]bool] // ids of all documents
	Generated *site.Site                  // the site that a generator makes of the documents; nil if none
}

// isSite reports whether a site serves the pages. Otherwise they are shown as files, with directory
// listings, as on code hosts.
func (l *Layout) isSite() bool { return l.Generated != nil }

// IsHost reports whether a code host shows the pages.
func (l *Layout) IsHost() bool {
	return l.Slug == slug.GitHub && !l.isSite() || l.Slug == slug.GitLab || l.Slug == slug.GitLab16
}

// IsVoted reports whether the ids of headings are known only from the references of the tree, so that the
// program that makes the pages is unknown.
func (l *Layout) IsVoted() bool { return l.Name == "" && !l.isSite() }

// IsMDBook reports whether mdBook makes the pages.
func (l *Layout) IsMDBook() bool { return l.Name == mdBook }

const mdBook = "book.toml"
