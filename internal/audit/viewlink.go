package audit

import (
	"slices"
	"strings"

	"example.org/refract/extract"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/resolve"
)

// A ViewLink is a reference of a View.
type ViewLink struct {
	Pos  extract.Position
	Ref  string // with quoting undone
	File string // absolute path of its target; "" if it has none
	Line int    // of the anchor in File, from 1; 1 if there is none
	Last int    // the last line that the anchor names, as #L3-L9 does; 0 if it names no lines

	// Fragment is that of Ref, without "#". URL is the absolute URL that a reference without a file resolves
	// to, or "".
	Fragment, URL string
}

// Links returns the references of the document, in its order.
func (v *View) Links() (links []ViewLink) {
	for i := range v.d.Refs {
		if ref := &v.d.Refs[i]; ref.Err == nil && ref.Pos.Length > 0 {
			links = append(links, v.link(ref))
		}
	}
	return links
}

// LinkAt returns the first working reference that contains a byte of the document, or ends before it; else
// the first one there. ok is false if there is none.
func (v *View) LinkAt(offset int64) (l ViewLink, ok bool) {
	for i := range v.d.Refs {
		ref := &v.d.Refs[i]
		if ref.Err != nil || offset < ref.Pos.Offset || offset > ref.Pos.Offset+int64(ref.Pos.Length) {
			continue
		}
		found := v.link(ref)
		if found.File != "" || found.URL != "" {
			return found, true
		}
		if !ok {
			l, ok = found, true
		}
	}
	if !ok {
		l, ok = v.labelAt(offset)
	}
	return l, ok
}

func (v *View) link(ref *doc.Reference) ViewLink {
	l := ViewLink{Pos: ref.Pos, Ref: ref.Ref}
	if _, fragment, hash := strings.Cut(ref.Ref, "#"); hash {
		l.Fragment = fragment
	}
	if file, fragment, ok := v.follow(ref); ok {
		l.File, l.Fragment = file, fragment
		l.Line, l.Last = v.linesOf(file, fragment)
		return l
	}
	if c := resolve.Parse([]byte(ref.URL)); c.HasScheme && !strings.EqualFold(string(c.Scheme), "file") {
		l.URL = ref.URL
	}
	return l
}

// LineOf returns the line of the anchor that a fragment, without "#", names in the document, from 1;
// 0 if it names none, or if the line is not known.
func (v *View) LineOf(fragment string) int {
	id, live := v.d.IDs().Hit(fragment)
	if !live || id == "" {
		return 0
	}
	return max(0, v.d.IDs().Line(id))
}

// A Symbol is the heading of a section, or an id, in a document of the tree.
type Symbol struct {
	Path string // absolute
	Line int    // from 1
	Name string
}

// Symbols calls yield with the headings of all documents of the tree, in the order of their paths,
// until it returns false. It must not be called concurrently with the methods of a View.
func (r *Report) Symbols(yield func(Symbol) bool) {
	a := r.audited()
	if a == nil {
		return
	}
	paths := make([]string, 0, len(a.ByPath))
	for p := range a.ByPath {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	for _, p := range paths {
		for _, k := range a.ByPath[p].AnchorList() {
			if k.Heading != nil && !yield(Symbol{p, k.Line, k.Heading.Text}) {
				return
			}
		}
	}
}
