package audit

import (
	"slices"
	"strconv"
	"strings"

	"example.org/refract/audit/site"
)

// judgeMoved reports a reference to an earlier URL of a page.
func (a *auditor) judgeMoved(d *document, k *reference, u site.Use, res *site.Result) {
	if res.Page == nil || len(res.Page.Moved) == 0 || len(res.Page.Routes) == 0 || len(res.Tried) == 0 {
		return
	}
	s := d.layout.generated
	last := res.Tried[len(res.Tried)-1].URL
	rest, isBelow := strings.CutPrefix(last, strings.TrimSuffix(s.Base, "/"))
	isHere := func(routes []string) bool {
		return slices.ContainsFunc(routes, func(r string) bool { return strings.TrimSuffix(r, "/") == strings.TrimSuffix(rest, "/") })
	}
	if last == "" || !isBelow || isHere(res.Page.Routes) || !isHere(res.Page.Moved) {
		return
	}
	p := problem{rule: Redirect, message: "redirects to " + strconv.Quote(s.Route(res.Page)), target: res.File}
	if !isTemplate([]byte(k.ref)) {
		p.suggestion = a.spelledOnSite(d, k, u, res.File)
	}
	a.reportReference(d, k, p)
}
