package site

import (
	"path"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/rst"
)

// A step returns the candidates for one way to resolve a reference.
type step func(s *Site, r *reference) []candidate

// rules holds the differences between generators.
type rules struct {
	suffixes      []string            // of files that become pages, in lower case
	slash         slashes             // whether trailing slashes of URLs matter
	table         [Macro + 1][]step   // how each form is resolved; nil means like the form that it falls back to
	readsFront    bool                // routes or the navigation depend on front matter
	readsSource   bool                // links are rewritten according to their spelling in the source
	readsTitles   bool                // the title of a link tells how it is resolved
	fragmentKey   string              // key of a query whose value is the fragment; "" for none
	hasLabels     bool                // a fragment may be a label of another document
	hasObjects    bool                // [text][label] may name a piece of a program
	hasAutorefs   bool                // [text][label] may name a heading of any page
	hasOthers     bool                // [text][label] may name a label of another project
	hasHooks      bool                // code of the project changes pages
	hasTermIDs    bool                // terms of definition lists have ids
	knowsParts    bool                // parts returns all that a page includes
	mdx           markdown.Dialect    // of .mdx files, if different
	generates     bool                // a plugin makes pages that have no source
	isLoose       bool                // ids follow the rules of no flavour: compare letters and digits only
	dotDirs       []string            // hidden directories that are read
	made          []string            // prefixes of URLs that are made at build time
	compiled      map[string][]string // suffixes of published files, with those of their sources
	dropsTitleIDs bool                // headings of level 1 are shown without their ids
	linksSources  bool                // "/x.md" in Markdown names a source
	isClosed      bool                // links of Markdown lead to known pages only, or the generator shows its 404
	hasOwnHost    bool                // where the base is "/", no program adds pages, except below made
	isWhole       bool                // everything below the base is known, for links of any form
	hasComponents bool                // pages may have components of MDX or Vue

	route       func(s *Site, p *Page)                          // sets Routes, Also, Names and Why of p
	copies      func(s *Site, m *Mount, rel string) bool        // whether a file beside pages is published as it is
	fileAt      func(s *Site, u string) string                  // the file of a mount of pages that is published at a URL below the base; nil means by its path
	finish      func(s *Site)                                   // runs once all pages are known
	isMadeAt    func(s *Site, u string) bool                    // whether a URL is made at build time
	expand      func(s *Site, u Use, ref string) (string, bool) // replaces templates in a reference whose values are known
	explain     func(s *Site, r *reference) (why, other string) // why the target does not exist
	inPlace     func(s *Site, file string) bool                 // whether people read a file where the repository is shown
	langs       []string                                        // first segments of URLs in other languages than the default
	defaultLang string                                          // first segment of URLs in the default language; "" for none
	// isTranslated reports whether another source is published instead of a page in a language.
	isTranslated func(s *Site, p *Page, lang string) bool
	redirects    []string // URLs that redirect to an unknown place
	moves        []move   // URLs that redirect to a known place

	partsIn func(s *Site, p *Page, file string, text []byte) []string // like parts, for one file: a part of the page, or the page itself
	parts   func(s *Site, p *Page, text []byte) []string              // files that a page includes; called for several pages at a time, as is opens
	// leavesLink reports whether an attribute list keeps its link from being rewritten.
	leavesLink func(list []byte) bool
	opens      func(s *Site, text []byte) bool     // whether code makes ids in a page that shows text
	knowsTags  func(s *Site, text []byte) bool     // whether everything that the templates in a page include is known
	makesID    func(s *Site, file, id string) bool // whether code or templates may add an id to a page
	// makesAnyID reports, after makesID was called for a file, whether its answer was a guess.
	makesAnyID func(s *Site, file string) bool
	// labelMayBe says whether anything else may define a label that no document defines.
	labelMayBe func(s *Site, name string) (State, string)
	navigate   func(s *Site, n *navigator)              // adds entries of the navigation
	wiki       func(s *Site, u Use, name string) Result // resolves the name in a wiki link; nil means as a vault does

	markupType           func(s *Site, file string) string                 // media type of a file whose name does not determine it; "" means that of its name
	closestLabel         func(name string) (label string, isCertain bool)  // the label that an undefined one most likely means
	ofRST                func(s *Site, space, name string) (State, string) // whether a name that a reStructuredText document uses is defined
	objectInRST          func(s *Site, u Use, o rst.Object) (state State, isWarned bool, why string)
	maySubstitute        bool   // a program may define substitutions of reStructuredText
	defaultRole          string // of reStructuredText; "" for none
	labelFile            func(label string) string
	labelTwice           func(label string) (files [2]string, ok bool)
	documents            func(s *Site, u Use, pattern string) (files []string, isAll bool)
	sources              string            // directory of the documents of Sphinx
	root                 string            // the name of the root document of Sphinx
	prolog               string            // text that the configuration adds to each document
	hasProlog            bool              // some of that text is unknown, and not in prolog
	extlinks, attributes map[string]string // for reStructuredText and AsciiDoc
}

