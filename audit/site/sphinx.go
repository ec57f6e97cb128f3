package site

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
)

// findSphinx finds a project of Sphinx by conf.py, a book of Jupyter Book by _toc.yml, and
// one of mystmd by myst.yml.
func findSphinx(d *directory) []*Site {
	switch {
	case d.first("_toc.yml", "_toc.yaml") != "" && d.first("_config.yml") != "":
		return findBook(d)
	case d.first("myst.yml") != "":
		return findMyST(d)
	}
	if d.first("conf.py") == "" {
		return findBareSphinx(d)
	}
	text := string(d.tree.config(d.in("conf.py")))
	if !strings.Contains(text, "extensions") && !strings.Contains(text, "html_theme") && bareRoot(d) == "" {
		return nil
	}
	conf := d.tree.read(d.in("conf.py"))
	s := d.newSite("Sphinx", "conf.py")
	g := &sphinx{conf: conf, labels: map[string]bool{}, text: text}
	g.markdown = conf.get("myst_enable_extensions").texts()
	g.extensions = conf.get("extensions").texts()
	exclude := conf.get("exclude_patterns").texts()
	s.sources = sphinxSources(d, conf)
	s.Mounts = append(s.Mounts, &Mount{Dir: s.sources, URL: "/", Kind: Hidden, Match: sphinxExcludes(exclude), Why: "excluded by exclude_patterns"})
	for _, name := range conf.get("html_static_path").texts() {
		if dir, ok := d.inside(name); ok {
			s.Mounts = append(s.Mounts, &Mount{Dir: dir, URL: "/_static/", Kind: Static})
		}
	}
	for _, name := range conf.get("html_extra_path").texts() {
		dir, ok := d.inside(name)
		switch {
		case ok && d.tree.isDir(dir):
			s.Mounts = append(s.Mounts, &Mount{Dir: dir, URL: "/", Kind: Static})
		case ok && d.tree.isFile(dir):
			s.redirects = append(s.redirects, "/"+path.Base(dir))
		}
	}
	g.set(d, s)
	if isDirHTML(d) {
		g.isDir = true
	}
	return []*Site{s}
}

// sphinxSources returns the directory of the documents: that of conf.py, or the only one in it that holds the root
// document, which "sphinx-build -c" builds.
func sphinxSources(d *directory, conf value) string {
	root := conf.get("root_doc").text(conf.get("master_doc").text("index"))
	has := func(dir string) bool {
		return slices.ContainsFunc([]string{".rst", ".md", ".txt", ".ipynb"}, func(suffix string) bool { return d.tree.isFile(path.Join(dir, root+suffix)) })
	}
	if has(d.dir) {
		return d.dir
	}
	found := d.dir
	for _, name := range []string{"source", "src", "docs", "doc", "content"} {
		if dir := d.in(name); has(dir) {
			if found != d.dir {
				return d.dir
			}
			found = dir
		}
	}
	return found
}

// SourceDir returns the directory of the documents of Sphinx, to which "/x" is relative; that of the configuration of
// another site.
func (s *Site) SourceDir() string {
	if s.sources != "" {
		return s.sources
	}
	return s.Dir
}

// findBook finds a book of Jupyter Book 1, which is a project of Sphinx.
func findBook(d *directory) []*Site {
	conf := d.tree.read(d.in("_config.yml"))
	s := d.newSite("Jupyter Book", "_config.yml")
	g := &sphinx{labels: map[string]bool{}, isBook: true, conf: conf.get("sphinx", "config")}
	exclude := conf.get("exclude_patterns").texts()
	s.Mounts = append(s.Mounts, &Mount{Dir: d.dir, URL: "/", Kind: Hidden, Match: sphinxExcludes(append(exclude, "_build", "**.ipynb_checkpoints")), Why: "excluded by exclude_patterns"})
	if conf.get("only_build_toc_files").isTrue(false) {
		s.Mounts = append(s.Mounts, &Mount{Dir: d.dir, URL: "/", Kind: Hidden, Match: notListed(string(d.tree.config(d.in(d.first("_toc.yml", "_toc.yaml"))))), Why: "not in _toc.yml"})
	}
	g.markdown = conf.get("parse", "myst_enable_extensions").texts()
	g.extensions = conf.get("sphinx", "extra_extensions").texts()
	g.set(d, s)
	return []*Site{s}
}

