package audit

import (
	"bytes"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"example.org/refract/base"
	"example.org/refract/extract"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/ascii"
	"example.org/refract/resolve"
)

// A site is a Site, ready for use.
type site struct {
	scheme, authority string // in lower case
	path              string // as in the URL, to its last slash
	url               string // to the last slash of its path
	dir               string // absolute
}

func newSite(s Site) (site, error) {
	c := resolve.Parse([]byte(s.URL))
	scheme := strings.ToLower(string(c.Scheme))
	if scheme != "http" && scheme != "https" || len(c.Authority) == 0 {
		return site{}, fmt.Errorf("site %q: give an http or https URL", s.URL)
	}
	dir, err := directory(s.Dir)
	if err != nil {
		return site{}, fmt.Errorf("site %q: %w", s.URL, err)
	}
	p := string(c.Path)
	p = p[:strings.LastIndexByte(p, '/')+1]
	if p == "" {
		p = "/"
	}
	return site{scheme, strings.ToLower(string(c.Authority)), p, string(c.Scheme) + "://" + string(c.Authority) + p, dir}, nil
}

// rest returns what is behind the site's path in the path of a URL. http and https
// are one site: which of them is linked to says nothing about files.
func (s *site) rest(c *resolve.Components) (string, bool) {
	if !strings.EqualFold(string(c.Scheme), "http") && !strings.EqualFold(string(c.Scheme), "https") ||
		!strings.EqualFold(string(c.Authority), s.authority) {
		return "", false
	}
	p := string(c.Path)
	if p+"/" == s.path {
		return "", true
	}
	return strings.CutPrefix(p, s.path)
}

// absolute reports whether an absolute reference is to be judged: it leads into a site,
// or nowhere that others could follow it to.
func (a *auditor) absolute(r *extract.Reference) bool {
	c := resolve.Parse(r.URL)
	for i := range a.sites {
		if _, ok := a.sites[i].rest(&c); ok {
			return true
		}
	}
	return isLocal(r.URL, &c) || isHostless(&c) || badPort(&c)
}

// isLocal reports whether a URL means something on one computer only: a loopback host,
// a file, a drive of Windows.
func isLocal(u []byte, c *resolve.Components) bool {
	switch scheme := strings.ToLower(string(c.Scheme)); {
	case len(scheme) == 1, scheme == "file":
		return true
	case scheme == "http", scheme == "https", scheme == "ws", scheme == "wss", scheme == "ftp":
		return resolve.Risks(u)&resolve.Loopback != 0
	}
	return false
}

// isHostless reports whether a URL lacks the host that its scheme asks for (RFC 9110
// 4.2.1).
func isHostless(c *resolve.Components) bool {
	scheme := strings.ToLower(string(c.Scheme))
	return (scheme == "http" || scheme == "https") && len(c.Authority) == 0
}

// retrieved returns the URL of a file: that of its site, otherwise a file: URL
// (RFC 8089).
func (a *auditor) retrieved(p string) base.Source {
	for i := range a.sites {
		if rest, ok := strings.CutPrefix(p, a.sites[i].dir+"/"); ok {
			return base.Source{URI: a.sites[i].url + escaped(rest), From: "--site"}
		}
	}
	if !strings.HasPrefix(p, "/") {
		p = "/" + p // C:/x
	}
	return base.Source{URI: "file://" + escaped(p), From: "file"}
}

func escaped(p string) string {
	e := (&url.URL{Path: p}).EscapedPath()
	// What is a scheme in front of a colon is none behind a slash.
	return strings.TrimPrefix(e, "./")
}

// badPort reports whether the port of a web page is no number (RFC 3986 3.2.3).
func badPort(c *resolve.Components) bool {
	_, port, _ := ascii.CutPort(c.Authority[ascii.HostStart(c.Authority):])
	scheme := strings.ToLower(string(c.Scheme))
	return (scheme == "http" || scheme == "https") && len(bytes.Trim(port, "0123456789")) > 0
}

