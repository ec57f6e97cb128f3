package sphinx

import (
	"path"

	"example.org/refract/internal/literal"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
)

// Navigate adds the files of _toc.yml (Jupyter Book, sphinx-external-toc), and of the toc of
// mystmd.
func (g *model) Navigate(s *site.Site, n *site.Navigation) {
	for _, name := range []string{"_toc.yml", "_toc.yaml"} {
		if file := s.Dir + "/" + name; s.Tree.IsFile(file) {
			navigateTOC(n, file, n.Read(file), 0)
		}
	}
	if s.Generator == "MyST" {
		navigateTOC(n, s.Config, n.Read(s.Config).Get("project", "toc"), 0)
	}
}

// navigateTOC adds the values of "file" and "root" in v.
func navigateTOC(n *site.Navigation, file string, v literal.Value, depth int) {
	const maxDepth = 50
	if depth > maxDepth {
		return
	}
	for _, item := range v.Items {
		navigateTOC(n, file, item, depth+1)
	}
	for key, value := range v.All() {
		if key != "file" && key != "root" {
			navigateTOC(n, file, value, depth+1)
			continue
		}
		n.Add(file, "toc", value, func(ref string) site.Result {
			at := path.Join(path.Dir(file), ref)
			for _, ext := range []string{"", ".md", ".ipynb", ".rst", ".txt", ".myst", ".myst.md"} {
				if n.Site.Tree.IsFile(at + ext) {
					return site.Result{State: site.Found, File: at + ext, Page: n.Site.ByFile[at+ext]}
				}
			}
			if n.Site.Generates {
				return site.Result{State: site.Unknown, Why: reason.PluginPage}
			}
			return n.MissingFile(at)
		})
	}
}
