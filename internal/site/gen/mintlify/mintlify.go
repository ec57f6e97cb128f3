// Package mintlify supports sites of Mintlify.
package mintlify

import (
	"fmt"
	"iter"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/literal"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/slash"
)

// A model is a site of Mintlify. Its links are paths of pages from the root, or relative ones that begin with a dot.
type model struct {
	dir    string
	config string
	api    []string                         // directories of pages that are made of descriptions of interfaces, with slashes at both ends
	hasAPI bool                             // there are such pages
	names  lazy.Map[string, map[string]int] // by file, how often it has titles of headings and components, by lettersOf them
}

// Generator finds sites of Mintlify.
var Generator = &site.Generator{
	Name: "Mintlify", Configs: []string{"docs.json", "mint.json"},
	Indexes: []string{"index.md", "README.md", "index.mdx"}, Find: find,
}

// find finds a site by docs.json or mint.json with navigation.
func find(d *source.Dir) []*site.Site {
	name := d.First("docs.json", "mint.json")
	if name == "" {
		return nil
	}
	conf := d.Tree.Read(d.In(name))
	if !conf.Lookup("navigation").IsGiven() || name == "docs.json" && !conf.Lookup("theme").IsGiven() && !strings.Contains(conf.Lookup("$schema").Or(""), "mintlify") {
		return nil
	}
	g := &model{dir: d.Path, config: d.In(name), api: []string{"/api-reference/"}}
	g.findAPI(conf.Value)
	s := site.New(d, "Mintlify", name)
	s.Slug, s.Dialect = slug.Mintlify, markdown.Mintlify
	s.IsLoose = true
	s.Mounts = []*site.Mount{{Dir: d.In("snippets"), URL: "/snippets/", Kind: site.Partial}}
	if ignored := d.Tree.Config(d.In(".mintignore")); ignored != nil {
		s.Mounts = append(s.Mounts, &site.Mount{Dir: d.Path, URL: "/", Kind: site.Hidden, Match: source.IgnoreRules(string(ignored)), Why: mintignored})
	}
	s.Mounts = append(s.Mounts, &site.Mount{Dir: d.Path, URL: "/", Kind: site.Pages})
	s.Suffixes = []string{".mdx", ".md"}
	s.FrontMatter, s.Copies, s.Resources = true, site.CopiesLinked, isServed
	s.PartsInOrder, s.Knows = true, site.AllParts
	s.SetModel(g)
	s.Components = true
	for form := range s.Links {
		s.Links[form] = []site.Step{g.link}
	}
	s.Made = []string{"/mcp/", "/_mintlify/", "/authed/"}
	redirects, at := conf.Lookup("redirects"), s.Config
	if file, ok := d.Inside(redirects.Lookup("$ref").Or("")); ok && file != d.Path {
		redirects, at = d.Tree.Read(file), file
	}
	for _, r := range redirects.List() {
		from, to := r.Lookup("source"), r.Lookup("destination")
		u := site.CleanURL("/" + from.Or(""))
		if i := strings.IndexAny(u, ":*"); i >= 0 {
			s.Made = append(s.Made, u[:i])
		} else {
			goal := to.Or("")
			if !strings.HasPrefix(goal, "/") && !strings.Contains(goal, ":") && goal != "" {
				goal = "/" + goal // like the pages of the navigation
			}
			s.AddRedirect(site.Entry(at, "redirects", from.Value, to.Value), u, goal, nil)
		}
	}
	return []*site.Site{s}
}

// served are the suffixes of files that Mintlify serves with every plan; others depend on the plan (its
// page "Files", 2026).
var served = strings.Fields(".png .jpg .jpeg .gif .webp .svg .ico .mp4 .webm .mp3 .wav .json .yaml .css .js .woff .woff2 .ttf .eot")

func isServed(rel string) bool { return slices.Contains(served, strings.ToLower(path.Ext(rel))) }

