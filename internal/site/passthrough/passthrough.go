// Package passthrough finds which properties of a project's own components become links: those that the
// source of a component passes on to an a, an img, a Link or the like. An audit checks them in addition to
// those that components take by convention (href, src, to, link, url).
//
// The sources are JSX, TSX, Vue, Svelte and Astro. They are read as text, not executed. A property that
// reaches an element in another way than by its own name, in an object that is spread, or through more than
// one variable, is not found.
package passthrough

import (
	"bytes"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

// Bounds of what is read for one site.
const (
	maxRegistered = 2000 // components that pages need not import
	maxDepth      = 4    // components within components, and modules that only export what others have
	maxTags       = 4000 // of a page: later ones are not looked at
)

// A pageKey is the path of a page, for source.Memo.
type pageKey string

// Keys of source.Derived.
type (
	usedKey    struct{}                   // the components in a text
	importsKey struct{}                   // what it imports
	partKey    struct{ ext, name string } // what declares an export
)

// importsOf is importsOf for the text of a file. The caller must not change the map.
func (r reader) importsOf(text []byte) map[string]imported {
	return source.Derived(r.Tree, text, importsKey{}, func() map[string]imported { return importsOf(text) })
}

// In returns the properties of the components on a page of a site that become links, as
// markdown.Dialect.Properties has them, or "". Only components of the repository that the page imports
// count, and those that the site registers for all pages.
func In(s *site.Site, file string) string {
	if !hasComponents(s, file) {
		return ""
	}
	return source.Memo(s.Tree, pageKey(file), func() string {
		text := s.Tree.Text(file, source.MaxPage)
		used := source.Derived(s.Tree, text, usedKey{}, func() []string { return componentsIn(text) })
		if len(used) == 0 {
			return ""
		}
		r := reader{s}
		local := r.importsOf(text)
		var words []string
		for _, name := range used {
			c, ok := r.component(file, local, name)
			if !ok {
				continue
			}
			for _, p := range r.properties(c, 0) {
				words = append(words, name+"/"+p.name+":"+p.use)
			}
		}
		slices.Sort(words)
		return strings.Join(slices.Compact(words), " ")
	})
}

// hasComponents reports whether a page may have components: it is Markdown with them, a page of Astro, or
// one that a module of JSX makes.
func hasComponents(s *site.Site, file string) bool {
	if d := s.DialectOf(file); d.MDX || d.MDC || d.Vue {
		return true
	}
	if site.TemplateTypes[path.Ext(file)] == "" {
		return false
	}
	switch s.MarkupType(file) {
	case site.AstroType, site.JSXType:
		return true
	}
	return false
}

// componentsIn returns the names of components in the text of a page, each once, in order: those of tags of
// MDX and Vue (<Card, <my-card), and possible ones of MDC (:card, ::card). An expression for them takes ten
// times as long.
func componentsIn(text []byte) (names []string) {
	seen := map[string]bool{}
	n := 0
	for at := range marks(text, '<') {
		if n += addName(seen, tagName(text[at+1:])); n == maxTags {
			break
		}
	}
	n = 0
	for at := range marks(text, ':') {
		isBlock := at > 0 && text[at-1] == ':'
		if !isBlock && at > 0 && !ascii.IsSpace(text[at-1]) && text[at-1] != '>' && text[at-1] != '[' {
			continue // most colons
		}
		if n += addName(seen, wordOf(text[at+1:])); n == maxTags {
			break
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// addName adds a name, and returns 1, unless it is empty.
func addName(names map[string]bool, name []byte) int {
	if len(name) == 0 {
		return 0
	}
	names[string(name)] = true
	return 1
}

// marks yields where a byte is.
func marks(text []byte, mark byte) iter.Seq[int] {
	return func(yield func(int) bool) {
		for at := 0; ; at++ {
			i := bytes.IndexByte(text[at:], mark)
			if i < 0 || !yield(at+i) {
				return
			}
			at += i
		}
	}
}

// tagName returns the name of a component that s begins with, or nil: one that begins with a capital
// letter, or has a hyphen.
func tagName(s []byte) []byte {
	if len(s) == 0 || !ascii.IsLetter(s[0]) {
		return nil
	}
	if s[0] >= 'a' {
		name := wordOf(s)
		if hyphen := bytes.IndexByte(name, '-'); hyphen < 0 || hyphen == len(name)-1 {
			return nil
		}
		return name
	}
	n := 1
	for n < len(s) && (isNameByte(s[n]) || s[n] == '.') {
		n++
	}
	return s[:n]
}

// wordOf returns the letters, digits, hyphens and underscores that s begins with, or nil if the first is no letter.
func wordOf(s []byte) []byte {
	if len(s) == 0 || !ascii.IsLetter(s[0]) {
		return nil
	}
	n := 1
	for n < len(s) && (isNameByte(s[n]) || s[n] == '-') {
		n++
	}
	return s[:n]
}

func isNameByte(c byte) bool { return ascii.IsAlnum(c) || c == '_' }

// A component is one that a module exports.
type component struct {
	file string
	name string // "default", or the name of the export
}

// A reader reads the components of a site.
type reader struct{ *site.Site }

// component returns the component that a name stands for in a file that has imports.
func (r reader) component(file string, local map[string]imported, name string) (c component, ok bool) {
	from, ok := local[name]
	if object, member, has := strings.Cut(name, "."); has && local[object].export == "*" {
		from, ok = imported{local[object].module, member}, true
	}
	if !ok {
		c, ok = r.registered()[foldName(name)]
		return c, ok
	}
	return r.imported(file, from)
}

// imported returns the component that a file imports. ok is false if it is not one of the repository.
func (r reader) imported(file string, from imported) (c component, ok bool) {
	at := site.ComponentFile(r.Site, site.ModulePath(r.Site, file, from.module))
	return component{at, from.export}, at != ""
}

// A registry is the directory of a site, for source.Memo.
type registry string

// registries are the modules that say which components all pages have, in the directory of a site, without
// suffixes: those of Docusaurus; of MDX in Next.js; of VitePress and VuePress.
var registries = strings.Fields("src/theme/MDXComponents src/theme/MDXComponents/index mdx-components src/mdx-components" +
	" .vitepress/theme/index .vuepress/client .vuepress/enhanceApp")

// componentDirs are the directories whose components all pages have: those of Nuxt and of VuePress.
var componentDirs = strings.Fields("components app/components .vuepress/components")

// registered returns the components that all pages of the site have, by their folded names.
func (r reader) registered() map[string]component {
	return source.Memo(r.Tree, registry(r.Dir), func() map[string]component {
		all := map[string]component{}
		for _, dir := range componentDirs {
			r.addDir(all, path.Join(r.Dir, dir))
		}
		for _, name := range registries {
			for _, suffix := range []string{".js", ".ts", ".jsx", ".tsx", ".mts", ".mjs"} {
				if file := path.Join(r.Dir, name+suffix); r.Tree.IsFile(file) {
					r.addModule(all, file)
				}
			}
		}
		return all
	})
}

// addDir adds the components in a directory: base/Button.vue is BaseButton or, where directories do not count, Button.
func (r reader) addDir(all map[string]component, dir string) {
	if !r.Tree.IsDir(dir) {
		return
	}
	r.Tree.Files(dir, func(string) bool { return false }, func(rel string) {
		stem, isVue := strings.CutSuffix(rel, ".vue")
		if !isVue || len(all) >= maxRegistered {
			return
		}
		stem = strings.TrimSuffix(stem, "/index")
		c := component{path.Join(dir, rel), "default"}
		all[foldName(path.Base(stem))] = c
		all[foldName(strings.ReplaceAll(strings.TrimPrefix(stem, "content/"), "/", ""))] = c
	})
}

var (
	// registration matches a call of Vue that registers a component: component('Name', Local), or with an import.
	registration = lazy.New(`\bcomponent\(\s*['"]([\w-]+)['"]\s*,\s*(?:(\w+)\s*[,)]|[^'"\n]{0,80}?\bimport\(\s*['"]([^'"\n]+)['"])`)
	// member matches a member of an object: Name: Local, or Name.
	member = lazy.New(`[{,]\s*['"]?([A-Za-z][\w-]*)['"]?\s*(?::\s*(\w+)\s*)?[,}]`)
)

// addModule adds the components that a module registers.
func (r reader) addModule(all map[string]component, file string) {
	text := r.Tree.Config(file)
	local := importsOf(text)
	add := func(name, of string) {
		if from, ok := local[of]; ok && len(all) < maxRegistered {
			if c, ok := r.imported(file, from); ok {
				all[foldName(name)] = c
			}
		}
	}
	for _, m := range registration.FindAllSubmatch(text, maxRegistered) {
		name := string(m[1])
		if m[3] != nil {
			local[name] = imported{string(m[3]), "default"}
			add(name, name)
			continue
		}
		add(name, string(m[2]))
	}
	for at := 0; at < len(text); {
		m := member.FindSubmatchIndex(text[at:])
		if m == nil {
			return
		}
		name := string(text[at+m[2] : at+m[3]])
		if m[4] < 0 {
			add(name, name)
		} else {
			add(name, string(text[at+m[4]:at+m[5]]))
		}
		at += m[1] - 1 // what ends one member begins the next
	}
}

// foldName returns the name of a component in lower case, without "-", "_" and ".".
func foldName(name string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "", ".", "").Replace(name))
}

// An imported name comes from a module.
type imported struct {
	module string
	export string // "default", "*" for all, or the name there
}

// importsOf returns what the modules that a text imports are called in it.
func importsOf(text []byte) map[string]imported {
	local := map[string]imported{}
	for i := range source.Imports(text) {
		if len(local) >= maxRegistered {
			break
		}
		addClause(local, i.Clause, i.Module)
	}
	return local
}

// addClause adds the names in the clause of an import: "Name, { A, B as C }" or "* as Name".
func addClause(local map[string]imported, clause, module string) {
	before, list, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(clause), "type "), "{")
	if all, ok := strings.CutPrefix(strings.TrimSpace(before), "*"); ok {
		if f := strings.Fields(all); len(f) == 2 && f[0] == "as" {
			local[f[1]] = imported{module, "*"}
		}
	} else if name := strings.Trim(before, " \t\r\n,"); name != "" && !strings.ContainsAny(name, " \t\r\n") {
		local[name] = imported{module, "default"}
	}
	for part := range strings.SplitSeq(strings.TrimRight(list, "} \t\r\n"), ",") {
		f := strings.Fields(part)
		switch {
		case len(f) == 1:
			local[f[0]] = imported{module, f[0]}
		case len(f) == 3 && f[1] == "as":
			local[f[2]] = imported{module, f[0]}
		}
	}
}

