package site

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/literal"
)

// This file has what the components of Antora in a repository know of each other: versions, aliases and URLs.

// contentSources is what the playbook at the root of a repository says about its components.
type contentSources struct {
	isAll     bool // the repository is the only source
	publishes func(dir string) bool
	hasStart  bool // a page is published as the start page of the site
}

// maxStartPaths limits the patterns of start paths. With more, every component counts as published.
const maxStartPaths = 200

// contentSources reads the playbook at the root of the repository.
func (t *tree) contentSources() contentSources {
	return t.antoraSources.Get(func() contentSources {
		conf := t.read(t.root + "/antora-playbook.yml")
		list := conf.get("content", "sources")
		sources := contentSources{publishes: func(string) bool { return true }, hasStart: conf.get("site", "start_page").isGiven()}
		if list.Kind != literal.List || list.Open || len(list.Items) == 0 {
			return sources
		}
		var patterns, except []string
		for _, source := range list.list() {
			if u := source.get("url").text(""); u != "." && u != "./" {
				return sources
			}
			for _, p := range startPaths(source) {
				if rest, ok := strings.CutPrefix(p, "!"); ok {
					except = append(except, strings.Trim(rest, "/"))
				} else {
					patterns = append(patterns, strings.Trim(p, "/"))
				}
			}
		}
		if len(patterns)+len(except) > maxStartPaths {
			return sources
		}
		sources.isAll = true
		in, out := anyGlob(patterns), anyGlob(except)
		var known lazy.Map[string, bool]
		sources.publishes = func(dir string) bool {
			return known.Get(dir, func(string) bool {
				rel := strings.TrimPrefix(strings.TrimPrefix(dir, t.root), "/")
				return in != nil && in(rel) && (out == nil || !out(rel))
			})
		}
		return sources
	})
}

// startPaths returns the patterns of the directories of components in a source. "" is the root.
func startPaths(source value) (all []string) {
	v := source.get("start_paths")
	switch {
	case v.Kind == literal.List:
		return v.texts()
	case !v.isGiven():
		return []string{source.get("start_path").text("")}
	}
	rest := v.text("")
	for {
		i := strings.Index(rest, ", ") // a comma in braces has no space behind it
		if i < 0 {
			return append(all, strings.TrimSpace(rest))
		}
		all, rest = append(all, strings.TrimSpace(rest[:i])), rest[i+1:]
	}
}

// versionOf returns the version in the description of a component. isKnown is false if it depends on the branch.
func versionOf(conf value) (version string, isKnown bool) {
	v := conf.get("version")
	switch {
	case v.Kind == literal.Number: // 1.10 is 1.1
		if f, err := strconv.ParseFloat(v.Text, 64); err == nil {
			return strconv.FormatFloat(f, 'f', -1, 64), true
		}
	case v.Kind == literal.Map, v.Kind == literal.Bool:
		return "", false
	case v.Kind == literal.Nil:
		return "", true
	}
	return v.text(""), true
}

// published returns the components in the repository that the playbook publishes, by name.
func (g *antora) published(s *Site, component string) (sites []*Site) {
	sources := s.tree.contentSources()
	for _, o := range s.around() {
		if o.antora != nil && o.antora.name == component && sources.publishes(o.Dir) {
			sites = append(sites, o)
		}
	}
	return sites
}

// hasVersions reports whether the repository has several versions of a component. If it has one, branches may have more.
func hasVersions(sites []*Site) bool {
	return slices.ContainsFunc(sites, func(o *Site) bool { return o.antora.version != sites[0].antora.version })
}

// latest returns the version that a resource id with a component, but without a version, means. ok is false if that
// version may be elsewhere.
func (g *antora) latest(s *Site, component string) (version string, ok bool) {
	sites := g.published(s, component)
	if !s.tree.contentSources().isAll || !hasVersions(sites) {
		return "", false
	}
	best := sites[0].antora
	for _, o := range sites {
		if !o.antora.knowsVersion {
			return "", false
		}
		if o.antora.isLaterThan(best) {
			best = o.antora
		}
	}
	return best.version, true
}

// isLaterThan reports whether g is a later version of the component than o. All prereleases are earlier than any release.
func (g *antora) isLaterThan(o *antora) bool {
	if g.isPrerelease != o.isPrerelease {
		return o.isPrerelease
	}
	return isLater(g.version, o.version)
}

// isLater reports whether Antora sorts one version before another: no version is the latest, then names, then numbers.
func isLater(a, b string) bool {
	if a == "" || b == "" {
		return a == "" && b != ""
	}
	na, preA, okA := versionParts(a)
	nb, preB, okB := versionParts(b)
	switch {
	case okA != okB:
		return okB
	case !okA:
		return compareNumbered(a, b) > 0
	}
	if c := slices.Compare(na[:], nb[:]); c != 0 {
		return c > 0
	}
	return preA == "" && preB != "" || preB != "" && compareNumbered(preA, preB) > 0
}

