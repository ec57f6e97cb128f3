package docfx

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/literal"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

// A redirection is an entry of a file of redirects of Microsoft Learn: a source, and the URL to which its own leads.
type redirection struct {
	file     string // that has it
	source   string // absolute path
	from, to source.Value
}

// redirections adds the redirects of a repository of Microsoft Learn whose sources are in the docset of d.
// The sources are relative to the file that lists them, or to the root.
func (g *model) redirections(d *source.Dir, s *site.Site) {
	if !g.isLearn {
		return
	}
	conf := d.Tree.Read(path.Join(d.Tree.Root, learnConfig))
	files := conf.Lookup("redirection_files").Texts()
	for _, name := range source.SortedKeys(d.Tree.List(d.Tree.Root)) {
		if strings.HasPrefix(name, ".openpublishing.redirection") && !slices.Contains(files, name) {
			files = append(files, name)
		}
	}
	var own []redirection
	for _, name := range files {
		for _, r := range redirectionsIn(d.Tree, path.Join(d.Tree.Root, name)) {
			g.moved[strings.ToLower(r.source)] = true
			if source.Below(r.source, s.Dir) || isStray(d, conf, r.source) {
				own = append(own, r)
			}
		}
	}
	g.learnBase(s, own)
	for _, r := range own {
		g.add(s, &r)
	}
}

// maxRedirections is the number of redirects that are read of one file.
const maxRedirections = 20_000

// redirectionsIn returns the redirects in a file.
func redirectionsIn(t *source.Tree, file string) (all []redirection) {
	for i, v := range t.Read(file).Lookup("redirections").List() {
		if i == maxRedirections {
			break
		}
		dir, from := path.Dir(file), v.Lookup("source_path")
		if from.Or("") == "" {
			dir, from = t.Root, v.Lookup("source_path_from_root")
		}
		if at := from.Or(""); at != "" {
			all = append(all, redirection{file: file, source: path.Join(dir, at), from: from, to: v.Lookup("redirect_url")})
		}
	}
	return all
}

// isStray reports whether a source is in none of the docsets that a repository publishes, and d holds the
// first of these. Then d has its redirect, so that it is not lost.
func isStray(d *source.Dir, conf source.Value, file string) bool {
	sets := conf.Lookup("docsets_to_publish").List()
	for _, set := range sets {
		if source.Below(file, path.Join(d.Tree.Root, set.Lookup("build_source_folder").Or(""))) {
			return false
		}
	}
	return len(sets) > 0 && path.Join(d.Tree.Root, sets[0].Lookup("build_source_folder").Or("")) == d.Path
}

// learnBase finds the path of a docset below its host, which the repository does not say: the prefix that
// leaves a document of the docset in most redirects.
func (g *model) learnBase(s *site.Site, all []redirection) {
	total, fits := map[string]int{}, map[string]int{}
	for _, r := range all {
		at, _, _ := strings.Cut(r.to.Or(""), "?")
		at, _, _ = strings.Cut(at, "#")
		names := strings.Split(strings.TrimPrefix(at, "/"), "/")
		for n := 1; n < min(len(names), maxBase+1) && strings.HasPrefix(at, "/"); n++ {
			base := "/" + strings.Join(names[:n], "/") + "/"
			total[base]++
			if g.hasDocument(s, strings.Join(names[n:], "/")) {
				fits[base]++
			}
		}
	}
	best := ""
	for _, base := range source.SortedKeys(fits) {
		if fits[base] > fits[best] {
			best = base
		}
	}
	const least = 5
	if fits[best] >= least && 2*fits[best] > total[best] {
		g.base = best
		s.SetBase(best)
	}
}

// maxBase is the number of names in the path of a docset.
const maxBase = 2

// hasDocument reports whether a document of the docset is published at a path below its URL.
func (g *model) hasDocument(s *site.Site, rest string) bool {
	for _, m := range s.Mounts {
		at, ok := strings.CutPrefix("/"+rest, m.URL)
		if !ok || m.Kind != site.Pages {
			continue
		}
		for _, end := range []string{".md", ".yml", "/index.md", "/index.yml"} {
			file := path.Join(m.Dir, at+end)
			if s.Tree.IsFile(file) {
				return true
			}
			if other, ok := s.Tree.OtherCase(file); ok && s.Tree.IsFile(other) {
				return true
			}
		}
	}
	return false
}

// add adds a redirect of Microsoft Learn.
func (g *model) add(s *site.Site, r *redirection) {
	entry := site.Entry(r.file, "redirections", r.from.Value, r.to.Value)
	m := s.MountOf(r.source)
	if m == nil || !source.Below(r.source, m.Dir) {
		entry.IsPattern, entry.Why = true, outsideDocsets
		s.AddRedirect(entry, "", r.to.Or(""), nil)
		return
	}
	rel := strings.TrimPrefix(r.source, m.Dir+"/")
	to, why := g.below(r.to.Or(""))
	entry.Why = why
	s.AddRedirect(entry, g.route(m, rel), to, func(s *site.Site) site.Result { return g.arrive(s, to) })
}

