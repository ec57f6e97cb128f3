package publish

import (
	"path"
	"strings"

	"example.org/refract/internal/site"
)

// A Serving says how documents without a known generator are published.
type Serving struct {
	Roots    []string // absolute directories that "/x" leads into, before the root of the tree; nil means only that root
	Suffixes []string // suffixes of files that URLs omit
	Indexes  []string // files that stand for their directory; nil means the default of the server
	IsNested bool     // x.md is served as x/, and its relative references resolve against that
	// IsUnsuffixed says that relative links leave out suffixes. IsFlat says that all documents are published in one directory.
	// KnowsNames says that nearly all relative links to names without a suffix lead somewhere.
	IsUnsuffixed, IsFlat, KnowsNames bool
	IsLower                          bool // URLs are in lower case, as Hugo makes them

	// Files holds documents by their URL paths without a slash at both ends, and Routes the reverse, if URLs leave out what only
	// sorts and groups documents; nil if not.
	Files, Routes map[string]string
	NamePrefix    string // of all paths of Files that are in no section, with a slash at its end; "" for none

	// AreKnown has the names with which paths begin that lead into a directory of Roots, or to documents of it, of which most do, and
	// hardly any path that leads into the same directory leads nowhere.
	AreKnown map[string]bool

	// Sections say where paths lead that begin with some names: "img", "docs/1.x".
	Sections map[string]Section

	Prefix string // prefix of URL paths, with a slash at both ends; "" means none

	Counts *RootedCount // of references "/x"; nil if not counted
}

// A Section says where the paths lead that begin with the same names.
type Section struct {
	Root    string // absolute directory below which they are; of documents, below which these have their public names
	IsNamed bool   // they lead to documents in Files
	Dir     string // absolute directory of what they lead to
}

const MinRooted = 10 // least number of references "/x" from which to infer a rule

const MaxDirs = 8 // directories of a path that are examined

// A RootedCount counts the references "/x" of a tree, and how many of them lead nowhere.
type RootedCount struct {
	All, Missing int
	paths        [2]int                  // different ones: those that lead somewhere, and those that lead nowhere
	lengths      uint64                  // numbers of names in the paths that lead somewhere, each a bit
	First        map[string]*RootedCount // by the first name in the path
	Below        map[string]*RootedCount // by each directory on the path: "doc", "doc/tutorial"
	Missed       map[string]int          // those that lead nowhere, by their whole paths

	TopFound, TopMissing int // paths of one name, each counted once: those that lead somewhere, and those that lead nowhere
}

// AreTopPagesKnown reports whether hardly any path of one name leads nowhere, of many.
func (r *RootedCount) AreTopPagesKnown() bool {
	const least = 20
	return r.TopFound >= least && fewOf*r.TopMissing <= r.TopFound+r.TopMissing
}

// MostAreMissing reports whether more of the references lead nowhere than to a file.
func (r *RootedCount) MostAreMissing() bool { return 2*r.Missing > r.All }

// fewOf is how many times as many references there must be than those that lead nowhere for the latter to be mistakes.
const fewOf = 8

// IsReliable reports whether hardly any reference, or hardly any of the different paths, leads nowhere. Those that do are then
// mistakes, not references to pages that are made elsewhere.
func (r *RootedCount) IsReliable() bool {
	return fewOf*r.Missing <= r.All || fewOf*r.paths[1] <= r.paths[0]+r.paths[1]
}

// Add counts n references by their path.
func (r *RootedCount) Add(components []string, isMissing bool, n int) {
	addTo(r.First, components[0], len(components), isMissing, n)
	for i := range min(len(components)-1, MaxDirs) {
		addTo(r.Below, strings.Join(components[:i+1], "/"), len(components), isMissing, n)
	}
	switch {
	case len(components) > 1:
	case isMissing:
		r.TopMissing++
	default:
		r.TopFound++
	}
	r.All += n
	if isMissing {
		r.Missing += n
		r.Missed[strings.Join(components, "/")] += n
	}
}

func addTo(counts map[string]*RootedCount, name string, length int, isMissing bool, n int) {
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
	c.lengths |= 1 << min(length, 63)
}

// AddPaths adds the number of different paths that lead somewhere, and nowhere, to those of another count.
func (r *RootedCount) AddPaths(to *RootedCount) {
	to.paths[0], to.paths[1] = to.paths[0]+r.paths[0], to.paths[1]+r.paths[1]
	to.All, to.Missing = to.All+r.All, to.Missing+r.Missing
}

// IsMany reports whether enough different paths lead somewhere to show a rule.
func (r *RootedCount) IsMany() bool { return r.paths[0] >= 2*MinRooted }

// HasLength reports whether a path with that many names leads somewhere.
func (r *RootedCount) HasLength(n int) bool { return r.lengths>>min(n, 63)&1 != 0 }

// Nearest returns the counts of the deepest directory on a path that enough references lead into.
func (r *RootedCount) Nearest(components []string) *RootedCount {
	for i := min(len(components)-1, MaxDirs); i > 0; i-- {
		if c := r.Below[strings.Join(components[:i], "/")]; c != nil && c.All >= MinRooted {
			return c
		}
	}
	return r.First[components[0]]
}

// MayNest reports whether x.md may be served as x/.
func (s *Serving) MayNest() bool {
	return len(s.Suffixes) > 0 || s.IsNested || s.IsUnsuffixed || s.Counts != nil && s.Counts.All >= MinRooted && s.Counts.MostAreMissing()
}

// IsLearnt reports whether references show where paths from the root lead.
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

// BesideSections returns the names with which a path begins that stand where several sections have names that no directory has, if all
// paths with them lead nowhere: a program serves the same pages under each of these names, and may do so under this one. It returns ""
// if there are none.
func (s *Serving) BesideSections(components []string) string {
	const least = 3
	for i := 1; i < min(len(components), MaxDirs+1); i++ {
		at, parent := strings.Join(components[:i], "/"), strings.Join(components[:i-1], "/")
		c := s.Counts.Below[at]
		if c == nil || c.Missing < c.All {
			continue
		}
		names := map[string]bool{}
		for section, in := range s.Sections {
			if dir, name := path.Split(section); strings.TrimSuffix(dir, "/") == parent && name != path.Base(in.Dir) {
				names[name] = true
			}
		}
		if len(names) >= least && !site.IsMisspelled(components[i-1], names) {
			return at
		}
	}
	return ""
}

// IsAboveSection reports whether a path is one that a section begins with: the page there is that of a list.
func (s *Serving) IsAboveSection(at string) bool {
	for section := range s.Sections {
		if strings.HasPrefix(section+"/", at+"/") {
			return true
		}
	}
	return false
}

// RootsOf returns the directories that a path leads into.
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

// UrlPath returns the URL path that leads to a file below a directory, in the style of written:
// without the suffix of the file if written has none.
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
