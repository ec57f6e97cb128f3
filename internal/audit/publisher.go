package audit

import (
	"context"
	"strings"
	"sync"

	"example.org/refract/base"
	"example.org/refract/extract"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/site"
	"example.org/refract/internal/slash"
	"example.org/refract/resolve"
)

// A Publisher finds where the documents of a tree are published, and in which dialect they are
// written. It is safe for concurrent use by multiple goroutines.
type Publisher struct {
	mu   sync.Mutex
	a    *auditor
	docs map[string]*doc.Document // by path
}

// NewPublisher returns a Publisher for the documents that o.Paths names. It returns an error if o is
// invalid.
func NewPublisher(o Options) (*Publisher, error) {
	a, err := newAuditor(context.Background(), o, nil)
	if err != nil {
		return nil, err
	}
	var args []doc.Arg
	for _, name := range a.Paths {
		if _, err := a.Directory(name); err == nil {
			args = append(args, doc.Arg{Name: strings.TrimSuffix(name, "/"), Path: a.Absolute(name)})
		}
	}
	a.SetArgs(args)
	return &Publisher{a: a, docs: map[string]*doc.Document{}}, nil
}

// document returns the document at a path.
func (p *Publisher) document(path string) *doc.Document {
	path = p.a.Absolute(path)
	d := p.docs[path]
	if d == nil {
		d = p.a.NewDocument(path)
		d.Layout = p.a.Layouts.Of(d)
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
	if s := d.Layout.Generated; s != nil {
		c.Markdown = doc.DialectOf(s, d.Path)
		c.MDX = c.MDX || c.Markdown.MDX
	}
	return p.a.pageOf(d).URL
}

// Target returns the file that a reference in a document resolves to, as shown to users, and the URL of its
// page, if the generator rewrites the reference, as it does with links to source files and with names
// (extract.ErrName). ref is to be resolved against the URL of the document, and is "" if the site has no
// URL for the file. Both are "" if ordinary resolution applies.
func (p *Publisher) Target(path string, r *extract.Reference) (text, file string) {
	isName := r.Err == extract.ErrName
	isRelative := r.Err == base.ErrNoBase || r.Err == nil && r.Result.Step != resolve.Absolute && !r.Result.SameDocument()
	if !isName && !isRelative || r.Base.Layer == base.Embedded || r.Base.Layer == base.Encapsulating {
		return "", ""
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	d := p.document(path)
	s := d.Layout.Generated
	if s == nil {
		return "", ""
	}
	ref := doc.Reference{Pos: r.Pos, Kind: r.Kind, How: r.How, In: r.In, Ref: string(r.Ref), Labels: r.Labels, Base: &r.Base, Result: r.Result}
	if r.Base.Layer != base.Retrieval { // the document has no URL, or it is not known
		own, _ := base.Root(p.a.ResolveRules, p.a.Published.Retrieved(d.Path), base.Source{})
		_, ref.Result, _ = own.Append(nil, r.Ref)
		ref.Base = &own
	}
	res := p.a.Lead(d, &ref).Result
	if res.State != site.Found {
		return "", ""
	}
	file = p.a.Shown(res.File)
	if other := p.document(res.File).Layout.Generated; isName && other != nil {
		s = other // a name may point to another site of the tree, as between components of Antora
	}
	made := ""
	switch uses, _ := s.Uses(res.File); {
	case res.Page != nil:
		made = s.Route(res.Page)
	case len(uses) > 0:
		made = s.Route(uses[0].Page)
	case isName && len(res.Tried) > 0:
		made = res.Tried[len(res.Tried)-1].URL // of a file that is no page
	}
	if made == "" {
		return "", file
	}
	c := resolve.Parse([]byte(ref.Ref))
	made = slash.Escaped(made)
	if r.Base.Layer != base.Retrieval && strings.HasPrefix(made, "/") {
		made = s.Origin + made
	}
	if c.HasQuery {
		made += "?" + string(c.Query)
	}
	if c.HasFragment {
		made += "#" + string(c.Fragment)
	}
	return made, file
}
