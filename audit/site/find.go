package site

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"example.org/refract/extract/markdown"
	"example.org/refract/internal/lazy"
)

// A Finder finds the sites of a tree. It is not safe for concurrent use, except that several
// goroutines may call Site.Resolve, Uses and Page once Site.Page has been called.
type Finder struct {
	// Generator, if not "", is the name of the only generator to look for, ignoring case.
	// "none" finds nothing.
	Generator string
	// Jobs is the number of pages that are read at a time. 0 means 1.
	Jobs int

	files Tree
	mu    sync.Mutex              // guards what follows
	hosts lazy.Map[string, *Site] // rules of hosts for trees without a generator, see RedirectOf
	trees map[string]*tree        // by root
	byDir map[string][]*Site      // by directory of the configuration
	found []string                // the directories of byDir that have sites, sorted

	components map[string][]*Site // of Antora, by name and version: at most maxParts each, by directory
	far        map[string][]*Site // by root: sites whose sources are outside of their directory
	all        map[string][]*Site // by root: those in its upper directories
	ofDir      map[string][]*Site // candidates of a directory of files, innermost first
	isComplete bool               // see Complete
}

// NewFinder returns a Finder for the sites in a tree.
func NewFinder(t Tree, generator string) *Finder {
	return &Finder{
		Generator: generator, files: t,
		trees: map[string]*tree{}, byDir: map[string][]*Site{}, far: map[string][]*Site{}, ofDir: map[string][]*Site{}, all: map[string][]*Site{},
		components: map[string][]*Site{},
	}
}

// A generator finds sites from the configuration file in a directory.
type generator struct {
	name string
	find func(d *directory) []*Site
}

// generators are tried in this order. The first one that finds a site in a directory wins.
var generators = []generator{
	{"MkDocs", findMkDocs},
	{"Docusaurus", findDocusaurus},
	{"VitePress", findVitePress},
	{"Zola", findZola}, // before Hugo, whose configuration may have the same name
	{"VuePress", findVuePress},
	{"Hugo", findHugo},
	{"mdBook", findMdBook},
	{"Fumadocs", findFumadocs},
	{"Starlight", findStarlight},
	{"Antora", findAntora},
	{"Sphinx", findSphinx},
	{"Jekyll", findJekyll},
	{"Eleventy", findEleventy},
	{"DocFX", findDocFX},
	{"Rspress", findRspress},
	{"Nextra", findNextra},
	{"Quarto", findQuarto},
	{"bookdown", findBookdown},
	{"Quartz", findQuartz},
	{"Docsify", findDocsify},
	{"HonKit", findHonKit},
	{"GitBook", findGitBook},
	{"Mintlify", findMintlify},
	{"Obsidian", findObsidian},
	{"AzureWiki", findAzureWiki},
	{"Wiki", findWiki},
}

// Names returns the names of the known generators.
func Names() (names []string) {
	for _, g := range generators {
		names = append(names, g.name)
	}
	return names
}

// CheckName returns an error unless name is the name of a generator, "none" or "".
func CheckName(name string) error {
	if name == "" || strings.EqualFold(name, "none") || slices.ContainsFunc(Names(), func(known string) bool { return strings.EqualFold(name, known) }) {
		return nil
	}
	return fmt.Errorf("generator %q: give none or one of %s", name, strings.Join(Names(), ", "))
}

// A directory may hold a configuration file.
type directory struct {
	dir  string
	tree *tree
}

func (d *directory) in(name string) string { return path.Join(d.dir, name) }

// first returns the first of names that is a file in the directory, or "".
func (d *directory) first(names ...string) string {
	l := d.tree.list(d.dir)
	for _, name := range names {
		if mode, ok := l[name]; ok && !mode.IsDir() {
			return name
		}
	}
	return ""
}

// hasDir reports whether the directory holds a directory with a name.
func (d *directory) hasDir(name string) bool { return d.tree.list(d.dir)[name].IsDir() }

