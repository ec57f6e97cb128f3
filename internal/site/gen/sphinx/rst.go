package sphinx

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/rst"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/slash"
)

const rstType = "text/x-rst"

// setRST applies the settings of a Sphinx project for reStructuredText documents.
func (g *model) setRST(d *source.Dir, s *site.Site) {
	g.rst = []string{".rst"}
	suffixes := g.conf.Lookup("source_suffix")
	for _, suffix := range suffixes.Texts() {
		g.addRST(suffix)
	}
	for suffix, parser := range suffixes.Members() {
		if kind := parser.Or(""); kind != "markdown" && !strings.Contains(kind, "myst") && !strings.Contains(kind, "ipynb") {
			g.addRST(suffix)
		}
	}
	for _, name := range g.conf.Lookup("html_additional_pages").Keys() {
		s.Routeless = append(s.Routeless, "/"+name+".html")
	}
	s.RST.Extlinks = map[string]string{}
	for role, link := range g.conf.Lookup("extlinks").Members() {
		if list := link.List(); len(list) > 0 && strings.Contains(list[0].Or(""), "%s") {
			s.RST.Extlinks[strings.ToLower(role)] = list[0].Or("")
		}
	}
	for _, name := range []string{"rst_prolog", "rst_epilog"} {
		text := g.conf.Lookup(name).Or("")
		s.RST.Prolog += text + "\n\n"
		s.RST.HasMoreProlog = s.RST.HasMoreProlog || text == "" && strings.Contains(g.text, name) || strings.Count(g.text, name) > 1
	}
	s.RST.Root = g.conf.Lookup("root_doc").Or(g.conf.Lookup("master_doc").Or("index"))
	g.setPrograms(d, s)
}

func (g *model) addRST(suffix string) {
	if strings.HasPrefix(suffix, ".") && suffix != ".md" && suffix != ".ipynb" && !slices.Contains(g.rst, suffix) {
		g.rst = append(g.rst, suffix)
	}
}

// ownExtension returns the text of the programs of an extension in the project itself, or "" for others.
func ownExtension(d *source.Dir, name string) string {
	rel := strings.ReplaceAll(name, ".", "/")
	for _, dir := range []string{"", "_ext", "_extensions", "ext", "exts", "sphinxext", "_sphinx", "tools/extensions", "..", "../..", "../_ext", "../_extensions", "../ext", "../exts"} {
		at := path.Join(d.Path, dir)
		if !source.Below(at, d.Tree.Root) {
			continue
		}
		if file := path.Join(at, rel+".py"); d.Tree.IsFile(file) {
			return string(d.Tree.Config(file))
		}
		if package_ := path.Join(at, rel); d.Tree.IsFile(package_ + "/__init__.py") {
			text, n := "", 0
			skip := func(name string) bool { return name[0] == '.' || strings.HasPrefix(name, "test") }
			d.Tree.Files(package_, skip, func(rel string) {
				if n++; path.Ext(rel) == ".py" && n < 10*maxPlugins {
					text += string(d.Tree.Config(package_ + "/" + rel))
				}
			})
			return text
		}
	}
	return ""
}

// isRST reports whether a document is reStructuredText, by its name.
func (g *model) isRST(file string) bool {
	return slices.Contains(g.rst, strings.ToLower(path.Ext(file)))
}

// Type returns the media type of a file that its name does not tell: of documents by source_suffix, and of
// text that they include.
func (g *model) Type(s *site.Site, file string) string {
	if strings.HasSuffix(file, ".rst") {
		return ""
	}
	if p := s.ByFile[file]; p != nil {
		if g.isRST(file) {
			return rstType
		}
		return ""
	}
	switch path.Ext(file) {
	case ".txt", ".inc", ".part":
		by := s.IncludedBy[file]
		if len(by) > 0 && g.isRST(by[0].File) {
			return rstType
		}
	}
	return ""
}

// MakesID reports whether an id may be that of an object: these keep capitals, dots and underscores,
// which ids of titles do not have.
func (g *model) MakesID(_ *site.Site, file, id string) bool {
	if !g.isRST(file) {
		return false
	}
	return strings.ContainsAny(id, "._") || id != strings.ToLower(id) || slices.ContainsFunc([]string{"module-", "cmdoption-", "index-", "confval-", "envvar-"}, func(prefix string) bool {
		return strings.HasPrefix(id, prefix)
	})
}

// An rstName is what a document of reStructuredText defines, or a label that it uses.
type rstName struct {
	isUse     bool
	space, in string // as in scan.Item
	value     string
	text      string // of a heading
}

// readRST returns the names of a document, whose objects are in a domain if nothing else is said.
func readRST(text []byte, domain string) (names []rstName) {
	sc := rst.Scanner{Anchors: true, Mentions: true, Domain: domain}
	for it := range sc.Scan(text) {
		isUse := it.Op == scan.Mention && it.Space == rst.RefSpace
		if isUse || it.Op == scan.Anchor {
			names = append(names, rstName{isUse, it.Space, it.In, string(it.Value), it.Text})
		}
	}
	return names
}

