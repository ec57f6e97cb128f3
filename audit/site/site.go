package site

import (
	"bytes"
	"slices"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
)

// A Site is what one configuration file publishes.
type Site struct {
	Generator string // "MkDocs"
	Config    string // absolute path of the configuration file
	Dir       string // absolute path of its directory
	Base      string // path of the site's URL, with a slash at both ends: "/", "/docs/"
	// IsBaseKnown is false if the configuration computes the base: Base is a guess then.
	IsBaseKnown bool
	Origin      string           // "https://example.org", for absolute links into the site; "" means unknown
	Slug        slug.Flavour     // how the generator makes ids of headings
	Dialect     markdown.Dialect // of Markdown; DialectOf returns that of a single file
	Mounts      []*Mount

	rules
	antora        *antora        // nil for other generators
	around        func() []*Site // the sites in the upper directories of the repository
	sameComponent func() []*Site // of Antora: those that have been found of its component, with its version, itself among them; by directory
	tree          *tree
	isLoaded      bool
	mountsIn      map[string][]*Mount // by Mount.Dir
	mounted       int                 // of Mounts, how many mountsIn has
	pages         map[string]*Page    // by absolute path of the source
	routes        map[string]*Page    // by URL below Base, unescaped: "/guide/setup/"
	byName        map[string][]*Page
	segments      map[string]bool     // first segments of routes and of static files
	includes      map[string][]*Page  // the pages that include a file
	shows         map[string][]string // the files that a page includes
	open          map[string]bool     // pages that may have ids that no source has
	labels        map[string]bool     // of all documents, in lower case

	names     lazy.Value[map[string]bool]       // that URLs end in, in lower case
	below     lazy.Map[string, int]             // pages by directory; see Below
	byEnd     lazy.Value[map[string][]string]   // URLs of pages by their last names
	wikiFiles lazy.Value[map[string][]wikiFile] // by wikiKey of their names
	idMakers  lazy.Map[string, bool]            // whether components of a page may make ids
	hosted    []redirect                        // rules of the host
}

// IsLoose reports whether the generator makes ids of headings by rules that no flavour of Slug
// follows. Then only their letters and digits can be compared.
func (s *Site) IsLoose() bool { return s.isLoose }

// LabelSpace returns the name space of Mentions that are labels of the site, or "" if the site has no
// labels.
func (s *Site) LabelSpace() string {
	if s.hasLabels {
		return markdown.RefSpace
	}
	return ""
}

// Label returns whether a document of the site defines a label. isOwn is false for the fragment of
// a reference to another document. why is the reason for Unknown.
func (s *Site) Label(name string, isOwn bool) (state State, why string) {
	s.load()
	switch {
	case !s.hasLabels:
		return Missing, ""
	case s.labels[labelName(name)], s.labels[bareName(name)]:
		return Found, ""
	case isOwn && s.labelMayBe != nil:
		return s.labelMayBe(s, name)
	}
	return Missing, ""
}

// labelName returns the form of a label in which labels are compared: in lower case, with white
// space collapsed.
func labelName(name string) string { return strings.Join(strings.Fields(strings.ToLower(name)), " ") }

// Expand replaces the templates in a reference by their values. ok is false if a value is unknown.
func (s *Site) Expand(u Use, ref string) (expanded string, ok bool) {
	if s.expand == nil {
		return ref, false
	}
	s.load()
	return s.expand(s, u, ref)
}

// ReadsSource reports whether the generator rewrites links according to their spelling in the
// source. If it does, set Use.IsAngle.
func (s *Site) ReadsSource() bool { return s.readsSource }

// ReadsTitles reports whether the title of a Markdown link tells how it is resolved. If so, set Use.Title.
func (s *Site) ReadsTitles() bool { return s.readsTitles }

// QueryFragment returns the fragment that the query of a reference contains, for a site of routes.
func (s *Site) QueryFragment(ref string) (fragment string, ok bool) {
	_, query, hasQuery := strings.Cut(ref, "?")
	if s.fragmentKey == "" || !hasQuery {
		return "", false
	}
	for part := range strings.SplitSeq(query, "&") {
		key, value, _ := strings.Cut(part, "=")
		if key == s.fragmentKey {
			return value, true
		}
	}
	return "", false
}

// Leaves reports whether an attribute list after a link, given without braces, tells the generator not
// to rewrite the link.
func (s *Site) Leaves(list []byte) bool { return s.leavesLink != nil && s.leavesLink(list) }

// HasLeft reports whether Leaves can return true.
func (s *Site) HasLeft() bool { return s.leavesLink != nil }

// DropsTitleIDs reports whether headings of level 1 are shown without their ids.
func (s *Site) DropsTitleIDs() bool { return s.dropsTitleIDs }

// HasTermIDs reports whether terms of definition lists have ids, made like the ids of headings.
func (s *Site) HasTermIDs() bool { return s.hasTermIDs }

// MayMakeID reports whether code, templates or components of the project, or a plugin, may add to the page of a
// file an id that is in no source.
func (s *Site) MayMakeID(file, id string) bool {
	return s.makesID != nil && s.makesID(s, file, id) || s.componentHasID(file, id)
}

// GuessesIDs reports whether MayMakeID is true for every id of a file, because a template computes an
// id.
func (s *Site) GuessesIDs(file string) bool { return s.makesAnyID != nil && s.makesAnyID(s, file) }

// KnowsTags reports whether everything that the templates in the text of a page include is known.
func (s *Site) KnowsTags(text []byte) bool {
	if s.knowsTags == nil {
		return !bytes.Contains(text, []byte("{%"))
	}
	return s.knowsTags(s, text)
}

