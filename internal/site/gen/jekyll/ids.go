package jekyll

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

// layoutIDs are the ids in the layouts of a page, and in what these include.
type layoutIDs struct {
	plain    map[string]bool
	patterns []*regexp.Regexp // with templates in them
	isOpen   bool             // others may be there
}

var (
	layoutInclude   = lazy.New(`^\{%-?\s*include(?:_cached)?\s+["']?([^\s"'%{}]+)([^%]*)`)
	layoutID        = lazy.New(`\sid=(?:"([^"]+)"|'([^']+)')`) // behind a quote, it is an argument of split
	includeID       = lazy.New(`^\{\{-?\s*include\.([\w-]+)\s*-?\}\}$`)
	includeArgument = lazy.New(`\s([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|(\S))`)
	// pageID matches an id that is a value of the page, or a slug of it.
	pageID = lazy.New(`^\{\{-?\s*page\.([\w-]+)\s*(?:\|\s*(slugify|downcase)\s*)?-?\}\}$`)
)

// maxTemplates limits the ids with templates, and the arguments of includes, that are looked at around a
// page. With more, any id may be there.
const maxTemplates = 200

// MakesID reports whether a layout of a page, or a file that it includes, may have an id.
func (g *model) MakesID(s *site.Site, file, id string) bool {
	ids := g.ids.Get(file, func(file string) *layoutIDs { return g.readLayouts(s, file) })
	return ids.isOpen || ids.plain[id] || slices.ContainsFunc(ids.patterns, func(re *regexp.Regexp) bool { return re.MatchString(id) })
}

// readLayouts reads the layouts of a page. A layout that is not in the tree, but in a theme, has no ids
// that pages refer to.
func (g *model) readLayouts(s *site.Site, file string) *layoutIDs {
	const (
		maxLayouts = 8
		maxParts   = 200
	)
	ids := &layoutIDs{plain: map[string]bool{}}
	p := s.ByFile[file]
	if p == nil {
		return ids
	}
	dir := s.Mounts[len(s.Mounts)-1].Dir
	var queue []string
	layout := cmp.Or(p.Front.Lookup("layout").Or(""), g.defaultOf(p, "layout"))
	for range maxLayouts {
		in := path.Join(dir, "_layouts", layout) + ".html"
		if layout == "" || !source.Below(in, s.Tree.Root) || !s.Tree.IsFile(in) {
			break
		}
		queue = append(queue, in)
		layout = source.FrontMatter(s.Tree.Text(in, source.MaxPage)).Lookup("layout").Or("")
	}
	seen, arguments := map[string]bool{}, map[string]bool{}
	var tags strings.Builder
	for i := 0; i < len(queue) && i < maxParts; i++ {
		if seen[queue[i]] {
			continue
		}
		seen[queue[i]] = true
		text := s.Tree.Text(queue[i], source.MaxPage)
		for m := range source.MatchesIn(text, layoutID, "id=") {
			if id := string(m[1]) + string(m[2]); includeID.MatchString(id) {
				arguments[includeID.FindStringSubmatch(id)[1]] = true
			} else {
				ids.add(g, p, id)
			}
		}
		for m := range source.MatchesAt(text, "{%", layoutInclude) {
			tags.Write(m[2])
			if part := path.Join(dir, "_includes", string(m[1])); source.Below(part, s.Tree.Root) && s.Tree.IsFile(part) {
				queue = append(queue, part)
			}
		}
	}
	given := includeArgument.FindAllStringSubmatch(tags.String(), maxTemplates)
	ids.isOpen = ids.isOpen || len(given) == maxTemplates && len(arguments) > 0
	for _, m := range given {
		if arguments[m[1]] {
			ids.isOpen = ids.isOpen || m[4] != "" // a variable
			ids.plain[m[2]+m[3]] = true
		}
	}
	return ids
}

// add adds an id that a layout of a page has.
func (ids *layoutIDs) add(g *model, p *site.Page, id string) {
	if !strings.Contains(id, "{{") && !strings.Contains(id, "{%") {
		ids.plain[id] = true
		return
	}
	if m := pageID.FindStringSubmatch(id); m != nil {
		v := cmp.Or(p.Front.Lookup(m[1]).Or(""), g.defaultOf(p, m[1]))
		switch m[2] {
		case "slugify":
			v = slugOf(v)
		case "downcase":
			v = strings.ToLower(v)
		}
		ids.plain[v] = true
		return
	}
	if len(ids.patterns) == maxTemplates {
		ids.isOpen = true
		return
	}
	re := site.TemplatedID(id)
	if re == nil {
		ids.isOpen = true
		return
	}
	ids.patterns = append(ids.patterns, re)
}
