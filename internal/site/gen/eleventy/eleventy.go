// Package eleventy supports sites of Eleventy: its configuration script, the data cascade and templates.
package eleventy

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/literal"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/slash"
)

// Generator finds sites of Eleventy.
var Generator = &site.Generator{
	Name: "Eleventy", Configs: []string{"eleventy.config.*", ".eleventy.js"},
	Indexes: []string{"index.md", "index.html"}, Output: "_site", Find: find,
}

// find finds a site by eleventy.config.* or .eleventy.js.
func find(d *source.Dir) []*site.Site {
	name := d.First("eleventy.config.js", "eleventy.config.mjs", "eleventy.config.cjs", "eleventy.config.ts", ".eleventy.js")
	if name == "" {
		return nil
	}
	file, conf := d.Tree.ReadScript(d.In(name))
	if named := file.Names.Get("config"); named.Kind == literal.Map { // export const config
		if conf.Kind != literal.Map {
			conf = source.Value{}
		}
		conf = source.Inherit(conf, source.Value{Value: named})
	}
	s := site.New(d, "Eleventy", name)
	g := &model{}
	input := conf.Lookup("dir", "input")
	if m := inputKey.FindStringSubmatch(string(d.Tree.Config(d.In(name)))); !input.IsKnown() && m != nil {
		input.Value = literal.Value{Kind: literal.String, Text: m[1]} // found in a computed value
	}
	from := input.Or(".")
	if in := scriptInput(d); in != "" && d.Tree.IsDir(d.In(in)) {
		from = in
	}
	in, ok := d.Inside(from)
	if !ok {
		return nil
	}
	g.setFormats(conf, d.Tree.Calls(d.In(name), file))
	g.input, g.tree, g.dataDir = in, d.Tree, path.Join(in, conf.Lookup("dir", "data").Or("_data"))
	parts := []string{conf.Lookup("dir", "includes").Or("_includes"), conf.Lookup("dir", "data").Or("_data"), conf.Lookup("dir", "layouts").Or("")}
	s.Slug, s.Dialect = slug.GitHub, markdown.Eleventy
	s.IsLoose = true
	if engine := conf.Lookup("markdownTemplateEngine").Or("liquid"); engine == "njk" {
		s.Dialect.Templates = markdown.Jinja
	} else if engine == "false" {
		s.Dialect.Templates = 0
	}
	s.SetBaseTo(conf.Lookup("pathPrefix"))
	s.Compiled = map[string][]string{".js": {".ts", ".tsx", ".jsx"}, ".css": {".scss", ".sass", ".less", ".pcss"}}
	s.Suffixes = []string{".md", ".html", ".njk", ".liquid", ".webc", ".hbs", ".mustache", ".ejs", ".haml", ".pug", ".vue", ".tsx", ".jsx", ".mdx"}
	s.FrontMatter = true
	out := conf.Lookup("dir", "output").Or("_site")
	if dir, ok := d.Inside(out); ok {
		s.Mounts = append(s.Mounts, &site.Mount{Dir: dir, URL: "/", Kind: site.Hidden, Why: reason.Built})
	}
	var ignored []string
	g.calls(d, s, d.Tree.Calls(d.In(name), file), &ignored)
	if anchorFilter.Match(d.Tree.Config(d.In(name))) {
		s.Slug, s.IsLoose = slug.Eleventy, true
	}
	g.assets(d, s, out)
	ignored = append(ignored, strings.Split(string(d.Tree.Config(d.In(".eleventyignore"))), "\n")...)
	ignored = append(ignored, "node_modules/")
	isIgnored := source.IgnoreRules(strings.Join(ignored, "\n"))
	for _, part := range parts {
		if part != "" && part != parts[1] {
			g.partDirs = append(g.partDirs, path.Join(in, part))
		}
	}
	prefix := strings.TrimPrefix(strings.TrimPrefix(in, d.Path), "/")
	for _, part := range parts {
		if dir := path.Join(in, part); part != "" && source.Below(dir, d.Tree.Root) {
			s.Mounts = append(s.Mounts, &site.Mount{Dir: dir, URL: "/", Kind: site.Partial})
		}
	}
	s.Mounts = append(s.Mounts,
		&site.Mount{Dir: in, URL: "/", Kind: site.Hidden, Match: func(rel string) bool { return isIgnored(path.Join(prefix, rel)) }, Why: ignoredByConfig},
		&site.Mount{Dir: in, URL: "/", Kind: site.Pages})
	isCopied := source.AnyGlob(g.copied)
	if isCopied != nil && in != d.Path {
		isOutside := func(rel string) bool { return !source.Below(d.In(rel), in) && isCopied(rel) }
		s.Mounts = append(s.Mounts, &site.Mount{Dir: d.Path, URL: "/", Kind: site.Static, Match: isOutside})
	}
	g.isCopied = func(rel string) bool { return isCopied != nil && isCopied(path.Join(prefix, rel)) }
	s.PartsInOrder, s.Knows = true, site.AllParts
	s.SetModel(g)
	g.forms(s)
	if g.isOpen {
		s.Generates = true
	}
	return []*site.Site{s}
}

