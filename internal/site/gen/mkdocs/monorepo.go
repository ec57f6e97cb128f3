package mkdocs

import (
	"path"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/literal"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
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
func hasMonorepo(conf source.Value) bool {
	_, has := conf.Lookup("plugins").Named("monorepo")
	return has || hasTechDocs(conf)
}

// hasTechDocs reports whether a configuration is for TechDocs of Backstage.
func hasTechDocs(conf source.Value) bool {
	_, has := conf.Lookup("plugins").Named("techdocs-core")
	return has
}

// includedSites returns the sites that the configuration in a directory includes. It reads each
// configuration once.
func includedSites(t *source.Tree, dir string) []includedSite {
	return source.Memo(t, includedKey(dir), func() (sites []includedSite) {
		d := source.NewDir(t, dir)
		if name := d.First("mkdocs.yml", "mkdocs.yaml"); name != "" {
			if conf, _ := readMkDocs(d, name, 0); hasMonorepo(conf) {
				left := maxIncludedSites
				sites = appendIncluded(d, conf.Lookup("nav").Value, &left, nil)
			}
		}
		return sites
	})
}

// includedKey is the key under which a tree keeps the sites that the configuration in a directory includes.
type includedKey string

// appendIncluded appends the sites that nav includes, and decrements left for each entry that names some.
func appendIncluded(d *source.Dir, nav literal.Value, left *int, sites []includedSite) []includedSite {
	if nav.Kind == literal.String {
		name, isOne := strings.CutPrefix(nav.Text, siteIncludeMark)
		pattern, isAll := strings.CutPrefix(nav.Text, includeAllMark)
		var files []string
		switch {
		case *left == 0:
		case isOne:
			*left--
			files = []string{d.In(name)}
		case isAll && strings.Contains(pattern, "**"):
			return append(sites, includedSite{}) // unknown
		case isAll:
			*left--
			files = matchingFiles(d.Tree, d.Path, strings.Split(path.Clean(pattern), "/"), nil)
		}
		for _, file := range files {
			if len(sites) < maxIncludedSites && source.Below(file, d.Tree.Root) && d.Tree.IsFile(file) {
				sites = append(sites, readIncluded(d.Tree, file))
			}
		}
		return sites
	}
	for _, item := range nav.Items {
		sites = appendIncluded(d, item, left, sites)
	}
	for _, item := range nav.All() {
		sites = appendIncluded(d, item, left, sites)
	}
	return sites
}

// matchingFiles appends the files below dir whose names match patterns, one for each directory on the way.
func matchingFiles(t *source.Tree, dir string, patterns, files []string) []string {
	match := source.Glob(patterns[0])
	l := t.List(dir)
	for _, name := range source.SortedKeys(l) {
		switch {
		case !match(name) || len(files) >= maxIncludedSites:
		case len(patterns) == 1 && !l[name].IsDir():
			files = append(files, dir+"/"+name)
		case len(patterns) > 1 && l[name].IsDir():
			files = matchingFiles(t, dir+"/"+name, patterns[1:], files)
		}
	}
	return files
}

var (
	plainAlias = lazy.New(`^[a-zA-Z0-9_.\-/]+$`)
	notInAlias = lazy.New(`[^a-z0-9]+`)
)

// readIncluded returns the site of a configuration that another one includes.
func readIncluded(t *source.Tree, file string) includedSite {
	conf := t.Read(file)
	in := includedSite{config: file, docs: path.Join(path.Dir(file), conf.Lookup("docs_dir").Or("docs"))}
	name := conf.Lookup("site_name").Or("")
	switch {
	case plainAlias.MatchString(name):
		in.alias = strings.Trim(path.Clean("/"+name), "/")
	case !strings.ContainsFunc(name, func(r rune) bool { return r >= 0x80 }): // other letters are transliterated
		in.alias = strings.Trim(notInAlias.ReplaceAllString(strings.ToLower(name), "-"), "-")
	}
	return in
}

// isIncluded reports whether a configuration in an upper directory includes the one with a name.
func isIncluded(d *source.Dir, name string) bool {
	for dir := d.Path; dir != d.Tree.Root && dir != path.Dir(dir); {
		dir = path.Dir(dir)
		for _, in := range includedSites(d.Tree, dir) {
			if in.config == d.In(name) {
				return true
			}
		}
	}
	return false
}

// mountIncluded adds the mounts of included sites.
func (m *model) mountIncluded(d *source.Dir, s *site.Site) {
	if !hasMonorepo(m.conf) {
		return
	}
	m.included = includedSites(d.Tree, d.Path)
	for _, in := range m.included {
		if in.alias == "" {
			s.Generates = true
		} else if source.Below(in.docs, d.Tree.Root) {
			s.Mounts = append(s.Mounts, &site.Mount{Dir: in.docs, URL: "/" + in.alias + "/", Kind: site.Pages})
		}
	}
}

// merged returns the source at a path below the root of all documents. If there is none, it returns where
// one would be.
func (m *model) merged(s *site.Site, at string) (file string) {
	deepest := -1
	for _, mount := range s.Mounts {
		rest, ok := strings.CutPrefix(at, mount.URL)
		if mount.Kind != site.Pages || !ok {
			continue
		}
		f := path.Join(mount.Dir, rest)
		if s.Tree.IsFile(f) {
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
func (m *model) byMerged(s *site.Site, r *site.Reference) []site.Candidate {
	page := r.Use.Page
	at := path.Join(strings.TrimPrefix(page.Mount.URL, "/"), path.Dir(page.Rel), r.Path)
	switch isOut := at == ".." || strings.HasPrefix(at, "../"); {
	case isOut && s.IsDocument(r.Path):
		return []site.Candidate{{Why: outOfMerged, IsFinal: true}}
	case isOut:
		return nil
	}
	return []site.Candidate{site.FileCandidate(m.merged(s, "/"+at))}
}

// navigateIncluded adds nav of the included sites.
func (m *model) navigateIncluded(s *site.Site, n *site.Navigation, makes bool) {
	for _, in := range m.included {
		if in.alias == "" {
			continue
		}
		mkdocsNav(n, in.docs, in.config, n.Read(in.config).Get("nav"), func(ref string) site.Result {
			file := m.merged(s, path.Join("/", in.alias, ref))
			switch res := s.TryFile(site.FileCandidate(file)); {
			case res.State == site.Found || !res.Why.IsZero():
				return res
			case makes, strings.HasPrefix(ref, "/"), strings.HasPrefix(ref, siteIncludeMark), strings.HasPrefix(ref, includeAllMark):
				return site.Result{State: site.Unknown, Why: reason.PluginEntry}
			}
			return n.MissingFile(file)
		})
	}
}

// Reasons.
var (
	outOfMerged = reason.New(reason.Unpublished, "out-of-merged", "leads out of the merged documents")
)
