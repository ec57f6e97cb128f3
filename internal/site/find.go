package site

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"sync"

	"example.org/refract/extract/markdown"
	"example.org/refract/internal/input"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site/source"
)

// A Finder finds the sites of a tree. It is not safe for concurrent use, except that several
// goroutines may call Site.Resolve, Uses and Page once Site.Page has been called.
type Finder struct {
	// Generator, if not "", is the name of the only generator to look for, ignoring case.
	// "none" finds nothing.
	Generator string
	// Jobs is the number of pages to read in parallel. 0 means 1.
	Jobs int

	generators []*Generator // asked in this order; the first that finds a site in a directory wins
	files      input.Tree
	mu         sync.Mutex                   // guards what follows
	hosts      lazy.Map[string, *hostRules] // rules of hosts for trees without a generator, see RedirectOf
	trees      map[string]*source.Tree      // by root
	byDir      map[rooted][]*Site           // by directory of the configuration
	found      []rooted                     // the keys of byDir that have sites, sorted

	groups     map[string][]*Site // by root and GroupKey: at most maxParts each, by directory
	far        map[string][]*Site // by root: sites whose sources are outside of their directory
	all        map[string][]*Site // by root: those in its upper directories
	ofDir      map[rooted][]*Site // candidates of a directory of files, innermost first
	isComplete bool               // see Complete
}

// A rooted is a directory in a tree with a root. Outside a repository, documents have several roots, which
// may contain each other. The files that a configuration may refer to depend on the root: one configuration
// makes a site for each root.
type rooted struct{ dir, root string }

func (r rooted) compare(o rooted) int {
	return cmp.Or(strings.Compare(r.dir, o.dir), strings.Compare(r.root, o.root))
}

// NewFinder returns a Finder for the sites of generators in a tree.
func NewFinder(t input.Tree, generators []*Generator, generator string) *Finder {
	return &Finder{
		Generator: generator, generators: generators, files: t,
		trees: map[string]*source.Tree{}, byDir: map[rooted][]*Site{}, far: map[string][]*Site{}, ofDir: map[rooted][]*Site{}, all: map[string][]*Site{},
		groups: map[string][]*Site{},
	}
}

// New returns a site for the configuration file with a name.
func New(d *source.Dir, generator, config string) *Site {
	return &Site{Generator: generator, Config: d.In(config), Dir: d.Path, Address: Address{Base: "/", IsBaseKnown: true}, Tree: d.Tree}
}

// Of returns the site that a file belongs to, or nil. root is the absolute path of the directory
// that holds the whole project.
func (f *Finder) Of(file, root string) *Site {
	root = strings.TrimSuffix(root, "/")
	if strings.EqualFold(f.Generator, "none") || !source.Below(file, root) {
		return nil
	}
	sites, all := f.around(path.Dir(file), root)
	if best := siteOf(sites, file, true); best != nil {
		return best
	}
	for _, s := range slices.Concat(sites, all) {
		s.Load()
		if len(s.IncludedBy[file]) > 0 {
			return s
		}
	}
	return nil
}

// ProgramOf returns the innermost site whose code may publish a file that belongs to no site, or nil. root
// is as for Of.
func (f *Finder) ProgramOf(file, root string) *Site {
	root = strings.TrimSuffix(root, "/")
	if strings.EqualFold(f.Generator, "none") || !source.Below(file, root) {
		return nil
	}
	sites, _ := f.around(path.Dir(file), root)
	for _, s := range sites {
		if s.IsProgram && source.Below(file, s.Dir) {
			return s
		}
	}
	return nil
}

// isReadInPlace reports whether people read a file of a mount where the repository is shown, and
// not as a page of the site.
func (s *Site) isReadInPlace(m *Mount, file string) bool {
	if m.InPlace || s.placer == nil {
		return m.InPlace
	}
	s.Load()
	return s.placer.IsInPlace(s, file)
}

