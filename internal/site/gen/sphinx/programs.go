package sphinx

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

// Labels that Sphinx extensions and the programs of a project add.

// labelMakers lists parts of the names of extensions that read documents from elsewhere: notebooks,
// descriptions of services, and comments of programs in other languages. Source: by hand, as of
// November 2026.
var labelMakers = []string{
	"autoapi", "exhale", "gallery", "nbsphinx", "myst_nb", "bibtex", "argparse", "click", "openapi", "swagger", "redoc",
	"rust", "javadoc", "doxy", "hawkmoth", "matlab", "fortran", "programoutput", "datatemplates", "jinja", "needs", "ansible",
}

// docReaders lists parts of the names of extensions that read the documentation in programs of the project.
var docReaders = []string{"autodoc", "autosummary", "automodapi", "autodocsumm", "numpydoc", "napoleon", "automodsumm", "apidoc"}

// labelless lists beginnings of the names of extensions that make no labels, except for labelMakers. Other
// extensions may make labels.
var labelless = []string{
	"sphinx.ext.", "sphinx_", "sphinxcontrib.", "sphinxext.", "sphinx.", "myst_parser", "furo", "notfound", "hoverxref", "recommonmark",
	"IPython.", "matplotlib.", "nbsphinx_link", "versionwarning", "pydata_sphinx_theme", "alabaster", "jupyter_sphinx", "rst2pdf",
	"m2r", "changelog", "ablog", "linuxdoc", "rinoh", "guzzle_sphinx_theme", "releases", "piccolo_theme", "docxbuilder", "sphinxemoji", "linklint",
}

// isLabelless reports whether an extension makes no labels.
func (g *model) isLabelless(name string) bool {
	if name == "sphinx-jsonschema" {
		return !strings.Contains(g.text, "auto_target")
	}
	return strings.HasSuffix(name, "_theme") || strings.HasSuffix(name, "_themes") ||
		slices.ContainsFunc(labelless, func(start string) bool { return strings.HasPrefix(name, start) })
}

// setPrograms finds the programs that may make labels that are in no document.
func (g *model) setPrograms(d *source.Dir, s *site.Site) {
	contains := func(all []string, name string) bool {
		return slices.ContainsFunc(all, func(part string) bool { return strings.Contains(name, part) })
	}
	g.programs = g.text
	g.makesLabels = g.mayHaveMore()
	extensions := g.extensions
	if g.conf.Lookup("extensions").Open { // the text holds the added ones
		for _, m := range addedExtension.FindAllStringSubmatch(g.text, -1) {
			extensions = append(extensions[:len(extensions):len(extensions)], m[1])
		}
	}
	if g.conf.Lookup("extensions").IsUnknown() {
		extensions = append(extensions[:len(extensions):len(extensions)], g.literalExtensions()...)
	}
	for _, name := range extensions {
		own := ""
		if !strings.HasPrefix(name, "sphinx.ext.") && name != "myst_parser" { // they are known, even where they are in the tree
			own = ownExtension(d, name)
		}
		g.programs += own
		if own != "" {
			g.ownExtensions = append(g.ownExtensions, name)
		}
		isKnown := own != "" || g.isLabelless(name)
		switch {
		case contains(labelMakers, name):
			g.makesLabels = true
		case contains(docReaders, name):
			g.readsPrograms = true
		case name == "breathe":
			g.readsPrograms, g.hasBreathe = true, true
		case !isKnown:
			g.hasUnknownExtension = true
			g.makesLabels, g.isStrange = true, true
		}
	}
	isMade := madeLabel.MatchString(g.programs) || strings.Contains(g.programs, "note_explicit_target") && namedNode.MatchString(g.programs)
	for _, m := range setLabel.FindAllStringSubmatch(g.programs, -1) {
		if name := strings.Trim(m[1], "\"'"); len(name) == len(m[1])-2 {
			g.labels[site.LabelName(name)] = true
		} else {
			isMade = true
		}
	}
	if isMade {
		g.makesLabels, g.codeMakesLabels = true, true
		g.isStrange = g.isStrange || !g.knowsStarts()
	}
	g.setObjects(s, extensions)
}

