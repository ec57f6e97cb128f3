package audit

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"example.org/refract/audit/site"
	"example.org/refract/extract/slug"
)

// A layout is how a generator makes a site of documents.
type layout struct {
	slug  slug.Flavour
	name  string   // what determines it: "mkdocs.yml", "--slugs"; "" is the vote
	roots []string // where "/x" may lead, besides the root of the tree

	pretty  bool   // x and x/ are what x.md becomes
	sources bool   // x.html is what x.md becomes
	routes  bool   // pages may have addresses that other places than their names define
	labels  bool   // a reference may name a label of another document
	lists   bool   // directories have pages that list what is in them
	loose   bool   // ids are by rules that no flavour has: letters and digits are compared
	site    string // directory that "@site/x" leads into

	headings  map[string]bool // ids of all documents; nil before they are asked for
	generated *site.Site      // what a generator makes of the documents; nil without one
}

// layoutOf returns how the generators that use a flavour lay out pages.
func layoutOf(f slug.Flavour) *layout {
	l := &layout{slug: f, name: "--slugs"}
	switch f {
	case slug.Docusaurus:
		l.pretty, l.routes, l.lists = true, true, true
	case slug.PythonMarkdown, slug.PythonMarkdownUnicode:
		l.pretty, l.sources = true, true
	case slug.KramdownGFM:
		l.pretty, l.sources = true, true
	case slug.Hugo, slug.HugoASCII, slug.Hugo143, slug.HugoASCII143:
		l.pretty, l.sources, l.routes, l.lists = true, true, true, true
	}
	return l
}

// isSite reports whether pages are served, not shown as files with listings of
// directories, as code hosts do.
func (l *layout) isSite() bool { return l.pretty || l.sources || l.generated != nil }

// isHost reports whether pages are shown by a code host.
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

// layouts know the layout of each document.
type layouts struct {
	files    *listings
	projects *projects
	fixed    *layout // by Options.Slugs; nil without
	plain    *layout // of documents without a configuration file: the vote sets its slug
	finder   *site.Finder
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
		l.fixed = layoutOf(f)
	}
	return l, nil
}

// of returns the layout of a document: by the nearest configuration file upwards, in the
// tree, that is about it.
func (l *layouts) of(d *document) *layout {
	if l.fixed != nil {
		return l.fixed
	}
	top := l.projects.repository(d.dir())
	if top == "" {
		top = path.Dir(d.top) // "refract audit docs" is a project's
	}
	if s := l.finder.Of(d.path, top); s != nil {
		return l.ofSite(s)
	}
	return l.plain
}

// ofSite returns the layout of the documents of a site.
func (l *layouts) ofSite(s *site.Site) *layout {
	made := l.bySite[s]
	if made == nil {
		made = &layout{slug: s.Slug, name: path.Base(s.Config), generated: s, loose: s.IsLoose()}
		l.bySite[s] = made
	}
	return made
}

// indexes are the names of pages that stand for their directory, by who serves it.
var (
	hostIndexes = []string{"README.md", "readme.md", "Readme.md", "README.markdown", "README.txt", "README.rst", "README", "index.md", "index.html"}
	siteIndexes = []string{"index.md", "_index.md", "index.html", "index.htm", "README.md", "index.mdx", "readme.md", "index.markdown", "_index.html", "_index.markdown"}
	htmlIndexes = []string{"index.html", "index.htm", "index.xhtml", "default.html", "default.htm", "index.shtml", "index.php", "index.md", "README.md"}
)

func isIndex(name string) bool {
	return slices.Contains(hostIndexes, name) || slices.Contains(siteIndexes, name) || slices.Contains(htmlIndexes, name)
}
