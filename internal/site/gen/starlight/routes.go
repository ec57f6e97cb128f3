package starlight

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

var (
	packageImport = lazy.New(`(?m)(?:^|[\s;}])(?:from|import)\s*\(?\s*['"]([^'"\n]+)['"]`)
	anyLoader     = lazy.New(`\bloader\s*:`)
	docsLoader    = lazy.New(`\bdocs\s*:\s*defineCollection\s*\(\s*\{\s*(?:loader\s*:\s*docsLoader\s*\(\s*\)|schema\s*:|type\s*:)`)
	environment   = lazy.New(`^(?:\w+=(?:'[^']*'|"[^"]*"|\S*)\s+)+`)
)

// routelessPackages are beginnings of the names of packages of a configuration of Astro that make no pages,
// except for files that every host or generator makes.
var routelessPackages = strings.Fields(`astro @astrojs/ node: vite @vitejs/ rehype remark unified unist hast mdast @expressive-code/
	expressive-code shiki @shikijs/ tailwindcss @tailwindcss/ unocss sharp fs path url @types/
	starlight-links-validator starlight-image-zoom starlight-llms-txt starlight-theme- starlight-heading-badges
	starlight-sidebar- starlight-package-managers starlight-auto-sidebar starlight-scroll-to-top starlight-kbd starlight-giscus
	starlight-ion-theme starlight-contextual-menu starlight-page-actions starlight-fullview-mode starlight-utils`)

// routedPackages are packages that make pages, with the beginnings of their default URLs; pluginRoutes
// finds those that options set. The posts of a blog are documents.
var routedPackages = map[string]string{
	"starlight-blog":       "/blog/tags/ /blog/authors/ /blog/rss.xml /blog/1/ /blog/2/ /blog/3/ /blog/4/ /blog/5/",
	"@lunariajs/starlight": "/lunaria/", "starlight-typedoc": "/api/", "starlight-tags": "/tags/",
	"starlight-openapi": "", "starlight-changelogs": "",
}

// closes finds whether all routes are known: every package that the configuration imports is, the
// collection of documents is read from its directory, and the build runs nothing but Astro. Then a link to
// any other page is broken.
func (g *model) closes(s *site.Site, d *source.Dir, text, src string) {
	for _, m := range packageImport.FindAllStringSubmatch(text, -1) {
		s.Made = append(s.Made, strings.Fields(routedPackages[m[1]])...)
		if m[1] == "starlight-blog" {
			s.Routeless = append(s.Routeless, "/blog/")
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
			file := d.Tree.ModuleFile(path.Join(d.Path, name))
			if strings.Contains(name, "node_modules/") && strings.HasSuffix(name, ".json") {
				continue
			}
			if file == "" || bytes.Contains(d.Tree.Config(file), []byte("injectRoute")) {
				return
			}
		case !slices.ContainsFunc(routelessPackages, func(known string) bool { return strings.HasPrefix(name, known) }):
			return
		}
	}
	s.Known, s.Generates = site.ClosedRoutes, g.hasUnknown
}

// readsDirectory reports whether the collection of documents has nothing but its directory.
func (g *model) readsDirectory(d *source.Dir, src string) bool {
	text, ok := collectionConfig(d, src)
	return !ok || docsLoader.Match(text) // the former as Starlight did it before there were loaders
}

// hasLoader reports whether the collection of documents has a loader. A file without one has none, as Astro
// read collections before version 5.
func (g *model) hasLoader(d *source.Dir, src string) bool {
	text, ok := collectionConfig(d, src)
	return ok && anyLoader.Match(text)
}

// collectionConfig returns the file that says which collections there are.
func collectionConfig(d *source.Dir, src string) (text []byte, ok bool) {
	for _, name := range collectionConfigs {
		if file, ok := d.Inside(path.Join(src, name)); ok && d.Tree.IsFile(file) {
			return d.Tree.Config(file), true
		}
	}
	return nil, false
}

// collectionConfigs are the files that say which collections there are.
var collectionConfigs = []string{"content.config.ts", "content.config.mjs", "content.config.js", "content/config.ts"}

// runsOnlyAstro reports whether the build script of the package makes nothing but the site.
func runsOnlyAstro(d *source.Dir) bool {
	script := d.Tree.Read(d.In("package.json")).Lookup("scripts", "build").Or("")
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
	return source.SpreadsOnly(text[:end], known)
}
