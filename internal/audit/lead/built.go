package lead

import (
	"bytes"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/publish"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/reason"
)

var (
	// rustItem matches how a link of rustdoc names an item: "Foo", "crate::a::Foo", "Foo::bar()", "macro@vec!",
	// "struct.Foo.html".
	rustItem = lazy.New(`^(?:\w+@)?(?:::)?[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*(?:!|\(\))?(?:#.*)?$`)
	rustPage = lazy.New(`(?:^|/)(?:index|(?:struct|enum|trait|traitalias|fn|macro|derive|attr|type|constant|static|union|primitive|keyword)\.\w+)\.html(?:#.*)?$`)
	// shownText matches the name of a file that Rust puts into documentation.
	shownText = lazy.New(`include_str!\(\s*"([^"\n]+\.md)"\s*\)`)
)

// IsRustItem reports whether a link may name an item of Rust, in a document that a crate puts into its documentation.
func (a *Library) IsRustItem(d *doc.Document, ref string) bool {
	if !d.IsMarkdown() || d.Layout.Generated != nil || !rustItem.MatchString(ref) && !rustPage.MatchString(ref) {
		return false
	}
	crate := a.crates.Get(d.Dir(), func(string) string { return a.crateOf(d) })
	return crate != "" && a.rustTexts.Get(crate, a.rustTextsOf)[d.Path]
}

// crateOf returns the directory of the nearest crate around d, or "".
func (a *Library) crateOf(d *doc.Document) string {
	return a.above(d, func(dir string) bool { return a.Files.Exists(dir + "/Cargo.toml") })
}

// maxRustFiles bounds the files of a crate that are read for the documents that it puts into its documentation.
const maxRustFiles = 2_000

// rustTextsOf returns the documents that the files of a crate put into its documentation.
func (a *Library) rustTextsOf(crate string) map[string]bool {
	texts := map[string]bool{}
	read := func(file string) {
		text := a.TextOf(file)
		if !bytes.Contains(text, []byte("include_str!")) {
			return
		}
		for _, m := range shownText.FindAllSubmatch(text, 100) {
			texts[path.Join(path.Dir(file), string(m[1]))] = true
		}
	}
	read(crate + "/lib.rs")
	left := maxRustFiles
	for dirs := []string{crate + "/src"}; len(dirs) > 0; dirs = dirs[1:] {
		names := a.Files.List(dirs[0]).Names
		for _, name := range slices.Sorted(maps.Keys(names)) {
			file := dirs[0] + "/" + name
			switch {
			case names[name].IsDir():
				dirs = append(dirs, file)
			case path.Ext(name) == ".rs" && left > 0:
				left--
				read(file)
			}
		}
	}
	return texts
}

// bundlerConfigs are the files that say what a bundler writes.
var bundlerConfigs = []string{
	"webpack.config.js", "webpack.config.ts", "webpack.config.cjs", "webpack.config.mjs", "rollup.config.js", "rollup.config.mjs", "rollup.config.ts",
	"esbuild.js", "esbuild.mjs", "esbuild.config.js", "esbuild.config.mjs", "gulpfile.js", "Gruntfile.js", "package.json",
}

// outputName matches a name in the configuration of a bundler that it makes from others.
var outputName = lazy.New(`\bfilename\b['"]?\s*:\s*['"\x60][^'"\x60\n]*\[(?:name|id|hash|contenthash|chunkhash)`)

