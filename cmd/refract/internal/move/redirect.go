package move

// A URL is the URL of a page that changes.
type URL struct {
	Path      string // of the document, absolute, before the move
	From, To  string // absolute, or paths
	Generator string
	Redirect  string // how a redirect is made: "aliases in docs/a.md"; "" means that there is none
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
