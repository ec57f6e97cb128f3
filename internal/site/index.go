package site

import (
	"bytes"
	"context"
	"path"
	"slices"
	"sort"
	"strings"

	"example.org/refract/internal/each"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site/source"
)

// Aliases returns the aliases in the front matter of a page of Hugo.
func Aliases(text []byte) []string {
	if !bytes.Contains(text, []byte("aliases")) {
		return nil
	}
	return source.FrontMatter(text).Lookup("aliases").Texts()
}

// An Index holds the mounts of a site, and its pages once they are found.
type Index struct {
	Mounts     []*Mount
	ByFile     map[string]*Page // by absolute path of the source
	ByURL      map[string]*Page // by URL below Base, unescaped: "/guide/setup/"
	ByName     map[string][]*Page
	Segments   map[string]bool     // first segments of routes and of static files
	IncludedBy map[string][]*Page  // the pages that include a file
	Shows      map[string][]string // the files that a page includes
	cuts       map[cutKey][]Cut    // which pieces of a file a page shows, if that is not all of it
	Labels     map[string]bool     // of all documents, in lower case
	open       map[string]bool     // pages that may have ids that no source has
	mountsIn   map[string][]*Mount // by Mount.Dir
	mounted    int                 // of Mounts, how many mountsIn has
}

// indexMounts makes x.mountsIn.
func (x *Index) indexMounts() {
	x.mountsIn, x.mounted = map[string][]*Mount{}, len(x.Mounts)
	for _, m := range x.Mounts {
		x.mountsIn[m.Dir] = append(x.mountsIn[m.Dir], m)
	}
}

// MountOf returns the mount that a file belongs to, or nil. It chooses the deepest mount, and the first
// if several are for the same directory.
func (x *Index) MountOf(file string) *Mount {
	if x.mounted != len(x.Mounts) { // not loaded yet
		x.indexMounts()
	}
	for end := strings.LastIndexByte(file, '/'); end >= 0; end = strings.LastIndexByte(file[:end], '/') {
		for _, m := range x.mountsIn[file[:end]] {
			if m.Match == nil || m.Match(strings.TrimPrefix(file[end:], "/")) {
				return m
			}
		}
	}
	return nil
}

// AddRoute adds a URL that has no file of its own.
func (x *Index) AddRoute(u string) {
	if x.ByURL[u] == nil {
		x.ByURL[u] = &Page{Routes: []string{u}}
	}
	x.AddSegment(u)
}

// AddSegment adds the first segment of a URL to those that the site has.
func (x *Index) AddSegment(u string) {
	first, rest, slash := strings.Cut(strings.TrimPrefix(u, "/"), "/")
	if first != "" && (slash || rest == "") {
		x.Segments[first] = true
	}
}

// SetOpen records that a page may include more, or may have ids that are in no source.
func (x *Index) SetOpen(file string) { x.open[file] = true }

// A loader finds the pages of a site.
type loader struct{ *Site }

// Load finds the pages of the site. Methods that need the pages call it first.
func (s *Site) Load() {
	if s.isLoaded {
		return
	}
	s.isLoaded = true
	loader{s}.load()
}

func (s loader) load() {
	s.ByFile, s.ByURL, s.ByName = map[string]*Page{}, map[string]*Page{}, map[string][]*Page{}
	s.Segments, s.IncludedBy = map[string]bool{}, map[string][]*Page{}
	s.Shows, s.open, s.cuts = map[string][]string{}, map[string]bool{}, map[cutKey][]Cut{}
	s.indexMounts()
	var all []*Page
	for _, m := range s.Mounts {
		switch m.Kind {
		case Pages, Partial, Hidden:
			all = append(all, s.loadMount(m)...)
			s.addDirectories(m)
		case Static:
			for name, mode := range s.Tree.List(m.Dir) {
				s.AddSegment(m.URL + name + SlashOf(mode.IsDir()))
			}
		}
	}
	s.findIncludes(all)
	s.findRedirects()
	for _, u := range s.Routeless {
		s.AddRoute(u)
	}
	if s.finisher != nil {
		s.finisher.Finish(s.Site)
	}
	for _, p := range all {
		s.addRoutes(p)
		s.addAliases(p)
	}
	s.addMoves()
	s.indexMounts() // there may be more
}

// addDirectories adds the directories of a page mount that hold files published as they are to the
// first segments of URLs.
func (s loader) addDirectories(m *Mount) {
	if m.Kind != Pages || s.copier == nil && s.Copies == CopiesNone {
		return
	}
	for name, mode := range s.Tree.List(m.Dir) {
		if mode.IsDir() && !s.Skips(name) && s.MountOf(m.Dir+"/"+name+"/x") == m && s.copiesFile(m, name+"/x") {
			s.AddSegment(m.URL + name + "/")
		}
	}
}