// DialectOf returns the Markdown dialect in which the generator of a file's site reads the file, or the
// zero Dialect. Unlike Of, it reads no pages, so it finds no site for files that are only included from
// elsewhere.
func (f *Finder) DialectOf(file, root string) markdown.Dialect {
	root = strings.TrimSuffix(root, "/")
	if strings.EqualFold(f.Generator, "none") || !source.Below(file, root) {
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
		m := s.MountOf(file)
		switch {
		case m == nil, m.InPlace, best != nil && s.IsVault && !best.IsVault, pages && s.isReadInPlace(m, file):
		case len(m.Dir) > deepest, best.IsVault && !s.IsVault:
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
	if sites, ok := f.ofDir[rooted{dir, root}]; ok {
		return sites
	}
	var sites []*Site
	for at := dir; ; at = path.Dir(at) {
		sites = append(sites, f.configured(at, root)...)
		if at == root || path.Dir(at) == at || !source.Below(path.Dir(at), root) {
			break
		}
	}
	for _, s := range f.distant(root) {
		if !slices.Contains(sites, s) {
			sites = append(sites, s)
		}
	}
	f.ofDir[rooted{dir, root}] = sites
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
			if slices.ContainsFunc(s.Mounts, func(m *Mount) bool { return !source.Below(m.Dir, s.Dir) }) {
				sites = append(sites, s)
			}
		}
		if depth == 2 {
			return
		}
		l := t.List(dir)
		for _, name := range source.SortedKeys(l) {
			if l[name].IsDir() && name[0] != '.' && name != "node_modules" {
				visit(dir+"/"+name, depth+1)
			}
		}
	}
	visit(root, 0)
	f.far[root] = sites
	return sites
}

func (f *Finder) treeOf(root string) *source.Tree {
	if f.trees[root] == nil {
		f.trees[root] = source.NewTree(f.files, root, f.Jobs)
	}
	return f.trees[root]
}

// IsIgnored reports whether .gitignore excludes a file from the repository in a directory root.
func (f *Finder) IsIgnored(file, root string) bool {
	f.mu.Lock()
	t := f.treeOf(strings.TrimSuffix(root, "/"))
	f.mu.Unlock()
	return t.IsIgnored(file)
}

// IsVendored reports whether .gitattributes in a directory root says that a file belongs to another project.
func (f *Finder) IsVendored(file, root string) bool {
	f.mu.Lock()
	t := f.treeOf(strings.TrimSuffix(root, "/"))
	f.mu.Unlock()
	return t.IsVendored(file)
}

// ListsDirectory reports whether the server lists a directory without an index page, by the .htaccess files
// in a directory root.
func (f *Finder) ListsDirectory(dir, root string) bool {
	f.mu.Lock()
	t := f.treeOf(strings.TrimSuffix(root, "/"))
	f.mu.Unlock()
	return t.ListsDirectory(dir)
}

// IsConfigured reports whether a directory holds the configuration of a site.
func (f *Finder) IsConfigured(dir string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.configured(dir, dir)) > 0
}

