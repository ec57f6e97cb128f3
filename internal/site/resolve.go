package site

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/slash"
)

// A Reference is a reference that is being resolved.
type Reference struct {
	Raw   string // its path, as written
	Path  string // decoded
	Query bool   // it has a query
	Form  Form
	In    string
	Use   Use
}

// IsRooted reports whether the reference is "/x".
func (r *Reference) IsRooted() bool { return strings.HasPrefix(r.Raw, "/") }

// Suffix returns the suffix of the last name in the path, in lower case.
func (r *Reference) Suffix() string { return strings.ToLower(path.Ext(r.Path)) }

// Dir returns the directory of the file that holds the reference, and PageDir of the page
// that shows it.
func (r *Reference) Dir() string { return path.Dir(r.Use.File) }

func (r *Reference) PageDir() string { return path.Dir(r.Use.Page.File) }

// FileIn returns the file that the path of the reference names: "/x" below root, other paths relative to the page.
func (r *Reference) FileIn(root string) string {
	if r.IsRooted() {
		return path.Join(root, r.Path)
	}
	return path.Join(r.PageDir(), r.Path)
}

// Resolve returns the target of a reference. ref is its path, with or without a query and fragment. It has
// no host, and no scheme unless that is one of the generator's own. in is the macro or role of a Macro
// ("relref", "doc"), or the element and name of an attribute ("a/href").
func (s *Site) Resolve(u Use, form Form, in, ref string) Result {
	s.Load()
	raw := ref
	if i := strings.IndexAny(raw, "?#"); i >= 0 {
		raw = raw[:i]
	}
	if len(raw) > source.MaxPath {
		return Result{State: Unknown, Why: reason.PathTooLong}
	}
	r := &Reference{Raw: raw, Path: ascii.UnescapeAll(raw), Form: form, In: in, Use: u}
	r.Query = len(raw) < len(ref) && ref[len(raw)] == '?'
	res := Result{}
	for _, step := range s.Steps(form) {
		for _, c := range step(s, r) {
			res.Tried = append(res.Tried, Candidate{File: c.File, URL: c.URL, Name: c.Name, Lenient: c.Lenient})
			one := s.Try(c, r)
			if one.State == Found || one.State == Unknown && res.Other == "" {
				one.Tried = res.Tried
				return one
			}
			if (!one.Why.IsZero() || one.Case) && (res.Why.IsZero() || one.Other != "" && res.Other == "") {
				res.Why, res.Other, res.Case = one.Why, one.Other, one.Case
			}
			if c.IsFinal {
				return resolver{s}.changedByCode(r, res)
			}
		}
	}
	if res.Other == "" && (resolver{s}).isSourceIgnored(r) {
		return Result{State: Unknown, Why: reason.GitIgnoredPage, Tried: res.Tried}
	}
	return resolver{s}.changedByCode(r, res)
}

// isSourceIgnored reports whether a reference, resolved against the path of its source, points to a
// document that is ignored by the repository.
func (s resolver) isSourceIgnored(r *Reference) bool {
	if !s.IsDocument(strings.TrimSuffix(r.Path, "/")) || r.Use.Page.Mount == nil {
		return false
	}
	return s.Tree.IsIgnored(r.FileIn(r.Use.Page.Mount.Dir))
}

// Try looks up a candidate.
func (s *Site) Try(c Candidate, r *Reference) Result {
	switch {
	case !c.Unknown.IsZero():
		return Result{State: Unknown, Why: c.Unknown}
	case !c.Why.IsZero():
		return Result{State: Missing, Why: c.Why, Other: c.Other}
	case c.File != "":
		return s.TryFile(c)
	case c.URL != "":
		return resolver{s}.tryURL(c, r)
	}
	if pages := s.ByName[c.Name]; len(pages) > 0 {
		return Result{State: Found, File: pages[0].File, Page: pages[0]}
	}
	return Result{State: Missing}
}