// A target is where a URL leads, before anyone has looked.
type target struct {
	roots      []string // directories, taken at their word: the first in which there is something counts
	components []string
	slash      bool // it ends in a slash
	rooted     bool // it is "/x"

	inside   bool   // of the tree or a site: it is to be judged
	outside  bool   // it leads out of them
	encoded  bool   // a name in it has an encoded slash or NUL, which is in no name of a file
	path     string // where outside it leads
	fragment string // as in the URL, behind "#"
	hash     bool   // there is one
}

// isOwn reports whether k leads to its own document, as most that have a fragment do.
func isOwn(d *document, k *reference) bool {
	return strings.HasPrefix(k.ref, "#") && (k.url == "" || k.base.URI == d.retr.URI)
}

// locate says where k leads.
func (a *auditor) locate(d *document, k *reference) (t target) {
	u := k.url
	if u == "" {
		u = d.retr.URI + k.ref // the current document
	}
	if isOwn(d, k) {
		_, fragment, _ := strings.Cut(u, "#")
		return target{roots: []string{d.path}, fragment: fragment, hash: true, inside: true}
	}
	c := resolve.Parse([]byte(u))
	t.fragment, t.hash = string(c.Fragment), c.HasFragment
	ref := resolve.Parse([]byte(k.ref))
	t.rooted = !ref.HasScheme && !ref.HasAuthority && strings.HasPrefix(k.ref, "/")
	if t.rooted && a.root != "" {
		t.set(a.root, string(c.Path))
		return t
	}
	for i := range a.sites {
		if rest, ok := a.sites[i].rest(&c); ok {
			t.set(a.sites[i].dir, rest)
			return t
		}
	}
	if !strings.EqualFold(string(c.Scheme), "file") {
		// Of a page in a site, what is relative should stay there.
		t.outside = k.result.Step != resolve.Absolute && !t.rooted && !ref.HasAuthority && k.base.Layer == base.Retrieval
		t.path = u
		return t
	}
	if k.result.Step == resolve.Absolute || len(c.Authority) > 0 {
		return t
	}
	top := a.boundary(d)
	// "/x" is below the root of the tree, not of the disk; so is what is relative to a
	// <base> that says "/x/".
	if t.rooted || k.base.Layer != base.Retrieval && !below(localPath(k.base.URI), top) {
		t.rooted = true
		t.set(top, string(c.Path))
		t.roots = append(slices.Clone(d.layout.roots), a.packages(d)...)
		return t
	}
	if rest, ok := strings.CutPrefix(string(ref.Path), "@site/"); ok && d.layout.site != "" {
		t.set(d.layout.site, rest)
		return t
	}
	t.set("", string(c.Path))
	for _, dir := range a.trees(d, top) {
		n := len(strings.FieldsFunc(dir, func(r rune) bool { return r == '/' }))
		if n <= len(t.components) && dir == joined(t.components[:n]) {
			t.roots, t.components = []string{dir}, t.components[n:]
			return t
		}
	}
	t.inside, t.outside, t.path = false, true, joined(t.components)
	return t
}

// trees returns the directories that a document may refer to. Without a repository, these
// are all that are audited.
func (a *auditor) trees(d *document, top string) []string {
	dirs := []string{top}
	if a.root != "" {
		dirs = append(dirs, a.root)
	}
	if a.repository(d.dir()) == "" {
		for _, g := range a.args {
			dirs = append(dirs, g.path)
		}
	}
	return dirs
}

func joined(components []string) string {
	if len(components) == 0 {
		return ""
	}
	p := strings.Join(components, "/")
	if filepath.VolumeName(p) != "" {
		return p
	}
	return "/" + p
}

// localPath returns the path of a file: URL.
func localPath(u string) string {
	c := resolve.Parse([]byte(u))
	p := ascii.UnescapeAll(string(c.Path))
	if len(p) > 1 && filepath.VolumeName(p[1:]) != "" {
		p = p[1:]
	}
	return p
}

func below(p, dir string) bool { return p == dir || strings.HasPrefix(p, dir+"/") }

