package site

import (
	"path"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/literal"
)

// An includedSite is a site of MkDocs that the navigation of another one includes by the plugin
// monorepo: its documents are published as a directory of that site.
type includedSite struct {
	config string // absolute path
	docs   string // absolute path of its documents
	alias  string // the directory below the root of the documents; "" means unknown
}

const (
	siteIncludeMark  = "!include " // before a configuration file in nav
	includeAllMark   = "*include " // before a pattern of configuration files
	maxIncludedSites = 500         // sites that a configuration may include
)

// hasMonorepo reports whether a configuration uses the plugin monorepo, by itself or as a part of
// techdocs-core.
func hasMonorepo(conf value) bool {
	_, has := conf.get("plugins").named("monorepo")
	return has || hasTechDocs(conf)
}

// hasTechDocs reports whether a configuration is for TechDocs of Backstage.
func hasTechDocs(conf value) bool {
	_, has := conf.get("plugins").named("techdocs-core")
	return has
}

// includedSites returns the sites that the configuration in a directory includes. It reads each
// configuration once.
func (t *tree) includedSites(dir string) []includedSite {
	if sites, ok := t.monorepos[dir]; ok {
		return sites
	}
	var sites []includedSite
	d := &directory{dir: dir, tree: t}
	if name := d.first("mkdocs.yml", "mkdocs.yaml"); name != "" {
		if conf, _ := readMkDocs(d, name, 0); hasMonorepo(conf) {
			left := maxIncludedSites
			sites = d.includes(conf.get("nav").Value, &left, nil)
		}
	}
	t.monorepos[dir] = sites
	return sites
}

// includes appends the sites that nav includes, and decrements left for each entry that names some.
func (d *directory) includes(nav literal.Value, left *int, sites []includedSite) []includedSite {
	if nav.Kind == literal.String {
		name, isOne := strings.CutPrefix(nav.Text, siteIncludeMark)
		pattern, isAll := strings.CutPrefix(nav.Text, includeAllMark)
		var files []string
		switch {
		case *left == 0:
		case isOne:
			*left--
			files = []string{d.in(name)}
		case isAll && strings.Contains(pattern, "**"):
			return append(sites, includedSite{}) // unknown
		case isAll:
			*left--
			files = d.tree.matching(d.dir, strings.Split(path.Clean(pattern), "/"), nil)
		}
		for _, file := range files {
			if len(sites) < maxIncludedSites && below(file, d.tree.root) && d.tree.isFile(file) {
				sites = append(sites, d.tree.includedSite(file))
			}
		}
		return sites
	}
	for _, item := range nav.Items {
		sites = d.includes(item, left, sites)
	}
	for _, item := range nav.All() {
		sites = d.includes(item, left, sites)
	}
	return sites
}

// matching appends the files below dir whose names match patterns, one for each directory on the way.
func (t *tree) matching(dir string, patterns, files []string) []string {
	match := glob(patterns[0])
	l := t.list(dir)
	for _, name := range sortedKeys(l) {
		switch {
		case !match(name) || len(files) >= maxIncludedSites:
		case len(patterns) == 1 && !l[name].IsDir():
			files = append(files, dir+"/"+name)
		case len(patterns) > 1 && l[name].IsDir():
			files = t.matching(dir+"/"+name, patterns[1:], files)
		}
	}
	return files
}

var (
	plainAlias = lazy.New(`^[a-zA-Z0-9_.\-/]+$`)
	notInAlias = lazy.New(`[^a-z0-9]+`)
)

// includedSite returns the site of a configuration that another one includes.
func (t *tree) includedSite(file string) includedSite {
	conf := t.read(file)
	in := includedSite{config: file, docs: path.Join(path.Dir(file), conf.get("docs_dir").text("docs"))}
	name := conf.get("site_name").text("")
	switch {
	case plainAlias.MatchString(name):
		in.alias = strings.Trim(path.Clean("/"+name), "/")
	case !strings.ContainsFunc(name, func(r rune) bool { return r >= 0x80 }): // other letters are transliterated
		in.alias = strings.Trim(notInAlias.ReplaceAllString(strings.ToLower(name), "-"), "-")
	}
	return in
}

// isIncluded reports whether a configuration in an upper directory includes the one with a name.
func isIncluded(d *directory, name string) bool {
	for dir := d.dir; dir != d.tree.root && dir != path.Dir(dir); {
		dir = path.Dir(dir)
		for _, in := range d.tree.includedSites(dir) {
			if in.config == d.in(name) {
				return true
			}
		}
	}
	return false
}

// mountIncluded adds the mounts of included sites.
func (m *mkdocs) mountIncluded(d *directory, s *Site) {
	if !hasMonorepo(m.conf) {
		return
	}
	m.included = d.tree.includedSites(d.dir)
	for _, in := range m.included {
		if in.alias == "" {
			s.generates = true
		} else if below(in.docs, d.tree.root) {
			s.Mounts = append(s.Mounts, &Mount{Dir: in.docs, URL: "/" + in.alias + "/", Kind: Pages})
		}
	}
}

// merged returns the source at a path below the root of all documents. If there is none, it returns where
// one would be.
func (m *mkdocs) merged(s *Site, at string) (file string) {
	deepest := -1
	for _, mount := range s.Mounts {
		rest, ok := strings.CutPrefix(at, mount.URL)
		if mount.Kind != Pages || !ok {
			continue
		}
		f := path.Join(mount.Dir, rest)
		if s.tree.isFile(f) {
			return f
		}
		if len(mount.URL) > deepest {
			file, deepest = f, len(mount.URL)
		}
	}
	return file
}

// byMerged resolves a reference against the place of its source among the documents of all included
// sites.
func (m *mkdocs) byMerged(s *Site, r *reference) []candidate {
	page := r.use.Page
	at := path.Join(strings.TrimPrefix(page.Mount.URL, "/"), path.Dir(page.Rel), r.path)
	switch isOut := at == ".." || strings.HasPrefix(at, "../"); {
	case isOut && s.isDocument(r.path):
		return []candidate{{why: "leads out of the merged documents", isFinal: true}}
	case isOut:
		return nil
	}
	return []candidate{fileCandidate(m.merged(s, "/"+at))}
}

// navigateIncluded adds nav of the included sites.
func (m *mkdocs) navigateIncluded(s *Site, n *navigator, makes bool) {
	for _, in := range m.included {
		if in.alias == "" {
			continue
		}
		n.mkdocsNav(in.docs, in.config, n.read(in.config).Get("nav"), func(ref string) Result {
			file := m.merged(s, path.Join("/", in.alias, ref))
			switch res := s.tryFile(fileCandidate(file)); {
			case res.State == Found || res.Why != "":
				return res
			case makes, strings.HasPrefix(ref, "/"), strings.HasPrefix(ref, siteIncludeMark), strings.HasPrefix(ref, includeAllMark):
				return Result{State: Unknown, Why: "an entry for a plugin"}
			}
			return n.missingFile(file)
		})
	}
}
