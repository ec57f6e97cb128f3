package audit

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/judge"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/order"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
)

// An Inventory lists what an earlier state of a tree publishes: the pages of its sites with their URLs and
// ids.
type Inventory struct {
	Sites   []PublishedSite
	Renamed map[string]string // the present paths of files that have been renamed, by their earlier paths
	Changed map[string]bool   // the earlier paths of files that differ now, or are gone
	Links   *IDLinks          // what linked to files; nil if that is not known

	doubted map[lead.ConfigForm]bool // never nil

	byURL lazy.Value[map[string]*PublishedPage]
}

// page returns the page, not the redirect, that was at a URL; nil if there was none.
func (v *Inventory) page(u string) *PublishedPage {
	pages := v.byURL.Get(func() map[string]*PublishedPage {
		all := map[string]*PublishedPage{}
		for i := range v.Sites {
			for k := range v.Sites[i].Pages {
				p := &v.Sites[i].Pages[k]
				all[withoutSlash(p.URLs[0])] = p
			}
		}
		return all
	})
	return pages[withoutSlash(u)]
}

func withoutSlash(u string) string { return strings.TrimSuffix(u, "/") }

// A PublishedSite is what one configuration publishes. All paths are absolute, and those of today's tree.
type PublishedSite struct {
	Config, Generator string
	Base              string
	IsBaseKnown       bool // as in [site.Address]
	HasVariants       bool // as in [site.Settings]
	Pages             []PublishedPage
	Redirects         []PublishedPage // URLs that redirect to something other than a page of the site, and the files that say so
	Static            []StaticDir     // whose files are published as they are
}

// A StaticDir is a directory whose files are published as they are.
type StaticDir struct {
	Dir, URL string // absolute path; URL with the base of the site and a slash at its end
	// isStatic reports whether a file, by its path below Dir, is published as it is.
	isStatic func(rel string) bool
	// needsLink reports whether it is published only if a page links to it; nil for never.
	needsLink func(rel string) bool
}

// A PublishedPage is a page with a source.
type PublishedPage struct {
	File string   // the source
	URLs []string // paths with the base of the site; the first is that of the page
	IDs  []string // of headings
	// NotReported says why findings about the page were not reported: tests read it.
	NotReported reason.Reason
	// To is the file to which a redirect led; "" if there is none, and for pages.
	To string
	// IsRedirect says that File has a redirect, and is not the source of a page at URLs.
	IsRedirect bool
}

// Inventory returns what the audited tree publishes. links has taken the references of the audit; it may be
// nil. today maps a path to its path in today's tree; ok is false for files that are not compared.
func (r *Report) Inventory(links *IDLinks, today func(p string) (now string, ok bool)) *Inventory {
	a, all := r.audited(), &Inventory{Links: links, doubted: map[lead.ConfigForm]bool{}}
	if links != nil {
		links.today(today)
	}
	if a == nil {
		return all
	}
	for at := range a.Doubted {
		config, _ := today(at.Config())
		all.doubted[at.In(config)] = true
	}
	for _, s := range a.Layouts.Finder.Sites() {
		if a.Layouts.BySite[s] == nil {
			continue
		}
		config, _ := today(s.Config)
		one := PublishedSite{Config: config, Generator: s.Generator, Base: s.Base, IsBaseKnown: s.IsBaseKnown, HasVariants: s.HasVariants}
		for p, urls := range s.Published {
			now, ok := today(p.File)
			if !ok {
				continue
			}
			page := PublishedPage{File: now, URLs: urls}
			d := a.ByPath[p.File]
			if d != nil {
				page.NotReported = a.NotReported(d)
			}
			if d != nil && d.HasAllIDs() {
				page.IDs = headingIDs(d)
			}
			one.Pages = append(one.Pages, page)
		}
		one.Redirects = redirectsOf(s, &one, today)
		one.Static = staticOf(s, today)
		all.Sites = append(all.Sites, one)
	}
	return all
}