// set takes p, a path of a URL, apart: its names are decoded once, each for itself, so
// that an encoded slash stays one (RFC 3986 2.2, 7.3).
func (t *target) set(root, p string) {
	t.inside = true
	t.roots = []string{root}
	t.slash = strings.HasSuffix(p, "/")
	for name := range strings.SplitSeq(p, "/") {
		name = ascii.UnescapeAll(name)
		switch {
		case name == "" || name == ".":
			continue
		case name == "..": // "%2E%2E", which browsers take for ".."
			t.components = t.components[:max(0, len(t.components)-1)]
			continue
		case strings.ContainsAny(name, "/\x00"):
			t.encoded = true
		}
		t.components = append(t.components, name)
	}
}

// boundary returns the directory that a document's references should not leave, and that
// "/x" is below: its repository, where GitHub takes it so; otherwise what it was found
// below.
func (a *auditor) boundary(d *document) string {
	if top := a.repository(d.dir()); top != "" {
		return top
	}
	return d.top
}

// packages returns the directories that "/x" in d may be below: its boundary, and before
// that, outside of a repository, the nearest that holds a package. A release or a
// dependency that has been unpacked is what was at the top of a repository.
func (a *auditor) packages(d *document) []string {
	top := a.boundary(d)
	if a.repository(d.dir()) == "" {
		for dir := d.dir(); below(dir, top) && dir != top; dir = path.Dir(dir) {
			if a.isPackage(dir) {
				return []string{dir, top}
			}
		}
	}
	return []string{top}
}

// isPackage reports whether a directory holds a package.
func (a *auditor) isPackage(dir string) bool {
	return slices.ContainsFunc(packageFiles, func(name string) bool {
		_, ok := a.tree.list(dir).entry(name)
		return ok
	})
}

var packageFiles = []string{"go.mod", "package.json", "Cargo.toml", "pyproject.toml", "composer.json"}

// repository returns the nearest directory upwards that holds .git, "" without one.
func (a *auditor) repository(dir string) string {
	if top, ok := a.roots[dir]; ok {
		return top
	}
	top := ""
	if _, ok := a.tree.list(dir).entry(".git"); ok {
		top = dir
	} else if up := path.Dir(dir); up != dir && up != "." {
		top = a.repository(up)
	}
	a.roots[dir] = top
	return top
}

