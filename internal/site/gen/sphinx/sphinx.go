// Package sphinx supports sites of Sphinx, Jupyter Book and mystmd: labels, terms and objects, and the
// programs of a project that may make some.
package sphinx

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"sync/atomic"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/conf"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/slash"
)

// Generator finds sites of Sphinx.
var Generator = &site.Generator{
	Name: "Sphinx", Configs: []string{"conf.py", "_toc.yml", "myst.yml"}, Contents: []string{"_toc.yml", "_toc.md"},
	Indexes: []string{"index.md"}, Output: "_build/html", Find: find,
}

// find finds a project of Sphinx by conf.py, a book of Jupyter Book by _toc.yml, and one of mystmd by
// myst.yml.
func find(d *source.Dir) []*site.Site {
	switch {
	case d.First("_toc.yml", "_toc.yaml") != "" && d.First("_config.yml") != "":
		return findBook(d)
	case d.First("myst.yml") != "":
		return findMyST(d)
	}
	if d.First("conf.py") == "" {
		return findBareSphinx(d)
	}
	text := string(d.Tree.Config(d.In("conf.py")))
	if !strings.Contains(text, "extensions") && !strings.Contains(text, "html_theme") && bareRoot(d) == "" {
		return nil
	}
	files := append([]confFile{{d.In("conf.py"), d.Tree.Read(d.In("conf.py")), text}}, modulesOf(d, text)...)
	conf := merged(files)
	dirs := projectDirs(d, conf.Lookup("multiproject_projects"))
	if len(dirs) == 0 {
		dirs = append(dirs, sphinxSources(d, conf))
	}
	var sites []*site.Site
	for _, dir := range dirs {
		sites = append(sites, newSphinx(d, files, dir))
	}
	return sites
}

