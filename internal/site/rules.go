package site

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/internal/reason"
)

// A Step returns the candidates for one way to resolve a reference.
type Step func(s *Site, r *Reference) []Candidate

// Settings are the properties that a generator gives its sites.
type Settings struct {
	Suffixes       []string // of files that become pages, in lower case
	HasBothSlashes bool     // visitors may see a page at /x/ also at /x, without a redirect: relative references then begin at either
	Slash          Slashes  // whether trailing slashes of URLs matter
	Links          Links    // how each form is resolved; nil means like the form that it falls back to
	IgnoresCase    bool     // the host ignores case in URLs
	FrontMatter    bool     // routes or the navigation depend on front matter
	Copies         Copying  // how the files beside pages are published
	DotDirs        []string // hidden directories that are read
	// Resources reports which files beside pages CopiesLinked publishes although no page links to them; nil for none.
	Resources func(rel string) bool

	Knows        Knowledge // which includes the model knows
	PartsInOrder bool      // Parts must be called for one page at a time
	IsLoose      bool      // ids follow the rules of no algorithm: compare letters and digits only
	HasTermIDs   bool      // terms of definition lists have ids, made like the ids of headings
	NoTitleIDs   bool      // headings of level 1 are shown without their ids
	Footnotes    string    // beginning of the ids of footnotes, before their labels; "" for those that the dialect has
	Components   bool      // pages may have components of MDX or Vue

	Made        []string            // prefixes of URLs that are made at build time
	Known       Known               // which URLs are known
	Generates   bool                // a plugin makes pages that have no source
	HasVariants bool                // it is not known which of several configurations is used, so that URLs may be others
	Hooks       []string            // files of code that the configuration names, which may change links
	IsProgram   bool                // code may publish documents of the directory that are in no mount; see Finder.ProgramOf
	LowerURLs   bool                // URLs are in lower case, whatever the names of sources are
	Linked      bool                // "/x.md" in Markdown names a source
	OwnHost     bool                // where the base is "/", no program adds pages, except below Made
	Compiled    map[string][]string // suffixes of published files, with those of their sources
	Routeless   []string            // working URLs without a source: redirects, and pages that the generator makes
	Computed    []string            // patterns of URLs that computed rules of the host may redirect: "*" is a part of a name, "**" the rest
	Loaded      []string            // names of documents that are shown beside pages, or loaded by their scripts: no reader opens their URLs
	moves       []move              // URLs that redirect to a known place

	Langs       []string // first segments of URLs in other languages than the default
	DefaultLang string   // first segment of URLs in the default language; "" for none

	MDX         markdown.Dialect  // of .mdx files, if different
	FragmentKey string            // key of a query whose value is the fragment; "" for none
	Autorefs    bool              // [text][label] may name a heading of any page
	IsVault     bool              // generators that publish its notes take precedence
	IsWiki      bool              // the wiki of a code host
	IsPicky     bool              // a plain name as a Markdown link may point elsewhere: write "./x.md"
	Attributes  map[string]string // of AsciiDoc, that the configuration sets; as in extract.Config.Attributes
	RST         RST
}

// Copying says how the files beside pages are published. References to them work, unless none are.
type Copying uint8

const (
	CopiesNone   Copying = iota
	CopiesAll            // all are published, by their paths
	CopiesLinked         // those to which pages link are published by their paths, and those of Settings.Resources
	CopiesNames          // pages show them, but nobody finds one at its path
)

// IsDocument reports whether the suffix of a file says that the generator makes a page of it.
func (s *Settings) IsDocument(rel string) bool {
	return slices.Contains(s.Suffixes, strings.ToLower(path.Ext(rel)))
}

// Skips reports whether a directory holds no files of any site.
func (s *Settings) Skips(name string) bool {
	return name == "node_modules" || name == ".git" || name[0] == '.' && !slices.Contains(s.DotDirs, name)
}

// Steps returns how a form is resolved.
func (s *Settings) Steps(form Form) []Step {
	if steps := s.Links[form]; steps != nil {
		return steps
	}
	switch form {
	case Image:
		return s.Steps(Markdown)
	case HTMLSource, Component:
		return s.Steps(HTML)
	case Markdown, HTML:
		return []Step{ByURL}
	}
	return []Step{Never}
}

// LangOf returns the language that a URL below the base begins with, or "".
func (s *Settings) LangOf(u string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(u, "/"), "/")
	if slices.Contains(s.Langs, first) {
		return first
	}
	return ""
}

