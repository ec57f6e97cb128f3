package site

import (
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// load finds the pages of the site. Methods that need the pages call it first.
func (s *Site) load() {
	if s.isLoaded {
		return
	}
	s.isLoaded = true
	s.pages, s.routes, s.byName = map[string]*Page{}, map[string]*Page{}, map[string][]*Page{}
	s.segments, s.includes = map[string]bool{}, map[string][]*Page{}
	s.shows, s.open = map[string][]string{}, map[string]bool{}
	s.indexMounts()
	var all []*Page
	for _, m := range s.Mounts {
		switch m.Kind {
		case Pages, Partial, Hidden:
			all = append(all, s.loadMount(m)...)
			s.addDirectories(m)
		case Static:
			for name, mode := range s.tree.list(m.Dir) {
				s.addSegment(m.URL + name + slashOf(mode.IsDir()))
			}
		}
	}
	s.findIncludes(all)
	s.findRedirects()
	if s.finish != nil {
		s.finish(s)
	}
	for _, p := range all {
		s.addRoutes(p)
	}
	s.addMoves()
	s.indexMounts() // there may be more
}

// addDirectories adds the directories of a page mount that hold files published as they are to the
// first segments of URLs.
func (s *Site) addDirectories(m *Mount) {
	if m.Kind != Pages || s.copies == nil {
		return
	}
	for name, mode := range s.tree.list(m.Dir) {
		if mode.IsDir() && !s.skips(name) && s.mountOf(m.Dir+"/"+name+"/x") == m && s.copies(s, m, name+"/x") {
			s.addSegment(m.URL + name + "/")
		}
	}
}

func slashOf(is bool) string {
	if is {
		return "/"
	}
	return ""
}

// loadMount adds the documents of a mount to the pages.
func (s *Site) loadMount(m *Mount) (all []*Page) {
	s.tree.files(m.Dir, s.skips, func(rel string) {
		if !s.isDocument(rel) {
			return
		}
		file := m.Dir + "/" + rel
		if s.pages[file] != nil || s.mountOf(file) != m {
			return
		}
		p := &Page{File: file, Mount: m, Rel: rel}
		s.pages[file] = p
		if m.Kind == Hidden {
			p.Why = m.Why
			return
		}
		all = append(all, p)
	})
	if s.readsFront {
		s.readFront(all)
	}
	for _, p := range all {
		s.route(s, p)
		p.isPart = p.isPart || m.Kind == Partial
	}
	return all
}

// readFront reads the front matter of pages.
func (s *Site) readFront(pages []*Page) {
	s.each(len(pages), func(i int) { pages[i].front = frontMatter(s.tree.text(pages[i].File, maxFront)) })
}

// each calls do with 0 to n-1, several at a time: reading pages takes most of the time of finding them.
func (s *Site) each(n int, do func(i int)) {
	var readers sync.WaitGroup
	var taken atomic.Int64
	for range min(max(1, s.tree.jobs), n) {
		readers.Go(func() {
			for i := int(taken.Add(1)) - 1; i < n; i = int(taken.Add(1)) - 1 {
				do(i)
			}
		})
	}
	readers.Wait()
}

// maxFront limits how many bytes of a page are read for its front matter.
const maxFront = 64 << 10

// skips reports whether a directory holds no files of any site.
func (s *Site) skips(name string) bool {
	return name == "node_modules" || name == ".git" || name[0] == '.' && !slices.Contains(s.dotDirs, name)
}

// isDocument reports whether the suffix of a file says that the generator makes a page of it.
func (s *Site) isDocument(rel string) bool {
	return slices.Contains(s.suffixes, strings.ToLower(path.Ext(rel)))
}

// indexMounts makes s.mountsIn.
func (s *Site) indexMounts() {
	s.mountsIn, s.mounted = map[string][]*Mount{}, len(s.Mounts)
	for _, m := range s.Mounts {
		s.mountsIn[m.Dir] = append(s.mountsIn[m.Dir], m)
	}
}

// mountOf returns the mount that a file belongs to, or nil. It chooses the deepest mount, and the first
// if several are for the same directory.
func (s *Site) mountOf(file string) *Mount {
	if s.mounted != len(s.Mounts) { // not loaded yet
		s.indexMounts()
	}
	for end := strings.LastIndexByte(file, '/'); end >= 0; end = strings.LastIndexByte(file[:end], '/') {
		for _, m := range s.mountsIn[file[:end]] {
			if m.Match == nil || m.Match(strings.TrimPrefix(file[end:], "/")) {
				return m
			}
		}
	}
	return nil
}

// addRoutes adds the URLs of a page to the index.
func (s *Site) addRoutes(p *Page) {
	if p.Why != "" || p.isPart {
		return
	}
	for _, names := range [][]string{p.Routes, p.Also} {
		for _, u := range names {
			if s.routes[u] == nil {
				s.routes[u] = p
			}
			s.addSegment(u)
		}
	}
	for _, name := range p.Names {
		s.byName[name] = append(s.byName[name], p)
	}
}

// addRoute adds a URL that has no file of its own.
func (s *Site) addRoute(u string) {
	if s.routes[u] == nil {
		s.routes[u] = &Page{Routes: []string{u}}
	}
	s.addSegment(u)
}

func (s *Site) addSegment(u string) {
	first, rest, slash := strings.Cut(strings.TrimPrefix(u, "/"), "/")
	if first != "" && (slash || rest == "") {
		s.segments[first] = true
	}
}

// Page returns the page of a source file, or nil if the file is not a page of this site.
func (s *Site) Page(file string) *Page {
	s.load()
	return s.pages[file]
}

// Pages calls yield with each page, in the order of the page files. It is for listings.
func (s *Site) Pages(yield func(*Page) bool) {
	s.load()
	for _, file := range sortedKeys(s.pages) {
		if !yield(s.pages[file]) {
			return
		}
	}
}

// Uses returns where the references of a file are used: on its own page, or on the pages that include
// it. If there are no uses, why says why the references are not judged.
func (s *Site) Uses(file string) (uses []Use, why string) {
	s.load()
	p := s.pages[file]
	if p != nil && p.Why == "" && !p.isPart {
		return []Use{{Page: p, File: file}}, ""
	}
	if p == nil && s.isPublished(file) {
		m := s.mountOf(file)
		u := m.URL + strings.TrimPrefix(file, m.Dir+"/")
		uses = append(uses, Use{Page: &Page{File: file, Mount: m, Rel: strings.TrimPrefix(file, m.Dir+"/"), Routes: []string{u}}, File: file})
	}
	for _, by := range s.includes[file] {
		uses = append(uses, Use{Page: by, File: file})
		if len(uses) == maxUses {
			break
		}
	}
	switch m := s.mountOf(file); {
	case len(uses) > 0:
		return uses, ""
	case p != nil && p.isData:
		return []Use{{Page: p, File: file}}, ""
	case p == nil && m != nil && m.Why != "":
		return nil, m.Why
	case p == nil:
		return nil, "is not a page of the site"
	case p.Why != "":
		return nil, p.Why
	}
	return nil, "no page includes it"
}

// Below returns how many pages with sources are published below a directory, given as a URL path that
// includes the base of the site.
func (s *Site) Below(dir string) int {
	s.load()
	return s.below.Get(dir, func(string) (n int) {
		for u, p := range s.routes {
			if p.File != "" && strings.HasPrefix(strings.TrimSuffix(s.Base, "/")+u, dir) {
				n++
			}
		}
		return n
	})
}

// maxUses limits the number of pages in which a part is judged.
const maxUses = 4