// addTo adds a name in a file to those of the site.
func (n *rstName) addTo(g *model, s *site.Site, file string) {
	switch {
	case n.isUse:
		g.used[site.LabelName(n.value)]++
	case n.space == rst.ObjectSpace:
		o := rst.ParseObject([]byte(n.value))
		g.objectsRST.add(o, g.customKinds[strings.TrimPrefix(o.Kind, rst.UnknownKind)])
		if s.ByFile[file] == nil {
			g.objectsRST.partial[lastName(o.Name)] = true
		}
	case n.space == rst.RefSpace:
		key := site.LabelName(n.value)
		g.exact[key] = true
		if first, again := g.labelFiles[key]; !again {
			g.labelFiles[key] = file
		} else if first != file {
			g.twice[key] = [2]string{first, file}
		}
	case n.space == "" && n.in == "name":
		g.exact[site.LabelName(n.value)] = true
	case n.space == rst.TermSpace:
		name, _, _ := strings.Cut(n.value, " : ")
		g.terms[site.LabelName(name)] = true
	case n.space == rst.CitationSpace:
		g.citations[n.value] = true
	case n.space == "" && n.in == "title" && g.sections:
		if !g.conf.Lookup("autosectionlabel_prefix_document").IsTrue(false) {
			g.exact[site.LabelName(n.text)] = true
		}
		docname := ""
		if p := s.ByFile[file]; p != nil {
			docname = slash.Stem(p.Rel) + ":"
		}
		g.exact[site.LabelName(docname+n.text)] = true
	}
}

var (
	found   = site.Answer{State: site.Found}
	missing = site.Answer{State: site.Missing}
)

// Role says whether the name that a role uses is defined in a document of the site.
func (g *model) Role(s *site.Site, u site.Use, space, name string) site.Answer {
	if space == rst.ObjectSpace { // most names: they have no key
		return g.object(s, u, rst.ParseObject([]byte(name)))
	}
	key := site.LabelName(name)
	switch space {
	case rst.CitationSpace:
		switch {
		case g.citations[name]:
			return found
		case g.makesLabels || g.readsPrograms || s.RST.HasMoreProlog:
			return site.Answer{Why: programMakesCitation}
		}
		return missing
	case rst.TermSpace:
		switch {
		case g.terms[key] || g.isMarkdownLabel(key):
			return found
		case g.hasInventory && g.readOthers(s).has('t', key):
			return site.Answer{Why: termElsewhere}
		case g.makesLabels || g.readsPrograms && g.readPrograms(s).mayBeTerm(key):
			return site.Answer{Why: programMakesTerm}
		}
		return site.Answer{State: site.Missing, Lists: g.readOthers(s).about()}
	}
	isOwn := func() bool { return isOwnLabel(g, s, key) }
	switch {
	case g.exact[key] || g.isMarkdownLabel(key):
		return found
	case strings.Contains(name, ":") && !g.hasSpace(name, ':'):
		return site.Answer{Why: nameOfDomain}
	case g.hasInventory && (g.readOthers(s).lists('l', key) || !isOwn() && g.readOthers(s).has('l', key) && !usesOnlyOwn(g, s)):
		return site.Answer{Why: reason.LabelElsewhere}
	case g.makesLabels && !isOwn() && !usesOnlyOwn(g, s) || g.mayMake(s, name) || isDoxygenID(g, s, key) || inProgram(g, s, key):
		return site.Answer{Why: programMakesLabel}
	case (g.makesLabels || g.hasInventory) && !isOwn():
		return site.Answer{State: site.Missing, Lists: g.readOthers(s).elsewhere()}
	}
	return missing
}

// usesOnlyOwn reports whether nearly all labels that documents of reStructuredText use are defined in the
// project or in a known inventory, or are like those of the project. Such a project does not use labels of
// others without naming them, so a missing one is likely a mistake.
func usesOnlyOwn(g *model, s *site.Site) bool {
	const least, most = 20, 40 // uses of own labels; of them for each other one
	return g.onlyOwn.Get(func() bool {
		own, others := 0, 0
		for key, n := range g.used {
			switch {
			case strings.Contains(key, ":") && !g.exact[key]:
			case g.exact[key] || g.isMarkdownLabel(key):
				own += n
			case isOwnLabel(g, s, key) || g.readOthers(s).lists('l', key):
			default:
				others += n
			}
		}
		return own >= least && others*most <= own+most
	})
}

// isOwnLabel reports whether an undefined label is so like those of the site that neither another project
// nor an extension is likely to have it. Programs of the site that make labels may make such ones, of words
// that are in programs.
func isOwnLabel(g *model, s *site.Site, key string) bool {
	if !isMisspelled(g, key) && !isOfFamily(g, key) {
		return false
	}
	makesAny := g.codeMakesLabels || g.readsPrograms && g.readPrograms(s).isAny
	return !makesAny || slices.ContainsFunc(labelWords(key), func(word string) bool {
		return g.readPrograms(s).lacksWord(word) && g.readPrograms(s).lacksWord(strings.ToUpper(word))
	})
}

