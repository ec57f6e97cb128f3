package site

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/ascii"
)

// A reference is a reference that is being resolved.
type reference struct {
	raw   string // its path, as written
	path  string // decoded
	query bool   // it has a query
	// How it is written, for generators that read sources by regular expressions.
	isExpanded bool // it has templates
	isAngle    bool // <x>
	form       Form
	in         string
	use        Use
}

// isRooted reports whether the reference is "/x".
func (r *reference) isRooted() bool { return strings.HasPrefix(r.raw, "/") }

// suffix returns the suffix of the last name in the path, in lower case.
func (r *reference) suffix() string { return strings.ToLower(path.Ext(r.path)) }

// dir returns the directory of the file that holds the reference, and pageDir of the page
// that shows it.
func (r *reference) dir() string     { return path.Dir(r.use.File) }
func (r *reference) pageDir() string { return path.Dir(r.use.Page.File) }

// Resolve returns where a reference leads. ref is its path, with or without a query and fragment. It
// has no host, and no scheme unless that is one of the generator's own. in is the macro or role of a
// Macro ("relref", "doc"), or the element and name of an attribute ("a/href").
func (s *Site) Resolve(u Use, form Form, in, ref string) Result {
	s.load()
	raw := ref
	if i := strings.IndexAny(raw, "?#"); i >= 0 {
		raw = raw[:i]
	}
	if len(raw) > maxPath {
		return Result{State: Unknown, Why: "too long for the path of a file"}
	}
	r := &reference{raw: raw, path: ascii.UnescapeAll(raw), form: form, in: in, use: u}
	r.isExpanded, r.isAngle = u.IsExpanded, u.IsAngle
	r.query = len(raw) < len(ref) && ref[len(raw)] == '?'
	res := Result{}
	for _, step := range s.steps(form) {
		for _, c := range step(s, r) {
			res.Tried = append(res.Tried, c.Candidate)
			one := s.try(c, r)
			if one.State == Found || one.State == Unknown && res.Other == "" {
				one.Tried = res.Tried
				return one
			}
			if (one.Why != "" || one.Case) && (res.Why == "" || one.Other != "" && res.Other == "") {
				res.Why, res.Other, res.Case = one.Why, one.Other, one.Case
			}
			if c.isFinal {
				return s.missing(r, res)
			}
		}
	}
	if res.Other == "" && s.isSourceIgnored(r) {
		return Result{State: Unknown, Why: madeByBuild, Tried: res.Tried}
	}
	return s.missing(r, res)
}

const madeByBuild = "a build generates the page: .gitignore lists it"

// isSourceIgnored reports whether a reference, resolved against the path of its source, leads to a
// document that is left out of the repository.
func (s *Site) isSourceIgnored(r *reference) bool {
	if !s.isDocument(strings.TrimSuffix(r.path, "/")) || r.use.Page.Mount == nil {
		return false
	}
	file := path.Join(r.pageDir(), r.path)
	if r.isRooted() {
		file = path.Join(r.use.Page.Mount.Dir, r.path)
	}
	return s.tree.isIgnored(file)
}

// steps returns how a form is resolved.
func (s *Site) steps(form Form) []step {
	if steps := s.table[form]; steps != nil {
		return steps
	}
	switch form {
	case Image:
		return s.steps(Markdown)
	case HTMLSource, Component:
		return s.steps(HTML)
	case Markdown, HTML:
		return []step{byURL}
	}
	return []step{never}
}

// A candidate is a Candidate, with instructions for the case that it does not exist.
type candidate struct {
	Candidate
	isAsset  bool   // File may be any file, published or not, since the generator copies it
	isFinal  bool   // the generator tries nothing else
	leaves   bool   // the path has led above the root of a site at the root of its host
	up       int    // number of levels that a relative path has led above the root of the site
	rest     string // the path from there
	isStrict bool   // the generator itself compares URL, so no host adds or drops ".html"
	unknown  string
	why      string // why the candidate cannot be right
	other    string // with why: absolute path of the file that is probably meant
}