// dependsOn reports whether the package.json of the directory lists a package.
func (d *directory) dependsOn(name string) bool {
	conf := d.tree.read(d.in("package.json"))
	return conf.get("dependencies", name).isGiven() || conf.get("devDependencies", name).isGiven()
}

// inside returns the absolute path of a directory that a configuration names. ok is false
// if it leaves the repository.
func (d *directory) inside(name string) (string, bool) {
	if path.IsAbs(name) {
		return "", false
	}
	p := path.Join(d.dir, name)
	return p, below(p, d.tree.root)
}

// newSite returns a site for the configuration file with a name.
func (d *directory) newSite(generator, config string) *Site {
	return &Site{Generator: generator, Config: d.in(config), Dir: d.dir, Base: "/", IsBaseKnown: true, tree: d.tree}
}

// Of returns the site that a file belongs to, or nil. root is the absolute path of the directory
// that holds the whole project.
func (f *Finder) Of(file, root string) *Site {
	root = strings.TrimSuffix(root, "/")
	if strings.EqualFold(f.Generator, "none") || !below(file, root) {
		return nil
	}
	sites, all := f.around(path.Dir(file), root)
	if best := siteOf(sites, file, true); best != nil {
		return best
	}
	for _, s := range slices.Concat(sites, all) {
		s.load()
		if len(s.includes[file]) > 0 {
			return s
		}
	}
	return nil
}

// isReadInPlace reports whether people read a file of a mount where the repository is shown, and
// not as a page of the site.
func (s *Site) isReadInPlace(m *Mount, file string) bool {
	if m.InPlace || s.inPlace == nil {
		return m.InPlace
	}
	s.load()
	return s.inPlace(s, file)
}

// DialectOf returns the Markdown dialect in which the generator of a file's site reads the file,
// or the zero Dialect. Unlike Of, it reads no pages, so it finds no site for files that are only
// included from elsewhere.
func (f *Finder) DialectOf(file, root string) markdown.Dialect {
	root = strings.TrimSuffix(root, "/")
	if strings.EqualFold(f.Generator, "none") || !below(file, root) {
		return markdown.Dialect{}
	}
	sites, _ := f.around(path.Dir(file), root)
	if s := siteOf(sites, file, false); s != nil {
		return s.DialectOf(file)
	}
	return markdown.Dialect{}
}

// siteOf returns the site with the deepest mount that holds a file, or nil. If pages is true, it may
// read the pages of a site to find out whether the file is one of them.
func siteOf(sites []*Site, file string, pages bool) (best *Site) {
	deepest := -1
	for _, s := range sites {
		m := s.mountOf(file)
		switch {
		case m == nil, m.InPlace, best != nil && s.isVault() && !best.isVault(), pages && s.isReadInPlace(m, file):
		case len(m.Dir) > deepest, best.isVault() && !s.isVault():
			best, deepest = s, len(m.Dir)
		}
	}
	return best
}

// around returns the sites that files of a directory may belong to, and all in the upper directories below root.
func (f *Finder) around(dir, root string) (sites, all []*Site) {
	f.mu.Lock()
	defer f.mu.Unlock()
	sites = f.candidates(dir, root)
	return sites, f.all[root]
}

// candidates returns the sites that files of a directory may belong to.
func (f *Finder) candidates(dir, root string) []*Site {
	if sites, ok := f.ofDir[dir]; ok {
		return sites
	}
	var sites []*Site
	for at := dir; ; at = path.Dir(at) {
		sites = append(sites, f.configured(at, root)...)
		if at == root || path.Dir(at) == at || !below(path.Dir(at), root) {
			break
		}
	}
	for _, s := range f.distant(root) {
		if !slices.Contains(sites, s) {
			sites = append(sites, s)
		}
	}
	f.ofDir[dir] = sites
	return sites
}

