package site

import (
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
)

// antora is one version of a component: an antora.yml, and the modules beside it.
type antora struct {
	name, version string
	knowsVersion  bool // the version does not depend on the branch
	isPrerelease  bool
	hasForeign    bool     // pages have aliases in other components or versions
	nav           []string // paths below the directory of the component
	playbook      playbook
	collects      bool       // an extension adds files that a build makes
	mu            sync.Mutex // guards group and known
	group         []*Site
	known         int                        // how many parts there were when group was made
	absent        map[string]map[string]bool // targets in directories that are not here, by directory
	opens         map[string]bool            // files that include a file that is not here
	guesses       map[string]bool            // files that may be included: an attribute is in the name
}

// findAntora finds an Antora component by its antora.yml.
func findAntora(d *directory) []*Site {
	file := d.first("antora.yml")
	if file == "" || !d.hasDir("modules") {
		return nil
	}
	conf := d.tree.read(d.in(file))
	s := d.newSite("Antora", file)
	s.IsBaseKnown = false // the URL of the site is in a playbook
	g := &antora{name: conf.get("name").text("")}
	g.version, g.knowsVersion = versionOf(conf)
	g.isPrerelease = conf.get("prerelease").isGiven() && conf.get("prerelease").text("") != "false"
	g.nav = conf.get("nav").texts()
	if g.name == "" {
		return nil
	}
	s.antora = g
	g.playbook = findPlaybooks(d)
	if g.playbook.url != "" && d.tree.contentSources().isAll {
		s.setBase(g.playbook.url)
		s.IsBaseKnown = true
	}
	for _, extension := range conf.get("ext").keys() {
		g.collects = g.collects || strings.Contains(extension, "collector")
	}
	s.attributes = maps.Clone(g.playbook.attributes)
	attributes := conf.get("asciidoc", "attributes")
	for _, name := range attributes.keys() {
		if value, ok := s.attributes[name]; !ok || strings.HasSuffix(value, "@") {
			s.attributes[name] = attributes.get(name).text("")
		}
	}
	g.learnSectionIDs(s)
	maps.Copy(s.attributes, map[string]string{ // no document can set these
		"attachmentsdir": "_attachments", "partialsdir": "partial$", "examplesdir": "example$", "imagesdir": "",
		"page-component-name": g.name, "page-component-version": g.version, "page-version": g.version, "relfilesuffix": ".adoc",
	})
	s.Mounts = append(s.Mounts, &Mount{Dir: d.dir, URL: "/", Kind: Pages, Match: func(rel string) bool { return slices.Contains(g.nav, rel) }})
	modules := d.in("modules")
	for _, module := range sortedKeys(d.tree.list(modules)) {
		if !d.tree.isDir(path.Join(modules, module)) {
			continue
		}
		url := g.url(module)
		in := func(family string) string { return path.Join(modules, module, family) }
		hidden := func(rel string) bool { return strings.HasPrefix(rel, "_") || strings.Contains(rel, "/_") }
		s.Mounts = append(s.Mounts,
			&Mount{Dir: in("pages"), URL: url, Kind: Partial, Name: module, Match: hidden},
			&Mount{Dir: in("pages"), URL: url, Kind: Pages, Name: module},
			&Mount{Dir: in("partials"), URL: url, Kind: Partial, Name: module},
			&Mount{Dir: in("examples"), URL: url, Kind: Partial, Name: module},
			&Mount{Dir: in("images"), URL: url + "_images/", Kind: Static, Name: module},
			&Mount{Dir: in("assets/images"), URL: url + "_images/", Kind: Static, Name: module},
			&Mount{Dir: in("attachments"), URL: url + "_attachments/", Kind: Static, Name: module},
			&Mount{Dir: in("assets/attachments"), URL: url + "_attachments/", Kind: Static, Name: module})
	}
	s.Slug = slug.GitHub
	s.suffixes = []string{".adoc", ".asciidoc", ".asc"}
	s.slash, s.knowsParts = slashIgnored, true
	s.route, s.partsIn = g.route, g.parts
	s.opens = func(*Site, []byte) bool { return false } // g.opens says more
	s.table[Macro] = []step{g.macro}
	s.table[HTML] = []step{g.link}
	s.table[Markdown] = []step{g.link}
	s.labelMayBe = nil
	s.navigate = g.navigate
	return []*Site{s}
}

// url returns the URL of a module, relative to that of the site, with a slash at both ends.
func (g *antora) url(module string) string { return componentURL(g.name, g.version, module) }