// below returns the path below the base of the docset that a URL on its host has. why says why it is not known.
func (g *model) below(to string) (p string, why reason.Reason) {
	rest, isIn := strings.CutPrefix(to, strings.TrimSuffix(g.base, "/"))
	switch {
	case strings.Contains(to, "://"), to == "":
		return to, reason.Reason{} // another host, or computed
	case g.base == "" || !isIn || rest != "" && strings.IndexByte("/?#", rest[0]) < 0:
		return to, otherDocsets
	case !strings.HasPrefix(rest, "/"):
		rest = "/" + rest
	}
	tail := ""
	if i := strings.IndexAny(rest, "?#"); i >= 0 {
		rest, tail = rest[:i], rest[i:]
	}
	if strings.HasSuffix(rest, "/index") { // which the host redirects to the directory
		rest = strings.TrimSuffix(rest, "index")
	}
	return rest + tail, reason.Reason{}
}

// arrive returns what is published at a path below the base of the docset, in which case does not matter.
func (g *model) arrive(s *site.Site, to string) site.Result {
	to, query, _ := strings.Cut(to, "?")
	to, _, _ = strings.Cut(to, "#")
	u := site.CleanURL(to)
	if res, ok := s.Lookup(u, false); ok {
		return res
	}
	missing := site.Result{State: site.Missing, Tried: []site.Candidate{site.URLCandidate(u)}}
	for _, m := range s.Mounts {
		at, ok := strings.CutPrefix(u, m.URL)
		if !ok || m.Kind != site.Pages {
			continue
		}
		file := strings.TrimSuffix(path.Join(m.Dir, at), ".html")
		if g.isAPI(file) {
			return site.Result{State: site.Unknown, Why: reason.MadeByBuild}
		}
		module := "/" + path.Base(file) + ".md" // the page of a module of PowerShell
		for _, end := range []string{".md", ".yml", "/index.md", "/index.yml", module} {
			if other, ok := s.Tree.OtherCase(file + end); ok && s.Tree.IsFile(other) {
				return site.Result{State: site.Found, File: other, Page: s.ByFile[other]}
			}
		}
	}
	switch first, _, isDeep := strings.Cut(strings.Trim(u, "/"), "/"); {
	case isDeep && !s.Tree.IsDir(s.Dir+"/"+first) && s.Below(strings.TrimSuffix(s.Base, "/")+"/"+first+"/") == 0:
		return site.Result{State: site.Unknown, Why: inDependency}
	case s.Generates:
		return site.Result{State: site.Unknown, Why: reason.MadeByBuild}
	case strings.HasPrefix(query, "view=") || strings.Contains(query, "&view="):
		return site.Result{State: site.Unknown, Why: otherView}
	}
	return missing
}

// senders adds the redirects by redirect_url in front matter. A browser resolves it against the URL of the
// page.
func (g *model) senders(s *site.Site) {
	for _, file := range source.SortedKeys(s.ByFile) {
		p := s.ByFile[file]
		v := p.Front.Lookup("redirect_url")
		if v.Kind != literal.String {
			continue
		}
		at, why := v.Text, reason.Reason{}
		isRooted := strings.HasPrefix(at, "/")
		if g.isLearn && isRooted {
			_, why = g.below(at)
		}
		site.AddSender(s, p, v.Value, at, why, func(s *site.Site) site.Result {
			goal, _, _ := strings.Cut(at, "#")
			goal, _, _ = strings.Cut(goal, "?")
			if !isRooted {
				goal = site.JoinURL(s.Route(p), goal)
			}
			u, isIn := s.CutBase(goal)
			if !isIn {
				return site.Result{State: site.Unknown, Why: reason.OutsideSiteSameHost}
			}
			switch res, ok := s.Lookup(site.CleanURL(u), false); {
			case ok:
				return res
			case g.isLearn:
				return g.arrive(s, u)
			case g.Makes(s, u):
				return site.Result{State: site.Unknown, Why: reason.MadeByBuild}
			case isRooted && !s.IsBaseKnown:
				return site.Result{State: site.Unknown, Why: baseUnknown}
			}
			return site.Result{State: site.Missing}
		})
	}
}

// Reasons.
var (
	outsideDocsets = reason.New(reason.OtherSite, "outside-docsets", "a redirect from a document of no docset of the repository")
	otherView      = reason.New(reason.OtherVersion, "other-view", "a version (view=) that another docset may have")
)

// redirectList matches the beginning of the redirects of a repository of Microsoft Learn.
var redirectList = lazy.New(`"redirections"\s*:\s*\[`)

// Redirect adds a redirect, from a source to a URL, to the file of a repository of Microsoft Learn. It must
// be known at which path the docset is published.
func (g *model) Redirect(e *site.Edits, was, is site.Target) (where string) {
	dir := path.Dir(e.Config)
	for g.base != "" && dir != "/" && dir != "." {
		file := dir + "/.openpublishing.redirection.json"
		source := strings.TrimPrefix(was.File, dir+"/")
		item := fmt.Sprintf(`{ "source_path": "%s", "redirect_url": "%s" }`, source, e.Base+is.Route)
		if e.AddItem(file, redirectList, item, source, is.Route) {
			return "redirections in " + file
		}
		if _, err := e.Text(file); err == nil {
			break
		}
		dir = path.Dir(dir)
	}
	return ""
}
