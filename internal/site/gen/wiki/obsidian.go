package wiki

import (
	"path"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

// Obsidian finds sites of Obsidian.
var Obsidian = &site.Generator{Name: "Obsidian", Configs: []string{".obsidian/"}, Find: findObsidian}

// findObsidian finds a vault: the directory that holds .obsidian, or whose .gitignore names it.
func findObsidian(d *source.Dir) []*site.Site {
	config := ".obsidian"
	if !d.HasDir(config) {
		config = ".gitignore"
		if !ignoresVault(d) || !hasWikiLinks(d) {
			return nil
		}
	}
	plan := &site.Plan{
		Generator: "Obsidian", Config: config, Slug: slug.GitHub, Dialect: markdown.Obsidian, Pages: d.Path,
		Settings: site.Settings{
			Suffixes: []string{".md"}, Copies: site.CopiesNames, IsVault: true, IsLoose: true, // a fragment is the text of a heading
			Links: site.Links{site.Markdown: {byWiki}, site.HTML: {site.Never}, site.Component: {site.Never}},
		},
	}
	return []*site.Site{plan.Site(d, vault{})}
}

var (
	vaultRule = lazy.New(`(?m)^[ \t]*/?(?:\*\*/)?\.obsidian(?:[/ \t\r]|$)`)
	wikiLink  = lazy.New(`\[\[[^][\s][^][\n]*\]\]`)
)

// ignoresVault reports whether .gitignore leaves the settings of a vault in d out of the repository.
func ignoresVault(d *source.Dir) bool {
	name := d.First(".gitignore")
	return name != "" && vaultRule.Match(d.Tree.Config(d.In(name)))
}

// hasWikiLinks reports whether one of the first notes of d has a wiki link: projects that are no vaults may
// also name .obsidian.
func hasWikiLinks(d *source.Dir) (has bool) {
	const most = 100
	n := 0
	skip := func(name string) bool {
		return has || n >= most || strings.HasPrefix(name, ".") || name == "node_modules"
	}
	d.Tree.Files(d.Path, skip, func(rel string) {
		if has || n >= most || path.Ext(rel) != ".md" {
			return
		}
		n++
		has = wikiLink.Match(d.Tree.ReadPage(d.In(rel)))
	})
	return has
}

// A vault is the model of Obsidian.
type vault struct{}

// Route sets the URL of a note, which is its path.
func (vault) Route(_ *site.Site, p *site.Page) {
	p.Routes = []string{"/" + strings.TrimSuffix(p.Rel, ".md")}
}

// byWiki resolves a Markdown link as a wiki name, which may be relative to the file or to the vault,
// or the end of a path.
func byWiki(s *site.Site, r *site.Reference) []site.Candidate {
	if res := s.Wiki(r.Use, r.Path); res.State == site.Found {
		return []site.Candidate{site.AssetCandidate(res.File)}
	}
	return []site.Candidate{site.FileCandidate(path.Join(r.Dir(), r.Path))}
}