// configured returns the sites whose configuration is in a directory.
func (f *Finder) configured(dir, root string) []*Site {
	at := rooted{dir, root}
	if sites, ok := f.byDir[at]; ok {
		return sites
	}
	d := source.NewDir(f.treeOf(root), dir)
	var sites []*Site
	for _, g := range f.generators {
		if f.Generator != "" && !strings.EqualFold(f.Generator, g.Name) {
			continue
		}
		if sites = g.Find(d); len(sites) > 0 {
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
		if s.member != nil {
			key := f.addPart(root, s)
			s.group = func() []*Site {
				f.mu.Lock()
				defer f.mu.Unlock()
				f.distant(root)
				return f.groups[key]
			}
		}
	}
	f.byDir[at] = sites
	if len(sites) > 0 && !f.isComplete {
		i, _ := slices.BinarySearchFunc(f.found, at, rooted.compare)
		f.found = slices.Insert(f.found, i, at)
	}
	return sites
}

// maxParts bounds the directories of one group of sites: each reference may look at all of them.
const maxParts = 100

// addPart adds s to its group, and returns where these are in f.groups.
func (f *Finder) addPart(root string, s *Site) (key string) {
	key = root + "\n" + s.member.GroupKey()
	parts := f.groups[key]
	at, _ := slices.BinarySearchFunc(parts, s.Dir, func(o *Site, dir string) int { return strings.Compare(o.Dir, dir) })
	if len(parts) < maxParts && !f.isComplete {
		f.groups[key] = slices.Insert(parts, at, s)
	}
	return key
}

// Complete loads the sites that were found. Sites found later are not in Sites, and not members of the
// groups of those found before. After Complete, f and its sites are safe for concurrent use, except that
// calls of Of must not run concurrently.
func (f *Finder) Complete() {
	for n := -1; n != len(f.Sites()); { // loading one may find others
		sites := f.Sites()
		for _, s := range sites {
			s.Load()
		}
		n = len(sites)
	}
	f.isComplete = true
}

// Sites returns the sites found before Complete, in the order of their configuration files.
func (f *Finder) Sites() (all []*Site) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, at := range f.found {
		all = append(all, f.byDir[at]...)
	}
	return all
}

// A Claim is a directory of sources that the configurations of two generators publish.
type Claim struct{ By, Other *Site }

// maxClaims limits the directories in which other generators are asked.
const maxClaims = 16

// Claims returns the sites whose sources another generator also publishes, by a configuration of its own
// beside that of the site. Sites of notes, and programs whose code may show the documents of others, do not
// count.
func (f *Finder) Claims() (all []Claim) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, at := range f.found {
		if i == maxClaims {
			break
		}
		for _, s := range f.byDir[at] {
			if other := f.claimant(s, at); other != nil {
				all = append(all, Claim{s, other})
				break
			}
		}
	}
	return all
}

// claimant returns a site of another generator for the sources of s, or nil.
func (f *Finder) claimant(s *Site, at rooted) *Site {
	if s.IsVault || s.IsProgram || s.member != nil {
		return nil
	}
	d := source.NewDir(f.treeOf(at.root), at.dir)
	for _, g := range f.generators {
		if g.Name == s.Generator || len(g.Configs) == 0 {
			continue
		}
		for _, o := range g.Find(d) {
			isSame := o.Generator == s.Generator || o.Config == s.Config || o.IsVault || o.IsProgram
			if !isSame && slices.ContainsFunc(o.Mounts, func(m *Mount) bool { return m.Kind == Pages && hasPagesIn(s, m.Dir) }) {
				return o
			}
		}
	}
	return nil
}

// hasPagesIn reports whether a mount of pages is a directory.
func hasPagesIn(s *Site, dir string) bool {
	return slices.ContainsFunc(s.Mounts, func(m *Mount) bool { return m.Kind == Pages && m.Dir == dir })
}

// Translations returns the sources of the same page in other languages.
func (s *Site) Translations(file string) (files []string) {
	s.Load()
	p := s.ByFile[file]
	if p == nil || len(p.Routes) == 0 || len(s.Langs) == 0 {
		return nil
	}
	rest := p.Routes[0]
	for _, lang := range append(slices.Clone(s.Langs), s.DefaultLang) {
		if below, ok := strings.CutPrefix(rest, "/"+lang+"/"); ok && lang != "" {
			rest = "/" + below
			break
		}
	}
	for _, lang := range append([]string{"", s.DefaultLang}, s.Langs...) {
		u := rest
		if lang != "" {
			u = "/" + lang + rest
		}
		if other := s.ByURL[u]; other != nil && other.File != "" && other != p && !slices.Contains(files, other.File) {
			files = append(files, other.File)
		}
	}
	return files
}
