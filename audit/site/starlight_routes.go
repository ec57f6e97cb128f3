package site

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/literal"
)

var (
	packageImport = lazy.New(`(?m)(?:^|[\s;}])(?:from|import)\s*\(?\s*['"]([^'"\n]+)['"]`)
	docsLoader    = lazy.New(`\bdocs\s*:\s*defineCollection\s*\(\s*\{\s*(?:loader\s*:\s*docsLoader\s*\(\s*\)|schema\s*:|type\s*:)`)
	environment   = lazy.New(`^(?:\w+=(?:'[^']*'|"[^"]*"|\S*)\s+)+`)
)

// routelessPackages are beginnings of the names of packages of a configuration of Astro that make
// no pages, but for files of a kind that madeFiles has.
var routelessPackages = strings.Fields(`astro @astrojs/ node: vite @vitejs/ rehype remark unified unist hast mdast @expressive-code/
	expressive-code shiki @shikijs/ tailwindcss @tailwindcss/ unocss sharp fs path url @types/
	starlight-links-validator starlight-image-zoom starlight-llms-txt starlight-theme- starlight-heading-badges
	starlight-sidebar- starlight-package-managers starlight-auto-sidebar starlight-scroll-to-top starlight-kbd starlight-giscus
	starlight-ion-theme starlight-contextual-menu starlight-page-actions starlight-fullview-mode starlight-utils`)

// routedPackages are those that make pages, with the beginnings of their URLs where no option says
// others, which pluginRoutes finds. The posts of a blog are documents.
var routedPackages = map[string]string{
	"starlight-blog":       "/blog/tags/ /blog/authors/ /blog/rss.xml /blog/1/ /blog/2/ /blog/3/ /blog/4/ /blog/5/",
	"@lunariajs/starlight": "/lunaria/", "starlight-typedoc": "/api/", "starlight-tags": "/tags/",
	"starlight-openapi": "", "starlight-changelogs": "",
}

// closes finds whether all routes are known: every package that the configuration imports is, the
// collection of documents is read from its directory, and the build runs nothing but Astro. Then
// what leads to another page leads nowhere.
func (g *starlight) closes(s *Site, d *directory, text, src string) {
	for _, m := range packageImport.FindAllStringSubmatch(text, -1) {
		s.made = append(s.made, strings.Fields(routedPackages[m[1]])...)
		if m[1] == "starlight-blog" {
			s.redirects = append(s.redirects, "/blog/")
		}
	}
	if g.isPlain || s.Base != "/" || !s.IsBaseKnown || !g.readsDirectory(d, src) || !runsOnlyAstro(d) {
		return
	}
	for _, m := range packageImport.FindAllStringSubmatch(text, -1) {
		name := m[1]
		_, isRouted := routedPackages[name]
		switch {
		case isRouted:
		case strings.HasPrefix(name, "."):
			file := d.tree.moduleFile(path.Join(d.dir, name))
			if strings.Contains(name, "node_modules/") && strings.HasSuffix(name, ".json") {
				continue
			}
			if file == "" || bytes.Contains(d.tree.config(file), []byte("injectRoute")) {
				return
			}
		case !slices.ContainsFunc(routelessPackages, func(known string) bool { return strings.HasPrefix(name, known) }):
			return
		}
	}
	s.isClosed, s.generates = true, g.hasUnknown
}

// readsDirectory reports whether the collection of documents has nothing but its directory.
func (g *starlight) readsDirectory(d *directory, src string) bool {
	for _, name := range collectionConfigs {
		if file, ok := d.inside(path.Join(src, name)); ok && d.tree.isFile(file) {
			return docsLoader.Match(d.tree.config(file))
		}
	}
	return true // as Starlight did it before there were loaders
}

// collectionConfigs are the files that say which collections there are.
var collectionConfigs = []string{"content.config.ts", "content.config.mjs", "content.config.js", "content/config.ts"}

// runsOnlyAstro reports whether the build script of the package makes nothing but the site.
func runsOnlyAstro(d *directory) bool {
	script := d.tree.read(d.in("package.json")).get("scripts", "build").text("")
	runs := false
	for _, command := range strings.FieldsFunc(script, func(r rune) bool { return strings.ContainsRune("&|;\n", r) }) {
		command = environment.ReplaceAllString(strings.TrimSpace(command)+" ", "")
		switch name, _, _ := strings.Cut(strings.TrimSpace(command), " "); name {
		case "astro":
			runs = true
		case "", "tsc", "eslint", "prettier", "biome", "pagefind", "git", "rm", "echo":
		default:
			return false
		}
	}
	return runs
}

// spreadsKnown reports whether the redirects of a configuration spread nothing but maps that are
// known as a whole, by their names.
func spreadsKnown(text string, known map[string]bool) bool {
	_, text, ok := strings.Cut(text, "redirects:")
	if !ok {
		return false
	}
	end, depth := 0, 0
	for ; end < len(text) && (end == 0 || depth > 0 || text[end-1] != '}'); end++ {
		switch text[end] {
		case '{':
			depth++
		case '}':
			depth--
		}
	}
	for _, m := range spreadName.FindAllStringSubmatch(text[:end], -1) {
		if !known[m[1]] {
			return false
		}
	}
	return true
}

var spreadName = lazy.New(`\.\.\.\s*([\w$.]*)`)

// importedDocument is the import of a Markdown document.
var importedDocument = lazy.New(`(?m)^import\s[^\n]*?\sfrom\s+['"]([^'"\n]+\.(?:mdx?|markdown|mdoc))['"]`)

// An importer finds the documents that documents import.
type importer struct {
	alias lazy.Value[map[string]string] // see aliases
}

// partsIn returns the documents that a page, or a document that it imports, imports.
func (g *importer) partsIn(s *Site, p *Page, file string, text []byte) (files []string) {
	if !bytes.Contains(text, []byte("import ")) || !bytes.Contains(text, []byte(".md")) {
		return nil
	}
	for _, m := range importedDocument.FindAllSubmatch(text, maxComponents) {
		to := g.imported(s, file, string(m[1]))
		if to == "" {
			s.open[p.File] = true
			continue
		}
		files = append(files, to)
	}
	return files
}

// imported returns the file that a module imports by a name, "" if it is none of the project.
func (g *importer) imported(s *Site, file, name string) string {
	to := ""
	switch {
	case strings.HasPrefix(name, "."):
		to = path.Join(path.Dir(file), name)
	case strings.HasPrefix(name, "/"):
		to = s.Dir + name
	default:
		for alias, dir := range g.aliases(s) {
			if rest, ok := strings.CutPrefix(name, alias); ok {
				to = path.Join(s.Dir, dir, rest)
			}
		}
	}
	if to == "" || !below(to, s.tree.root) || !s.tree.isFile(to) {
		return ""
	}
	return to
}

// aliases returns the prefixes of names of modules, and the directories that they stand for, that
// tsconfig.json has.
func (g *importer) aliases(s *Site) map[string]string {
	return g.alias.Get(func() map[string]string {
		alias := map[string]string{}
		options := s.tree.read(s.Dir + "/tsconfig.json").get("compilerOptions")
		for _, e := range options.get("paths").Entries {
			to := value{e.Value}
			if to.Kind == literal.List {
				to = to.at(0)
			}
			from, isTree := strings.CutSuffix(e.Key, "*")
			if dir, ok := strings.CutSuffix(to.text(""), "*"); ok && isTree {
				alias[from] = path.Join(options.get("baseUrl").text("."), dir)
			}
		}
		return alias
	})
}