// Language returns the language of a page, or "" for that of the pages whose URLs name none.
func (s *Settings) Language(p *Page) string {
	lang := p.Lang
	if lang == "" && len(p.Routes) > 0 {
		lang = s.LangOf(p.Routes[0])
	}
	if lang == s.DefaultLang {
		return ""
	}
	return lang
}

// QueryFragment returns the fragment that the query of a reference contains, for a site of routes.
func (s *Settings) QueryFragment(ref string) (fragment string, ok bool) {
	_, query, hasQuery := strings.Cut(ref, "?")
	if s.FragmentKey == "" || !hasQuery {
		return "", false
	}
	for part := range strings.SplitSeq(query, "&") {
		key, value, _ := strings.Cut(part, "=")
		if key == s.FragmentKey {
			return value, true
		}
	}
	return "", false
}

// FileURL returns the URL of a page by its path without suffix.
func (s *Settings) FileURL(name string) string {
	switch {
	case name == "" || strings.HasSuffix(name, "/"):
		return "/" + name
	case s.Slash == SlashAlways:
		return "/" + name + "/"
	case s.Slash == SlashNever:
		return "/" + name + ".html"
	}
	return "/" + name
}

// Links has the steps that resolve each form of a reference.
type Links [Macro + 1][]Step

// RST holds the settings for documents of reStructuredText.
type RST struct {
	Dir           string            // of the documents, to which "/x" is relative; "" means that of the configuration
	Root          string            // name of the document at the root of all toctrees
	Prolog        string            // text that the configuration adds to each document
	HasMoreProlog bool              // some of that text is unknown, and not in Prolog
	DefaultRole   string            // of text between backquotes; "" for none
	HasIDs        bool              // headings of Markdown also have the ids of docutils
	MaySubstitute bool              // a program may define substitutions
	Extlinks      map[string]string // roles that make URLs, as in extract.Config.Extlinks
}

// Knowledge says which includes of a site are known.
type Knowledge uint8

const (
	someParts Knowledge = iota
	AllParts            // all files that a page includes
	AllIDs              // these, and whether all ids of a page are known
)

// Known says which URLs below the base are known.
type Known uint8

const (
	OpenRoutes   Known = iota
	ClosedRoutes       // links of Markdown are to known pages only, or the generator shows its 404
	WholeSite          // everything, for links of any form
)

// Slashes says what a trailing slash of a URL means.
type Slashes uint8

const (
	SlashAlways  Slashes = iota // /x/ is x/index.html, and /x redirects there
	SlashIgnored                // /x and /x/ are the same page
	SlashNever                  // /x is a page, /x/ is not
)

// Never is the step for forms that the generator does not support.
func Never(*Site, *Reference) []Candidate {
	return []Candidate{{Unknown: reason.FormUnknown}}
}

// FileCandidate returns a candidate for a file.
func FileCandidate(file string) Candidate { return Candidate{File: file} }

// AssetCandidate returns a candidate for any file, published or not, since the generator copies it.
func AssetCandidate(file string) Candidate { return Candidate{File: file, IsAsset: true} }

// URLCandidate returns a candidate for a URL below the origin.
func URLCandidate(u string) Candidate { return Candidate{URL: u} }

// BySource resolves a reference against the source file. It leaves "/x" to other steps.
func BySource(s *Site, r *Reference) []Candidate {
	if r.Path == "" || r.IsRooted() {
		return nil
	}
	return []Candidate{FileCandidate(path.Join(r.PageDir(), r.Path))}
}

// ByRoot resolves "/x" below the directory of the page's mount.
func ByRoot(s *Site, r *Reference) []Candidate {
	if !r.IsRooted() {
		return nil
	}
	return []Candidate{FileCandidate(path.Join(r.Use.Page.Mount.Dir, r.Path))}
}

// ByURL resolves a reference against the URL of the page, as browsers do. "/x" is relative to the host.
func ByURL(s *Site, r *Reference) []Candidate { return s.URLs(r, r.Path, "") }

// ByURLWithBase adds the base to "/x".
func ByURLWithBase(s *Site, r *Reference) []Candidate {
	return s.URLs(r, r.Path, strings.TrimSuffix(s.Base, "/"))
}

// ByURLWithBaseOnce adds the base to "/x" unless "/x" already begins with it.
func ByURLWithBaseOnce(s *Site, r *Reference) []Candidate {
	if _, has := s.CutBase(r.Path); has {
		return ByURL(s, r)
	}
	return ByURLWithBase(s, r)
}

