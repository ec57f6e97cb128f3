package infer

import (
	"bytes"
	"maps"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
)

// shown finds which documents the components of others show: <Include src="parts/x" />. Code decides from
// which directory a component reads, and whether the suffix is left out. So a name stands for each document
// whose path ends with it, provided that most names passed to the component are names of documents. Imports
// in MDX are certain.
type shown struct {
	a       *Inference
	by      map[string]*shownCount // by component
	imports []inclusion
}

// A shownCount holds what one component is given.
type shownCount struct {
	names, found int
	parts        []inclusion
}

// An inclusion is a document and a part of it, or one with a part that is not known.
type inclusion struct{ file, part string }

// takes looks for components in the text of d: their attributes may be no references, and are not kept. In
// Markdown other than MDX, lead.ShownBy looks for them once an id is missing.
func (l *shown) takes(d *doc.Document) bool {
	if isPlain(d) && d.Skipped[doc.IsSpeculative] > 0 {
		l.read(d)
	}
	if isPlain(d) && d.Skipped[doc.IsModule] > 0 {
		l.readImports(d)
	}
	return false
}

// readImports adds the documents that d imports: by relative names, or by prefixes of tsconfig.json.
func (l *shown) readImports(d *doc.Document) {
	n := 0
	for name := range doc.ImportedDocuments(d.Source()) {
		file := ""
		if strings.HasPrefix(name, ".") {
			file = path.Join(d.Dir(), name)
		} else if n < site.MaxComponents {
			file = l.a.Layouts.Finder.AliasedPath(d.Path, name, l.a.Boundary(d))
		}
		if n++; n > site.MaxComponents || l.a.ByPath[file] == nil {
			file = "" // not known
		}
		if file != d.Path {
			l.imports = append(l.imports, inclusion{d.Path, file})
		}
		if n > site.MaxComponents {
			return
		}
	}
}

func (l *shown) see(*doc.Document, *doc.Reference) {}

// read looks for components in the text of d.
func (l *shown) read(d *doc.Document) {
	text := d.Source()
	for at := 0; ; at += len(sourceMark) {
		i := bytes.Index(text[at:], []byte(sourceMark))
		if i < 0 {
			return
		}
		at += i
		const longest = 300 // bytes of the tag before it, and of the value
		m := sourceTag.Compiled().FindSubmatch(text[max(0, at-longest):at])
		v := sourceValue.Compiled().FindSubmatch(text[at:min(len(text), at+longest)])
		if m != nil && v != nil {
			l.add(d, string(m[1]), string(v[1]))
		}
	}
}

const sourceMark = "src="

var (
	sourceTag   = lazy.New(`<([A-Z][\w.]*)\s[^<>]*$`)
	sourceValue = lazy.New(`^src=["']([^"'<>{}\n?#:]+)["']`)
)

// add adds what a component in d is given.
func (l *shown) add(d *doc.Document, component, name string) {
	if ext := path.Ext(name); ext != "" && ext != ".md" && ext != ".mdx" {
		return
	}
	c := l.by[component]
	if c == nil {
		c = &shownCount{}
		l.by[component] = c
	}
	c.names++
	files := l.named(d, name)
	if len(files) > 0 {
		c.found++
	} else {
		c.parts = append(c.parts, inclusion{file: d.Path})
	}
	for _, file := range files {
		c.parts = append(c.parts, inclusion{d.Path, file})
	}
}

// named returns the documents whose paths end with a name, with or without its suffix. A name with dots is
// relative to d.
func (l *shown) named(d *doc.Document, name string) (files []string) {
	const most = 100 // files with one name that are looked at
	end, isRelative := "/"+strings.Trim(path.Clean(name), "/"), false
	if strings.HasPrefix(name, ".") {
		end, isRelative = path.Join(d.Dir(), name), true
	}
	for _, ext := range []string{"", ".mdx", ".md"} {
		same := l.a.ByName[path.Base(end)+ext]
		for _, file := range same[:min(len(same), most)] {
			isEnd := file == end+ext || !isRelative && strings.HasSuffix(file, end+ext)
			if isEnd && l.a.ByPath[file] != nil && file != d.Path {
				files = append(files, file)
			}
		}
	}
	return files
}

// learn adds the parts to those that directives include.
func (l *shown) learn() {
	seen := map[inclusion]bool{}
	l.record(l.imports, seen)
	for _, name := range slices.Sorted(maps.Keys(l.by)) {
		if c := l.by[name]; 2*c.found > c.names {
			l.record(c.parts, seen)
		}
	}
}

// record adds parts that are not seen yet.
func (l *shown) record(parts []inclusion, seen map[inclusion]bool) {
	for _, p := range parts {
		switch {
		case seen[p]:
		case p.part == "":
			l.a.Included.Open[p.file] = true
		default:
			l.a.Included.Of[p.file] = append(l.a.Included.Of[p.file], p.part)
			l.a.Included.By[p.part] = append(l.a.Included.By[p.part], p.file)
		}
		seen[p] = true
	}
}
