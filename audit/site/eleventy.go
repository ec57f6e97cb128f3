package site

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/literal"
)

// findEleventy finds a site by eleventy.config.* or .eleventy.js.
func findEleventy(d *directory) []*Site {
	name := d.first("eleventy.config.js", "eleventy.config.mjs", "eleventy.config.cjs", "eleventy.config.ts", ".eleventy.js")
	if name == "" {
		return nil
	}
	file, conf := d.tree.readScript(d.in(name))
	if named := file.Names.Get("config"); named.Kind == literal.Map { // export const config
		if conf.Kind != literal.Map {
			conf = value{}
		}
		conf = inherit(conf, value{named})
	}
	s := d.newSite("Eleventy", name)
	g := &eleventy{}
	input := conf.get("dir", "input")
	if m := inputKey.FindStringSubmatch(string(d.tree.config(d.in(name)))); !input.IsKnown() && m != nil {
		input.Value = literal.Value{Kind: literal.String, Text: m[1]} // found in a computed value
	}
	from := input.text(".")
	if in := scriptInput(d); in != "" && d.tree.isDir(d.in(in)) {
		from = in
	}
	in, ok := d.inside(from)
	if !ok {
		return nil
	}
	g.setFormats(conf, d.tree.callsOf(d.in(name), file))
	g.input, g.tree, g.dataDir = in, d.tree, path.Join(in, conf.get("dir", "data").text("_data"))
	parts := []string{conf.get("dir", "includes").text("_includes"), conf.get("dir", "data").text("_data"), conf.get("dir", "layouts").text("")}
	s.Slug, s.Dialect = slug.GitHub, markdown.Eleventy
	s.isLoose = true
	if engine := conf.get("markdownTemplateEngine").text("liquid"); engine == "njk" {
		s.Dialect.Templates = markdown.Jinja
	} else if engine == "false" {
		s.Dialect.Templates = 0
	}
	s.setBase(conf.get("pathPrefix").text("/"))
	if conf.get("pathPrefix").isUnknown() {
		s.IsBaseKnown = false
	}
	s.compiled = map[string][]string{".js": {".ts", ".tsx", ".jsx"}, ".css": {".scss", ".sass", ".less", ".pcss"}}
	s.suffixes = []string{".md", ".html", ".njk", ".liquid", ".webc", ".hbs", ".mustache", ".ejs", ".haml", ".pug", ".vue", ".tsx", ".jsx", ".mdx"}
	s.readsFront = true
	out := conf.get("dir", "output").text("_site")
	if dir, ok := d.inside(out); ok {
		s.Mounts = append(s.Mounts, &Mount{Dir: dir, URL: "/", Kind: Hidden, Why: "built"})
	}
	var ignored []string
	g.calls(d, s, d.tree.callsOf(d.in(name), file), &ignored)
	g.assets(d, s, out)
	ignored = append(ignored, strings.Split(string(d.tree.config(d.in(".eleventyignore"))), "\n")...)
	ignored = append(ignored, "node_modules/")
	isIgnored := ignoreRules(strings.Join(ignored, "\n"))
	for _, part := range parts {
		if part != "" && part != parts[1] {
			g.partDirs = append(g.partDirs, path.Join(in, part))
		}
	}
	prefix := strings.TrimPrefix(strings.TrimPrefix(in, d.dir), "/")
	for _, part := range parts {
		if dir := path.Join(in, part); part != "" && below(dir, d.tree.root) {
			s.Mounts = append(s.Mounts, &Mount{Dir: dir, URL: "/", Kind: Partial})
		}
	}
	s.Mounts = append(s.Mounts,
		&Mount{Dir: in, URL: "/", Kind: Hidden, Match: func(rel string) bool { return isIgnored(path.Join(prefix, rel)) }, Why: ignoredByConfig},
		&Mount{Dir: in, URL: "/", Kind: Pages})
	isCopied := anyGlob(g.copied)
	s.copies = func(_ *Site, _ *Mount, rel string) bool { return isCopied != nil && isCopied(path.Join(prefix, rel)) }
	s.route, s.partsIn, s.isMadeAt, s.expand = g.route, g.partsOf, g.isMadeAt, g.expand
	s.knowsParts, s.knowsTags, s.makesID = true, g.knowsTags, g.makesID
	s.makesAnyID = g.mayMakeAnyID
	s.markupType = func(s *Site, file string) string { return templateType(s, file, g.templates...) }
	g.forms(s)
	if g.isOpen {
		s.generates = true
	}
	s.inPlace = func(s *Site, file string) bool {
		m := s.mountOf(file)
		return m != nil && m.Why == ignoredByConfig && path.Base(file)[0] != '_' && len(s.includes[file]) == 0
	}
	s.finish = func(s *Site) {
		for _, u := range s.redirects {
			s.addRoute(u)
		}
		g.scripts(s)
		s.isWhole = s.IsBaseKnown && !g.isOpen && !g.hasPlugins && !slices.Contains(g.dynamic, "/")
	}
	return []*Site{s}
}