// A layout is how a generator makes a site of documents.
type layout struct {
	slug  slug.Flavour
	name  string   // what told so: "mkdocs.yml", "--slugs"; "" is by vote
	roots []string // where "/x" may lead, besides the root of the tree

	pretty  bool   // x and x/ are what x.md becomes
	sources bool   // x.html is what x.md becomes
	routes  bool   // pages may have addresses that are said in other places than their name
	labels  bool   // a reference may name a label of another document
	lists   bool   // directories have pages that list what is in them
	objects bool   // [text][label] may name a piece of a program: mkdocstrings
	loose   bool   // ids are by rules that no flavour has: letters and digits are compared
	site    string // directory that "@site/x" leads into
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
func (l *layout) isSite() bool { return l.pretty || l.sources }

// isHost reports whether pages are shown by a code host.
func (l *layout) isHost() bool {
	return l.slug == slug.GitHub && !l.isSite() || l.slug == slug.GitLab || l.slug == slug.GitLab16
}

// readsAttributes reports whether renderers of the flavour read {#id} behind a heading.
func readsAttributes(f slug.Flavour) bool {
	switch f {
	case slug.GitHub, slug.GitLab, slug.GitLab16:
		return false
	}
	return true
}

// layout returns that of a document: by the nearest configuration file upwards, in the
// tree, that is about it.
func (a *auditor) layout(d *document) *layout {
	if a.fixed != nil {
		return a.fixed
	}
	top := a.repository(d.dir())
	if top == "" {
		top = path.Dir(d.top) // "refract audit docs" is a project's
	}
	for dir := d.dir(); ; dir = path.Dir(dir) {
		if l := a.configured(dir); l != nil && (len(l.roots) == 0 || slices.ContainsFunc(l.roots, func(r string) bool { return below(d.path, r) })) {
			return l
		}
		if dir == top || path.Dir(dir) == dir || dir == "." {
			return a.plain
		}
	}
}

// configured returns the layout that a configuration file in dir gives to what is
// below its roots, or nil.
func (a *auditor) configured(dir string) *layout {
	if l, ok := a.configs[dir]; ok {
		return l
	}
	l := a.configuration(dir)
	a.configs[dir] = l
	return l
}

func (a *auditor) configuration(dir string) *layout {
	list := a.tree.list(dir)
	has := func(name string) bool {
		_, ok := list.entry(name)
		return ok
	}
	text := func(name string) string {
		name = filepath.FromSlash(dir + "/" + name)
		if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() || info.Size() > 1<<20 {
			return "" // reading a pipe might never end
		}
		b, _ := os.ReadFile(name)
		return string(b)
	}
	in := func(name string) string { return path.Join(dir, name) }
	made := func(f slug.Flavour, name string, roots ...string) *layout {
		l := layoutOf(f)
		l.name, l.roots = name, roots
		return l
	}
	for _, name := range []string{"mkdocs.yml", "mkdocs.yaml"} {
		if !has(name) {
			continue
		}
		conf, f := text(name), slug.PythonMarkdown
		if strings.Contains(conf, "slugify_unicode") || strings.Contains(conf, "pymdownx.slugs") {
			f = slug.PythonMarkdownUnicode
		}
		l := made(f, name, in(setting(conf, "docs_dir", "docs")))
		l.objects = strings.Contains(conf, "mkdocstrings") || strings.Contains(conf, "autorefs")
		if custom := setting(conf, "custom_dir", ""); custom != "" { // templates of pages
			l.roots = append(l.roots, in(custom))
		}
		return l
	}
	for _, ext := range []string{"js", "ts", "mjs", "cjs", "mts", "cts"} {
		if has("docusaurus.config." + ext) {
			l := made(slug.Docusaurus, "docusaurus.config."+ext)
			l.site = dir
			for _, sub := range []string{"docs", "blog", "src/pages", "versioned_docs", "i18n", "static", ""} {
				l.roots = append(l.roots, in(sub))
			}
			return l
		}
	}
	for _, name := range []string{"hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json", "config.toml", "config.yaml", "config.yml"} {
		// "config" may be that of anything: Hugo's has content beside it.
		if !has(name) || name[0] == 'c' && !has("content") {
			continue
		}
		conf, f := text(name), slug.Hugo
		if id := setting(conf, "autoIDType", setting(conf, "autoHeadingIDType", "")); id == "github-ascii" {
			f = slug.HugoASCII
		}
		return made(f, name, in(setting(conf, "contentDir", "content")), in("static"), in("assets"))
	}
	if has("book.toml") { // mdBook: its ids are those of GitHub but for what no heading has
		l := made(slug.GitHub, "book.toml", in(setting(text("book.toml"), "src", "src")))
		l.sources = true
		return l
	}
	for _, name := range []string{".vitepress", ".vuepress"} {
		if typ, ok := list.entry(name); ok && typ.IsDir() {
			l := made(slug.GitHub, name, dir, in("public"), in(name+"/public"))
			l.pretty, l.sources, l.loose = true, true, true
			return l
		}
	}
	if conf := ""; has("conf.py") { // Sphinx with MyST; "conf.py" may be that of anything
		if conf = text("conf.py"); strings.Contains(conf, "extensions") || strings.Contains(conf, "html_theme") {
			l := made(slug.GitHub, "conf.py", dir)
			l.pretty, l.sources, l.labels = true, true, true
			return l
		}
	}
	if has("_config.yml") {
		f := slug.KramdownGFM
		if strings.EqualFold(setting(text("_config.yml"), "markdown", ""), "CommonMarkGhPages") {
			f = slug.GitHub
		}
		l := made(f, "_config.yml", dir)
		l.pretty, l.sources, l.routes = true, true, true
		return l
	}
	return nil
}

// setting returns the value of a key that stands on a line of its own in YAML or TOML:
// no more of these languages is needed, and none of their libraries.
func setting(conf, key, deflt string) string {
	for line := range strings.Lines(conf) {
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), key)
		if !ok {
			continue
		}
		rest = strings.TrimSpace(rest)
		if rest == "" || rest[0] != ':' && rest[0] != '=' {
			continue
		}
		value, _, _ := strings.Cut(rest[1:], " #")
		if value = strings.Trim(value, " \t\"'\r\n"); value != "" {
			return value
		}
	}
	return deflt
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
