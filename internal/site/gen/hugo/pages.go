package hugo

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/slash"
)

// contentPath returns the path of a page among all content, without its language, and the languages in
// which the page is published. isDisabled says that its name has a language that is not published.
func (g *model) contentPath(p *site.Page) (rel string, langs []string, isDisabled bool) {
	h := g.mounted[p.Mount]
	if h == nil {
		return p.Rel, g.langs[:1], false
	}
	name := p.Rel
	if h.file != "" {
		name = h.file
	}
	rel, langs = strings.TrimPrefix(h.at, "/")+name, h.langs
	if cut, lang := g.cutSuffix(rel); lang != "" {
		return cut, []string{lang}, slices.Contains(g.disabled, lang)
	}
	return rel, langs, false
}

// cutSuffix returns the name of a file without its language, and the language; "" if it has none.
func (g *model) cutSuffix(name string) (cut, lang string) {
	ext := path.Ext(name)
	stem := strings.TrimSuffix(name, ext)
	lang = strings.ToLower(strings.TrimPrefix(path.Ext(stem), "."))
	if lang == "" || !slices.Contains(g.langs, lang) && !slices.Contains(g.disabled, lang) {
		return name, ""
	}
	return stem[:len(stem)-len(lang)-1] + ext, lang
}

// placeOf returns the place of a path among all content, without a suffix and "/index": "/guide/setup".
func placeOf(rel string) string {
	rel = site.CleanURL(strings.ReplaceAll(strings.ToLower(rel), " ", "-"))
	for _, index := range []string{"/index", "/_index"} {
		rel = strings.TrimSuffix(rel, index)
	}
	if rel == "" {
		return "/"
	}
	return rel
}

// isInBundle reports whether a directory, or one above it in the mount, is a leaf bundle.
func (g *model) isInBundle(s *site.Site, p *site.Page, dir string) bool {
	for dir = strings.TrimSuffix(dir, "/"); ; dir = path.Dir(dir) {
		if dir == "." || dir == "" {
			return s.Tree.IsFile(p.Mount.Dir + "/index.md")
		}
		for _, name := range []string{"index.md", "index.html"} {
			if s.Tree.IsFile(path.Join(p.Mount.Dir, dir, name)) {
				return true
			}
		}
		for _, lang := range g.langs {
			if s.Tree.IsFile(path.Join(p.Mount.Dir, dir, "index."+lang+".md")) {
				return true
			}
		}
	}
}

// Finish adds sections that have no page of their own, applies the settings of sections to the pages below
// them, and finds the place of each page.
func (g *model) Finish(s *site.Site) {
	g.hidePages(s)
	g.findPlaces(s)
	isBundle := map[string]bool{} // a bundle has no page for its directory besides its own
	for _, p := range s.ByFile {
		if !p.Why.IsZero() {
			continue
		}
		rel, langs, _ := g.contentPath(p)
		section, _, isBelow := strings.Cut(rel, "/")
		if _, known := isBundle[section]; isBelow && !known {
			isBundle[section] = g.isInBundle(s, p, section)
		}
		for _, lang := range langs {
			if isBelow && !isBundle[section] {
				s.AddRoute(site.CleanURL(strings.ToLower(g.prefix(lang) + "/" + section + "/")))
			}
			s.AddRoute(g.prefix(lang) + "/")
		}
	}
	for _, u := range []string{"/", "/" + g.langs[0] + "/"} { // one redirects to the other
		s.AddRoute(u)
	}
	for _, p := range s.ByFile { // a page replaces a generated section
		for _, u := range p.Routes {
			if old := s.ByURL[u]; old != nil && old.File == "" && p.Why.IsZero() {
				delete(s.ByURL, u)
			}
		}
	}
	for _, p := range g.files {
		s.ByURL[p.Routes[0]] = p
		s.AddSegment(p.Routes[0])
	}
}

// A hidden is a cascade whose pages are not rendered: the pages below a section, or below the root for a
// cascade in the configuration, that its target matches.
type hidden struct {
	below string                // absolute path, with a slash at the end; "" for the root
	match func(rel string) bool // of the target, for the path of a page below content without its suffix; nil for all pages
}

// hides reports whether a cascade hides a page.
func (h *hidden) hides(file, rel string) bool {
	return strings.HasPrefix(file, h.below) && (h.match == nil || h.match("/"+strings.ToLower(slash.Stem(rel))))
}