// findMyST finds a book of mystmd. Its routes are flat, so URLs of pages are not judged.
func findMyST(d *directory) []*Site {
	s := d.newSite("MyST", "myst.yml")
	g := &sphinx{labels: map[string]bool{}, isBook: true, isFlat: true, ignored: map[string]bool{}}
	project := d.tree.read(d.in("myst.yml")).get("project")
	for i, plugin := range project.get("plugins").list() {
		if file, ok := d.inside(plugin.get("path").text(plugin.text(""))); ok && i < maxPlugins {
			g.text += string(d.tree.config(file))
		}
	}
	g.sections, s.isLoose = true, true // ids are of any project, made by rules of mystmd
	for _, rule := range project.get("error_rules").list() {
		if rule.get("severity").text("") == "ignore" {
			for _, key := range append(rule.get("keys").texts(), rule.get("key").texts()...) {
				g.ignored[key] = true
			}
		}
	}
	s.Mounts = append(s.Mounts, &Mount{Dir: d.in("_build"), URL: "/", Kind: Hidden, Why: "built"})
	g.set(d, s)
	return []*Site{s}
}

// maxPlugins limits how many plugins of a project are read for the labels that they make.
const maxPlugins = 20

// sphinxExcludes returns a function that matches paths against exclude_patterns. A pattern that names
// a directory matches everything in it.
func sphinxExcludes(patterns []string) func(string) bool {
	var all []func(string) bool
	for _, p := range patterns {
		all = append(all, glob(p), glob(strings.TrimSuffix(p, "/")+"/**"))
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
		names[strings.TrimSuffix(name, path.Ext(name))], names[name] = true, true
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
func isDirHTML(d *directory) bool {
	for _, name := range []string{".readthedocs.yaml", ".readthedocs.yml", "../.readthedocs.yaml", "../.readthedocs.yml", "Makefile", "../../.readthedocs.yaml"} {
		file := path.Join(d.dir, name)
		if !below(file, d.tree.root) {
			continue
		}
		text := string(d.tree.config(file))
		if strings.Contains(text, "builder: dirhtml") || path.Base(name) == "Makefile" && strings.Contains(text, "-b dirhtml") && !strings.Contains(text, "-M $@") {
			return true
		}
	}
	return false
}

// sphinx holds the settings and labels of a project.
type sphinx struct {
	conf      value
	labels    map[string]bool // of all documents
	isDir     bool            // builder dirhtml
	isBook    bool
	isFlat    bool // URLs are unknown
	isBare    bool // the configuration is unknown
	generates bool // extensions make documents
	objects   bool // extensions define names of programs
	others    bool // the build also uses labels of other projects
	sections  bool // titles of sections are labels

	text       string                      // conf.py, which may make labels and files
	made       lazy.Value[map[string]bool] // beginnings of labels that text makes
	spaces     map[string]bool             // beginnings of labels, up to ":" or "/"
	extensions []string                    // of Sphinx
	markdown   []string                    // extensions of MyST
	ignored    map[string]bool             // references that the project tells the builder to ignore

	rst           []string        // suffixes of documents of reStructuredText
	exact, terms  map[string]bool // labels and terms in these documents, as the scanner finds them
	citations     map[string]bool
	family        lazy.Value[*labelFamily]      // of labelFiles
	labelFiles    map[string]string             // the first file that defines a label of reStructuredText
	markdownFiles map[string]string             // the file of Markdown that defines a label, "" for several
	twice         map[string][2]string          // files, for labels that several define
	folded        lazy.Value[map[string]string] // documents by names in lower case
	typos         lazy.Value[*typoIndex]        // of exact
	byBare        lazy.Value[map[string]string] // labels of exact by bareName, "" for several
	inMarkdown    map[string]bool               // labels of other documents
	programs      string                        // conf.py and the extensions of the project itself
	makesLabels   bool                          // programs may make labels
	isStrange     bool                          // an extension makes labels, or is neither known nor in the tree
	inPrograms    lazy.Value[*programLabels]
	readsPrograms bool // the build reads documentation in programs
	hasInventory  bool // the build also uses labels and terms of other projects

	objectsRST          *objects
	customRoles         map[string]string // directives that declare objects, by the roles that name them
	customKinds         map[string]bool   // these directives
	changedKinds        []string          // those for which a program makes the names of the signatures
	ownExtensions       []string          // extensions that are in the tree
	isNitpicky          bool
	hasUnknownExtension bool // an extension is neither known nor in the tree
	hasUnknown          bool // an extension of an unknown kind may declare objects
	hasThirdParty       bool // extensions that are not part of Sphinx may define roles
	makesObjects        bool // extensions declare objects of programming languages
	makesDomains        bool // extensions declare options and the like
}

func (g *sphinx) set(d *directory, s *Site) {
	s.navigate = g.navigate
	s.Slug, s.Dialect = slug.GitHub, markdown.MyST
	s.hasLabels = true
	s.Mounts = append(s.Mounts, &Mount{Dir: s.SourceDir(), URL: "/", Kind: Pages})
	s.suffixes = []string{".md", ".rst", ".ipynb", ".markdown", ".myst"}
	for _, suffix := range append(g.conf.get("source_suffix").keys(), g.conf.get("source_suffix").texts()...) {
		if strings.HasPrefix(suffix, ".") && !slices.Contains(s.suffixes, suffix) {
			s.suffixes = append(s.suffixes, suffix)
		}
	}
	for _, suffix := range g.conf.get("nb_custom_formats").keys() {
		s.suffixes = append(s.suffixes, strings.ToLower(suffix))
	}
	s.route, s.finish, s.parts = g.route, g.finish, g.parts
	extensions := strings.Join(g.extensions, " ")
	g.objects = g.isBook || g.conf.get("extensions").isUnknown() || g.conf.get("extensions").Open
	// A function of conf.py may run sphinx-apidoc, which writes a directory of documents.
	g.generates = slices.ContainsFunc(g.extensions, makesDocuments) || strings.Contains(g.text, "apidoc")
	for _, name := range []string{"autodoc", "intersphinx", "autoapi", "autosummary", "automodapi", "breathe", "sphinxcontrib", "numpydoc", "autodoc2", "argparse", "click"} {
		g.objects = g.objects || strings.Contains(extensions, name)
	}
	g.others = g.objects && !g.isBook || strings.Contains(extensions, "intersphinx")
	g.sections = g.sections || strings.Contains(extensions, "autosectionlabel")
	s.labelMayBe = g.labelMayBe
	g.hasInventory = strings.Contains(extensions, "intersphinx") || strings.Contains(g.text, "intersphinx") || g.mayHaveMore()
	g.setRST(d, s)
	s.made = []string{"/_modules/", "/_sources/", "/_images/", "/_downloads/", "/generated/", "/auto_examples/", "/autoapi/", "/apidocs/", "/_static/"}
	s.redirects = append(s.redirects, "/genindex.html", "/py-modindex.html", "/search.html", "/objects.inv")
	s.table[Markdown] = []step{g.link}
	s.table[Image] = []step{g.image}
	s.table[HTML] = []step{byURL}
	if slices.Contains(g.markdown, "html_image") {
		s.table[HTMLSource] = []step{g.image}
	}
	s.knowsParts = true
	s.table[Macro] = []step{g.role}
	if g.isFlat {
		s.made = append(s.made, "/")
	}
	s.explain = g.explain
	s.leavesLink = func(list []byte) bool { return bytes.Contains(list, []byte(".external")) }
}

// makesDocuments reports whether an extension may write documents.
func makesDocuments(name string) bool {
	name = strings.ReplaceAll(strings.ReplaceAll(name, "autosectionlabel", ""), "autodoc2", "auto")
	return strings.Contains(strings.ReplaceAll(name, "autodoc", ""), "auto") || strings.Contains(name, "gallery") || strings.Contains(name, "apidoc") ||
		strings.Contains(name, "exhale")
}

func (g *sphinx) route(s *Site, p *Page) {
	stem := strings.TrimSuffix(p.Rel, path.Ext(p.Rel))
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
			if s.tree.isFile(p.Mount.Dir + "/" + stem + other) {
				p.Names = nil
			}
		}
	}
	switch {
	case !g.isDir:
		p.Routes = []string{"/" + stem + ".html"}
	case name == "index":
		p.Routes = []string{"/" + dir}
	default:
		p.Routes = []string{"/" + stem + "/"}
	}
}

