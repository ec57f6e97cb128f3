package nuxt

import (
	"path"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/literal"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/slash"
)

// A collection is a source of a collection: files of a directory, and where they are published.
type collection struct {
	cwd     string // absolute path of the directory
	fixed   string // of the paths below it, what the prefix stands for
	prefix  string // of their URLs
	include func(rel string) bool
	exclude func(rel string) bool // nil for none
	isPages bool
}

// readSources reads the collections of content.config. It reports whether there are files.
func (g *model) readSources(content string, conf source.Value) bool {
	every := collection{cwd: content, include: func(string) bool { return true }, isPages: true}
	name := g.dir.Script("content.config")
	switch {
	case g.isSecond:
		g.readSecond(conf.Lookup("content", "sources"))
		g.sources = append(g.sources, every)
	case name == "":
		if conf.Lookup("content", "sources").IsGiven() {
			g.made = append(g.made, "/")
		}
		g.sources = append(g.sources, every)
	default:
		f, config := g.dir.Tree.ReadScript(g.dir.In(name))
		all := config.Lookup("collections")
		if !all.IsGiven() {
			all = source.Value{Value: f.Names.Get("collections")}
		}
		for _, c := range all.Members() {
			g.readCollection(content, source.Value{Value: c.Unwrap()})
		}
		if !all.IsKnown() || all.Open || len(g.sources) == 0 {
			g.sources = append(g.sources, every)
			g.made = append(g.made, "/")
		}
	}
	for _, c := range g.sources {
		if g.dir.Tree.IsDir(c.cwd) {
			return true
		}
	}
	return false
}

// readSecond reads the sources of version 2, which are in other places.
func (g *model) readSecond(sources source.Value) {
	for name, from := range sources.Members() {
		if name != "content" {
			g.made = append(g.made, withSlash(from.Lookup("prefix").Or("/")))
		}
	}
	if sources.IsUnknown() || sources.Open {
		g.made = append(g.made, "/")
	}
}

// readCollection reads a collection.
func (g *model) readCollection(content string, c source.Value) {
	kind, isKnown := c.Lookup("type").StringOr("page")
	from := c.Lookup("source")
	isPages := !isKnown || kind == "page"
	for _, one := range from.List() {
		g.readSource(content, source.Value{Value: one.Value}, isPages)
	}
	if isPages && (from.Open || from.Kind == literal.Unknown) {
		g.made = append(g.made, "/")
	}
}

// readSource reads a source: a pattern, or a map with one.
func (g *model) readSource(content string, v source.Value, isPages bool) {
	include, isKnown := v.StringOr("")
	if v.Kind == literal.Map {
		include, isKnown = v.Lookup("include").StringOr("")
	}
	fixed, _, hasStar := strings.Cut(include, "*")
	if !hasStar {
		fixed = ""
	}
	prefix, isPrefixKnown := v.Lookup("prefix").StringOr(fixed)
	dir := content
	cwd := v.Lookup("cwd")
	switch {
	case v.Lookup("repository").IsGiven(), !isKnown, include == "", cwd.IsUnknown() && !isContent(cwd):
		if isPages {
			if !isPrefixKnown || !isKnown && prefix == "" {
				prefix = "/"
			}
			g.made = append(g.made, withSlash(prefix))
		}
		return
	case cwd.Or("") != "":
		inside, ok := g.dir.Inside(strings.TrimPrefix(cwd.Or(""), "~~/"))
		if !ok {
			return
		}
		dir = inside
	}
	if !isPrefixKnown {
		g.made = append(g.made, "/")
		return
	}
	exclude := source.AnyGlob(v.Lookup("exclude").Texts())
	if len(g.sources) < maxSources {
		g.sources = append(g.sources, collection{dir, fixed, prefix, source.Glob(strings.TrimLeft(include, "./")), exclude, isPages})
	}
}

// maxSources is the number of sources that are read: each costs every document a look.
const maxSources = 100

// isContent reports whether a computed directory is that of the contents: resolve('content'),
// resolve(__dirname, 'content').
func isContent(cwd source.Value) bool {
	last := cwd.At(len(cwd.Items) - 1)
	name := strings.Trim(last.Text, "./")
	return cwd.Kind == literal.Call && last.Kind == literal.String && name == "content"
}

func withSlash(prefix string) string { return site.CleanURL("/" + strings.Trim(prefix, "/") + "/") }

