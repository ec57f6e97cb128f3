package move

// A URL is the URL of a page that changes.
type URL struct {
	Path      string // of the document, absolute, before the move
	From, To  string // absolute, or paths
	Generator string
	Redirect  string // what makes a redirect: "aliases in docs/a.md"; "" means that nothing does
	Can       string // what could; "" means nothing that is known
	Why       string // why there is no redirect although the request asks for them
}

// redirect finds the URLs that change, and adds redirects if the request says so.
func (p *planner) redirect(plan *Plan) error {
	for _, name := range p.before.order {
		now := p.target(name)
		if now == name {
			continue
		}
		was, is := p.before.report.Page(name), p.after.report.Page(now)
		if was.URL != "" && was.URL != is.URL {
			plan.URLs = append(plan.URLs, URL{Path: name, From: was.URL, To: is.URL, Generator: was.Generator})
		}
	}
	return nil
}