// link returns the candidates for a MyST link: a file, or else a name.
func (g *sphinx) link(s *Site, r *reference) []candidate {
	if g.isBare {
		return bareURL(s, r)
	}
	if r.use.IsVerbatim || g.isRST(r.use.Page.File) { // links in reStructuredText are not rewritten
		return byURL(s, r)
	}
	if r.path == "" {
		return nil
	}
	m := r.use.Page.Mount
	file := path.Join(r.pageDir(), r.path)
	if r.isRooted() {
		file = path.Join(m.Dir, r.path)
	}
	var all []candidate
	if r.use.File != r.use.Page.File && !below(r.use.File, m.Dir) { // relative-docs of {include}
		all = append(all, s.documentOrAsset(path.Join(r.dir(), r.path)))
	}
	if !r.query {
		all = append(all, s.documentOrAsset(file))
	}
	if g.mayMakeFile(s, file) {
		return append(all, candidate{unknown: "conf.py may make the file"})
	}
	if g.ignored[r.raw] {
		return append(all, candidate{unknown: "ignored by error_rules"})
	}
	if strings.HasSuffix(r.path, "/") && g.isBook {
		return append(all, candidate{unknown: "a directory"})
	}
	return append(all, g.name(s, r)...)
}

// documentOrAsset returns a candidate for a file: a page if it is a document, else a copied file.
func (s *Site) documentOrAsset(file string) candidate {
	c := fileCandidate(file)
	c.isAsset = !s.isDocument(file)
	return c
}

