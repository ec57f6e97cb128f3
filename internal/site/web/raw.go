package web

import (
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

// RawText is embedded in models of sites whose static files may be documents, which are published as text:
// people read them where the repository is shown.
type RawText struct{}

// IsInPlace reports whether a file is such a document.
func (RawText) IsInPlace(s *site.Site, file string) bool {
	m := s.MountOf(file)
	return m != nil && m.Kind == site.Static && source.IsMarkdown(file)
}
