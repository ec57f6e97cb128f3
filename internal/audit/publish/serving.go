package publish

import (
	"path"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
)

// A Serving says how documents without a known generator are published.
type Serving struct {
	Roots    []string // absolute directories that "/x" is relative to, before the root of the tree
	Suffixes []string // suffixes of files that URLs omit
	Indexes  []string // files that stand for their directory; nil means the default of the server
	IsNested bool     // x.md is served as x/, and its relative references resolve against that
	// IsUnsuffixed says that relative links leave out suffixes. IsFlat says that all documents are published in
	// one directory. KnowsNames says that nearly all relative links to names without a suffix work.
	IsUnsuffixed, IsFlat, KnowsNames bool
	IsLower                          bool // URLs are in lower case, as Hugo makes them

	// Files holds documents by their URL paths without a slash at both ends, and Routes the reverse, if URLs
	// leave out what only sorts and groups documents; nil if not.
	Files, Routes map[string]string
	NamePrefix    string // of all paths of Files that are in no section, with a slash at its end; "" for none

	// Sections say what paths that begin with some names are relative to: "img", "docs/1.x".
	Sections map[string]Section

	Prefix string // prefix of URL paths, with a slash at both ends; "" means none

	Counts *RootedCount // of references "/x"; nil if not counted
}

// A Section says what the paths that begin with the same names resolve to.
type Section struct {
	Root    string // absolute directory that they, or the public names of documents, are relative to
	IsNamed bool   // they resolve to documents in Files
	Dir     string // absolute directory of their targets
}

const MinRooted = 10 // least number of references "/x" from which to infer a rule

const MaxDirs = 8 // directories of a path that are examined

// topPages stands for the paths of one name.
const topPages = "/"

// A RootedCount counts the references "/x" of a tree, and the broken ones.
type RootedCount struct {
	All, Missing int
	paths        [2]int                                 // different ones: those that point somewhere, and those that point nowhere
	Below        map[string]*RootedCount                // by each directory on the path: "doc", "doc/tutorial"; by the path itself: "/doc/tutorial/x"; and topPages
	names        lazy.Value[map[string]map[string]bool] // see IsMisspelled
}

// MostAreMissing reports whether more of the references are broken than resolve to a file.
func (r *RootedCount) MostAreMissing() bool { return 2*r.Missing > r.All }

// fewOf is how many times as many references there must be than those that point nowhere for the latter to be mistakes.
const fewOf = 8

// IsReliable reports whether hardly any reference, or hardly any of the different paths, is broken. The
// broken ones are then mistakes, not references to pages that are made elsewhere.
func (r *RootedCount) IsReliable() bool {
	return fewOf*r.Missing <= r.All || fewOf*r.paths[1] <= r.paths[0]+r.paths[1]
}

// Add counts n references by their path.
func (r *RootedCount) Add(components []string, isMissing bool, n int) {
	for i := range min(len(components)-1, MaxDirs) {
		addTo(r.Below, strings.Join(components[:i+1], "/"), isMissing, n)
	}
	addTo(r.Below, "/"+strings.Join(components, "/"), isMissing, n)
	if len(components) == 1 {
		addTo(r.Below, topPages, isMissing, n)
	}
	r.All += n
	if isMissing {
		r.Missing += n
	}
}

func addTo(counts map[string]*RootedCount, name string, isMissing bool, n int) {
	c := counts[name]
	if c == nil {
		c = new(RootedCount)
		counts[name] = c
	}
	c.All += n
	if isMissing {
		c.Missing += n
		c.paths[1]++
		return
	}
	c.paths[0]++
}

// IsMany reports whether enough different paths resolve to something to show a rule.
func (r *RootedCount) IsMany() bool { return r.paths[0] >= 2*MinRooted }

// Group returns the counts of the references that begin as a path does, and that beginning. This is the
// most of its names with which enough references begin, or its first name if most of those references work;
// "" stands for the tree. All its names count only if withPath is true: then it may be the URL of one page
// that many documents refer to.
func (r *RootedCount) Group(components []string, withPath bool) (below string, c *RootedCount) {
	whole := strings.Join(components, "/")
	if withPath && r.isCounted("/"+whole) {
		return whole, r.Below["/"+whole]
	}
	for i := min(len(components)-1, MaxDirs); i > 0; i-- {
		below = strings.Join(components[:i], "/")
		if r.isCounted(below) {
			return below, r.Below[below]
		}
	}
	if len(components) == 1 && r.isCounted(topPages) {
		return "", r.Below[topPages]
	}
	first := r.Below[components[0]]
	if len(components) > 1 && first != nil && !first.MostAreMissing() {
		return components[0], first
	}
	return "", r
}

// isCounted reports whether enough references begin with a key of Below.
func (r *RootedCount) isCounted(at string) bool {
	return r.Below[at] != nil && r.Below[at].All >= MinRooted
}

// IsDoubtful reports whether so many references are broken that the lookup is more likely wrong than the
// references.
func (r *RootedCount) IsDoubtful(isLearnt bool) bool {
	if isLearnt {
		return !r.IsReliable()
	}
	return r.All >= MinRooted && 2*r.Missing > r.All
}