// redirectsOf returns the redirects of a site to what is none of its pages.
func redirectsOf(s *site.Site, pages *PublishedSite, today func(p string) (now string, ok bool)) (all []PublishedPage) {
	redirects := s.Redirects()
	has := map[string]bool{}
	for i := range pages.Pages {
		for _, u := range pages.Pages[i].URLs {
			has[u] = true
		}
	}
	for i := range redirects {
		r := &redirects[i]
		file, ok := today(r.File)
		if r.URL == "" || r.Alias != nil || r.IsForSome || !ok || strings.Contains(r.URL, "#") || has[r.URL] {
			continue
		}
		has[r.URL] = true
		answer := s.StillServes(r.URL)
		if answer.State == site.Missing {
			continue // it led nowhere, so that nothing is lost
		}
		one := PublishedPage{File: file, URLs: []string{r.URL}, IsRedirect: true}
		if to, ok := today(answer.File); ok && answer.File != "" {
			one.To = to
		}
		all = append(all, one)
	}
	return all
}

// staticOf returns the directories of a site whose files are published unchanged, including directories of
// documents where the generator copies the files beside them.
func staticOf(s *site.Site, today func(p string) (now string, ok bool)) (all []StaticDir) {
	base := strings.TrimSuffix(s.Base, "/")
	for _, m := range s.Mounts {
		dir, ok := today(m.Dir + "/x")
		isCopied := m.Kind == site.Pages && (s.Copies == site.CopiesAll || s.Copies == site.CopiesLinked)
		if !ok || m.MayBe || m.Kind != site.Static && !isCopied {
			continue
		}
		one := StaticDir{Dir: path.Dir(dir), URL: base + m.URL, isStatic: func(rel string) bool {
			return (m.Match == nil || m.Match(rel)) && !(isCopied && s.IsDocument(rel)) && !hasHiddenName(rel) && !isLeftOut(s, m, rel)
		}}
		if isCopied && s.Copies == site.CopiesLinked {
			one.needsLink = func(rel string) bool { return s.Resources == nil || !s.Resources(rel) }
		}
		all = append(all, one)
	}
	return all
}

// isLeftOut reports whether another mount says that a file of a directory that a site publishes is not published.
func isLeftOut(s *site.Site, in *site.Mount, rel string) bool {
	file := in.Dir + "/" + rel
	return slices.ContainsFunc(s.Mounts, func(m *site.Mount) bool {
		below, isIn := strings.CutPrefix(file, m.Dir+"/")
		return m.Kind == site.Hidden && isIn && len(m.Dir) >= len(in.Dir) && (m.Match == nil || m.Match(below))
	})
}

// hasHiddenName reports whether a name in a path begins with a dot or an underscore: generators often leave
// such files out.
func hasHiddenName(rel string) bool {
	return strings.HasPrefix(rel, ".") || strings.HasPrefix(rel, "_") || strings.Contains(rel, "/.") || strings.Contains(rel, "/_")
}

// headingIDs returns the ids of the headings of d.
func headingIDs(d *doc.Document) (ids []string) {
	isHeading := map[int]bool{} // lines
	anchors := d.AnchorList()
	for i := range anchors {
		k := &anchors[i]
		isHeading[k.Line] = isHeading[k.Line] || k.Heading != nil || k.In == "section"
	}
	all := d.IDs()
	for i := range all.Len() {
		if id := all.At(i); id != "" && isHeading[int(all.Entries[i].Line)] {
			ids = append(ids, strings.Clone(id))
		}
	}
	return ids
}

// takeRemoved reports what Options.Before publishes and the tree no longer does.
func (a *auditor) takeRemoved() {
	if a.Before == nil || !a.results.wants(rule.RemovedURL) && !a.results.wants(rule.RemovedID) {
		return
	}
	g := guard{a: a, titles: map[string][]string{}, gone: map[goneDir]string{}}
	g.match()
	for i := range a.Before.Sites {
		g.compare(&a.Before.Sites[i])
	}
}

// A guard compares two states of what is published.
type guard struct {
	a      *auditor
	sites  map[*PublishedSite]*site.Site    // the sites as they are today
	others []*site.Site                     // those that are new
	titles map[string][]string              // pages by the id of their first heading; nil until needed
	folded map[*site.Site]map[string]string // the files of pages by their URLs in lower case; "" for redirects
	gone   map[goneDir]string               // the uppermost directory that is gone with a directory
	homes  map[string][]string              // the files that have headings which they did not have, by the ids of these; nil until needed
	// written is where the redirects of today's sites are written, once that is needed.
	written map[*site.Site]map[writtenRedirect]extract.Position
}

