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
	parts, opens := map[string][]string{}, map[string]bool{} // by file
	partsOf := func(p *Page, file string) []string {
		list, ok := parts[file]
		if !ok {
			text := s.tree.text(file, maxPage)
			if s.partsIn != nil {
				list = s.partsIn(s, p, file, text)
			} else {
				list = s.parts(s, p, text)
			}
			parts[file], opens[file] = list, s.opens != nil && s.opens(s, text) || s.antora != nil && s.antora.opens[file]
		}
		return list
	}
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
			list := partsOf(p, w.file)
			if opens[w.file] {
				s.open[p.File] = true
			}
			for _, file := range list {
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

// maxIncluded is how many includes are followed for all pages of a site.
const maxIncluded = 2_000_000
