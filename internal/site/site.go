package site

import (
	"bytes"
	"slices"
	"strings"
	"sync/atomic"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/literal"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site/source"
)

// A Site is the part of the tree that one configuration file publishes.
type Site struct {
	Generator string           // "MkDocs"
	Config    string           // absolute path of the configuration file
	Dir       string           // absolute path of its directory
	Slug      slug.Algorithm   // how the generator makes ids of headings
	Dialect   markdown.Dialect // of Markdown; DialectOf returns that of a single file

	Address
	Settings
	Index
	asks
	around   func() []*Site // the sites in the upper directories of the repository
	group    func() []*Site // those that have been found of its group
	Tree     *source.Tree
	isLoaded bool

	names        lazy.Value[map[string]bool]       // that URLs end in, in lower case
	sorted       lazy.Value[[]string]              // URLs of pages with sources, in order; see Below
	byEnd        lazy.Value[map[string][]string]   // URLs of pages by their last names
	wikiFiles    lazy.Value[map[string][]wikiFile] // by WikiKey of their names
	idMakers     lazy.Map[string, bool]            // whether components of a page may make ids
	hosted       hostRules                         // rules of the host
	replacements ruleIndex                         // rules of AddReplacement
	redirects    []Redirect                        // see Redirects
	modules      lazy.Map[string, []string]        // source.Tree.Modules of the files of redirects

	misspelled lazy.Map[string, bool] // by first names in URLs; see HasMisspelled
}

// Expand replaces the templates in a reference by their values. ok is false if a value is unknown.
func (s *Site) Expand(u Use, ref string) (expanded string, ok bool) {
	if s.expander == nil {
		return ref, false
	}
	s.Load()
	return s.expander.Expand(s, u, ref)
}

// ID says whether the page of a file has an id that is in no source. The generator adds it, or, for Unknown, code,
// templates, components or a plugin may do so.
func (s *Site) ID(file, id string) Answer {
	c := componentPage{s, file}
	switch p := s.Page(file); {
	case p != nil && slices.Contains(p.IDs, id):
		return Answer{State: Found}
	case s.idMaker != nil && s.idMaker.MakesID(s, file, id), c.hasID(id):
		return Answer{Why: reason.CodeID}
	case s.Components && s.idMakers.Get(file, func(string) bool { return c.makesIDs() }):
		return Answer{Why: reason.ComponentID}
	}
	return Answer{State: Missing}
}

// DoubtsID reports whether an id that a rule makes of a heading of a file may be another one.
func (s *Site) DoubtsID(file, id string) bool {
	return s.idDoubter != nil && s.idDoubter.DoubtsID(s, file, id)
}

// KnowsTags reports whether everything that the templates in the text of a page include is known.
func (s *Site) KnowsTags(text []byte) bool {
	if s.tagReader == nil {
		return !bytes.Contains(text, []byte("{%"))
	}
	return s.tagReader.KnowsTags(s, text)
}

// Parts returns the files that a page includes, directly or through others. isComplete is false if
// the page may include more, or may have ids that are in no source.
func (s *Site) Parts(file string) (parts []string, isComplete bool) {
	s.Load()
	return s.Shows[file], s.Knows >= AllParts && !s.open[file]
}

// Together returns the other files that are shown on the same pages as a file.
func (s *Site) Together(file string) (files []string) {
	s.Load()
	files = slices.Clone(s.Shows[file])
	for _, page := range s.IncludedBy[file] {
		files = append(append(files, page.File), s.Shows[page.File]...)
	}
	slices.Sort(files)
	return slices.DeleteFunc(slices.Compact(files), func(other string) bool { return other == file })
}

// IsCode reports whether a file is part of the program that makes the site.
func (s *Site) IsCode(file string) bool {
	m := s.MountOf(file)
	return m != nil && m.IsCode
}

// MarkupType returns the media type of a file of the site if its name does not determine it, and ""
// otherwise.
func (s *Site) MarkupType(file string) string {
	if s.typer == nil {
		return ""
	}
	s.Load()
	return s.typer.Type(s, file)
}

// SourceDir returns the directory of the documents of Sphinx, to which "/x" is relative; that of the configuration of
// another site.
func (s *Site) SourceDir() string {
	if s.RST.Dir != "" {
		return s.RST.Dir
	}
	return s.Dir
}

// DialectOf returns the Markdown dialect in which the generator reads a file. An .mdx file is always MDX.
func (s *Site) DialectOf(file string) markdown.Dialect {
	switch {
	case !strings.HasSuffix(file, ".mdx"):
		return s.Dialect
	case s.MDX != markdown.Dialect{}:
		return s.MDX
	case s.Dialect.MDX:
		return s.Dialect
	}
	return markdown.MDX2
}

// IsExample reports whether a file is an example that pages show in part.
func (s *Site) IsExample(file string) bool {
	m := s.MountOf(file)
	return m != nil && m.IsExample
}