// A goneDir is a directory that is gone, in one whose files are published.
type goneDir struct{ dir, top string }

// A writtenRedirect is a redirect in a file.
type writtenRedirect struct{ file, url string }

// match finds the sites of the earlier tree: by their configuration, or, if that is gone, the only new one.
func (g *guard) match() {
	g.sites = map[*PublishedSite]*site.Site{}
	isMatched := map[*site.Site]bool{}
	var now []*site.Site
	for _, s := range g.a.Layouts.Finder.Sites() {
		if g.a.Layouts.BySite[s] != nil {
			now = append(now, s)
		}
	}
	for i := range g.a.Before.Sites {
		old := &g.a.Before.Sites[i]
		config := old.Config
		if to := g.a.Before.Renamed[config]; to != "" {
			config = to
		}
		for _, s := range now {
			if s.Config == config && !isMatched[s] {
				g.sites[old], isMatched[s] = s, true
				break
			}
		}
	}
	for _, s := range now {
		if !isMatched[s] {
			g.others = append(g.others, s)
		}
	}
	for i := range g.a.Before.Sites {
		old := &g.a.Before.Sites[i]
		if g.sites[old] == nil && len(g.others) == 1 {
			g.sites[old] = g.others[0]
		}
	}
}

// severalConfigurations says why a URL is not compared.
var severalConfigurations = reason.New(reason.Code, "several-configurations", "it is not known which of several configurations was used")

// A removal is a URL of a page that is not served any more.
type removal struct {
	page *PublishedPage
	url  string
}

// compare compares a site.
func (g *guard) compare(old *PublishedSite) {
	s := g.sites[old]
	old = old.rebased(s)
	var gone, byConfig, changed []removal
	kept := 0 // pages
	for i := range old.Pages {
		p := &old.Pages[i]
		for _, u := range p.URLs {
			switch {
			case g.isServed(s, u, p):
				if u == p.URLs[0] {
					kept++
				}
			case old.HasVariants && g.isFile(cmp.Or(g.a.Before.Renamed[p.File], p.File)):
				g.skip(severalConfigurations) // the source is still there, and it may have had today's URL
			case !g.a.Before.Changed[p.File]:
				byConfig = append(byConfig, removal{p, u})
			case g.isFile(p.File):
				changed = append(changed, removal{p, u})
			default:
				gone = append(gone, removal{p, u})
			}
		}
	}
	for i := range old.Redirects {
		if p := &old.Redirects[i]; !g.isServed(s, p.URLs[0], p) {
			gone = append(gone, removal{p, p.URLs[0]})
		}
	}
	if n := len(byConfig) + len(changed); n > 2 && len(byConfig) > 0 && kept <= n/2 {
		byConfig, changed = append(byConfig, changed...), nil // all have moved
	}
	g.compareStatic(old, s)
	gone = append(gone, changed...)
	if len(byConfig) == 1 {
		gone = append(gone, byConfig...)
	} else if len(byConfig) > 1 {
		g.reportMany(old, s, byConfig)
	}
	order.Sort(gone, func(x, y removal) int { return strings.Compare(x.page.File, y.page.File) })
	for _, r := range gone {
		g.reportRemoval(s, &r)
	}
}

// rebased returns v with the base of today's site, if one of the two bases is a guess: then the evidence of
// the base has changed, not the base. s may be nil.
func (v *PublishedSite) rebased(s *site.Site) *PublishedSite {
	if s == nil || v.Base == s.Base || v.IsBaseKnown && s.IsBaseKnown {
		return v
	}
	now := func(u string) string {
		rest, ok := strings.CutPrefix(u, v.Base)
		if !ok {
			return u
		}
		return s.Base + rest
	}
	pages := func(list []PublishedPage) (all []PublishedPage) {
		for _, p := range list {
			urls := make([]string, len(p.URLs))
			for i, u := range p.URLs {
				urls[i] = now(u)
			}
			p.URLs = urls
			all = append(all, p)
		}
		return all
	}
	w := *v
	w.Base, w.Pages, w.Redirects, w.Static = s.Base, pages(v.Pages), pages(v.Redirects), slices.Clone(v.Static)
	for i := range w.Static {
		w.Static[i].URL = now(w.Static[i].URL)
	}
	return &w
}

