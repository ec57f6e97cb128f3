package site

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site/source"
)

var (
	componentImport = source.Pattern{Regexp: lazy.New(`^import\s+[^'"\n;]*?\bfrom\s+['"]([^'"\n]+)['"]`), Word: "import", IsStart: source.IsWordStart, End: source.EndOfImport}
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

// makesIDs reports whether components may add ids to the page that are in no source: it consists of components, or a
// component that it imports computes ids, or it imports a document that is not in the repository.
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
	for _, name := range componentImport.Find(body, MaxComponents) {
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

// hasID reports whether a component that the page imports contains an id.
func (s componentPage) hasID(id string) bool {
	if !s.Components {
		return false
	}
	attribute := []byte(`id="` + id + `"`)
	return slices.ContainsFunc(componentImport.Find(s.Tree.Text(s.file, source.MaxPage), MaxComponents), func(name string) bool {
		name = s.componentFile(name)
		return name != "" && bytes.Contains(s.Tree.Text(name, source.MaxConfig), attribute)
	})
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
func (s componentPage) path(name string) string {
	switch rest, ok := strings.CutPrefix(name, "@site/"); {
	case ok:
		return path.Join(s.Dir, rest)
	case strings.HasPrefix(name, "."):
		return path.Join(path.Dir(s.file), name)
	}
	return ""
}

// componentFile returns the file of a component that the page imports, or "".
func (s componentPage) componentFile(name string) string {
	if name = s.path(name); name == "" {
		return ""
	}
	for _, suffix := range []string{"", ".tsx", ".jsx", ".js", ".ts", "/index.tsx", "/index.jsx", "/index.js"} {
		if file := name + suffix; source.Below(file, s.Tree.Root) && s.Tree.IsFile(file) && !source.IsMarkdown(file) {
			return file
		}
	}
	return ""
}

// links lists components that lead directly to the values of their attributes.
var links = strings.Fields("a link navlink linkcard linkbutton card vpbutton vplink router-link routerlink img image themedimage video source audio iframe")

// MaybeChanged adds a note to the candidates for an attribute of a component that they may be wrong,
// since components may add a prefix to a relative reference.
func MaybeChanged(r *Reference, all []Candidate) []Candidate {
	name, _, _ := strings.Cut(r.In, "/")
	if r.IsRooted() || r.Path == "" || r.Form != Component || slices.Contains(links, strings.ToLower(name)) {
		return all
	}
	return append(all, Candidate{Unknown: componentChangesLink})
}

// Reasons.
var (
	componentChangesLink = reason.New("component-changes-link", "a component may change the reference")
)
