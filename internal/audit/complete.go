package audit

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/spell"
	"example.org/refract/internal/order"
	"example.org/refract/internal/slash"
)

// A Completion is a document or a heading anywhere in the tree, for a reference that is being written.
type Completion struct {
	Name  string // of the document, without its directory; the text of the heading
	Title string // of the document: its first heading; "" if it has none
	File  string // as shown to users
	Ref   string // as it is written in the reference
	Match string // Name or Title, whichever contains what has been typed
	Path  string // absolute, of the document
	Line  int    // of the heading, from 1; 0 for a document
}

// Pages returns the documents of the tree whose names or titles contain typed, in any case. The closest to
// the document, by the length of the path, come first. Each Ref has been followed to its document. Pages
// returns at most most documents, and whether there are others.
func (v *View) Pages(r *Report, typed string, offset int64, most int) (pages []Completion, more bool) {
	typed = strings.ToLower(typed)
	for p, title := range r.titles {
		pages = v.addPage(pages, p, title, typed)
	}
	order.Sort(pages, func(x, y Completion) int {
		return cmp.Or(cmp.Compare(strings.Count(x.Ref, "/"), strings.Count(y.Ref, "/")), strings.Compare(x.Ref, y.Ref))
	})
	return v.followed(pages, offset, most)
}

// titles yields the documents of the tree with their first headings, in the order of their paths.
func (r *Report) titles(yield func(p, title string) bool) {
	a := r.audited()
	if a == nil {
		return
	}
	for _, p := range slices.Sorted(maps.Keys(a.ByPath)) {
		title := ""
		for _, k := range a.ByPath[p].AnchorList() {
			if k.Heading != nil {
				title = k.Heading.Text
				break
			}
		}
		if !yield(p, title) {
			return
		}
	}
}

// addPage adds the document at p, if its name or title contains typed, and it is in another directory than v.
func (v *View) addPage(pages []Completion, p, title, typed string) []Completion {
	if path.Dir(p) == v.d.Dir() {
		return pages
	}
	c := Completion{Name: path.Base(p), Title: title, File: v.a.Shown(p), Ref: spell.Spelled(spell.Relative(v.d.Dir(), p)), Path: p}
	switch {
	case strings.Contains(strings.ToLower(c.Name), typed):
		c.Match = c.Name
	case strings.Contains(strings.ToLower(title), typed):
		c.Match = title
	default:
		return pages
	}
	return append(pages, c)
}

// Headings returns the headings of the tree whose texts contain typed, like Pages. Those of the document come first.
func (v *View) Headings(r *Report, typed string, offset int64, most int) (headings []Completion, more bool) {
	typed = strings.ToLower(typed)
	last, ids := "", map[int]string{} // of the last document, by line
	r.Symbols(func(s Symbol) bool {
		if !strings.Contains(strings.ToLower(s.Name), typed) {
			return true
		}
		if s.Path != last {
			last = s.Path
			ids = v.headingIDs(s.Path)
		}
		id := ids[s.Line]
		if id == "" {
			return true
		}
		ref := "#" + spell.EscapedFragment(id)
		if s.Path != v.d.Path {
			ref = spell.Spelled(spell.Relative(v.d.Dir(), s.Path)) + ref
		}
		headings = append(headings, Completion{Name: s.Name, File: v.a.Shown(s.Path), Ref: ref, Match: s.Name, Path: s.Path, Line: s.Line})
		return len(headings) < maxCandidates
	})
	order.Sort(headings, func(x, y Completion) int {
		return cmp.Compare(distanceOf(x.Ref), distanceOf(y.Ref))
	})
	return v.followed(headings, offset, most)
}

// headingIDs returns the ids of the document at p by their lines.
func (v *View) headingIDs(p string) map[int]string {
	ids := map[int]string{}
	if to := v.document(p); to != nil {
		all := to.IDs()
		for id := range all.All() {
			if line := all.Line(id); line > 0 && ids[line] == "" {
				ids[line] = id
			}
		}
	}
	return ids
}

// maxCandidates limits the headings that are compared by their distance.
const maxCandidates = 10_000

// distanceOf returns how far a reference leads: 0 within the document.
func distanceOf(ref string) int {
	if strings.HasPrefix(ref, "#") {
		return 0
	}
	return 1 + strings.Count(ref, "/")
}

// followed returns the first of the completions that point to a file.
func (v *View) followed(all []Completion, offset int64, most int) (found []Completion, more bool) {
	for i, c := range all {
		if len(found) == most {
			return found, i < len(all)
		}
		ref := v.made(c.Ref, offset)
		if ref.Err != nil {
			continue
		}
		file, fragment, ok := v.follow(&ref)
		if !ok || v.a.Shown(file) != c.File {
			continue
		}
		if to := v.document(file); fragment != "" && to != nil {
			if _, isLive := to.IDs().Hit(fragment); !isLive {
				continue
			}
		}
		found = append(found, c)
	}
	return found, false
}

// Notes returns the names by which [[…]] links to the documents of the tree whose names contain typed, like
// Pages. It returns nil where [[…]] is no reference.
func (v *View) Notes(r *Report, typed string, offset int64, most int) (notes []Completion, more bool) {
	if v.d.Layout.Generated == nil {
		return nil, false
	}
	typed = strings.ToLower(typed)
	for p, title := range r.titles {
		name := slash.Stem(path.Base(p))
		if !strings.Contains(strings.ToLower(name), typed) {
			continue
		}
		ref := v.made(name, offset)
		ref.In, ref.How = "wikilink", scan.Inline
		if l := v.a.Lead(v.d, &ref); l.How != lead.ByWiki || l.File != p {
			continue
		}
		if len(notes) == most {
			return notes, true
		}
		notes = append(notes, Completion{Name: name, Title: title, File: v.a.Shown(p), Ref: name, Match: name, Path: p})
	}
	return notes, false
}

// NoteHeadings returns the headings of the note that [[note#…]] links to, in its order; "" is the document
// itself. It returns nil where [[…]] is no reference.
func (v *View) NoteHeadings(note string, offset int64) (headings []Completion) {
	if v.d.Layout.Generated == nil {
		return nil
	}
	ref := v.made(note+"#x", offset)
	ref.In, ref.How = "wikilink", scan.Inline
	l := v.a.Lead(v.d, &ref)
	if l.How != lead.ByWiki || l.File == "" {
		return nil
	}
	to := v.document(l.File)
	if to == nil {
		return nil
	}
	for _, a := range to.AnchorList() {
		if a.Heading == nil || a.Heading.Text == "" || strings.ContainsAny(a.Heading.Text, "#|[]^") {
			continue // it cannot be written there
		}
		text := a.Heading.Text
		headings = append(headings, Completion{Name: text, File: v.a.Shown(l.File), Ref: text, Match: text, Path: l.File, Line: a.Line})
	}
	return headings
}
