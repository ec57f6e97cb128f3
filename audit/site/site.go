package site

import (
	"slices"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
)

// A Site is what one configuration file publishes.
type Site struct {
	Generator string // "MkDocs"
	Config    string // absolute path of the configuration file
	Dir       string // absolute path of its directory
	Base      string // path of the site's URL, with a slash at both ends: "/", "/docs/"
	// IsBaseKnown is false if the configuration computes the base: Base is a guess then.
	IsBaseKnown bool
	Origin      string           // "https://example.org", of absolute links into the site; "" is unknown
	Slug        slug.Flavour     // how ids of headings are made
	Dialect     markdown.Dialect // of Markdown; that of a file is DialectOf
	Mounts      []*Mount

	rules
	tree     *tree
	isLoaded bool
	pages    map[string]*Page // by absolute path of the source
	routes   map[string]*Page // by URL below Base, unescaped: "/guide/setup/"
	byName   map[string][]*Page
	segments map[string]bool // first segments of routes and of static files
	includes map[string][]*Page
	labels   map[string]bool // of all documents, in lower case
}

// IsLoose reports whether ids of headings are made by rules that no flavour of Slug has:
// letters and digits are what can be compared.
func (s *Site) IsLoose() bool { return s.isLoose }

// Label reports whether a fragment is a label of the site, wherever that is.
func (s *Site) Label(fragment string) bool {
	s.load()
	return s.hasLabels && s.labels[strings.ToLower(fragment)]
}

// Expand replaces the templates in a reference. ok is false if a value is not known.
func (s *Site) Expand(u Use, ref string) (expanded string, ok bool) {
	if s.expand == nil {
		return ref, false
	}
	s.load()
	return s.expand(s, u, ref)
}

// ReadsSource reports whether the generator rewrites links by the spelling of the source:
// then Use.IsAngle counts.
func (s *Site) ReadsSource() bool { return s.readsSource }

// HasTermIDs reports whether terms of definition lists have ids, made like those of headings.
func (s *Site) HasTermIDs() bool { return s.hasTermIDs }

// MayMakeID reports whether code of the project may make an id that no source has.
func (s *Site) MayMakeID(id string) bool { return s.hasHooks && strings.Contains(id, ".") }

// Parts returns the files that a page includes, also through others. isComplete is false
// if it may include more.
func (s *Site) Parts(file string) (parts []string, isComplete bool) {
	s.load()
	for part, pages := range s.includes {
		if slices.ContainsFunc(pages, func(p *Page) bool { return p.File == file }) {
			parts = append(parts, part)
		}
	}
	return parts, s.knowsParts
}

// HasObjects reports whether [text][label] may name a piece of a program.
func (s *Site) HasObjects() bool { return s.hasObjects }

// DialectOf returns how the generator reads a file as Markdown.
func (s *Site) DialectOf(file string) markdown.Dialect {
	if s.mdx != (markdown.Dialect{}) && strings.HasSuffix(file, ".mdx") {
		return s.mdx
	}
	return s.Dialect
}

// Load reads which pages the site has. What is asked of a Site does so where it has to.
func (s *Site) Load() { s.load() }

// TakeText returns the text of a page if the site has read all of it, and drops it: ok is
// false from then on. The caller does not change it.
func (s *Site) TakeText(file string) (text []byte, ok bool) {
	if !s.isDocument(file) {
		return nil, false
	}
	return s.tree.take(file)
}

// A Kind says what becomes of the files of a Mount.
type Kind uint8

const (
	Pages   Kind = iota // documents become pages, other files may be published beside them
	Static              // published as they are
	Partial             // included in pages, never published themselves
	Hidden              // not published
)

// A Mount is a directory of a Site. Of several that hold a file, the deepest counts, and of
// these the first.
type Mount struct {
	Dir  string // absolute path
	URL  string // below Site.Base, with a slash at both ends
	Kind Kind
	// Match reports whether a file is part of the mount, by its path below Dir. nil is all.
	Match func(rel string) bool
	Why   string // why what is Hidden is not published: "excluded by exclude_docs"
	// Name distinguishes mounts between which links by source path do not work.
	Name string
}

// A Page is a source file and where it is published.
type Page struct {
	File   string   // absolute path of the source; "" where only the route is known
	Routes []string // below Site.Base: the first is the canonical one
	Also   []string // other URLs that lead here: aliases and redirects
	Names  []string // what a name space may call it
	Mount  *Mount
	Rel    string // path below Mount.Dir
	// Why says why the page is not published: "is a draft". "" is published.
	Why  string
	Lang string // language, where the site has several; "" is the default

	IDs []string // ids that the generator adds to the page

	front  value
	isPart bool // included in other pages only
}

// Route returns the canonical URL of the page, with the base of s.
func (s *Site) Route(p *Page) string {
	if len(p.Routes) == 0 {
		return ""
	}
	return strings.TrimSuffix(s.Base, "/") + p.Routes[0]
}

// A Use is where a reference is used: File holds it, and Page is the page that shows it,
// which differs from File where File is included.
type Use struct {
	Page *Page
	File string   // absolute path
	Via  []string // the files between them, outermost first

	IsExpanded bool // the reference has had templates
	IsAngle    bool // the reference is in angle brackets: [x](<y>)
}

// A Form is how a reference is written.
type Form uint8

const (
	Markdown   Form = iota // [x](y), or a definition
	Image                  // ![x](y)
	HTML                   // <a href>
	HTMLSource             // <img src>
	Component              // an attribute of a component of MDX or Vue
	Macro                  // {{< ref "y" >}}, {% link y %}, {doc}`y`
)

var forms = [...]string{"Markdown link", "Markdown image", "raw HTML link", "raw HTML source", "component", "macro"}

func (f Form) String() string { return forms[f] }

// A State is what is known of the target of a reference.
type State uint8

const (
	Unknown State = iota // nothing: it may be made at build time, or be outside of the site
	Found
	Missing
)

var states = [...]string{"not judged", "found", "missing"}

func (s State) String() string { return states[s] }

// A Candidate is where a reference may lead, in the order in which the generator tries.
type Candidate struct {
	File string // absolute path of a source, which has to be published
	URL  string // below the origin
	Name string // in the name space of the site
}

func (c Candidate) String() string {
	switch {
	case c.File != "":
		return c.File
	case c.URL != "":
		return c.URL
	}
	return c.Name
}

// A Result is where a reference leads.
type Result struct {
	State State
	File  string // absolute path of what was Found; "" for a page that has no source
	Page  *Page  // nil for files that are no pages
	// Why is the reason of a state: for Unknown, why it is not judged; for Missing, which
	// rule is broken, "" if there is nothing to say but that nothing is there.
	Why   string
	Other string // of Missing: absolute path of a file that is there, but not published or not reached
	// Case says that Other differs from what was asked for in upper and lower case alone.
	Case  bool
	Tried []Candidate
}