// addMounts mounts the directories of the documents.
func (g *model) addMounts(s *site.Site) {
	seen := map[string]bool{}
	for _, c := range g.sources {
		if seen[c.cwd] {
			continue
		}
		seen[c.cwd] = true
		match := g.isOwn
		if c.cwd == g.dir.Path { // also the program is there
			match = func(rel string) bool { return g.isOwn(rel) && (c.exclude == nil || !c.exclude(rel)) }
		}
		s.Mounts = append(s.Mounts, &site.Mount{Dir: c.cwd, URL: "/", Kind: site.Pages, Match: match})
	}
}

// isOwn reports whether a file may be a document.
func (g *model) isOwn(rel string) bool { return !strings.Contains("/"+rel, "/.") }

// Route sets the URLs of a document.
func (g *model) Route(_ *site.Site, p *site.Page) {
	rel := strings.TrimPrefix(p.File, p.Mount.Dir+"/")
	if g.isSecond && hasMark(rel) {
		p.IsPart, p.IsData = true, true
		return
	}
	isData := false
	for _, c := range g.sources {
		if c.cwd != p.Mount.Dir || !c.include(rel) || c.exclude != nil && c.exclude(rel) {
			continue
		}
		if !c.isPages {
			isData = true
			continue
		}
		u, ok := urlOf(c.prefix + "/" + strings.TrimSuffix(strings.TrimPrefix(rel, c.fixed), path.Ext(rel)))
		if !ok {
			isData = true
			continue
		}
		if len(p.Routes) == 0 || p.Routes[0] != u {
			p.Routes = append(p.Routes, u)
		}
	}
	switch {
	case len(p.Routes) > 0:
	case isData || len(g.made) > 0:
		p.IsPart, p.IsData = true, true
	default:
		p.Why = inNoCollection
	}
}

// hasMark reports whether a name in a path begins with a mark that version 2 leaves out.
func hasMark(rel string) bool {
	for name := range strings.SplitSeq(rel, "/") {
		if name[0] == '_' || name[0] == '-' {
			return true
		}
	}
	return false
}

var (
	number  = lazy.New(`^\d+\.`)
	version = lazy.New(`^\d+(?:\.\d+)*(?:\.x)?$`)
)

// urlOf returns the URL of a path without suffix: generatePath of Nuxt Content. It leaves out numbers
// before names, "index" and ".draft". ok is false if a name has letters that the program spells in ASCII,
// other than Latin ones with accents.
func urlOf(stem string) (u string, ok bool) {
	var names []string
	for name := range strings.SplitSeq(strings.Trim(strings.ReplaceAll(stem, "//", "/"), "/"), "/") {
		if !version.MatchString(name) {
			name = number.ReplaceAllString(name, "")
			if name == "index" || name == "index.draft" {
				name = ""
			}
			name = strings.TrimSuffix(name, ".draft")
		}
		part, isKnown := slugify(name)
		if !isKnown {
			return "", false
		}
		names = append(names, part)
	}
	return "/" + strings.Trim(strings.Join(names, "/"), "/"), true
}

var unwanted = lazy.New(`[^\w\s$*+~.()'"!:@]+`)

// slugify is that of npm, with lower case.
func slugify(name string) (slug string, ok bool) {
	name = words.Replace(name)
	plain := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(name))
	if strings.IndexFunc(plain, func(r rune) bool { return r >= 0x80 }) >= 0 {
		return "", false
	}
	return strings.ToLower(strings.Join(strings.Fields(unwanted.ReplaceAllString(plain, "")), "-")), true
}

var words = strings.NewReplacer("$", "dollar", "%", "percent", "&", "and", "<", "less", ">", "greater", "|", "or", "-", " ")

// codePath matches a path that a component of a page gives itself.
var codePath = lazy.New(`\b(?:path|alias)\s*:\s*\[?\s*['"](/[^'"]*)['"]`)

// redirectInCode matches what a page does to lead elsewhere.
var redirectInCode = lazy.New(`\bnavigateTo\s*\(|\bsendRedirect\s*\(`)

// Finish adds the routes of components and of the server, and the known contents of directories.
func (g *model) Finish(s *site.Site) {
	g.parents = map[string]bool{"": s.ByURL["/"] == nil}
	for _, p := range s.ByFile {
		for _, u := range p.Routes {
			for u = path.Dir(u); u != "/" && u != "."; u = path.Dir(u) {
				if g.parents[u] || s.ByURL[u] != nil {
					continue
				}
				g.parents[u] = true
			}
		}
	}
	hasRest := false
	dirs := []string{"app/pages", "pages", "src/pages", ".docs/pages"}
	for _, dir := range dirs {
		g.files(dir, func(rel string) { hasRest = g.addPage(s, dir, rel) || hasRest })
	}
	for _, dir := range []string{"server/routes", "server/api", ".docs/server/routes", ".docs/server/api"} {
		g.files(dir, func(rel string) { g.addHandler(s, dir, rel) })
	}
	g.addData(s)
	for _, u := range g.urls {
		s.AddRoute(u)
	}
	if g.isTheme {
		s.AddRoute("/")
	} else if !hasRest && g.byCode == "" {
		g.byCode = "pages"
	}
}

