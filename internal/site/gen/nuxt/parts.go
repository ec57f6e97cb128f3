package nuxt

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/slash"
)

// known are the components of Nuxt Content, Nuxt UI, Docus and UnDocs that documents use. They make no ids
// except those of their content.
var known = lazy.NewSet("accordion accordion-item alert app-icon avatar badge br button button-link callout card card-grid card-group caution code " +
	"code-block code-collapse code-group code-preview code-sandbox code-tree collapsible container div div-grid embed field field-group hr " +
	"icon image img important info input kbd landing-hero link list mermaid nuxt-img nuxt-link nuxt-picture note p page-card page-columns " +
	"page-cta page-feature page-features page-grid page-hero page-section page-links pm-install pm-run pm-x prompt " +
	"p read-more release-version sandbox separator span stackblitz step steps success tab tabs tabs-item terminal tip color-mode-image video video-player warning youtube vimeo")

var (
	usedComponent = lazy.New(`(?:^[ \t>*+-]*(::+)|[ \t(\[*_]:|^:|<)([A-Za-z][\w-]*)`)
	inlineCode    = lazy.New("`+[^`\n]*`+")
	computesID    = lazy.New(`[\s"](?::|v-bind:)id=`)
	makesID       = lazy.New(`[\s"](?::|v-bind:)id=|ContentRenderer|<MDC\b|ContentDoc|v-html|<component\b|<[Hh][1-6]\b|ProseH[1-6]|defineComponent|\bh\(`)
)

// MakesID reports whether a component on a page may make an id: one of the project whose source computes
// ids or shows documents, or one from elsewhere.
func (g *model) MakesID(s *site.Site, file, id string) bool {
	for _, used := range g.usedIn(s, file) {
		name := strings.TrimPrefix(used, ":")
		if strings.HasPrefix(name, "u-") || known.Has(strings.TrimPrefix(name, "prose-")) || htmlElements.Has(name) {
			continue
		}
		if g.makers.Get(used, g.mayMakeIDs) {
			return true
		}
		if c := g.componentFile(name); c != "" && bytes.Contains(g.dir.Tree.Config(c), []byte(`id="`+id+`"`)) {
			return true
		}
	}
	return false
}

// maxUsed is the number of components of a page that are read.
const maxUsed = 256

// usedIn returns the names of the components in a document, outside of code. ":" precedes those of blocks.
func (g *model) usedIn(s *site.Site, file string) []string {
	return g.used.Get(file, func(file string) []string { return usedIn(string(s.Tree.Text(file, source.MaxPage))) })
}

func usedIn(text string) (names []string) {
	fence := ""
	for line := range strings.Lines(text) {
		rest := strings.TrimLeft(line, " \t>-*+")
		mark := rest[:len(rest)-len(strings.TrimLeft(rest, "`"))]
		switch {
		case len(mark) >= 3 && fence == "":
			fence = mark
			continue
		case len(mark) >= 3 && strings.HasPrefix(mark, fence):
			fence = ""
			continue
		case fence != "" || !strings.ContainsAny(line, ":<"):
			continue
		}
		for _, m := range usedComponent.FindAllStringSubmatch(inlineCode.ReplaceAllString(line, "` "), maxUsed) {
			name := kebab(m[2])
			if m[1] != "" {
				name = ":" + name
			}
			if len(names) < maxUsed && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

var htmlElements = lazy.NewSet("a abbr article aside audio b blockquote caption cite col dd del details dfn dl dt em figcaption figure footer form h1 h2 h3 h4 h5 " +
	"h6 header i iframe ins label li main mark nav object ol option picture pre q s samp script section select small source strong style sub " +
	"summary sup svg path table tbody td template textarea tfoot th thead time tr u ul var wbr g rect circle line polygon defs")

// mayMakeIDs reports whether a component may make ids. The name of a block that no file has is that of a
// module; other names without a file are text, or show no headings.
func (g *model) mayMakeIDs(used string) bool {
	name, isBlock := strings.CutPrefix(used, ":")
	file := g.componentFile(name)
	if file == "" || !isBlock {
		return isBlock || file != "" && computesID.Match(g.dir.Tree.Config(file))
	}
	return makesID.Match(g.dir.Tree.Config(file))
}

// componentFile returns the file of a component of the project, or "".
func (g *model) componentFile(name string) string {
	return g.components.Get(func() map[string]string {
		files := map[string]string{}
		for _, dir := range []string{"app/components", "components", "src/components", ".docs/components"} {
			g.files(dir, func(rel string) {
				if path.Ext(rel) != ".vue" && path.Ext(rel) != ".ts" && path.Ext(rel) != ".tsx" {
					return
				}
				name := kebab(slash.Stem(path.Base(rel)))
				if name == "index" {
					name = kebab(path.Base(path.Dir(rel)))
				}
				for _, name := range []string{name, kebab(strings.TrimSuffix(strings.ReplaceAll(strings.TrimPrefix(rel, "content/"), "/", "-"), path.Ext(rel)))} {
					if files[name] == "" {
						files[name] = g.dir.In(dir + "/" + rel)
					}
				}
			})
		}
		return files
	})[name]
}

// kebab returns the name of a component in lower case, with hyphens.
func kebab(name string) string {
	var b strings.Builder
	for i := range len(name) {
		c := name[i]
		if 'A' <= c && c <= 'Z' {
			if i > 0 && name[i-1] != '-' && (!('A' <= name[i-1] && name[i-1] <= 'Z') || i+1 < len(name) && ascii.IsAlnum(name[i+1]) && !('A' <= name[i+1] && name[i+1] <= 'Z')) {
				b.WriteByte('-')
			}
			c += 'a' - 'A'
		}
		b.WriteByte(c)
	}
	return b.String()
}

// Parts returns the file that a document is a symbolic link to: the site also publishes that file.
func (g *model) Parts(s *site.Site, p *site.Page, file string, _ []byte) (parts site.Parts) {
	if real, err := s.Tree.Real(file); err == nil && file == p.File && path.Base(real) != "" && path.Base(real) != path.Base(file) && !source.Below(real, p.Mount.Dir) {
		parts.Add(s, real)
	}
	return parts
}
