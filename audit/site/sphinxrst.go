package site

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/rst"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/lazy"
)

const rstType = "text/x-rst"

// setRST sets what a project of Sphinx says about documents of reStructuredText.
func (g *sphinx) setRST(d *directory, s *Site) {
	g.rst = []string{".rst"}
	suffixes := g.conf.get("source_suffix")
	for _, suffix := range suffixes.texts() {
		g.addRST(suffix)
	}
	for _, suffix := range suffixes.keys() {
		if kind := suffixes.get(suffix).text(""); kind != "markdown" && !strings.Contains(kind, "myst") && !strings.Contains(kind, "ipynb") {
			g.addRST(suffix)
		}
	}
	for _, name := range g.conf.get("html_additional_pages").keys() {
		s.redirects = append(s.redirects, "/"+name+".html")
	}
	s.extlinks = map[string]string{}
	for _, role := range g.conf.get("extlinks").keys() {
		if list := g.conf.get("extlinks", role).list(); len(list) > 0 && strings.Contains(list[0].text(""), "%s") {
			s.extlinks[strings.ToLower(role)] = list[0].text("")
		}
	}
	for _, name := range []string{"rst_prolog", "rst_epilog"} {
		text := g.conf.get(name).text("")
		s.prolog += text + "\n\n"
		s.hasProlog = s.hasProlog || text == "" && strings.Contains(g.text, name) || strings.Count(g.text, name) > 1
	}
	s.markupType, s.makesID, s.ofRST = g.markupType, g.makesRSTID, g.nameInRST
	s.closestLabel = g.closestLabel
	g.programs = g.text
	for _, name := range g.extensions {
		g.programs += ownExtension(d, name)
	}
	g.makesLabels = madeLabel.MatchString(g.programs) || g.conf.get("extensions").isUnknown() || g.conf.get("extensions").Open
	for _, name := range g.extensions {
		g.makesLabels = g.makesLabels || slices.ContainsFunc(labelMakers, func(maker string) bool { return strings.Contains(name, maker) })
	}
}

// labelMakers are in the names of extensions that read documents from elsewhere: programs, notebooks, and
// descriptions of services. Source: by hand, as of November 2026.
var labelMakers = []string{
	"autodoc", "autoapi", "autosummary", "automodapi", "breathe", "exhale", "numpydoc", "napoleon", "gallery", "nbsphinx", "myst_nb",
	"bibtex", "argparse", "click", "openapi", "swagger", "redoc", "rust", "javadoc", "doxy", "hawkmoth", "matlab", "fortran",
	"programoutput", "datatemplates", "jinja", "needs", "ansible",
}

func (g *sphinx) addRST(suffix string) {
	if strings.HasPrefix(suffix, ".") && suffix != ".md" && suffix != ".ipynb" && !slices.Contains(g.rst, suffix) {
		g.rst = append(g.rst, suffix)
	}
}

// madeLabel is how a program defines labels: in text that it has parsed, or in the tables of Sphinx.
var madeLabel = lazy.New(`\.\. _|anonlabels|note_hyperlink_target|note_explicit_target|['"]labels['"]`)

// ownExtension returns the programs of an extension that is in the project itself, "" for others.
func ownExtension(d *directory, name string) string {
	rel := strings.ReplaceAll(name, ".", "/")
	for _, dir := range []string{"", "_ext", "_extensions", "ext", "exts", "sphinxext", "_sphinx", "tools/extensions", "..", "../.."} {
		at := path.Join(d.dir, dir)
		if !below(at, d.tree.root) {
			continue
		}
		if file := path.Join(at, rel+".py"); d.tree.isFile(file) {
			return string(d.tree.config(file))
		}
		if package_ := path.Join(at, rel); d.tree.isFile(package_ + "/__init__.py") {
			text, n := "", 0
			skip := func(name string) bool { return name[0] == '.' || strings.HasPrefix(name, "test") }
			d.tree.files(package_, skip, func(rel string) {
				if n++; path.Ext(rel) == ".py" && n < 10*maxPlugins {
					text += string(d.tree.config(package_ + "/" + rel))
				}
			})
			return text
		}
	}
	return ""
}

// isRST reports whether a document is reStructuredText, by its name.
func (g *sphinx) isRST(file string) bool {
	return slices.Contains(g.rst, strings.ToLower(path.Ext(file)))
}