// Parts returns the files that a page includes, directly or through others. isComplete is false if
// the page may include more, or may have ids that are in no source.
func (s *Site) Parts(file string) (parts []string, isComplete bool) {
	s.load()
	return s.shows[file], s.knowsParts && !s.open[file]
}

// Together returns the other files that are shown on the same pages as a file.
func (s *Site) Together(file string) (files []string) {
	s.load()
	files = slices.Clone(s.shows[file])
	for _, page := range s.includes[file] {
		files = append(append(files, page.File), s.shows[page.File]...)
	}
	slices.Sort(files)
	return slices.DeleteFunc(slices.Compact(files), func(other string) bool { return other == file })
}

// KnowsIDs reports whether Parts says, for each page, whether all its ids are known.
func (s *Site) KnowsIDs() bool { return s.opens != nil }

// MayBeObject reports whether [text][label] may name a piece of a program.
func (s *Site) MayBeObject(label string) bool {
	return s.hasOthers && !strings.Contains(label, "://") || s.hasObjects && strings.Contains(label, ".")
}

// HasAutorefs reports whether [text][label] may name a heading of any page of the site.
func (s *Site) HasAutorefs() bool { return s.hasAutorefs }

// IsCode reports whether a file is part of the program that makes the site.
func (s *Site) IsCode(file string) bool {
	m := s.mountOf(file)
	return m != nil && m.isCode
}

// DialectOf returns the Markdown dialect in which the generator reads a file.
func (s *Site) DialectOf(file string) markdown.Dialect {
	if s.mdx != (markdown.Dialect{}) && strings.HasSuffix(file, ".mdx") {
		return s.mdx
	}
	return s.Dialect
}

// Load finds the pages of the site. Other methods call it where they need it.
func (s *Site) Load() { s.load() }

// TakeText returns the text of a page if the site has read all of it, and drops it, so that later
// calls return false. The caller must not change the text.
func (s *Site) TakeText(file string) (text []byte, ok bool) {
	if !s.isDocument(file) {
		return nil, false
	}
	return s.tree.take(file)
}

// A Kind says how the files of a Mount are published.
type Kind uint8

const (
	Pages   Kind = iota // documents become pages; other files may be published beside them
	Static              // published as they are
	Partial             // included in pages, never published by themselves
	Hidden              // not published
)

// A Mount is a directory of a Site. If several hold a file, the deepest counts, or the first of the
// deepest.
type Mount struct {
	Dir  string // absolute path
	URL  string // below Site.Base, with a slash at both ends
	Kind Kind
	// Match reports whether a file is part of the mount, given its path below Dir. nil matches
	// all files.
	Match  func(rel string) bool
	Why    string // why Hidden files are not published: "excluded by exclude_docs"
	isCode bool   // templates and programs
	// InPlace says that people read Hidden files where the repository is shown.
	InPlace bool
	// Name distinguishes mounts between which links by source path do not work.
	Name string
}

// A Page is a source file and where it is published.
type Page struct {
	File   string   // absolute path of the source; "" if only the route is known
	Routes []string // URLs below Site.Base, the canonical one first
	Also   []string // other URLs that lead here: aliases and redirects
	Moved  []string // those of Also that redirect to the first of Routes
	Names  []string // names of the page in name spaces
	Mount  *Mount
	Rel    string // path below Mount.Dir
	// Why says why the page is not published: "is a draft". "" means that it is published.
	Why  string
	Lang string // language, if the site has several; "" means the default

	IDs []string // ids that the generator adds to the page

	front  value
	isPart bool // only included in other pages
	isCopy bool // published as it is, without rendering
	isData bool // not a page by itself, but code may show it on others
}

// Route returns the canonical URL of the page, with the base of s.
func (s *Site) Route(p *Page) string {
	if len(p.Routes) == 0 {
		return ""
	}
	return strings.TrimSuffix(s.Base, "/") + p.Routes[0]
}

// A Use is a place where a reference is used. File holds the reference, and Page is the page that
// shows it. They differ if Page includes File.
type Use struct {
	Page *Page
	File string   // absolute path
	Via  []string // the files that include one another between Page and File, outermost first

	IsExpanded bool   // templates in the reference were expanded
	IsAngle    bool   // the reference is in angle brackets: [x](<y>)
	IsVerbatim bool   // an attribute list after the link tells the generator not to rewrite it
	Title      []byte // what follows the destination of a link, up to its end
	IsLine     bool   // a regular expression takes the line of the link for a definition: "[x]: …"
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

// A State says what is known about the target of a reference.
type State uint8

const (
	Unknown State = iota // it may be made at build time, or be outside the site
	Found
	Missing
)

var states = [...]string{"not judged", "found", "missing"}

func (s State) String() string { return states[s] }

// A Candidate is a place where a reference may lead.
type Candidate struct {
	File string // absolute path of a source, which must be published
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
	File  string // absolute path of the file if Found; "" for a page without a source
	Page  *Page  // nil for files that are not pages
	// Why is the reason for State. For Unknown, it says why the reference is not judged. For
	// Missing, it says which rule the reference breaks, or is "" if the target just does not exist.
	Why   string
	Other string // for Missing: absolute path of a file that exists, but is not published or not reached
	// Case says that Other differs from the requested path only in case.
	Case  bool
	Tried []Candidate
	// IsBeside says that the reference leads out of the site to another one of the repository,
	// provided that the published sites keep the relative positions of their directories.
	IsBeside bool
	// IsUnmounted says that the site, at the root of its host, has nothing below the first name of the URL.
	// State is Unknown, since the host may have something else there.
	IsUnmounted bool
}
