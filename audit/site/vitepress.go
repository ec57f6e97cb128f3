package site

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/literal"
)

// findVitePress finds a site by .vitepress/config.*.
func findVitePress(d *directory) []*Site {
	if !d.hasDir(".vitepress") {
		return nil
	}
	name, conf := "", value{}
	for _, dir := range []string{".vitepress/", ".vitepress/config/"} {
		at := &directory{dir: path.Join(d.dir, dir), tree: d.tree}
		base := "config."
		if dir != ".vitepress/" {
			base = "index."
		}
		for _, ext := range scriptSuffixes {
			if name == "" && at.first(base+ext) != "" {
				name = dir + base + ext
			}
		}
	}
	if name == "" {
		name = ".vitepress"
	} else {
		_, conf = d.tree.readScript(d.in(name))
		conf.Open = conf.Open && !d.knowsSpreads(d.in(name), conf)
	}
	s := d.newSite("VitePress", name)
	s.Slug, s.Dialect = slug.VitePress, markdown.VitePress
	if conf.get("markdown", "anchor").isGiven() {
		s.isLoose = true
	}
	if base := conf.get("base"); base.isUnknown() {
		s.IsBaseKnown = false
	} else {
		s.setBase(base.text("/"))
	}
	src, ok := d.inside(conf.get("srcDir").text("."))
	if !ok {
		return nil
	}
	v := &vitepress{dir: src}
	public, ok := d.inside(path.Join(strings.TrimPrefix(src, d.dir+"/"), conf.get("vite", "publicDir").text("public")))
	if src == d.dir {
		public, ok = d.inside(conf.get("vite", "publicDir").text("public"))
	}
	if !ok {
		return nil
	}
	s.Mounts = []*Mount{{Dir: public, URL: "/", Kind: Static}}
	s.Mounts = append(s.Mounts, &Mount{Dir: d.in(".vitepress"), URL: "/", Kind: Hidden, Why: "in .vitepress"})
	if match := anyGlob(conf.get("srcExclude").texts()); match != nil {
		s.Mounts = append(s.Mounts, &Mount{Dir: src, URL: "/", Kind: Hidden, Match: match, Why: "excluded by srcExclude"})
	}
	if out := conf.get("outDir").text(""); out != "" {
		if dir, ok := d.inside(out); ok {
			s.Mounts = append(s.Mounts, &Mount{Dir: dir, Kind: Hidden, URL: "/", Why: "built"})
		}
	}
	s.Mounts = append(s.Mounts, &Mount{Dir: src, URL: "/", Kind: Pages})
	s.suffixes = []string{".md"}
	s.slash = slashNever
	v.isClean = conf.get("cleanUrls").isTrue(false) || conf.get("cleanUrls").isUnknown()
	v.rewrites(conf.get("rewrites"))
	s.knowsParts, s.readsFront = true, true
	s.isClosed = v.checksLinks(s, conf.get("ignoreDeadLinks"))
	s.route, s.isMadeAt, s.navigate = v.route, v.isMadeAt, v.navigate
	s.parts = func(s *Site, p *Page, text []byte) []string { return vueParts(s, v.dir, p, text) }
	if v.isComputed {
		s.made = append(s.made, "/")
	}
	s.table[Markdown] = []step{v.markdown}
	s.table[Image] = []step{v.image}
	s.table[HTML] = []step{byURL}
	s.table[HTMLSource] = []step{v.image}
	s.table[Component] = []step{v.component}
	s.hasComponents = true
	s.leavesLink = hasTarget
	s.explain = explainVue
	return []*Site{s}
}

// knowsSpreads reports whether a configuration script spreads only values that it imports from files
// of the repository, and which are known maps.
func (d *directory) knowsSpreads(file string, conf value) bool {
	m := module{d.tree, maxModules}
	known := map[string]bool{}
	for _, e := range d.tree.readFile(file).Names.Entries {
		if isImport(e.Value) {
			v := value{m.follow(file, e.Value, 0)}.Unwrap()
			known[e.Key] = v.Kind == literal.Map && !v.Open
		}
	}
	text := string(d.tree.config(file))
	if conf.Span.End > len(text) || conf.Span.Start >= conf.Span.End {
		return false
	}
	for _, m := range spreadName.FindAllStringSubmatch(text[conf.Span.Start:conf.Span.End], -1) {
		if !known[m[1]] {
			return false
		}
	}
	return true
}