// try looks at what is at a candidate.
func (s *Site) try(c candidate, r *reference) Result {
	switch {
	case c.unknown != "":
		return Result{State: Unknown, Why: c.unknown}
	case c.why != "":
		return Result{State: Missing, Why: c.why, Other: c.other}
	case c.File != "":
		return s.tryFile(c)
	case c.URL != "":
		return s.tryURL(c, r)
	}
	if pages := s.byName[c.Name]; len(pages) > 0 {
		return Result{State: Found, File: pages[0].File, Page: pages[0]}
	}
	return Result{State: Missing}
}

// tryFile looks at a source file.
func (s *Site) tryFile(c candidate) Result {
	if p := s.pages[c.File]; p != nil && !c.isAsset {
		switch {
		case p.Why != "":
			return Result{State: Missing, Why: "exists, but is not published: " + p.Why, Other: p.File}
		case p.isPart:
			return Result{State: Missing, Why: "exists, but is only included in other pages", Other: p.File}
		}
		return Result{State: Found, File: p.File, Page: p}
	}
	if s.tree.isFile(c.File) {
		if c.isAsset || s.isPublished(c.File) {
			return Result{State: Found, File: c.File}
		}
		return Result{State: Missing, Why: "exists, but is not published" + s.whyNot(c.File), Other: c.File}
	}
	if other, ok := s.tree.otherCase(c.File); ok && s.tree.isFile(other) {
		return Result{State: Missing, Other: other, Case: true}
	}
	return Result{State: Missing}
}

// whyNot returns ": " and the reason why a file is not published, or "" if that is unknown.
func (s *Site) whyNot(file string) string {
	if m := s.mountOf(file); m != nil && m.Why != "" {
		return ": " + m.Why
	}
	return ""
}

// isPublished reports whether a file that is not a page is published as it is.
func (s *Site) isPublished(file string) bool {
	m := s.mountOf(file)
	if m == nil {
		return false
	}
	switch m.Kind {
	case Static:
		return true
	case Pages:
		rel := strings.TrimPrefix(file, m.Dir+"/")
		return s.copies != nil && s.copies(s, m, rel) && !s.isDocument(rel)
	}
	return false
}

// tryURL looks at a URL of the site.
func (s *Site) tryURL(c candidate, r *reference) Result {
	u, isIn := s.cutBase(c.URL)
	beside, leaves := s.tryBeside(c)
	if leaves && (!isIn || beside.State == Found) {
		return beside
	}
	if !isIn {
		return s.tryOutside(c.URL)
	}
	if res, ok := s.lookup(u, c.isStrict); ok {
		return res
	}
	if leaves {
		return beside
	}
	if res, ok := s.redirected(u); ok {
		return res
	}
	if c.leaves && !s.isSource(r) {
		return Result{State: Unknown, Why: "outside the site, on the same host"}
	}
	if s.isMissingSource(r) {
		return Result{State: Missing}
	}
	if ext := r.suffix(); !r.isRooted() && !s.generates && ext != ".html" && ext != ".xml" && (isAssetSuffix(ext) || s.isDocument(r.path)) {
		return Result{State: Missing} // generated pages have no source
	}
	if why := s.isMade(u, r); why != "" {
		return Result{State: Unknown, Why: why, IsUnmounted: s.hasOwnHost && strings.HasPrefix(why, noMount) && s.Base == "/" && !s.generates}
	}
	if s.isIgnored(u) {
		return Result{State: Unknown, Why: madeByBuild}
	}
	if other := s.otherCase(u); other != "" {
		return Result{State: Missing, Other: other, Case: true}
	}
	return Result{State: Missing}
}

// otherCase returns the file that is published below the base at a URL that differs from u only in
// case, or "".
func (s *Site) otherCase(u string) string {
	for _, m := range s.Mounts {
		rest, ok := strings.CutPrefix(u, m.URL)
		if !ok || m.Kind != Static || rest == "" || strings.HasSuffix(rest, "/") {
			continue
		}
		if other, ok := s.tree.otherCase(path.Join(m.Dir, rest)); ok && s.tree.isFile(other) && s.isPublished(other) {
			return other
		}
	}
	return ""
}

