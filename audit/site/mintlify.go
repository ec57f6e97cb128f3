package site

import (
	"bytes"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/literal"
)

// A mintlify is a site of Mintlify. Its links are paths of pages from the root, or relative ones that begin with a dot.
type mintlify struct {
	dir    string
	config string
	api    []string                         // directories of pages that are made of descriptions of interfaces, with slashes at both ends
	hasAPI bool                             // there are such pages
	names  lazy.Map[string, map[string]int] // by file, how often it has titles of headings and components, by lettersOf them
}

// findMintlify finds a site by docs.json or mint.json with navigation.
func findMintlify(d *directory) []*Site {
	name := d.first("docs.json", "mint.json")
	if name == "" {
		return nil
	}
	conf := d.tree.read(d.in(name))
	if !conf.get("navigation").isGiven() || name == "docs.json" && !conf.get("theme").isGiven() && !strings.Contains(conf.get("$schema").text(""), "mintlify") {
		return nil
	}
	g := &mintlify{dir: d.dir, config: d.in(name), api: []string{"/api-reference/"}}
	g.findAPI(conf.Value, 0)
	s := d.newSite("Mintlify", name)
	s.Slug, s.Dialect = slug.Mintlify, markdown.Mintlify
	s.isLoose = true
	s.Mounts = []*Mount{{Dir: d.in("snippets"), URL: "/snippets/", Kind: Partial}}
	if ignored := d.tree.config(d.in(".mintignore")); ignored != nil {
		s.Mounts = append(s.Mounts, &Mount{Dir: d.dir, URL: "/", Kind: Hidden, Match: ignoreRules(string(ignored)), Why: "excluded by .mintignore"})
	}
	s.Mounts = append(s.Mounts, &Mount{Dir: d.dir, URL: "/", Kind: Pages})
	s.suffixes = []string{".mdx", ".md"}
	s.readsFront, s.copies, s.route = true, copyAll, g.route
	s.makesID, s.navigate = g.makesID, g.navigate
	s.partsIn, s.knowsParts = g.parts, true
	s.hasComponents = true
	for form := range s.table {
		s.table[form] = []step{g.link}
	}
	s.made = []string{"/mcp/", "/_mintlify/", "/authed/"}
	redirects := conf.get("redirects")
	if file, ok := d.inside(redirects.get("$ref").text("")); ok && file != d.dir {
		redirects = d.tree.read(file)
	}
	for _, r := range redirects.list() {
		from := cleanURL("/" + r.get("source").text(""))
		if i := strings.IndexAny(from, ":*"); i >= 0 {
			s.made = append(s.made, from[:i])
		} else {
			s.move(from, r.get("destination").text(""))
		}
	}
	return []*Site{s}
}

// findAPI finds where a configuration says that pages are made of descriptions of interfaces.
func (g *mintlify) findAPI(v literal.Value, depth int) {
	const deepest = 20
	if depth > deepest {
		return
	}
	for key, of := range v.All() {
		if key == "openapi" || key == "asyncapi" || key == "$ref" {
			g.hasAPI = true
			dir := value{of}.get("directory").text("")
			if dir != "" {
				g.api = append(g.api, "/"+strings.Trim(dir, "/")+"/")
			}
		}
		g.findAPI(of, depth+1)
	}
	for _, item := range v.Items {
		g.findAPI(item, depth+1)
	}
}

func (g *mintlify) route(s *Site, p *Page) {
	stem := "/" + strings.TrimSuffix(p.Rel, path.Ext(p.Rel))
	p.Routes = []string{stem}
	if dir, name := path.Split(stem); name == "index" || name == "README" {
		p.Also = []string{dir, strings.TrimSuffix(dir, "/")}
	}
	if u := p.front.get("url").text(""); u != "" {
		p.Why = "is a link to another page"
	}
}

// link resolves a path: from the root, or from the page if it begins with a dot. One that begins with a name may be either.
func (g *mintlify) link(s *Site, r *reference) (all []candidate) {
	p := strings.TrimSuffix(r.path, "/")
	switch {
	case r.path == "":
		return nil
	case strings.HasPrefix(r.path, "."):
		all = g.files(s, path.Join(r.pageDir(), p))
	case r.isRooted():
		all = g.files(s, path.Join(g.dir, p))
	default:
		all = append(g.files(s, path.Join(g.dir, p)), g.files(s, path.Join(r.pageDir(), p))...)
	}
	return append(all, g.others(s, r, all)...)
}