// anchorFilter matches an option of markdown-it-anchor that makes ids by a filter of Eleventy. The ids of
// equal headings are numbered by other rules than Eleventy's own.
var anchorFilter = lazy.New(`\bslugify:\s*[\w.]+\.(?:getFilter|javascriptFunctions)\(\s*["']slug(?:ify)?["']`)

// Copies reports whether the configuration copies a file.
func (g *model) Copies(_ *site.Site, _ *site.Mount, rel string) bool { return g.isCopied(rel) }

// Type returns the media type of a page that is a template.
func (g *model) Type(s *site.Site, file string) string {
	return site.TemplateType(s, file, g.templates...)
}

// IsInPlace reports whether a file is a document of the repository that the configuration ignores.
func (g *model) IsInPlace(s *site.Site, file string) bool {
	m := s.MountOf(file)
	return m != nil && m.Why == ignoredByConfig && path.Base(file)[0] != '_' && len(s.IncludedBy[file]) == 0
}

// Finish adds the URLs that scripts make.
func (g *model) Finish(s *site.Site) {
	g.scripts(s)
	if s.IsBaseKnown && !g.isOpen && !g.hasPlugins && !slices.Contains(g.dynamic, "/") {
		s.Known = site.WholeSite
	}
}

// forms sets how each form of reference is resolved.
func (g *model) forms(s *site.Site) {
	markdownSteps, html, source := []site.Step{site.ByURL}, []site.Step{site.ByURL}, []site.Step{site.ByURL}
	if g.hasBase {
		html, source = []site.Step{site.ByURLWithBase}, []site.Step{site.ByURLWithBase}
		markdownSteps = html
	}
	if g.hasInputPath {
		html = append([]site.Step{g.byInput}, html...)
		markdownSteps = html
	}
	if g.hasImages {
		source = append([]site.Step{g.byImage}, source...)
	}
	s.Links[site.Markdown], s.Links[site.HTML], s.Links[site.HTMLSource], s.Links[site.Image] = markdownSteps, html, source, source
	s.Links[site.Macro] = []site.Step{func(s *site.Site, r *site.Reference) []site.Candidate {
		if r.In != "filter/url" {
			return []site.Candidate{{Unknown: macro}}
		}
		if g.hasBase { // the plugin adds the base once more
			r.Path = strings.TrimSuffix(s.Base, "/") + r.Path
		}
		return site.ByURLWithBase(s, r)
	}}
}

var ignoredByConfig = reason.New(reason.Unpublished, "ignored-by-config", "ignored by the configuration")

var inputKey = lazy.New(`\binput:\s*["']([^"'\n]+)["']`)

// model holds the settings of an Eleventy configuration.
type model struct {
	input        string // absolute
	isCopied     func(rel string) bool
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
	tree         *source.Tree
	data         lazy.Map[string, source.Value] // of directories
	hasPlugins   bool                           // a plugin may make pages
	changesURLs  bool                           // a function changes URLs of pages
	build        string                         // text of the files that say what a build copies
	assetDirs    []string                       // URLs of directories that it copies
	unknown      []unknownURL                   // of pages whose permalink is computed
	dataSuffixes []string                       // of data files in formats that the configuration adds
	templates    []string                       // suffixes of the templates of HTML that make pages
	shortcodes   lazy.Value[map[string]bool]    // of the project, and whether they may make ids
	ids          lazy.Map[string, idsOfPart]
	idsOfPages   lazy.Map[string, idsOfPart]
}