// URLs returns candidates for p resolved against each URL of the page. It puts base before "/x".
func (s *Site) URLs(r *Reference, p, base string) (all []Candidate) {
	if strings.HasPrefix(p, "/") {
		return []Candidate{URLCandidate(CleanURL(base + p))}
	}
	if r.Use.Page.HasUnknownURL {
		return []Candidate{{Unknown: relativeToUnknown}}
	}
	if len(r.Use.Page.Routes) == 0 {
		if name := path.Base(p); name != "." && name != ".." && !s.Serves(name) && !s.Serves(strings.TrimSuffix(name, ".html")) {
			return nil // on no page
		}
		return []Candidate{{Unknown: relativeToShownPages}}
	}
	routes := s.seenAt(r.Use.Page)
	for _, route := range routes {
		c := URLCandidate(JoinURL(strings.TrimSuffix(s.Base, "/")+route, p))
		c.Lenient = s.HasBothSlashes && len(routes) > 1 // no reference is written that is right at one of them only
		c.up, c.rest = leaves(route, p)
		c.leaves = s.Base == "/" && c.up > 0
		all = append(all, c)
		if len(all) == maxUses {
			break
		}
	}
	return all
}

// seenAt returns the URLs of a page, below the base, at which visitors may see it.
func (s *Settings) seenAt(p *Page) []string {
	first := p.Routes[0]
	if !s.HasBothSlashes || len(p.Routes) > 1 || len(first) < 2 || !strings.HasSuffix(first, "/") {
		return p.Routes
	}
	return []string{first, strings.TrimSuffix(first, "/")}
}

// JoinURL resolves a relative path against the URL of a page.
func JoinURL(base, p string) string {
	if p == "" {
		return base
	}
	dir := base[:strings.LastIndexByte(base, '/')+1]
	return CleanURL(dir + p)
}

// leaves returns how many levels above the root of the site a relative path goes from the page at a URL,
// and the rest of the path from there. Browsers stop at the root of the host, but a site may be published
// below another path.
func leaves(base, p string) (up int, rest string) {
	names := strings.Split(strings.Trim(base[:strings.LastIndexByte(base, '/')+1], "/"), "/")
	if names[0] == "" {
		names = nil
	}
	for name := range strings.SplitSeq(p, "/") {
		switch {
		case name == ".." && len(names) == 0:
			up++
		case name == "..":
			names = names[:len(names)-1]
		case name != "" && name != ".":
			names = append(names, name)
		}
	}
	return up, strings.Join(names, "/")
}

// CleanURL removes dot segments and repeated slashes. It keeps a trailing slash.
func CleanURL(u string) string {
	slash := strings.HasSuffix(u, "/") || strings.HasSuffix(u, "/.") || strings.HasSuffix(u, "/..")
	u = path.Clean("/" + u)
	if slash && u != "/" {
		u += "/"
	}
	return u
}

// WithoutIndex returns a URL without "index.html" as its last name.
func WithoutIndex(u string) string {
	if dir, ok := strings.CutSuffix(u, "/index.html"); ok {
		return dir + "/"
	}
	return u
}

// ByAsset resolves a reference against the source file. Any file will do, since the generator copies it.
func ByAsset(s *Site, r *Reference) []Candidate {
	if r.IsRooted() || r.Path == "" {
		return nil
	}
	return []Candidate{AssetCandidate(path.Join(r.PageDir(), r.Path))}
}

// ByBundler resolves an image that a bundler copies: relative to the source, or "/x" in a static directory. The base
// is added to "/x".
func ByBundler(s *Site, r *Reference) []Candidate {
	if r.IsRooted() {
		return ByURLWithBase(s, r)
	}
	return ByAsset(s, r)
}

// ExplainSource explains why a relative reference is broken on a site of a generator that does not rewrite
// links to sources.
func ExplainSource(s *Site, r *Reference) (why reason.Reason, other string) {
	file := path.Join(r.Dir(), r.Path)
	if p := s.ByFile[file]; p != nil && p.Why.IsZero() {
		return reason.LinksNotRewritten.With(s.Route(r.Use.Page)), file
	}
	return reason.RelativeTo.With(s.Route(r.Use.Page)), ""
}

// Reasons.
var (
	relativeToUnknown    = reason.New(reason.Code, "relative-to-unknown", "relative to the page, whose URL code of the project makes")
	relativeToShownPages = reason.New(reason.OtherPage, "relative-to-shown-pages", "relative to the pages on which code shows it")
)
