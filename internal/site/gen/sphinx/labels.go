package sphinx

import (
	"bytes"
	"context"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/each"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

var (
	mystLabel    = lazy.New(`(?m)^[ \t>*-]*\(([^()\n]+)\)=[ \t]*\r?$`)
	rstLabel     = lazy.New("(?m)^[ \t]*\\.\\. _(?:`([^`\n]+)`|([^:\n]+)):[ \t]*\r?$")
	namedOption  = lazy.New(`(?m)^[ \t]*:(?:name|label):[ \t]*(\S[^\r\n]*)`)
	idAttribute  = lazy.New(`\{[^{}\n]*#([^\s{}]+)[^{}\n]*\}`)
	labelComment = lazy.New(`(?m)(?:^|")[ \t]*(?:#\|[ \t]*)?(?:name|label)[ \t]*:[ \t]*([^\s"\\][^\r\n"\\]*)`)
	equation     = lazy.New(`(?m)\$\$[ \t]*\(([^()\n]+)\)|\\label\{([^{}\n]+)\}`)
	figureMD     = lazy.New("(?m)^[ \t>*-]*[`:~]{3,}\\{(?:figure-md|math)\\}[ \t]+(\\S+)")
	object       = lazy.New("(?m)^[ \t>*-]*(?:[`:~]{3,}\\{(?:py|c|cpp|js|rst|std|http|rust|go):[\\w-]+\\}|\\.\\. (?:(?:py|c|cpp|js|rst|std|http):)?" +
		"(?:function|method|class|attribute|data|exception|module|option|envvar|describe|object|directive|role|confval|py:\\w+)::)[ \t]+(\\S[^\r\n(]*)")
	term    = lazy.New(`(?m)^[ \t]*(\S[^\r\n]*)\r?\n(?:[ \t]*\r?\n)?[ \t]*:[ \t]`)
	anyLine = lazy.New(`(?m)^[ \t]*(\S[^\r\n]*)`)
	title   = lazy.New(`(?m)^[ \t]*#{1,6}[ \t]+(\S[^\r\n]*?)[ \t#]*\r?$`)

	cellLabel  = lazy.New(`"\(([^()"\n]+)\)=(?:\\n)?"`) // of a notebook
	blockLabel = lazy.New(`(?m)^[ \t]*\+\+\+.*"(?:label|name)"[ \t]*:[ \t]*"([^"\n]+)"`)
)

// labels lists expressions for labels, each within one line, and marks. A line with a label contains one of
// the marks. may is a quick check for a label: the marks of some are in many lines, and an expression takes
// long.
var labels = []struct {
	re    *lazy.Regexp
	marks []string
	may   func(line []byte) bool
}{
	{mystLabel, []string{")="}, nil}, {rstLabel, []string{".. _"}, nil}, {namedOption, []string{":name:", ":label:"}, nil},
	{idAttribute, []string{"{"}, func(line []byte) bool { return bytes.LastIndexByte(line, '#') > 0 }},
	{labelComment, []string{"name", "label"}, namesValue}, {equation, []string{"$$", "\\label{"}, nil}, {figureMD, []string{"{figure-md}", "{math}"}, nil},
	{object, []string{"`{", ":{", "~{", ".. "}, describesObject}, {cellLabel, []string{")="}, nil}, {blockLabel, []string{"+++"}, nil},
}

// namesValue reports whether "name" or "label" is before a colon in a line.
func namesValue(line []byte) bool {
	for {
		i := bytes.IndexByte(line, ':')
		if i < 0 {
			return false
		}
		before := bytes.TrimRight(line[:i], " \t")
		if bytes.HasSuffix(before, []byte("name")) || bytes.HasSuffix(before, []byte("label")) {
			return true
		}
		line = line[i+1:]
	}
}

// describesObject reports whether a line begins with a directive.
func describesObject(line []byte) bool {
	line = bytes.TrimLeft(line, " \t>*-")
	switch {
	case len(line) == 0:
		return false
	case line[0] == '.':
		return bytes.HasPrefix(line, []byte(".. ")) && bytes.Contains(line, []byte("::"))
	}
	return line[0] == '`' || line[0] == ':' || line[0] == '~'
}

// Finish reads the labels of all documents, and adds the files that extensions write.
func (g *model) Finish(s *site.Site) {
	g.addTexts(s)
	for _, name := range []string{"genindex", "modindex", "py-modindex", "search"} {
		g.labels[name] = true
	}
	g.markdownFiles = map[string]string{}
	g.labelFiles, g.twice = map[string]string{}, map[string][2]string{}
	g.exact, g.terms, g.inMarkdown, g.citations = map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	g.used = map[string]int{}
	for name := range g.labels {
		g.exact[name] = true
	}
	var files []*fileNames
	for _, file := range source.SortedKeys(s.ByFile) {
		if s.ByFile[file].Why.IsZero() {
			files = append(files, &fileNames{file: file})
		}
	}
	for _, file := range source.SortedKeys(s.IncludedBy) {
		if s.ByFile[file] == nil || !s.ByFile[file].Why.IsZero() {
			files = append(files, &fileNames{file: file})
		}
	}
	for some := range slices.Chunk(files, readAhead) {
		each.Do(context.Background(), s.Tree.Jobs, some, func(n *fileNames) { n.read(g, s) })
		for _, n := range some {
			n.addTo(g, s)
			*n = fileNames{}
		}
	}
	s.Labels, g.spaces = g.labels, map[string]bool{}
	for label := range g.labels {
		if i := strings.IndexAny(label, ":/"); i > 0 {
			g.spaces[label[:i+1]] = true
		}
	}
	g.mayMake(s, "")
}

// DefinedIn returns the file that defines a label, or the first two files of reStructuredText that do.
func (g *model) DefinedIn(label string) []string {
	if files, twice := g.twice[site.LabelName(label)]; twice {
		return files[:]
	}
	if file := g.labelFile(label); file != "" {
		return []string{file}
	}
	return nil
}

// labelFile returns the only file that defines a label, or "".
func (g *model) labelFile(label string) string {
	key := site.LabelName(label)
	_, twice := g.twice[key]
	inRST, inMarkdown := g.labelFiles[key], g.markdownFiles[key]
	switch {
	case twice || inRST != "" && g.inMarkdown[key]:
		return ""
	case inRST != "":
		return inRST
	}
	return inMarkdown
}

// Defines reports whether a file defines a label, or is one of several that define it in reStructuredText.
func (g *model) Defines(s *site.Site, file, name string) bool {
	key := site.LabelName(name)
	if _, twice := g.twice[key]; twice || g.labelFiles[key] == file {
		return true
	}
	in := g.labelsIn.Get(file, func(file string) map[string]bool {
		labels := map[string]bool{}
		g.readLabels(s.Tree.Text(file, source.MaxPage), func(label string) { labels[label] = true })
		return labels
	})
	return in[key] || in[site.BareName(name)]
}

// readAhead is how many files are read before the names of the first are added.
const readAhead = 256

// fileNames is what a file that is a document, or a part of one, defines, and what labels it uses.
type fileNames struct {
	file   string
	isRST  bool
	isOpen bool // names may be any
	names  []rstName
	labels []string
}

// read reads the names of the file. It is called for several files at a time.
func (n *fileNames) read(g *model, s *site.Site) {
	text := s.Tree.Text(n.file, source.MaxPage)
	n.isOpen = g.hasBreathe && showsDoxygenPages(text)
	n.isRST = g.isRST(n.file) || s.ByFile[n.file] == nil && path.Ext(n.file) != ".md"
	if n.isRST {
		domain := g.conf.Lookup("primary_domain").Or("")
		n.names = source.Derived(s.Tree, text, namesKey(domain), func() []rstName { return readRST(text, domain) })
	}
	n.labels = source.Derived(s.Tree, text, labelsKey{g.isFlat, g.sections}, func() (labels []string) {
		g.readLabels(text, func(label string) { labels = append(labels, label) })
		return labels
	})
}

// Keys of source.Derived.
type (
	namesKey  string                          // the primary domain
	labelsKey struct{ isFlat, sections bool } // of the model
)

// addTo adds what the file defines to what the site has.
func (n *fileNames) addTo(g *model, s *site.Site) {
	g.makesLabels = g.makesLabels || n.isOpen
	for i := range n.names {
		n.names[i].addTo(g, s, n.file)
	}
	for _, label := range n.labels {
		g.labels[label] = true
		if n.isRST {
			continue
		}
		g.inMarkdown[label] = true
		if first, again := g.markdownFiles[label]; again && first != n.file {
			g.markdownFiles[label] = ""
		} else {
			g.markdownFiles[label] = n.file
		}
	}
}

// readLabels calls add with the labels of a document, its objects, and the terms of its glossary.
func (g *model) readLabels(text []byte, add func(label string)) {
	found := func(re *lazy.Regexp, m [][]byte) {
		name := string(m[1])
		if len(m) > 2 && name == "" {
			name = string(m[2])
		}
		if re == idAttribute && strings.Contains(name, "=") {
			return
		}
		add(site.LabelName(strings.Trim(name, "\"'")))
		if re == title && g.isFlat {
			add(site.BareName(name))
		}
	}
	for _, l := range labels {
		for _, line := range source.LinesWithAny(text, l.marks...) {
			if l.may != nil && !l.may(line) {
				continue
			}
			for _, m := range l.re.FindAllSubmatch(line, -1) {
				found(l.re, m)
			}
		}
	}
	if g.sections {
		for m := range source.MatchesIn(text, title, "#") {
			found(title, m)
		}
	}
	if !bytes.Contains(text, []byte("glossary")) {
		return
	}
	patterns := []*lazy.Regexp{term}
	if bytes.Contains(text, []byte("{glossary}")) || bytes.Contains(text, []byte(":: glossary")) {
		patterns = append(patterns, anyLine)
	}
	for _, re := range patterns {
		for _, m := range re.FindAllSubmatch(text, -1) {
			found(re, m)
		}
	}
}

// Label says whether a label that no document has may be an object that an extension finds in programs, or
// a label of a project that the configuration names. Section labels are words with hyphens, and labels of
// that form from other projects are not in common use.
func (g *model) Label(s *site.Site, name string) site.Answer {
	switch {
	case strings.Contains(name, ":") && !g.isFlat && !g.hasSpace(name, ':'):
		return site.Answer{Why: nameOfDomain}
	case isDoxygenID(g, s, site.LabelName(name)):
		return site.Answer{Why: programMakesLabel}
	case g.mayMake(s, name) || g.isStrange && !isOwnLabel(g, s, site.LabelName(name)):
		return site.Answer{Why: confMakesLabel}
	case g.readsPrograms && g.readPrograms(s).has(site.LabelName(name)):
		return site.Answer{Why: mayBeProgramPart}
	case g.objects && strings.ContainsAny(name, "._") && identifier.MatchString(name):
		if g.readPrograms(s).lacksPart(name) {
			return site.Answer{State: site.Missing, Lists: programsOfTree}
		}
		return site.Answer{Why: mayBeCodeItem}
	case g.others && (strings.Contains(name, "/") && !g.hasSpace(name, '/') || identifier.MatchString(name) && name != strings.ToLower(name)):
		others := g.readOthers(s)
		isWord := !strings.Contains(name, "/") && !isBuiltin(name)
		if isWord && !others.has('l', name) && g.readPrograms(s).lacksWord(strings.TrimSuffix(name, "()")) {
			return site.Answer{State: site.Missing, Lists: others.about()}
		}
		return site.Answer{Why: reason.LabelElsewhere}
	case isLabelElsewhere(g, s, name):
		return site.Answer{Why: reason.LabelElsewhere}
	}
	return missing
}

// hasSpace reports whether a document has a label with the same beginning as name, up to a separator.
func (g *model) hasSpace(name string, separator byte) bool {
	return g.spaces[strings.ToLower(name[:strings.IndexByte(name, separator)+1])]
}

// madeStart is the beginning of a string of a program, up to a hyphen, that ends there or continues with a
// value.
var madeStart = lazy.New("[\"'`]([\\pL\\pN_:/.-]{4,100}-)[{\"'`%$]")

// written matches where conf.py writes a document.
var written = lazy.New(`\bopen\(\s*["']([^"'\n]+\.(?:md|rst))["']\s*,\s*["']w`)

// mayMake reports whether conf.py has a string that a label begins with, or writes a document that is not in the repository.
func (g *model) mayMake(s *site.Site, name string) bool {
	made := g.made.Get(func() map[string]bool {
		made := map[string]bool{}
		for _, m := range madeStart.FindAllStringSubmatch(g.text, -1) {
			made[m[1]] = true
		}
		for _, m := range written.FindAllStringSubmatch(g.text, -1) {
			made[""] = made[""] || !s.Tree.IsFile(path.Join(s.SourceDir(), m[1]))
		}
		return made
	})
	if made[""] && !strings.ContainsAny(name, "./") {
		return true
	}
	for i := range min(len(name), 100) {
		if name[i] == '-' && made[name[:i+1]] {
			return true
		}
	}
	return false
}
