package lead

import (
	"cmp"
	"fmt"
	"strings"
	"sync"

	"example.org/refract/extract"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/publish"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/input"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
)

// A World knows the targets of references. All phases read it. What inference learns from the references of
// a tree is set once; until then it is empty.
type World struct {
	Library
	Learnt
}

// A Library has the documents and files of a tree, and who publishes them. Its answers do not depend on
// inference.
type Library struct {
	doc.Reader
	*Inputs
	*tree.Projects
	*Lookups
	Confined *tree.Confined // below the Tree
	Files    *tree.Listings
	Layouts  *publish.Layouts
}

// Learnt is what inference has learnt from the references of a tree about how it is published.
type Learnt struct {
	Given        publish.Serving                              // from Options
	Servings     map[string]*publish.Serving                  // by boundary
	Copied       map[string]string                            // directories that a build copies, by the missing directory where it puts them; see learnCopied
	Made         map[*site.Site]map[string]*publish.MadeCount // by directory of the URL
	Mapped       map[*site.Site]map[string]Mapping            // by directory of the URL below the base
	Doubted      map[FormKey]Doubt                            // forms of links for which the rules of the generator are doubtful
	Rooted       map[*site.Site]*publish.RootCount            // references "/x" of each site
	Included     Inclusions                                   // of reStructuredText and AsciiDoc, and by components of documents without a site
	Together     map[string]bool                              // directories whose documents a program puts on one page
	Nesting      map[string]bool                              // by group: whether a program puts the ids of the headings around a heading before its own
	Tabs         map[string]bool                              // fragments that a script handles, each after the group of the documents that have it
	HasImagesDir bool                                         // whether a build sets imagesdir; see mayHaveImagesDir
}

// Lookups cache the lookups of checks. They are safe for concurrent use.
type Lookups struct {
	There        lazy.Map[string, bool]                // whether a directory exists
	real         lazy.Map[string, string]              // targets of symbolic links to files of sites
	realDirs     lazy.Map[string, string]              // directories without symbolic links
	Lines        lazy.Map[string, int]                 // number of lines by path of the file; -1 if it is not text
	TestInput    lazy.Map[[2]string, bool]             // by a directory and one below it; see judge.IsInTests
	Vendored     lazy.Map[string, bool]                // by directory
	apps         lazy.Map[string, []string]            // by directory; see appRoots
	ownApps      lazy.Map[ownAppKey, string]           // results of ownApp
	programs     lazy.Map[string, string]              // results of programOf, by directory
	programSites lazy.Map[string, *site.Site]          // results of ProgramSite, by directory
	publishMore  lazy.Map[*site.Site, bool]            // results of MayPublishMore
	Packaged     lazy.Map[string, bool]                // results of hasProgramPackage, by directory
	definedIn    lazy.Map[string, map[string]bool]     // labels that a file defines which is no document
	stringsIn    lazy.Map[string, map[string]bool]     // results of pathsIn, by script
	servers      lazy.Map[string, []*server]           // results of serversOf, by directory
	serversIn    lazy.Map[string, []*server]           // results of findServers, by directory
	serverFiles  lazy.Map[string, []*server]           // results of readServers, by directory
	named        lazy.Map[string, map[string]int]      // results of namedTogether, by boundary
	ShownIn      lazy.Map[string, map[string][]string] // by boundary; see shownBy
	served       lazy.Map[string, *Inclusions]         // results of findServed, by boundary
	scriptIDs    lazy.Map[string, map[string]bool]     // results of scriptIDsOf, by document
	aliases      lazy.Map[string, map[string]string]   // by boundary; see aliasesOf
	unknownIDs   lazy.Map[string, *UnknownIDs]         // by document
	movesPage    lazy.Map[string, bool]                // by directory; see movesPages
	crates       lazy.Map[string, string]              // results of crateOf, by directory
	writerside   lazy.Map[string, string]              // results of WritersideDir, by directory
	codeTexts    lazy.Map[string, map[string]string]   // by directory; see codeTextsOf
	rustTexts    lazy.Map[string, map[string]bool]     // by crate; see rustTextsOf
	built        lazy.Map[string, map[string]string]   // by directory; see builtFrom
	ignoreLines  lazy.Map[string, map[string]bool]     // by file; see isNamedByIgnore
	blockEnds    lazy.Map[string, []int]               // by file; see MayExclude
	alone        lazy.Map[string, map[string]bool]     // by document; see aloneInBrackets
	resources    lazy.Map[string, map[string]bool]     // by directory; see resourcesOf
	hasModules   lazy.Map[string, bool]                // by directory; see includesModules
	imagesDirs   lazy.Map[string, *imagesDirs]         // results of imagesDirsOf, by page
	imagesDirsIn lazy.Map[string, *imagesDirs]         // results of readImagesDirs, by document
	submodules   lazy.Map[string, []string]            // by boundary; see submodulesOf
	Others       lazy.Map[string, *doc.Document]       // documents that are read only for their anchors; nil if a file has none
	Ignored      lazy.Value[*Ignored]
	rstNames     rstNames // of documents that include others
	Listed       fileSet  // documents that are in a toctree
}

// A fileSet is a set of paths.
type fileSet struct {
	mu    sync.Mutex
	Files map[string]bool
}

func (s *fileSet) Add(file string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Files == nil {
		s.Files = map[string]bool{}
	}
	s.Files[file] = true
}

// Inputs holds the documents, and the other files of the audited directories.
type Inputs struct {
	Docs []*doc.Document // in the order of Paths
	// Sorted holds the same documents by path. Inference from the first documents of many, or from the first
	// with a reference, must not depend on the order of Paths.
	Sorted []*doc.Document
	// Configuration files with navigation, which are checked after docs.
	Navigation []*doc.Document
	ByPath     map[string]*doc.Document // these
	ByName     map[string][]string      // paths of all files of the tree, by their last component
	// Symbolic links that point outside the repository: by the folded stem of their names, and whether one is a
	// document.
	LinksOut    map[string]bool
	DocumentOut bool
}

