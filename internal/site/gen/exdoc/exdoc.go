// Package exdoc supports the documentation of Elixir and Erlang packages, which ExDoc makes of their code
// and of extra pages.
//
// It follows ExDoc 0.38: lib/ex_doc/autolink.ex (custom_link, build_extra_link), extras.ex and utils.ex
// (text_to_id).
package exdoc

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/slash"
)

// Generator finds sites of ExDoc.
var Generator = &site.Generator{Name: "ExDoc", Configs: []string{"mix.exs", "rebar.config"}, Find: find}

// find finds a site by the project file of Mix or Rebar that names ExDoc, or with a Makefile above it that does.
func find(d *source.Dir) []*site.Site {
	config := d.First("mix.exs", "rebar.config")
	if config == "" {
		return nil
	}
	text := string(d.Tree.Config(d.In(config)))
	if !strings.Contains(text, "ex_doc") {
		more, ok := ofMakefile(d)
		if !ok {
			return nil
		}
		text += more
	}
	g := &model{dir: d.Path, hasErlang: d.HasDir("src"), names: map[string]string{}, assets: map[string]string{}}
	g.read(text)
	plan := &site.Plan{
		Generator: "ExDoc", Config: config, Slug: slug.GitHub, Pages: d.Path,
		Settings: site.Settings{
			Suffixes: suffixes, IsLoose: true, // ids keep letters and digits, as GitHub's do
			Links: site.Links{site.Markdown: {g.link}, site.HTML: {g.link}, site.Component: {site.Never}},
		},
	}
	return []*site.Site{plan.Site(d, g)}
}

// commandConfig matches the configuration in a command that runs ExDoc.
var commandConfig = lazy.New(`--config[= ]"?([\w./-]+\.exs)\b`)

// ofMakefile returns the configurations with which a Makefile of the directory, or of a parent directory in
// the tree, runs ExDoc, as far as they are below the directory. Paths in them are made relative to it. ok
// is false if no Makefile names ExDoc. Elixir makes its own documentation in this way, with a program that
// is no dependency.
func ofMakefile(d *source.Dir) (text string, ok bool) {
	for dir := d.Path; ; dir = path.Dir(dir) {
		if file := path.Join(dir, "Makefile"); d.Tree.IsFile(file) {
			rules := d.Tree.Config(file)
			if bytes.Contains(rules, []byte("ex_doc")) {
				return configsIn(d, dir, rules), true
			}
		}
		if dir == d.Tree.Root || !source.Below(dir, d.Tree.Root) || path.Dir(dir) == dir {
			return "", false
		}
	}
}

// configsIn returns the text of the configurations below d that the Makefile of a directory names.
func configsIn(d *source.Dir, dir string, rules []byte) string {
	const most = 20
	var text strings.Builder
	seen := map[string]bool{}
	for _, m := range commandConfig.FindAllSubmatch(rules, most) {
		file := path.Join(dir, string(m[1]))
		if !seen[file] && source.Below(file, d.Path) && d.Tree.IsFile(file) {
			seen[file] = true
			text.Write(d.Tree.Config(file))
		}
	}
	rel := strings.TrimPrefix(d.Path, dir)
	if rel == "" {
		return text.String()
	}
	return strings.ReplaceAll(text.String(), `"`+strings.TrimPrefix(rel, "/")+"/", `"`)
}

// suffixes are those of extra pages with headings.
var suffixes = []string{".md", ".livemd", ".cheatmd"}

// A model holds the settings of the project file, as far as its strings are literal. Extra pages are linked
// by the last names in their paths, from any directory.
type model struct {
	dir       string
	hasErlang bool              // there may be modules of Erlang
	names     map[string]string // of pages with a filename of their own, by the paths of their files below dir
	assets    map[string]string // directories below dir, by those that they are copied to
	// computes says that the project file computes names of pages.
	computes bool
	isExtra  func(rel string) bool // whether a file is an extra page; true for all if the project file names none

	byBase map[string][]string // documents of the site by the last names in their paths
	byPage map[string][]string // by the names of their pages, without ".html"
}

var (
	filename  = lazy.New(`"([^"\n]+)"\s*(?:,|=>|:)\s*[\[%{]*\s*(?:[a-z_]+:\s*"[^"\n]*"\s*,\s*)*filename:\s*"([^"\n]*)"`)
	assetsMap = lazy.New(`\bassets:\s*(?:"([^"\n]+)"|%\{([^}]*)\})`)
	arrow     = lazy.New(`"([^"\n]+)"\s*=>\s*"([^"\n]+)"`)
	extra     = lazy.New(`"([^"\n]*(?:\.md|\.livemd|\.cheatmd|\*)[^"\n]*)"`)
	computed  = lazy.New(`#\{[^}\n]*\}`)
	nonWord   = lazy.New(`[^\pL\pN\pM_]+`)
)

