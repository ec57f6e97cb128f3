package audit

import (
	"context"
	"strings"
	"sync"

	"example.org/refract/audit/site"
	"example.org/refract/base"
	"example.org/refract/extract"
	"example.org/refract/resolve"
)

// A Publisher finds where the documents of a tree are published, and in which dialect they are
// written. It is safe for concurrent use by multiple goroutines.
type Publisher struct {
	mu   sync.Mutex
	a    *auditor
	docs map[string]*document // by path
}

// NewPublisher returns a Publisher for the documents that o.Paths names. It returns an error if o is
// invalid.
func NewPublisher(o Options) (*Publisher, error) {
	a, err := newAuditor(context.Background(), o, nil)
	if err != nil {
		return nil, err
	}
	for _, name := range a.Paths {
		if _, err := a.directory(name); err == nil {
			a.args = append(a.args, arg{strings.TrimSuffix(name, "/"), a.absolute(name)})
		}
	}
	return &Publisher{a: a, docs: map[string]*document{}}, nil
}

// document returns the document at a path.
func (p *Publisher) document(path string) *document {
	path = p.a.absolute(path)
	d := p.docs[path]
	if d == nil {
		d = p.a.newDocument(path)
		d.top = p.a.topOf(path)
		d.layout = p.a.layouts.of(d)
		p.docs[path] = d
	}
	return d
}

// Configure sets the dialect of a document in c, and returns the document's URL: absolute if the
// configuration of the site gives the host, otherwise a path. The URL is "" if the document is not
// published, or if the place is unknown.
func (p *Publisher) Configure(path string, c *extract.Config) (url string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	d := p.document(path)
	if s := d.layout.generated; s != nil {
		c.Markdown = s.DialectOf(d.path)
		c.MDX = c.MDX || c.Markdown.MDX
	}
	return p.a.pageOf(d).URL
}

// Target returns the URL of the page or file that a reference in a document leads to, if the
// generator rewrites the reference, as it does with links to source files. ref must be resolved
// against the URL of the document. ok is false if ordinary resolution applies.
func (p *Publisher) Target(path string, r *extract.Reference) (ref string, ok bool) {
	if r.Err != nil || r.Result.Step == resolve.Absolute || r.Result.SameDocument() || r.Base.Layer != base.Retrieval {
		return "", false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	d := p.document(path)
	s := d.layout.generated
	if s == nil {
		return "", false
	}
	k := reference{pos: r.Pos, kind: r.Kind, how: r.How, in: r.In, ref: string(r.Ref), labels: r.Labels}
	res, _ := p.a.onSite(d, &k, k.ref)
	if res.State != site.Found {
		return "", false
	}
	made := ""
	switch uses, _ := s.Uses(res.File); {
	case res.Page != nil:
		made = s.Route(res.Page)
	case len(uses) > 0:
		made = s.Route(uses[0].Page)
	}
	if made == "" {
		return "", false
	}
	c := resolve.Parse([]byte(k.ref))
	made = escaped(made)
	if c.HasQuery {
		made += "?" + string(c.Query)
	}
	if c.HasFragment {
		made += "#" + string(c.Fragment)
	}
	return made, true
}