// isIgnored reports whether a build makes the file that would be published at a URL below the base.
func (s *Site) isIgnored(u string) bool {
	for _, m := range s.Mounts {
		rest, ok := strings.CutPrefix(u, m.URL)
		if !ok || m.Kind != Static && m.Kind != Pages {
			continue
		}
		stem := m.Dir + "/" + strings.TrimSuffix(strings.TrimSuffix(rest, "/"), ".html")
		for _, file := range []string{stem, stem + ".md", stem + ".mdx", stem + "/index.md"} {
			if s.tree.isIgnored(file) {
				return true
			}
		}
	}
	return false
}

// isSource reports whether the path of a reference, resolved against its own file, leads to a file of
// the repository.
func (s *Site) isSource(r *reference) bool { return s.tree.isFile(path.Join(r.dir(), r.path)) }

// isMissingSource reports whether a Markdown link is "/x.md" and lies below an existing directory of
// sources. Such a link must lead to a source.
func (s *Site) isMissingSource(r *reference) bool {
	if !s.linksSources || s.generates || r.form != Markdown || !r.isRooted() || !s.isDocument(r.path) {
		return false
	}
	dir := path.Dir(r.path)
	return dir != "/" && slices.ContainsFunc(s.Mounts, func(m *Mount) bool {
		return m.Kind == Pages && (s.tree.isDir(path.Join(m.Dir, dir)) || s.tree.isDir(path.Join(s.Dir, dir)))
	})
}

// cutBase returns a URL without the base of the site, with a leading slash.
func (s *Site) cutBase(u string) (string, bool) {
	if u+"/" == s.Base {
		return "/", true
	}
	rest, ok := strings.CutPrefix(u, s.Base)
	return "/" + rest, ok
}

// tryOutside looks at a URL that is not below the base. It is certainly wrong if the same path exists
// below the base, or among the sources. Otherwise another site may be published there.
func (s *Site) tryOutside(u string) Result {
	if !s.IsBaseKnown {
		return Result{State: Unknown, Why: "the base of the site is computed"}
	}
	if res, ok := s.lookup(u, false); ok {
		return Result{State: Missing, Why: "is outside the site, which is below " + s.Base, Other: res.File}
	}
	for _, m := range s.Mounts {
		for _, dir := range []string{m.Dir, s.Dir} {
			if f := dir + u; u != "/" && s.tree.isFile(f) {
				return Result{State: Missing, Why: "is outside the site, which is below " + s.Base, Other: f}
			}
		}
	}
	return Result{State: Unknown, Why: "outside the site, on the same host"}
}

// lookup returns what is served at a URL below the base.
func (s *Site) lookup(u string, isStrict bool) (Result, bool) {
	if p := s.routes[u]; p != nil {
		return Result{State: Found, File: p.File, Page: p}, true
	}
	tries := []string{}
	slash := strings.HasSuffix(u, "/")
	if dir, ok := strings.CutSuffix(u, "index.html"); ok && strings.HasSuffix(dir, "/") {
		tries = append(tries, dir)
	}
	switch {
	case slash && s.slash == slashAlways:
		tries = append(tries, u+"index.html")
	case slash:
		tries = append(tries, u+"index.html")
		if s.slash == slashIgnored && u != "/" {
			tries = append(tries, strings.TrimSuffix(u, "/"))
		}
	case !isStrict:
		tries = append(tries, u+"/", u+".html", u+"/index.html")
	}
	for _, t := range tries {
		if p := s.routes[t]; p != nil {
			return Result{State: Found, File: p.File, Page: p}, true
		}
	}
	if lang := s.langOf(u); lang != "" { // a page that is not translated
		rest := strings.TrimPrefix(u, "/"+lang)
		isRepeated := s.langOf(rest) != ""
		if s.defaultLang != "" {
			rest = "/" + s.defaultLang + rest
		}
		res, ok := s.lookup(rest, isStrict)
		if ok && !isRepeated && (res.Page == nil || s.isTranslated == nil || !s.isTranslated(s, res.Page, lang)) {
			return res, true
		}
	}
	for _, t := range slices.Concat([]string{u}, tries) {
		if f := s.staticFile(t); f != "" {
			return Result{State: Found, File: f}, true
		}
	}
	return Result{}, false
}

