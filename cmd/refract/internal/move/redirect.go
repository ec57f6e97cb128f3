package move

import (
	"slices"
	"strings"

	"example.org/refract/internal/audit/doc"

	"example.org/refract/internal/audit"
	"example.org/refract/internal/site"
)

// A URL is the URL of a page that changes.
type URL struct {
	Path      string // of the document, absolute, before the move
	From, To  string // absolute, or paths
	Generator string
	Redirect  string // where a redirect is added: "aliases in docs/a.md"; "" means nowhere
	Can       string // where one could be; "" means nowhere known
	Why       string // why there is no redirect although the request asks for them
}

// existing stands for a redirect that the move need not write.
const existing = "one that exists"

// redirect finds the URLs that change, and adds redirects if the request says so.
func (p *planner) redirect(plan *Plan) error {
	p.redirectIDs(plan)
	moved := p.movedDocuments()
	for _, name := range moved {
		now := p.target(name)
		was, is := p.before.report.Page(name), p.after.report.Page(now)
		if was.URL == "" || was.URL == is.URL {
			continue
		}
		u := URL{Path: name, From: was.URL, To: is.URL, Generator: was.Generator}
		if is.Route == "" || was.Config != is.Config {
			plan.URLs = append(plan.URLs, u)
			continue
		}
		p.retarget(name, now, &was, &is)
		if p.after.report.LeadsTo(u.From, now) {
			u.Redirect = existing
			plan.URLs = append(plan.URLs, u)
			continue
		}
		before := map[string][]byte{}
		for file, text := range p.texts {
			before[file] = text
		}
		what := p.addRedirect(name, now, &was, &is)
		switch {
		case !p.request.Redirects:
			u.Can, p.texts = what, before
		case what == "":
			u.Why = "none is known for " + was.Generator + " in this tree: add it by hand"
		default:
			u.Redirect = what
		}
		plan.URLs = append(plan.URLs, u)
	}
	return p.checkRedirects(plan)
}

// redirectIDs finds the ids that change with the text of a heading, and adds redirects from them where the
// generator has such.
func (p *planner) redirectIDs(plan *Plan) {
	h := p.request.Heading
	if h == nil {
		return
	}
	was, is := p.before.report.Page(h.Path), p.after.report.Page(h.Path)
	olds, news := p.before.report.HeadingIDs(h.Path), p.after.report.HeadingIDs(h.Path)
	canRedirect := site.RedirectsIDs(p.siteOf(h.Path))
	if was.URL == "" || was.URL != is.URL || len(olds) != len(news) || !canRedirect && !p.request.Redirects {
		return
	}
	if canRedirect {
		p.retargetIDs(h.Path, &was, olds, news)
	}
	for i, id := range olds {
		if slices.Contains(news, id) {
			continue // of another heading now, so that the page has it
		}
		u := URL{Path: h.Path, From: was.URL + "#" + id, To: is.URL + "#" + news[i], Generator: was.Generator}
		switch {
		case !canRedirect:
			u.Why = was.Generator + " has none for ids, and servers do not see them"
		case !p.request.Redirects:
			u.Can = "its configuration"
		default:
			from, to := targetOf(h.Path, &was), targetOf(h.Path, &is)
			from.Route, to.Route = from.Route+"#"+id, to.Route+"#"+news[i]
			edits := p.edits(&was)
			u.Redirect = p.siteOf(h.Path).Redirecter().Redirect(edits, from, to)
			if u.Redirect == "" {
				u.Why = "the configuration has no place for it: add it by hand"
			}
		}
		plan.URLs = append(plan.URLs, u)
	}
}

// retargetIDs lets redirects to ids of a page that change point to the new ones.
func (p *planner) retargetIDs(name string, page *audit.Page, olds, news []string) {
	r := p.siteOf(name).Retargeter()
	if r == nil {
		return
	}
	pending := map[string]bool{} // ids that redirects may still name in their old meaning
	for i, id := range olds {
		if id != news[i] {
			pending[id] = true
		}
	}
	change := func(i int) {
		if id := olds[i]; pending[id] && !pending[news[i]] {
			delete(pending, id)
			from, to := targetOf(name, page), targetOf(name, page)
			from.Route, to.Route = from.Route+"#"+id, to.Route+"#"+news[i]
			r.Retarget(p.edits(page), from, to)
		}
	}
	for i := range olds { // "x" becomes "y", and then "x-1" becomes "x"
		change(i)
	}
	for i := range slices.Backward(olds) { // "x-1" becomes "x-2", and then "x" becomes "x-1"
		change(i)
	}
}

// movedDocuments returns the documents that move.
func (p *planner) movedDocuments() []string {
	return slices.DeleteFunc(p.movedFiles(), func(name string) bool { return !doc.IsDocument(name) })
}

