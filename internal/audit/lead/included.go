package lead

import (
	"bytes"
	"maps"
	"path"
	"slices"
	"strings"

	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site/source"
)

// Inclusions records which files include which others, by directives in documents.
type Inclusions struct {
	Of, By map[string][]string
	Open   map[string]bool     // files that include something unknown
	Texts  map[string][]string // included files that are not documents, by the including file
}

// IsInclude reports whether ref is a directive that another file replaces.
func IsInclude(d *doc.Document, ref *doc.Reference) bool {
	return ref.How == scan.Directive && (ref.In == "include" && d.IsRST() || ref.In == "include::" && d.IsAsciiDoc())
}

// IsOrgInclude reports whether ref is such a directive of Org, which adapts the relative links of the other file.
func IsOrgInclude(d *doc.Document, ref *doc.Reference) bool {
	return ref.How == scan.Directive && ref.In == "#+INCLUDE:" && doc.IsOrg(d)
}

// includedByComment matches a directive in a comment or a docstring, as Nim and pdoc read them.
var includedByComment = lazy.New(`^\.\. include::[ \t]+([^\s|*?]{1,300})[ \t\r]*(?:\n|$)`)

// maxCode bounds the files of code of a directory that are read for the documents that they include.
const maxCode = 500

// ShowingCode returns the file of code beside a document that includes it in its comments, or "". The page
// also has the ids and names of that code.
func (a *Library) ShowingCode(d *doc.Document) string {
	if d.Layout.Generated != nil {
		return ""
	}
	return a.codeTexts.Get(d.Dir(), a.codeTextsOf)[d.Path]
}

// codeTextsOf returns the file of code for each file that the code in a directory includes.
func (a *Library) codeTextsOf(dir string) map[string]string {
	texts := map[string]string{}
	names := a.Files.List(dir).Names
	left := maxCode
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if ext := path.Ext(name); ext != ".nim" && ext != ".py" || names[name].IsDir() || left == 0 {
			continue
		}
		left--
		for m := range source.MatchesAt(a.textOf(dir+"/"+name), ".. include::", includedByComment) {
			texts[path.Join(dir, string(m[1]))] = dir + "/" + name
		}
	}
	return texts
}

// Limits for the files connected with one file by includes.
const (
	maxParts      = 500   // that are examined
	maxInclusions = 2_000 // followed to find them
)

// reachable returns the files connected with those in from, which come first. along is a map of
// inclusions. isAll is false if there are too many.
func reachable(from []string, along map[string][]string) (all []string, isAll bool) {
	all = slices.Clone(from)
	seen := map[string]bool{}
	for _, file := range all {
		seen[file] = true
	}
	n := 0
	for i := 0; i < len(all); i++ {
		for _, file := range along[all[i]] {
			if n++; n > maxInclusions || len(all) >= maxParts {
				return all, false
			}
			if !seen[file] {
				seen[file] = true
				all = append(all, file)
			}
		}
	}
	return all, true
}

// Around returns the files whose ids may be on one page with those of d: the files that d includes
// and, for a reference in d itself, the documents that include d, with all files that they include.
func (a *World) Around(d *doc.Document, isOwn bool) []string {
	files, _ := a.Included.around(d, isOwn)
	return files
}

// around is like Around; isAll is false if there are too many.
func (c *Inclusions) around(d *doc.Document, isOwn bool) (files []string, isAll bool) {
	from, isAll := []string{d.Path}, true
	if isOwn {
		from, isAll = reachable(from, c.By)
	}
	files, all := reachable(from, c.Of)
	return files, isAll && all
}

// HasIDAround reports whether a file on the same page as d has an id.
func (a *World) HasIDAround(d *doc.Document, isOwn bool, fragment string) bool {
	if !a.mayShare(d) {
		return false
	}
	return slices.ContainsFunc(a.Around(d, isOwn), func(file string) bool {
		to := a.ByPath[file]
		if to == nil || to == d {
			return false
		}
		_, live := to.IDs().Hit(fragment)
		return live || d.IsMarkdown() && to.IDs().IsSimilar(fragment) || // the code of a component decides about ids
			to.IsAsciiDoc() && to.IsTitleID(fragment)
	})
}

// serverInclude matches a directive that a server replaces by a file.
var serverInclude = lazy.New(`^<!--#\s*include\s+(?:virtual|file)\s*=\s*["']([^"'\n?#]{1,300})["']`)

// IsServed reports whether a server puts d, which is HTML, on a page with others, one of which has an id.
// If not all of these are known, why says so. If isOwn, these include the pages that d is a part of.
func (a *World) IsServed(d *doc.Document, isOwn bool, id string) (hasID bool, why reason.Reason) {
	if d.Layout.Generated != nil || !d.IsHTML() || !(isOwn && d.IsPieceOfHTML() || doc.HasServedParts(d)) {
		return false, reason.Reason{}
	}
	served := a.served.Get(a.Boundary(d), a.findServed)
	files, isAll := served.around(d, isOwn)
	if !isAll {
		why = reason.IncludedID
	}
	for _, file := range files {
		if to := a.ByPath[file]; to != nil && to != d {
			_, isLive := to.IDs().Hit(id)
			hasID = hasID || isLive || a.scriptIDs.Get(file, func(string) map[string]bool { return scriptIDsOf(to) })[id]
		}
		if served.Open[file] {
			why = reason.IncludedID
		}
	}
	return hasID, why
}