// knowsStarts reports whether conf.py alone makes labels, and only such as begin with a string in it:
// then mayMake is true for all of them.
func (g *model) knowsStarts() bool {
	if labelCode.MatchString(strings.TrimPrefix(g.programs, g.text)) {
		return false
	}
	calls := labelCode.FindAllStringSubmatch(g.text, -1)
	names := namesOfTarget.FindAllStringSubmatch(g.text, -1)
	return len(names) > 0 && len(names) == len(calls) &&
		!slices.ContainsFunc(calls, func(call []string) bool { return !strings.HasPrefix(call[0], "note_") }) &&
		!slices.ContainsFunc(names, func(m []string) bool { return strings.Contains(m[1], ",") || !madeStart.MatchString(m[1]) })
}

// namesOfTarget matches the labels of a target that code makes.
var namesOfTarget = lazy.New(`\bnames\s*=\s*\[([^\]\n]*)\]`)

// addedExtension matches where conf.py adds an extension by name.
var addedExtension = lazy.New(`extensions(?:\.(?:append|extend|insert)\(|\s*\+=)[^\n"'A-Za-z]*["']([\w.]+)["']`)

// otherExtensions matches where conf.py adds extensions without naming them.
var otherExtensions = lazy.New(`(?m)^from [\w.]+ import \*|extensions(?:\.(?:append|extend)\(|\s*\+=)\s*[A-Za-z_(]|extensions\s*\+=\s*\[[^"'\]]*[A-Za-z_]`)

// extensionList matches an assignment of literals to extensions, wherever it stands, and extensionUse any statement
// that begins with extensions.
var (
	extensionList = lazy.New(`(?m)^[ \t]*extensions[ \t]*\+?=[ \t]*\[((?:[\s,]*(?:"[\w.-]+"|'[\w.-]+'|#[^\n]*\n))*)[\s,]*\]`)
	extensionUse  = lazy.New(`(?m)^[ \t]*extensions\b`)
	quotedName    = lazy.New(`["']([\w.-]+)["']`)
)

// literalExtensions returns the names of extensions if conf.py names all that it may add, on any of its branches;
// nil if it may add others.
func (g *model) literalExtensions() []string {
	lists := extensionList.FindAllStringSubmatch(g.text, -1)
	if len(lists) == 0 || otherExtensions.MatchString(g.text) || strings.Contains(g.text, "globals()") {
		return nil
	}
	names := []string{}
	for _, m := range lists {
		for _, name := range quotedName.FindAllStringSubmatch(m[1], -1) {
			names = append(names, name[1])
		}
	}
	added := addedExtension.FindAllStringSubmatch(g.text, -1)
	for _, m := range added {
		names = append(names, m[1])
	}
	if len(extensionUse.FindAllStringIndex(g.text, -1)) > len(lists)+len(added) {
		return nil
	}
	return names
}

// mayHaveMore reports whether there may be extensions that conf.py does not name.
func (g *model) mayHaveMore() bool {
	v := g.conf.Lookup("extensions")
	if v.IsUnknown() && g.literalExtensions() != nil {
		return false
	}
	return v.IsUnknown() || v.Open && (!addedExtension.MatchString(g.text) || otherExtensions.MatchString(g.text))
}

// Limits for reading programs.
const (
	maxPrograms    = 20_000
	maxProgramText = 1 << 27 // bytes
)

// programSuffixes are those of files whose comments are documentation, and of templates for it.
var programSuffixes = []string{
	".py", ".pyi", ".pyx", ".pxd", ".c", ".cc", ".cpp", ".cxx", ".h", ".hpp", ".hh", ".hxx", ".ipp", ".tpp", ".inl", ".cu", ".cuh", ".dox", ".java", ".cs", ".idl", ".f90", ".mm", ".rs", ".in", ".j2", ".jinja", ".jinja2", ".tmpl", ".mako",
}

