package site

import (
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site/source"
)

// A Generator finds its sites.
type Generator struct {
	Name    string   // "MkDocs"
	Configs []string // patterns of the names of configuration files, and names of directories, that it looks for: "mkdocs.yml", "docusaurus.config.*", ".obsidian/"
	// Contents are the names of files that list the pages of a site, in lower case: "summary.md".
	Contents []string
	// Indexes are the names of files of Markdown and HTML that stand for their directory, the preferred one first.
	Indexes []string
	// Output is the directory, below that of the configuration, in which builds put the pages by default; "" if
	// that varies.
	Output string
	// Find returns the sites whose configuration is in a directory.
	Find func(d *source.Dir) []*Site
}

// A Model is a generator's support for one of its sites.
type Model interface {
	// Route sets Routes, Also, Names and Why of a page.
	Route(s *Site, p *Page)
}

// Optional methods of a Model. [Site.SetModel] looks for them once.
type (
	// A Finisher adds URLs and names that are known only after all pages.
	Finisher interface{ Finish(s *Site) }

	// An Includer knows which files a page includes. file is the page itself or a part of it, and text its
	// text. Unless the site has PartsInOrder, Parts is called for several pages at a time.
	Includer interface {
		Parts(s *Site, p *Page, file string, text []byte) Parts
	}

	// A TagReader knows whether everything that the templates in the text of a page include is known.
	TagReader interface {
		KnowsTags(s *Site, text []byte) bool
	}

	// An IDMaker knows whether code, templates or a plugin may add to the page of a file an id that is in no source.
	IDMaker interface {
		MakesID(s *Site, file, id string) bool
	}

	// An IDDoubter knows whether the ids of headings like the one with an id are not known: the heading has
	// letters for which the rule for ids is not known.
	IDDoubter interface {
		DoubtsID(s *Site, file, id string) bool
	}

	// A Builder knows whether a build may make a URL below the base, other than by Site.Made.
	Builder interface{ Makes(s *Site, u string) bool }

	// A Decider knows the file of code that decides whether there is a page at a URL below the base, as shown
	// to users, or "".
	Decider interface {
		DecidedBy(s *Site, u string) string
	}

	// A FileServer knows which file of a mount of pages is published at a URL below the base, by other rules
	// than its path.
	FileServer interface {
		FileAt(s *Site, u string) string
	}

	// A Copier knows which files beside pages are published as they are, other than by Site.Copies.
	Copier interface {
		Copies(s *Site, m *Mount, rel string) bool
	}

	// A Placer knows whether people read a file where the repository is shown.
	Placer interface {
		IsInPlace(s *Site, file string) bool
	}

	// An Explainer knows why the target of a reference does not exist, or what was meant.
	Explainer interface {
		Explain(s *Site, r *Reference) (why reason.Reason, other string)
	}

	// A Navigated model adds the entries of the navigation.
	Navigated interface{ Navigate(s *Site, n *Navigation) }

	// A Translator knows whether another source is published in place of a page in a language.
	Translator interface {
		IsTranslated(s *Site, p *Page, lang string) bool
	}

	// A Typer knows the media type of a file whose name does not determine it. "" means that of its name.
	Typer interface {
		Type(s *Site, file string) string
	}

	// An Expander replaces templates in a reference whose values are known.
	Expander interface {
		Expand(s *Site, u Use, ref string) (string, bool)
	}

	// An ObjectNamer knows whether [text][label] may name a piece of a program, or a label of another project.
	ObjectNamer interface{ MayBeObject(label string) bool }

	// A WikiReader resolves the name in a wiki link. Other sites resolve it as a vault does.
	WikiReader interface {
		Wiki(s *Site, u Use, name string) Result
	}

	// A Speller returns ways to write a reference to a file, the best first, or nil for those that all generators have.
	Speller interface {
		Spellings(s *Site, uses []Use, form Form, in, file, style string) []string
	}

	// A Member is a part of a group of sites that are published as one. Those with equal keys are a group.
	Member interface{ GroupKey() string }

	// A Namer knows the names of documents, labels and objects that documents use.
	Namer interface {
		// Label says whether anything else may define a label that no document defines.
		Label(s *Site, name string) Answer
		// Role says whether a name is defined that a role of reStructuredText uses.
		Role(s *Site, u Use, space, name string) Answer
		// Nearest returns the label that an undefined one most likely means.
		Nearest(name string) (label string, isCertain bool)
		// Defines reports whether a file defines a label.
		Defines(s *Site, file, label string) bool
		// DefinedIn returns the file that defines a label, or two if several do.
		DefinedIn(label string) (files []string)
		// Documents returns the files of documents that a pattern matches. isAll is false if there may be more.
		Documents(s *Site, u Use, pattern string) (files []string, isAll bool)
	}
)

