package vue

import (
	"path"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

// An importCode resolves the files that pages of VuePress 2 show as code: @[code](./x.js) is relative to the page
// (plugins/importCodePlugin of @vuepress/markdown 2.0.0-rc.24).
type importCode struct {
	alias, dir string // names that begin with alias are below dir
	isChanged  bool   // a function that was not understood may change names
}

// pathHandler matches a function handleImportPath that replaces a word at the start of a name by a directory, as
// in the documentation of VuePress.
var pathHandler = lazy.New(`\bhandleImportPath\s*:\s*\(?\s*\w+\s*(?::\s*string\s*)?\)?\s*=>\s*\w+\s*\.replace\(\s*/\^(@[\w-]*)/\s*,\s*path\.(?:resolve|join)\(\s*(?:__dirname|import\.meta\.dirname)\s*,\s*['"]([^'"\n]+)['"]\s*,?\s*\)\s*,?\s*\)\s*[,}]`)

// readImportCode reads the option importCode of Markdown. A theme may set it, too.
func readImportCode(d *source.Dir, config string, conf source.Value, hasTheme bool) *importCode {
	c := &importCode{isChanged: hasTheme || conf.IsUnknown()}
	option := conf.Lookup("markdown", "importCode")
	if !option.IsGiven() && !conf.Lookup("markdown").IsUnknown() {
		return c
	}
	file := d.In(config)
	m := pathHandler.FindStringSubmatch(string(d.Tree.Config(file)))
	if m == nil {
		c.isChanged = true
		return c
	}
	c.alias, c.dir = m[1], path.Join(path.Dir(file), m[2])
	return c
}

// resolve resolves the name of a file. "/x" is a path of the machine.
func (c *importCode) resolve(s *site.Site, r *site.Reference) []site.Candidate {
	rest, isAliased := strings.CutPrefix(r.Path, c.alias)
	switch {
	case r.In != "@[code]", r.IsRooted():
		return site.Never(s, r)
	case c.alias != "" && isAliased:
		return []site.Candidate{site.AssetCandidate(path.Join(c.dir, rest))}
	case c.isChanged && !strings.HasPrefix(r.Path, "."):
		return aliased
	}
	return []site.Candidate{site.AssetCandidate(path.Join(r.PageDir(), r.Path))}
}

// snippet resolves the file that a page of VuePress 1 shows as code: <<< @/x.js is below the directory in
// which the command was started, and so is ./x.js (lib/snippet.js of @vuepress/markdown 1.9.10). That is
// the one of the sources or one above it, so each is tried.
func snippet(s *site.Site, r *site.Reference) (all []site.Candidate) {
	rest, isBelow := strings.CutPrefix(r.Path, "@/")
	if r.In != "<<<" || !isBelow && (r.IsRooted() || strings.HasPrefix(r.Path, "@")) {
		return site.Never(s, r)
	}
	for dir := s.Dir; source.Below(dir, s.Tree.Root); dir = path.Dir(dir) {
		all = append(all, site.AssetCandidate(path.Join(dir, rest)))
		if dir == path.Dir(dir) {
			break
		}
	}
	return all
}