// export matches a module that exports what another has.
var export = lazy.New(`export\s+(?:\*(?:\s+as\s+(\w+))?|(?:type\s+)?\{([^{}]*)\})\s*from\s*['"]([^'"\n]+)['"]`)

// exported returns the component that a module exports under a name but takes from another module.
func (r reader) exported(c component, text []byte) (from component, ok bool) {
	all := export.FindAllSubmatch(text, maxRegistered)
	for _, isListed := range []bool{true, false} {
		for _, m := range all {
			name, has := c.name, !isListed && m[2] == nil && len(m[1]) == 0
			if isListed {
				name, has = listed(string(m[2]), c.name)
			}
			if !has {
				continue
			}
			file := site.ComponentFile(r.Site, site.ModulePath(r.Site, c.file, string(m[3])))
			if file != "" && (isListed || bytes.Contains(r.Tree.Config(file), []byte(name))) {
				return component{file, name}, true
			}
		}
	}
	return c, false
}

// listed returns the name of which a list "A, B as C" makes another name.
func listed(list, name string) (of string, ok bool) {
	for part := range strings.SplitSeq(list, ",") {
		f := strings.Fields(part)
		if len(f) > 0 && f[len(f)-1] == name && (len(f) == 1 || len(f) == 3 && f[1] == "as") {
			return f[0], true
		}
	}
	return "", false
}

// isWordByte reports whether a byte is part of a name in JavaScript.
func isWordByte(c byte) bool {
	return c == '_' || c == '$' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
