package audit

import (
	"maps"
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/scan"
)

// An unsuffixedCount counts the relative links of the Markdown documents of a tree to names without a suffix, or with
// ".html".
type unsuffixedCount struct {
	all, missing         int
	allBare, missingBare int            // those without ".html"
	found                map[string]int // of the missing, those that lead to a file once a suffix is added, by suffix
	flat                 int            // those with the name of one document anywhere in the tree
}

// isRule reports whether most such links lead nowhere as they are: an unknown program publishes the documents under
// other names than those of their files.
func (c *unsuffixedCount) isRule() bool { return areMost(c.missing, c.all) }

// hasUnknownNames reports whether most names without a suffix are not those of files. Where that holds for names with
// ".html" only, the pages may have been deleted.
func (c *unsuffixedCount) hasUnknownNames() bool { return areMost(c.missingBare, c.allBare) }

func areMost(missing, all int) bool { return missing >= minRooted && 2*missing > all }

// suffixes returns the suffixes that links leave out, if that explains most of them.
func (c *unsuffixedCount) suffixes() (suffixes []string) {
	n := 0
	for _, suffix := range learntSuffixes {
		if c.found[suffix] > 1 {
			suffixes = append(suffixes, suffix)
			n += c.found[suffix]
		}
	}
	if n < minRooted || 2*n < c.missing {
		return nil
	}
	return suffixes
}

// isUnsuffixed reports whether k is a relative Markdown link to a page, by a name without a suffix or with ".html".
func isUnsuffixed(d *document, k *reference) bool {
	if !d.isMarkdown() || k.how != scan.Inline && k.how != scan.Reference || k.kind == scan.Embed || k.labels&scan.Unused != 0 {
		return false
	}
	ref := k.ref[:pathLength(k.ref)]
	if ref == "" || ref[0] == '/' || strings.ContainsRune(ref, ':') {
		return false
	}
	name := path.Base(ref)
	ext := path.Ext(name)
	return name != "." && name != ".." && (ext == "" || ext == ".html")
}

// isBare reports whether the last name in the path of k has no suffix.
func isBare(k *reference) bool { return path.Ext(path.Base(k.ref[:pathLength(k.ref)])) == "" }

// learnUnsuffixed finds the trees of documents without a known generator in which links leave out suffixes.
func (a *auditor) learnUnsuffixed() {
	counts := map[string]*unsuffixedCount{} // by boundary
	a.countUnsuffixed(func(top string, k *reference, p *place) {
		c := counts[top]
		if c == nil {
			c = &unsuffixedCount{found: map[string]int{}}
			counts[top] = c
		}
		missing, bare := 0, 0
		if p.kind == isMissing {
			missing = 1
		}
		if isBare(k) {
			bare = 1
		}
		c.all, c.missing = c.all+1, c.missing+missing
		c.allBare, c.missingBare = c.allBare+bare, c.missingBare+bare*missing
	})
	maps.DeleteFunc(counts, func(top string, c *unsuffixedCount) bool {
		s := a.servings[top]
		return !c.isRule() || a.given.suffixes != nil || s != nil && s.suffixes != nil
	})
	if len(counts) == 0 {
		return
	}
	for top := range counts {
		s := a.given
		if a.servings[top] != nil {
			s = *a.servings[top]
		}
		s.suffixes, s.isUnsuffixed = learntSuffixes, true
		a.servings[top] = &s
	}
	a.countUnsuffixed(func(top string, k *reference, p *place) {
		c := counts[top]
		if c == nil {
			return
		}
		if p.kind == isFile {
			c.found[path.Ext(p.path)]++
		}
		if len(a.flatSources(k)) == 1 {
			c.flat++
		}
	})
	for top, c := range counts {
		s := a.servings[top]
		s.suffixes = c.suffixes()
		s.isFlat = areMost(c.flat, c.missing) && (s.suffixes == nil || c.flat > c.found[s.suffixes[0]])
		s.hasUnknownNames = s.suffixes == nil && c.hasUnknownNames()
		s.isUnsuffixed = s.suffixes != nil || s.isFlat || s.hasUnknownNames
		a.leavesOut = a.leavesOut || s.suffixes != nil
	}
}

// countUnsuffixed calls count for each reference that isUnsuffixed, with the boundary of its tree and where it leads.
func (a *auditor) countUnsuffixed(count func(top string, k *reference, p *place)) {
	seen := map[string]int{}
	for _, d := range a.docs {
		if d.layout.generated != nil || !d.isMarkdown() {
			continue
		}
		top := a.boundary(d)
		refs := a.refsOf(d)
		for i := range refs {
			k := &refs[i]
			if seen[top] > maxRooted {
				break
			}
			if k.err != nil || !isUnsuffixed(d, k) {
				continue
			}
			seen[top]++
			if t := a.locate(d, k); t.inside {
				p := a.resolve(d, k, &t)
				count(top, k, &p)
			}
		}
	}
}

// flatSources returns the files of the tree that a relative reference means if a program, such as ExDoc, publishes all
// documents in one directory: those named like the page, or whose path ends in that of an asset.
func (a *auditor) flatSources(k *reference) (files []string) {
	ref := k.ref[:pathLength(k.ref)]
	if ref == "" || ref[0] == '/' || ref[0] == '.' {
		return nil
	}
	if stem, ok := strings.CutSuffix(ref, ".html"); ok {
		ref = stem + ".md"
	}
	const most = 100 // files of one name
	named := a.byName[path.Base(ref)]
	for _, file := range named[:min(len(named), most)] {
		if strings.HasSuffix(file, "/"+ref) {
			files = append(files, file)
		}
	}
	return files
}

// isFlatName returns why a reference in a tree of documents that are published in one directory may lead to what has no
// source of its own, or "".
func (a *auditor) isFlatName(k *reference) string {
	ref := k.ref
	switch {
	case len(a.flatSources(k)) > 1:
		return "several documents have the name"
	case ref != "" && ref[0] == '`', strings.HasSuffix(ref[:pathLength(ref)], ".html") && ref[0] >= 'A' && ref[0] <= 'Z':
		return "the name of an item of code"
	}
	return ""
}

// minLabels is the least number of uses of labels that nothing defines from which to infer that a program defines them.
const minLabels = 20

// learnLabels finds the trees of documents without a known generator in which a program defines labels of links: most
// labels are defined nowhere, and several documents use the same.
func (a *auditor) learnLabels() {
	type use struct {
		n  int
		in *document // the first document
		// isShared says that several documents use the label.
		isShared bool
	}
	uses, defined := map[string]map[string]*use{}, map[string]int{} // by boundary
	for _, d := range a.docs {
		if d.layout.generated != nil || !d.isMarkdown() {
			continue
		}
		top := a.boundary(d)
		for _, n := range d.undefined {
			if uses[top] == nil {
				uses[top] = map[string]*use{}
			}
			u := uses[top][n.text]
			if u == nil {
				u = &use{in: d}
				uses[top][n.text] = u
			}
			u.n++
			u.isShared = u.isShared || u.in != d
		}
		refs := a.refsOf(d)
		defined[top] += len(slices.DeleteFunc(slices.Clone(refs), func(k reference) bool { return k.how != scan.Reference }))
	}
	for top, labels := range uses {
		all, shared := 0, 0
		for _, u := range labels {
			all += u.n
			if u.isShared {
				shared += u.n
			}
		}
		if all >= minLabels && all > defined[top] && shared >= minRooted {
			a.labelTrees[top] = true
		}
	}
}
