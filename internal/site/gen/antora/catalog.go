package antora

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/literal"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
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

// sourcesKey is the key under which a tree keeps its contentSources.
type sourcesKey struct{}

// readSources reads the playbook at the root of the repository.
func readSources(t *source.Tree) contentSources {
	return source.Memo(t, sourcesKey{}, func() contentSources {
		conf := t.Read(t.Root + "/antora-playbook.yml")
		list := conf.Lookup("content", "sources")
		sources := contentSources{publishes: func(string) bool { return true }, hasStart: conf.Lookup("site", "start_page").IsGiven()}
		if list.Kind != literal.List || list.Open || len(list.Items) == 0 {
			return sources
		}
		var patterns, except []string
		for _, source := range list.List() {
			if u := source.Lookup("url").Or(""); u != "." && u != "./" {
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
		in, out := source.AnyGlob(patterns), source.AnyGlob(except)
		var known lazy.Map[string, bool]
		sources.publishes = func(dir string) bool {
			return known.Get(dir, func(string) bool {
				rel := strings.TrimPrefix(strings.TrimPrefix(dir, t.Root), "/")
				return in != nil && in(rel) && (out == nil || !out(rel))
			})
		}
		return sources
	})
}

// startPaths returns the patterns of the directories of components in a source. "" is the root.
func startPaths(source source.Value) (all []string) {
	v := source.Lookup("start_paths")
	switch {
	case v.Kind == literal.List:
		return v.Texts()
	case !v.IsGiven():
		return []string{source.Lookup("start_path").Or("")}
	}
	rest := v.Or("")
	for {
		i := strings.Index(rest, ", ") // a comma in braces has no space behind it
		if i < 0 {
			return append(all, strings.TrimSpace(rest))
		}
		all, rest = append(all, strings.TrimSpace(rest[:i])), rest[i+1:]
	}
}

// versionOf returns the version in the description of a component. isKnown is false if it depends on the branch.
func versionOf(conf source.Value) (version string, isKnown bool) {
	v := conf.Lookup("version")
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
	return v.Or(""), true
}

// published returns the components in the repository that the playbook publishes, by name.
func (g *model) published(s *site.Site, component string) (sites []*site.Site) {
	sources := readSources(s.Tree)
	for _, o := range s.Around() {
		if partOf(o) != nil && partOf(o).name == component && sources.publishes(o.Dir) {
			sites = append(sites, o)
		}
	}
	return sites
}

// hasVersions reports whether the repository has several versions of a component. If it has one, branches
// may have more.
func hasVersions(sites []*site.Site) bool {
	return slices.ContainsFunc(sites, func(o *site.Site) bool { return partOf(o).version != partOf(sites[0]).version })
}

// latest returns the version that a resource id with a component, but without a version, means. ok is false
// if that version may be elsewhere.
func (g *model) latest(s *site.Site, component string) (version string, ok bool) {
	sites := g.published(s, component)
	if !readSources(s.Tree).isAll || !hasVersions(sites) {
		return "", false
	}
	best := partOf(sites[0])
	for _, o := range sites {
		if !partOf(o).knowsVersion {
			return "", false
		}
		if partOf(o).isLaterThan(best) {
			best = partOf(o)
		}
	}
	return best.version, true
}

// isLaterThan reports whether g is a later version of the component than o. All prereleases are earlier
// than any release.
func (g *model) isLaterThan(o *model) bool {
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

// addAliases adds the other names and URLs of a page. list is the value of page-aliases, at an offset of the page.
func (g *model) addAliases(s *site.Site, p *site.Page, list string, at int) {
	for part := range strings.SplitAfterSeq(list, ",") {
		alias := strings.Trim(part, aliasSpace)
		start := at + len(part) - len(strings.TrimLeft(part, aliasSpace))
		at += len(part)
		id, ok := g.parse(s, strings.TrimSpace(withAttributes(s, alias)), p.Mount.Name, "page")
		if !ok {
			continue
		}
		rel := withSuffix(id.path)
		v := literal.Value{Kind: literal.String, Text: alias, Span: scan.Span{Start: start, End: start + len(alias)}}
		if id.isOwn {
			p.Names = append(p.Names, id.module+":"+rel)
			p.AddAlias(g.url(id.module)+g.playbook.pageURL(rel), v)
			continue
		}
		p.Names, g.hasForeign = append(p.Names, id.foreignName()), true
		if version, ok := g.aliasVersion(s, &id); ok {
			p.AddAlias(componentURL(id.component, version, id.module)+g.playbook.pageURL(rel), v)
		}
	}
}

// aliasVersion returns the version that an alias in another component means: the only one, if it names
// none. ok is false if that may be elsewhere.
func (g *model) aliasVersion(s *site.Site, id *resourceID) (version string, ok bool) {
	if id.hasVersion {
		return id.version, true
	}
	sites := g.published(s, id.component)
	if !readSources(s.Tree).isAll || len(sites) == 0 || hasVersions(sites) || !partOf(sites[0]).knowsVersion {
		return "", false
	}
	return partOf(sites[0]).version, true
}

// aliasSpace are the bytes around aliases: spaces, commas, and the ends of lines that go on.
const aliasSpace = " \t\r\n\\,"

// ServedBeside says whether another component, version or part of it has a page or an alias at a URL below
// the base. All share one space of URLs.
func (g *model) ServedBeside(s *site.Site, u string) site.Answer {
	for _, o := range s.Around() {
		other := partOf(o)
		if other == nil || o == s {
			continue
		}
		o.Load() // and with it hasForeign
		if !other.hasForeign && !strings.HasPrefix(u, other.url("ROOT")) {
			continue
		}
		if res, ok := o.Lookup(u, false); ok {
			return site.Answer{State: site.Found, File: res.File}
		}
	}
	return site.Answer{State: site.Missing}
}

// aliases returns candidates for the pages of other components and versions that have a resource id as an alias.
func (g *model) aliases(s *site.Site, id resourceID) (all []site.Candidate) {
	if id.family != "page" {
		return nil
	}
	anyVersion := id
	anyVersion.hasVersion = false
	for _, o := range s.Around() {
		if partOf(o) == nil || !partOf(o).hasForeign {
			continue
		}
		for _, p := range append(slices.Clone(o.ByName[id.foreignName()]), o.ByName[anyVersion.foreignName()]...) {
			all = append(all, site.AssetCandidate(p.File))
		}
	}
	return all
}

// link resolves a URL. It may point to another component.
func (g *model) link(s *site.Site, r *site.Reference) []site.Candidate {
	all := site.ByURL(s, r)
	if len(all) == 0 || all[0].URL == "" {
		return all
	}
	u, isIn := s.CutBase(all[0].URL)
	if !isIn && s.IsBaseKnown && slices.ContainsFunc(s.Around(), func(o *site.Site) bool {
		return partOf(o) != nil && strings.HasPrefix(all[0].URL, "/"+partOf(o).name+"/")
	}) {
		all[0].Why = reason.OutsideBase.With(s.Base)
	}
	if !isIn || r.Path == "" {
		return all
	}
	sources := readSources(s.Tree)
	var owner *site.Site
	for _, o := range s.Around() {
		if partOf(o) == nil || !sources.publishes(o.Dir) {
			continue
		}
		root := partOf(o).url("ROOT")
		o.Load()
		if res, ok := o.Lookup(u, false); ok && o != s && res.File != "" {
			return []site.Candidate{site.AssetCandidate(res.File)}
		}
		if strings.HasPrefix(u, root) && (owner == nil || len(root) > len(partOf(owner).url("ROOT"))) {
			owner = o
		}
	}
	isElsewhere := owner == nil || partOf(owner).name != g.name && partOf(owner).url("ROOT") == "/"
	switch {
	case owner != nil && partOf(owner).name == g.name && partOf(owner).version == g.version:
		return all
	case g.playbook.hasSymbolicVersions, isElsewhere && !sources.isAll:
		return []site.Candidate{{Unknown: reason.OtherComponent}}
	case sources.hasStart && (u == "/" || u == "/index.html"):
		return []site.Candidate{{Unknown: reason.MadeByBuild}}
	case owner != nil && !isElsewhere:
		all[0].Why = componentHasNoPage.With(partOf(owner).name)
	}
	return all
}

// Reasons.
var (
	componentHasNoPage = reason.New(reason.Unpublished, "component-has-no-page", "component %s has no such page")
)