// programLabels are the labels in the documentation of programs.
type programLabels struct {
	exact  map[string]bool
	terms  map[string]bool // lines of programs that hold a glossary
	starts []string        // of labels that programs make
	isAny  bool            // a program makes labels of any beginning
	kinds  map[string]bool // directives of the standard domain in programs
	isAll  bool            // all programs have been read, and there are some
	words  wordSet
	// classes are those that programs of Python define.
	classes map[string]bool
}

// A wordSet holds words by their hashes: of those that are not in it, it has one in 160 by chance if it holds 100,000.
type wordSet []uint64

const wordBits = 24

// addFrom adds the words of a text: letters of ASCII, digits and underscores.
func (w wordSet) addFrom(text []byte) {
	h, isIn := wordStart, false
	for _, c := range text {
		if isWordByte(c) {
			h, isIn = (h^uint32(c))*wordPrime, true
		} else if isIn {
			w.add(h)
			h, isIn = wordStart, false
		}
	}
	if isIn {
		w.add(h)
	}
}

func (w wordSet) add(h uint32) {
	h >>= 32 - wordBits
	w[h/64] |= 1 << (h % 64)
}

func (w wordSet) has(word string) bool {
	h := wordStart
	for i := range len(word) {
		h = (h ^ uint32(word[i])) * wordPrime
	}
	h >>= 32 - wordBits
	return w[h/64]>>(h%64)&1 != 0
}

const (
	wordStart uint32 = 2166136261
	wordPrime uint32 = 16777619
)

func isWordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// lacksPart reports whether a name is that of a part of a class, which a program of the tree defines, and
// no program of the tree has its last word at all. Then the part can only come from another project that
// the class inherits from.
func (l *programLabels) lacksPart(name string) bool {
	parts := strings.Split(strings.TrimSuffix(name, "()"), ".")
	if len(parts) < 2 {
		return false
	}
	return l.isAll && l.classes[parts[len(parts)-2]] && !l.words.has(parts[len(parts)-1])
}

// lacksWord reports whether no program of the tree has a word.
func (l *programLabels) lacksWord(word string) bool { return l.isAll && !l.words.has(word) }

var classStart = lazy.New(`(?m)^[ \t]*class[ \t]+(\w+)`)

// programsOfTree stands for the programs in messages.
const programsOfTree = "any program of the tree"

// readPrograms reads the labels in programs of the repository. It runs at the first use of a label that no document
// has.
func (g *model) readPrograms(s *site.Site) *programLabels {
	return g.inPrograms.Get(func() *programLabels { return newProgramLabels(s) })
}

func newProgramLabels(s *site.Site) *programLabels {
	l := &programLabels{exact: map[string]bool{}, terms: map[string]bool{}, kinds: map[string]bool{}, isAll: true, words: make(wordSet, 1<<(wordBits-6)), classes: map[string]bool{}}
	files, size, hasPackage := 0, 0, false
	skip := func(name string) bool {
		return name[0] == '.' || name == "node_modules" || name == "_build" || name == "site-packages" || name == "__pycache__"
	}
	s.Tree.Files(s.Tree.Root, skip, func(rel string) {
		file := s.Tree.Root + "/" + rel
		isTemplate := strings.Contains(rel, "templates/") && (strings.HasSuffix(rel, ".rst") || strings.HasSuffix(rel, ".txt"))
		if !isTemplate && !slices.Contains(programSuffixes, path.Ext(rel)) || !l.isAll {
			return
		}
		if files++; files > maxPrograms || size > maxProgramText {
			l.isAll = false
			return
		}
		text := s.Tree.ReadPage(file)
		size += len(text)
		hasPackage = hasPackage || !isTemplate && !source.Below(file, s.Dir)
		l.read(text)
	})
	l.isAll = l.isAll && hasPackage
	return l
}

