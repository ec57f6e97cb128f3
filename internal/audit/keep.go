package audit

import (
	"cmp"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/audit/built"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/order"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
)

// A Kept is a URL that the tree must still serve.
type Kept struct {
	URL  string // absolute, or a path
	Uses int    // how often it is used; 0 if that is unknown
	File string // the list that has it, as shown to users
	Line int    // from 1
	// IsBelow says that URL is a path below the directory of a site, without the base path of the site.
	IsBelow bool
}

// maxKept is the number of URLs without a page that are reported; further ones are counted in a note. The
// most used ones come first.
const maxKept = 10_000

// takeKept reports the URLs of Options.Keep that no site of the tree serves. It returns the error of the
// list. It keeps at most 2 × maxKept URLs.
func (a *auditor) takeKept() error {
	if a.Keep == nil {
		return nil
	}
	var sites []*site.Site
	for _, s := range a.Layouts.Finder.Sites() {
		if a.Layouts.BySite[s] != nil {
			sites = append(sites, s)
		}
	}
	var gone []Kept
	left := 0
	bySize := func(x, y Kept) int { return cmp.Compare(y.Uses, x.Uses) }
	for k, err := range a.Keep {
		if err != nil {
			return err
		}
		switch answer := a.keeps(sites, &k); answer.State {
		case site.Unknown:
			a.countSkipped(answer.Why, 1)
			a.results.SkippedNames++
			continue
		case site.Found:
			continue
		}
		k.URL = strings.Clone(k.URL)
		gone = append(gone, k)
		if len(gone) == 2*maxKept {
			order.Sort(gone, bySize)
			left += len(gone) - maxKept
			gone = gone[:maxKept]
		}
	}
	order.Sort(gone, bySize)
	if len(gone) > maxKept {
		left += len(gone) - maxKept
		gone = gone[:maxKept]
	}
	publisher := "any site of the tree"
	if a.matcher != nil {
		publisher = "the build"
	}
	for i := range gone {
		k := &gone[i]
		f := Finding{File: k.File, Path: k.File, Rule: rule.RemovedURL, Message: strconv.Quote(k.URL) + " is not published by " + publisher}
		if k.Uses > 0 {
			f.Message += fmt.Sprintf(", and has %d uses", k.Uses)
		}
		f.Pos.Line, f.Pos.Column = max(1, k.Line), 1
		a.emitFinding(&f)
	}
	if left > 0 {
		r := &a.results.Report
		r.Notes = append(r.Notes, Note{File: gone[0].File, Text: fmt.Sprintf("%d more URLs are not published: only the %d with the most uses are reported", left, maxKept)})
	}
	return nil
}

// emitFinding reports a finding that is not about a document.
func (a *auditor) emitFinding(f *Finding) {
	if a.wantsIn(f.Path, f.Rule) {
		a.reportNew(f.Path, f)
	}
}

// keeps says whether the build or, without one, one of the sites serves a URL.
func (a *auditor) keeps(sites []*site.Site, k *Kept) site.Answer {
	u := k.URL
	p, origin := u, ""
	if strings.Contains(u, "://") {
		parsed, err := url.Parse(u)
		if err != nil {
			return site.Answer{Why: keptMalformed}
		}
		p, origin = parsed.EscapedPath(), parsed.Scheme+"://"+parsed.Host
	}
	if i := strings.IndexAny(p, "?#"); i >= 0 {
		p = p[:i]
	}
	p = ascii.UnescapeAll(p)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p
	}
	if a.matcher != nil {
		return keptBuilt(a.matcher.Build.Serves(origin, p, k.IsBelow))
	}
	answer := site.Answer{Why: keptElsewhere}
	for _, s := range sites {
		if origin != "" && s.Origin != "" && !built.IsSameHost(origin, s.Origin) {
			continue
		}
		at := p
		if k.IsBelow {
			at = strings.TrimSuffix(s.Base, "/") + p
		}
		one := s.StillServes(at)
		if one.State == site.Found {
			return one
		}
		if answer.Why == keptElsewhere || one.State == site.Unknown {
			answer = one
		}
	}
	return answer
}

// keptBuilt returns the answer of a build.
func keptBuilt(o built.Outcome) site.Answer {
	switch o.What {
	case built.Alive:
		return site.Answer{State: site.Found}
	case built.NoPage:
		return site.Answer{State: site.Missing}
	}
	return site.Answer{Why: o.Why}
}

// Reasons.
var (
	keptMalformed = reason.New(reason.NoLink, "kept-malformed", "an entry of --must-keep that is no URL")
	keptElsewhere = reason.New(reason.OtherSite, "kept-elsewhere", "an entry of --must-keep on a host that no site of the tree is published at")
)

// A RedirectEntry is a redirect that the tree defines.
type RedirectEntry struct {
	File     string // that has it, as shown to users
	From, To string // as written; To is the URL of the page for one in its front matter
	URL      string // at which it applies; "" for a pattern
}

// Redirects returns the redirects of all sites, in the order of the files that have them.
func (r *Report) Redirects() (all []RedirectEntry) {
	a := r.audited()
	if a == nil {
		return nil
	}
	seen := map[RedirectEntry]bool{}
	for _, s := range a.Layouts.Finder.Sites() {
		if a.Layouts.BySite[s] == nil {
			continue
		}
		for _, k := range s.Redirects() {
			e := RedirectEntry{File: a.Shown(k.File), From: k.From, To: k.To}
			if k.URL != "" {
				e.URL = s.Origin + k.URL
			}
			if k.Alias != nil {
				e.To = s.Origin + s.Route(k.Alias)
			}
			if !seen[e] {
				seen[e] = true
				all = append(all, e)
			}
		}
	}
	order.Sort(all, func(x, y RedirectEntry) int { return strings.Compare(x.File, y.File) })
	return all
}
