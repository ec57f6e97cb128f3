package move

import (
	"bytes"
	"errors"
	"maps"
	"slices"

	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/audit/tree"
)

// A graph is what an audit finds in a state of the tree.
type graph struct {
	refs     map[string][]*audit.Followed // by document
	order    []string                     // of the documents
	findings []*audit.Finding
	report   *audit.Report
	labels   map[string][]*audit.Followed // uses of labels of Sphinx, by document
	labelled []string                     // the order of these documents
}

// newGraph returns an empty graph.
func newGraph() *graph {
	return &graph{refs: map[string][]*audit.Followed{}, labels: map[string][]*audit.Followed{}}
}

// addFinding adds a finding.
func (g *graph) addFinding(f *audit.Finding) { g.findings = append(g.findings, f) }

// add adds a reference.
func (g *graph) add(f *audit.Followed) {
	if f.IsLabel() { // does not depend on paths; its document has none outside of a site
		if g.labels[f.Path] == nil {
			g.labelled = append(g.labelled, f.Path)
		}
		g.labels[f.Path] = append(g.labels[f.Path], f)
		return
	}
	if g.refs[f.Path] == nil {
		g.order = append(g.order, f.Path)
	}
	g.refs[f.Path] = append(g.refs[f.Path], f)
}

// examine finds out where references lead before the move.
func (p *planner) examine() error {
	var err error
	p.live = p.request.Report
	if p.live == nil {
		p.before, err = p.audit(p.under)
		if err != nil {
			return err
		}
		p.live = p.before.report
	}
	p.around, p.among = p.aroundHeading(), p.amongMoved()
	switch {
	case p.around != nil:
		p.before, err = p.recheck(p.live, p.textsOf(p.around))
	case p.before == nil:
		p.before = newGraph()
		p.before.report = p.live.Again(p.among, p.before.add, p.before.addFinding)
	}
	return err
}

// again examines the tree with all changes so far.
func (p *planner) again() (*graph, error) {
	changed := p.changed()
	p.examined = maps.Clone(p.texts)
	switch {
	case p.around != nil:
		return p.recheck(p.live, p.textsOf(p.around))
	case p.after != nil:
		if g, err := p.update(changed); g != nil || err != nil {
			return g, err
		}
	}
	return p.audit(p.tree())
}

// changed returns the texts of documents that have changed since p.after was found, as they were then.
func (p *planner) changed() map[string][]byte {
	was := map[string][]byte{}
	for name, text := range p.texts {
		old, ok := p.examined[name]
		if !ok {
			old, _ = p.read(p.origin(name))
		}
		if !bytes.Equal(old, text) {
			was[name] = old
		}
	}
	return was
}

// update returns p.after with the new texts of documents, whose former texts it is given. It returns nil if
// these may matter for more than the references in them.
func (p *planner) update(was map[string][]byte) (*graph, error) {
	now, err := p.recheck(p.after.report, p.textsOf(slices.Collect(maps.Keys(was))))
	if err != nil {
		return nil, p.ctx.Err() // a document is new
	}
	for name, old := range was {
		if !p.after.report.IsLocal(now.report, name, old, p.texts[name]) {
			return nil, nil
		}
	}
	g := *p.after
	g.refs, g.labels = maps.Clone(g.refs), maps.Clone(g.labels)
	for name := range was {
		g.refs[name], g.labels[name] = now.refs[name], now.labels[name]
	}
	isOld := func(f *audit.Finding) bool { _, is := was[p.absolute(f.Path)]; return is }
	g.findings = append(slices.DeleteFunc(slices.Clone(g.findings), isOld), now.findings...)
	g.report = now.report
	g.report.Skipped += p.after.report.Skipped
	for why, n := range p.after.report.Reasons {
		g.report.Reasons[why] += n
	}
	for name := range was {
		for why, n := range p.after.report.SkippedIn(name) {
			g.report.Reasons[why] -= n
			g.report.Skipped -= n
		}
	}
	return &g, nil
}

// textsOf returns the texts of documents with all changes so far. It leaves out those that cannot be read.
func (p *planner) textsOf(names []string) map[string][]byte {
	texts := map[string][]byte{}
	for _, name := range names {
		if text, err := p.text(name); err == nil {
			texts[name] = text
		}
	}
	return texts
}

// recheck judges documents with other texts than at the audit of a report.
func (p *planner) recheck(r *audit.Report, texts map[string][]byte) (*graph, error) {
	g := newGraph()
	g.report = r.RecheckAll(texts, p.cache, g.add, g.addFinding)
	if g.report == nil {
		return nil, errors.New("a document was not there at the last audit")
	}
	return g, p.ctx.Err()
}

// audit audits a state of the tree.
func (p *planner) audit(tree tree.Tree) (*graph, error) {
	g := newGraph()
	o := p.request.Options
	o.Tree, o.Cache, o.Progress, o.Total, o.Unchecked, o.Graph = tree, p.cache, nil, nil, nil, false
	o.Baseline, o.Only, o.Ignore, o.Forbid, o.Overrides, o.Orphans, o.LinkTexts, o.Tests = nil, nil, nil, nil, nil, false, false, true
	// What becomes of redirects is examined when they are changed, after the documents.
	o.Without = rule.OfRedirects
	o.BuiltFrom = p.origin
	if p.before == nil {
		o.BuiltFrom = func(file string) string { return file }
	}
	o.Followed = g.add
	if p.among != nil {
		o.Among = func(file string) bool { return p.among(p.origin(file)) }
	}
	var err error
	g.report, err = audit.Run(p.ctx, o, g.addFinding)
	return g, err
}