// projectDirs returns the directories of several projects with one conf.py (sphinx-multiproject): each has
// the name of a project, or the one under "path".
func projectDirs(d *source.Dir, projects source.Value) (dirs []string) {
	for _, name := range projects.Keys() {
		if dir, ok := d.Inside(projects.Lookup(name, "path").Or(name)); ok && d.Tree.IsDir(dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// newSphinx returns the site of the documents in a directory, by the files of its configuration.
func newSphinx(d *source.Dir, files []confFile, documents string) *site.Site {
	conf := merged(files)
	s := site.New(d, "Sphinx", "conf.py")
	g := &model{conf: conf, labels: map[string]bool{}, text: files[0].text}
	g.markdown = extended(conf, files, "myst_enable_extensions")
	g.extensions = extended(conf, files, "extensions")
	exclude := extended(conf, files, "exclude_patterns")
	s.RST.Dir = documents
	s.Mounts = append(s.Mounts, &site.Mount{Dir: s.RST.Dir, URL: "/", Kind: site.Hidden, Match: sphinxExcludes(exclude), Why: excludePatterns})
	for _, name := range conf.Lookup("html_static_path").Texts() {
		if dir, ok := d.Inside(name); ok {
			s.Mounts = append(s.Mounts, &site.Mount{Dir: dir, URL: "/_static/", Kind: site.Static})
		}
	}
	for _, name := range conf.Lookup("html_extra_path").Texts() {
		dir, ok := d.Inside(name)
		switch {
		case ok && d.Tree.IsDir(dir):
			s.Mounts = append(s.Mounts, &site.Mount{Dir: dir, URL: "/", Kind: site.Static})
		case ok && d.Tree.IsFile(dir):
			s.Routeless = append(s.Routeless, "/"+path.Base(dir))
		}
	}
	g.set(d, s)
	if isDirHTML(d) {
		g.isDir = true
	}
	g.redirects(d, s, files)
	return s
}

// A confFile is conf.py, or a module beside it of which it imports all names.
type confFile struct {
	file string
	conf source.Value
	text string
}

// importAll matches the statement that binds all names of a module.
var importAll = lazy.New(`(?m)^from[ \t]+(\w+)[ \t]+import[ \t]+\*`)

// maxModules limits how many modules beside conf.py are read.
const maxModules = 8

// themeFiles are the static files of the theme basic of Sphinx 8.2, which all others extend:
// sphinx/themes/basic/static, and pygments.css.
const themeFiles = "basic.css doctools.js documentation_options.js file.png language_data.js minus.png plus.png pygments.css searchtools.js sphinx_highlight.js"

// merged returns the values of conf.py, with what it takes from modules. Their positions mean nothing.
func merged(files []confFile) source.Value {
	if len(files) == 1 {
		return files[0].conf
	}
	var text strings.Builder
	for _, f := range files[1:] {
		text.WriteString(f.text + "\n")
	}
	text.WriteString(files[0].text)
	return source.Value{Value: conf.Read("conf.py", []byte(text.String())).Value}
}

// extension matches a statement that adds a list to another one, by their names.
var extension = lazy.New(`(?m)^(\w+)\.extend\((\w+)\)`)

// extended returns the known elements of a list in conf.py, with those of the lists that are added to it.
func extended(conf source.Value, files []confFile, name string) []string {
	all := conf.Lookup(name).Texts()
	if len(files) == 1 {
		return all
	}
	for _, m := range extension.FindAllStringSubmatch(files[0].text, -1) {
		if m[1] == name {
			all = append(all, conf.Lookup(m[2]).Texts()...)
		}
	}
	return all
}

// modulesOf returns the modules beside conf.py of which it imports all names.
func modulesOf(d *source.Dir, text string) (files []confFile) {
	for _, m := range importAll.FindAllStringSubmatch(text, maxModules) {
		if name := m[1] + ".py"; d.First(name) != "" {
			files = append(files, confFile{d.In(name), d.Tree.Read(d.In(name)), string(d.Tree.Config(d.In(name)))})
		}
	}
	return files
}

// sphinxSources returns the directory of the documents: that of conf.py, or the only one in it that holds the root
// document, which "sphinx-build -c" builds.
func sphinxSources(d *source.Dir, conf source.Value) string {
	root := conf.Lookup("root_doc").Or(conf.Lookup("master_doc").Or("index"))
	has := func(dir string) bool {
		return slices.ContainsFunc([]string{".rst", ".md", ".txt", ".ipynb"}, func(suffix string) bool { return d.Tree.IsFile(path.Join(dir, root+suffix)) })
	}
	if has(d.Path) {
		return d.Path
	}
	found := d.Path
	for _, name := range []string{"source", "src", "docs", "doc", "content"} {
		if dir := d.In(name); has(dir) {
			if found != d.Path {
				return d.Path
			}
			found = dir
		}
	}
	return found
}

// findBook finds a book of Jupyter Book 1, which is a project of Sphinx.
func findBook(d *source.Dir) []*site.Site {
	conf := d.Tree.Read(d.In("_config.yml"))
	s := site.New(d, "Jupyter Book", "_config.yml")
	g := &model{labels: map[string]bool{}, isBook: true, conf: conf.Lookup("sphinx", "config")}
	exclude := conf.Lookup("exclude_patterns").Texts()
	s.Mounts = append(s.Mounts, &site.Mount{Dir: d.Path, URL: "/", Kind: site.Hidden, Match: sphinxExcludes(append(exclude, "_build", "**.ipynb_checkpoints")), Why: excludePatterns})
	if conf.Lookup("only_build_toc_files").IsTrue(false) {
		s.Mounts = append(s.Mounts, &site.Mount{Dir: d.Path, URL: "/", Kind: site.Hidden, Match: notListed(string(d.Tree.Config(d.In(d.First("_toc.yml", "_toc.yaml"))))), Why: notInToc})
	}
	g.markdown = conf.Lookup("parse", "myst_enable_extensions").Texts()
	g.extensions = conf.Lookup("sphinx", "extra_extensions").Texts()
	g.set(d, s)
	return []*site.Site{s}
}

// findMyST finds a book of mystmd. Its routes are flat, so URLs of pages are not checked.
func findMyST(d *source.Dir) []*site.Site {
	s := site.New(d, "MyST", "myst.yml")
	g := &model{labels: map[string]bool{}, isBook: true, isFlat: true, ignored: map[string]bool{}}
	project := d.Tree.Read(d.In("myst.yml")).Lookup("project")
	for i, plugin := range project.Lookup("plugins").List() {
		if file, ok := d.Inside(plugin.Lookup("path").Or(plugin.Or(""))); ok && i < maxPlugins {
			g.text += string(d.Tree.Config(file))
		}
	}
	g.sections, s.IsLoose = true, true // ids are of any project, made by rules of mystmd
	for _, rule := range project.Lookup("error_rules").List() {
		if rule.Lookup("severity").Or("") == "ignore" {
			for _, key := range append(rule.Lookup("keys").Texts(), rule.Lookup("key").Texts()...) {
				g.ignored[key] = true
			}
		}
	}
	s.Mounts = append(s.Mounts, &site.Mount{Dir: d.In("_build"), URL: "/", Kind: site.Hidden, Why: reason.Built})
	g.set(d, s)
	return []*site.Site{s}
}

// maxPlugins limits how many plugins of a project are read for the labels that they make.
const maxPlugins = 20

// sphinxExcludes returns a function that matches paths against exclude_patterns. A pattern that names
// a directory matches everything in it.
func sphinxExcludes(patterns []string) func(string) bool {
	var all []func(string) bool
	for _, p := range patterns {
		all = append(all, source.Glob(p), source.Glob(strings.TrimSuffix(p, "/")+"/**"))
	}
	return func(rel string) bool {
		return slices.ContainsFunc(all, func(match func(string) bool) bool { return match(rel) })
	}
}

// notListed returns a function that matches documents that a table of contents does not name.
func notListed(toc string) func(rel string) bool {
	names := map[string]bool{}
	for _, m := range tocEntry.FindAllStringSubmatch(toc, -1) {
		name := strings.Trim(m[1], "\"'")
		names[slash.Stem(name)], names[name] = true, true
	}
	return func(rel string) bool {
		switch ext := path.Ext(rel); ext {
		case ".md", ".rst", ".ipynb":
			return !names[strings.TrimSuffix(rel, ext)] && !names[rel]
		}
		return false
	}
}

var tocEntry = lazy.New(`(?m)^[ \t-]*(?:file|root):[ \t]*([^\s#]+)`)

// isDirHTML reports whether the project is built with the builder dirhtml.
func isDirHTML(d *source.Dir) bool {
	for _, name := range []string{".readthedocs.yaml", ".readthedocs.yml", "../.readthedocs.yaml", "../.readthedocs.yml", "Makefile", "../../.readthedocs.yaml"} {
		file := path.Join(d.Path, name)
		if !source.Below(file, d.Tree.Root) {
			continue
		}
		text := string(d.Tree.Config(file))
		if strings.Contains(text, "builder: dirhtml") || path.Base(name) == "Makefile" && strings.Contains(text, "-b dirhtml") && !strings.Contains(text, "-M $@") && !strings.Contains(text, "-b html ") {
			return true
		}
	}
	return false
}

// model holds the settings and labels of a project.
type model struct {
	compound []string // suffixes of sources with two dots
	leftOut
	conf      source.Value
	labels    map[string]bool // of all documents
	isDir     bool            // builder dirhtml
	isBook    bool
	isFlat    bool // URLs are unknown
	isBare    bool // the configuration is unknown
	generates bool // extensions make documents
	objects   bool // extensions define names of programs
	others    bool // the build also uses labels of other projects
	sections  bool // titles of sections are labels

	text       string                                 // conf.py, which may make labels and files
	made       lazy.Value[map[string]bool]            // beginnings of labels that text makes
	spaces     map[string]bool                        // beginnings of labels, up to ":" or "/"
	extensions []string                               // of Sphinx
	markdown   []string                               // extensions of MyST
	imageRules lazy.Map[string, map[string]imageRule] // by page
	ignored    map[string]bool                        // references that the project tells the builder to ignore

	rst             []string        // suffixes of documents of reStructuredText
	exact, terms    map[string]bool // labels and terms in these documents, as the scanner finds them
	citations       map[string]bool
	family          lazy.Value[*labelFamily]          // of labelFiles
	labelFiles      map[string]string                 // the first file that defines a label of reStructuredText
	markdownFiles   map[string]string                 // the file of Markdown that defines a label, "" for several
	twice           map[string][2]string              // files, for labels that several define
	folded          lazy.Value[map[string]string]     // documents by names in lower case
	typos           lazy.Value[*typoIndex]            // of exact
	ownRoles        lazy.Map[string, bool]            // whether programs of the project or its prolog define a role
	labelsIn        lazy.Map[string, map[string]bool] // by file; see Defines
	byBare          lazy.Value[map[string]string]     // labels of exact by site.BareName, "" for several
	globbed         lazy.Map[string, []string]        // documents by patterns of toctrees
	inMarkdown      map[string]bool                   // labels of other documents
	programs        string                            // conf.py and the extensions of the project itself
	makesLabels     bool                              // programs may make labels
	codeMakesLabels bool                              // conf.py or an extension in the tree makes labels, of names that are not known
	isStrange       bool                              // an extension makes labels, or is neither known nor in the tree
	copies          lazy.Value[bool]                  // conf.py copies files
	inPrograms      lazy.Value[*programLabels]
	readsPrograms   bool // the build reads documentation in programs
	hasBreathe      bool // by Breathe
	hasIntersphinx  bool // documents may be those of other projects
	hasInventory    bool // the build also uses labels and terms of other projects
	projects        lazy.Value[*otherProjects]
	used            map[string]int // uses of labels in reStructuredText
	onlyOwn         lazy.Value[bool]
	onlyOwnNames    lazy.Value[bool] // see usesOnlyOwnNames

	objectsRST          *objects
	customRoles         map[string]string // directives that declare objects, by the roles that name them
	customKinds         map[string]bool   // these directives
	changedKinds        []string          // those for which a program makes the names of the signatures
	ownExtensions       []string          // extensions that are in the tree
	isNitpicky          bool
	hasUnknownExtension bool        // an extension is neither known nor in the tree
	lacksPart           atomic.Bool // a document includes a file that a program writes
	hasUnknown          bool        // an extension of an unknown kind may declare objects
	hasThirdParty       bool        // extensions that are not part of Sphinx may define roles
	makesObjects        bool        // extensions declare objects of programming languages
	makesDomains        bool        // extensions declare options and the like
}

func (g *model) set(d *source.Dir, s *site.Site) {
	s.Slug, s.Dialect = slug.GitHub, markdown.MyST
	if readsNoMarkdown(g) {
		isMarkdown := func(rel string) bool { return path.Ext(rel) == ".md" }
		s.Mounts = append(s.Mounts, &site.Mount{Dir: s.SourceDir(), URL: "/", Kind: site.Hidden, Match: isMarkdown, InPlace: true, Why: noMarkdown})
	}
	s.Mounts = append(s.Mounts, &site.Mount{Dir: s.SourceDir(), URL: "/", Kind: site.Pages})
	s.Suffixes = []string{".md", ".rst", ".ipynb", ".markdown", ".myst"}
	for _, suffix := range append(g.conf.Lookup("source_suffix").Keys(), g.conf.Lookup("source_suffix").Texts()...) {
		last := path.Ext(suffix)
		if last != suffix { // ".rst.jinja2"
			g.compound = append(g.compound, suffix)
		}
		if strings.HasPrefix(suffix, ".") && !slices.Contains(s.Suffixes, last) {
			s.Suffixes = append(s.Suffixes, last)
		}
	}
	for _, suffix := range g.conf.Lookup("nb_custom_formats").Keys() {
		s.Suffixes = append(s.Suffixes, strings.ToLower(suffix))
	}
	extensions := strings.Join(g.extensions, " ")
	g.objects = g.isBook || g.conf.Lookup("extensions").IsUnknown() || g.conf.Lookup("extensions").Open
	// A function of conf.py may run sphinx-apidoc, which writes a directory of documents.
	g.generates = slices.ContainsFunc(g.extensions, makesDocuments) || strings.Contains(g.text, "apidoc")
	for _, name := range []string{"autodoc", "intersphinx", "autoapi", "autosummary", "automodapi", "breathe", "sphinxcontrib", "numpydoc", "autodoc2", "argparse", "click"} {
		g.objects = g.objects || strings.Contains(extensions, name)
	}
	g.others = g.objects && !g.isBook || strings.Contains(extensions, "intersphinx")
	g.sections = g.sections || strings.Contains(extensions, "autosectionlabel")
	g.hasIntersphinx = strings.Contains(extensions, "intersphinx") || strings.Contains(g.text, "intersphinx")
	g.hasInventory = g.hasIntersphinx || g.mayHaveMore()
	g.setRST(d, s)
	s.RST.HasIDs = true // MyST makes nodes of docutils; its slugs only help to find them
	s.Made = []string{"/_modules/", "/_sources/", "/_images/", "/_downloads/", "/generated/", "/auto_examples/", "/autoapi/", "/apidocs/", "/_static/"}
	s.Made = append(s.Made, commandOutputs(d)...)
	s.Routeless = append(s.Routeless, "/genindex.html", "/py-modindex.html", "/search.html", "/objects.inv")
	for name := range strings.FieldsSeq(themeFiles) {
		s.Routeless = append(s.Routeless, "/_static/"+name)
	}
	s.Links = site.Links{site.Markdown: {g.link}, site.Image: {g.image}, site.HTML: {site.ByURL}, site.Macro: {g.role}}
	if slices.Contains(g.markdown, "html_image") {
		s.Links[site.HTMLSource] = []site.Step{g.image}
	}
	s.Knows = site.AllParts
	if g.isFlat {
		s.Made = append(s.Made, "/")
	}
	s.SetModel(g)
}

// Spellings returns ways to write a path, or the name of a document in a role and in a toctree.
func (g *model) Spellings(s *site.Site, uses []site.Use, form site.Form, in, file, style string) []string {
	u := uses[0]
	ways := s.Spellings(u, form, file, style)
	if form == site.Macro && (in == "doc" || in == "toctree") && u.Page.Mount != nil {
		ways = docnames(u, file, style)
	}
	isShared := len(uses) > 1 || u.File != u.Page.File
	if rest, ok := strings.CutPrefix(file, s.SourceDir()+"/"); ok && isShared && form != site.HTML && !(form == site.Macro && in == "raw/file") {
		ways = append(ways, "/"+site.EscapePath(rest)) // right in all pages that include the file
	}
	return ways
}

// makesDocuments reports whether an extension may write documents.
func makesDocuments(name string) bool {
	name = strings.ReplaceAll(strings.ReplaceAll(name, "autosectionlabel", ""), "autodoc2", "auto")
	return strings.Contains(strings.ReplaceAll(name, "autodoc", ""), "auto") || strings.Contains(name, "gallery") || strings.Contains(name, "apidoc") ||
		strings.Contains(name, "exhale")
}

// Route sets the URLs of a page.
func (g *model) Route(s *site.Site, p *site.Page) {
	rel := p.Rel
	for _, suffix := range g.compound {
		if before, ok := strings.CutSuffix(rel, suffix); ok {
			rel = before + path.Ext(suffix)
		}
	}
	stem := slash.Stem(rel)
	dir, name := path.Split(stem)
	p.Names = []string{stem}
	if g.isFlat { // the URL has only the last name, without the number before it
		flat := name
		if flat == "index" {
			flat = path.Base(dir)
		}
		flat = strings.ToLower(strings.ReplaceAll(strings.TrimLeft(flat, "0123456789-_. "), " ", "-"))
		p.Names = append(p.Names, "/"+flat)
	}
	if path.Ext(p.Rel) == ".rst" || path.Ext(p.Rel) == ".ipynb" {
		for _, other := range []string{".md"} { // the same docname, of which one counts
			if s.Tree.IsFile(p.Mount.Dir + "/" + stem + other) {
				p.Names = nil
			}
		}
	}
	p.Routes = []string{site.PageURL(rel, ".html")}
	if g.isDir {
		p.Routes = []string{site.PageURL(rel, "/", "index")}
	}
}

// link returns the candidates for a MyST link: a file, or else a name.
func (g *model) link(s *site.Site, r *site.Reference) []site.Candidate {
	if g.isBare {
		return bareURL(s, r)
	}
	isExternal := g.conf.Lookup("myst_all_links_external").IsTrue(false) || bytes.Contains(r.Use.Markup.Attributes(), []byte(".external"))
	if g.isRST(r.Use.Page.File) || isExternal { // not rewritten
		return site.ByURL(s, r)
	}
	if r.Path == "" {
		return nil
	}
	m := r.Use.Page.Mount
	file := r.FileIn(m.Dir)
	var all []site.Candidate
	if r.Use.File != r.Use.Page.File && !source.Below(r.Use.File, m.Dir) { // relative-docs of {include}
		c := documentOrAsset(s, path.Join(r.Dir(), r.Path))
		c.Lenient = true
		all = append(all, c)
	}
	if !r.Query {
		all = append(all, documentOrAsset(s, file))
	}
	if g.mayMakeFile(s, file) {
		return append(all, site.Candidate{Unknown: confMakesFile})
	}
	if g.ignored[r.Raw] {
		return append(all, site.Candidate{Unknown: ignoredByErrorRules})
	}
	if strings.HasSuffix(r.Path, "/") && g.isBook {
		return append(all, site.Candidate{Unknown: aDirectory})
	}
	return append(all, g.name(s, r)...)
}

// documentOrAsset returns a candidate for a file: a page if it is a document, else a copied file.
func documentOrAsset(s *site.Site, file string) site.Candidate {
	c := site.FileCandidate(file)
	c.IsAsset = !s.IsDocument(file)
	return c
}

var identifier = lazy.New(`^[A-Za-z_][\w.]*(?:\(\))?$`)

// name returns the candidates for a name: a label, or a document without its suffix. For the latter, ".." stops
// at the root of the sources.
func (g *model) name(s *site.Site, r *site.Reference) (all []site.Candidate) {
	name := strings.TrimSpace(r.Path)
	rel, ok := strings.CutPrefix(path.Join(r.PageDir(), name), r.Use.Page.Mount.Dir+"/")
	if r.IsRooted() {
		rel, ok = strings.TrimPrefix(path.Clean(name), "/"), true
	}
	if ok {
		all = append(all, site.Candidate{Name: rel})
		if g.makesDirectory(s, r, rel) {
			return append(all, site.Candidate{Unknown: extensionDocument})
		}
	}
	if !ok && !g.isFlat {
		all = append(all, site.Candidate{Name: docname(r)})
	}
	if g.isFlat && r.IsRooted() {
		all = append(all, site.Candidate{Name: "/" + path.Base(rel)})
	}
	switch {
	case g.labels[site.LabelName(name)], g.labels[strings.ToLower(strings.ReplaceAll(name, " ", "-"))]:
		return []site.Candidate{g.labelled(s, name)}
	case g.objects && identifier.MatchString(name) && !strings.HasSuffix(name, ".md") && !strings.HasSuffix(name, ".html") && !strings.HasSuffix(name, ".txt") && !isMistake(g, s, name):
		all = append(all, site.Candidate{Unknown: mayBeCodeItem})
	case strings.Contains(name, ":"):
		all = append(all, site.Candidate{Unknown: nameOfDomain})
	case g.mayMake(s, name):
		all = append(all, site.Candidate{Unknown: confMakesLabel})
	case g.readsPrograms && g.readPrograms(s).has(site.LabelName(name)):
		all = append(all, site.Candidate{Unknown: mayBeProgramPart})
	}
	return all
}

// labelled returns the candidate for a name that is that of a label.
func (g *model) labelled(s *site.Site, name string) site.Candidate {
	p := s.ByFile[g.labelFile(name)]
	if p == nil || !p.Why.IsZero() {
		return site.Candidate{Unknown: label}
	}
	return site.FileCandidate(p.File)
}

// image resolves an image against the source, or against the root of the sources.
func (g *model) image(s *site.Site, r *site.Reference) []site.Candidate {
	dir, other := g.imageDir(s, r)
	file := path.Join(dir, r.Path)
	if r.IsRooted() {
		file = path.Join(r.Use.Page.Mount.Dir, r.Path)
	}
	if strings.HasSuffix(r.Path, ".*") {
		return anySuffix(s, file)
	}
	c := site.AssetCandidate(file)
	if g.mayMakeFile(s, file) {
		return []site.Candidate{c, {Unknown: confMakesFile}}
	}
	if other != "" && !r.IsRooted() {
		second := site.FileCandidate(path.Join(other, r.Path))
		second.IsAsset, second.Lenient = true, true
		return []site.Candidate{c, second}
	}
	return []site.Candidate{c}
}

// imageDir returns the directory that an image or a file is relative to. That is the directory of the page,
// also in files that it includes, with two exceptions: the option relative-images of the include of MyST,
// for images of Markdown; and the files of the directives csv-table and raw, which docutils opens beside
// the text that names them. other is another possible directory if the choice is not certain.
func (g *model) imageDir(s *site.Site, r *site.Reference) (dir, other string) {
	isRST := g.isRST(r.Use.Page.File)
	switch {
	case r.Use.File == r.Use.Page.File:
		return r.PageDir(), ""
	case isRST && (strings.HasPrefix(r.In, "csv-table/") || strings.HasPrefix(r.In, "raw/")):
		return r.Dir(), ""
	case isRST || r.Form == site.Macro:
		return r.PageDir(), ""
	}
	rules := g.imageRules.Get(r.Use.Page.File, func(string) map[string]imageRule { return imageRules(s, r.Use.Page) })
	switch rules[r.Use.File] {
	case imageRule{relative: true}:
		return r.Dir(), ""
	case imageRule{plain: true}:
		return r.PageDir(), ""
	}
	return r.PageDir(), r.Dir()
}

// role returns the candidates for a role or a directive.
func (g *model) role(s *site.Site, r *site.Reference) []site.Candidate {
	role := r.In
	if i := strings.LastIndexAny(role, ":/"); i >= 0 {
		role = role[i+1:]
	}
	switch strings.Trim(role, "{}:") {
	case "doc":
		return g.document(s, r)
	case "target":
		return g.link(s, r)
	case "download", "image", "figure", "include", "literalinclude", "file", "thumbnail", "video", "audio":
		all := g.image(s, r)
		switch file := all[0].File; {
		case file == "":
		case !source.Below(file, s.Tree.Root):
			all = append(all, site.Candidate{Unknown: outsideRepository})
		case strings.Contains(g.text, path.Base(file)):
			all = append(all, site.Candidate{Unknown: confMakesFile})
		case isIgnoredFile(s, file), s.Tree.IsIgnored(file):
			all = append(all, site.Candidate{Unknown: gitIgnored})
		}
		return all
	case "toctree":
		return g.document(s, r)
	}
	return []site.Candidate{{Unknown: reason.NameOfRole}}
}

// isIgnoredFile reports whether a .gitignore above the site contains the exact name of a file.
func isIgnoredFile(s *site.Site, file string) bool {
	for dir := s.Dir; source.Below(dir, s.Tree.Root); dir = path.Dir(dir) {
		rel, ok := strings.CutPrefix(file, dir+"/")
		if ok && slices.Contains(strings.Fields(strings.ReplaceAll(string(s.Tree.Config(dir+"/.gitignore")), "\n/", "\n")), rel) {
			return true
		}
		if path.Dir(dir) == dir {
			break
		}
	}
	return false
}

// docname returns the document name that a role or a toctree gives.
func docname(r *site.Reference) string {
	if r.IsRooted() {
		return strings.TrimPrefix(path.Clean(r.Path), "/")
	}
	return strings.TrimPrefix(path.Join("/", path.Dir(r.Use.Page.Rel), r.Path), "/") // ".." stops at the root
}

// makesDirectory reports whether an extension may make the directory that a docname is in.
func (g *model) makesDirectory(s *site.Site, r *site.Reference, rel string) bool {
	return g.generates && path.Dir(rel) != "." && !s.Tree.IsDir(path.Join(r.Use.Page.Mount.Dir, path.Dir(rel)))
}

// isElsewhere reports whether a role may name a document of another project, whose inventory intersphinx
// reads: this project has no such directory, as in "library/re" of Python.
func (g *model) isElsewhere(s *site.Site, r *site.Reference) bool {
	dir, _, isBelow := strings.Cut(r.Path, "/")
	if r.In != "doc" || !g.hasIntersphinx || r.IsRooted() || !isBelow || dir == "." || dir == ".." {
		return false
	}
	return !s.Tree.IsDir(path.Join(path.Dir(r.Use.Page.File), dir)) && !s.Tree.IsDir(path.Join(s.SourceDir(), dir))
}

// isDocumentIgnored reports whether .gitignore leaves a document out of the repository, by its docname.
func isDocumentIgnored(s *site.Site, r *site.Reference, rel string) bool {
	return slices.ContainsFunc(s.Suffixes, func(suffix string) bool {
		return s.Tree.IsIgnored(path.Join(r.Use.Page.Mount.Dir, rel+suffix))
	})
}

// document resolves a docname: relative, or from the root, without its suffix.
func (g *model) document(s *site.Site, r *site.Reference) []site.Candidate {
	rel := docname(r)
	if strings.ContainsAny(rel, "*?[") || rel == "self" || rel == "genindex" || rel == "modindex" || rel == "search" {
		return []site.Candidate{{Unknown: pattern}}
	}
	if g.isElsewhere(s, r) {
		return []site.Candidate{{Name: rel}, {Unknown: documentElsewhere}}
	}
	if g.makesDirectory(s, r, rel) {
		return []site.Candidate{{Unknown: extensionDocument}}
	}
	isKnown := len(s.ByName[rel]) > 0 || len(s.ByName[slash.Stem(rel)]) > 0
	if len(rel) > 0 && !isKnown && g.mayMakeDocument(rel) {
		return []site.Candidate{{Name: rel}, {Unknown: extensionDocument}}
	}
	if !isKnown && isDocumentIgnored(s, r, rel) {
		return []site.Candidate{{Name: rel}, {Unknown: reason.GitIgnoredPage}}
	}
	if g.isRST(r.Use.Page.File) && (r.In == "doc" || !s.IsDocument(rel)) {
		return []site.Candidate{{Name: rel}}
	}
	return []site.Candidate{{Name: rel}, {Name: slash.Stem(rel)}}
}

// mayMakeDocument reports whether a program of the project contains the name of a document, or its
// beginning.
func (g *model) mayMakeDocument(rel string) bool {
	name := path.Base(rel)
	first, _, _ := strings.Cut(name, "-")
	programs := strings.TrimPrefix(g.programs, g.text) // conf.py itself names documents for many reasons
	for _, suffix := range []string{".rst", ".md", ".txt"} {
		for _, quote := range []string{`"`, "'"} {
			if strings.Contains(g.text, name+suffix+quote) && copying.MatchString(g.text) {
				return true
			}
		}
	}
	for _, quoted := range []string{`"` + name + `"`, "'" + name + "'", `"` + rel + `"`, "'" + rel + "'", `f"` + first + "-{", `f'` + first + "-{", "/" + name} {
		if strings.Contains(programs, quoted) {
			return true
		}
	}
	return false
}

// Explain says why the target of a reference does not exist.
func (g *model) Explain(s *site.Site, r *site.Reference) (why reason.Reason, other string) {
	file := path.Join(r.PageDir(), r.Path)
	switch {
	case r.Form == site.Macro && (r.In == "doc" || r.In == "toctree") && g.isRST(r.Use.Page.File):
		return reason.Reason{}, g.foldedDocument(s, docname(r))
	case r.Form == site.Markdown && g.isRST(r.Use.Page.File):
		if s.ByFile[file] != nil && s.ByFile[file].Why.IsZero() {
			return linkNotRewritten.With(s.Route(r.Use.Page)), file
		}
	case r.Form == site.HTML && s.ByFile[file] != nil && s.ByFile[file].Why.IsZero():
		return reason.RawHTML("Sphinx", s.Route(r.Use.Page)), file
	case r.Form == site.Markdown && strings.HasSuffix(r.Path, ".html"):
		stem := strings.TrimSuffix(file, ".html")
		for _, ext := range []string{".md", ".rst"} {
			if s.ByFile[stem+ext] != nil {
				return sourcesOnly, stem + ext
			}
		}
	}
	return reason.Reason{}, ""
}

// Reasons.
var (
	confMakesFile       = reason.New(reason.Code, "conf-makes-file", "conf.py may make the file")
	confMakesLabel      = reason.New(reason.Code, "conf-makes-label", "conf.py may make the label")
	aDirectory          = reason.New(reason.Unpublished, "directory", "a directory")
	excludePatterns     = reason.New(reason.Unpublished, "exclude-patterns", "excluded by exclude_patterns")
	documentElsewhere   = reason.New(reason.OtherSite, "document-elsewhere", "it may be a document of another project")
	extensionDocument   = reason.New(reason.Code, "extension-document", "an extension may make the document")
	gitIgnored          = reason.New(reason.Build, "git-ignored", "is generated: .gitignore lists it")
	ignoredByErrorRules = reason.New(reason.Unpublished, "ignored-by-error-rules", "ignored by error_rules")
	label               = reason.New(reason.OtherSite, "label", "a label")
	mayBeCodeItem       = reason.New(reason.Code, "may-be-code-item", "it may name an item of code")
	mayBeProgramPart    = reason.New(reason.Code, "may-be-program-part", "it may name a piece of a program")
	nameOfDomain        = reason.New(reason.Code, "name-of-domain", "a name of a domain")
	notInToc            = reason.New(reason.Unpublished, "not-in-toc", "not in _toc.yml")
	outsideRepository   = reason.New(reason.Outside, "outside-repository", "outside the repository")
	pattern             = reason.New(reason.Templated, "pattern", "a pattern")
	sourcesOnly         = reason.New(reason.Base, "sources-only", "MyST links to source files, not to the pages made from them")
	linkNotRewritten    = reason.New(reason.Base, "link-not-rewritten", "the link is not rewritten: it is relative to %s")
)

// readsNoMarkdown reports whether conf.py names all extensions, and none of them may be a parser of
// Markdown. Then a README.md beside the documents is not a document of the site.
func readsNoMarkdown(g *model) bool {
	names, suffix := g.conf.Lookup("extensions"), g.conf.Lookup("source_suffix")
	switch {
	case g.isBook, !names.IsGiven(), names.IsUnknown(), names.Open, suffix.IsUnknown(), g.conf.Lookup("source_parsers").IsGiven(),
		strings.Contains(g.text, "add_source_"), slices.Contains(slices.Concat(suffix.Keys(), suffix.Texts()), ".md"):
		return false
	}
	return !slices.ContainsFunc(g.extensions, mayReadMarkdown)
}

// mayReadMarkdown reports whether an extension may be a parser of Markdown: it is none of Sphinx, nor named
// as extensions are that others share.
func mayReadMarkdown(name string) bool {
	isShared := slices.ContainsFunc([]string{"sphinx.ext.", "sphinx_", "sphinx-", "sphinxcontrib.", "sphinxext."}, func(start string) bool { return strings.HasPrefix(name, start) })
	return !isShared || slices.ContainsFunc([]string{"mark", "md", "myst", "m2r", "nb", "jupyter", "autoapi"}, func(part string) bool { return strings.Contains(name, part) })
}

var noMarkdown = reason.New(reason.Code, "no-markdown-parser", "conf.py names no parser of Markdown")