// slashes says what a trailing slash of a URL means.
type slashes uint8

const (
	slashAlways  slashes = iota // /x/ is x/index.html, and /x redirects there
	slashIgnored                // /x and /x/ are the same page
	slashNever                  // /x is a page, /x/ is not
)

func copyAll(*Site, *Mount, string) bool { return true }

// never is the step for forms that the generator does not support.
func never(*Site, *reference) []candidate {
	return []candidate{{unknown: "the form of the reference is unknown"}}
}

// fileCandidate returns a candidate for a file.
func fileCandidate(file string) candidate { return candidate{Candidate: Candidate{File: file}} }
func urlCandidate(u string) candidate     { return candidate{Candidate: Candidate{URL: u}} }

// bySource resolves a reference against the source file. It leaves "/x" to other steps.
func bySource(s *Site, r *reference) []candidate {
	if r.path == "" || r.isRooted() {
		return nil
	}
	return []candidate{fileCandidate(path.Join(r.pageDir(), r.path))}
}

// byRoot resolves "/x" below the directory of the page's mount.
func byRoot(s *Site, r *reference) []candidate {
	if !r.isRooted() {
		return nil
	}
	return []candidate{fileCandidate(path.Join(r.use.Page.Mount.Dir, r.path))}
}

// byURL resolves a reference against the URL of the page, as browsers do. "/x" is relative to the host.
func byURL(s *Site, r *reference) []candidate { return s.urls(r, r.path, "") }

// byURLWithBase adds the base to "/x".
func byURLWithBase(s *Site, r *reference) []candidate {
	return s.urls(r, r.path, strings.TrimSuffix(s.Base, "/"))
}

// byURLWithBaseOnce adds the base to "/x" unless "/x" already begins with it.
func byURLWithBaseOnce(s *Site, r *reference) []candidate {
	if _, has := s.cutBase(r.path); has {
		return byURL(s, r)
	}
	return byURLWithBase(s, r)
}

// urls returns candidates for p resolved against each URL of the page. It puts base before "/x".
func (s *Site) urls(r *reference, p, base string) (all []candidate) {
	if strings.HasPrefix(p, "/") {
		return []candidate{urlCandidate(cleanURL(base + p))}
	}
	if len(r.use.Page.Routes) == 0 {
		if name := path.Base(p); name != "." && name != ".." && !s.Serves(name) && !s.Serves(strings.TrimSuffix(name, ".html")) {
			return nil // on no page
		}
		return []candidate{{unknown: "relative to the pages on which code shows it"}}
	}
	for _, route := range r.use.Page.Routes {
		c := urlCandidate(joinURL(strings.TrimSuffix(s.Base, "/")+route, p))
		c.up, c.rest = leaves(route, p)
		c.leaves = s.Base == "/" && c.up > 0
		all = append(all, c)
		if len(all) == maxUses {
			break
		}
	}
	return all
}

// joinURL resolves a relative path against the URL of a page.
func joinURL(base, p string) string {
	if p == "" {
		return base
	}
	dir := base[:strings.LastIndexByte(base, '/')+1]
	return cleanURL(dir + p)
}

// leaves returns how many levels above the root of the site a relative path leads from the page at a
// URL, and the rest of the path from there. Browsers stop at the root of the host, but a site may be
// published below another path.
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

// cleanURL removes dot segments and repeated slashes. It keeps a trailing slash.
func cleanURL(u string) string {
	slash := strings.HasSuffix(u, "/") || strings.HasSuffix(u, "/.") || strings.HasSuffix(u, "/..")
	u = path.Clean("/" + u)
	if slash && u != "/" {
		u += "/"
	}
	return u
}

// byAsset resolves a reference against the source file. Any file will do, since the generator copies it.
func byAsset(s *Site, r *reference) []candidate {
	if r.isRooted() || r.path == "" {
		return nil
	}
	c := fileCandidate(path.Join(r.pageDir(), r.path))
	c.isAsset = true
	return []candidate{c}
}

// byBundler resolves an image that a bundler copies: relative to the source, or "/x" in a static directory. The base
// is added to "/x".
func byBundler(s *Site, r *reference) []candidate {
	if r.isRooted() {
		return byURLWithBase(s, r)
	}
	return byAsset(s, r)
}