// Parts are the files that a file includes by itself.
type Parts struct {
	Files   []string
	Guessed map[string]bool // those of Files, and perhaps others, that may be included: an attribute is in the name
	IsOpen  bool            // there may be more, or ids that are in no source
	// Cuts has the shown pieces of those of Files that are shown only in part. The zero Cut is the whole file.
	Cuts map[string][]Cut
}

// An Answer says whether something exists, and for Unknown why that is not known.
type Answer struct {
	State    State
	File     string // of StillServes: the file that is served, or ""
	Why      reason.Reason
	IsWarned bool // for Missing: the generator itself warns of it by default
	// Lists names, for Missing, the lists that do not have the name either: lists of names of other projects,
	// which may be older than the documents; or OwnNamesOnly. It is "" if the name cannot be one of another
	// project.
	Lists string
}

// OwnNamesOnly replaces the lists if nearly all names that the site uses are its own.
const OwnNamesOnly = "own"

// asks holds what a model answers; nil for other questions.
type asks struct {
	model       Model
	finisher    Finisher
	includer    Includer
	tagReader   TagReader
	idMaker     IDMaker
	idDoubter   IDDoubter
	builder     Builder
	decider     Decider
	fileServer  FileServer
	copier      Copier
	placer      Placer
	explainer   Explainer
	navigated   Navigated
	translator  Translator
	typer       Typer
	expander    Expander
	objectNamer ObjectNamer
	wikiReader  WikiReader
	speller     Speller
	member      Member
	namer       Namer
}

// SetModel sets the generator's support for the site.
func (s *Site) SetModel(m Model) {
	s.model = m
	s.finisher, _ = m.(Finisher)
	s.includer, _ = m.(Includer)
	s.tagReader, _ = m.(TagReader)
	s.idMaker, _ = m.(IDMaker)
	s.idDoubter, _ = m.(IDDoubter)
	s.builder, _ = m.(Builder)
	s.decider, _ = m.(Decider)
	s.fileServer, _ = m.(FileServer)
	s.copier, _ = m.(Copier)
	s.placer, _ = m.(Placer)
	s.explainer, _ = m.(Explainer)
	s.navigated, _ = m.(Navigated)
	s.translator, _ = m.(Translator)
	s.typer, _ = m.(Typer)
	s.expander, _ = m.(Expander)
	s.objectNamer, _ = m.(ObjectNamer)
	s.wikiReader, _ = m.(WikiReader)
	s.speller, _ = m.(Speller)
	s.member, _ = m.(Member)
	s.namer, _ = m.(Namer)
}

// Model returns the generator's support for the site.
func (s *Site) Model() Model { return s.model }

// Group returns the sites that are published as one with s, including s itself, by directory.
func (s *Site) Group() []*Site {
	if s.group == nil {
		return []*Site{s}
	}
	return s.group()
}

// Around returns the sites in the upper directories of the repository.
func (s *Site) Around() []*Site {
	if s.around == nil {
		return nil
	}
	return s.around()
}