var (
	templateScript = lazy.New(`^(?i)<script\s[^>]*\btype\s*=\s*["']?(?:text/(?:x-)?[\w-]*template|text/html|text/x-handlebars)\b`)
	writtenID      = lazy.New(`^\s(?:id|name)\s*=\s*["']([^"'<>\s]{1,200})["']`)
)

// scriptIDsOf returns the ids in d, if it is HTML with a template in a script, as of Handlebars, which
// scripts write into the page.
func scriptIDsOf(d *doc.Document) map[string]bool {
	text := d.Head()
	for range source.MatchesAt(text, "<script", templateScript) {
		ids := map[string]bool{}
		for _, mark := range []string{" id", " name"} {
			for m := range source.MatchesAt(text, mark, writtenID) {
				ids[string(m[1])] = true
			}
		}
		return ids
	}
	return nil
}

// findServed finds what a server puts into the HTML documents of a tree.
func (a *World) findServed(top string) *Inclusions {
	const most = 1000 // includes of a document
	served := &Inclusions{Of: map[string][]string{}, By: map[string][]string{}, Open: map[string]bool{}}
	for _, d := range a.Sorted {
		if d.Layout.Generated != nil || !d.IsHTML() || a.Boundary(d) != top {
			continue
		}
		seen := map[string]bool{}
		for m := range source.MatchesAt(d.Head(), doc.ServerIncludeMark, serverInclude) {
			file := a.servedFile(d, top, string(m[1]))
			if len(seen) == most {
				served.Open[d.Path] = true
				break
			}
			if seen[file] {
				continue
			}
			seen[file] = true
			switch ext := path.Ext(file); {
			case a.ByPath[file] != nil:
				served.Of[d.Path] = append(served.Of[d.Path], file)
				served.By[file] = append(served.By[file], d.Path)
			case ext != ".js" && ext != ".css": // which have no ids
				served.Open[d.Path] = true
			}
		}
	}
	return served
}

// servedFile returns the file that d names to a server. A path "/x" is below the root of the site, which is
// the nearest directory around d that has it.
func (a *World) servedFile(d *doc.Document, top, name string) string {
	if !strings.HasPrefix(name, "/") {
		return path.Join(d.Dir(), name)
	}
	for dir := d.Dir(); source.Below(dir, top); dir = path.Dir(dir) {
		if file := path.Join(dir, name); a.ByPath[file] != nil {
			return file
		}
		if dir == top || dir == path.Dir(dir) {
			break
		}
	}
	return path.Join(top, name)
}

// mayShare reports whether d may be on one page with other documents by what is recorded in Included.
func (a *World) mayShare(d *doc.Document) bool {
	if d.IsRST() || d.IsAsciiDoc() {
		return true
	}
	return d.Layout.Generated == nil && (len(a.Included.Of[d.Path]) > 0 || len(a.Included.By[d.Path]) > 0 || a.Included.Open[d.Path])
}

// MayHaveIDAround reports whether the same page may hold an unknown file.
func (a *World) MayHaveIDAround(d *doc.Document, isOwn bool) bool {
	if !a.mayShare(d) {
		return false
	}
	files, isAll := a.Included.around(d, isOwn)
	return !isAll || slices.ContainsFunc(files, func(file string) bool {
		return a.Included.Open[file] || a.ByPath[file] != nil && a.ByPath[file].IsPartial
	})
}

// SamePage returns the files that may be on one page with an AsciiDoc document. If there may be others, why
// says so.
func (a *World) SamePage(d *doc.Document) (files []string, isAll bool, why reason.Reason) {
	if d.Layout.Generated == nil {
		return a.Around(d, true), !a.MayHaveIDAround(d, true), reason.IncludedID
	}
	s, uses, why := d.SiteUse()
	if len(uses) == 0 {
		return []string{d.Path}, false, why
	}
	isAll, why = true, reason.IncludedID
	for _, u := range uses {
		parts, isComplete := s.Parts(u.Page.File)
		isAll = isAll && isComplete
		files = append(append(files, u.Page.File), parts...)
	}
	return files, isAll, why
}

// NameAsReference returns the use of a name, which is not a URL, as a reference for a Finding.
func (a *Library) NameAsReference(d *doc.Document, n *doc.Note, how scan.How, in string) *extract.Reference {
	source, start := d.Source(), int(n.Pos.Offset)
	raw := source[min(start, len(source)):min(start+n.Pos.Length, len(source))]
	return &extract.Reference{Entity: doc.Whole, Pos: n.Pos, Kind: scan.Link, How: how, In: in, Raw: raw, Ref: raw}
}

// blockEnd matches the end of a block, or of a branch, in templates of Hugo, Liquid and Jinja.
var blockEnd = lazy.New(`\{\{[%<]-?\s*/|\{%[-+]?\s*(?:end|else|elsif|elif)`)

// MayExclude reports whether a page may show only one of two lines of a document: a block of a template ends between
// them.
func (a *Library) MayExclude(d *doc.Document, first, second int) bool {
	ends := a.blockEnds.Get(d.Path, func(string) (lines []int) {
		n := 0
		for line := range bytes.Lines(d.Head()) {
			n++
			if blockEnd.Match(line) {
				lines = append(lines, n)
			}
		}
		return lines
	})
	i, _ := slices.BinarySearch(ends, first)
	return i < len(ends) && ends[i] < second
}