// files yields the files of a directory of the site.
func (g *model) files(dir string, yield func(rel string)) {
	if g.dir.Tree.IsDir(g.dir.In(dir)) {
		g.dir.Tree.Files(g.dir.In(dir), skipped, yield)
	}
}

// addPage adds the route of a component of a page. It reports whether the component shows documents at any URL.
func (g *model) addPage(s *site.Site, dir, rel string) (isRest bool) {
	ext := path.Ext(rel)
	if ext != ".vue" && ext != ".ts" && ext != ".tsx" && ext != ".jsx" {
		return false
	}
	text := g.dir.Tree.Config(g.dir.In(dir + "/" + rel))
	if redirectInCode.Match(text) {
		g.byCode = dir + "/" + rel
	}
	for _, m := range codePath.FindAllSubmatch(text, maxSources) {
		if !strings.ContainsAny(string(m[1]), ":*(") {
			s.AddRoute(string(m[1]))
		}
	}
	var names []string
	for name := range strings.SplitSeq(strings.TrimSuffix(rel, ext), "/") {
		if name != "index" && !(name[0] == '(' && strings.HasSuffix(name, ")")) {
			names = append(names, name)
		}
	}
	return g.add(s, names, dir+"/"+rel)
}

// add adds the route of a file, unless documents are below its parameter: it shows these.
func (g *model) add(s *site.Site, names []string, file string) (isRest bool) {
	first := 0
	for first < len(names) && !strings.Contains(names[first], "[") {
		first++
	}
	u := "/" + strings.Join(names[:first], "/")
	if first < len(names) && (u == "/" && len(s.ByFile) > 0 || g.parents[u] || s.ByURL[u] != nil && hasBelow(s, u)) {
		if strings.HasPrefix(names[len(names)-1], "[...") && s.ByURL[u] == nil && u != "/" {
			g.byCode = file // which decides what is at the URL of the directory
		}
		return u == "/"
	}
	if u, ok := g.Router.Route(names, file); ok {
		s.AddRoute(u)
	}
	return false
}

// hasBelow reports whether a document is published below a URL.
func hasBelow(s *site.Site, u string) bool {
	for _, p := range s.ByFile {
		for _, at := range p.Routes {
			if strings.HasPrefix(at, u+"/") {
				return true
			}
		}
	}
	return false
}

// addHandler adds the route of a handler of the server.
func (g *model) addHandler(s *site.Site, dir, rel string) {
	stem := slash.Stem(rel)
	for _, method := range []string{".get", ".post", ".put", ".delete", ".patch", ".head", ".options"} {
		stem = strings.TrimSuffix(stem, method)
	}
	if strings.HasSuffix(dir, "/api") {
		stem = "api/" + stem
	}
	names := strings.Split(stem, "/")
	if names[len(names)-1] == "index" {
		names = names[:len(names)-1]
	}
	if u, ok := g.Router.Route(names, dir+"/"+rel); ok {
		s.AddRoute(u)
	}
}

// addData adds the routes of pages that are no documents: YAML, JSON and CSV.
func (g *model) addData(s *site.Site) {
	for i, c := range g.sources {
		if !c.isPages || !g.dir.Tree.IsDir(c.cwd) || i > 0 && g.sources[i-1].cwd == c.cwd && g.sources[i-1].prefix == c.prefix && i > 1 {
			continue
		}
		g.dir.Tree.Files(c.cwd, skipped, func(rel string) {
			ext := path.Ext(rel)
			if ext != ".yml" && ext != ".yaml" && ext != ".json" && ext != ".csv" || !g.isOwn(rel) || !c.include(rel) || c.exclude != nil && c.exclude(rel) {
				return
			}
			if u, ok := urlOf(c.prefix + "/" + strings.TrimSuffix(strings.TrimPrefix(rel, c.fixed), ext)); ok {
				s.AddRoute(u)
			}
		})
	}
}

// Reasons.
var inNoCollection = reason.New(reason.Unpublished, "in-no-collection", "in no collection of content.config")
