package audit

import (
	"fmt"
	"strings"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/judge"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/order"
)

// addRedirects adds the redirects of all sites to the documents that hold them. Like addNavigation, it must
// be called before documents are read.
func (a *auditor) addRedirects() {
	for _, s := range a.Layouts.Finder.Sites() {
		if a.Layouts.BySite[s] == nil {
			continue // no file of it is audited
		}
		f := s.NewRedirector()
		byFile := map[string][]doc.RedirectSite{}
		var files []string
		all := f.All()
		for i := range all {
			r := &all[i]
			if byFile[r.File] == nil {
				files = append(files, r.File)
			}
			byFile[r.File] = append(byFile[r.File], doc.RedirectSite{Redirector: f, Redirect: r})
		}
		for _, file := range files {
			d := a.navHolder(s, file)
			if d == nil {
				continue
			}
			a.addRedirectsOf(d, byFile[file], s.NavigationText(file))
		}
	}
}

// addRedirectsOf adds redirects that the document d holds.
func (a *auditor) addRedirectsOf(d *doc.Document, all []doc.RedirectSite, text []byte) {
	order.Sort(all, func(x, y doc.RedirectSite) int { return startOf(&x) - startOf(&y) })
	at := map[int64]int{}
	for i := range d.Redirects {
		at[d.Redirects[i].Pos.Offset] = i
	}
	lined := doc.Lined{Text: text, Line: 1}
	n := len(d.Redirects)
	for _, r := range all {
		if i, again := at[int64(startOf(&r))]; again && i < n {
			d.Redirects[i].Of = append(d.Redirects[i].Of, r)
			continue
		}
		if e, ok := judge.NewRedirect(d, r, &lined); ok {
			d.Redirects = append(d.Redirects, e)
		}
	}
	if n > 0 {
		order.Sort(d.Redirects, func(x, y doc.RedirectEntry) int { return int(x.Pos.Offset - y.Pos.Offset) })
	}
}

// startOf returns the offset at which a redirect is reported.
func startOf(r *doc.RedirectSite) int {
	if r.Alias != nil {
		return r.FromSpan.Start
	}
	return r.ToSpan.Start
}

// countRedirects returns how many redirects of d are references: aliases are not, and a target of several
// sources is one.
func countRedirects(d *doc.Document) (n int) {
	for i := range d.Redirects {
		if d.Redirects[i].Of[0].Alias == nil && !isSameTarget(d.Redirects, i) {
			n++
		}
	}
	return n
}

// isSameTarget reports whether a redirect has its target where the one before it has it: they are from several URLs.
func isSameTarget(all []doc.RedirectEntry, i int) bool {
	return i > 0 && all[i-1].Of[0].Alias == nil && all[i].Pos.Offset == all[i-1].Pos.Offset
}

// judgeRedirects judges the redirects that d holds. What holds for one target, from whichever URL, is reported once.
func (a *auditor) judgeRedirects(d *doc.Document) {
	said := map[string]bool{} // of the target
	for i := range d.Redirects {
		e := &d.Redirects[i]
		l, v, others := judge.JudgeRedirect(&a.Judge, d, e)
		if v.Problem != nil && v.Problem.Rule == rule.RedirectTarget {
			tellRemoved(a, e, &l, v.Problem)
		}
		isSame := isSameTarget(d.Redirects, i)
		if !isSame {
			clear(said)
		}
		if isSame && v.Problem != nil {
			others = append(others, v.Problem)
		}
		if e.Of[0].Alias == nil && !isSame {
			a.take(d, &e.Reference, &l, v)
			if v.Problem != nil {
				said[v.Problem.Message] = true
			}
		}
		for _, p := range others {
			if said[p.Message] {
				continue
			}
			said[p.Message] = true
			if p.Suggestion != "" && strings.TrimSpace(p.Suggestion) == e.Ref {
				p.Suggestion = ""
			}
			a.reportReference(d, &e.Reference, &l, p)
		}
	}
}

// tellRemoved adds to the problem of a redirect without a target page how the change has affected the page,
// and where that is now.
func tellRemoved(a *auditor, e *doc.RedirectEntry, l *lead.Landing, p *judge.Problem) {
	r := &e.Of[0]
	if a.Before == nil || r.Redirect == nil || r.Goal == "" {
		return
	}
	goal, fragment, _ := strings.Cut(r.Goal, "#")
	file := ""
	if tried := l.Result.Tried; len(tried) > 0 {
		file = tried[0].File
	}
	if file == "" || !a.Before.Changed[file] {
		old := a.Before.page(goal)
		if old == nil {
			return
		}
		file = old.File
	}
	now := a.Before.Renamed[file]
	switch {
	case now != "":
		p.Message += fmt.Sprintf("; the change renames %s to %s", a.Quoted(file), a.Quoted(now))
	case a.Files.Exists(file):
		p.Message += fmt.Sprintf("; before the change it had %s there", a.Quoted(file))
		now = file
	default:
		p.Message += fmt.Sprintf("; the change removes %s", a.Quoted(file))
		return
	}
	if to := respelled(r, file, now); to != "" {
		p.Suggestion, p.Certain = to, fragment == ""
		if fragment != "" {
			p.Suggestion += "#" + fragment
		}
	}
}

// respelled returns how a redirect writes a file whose name was before, or the page that the file is now;
// "" if that is not certain.
func respelled(r *doc.RedirectSite, before, now string) string {
	page := pageAt(r.Site, now)
	if page == nil {
		return ""
	}
	to, _, _ := strings.Cut(r.To, "#")
	if dir, ok := strings.CutSuffix(before, "/"+to); ok {
		rel, isIn := strings.CutPrefix(now, dir+"/")
		if !isIn {
			return ""
		}
		return rel
	}
	goal := r.Site.Route(page)
	for _, spelled := range []string{goal, "/" + strings.TrimPrefix(strings.TrimPrefix(goal, strings.TrimSuffix(r.Base, "/")), "/")} {
		if strings.HasPrefix(to, "/") && r.LeadsTo(r.Redirect, spelled, goal) {
			return spelled
		}
	}
	return ""
}
