package site

import (
	"example.org/refract/internal/site/source"
)

// Add adds a file, unless it is outside of the repository.
func (p *Parts) Add(s *Site, file string) {
	if source.Below(file, s.Tree.Root) {
		p.Files = append(p.Files, file)
	}
}

// findIncludes finds which pages include which files.
func (s loader) findIncludes(all []*Page) {
	if s.includer == nil {
		return
	}
	type work struct {
		page  *Page
		file  string
		depth int
	}
	const maxIncludes = 8
	parts := s.ownParts(all) // by file
	left := maxIncluded
	for _, p := range all {
		if !p.Why.IsZero() || p.IsPart {
			continue
		}
		seen := map[string]bool{p.File: true}
		queue := []work{{p, p.File, 0}}
		for len(queue) > 0 {
			w := queue[0]
			queue = queue[1:]
			found, ok := parts[w.file]
			if !ok {
				found = s.partsOf(p, w.file)
				parts[w.file] = found
			}
			if found.IsOpen {
				s.SetOpen(p.File)
			}
			for _, file := range found.Files {
				if left--; left < 0 {
					return
				}
				if seen[file] || !s.Tree.IsFile(file) {
					continue
				}
				seen[file] = true
				if !found.Guessed[file] {
					s.IncludedBy[file] = append(s.IncludedBy[file], p)
				}
				s.Shows[p.File] = append(s.Shows[p.File], file)
				if w.depth < maxIncludes {
					queue = append(queue, work{p, file, w.depth + 1})
				}
			}
		}
	}
}

// partsOf returns what a file includes that is, or is a part of, a page.
func (s loader) partsOf(p *Page, file string) Parts {
	return s.includer.Parts(s.Site, p, file, s.Tree.Text(file, source.MaxPage))
}

// ownParts returns what the files of pages include, by file, if that does not depend on other pages.
func (s loader) ownParts(all []*Page) map[string]Parts {
	parts := map[string]Parts{}
	if s.PartsInOrder {
		return parts
	}
	found := make([]Parts, len(all))
	s.each(len(all), func(i int) {
		if p := all[i]; p.Why.IsZero() && !p.IsPart {
			found[i] = s.partsOf(p, p.File)
		}
	})
	for i, p := range all {
		if p.Why.IsZero() && !p.IsPart {
			parts[p.File] = found[i]
		}
	}
	return parts
}

// maxIncluded is how many includes are followed for all pages of a site.
const maxIncluded = 2_000_000