func componentURL(name, version, module string) string {
	u := "/"
	for _, part := range []string{name, version, module} {
		if part != "" && part != "ROOT" {
			u += part + "/"
		}
	}
	return u
}

var pageAliases = lazy.New(`(?m)^:page-aliases:[ \t]+((?:[^\n]*\\\r?\n)*[^\n]*)`)

// route sets the URL and the other names of a page.
func (g *antora) route(s *Site, p *Page) {
	if p.Mount.Name == "" || p.Mount.Kind == Partial { // the navigation appears on all pages
		return
	}
	p.Routes = []string{p.Mount.URL + g.playbook.pageURL(p.Rel)}
	if m := pageAliases.Compiled().FindSubmatch(s.tree.text(p.File, maxFront)); m != nil {
		g.addAliases(s, p, string(m[1]))
	}
}

// A resourceID is a parsed Antora resource id: [version@][component:][module:][family$]path.
type resourceID struct {
	version, component, module, family, path string
	hasVersion, isOwn                        bool // the version is known; it names this component
}

// resourceForm matches a resource id: a version, a component, a module, a family and a path.
var resourceForm = lazy.New(`^(?:[^@:$]+@)?(?:(?:[^@:$]+:)?[^@:$]*:)?(?:[^@:$]+\$)?[^:$][^@:$]*$`)

// IsResourceID reports whether the target of an xref, without its fragment, has the form of a resource id.
func IsResourceID(target string) bool {
	return resourceForm.Compiled().MatchString(target) && !strings.Contains(target, "://") && !strings.Contains(target, "\n")
}