// checkRedirects audits the tree with the redirects, and drops all of them if one does not work, or
// if anything else has changed.
func (p *planner) checkRedirects(plan *Plan) error {
	has := slices.ContainsFunc(plan.URLs, func(u URL) bool { return u.Redirect != "" && u.Redirect != existing })
	if !has && len(p.earlier) == 0 {
		return nil
	}
	with, err := p.audit(p.tree())
	if err != nil {
		return err
	}
	why := ""
	for _, u := range plan.URLs {
		if u.Redirect != "" && !isRedirected(with.report, &u, p.target(u.Path)) {
			why = "the site would not make it from " + u.Redirect
		}
	}
	for _, e := range p.earlier {
		if !with.report.LeadsTo(e.from, e.page) {
			plan.Problems = append(plan.Problems, Problem{Path: p.origin(e.page), Why: "the redirect from " + e.from + " would no longer point to it"})
		}
	}
	for _, name := range p.after.order {
		olds, news := p.after.refs[name], with.refs[name]
		more := len(news) - len(olds) // a redirect may be a reference at the top of the document
		if more < 0 || !slices.EqualFunc(olds, news[more:], func(a, b *audit.Followed) bool { return a.Target == b.Target }) {
			why = "references in " + name + " would lead elsewhere"
		}
	}
	if len(with.findings) > len(p.after.findings) {
		why = "the audit would have a new finding"
	}
	if why != "" {
		plan.Problems = append(plan.Problems, Problem{Why: "redirects cannot be written: " + why + "; move without --redirects"})
	}
	return nil
}

// isRedirected reports whether a URL resolves to a document in a tree with redirects. If a redirect is from
// the URL to an id of the document, the URL must resolve to that id.
func isRedirected(r *audit.Report, u *URL, now string) bool {
	if !strings.Contains(u.From, "#") {
		return r.LeadsTo(u.From, now)
	}
	_, id, _ := strings.Cut(u.To, "#")
	if !slices.Contains(r.HeadingIDs(now), id) {
		return false
	}
	return slices.ContainsFunc(r.Redirects(), func(e audit.RedirectEntry) bool {
		return e.URL == u.From && strings.HasSuffix(e.To, "#"+id)
	})
}

// An earlierURL redirects to a page that moves.
type earlierURL struct{ from, page string }

// retarget lets redirects in the configuration that point to a page point to its new place.
func (p *planner) retarget(name, now string, was, is *audit.Page) {
	var lost []string
	for _, u := range p.before.report.Earlier(name) {
		if !p.after.report.LeadsTo(u, now) {
			lost = append(lost, u)
			p.earlier = append(p.earlier, earlierURL{u, now})
		}
	}
	if len(lost) == 0 {
		return
	}
	if r := p.siteOf(name).Retargeter(); r != nil {
		r.Retarget(p.edits(was), targetOf(name, was), targetOf(now, is))
	}
}

// siteOf returns the site that a document was part of.
func (p *planner) siteOf(name string) *site.Site { return p.before.report.SiteOf(name) }

// edits returns the changes of the move, for the site of a page.
func (p *planner) edits(was *audit.Page) *site.Edits {
	return &site.Edits{
		Config: p.target(p.absolute(was.Config)), Text: p.text,
		Set: func(file string, text []byte) { p.texts[file] = text },
	}
}

func targetOf(file string, page *audit.Page) site.Target {
	return site.Target{File: file, Route: page.Route}
}

// addRedirect adds a redirect from the URL of a page that has moved. It returns the place of the redirect,
// or "" if it knows no way.
func (p *planner) addRedirect(name, now string, was, is *audit.Page) (where string) {
	edits, s := p.edits(was), p.siteOf(name)
	from, to := pathOf(was.URL), pathOf(is.URL)
	where = edits.AddToRedirects(p.hostDirs(now), from, to)
	if where != "" || s == nil {
		return where
	}
	edits.Base = strings.TrimSuffix(s.Base, "/")
	if r := s.Redirecter(); r != nil && edits.ConfigText() != nil {
		where = r.Redirect(edits, targetOf(name, was), targetOf(now, is))
	}
	if where == "" {
		where = edits.AddToHost(site.HostDirs(s), from, to)
	}
	return where
}

// hostDirs returns the directories in which the host may have a file with redirects.
func (p *planner) hostDirs(now string) (dirs []string) {
	for _, dir := range p.after.report.Publishes(now) {
		if info, err := p.tree().Lstat(dir + "/_redirects"); err == nil && info.Mode().IsRegular() {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// pathOf returns the path of a URL.
func pathOf(u string) string {
	if _, rest, ok := strings.Cut(u, "://"); ok {
		_, rest, _ = strings.Cut(rest, "/")
		return "/" + rest
	}
	return u
}