// SlashOf returns a slash if is is true, and "" otherwise.
func SlashOf(is bool) string {
	if is {
		return "/"
	}
	return ""
}

// loadMount adds the documents of a mount to the pages.
func (s loader) loadMount(m *Mount) (all []*Page) {
	s.Tree.Files(m.Dir, s.Skips, func(rel string) {
		if !s.IsDocument(rel) {
			return
		}
		file := m.Dir + "/" + rel
		if s.ByFile[file] != nil || s.MountOf(file) != m {
			return
		}
		p := &Page{File: file, Mount: m, Rel: rel}
		s.ByFile[file] = p
		if m.Kind == Hidden {
			p.Why = m.Why
			return
		}
		all = append(all, p)
	})
	if s.FrontMatter {
		s.readFront(all)
	}
	for _, p := range all {
		s.model.Route(s.Site, p)
		p.IsPart = p.IsPart || m.Kind == Partial
	}
	return all
}

// frontKey is the key of front matter, for source.Derived.
type frontKey struct{}

// readFront reads the front matter of pages, several at a time: that takes most of the time of finding them.
func (s loader) readFront(pages []*Page) {
	each.Do(context.Background(), s.Tree.Jobs, pages, func(p *Page) {
		text := s.Tree.Text(p.File, MaxFront)
		p.Front = source.Derived(s.Tree, text, frontKey{}, func() source.Value { return source.FrontMatter(text) })
	})
}

// MaxFront limits how many bytes of a page are read for its front matter.
const MaxFront = 64 << 10

// addRoutes adds the URLs of a page to the index.
func (s loader) addRoutes(p *Page) {
	if !p.Why.IsZero() || p.IsPart {
		return
	}
	for _, names := range [][]string{p.Routes, p.Also} {
		for _, u := range names {
			if s.ByURL[u] == nil {
				s.ByURL[u] = p
			}
			s.AddSegment(u)
		}
	}
	for _, name := range p.Names {
		s.ByName[name] = append(s.ByName[name], p)
	}
}

// Page returns the page of a source file, or nil if the file is not a page of this site.
func (s *Site) Page(file string) *Page {
	s.Load()
	return s.ByFile[file]
}

// Pages calls yield with each page, in the order of the page files. It is for listings.
func (s *Site) Pages(yield func(*Page) bool) {
	s.Load()
	for _, file := range source.SortedKeys(s.ByFile) {
		if !yield(s.ByFile[file]) {
			return
		}
	}
}

// Uses returns the uses of the references of a file: on its own page, or on the pages that include it. If
// there are no uses, why says why the references are not checked.
func (s *Site) Uses(file string) (uses []Use, why reason.Reason) {
	s.Load()
	p := s.ByFile[file]
	if p != nil && p.Why.IsZero() && !p.IsPart {
		return []Use{{Page: p, File: file}}, reason.Reason{}
	}
	if p == nil && s.IsPublished(file) {
		m := s.MountOf(file)
		u := m.URL + strings.TrimPrefix(file, m.Dir+"/")
		uses = append(uses, Use{Page: &Page{File: file, Mount: m, Rel: strings.TrimPrefix(file, m.Dir+"/"), Routes: []string{u}}, File: file})
	}
	uses = s.includedUses(uses, file)
	switch m := s.MountOf(file); {
	case len(uses) > 0:
		return uses, reason.Reason{}
	case p != nil && p.IsData:
		return []Use{{Page: p, File: file}}, reason.Reason{}
	case p == nil && m != nil && !m.Why.IsZero():
		return nil, m.Why
	case p == nil:
		return nil, noPageOfSite
	case !p.Why.IsZero():
		return nil, p.Why
	}
	return nil, noPageIncludes
}

// includedUses appends the uses of a file in pages that include it: at most maxUses in those that show all
// of it, and maxWritten in all, the last of which shows all of it.
func (s *Site) includedUses(uses []Use, file string) []Use {
	whole := len(uses)
	var text []byte
	for _, by := range s.IncludedBy[file] {
		u := Use{Page: by, File: file}
		cuts := s.cuts[cutKey{file, by.File}]
		switch {
		case len(cuts) == 0, len(uses) == maxWritten-1:
			whole++
		default:
			if text == nil {
				text = s.Tree.Text(file, source.MaxPage)
			}
			u.Pieces = pieces(cuts, text)
		}
		uses = append(uses, u)
		if whole == maxUses || len(uses) == maxWritten {
			break
		}
	}
	return uses
}

