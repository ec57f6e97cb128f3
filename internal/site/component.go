package site

import (
	"bytes"
	"iter"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/literal"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site/source"
)

var (
	componentTag    = lazy.New(`<[A-Z][\w.]*[\s/>]`)
	markdownHeading = lazy.New(`(?m)^ {0,3}#{1,6}\s|^(?:=+|-+)\s*$|<h[1-6][\s>]`)
	computedID      = lazy.New(`[\s"](?::id=|v-bind:id=|id=\{|v-html=|set:html=|dangerouslySetInnerHTML=)`)
)

// MaxComponents limits how many components of one page are read.
const MaxComponents = 32

// A componentPage is a page that may have components.
type componentPage struct {
	*Site
	file string
}

// makesIDs reports whether components may add ids to the page that are in no source. The page then consists
// of components, or a component that it imports computes ids, or it imports a document that is not in the
// repository.
func (s componentPage) makesIDs() bool {
	text := s.Tree.Text(s.file, source.MaxPage)
	if !componentTag.Match(text) {
		return false
	}
	body := text
	if rest, ok := bytes.CutPrefix(text, []byte("---")); ok {
		if end := bytes.Index(rest, []byte("\n---")); end >= 0 {
			body = rest[end+4:]
		}
	}
	hasParts := false
	for name := range modulesIn(body) {
		if source.IsMarkdown(name) {
			hasParts = true
			if s.isElsewhere(name) {
				return true
			}
		}
		if name = s.componentFile(name); name != "" && computedID.Match(s.Tree.Text(name, source.MaxConfig)) {
			return true
		}
	}
	return !hasParts && !markdownHeading.Match(body)
}

// modulesIn yields the names of the first modules that a page imports.
func modulesIn(text []byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		n := 0
		for i := range source.Imports(text) {
			if n++; n > MaxComponents || !yield(i.Module) {
				return
			}
		}
	}
}

// hasID reports whether a component that the page imports contains an id.
func (s componentPage) hasID(id string) bool {
	if !s.Components {
		return false
	}
	return source.Memo(s.Tree, componentIDsKey{s.Dir, s.file}, s.componentIDs)[id]
}

type componentIDsKey struct{ dir, file string } // of the site and of the page

// componentIDs returns the ids that the components that the page imports contain.
func (s componentPage) componentIDs() map[string]bool {
	ids := map[string]bool{}
	for name := range modulesIn(s.Tree.Text(s.file, source.MaxPage)) {
		file := s.componentFile(name)
		if file == "" {
			continue
		}
		for text := s.Tree.Text(file, source.MaxConfig); ; {
			_, after, ok := bytes.Cut(text, []byte(`id="`))
			if !ok {
				break
			}
			id, _, _ := bytes.Cut(after, []byte(`"`))
			ids[string(id)] = true
			text = after
		}
	}
	return ids
}

// isElsewhere reports whether a document that the page imports is not in the repository: it is part of a
// package, or a build makes it.
func (s componentPage) isElsewhere(name string) bool {
	name = strings.ReplaceAll(name, "\\", "")
	if slices.ContainsFunc(s.Shows[s.file], func(part string) bool { return path.Base(part) == path.Base(name) }) {
		return false
	}
	file := s.path(name)
	if file == "" {
		return !strings.HasPrefix(name, "/")
	}
	return source.Below(file, s.Tree.Root) && !s.Tree.IsFile(file)
}

// path returns the path of what the page imports by a name, or "" for a package.
func (s componentPage) path(name string) string { return ModulePath(s.Site, s.file, name) }

// componentFile returns the file of a component that the page imports, or "".
func (s componentPage) componentFile(name string) string { return ComponentFile(s.Site, s.path(name)) }

// ComponentFile returns the file of the module at a path that ModulePath has returned, or "".
func ComponentFile(s *Site, name string) string {
	if name == "" || !source.Below(name, s.Tree.Root) {
		return ""
	}
	for _, suffix := range []string{"", ".tsx", ".jsx", ".js", ".ts", ".vue", ".svelte", ".astro", "/index.tsx", "/index.jsx", "/index.js", "/index.ts"} {
		if file := name + suffix; s.Tree.IsFile(file) && !source.IsMarkdown(file) {
			return file
		}
	}
	return ""
}