// A goneFile is a static file that is not served any more.
type goneFile struct {
	file, url string
	top       string // the uppermost directory that is gone with it; "" if its own is still there
}

// compareStatic reports missing static files that visitors open by themselves, or that a document linked
// to. A missing directory gives one finding.
func (g *guard) compareStatic(old *PublishedSite, s *site.Site) {
	byTop := map[string][]goneFile{}
	for _, file := range slices.Sorted(maps.Keys(g.a.Before.Changed)) {
		if g.isFile(file) {
			continue
		}
		dir := staticDirOf(old, file)
		if dir == nil || !g.a.Before.Links.isLinked(file) && (!isOpened(file) || dir.isUnlinked(file)) {
			continue
		}
		f := goneFile{file: file, url: dir.URL + strings.TrimPrefix(file, dir.Dir+"/"), top: g.goneDir(path.Dir(file), dir.Dir)}
		switch answer := g.serves(s, f.url); answer.State {
		case site.Unknown:
			g.skip(answer.Why)
		case site.Missing:
			key := f.top
			if key == "" {
				key = file
			}
			byTop[key] = append(byTop[key], f)
		}
	}
	for _, top := range slices.Sorted(maps.Keys(byTop)) {
		g.reportFiles(byTop[top])
	}
}

// staticDirOf returns the deepest directory of a site that publishes a file as it is, or nil.
func staticDirOf(old *PublishedSite, file string) (best *StaticDir) {
	for i := range old.Static {
		d := &old.Static[i]
		rel, isIn := strings.CutPrefix(file, d.Dir+"/")
		if isIn && d.isStatic(rel) && (best == nil || len(d.Dir) > len(best.Dir)) {
			best = d
		}
	}
	return best
}

// isUnlinked reports whether a file of the directory, to which no page links, is not published for that reason.
func (d *StaticDir) isUnlinked(file string) bool {
	return d.needsLink != nil && d.needsLink(strings.TrimPrefix(file, d.Dir+"/"))
}

// goneDir returns the uppermost directory from dir to top that is gone, or "" if dir is still there. It
// looks at each directory once.
func (g *guard) goneDir(dir, top string) (gone string) {
	var below []string // that are gone, and not known yet
	for ; len(dir) >= len(top) && len(g.a.Files.List(dir).Names) == 0; dir = path.Dir(dir) {
		if known, ok := g.gone[goneDir{dir, top}]; ok {
			gone = known
			break
		}
		gone, below = dir, append(below, dir)
	}
	for _, d := range below {
		g.gone[goneDir{d, top}] = gone
	}
	return gone
}

// reportFiles reports static files that are gone: one, or those of a directory.
func (g *guard) reportFiles(gone []goneFile) {
	first := gone[0]
	f := Finding{Rule: rule.RemovedURL, Message: strconv.Quote(first.url) + " is no longer published"}
	at := first.file
	if len(gone) > 1 {
		f.Message = fmt.Sprintf("%d files are no longer published: %s is gone, with %s and others", len(gone), strconv.Quote(g.a.Shown(first.top)), strconv.Quote(first.url))
		g.reportAt(at, f)
		return
	}
	now := g.a.Before.Renamed[first.file]
	if now == "" {
		f.Message += fmt.Sprintf(": %s is gone", strconv.Quote(g.a.Shown(first.file)))
		g.reportAt(at, f)
		return
	}
	at, f.Target = now, g.a.Target(now)
	f.Message += fmt.Sprintf(": %s is now %s", strconv.Quote(g.a.Shown(first.file)), strconv.Quote(g.a.Shown(now)))
	g.reportAt(at, f)
}

// isOpened reports whether visitors open files with a suffix by themselves: documents, archives, data,
// recordings and programs, but not the images, fonts, scripts and style sheets of pages.
func isOpened(file string) bool {
	ext := strings.ToLower(strings.TrimPrefix(path.Ext(file), "."))
	return ext != "" && slices.Contains(openedSuffixes, ext)
}

var openedSuffixes = strings.Fields(`
	pdf ps epub html htm xhtml txt rtf doc docx odt ppt pptx odp xls xlsx ods ipynb
	zip gz tgz tar xz bz2 zst 7z jar whl exe msi dmg deb rpm apk sh ps1 asc sig
	json jsonl yaml yml xml xsd rss atom csv tsv ics sql proto
	mp3 mp4 m4a m4v mov ogg ogv wav webm`)

