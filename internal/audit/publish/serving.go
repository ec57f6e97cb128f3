package publish

import (
	"path"
	"strings"
)

// A Serving says how documents without a known generator are published.
type Serving struct {
	Roots    []string // absolute directories that "/x" leads into, before the root of the tree; nil means only that root
	Suffixes []string // suffixes of files that URLs omit
	Indexes  []string // files that stand for their directory; nil means the default of the server
	IsNested bool     // x.md is served as x/, and its relative references resolve against that
	// isUnsuffixed says that relative links leave out suffixes, and hasUnknownNames that the names that they use are not
	// those of files, either. isFlat says that all documents are published in one directory.
	IsUnsuffixed, HasUnknownNames, IsFlat bool
	IsLower                               bool // URLs are in lower case, as Hugo makes them

	// Files holds documents by their URL paths without a slash at both ends, and Routes the reverse, if URLs leave out what only
	// sorts and groups documents; nil if not.
	Files, Routes map[string]string
	NamePrefix    string // of all paths of Files, with a slash at its end; "" for none

	Prefix string // prefix of URL paths, with a slash at both ends; "" means none

	Counts *RootedCount // of references "/x"; nil if not counted
}

const MinRooted = 10 // least number of references "/x" from which to infer a rule

const MaxDirs = 8 // directories of a path that are examined

// A RootedCount counts the references "/x" of a tree, and how many of them lead nowhere.
type RootedCount struct {
	All, Missing int
	First        map[string]*RootedCount // by the first name in the path
	Below        map[string]*RootedCount // by each directory on the path: "doc", "doc/tutorial"
	Missed       map[string]int          // those that lead nowhere, by their whole paths
}

// MostAreMissing reports whether more of the references lead nowhere than to a file.
func (r *RootedCount) MostAreMissing() bool { return 2*r.Missing > r.All }

// IsReliable reports whether hardly any reference leads nowhere. Those that do are then mistakes, not
// references to pages that are made elsewhere.
func (r *RootedCount) IsReliable() bool { return 8*r.Missing <= r.All }

// Add counts n references by their path.
func (r *RootedCount) Add(components []string, isMissing bool, n int) {
	r.addTo(r.First, components[0], isMissing, n)
	for i := range min(len(components)-1, MaxDirs) {
		r.addTo(r.Below, strings.Join(components[:i+1], "/"), isMissing, n)
	}
	r.All += n
	if isMissing {
		r.Missing += n
		r.Missed[strings.Join(components, "/")] += n
	}
}

func (r *RootedCount) addTo(counts map[string]*RootedCount, name string, isMissing bool, n int) {
	c := counts[name]
	if c == nil {
		c = new(RootedCount)
		counts[name] = c
	}
	c.All += n
	if isMissing {
		c.Missing += n
	}
}

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
