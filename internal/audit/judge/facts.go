package judge

import (
	"fmt"
	"path"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/resolve"
)

// SiteFacts says how ref is checked on the site that d is part of, in the form of Finding.Facts. It returns
// nil if d is part of no site.
func (a *Judge) SiteFacts(d *doc.Document, ref *doc.Reference, l *lead.Landing) []string {
	if d.Layout == nil || d.Layout.Generated == nil || ref.Result.Step == resolve.Absolute {
		return nil
	}
	s, uses, why := d.SiteUse()
	facts := []string{fmt.Sprintf("site: %s, by %s", s.Generator, a.Quoted(s.Config))}
	if ref.How == scan.Navigation || ref.IsWiki() { // these have rules of their own
		return facts
	}
	if len(uses) == 0 {
		return append(facts, "page: none: "+why.String())
	}
	if l.How != lead.BySite || l.Use.Page == nil || strings.HasPrefix(ref.Ref, "#") { // checked by other rules; these are those of the site
		l = &lead.Landing{}
		a.Ask(d, ref, uses, l)
	}
	res, u := &l.Result, l.Use
	page := "page: " + s.Route(u.Page)
	if u.Page.File != d.Path {
		page += ", of " + a.Quoted(u.Page.File) + ", which includes this file"
	}
	facts = append(facts, page, "form: "+lead.FormOf(d, ref).String())
	for _, c := range res.Tried {
		what := c.String()
		if c.File != "" {
			what = a.Quoted(c.File)
		}
		facts = append(facts, "tried: "+what)
	}
	outcome := "outcome: " + res.State.String()
	if res.File != "" {
		outcome += ", " + a.Quoted(res.File)
	}
	if !res.Why.IsZero() {
		outcome += ": " + res.Why.String()
	}
	return append(facts, outcome)
}

// CauseOf returns the Cause of a finding about ref.
func (a *Judge) CauseOf(ref *doc.Reference, p *Problem) string {
	switch p.Rule {
	case rule.MissingFragment:
		_, fragment, _ := strings.Cut(ref.Ref, "#")
		return a.Target(p.Target) + "#" + fragment
	case rule.MissingFile, rule.BrokenImage:
		if p.Target == "" {
			return ""
		}
		missing := p.Target
		for dir := path.Dir(missing); path.Dir(dir) != dir && !a.isThere(dir); dir = path.Dir(dir) {
			missing = dir
		}
		if missing != p.Target {
			return a.Target(missing) + "/"
		}
	}
	return a.Target(p.Target)
}

// isThere reports whether a directory exists. It looks at each directory once.
func (a *Judge) isThere(dir string) bool {
	return a.There.Get(dir, func(dir string) bool {
		info, err := a.Shared.Tree.Stat(dir)
		return err == nil && info.IsDir()
	})
}