var identifier = lazy.New(`^[A-Za-z_][\w.]*(?:\(\))?$`)

// name returns the candidates for a name: a label, or a document without its suffix.
func (g *sphinx) name(s *Site, r *reference) (all []candidate) {
	name := strings.TrimSpace(r.path)
	rel, ok := strings.CutPrefix(path.Join(r.pageDir(), name), r.use.Page.Mount.Dir+"/")
	if r.isRooted() {
		rel, ok = strings.TrimPrefix(path.Clean(name), "/"), true
	}
	if ok {
		all = append(all, candidate{Candidate: Candidate{Name: rel}})
		if g.makesDirectory(s, r, rel) {
			return append(all, candidate{unknown: "an extension may make the document"})
		}
	}
	if g.isFlat && r.isRooted() {
		all = append(all, candidate{Candidate: Candidate{Name: "/" + path.Base(rel)}})
	}
	switch {
	case g.labels[labelName(name)], g.labels[strings.ToLower(strings.ReplaceAll(name, " ", "-"))]:
		return []candidate{g.labelled(s, name)}
	case g.objects && identifier.MatchString(name) && !strings.HasSuffix(name, ".md") && !strings.HasSuffix(name, ".html") && !strings.HasSuffix(name, ".txt"):
		all = append(all, candidate{unknown: "it may name an item of code"})
	case strings.Contains(name, ":"):
		all = append(all, candidate{unknown: "a name of a domain"})
	case g.mayMake(name):
		all = append(all, candidate{unknown: "conf.py may make the label"})
	case g.readsPrograms && g.readPrograms(s).has(labelName(name)):
		all = append(all, candidate{unknown: "it may name a piece of a program"})
	}
	return all
}

// labelled returns the candidate for a name that is that of a label.
func (g *sphinx) labelled(s *Site, name string) candidate {
	p := s.pages[g.labelFile(name)]
	if p == nil || p.Why != "" {
		return candidate{unknown: "a label"}
	}
	return fileCandidate(p.File)
}

// image resolves an image against the source, or against the root of the sources.
func (g *sphinx) image(s *Site, r *reference) []candidate {
	file := path.Join(r.pageDir(), r.path)
	if r.isRooted() {
		file = path.Join(r.use.Page.Mount.Dir, r.path)
	}
	if strings.HasSuffix(r.path, ".*") {
		return g.anySuffix(s, file)
	}
	c := fileCandidate(file)
	c.isAsset = true
	if g.mayMakeFile(s, file) {
		return []candidate{c, {unknown: "conf.py may make the file"}}
	}
	if r.use.File != r.use.Page.File { // relative-images of {include}
		other := fileCandidate(path.Join(r.dir(), r.path))
		other.isAsset = true
		return []candidate{c, other}
	}
	return []candidate{c}
}

// role returns the candidates for a role or a directive.
func (g *sphinx) role(s *Site, r *reference) []candidate {
	role := r.in
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
		case !below(file, s.tree.root):
			all = append(all, candidate{unknown: "outside the repository"})
		case strings.Contains(g.text, path.Base(file)):
			all = append(all, candidate{unknown: "conf.py may make the file"})
		case s.isIgnoredFile(file), s.tree.isIgnored(file):
			all = append(all, candidate{unknown: "is generated: .gitignore lists it"})
		}
		return all
	case "toctree":
		return g.document(s, r)
	}
	return []candidate{{unknown: "a name of a role"}}
}

// isIgnoredFile reports whether a .gitignore above the site contains the exact name of a file.
func (s *Site) isIgnoredFile(file string) bool {
	for dir := s.Dir; below(dir, s.tree.root); dir = path.Dir(dir) {
		rel, ok := strings.CutPrefix(file, dir+"/")
		if ok && slices.Contains(strings.Fields(strings.ReplaceAll(string(s.tree.config(dir+"/.gitignore")), "\n/", "\n")), rel) {
			return true
		}
		if path.Dir(dir) == dir {
			break
		}
	}
	return false
}