// isServed reports whether a URL of a page is served, or may be. If it is that of the page, it compares the ids.
func (g *guard) isServed(s *site.Site, u string, p *PublishedPage) bool {
	answer := g.serves(s, u)
	switch answer.State {
	case site.Missing:
		return false
	case site.Unknown:
		g.skip(answer.Why)
	case site.Found:
		if s != nil && u == p.URLs[0] && (answer.File == p.File || answer.File == g.a.Before.Renamed[p.File]) {
			g.compareIDs(p, answer.File)
		}
	}
	return true
}

func (g *guard) isFile(file string) bool {
	mode, ok := g.a.Files.List(path.Dir(file)).Names[path.Base(file)]
	return ok && mode.IsRegular()
}

// serves says whether a site, or one that is new, serves a URL.
func (g *guard) serves(s *site.Site, u string) site.Answer {
	answer := site.Answer{State: site.Missing}
	for _, o := range append([]*site.Site{s}, g.others...) {
		if o == nil {
			continue
		}
		one := o.StillServes(u)
		if one.State == site.Missing && o.IgnoresCase {
			one = g.inOtherCase(o, u)
		}
		if one.State != site.Missing {
			return one
		}
	}
	return answer
}

// inOtherCase says whether a site has a page or a redirect at a URL in another case.
func (g *guard) inOtherCase(s *site.Site, u string) site.Answer {
	files, isKnown := g.folded[s]
	if !isKnown {
		files = map[string]string{}
		for _, r := range s.Redirects() {
			files[strings.ToLower(r.URL)] = ""
		}
		for p, urls := range s.Published {
			for _, u := range urls {
				files[strings.ToLower(u)] = p.File
			}
		}
		if g.folded == nil {
			g.folded = map[*site.Site]map[string]string{}
		}
		g.folded[s] = files
	}
	file, ok := files[strings.ToLower(u)]
	if !ok {
		return site.Answer{State: site.Missing}
	}
	return site.Answer{State: site.Found, File: file}
}

// reportRemoval reports a URL that is gone, at the source of its page or at what replaces it.
func (g *guard) reportRemoval(s *site.Site, r *removal) {
	if r.page.IsRedirect {
		g.reportRedirect(s, r)
		return
	}
	if why := r.page.NotReported; !why.IsZero() {
		g.skip(why)
		return
	}
	at, to, how := r.page.File, "", ""
	shown := g.a.Shown(r.page.File)
	switch now := g.a.Before.Renamed[r.page.File]; {
	case now != "":
		at, to, how = now, now, fmt.Sprintf("%s is now %s", strconv.Quote(shown), strconv.Quote(g.a.Shown(now)))
	case g.isFile(r.page.File):
		to = r.page.File
		if r.url != r.page.URLs[0] {
			how = "the redirect is gone"
		}
	default:
		how = fmt.Sprintf("%s is gone", strconv.Quote(shown))
		to = g.sameTitle(s, r.page)
		if to != "" {
			how += fmt.Sprintf(", and %s has its title", strconv.Quote(g.a.Shown(to)))
		}
	}
	message := strconv.Quote(r.url) + " is no longer published"
	if how != "" {
		message += ": " + how
	}
	f := Finding{Rule: rule.RemovedURL, Message: message}
	if s != nil && to != "" {
		if p := s.Page(to); p != nil && p.Why.IsZero() && len(p.Routes) > 0 {
			f.Target = g.a.Target(to)
			f.Message += fmt.Sprintf("; redirect it to %s", strconv.Quote(s.Route(p)))
		} else if p != nil && !p.Why.IsZero() {
			f.Message += ": " + p.Why.String()
		}
	}
	if p := g.redirectable(s, r, to); p != nil {
		g.a.wanted = append(g.a.wanted, wantedRedirect{
			s: s, url: r.url, message: f.Message,
			was: site.Target{File: r.page.File, Route: strings.TrimPrefix(r.url, strings.TrimSuffix(s.Base, "/"))}, is: site.Target{File: to, Route: p.Routes[0]},
		})
	}
	g.reportAt(at, f)
}

