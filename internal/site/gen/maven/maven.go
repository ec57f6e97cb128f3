// Package maven supports sites of the Maven Site Plugin, which renders documents by Doxia.
package maven

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/slash"
)

// A model is the site of one module of a project. Reports of plugins and the sites of other modules are
// published beside its pages.
type model struct {
	raw lazy.Map[string, bool] // by page, whether it has headings in HTML
}

// Generator finds sites of the Maven Site Plugin.
var Generator = &site.Generator{
	Name: "Maven Site", Configs: []string{"site.xml"}, Indexes: []string{"index.md", "index.markdown"}, Find: find,
}

// formats are the modules of Doxia: the directories of sources, with the suffixes of the documents in each.
var formats = map[string][]string{
	"apt":        {".apt"},
	"asciidoc":   {".adoc", ".asciidoc"},
	"confluence": {".confluence"},
	"docbook":    {".xml"},
	"fml":        {".fml"},
	"markdown":   {".md", ".markdown"},
	"textile":    {".textile"},
	"twiki":      {".twiki"},
	"xdoc":       {".xml"},
	"xhtml":      {".xhtml"},
	"xhtml5":     {".xhtml"},
}

// velocity is the suffix of sources that are templates of Velocity first: "page.md.vm".
const velocity = ".vm"

// find finds a site by its descriptor, site.xml, beside directories of sources. Sources in another language
// are in a directory of their own: with site_fr.xml, "fr/markdown/page.md" becomes "/fr/page.html".
func find(d *source.Dir) []*site.Site {
	if d.First("site.xml") == "" {
		return nil
	}
	s := site.New(d, "Maven Site", "site.xml")
	s.IsBaseKnown = false // the URL of a project is in its pom.xml, that of a module follows from those of the projects above it
	s.Slug, s.Dialect = slug.Doxia, markdown.Doxia
	s.Slash = site.SlashNever
	s.Links = site.Links{site.Markdown: {link}, site.Image: {site.ByURL}, site.HTML: {site.ByURL}}
	s.Made = []string{"/apidocs/", "/testapidocs/", "/xref/", "/xref-test/", "/jacoco/", "/cobertura/"}
	mount(d, s, "", "/")
	const most = 100 // languages
	for _, name := range source.SortedKeys(d.Tree.List(d.Path)) {
		if lang, ok := strings.CutPrefix(strings.TrimSuffix(name, ".xml"), "site_"); ok && d.HasDir(lang) && len(s.Langs) < most {
			mount(d, s, lang, "/"+lang+"/")
			s.Langs = append(s.Langs, lang)
		}
	}
	if len(s.Suffixes) == 0 {
		return nil
	}
	s.Suffixes = append(s.Suffixes, velocity)
	s.SetModel(&model{})
	return []*site.Site{s}
}

// mount adds the directories of sources below a directory.
func mount(d *source.Dir, s *site.Site, below, url string) {
	for _, format := range source.SortedKeys(formats) {
		dir, suffixes := path.Join(d.Path, below, format), formats[format]
		if !d.Tree.IsDir(dir) {
			continue
		}
		s.Mounts = append(s.Mounts, &site.Mount{Dir: dir, URL: url, Kind: site.Pages, Match: func(rel string) bool {
			return slices.Contains(suffixes, path.Ext(strings.TrimSuffix(rel, velocity)))
		}})
		for _, suffix := range suffixes {
			if !slices.Contains(s.Suffixes, suffix) {
				s.Suffixes = append(s.Suffixes, suffix)
			}
		}
	}
	for _, name := range []string{"resources", "filtered-resources"} {
		s.Mounts = append(s.Mounts, &site.Mount{Dir: path.Join(d.Path, below, name), URL: url, Kind: site.Static})
	}
}

// Route sets the URL of a page.
func (*model) Route(_ *site.Site, p *site.Page) {
	p.Routes = []string{path.Join(p.Mount.URL, site.PageURL(strings.TrimSuffix(p.Rel, velocity), ".html"))}
	if dir, isIndex := strings.CutSuffix(p.Routes[0], "/index.html"); isIndex {
		p.Also = []string{dir + "/"}
	}
}

// reports are the pages that the Project Info Reports Plugin and others make at the root of a site.
var reports = lazy.NewSet("changes-report ci-management cpd checkstyle checkstyle-aggregate dependencies dependency-analysis dependency-convergence dependency-info " +
	"dependency-management dependency-updates-report distribution-management findbugs index integration issue-management issue-tracking japicmp license " +
	"licenses mail-lists mailing-lists modules plugin-info plugin-management plugins pmd project-info project-reports project-summary scm source-repository " +
	"spotbugs summary surefire-report taglist team team-list")

// Makes reports whether a URL may be a report, or on the site of another module: in a directory where this
// one has no page.
func (*model) Makes(s *site.Site, u string) bool {
	dir := u[:strings.LastIndexByte(u, '/')+1]
	if path.Ext(u) == "" {
		dir = strings.TrimSuffix(u, "/") + "/"
	}
	if dir != "/" {
		return s.Below(strings.TrimSuffix(s.Base, "/")+dir) == 0
	}
	stem := strings.TrimSuffix(u[1:], ".html")
	return reports.Has(stem) || strings.HasSuffix(stem, "-mojo") || strings.HasSuffix(stem, "-report") || strings.HasSuffix(stem, "-aggregate")
}

// rawHeading matches a heading of HTML, which has the id of its text, too.
var rawHeading = lazy.New(`(?i)<h[1-6][\s>]`)

// MakesID reports whether a page has headings in HTML.
func (g *model) MakesID(s *site.Site, file, _ string) bool {
	return g.raw.Get(file, func(string) bool { return rawHeading.Match(s.Tree.Text(file, source.MaxPage)) })
}

// toSource matches a link that Doxia changes to one to the page of a document: no other dot is in its path.
var toSource = lazy.New(`^(?:(?:\.\./)+|\./)?[^.?]+\.(?:md|markdown)$`)

// link resolves a link of Markdown from the URL of the page. One to a source points to its page.
func link(s *site.Site, r *site.Reference) []site.Candidate {
	p := r.Path
	if !r.Query && toSource.MatchString(r.Raw) {
		p = slash.Stem(p) + ".html"
	}
	return s.URLs(r, p, "")
}
