package searchcmd

import (
	"cmp"
	"sync"

	"example.org/refract/base"
	"example.org/refract/extract"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/input"
	"example.org/refract/resolve"
)

// published gives documents the URLs at which their site publishes them.
type published struct {
	*audit.Publisher
	deflt base.Source // paths are resolved against it
	rules resolve.Rules

	mu    sync.Mutex
	files map[string]publishedFile // by the name of the input
}

type publishedFile struct{ path, url string } // url: "" if it is not known

func newPublished(cfg *extract.Config, walk *input.Options, args []string) (*published, error) {
	o := audit.Options{Paths: args, Resolve: cfg.Rules, Hidden: walk.Hidden, NoIgnore: walk.NoIgnore}
	p, err := audit.NewPublisher(o)
	if err != nil {
		return nil, err
	}
	return &published{Publisher: p, deflt: cfg.Default, rules: cfg.Rules, files: map[string]publishedFile{}}, nil
}

// configure sets the URL from which a file was retrieved, if that is known, and the file's dialect.
func (p *published) configure(file input.File, cfg *extract.Config) {
	url := p.Configure(file.Path, cfg)
	if made, ok := p.resolve(p.deflt.URI, url); ok {
		url = made
	}
	if !resolve.Parse([]byte(url)).HasScheme {
		url = "" // without --base, the host is unknown
	}
	if url != "" {
		cfg.Retrieved = base.Source{URI: url, From: "--published"}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.files[file.Name] = publishedFile{file.Path, url}
}

// redirect sets the URL of r to the one that the generator produces for it, and returns the file that r
// resolves to, if the generator knows it. A reference that has a URL now is no longer an error.
func (p *published) redirect(name string, r *extract.Reference) (target string) {
	p.mu.Lock()
	file, isKnown := p.files[name]
	p.mu.Unlock()
	if !isKnown {
		return ""
	}
	ref, target := p.Target(file.path, r)
	if made, ok := p.resolve(cmp.Or(file.url, p.deflt.URI), ref); ok {
		r.URL, r.Err = []byte(made), nil
	}
	return target
}

// resolve resolves ref against a base URI. ok is false if either is missing.
func (p *published) resolve(uri, ref string) (url string, ok bool) {
	if uri == "" || ref == "" {
		return "", false
	}
	b, err := base.Root(p.rules, base.Source{URI: uri}, base.Source{})
	if err != nil {
		return "", false
	}
	u, _, err := b.Append(nil, []byte(ref))
	return string(u), err == nil
}