// IsMisspelled reports whether the last of components, which few paths have, is one typing error away from
// the name of another directory that many point into.
func (r *RootedCount) IsMisspelled(components []string) bool {
	const most, least, mostNames = 2, 3, 1000
	if c := r.Below[strings.Join(components, "/")]; c != nil && c.All > most {
		return false
	}
	names := r.names.Get(func() map[string]map[string]bool {
		all := map[string]map[string]bool{}
		for at, c := range r.Below {
			if strings.HasPrefix(at, "/") || c.All < least || c.MostAreMissing() {
				continue
			}
			dir, name := path.Split(at)
			if all[dir] == nil {
				all[dir] = map[string]bool{}
			}
			all[dir][name] = true
		}
		return all
	})
	dir, name := path.Split(strings.Join(components, "/"))
	return len(names[dir]) <= mostNames && site.IsMisspelled(name, names[dir])
}

// MayNest reports whether x.md may be served as x/.
func (s *Serving) MayNest() bool {
	return len(s.Suffixes) > 0 || s.IsNested || s.IsUnsuffixed || s.Counts != nil && s.Counts.All >= MinRooted && s.Counts.MostAreMissing()
}

// IsLearnt reports whether references show what paths from the root are relative to.
func (s *Serving) IsLearnt() bool { return s != nil && (s.Roots != nil || s.Sections != nil) }

// SectionOf returns the deepest section that a path is in, and whether there is one.
func (s *Serving) SectionOf(components []string) (in Section, ok bool) {
	if s.Sections == nil {
		return in, false
	}
	for i := min(len(components)-1, MaxDirs); i > 0 && !ok; i-- {
		in, ok = s.Sections[strings.Join(components[:i], "/")]
	}
	return in, ok
}

// IsAboveSection reports whether a section begins with a path: the page there lists the pages of the
// section.
func (s *Serving) IsAboveSection(at string) bool {
	for section := range s.Sections {
		if strings.HasPrefix(section+"/", at+"/") {
			return true
		}
	}
	return false
}

// RootsOf returns the directories that a path is relative to.
func (s *Serving) RootsOf(components []string) []string {
	if in, ok := s.SectionOf(components); ok && !in.IsNamed {
		return append([]string{in.Root}, s.Roots...)
	}
	return s.Roots
}

// FileAt returns the document at a path that leaves out what only sorts and groups documents, or "".
func (s *Serving) FileAt(components []string) string {
	if s == nil || s.Files == nil {
		return ""
	}
	return s.Files[strings.Join(components, "/")]
}

// IndexNames returns the names of files that stand for their directory.
func (s *Serving) IndexNames() []string {
	if s == nil {
		return nil
	}
	return s.Indexes
}

// UrlPath returns the URL path of a file below a directory, in the style of written: without the suffix of
// the file if written has none.
func (s *Serving) UrlPath(rest, written string) string {
	if s == nil || path.Ext(written) != "" {
		return rest
	}
	for _, suffix := range s.Suffixes {
		if stem, ok := strings.CutSuffix(rest, suffix); ok {
			return stem
		}
	}
	return rest
}

// SourcesOf returns the names of possible source files of a page, given the last name in its URL.
func (s *Serving) SourcesOf(name string) (names []string) {
	if s == nil {
		return nil
	}
	for _, suffix := range s.Suffixes {
		names = append(names, name+suffix)
	}
	if stem, ok := strings.CutSuffix(name, ".html"); ok {
		for _, suffix := range s.Suffixes {
			names = append(names, stem+suffix)
		}
	}
	return names
}

// IsOfProgram reports whether the tree shows that a program publishes it.
func (s *Serving) IsOfProgram() bool {
	return s != nil && (s.Roots != nil || s.IsNested || s.IsUnsuffixed)
}

const minMadeLinks = 20 // missing references into a directory of a site that show that a build makes the directory

const MinMadePages = 5 // distinct pages of a build or of a mapping that they point to

// A MadeCount counts the references "/x" into a directory of a site.
type MadeCount struct{ All, Missing, Pages int }

// IsMade reports whether a program makes a directory of a site when the site is built. Many references
// point to many of its pages, but hardly any of these pages exist. The directory that the whole site is
// published in, and one with about as many pages that have sources, are not made.
func (c *MadeCount) IsMade(s *site.Site, dir string) bool {
	if c == nil || c.Missing < minMadeLinks || c.Pages < MinMadePages || 10*(c.All-c.Missing) > c.All || strings.HasPrefix(s.Base, dir) {
		return false
	}
	return 2*s.Below(dir) < c.Pages
}

// IsMapping reports whether the broken references show that pages are also in another directory: many
// broken references, and most of all, to many pages would find a page there. All is the number of broken
// references.
func (c *MadeCount) IsMapping() bool {
	return c.Missing >= minMadeLinks && c.Pages >= MinMadePages && 4*c.Missing >= 3*c.All
}

// A RootCount counts the references "/x" of a site, and those that point below no mount.
type RootCount struct {
	All    int
	First  map[string]int // those that point below no mount, by the first name in the path
	Strays int            // their number
}
