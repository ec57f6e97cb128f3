package judge

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"example.org/refract/base"
	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
)

// NewRedirect returns the entry for a redirect of a site in the document d, whose text is text. ok is false
// if it is not known where the file has it.
func NewRedirect(d *doc.Document, r doc.RedirectSite, text *doc.Lined) (e doc.RedirectEntry, ok bool) {
	span, ref := r.ToSpan, r.To
	if r.Alias != nil {
		span, ref = r.FromSpan, r.From
	}
	if span.End <= span.Start || span.End > len(text.Text) {
		return e, false
	}
	raw := string(text.Text[span.Start:span.End])
	line, column := text.Position(span.Start)
	e.Of = []doc.RedirectSite{r}
	e.Reference = doc.Reference{
		Pos:  extract.Position{Offset: int64(span.Start), Length: len(raw), Line: line, Column: column, Exact: raw == ref},
		Kind: scan.Link, How: scan.Navigation, In: r.In, Raw: raw, Ref: ref, Entity: doc.Whole,
		Base: &base.Base{URI: d.Retrieved.URI, Layer: base.Retrieval, From: d.Retrieved.From},
	}
	return e, true
}

// A redirectJudge judges redirects.
type redirectJudge struct{ a *Judge }

// maxRedirectSites is the number of sites for which a redirect is checked that several have.
const maxRedirectSites = 8

// JudgeRedirect checks the target of a redirect, which it returns as l. If several sites have the redirect,
// it is faulty if it is faulty in all of them. others are further problems of it.
func JudgeRedirect(a *Judge, d *doc.Document, e *doc.RedirectEntry) (l lead.Landing, v Verdict, others []*Problem) {
	if len(e.Of) > maxRedirectSites {
		return l, skipped(manySites), nil
	}
	for i := range e.Of {
		r := &e.Of[i]
		if r.Alias != nil {
			return l, Verdict{}, redirectJudge{a}.source(r)
		}
		landing, one, more := redirectJudge{a}.one(d, e, r)
		if i == 0 || one.Problem == nil && v.Problem != nil {
			l, v, others = landing, one, more
		}
		if v.Problem == nil && v.Skip.IsZero() {
			return l, v, others
		}
	}
	return l, v, others
}

// one judges a redirect of one site.
func (a redirectJudge) one(d *doc.Document, e *doc.RedirectEntry, r *doc.RedirectSite) (l lead.Landing, v Verdict, others []*Problem) {
	others = a.source(r)
	if r.Below != "" {
		return l, a.pattern(r), others
	}
	if !r.Why.IsZero() {
		return l, skipped(r.Why), others
	}
	t := r.Follow(r.Redirect)
	l = lead.Landing{How: lead.ByEntry, State: t.State, Why: t.Why, Result: t.Result}
	if file := r.Shadow(r.Redirect); t.Loops && file != "" { // the page may be shown
		return l, Verdict{}, others
	}
	last := r.Redirect
	if len(t.Hops) > 0 {
		last = t.Hops[len(t.Hops)-1]
	}
	if t.Loops && last.Goal == last.URL && r.IsDirectory(last) {
		return l, skipped(directoryRedirect), others
	}
	if t.Loops {
		return l, faulty(Problem{Rule: rule.RedirectLoop, Message: loopMessage(r.Redirect, &t)}), others
	}
	if len(t.Hops) > 0 && t.State != site.Missing {
		p := &Problem{Rule: rule.RedirectChain, Message: fmt.Sprintf("points to a redirect to %s", strconv.Quote(t.Goal))}
		if t.State == site.Found {
			p.Suggestion = finalTarget(r, &t)
			p.Certain = p.Suggestion != "" && r.LeadsTo(r.Redirect, p.Suggestion, t.Goal)
		}
		others = append(others, p)
	}
	switch {
	case t.State == site.Unknown && t.Why.IsZero():
		return l, skipped(redirectUnknown), others
	case t.State == site.Unknown:
		return l, skipped(t.Why), others
	case t.State == site.Missing && path.Ext(t.Goal) == "" && a.a.MayPublishMore(r.Site):
		return l, skipped(codeDecides.With(path.Base(r.Config))), others
	case t.State == site.Missing:
		return l, faulty(a.missingTarget(r, &t)), others
	}
	_, l.Fragment, l.Hash = strings.Cut(t.Goal, "#")
	if t.File == "" {
		return l, unseenFragment(l.Fragment), others
	}
	a.a.ArriveAt(&l, t.File)
	v = a.a.judgeFragment(d, &e.Reference, &l)
	if p := v.Problem; p != nil {
		p.Rule, p.Mend = rule.RedirectTarget, bySuggestion
		if before, _, ok := strings.Cut(e.Ref, "#"); ok && p.ID != "" && len(t.Hops) == 0 {
			p.Suggestion = before + "#" + p.ID
		}
		p.Message = "points to " + strconv.Quote(t.Goal) + ": " + p.Message
	}
	return l, v, others
}

// pattern checks a redirect to a path with placeholders: it is faulty if there is nothing at any path that
// they may stand for.
func (a redirectJudge) pattern(r *doc.RedirectSite) Verdict {
	switch res := r.Reach(r.Redirect); res.State {
	case site.Found:
		return Verdict{}
	case site.Unknown:
		return skipped(res.Why)
	}
	return faulty(Problem{
		Rule: rule.RedirectTarget, Cause: r.Below, Message: fmt.Sprintf("the redirect points to no page: the site has none below %s", strconv.Quote(r.Below)),
	})
}

