// Package web has code shared by the support for generators that run JavaScript: imports of documents,
// application routes, and patterns of paths.
package web

import (
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

// An Importer finds the documents that documents import.
type Importer struct{}

// Parts returns the documents that a page, or a document that it imports, imports.
func (g *Importer) Parts(s *site.Site, p *site.Page, file string, text []byte) site.Parts {
	return site.Parts{Files: g.partsIn(s, p, file, text)}
}

func (g *Importer) partsIn(s *site.Site, p *site.Page, file string, text []byte) (files []string) {
	n := 0
	for name := range source.DocumentsIn(text) {
		if n++; n > site.MaxComponents {
			break
		}
		to := g.imported(s, file, name)
		if to == "" {
			s.SetOpen(p.File)
			continue
		}
		files = append(files, to)
	}
	return files
}

// imported returns the file that a module imports by a name, "" if it is none of the project.
func (g *Importer) imported(s *site.Site, file, name string) string {
	to := site.ModulePath(s, file, name)
	if to == "" || !source.Below(to, s.Tree.Root) || !s.Tree.IsFile(to) {
		return ""
	}
	return to
}