// reportRedirect reports a URL at which there was a redirect: where that is written, or was.
func (g *guard) reportRedirect(s *site.Site, r *removal) {
	old := r.page
	at := cmp.Or(g.a.Before.Renamed[old.File], old.File)
	f := Finding{Rule: rule.RemovedURL, Message: strconv.Quote(r.url) + " is no longer published: "}
	pos, isThere := g.writtenIn(s)[writtenRedirect{at, r.url}]
	f.Pos = pos
	to, led := old.To, strconv.Quote(g.a.Shown(old.To))
	if now := g.a.Before.Renamed[to]; now != "" {
		to = now
		led += ", which is now " + strconv.Quote(g.a.Shown(now))
	}
	switch {
	case !isThere && to == "":
		f.Message += "the redirect is gone"
	case !isThere:
		f.Message += "the redirect is gone; it led to " + led
	case to == "":
		f.Message += "the target of the redirect is gone"
	case to == old.To && !g.isFile(to):
		f.Message += "the redirect led to " + led + ", which is gone"
	default:
		f.Message += "the redirect led to " + led
	}
	if p := pageAt(s, to); p != nil {
		f.Target = g.a.Target(to)
		f.Message += "; redirect it to " + strconv.Quote(s.Route(p))
	}
	g.reportAt(at, f)
}

// writtenIn returns where the redirects of a site are written, by the file and the URL; s may be nil.
func (g *guard) writtenIn(s *site.Site) map[writtenRedirect]extract.Position {
	if g.written[s] != nil || s == nil {
		return g.written[s]
	}
	all := s.Redirects()
	order.Sort(all, func(x, y site.Redirect) int {
		return cmp.Or(strings.Compare(x.File, y.File), x.ToSpan.Start-y.ToSpan.Start)
	})
	written := map[writtenRedirect]extract.Position{}
	var lined doc.Lined
	for i := range all {
		r := &all[i]
		if i == 0 || r.File != all[i-1].File {
			lined = doc.Lined{Text: s.NavigationText(r.File), Line: 1}
		}
		at := extract.Position{Line: 1, Column: 1}
		if r.ToSpan.Start < r.ToSpan.End && r.ToSpan.End <= len(lined.Text) {
			at.Offset = int64(r.ToSpan.Start)
			at.Line, at.Column = lined.Position(r.ToSpan.Start)
		}
		written[writtenRedirect{r.File, r.URL}] = at
	}
	if g.written == nil {
		g.written = map[*site.Site]map[writtenRedirect]extract.Position{}
	}
	g.written[s] = written
	return written
}

// pageAt returns the page that a site publishes of a file, or nil.
func pageAt(s *site.Site, file string) *site.Page {
	if s == nil || file == "" {
		return nil
	}
	p := s.Page(file)
	if p == nil || !p.Why.IsZero() || len(p.Routes) == 0 {
		return nil
	}
	return p
}

// redirectable returns the page that a missing URL must redirect to, or nil if that is not certain. It is
// certain if git calls the file a rename and the URL was that of the page.
func (g *guard) redirectable(s *site.Site, r *removal, to string) *site.Page {
	if s == nil || to == "" || g.a.Before.Renamed[r.page.File] != to || r.url != r.page.URLs[0] || !strings.HasPrefix(r.url, s.Base) {
		return nil
	}
	return pageAt(s, to)
}

// reportMany reports URLs that are gone although the sources of their pages have not changed, at the configuration.
func (g *guard) reportMany(old *PublishedSite, s *site.Site, gone []removal) {
	f := Finding{Rule: rule.RemovedURL}
	f.Message = fmt.Sprintf("%d URLs are no longer published, although their sources are as before: %s and others", len(gone), strconv.Quote(gone[0].url))
	if s != nil && s.Base != old.Base {
		f.Message = fmt.Sprintf("%d URLs are no longer published: the site was at %s, and is at %s now", len(gone), strconv.Quote(old.Base), strconv.Quote(s.Base))
	}
	at := old.Config
	if s != nil {
		at = s.Config
	}
	g.reportAt(at, f)
}