// staticFile returns the file that is published as it is at a URL below the base, or "".
func (s *Site) staticFile(u string) string {
	if s.fileAt != nil {
		if f := s.fileAt(s, u); f != "" {
			return f
		}
	}
	for _, m := range s.Mounts {
		if m.Kind != Static && (m.Kind != Pages || s.fileAt != nil) {
			continue
		}
		rest, ok := strings.CutPrefix(u, m.URL)
		if !ok || rest == "" || strings.HasSuffix(rest, "/") {
			continue
		}
		f := path.Join(m.Dir, rest)
		if below(f, m.Dir) && s.tree.isFile(f) && s.mountOf(f) == m && s.isPublished(f) {
			return f
		}
		for _, ext := range s.compiled[path.Ext(f)] {
			if from := strings.TrimSuffix(f, path.Ext(f)) + ext; below(from, m.Dir) && s.tree.isFile(from) && s.isPublished(from) {
				return from
			}
		}
	}
	return ""
}

// langOf returns the language that a URL below the base begins with, or "".
func (s *Site) langOf(u string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(u, "/"), "/")
	if slices.Contains(s.langs, first) {
		return first
	}
	return ""
}

// isMade returns why a build may make a URL below the base, or "" if it does not.
func (s *Site) isMade(u string, r *reference) string {
	plain := u
	if lang := s.langOf(u); lang != "" {
		plain = strings.TrimPrefix(u, "/"+lang)
	}
	if s.isClosed {
		u = plain
	}
	first, rest, slash := strings.Cut(strings.TrimPrefix(u, "/"), "/")
	switch {
	case slices.Contains(madeFiles, first) && !slash, strings.HasPrefix(first, "sitemap") && strings.HasSuffix(first, ".xml"):
		return "is made by the generator or the host"
	case slices.ContainsFunc(s.made, func(prefix string) bool { return strings.HasPrefix(plain, prefix) || plain+"/" == prefix }):
		return "is made at build time"
	case s.isMadeAt != nil && s.isMadeAt(s, u):
		return "is made at build time"
	case s.Base != "/" && strings.HasPrefix(u, s.Base): // the URL contains the base twice
		return ""
	case first == "" || s.segments[first], !r.isRooted() && !s.generates:
		return ""
	case rest == "" && isAssetSuffix(path.Ext(first)) && !slash:
		return ""
	case (s.isWhole || s.isClosed && (r.form == Markdown || r.form == Component)) && !s.generates &&
		(s.isDocument(u) || path.Ext(strings.TrimSuffix(u, ".html")) == ""):
		return ""
	}
	return noMount + first
}

const noMount = "no mount of the site is below /"

// madeFiles lists files at the root of a site that generators and hosts provide.
var madeFiles = []string{
	"404.html", "feed.xml", "atom.xml", "rss.xml", "index.xml", "feed.json", "robots.txt", "favicon.ico", "llms.txt", "llms-full.txt",
	"manifest.json", "manifest.webmanifest", "site.webmanifest", "sw.js", "service-worker.js", "CNAME", ".nojekyll", "search.html",
	"search.json", "_redirects", "_headers",
}

func isAssetSuffix(ext string) bool {
	switch strings.ToLower(ext) {
	case ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif", ".ico", ".bmp", ".pdf", ".zip", ".txt", ".css", ".mp4", ".webm", ".md", ".mdx":
		return true
	}
	return false
}

// missing completes the result of a broken reference.
func (s *Site) missing(r *reference, res Result) Result {
	res.State = Missing
	if res.Why == "" && res.Other == "" && s.explain != nil {
		res.Why, res.Other = s.explain(s, r)
	}
	return res
}
