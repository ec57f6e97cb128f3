package site

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/lazy"
)

// contentPath returns the path of a page among all content, without its language, and the languages in
// which the page is published. isDisabled says that its name has a language that is not published.
func (g *hugo) contentPath(p *Page) (rel string, langs []string, isDisabled bool) {
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
func (g *hugo) cutSuffix(name string) (cut, lang string) {
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
	rel = cleanURL(strings.ReplaceAll(strings.ToLower(rel), " ", "-"))
	for _, index := range []string{"/index", "/_index"} {
		rel = strings.TrimSuffix(rel, index)
	}
	if rel == "" {
		return "/"
	}
	return rel
}

// isInBundle reports whether a directory, or one above it in the mount, is a leaf bundle.
func (g *hugo) isInBundle(s *Site, p *Page, dir string) bool {
	for dir = strings.TrimSuffix(dir, "/"); ; dir = path.Dir(dir) {
		if dir == "." || dir == "" {
			return s.tree.isFile(p.Mount.Dir + "/index.md")
		}
		for _, name := range []string{"index.md", "index.html"} {
			if s.tree.isFile(path.Join(p.Mount.Dir, dir, name)) {
				return true
			}
		}
		for _, lang := range g.langs {
			if s.tree.isFile(path.Join(p.Mount.Dir, dir, "index."+lang+".md")) {
				return true
			}
		}
	}
}

// finish adds sections that have no page of their own, applies the settings of sections to the pages
// below them, and finds the place of each page.
func (g *hugo) finish(s *Site) {
	g.hidePages(s)
	g.findPlaces(s)
	for _, p := range s.pages {
		if p.Why != "" {
			continue
		}
		rel, langs, _ := g.contentPath(p)
		for _, lang := range langs {
			if section, _, ok := strings.Cut(rel, "/"); ok {
				s.addRoute(cleanURL(strings.ToLower(g.prefix(lang) + "/" + section + "/")))
			}
			s.addRoute(g.prefix(lang) + "/")
		}
	}
	for _, u := range []string{"/", "/" + g.langs[0] + "/"} { // one redirects to the other
		s.addRoute(u)
	}
	for _, p := range s.pages { // a page replaces a generated section
		for _, u := range p.Routes {
			if old := s.routes[u]; old != nil && old.File == "" && p.Why == "" {
				delete(s.routes, u)
			}
		}
	}
	for _, p := range g.files {
		s.routes[p.Routes[0]] = p
		s.addSegment(p.Routes[0])
	}
}

// hidePages applies the settings of sections to the pages below them.
func (g *hugo) hidePages(s *Site) {
	var never []string
	for file, p := range s.pages {
		if !strings.HasPrefix(path.Base(p.Rel), "_index.") {
			continue
		}
		for _, c := range p.front.get("cascade").list() {
			build := c.get("build", "render").text(c.get("_build", "render").text(""))
			if build == "never" || build == "false" {
				never = append(never, path.Dir(file)+"/")
			}
		}
	}
	for file, p := range s.pages {
		if slices.ContainsFunc(never, func(dir string) bool { return strings.HasPrefix(file, dir) }) && p.Why == "" && !p.front.get("build", "render").isGiven() {
			p.Why, p.isData, p.Routes = "its section says that it is not rendered", true, nil
		}
	}
}

// findPlaces makes g.places. Where several mounts have a page, it removes the routes of all but one.
func (g *hugo) findPlaces(s *Site) {
	g.places, g.anywhere = map[string]*Page{}, map[string]bool{}
	ranks := map[string]int{}
	files := sortedKeys(s.pages)
	for _, file := range files {
		p := s.pages[file]
		h := g.mounted[p.Mount]
		if h == nil {
			continue
		}
		rel, langs, isDisabled := g.contentPath(p)
		place := placeOf(strings.TrimSuffix(rel, path.Ext(rel)))
		for _, lang := range langs {
			rank := len(h.langs) + g.ranks
			if i := slices.Index(h.langs, lang); i >= 0 {
				rank = h.ranks[i]
			}
			old := g.places[lang+place]
			if old == nil || old.Why != "" && p.Why == "" || (old.Why == "" == (p.Why == "")) && rank < ranks[lang+place] {
				g.places[lang+place], ranks[lang+place] = p, rank
			}
		}
		g.anywhere[place] = g.anywhere[place] || p.Why == "" && !isDisabled
	}
	for _, file := range files {
		p := s.pages[file]
		if len(p.Routes) < 2 {
			continue
		}
		rel, langs, _ := g.contentPath(p)
		place, routes := placeOf(strings.TrimSuffix(rel, path.Ext(rel))), p.Routes
		p.Routes = nil
		for i, lang := range langs {
			if g.places[lang+place] == p {
				p.Routes = append(p.Routes, routes[i])
			}
		}
	}
}

var pageNumber = lazy.New(`/page/\d+/?$`)

// isMadeAt reports whether Hugo generates the file at a URL: a feed, or a page of a list.
func (g *hugo) isMadeAt(s *Site, u string) bool {
	dir, name := path.Split(u)
	if name == "index.xml" || name == "index.json" {
		return s.routes[dir] != nil
	}
	lang, rest := g.cutLang(u)
	return pageNumber.MatchString(u) || g.prefix(lang) != "" && slices.ContainsFunc(s.made, func(prefix string) bool { return strings.HasPrefix(rest, prefix) })
}

// fileAt returns the file beside pages that is published at a URL below the base, or "".
func (g *hugo) fileAt(s *Site, u string) string {
	lang, rest := g.cutLang(u)
	if lang == "" {
		return ""
	}
	if dir, name := path.Split(u); name != "" && s.routes[dir] != nil && s.routes[dir].File != "" {
		p := s.routes[dir]
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
			if f := path.Join(m.Dir, below); s.mountOf(f) == m && g.speaks(s, f, lang) {
				return f
			}
		}
	}
	return ""
}