// compareNumbered compares texts, with runs of digits as numbers.
func compareNumbered(a, b string) int {
	isDigit := func(c rune) bool { return c >= '0' && c <= '9' }
	for a != "" && b != "" {
		restA, restB := strings.TrimLeftFunc(a, isDigit), strings.TrimLeftFunc(b, isDigit)
		if numberA, numberB := a[:len(a)-len(restA)], b[:len(b)-len(restB)]; numberA != "" && numberB != "" {
			numberA, numberB = strings.TrimLeft(numberA, "0"), strings.TrimLeft(numberB, "0")
			if c := cmp.Or(len(numberA)-len(numberB), strings.Compare(numberA, numberB)); c != 0 {
				return c
			}
			a, b = restA, restB
			continue
		}
		if a[0] != b[0] {
			return int(a[0]) - int(b[0])
		}
		a, b = a[1:], b[1:]
	}
	return len(a) - len(b)
}

// versionParts returns the numbers of a version, and what follows "-".
func versionParts(version string) (numbers [3]int, rest string, ok bool) {
	version = strings.TrimPrefix(version, "v")
	if version == "" || version[0] < '0' || version[0] > '9' {
		return numbers, "", false
	}
	version, rest, _ = strings.Cut(version, "-")
	for i, part := range strings.SplitN(version, ".", 4) {
		if i < len(numbers) {
			numbers[i], _ = strconv.Atoi(part)
		}
	}
	return numbers, rest, true
}

// foreignName is the name of an alias in another component or version. A version that is not given is "*".
func (id *resourceID) foreignName() string {
	version := id.version
	if !id.hasVersion {
		version = "*"
	}
	return version + "@" + id.component + ":" + id.module + ":" + withSuffix(id.path)
}

// addAliases adds the other names and URLs of a page.
func (g *antora) addAliases(s *Site, p *Page, list string) {
	for _, alias := range strings.Split(s.withAttributes(strings.ReplaceAll(list, "\\", " ")), ",") {
		id, ok := g.parse(s, strings.TrimSpace(alias), p.Mount.Name, "page")
		if !ok {
			continue
		}
		rel := withSuffix(id.path)
		if id.isOwn {
			p.Names = append(p.Names, id.module+":"+rel)
			p.Also = append(p.Also, g.url(id.module)+g.playbook.pageURL(rel))
			continue
		}
		p.Names, g.hasForeign = append(p.Names, id.foreignName()), true
		if id.hasVersion {
			p.Also = append(p.Also, componentURL(id.component, id.version, id.module)+g.playbook.pageURL(rel))
		}
	}
}

// aliases returns candidates for the pages of other components and versions that have a resource id as an alias.
func (g *antora) aliases(s *Site, id resourceID) (all []candidate) {
	if id.family != "page" {
		return nil
	}
	anyVersion := id
	anyVersion.hasVersion = false
	for _, o := range s.around() {
		if o.antora == nil || !o.antora.hasForeign {
			continue
		}
		for _, p := range append(slices.Clone(o.byName[id.foreignName()]), o.byName[anyVersion.foreignName()]...) {
			c := fileCandidate(p.File)
			c.isAsset = true
			all = append(all, c)
		}
	}
	return all
}

// link resolves a URL. It may lead to another component.
func (g *antora) link(s *Site, r *reference) []candidate {
	all := byURL(s, r)
	if len(all) == 0 || all[0].URL == "" {
		return all
	}
	u, isIn := s.cutBase(all[0].URL)
	if !isIn && s.IsBaseKnown && slices.ContainsFunc(s.around(), func(o *Site) bool { return o.antora != nil && strings.HasPrefix(all[0].URL, "/"+o.antora.name+"/") }) {
		all[0].why = "is outside the site, which is below " + s.Base
	}
	if !isIn || r.path == "" {
		return all
	}
	sources := s.tree.contentSources()
	var owner *Site
	for _, o := range s.around() {
		if o.antora == nil || !sources.publishes(o.Dir) {
			continue
		}
		root := o.antora.url("ROOT")
		o.load()
		if res, ok := o.lookup(u, false); ok && o != s && res.File != "" {
			c := fileCandidate(res.File)
			c.isAsset = true
			return []candidate{c}
		}
		if strings.HasPrefix(u, root) && (owner == nil || len(root) > len(owner.antora.url("ROOT"))) {
			owner = o
		}
	}
	isElsewhere := owner == nil || owner.antora.name != g.name && owner.antora.url("ROOT") == "/"
	switch {
	case owner != nil && owner.antora.name == g.name && owner.antora.version == g.version:
		return all
	case g.playbook.hasSymbolicVersions, isElsewhere && !sources.isAll:
		return []candidate{{unknown: "of another component or version"}}
	case sources.hasStart && (u == "/" || u == "/index.html"):
		return []candidate{{unknown: "is made at build time"}}
	case owner != nil && !isElsewhere:
		all[0].why = "component " + owner.antora.name + " has no such page"
	}
	return all
}
