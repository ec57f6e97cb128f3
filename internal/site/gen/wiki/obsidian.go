package wiki

import (
	"path"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

// Obsidian finds sites of Obsidian.
var Obsidian = &site.Generator{Name: "Obsidian", Configs: []string{".obsidian/"}, Find: findObsidian}

// findObsidian finds a vault: the directory that holds .obsidian.
func findObsidian(d *source.Dir) []*site.Site {
	if !d.HasDir(".obsidian") {
		return nil
	}
	plan := &site.Plan{
		Generator: "Obsidian", Config: ".obsidian", Slug: slug.GitHub, Dialect: markdown.Obsidian, Pages: d.Path,
		Settings: site.Settings{
			Suffixes: []string{".md"}, Copies: true, IsVault: true, IsLoose: true, // a fragment is the text of a heading
			Links: site.Links{site.Markdown: {byWiki}, site.HTML: {site.Never}, site.Component: {site.Never}},
		},
	}
	return []*site.Site{plan.Site(d, vault{})}
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
