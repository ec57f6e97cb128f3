package lead

import (
	"path"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

// Shown is what components add to the page of a document that no known generator publishes.
type Shown struct {
	Files []string // documents that they name: <Fragment src="x.md" />
	Data  bool     // one makes its text of data: <Reference {schemas} />
}

var (
	fragmentTag    = lazy.New(`<[A-Z][\w.]*\s[^<>]*?\bsrc=["']([^"'<>{}\n]+\.mdx?)["']`)
	fragmentSource = lazy.New(`\bsrc=["'][^"'<>{}\n]+\.mdx?["']`)
	dataTag        = lazy.New(`^<[A-Z][\w.]*\s[^<>\n]*\{[^<>\n]*/>`) // in a line
)

// ShownBy returns what components add to the page of d.
func (a *Library) ShownBy(d *doc.Document) *Shown {
	return a.shownBy.Get(d.Path, func(string) *Shown {
		s := &Shown{}
		if d.Layout.Generated != nil || !d.IsMarkdown() {
			return s
		}
		text := d.Source()
		s.Data = hasIn(text, dataTag, "/>")
		if !hasIn(text, fragmentSource, "src=") {
			return s // most texts: the expression for the whole tag takes long
		}
		for _, m := range fragmentTag.FindAllSubmatch(text, site.MaxComponents) {
			file := string(m[1])
			if path.IsAbs(file) {
				s.Files = append(s.Files, path.Join(a.Boundary(d), file))
				continue
			}
			s.Files = append(s.Files, path.Join(d.Dir(), file))
		}
		return s
	})
}

// hasIn reports whether an expression matches in a line of a text with a mark.
func hasIn(text []byte, re *lazy.Regexp, mark string) bool {
	for range source.MatchesIn(text, re, mark) {
		return true
	}
	return false
}
