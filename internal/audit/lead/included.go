package lead

import (
	"slices"

	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/reason"
)

// Inclusions records which files include which others, by directives in documents.
type Inclusions struct {
	Of, By map[string][]string
	Open   map[string]bool     // files that include something unknown
	Texts  map[string][]string // included files that are not documents, by the including file
}

// IsInclude reports whether k is a directive that another file replaces.
func IsInclude(d *doc.Document, k *doc.Reference) bool {
	return k.How == scan.Directive && (k.In == "include" && d.IsRST() || k.In == "include::" && d.IsAsciiDoc())
}

// maxParts limits how many files connected with one file by includes are examined.
const maxParts = 500

// reachable returns the files connected with those in from, which come first. along is a map of
// inclusions.
func reachable(from []string, along map[string][]string) []string {
	all := slices.Clone(from)
	seen := map[string]bool{}
	for _, file := range all {
		seen[file] = true
	}
	for i := 0; i < len(all) && len(all) < maxParts; i++ {
		for _, file := range along[all[i]] {
			if len(all) >= maxParts {
				break
			}
			if !seen[file] {
				seen[file] = true
				all = append(all, file)
			}
		}
	}
	return all
}

// Around returns the files whose ids may be on one page with those of d: the files that d includes
// and, for a reference in d itself, the documents that include d, with all files that they include.
func (a *World) Around(d *doc.Document, isOwn bool) []string {
	from := []string{d.Path}
	if isOwn {
		from = reachable(from, a.Included.By)
	}
	return reachable(from, a.Included.Of)
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
	files := a.Around(d, isOwn)
	return len(files) >= maxParts || slices.ContainsFunc(files, func(file string) bool {
		return a.Included.Open[file] || a.ByPath[file] != nil && a.ByPath[file].IsPartial
	})
}

// SamePage returns the files that may be on one page with an AsciiDoc document. If these are not all, why says so.
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