// Boundary returns the directory that bounds the targets of references in d: its repository, or the
// directory of Paths that it is in.
func (a *Library) Boundary(d *doc.Document) string { return a.Projects.Boundary(d.Dir(), d.Top) }

// GroupOf returns the directory that groups d with documents that the same program most likely publishes:
// the first one below its boundary.
func GroupOf(a *Library, d *doc.Document) string {
	top := a.Boundary(d)
	first, _, isBelow := strings.Cut(strings.TrimPrefix(d.Path, top+"/"), "/")
	if !isBelow {
		return top
	}
	return top + "/" + first
}

// Packages returns the directories that "/x" in d may mean: the package that holds d, and the boundary of d.
func (a *Library) Packages(d *doc.Document) []string { return a.Projects.Packages(d.Dir(), d.Top) }

// SiteAt returns the site that a file is part of, or nil.
func (a *Library) SiteAt(p string) *site.Site {
	return a.Layouts.Of(&doc.Document{Path: p, Top: a.TopOf(p)}).Generated
}

// Absolute returns the absolute path of a name in Options.
func (a *Library) Absolute(name string) string { return tree.Absolute(a.Reader.Names.Dir, name) }

// Directory returns the absolute path of a directory that an option names.
func (a *Library) Directory(name string) (string, error) {
	info, err := a.Shared.Tree.Stat(input.Join(cmp.Or(a.Reader.Names.Dir, "/"), name))
	if err != nil {
		return "", fmt.Errorf("%q: %w", name, tree.Cause(err))
	}
	if !info.IsDir() {
		return "", fmt.Errorf("%q: not a directory", name)
	}
	return a.Absolute(name), nil
}

// Size returns the number of bytes in all documents, or -1 if one is compressed or a pipe.
func (a *Library) Size() (n int64) {
	for _, d := range a.Docs {
		if d.File.Path == "-" || input.Inner(d.File.Path) != d.File.Path {
			return -1
		}
		if info, err := a.Shared.Tree.Stat(d.File.Path); err == nil {
			n += info.Size()
		}
	}
	return n
}

// Document returns the document at a path: an input, or a file that is read for its anchors. It
// returns nil if the file cannot have anchors.
func (a *Library) Document(p string) *doc.Document {
	if d := a.ByPath[p]; d != nil {
		return d
	}
	return a.Others.Get(p, a.readOther)
}

func (a *Library) readOther(p string) *doc.Document {
	if k := a.KindOf(p); !k.IsDocument || k.Fragments == extract.NoFragments {
		return nil
	}
	d := a.NewDocument(p)
	a.SetLayout(d)
	if info, err := a.Shared.Tree.Stat(p); err == nil && info.Mode().IsRegular() {
		d.Prepare()
		a.Read(d)
		d.Pack()
		d.Packed.Refs, d.Packed.RefCount, d.Packed.Forbidden, d.Packed.ForbiddenCount = "", 0, "", 0
		d.Undefined, d.Names = nil, nil
		d.Bytes.Store(nil)
	} else {
		d.IsPartial = true
	}
	return d
}

// Target returns a path in the form that Finding.Target shows. For a document, that is the File of
// the findings in it.
func (a *Library) Target(p string) string {
	if to := a.ByPath[p]; to != nil {
		return to.Name
	}
	if p == "" {
		return ""
	}
	return a.Shown(p)
}

// SetLayout sets the layout of d. It also sets the format of d if the site says more than the name.
func (a *Library) SetLayout(d *doc.Document) {
	d.Layout = a.Layouts.Of(d)
	if s := d.Layout.Generated; s != nil && d.File.Type == "" {
		if t := s.MarkupType(d.Path); t != "" {
			d.File.Type = t
			c := extract.Config{Formats: a.MoreFormats}
			d.Kind = doc.Kind{IsDocument: true, Fragments: c.FormatOfType(t).Fragments}
		}
	}
}

// IsTemplate reports whether a file that is no document by its name is a page that the generator of a
// site makes of a template.
func (a *Library) IsTemplate(p string) bool {
	if !site.MayBeTemplate(p) {
		return false
	}
	s := a.SiteAt(p)
	return s != nil && s.MarkupType(p) != ""
}

// Ignored reports whether ignore files exclude a path, one at a time.
type Ignored struct {
	Mu sync.Mutex
	Is func(path string) bool
}

// HasTwins reports whether several names in a directory differ from name in case or
// composition alone.
func (a *Library) HasTwins(dir, name string) bool { return a.Files.List(dir).HasTwins(name) }

// DefinedIn returns the files that define a label of the site of d: two if several do, none if it is not known.
func (a *Library) DefinedIn(d *doc.Document, label string) (files []string) {
	for _, file := range d.Layout.Generated.Names().DefinedIn(label) {
		files = append(files, a.realOf(file))
	}
	return files
}

// Labelled returns the file that defines a label of the site of d, and the id and line of the label
// there. file is "" if it is not known or if several files define the label.
func (a *Library) Labelled(d *doc.Document, label string) (file, id string, line int) {
	files := a.DefinedIn(d, label)
	if len(files) != 1 {
		return "", "", 0
	}
	file = files[0]
	to := a.Document(file)
	if to == nil {
		return file, "", 0
	}
	for _, name := range [...]string{slug.Docutils.Slug(slug.Heading{Text: label}), label} {
		if id, live := to.IDs().Hit(name); live && id != "" {
			return file, id, max(0, to.IDs().Line(id))
		}
	}
	return file, "", 0
}
