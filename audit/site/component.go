package site

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/lazy"
)

var (
	componentImport = finder{lazy.New(`^import\s+[^'"\n;]*?\bfrom\s+['"]([^'"\n]+)['"]`), "import", isWordStart, endOfImport}
	componentTag    = lazy.New(`<[A-Z][\w.]*[\s/>]`)
	markdownHeading = lazy.New(`(?m)^ {0,3}#{1,6}\s|^(?:=+|-+)\s*$|<h[1-6][\s>]`)
	computedID      = lazy.New(`[\s"](?::id=|v-bind:id=|id=\{)`)
)

// maxComponents limits how many components of one page are read.
const maxComponents = 32

// MakesIDs reports whether components may add ids to a page that are in no source: the page consists
// of components, or a component that it imports computes ids, or it imports a document that is not in the
// repository.
func (s *Site) MakesIDs(file string) bool {
	if !s.hasComponents {
		return false
	}
	return s.idMakers.Get(file, s.makesIDs)
}

func (s *Site) makesIDs(file string) bool {
	text := s.tree.text(file, maxPage)
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
	for _, name := range componentImport.find(body, maxComponents) {
		if isMarkdownSuffix(name) {
			hasParts = true
			if s.isElsewhere(file, name) {
				return true
			}
		}
		if name = s.componentFile(file, name); name != "" && computedID.Match(s.tree.text(name, maxConfig)) {
			return true
		}
	}
	return !hasParts && !markdownHeading.Match(body)
}

// componentHasID reports whether a component that a page imports contains an id.
func (s *Site) componentHasID(file, id string) bool {
	if !s.hasComponents {
		return false
	}
	attribute := []byte(`id="` + id + `"`)
	return slices.ContainsFunc(componentImport.find(s.tree.text(file, maxPage), maxComponents), func(name string) bool {
		name = s.componentFile(file, name)
		return name != "" && bytes.Contains(s.tree.text(name, maxConfig), attribute)
	})
}

// isElsewhere reports whether a document that a page imports is not in the repository: it is part of a
// package, or a build makes it.
func (s *Site) isElsewhere(page, name string) bool {
	name = strings.ReplaceAll(name, "\\", "")
	if slices.ContainsFunc(s.shows[page], func(part string) bool { return path.Base(part) == path.Base(name) }) {
		return false
	}
	switch rest, ok := strings.CutPrefix(name, "@site/"); {
	case ok:
		name = path.Join(s.Dir, rest)
	case strings.HasPrefix(name, "."):
		name = path.Join(path.Dir(page), name)
	default:
		return !strings.HasPrefix(name, "/")
	}
	return below(name, s.tree.root) && !s.tree.isFile(name)
}

// componentFile returns the file of a component that a page imports, or "".
func (s *Site) componentFile(page, name string) string {
	switch rest, ok := strings.CutPrefix(name, "@site/"); {
	case ok:
		name = path.Join(s.Dir, rest)
	case strings.HasPrefix(name, "."):
		name = path.Join(path.Dir(page), name)
	default:
		return ""
	}
	for _, suffix := range []string{"", ".tsx", ".jsx", ".js", ".ts", "/index.tsx", "/index.jsx", "/index.js"} {
		if file := name + suffix; below(file, s.tree.root) && s.tree.isFile(file) && !isMarkdownSuffix(file) {
			return file
		}
	}
	return ""
}

// links lists components that lead directly to the values of their attributes.
var links = strings.Fields("a link navlink linkcard linkbutton card vpbutton vplink router-link routerlink img image themedimage video source audio iframe")

// maybeChanged adds a note to the candidates for an attribute of a component that they may be wrong,
// since components may add a prefix to a relative reference.
func maybeChanged(r *reference, all []candidate) []candidate {
	name, _, _ := strings.Cut(r.in, "/")
	if r.isRooted() || r.path == "" || r.form != Component || slices.Contains(links, strings.ToLower(name)) {
		return all
	}
	return append(all, candidate{unknown: "a component may change the reference"})
}
