package site

import (
	"path"
	"strings"

	"example.org/refract/internal/literal"
)

// findBareSphinx finds documents of Sphinx without a configuration beside them, by their root document: the
// configuration is elsewhere ("sphinx-build -c"), or another program reads them, such as phpDocumentor. Nothing is known of
// extensions and URLs, but names of documents are those of Sphinx.
func findBareSphinx(d *directory) []*Site {
	root := bareRoot(d)
	if root == "" {
		return nil
	}
	for up := *d; up.dir != d.tree.root && below(path.Dir(up.dir), d.tree.root); {
		up.dir = path.Dir(up.dir)
		if up.first("conf.py", "_toc.yml", "_toc.yaml", "myst.yml") != "" || bareRoot(&up) != "" {
			return nil
		}
	}
	s := d.newSite("Sphinx", root)
	g := &sphinx{conf: value{literal.Value{Kind: literal.Unknown}}, labels: map[string]bool{}, isBare: true}
	g.set(d, s)
	s.suffixes = []string{".rst"}
	s.inPlace = func(_ *Site, file string) bool { return path.Ext(file) != ".rst" }
	s.table[HTML], s.table[HTMLSource] = []step{g.link}, []step{g.link}
	return []*Site{s}
}

// bareRoot returns the name of the root document of Sphinx in a directory, or "". It names other documents as only
// Sphinx does.
func bareRoot(d *directory) string {
	for _, name := range []string{"index.rst", "contents.rst"} {
		if d.first(name) == "" {
			continue
		}
		if text := string(d.tree.config(d.in(name))); strings.Contains(text, ".. toctree::") || strings.Contains(text, ":doc:`") {
			return name
		}
	}
	return ""
}

// bareURL returns the candidates for a URL in documents without a configuration, of which it is unknown where they are
// published.
func bareURL(s *Site, r *reference) []candidate {
	return append(byURL(s, r), candidate{unknown: "Sphinx, without its configuration: where pages are published is not known"})
}