var scriptSuffixes = []string{"js", "ts", "mjs", "mts", "cjs", "cts"}

// vitepress holds the settings of a VitePress configuration.
type vitepress struct {
	dir        string // of the sources
	isClean    bool   // URLs have no ".html"
	isComputed bool   // rewrites are
	patterns   []rewrite
	dynamic    []string // URLs below which routes are made: of files with "[" in their names
}

type rewrite struct {
	from *regexp.Regexp
	to   string // with $1 or ${name}
}

var rewriteParam = lazy.New(`:(\w+)(\([^()]*\))?([*+?]?)`)

// rewrites reads pairs of paths, in the syntax of path-to-regexp.
func (v *vitepress) rewrites(conf value) {
	if conf.isUnknown() {
		v.isComputed = true
		return
	}
	for _, from := range conf.keys() {
		to := conf.get(from)
		if to.text("") == "" {
			v.isComputed = true
			continue
		}
		re, err := pathPattern(from)
		if err != nil {
			v.isComputed = true
			continue
		}
		v.patterns = append(v.patterns, rewrite{re, rewriteParam.ReplaceAllString(to.text(""), "$${$1}")})
	}
}

// pathPattern returns the regular expression for a pattern of path-to-regexp, with a group for each of its names.
func pathPattern(from string) (*regexp.Regexp, error) {
	var b strings.Builder
	last := 0
	for _, m := range rewriteParam.FindAllStringSubmatchIndex(from, -1) {
		b.WriteString(regexp.QuoteMeta(from[last:m[0]]))
		inner := "[^/]+"
		if m[4] >= 0 {
			inner = from[m[4]+1 : m[5]-1]
		}
		if from[m[6]:m[7]] != "" {
			inner = ".*"
		}
		b.WriteString("(?P<" + from[m[2]:m[3]] + ">" + inner + ")")
		last = m[1]
	}
	b.WriteString(regexp.QuoteMeta(from[last:]))
	return regexp.Compile("^" + b.String() + "$")
}

// checksLinks reports whether a dead link of Markdown fails the build. Those that the
// configuration lists are not judged.
func (v *vitepress) checksLinks(s *Site, ignored value) bool {
	switch {
	case !ignored.isGiven(), ignored.text("") == "false", ignored.text("") == "localhostLinks":
		return true
	case ignored.Kind != literal.List:
		return false
	}
	for _, pattern := range ignored.list() {
		u, known := pattern.StringOr("")
		if !known {
			return false
		}
		if strings.HasPrefix(u, "/") {
			s.made = append(s.made, u)
		}
	}
	return true
}

func (v *vitepress) route(s *Site, p *Page) {
	rel := p.Rel
	for _, r := range v.patterns {
		if r.from.MatchString(rel) {
			rel = r.from.ReplaceAllString(rel, r.to)
			break
		}
	}
	if i := strings.IndexByte(rel, '['); i >= 0 {
		v.dynamic = append(v.dynamic, "/"+rel[:strings.LastIndexByte(rel[:i], '/')+1])
	}
	stem := strings.TrimSuffix(rel, ".md")
	dir, name := path.Split(stem)
	switch {
	case name == "index":
		p.Routes = []string{"/" + dir}
	case v.isClean:
		p.Routes, p.Also = []string{"/" + stem}, []string{"/" + stem + ".html"}
	default:
		p.Routes = []string{"/" + stem + ".html"}
	}
}

// isMadeAt reports whether a URL is below a page with parameters in its name.
func (v *vitepress) isMadeAt(s *Site, u string) bool {
	return slices.ContainsFunc(v.dynamic, func(dir string) bool { return strings.HasPrefix(u, dir) })
}

// knownSuffixes are those that VitePress takes for files, not pages, in links.
var knownSuffixes = strings.Fields(`3g2 3gp aac ai apng au avif bin bmp cer class conf crl css csv dll doc eps epub exe gif gz ics ief
	jar jpe jpeg jpg js json jsonld m4a man mid midi mjs mov mp2 mp3 mp4 mpe mpeg mpg mpp oga ogg ogv ogx opus otf p10 p7c p7m p7s
	pdf png ps qt roff rtf rtx ser svg t tif tiff tr ts tsv ttf txt vtt wav weba webm webp woff woff2 xhtml xml yaml yml zip`)

