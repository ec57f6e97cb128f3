package audit

import (
	"context"
	"errors"
	"io"
	"strings"

	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/site"
)

// A wantedRedirect leads from a URL that is gone to the page that replaces it.
type wantedRedirect struct {
	s       *site.Site
	url     string // with the base
	message string // of the finding
	was, is site.Target
}

// AddedRedirects are redirects to write.
type AddedRedirects struct {
	Texts    map[string][]byte // the new texts of files, by their absolute paths
	Messages map[string]bool   // of the findings about the URLs that redirect now
	Where    []string          // for each: "redirect_maps in mkdocs.yml"
	Why      string            // why nothing is written although some were possible; "" if something is
}

// maxEdited is the largest file, in bytes, to which a redirect is added.
const maxEdited = 32 << 20

// AddRedirects adds a redirect for each page that git calls a rename and whose URL is gone, and for each
// heading that another page has now, as its generator or its host defines redirects. It audits the tree
// with them, and adds none if one of them does not work, or if there is another finding about redirects. It
// writes nothing. r is the report of an audit with Options.Before.
func (r *Report) AddRedirects(ctx context.Context, o Options) (*AddedRedirects, error) {
	all := &AddedRedirects{Texts: map[string][]byte{}, Messages: map[string]bool{}}
	a := r.audited()
	if a == nil {
		return all, nil
	}
	for _, w := range a.wanted {
		e := &site.Edits{
			Config: w.s.Config, Base: strings.TrimSuffix(w.s.Base, "/"), Text: func(file string) ([]byte, error) { return all.textOf(a.Options.Tree, file) },
			Set: func(file string, text []byte) { all.Texts[file] = text },
		}
		where := w.addTo(e)
		if to := w.s.Retargeter(); where != "" && to != nil {
			to.Retarget(e, w.was, w.is)
		}
		if where != "" {
			all.Messages[w.message] = true
			all.Where = append(all.Where, a.shownIn(where))
		}
	}
	if len(all.Texts) == 0 {
		return all, nil
	}
	over := tree.NewOverlay(a.Options.Tree)
	for file, text := range all.Texts {
		over.Write(file, text)
	}
	count := func(o Options, about map[string]bool) (left, others int, err error) {
		o.Only = []rule.Rule{rule.RemovedURL, rule.RemovedID, rule.RedirectTarget, rule.RedirectLoop, rule.RedirectShadowed, rule.RedirectTwice}
		o.Cache, o.Keep, o.Progress, o.Total, o.Unchecked, o.Followed = nil, nil, nil, nil, nil, nil
		_, err = Run(ctx, o, func(f *Finding) {
			if (f.Rule == rule.RemovedURL || f.Rule == rule.RemovedID) && about[f.Message] {
				left++
			} else {
				others++
			}
		})
		return left, others, err
	}
	o.Paths = a.Options.Paths
	_, before, err := count(o, all.Messages)
	if err != nil {
		return nil, err
	}
	o.Tree = over
	left, after, err := count(o, all.Messages)
	switch {
	case err != nil:
		return nil, err
	case left > 0:
		all.Why = "the site would not make a redirect from " + all.Where[0]
	case after > before:
		all.Why = "there would be another finding about redirects"
	}
	if all.Why != "" {
		all.Texts, all.Messages, all.Where = nil, nil, nil
	}
	return all, nil
}

// shownIn returns what an edit says about where it is, with the name of the file as shown to users.
func (a *auditor) shownIn(where string) string {
	i := strings.LastIndex(where, " /")
	if i < 0 {
		return a.Shown(where)
	}
	return where[:i+1] + a.Shown(where[i+1:])
}

// textOf returns the text of a file with the edits so far.
func (r *AddedRedirects) textOf(t tree.Tree, file string) ([]byte, error) {
	if text, ok := r.Texts[file]; ok {
		return text, nil
	}
	f, err := t.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxEdited+1))
	if len(text) > maxEdited {
		return nil, errors.New("too large")
	}
	return text, err
}

// addTo adds a redirect where the host or the generator of a site reads them.
func (w *wantedRedirect) addTo(e *site.Edits) (where string) {
	from, to, dirs := w.url, e.Base+w.is.Route, site.HostDirs(w.s)
	where = e.AddToRedirects(dirs, from, to)
	if where != "" {
		return where
	}
	if r := w.s.Redirecter(); r != nil {
		where = r.Redirect(e, w.was, w.is)
	}
	if where == "" {
		where = e.AddToHost(dirs, from, to)
	}
	return where
}