// loopMessage describes a loop.
func loopMessage(r *site.Redirect, t *site.Trail) string {
	if len(t.Hops) == 0 {
		return "points to its own URL"
	}
	names := []string{strconv.Quote(r.Goal)}
	for i, h := range t.Hops {
		if i == 3 {
			names = append(names, "…")
			break
		}
		names = append(names, strconv.Quote(cmp.Or(h.Goal, h.To)))
	}
	return "leads in a circle: " + strings.Join(names, ", ")
}

// finalTarget returns what to write in place of the target of a redirect that points to another one.
func finalTarget(r *doc.RedirectSite, t *site.Trail) string {
	last := t.Hops[len(t.Hops)-1]
	_, fragment, hash := strings.Cut(r.To, "#")
	to := ""
	switch {
	case last.Alias == nil && last.File == r.File && last.In == r.In && last.URL != "" && !strings.HasPrefix(last.To, "."):
		to = last.To
	case strings.HasPrefix(r.To, "/") && strings.HasPrefix(t.Goal, "/") && r.Base == "/":
		to = t.Goal
	}
	if hash && to != "" && !strings.Contains(to, "#") {
		to += "#" + fragment
	}
	return to
}

// missingTarget returns the problem of a redirect that points to nothing.
func (a redirectJudge) missingTarget(r *doc.RedirectSite, t *site.Trail) Problem {
	p := Problem{Rule: rule.RedirectTarget, Cause: t.Goal}
	what := strconv.Quote(t.Goal)
	if len(t.Tried) > 0 && t.Tried[0].File != "" {
		what = a.a.Quoted(t.Tried[0].File)
		p.Message = fmt.Sprintf("the redirect points to no page: there is no %s", what)
	} else {
		p.Message = fmt.Sprintf("the redirect points to no page: the site has none at %s", what)
	}
	if len(t.Hops) > 0 {
		p.Message += ", where it leads through another one"
	}
	if t.Case {
		p.Message += fmt.Sprintf("; case mismatch: the file is %s", a.a.Quoted(t.Other))
	}
	p.Message = a.a.WithReason(p.Message, &t.Result)
	if u := sameName(r, t); u != "" && len(t.Hops) == 0 {
		p.Suggestion, p.Certain = u, isUpOrDown(t.Goal, u)
	}
	return p
}

// isUpOrDown reports whether a URL is another one with names added or left out, as if the page had moved up
// or down, and ends in a name of more than one word, so that no other page can have been meant.
func isUpOrDown(before, after string) bool {
	before, _, _ = strings.Cut(before, "#")
	x, y := strings.Split(strings.Trim(before, "/"), "/"), strings.Split(strings.Trim(after, "/"), "/")
	if !strings.ContainsAny(strings.Trim(x[len(x)-1], "-_"), "-_") || len(x) == len(y) {
		return false
	}
	if len(x) > len(y) {
		x, y = y, x
	}
	n := 0 // of x that y has, in this order
	for _, name := range y {
		if n < len(x) && x[n] == name {
			n++
		}
	}
	return n == len(x)
}

// sameName returns the only URL of a page that ends in the name of the target of a redirect, "" if there is
// none or several.
func sameName(r *doc.RedirectSite, t *site.Trail) string {
	goal, _, _ := strings.Cut(t.Goal, "#")
	name := path.Base(goal)
	if !strings.HasPrefix(r.To, "/") || r.Base != "/" || slices.Contains(UsualNames, name) {
		return ""
	}
	return r.OnlyNamed(name)
}

// UsualNames are names that pages about different things have.
var UsualNames = []string{"index", "overview", "introduction", "intro", "reference", "guide", "guides", "getting-started", "quickstart", "faq", "installation"}

// source judges the URL that a redirect is for.
func (a redirectJudge) source(r *doc.RedirectSite) (problems []*Problem) {
	if file := r.Shadow(r.Redirect); file != "" {
		problems = append(problems, &Problem{
			Rule: rule.RedirectShadowed, Target: file,
			Message: fmt.Sprintf("%s is the URL of %s: either the page is shown, or the redirect works", strconv.Quote(r.URL), a.a.Quoted(file)),
		})
	}
	if _, fragment, hash := strings.Cut(r.From, "#"); hash && r.IsByHost {
		problems = append(problems, &Problem{
			Rule: rule.RedirectShadowed, Message: fmt.Sprintf("a server never sees the fragment %s, so the redirect is never followed", strconv.Quote("#"+fragment)),
		})
	}
	if by, ok := r.Cover(r.Redirect); ok {
		message := fmt.Sprintf("the redirect is never followed: a rule for %s is before it", strconv.Quote(by))
		if by != r.From {
			message += fmt.Sprintf(", and matches all that %s matches", strconv.Quote(r.From))
		}
		problems = append(problems, &Problem{Rule: rule.RedirectShadowed, Message: message})
	}
	if first := r.Earlier(r.Redirect); first != nil {
		to := "the same"
		switch {
		case first.Alias != nil:
			to = a.a.Quoted(first.Alias.File)
		case first.Goal != r.Goal:
			to = strconv.Quote(first.To)
		}
		problems = append(problems, &Problem{Rule: rule.RedirectTwice, Message: fmt.Sprintf("%s is redirected twice: another redirect points to %s", strconv.Quote(r.From), to)})
	}
	return problems
}

// Reasons.
var (
	directoryRedirect = reason.New(reason.Unpublished, "directory-redirect", "a redirect of a directory of pages to itself")
	manySites         = reason.New(reason.OtherSite, "many-sites", "many sites share the redirects of the file")
	redirectUnknown   = reason.New(reason.Unpublished, "redirect-unknown", "what is at the target of the redirect is not known")
)