// TakeText returns the text of a page if the site has read all of it, and drops it, so that later
// calls return false. The caller must not change the text.
func (s *Site) TakeText(file string) (text []byte, ok bool) {
	if !s.IsDocument(file) {
		return nil, false
	}
	return s.Tree.Take(file)
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
	Match     func(rel string) bool
	Why       reason.Reason // why Hidden files are not published: "excluded by exclude_docs"
	IsCode    bool          // templates and programs
	IsExample bool          // pages show tagged parts of its files
	// MayBe says that its files may be published, by steps of a build that are not in the tree.
	MayBe bool
	// InPlace says that people read Hidden files where the repository is shown.
	InPlace bool
	// Name distinguishes mounts between which links by source path do not work.
	Name string
}

// A Page is a source file and where it is published.
type Page struct {
	File   string   // absolute path of the source; "" if only the route is known
	Routes []string // URLs below Site.Base, the canonical one first
	Also   []string // other URLs of the page: aliases and redirects
	Moved  []string // those of Also that redirect to the first of Routes
	Names  []string // names of the page in name spaces
	Mount  *Mount
	Rel    string // path below Mount.Dir
	// Why says why the page is not published: "is a draft". "" means that it is published.
	Why  reason.Reason
	Lang string // language, if the site has several; "" means the default

	IDs []string // ids that the generator adds to the page

	Front  source.Value
	IsPart bool // only included in other pages
	// IsUnlisted says that the navigation decides which documents are pages, and does not name this one.
	IsUnlisted bool
	IsCopy     bool // published as it is, without rendering
	// HasUnknownURL says that the page is published at a URL that only code knows. Routes is empty.
	HasUnknownURL bool
	IsData        bool // not a page by itself, but code may show it on others

	moved   atomic.Pointer[movedSet]
	aliases map[string]literal.Value // where the page says so that a URL of Moved redirects to it
}

// AddAlias adds a URL below the base that redirects to the page. v is the value in the page.
func (p *Page) AddAlias(u string, v literal.Value) {
	if p.aliases == nil {
		p.aliases = map[string]literal.Value{}
	}
	if _, again := p.aliases[u]; !again {
		p.aliases[u] = v
	}
	p.Also, p.Moved = append(p.Also, u), append(p.Moved, u)
}

// A movedSet has the earlier URLs of a page, and their redirectKeys after a zero byte.
type movedSet struct {
	size int // of Page.Moved
	has  map[string]bool
}

// IsMoved reports whether a URL below the base is one of Moved, with or without a slash at its end. It
// takes the same time however many there are.
func (p *Page) IsMoved(u string) bool { return len(p.Moved) > 0 && p.movedSet()["\x00"+redirectKey(u)] }

// isMovedExactly reports whether a URL below the base is one of Moved.
func (p *Page) isMovedExactly(u string) bool { return len(p.Moved) > 0 && p.movedSet()[u] }

func (p *Page) movedSet() map[string]bool {
	if set := p.moved.Load(); set != nil && set.size == len(p.Moved) {
		return set.has
	}
	has := make(map[string]bool, 2*len(p.Moved))
	for _, m := range p.Moved {
		has[m], has["\x00"+redirectKey(m)] = true, true
	}
	p.moved.Store(&movedSet{len(p.Moved), has})
	return has
}

// A Use is a place where a reference is used. File holds the reference, and Page is the page that shows it.
// They differ if Page includes File.
type Use struct {
	Page *Page
	File string   // absolute path
	Via  []string // the files that include one another between Page and File, outermost first
	// Pieces are those of File that Page shows; nil if it is all of it.
	Pieces []Piece

	IsExpanded bool   // templates in the reference were expanded
	Markup     Markup // how the reference is written
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

var states = [...]string{"not checked", "found", "missing"}

func (s State) String() string { return states[s] }

// A Candidate is a possible target of a reference, with instructions for the case that it does not exist.
// In Tried of a Result, only File, URL, Name and Lenient are set.
type Candidate struct {
	File string // absolute path of a source, which must be published
	URL  string // below the origin
	Name string // in the name space of the site
	// Lenient says that the generator finds File only with settings that are not known. It prevents findings, and no
	// reference is written for its sake.
	Lenient bool

	IsAsset  bool          // File may be any file, published or not, since the generator copies it
	IsFinal  bool          // the generator tries nothing else
	leaves   bool          // the path has led above the root of a site at the root of its host
	up       int           // number of levels that a relative path has led above the root of the site
	rest     string        // the path from there
	IsStrict bool          // the generator itself compares URL, so no host adds or drops ".html"
	Unknown  reason.Reason // why the target is unknown; nothing is tried then
	Why      reason.Reason // why the candidate cannot be right
	Other    string        // with Why: absolute path of the file that is probably meant
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

// A Result is the target of a reference.
type Result struct {
	State State
	File  string // absolute path of the file if Found; "" for a page without a source
	Page  *Page  // nil for files that are not pages
	// Why is the reason for State. For Unknown, it says why the reference is not checked. For Missing, it says
	// which rule the reference breaks, or is "" if the target just does not exist.
	Why   reason.Reason
	Other string // for Missing: absolute path of a file that exists, but is not published or not reached
	// Case says that Other differs from the requested path only in case.
	Case  bool
	Tried []Candidate
	// IsUnmounted says that the site has nothing below the first name of the URL.
	// State is Unknown, since the host may have something else there.
	IsUnmounted bool
}