// readHidden returns the cascades of a section or the configuration that hide pages.
func readHidden(cascade source.Value, below string) (all []hidden) {
	const most = 100
	for _, c := range cascade.List() {
		build := c.Lookup("build", "render").Or(c.Lookup("_build", "render").Or(""))
		if build != "never" && build != "false" || len(all) == most {
			continue
		}
		h := hidden{below: below}
		target := c.Lookup("target")
		if !target.IsGiven() {
			target = c.Lookup("_target")
		}
		switch p := target.Lookup("path"); {
		case p.IsGiven():
			h.match = source.Glob(strings.ToLower(p.Or("")))
		case target.IsGiven(): // of a kind, a language or an environment
			continue
		}
		all = append(all, h)
	}
	return all
}

// hidePages applies the settings of sections, and of the configuration, to the pages below them.
func (g *model) hidePages(s *site.Site) {
	never := readHidden(g.conf.Lookup("cascade"), "")
	for file, p := range s.ByFile {
		if strings.HasPrefix(path.Base(p.Rel), "_index.") {
			never = append(never, readHidden(p.Front.Lookup("cascade"), path.Dir(file)+"/")...)
		}
	}
	for file, p := range s.ByFile {
		if slices.ContainsFunc(never, func(h hidden) bool { return h.hides(file, p.Rel) }) && p.Why.IsZero() && !p.Front.Lookup("build", "render").IsGiven() {
			p.Why, p.IsData, p.Routes = notRenderedBySection, true, nil
		}
	}
}

// findPlaces makes g.places. Where several mounts have a page, it removes the routes of all but one.
func (g *model) findPlaces(s *site.Site) {
	g.places, g.anywhere = map[string]*site.Page{}, map[string]bool{}
	ranks := map[string]int{}
	files := source.SortedKeys(s.ByFile)
	for _, file := range files {
		p := s.ByFile[file]
		h := g.mounted[p.Mount]
		if h == nil {
			continue
		}
		rel, langs, isDisabled := g.contentPath(p)
		place := placeOf(slash.Stem(rel))
		for _, lang := range langs {
			rank := len(h.langs) + g.ranks
			if i := slices.Index(h.langs, lang); i >= 0 {
				rank = h.ranks[i]
			}
			old := g.places[lang+place]
			if old == nil || !old.Why.IsZero() && p.Why.IsZero() || (old.Why.IsZero() == (p.Why.IsZero())) && rank < ranks[lang+place] {
				g.places[lang+place], ranks[lang+place] = p, rank
			}
		}
		g.anywhere[place] = g.anywhere[place] || p.Why.IsZero() && !isDisabled
	}
	for _, file := range files {
		p := s.ByFile[file]
		if len(p.Routes) < 2 {
			continue
		}
		rel, langs, _ := g.contentPath(p)
		place, routes := placeOf(slash.Stem(rel)), p.Routes
		p.Routes = nil
		for i, lang := range langs {
			if g.places[lang+place] == p {
				p.Routes = append(p.Routes, routes[i])
			}
		}
	}
}

var pageNumber = lazy.New(`/page/\d+/?$`)

// Makes reports whether Hugo generates the file at a URL: a feed, or a page of a list.
func (g *model) Makes(s *site.Site, u string) bool {
	dir, name := path.Split(u)
	if name == "index.xml" || name == "index.json" {
		return s.ByURL[dir] != nil
	}
	lang, rest := g.cutLang(u)
	return pageNumber.MatchString(u) || g.prefix(lang) != "" && slices.ContainsFunc(s.Made, func(prefix string) bool { return strings.HasPrefix(rest, prefix) })
}

// FileAt returns the file beside pages that is published at a URL below the base, or "".
func (g *model) FileAt(s *site.Site, u string) string {
	lang, rest := g.cutLang(u)
	if lang == "" {
		return ""
	}
	if dir, name := path.Split(u); name != "" && s.ByURL[dir] != nil && s.ByURL[dir].File != "" {
		p := s.ByURL[dir]
		stem, _, _ := strings.Cut(path.Base(p.File), ".")
		if f := path.Join(path.Dir(p.File), name); (stem == "index" || stem == "_index") && g.speaks(s, f, lang) {
			return f
		}
	}
	for _, m := range s.Mounts {
		h := g.mounted[m]
		if h == nil {
			continue
		}
		if below, ok := strings.CutPrefix(rest, h.at); ok && below != "" {
			if f := path.Join(m.Dir, below); s.MountOf(f) == m && g.speaks(s, f, lang) {
				return f
			}
		}
	}
	return ""
}

