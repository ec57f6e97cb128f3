// Package antora supports sites of Antora: components, versions and modules, resource ids, and playbooks.
package antora

import (
	"bytes"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

// model is one version of a component: an antora.yml, and the modules beside it.
type model struct {
	name, version string
	knowsVersion  bool // the version does not depend on the branch
	isPrerelease  bool
	hasForeign    bool     // pages have aliases in other components or versions
	nav           []string // paths below the directory of the component
	playbook      playbook
	collects      bool       // an extension adds files that a build makes
	mu            sync.Mutex // guards group and known
	group         []*site.Site
	known         int                        // how many parts there were when group was made
	absent        map[string]map[string]bool // targets in directories that are not here, by directory
	opens         map[string]bool            // files that include a file that is not here
	guesses       map[string]bool            // files that may be included: an attribute is in the name
}

// Generator finds sites of Antora.
var Generator = &site.Generator{Name: "Antora", Configs: []string{"antora.yml"}, Find: find}

// find finds an Antora component by its antora.yml.
func find(d *source.Dir) []*site.Site {
	file := d.First("antora.yml")
	if file == "" || !d.HasDir("modules") {
		return nil
	}
	conf := d.Tree.Read(d.In(file))
	s := site.New(d, "Antora", file)
	s.IsBaseKnown = false // the URL of the site is in a playbook
	g := &model{name: conf.Lookup("name").Or(""), guesses: map[string]bool{}}
	g.version, g.knowsVersion = versionOf(conf)
	g.isPrerelease = conf.Lookup("prerelease").IsGiven() && conf.Lookup("prerelease").Or("") != "false"
	g.nav = conf.Lookup("nav").Texts()
	if g.name == "" {
		return nil
	}
	g.playbook = findPlaybooks(d)
	if g.playbook.url != "" && readSources(d.Tree).isAll {
		s.SetBase(g.playbook.url)
		s.IsBaseKnown = true
	}
	for _, extension := range conf.Lookup("ext").Keys() {
		g.collects = g.collects || strings.Contains(extension, "collector")
	}
	s.Attributes = maps.Clone(g.playbook.attributes)
	for name, attribute := range conf.Lookup("asciidoc", "attributes").Members() {
		if value, ok := s.Attributes[name]; !ok || strings.HasSuffix(value, "@") {
			s.Attributes[name] = attribute.Or("")
		}
	}
	g.learnSectionIDs(s)
	maps.Copy(s.Attributes, map[string]string{ // no document can set these
		"attachmentsdir": "_attachments", "partialsdir": "partial$", "examplesdir": "example$", "imagesdir": "",
		"page-component-name": g.name, "page-component-version": g.version, "page-version": g.version, "relfilesuffix": ".adoc",
	})
	s.Mounts = append(s.Mounts, &site.Mount{Dir: d.Path, URL: "/", Kind: site.Pages, Match: g.isNav})
	modules := d.In("modules")
	for _, module := range source.SortedKeys(d.Tree.List(modules)) {
		if !d.Tree.IsDir(path.Join(modules, module)) {
			continue
		}
		url := g.url(module)
		in := func(family string) string { return path.Join(modules, module, family) }
		hidden := func(rel string) bool { return strings.HasPrefix(rel, "_") || strings.Contains(rel, "/_") }
		s.Mounts = append(s.Mounts,
			&site.Mount{Dir: in("pages"), URL: url, Kind: site.Partial, Name: module, Match: hidden},
			&site.Mount{Dir: in("pages"), URL: url, Kind: site.Pages, Name: module},
			&site.Mount{Dir: in("partials"), URL: url, Kind: site.Partial, Name: module},
			&site.Mount{Dir: in("examples"), URL: url, Kind: site.Partial, Name: module, IsExample: true},
			&site.Mount{Dir: in("images"), URL: url + "_images/", Kind: site.Static, Name: module},
			&site.Mount{Dir: in("assets/images"), URL: url + "_images/", Kind: site.Static, Name: module},
			&site.Mount{Dir: in("attachments"), URL: url + "_attachments/", Kind: site.Static, Name: module},
			&site.Mount{Dir: in("assets/attachments"), URL: url + "_attachments/", Kind: site.Static, Name: module})
	}
	s.Slug = slug.GitHub
	s.Suffixes = []string{".adoc", ".asciidoc", ".asc"}
	s.Slash, s.Knows = site.SlashIgnored, site.AllIDs
	s.PartsInOrder = true
	s.Links = site.Links{site.Macro: {g.macro}, site.HTML: {g.link}, site.Markdown: {g.link}}
	s.SetModel(g)
	return []*site.Site{s}
}

// navName matches the names that files of navigation have by convention.
var navName = lazy.New(`^modules/[^/]+/nav[^/]*\.adoc$`)

// isNav reports whether a file of the component is one of navigation: also one that the component does not list, whose
// links are written in the same way.
func (g *model) isNav(rel string) bool {
	return slices.Contains(g.nav, rel) || navName.MatchString(rel)
}

// url returns the URL of a module, relative to that of the site, with a slash at both ends.
func (g *model) url(module string) string { return componentURL(g.name, g.version, module) }

func componentURL(name, version, module string) string {
	u := "/"
	for _, part := range []string{name, version, module} {
		if part != "" && part != "ROOT" {
			u += part + "/"
		}
	}
	return u
}

var pageAliases = lazy.New(`(?m)^:page-aliases:[ \t]+((?:[^\n]*\\\r?\n)*[^\n\r]*)`)

// Route sets the URL and the other names of a page.
func (g *model) Route(s *site.Site, p *site.Page) {
	if p.Mount.Name == "" || p.Mount.Kind == site.Partial { // the navigation appears on all pages
		return
	}
	p.Routes = []string{p.Mount.URL + g.playbook.pageURL(p.Rel)}
	head := s.Tree.Text(p.File, site.MaxFront)
	if !bytes.Contains(head, []byte(":page-aliases:")) {
		return
	}
	if m := pageAliases.Compiled().FindSubmatchIndex(header(head)); m != nil {
		g.addAliases(s, p, string(head[m[2]:m[3]]), m[2])
	}
}

// A resourceID is a parsed Antora resource id: [version@][component:][module:][family$]path.
type resourceID struct {
	version, component, module, family, path string
	hasVersion, isOwn                        bool // the version is known; it names this component
}

// parse reads a resource id that is used in a module.
func (g *model) parse(s *site.Site, id, module, family string) (r resourceID, ok bool) {
	r = resourceID{component: g.name, module: module, family: family, path: id, version: g.version, isOwn: true}
	if v, rest, has := strings.Cut(r.path, "@"); has && !strings.Contains(v, "/") {
		r.version, r.path, r.hasVersion = v, rest, true
		if v == "_" {
			r.version = ""
		}
	}
	hasComponent := false
	if prefix, rest, has := site.CutLast(r.path, ":"); has {
		r.path = rest
		component, m, both := strings.Cut(prefix, ":")
		switch {
		case component == "":
		case !both:
			r.module = component
		default:
			r.component, r.module = component, m
			if m == "" {
				r.module = "ROOT"
			}
			hasComponent = true
		}
	}
	if f, rest, has := strings.Cut(r.path, "$"); has {
		r.family, r.path = f, rest
	}
	isOther := false
	if hasComponent && !r.hasVersion {
		r.version, r.hasVersion = g.latest(s, r.component)
		isOther = !r.hasVersion && r.component == g.name && hasVersions(g.published(s, g.name))
		if !r.hasVersion {
			r.version = g.version
		}
	}
	r.isOwn = r.component == g.name && !isOther && (!r.hasVersion || r.version == g.version)
	return r, r.path != ""
}

// withSuffix adds the suffix of pages, which the resource id of a page may omit.
func withSuffix(name string) string {
	if path.Ext(name) == "" {
		return name + ".adoc"
	}
	return name
}

// families maps each family to the directories of modules that hold it.
var families = map[string][]string{
	"page": {"pages"}, "partial": {"partials", "pages/_partials"}, "example": {"examples"},
	"image": {"images", "assets/images"}, "attachment": {"attachments", "assets/attachments"},
}

// moduleOf returns the module that a file is in.
func (g *model) moduleOf(s *site.Site, file string) string {
	rest, ok := strings.CutPrefix(file, s.Dir+"/modules/")
	if !ok {
		return "ROOT"
	}
	module, _, _ := strings.Cut(rest, "/")
	return module
}

// macro returns the candidates for an AsciiDoc macro.
func (g *model) macro(s *site.Site, r *site.Reference) []site.Candidate {
	switch r.In {
	case "xref:", "<<>>", "image:/xref":
		return g.resource(s, r, "page")
	case "image:", "video:", "audio:":
		return g.resource(s, r, "image")
	case "include::":
		all := []site.Candidate{}
		for _, file := range g.included(s, r.Use.File, r.Path) {
			all = append(all, site.AssetCandidate(file))
		}
		isMade := slices.ContainsFunc(g.siblings(s), func(o *site.Site) bool { return partOf(o).collects }) &&
			!slices.ContainsFunc(all, func(c site.Candidate) bool { return s.Tree.IsDir(path.Dir(c.File)) })
		id, _ := g.parse(s, r.Path, g.moduleOf(s, r.Use.File), "page")
		switch {
		case len(all) == 0:
			all = append(all, site.Candidate{Unknown: reason.OtherComponent})
		case isMade:
			all = append(all, site.Candidate{Unknown: collectedFiles})
		case id.isOwn && g.isElsewhere(s, id):
			all = append(all, site.Candidate{Unknown: inOtherRepository})
		}
		return all
	}
	if rest, ok := strings.CutPrefix(r.Path, "_attachments/"); ok {
		return g.files(s, s.Dir, r.Use.Page.Mount.Name, "attachment", rest)
	}
	return g.link(s, r)
}

// resource returns the candidates for a resource id, whose family is its own or that of the macro.
func (g *model) resource(s *site.Site, r *site.Reference, family string) []site.Candidate {
	module := g.moduleOf(s, r.Use.Page.File)
	id, ok := g.parse(s, r.Path, module, family)
	if !ok || families[id.family] == nil {
		return []site.Candidate{{Unknown: noResourceID}}
	}
	name := strings.TrimPrefix(path.Join("/", id.path), "/") // ".." stops at the root of the family
	if rest, ok := strings.CutPrefix(id.path, "./"); ok {    // only this is relative to the page
		if rel, isPage := strings.CutPrefix(r.Use.Page.File, s.Dir+"/modules/"+module+"/pages/"); isPage {
			name = path.Join(path.Dir(rel), rest)
		}
	}
	if id.family == "page" {
		name = withSuffix(name)
	}
	if id.isOwn {
		return g.own(s, id, name)
	}
	return g.elsewhere(s, id, name)
}

// siblings returns the sites that are parts of the same version of the component, s first. Antora merges them.
func (g *model) siblings(s *site.Site) []*site.Site {
	parts := s.Group()
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.group == nil || g.known != len(parts) {
		g.group, g.known = []*site.Site{s}, len(parts)
		for _, o := range parts {
			if o != s {
				g.group = append(g.group, o)
			}
		}
	}
	return g.group
}

var inOtherRepository = reason.New(reason.OtherSite, "component-elsewhere", "in a directory of the component that is in another repository")

// manyTargets is the number of targets in a missing directory from which on the directory is assumed to be
// in another repository. A component may be spread over several repositories.
const manyTargets = 3

// absentModules stands for the directories of all missing modules. If they have many targets in total, all
// of them are assumed to be in another repository.
const (
	absentModules = ":"
	manyInModules = 10
)

var resourceUse = lazy.New(`(xref|include|image)::?([^\[\s{]+)\[`)

// countAbsent records which module directories a file uses that are not here.
func (g *model) countAbsent(s *site.Site, file string, text []byte) {
	for m := range source.MatchesIn(text, resourceUse, "xref:", "include:", "image:") {
		family := "page"
		if m[1][1] == 'm' {
			family = "image"
		}
		target, _, _ := strings.Cut(string(m[2]), "#")
		id, ok := g.parse(s, target, g.moduleOf(s, file), family)
		if !ok || !id.isOwn || families[id.family] == nil || !strings.ContainsAny(target, ":$/") {
			continue
		}
		if g.hasDirectory(s, id) {
			continue
		}
		g.addAbsent(id.directory(), &id)
		if !s.Tree.IsDir(path.Join(s.Dir, "modules", id.module)) {
			g.addAbsent(id.module, &id)
			g.addAbsent(absentModules, &id)
		}
	}
}

// maxAbsent limits how many targets in a directory are recorded.
const maxAbsent = 100

// addAbsent adds a target to those in a directory.
func (g *model) addAbsent(dir string, id *resourceID) {
	if g.absent == nil {
		g.absent = map[string]map[string]bool{}
	}
	if g.absent[dir] == nil {
		g.absent[dir] = map[string]bool{}
	}
	if len(g.absent[dir]) < maxAbsent {
		g.absent[dir][id.module+":"+withSuffix(id.path)] = true
	}
}

// directory returns the module, the family and the directory of a resource.
func (id *resourceID) directory() string {
	return id.module + ":" + families[id.family][0] + "/" + path.Dir(strings.TrimPrefix(path.Join("/", id.path), "/"))
}

// hasDirectory reports whether the directory of a resource is in a part of a component.
func (g *model) hasDirectory(o *site.Site, id resourceID) bool {
	return slices.ContainsFunc(families[id.family], func(family string) bool {
		return o.Tree.IsDir(path.Join(o.Dir, "modules", id.module, family, path.Dir(path.Join("/", id.path))))
	})
}

// isElsewhere reports whether a resource is in another repository: no part of the component here has its
// directory, and many references use that directory.
func (g *model) isElsewhere(s *site.Site, id resourceID) bool {
	hasModule := false
	for _, o := range g.siblings(s) {
		if g.hasDirectory(o, id) {
			return false
		}
		hasModule = hasModule || s.Tree.IsDir(path.Join(o.Dir, "modules", id.module))
	}
	if g.countOf(s, id.directory()) >= manyTargets {
		return true
	}
	return !hasModule && (g.countOf(s, id.module) >= manyTargets || g.countOf(s, absentModules) >= manyInModules)
}

// countOf returns how many targets the parts of the component have in a missing directory. Aliases of pages
// exist.
func (g *model) countOf(s *site.Site, dir string) (n int) {
	parts := g.siblings(s)
	for _, o := range parts {
		for target := range partOf(o).absent[dir] {
			if !slices.ContainsFunc(parts, func(o *site.Site) bool { return len(o.ByName[target]) > 0 }) {
				n++
			}
		}
	}
	return n
}

// own returns the candidates for a resource of the component. Those in the module of s, if any, come first.
func (g *model) own(s *site.Site, id resourceID, name string) (all []site.Candidate) {
	var later []site.Candidate
	collects, hasDir := false, false
	for _, o := range g.siblings(s) {
		files := g.files(o, o.Dir, id.module, id.family, name)
		collects = collects || partOf(o).collects
		hasDir = hasDir || slices.ContainsFunc(files, func(c site.Candidate) bool { return s.Tree.IsDir(path.Dir(c.File)) })
		for i := range files {
			files[i].IsAsset = files[i].IsAsset || o != s
		}
		switch {
		case id.family != "page":
		case o == s:
			files = append(files, site.Candidate{Name: id.module + ":" + name})
		default:
			o.Load()
			for _, p := range o.ByName[id.module+":"+name] {
				files = append(files, site.AssetCandidate(p.File))
			}
		}
		if s.Tree.IsDir(path.Join(o.Dir, "modules", id.module)) {
			all = append(all, files...)
		} else {
			later = append(later, files...)
		}
	}
	all = append(all, later...)
	id.path, id.hasVersion = name, true
	all = append(all, g.aliases(s, id)...)
	switch {
	case collects && !hasDir:
		all = append(all, site.Candidate{Unknown: collectedFiles})
	case g.isElsewhere(s, id):
		all = append(all, site.Candidate{Unknown: inOtherRepository})
	}
	return all
}

// elsewhere returns the candidates for a resource id of another component or version. The target is
// unknown if that component or version is not in the tree.
func (g *model) elsewhere(s *site.Site, id resourceID, name string) (all []site.Candidate) {
	sites := g.published(s, id.component)
	hasVersion := false
	for _, other := range sites {
		if id.hasVersion && partOf(other).version != id.version {
			continue
		}
		hasVersion = true
		for _, c := range g.files(other, other.Dir, id.module, id.family, name) {
			c.IsAsset = true
			all = append(all, c)
		}
		if id.family == "page" { // its pages may have other names
			other.Load()
			for _, p := range other.ByName[id.module+":"+name] {
				all = append(all, site.AssetCandidate(p.File))
			}
		}
	}
	id.path = name
	all = append(all, g.aliases(s, id)...)
	isAll := readSources(s.Tree).isAll
	switch {
	case len(sites) == 0 && isAll:
		return append(all, site.Candidate{Name: id.component + "::", Why: noOtherSources})
	case !hasVersion && isAll && hasVersions(sites):
		return append(all, site.Candidate{Name: id.version + "@" + id.component + "::", Why: noSuchVersion})
	case !hasVersion:
		return append(all, site.Candidate{Unknown: reason.OtherComponent})
	}
	return all
}

// files returns candidates for the files that a path in a family of a module may name.
func (g *model) files(_ *site.Site, dir, module, family, name string) (all []site.Candidate) {
	for _, family := range families[family] {
		c := site.FileCandidate(path.Join(dir, "modules", module, family, name))
		c.IsAsset = family != "pages"
		all = append(all, c)
	}
	return all
}

// included returns the files that the target of an include may name.
func (g *model) included(s *site.Site, file, target string) (files []string) {
	if !strings.ContainsAny(target, ":$@") {
		return []string{path.Join(path.Dir(file), target)}
	}
	id, ok := g.parse(s, target, g.moduleOf(s, file), "page")
	if !ok || families[id.family] == nil {
		return nil
	}
	if id.isOwn {
		for _, o := range g.siblings(s) {
			for _, c := range g.files(o, o.Dir, id.module, id.family, strings.TrimPrefix(id.path, "/")) {
				files = append(files, c.File)
			}
		}
		return files
	}
	for _, c := range g.elsewhere(s, id, strings.TrimPrefix(id.path, "/")) {
		if c.File != "" {
			files = append(files, c.File)
		}
	}
	return files
}

var includeMacro = lazy.New(`^include::([^\[\n]+)\[`)

// Parts returns the files that a file includes on a page.
func (g *model) Parts(s *site.Site, _ *site.Page, file string, text []byte) site.Parts {
	files := g.parts(s, file, text)
	return site.Parts{Files: files, Guessed: g.guesses, IsOpen: g.opens[file]}
}

func (g *model) parts(s *site.Site, file string, text []byte) (files []string) {
	g.countAbsent(s, file, text)
	for m := range source.MatchesIn(text, includeMacro, "include::") {
		target := withAttributes(s, string(m[1]))
		if strings.Contains(target, "://") {
			continue // only an extension reads it, so it hardly has ids that pages use
		}
		if id, _ := g.parse(s, target, g.moduleOf(s, file), "page"); families[id.family] == nil && !strings.Contains(id.family, "{") {
			continue // Antora does not find it
		}
		of := g.matching(s, g.included(s, file, target))
		if !slices.ContainsFunc(of, func(file string) bool { return s.Tree.IsDir(path.Dir(file)) }) {
			if g.opens == nil {
				g.opens = map[string]bool{}
			}
			g.opens[file] = true
		}
		files = append(files, of...)
	}
	return files
}

// withAttributes replaces the attributes of the configuration in a text by their values.
func withAttributes(s *site.Site, text string) string {
	if !strings.Contains(text, "{") {
		return text
	}
	for name, value := range s.Attributes {
		text = strings.ReplaceAll(text, "{"+name+"}", strings.TrimSuffix(value, "@"))
	}
	return text
}

// matching replaces each file whose name, but not its directory, contains an attribute without a value by
// the files that may have this name.
func (g *model) matching(s *site.Site, files []string) (all []string) {
	for _, file := range files {
		dir, name := path.Split(file)
		dir = strings.TrimSuffix(dir, "/")
		open, end := strings.IndexByte(name, '{'), strings.LastIndexByte(name, '}')
		if open < 0 || end < open || strings.Contains(dir, "{") {
			all = append(all, file)
			continue
		}
		before, after := name[:open], name[end+1:]
		all = append(all, file)
		for _, name := range source.SortedKeys(s.Tree.List(dir)) {
			if len(name) <= len(before)+len(after) || !strings.HasPrefix(name, before) || !strings.HasSuffix(name, after) {
				continue
			}
			part := path.Join(dir, name)
			g.guesses[part] = true
			all = append(all, part)
		}
	}
	return all
}

// Navigate adds the files of the navigation, and the page that the component begins with.
func (g *model) Navigate(s *site.Site, n *site.Navigation) {
	conf := n.Read(s.Config)
	for _, item := range conf.Get("nav").Items {
		n.Add(s.Config, "nav", item, func(ref string) site.Result {
			if file := path.Join(s.Dir, ref); !s.Tree.IsFile(file) {
				return n.MissingFile(file)
			}
			return site.Result{State: site.Found}
		})
	}
}

// GroupKey returns the name and the version of the component, which several directories may hold.
func (g *model) GroupKey() string { return g.name + "@" + g.version }

// partOf returns the part of a component that a site is, or nil for a site of another generator.
func partOf(s *site.Site) *model {
	g, _ := s.Model().(*model)
	return g
}

// Spellings returns the resource id of a file of the component, as it is used on a page.
func (g *model) Spellings(s *site.Site, uses []site.Use, form site.Form, _, file, _ string) []string {
	if form != site.Macro {
		return nil
	}
	return append([]string{}, g.spellings(s, uses[0], file)...) // not nil: no others point there
}

func (g *model) spellings(s *site.Site, u site.Use, file string) []string {
	for name, dirs := range families {
		for _, dir := range dirs {
			module := g.moduleOf(s, file)
			rest, ok := strings.CutPrefix(file, path.Join(s.Dir, "modules", module, dir)+"/")
			if !ok {
				continue
			}
			ways := []string{rest, module + ":" + rest, name + "$" + rest, module + ":" + name + "$" + rest}
			if module != g.moduleOf(s, u.Page.File) {
				return []string{ways[1], ways[3]}
			}
			return ways
		}
	}
	return nil
}

// Reasons.
var (
	collectedFiles = reason.New(reason.Build, "collected-files", "among files that a collector of Antora adds")
	noOtherSources = reason.New(reason.Unpublished, "no-other-sources", "antora-playbook.yml has no other sources")
	noResourceID   = reason.New(reason.Unpublished, "no-resource-id", "no resource id")
	noSuchVersion  = reason.New(reason.Unpublished, "no-such-version", "the component has no such version")
)