// forms sets how each form of reference is resolved.
func (g *eleventy) forms(s *Site) {
	markdownSteps, html, source := []step{byURL}, []step{byURL}, []step{byURL}
	if g.hasBase {
		html, source = []step{byURLWithBase}, []step{byURLWithBase}
		markdownSteps = html
	}
	if g.hasInputPath {
		html = append([]step{g.byInput}, html...)
		markdownSteps = html
	}
	if g.hasImages {
		source = append([]step{g.byImage}, source...)
	}
	s.table[Markdown], s.table[HTML], s.table[HTMLSource], s.table[Image] = markdownSteps, html, source, source
	s.table[Macro] = []step{func(s *Site, r *reference) []candidate {
		if r.in != "filter/url" {
			return []candidate{{unknown: "a macro"}}
		}
		if g.hasBase { // the plugin adds the base once more
			r.path = strings.TrimSuffix(s.Base, "/") + r.path
		}
		return byURLWithBase(s, r)
	}}
}

const ignoredByConfig = "ignored by the configuration"

var inputKey = lazy.New(`\binput:\s*["']([^"'\n]+)["']`)

// eleventy holds the settings of an Eleventy configuration.
type eleventy struct {
	input        string   // absolute
	hasBase      bool     // HtmlBasePlugin
	hasInputPath bool     // InputPathToUrlTransformPlugin
	hasFeeds     bool     // a plugin for feeds
	isOpen       bool     // something unknown makes or changes pages
	dynamic      []string // URLs below which routes are made
	hasImages    bool     // the transform of eleventy-img
	copied       []string // patterns of files that are copied to the same path
	partDirs     []string // absolute directories of includes and layouts
	transforms   bool     // functions change the finished pages, and may add ids to headings of layouts
	text         []byte   // of the configuration; nil until needed
	effort       int      // bytes before calls that have been examined
	dataDir      string   // absolute directory of data for all pages
	tree         *tree
	data         lazy.Map[string, value] // of directories
	hasPlugins   bool                    // a plugin may make pages
	changesURLs  bool                    // a function changes URLs of pages
	build        string                  // text of the files that say what a build copies
	assetDirs    []string                // URLs of directories that it copies
	templates    []string                // suffixes of the templates of HTML that make pages
	ids          lazy.Map[string, idsOfPart]
	idsOfPages   lazy.Map[string, idsOfPart]
}

