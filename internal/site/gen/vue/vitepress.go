// Package vue supports sites of VitePress and VuePress.
package vue

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
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/site/web"
)

// VitePress finds sites of VitePress.
var VitePress = &site.Generator{Name: "VitePress", Configs: []string{".vitepress/config.*"}, Indexes: []string{"index.md"}, Output: ".vitepress/dist", Find: findVitePress}

// isLeftByVitePress reports whether .vitepress has nothing but what a build makes.
func isLeftByVitePress(d *source.Dir) bool {
	names := d.Tree.List(d.In(".vitepress"))
	for name := range names {
		if name != "cache" && name != "dist" {
			return false
		}
	}
	return len(names) > 0
}

// findVitePress finds a site by .vitepress/config.*.
func findVitePress(d *source.Dir) []*site.Site {
	if !d.HasDir(".vitepress") {
		return nil
	}
	name, conf := "", source.Value{}
	for _, stem := range []string{".vitepress/config", ".vitepress/config/index"} {
		if script := source.NewDir(d.Tree, path.Dir(d.In(stem))).Script(path.Base(stem)); script != "" && name == "" {
			name = path.Join(path.Dir(stem), script)
		}
	}
	switch {
	case name == "" && isLeftByVitePress(d):
		return nil
	case name == "":
		name = ".vitepress"
	default:
		_, conf = d.Tree.ReadScript(d.In(name))
		conf.Open = conf.Open && !d.Tree.KnowsSpreads(d.In(name), conf)
	}
	s := site.New(d, "VitePress", name)
	s.Slug, s.Dialect = vitepressSlugOf(vitepressVersionOf(d)), markdown.VitePress
	if conf.Lookup("markdown", "anchor").IsGiven() {
		s.IsLoose = true
	}
	s.SetBaseTo(baseOf(d, name, conf))
	src, ok := d.Inside(conf.Lookup("srcDir").Or("."))
	if !ok {
		return nil
	}
	v := &vitepress{dir: src}
	public, ok := d.Inside(path.Join(strings.TrimPrefix(src, d.Path+"/"), conf.Lookup("vite", "publicDir").Or("public")))
	if src == d.Path {
		public, ok = d.Inside(conf.Lookup("vite", "publicDir").Or("public"))
	}
	if !ok {
		return nil
	}
	s.Mounts = []*site.Mount{{Dir: public, URL: "/", Kind: site.Static}, {Dir: d.In(".vitepress"), URL: "/", Kind: site.Hidden, Why: inDotVitePress}}
	if match := source.AnyGlob(conf.Lookup("srcExclude").Texts()); match != nil {
		s.Mounts = append(s.Mounts, &site.Mount{Dir: src, URL: "/", Kind: site.Hidden, Match: match, Why: srcExclude})
	}
	if out := conf.Lookup("outDir").Or(""); out != "" {
		if dir, ok := d.Inside(out); ok {
			s.Mounts = append(s.Mounts, &site.Mount{Dir: dir, Kind: site.Hidden, URL: "/", Why: reason.Built})
		}
	}
	s.Mounts = append(s.Mounts, &site.Mount{Dir: src, URL: "/", Kind: site.Pages})
	s.Suffixes = []string{".md"}
	s.Slash = site.SlashNever
	v.isClean = conf.Lookup("cleanUrls").IsTrue(false) || conf.Lookup("cleanUrls").IsUnknown()
	v.rewrites(conf.Lookup("rewrites"))
	s.Knows, s.FrontMatter = site.AllParts, true
	v.isChecked = v.checksLinks(s, conf.Lookup("ignoreDeadLinks"))
	if v.isChecked {
		s.Known = site.ClosedRoutes
	}
	v.files = fileSuffixes(d, name)
	v.readCode(d, s, conf)
	s.Links = site.Links{
		site.Markdown: {v.markdown}, site.Image: {v.image}, site.HTML: {site.ByURL}, site.HTMLSource: {v.image}, site.Component: {v.component},
		site.Macro: {v.include},
	}
	s.Components = true
	s.SetModel(v)
	return []*site.Site{s}
}

