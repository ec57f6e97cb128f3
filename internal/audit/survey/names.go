package survey

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/publish"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/lazy"
)

// Many programs publish a document by its path, but leave out what only sorts or groups it, and the name of an index page:
// "src/routes/(docs)/(1)start/02-install/index.mdx" is "/start/install".
var (
	sortedName = lazy.New(`^(?:\([0-9]+\)|[0-9]+[.\-_])(.+)$`)
	groupName  = lazy.New(`^\([^()]*\)$`)
)

// pageNames lists the names of documents that stand for their directory.
var pageNames = []string{"index", "page", "+page", "_index", "README", "readme"}

// publicName returns the name in a URL of the directory or document name, or "" if URLs leave it out.
func publicName(name string, isDocument bool) string {
	if isDocument {
		name = strings.TrimSuffix(name, path.Ext(name))
	}
	if m := sortedName.FindStringSubmatch(name); m != nil {
		name = m[1]
	}
	if groupName.MatchString(name) || isDocument && slices.Contains(pageNames, name) {
		return ""
	}
	return name
}

// A namedDocument is a document with the names of its path from a directory.
type namedDocument struct {
	file   string
	names  []string // as in URLs
	places []int    // for each of them, its index among the names of the path
}

func nameDocument(top string, d *doc.Document) namedDocument {
	n := namedDocument{file: d.Path}
	segments := strings.Split(strings.TrimPrefix(d.Path, top+"/"), "/")
	for i, segment := range segments {
		if name := publicName(segment, i == len(segments)-1); name != "" {
			n.names, n.places = append(n.names, name), append(n.places, i)
		}
	}
	return n
}

// rootOf returns the directory from which a URL path leads to n, or false.
func (n *namedDocument) rootOf(top string, components []string) (root string, ok bool) {
	first := len(n.names) - len(components)
	if first < 0 || !slices.Equal(n.names[first:], components) {
		return "", false
	}
	root = top
	if first > 0 {
		segments := strings.Split(strings.TrimPrefix(n.file, top+"/"), "/")
		root = top + "/" + strings.Join(segments[:n.places[first-1]+1], "/")
	}
	return root, true
}

// learnNames infers the directory below which documents are published under their public names, from the paths that lead
// nowhere under s, and adds it to s.
func (a *Surveyor) learnNames(top string, s *publish.Serving, paths []*rootedPath) {
	const most = 100 // documents with one name
	byName, all := map[string][]namedDocument{}, []namedDocument{}
	for _, d := range a.Sorted {
		if !d.IsMarkdown() || d.Layout.Generated != nil || a.Boundary(d) != top {
			continue
		}
		n := nameDocument(top, d)
		all = append(all, n)
		if len(n.names) > 0 {
			last := n.names[len(n.names)-1]
			byName[last] = append(byName[last], n)
		}
	}
	votes, missing := map[string]int{}, 0
	for _, r := range paths {
		if a.isFound(s, r) {
			continue
		}
		missing += r.n
		named := byName[r.components[len(r.components)-1]]
		for _, n := range named[:min(len(named), most)] {
			if root, ok := n.rootOf(top, r.components); ok {
				votes[root] += r.n
			}
		}
	}
	best := ""
	for root, n := range votes {
		if best == "" || cmp.Or(cmp.Compare(n, votes[best]), cmp.Compare(len(best), len(root)), cmp.Compare(best, root)) > 0 {
			best = root
		}
	}
	if votes[best] < publish.MinRooted || 2*votes[best] < missing && votes[best] < minVotes {
		return
	}
	s.Files, s.Routes = map[string]string{}, map[string]string{}
	for i := range all {
		n := &all[i]
		if !tree.Below(n.file, best) {
			continue
		}
		skip := 0
		for skip < len(n.places) && n.places[skip] < strings.Count(best, "/")-strings.Count(top, "/") {
			skip++
		}
		route := strings.Join(n.names[skip:], "/")
		s.Routes[n.file] = route
		if s.Files[route] == "" {
			s.Files[route] = n.file
		}
	}
	if !slices.Contains(s.Roots, best) {
		s.Roots = append(slices.Clone(s.Roots), best)
	}
}