// sameTitle returns the only page of a site whose first heading has the id that the first heading of a page had, or "".
func (g *guard) sameTitle(s *site.Site, old *PublishedPage) string {
	if s == nil || len(old.IDs) == 0 || slices.Contains(judge.UsualNames, old.IDs[0]) {
		return ""
	}
	if len(g.titles) == 0 {
		for _, d := range g.a.Docs {
			if ids := headingIDs(d); len(ids) > 0 {
				g.titles[ids[0]] = append(g.titles[ids[0]], d.Path)
			}
		}
	}
	return g.onlyIn(s, g.titles[old.IDs[0]])
}

// maxRemovedIDs is the number of ids of a page that a note names.
const maxRemovedIDs = 5

// compareIDs reports the ids of headings that a page had, and that are gone.
func (g *guard) compareIDs(old *PublishedPage, file string) {
	d := g.a.ByPath[file]
	if len(old.IDs) == 0 || d == nil || !d.HasAllIDs() || !g.a.Before.Changed[old.File] || !g.a.results.wants(rule.RemovedID) {
		return
	}
	s := d.Layout.Generated
	var gone []string
	var moved []wantedRedirect
	for _, id := range old.IDs {
		if _, live := d.IDs().Hit(id); live {
			continue
		}
		if s != nil && s.ID(file, id).State != site.Missing {
			g.skip(reason.CodeID)
			continue
		}
		text := strconv.Quote("#" + id)
		if home := g.homeOf(s, id); home != "" {
			text += ", now in " + strconv.Quote(g.a.Shown(home))
			moved = append(moved, idRedirect(s, file, home, id)...)
		}
		if places := g.shownLinks(file, id); places != "" {
			text += " (" + places + ")"
		}
		gone = append(gone, text)
	}
	if len(gone) == 0 {
		return
	}
	f := Finding{Rule: rule.RemovedID, Message: "links from elsewhere to " + strings.Join(gone[:min(len(gone), maxRemovedIDs)], ", ")}
	if n := len(gone) - maxRemovedIDs; n > 0 {
		f.Message += fmt.Sprintf(" and %d more", n)
	}
	f.Message += " no longer find their heading"
	if len(moved) == len(gone) {
		for _, w := range moved {
			w.message = f.Message
			g.a.wanted = append(g.a.wanted, w)
		}
	}
	g.reportAt(file, f)
}

// idRedirect returns the redirect from an id that a page no longer has to the page that has it now, if the
// site has such redirects.
func idRedirect(s *site.Site, file, home, id string) []wantedRedirect {
	was, is := pageAt(s, file), pageAt(s, home)
	if !site.RedirectsIDs(s) || was == nil || is == nil {
		return nil
	}
	return []wantedRedirect{{
		s: s, url: s.Route(was) + "#" + id, was: site.Target{File: file, Route: was.Routes[0] + "#" + id}, is: site.Target{File: home, Route: is.Routes[0] + "#" + id},
	}}
}

// homeOf returns the only page of a site in which the change puts a heading with an id that it did not have, or "".
func (g *guard) homeOf(s *site.Site, id string) string {
	if slices.Contains(judge.UsualNames, id) {
		return ""
	}
	if g.homes == nil {
		g.homes = map[string][]string{}
		had := map[string]*PublishedPage{}
		for i := range g.a.Before.Sites {
			for k := range g.a.Before.Sites[i].Pages {
				p := &g.a.Before.Sites[i].Pages[k]
				had[cmp.Or(g.a.Before.Renamed[p.File], p.File)] = p
			}
		}
		for _, d := range g.a.Docs {
			old := had[d.Path]
			if old != nil && !g.a.Before.Changed[old.File] {
				continue
			}
			isOld := map[string]bool{}
			if old != nil {
				for _, id := range old.IDs {
					isOld[id] = true
				}
			}
			for _, id := range headingIDs(d) {
				if !isOld[id] {
					g.homes[id] = append(g.homes[id], d.Path)
				}
			}
		}
	}
	if s == nil {
		return ""
	}
	return g.onlyIn(s, g.homes[id])
}

// onlyIn returns the only one of files that a site publishes, or "".
func (g *guard) onlyIn(s *site.Site, files []string) (only string) {
	for _, file := range files {
		switch {
		case g.a.SiteAt(file) != s:
		case only != "":
			return ""
		default:
			only = file
		}
	}
	return only
}

