package audit

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"example.org/refract/audit/site"
	"example.org/refract/extract"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
)

// A layout describes how a generator makes a site from documents.
type layout struct {
	slug slug.Flavour
	name string // what determines it: "mkdocs.yml", "--slugs"; "" means the vote

	loose bool // ids follow the rules of no flavour: compare letters and digits only

	headings  lazy.Value[map[string]bool] // ids of all documents
	generated *site.Site                  // the site that a generator makes of the documents; nil if none
}

// isSite reports whether a site serves the pages. Otherwise they are shown as files, with directory
// listings, as on code hosts.
func (l *layout) isSite() bool { return l.generated != nil }

// isHost reports whether a code host shows the pages.
func (l *layout) isHost() bool {
	return l.slug == slug.GitHub && !l.isSite() || l.slug == slug.GitLab || l.slug == slug.GitLab16
}

// isMDBook reports whether mdBook makes the pages.
func (l *layout) isMDBook() bool { return l.name == mdBook }

const mdBook = "book.toml"

// readsAttributes reports whether renderers of the flavour read {#id} behind a heading.
func readsAttributes(f slug.Flavour) bool {
	switch f {
	case slug.GitHub, slug.GitLab, slug.GitLab16:
		return false
	}
	return true
}

// layouts finds the layout of each document.
type layouts struct {
	files    *listings
	projects *projects
	fixed    *layout // from Options.Slugs; nil if unset
	plain    *layout // for documents without a configuration file; the vote sets its slug
	finder   *site.Finder
	arounds  lazy.Map[string, string] // results of around
	mu       sync.Mutex               // one document at a time is looked for, see site.Finder.Complete
	bySite   map[*site.Site]*layout
}

func newLayouts(slugs string, finder *site.Finder, files *listings, projects *projects) (*layouts, error) {
	l := &layouts{
		files: files, projects: projects, plain: &layout{slug: slug.GitHub},
		finder: finder, bySite: map[*site.Site]*layout{},
	}
	if slugs != "" {
		f, ok := slug.Named(slugs)
		if !ok {
			return nil, fmt.Errorf("slugs %q: give auto or one of %s", slugs, strings.Join(slug.Names(), ", "))
		}
		l.fixed = &layout{slug: f, name: "--slugs"}
	}
	return l, nil
}

// of returns the layout of a document, from the nearest configuration file upwards in the tree that
// applies to it.
func (l *layouts) of(d *document) *layout {
	top := l.projects.repository(d.dir())
	if top == "" {
		top = l.arounds.Get(d.top, l.around)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := l.finder.Of(d.path, top); s != nil {
		return l.ofSite(s)
	}
	if l.fixed != nil {
		return l.fixed
	}
	return l.plain
}

// around returns the directory that holds the project of dir, which is in no repository: its parent, since
// "refract audit docs" audits part of a project, if that looks like one. Otherwise what is beside dir has nothing to
// do with it, and may be anything.
func (l *layouts) around(dir string) string {
	up := path.Dir(dir)
	if up == path.Dir(up) || !l.projects.isPackage(up) && !l.projects.isDescribed(up) && !l.finder.IsConfigured(up) {
		return dir
	}
	return up
}

// setLayout sets the layout of d. It also sets the format of d if the site says more than the name.
func (a *auditor) setLayout(d *document) {
	d.layout = a.layouts.of(d)
	if s := d.layout.generated; s != nil && d.file.Type == "" {
		if t := s.MarkupType(d.path); t != "" {
			d.file.Type = t
			c := extract.Config{Formats: a.Formats}
			d.kind = kind{isDocument: true, fragments: c.FormatOfType(t).Fragments}
		}
	}
}

// isTemplate reports whether a file that is no document by its name is a page that the generator of a
// site makes of a template.
func (a *auditor) isTemplate(p string) bool {
	if !site.MayBeTemplate(p) {
		return false
	}
	s := a.siteAt(p)
	return s != nil && s.MarkupType(p) != ""
}

// isTemplate reports whether d is a template that its site reads as HTML.
func (d *document) isTemplate() bool { return site.IsTemplateType(d.file.Type) }

// isCode reports whether d is a page in a language of components, in which elements may be components.
func (d *document) isCode() bool { return d.file.Type == site.AstroType || d.file.Type == site.JSXType }

// ofSite returns the layout of the documents of a site.
func (l *layouts) ofSite(s *site.Site) *layout {
	made := l.bySite[s]
	if made == nil {
		made = &layout{slug: s.Slug, name: path.Base(s.Config), generated: s, loose: s.IsLoose()}
		if l.fixed != nil {
			made.slug, made.loose = l.fixed.slug, false
		}
		l.bySite[s] = made
	}
	return made
}

// These are the names of pages that stand for their directory, depending on who serves it.
var (
	hostIndexes = []string{"README.md", "readme.md", "Readme.md", "README.markdown", "README.txt", "README.rst", "README", "index.md", "index.html"}
	siteIndexes = []string{"index.md", "_index.md", "index.html", "index.htm", "README.md", "index.mdx", "readme.md", "index.markdown", "_index.html", "_index.markdown"}
	htmlIndexes = []string{"index.html", "index.htm", "index.xhtml", "default.html", "default.htm", "index.shtml", "index.php", "index.md", "README.md"}
)

func isIndex(name string) bool {
	return slices.Contains(hostIndexes, name) || slices.Contains(siteIndexes, name) || slices.Contains(htmlIndexes, name)
}
