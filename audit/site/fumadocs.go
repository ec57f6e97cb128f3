package site

import (
	"path"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
)

var (
	fumadocsDir     = lazy.New(`\b(\w+)\s*=\s*define(?:Docs|Collections)\s*\(\s*\{[^{}]*?\bdir\s*:\s*["'\x60]([^"'\x60$]+)["'\x60]`)
	fumadocsDefault = lazy.New(`\b(\w+)\s*=\s*defineDocs\s*\(`)
	fumadocsLoader  = lazy.New(`\bloader\s*\(`)
	fumadocsBase    = lazy.New(`\bbaseUrl\s*:\s*["'\x60]([^"'\x60$]*)["'\x60]`)
	fumadocsName    = lazy.New(`[\s:(,](\w+)`)
	fumadocsChange  = lazy.New(`\b(?:url|slugs|i18n)\b\s*[:(,}]`)
)

// maxCollections is the number of collections of a site that are read: each costs every reference a look.
const maxCollections = 100

// A fumadocs is a site of Fumadocs on Next.js.
type fumadocs struct {
	hasSlash bool // URLs of pages end in a slash
	// resolvesSources says that the application uses the component that resolves "./x.mdx".
	resolvesSources bool
}

// findFumadocs finds a site by source.config.*. The directories of documents are in this file, and their URLs in calls
// of loader.
func findFumadocs(d *directory) []*Site {
	name := d.firstScript("source.config")
	if name == "" {
		return nil
	}
	s := d.newSite("Fumadocs", name)
	g := &fumadocs{}
	if next := d.firstScript("next.config"); next != "" {
		_, conf := d.tree.readScript(d.in(next))
		s.setBase(conf.get("basePath").text("/"))
		s.IsBaseKnown = !conf.get("basePath").isUnknown() && !conf.isUnknown()
		g.hasSlash = conf.get("trailingSlash").isTrue(false)
	}
	s.Slug, s.Dialect, s.mdx = slug.Docusaurus, markdown.Fumadocs, markdown.FumadocsMDX
	s.slash, s.readsFront, s.hasComponents, s.knowsParts = slashIgnored, true, true, true
	s.suffixes = []string{".mdx", ".md"}
	s.Mounts = append(s.Mounts, &Mount{Dir: d.in("public"), URL: "/", Kind: Static})
	g.mounts(s, d, string(d.tree.config(d.in(name))))
	if len(s.Mounts) == 1 {
		return nil
	}
	s.route = g.route
	s.finish = func(s *Site) { nextRoutes(s, d) }
	s.table[Markdown] = []step{g.link}
	s.table[Image] = []step{g.image}
	s.table[HTML] = []step{byURL}
	s.table[Component] = []step{g.component}
	s.partsIn = includedParts
	return []*Site{s}
}

// firstScript returns the name of the first script with a stem in the directory, or "".
func (d *directory) firstScript(stem string) string {
	for _, ext := range scriptSuffixes {
		if name := d.first(stem + "." + ext); name != "" {
			return name
		}
	}
	return ""
}

// mounts adds the directories of documents. If no call of loader in the usual files says where one is published, its URLs
// are unknown: code shows its documents.
func (g *fumadocs) mounts(s *Site, d *directory, config string) {
	dirs := map[string]string{} // by the name of the collection
	for _, m := range fumadocsDefault.FindAllStringSubmatch(config, maxCollections) {
		dirs[m[1]] = "content/docs"
	}
	for _, m := range fumadocsDir.FindAllStringSubmatch(config, maxCollections) {
		dirs[m[1]] = m[2]
	}
	bases := map[string]string{}
	for _, file := range []string{"lib/source.ts", "lib/source.tsx", "lib/source/index.ts", "lib/source/index.tsx", "app/source.ts", "source.ts"} {
		for _, src := range []string{"", "src/"} {
			g.loaders(string(d.tree.config(d.in(src+file))), dirs, bases)
		}
	}
	for _, name := range sortedKeys(dirs) {
		dir, ok := d.inside(dirs[name])
		if !ok || !d.tree.isDir(dir) {
			continue
		}
		base, isKnown := bases[name]
		m := &Mount{Dir: dir, URL: "/" + strings.Trim(base, "/") + "/", Kind: Pages}
		if m.URL == "//" {
			m.URL = "/"
		}
		if !isKnown {
			m.Name = "content"
		}
		s.Mounts = append(s.Mounts, m)
	}
	for _, file := range []string{"mdx-components.tsx", "components/mdx.tsx", "src/mdx-components.tsx", "src/components/mdx.tsx", "app/docs/[[...slug]]/page.tsx", "src/app/docs/[[...slug]]/page.tsx"} {
		g.resolvesSources = g.resolvesSources || strings.Contains(string(d.tree.config(d.in(file))), "createRelativeLink")
	}
}

// loaders finds the calls of loader in a script that publish a collection under a literal URL, and change no URL of a
// page.
func (g *fumadocs) loaders(text string, dirs, bases map[string]string) {
	for _, at := range fumadocsLoader.FindAllStringIndex(text, maxCollections) {
		call := callAt(text[at[1]-1:])
		base := fumadocsBase.FindStringSubmatch(call)
		if base == nil || fumadocsChange.MatchString(call) {
			continue
		}
		for _, m := range fumadocsName.FindAllStringSubmatch(call, -1) {
			if _, isCollection := dirs[m[1]]; isCollection {
				bases[m[1]] = base[1]
			}
		}
	}
}

// callAt returns the arguments of a call in parentheses, at the start of a script.
func callAt(text string) string {
	const longest = 10_000
	depth := 0
	for i := range min(len(text), longest) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return text[:i]
			}
		}
	}
	return ""
}

// route publishes a document below the URL of its collection, without the names of groups in parentheses.
func (g *fumadocs) route(_ *Site, p *Page) {
	if p.Mount.Name == "content" {
		return
	}
	var names []string
	for name := range strings.SplitSeq(strings.TrimSuffix(p.Rel, path.Ext(p.Rel)), "/") {
		if !(strings.HasPrefix(name, "(") && strings.HasSuffix(name, ")")) {
			names = append(names, name)
		}
	}
	if last := len(names) - 1; last >= 0 && names[last] == "index" {
		names = names[:last]
	}
	u := path.Join(p.Mount.URL, strings.Join(names, "/"))
	if g.hasSlash && u != "/" {
		u += "/"
	}
	p.Routes = []string{u}
}

// link resolves a link, which is one of Next.js: "/x" is below its base path.
func (g *fumadocs) link(s *Site, r *reference) []candidate {
	all := byURLWithBase(s, r)
	if g.resolvesSources && isMarkdownSuffix(r.path) && strings.HasPrefix(r.path, ".") {
		all = append(bySource(s, r), all...)
	}
	return all
}

// image resolves an image, which is imported: "/x" is in the public directory.
func (g *fumadocs) image(s *Site, r *reference) []candidate {
	if r.isRooted() {
		return byURLWithBase(s, r)
	}
	return byAsset(s, r)
}

func (g *fumadocs) component(s *Site, r *reference) []candidate {
	return maybeChanged(r, g.link(s, r))
}

// includeTag matches the element that includes a document.
var includeTag = lazy.New(`<include[^>\n]*>\s*([^<>\s#]+)[^<>\n]*</include>`)

// includedParts returns the documents that <include> elements of a document include.
func includedParts(s *Site, _ *Page, file string, text []byte) (files []string) {
	for m := range matchesIn(text, "<include", includeTag) {
		if to := path.Join(path.Dir(file), string(m[1])); below(to, s.tree.root) {
			files = append(files, to)
		}
	}
	return files
}