// inProgram reports whether a label may be in the documentation of a program.
func inProgram(g *model, s *site.Site, key string) bool {
	if !g.readsPrograms {
		return false
	}
	l := g.readPrograms(s)
	return !l.isAll || l.names(key) || l.isAny && !isOwnLabel(g, s, key)
}

// isMisspelled reports whether a label is so close to one of the site that it is unlikely to belong to
// another project. Of the 1,779 labels of Python's documentation, three are as close to one of the 3,100
// labels of six other projects.
func isMisspelled(g *model, key string) bool {
	other, _ := g.Nearest(key)
	return len(key) >= minTypo && g.labelFiles[other] != "" && key+"s" != other && other+"s" != key
}

// isOfFamily reports whether an undefined label seems to belong to the site, by the beginnings of its
// labels. It uses only the labels in labelFiles, since titles that are also labels may have any words.
func isOfFamily(g *model, key string) bool {
	return g.family.Get(func() *labelFamily { return newLabelFamily(g.labelFiles) }).has(key)
}

// Nearest returns the only label that a name can have meant, or "" if there is none, or more than one.
// isCertain is true if the two differ only in punctuation and case.
func (g *model) Nearest(name string) (label string, isCertain bool) {
	byBare := g.byBare.Get(func() map[string]string {
		byBare := map[string]string{}
		for label := range g.exact {
			bare := site.BareName(label)
			if _, twice := byBare[bare]; twice {
				label = ""
			}
			byBare[bare] = label
		}
		return byBare
	})
	label = byBare[site.BareName(name)]
	if label != "" {
		return label, !g.hasInventory
	}
	typos := g.typos.Get(func() *typoIndex { return newTypoIndex(source.SortedKeys(g.exact)) })
	return typos.closest(site.LabelName(name)), false
}

// isMarkdownLabel reports whether a document of another format has a label.
func (g *model) isMarkdownLabel(key string) bool { return g.inMarkdown[key] }

// anySuffix is the file that an image "x.*" stands for.
func anySuffix(s *site.Site, file string) []site.Candidate {
	dir, name := path.Split(file)
	stem := strings.TrimSuffix(name, "*")
	for _, other := range source.SortedKeys(s.Tree.List(strings.TrimSuffix(dir, "/"))) {
		if strings.HasPrefix(other, stem) && other != stem {
			return []site.Candidate{site.AssetCandidate(dir + other)}
		}
	}
	return []site.Candidate{{Unknown: severalFormats}}
}

// docnames returns ways to write the name of a document of Sphinx.
func docnames(u site.Use, file, style string) []string {
	stem := slash.Stem(file)
	near := site.Relative(path.Dir(u.Page.File), stem)
	rooted := "/" + strings.TrimPrefix(stem, u.Page.Mount.Dir+"/")
	if strings.HasPrefix(style, "/") {
		return []string{rooted, near}
	}
	return []string{near, rooted}
}

// foldedDocument returns the only document whose name differs from name only in case, or "" if there is none.
func (g *model) foldedDocument(s *site.Site, name string) string {
	folded := g.folded.Get(func() map[string]string {
		folded := map[string]string{}
		for _, name := range source.SortedKeys(s.ByName) {
			key := strings.ToLower(name)
			if _, twice := folded[key]; twice || len(s.ByName[name]) != 1 {
				folded[key] = ""
				continue
			}
			folded[key] = s.ByName[name][0].File
		}
		return folded
	})
	return folded[strings.ToLower(name)]
}

// Documents returns the files of documents whose names match a pattern.
func (g *model) Documents(s *site.Site, u site.Use, pattern string) (files []string, isAll bool) {
	name := docname(&site.Reference{Path: pattern, Raw: pattern, Use: u})
	if strings.ContainsAny(name, "[{") {
		return nil, false
	}
	files = g.globbed.Get(name, func(name string) (files []string) {
		match := source.Glob(name)
		for _, other := range source.SortedKeys(s.ByName) {
			if match(other) {
				files = append(files, s.ByName[other][0].File)
			}
		}
		return files
	})
	return files, !g.generates && !g.mayMakeDocument(path.Dir(name)) // a program may write documents into the directory
}

// Reasons.
var (
	severalFormats = reason.New(reason.Build, "several-formats", "a file of several formats, which a build may make")
)

// Reasons.
var (
	programMakesCitation = reason.New(reason.Code, "program-makes-citation", "a program may make the citation")
	programMakesLabel    = reason.New(reason.Code, "program-makes-label", "a program may make the label")
	programMakesTerm     = reason.New(reason.Code, "program-makes-term", "a program may make the term")
	termElsewhere        = reason.New(reason.OtherSite, "term-elsewhere", "it may be a term of another project")
)
