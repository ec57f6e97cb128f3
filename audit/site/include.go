package site

// findIncludes finds which pages include which files.
func (s *Site) findIncludes(all []*Page) {
	if s.parts == nil && s.partsIn == nil {
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
		if p.Why != "" || p.isPart {
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
			if found.isOpen {
				s.open[p.File] = true
			}
			for _, file := range found.files {
				if left--; left < 0 {
					return
				}
				if seen[file] || !s.tree.isFile(file) {
					continue
				}
				seen[file] = true
				if s.antora == nil || !s.antora.guesses[file] {
					s.includes[file] = append(s.includes[file], p)
				}
				s.shows[p.File] = append(s.shows[p.File], file)
				if w.depth < maxIncludes {
					queue = append(queue, work{p, file, w.depth + 1})
				}
			}
		}
	}
}

// includedFiles is what a file includes by itself. isOpen says that there may be more, or ids that are in no source.
type includedFiles struct {
	files  []string
	isOpen bool
}

// partsOf returns what a file includes that is, or is a part of, a page.
func (s *Site) partsOf(p *Page, file string) (found includedFiles) {
	text := s.tree.text(file, maxPage)
	if s.partsIn != nil {
		found.files = s.partsIn(s, p, file, text)
	} else {
		found.files = s.parts(s, p, text)
	}
	found.isOpen = s.opens != nil && s.opens(s, text) || s.antora != nil && s.antora.opens[file]
	return found
}

// ownParts returns what the files of pages include, by file, if that does not depend on other pages.
func (s *Site) ownParts(all []*Page) map[string]includedFiles {
	parts := map[string]includedFiles{}
	if s.partsIn != nil {
		return parts
	}
	found := make([]includedFiles, len(all))
	s.each(len(all), func(i int) {
		if p := all[i]; p.Why == "" && !p.isPart {
			found[i] = s.partsOf(p, p.File)
		}
	})
	for i, p := range all {
		if p.Why == "" && !p.isPart {
			parts[p.File] = found[i]
		}
	}
	return parts
}

// maxIncluded is how many includes are followed for all pages of a site.
const maxIncluded = 2_000_000