// calls applies the calls that the configuration function makes.
func (g *eleventy) calls(d *directory, s *Site, calls []literal.Value, ignored *[]string) {
	for _, c := range calls {
		call := value{c}
		switch call.Function() {
		case "addPlugin":
			name := call.At(0).Text
			from, export, ok := call.At(0).Import()
			if ok {
				name = export
			}
			g.hasPlugins = g.hasPlugins || !isRouteless(from, export+" "+name)
			switch {
			case strings.Contains(name, "InputPathToUrl"):
				g.hasInputPath = true
			case strings.Contains(name, "HtmlBase"):
				g.hasBase = true
			case strings.Contains(name, "mageTransform"):
				g.hasImages = true
			case strings.Contains(name, "IdAttribute"):
				s.Slug, s.isLoose = slug.Eleventy, call.at(1).get("slugify").isGiven()
			case strings.Contains(name, "eed"):
				g.hasFeeds = true
			}
		case "add":
			if strings.Contains(call.Text, "ignores") && !g.isConditional(d, s, call) {
				*ignored = append(*ignored, call.At(0).Text)
			}
		case "addPassthroughCopy":
			g.passthrough(d, s, call.at(0))
		case "addTransform":
			g.transforms = true
			g.isOpen = g.isOpen || !g.onlyFormats(s, call)
		case "addTemplate":
			g.isOpen = true
		case "addUrlTransform":
			g.changesURLs = true
		}
	}
}

// passthrough adds a directory or file that is copied.
func (g *eleventy) passthrough(d *directory, s *Site, v value) {
	add := func(from, to string) {
		dir, ok := d.inside(from)
		if ok && strings.ContainsAny(from, "*{") {
			g.copied = append(g.copied, path.Clean(from))
			return
		}
		if !ok {
			g.isOpen = true
			return
		}
		at := cleanURL("/" + to + "/")
		if d.tree.isFile(dir) {
			name := path.Base(dir)
			s.Mounts = append(s.Mounts, &Mount{Dir: path.Dir(dir), URL: cleanURL("/" + strings.TrimSuffix(to, name) + "/"), Kind: Static, Match: func(rel string) bool { return rel == name }})
			return
		}
		s.Mounts = append(s.Mounts, &Mount{Dir: dir, URL: at, Kind: Static})
	}
	if from := v.text(""); from != "" {
		to := path.Clean(from)
		if dir, ok := d.inside(from); ok {
			if rel, isIn := strings.CutPrefix(dir, g.input+"/"); isIn {
				to = rel
			}
		}
		add(from, to)
		return
	}
	for from, to := range v.All() {
		add(from, value{to}.text("/"))
	}
	if v.Open {
		g.computed(d, s, v)
	}
}

// computedKey matches an entry whose key is computed: [resolve("x")]: "js/x.js".
var computedKey = lazy.New("\\]\\s*:\\s*[\"'`]([^\"'`$\\n]+)[\"'`]")

// computed adds the destinations of files that are copied from computed paths.
func (g *eleventy) computed(d *directory, s *Site, v value) {
	if g.text == nil {
		g.text = d.tree.config(s.Config)
	}
	text := g.text
	if v.Span.End > len(text) || v.Span.Start >= v.Span.End {
		return
	}
	for _, m := range computedKey.FindAllSubmatch(text[v.Span.Start:v.Span.End], -1) {
		s.redirects = append(s.redirects, cleanURL("/"+string(m[1])))
	}
}

var (
	elseBefore = lazy.New(`\belse\s*$`)
	ifBefore   = lazy.New(`\bif\s*\([^{}]*\)\s*$`)
)

// isConditional reports whether a call is in a block of "if" or "else".
func (g *eleventy) isConditional(d *directory, s *Site, call value) bool {
	if g.text == nil {
		g.text = d.tree.config(s.Config)
	}
	text := g.text
	if call.Span.Start > len(text) {
		return true
	}
	depth := 0
	for i := call.Span.Start - 1; i >= 0; i-- {
		if g.effort++; g.effort > maxConfig {
			return true
		}
		switch text[i] {
		case '}':
			depth++
		case '{':
			if depth--; depth < 0 {
				before := text[max(0, i-400):i]
				return elseBefore.Match(before) || ifBefore.Match(before)
			}
		}
	}
	return false
}

