package site

import (
	"bytes"
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
	names         map[string]bool     // that URLs end in, in lower case; nil before Serves

	byEnd map[string][]string // URLs of pages by their last names; nil before it is asked for

	wikiFiles map[string][]wikiFile    // by wikiKey of their names; nil before it is asked for
	idMakers  map[string]bool          // pages whose components may make ids
	hosted    []redirect               // rules of the host
	ignored   []func(file string) bool // what .gitignore leaves out; nil is not read
}

// IsLoose reports whether ids of headings are made by rules that no flavour of Slug has:
// letters and digits are what can be compared.
func (s *Site) IsLoose() bool { return s.isLoose }

// LabelSpace returns the namespace of Mentions that are labels of the site, "" if it has none.
func (s *Site) LabelSpace() string {
	if s.hasLabels {
		return markdown.RefSpace
	}
	return ""
}

// Label says whether a label is defined in a document of the site. isOwn is false for the
// fragment of a reference to another document. why is the reason for Unknown.
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

// labelName returns a label as labels are compared: in lower case, white space merged.
func labelName(name string) string { return strings.Join(strings.Fields(strings.ToLower(name)), " ") }

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

// Leaves reports whether an attribute list behind a link, without braces, says that it is left as it
// is written.
func (s *Site) Leaves(list []byte) bool { return s.leavesLink != nil && s.leavesLink(list) }

// HasLeft reports whether Leaves may be true.
func (s *Site) HasLeft() bool { return s.leavesLink != nil }

// DropsTitleIDs reports whether headings of level 1 are shown without their ids.
func (s *Site) DropsTitleIDs() bool { return s.dropsTitleIDs }

// HasTermIDs reports whether terms of definition lists have ids, made like those of headings.
func (s *Site) HasTermIDs() bool { return s.hasTermIDs }

// MayMakeID reports whether code or templates of the project, or a plugin, may give the page of a
// file an id that no source has.
func (s *Site) MayMakeID(file, id string) bool {
	return s.makesID != nil && s.makesID(s, file, id)
}

// GuessesIDs reports whether MayMakeID is true of any id of a file, since a template computes one.
func (s *Site) GuessesIDs(file string) bool { return s.makesAnyID != nil && s.makesAnyID(file) }

// KnowsTags reports whether all that the templates in the text of a page include is known.
func (s *Site) KnowsTags(text []byte) bool {
	if s.knowsTags == nil {
		return !bytes.Contains(text, []byte("{%"))
	}
	return s.knowsTags(s, text)
}

// Parts returns the files that a page includes, also through others. isComplete is false
// if it may include more, or may have ids that no source has.
func (s *Site) Parts(file string) (parts []string, isComplete bool) {
	s.load()
	return s.shows[file], s.knowsParts && !s.open[file]
}

// KnowsIDs reports whether Parts tells of each page whether all its ids are known.
func (s *Site) KnowsIDs() bool { return s.opens != nil }

// MayBeObject reports whether [text][label] may name a piece of a program.
func (s *Site) MayBeObject(label string) bool {
	return s.hasOthers && !strings.Contains(label, "://") || s.hasObjects && strings.Contains(label, ".")
}

// HasAutorefs reports whether [text][label] may name a heading of any page of the site.
func (s *Site) HasAutorefs() bool { return s.hasAutorefs }

// IsCode reports whether a file is a part of the program that makes the site.
func (s *Site) IsCode(file string) bool {
	m := s.mountOf(file)
	return m != nil && m.isCode
}

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
	Match  func(rel string) bool
	Why    string // why what is Hidden is not published: "excluded by exclude_docs"
	isCode bool   // templates and programs
	// InPlace says that what is Hidden is read where the repository is shown.
	InPlace bool
	// Name distinguishes mounts between which links by source path do not work.
	Name string
}

// A Page is a source file and where it is published.
type Page struct {
	File   string   // absolute path of the source; "" where only the route is known
	Routes []string // below Site.Base: the first is the canonical one
	Also   []string // other URLs that lead here: aliases and redirects
	Moved  []string // of Also, those that redirect to the first of Routes
	Names  []string // what a name space may call it
	Mount  *Mount
	Rel    string // path below Mount.Dir
	// Why says why the page is not published: "is a draft". "" is published.
	Why  string
	Lang string // language, where the site has several; "" is the default

	IDs []string // ids that the generator adds to the page

	front  value
	isPart bool // included in other pages only
	isCopy bool // published as it is, and not rendered
	isData bool // no page by itself, but code may show it on others
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
	IsVerbatim bool // an attribute list behind the link says that it is left as it is
	IsLine     bool // a regular expression takes the line of the link for a definition: "[x]: …"
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
	Unknown State = iota // nothing: it may be made at build time, or be outside the site
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
	// IsBeside says that the reference leads out of the site to another one of the repository,
	// provided that their directories stand to each other as what is published does.
	IsBeside bool
}