// parse reads a resource id that is used in a module.
func (g *antora) parse(s *Site, id, module, family string) (r resourceID, ok bool) {
	r = resourceID{component: g.name, module: module, family: family, path: id, version: g.version, isOwn: true}
	if v, rest, has := strings.Cut(r.path, "@"); has && !strings.Contains(v, "/") {
		r.version, r.path, r.hasVersion = v, rest, true
		if v == "_" {
			r.version = ""
		}
	}
	hasComponent := false
	if prefix, rest, has := cutLast(r.path, ":"); has {
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

func cutLast(s, separator string) (before, after string, ok bool) {
	i := strings.LastIndex(s, separator)
	if i < 0 {
		return "", s, false
	}
	return s[:i], s[i+len(separator):], true
}

// families maps each family to the directories of modules that hold it.
var families = map[string][]string{
	"page": {"pages"}, "partial": {"partials", "pages/_partials"}, "example": {"examples"},
	"image": {"images", "assets/images"}, "attachment": {"attachments", "assets/attachments"},
}

// moduleOf returns the module that a file is in.
func (g *antora) moduleOf(s *Site, file string) string {
	rest, ok := strings.CutPrefix(file, s.Dir+"/modules/")
	if !ok {
		return "ROOT"
	}
	module, _, _ := strings.Cut(rest, "/")
	return module
}

// macro returns the candidates for an AsciiDoc macro.
func (g *antora) macro(s *Site, r *reference) []candidate {
	switch r.in {
	case "xref:", "<<>>", "image:/xref":
		return g.resource(s, r, "page")
	case "image:", "video:", "audio:":
		return g.resource(s, r, "image")
	case "include::":
		all := []candidate{}
		for _, file := range g.included(s, r.use.Page, r.use.File, r.path) {
			c := fileCandidate(file)
			c.isAsset = true
			all = append(all, c)
		}
		isMade := slices.ContainsFunc(g.siblings(s), func(o *Site) bool { return o.antora.collects }) &&
			!slices.ContainsFunc(all, func(c candidate) bool { return s.tree.isDir(path.Dir(c.File)) })
		id, _ := g.parse(s, r.path, g.moduleOf(s, r.use.File), "page")
		switch {
		case len(all) == 0:
			all = append(all, candidate{unknown: "of another component or version"})
		case isMade:
			all = append(all, candidate{unknown: "among files that a collector of Antora adds"})
		case id.isOwn && g.isElsewhere(s, id):
			all = append(all, candidate{unknown: inOtherRepository})
		}
		return all
	}
	if rest, ok := strings.CutPrefix(r.path, "_attachments/"); ok {
		return g.files(s, s.Dir, r.use.Page.Mount.Name, "attachment", rest)
	}
	return g.link(s, r)
}

// resource returns the candidates for a resource id, whose family is its own or that of the macro.
func (g *antora) resource(s *Site, r *reference, family string) []candidate {
	module := g.moduleOf(s, r.use.Page.File)
	id, ok := g.parse(s, r.path, module, family)
	if !ok || families[id.family] == nil {
		return []candidate{{unknown: "no resource id"}}
	}
	name := strings.TrimPrefix(path.Join("/", id.path), "/") // ".." stops at the root of the family
	if rest, ok := strings.CutPrefix(id.path, "./"); ok {    // only this is relative to the page
		if rel, isPage := strings.CutPrefix(r.use.Page.File, s.Dir+"/modules/"+module+"/pages/"); isPage {
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
func (g *antora) siblings(s *Site) []*Site {
	parts := s.sameComponent()
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.group == nil || g.known != len(parts) {
		g.group, g.known = []*Site{s}, len(parts)
		for _, o := range parts {
			if o != s {
				g.group = append(g.group, o)
			}
		}
	}
	return g.group
}

const inOtherRepository = "in a directory of the component that is in another repository"

// manyTargets is the number of targets in a directory that is not here from which on the directory is assumed to be in
// another repository. A component may be spread over several repositories.
const manyTargets = 3

// absentModules stands for the directories of all modules that are not here. If they have many targets in total, all of
// them are assumed to be in another repository.
const (
	absentModules = ":"
	manyInModules = 10
)

var resourceUse = lazy.New(`(xref|include|image)::?([^\[\s{]+)\[`)

// countAbsent records which module directories a file uses that are not here.
func (g *antora) countAbsent(s *Site, file string, text []byte) {
	for _, m := range resourceUse.Compiled().FindAllSubmatch(text, -1) {
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
		if !s.tree.isDir(path.Join(s.Dir, "modules", id.module)) {
			g.addAbsent(id.module, &id)
			g.addAbsent(absentModules, &id)
		}
	}
}

// maxAbsent limits how many targets in a directory are recorded.
const maxAbsent = 100

// addAbsent adds a target to those in a directory.
func (g *antora) addAbsent(dir string, id *resourceID) {
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
func (g *antora) hasDirectory(o *Site, id resourceID) bool {
	return slices.ContainsFunc(families[id.family], func(family string) bool {
		return o.tree.isDir(path.Join(o.Dir, "modules", id.module, family, path.Dir(path.Join("/", id.path))))
	})
}

// isElsewhere reports whether a resource is in another repository: no part of the component here has its directory, and
// many references use that directory.
func (g *antora) isElsewhere(s *Site, id resourceID) bool {
	hasModule := false
	for _, o := range g.siblings(s) {
		if g.hasDirectory(o, id) {
			return false
		}
		hasModule = hasModule || s.tree.isDir(path.Join(o.Dir, "modules", id.module))
	}
	if g.countOf(s, id.directory()) >= manyTargets {
		return true
	}
	return !hasModule && (g.countOf(s, id.module) >= manyTargets || g.countOf(s, absentModules) >= manyInModules)
}

// countOf returns how many targets the parts of the component have in a directory that is not here. Aliases of pages
// are here.
func (g *antora) countOf(s *Site, dir string) (n int) {
	parts := g.siblings(s)
	for _, o := range parts {
		for target := range o.antora.absent[dir] {
			if !slices.ContainsFunc(parts, func(o *Site) bool { return len(o.byName[target]) > 0 }) {
				n++
			}
		}
	}
	return n
}

// own returns the candidates for a resource of the component. Those in the module of s, if any, come first.
func (g *antora) own(s *Site, id resourceID, name string) (all []candidate) {
	var later []candidate
	collects, hasDir := false, false
	for _, o := range g.siblings(s) {
		files := g.files(o, o.Dir, id.module, id.family, name)
		collects = collects || o.antora.collects
		hasDir = hasDir || slices.ContainsFunc(files, func(c candidate) bool { return s.tree.isDir(path.Dir(c.File)) })
		for i := range files {
			files[i].isAsset = files[i].isAsset || o != s
		}
		switch {
		case id.family != "page":
		case o == s:
			files = append(files, candidate{Candidate: Candidate{Name: id.module + ":" + name}})
		default:
			o.load()
			for _, p := range o.byName[id.module+":"+name] {
				c := fileCandidate(p.File)
				c.isAsset = true
				files = append(files, c)
			}
		}
		if s.tree.isDir(path.Join(o.Dir, "modules", id.module)) {
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
		all = append(all, candidate{unknown: "among files that a collector of Antora adds"})
	case g.isElsewhere(s, id):
		all = append(all, candidate{unknown: inOtherRepository})
	}
	return all
}

// elsewhere returns the candidates for a resource id of another component or version. The target is
// unknown if that component or version is not in the tree.
func (g *antora) elsewhere(s *Site, id resourceID, name string) (all []candidate) {
	sites := g.published(s, id.component)
	hasVersion := false
	for _, other := range sites {
		if id.hasVersion && other.antora.version != id.version {
			continue
		}
		hasVersion = true
		for _, c := range g.files(other, other.Dir, id.module, id.family, name) {
			c.isAsset = true
			all = append(all, c)
		}
		if id.family == "page" { // its pages may have other names
			other.load()
			for _, p := range other.byName[id.module+":"+name] {
				c := fileCandidate(p.File)
				c.isAsset = true
				all = append(all, c)
			}
		}
	}
	id.path = name
	all = append(all, g.aliases(s, id)...)
	isAll := s.tree.contentSources().isAll
	switch {
	case len(sites) == 0 && isAll:
		return append(all, candidate{Candidate: Candidate{Name: id.component + "::"}, why: "antora-playbook.yml has no other sources"})
	case !hasVersion && isAll && hasVersions(sites):
		return append(all, candidate{Candidate: Candidate{Name: id.version + "@" + id.component + "::"}, why: "the component has no such version"})
	case !hasVersion:
		return append(all, candidate{unknown: "of another component or version"})
	}
	return all
}

// files returns candidates for the files that a path in a family of a module may name.
func (g *antora) files(_ *Site, dir, module, family, name string) (all []candidate) {
	for _, family := range families[family] {
		c := fileCandidate(path.Join(dir, "modules", module, family, name))
		c.isAsset = family != "pages"
		all = append(all, c)
	}
	return all
}

// included returns the files that the target of an include may name.
func (g *antora) included(s *Site, p *Page, file, target string) (files []string) {
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

var includeMacro = lazy.New(`(?m)^include::([^\[\n]+)\[`)

// parts returns the files that a file includes on a page.
func (g *antora) parts(s *Site, p *Page, file string, text []byte) (files []string) {
	g.countAbsent(s, file, text)
	for _, m := range includeMacro.FindAllSubmatch(text, -1) {
		target := s.withAttributes(string(m[1]))
		if strings.Contains(target, "://") {
			continue // only an extension reads it, so it hardly has ids that pages use
		}
		if id, _ := g.parse(s, target, g.moduleOf(s, file), "page"); families[id.family] == nil && !strings.Contains(id.family, "{") {
			continue // Antora does not find it
		}
		of := g.matching(s, g.included(s, p, file, target))
		if !slices.ContainsFunc(of, func(file string) bool { return s.tree.isDir(path.Dir(file)) }) {
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
func (s *Site) withAttributes(text string) string {
	if !strings.Contains(text, "{") {
		return text
	}
	for name, value := range s.attributes {
		text = strings.ReplaceAll(text, "{"+name+"}", strings.TrimSuffix(value, "@"))
	}
	return text
}

// matching replaces each file whose name, but not its directory, contains an attribute without a value by the files
// that may have this name.
func (g *antora) matching(s *Site, files []string) (all []string) {
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
		for _, name := range sortedKeys(s.tree.list(dir)) {
			if len(name) <= len(before)+len(after) || !strings.HasPrefix(name, before) || !strings.HasSuffix(name, after) {
				continue
			}
			if g.guesses == nil {
				g.guesses = map[string]bool{}
			}
			part := path.Join(dir, name)
			g.guesses[part] = true
			all = append(all, part)
		}
	}
	return all
}

// navigate adds the files of the navigation, and the page that the component begins with.
func (g *antora) navigate(s *Site, n *navigator) {
	conf := n.read(s.Config)
	for _, item := range conf.Get("nav").Items {
		n.add(s.Config, "nav", item, func(ref string) Result {
			if file := path.Join(s.Dir, ref); !s.tree.isFile(file) {
				return n.missingFile(file)
			}
			return Result{State: Found}
		})
	}
}

// spellings returns the resource id of a file of the component, as it is used on a page.
func (g *antora) spellings(s *Site, u Use, file string) []string {
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

// IsExample reports whether a file is an Antora example. Pages show tagged parts of examples.
func (s *Site) IsExample(file string) bool {
	return s.antora != nil && strings.HasPrefix(file, path.Join(s.Dir, "modules", s.antora.moduleOf(s, file), "examples")+"/")
}