// Parts returns the files that a page includes.
func (v *vitepress) Parts(s *site.Site, p *site.Page, _ string, text []byte) site.Parts {
	return vueParts(s, v.dir, p, text)
}

// vitepress holds the settings of a VitePress configuration.
type vitepress struct {
	web.Explainer
	code
	dir     string // of the sources
	isClean bool   // URLs have no ".html"
	// isChecked says that a Markdown link that points to no page fails the build.
	isChecked bool
	files     suffixes // of links to files
	patterns  []rewrite
	dynamic   []string // URLs below which routes are made: of files with "[" in their names
}

type rewrite struct {
	from *regexp.Regexp
	to   string // with $1 or ${name}
}

// rewrites reads pairs of paths, in the syntax of path-to-regexp.
func (v *vitepress) rewrites(conf source.Value) {
	if conf.IsUnknown() {
		v.isComputed = true
		return
	}
	for from, to := range conf.Members() {
		if to.Or("") == "" {
			v.isComputed = true
			continue
		}
		re, err := web.PathPattern(from)
		if err != nil {
			v.isComputed = true
			continue
		}
		v.patterns = append(v.patterns, rewrite{re, web.RewriteParam.ReplaceAllString(to.Or(""), "$${x$1}")})
	}
}

// checksLinks reports whether a dead link of Markdown fails the build. Those that the
// configuration lists are not checked.
func (v *vitepress) checksLinks(s *site.Site, ignored source.Value) bool {
	switch {
	case !ignored.IsGiven(), ignored.Or("") == "false", ignored.Or("") == "localhostLinks":
		return true
	case ignored.Kind != literal.List:
		return false
	}
	for _, pattern := range ignored.List() {
		u, known := pattern.StringOr("")
		if !known {
			return false
		}
		if strings.HasPrefix(u, "/") {
			s.Made = append(s.Made, u)
		}
	}
	return true
}