// calls applies the calls that the configuration function makes.
func (g *model) calls(d *source.Dir, s *site.Site, calls []literal.Value, ignored *[]string) {
	for _, c := range calls {
		call := source.Value{Value: c}
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
				s.Slug, s.IsLoose = slug.Eleventy, call.Item(1).Lookup("slugify").IsGiven()
			case strings.Contains(name, "eed"):
				g.hasFeeds = true
			}
		case "add":
			if strings.Contains(call.Text, "ignores") && !g.isConditional(d, s, call) {
				*ignored = append(*ignored, call.At(0).Text)
			}
		case "addPassthroughCopy":
			g.passthrough(d, s, call.Item(0))
		case "addTransform":
			g.transforms = true
			g.isOpen = g.isOpen || !g.onlyFormats(s, call)
		case "addDataExtension":
			g.addDataExtension(call.At(0).Text)
		case "addTemplate":
			g.isOpen = true
		case "addUrlTransform":
			g.changesURLs = true
		}
	}
}

// passthrough adds a directory or file that is copied.
func (g *model) passthrough(d *source.Dir, s *site.Site, v source.Value) {
	add := func(from, to string) {
		dir, ok := d.Inside(from)
		if ok && strings.ContainsAny(from, "*{") {
			g.copied = append(g.copied, path.Clean(from))
			return
		}
		if !ok {
			g.isOpen = true
			return
		}
		at := site.CleanURL("/" + to + "/")
		if d.Tree.IsFile(dir) {
			name := path.Base(dir)
			s.Mounts = append(s.Mounts, &site.Mount{Dir: path.Dir(dir), URL: site.CleanURL("/" + strings.TrimSuffix(to, name) + "/"), Kind: site.Static, Match: func(rel string) bool { return rel == name }})
			return
		}
		s.Mounts = append(s.Mounts, &site.Mount{Dir: dir, URL: at, Kind: site.Static})
	}
	if from := v.Or(""); from != "" {
		to := path.Clean(from)
		if dir, ok := d.Inside(from); ok {
			if rel, isIn := strings.CutPrefix(dir, g.input+"/"); isIn {
				to = rel
			}
		}
		add(from, to)
		return
	}
	for from, to := range v.All() {
		add(from, source.Value{Value: to}.Or("/"))
	}
	if v.Open {
		g.computed(d, s, v)
	}
}

// computedKey matches an entry whose key is computed: [resolve("x")]: "js/x.js".
var computedKey = lazy.New("\\]\\s*:\\s*[\"'`]([^\"'`$\\n]+)[\"'`]")

// computed adds the destinations of files that are copied from computed paths.
func (g *model) computed(d *source.Dir, s *site.Site, v source.Value) {
	if g.text == nil {
		g.text = d.Tree.Config(s.Config)
	}
	text := g.text
	if v.Span.End > len(text) || v.Span.Start >= v.Span.End {
		return
	}
	for _, m := range computedKey.FindAllSubmatch(text[v.Span.Start:v.Span.End], -1) {
		s.Routeless = append(s.Routeless, site.CleanURL("/"+string(m[1])))
	}
}

var (
	elseBefore = lazy.New(`\belse\s*$`)
	ifBefore   = lazy.New(`\bif\s*\([^{}]*\)\s*$`)
)