// isBundle reports whether a bundler writes a script or a style sheet, by the name in the configuration of
// the nearest package.
func (a *World) isBundle(d *doc.Document, p *tree.Place) bool {
	name := path.Base(p.Path)
	if ext := path.Ext(name); ext != ".js" && ext != ".mjs" && ext != ".css" {
		return false
	}
	for dir, top := d.Dir(), a.Boundary(d); tree.Below(dir, top); dir = path.Dir(dir) {
		l, isPackage := a.Files.List(dir), false
		for _, config := range bundlerConfigs {
			if _, ok := l.Entry(config); !ok {
				continue
			}
			isPackage = true
			text := a.TextOf(dir + "/" + config)
			if bytes.Contains(text, []byte("/"+name)) || bytes.Contains(text, []byte(`"`+name)) || bytes.Contains(text, []byte("'"+name)) ||
				config != "package.json" && outputName.Match(text) {
				return true
			}
		}
		if isPackage || dir == top || path.Dir(dir) == dir {
			break
		}
	}
	return false
}

// SuffixedFile returns the file that a server finds by adding ".html" to the path of a reference in a page
// that no known generator makes, or "".
func (a *World) SuffixedFile(d *doc.Document, t *Target, p *tree.Place) string {
	if !d.IsHTML() || len(t.Components) == 0 || path.Ext(p.Path) != "" || t.Slash {
		return ""
	}
	files := []string{p.Path}
	if t.Rooted {
		for _, root := range a.AppRoots(d) {
			files = append(files, root+"/"+strings.Join(t.Components, "/"))
		}
	}
	for _, file := range files {
		if a.Files.Exists(file + ".html") {
			return file + ".html"
		}
	}
	return ""
}

// buildFiles name what a build makes, in rules and commands, as do scripts of shells.
var buildFiles = []string{"Makefile", "GNUmakefile", "makefile", "justfile", "package.json"}

// shellScript is the suffix of such scripts.
const shellScript = ".sh"

// Bounds of what is read of the files of a build in a directory.
const (
	maxBuilt     = 10_000  // paths
	maxScripts   = 50      // scripts of shells
	maxBuildFile = 1 << 20 // bytes of each file
	maxMissing   = 20      // missing directories around a file
)

// WrittenBy returns why a missing file is to be expected: it is in a submodule that is not checked out, or
// a build makes it. In the second case, a Makefile, the scripts of a package or a shell script name its
// path, or the path of a missing parent directory; they are in a parent directory, up to the root of the
// repository.
func (a *Library) WrittenBy(d *doc.Document, file string) reason.Reason {
	if why := a.missingSubmodule(d, file); !why.IsZero() {
		return why
	}
	top := a.Boundary(d)
	made := []string{file} // and the missing directories around it
	for dir := path.Dir(file); tree.Below(dir, top); dir = path.Dir(dir) {
		if len(made) < maxMissing && !a.Files.Exists(dir) {
			made = append(made, dir)
			continue
		}
		for _, p := range made {
			if by := a.built.Get(dir, a.builtFrom)[p]; by != "" {
				return writtenBy.With(by)
			}
		}
		if dir == top || path.Dir(dir) == dir {
			break
		}
	}
	if by := writerOfIndex(a, top, file); by != "" {
		return writtenBy.With(by)
	}
	return a.ProductOf(d, path.Base(file))
}

// indexScripts are the directories of a repository, "" for its root, with scripts that may write index
// pages, and their suffixes.
var (
	indexScripts   = []string{"", ".ci", "build", "ci", "doc", "docs", "hack", "script", "scripts", "tools"}
	scriptSuffixes = lazy.NewSet(".py .rb .js .mjs .ts .sh")
	// indexWrite matches code that writes a page of a name into a directory that it computes.
	indexWrite = lazy.New("(?:\\}/|[\"'`]/?)(\\w+\\.\\w+)[\"'`]\\)?\\s*,\\s*[\"']wb?[\"']|\\bwriteFile(?:Sync)?\\([^\\n,]*[/\"'`](\\w+\\.\\w+)[\"'`]\\)?\\s*,|>\\s*\"?\\$[^\\s\"]*/(\\w+\\.\\w+)\\b")
)