// markdown resolves Markdown links: links to pages are relative to the URL of the page.
func (v *vitepress) markdown(s *Site, r *reference) []candidate {
	p := r.path
	suffix := strings.TrimPrefix(r.suffix(), ".")
	switch {
	case p == "" || r.use.IsVerbatim:
		return byURL(s, r)
	case slices.Contains(knownSuffixes, suffix):
		return byURLWithBase(s, r)
	case strings.HasSuffix(p, "/index.md") || p == "index.md" || strings.HasSuffix(p, "/index") || p == "index":
		p = strings.TrimSuffix(strings.TrimSuffix(p, ".md"), "index")
		if p == "" {
			p = "./"
		}
	case strings.HasSuffix(p, ".md"):
		p = strings.TrimSuffix(p, ".md") + v.suffix()
	case strings.HasSuffix(p, ".html"):
		if v.isClean {
			p = strings.TrimSuffix(p, ".html")
		}
	case !strings.HasSuffix(p, "/"):
		p += v.suffix()
	}
	all := s.urls(r, p, strings.TrimSuffix(s.Base, "/"))
	for i := range all {
		all[i].isStrict = !v.isClean
	}
	return all
}

// hasTarget reports whether an attribute list gives a link a target, or a name for a download: it is
// left as it is then.
func hasTarget(list []byte) bool {
	return bytes.Contains(list, []byte("target=")) || bytes.Contains(list, []byte("download"))
}

func (v *vitepress) suffix() string {
	if v.isClean {
		return ""
	}
	return ".html"
}

// isAlias reports whether a path begins with a name that the bundler may have for a directory.
func isAlias(p string) bool { return strings.HasPrefix(p, "~") || strings.HasPrefix(p, "@") }

var aliased = []candidate{{unknown: "an alias of the bundler"}}

// image resolves an asset of Vite: relative to the source, or below the public directory.
func (v *vitepress) image(s *Site, r *reference) []candidate {
	if strings.HasPrefix(r.path, "@/") {
		c := fileCandidate(path.Join(v.dir, r.path[2:]))
		c.isAsset = true
		return []candidate{c}
	}
	if isAlias(r.path) {
		return aliased
	}
	if !r.isRooted() {
		return byAsset(s, r)
	}
	c := fileCandidate(path.Join(v.dir, r.path)) // Vite also accepts paths from the root
	c.isAsset = true
	return append(byURLWithBase(s, r), c)
}

// component resolves an attribute of a Vue component, which may or may not add the base.
func (v *vitepress) component(s *Site, r *reference) []candidate {
	return maybeChanged(r, slices.Concat(v.markdown(s, r), byURL(s, r)))
}

// explainVue says why the target of a link of VitePress or VuePress does not exist.
func explainVue(s *Site, r *reference) (why, other string) {
	file := path.Join(r.pageDir(), r.path)
	if r.form == HTML && !r.isRooted() && s.pages[file] != nil {
		return "raw HTML is not rewritten by " + s.Generator + ": it is relative to " + s.Route(r.use.Page), file
	}
	if r.isRooted() && r.form != HTML && s.Base != "/" {
		if _, has := s.cutBase(r.path); has {
			return s.Generator + " adds " + s.Base + " to it once more", ""
		}
	}
	return "", ""
}

// vueInclude has the file in its group, without a region (#x) and lines ({1,2}) behind it.
var vueInclude = lazy.New(`<!--\s*@include:\s*([^\s#{>]+?)\s*(?:[#{][^>]*?)?-->`)

// vueParts returns the files that a page includes. "@/x" is below the directory src.
func vueParts(s *Site, src string, p *Page, text []byte) (files []string) {
	if !bytes.Contains(text, []byte("@include:")) {
		return nil
	}
	for _, m := range vueInclude.FindAllSubmatch(text, -1) {
		name := string(m[1])
		file := path.Join(path.Dir(p.File), name)
		if rest, ok := strings.CutPrefix(name, "@/"); ok {
			file = path.Join(src, rest)
		} else if strings.HasPrefix(name, "@") {
			file = path.Join(src, strings.TrimPrefix(name, "@"))
		}
		if below(file, s.tree.root) {
			files = append(files, file)
		}
	}
	return files
}