// files returns the files that a path without a suffix may mean.
func (g *mintlify) files(s *Site, file string) []candidate {
	if s.tree.isDir(file) && !s.tree.isFile(file+".mdx") && !s.tree.isFile(file+".md") && !s.tree.isFile(file+"/index.mdx") {
		return []candidate{{unknown: "a directory, whose first page is shown"}}
	}
	all := []candidate{fileCandidate(file)}
	if isMarkdownSuffix(file) || isAssetSuffix(path.Ext(file)) {
		return all
	}
	for _, end := range []string{".mdx", ".md", "/index.mdx", "/index.md", "/README.md"} {
		all = append(all, fileCandidate(file+end))
	}
	return all
}

// others returns what a path that no file has may lead to: a redirect, or a page of an interface.
func (g *mintlify) others(s *Site, r *reference, files []candidate) []candidate {
	if len(files) == 0 || files[0].File == "" {
		return nil
	}
	u := strings.TrimPrefix(files[0].File, g.dir)
	if !below(files[0].File, g.dir) {
		return []candidate{{unknown: "outside the site"}}
	}
	_, isMoved := s.redirected(u)
	isMade := slices.ContainsFunc(s.made, func(prefix string) bool { return strings.HasPrefix(u, prefix) || u+"/" == prefix })
	isOfAPI := g.hasAPI && path.Ext(u) == "" && (!s.tree.isDir(path.Dir(files[0].File)) || slices.ContainsFunc(g.api, func(dir string) bool { return strings.Contains(u+"/", dir) }))
	switch {
	case s.routes[u] != nil, isMoved:
		return []candidate{urlCandidate(u)}
	case isMade:
		return []candidate{{unknown: "is made at build time"}}
	case isOfAPI:
		return []candidate{{unknown: "the page may be generated from an API description"}}
	}
	return nil
}

var (
	mintImport = lazy.New(`^import\s[^'"\n;]*\bfrom\s+['"]([^'"\n]+\.mdx?)['"]`)
	mintTitle  = lazy.New(`\b(?:title|label|id|name|query|path|body|header)=\{?["']([^"'\n]*)["']`)
)

// parts returns the documents that a page imports.
func (g *mintlify) parts(s *Site, _ *Page, file string, text []byte) (files []string) {
	for m := range matchesAt(text, "import", mintImport) {
		name := path.Join(path.Dir(file), string(m[1]))
		if bytes.HasPrefix(m[1], []byte("/")) {
			name = g.dir + path.Clean(string(m[1]))
		}
		if below(name, s.tree.root) {
			files = append(files, name)
		}
	}
	return files
}

// makesID reports whether a component may have an id, or a heading that occurs twice has a number. The ids of a page that
// is generated from API descriptions are not known.
func (g *mintlify) makesID(s *Site, file, id string) bool {
	if p := s.pages[file]; p != nil && (p.front.get("openapi").isGiven() || p.front.get("asyncapi").isGiven() || p.front.get("api").isGiven()) {
		return true
	}
	names := g.names.Get(file, func(file string) map[string]int {
		names := map[string]int{}
		text := s.tree.text(file, maxPage)
		for _, re := range []*lazy.Regexp{mintTitle, zolaHeading} {
			for _, m := range re.FindAllSubmatch(text, -1) {
				name := lettersOf(string(m[1]))
				names[name]++
				names["param"+name]++
			}
		}
		return names
	})
	if names[lettersOf(id)] > 0 {
		return true
	}
	base := numberAtEnd.ReplaceAllString(id, "")
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

// navigate adds the pages and links of the navigation.
func (g *mintlify) navigate(s *Site, n *navigator) {
	use := Use{Page: &Page{File: g.config, Mount: n.pages(), Routes: []string{"/"}}, File: g.config}
	resolve := func(ref string) Result {
		if strings.Contains(ref, " ") { // GET /users
			return Result{State: Unknown, Why: "the page may be generated from an API description"}
		}
		return s.Resolve(use, Component, "nav/link", "/"+strings.TrimPrefix(ref, "/"))
	}
	var visit func(v literal.Value, depth int)
	visit = func(v literal.Value, depth int) {
		const deepest = 20
		for key, of := range v.All() {
			switch {
			case key == "href" || key == "root":
				n.add(g.config, "nav", of, resolve)
			case key == "pages":
				for _, page := range of.Items {
					n.add(g.config, "nav", page, resolve)
				}
			}
			if depth < deepest {
				visit(of, depth+1)
			}
		}
		for _, item := range v.Items {
			if depth < deepest {
				visit(item, depth+1)
			}
		}
	}
	visit(n.read(g.config).Get("navigation"), 0)
}
