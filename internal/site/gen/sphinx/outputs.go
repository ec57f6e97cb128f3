package sphinx

import (
	"path"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/slash"
)

// addTexts adds the files that the extension sphinx_llm.txt writes: the text of each page beside it, and lists of pages in
// each directory. conf.py may add the extension under a condition.
func (g *model) addTexts(s *site.Site) {
	if g.isFlat || !hasQuoted(g.text, "sphinx_llm.txt") && !hasQuoted(strings.Join(g.extensions, `"`), "sphinx_llm.txt") {
		return
	}
	var routes []string
	for _, p := range s.ByFile {
		if p.Why.IsZero() && len(p.Routes) > 0 {
			routes = append(routes, p.Routes[0])
		}
	}
	s.AddRoute("/llms.txt")
	s.AddRoute("/llms-full.txt")
	for _, u := range routes {
		if name, isDir := strings.CutSuffix(u, "/"); isDir {
			u += "index.html"
			s.AddRoute(name + ".md")
		}
		s.AddRoute(u + ".md")
		s.AddRoute(slash.Stem(u) + ".md")
		for dir := path.Dir(u); dir != "/" && dir != "."; dir = path.Dir(dir) {
			s.AddRoute(dir + "/llms.txt")
		}
	}
}

// hasQuoted reports whether text contains a name between quotes.
func hasQuoted(text, name string) bool {
	return strings.Contains(text, `"`+name+`"`) || strings.Contains(text, "'"+name+"'")
}

// readTheDocsOutput matches a directory below that of the pages, in a command that Read the Docs runs.
var readTheDocsOutput = lazy.New(`\$\{?READTHEDOCS_OUTPUT\}?"?/html(/[\w./-]*\w)`)

// commandOutputs returns the URLs below which commands of Read the Docs write files.
func commandOutputs(d *source.Dir) (urls []string) {
	for _, up := range []string{"", "..", "../.."} {
		for _, name := range []string{".readthedocs.yaml", ".readthedocs.yml"} {
			file := path.Join(d.Path, up, name)
			if !source.Below(file, d.Tree.Root) || !d.Tree.IsFile(file) {
				continue
			}
			conf := d.Tree.Read(file)
			of := conf.Lookup("sphinx", "configuration").Or("")
			if of != "" && path.Join(path.Dir(file), of) != d.In("conf.py") {
				return nil
			}
			commands := conf.Lookup("build", "commands").Texts()
			for _, job := range conf.Lookup("build", "jobs").Members() {
				commands = append(commands, job.Texts()...)
			}
			for _, m := range readTheDocsOutput.FindAllStringSubmatch(strings.Join(commands, "\n"), -1) {
				urls = append(urls, path.Clean(m[1])+"/")
			}
			return urls
		}
	}
	return nil
}