// reportAt reports a finding about a file, which may be gone.
func (g *guard) reportAt(file string, f Finding) {
	d := g.a.ByPath[file]
	if d == nil {
		d = g.a.NewDocument(file)
		d.Name = g.a.Shown(file)
		g.a.SetLayout(d)
	}
	f.File, f.Path = d.Name, d.File.Path
	if f.Path == "" {
		f.Path = file
	}
	if f.Pos.Line == 0 {
		f.Pos.Line, f.Pos.Column = 1, 1
	}
	if why := g.a.NotReported(d); !why.IsZero() {
		g.skip(why)
		return
	}
	g.a.emitFinding(&f)
}

// skip counts what is not checked.
func (g *guard) skip(why reason.Reason) {
	g.a.countSkipped(why, 1)
	g.a.results.SkippedNames++
}

// IDLinks are the files that documents of a tree link to, other than by an id. The zero IDLinks has none.
type IDLinks struct {
	files map[string]bool // at most maxLinkedIDs
}

// An idLink is what links to one id.
type idLink struct {
	places []idPlace // the first ones
	count  int
}

type idPlace struct {
	path string
	line int
}

// Bounds of IDLinks.
const (
	maxLinkedIDs = 1 << 18 // further ids are left out
	maxIDPlaces  = 2       // that a message names
)

// Take takes a reference of [Options.Followed].
func (l *IDLinks) Take(f *Followed) {
	if f.Target != "" && f.Anchored == "" && f.Ref != nil && f.Ref.Kind == scan.Link && len(l.files) < maxLinkedIDs && !l.files[f.Target] {
		if l.files == nil {
			l.files = map[string]bool{}
		}
		l.files[strings.Clone(f.Target)] = true
	}
}

// isLinked reports whether a document linked to a file. l may be nil.
func (l *IDLinks) isLinked(file string) bool { return l != nil && l.files[file] }

// today renames the files.
func (l *IDLinks) today(today func(p string) (now string, ok bool)) {
	files := make(map[string]bool, len(l.files))
	for file := range l.files {
		if now, ok := today(file); ok {
			files[now] = true
		}
	}
	l.files = files
}

// stillLinked are the links of today's tree to ids that are not there.
type stillLinked struct {
	mu sync.Mutex
	by map[string]*idLink // as in IDLinks
}

// take takes a reference of today's tree, with where it leads. Several may call it at a time.
func (l *stillLinked) take(a *auditor, d *doc.Document, ref *doc.Reference, to *lead.Landing) {
	if l == nil || !to.Hash || to.File == "" || to.Real == d.Path {
		return
	}
	fragment, _, _ := strings.Cut(to.Fragment, ":~:")
	target := a.Document(to.Real)
	if fragment == "" || target == nil {
		return
	}
	if _, live := target.IDs().Hit(fragment); live {
		return
	}
	key := to.Real + "#" + ascii.UnescapeAll(fragment)
	l.mu.Lock()
	defer l.mu.Unlock()
	one := l.by[key]
	if one == nil {
		if len(l.by) >= maxLinkedIDs {
			return
		}
		one = &idLink{}
		l.by[strings.Clone(key)] = one
	}
	one.add(d.Path, ref.Pos.Line)
}

// add counts a place, and keeps it if it is among the first of the documents.
func (one *idLink) add(file string, line int) {
	one.count++
	i, isKept := slices.BinarySearchFunc(one.places, file, func(p idPlace, file string) int { return strings.Compare(p.path, file) })
	switch {
	case isKept:
		one.places[i].line = min(one.places[i].line, line)
	case i < maxIDPlaces:
		one.places = slices.Insert(one.places, i, idPlace{strings.Clone(file), line})
		one.places = one.places[:min(len(one.places), maxIDPlaces)]
	}
}

// shownLinks says which places link to an id that a document does not have: `linked from "a.md":3 and 4
// others`; "" if none does.
func (g *guard) shownLinks(file, id string) string {
	one := g.a.still.by[file+"#"+id]
	if one == nil {
		return ""
	}
	var names []string
	for _, p := range one.places {
		names = append(names, fmt.Sprintf("%s:%d", strconv.Quote(g.a.Shown(p.path)), p.line))
	}
	text := "linked from " + strings.Join(names, ", ")
	if n := one.count - len(one.places); n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}
