package judge

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/resolve"
)

// shownElsewhere is the reason why a fragment in a document that is no page by itself is not checked.
var shownElsewhere = reason.New(reason.OtherPage, "shown-elsewhere", "code shows this on other pages")

// judgeOnSite judges where ref leads on the site that d is part of.
func (a *Judge) judgeOnSite(d *doc.Document, ref *doc.Reference, l *lead.Landing) Verdict {
	switch {
	case l.How != lead.BySite:
		return a.judgePath(d, ref, l)
	case strings.HasPrefix(ref.Ref, "#"):
		return a.judgeOwn(d, ref, l)
	}
	if l.State != site.Found {
		if v, isChecked := a.judgeScheme(d, ref); isChecked {
			return v
		}
	}
	switch l.State {
	case site.Unknown:
		return skipped(l.Why)
	case site.Found:
		if l.File == "" {
			_, fragment, _ := strings.Cut(ref.Ref, "#")
			return unseenFragment(fragment)
		}
		v := a.judgeFragment(d, ref, l)
		v.Remark = a.movedRemark(d, l)
		return v
	}
	if why := a.mayBeOnSite(d, ref, l.Use, &l.Result); !why.IsZero() {
		return skipped(why)
	}
	return a.faultyOnSite(d, ref, l)
}

// mayBeOnSite returns the reason why the site may have a page or file at res, the target of ref, although it
// has no source for it. Links and the navigation have the same reasons.
func (a *Judge) mayBeOnSite(d *doc.Document, ref *doc.Reference, use site.Use, res *site.Result) reason.Reason {
	if a.MayLeadOut(ref, res) {
		return tree.LeadsOutside
	}
	if dir := a.MappedTo(d.Layout.Generated, res); dir != "" && !res.Case {
		return mapped.With(dir)
	}
	if dir := a.MadeDir(d.Layout.Generated, use, ref.Ref, res); dir != "" && !res.Case && res.Other == "" {
		return fewSources.With(dir)
	}
	const most = 8 // a reference to any of many sites has a candidate in each
	for _, c := range res.Tried[:min(len(res.Tried), most)] {
		file := c.File
		switch {
		case file == "" && c.Name == "":
			continue
		case file == "": // a name of a document
			file = path.Join(d.Layout.Generated.Dir, c.Name)
		}
		if why := a.WrittenBy(d, file); !why.IsZero() {
			return why
		}
	}
	if why := doubtOf(a.Doubted, a.KeyOf(d, ref)); !why.IsZero() && !res.Case {
		return why
	}
	return a.ProductOf(d, path.Base(ref.Ref[:lead.PathLength(ref.Ref)]))
}

// doubtOf returns the reason if the links of a form are doubtful.
func doubtOf(doubted map[lead.FormKey]lead.Doubt, at lead.FormKey) reason.Reason {
	c, isDoubted := doubted[at]
	if !isDoubted {
		return reason.Reason{}
	}
	return doubtful.With(fmt.Sprintf("%s of %s links of the form %v", ascii.Number(c.Missing), ascii.Number(c.All), at.Written))
}

// judgeOwn judges a fragment in d itself.
func (a *Judge) judgeOwn(d *doc.Document, ref *doc.Reference, l *lead.Landing) Verdict {
	_, live := d.IDs().Hit(l.Fragment)
	switch {
	case l.Use.Page == nil && !l.Why.IsZero():
		return skipped(l.Why)
	case live || l.Use.Page == nil:
	case doc.IsTemplate([]byte(ref.Ref)):
		return skipped(doc.IsFilledIn.Reason())
	case len(l.Use.Page.Routes) == 0 && !l.Use.Page.HasUnknownURL:
		return skipped(shownElsewhere)
	case strings.HasPrefix(ref.In, "use/") && !strings.HasSuffix(d.Path, ".svg"):
		return skipped(codePicture)
	case l.Use.Page.File != d.Path && d.IsTemplate():
		return skipped(includingPageID)
	}
	return a.judgeFragment(d, ref, l)
}

// faultyOnSite returns the verdict on a reference that points nowhere on the site.
func (a *Judge) faultyOnSite(d *doc.Document, ref *doc.Reference, l *lead.Landing) Verdict {
	if c := resolve.Parse([]byte(ref.Ref)); isHomePath(&lead.Target{Rooted: strings.HasPrefix(ref.Ref, "/"), Components: strings.FieldsFunc(string(c.Path), func(r rune) bool { return r == '/' })}) {
		return faulty(Problem{Rule: rule.LocalURL, Message: "points into a home directory"})
	}
	res := l.Result
	res.State, res.Why = l.State, l.Why
	p := Problem{Rule: lead.MissingRule(ref), Mend: BySiteFile}
	p.Message, p.Target, p.Cause = a.MissingOnSite(d, ref, &res)
	if res.Case {
		p.Rule, p.Target = rule.Case, res.Other
		p.Message = fmt.Sprintf("case mismatch: the file is %s", a.Quoted(res.Other))
	}
	p.Message = a.WithReason(p.Message, &res)
	if len(d.Uses) > 0 && d.Uses[0].Page.File != d.Path {
		p.Message += fmt.Sprintf(" (where %s includes it)", a.Quoted(l.Use.Page.File))
	}
	return faulty(p)
}

// Reasons.
var (
	mapped          = reason.New(reason.Build, "mapped", "the page is below %s, like those of most links that lead nowhere here: a build may publish it in both places")
	doubtful        = reason.New(reason.Code, "doubtful-rule", "%s lead nowhere: code or the host may change what they mean")
	fewSources      = reason.New(reason.Build, "few-sources", "nearly all links below %s link to pages that are made from files outside this tree")
	codePicture     = reason.New(reason.Build, "code-picture", "code may add the image to the page")
	includingPageID = reason.New(reason.OtherPage, "including-page-id", "a page that includes the template may have the id")
)

// movedRemark returns the remark on a reference to an earlier URL of a page.
func (a *Judge) movedRemark(d *doc.Document, l *lead.Landing) *Problem {
	res := &l.Result
	if res.Page == nil || len(res.Page.Moved) == 0 || len(res.Page.Routes) == 0 || len(res.Tried) == 0 {
		return nil
	}
	s := d.Layout.Generated
	last := res.Tried[len(res.Tried)-1].URL
	rest, isBelow := strings.CutPrefix(last, strings.TrimSuffix(s.Base, "/"))
	isHere := func(routes []string) bool {
		return slices.ContainsFunc(routes, func(r string) bool { return strings.TrimSuffix(r, "/") == strings.TrimSuffix(rest, "/") })
	}
	if last == "" || !isBelow || isHere(res.Page.Routes) || !res.Page.IsMoved(rest) {
		return nil
	}
	return &Problem{Rule: rule.Redirect, Message: "redirects to " + strconv.Quote(s.Route(res.Page)), Target: res.File, Mend: ByRoute}
}
