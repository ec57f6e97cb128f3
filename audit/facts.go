package audit

import (
	"fmt"

	"example.org/refract/extract/scan"
	"example.org/refract/resolve"
)

// siteFacts says how k is judged on the site that d is part of, in the form of Finding.Facts. It
// returns nil if d is part of no site.
func (a *auditor) siteFacts(d *document, k *reference) []string {
	if d.layout == nil || d.layout.generated == nil || k.result.Step == resolve.Absolute {
		return nil
	}
	s, uses, why := d.siteUse()
	facts := []string{fmt.Sprintf("site: %s, by %s", s.Generator, a.quoted(s.Config))}
	if k.how == scan.Navigation || k.isWiki() { // these have rules of their own
		return facts
	}
	if len(uses) == 0 {
		return append(facts, "page: none: "+why)
	}
	res, u := a.onSite(d, k, k.ref)
	page := "page: " + s.Route(u.Page)
	if u.Page.File != d.path {
		page += ", of " + a.quoted(u.Page.File) + ", which includes this file"
	}
	facts = append(facts, page, "form: "+formOf(d, k).String())
	for _, c := range res.Tried {
		what := c.String()
		if c.File != "" {
			what = a.quoted(c.File)
		}
		facts = append(facts, "tried: "+what)
	}
	outcome := "outcome: " + res.State.String()
	if res.File != "" {
		outcome += ", " + a.quoted(res.File)
	}
	if res.Why != "" {
		outcome += ": " + res.Why
	}
	return append(facts, outcome)
}
