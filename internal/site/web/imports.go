// Package web has what models of generators share that run JavaScript: imports of documents, application routes, and
// patterns of paths.
package web

import (
	"bytes"
	"path"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/literal"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

// importedDocument is a line that imports a Markdown document.
var importedDocument = lazy.New(`^import\s[^\n]*?\sfrom\s+['"]([^'"\n]+\.(?:mdx?|markdown|mdoc))['"]`)

// An Importer finds the documents that documents import.
type Importer struct {
	alias lazy.Value[map[string]string] // see aliases
}

// Parts returns the documents that a page, or a document that it imports, imports.
func (g *Importer) Parts(s *site.Site, p *site.Page, file string, text []byte) site.Parts {
	return site.Parts{Files: g.partsIn(s, p, file, text)}
}

func (g *Importer) partsIn(s *site.Site, p *site.Page, file string, text []byte) (files []string) {
	if !bytes.Contains(text, []byte(".md")) {
		return nil
	}
	n := 0
	for m := range source.MatchesIn(text, importedDocument, "import") {
		if n++; n > site.MaxComponents {
			break
		}
		to := g.imported(s, file, string(m[1]))
		if to == "" {
			s.SetOpen(p.File)
			continue
		}
		files = append(files, to)
	}
	return files
}

// imported returns the file that a module imports by a name, "" if it is none of the project.
func (g *Importer) imported(s *site.Site, file, name string) string {
	to := ""
	switch {
	case strings.HasPrefix(name, "."):
		to = path.Join(path.Dir(file), name)
	case strings.HasPrefix(name, "/"):
		to = s.Dir + name
	default:
		for alias, dir := range g.aliases(s) {
			if rest, ok := strings.CutPrefix(name, alias); ok {
				to = path.Join(s.Dir, dir, rest)
			}
		}
	}
	if to == "" || !source.Below(to, s.Tree.Root) || !s.Tree.IsFile(to) {
		return ""
	}
	return to
}

// aliases returns the prefixes of names of modules, and the directories that they stand for, that
// tsconfig.json has.
func (g *Importer) aliases(s *site.Site) map[string]string {
	return g.alias.Get(func() map[string]string {
		alias := map[string]string{}
		options := s.Tree.Read(s.Dir + "/tsconfig.json").Lookup("compilerOptions")
		for _, e := range options.Lookup("paths").Entries {
			to := source.Value{Value: e.Value}
			if to.Kind == literal.List {
				to = to.Item(0)
			}
			from, isTree := strings.CutSuffix(e.Key, "*")
			if dir, ok := strings.CutSuffix(to.Or(""), "*"); ok && isTree {
				alias[from] = path.Join(options.Lookup("baseUrl").Or("."), dir)
			}
		}
		return alias
	})
}