// docname returns the document name that a role or a toctree gives.
func docname(r *reference) string {
	if r.isRooted() {
		return strings.TrimPrefix(path.Clean(r.path), "/")
	}
	return strings.TrimPrefix(path.Join("/", path.Dir(r.use.Page.Rel), r.path), "/") // ".." stops at the root
}

// makesDirectory reports whether an extension may make the directory that a docname is in.
func (g *sphinx) makesDirectory(s *Site, r *reference, rel string) bool {
	return g.generates && path.Dir(rel) != "." && !s.tree.isDir(path.Join(r.use.Page.Mount.Dir, path.Dir(rel)))
}

// isDocumentIgnored reports whether .gitignore leaves a document out of the repository, by its docname.
func (s *Site) isDocumentIgnored(r *reference, rel string) bool {
	return slices.ContainsFunc(s.suffixes, func(suffix string) bool {
		return s.tree.isIgnored(path.Join(r.use.Page.Mount.Dir, rel+suffix))
	})
}

// document resolves a docname: relative, or from the root, without its suffix.
func (g *sphinx) document(s *Site, r *reference) []candidate {
	rel := docname(r)
	if strings.ContainsAny(rel, "*?[") || rel == "self" || rel == "genindex" || rel == "modindex" || rel == "search" {
		return []candidate{{unknown: "a pattern"}}
	}
	if g.makesDirectory(s, r, rel) {
		return []candidate{{unknown: "an extension may make the document"}}
	}
	isKnown := len(s.byName[rel]) > 0 || len(s.byName[strings.TrimSuffix(rel, path.Ext(rel))]) > 0
	if len(rel) > 0 && !isKnown && g.mayMakeDocument(rel) {
		return []candidate{{Candidate: Candidate{Name: rel}}, {unknown: "an extension may make the document"}}
	}
	if !isKnown && s.isDocumentIgnored(r, rel) {
		return []candidate{{Candidate: Candidate{Name: rel}}, {unknown: madeByBuild}}
	}
	if g.isRST(r.use.Page.File) && (r.in == "doc" || !s.isDocument(rel)) {
		return []candidate{{Candidate: Candidate{Name: rel}}}
	}
	return []candidate{{Candidate: Candidate{Name: rel}}, {Candidate: Candidate{Name: strings.TrimSuffix(rel, path.Ext(rel))}}}
}

// mayMakeDocument reports whether a program of the project contains the name of a document, or its
// beginning.
func (g *sphinx) mayMakeDocument(rel string) bool {
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

func (g *sphinx) explain(s *Site, r *reference) (why, other string) {
	file := path.Join(r.pageDir(), r.path)
	switch {
	case r.form == Macro && (r.in == "doc" || r.in == "toctree") && g.isRST(r.use.Page.File):
		return "", g.foldedDocument(s, docname(r))
	case r.form == Markdown && g.isRST(r.use.Page.File):
		if s.pages[file] != nil && s.pages[file].Why == "" {
			return "the link is not rewritten: it is relative to " + s.Route(r.use.Page), file
		}
	case r.form == HTML && s.pages[file] != nil && s.pages[file].Why == "":
		return "raw HTML is not rewritten by Sphinx: it is relative to " + s.Route(r.use.Page), file
	case r.form == Markdown && strings.HasSuffix(r.path, ".html"):
		stem := strings.TrimSuffix(file, ".html")
		for _, ext := range []string{".md", ".rst"} {
			if s.pages[stem+ext] != nil {
				return "MyST links to source files, not to the pages made from them", stem + ext
			}
		}
	}
	return "", ""
}

var mystInclude = lazy.New("(?m)^[ \t]*(?:[`:~]{3,}\\{include\\}|\\.\\. include::)[ \t]+(\\S+)")

// parts returns the files that a document includes.
func (g *sphinx) parts(s *Site, p *Page, text []byte) (files []string) {
	if !bytes.Contains(text, []byte("include")) {
		return nil
	}
	for m := range matchesIn(text, "include", mystInclude) {
		name := string(m[1])
		file := path.Join(path.Dir(p.File), name)
		if strings.HasPrefix(name, "/") {
			file = path.Join(p.Mount.Dir, name)
		}
		if below(file, s.tree.root) {
			files = append(files, file)
		}
	}
	return files
}