// ModulePath returns the path of a module that a file of a site imports by a name, perhaps without a
// suffix, or "" for a package. Besides relative names it knows those from the root of the project, "@site/"
// of Docusaurus, "$lib/" of SvelteKit, and the prefixes in tsconfig.json or jsconfig.json beside the
// configuration.
func ModulePath(s *Site, file, name string) string {
	switch {
	case strings.HasPrefix(name, "."):
		return path.Join(path.Dir(file), name)
	case strings.HasPrefix(name, "/"): // Vite
		return s.Dir + name
	case strings.HasPrefix(name, "@site/"):
		return path.Join(s.Dir, name[len("@site/"):])
	case strings.HasPrefix(name, "$lib/"):
		return path.Join(s.Dir, "src", name[1:])
	}
	return aliased(s.Tree, s.Dir, name)
}

// AliasedPath returns the path that a name with a prefix of tsconfig.json or jsconfig.json stands for in a
// file of no site. It uses the nearest such file in a directory between that of the file and root. It
// returns "" if the name has no such prefix.
func (f *Finder) AliasedPath(file, name, root string) string {
	f.mu.Lock()
	t := f.treeOf(strings.TrimSuffix(root, "/"))
	f.mu.Unlock()
	for dir := path.Dir(file); source.Below(dir, t.Root); dir = path.Dir(dir) {
		for _, config := range compilerConfigs {
			if t.IsFile(path.Join(dir, config)) {
				return aliased(t, dir, name)
			}
		}
		if dir == t.Root || path.Dir(dir) == dir {
			break
		}
	}
	return ""
}

// aliased returns the path that a name with a prefix of the compiler's configuration in a directory stands for, or "".
func aliased(t *source.Tree, dir, name string) string {
	for _, a := range moduleAliases(t, dir) {
		if rest, ok := strings.CutPrefix(name, a.prefix); ok {
			return path.Join(dir, a.dir, rest)
		}
	}
	return ""
}

// compilerConfigs are the configurations of the compiler of TypeScript, and of editors for JavaScript.
var compilerConfigs = []string{"tsconfig.json", "jsconfig.json"}

// A moduleAlias is a prefix of names of modules, and the directory that it stands for, relative to that of the site.
type moduleAlias struct{ prefix, dir string }

type moduleAliasKey string // the directory of the configuration

// moduleAliases returns what "paths" of the compiler's options has, the longest prefix first.
func moduleAliases(t *source.Tree, dir string) []moduleAlias {
	return source.Memo(t, moduleAliasKey(dir), func() (all []moduleAlias) {
		for _, config := range compilerConfigs {
			options := t.Read(path.Join(dir, config)).Lookup("compilerOptions")
			for _, e := range options.Lookup("paths").Entries {
				to := source.Value{Value: e.Value}
				if to.Kind == literal.List {
					to = to.Item(0)
				}
				prefix, isTree := strings.CutSuffix(e.Key, "*")
				if dir, ok := strings.CutSuffix(to.Or(""), "*"); ok && isTree && prefix != "" {
					all = append(all, moduleAlias{prefix, path.Join(options.Lookup("baseUrl").Or("."), dir)})
				}
			}
		}
		slices.SortStableFunc(all, func(a, b moduleAlias) int { return len(b.prefix) - len(a.prefix) })
		return all
	})
}

// links lists components that lead directly to the values of their attributes.
var links = strings.Fields("a link navlink linkcard linkbutton card vpbutton vplink router-link routerlink img image themedimage video source audio iframe")

// MaybeChanged adds a note to the candidates for an attribute of a component that they may be wrong, since
// components may add a prefix to a relative reference.
func MaybeChanged(r *Reference, all []Candidate) []Candidate {
	name, _, _ := strings.Cut(r.In, "/")
	if r.IsRooted() || r.Path == "" || r.Form != Component || slices.Contains(links, strings.ToLower(name)) {
		return all
	}
	return append(all, Candidate{Unknown: componentChangesLink})
}

// Reasons.
var (
	componentChangesLink = reason.New(reason.Component, "component-changes-link", "a component may change the reference")
)