// read adds the labels in a program.
func (l *programLabels) read(text []byte) {
	l.words.addFrom(text)
	for m := range source.MatchesIn(text, classStart, "class") {
		l.classes[string(m[1])] = true
	}
	if bytes.Contains(text, []byte(".. glossary::")) {
		for line := range bytes.Lines(text) {
			l.terms[site.LabelName(string(line))] = true
		}
	}
	for _, kind := range []string{"option", "envvar", "confval", "productionlist"} {
		if !l.kinds[kind] && bytes.Contains(text, []byte(".. "+kind+"::")) {
			l.kinds[kind] = true
		}
	}
	mark := []byte(".. _")
	for {
		i := bytes.Index(text, mark)
		if i < 0 {
			break
		}
		text = text[i+len(mark):]
		line, _, _ := bytes.Cut(text, []byte("\n"))
		line = bytes.TrimLeft(line, "`")
		if k := bytes.IndexAny(line, "{%\"'"); k >= 0 { // a program puts the rest of it there
			if start := site.LabelName(string(line[:k])); start != "" {
				l.starts = append(l.starts, start)
			} else {
				l.isAny = true
			}
		}
		name, _, _ := bytes.Cut(line, []byte(":"))
		l.exact[site.LabelName(strings.TrimRight(string(name), "`"))] = true
	}
	if bytes.Contains(text, []byte(":name:")) {
		for _, m := range namedOption.FindAllSubmatch(text, -1) {
			l.exact[site.LabelName(string(m[1]))] = true
		}
	}
}

// has reports whether a label may be in the documentation of a program.
func (l *programLabels) has(key string) bool { return l.isAny || l.names(key) }

// names reports whether the documentation of a program has a label, or the beginning of one that the program makes.
func (l *programLabels) names(key string) bool {
	return l.exact[key] || slices.ContainsFunc(l.starts, func(start string) bool { return strings.HasPrefix(key, start) })
}

// declares reports whether the documentation of programs may declare objects of a kind.
func (l *programLabels) declares(kind string) bool {
	return !l.isAll || l.kinds[kind] || kind == "token" && l.kinds["productionlist"] || kind == "label"
}

func (l *programLabels) mayBeTerm(key string) bool { return !l.isAll || l.terms[key] }

// copyCall matches code that copies files.
var copyCall = lazy.New(`\b(?:copy|copy2|copyfile|copytree|urlretrieve|symlink_to|symlink)\(`)

// copying matches code that writes files.
var copying = lazy.New(`\b(?:copy\w*|copytree|write\w*|open|urlretrieve|symlink\w*)\b`)

// mayMakeFile reports whether conf.py may put a file that does not exist among the sources. It then copies
// files, and has the name of a directory that the file is in, which it uses for nothing else.
func (g *model) mayMakeFile(s *site.Site, file string) bool {
	rel, ok := strings.CutPrefix(path.Dir(file), s.Dir+"/")
	if !ok || s.Tree.IsFile(file) || !g.copies.Get(func() bool { return copyCall.MatchString(g.text) }) {
		return false
	}
	var known []string
	for _, key := range []string{"html_static_path", "html_extra_path", "templates_path", "exclude_patterns"} {
		known = append(known, g.conf.Lookup(key).Texts()...)
	}
	for name := range strings.SplitSeq(rel, "/") {
		isQuoted := strings.Contains(g.text, `"`+name+`"`) || strings.Contains(g.text, "'"+name+"'")
		if isQuoted && name[0] != '_' && !slices.Contains(known, name) {
			return true
		}
	}
	return false
}

// madeLabel matches code that defines labels in text that it has parsed, setLabel code that sets an entry
// of the tables of Sphinx, labelCode any code that may define labels, and namedNode a node with names.
var (
	madeLabel = lazy.New(`\.\. _|note_hyperlink_target|labels["']\]\.(?:update|setdefault)`)
	setLabel  = lazy.New(`labels(?:["']\])?\[([^\]]*)\]\s*=[^=]`)
	labelCode = lazy.New(`\.\. _|anonlabels|note_hyperlink_target|note_explicit_target|['"]labels['"]`)
	namedNode = lazy.New(`nodes\.target\([^)]*names\s*=|\[["']names["']\]`)
)