// Route sets the URLs of a page.
func (v *vitepress) Route(s *site.Site, p *site.Page) {
	rel := p.Rel
	for _, r := range v.patterns {
		if r.from.MatchString(rel) {
			rel = r.from.ReplaceAllString(rel, r.to)
			break
		}
	}
	for i := range v.changes {
		rel = v.changes[i].apply(rel)
	}
	if i := strings.IndexByte(rel, '['); i >= 0 {
		v.dynamic = append(v.dynamic, "/"+rel[:strings.LastIndexByte(rel[:i], '/')+1])
		p.IsPart, p.IsData = true, true // its URLs are not known, but it is read
		return
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

// Makes reports whether a URL is below a page with parameters in its name, or may be that of a page that
// code moves.
func (v *vitepress) Makes(_ *site.Site, u string) bool {
	return v.isComputed || slices.ContainsFunc(v.dynamic, func(dir string) bool { return strings.HasPrefix(u, dir) })
}

// markdown resolves Markdown links: links to pages are relative to the URL of the page.
func (v *vitepress) markdown(s *site.Site, r *site.Reference) []site.Candidate {
	p := r.Path
	switch {
	case p == "" || isLeft(r.Use.Markup.Attributes()):
		return site.ByURL(s, r)
	case v.files.has(r.Suffix()):
		return site.ByURLWithBase(s, r)
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
	all := s.URLs(r, p, strings.TrimSuffix(s.Base, "/"))
	for i := range all {
		all[i].IsStrict = !v.isClean
	}
	return v.refuse(s, r, all)
}

// isLeft reports whether an attribute list gives a link a target, or a name for a download: then it is left
// as it is.
func isLeft(list []byte) bool {
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

var aliased = []site.Candidate{{Unknown: reason.BundlerAlias}}

// image resolves an asset of Vite: relative to the source, or below the public directory.
func (v *vitepress) image(s *site.Site, r *site.Reference) []site.Candidate {
	if strings.HasPrefix(r.Path, "@/") {
		return []site.Candidate{site.AssetCandidate(path.Join(v.dir, r.Path[2:]))}
	}
	if isAlias(r.Path) {
		return aliased
	}
	if !r.IsRooted() {
		return site.ByAsset(s, r)
	}
	return append(site.ByURLWithBase(s, r), site.AssetCandidate(path.Join(v.dir, r.Path))) // Vite also accepts paths from the root
}

// component resolves an attribute of a Vue component, which may or may not add the base.
func (v *vitepress) component(s *site.Site, r *site.Reference) []site.Candidate {
	return site.MaybeChanged(r, slices.Concat(v.markdown(s, r), site.ByURL(s, r)))
}

// include resolves the file that a page shows as code (<<< x) or includes (<!--@include: x-->). The first
// is relative to the page, the second to the file that includes it; "@/x" is below the directory of the
// sources (node/markdown/plugins/snippet.ts and utils/processIncludes.ts).
func (v *vitepress) include(s *site.Site, r *site.Reference) []site.Candidate {
	dir := r.Dir()
	switch r.In {
	case "<<<":
		dir = r.PageDir()
	case "@include":
	default:
		return site.Never(s, r)
	}
	if rest, ok := strings.CutPrefix(r.Path, "@"); ok {
		return []site.Candidate{site.AssetCandidate(path.Join(v.dir, rest))}
	}
	if r.IsRooted() {
		return site.Never(s, r) // a path of the machine
	}
	return []site.Candidate{site.AssetCandidate(path.Join(dir, r.Path))}
}

// vueInclude has the file in its group, without a region (#x) and lines ({1,2}) behind it.
var vueInclude = lazy.New(`<!--\s*@include:\s*([^\s#{>]+?)\s*(?:[#{][^>]*?)?-->`)

// vueParts returns the files that a page includes. "@/x" is below the directory src.
func vueParts(s *site.Site, src string, p *site.Page, text []byte) (parts site.Parts) {
	if !bytes.Contains(text, []byte("@include:")) {
		return parts
	}
	for _, m := range vueInclude.FindAllSubmatch(text, -1) {
		name := string(m[1])
		file := path.Join(path.Dir(p.File), name)
		if rest, ok := strings.CutPrefix(name, "@/"); ok {
			file = path.Join(src, rest)
		} else if strings.HasPrefix(name, "@") {
			file = path.Join(src, strings.TrimPrefix(name, "@"))
		}
		parts.Add(s, file)
	}
	return parts
}

var vitepressVersion = lazy.New(`"vitepress"\s*:\s*"([^"]*)"`)

// vitepressVersionOf returns the version of VitePress in package.json there or above, or "". It may be a range.
func vitepressVersionOf(d *source.Dir) string {
	for at := d.Path; source.Below(at, d.Tree.Root); at = path.Dir(at) {
		if m := vitepressVersion.FindStringSubmatch(string(d.Tree.Config(at + "/package.json"))); m != nil {
			return m[1]
		}
		if at == d.Tree.Root || path.Dir(at) == at {
			break
		}
	}
	return ""
}

// vitepressSlugOf returns the rule for ids of a version: entities are as written from 1.1.3 on. A range,
// such as "^1.0.0", allows the newest version of its number.
func vitepressSlugOf(version string) slug.Algorithm {
	number := strings.TrimLeft(version, "^~=v ")
	isRange := strings.HasPrefix(version, "^") || !vitepressExact.MatchString(version)
	switch {
	case strings.HasPrefix(number, "2.") || number == "2" || version == "next":
		return slug.VitePress2
	case strings.HasPrefix(number, "0."), !isRange && vitepressOld.MatchString(number):
		return slug.VuePress
	}
	return slug.VitePress
}

var (
	vitepressExact = lazy.New(`^[=v~ ]*1\.[0-9]+(?:\.[0-9][0-9A-Za-z.-]*)?$`)
	vitepressOld   = lazy.New(`^1\.(?:0|0\..*|1\.[0-2])$`)
)

// Reasons.
var (
	inDotVitePress = reason.New(reason.Unpublished, "in-dot-vitepress", "in .vitepress")
	srcExclude     = reason.New(reason.Unpublished, "src-exclude", "excluded by srcExclude")
)