// speaks reports whether a file is published beside pages in a language.
func (g *model) speaks(s *site.Site, file, lang string) bool {
	if !s.Tree.IsFile(file) || !s.IsPublished(file) {
		return false
	}
	if g.conf.Lookup("markup", "goldmark", "duplicateresourcefiles").IsTrue(false) {
		return true
	}
	if _, own := g.cutSuffix(file); own != "" {
		return own == lang
	}
	h := g.mounted[s.MountOf(file)]
	return h == nil || slices.Contains(h.langs, lang)
}

// get returns the page that a path means to Hugo's GetPage, in a language.
func (g *model) get(s *site.Site, r *site.Reference, p, lang string) (all []site.Candidate) {
	p = cmp.Or(strings.TrimSuffix(p, "/"), "/")
	lang = cmp.Or(lang, g.langs[0])
	hasSuffix := strings.Contains(path.Base(p), ".")
	page := r.Use.Page
	if !strings.HasPrefix(p, "/") {
		rel, _, _ := g.contentPath(page)
		dir, name := path.Split(rel)
		if isLeaf := strings.HasPrefix(name, "index."); isLeaf && !(hasSuffix && strings.HasPrefix(p, "../")) {
			dir = path.Dir(strings.TrimSuffix(dir, "/"))
		}
		all = g.addPages(s, all, path.Join("/", dir, p), lang)
		if hasSuffix {
			all = g.addSource(s, all, path.Join(path.Dir(page.File), p), lang)
		}
	}
	if strings.HasPrefix(p, ".") {
		return all
	}
	all = g.addPages(s, all, p, lang)
	if home := g.places[lang+"/"]; hasSuffix && home != nil {
		all = g.addSource(s, all, path.Join(path.Dir(home.File), p), lang)
	}
	return all
}

// addPages appends the pages at a path among all content, with or without a suffix.
func (g *model) addPages(s *site.Site, all []site.Candidate, at, lang string) []site.Candidate {
	names := []string{at}
	if ext := path.Ext(at); ext != "" {
		cut, _ := g.cutSuffix(at)
		names = append(names, strings.TrimSuffix(cut, ext))
	}
	for _, name := range names {
		place := placeOf(name)
		if page := g.places[lang+place]; page != nil {
			all = append(all, site.FileCandidate(page.File))
		} else if u := site.CleanURL(g.prefix(lang) + place + "/"); s.ByURL[u] != nil && s.ByURL[u].File == "" { // a section without a page of its own
			all = append(all, site.URLCandidate(strings.TrimSuffix(s.Base, "/")+u))
		}
	}
	return all
}

// addSource appends the page in a language that a source is of, or is a translation of.
func (g *model) addSource(s *site.Site, all []site.Candidate, file, lang string) []site.Candidate {
	p := s.ByFile[file]
	if p == nil || g.mounted[p.Mount] == nil {
		return all
	}
	rel, _, _ := g.contentPath(p)
	if page := g.places[lang+placeOf(slash.Stem(rel))]; page != nil {
		all = append(all, site.FileCandidate(page.File))
	}
	return all
}

// byPage resolves a link as the link hook of Hugo does: first to a page.
func (g *model) byPage(s *site.Site, r *site.Reference) []site.Candidate {
	if r.Path == "" {
		return nil
	}
	return g.get(s, r, strings.TrimPrefix(r.Path, "./"), r.Use.Page.Lang)
}

// onHost resolves "/x" if each language has a host of its own. Here, a directory stands for that host; static
// files are on each.
func (g *model) onHost(s *site.Site, r *site.Reference) []site.Candidate {
	prefix := g.prefix(r.Use.Page.Lang)
	if !r.IsRooted() || r.Form == site.Macro || prefix == "" || s.StaticFile(r.Path) != "" {
		return nil
	}
	if r.Form == site.Markdown && g.hasHook {
		if pages := g.byPage(s, r); len(pages) > 0 {
			return pages
		}
	}
	c := site.URLCandidate(strings.TrimSuffix(s.Base, "/") + site.CleanURL(prefix+r.Path))
	c.IsFinal = true
	return []site.Candidate{c}
}

