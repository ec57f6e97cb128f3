// Package publish says who publishes a document, and under which URL.
package publish

import (
	"path"
	"slices"
	"sync"

	"example.org/refract/extract/slug"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/option"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/gen"
)

// Layouts finds the layout of each document.
type Layouts struct {
	files    *tree.Listings
	projects *tree.Projects
	fixed    *doc.Layout // from Options.Slugs; nil if unset
	Plain    *doc.Layout // for documents without a configuration file; the vote sets its slug
	Finder   *site.Finder
	arounds  lazy.Map[string, string] // results of around
	mu       sync.Mutex               // one document at a time is looked for, see site.Finder.Complete
	BySite   map[*site.Site]*doc.Layout
}

func NewLayouts(slugs string, finder *site.Finder, files *tree.Listings, projects *tree.Projects) (*Layouts, error) {
	l := &Layouts{
		files: files, projects: projects, Plain: &doc.Layout{Slug: slug.GitHub},
		Finder: finder, BySite: map[*site.Site]*doc.Layout{},
	}
	if err := CheckSlugs(slugs); err != nil {
		return nil, err
	}
	if f, ok := slug.Named(slugs); ok {
		l.fixed = &doc.Layout{Slug: f, Name: "--slugs"}
	}
	return l, nil
}

// CheckSlugs returns an error unless name is the name of an algorithm, "auto" or "".
func CheckSlugs(name string) error {
	if _, ok := slug.Named(name); ok || name == "" || name == "auto" {
		return nil
	}
	return option.NotOneOf("Slugs", name, append([]string{"auto"}, slug.Names()...))
}

// Of returns the layout of a document, from the nearest configuration file upwards in the tree that
// applies to it.
func (l *Layouts) Of(d *doc.Document) *doc.Layout {
	top := l.projects.Repository(d.Dir())
	if top == "" {
		top = l.arounds.Get(d.Top, l.around)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := l.Finder.Of(d.Path, top); s != nil {
		return l.OfSite(s)
	}
	if l.fixed != nil {
		return l.fixed
	}
	return l.Plain
}

// around returns the directory that holds the project of dir, which is in no repository: its parent, since
// "refract audit docs" audits part of a project, if that looks like one. Otherwise the files beside dir are
// unrelated, and may be anything.
func (l *Layouts) around(dir string) string {
	up := path.Dir(dir)
	if up == path.Dir(up) || !l.projects.IsPackage(up) && !l.projects.IsDescribed(up) && !l.Finder.IsConfigured(up) {
		return dir
	}
	return up
}

// OfSite returns the layout of the documents of a site.
func (l *Layouts) OfSite(s *site.Site) *doc.Layout {
	made := l.BySite[s]
	if made == nil {
		made = &doc.Layout{Slug: s.Slug, Name: path.Base(s.Config), Generated: s, Loose: s.IsLoose}
		if l.fixed != nil {
			made.Slug, made.Loose = l.fixed.Slug, false
		}
		l.BySite[s] = made
	}
	return made
}

// The names of pages that stand for their directory, depending on who serves it.
var HostIndexes = []string{"README.md", "readme.md", "Readme.md", "README.markdown", "README.txt", "README.rst", "README", "index.md", "index.html"}

var SiteIndexes = gen.Indexes() // of any generator

var HtmlIndexes = []string{"index.html", "index.htm", "index.xhtml", "default.html", "default.htm", "index.shtml", "index.php", "index.md", "README.md"}

func IsIndex(name string) bool {
	return slices.Contains(HostIndexes, name) || slices.Contains(SiteIndexes, name) || slices.Contains(HtmlIndexes, name)
}