func (g *eleventy) route(s *Site, p *Page) {
	if p.Mount.Kind == Partial {
		return
	}
	link := g.fromCascade(p, "permalink")
	if link.text("") == "false" {
		p.Why, p.isData = "its permalink is false", true
		return
	}
	stem := strings.TrimSuffix(strings.TrimSuffix(p.Rel, path.Ext(p.Rel)), ".11ty")
	dir, name := path.Split(stem)
	u, undated := "/"+stem+"/", stem
	if name == "index" || dir != "" && path.Base(dir) == name { // x/x.md is x/index.md
		u = "/" + dir
	}
	if m := postOf("_posts/" + name + ".md"); m != nil {
		u = "/" + dir + m[6] + "/"
		undated = dir + m[6]
	}
	if p.front.get("pagination").isGiven() || g.isPaginatedByScript(p) {
		g.paginate(p, link, u)
		return
	}
	switch t := link.text(""); {
	case strings.Contains(t, "{{") || link.isUnknown():
		t = eleventyValue.ReplaceAllStringFunc(t, func(tag string) string {
			switch eleventyValue.FindStringSubmatch(tag)[1] {
			case "page.fileSlug":
				return path.Base(strings.TrimSuffix(undated, "/index"))
			case "page.filePathStem":
				return "/" + undated
			}
			return tag
		})
		if strings.Contains(t, "{") || t == "" {
			g.isOpen, s.generates = true, true
			break
		}
		u = cleanURL("/" + t)
	case t != "" && t != "true":
		u = cleanURL("/" + t)
	}
	p.Routes = []string{strings.TrimSuffix(u, "index.html")}
	for _, from := range p.front.get("redirect_from").texts() {
		p.Also = append(p.Also, cleanURL("/"+from+"/"))
	}
}

// paginate sets the URL of the first page of several that are made of one template. u is the URL without
// a permalink.
func (g *eleventy) paginate(p *Page, link value, u string) {
	if t := link.text(""); link.isGiven() {
		before, _, isTemplate := strings.Cut(t, "{{")
		dir := "/"
		if isTemplate {
			dir = cleanURL("/" + before)
			u = cleanURL(dir + "x/")
		}
		g.dynamic = append(g.dynamic, dir)
	} else {
		g.dynamic = append(g.dynamic, u)
	}
	p.Routes = []string{u}
}

// isMadeAt reports whether a URL is below that of a paginated page.
func (g *eleventy) isMadeAt(s *Site, u string) bool {
	if ext := path.Ext(u); (g.isOpen || g.hasFeeds) && (ext == ".xml" || ext == ".rss" || ext == ".json") {
		return true
	}
	return g.isAssetMade(s, u) || slices.ContainsFunc(g.dynamic, func(dir string) bool {
		return strings.HasPrefix(u, dir) && (dir != "/" || strings.Count(strings.Trim(u, "/"), "/") == 0)
	})
}

// byInput resolves an input path as InputPathToUrlTransformPlugin does: from the root of the project
// or of the sources, then relative to the page.
func (g *eleventy) byInput(s *Site, r *reference) []candidate {
	if r.path == "" {
		return nil
	}
	p := strings.TrimPrefix(strings.TrimPrefix(r.path, "./"), "/")
	all := []candidate{fileCandidate(path.Join(g.input, p)), fileCandidate(path.Join(s.Dir, p))}
	if !r.isRooted() {
		all = append(all, fileCandidate(path.Join(r.pageDir(), r.path)))
	}
	all = slices.DeleteFunc(all, func(c candidate) bool { return s.pages[c.File] == nil || s.pages[c.File].Why != "" })
	return all
}

var eleventyValue = lazy.New(`\{\{-?\s*([\w.]+)\s*-?\}\}`)

var urlFilter = lazy.New(`^\{\{-?\s*["']([^"']*)["']\s*\|\s*url\s*-?\}\}$`)

// expand replaces {{ "x" | url }}.
func (g *eleventy) expand(s *Site, u Use, ref string) (string, bool) {
	rest, fragment, hash := strings.Cut(ref, "#")
	m := urlFilter.FindStringSubmatch(rest)
	if m == nil {
		return ref, false
	}
	rest = m[1]
	if strings.HasPrefix(rest, "/") {
		rest = strings.TrimSuffix(s.Base, "/") + rest
	}
	if hash {
		rest += "#" + fragment
	}
	return rest, true
}
