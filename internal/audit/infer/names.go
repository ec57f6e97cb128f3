package infer

import (
	"cmp"
	"slices"
	"strings"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/publish"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/slash"
)

// Many programs publish a document by its path, but leave out what only sorts or groups it, and the name of
// an index page: "src/routes/(docs)/(1)start/02-install/index.mdx" is "/start/install".
var (
	sortedName = lazy.New(`^(?:\([0-9]+\)|[0-9]{4}-[0-9]{2}-[0-9]{2}-|[0-9]+[.\-_])(.+)$`)
	groupName  = lazy.New(`^\([^()]*\)$`)
)

// pageNames lists the names of documents that stand for their directory.
var pageNames = []string{"index", "page", "+page", "_index", "README", "readme"}

// publicName returns the name in a URL of the directory or document name, or "" if URLs leave it out.
func publicName(name string, isDocument bool) string {
	if isDocument {
		name = slash.Stem(name)
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

// nameDocument names a document. With dropsSorted, URLs leave out whole directories whose names begin with
// a number, unless an index page stands for them: "docs/20-core-concepts/10-routing.md" is "/docs/routing".
func nameDocument(top string, d *doc.Document, dropsSorted bool) namedDocument {
	n := namedDocument{file: d.Path}
	segments := strings.Split(strings.TrimPrefix(d.Path, top+"/"), "/")
	last := len(segments) - 1
	isIndex := publicName(segments[last], true) == ""
	for i, segment := range segments {
		isPage := i == last || isIndex && i == last-1
		if dropsSorted && !isPage && sortedName.MatchString(segment) {
			continue
		}
		if name := publicName(segment, i == last); name != "" {
			n.names, n.places = append(n.names, name), append(n.places, i)
		}
	}
	return n
}

// rootOf returns the directory from which a URL path points to n, or false.
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

// A naming is a way in which URLs name documents.
type naming struct {
	root        string // directory below which they are published
	prefix      string // of all URLs, with a slash at its end; "" for none
	dropsSorted bool   // see nameDocument
}

// deepestPrefix is the number of names that a prefix of URLs may have.
const deepestPrefix = 3

// compare orders namings: that with the fewest assumptions comes first.
func (n naming) compare(other naming) int {
	return cmp.Or(cmp.Compare(strings.Count(n.prefix, "/"), strings.Count(other.prefix, "/")), cmp.Compare(len(n.root), len(other.root)),
		cmp.Compare(n.root, other.root), cmp.Compare(n.prefix, other.prefix), cmp.Compare(boolInt(n.dropsSorted), boolInt(other.dropsSorted)))
}

func boolInt(is bool) int {
	if is {
		return 1
	}
	return 0
}

// A publicNames holds the public names of the documents below a boundary.
type publicNames struct {
	all         []namedDocument
	byName      map[string][]int // indexes in all, by the last name
	dropsSorted bool             // see nameDocument
}

// nameDocuments names the documents below a boundary that no known generator publishes.
func (a *Inference) nameDocuments(top string, dropsSorted bool) *publicNames {
	p := &publicNames{byName: map[string][]int{}, dropsSorted: dropsSorted}
	for _, d := range a.Sorted {
		if !d.IsMarkdown() || d.Layout.Generated != nil || a.Boundary(d) != top {
			continue
		}
		n := nameDocument(top, d, dropsSorted)
		if len(n.names) > 0 {
			last := n.names[len(n.names)-1]
			p.byName[last] = append(p.byName[last], len(p.all))
		}
		p.all = append(p.all, n)
	}
	return p
}

// vote calls add for each naming under which a document has the path.
func (p *publicNames) vote(top string, components []string, add func(naming)) {
	const most = 100 // documents with one name
	same := p.byName[components[len(components)-1]]
	for _, i := range same[:min(len(same), most)] {
		for skip := range min(deepestPrefix+1, len(components)) {
			if root, ok := p.all[i].rootOf(top, components[skip:]); ok {
				add(naming{root, prefixOf(components[:skip]), p.dropsSorted})
				break
			}
		}
	}
}

// addTo adds the routes that documents have under a naming to s, if they begin with a section: a path
// without a slash at its end, or "" for all. A route keeps the document that it has already.
func (p *publicNames) addTo(s *publish.Serving, top string, by naming, section string) {
	if s.Files == nil {
		s.Files, s.Routes = map[string]string{}, map[string]string{}
	}
	for i := range p.all {
		n := &p.all[i]
		if !tree.Below(n.file, by.root) {
			continue
		}
		skip := 0
		for skip < len(n.places) && n.places[skip] < strings.Count(by.root, "/")-strings.Count(top, "/") {
			skip++
		}
		route := by.prefix + strings.Join(n.names[skip:], "/")
		if section != "" && route != section && !strings.HasPrefix(route, section+"/") {
			continue
		}
		if s.Routes[n.file] == "" || section != "" {
			s.Routes[n.file] = route
		}
		if s.Files[route] == "" {
			s.Files[route] = n.file
		}
	}
}

// learnNames infers the directory below which documents are published under their public names, from the
// paths that are missing under s, and adds it to s. names has the documents, by whether URLs leave out
// sorted directories.
func (a *Inference) learnNames(top string, s *publish.Serving, paths []*rootedPath, names []*publicNames) {
	missing := map[string]int{} // references that point nowhere, by a prefix of their paths
	votes := map[naming]int{}
	for _, r := range paths {
		if a.isFound(s, r) {
			continue
		}
		for n := range min(deepestPrefix+1, len(r.components)) {
			missing[prefixOf(r.components[:n])] += r.n
		}
		for _, p := range names {
			p.vote(top, r.components, func(n naming) { votes[n] += r.n })
		}
	}
	enough := func(n naming) bool {
		return votes[n] >= publish.MinRooted && (2*votes[n] >= missing[""] || votes[n] >= minVotes)
	}
	best := bestNaming(votes, func(n naming) bool { return n.prefix == "" && !n.dropsSorted })
	if !enough(best) { // then URLs may be further from the paths of documents, if nearly all of them agree
		best = bestNaming(votes, func(n naming) bool { return 4*votes[n] >= 3*missing[n.prefix] })
	}
	if !enough(best) {
		return
	}
	names[boolInt(best.dropsSorted)].addTo(s, top, best, "")
	s.NamePrefix = best.prefix
	if !slices.Contains(s.Roots, best.root) {
		s.Roots = append(slices.Clone(s.Roots), best.root)
	}
}

// bestNaming returns the naming with the most votes among those that may be.
func bestNaming(votes map[naming]int, may func(naming) bool) (best naming) {
	isAny := false
	for n, count := range votes {
		if may(n) && (!isAny || cmp.Or(cmp.Compare(votes[best], count), n.compare(best)) < 0) {
			best, isAny = n, true
		}
	}
	return best
}

// prefixOf returns the prefix of URLs that begin with some names.
func prefixOf(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return strings.Join(names, "/") + "/"
}