// writerOfIndex returns the name of a script of the repository that writes a missing index page. Such a
// script writes pages of that name into directories that it computes; one of the pages exists, or the
// script names the missing one or its directory.
func writerOfIndex(a *Library, top, file string) string {
	base := path.Base(file)
	if !publish.IsIndex(base) {
		return ""
	}
	missing, around := "", path.Dir(file)
	for ; tree.Below(around, top) && !a.Files.Exists(around); around = path.Dir(around) {
		missing = path.Base(around)
	}
	script := a.built.Get(top+"//", func(string) map[string]string { return indexWriters(a, top) })[base]
	if script == "" || missing == "" {
		return script
	}
	words := a.built.Get(top+"/"+script+"//", func(string) map[string]string { return wordsOf(a, top+"/"+script) })
	if words[missing] == "" && words[path.Base(around)] == "" {
		return ""
	}
	return script
}

// wordsOf returns the words in a script, which may be names of directories, each with itself.
func wordsOf(a *Library, script string) map[string]string {
	words := map[string]string{}
	text := a.TextOf(script)
	for word := range bytes.FieldsFuncSeq(text[:min(len(text), maxBuildFile)], func(c rune) bool { return c == '/' || endsPath(c) }) {
		if len(words) < maxBuilt {
			words[string(word)] = string(word)
		}
	}
	return words
}

// indexWriters returns the first script that writes index pages of each name, by its path in the repository.
func indexWriters(a *Library, top string) map[string]string {
	writers := map[string]string{}
	for name, text := range scriptsOf(a, top) {
		for _, m := range indexWrite.FindAllSubmatch(text, 100) {
			page := string(slices.Concat(m[1:]...))
			if publish.IsIndex(page) && writers[page] == "" {
				writers[page] = name
			}
		}
	}
	return writers
}

// scriptsOf yields the scripts of a repository that may make pages, by their paths in it, with the
// beginning of their text.
func scriptsOf(a *Library, top string) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for _, sub := range indexScripts {
			dir := path.Join(top, sub)
			if !a.Files.Exists(dir) {
				continue
			}
			left := maxScripts
			for _, name := range slices.Sorted(maps.Keys(a.Files.List(dir).Names)) {
				if !scriptSuffixes.Has(path.Ext(name)) || left == 0 {
					continue
				}
				left--
				text := a.TextOf(dir + "/" + name)
				if !yield(path.Join(sub, name), text[:min(len(text), maxBuildFile)]) {
					return
				}
			}
		}
	}
}

// JoinsPages reports whether a script of the repository makes HTML of the Markdown documents in the
// directory of d. Such a script names HTML and most of the documents, from its own directory or from the
// root of the repository.
func JoinsPages(a *World, d *doc.Document) bool {
	const least = 3 // documents
	dir := d.Dir()
	named := a.named.Get(a.Boundary(d), func(top string) map[string]int { return namedTogether(&a.Library, top) })[dir]
	if named < least { // the directory is not listed for nothing
		return false
	}
	all := 0
	for name := range a.Files.List(dir).Names {
		if path.Ext(name) == ".md" && a.ByPath[dir+"/"+name] != nil {
			all++
		}
	}
	return 2*named >= all
}

// quoted matches a string in quotation marks.
var quoted = lazy.New(`'([^'"\n]{1,200})'|"([^'"\n]{1,200})"`)

// namedTogether returns, for each directory, how many of its Markdown documents one script names: the most,
// of scripts that also name HTML.
func namedTogether(a *Library, top string) map[string]int {
	most := map[string]int{}
	for script, text := range scriptsOf(a, top) {
		if !bytes.Contains(text, []byte(".html")) {
			continue
		}
		seen, named := map[string]bool{}, map[string]int{}
		for _, m := range quoted.FindAllSubmatch(text, maxBuilt) {
			name := string(m[1]) + string(m[2])
			for _, p := range []string{path.Join(top, path.Dir(script), name), path.Join(top, name)} {
				if path.Ext(p) == ".md" && !seen[p] && a.ByPath[p] != nil {
					seen[p] = true
					named[path.Dir(p)]++
				}
			}
		}
		for dir, n := range named {
			most[dir] = max(most[dir], n)
		}
	}
	return most
}