// markupType returns the media type of a file that its name does not tell: of documents by
// source_suffix, and of text that they include.
func (g *sphinx) markupType(s *Site, file string) string {
	if strings.HasSuffix(file, ".rst") {
		return ""
	}
	if p := s.pages[file]; p != nil {
		if g.isRST(file) {
			return rstType
		}
		return ""
	}
	switch path.Ext(file) {
	case ".txt", ".inc", ".part":
		by := s.includes[file]
		if len(by) > 0 && g.isRST(by[0].File) {
			return rstType
		}
	}
	return ""
}

// makesRSTID reports whether an id may be that of an object: these keep capitals, dots and underscores,
// which ids of titles do not have.
func (g *sphinx) makesRSTID(_ *Site, file, id string) bool {
	if !g.isRST(file) {
		return false
	}
	return strings.ContainsAny(id, "._") || id != strings.ToLower(id) || slices.ContainsFunc([]string{"module-", "cmdoption-", "index-", "confval-", "envvar-"}, func(prefix string) bool {
		return strings.HasPrefix(id, prefix)
	})
}

// readRST adds the labels and terms of a document of reStructuredText.
func (g *sphinx) readRST(s *Site, file string, text []byte) {
	sc := rst.Scanner{Anchors: true, Mentions: true}
	docname := ""
	if p := s.pages[file]; p != nil {
		docname = strings.TrimSuffix(p.Rel, path.Ext(p.Rel)) + ":"
	}
	for it := range sc.Scan(text) {
		if it.Op != scan.Anchor {
			continue
		}
		switch {
		case it.Space == rst.RefSpace, it.Space == "" && it.In == "name":
			g.exact[labelName(string(it.Value))] = true
		case it.Space == rst.TermSpace:
			name, _, _ := strings.Cut(string(it.Value), " : ")
			g.terms[labelName(name)] = true
		case it.Space == rst.CitationSpace:
			g.citations[string(it.Value)] = true
		case it.In == "title" && g.sections:
			g.exact[labelName(it.Text)] = true
			g.exact[labelName(docname+it.Text)] = true
		}
	}
}

// nameInRST says whether the name that a role uses is defined in a document of the site.
func (g *sphinx) nameInRST(s *Site, space, name string) (State, string) {
	key := labelName(name)
	switch space {
	case rst.CitationSpace:
		switch {
		case g.citations[name]:
			return Found, ""
		case g.makesLabels || s.hasProlog:
			return Unknown, "a program may make the citation"
		}
		return Missing, ""
	case rst.TermSpace:
		switch {
		case g.terms[key] || g.isMarkdownLabel(key):
			return Found, ""
		case g.hasInventory:
			return Unknown, "it may be a term of another project"
		case g.makesLabels:
			return Unknown, "a program may make the term"
		}
		return Missing, ""
	}
	switch {
	case g.exact[key] || g.isMarkdownLabel(key):
		return Found, ""
	case strings.Contains(name, ":") && !g.hasSpace(name, ':'):
		return Unknown, "a name of a domain"
	case g.hasInventory:
		return Unknown, "it may be a label of another project"
	case g.makesLabels || g.mayMake(name):
		return Unknown, "a program may make the label"
	}
	return Missing, ""
}

// closestLabel returns the label that differs from a name in punctuation and case alone, "" if there is
// none, or more than one.
func (g *sphinx) closestLabel(name string) string {
	if g.byBare == nil {
		g.byBare = map[string]string{}
		for label := range g.exact {
			bare := bareName(label)
			if _, twice := g.byBare[bare]; twice {
				label = ""
			}
			g.byBare[bare] = label
		}
	}
	return g.byBare[bareName(name)]
}

// isMarkdownLabel reports whether a document of another format has a label.
func (g *sphinx) isMarkdownLabel(key string) bool { return g.inMarkdown[key] }

// anySuffix is the file that an image "x.*" stands for.
func (g *sphinx) anySuffix(s *Site, file string) []candidate {
	dir, name := path.Split(file)
	stem := strings.TrimSuffix(name, "*")
	for _, other := range sortedKeys(s.tree.list(strings.TrimSuffix(dir, "/"))) {
		if strings.HasPrefix(other, stem) && other != stem {
			c := fileCandidate(dir + other)
			c.isAsset = true
			return []candidate{c}
		}
	}
	return []candidate{{unknown: "a file of several formats, which a build may make"}}
}

// docnames returns ways to write the name of a document of Sphinx.
func docnames(u Use, file, style string) []string {
	stem := strings.TrimSuffix(file, path.Ext(file))
	near := relative(path.Dir(u.Page.File), stem)
	rooted := "/" + strings.TrimPrefix(stem, u.Page.Mount.Dir+"/")
	if strings.HasPrefix(style, "/") {
		return []string{rooted, near}
	}
	return []string{near, rooted}
}