// findAPI finds where a configuration says that pages are made of descriptions of interfaces.
func (g *model) findAPI(v literal.Value) {
	for key, of := range v.All() {
		if key == "openapi" || key == "asyncapi" || key == "$ref" {
			g.hasAPI = true
			dir := source.Value{Value: of}.Lookup("directory").Or("")
			if dir != "" {
				g.api = append(g.api, "/"+strings.Trim(dir, "/")+"/")
			}
		}
		g.findAPI(of)
	}
	for _, item := range v.Items {
		g.findAPI(item)
	}
}

// Route sets the URLs of a page.
func (g *model) Route(s *site.Site, p *site.Page) {
	stem := "/" + slash.Stem(p.Rel)
	p.Routes = []string{stem}
	if dir, name := path.Split(stem); name == "index" || name == "README" {
		p.Also = []string{dir, strings.TrimSuffix(dir, "/")}
	}
	if u := p.Front.Lookup("url").Or(""); u != "" {
		p.Why = linkToOtherPage
	}
}

// link resolves a path: from the root, or from the page if it begins with a dot. One that begins with a
// name may be either.
func (g *model) link(s *site.Site, r *site.Reference) (all []site.Candidate) {
	p := strings.TrimSuffix(r.Path, "/")
	switch {
	case r.Path == "":
		return nil
	case strings.HasPrefix(r.Path, "."):
		all = g.files(s, path.Join(r.PageDir(), p))
	case r.IsRooted():
		all = g.files(s, path.Join(g.dir, p))
	default:
		all = append(g.files(s, path.Join(g.dir, p)), g.files(s, path.Join(r.PageDir(), p))...)
	}
	return append(all, g.others(s, all)...)
}

// files returns the files that a path without a suffix may mean.
func (g *model) files(s *site.Site, file string) []site.Candidate {
	if s.Tree.IsDir(file) && !s.Tree.IsFile(file+".mdx") && !s.Tree.IsFile(file+".md") && !s.Tree.IsFile(file+"/index.mdx") {
		return []site.Candidate{{Unknown: directoryOfPages}}
	}
	all := []site.Candidate{site.FileCandidate(file)}
	if source.IsMarkdown(file) || site.IsAssetSuffix(path.Ext(file)) {
		return all
	}
	for _, end := range []string{".mdx", ".md", "/index.mdx", "/index.md", "/README.md"} {
		all = append(all, site.FileCandidate(file+end))
	}
	return all
}

// Makes reports whether a URL is that of a directory, whose first page is shown.
func (g *model) Makes(s *site.Site, u string) bool {
	return strings.Trim(u, "/") != "" && s.Tree.IsDir(path.Join(g.dir, u))
}

// others returns what a path that no file has may point to: a redirect, or a page of an interface.
func (g *model) others(s *site.Site, files []site.Candidate) []site.Candidate {
	if len(files) == 0 || files[0].File == "" {
		return nil
	}
	u := strings.TrimPrefix(files[0].File, g.dir)
	if !source.Below(files[0].File, g.dir) {
		return []site.Candidate{{Unknown: outsideSite}}
	}
	_, isMoved := s.Redirected(u)
	isMade := slices.ContainsFunc(s.Made, func(prefix string) bool { return strings.HasPrefix(u, prefix) || u+"/" == prefix })
	isOfAPI := g.hasAPI && path.Ext(u) == "" && (!s.Tree.IsDir(path.Dir(files[0].File)) || slices.ContainsFunc(g.api, func(dir string) bool { return strings.Contains(u+"/", dir) }))
	switch {
	case s.ByURL[u] != nil, isMoved:
		return []site.Candidate{site.URLCandidate(u)}
	case isMade:
		return []site.Candidate{{Unknown: reason.MadeByBuild}}
	case isOfAPI:
		return []site.Candidate{{Unknown: fromAPIDescription}}
	}
	return nil
}

var mintTitle = lazy.New(`\b(?:title|label|id|name|query|path|body|header)=\{?["']([^"'\n]*)["']`)

// Parts returns the documents that a page imports.
func (g *model) Parts(s *site.Site, _ *site.Page, file string, text []byte) (parts site.Parts) {
	for module := range source.DocumentsIn(text) {
		name := path.Join(path.Dir(file), module)
		if strings.HasPrefix(module, "/") {
			name = g.dir + path.Clean(module)
		}
		parts.Add(s, name)
	}
	return parts
}

