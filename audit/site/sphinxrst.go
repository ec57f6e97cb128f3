package site

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/rst"
	"example.org/refract/extract/scan"
)

const rstType = "text/x-rst"

// setRST applies the settings of a Sphinx project for reStructuredText documents.
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
	s.labelFile = g.labelFile
	s.labelTwice = func(label string) ([2]string, bool) { files, ok := g.twice[labelName(label)]; return files, ok }
	s.documents, s.root = g.documentsLike, g.conf.get("root_doc").text(g.conf.get("master_doc").text("index"))
	g.setPrograms(d, s)
}

func (g *sphinx) addRST(suffix string) {
	if strings.HasPrefix(suffix, ".") && suffix != ".md" && suffix != ".ipynb" && !slices.Contains(g.rst, suffix) {
		g.rst = append(g.rst, suffix)
	}
}

// ownExtension returns the text of the programs of an extension in the project itself, or "" for others.
func ownExtension(d *directory, name string) string {
	rel := strings.ReplaceAll(name, ".", "/")
	for _, dir := range []string{"", "_ext", "_extensions", "ext", "exts", "sphinxext", "_sphinx", "tools/extensions", "..", "../..", "../_ext", "../_extensions", "../ext", "../exts"} {
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
	sc := rst.Scanner{Anchors: true, Mentions: true, Domain: g.conf.get("primary_domain").text("")}
	docname := ""
	if p := s.pages[file]; p != nil {
		docname = strings.TrimSuffix(p.Rel, path.Ext(p.Rel)) + ":"
	}
	for it := range sc.Scan(text) {
		if it.Op != scan.Anchor {
			continue
		}
		switch {
		case it.Space == rst.ObjectSpace:
			o := rst.ParseObject(it.Value)
			g.objectsRST.add(o, g.customKinds[strings.TrimPrefix(o.Kind, rst.UnknownKind)])
			if s.pages[file] == nil {
				g.objectsRST.partial[lastName(o.Name)] = true
			}
		case it.Space == rst.RefSpace:
			key := labelName(string(it.Value))
			g.exact[key] = true
			if first, again := g.labelFiles[key]; !again {
				g.labelFiles[key] = file
			} else if first != file {
				g.twice[key] = [2]string{first, file}
			}
		case it.Space == "" && it.In == "name":
			g.exact[labelName(string(it.Value))] = true
		case it.Space == rst.TermSpace:
			name, _, _ := strings.Cut(string(it.Value), " : ")
			g.terms[labelName(name)] = true
		case it.Space == rst.CitationSpace:
			g.citations[string(it.Value)] = true
		case it.In == "title" && g.sections:
			if !g.conf.get("autosectionlabel_prefix_document").isTrue(false) {
				g.exact[labelName(it.Text)] = true
			}
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
		case g.makesLabels || g.readsPrograms || s.hasProlog:
			return Unknown, "a program may make the citation"
		}
		return Missing, ""
	case rst.TermSpace:
		switch {
		case g.terms[key] || g.isMarkdownLabel(key):
			return Found, ""
		case g.hasInventory:
			return Unknown, "it may be a term of another project"
		case g.makesLabels || g.readsPrograms && g.readPrograms(s).mayBeTerm(key):
			return Unknown, "a program may make the term"
		}
		return Missing, ""
	}
	switch {
	case g.exact[key] || g.isMarkdownLabel(key):
		return Found, ""
	case strings.Contains(name, ":") && !g.hasSpace(name, ':'):
		return Unknown, "a name of a domain"
	case g.hasInventory && !g.isMisspelled(key) && !g.isOfFamily(key):
		return Unknown, "it may be a label of another project"
	case g.makesLabels || g.mayMake(name) || g.readsPrograms && g.readPrograms(s).mayBe(key):
		return Unknown, "a program may make the label"
	}
	return Missing, ""
}

// isMisspelled reports whether a label is so close to one of the site that it is unlikely to belong to another
// project: of the 1,779 labels of Python's documentation, three are as close to one of the 3,100 labels of six
// other projects.
func (g *sphinx) isMisspelled(key string) bool {
	other, _ := g.closestLabel(key)
	return len(key) >= minTypo && g.labelFiles[other] != "" && key+"s" != other && other+"s" != key
}

// isOfFamily reports whether an undefined label seems to belong to the site, judging by the beginnings of its
// labels. It uses only the labels in labelFiles, since titles that are labels too may have any words.
func (g *sphinx) isOfFamily(key string) bool {
	return g.family.Get(func() *labelFamily { return newLabelFamily(g.labelFiles) }).has(key)
}

// closestLabel returns the only label that a name can have meant, or "" if there is none, or more than one.
// isCertain is true if the two differ only in punctuation and case.
func (g *sphinx) closestLabel(name string) (label string, isCertain bool) {
	byBare := g.byBare.Get(func() map[string]string {
		byBare := map[string]string{}
		for label := range g.exact {
			bare := bareName(label)
			if _, twice := byBare[bare]; twice {
				label = ""
			}
			byBare[bare] = label
		}
		return byBare
	})
	label = byBare[bareName(name)]
	if label != "" {
		return label, !g.hasInventory
	}
	typos := g.typos.Get(func() *typoIndex { return newTypoIndex(sortedKeys(g.exact)) })
	return typos.closest(labelName(name)), false
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

// foldedDocument returns the only document whose name differs from name only in case, or "" if there is none.
func (g *sphinx) foldedDocument(s *Site, name string) string {
	folded := g.folded.Get(func() map[string]string {
		folded := map[string]string{}
		for _, name := range sortedKeys(s.byName) {
			key := strings.ToLower(name)
			if _, twice := folded[key]; twice || len(s.byName[name]) != 1 {
				folded[key] = ""
				continue
			}
			folded[key] = s.byName[name][0].File
		}
		return folded
	})
	return folded[strings.ToLower(name)]
}

// documentsLike returns the files of documents whose names match a pattern.
func (g *sphinx) documentsLike(s *Site, u Use, pattern string) (files []string, isAll bool) {
	name := docname(&reference{path: pattern, raw: pattern, use: u})
	if strings.ContainsAny(name, "[{") {
		return nil, false
	}
	match := glob(name)
	for _, other := range sortedKeys(s.byName) {
		if match(other) {
			files = append(files, s.byName[other][0].File)
		}
	}
	return files, !g.generates
}