// TryFile looks at a source file.
func (s *Site) TryFile(c Candidate) Result {
	if p := s.ByFile[c.File]; p != nil && !c.IsAsset {
		switch {
		case !p.Why.IsZero():
			return Result{State: Missing, Why: NotPublished(p.Why), Other: p.File}
		case p.IsPart:
			return Result{State: Missing, Why: reason.OnlyIncluded, Other: p.File}
		}
		return Result{State: Found, File: p.File, Page: p}
	}
	if s.Tree.IsFile(c.File) {
		if c.IsAsset || s.IsPublished(c.File) {
			return Result{State: Found, File: c.File}
		}
		why := reason.Reason{}
		if m := s.MountOf(c.File); m != nil {
			why = m.Why
		}
		return Result{State: Missing, Why: NotPublished(why), Other: c.File}
	}
	if other, ok := s.Tree.OtherCase(c.File); ok && s.Tree.IsFile(other) {
		return Result{State: Missing, Other: other, Case: true}
	}
	return Result{State: Missing}
}

// NotPublished returns the reason why a reference to an existing file is broken, given why the file is not
// published, if that is known.
func NotPublished(why reason.Reason) reason.Reason {
	if why.IsZero() {
		return reason.NotPublished.With("")
	}
	return reason.NotPublished.With(": " + why.String())
}

// IsPublished reports whether a file that is not a page is published as it is.
func (s *Site) IsPublished(file string) bool {
	m := s.MountOf(file)
	if m == nil {
		return false
	}
	switch m.Kind {
	case Static:
		return true
	case Pages:
		rel := strings.TrimPrefix(file, m.Dir+"/")
		return s.copiesFile(m, rel) && !s.IsDocument(rel)
	}
	return false
}

// copiesFile reports whether a file beside pages is published as it is.
func (s *Site) copiesFile(m *Mount, rel string) bool {
	if s.copier == nil {
		return s.Copies != CopiesNone
	}
	return s.copier.Copies(s, m, rel)
}

// A resolver looks up what a reference may point to.
type resolver struct{ *Site }

// tryURL looks at a URL of the site.
func (s resolver) tryURL(c Candidate, r *Reference) Result {
	u, isIn := s.CutBase(c.URL)
	beside, leaves := s.tryBeside(c)
	if leaves && (!isIn || beside.State == Found) {
		return beside
	}
	if !isIn {
		return s.tryOutside(c.URL)
	}
	if res, ok := s.Lookup(u, c.IsStrict); ok {
		return res
	}
	if leaves {
		return beside
	}
	if res, ok := s.Redirected(u); ok {
		return res
	}
	if c.leaves && !s.IsSource(r) {
		return Result{State: Unknown, Why: reason.OutsideSiteSameHost}
	}
	if s.isMissingSource(r) {
		return Result{State: Missing}
	}
	ext := r.Suffix()
	// A build puts style sheets of a theme among those of the site, and pictures of all directories into one of
	// its own.
	isOfBuild := isBelowAny(s.Made, u) && (ext == ".css" || strings.HasPrefix(u, "/_") && !s.Tree.IsDir(s.Dir+path.Dir(u)))
	if !isOfBuild && !r.IsRooted() && !s.Generates && ext != ".html" && ext != ".xml" && (IsAssetSuffix(ext) || s.IsDocument(r.Path)) {
		return Result{State: Missing} // generated pages have no source
	}
	if why := s.IsMade(u, r); !why.IsZero() {
		return Result{State: Unknown, Why: why, IsUnmounted: why.Is(noMount)}
	}
	if s.isIgnored(u) {
		return Result{State: Unknown, Why: reason.GitIgnoredPage}
	}
	if other := s.otherCase(u); other != "" {
		return Result{State: Missing, Other: other, Case: true}
	}
	return Result{State: Missing}
}

// otherCase returns the file that is published below the base at a URL that differs from u only in
// case, or "".
func (s resolver) otherCase(u string) string {
	for _, m := range s.Mounts {
		rest, ok := strings.CutPrefix(u, m.URL)
		if !ok || m.Kind != Static || rest == "" || strings.HasSuffix(rest, "/") {
			continue
		}
		if other, ok := s.Tree.OtherCase(path.Join(m.Dir, rest)); ok && s.Tree.IsFile(other) && s.IsPublished(other) {
			return other
		}
	}
	return ""
}

// isIgnored reports whether a build makes the file that would be published at a URL below the base.
func (s resolver) isIgnored(u string) bool {
	isIgnored := s.Tree.IsIgnored
	if s.LowerURLs {
		isIgnored = s.Tree.IsIgnoredInLower
	}
	for _, m := range s.Mounts {
		rest, ok := strings.CutPrefix(u, m.URL)
		if !ok || m.Kind != Static && m.Kind != Pages {
			continue
		}
		if slices.ContainsFunc(sourcesAt(m, rest), isIgnored) {
			return true
		}
	}
	return false
}