// MakesID reports whether a component may have an id, or a heading that occurs twice has a number. The ids
// of a page that is generated from API descriptions are not known.
func (g *model) MakesID(s *site.Site, file, id string) bool {
	if p := s.ByFile[file]; p != nil && (p.Front.Lookup("openapi").IsGiven() || p.Front.Lookup("asyncapi").IsGiven() || p.Front.Lookup("api").IsGiven()) {
		return true
	}
	names := g.names.Get(file, func(file string) map[string]int {
		names := map[string]int{}
		text := s.Tree.Text(file, source.MaxPage)
		add := func(matches iter.Seq[[][]byte]) {
			for m := range matches {
				name := lettersOf(string(m[1]))
				names[name]++
				names["param"+name]++
			}
		}
		add(source.MatchesIn(text, mintTitle, `="`, `='`, "={"))
		add(source.MatchesIn(text, site.HeadingLine, "#"))
		return names
	})
	if names[lettersOf(id)] > 0 {
		return true
	}
	base := site.NumberAtEnd.ReplaceAllString(id, "")
	n, err := strconv.Atoi(strings.TrimPrefix(id[len(base):], "-"))
	return err == nil && n > 1 && n <= names[lettersOf(base)]
}

// lettersOf returns the letters and digits of text, in lower case.
func lettersOf(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, strings.ToLower(text))
}

// Navigate adds the pages and links of the navigation.
func (g *model) Navigate(s *site.Site, n *site.Navigation) {
	use := site.Use{Page: &site.Page{File: g.config, Mount: n.Pages(), Routes: []string{"/"}}, File: g.config}
	resolve := func(ref string) site.Result {
		if strings.Contains(ref, " ") { // GET /users
			return site.Result{State: site.Unknown, Why: fromAPIDescription}
		}
		ref = "/" + strings.TrimPrefix(ref, "/")
		for _, suffix := range s.Suffixes {
			if p := s.Page(s.Dir + ref + suffix); p != nil && p.Why.Is(linkToOtherPage) { // the navigation shows the link
				return site.Result{State: site.Found}
			}
		}
		return s.Resolve(use, site.Component, "nav/link", ref)
	}
	var visit func(v literal.Value)
	visit = func(v literal.Value) {
		for key, of := range v.All() {
			switch {
			case key == "href" || key == "root":
				n.Add(g.config, "nav", of, resolve)
			case key == "pages":
				for _, page := range of.Items {
					n.Add(g.config, "nav", page, resolve)
				}
			}
			visit(of)
		}
		for _, item := range v.Items {
			visit(item)
		}
	}
	visit(n.Read(g.config).Get("navigation"))
}

// Reasons.
var (
	directoryOfPages   = reason.New(reason.Unpublished, "directory-of-pages", "a directory, whose first page is shown")
	fromAPIDescription = reason.New(reason.Build, "from-api-description", "the page may be generated from an API description")
	linkToOtherPage    = reason.New(reason.OtherVersion, "link-to-other-page", "is a link to another page")
	mintignored        = reason.New(reason.Unpublished, "mintignored", "excluded by .mintignore")
	outsideSite        = reason.New(reason.OtherSite, "outside-site", "outside the site")
)

// redirectList matches the beginning of the redirects, or of the configuration.
var (
	redirectList = lazy.New(`"redirects"\s*:\s*\[`)
	confStart    = lazy.New(`\A\s*\{`)
)

// Redirect adds a redirect to docs.json.
func (g *model) Redirect(e *site.Edits, was, is site.Target) (where string) {
	item := fmt.Sprintf(`{ "source": "%s", "destination": "%s" }`, was.Route, is.Route)
	hasList := redirectList.Match(e.ConfigText())
	if !e.AddItem(e.Config, redirectList, item, was.Route, is.Route) && (hasList || !e.AddItem(e.Config, confStart, `"redirects": [`+item+`]`, was.Route, is.Route)) {
		return ""
	}
	return "redirects in " + e.Config
}
