package site

// findIncludes finds which pages include which files.
func (s *Site) findIncludes(all []*Page) {
	if s.parts == nil {
		return
	}
	type work struct {
		page  *Page
		file  string
		depth int
	}
	const maxIncludes = 8
	parts := map[string][]string{} // by file
	partsOf := func(p *Page, file string) []string {
		list, ok := parts[file]
		if !ok {
			list = s.parts(s, p, s.tree.text(file, maxPage))
			parts[file] = list
		}
		return list
	}
	included := map[string]bool{}
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
			for _, file := range partsOf(p, w.file) {
				if left--; left < 0 {
					return
				}
				if seen[file] || !s.tree.isFile(file) {
					continue
				}
				seen[file] = true
				included[file] = true
				s.includes[file] = append(s.includes[file], p)
				if w.depth < maxIncludes {
					queue = append(queue, work{p, file, w.depth + 1})
				}
			}
		}
	}
}

// maxIncluded is how many includes are followed for all pages of a site.
const maxIncluded = 2_000_000