// sourcesAt returns the files of a mount that may be published at a path below its URL. Markdown in a
// directory of files that are published as they are is no page: it has the URL of its own name.
func sourcesAt(m *Mount, rest string) []string {
	at := m.Dir + "/" + strings.TrimSuffix(rest, "/")
	if m.Kind == Static {
		return []string{at, at + ".html", at + "/index.html"}
	}
	stem := strings.TrimSuffix(at, ".html")
	return []string{stem, stem + ".md", stem + ".mdx", stem + "/index.md"}
}

// IsSource reports whether the path of a reference, resolved against its own file, points to a file of the
// repository.
func (s *Site) IsSource(r *Reference) bool { return s.Tree.IsFile(path.Join(r.Dir(), r.Path)) }

// isMissingSource reports whether a Markdown link is "/x.md" and lies below an existing directory of
// sources. Such a link must point to a source.
func (s resolver) isMissingSource(r *Reference) bool {
	if !s.Linked || s.Generates || r.Form != Markdown || !r.IsRooted() || !s.IsDocument(r.Path) {
		return false
	}
	dir := path.Dir(r.Path)
	return dir != "/" && slices.ContainsFunc(s.Mounts, func(m *Mount) bool {
		return m.Kind == Pages && (s.Tree.IsDir(path.Join(m.Dir, dir)) || s.Tree.IsDir(path.Join(s.Dir, dir)))
	})
}

// tryOutside looks at a URL that is not below the base. It is certainly wrong if the same path exists
// below the base, or among the sources. Otherwise another site may be published there.
func (s resolver) tryOutside(u string) Result {
	if !s.IsBaseKnown {
		return Result{State: Unknown, Why: baseComputed}
	}
	if res, ok := s.Lookup(u, false); ok {
		return Result{State: Missing, Why: reason.OutsideBase.With(s.Base), Other: res.File}
	}
	for _, m := range s.Mounts {
		for _, dir := range []string{m.Dir, s.Dir} {
			if f := dir + u; u != "/" && s.Tree.IsFile(f) {
				return Result{State: Missing, Why: reason.OutsideBase.With(s.Base), Other: f}
			}
		}
	}
	return Result{State: Unknown, Why: reason.OutsideSiteSameHost}
}

// Lookup returns the page or file at a URL below the base.
func (s *Site) Lookup(u string, isStrict bool) (Result, bool) {
	if p := s.ByURL[u]; p != nil {
		return Result{State: Found, File: p.File, Page: p}, true
	}
	tries := []string{}
	slash := strings.HasSuffix(u, "/")
	if dir, ok := strings.CutSuffix(u, "index.html"); ok && strings.HasSuffix(dir, "/") {
		tries = append(tries, dir)
	}
	switch {
	case slash && s.Slash == SlashAlways:
		tries = append(tries, u+"index.html")
	case slash:
		tries = append(tries, u+"index.html")
		if s.Slash == SlashIgnored && u != "/" {
			tries = append(tries, strings.TrimSuffix(u, "/"))
		}
	case !isStrict:
		tries = append(tries, u+"/", u+".html", u+"/index.html")
	}
	for _, t := range tries {
		if p := s.ByURL[t]; p != nil {
			return Result{State: Found, File: p.File, Page: p}, true
		}
	}
	if lang := s.LangOf(u); lang != "" { // a page that is not translated
		rest := strings.TrimPrefix(u, "/"+lang)
		isRepeated := s.LangOf(rest) != ""
		if s.DefaultLang != "" {
			rest = "/" + s.DefaultLang + rest
		}
		res, ok := s.Lookup(rest, isStrict)
		if ok && !isRepeated && (res.Page == nil || s.translator == nil || !s.translator.IsTranslated(s, res.Page, lang)) {
			return res, true
		}
	}
	for _, t := range slices.Concat([]string{u}, tries) {
		if f := s.StaticFile(t); f != "" {
			return Result{State: Found, File: f}, true
		}
	}
	return Result{}, false
}