// distant returns the sites in directories below root whose sources are elsewhere below root.
func (f *Finder) distant(root string) []*Site {
	if sites, ok := f.far[root]; ok {
		return sites
	}
	f.far[root] = nil
	var sites []*Site
	t := f.treeOf(root)
	const maxDirs = 300
	dirs := 0
	var visit func(dir string, depth int)
	visit = func(dir string, depth int) {
		if dirs++; dirs > maxDirs {
			return
		}
		for _, s := range f.configured(dir, root) {
			f.all[root] = append(f.all[root], s)
			if slices.ContainsFunc(s.Mounts, func(m *Mount) bool { return !below(m.Dir, s.Dir) }) {
				sites = append(sites, s)
			}
		}
		if depth == 2 {
			return
		}
		l := t.list(dir)
		for _, name := range sortedKeys(l) {
			if l[name].IsDir() && name[0] != '.' && name != "node_modules" {
				visit(dir+"/"+name, depth+1)
			}
		}
	}
	visit(root, 0)
	f.far[root] = sites
	return sites
}

func (f *Finder) treeOf(root string) *tree {
	if f.trees[root] == nil {
		f.trees[root] = newTree(f.files, root)
		f.trees[root].jobs = f.Jobs
	}
	return f.trees[root]
}

// IsIgnored reports whether .gitignore leaves a file out of the repository in a directory root.
func (f *Finder) IsIgnored(file, root string) bool {
	f.mu.Lock()
	t := f.treeOf(strings.TrimSuffix(root, "/"))
	f.mu.Unlock()
	return t.isIgnored(file)
}

// IsConfigured reports whether a directory holds the configuration of a site.
func (f *Finder) IsConfigured(dir string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.configured(dir, dir)) > 0
}

// configured returns the sites whose configuration is in a directory.
func (f *Finder) configured(dir, root string) []*Site {
	if sites, ok := f.byDir[dir]; ok {
		return sites
	}
	d := &directory{dir: dir, tree: f.treeOf(root)}
	var sites []*Site
	for _, g := range generators {
		if f.Generator != "" && !strings.EqualFold(f.Generator, g.name) {
			continue
		}
		if sites = g.find(d); len(sites) > 0 {
			break
		}
	}
	for _, s := range sites {
		s.around = func() []*Site {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.distant(root)
			return f.all[root]
		}
		if s.antora != nil {
			key := f.addPart(s)
			s.sameComponent = func() []*Site {
				f.mu.Lock()
				defer f.mu.Unlock()
				f.distant(root)
				return f.components[key]
			}
		}
	}
	f.byDir[dir] = sites
	if len(sites) > 0 && !f.isComplete {
		at, _ := slices.BinarySearch(f.found, dir)
		f.found = slices.Insert(f.found, at, dir)
	}
	return sites
}

// maxParts bounds the directories that are taken for parts of one component of Antora: each reference
// may look at all of them.
const maxParts = 100

// addPart adds s to the parts of its component, and returns where these are in f.components.
func (f *Finder) addPart(s *Site) (key string) {
	key = s.antora.name + "@" + s.antora.version
	parts := f.components[key]
	at, _ := slices.BinarySearchFunc(parts, s.Dir, func(o *Site, dir string) int { return strings.Compare(o.Dir, dir) })
	if len(parts) < maxParts && !f.isComplete {
		f.components[key] = slices.Insert(parts, at, s)
	}
	return key
}

// Complete loads the sites that were found. Those that are found later are not in Sites, and are no parts of
// components of those found before. After Complete, f and its sites are safe for concurrent use, except that calls of Of
// must not run concurrently.
func (f *Finder) Complete() {
	for n := -1; n != len(f.Sites()); { // loading one may find others
		sites := f.Sites()
		for _, s := range sites {
			s.load()
		}
		n = len(sites)
	}
	f.isComplete = true
}

// Sites returns those that were found before Complete, in the order of their configuration files.
func (f *Finder) Sites() (all []*Site) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, dir := range f.found {
		all = append(all, f.byDir[dir]...)
	}
	return all
}