// read reads the names of pages and the directories of assets.
func (g *model) read(text string) {
	for _, m := range filename.FindAllStringSubmatch(text, -1) {
		g.names[m[1]] = m[2]
	}
	g.computes = strings.Count(text, "filename:") > len(g.names) || slices.ContainsFunc(source.SortedKeys(g.names), func(file string) bool {
		return strings.Contains(g.names[file], "#{")
	})
	const most = 100 // patterns, each of which is matched with each document
	var patterns []string
	literal := map[string]bool{}
	for _, m := range extra.FindAllStringSubmatch(text, -1) {
		name := computed.Compiled().ReplaceAllString(m[1], "*")
		literal[name] = true
		if strings.Contains(name, "*") && len(patterns) < most {
			patterns = append(patterns, name)
		}
	}
	matches := source.AnyGlob(patterns)
	g.isExtra = func(rel string) bool { return len(literal) == 0 || literal[rel] || matches != nil && matches(rel) }
	for _, m := range assetsMap.FindAllStringSubmatch(text, -1) {
		if m[1] != "" {
			g.assets["assets"] = m[1]
		}
		for _, pair := range arrow.FindAllStringSubmatch(m[2], -1) {
			g.assets[strings.TrimSuffix(pair[2], "/")] = pair[1]
		}
	}
}

// page returns the name of the page of a document, without ".html".
func (g *model) page(rel string) string {
	if name := g.names[rel]; name != "" {
		return name
	}
	base := path.Base(rel)
	return strings.ToLower(strings.Trim(nonWord.Compiled().ReplaceAllString(slash.Stem(base), "-"), "-"))
}

// Route sets the URL of an extra page: all are in one directory. Other documents are shown by code hosts only.
func (g *model) Route(_ *site.Site, p *site.Page) {
	if g.isExtra(p.Rel) {
		p.Routes = []string{"/" + g.page(p.Rel) + ".html"}
	}
}

// IsInPlace reports whether ExDoc does not use a file: documents that are no extra pages, and files that
// the tests of Mix read.
func (g *model) IsInPlace(_ *site.Site, file string) bool {
	rel := strings.TrimPrefix(file, g.dir+"/")
	return !slices.Contains(suffixes, path.Ext(file)) || strings.HasPrefix(rel, "test/")
}

// Finish lists the documents by the names that links use.
func (g *model) Finish(s *site.Site) {
	g.byBase, g.byPage = map[string][]string{}, map[string][]string{}
	for _, file := range source.SortedKeys(s.ByFile) {
		base, page := path.Base(file), g.page(s.ByFile[file].Rel)
		g.byBase[base] = append(g.byBase[base], file)
		g.byPage[page] = append(g.byPage[page], file)
	}
}

// link resolves a link: as a file, which is what code hosts show, and as ExDoc does, for which only the
// last name in a path counts.
func (g *model) link(s *site.Site, r *site.Reference) []site.Candidate {
	file := path.Join(r.Dir(), r.Path)
	if r.IsRooted() {
		file = path.Join(s.Tree.Root, r.Path)
	}
	all := []site.Candidate{site.AssetCandidate(file)}
	for i, c := range r.Path {
		if from, ok := g.assets[r.Path[:i]]; ok && c == '/' {
			all = append(all, site.AssetCandidate(path.Join(g.dir, from, r.Path[i:])))
		}
	}
	base := path.Base(r.Path)
	page, isPage := strings.CutSuffix(base, ".html")
	switch files := g.byBase[base]; {
	case isPage && !strings.Contains(r.Path, "/"):
		all = append(all, g.pageNamed(page)...)
	case len(files) > maxSame:
		all = append(all, site.Candidate{Unknown: manyPages})
	case path.Ext(base) == ".epub":
		all = append(all, site.Candidate{Unknown: ofCode})
	default:
		for _, file := range files {
			all = append(all, site.FileCandidate(file))
		}
	}
	return all
}

// maxSame limits the documents of one name that are tried.
const maxSame = 20

// pageNamed returns the candidates for a page.
func (g *model) pageNamed(page string) (all []site.Candidate) {
	files := g.byPage[page]
	switch {
	case len(files) > 0 && len(files) <= maxSame:
		for _, file := range files {
			all = append(all, site.FileCandidate(file))
		}
	case len(files) > 0, g.computes:
		all = append(all, site.Candidate{Unknown: manyPages})
	case isElixir.MatchString(page), g.hasErlang && isErlang.MatchString(page), slices.Contains(ownPages, page):
		all = append(all, site.Candidate{Unknown: ofCode})
	}
	return all
}

// isElixir matches the names of pages about modules of Elixir and tasks of Mix, isErlang those about modules of Erlang.
var (
	isElixir = lazy.New(`^(?:[A-Z]|mix\.)`)
	isErlang = lazy.New(`^[a-z][a-z0-9_]*$`)
)

// ownPages are pages that ExDoc makes.
var ownPages = []string{"api-reference", "search", "404", "index"}

// Reasons.
var (
	manyPages = reason.New(reason.Code, "exdoc-pages", "several documents have the name, or the project file computes names")
	ofCode    = reason.New(reason.Build, "exdoc-code", "the documentation of code is made of its source")
)