// StaticFile returns the file that is published as it is at a URL below the base, or "".
func (s *Site) StaticFile(u string) string {
	if s.fileServer != nil {
		if f := s.fileServer.FileAt(s, u); f != "" {
			return f
		}
	}
	for _, m := range s.Mounts {
		if m.Kind != Static && (m.Kind != Pages || s.fileServer != nil) {
			continue
		}
		rest, ok := strings.CutPrefix(u, m.URL)
		if !ok || rest == "" || strings.HasSuffix(rest, "/") {
			continue
		}
		f := path.Join(m.Dir, rest)
		if source.Below(f, m.Dir) && s.Tree.IsFile(f) && s.MountOf(f) == m && s.IsPublished(f) {
			return f
		}
		for _, ext := range s.Compiled[path.Ext(f)] {
			if from := slash.Stem(f) + ext; source.Below(from, m.Dir) && s.Tree.IsFile(from) && s.IsPublished(from) {
				return from
			}
		}
	}
	return ""
}

// IsMade returns why a build may make a URL below the base, or "" if it does not.
func (s *Site) IsMade(u string, r *Reference) reason.Reason {
	plain := u
	if lang := s.LangOf(u); lang != "" {
		plain = strings.TrimPrefix(u, "/"+lang)
	}
	if s.Known == ClosedRoutes {
		u = plain
	}
	first, rest, slash := strings.Cut(strings.TrimPrefix(u, "/"), "/")
	switch {
	case slices.Contains(madeFiles, first) && !slash, strings.HasPrefix(first, "sitemap") && strings.HasSuffix(first, ".xml"):
		return reason.MadeByHost
	case isBelowAny(s.Made, plain):
		return reason.MadeByBuild
	case s.builder != nil && s.builder.Makes(s, u):
		return reason.MadeByBuild
	case s.decider != nil && s.decider.DecidedBy(s, u) != "":
		return codeRoute.With(s.decider.DecidedBy(s, u))
	case APIDirectory(u) != "" && s.Below(strings.TrimSuffix(s.Base, "/")+APIDirectory(u)+"/") == 0:
		return APIPages.With(strings.TrimPrefix(APIDirectory(u), "/"))
	case s.Base != "/" && strings.HasPrefix(u, s.Base): // the URL contains the base twice
		return reason.Reason{}
	case first == "" || s.Segments[first], !r.IsRooted() && !s.Generates:
		return reason.Reason{}
	case rest == "" && IsAssetSuffix(path.Ext(first)) && !slash:
		return reason.Reason{}
	case (s.Known == WholeSite || s.Known == ClosedRoutes && (r.Form == Markdown || r.Form == Component)) && !s.Generates &&
		(s.IsDocument(u) || path.Ext(strings.TrimSuffix(u, ".html")) == "" || isMadePage(u, r)):
		return reason.Reason{}
	}
	return noMount.With(first)
}

// isMadePage reports whether a generator has made a reference to a file one to a page.
func isMadePage(u string, r *Reference) bool {
	return strings.HasSuffix(u, ".html") && !strings.HasSuffix(r.Path, ".html")
}

// isBelowAny reports whether a URL below the base begins with one of the prefixes.
func isBelowAny(prefixes []string, u string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(u, prefix) || u+"/" == prefix })
}

// madeFiles lists files at the root of a site that generators and hosts provide.
var madeFiles = []string{
	"404.html", "feed.xml", "atom.xml", "rss.xml", "index.xml", "feed.json", "robots.txt", "favicon.ico", "llms.txt", "llms-full.txt",
	"manifest.json", "manifest.webmanifest", "site.webmanifest", "sw.js", "service-worker.js", "CNAME", ".nojekyll", "search.html",
	"search.json", "_redirects", "_headers",
}

// IsAssetSuffix reports whether a suffix is one of files that sites publish as they are.
func IsAssetSuffix(ext string) bool {
	switch strings.ToLower(ext) {
	case ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif", ".ico", ".bmp", ".pdf", ".zip", ".txt", ".css", ".mp4", ".webm", ".mp3", ".ogg", ".wav", ".md", ".mdx":
		return true
	}
	return false
}

// missing completes the result of a broken reference.
func (s resolver) missing(r *Reference, res Result) Result {
	res.State = Missing
	if res.Why.IsZero() && res.Other == "" && s.explainer != nil {
		res.Why, res.Other = s.explainer.Explain(s.Site, r)
	}
	return res
}

// Reasons.
var (
	baseComputed = reason.New(reason.Base, "base-computed", "the base of the site is computed")
	codeRoute    = reason.New(reason.Code, "code-route", "the code of the site decides which pages are there: %s")
	noMount      = reason.New(reason.OtherSite, "no-mount", "this tree has no pages below /%s: something else makes them")
)