// isConditional reports whether a call is in a block of "if" or "else".
func (g *model) isConditional(d *source.Dir, s *site.Site, call source.Value) bool {
	if g.text == nil {
		g.text = d.Tree.Config(s.Config)
	}
	text := g.text
	if call.Span.Start > len(text) {
		return true
	}
	depth := 0
	for i := call.Span.Start - 1; i >= 0; i-- {
		if g.effort++; g.effort > source.MaxConfig {
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

// Route sets the URLs of a page.
func (g *model) Route(s *site.Site, p *site.Page) {
	if p.Mount.Kind == site.Partial {
		return
	}
	link, from := g.cascade(p, "permalink")
	if link.Or("") == "false" {
		p.Why, p.IsData = permalinkFalse, true
		return
	}
	stem := strings.TrimSuffix(slash.Stem(p.Rel), ".11ty")
	dir, name := path.Split(stem)
	u, undated := "/"+stem+"/", stem
	if name == "index" || dir != "" && path.Base(dir) == name { // x/x.md is x/index.md
		u = "/" + dir
	}
	if m := site.PostOf("_posts/" + name + ".md"); m != nil {
		u = "/" + dir + m[6] + "/"
		undated = dir + m[6]
	}
	if g.isPaginated(p) {
		g.paginate(p, link, u)
		return
	}
	for _, old := range p.Front.Lookup("redirect_from").Texts() {
		p.Also = append(p.Also, site.CleanURL("/"+old+"/"))
	}
	switch t := link.Or(""); {
	case isTemplate(t) || link.IsUnknown():
		t = eleventyValue.ReplaceAllStringFunc(t, func(tag string) string {
			switch eleventyValue.FindStringSubmatch(tag)[1] {
			case "page.fileSlug":
				return path.Base(strings.TrimSuffix(undated, "/index"))
			case "page.filePathStem":
				return "/" + undated
			}
			return tag
		})
		if t == "" && !bytes.Contains(g.tree.Text(from, source.MaxPage), []byte("permalink")) { // perhaps among other data
			g.isOpen, s.Generates = true, true
			break
		}
		if isTemplate(t) || t == "" {
			g.setUnknown(s, p, link.Or(""), from)
			return
		}
		u = site.CleanURL("/" + t)
	case t != "" && t != "true":
		u = site.CleanURL("/" + t)
	}
	p.Routes = []string{site.WithoutIndex(u)}
}

// paginate sets the URL of the first page of several that are made of one template. u is the URL without
// a permalink.
func (g *model) paginate(p *site.Page, link source.Value, u string) {
	switch before, _, isTemplate := strings.Cut(link.Or(""), "{{"); {
	case link.IsUnknown(): // for want of more, in the directory of the page
		dir, _ := path.Split(strings.TrimSuffix(u, "/"))
		g.dynamic = append(g.dynamic, dir)
	case isTemplate:
		dir := site.CleanURL("/" + before)
		u = site.CleanURL(dir + "x/")
		g.dynamic = append(g.dynamic, dir)
	case link.IsGiven():
		g.dynamic = append(g.dynamic, "/")
	default:
		g.dynamic = append(g.dynamic, u)
	}
	p.Routes = []string{u}
}

// Makes reports whether a URL is below that of a paginated page.
func (g *model) Makes(s *site.Site, u string) bool {
	if ext := path.Ext(u); (g.isOpen || g.hasFeeds) && (ext == ".xml" || ext == ".rss" || ext == ".json") {
		return true
	}
	return g.isAssetMade(s, u) || slices.ContainsFunc(g.dynamic, func(dir string) bool {
		return strings.HasPrefix(u, dir) && (dir != "/" || strings.Count(strings.Trim(u, "/"), "/") == 0)
	})
}

// byInput resolves an input path as InputPathToUrlTransformPlugin does: from the root of the project
// or of the sources, then relative to the page.
func (g *model) byInput(s *site.Site, r *site.Reference) []site.Candidate {
	if r.Path == "" {
		return nil
	}
	p := strings.TrimPrefix(strings.TrimPrefix(r.Path, "./"), "/")
	all := []site.Candidate{site.FileCandidate(path.Join(g.input, p)), site.FileCandidate(path.Join(s.Dir, p))}
	if !r.IsRooted() {
		all = append(all, site.FileCandidate(path.Join(r.PageDir(), r.Path)))
	}
	all = slices.DeleteFunc(all, func(c site.Candidate) bool { return s.ByFile[c.File] == nil || !s.ByFile[c.File].Why.IsZero() })
	return all
}

var eleventyValue = lazy.New(`\{\{-?\s*([\w.]+)\s*-?\}\}`)

var urlFilter = lazy.New(`^\{\{-?\s*["']([^"']*)["']\s*\|\s*url\s*-?\}\}$`)

// Expand replaces {{ "x" | url }}.
func (g *model) Expand(s *site.Site, u site.Use, ref string) (string, bool) {
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

// Reasons.
var (
	macro          = reason.New(reason.Code, "macro", "a macro")
	permalinkFalse = reason.New(reason.Unpublished, "permalink-false", "its permalink is false")
)
