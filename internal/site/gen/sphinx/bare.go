package sphinx

import (
	"path"
	"strings"

	"example.org/refract/internal/literal"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

// findBareSphinx finds documents of Sphinx without a configuration beside them, by their root document: the
// configuration is elsewhere ("sphinx-build -c"), or another program reads them, such as phpDocumentor.
// Nothing is known of extensions and URLs, but names of documents are those of Sphinx.
func findBareSphinx(d *source.Dir) []*site.Site {
	root := bareRoot(d)
	if root == "" {
		return nil
	}
	for up := d; up.Path != d.Tree.Root && source.Below(path.Dir(up.Path), d.Tree.Root); {
		up = source.NewDir(d.Tree, path.Dir(up.Path))
		if up.First("conf.py", "_toc.yml", "_toc.yaml", "myst.yml") != "" || bareRoot(up) != "" {
			return nil
		}
	}
	s := site.New(d, "Sphinx", root)
	g := &model{conf: source.Value{Value: literal.Value{Kind: literal.Unknown}}, labels: map[string]bool{}, isBare: true}
	g.set(d, s)
	s.SetModel(bareSphinx{g})
	s.Suffixes = []string{".rst"}
	s.Links[site.HTML], s.Links[site.HTMLSource] = []site.Step{g.link}, []site.Step{g.link}
	return []*site.Site{s}
}

// A bareSphinx is a project without a configuration.
type bareSphinx struct{ *model }

// IsInPlace reports whether a file is no document of reStructuredText: it may be Markdown that the project leaves out.
func (bareSphinx) IsInPlace(_ *site.Site, file string) bool { return path.Ext(file) != ".rst" }

// bareRoot returns the name of the root document of Sphinx in a directory, or "". It names other documents as only
// Sphinx does.
func bareRoot(d *source.Dir) string {
	for _, name := range []string{"index.rst", "contents.rst"} {
		if d.First(name) == "" {
			continue
		}
		if text := string(d.Tree.Config(d.In(name))); strings.Contains(text, ".. toctree::") || strings.Contains(text, ":doc:`") {
			return name
		}
	}
	return ""
}

// bareURL returns the candidates for a URL in documents without a configuration, whose place of publication
// is unknown.
func bareURL(s *site.Site, r *site.Reference) []site.Candidate {
	return append(site.ByURL(s, r), site.Candidate{Unknown: unconfiguredSphinx})
}

// Reasons.
var (
	unconfiguredSphinx = reason.New(reason.Base, "unconfigured-sphinx", "Sphinx, without its configuration: where pages are published is not known")
)