// byResource resolves the path of a file beside the page of a bundle, in the language of the page or in
// any other.
func (g *model) byResource(s *site.Site, r *site.Reference) (all []site.Candidate) {
	page := r.Use.Page
	stem, _, _ := strings.Cut(path.Base(page.File), ".")
	if r.IsRooted() || stem != "index" && stem != "_index" {
		return g.resource(s, r)
	}
	rel, _, _ := g.contentPath(page)
	dirs := []string{path.Dir(page.File)}
	place := placeOf(slash.Stem(rel))
	for _, lang := range g.langs {
		if other := g.places[lang+place]; other != nil && !slices.Contains(dirs, path.Dir(other.File)) {
			dirs = append(dirs, path.Dir(other.File))
		}
	}
	ext := path.Ext(r.Path)
	for _, dir := range dirs {
		file := path.Join(dir, r.Path)
		if stem == "_index" && isOfOther(s, dir, file) {
			continue
		}
		for _, lang := range append([]string{page.Lang, ""}, g.langs...) {
			if lang != "" {
				lang = "." + lang
			}
			if f := strings.TrimSuffix(file, ext) + lang + ext; s.Tree.IsFile(f) && !s.IsDocument(f) {
				all = append(all, site.FileCandidate(f))
			}
		}
	}
	return append(all, g.resource(s, r)...)
}

// isOfOther reports whether a directory between dir and a file below it is a page of its own.
func isOfOther(s *site.Site, dir, file string) bool {
	for at := path.Dir(file); at != dir && source.Below(at, dir); at = path.Dir(at) {
		for name := range s.Tree.List(at) {
			if stem, _, _ := strings.Cut(name, "."); (stem == "index" || stem == "_index") && s.IsDocument(name) {
				return true
			}
		}
	}
	return false
}

// resource resolves a file below "assets".
func (g *model) resource(s *site.Site, r *site.Reference) []site.Candidate {
	c := site.FileCandidate(path.Join(s.Dir, "assets", r.Path))
	if r.Path == "" || len(r.Use.Page.Routes) > 0 && !s.Tree.IsFile(c.File) {
		return nil
	}
	c.IsAsset = true
	return []site.Candidate{c}
}

// shortcode resolves {{< ref "x" >}}, or an argument of another shortcode, which may be a page, a resource or a URL, also one
// that the template makes with relURL: relative to the site.
func (g *model) shortcode(s *site.Site, r *site.Reference) []site.Candidate {
	rest, isRel := strings.CutPrefix(r.In, "shortcode/relref")
	rest, isRef := strings.CutPrefix(rest, "shortcode/ref")
	if isRef || isRel {
		lang := strings.TrimPrefix(rest, "/")
		if lang == "" {
			lang = cmp.Or(r.Use.Page.Lang, g.langs[0])
		}
		if !slices.Contains(g.langs, lang) {
			return []site.Candidate{{Why: noLanguage.With(lang)}}
		}
		return g.ref(s, r, lang)
	}
	all := append(g.byPage(s, r), site.ByAsset(s, r)...)
	all = append(all, g.resource(s, r)...)
	if g.readsFiles {
		for _, dir := range []string{s.Dir, r.Use.Page.Mount.Dir} {
			all = append(all, site.AssetCandidate(path.Join(dir, r.Path)))
		}
	}
	if g.isOwn {
		all = append(all, site.ByURLWithBase(s, r)...)
	}
	all = append(all, site.ByURL(s, r)...)
	if r.Path != "" && !r.IsRooted() {
		all = append(all, s.URLs(r, "/"+r.Path, strings.TrimSuffix(s.Base, "/"))...)
	}
	return all
}

// ref resolves {{< ref "x" >}}.
func (g *model) ref(s *site.Site, r *site.Reference, lang string) []site.Candidate {
	if r.Path == "" {
		return []site.Candidate{site.FileCandidate(r.Use.Page.File)}
	}
	all := g.get(s, r, r.Path, lang)
	if name := strings.ToLower(strings.TrimSuffix(r.Path, "/")); !strings.Contains(name, "/") {
		cut, _ := g.cutSuffix(name)
		isElsewhere := false
		for _, key := range []string{name, slash.Stem(cut)} {
			for _, p := range s.ByName[key] {
				if _, langs, _ := g.contentPath(p); slices.Contains(langs, lang) {
					all = append(all, site.FileCandidate(p.File))
				} else {
					isElsewhere = true
				}
			}
		}
		if len(all) == 0 && !isElsewhere {
			all = append(all, site.Candidate{Name: name})
		}
	}
	if len(all) == 0 {
		all = append(all, site.FileCandidate(path.Join(r.Use.Page.Mount.Dir, r.Path)))
		if g.anywhere[placeOf(slash.Stem(r.Path))] {
			all[0] = site.Candidate{Why: reason.NotInLanguage.With(lang)}
		}
	}
	return all
}

// Reasons.
var (
	notRenderedBySection = reason.New(reason.Unpublished, "not-rendered-by-section", "its section says that it is not rendered")
	noLanguage           = reason.New(reason.Unpublished, "no-language", "the site has no language %s")
)