// speaks reports whether a file is published beside pages in a language.
func (g *hugo) speaks(s *Site, file, lang string) bool {
	if !s.tree.isFile(file) || !s.isPublished(file) {
		return false
	}
	if g.conf.get("markup", "goldmark", "duplicateresourcefiles").isTrue(false) {
		return true
	}
	if _, own := g.cutSuffix(file); own != "" {
		return own == lang
	}
	h := g.mounted[s.mountOf(file)]
	return h == nil || slices.Contains(h.langs, lang)
}

// get returns the page that a path means to Hugo's GetPage, in a language.
func (g *hugo) get(s *Site, r *reference, p, lang string) (all []candidate) {
	p = cmp.Or(strings.TrimSuffix(p, "/"), "/")
	lang = cmp.Or(lang, g.langs[0])
	hasSuffix := strings.Contains(path.Base(p), ".")
	page := r.use.Page
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
func (g *hugo) addPages(s *Site, all []candidate, at, lang string) []candidate {
	names := []string{at}
	if ext := path.Ext(at); ext != "" {
		cut, _ := g.cutSuffix(at)
		names = append(names, strings.TrimSuffix(cut, ext))
	}
	for _, name := range names {
		place := placeOf(name)
		if page := g.places[lang+place]; page != nil {
			all = append(all, fileCandidate(page.File))
		} else if u := cleanURL(g.prefix(lang) + place + "/"); s.routes[u] != nil && s.routes[u].File == "" { // a section without a page of its own
			all = append(all, urlCandidate(strings.TrimSuffix(s.Base, "/")+u))
		}
	}
	return all
}

// addSource appends the page in a language that a source is of, or is a translation of.
func (g *hugo) addSource(s *Site, all []candidate, file, lang string) []candidate {
	p := s.pages[file]
	if p == nil || g.mounted[p.Mount] == nil {
		return all
	}
	rel, _, _ := g.contentPath(p)
	if page := g.places[lang+placeOf(strings.TrimSuffix(rel, path.Ext(rel)))]; page != nil {
		all = append(all, fileCandidate(page.File))
	}
	return all
}

// byPage resolves a link as the link hook of Hugo does: first to a page.
func (g *hugo) byPage(s *Site, r *reference) []candidate {
	if r.path == "" {
		return nil
	}
	return g.get(s, r, strings.TrimPrefix(r.path, "./"), r.use.Page.Lang)
}

// onHost resolves "/x" if each language has a host of its own. Here, a directory stands for that host; static
// files are on each.
func (g *hugo) onHost(s *Site, r *reference) []candidate {
	prefix := g.prefix(r.use.Page.Lang)
	if !r.isRooted() || r.form == Macro || prefix == "" || s.staticFile(r.path) != "" {
		return nil
	}
	if r.form == Markdown && g.hasHook {
		if pages := g.byPage(s, r); len(pages) > 0 {
			return pages
		}
	}
	c := urlCandidate(strings.TrimSuffix(s.Base, "/") + cleanURL(prefix+r.path))
	c.isFinal = true
	return []candidate{c}
}

// byResource resolves the path of a file beside the page of a bundle, in the language of the page or in
// any other.
func (g *hugo) byResource(s *Site, r *reference) (all []candidate) {
	page := r.use.Page
	stem, _, _ := strings.Cut(path.Base(page.File), ".")
	if r.path == "" || r.isRooted() || stem != "index" && stem != "_index" {
		return g.resource(s, r)
	}
	rel, _, _ := g.contentPath(page)
	dirs := []string{path.Dir(page.File)}
	place := placeOf(strings.TrimSuffix(rel, path.Ext(rel)))
	for _, lang := range g.langs {
		if other := g.places[lang+place]; other != nil && !slices.Contains(dirs, path.Dir(other.File)) {
			dirs = append(dirs, path.Dir(other.File))
		}
	}
	ext := path.Ext(r.path)
	for _, dir := range dirs {
		file := path.Join(dir, r.path)
		if stem == "_index" && g.isOfOther(s, dir, file) {
			continue
		}
		for _, lang := range append([]string{page.Lang, ""}, g.langs...) {
			if lang != "" {
				lang = "." + lang
			}
			if f := strings.TrimSuffix(file, ext) + lang + ext; s.tree.isFile(f) && !s.isDocument(f) {
				all = append(all, fileCandidate(f))
			}
		}
	}
	return append(all, g.resource(s, r)...)
}

// isOfOther reports whether a directory between dir and a file below it is a page of its own.
func (g *hugo) isOfOther(s *Site, dir, file string) bool {
	for at := path.Dir(file); at != dir && below(at, dir); at = path.Dir(at) {
		for name := range s.tree.list(at) {
			if stem, _, _ := strings.Cut(name, "."); (stem == "index" || stem == "_index") && s.isDocument(name) {
				return true
			}
		}
	}
	return false
}

// resource resolves a file below "assets".
func (g *hugo) resource(s *Site, r *reference) []candidate {
	c := fileCandidate(path.Join(s.Dir, "assets", r.path))
	if r.path == "" || len(r.use.Page.Routes) > 0 && !s.tree.isFile(c.File) {
		return nil
	}
	c.isAsset = true
	return []candidate{c}
}

// shortcode resolves {{< ref "x" >}}, or an argument of another shortcode, which may be a page, a
// resource or a URL.
func (g *hugo) shortcode(s *Site, r *reference) []candidate {
	rest, isRel := strings.CutPrefix(r.in, "shortcode/relref")
	rest, isRef := strings.CutPrefix(rest, "shortcode/ref")
	if isRef || isRel {
		lang := strings.TrimPrefix(rest, "/")
		if lang == "" {
			lang = cmp.Or(r.use.Page.Lang, g.langs[0])
		}
		if !slices.Contains(g.langs, lang) {
			return []candidate{{why: "the site has no language " + lang}}
		}
		return g.ref(s, r, lang)
	}
	all := append(g.byPage(s, r), byAsset(s, r)...)
	all = append(all, g.resource(s, r)...)
	if g.isOwn {
		all = append(all, byURLWithBase(s, r)...)
	}
	return append(all, byURL(s, r)...)
}

// ref resolves {{< ref "x" >}}.
func (g *hugo) ref(s *Site, r *reference, lang string) []candidate {
	if r.path == "" {
		return []candidate{fileCandidate(r.use.Page.File)}
	}
	all := g.get(s, r, r.path, lang)
	if name := strings.ToLower(strings.TrimSuffix(r.path, "/")); !strings.Contains(name, "/") {
		cut, _ := g.cutSuffix(name)
		isElsewhere := false
		for _, key := range []string{name, strings.TrimSuffix(cut, path.Ext(cut))} {
			for _, p := range s.byName[key] {
				if _, langs, _ := g.contentPath(p); slices.Contains(langs, lang) {
					all = append(all, fileCandidate(p.File))
				} else {
					isElsewhere = true
				}
			}
		}
		if len(all) == 0 && !isElsewhere {
			all = append(all, candidate{Candidate: Candidate{Name: name}})
		}
	}
	if len(all) == 0 {
		all = append(all, fileCandidate(path.Join(r.use.Page.Mount.Dir, r.path)))
		if g.anywhere[placeOf(strings.TrimSuffix(r.path, path.Ext(r.path)))] {
			all[0] = candidate{why: "there is no such page in the language " + lang}
		}
	}
	return all
}

// Aliases returns the aliases in the front matter of a page of Hugo.
func Aliases(text []byte) []string {
	if !bytes.Contains(text, []byte("aliases")) {
		return nil
	}
	return frontMatter(text).get("aliases").texts()
}