// AllUses returns the uses of a file, and also, if it is a page by itself, those in other pages that
// include it. A reference written into the file has to be right in each.
func (s *Site) AllUses(file string) []Use {
	uses, _ := s.Uses(file)
	if len(uses) == 0 {
		return nil
	}
	uses = slices.Clone(uses)
	for _, by := range s.IncludedBy[file] {
		if len(uses) == maxWritten {
			break
		}
		if !slices.ContainsFunc(uses, func(u Use) bool { return u.Page == by }) {
			uses = append(uses, Use{Page: by, File: file})
		}
	}
	return uses
}

// Below returns how many pages with sources are published below a directory, given as a URL path that
// includes the base of the site.
func (s *Site) Below(dir string) int {
	urls := sortedURLs(s)
	first, _ := slices.BinarySearch(urls, dir)
	return sort.Search(len(urls)-first, func(i int) bool { return !strings.HasPrefix(urls[first+i], dir) })
}

// sortedURLs returns the URLs of the pages that have sources, with the base, in order.
func sortedURLs(s *Site) []string {
	s.Load()
	return s.sorted.Get(func() (urls []string) {
		base := strings.TrimSuffix(s.Base, "/")
		for u, p := range s.ByURL {
			if p.File != "" {
				urls = append(urls, base+u)
			}
		}
		slices.Sort(urls)
		return urls
	})
}

// maxUses limits the number of pages in which a part is checked.
const maxUses = 4

// maxWritten limits the number of pages in which a reference that is written into a part is tried.
const maxWritten = 32

// Reasons.
var (
	noPageIncludes = reason.New(reason.Unpublished, "no-page-includes", "no page includes it")
	noPageOfSite   = reason.New(reason.Unpublished, "no-page-of-site", "is not a page of the site")
)

// Published yields the pages of the site that have sources of their own and are known to be published, with
// their URLs and those that redirect to them, including the base of the site.
func (s *Site) Published(yield func(p *Page, urls []string) bool) {
	base := strings.TrimSuffix(s.Base, "/")
	for p := range s.Pages {
		if !p.Why.IsZero() || p.IsPart || p.IsCopy || p.IsUnlisted || len(p.Routes) == 0 || p.Mount != nil && p.Mount.MayBe || slices.Contains(s.Loaded, path.Base(p.File)) {
			continue
		}
		var urls []string
		for _, u := range p.Routes {
			urls = append(urls, base+u)
		}
		for _, u := range p.Moved {
			urls = append(urls, base+u)
		}
		if !yield(p, urls) {
			return
		}
	}
}

// isByHost reports whether only some hosts serve a page at a URL: x.html at x/.
func isByHost(p *Page, u string) bool {
	stem, isDir := strings.CutSuffix(u, "/")
	return isDir && p != nil && slices.Contains(p.Routes, stem+".html") && !p.isMovedExactly(u)
}

// StillServes says whether the site has a page, a file or a redirect at a URL, a path with the base of the
// site, where an earlier state of it had a page. It is Unknown if a build may make the page, for the reason
// Why.
func (s *Site) StillServes(u string) Answer {
	s.Load()
	below, isIn := s.CutBase(u)
	if !isIn {
		return Answer{State: Missing}
	}
	if res, ok := s.Lookup(below, false); ok && !isByHost(res.Page, below) {
		return Answer{State: Found, File: res.File}
	}
	res, last := followRules(s, below)
	if last == "" {
		return Answer{State: Found, File: res.File}
	}
	if last != below { // the tree never had what a rule points to
		if why := s.IsMade(last, &Reference{Raw: last, Path: last, Form: Component}); !why.IsZero() {
			return Answer{Why: why}
		}
	}
	if m, ok := s.model.(Sharer); ok {
		if answer := m.ServedBeside(s, below); answer.State != Missing {
			return answer
		}
	}
	if (resolver{s}).isIgnored(below) {
		return Answer{Why: reason.GitIgnoredPage}
	}
	if slices.ContainsFunc(s.Computed, func(pattern string) bool { return isComputed(pattern, below) }) {
		return Answer{Why: computedRule}
	}
	why := s.IsMade(below, &Reference{Raw: below, Path: below, Form: Component})
	if why.IsZero() || why.Is(noMount) { // the tree had the page
		return Answer{State: Missing}
	}
	return Answer{Why: why}
}

// isComputed reports whether a pattern of Settings.Computed matches a URL.
func isComputed(pattern, u string) bool {
	parts, names := strings.Split(strings.Trim(pattern, "/"), "/"), strings.Split(strings.Trim(u, "/"), "/")
	for i, part := range parts {
		if part == "**" {
			return true
		}
		if i == len(names) {
			return false
		}
		if ok, _ := path.Match(part, names[i]); !ok {
			return false
		}
	}
	return len(parts) == len(names)
}