// drawings are the suffixes of sources of drawings, from which a build makes pictures of the same name.
var drawings = strings.Fields(".puml .plantuml .pu .dot .gv .mmd .mermaid .d2 .drawio .dia .fig .ditaa .tikz .asy .odg .vsdx")

// pictures are the suffixes of such pictures.
var pictures = lazy.NewSet(".svg .png .jpg .gif .pdf .webp")

// ProductOf returns why a build makes a missing file of a name: an image with a source in the tree, or a
// book or archive that a program run by the code host names.
func (a *Library) ProductOf(d *doc.Document, name string) reason.Reason {
	if stem, isPicture := strings.CutSuffix(name, path.Ext(name)); isPicture && pictures.Has(path.Ext(name)) {
		for _, suffix := range drawings {
			if len(a.ByName[stem+suffix]) > 0 {
				return madeOf.With(suffix)
			}
		}
	}
	if !products.Has(path.Ext(name)) {
		return reason.Reason{}
	}
	if by := a.built.Get(a.Boundary(d)+"/"+workflows, a.productsIn)[name]; by != "" {
		return writtenBy.With(by)
	}
	return reason.Reason{}
}

// workflows is the directory of the programs that a code host runs to publish a tree. The slash at its end
// tells it from others in Library.built.
const workflows = ".github/workflows/"

// products are the suffixes of files that such programs make of many others: books and archives.
var products = lazy.NewSet(".pdf .epub .zip .gz .tgz .xz")

// productsIn returns the names of books and archives that programs in the directory of workflows name, each
// with the name of the program.
func (a *Library) productsIn(dir string) map[string]string {
	const most = 50 // programs
	dir = strings.TrimSuffix(dir, "/")
	if !a.Files.Exists(dir) {
		return nil
	}
	names := map[string]string{}
	programs := slices.Sorted(maps.Keys(a.Files.List(dir).Names))
	for _, program := range programs[:min(len(programs), most)] {
		text := a.TextOf(dir + "/" + program)
		for word := range bytes.FieldsFuncSeq(text[:min(len(text), maxBuildFile)], endsPath) {
			if name := path.Base(string(word)); len(word) <= maxPath && products.Has(path.Ext(name)) && len(names) < maxBuilt {
				names[name] = program
			}
		}
	}
	return names
}

// builtFrom returns the paths that the files of a build in a directory name, each with the name of the file.
func (a *Library) builtFrom(dir string) map[string]string {
	if !a.Files.Exists(dir) {
		return nil
	}
	paths := map[string]string{}
	l := a.Files.List(dir)
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(l.Names)), func(name string) bool { return path.Ext(name) != shellScript })
	names = slices.Concat(buildFiles, names[:min(len(names), maxScripts)])
	for _, name := range names {
		if _, ok := l.Entry(name); !ok {
			continue
		}
		text := a.TextOf(dir + "/" + name)
		for word := range bytes.FieldsFuncSeq(text[:min(len(text), maxBuildFile)], endsPath) {
			if len(paths) == maxBuilt {
				break
			}
			if len(word) <= maxPath && (bytes.IndexByte(word, '/') > 0 || bytes.IndexByte(word, '.') > 0) {
				paths[path.Join(dir, string(word))] = name
			}
		}
	}
	return paths
}

// endsPath reports whether a path in a rule or a command ends before a character.
func endsPath(c rune) bool { return c <= ' ' || strings.ContainsRune("\"'`:;,=<>|&()[]{}", c) }

// Reasons.
var (
	bundled   = reason.New(reason.Build, "bundled", "a bundler writes the file")
	writtenBy = reason.New(reason.Build, "written-by", "a build makes it: %s names it")
	RustItem  = reason.New(reason.Code, "rust-item", "rustdoc may find an item of that name: a crate shows the document")
)
