package audit

import (
	"slices"
	"strings"

	"example.org/refract/extract"
	"example.org/refract/resolve"
)

// A ViewLink is a reference of a View.
type ViewLink struct {
	Pos  extract.Position
	Ref  string // with quoting undone
	File string // absolute path of the file that it leads to; "" if it leads to none
	Line int    // of the anchor in File, from 1; 1 if there is none

	// Fragment is that of Ref, without "#". URL is the target of a reference that leads to no file:
	// an absolute URL, or "".
	Fragment, URL string
}

// Links returns the references of the document, in its order.
func (v *View) Links() (links []ViewLink) {
	for i := range v.d.refs {
		if k := &v.d.refs[i]; k.err == nil && k.pos.Length > 0 {
			links = append(links, v.link(k))
		}
	}
	return links
}

// LinkAt returns the first reference that contains a byte of the document, or ends in front of it,
// and leads somewhere; else the first one there. ok is false if there is none.
func (v *View) LinkAt(offset int64) (l ViewLink, ok bool) {
	for i := range v.d.refs {
		k := &v.d.refs[i]
		if k.err != nil || offset < k.pos.Offset || offset > k.pos.Offset+int64(k.pos.Length) {
			continue
		}
		found := v.link(k)
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

func (v *View) link(k *reference) ViewLink {
	l := ViewLink{Pos: k.pos, Ref: k.ref}
	if _, fragment, hash := strings.Cut(k.ref, "#"); hash {
		l.Fragment = fragment
	}
	if file, fragment, ok := v.follow(k); ok {
		l.File, l.Fragment, l.Line = file, fragment, v.line(file, fragment)
		return l
	}
	if c := resolve.Parse([]byte(k.url)); c.HasScheme && !strings.EqualFold(string(c.Scheme), "file") {
		l.URL = k.url
	}
	return l
}

// LineOf returns the line of the anchor that a fragment, without "#", names in the document, from 1;
// 0 if it names none, or if the line is not known.
func (v *View) LineOf(fragment string) int {
	id, live := v.d.hit(fragment, v.d.layout.slug)
	if !live || id == "" {
		return 0
	}
	return max(0, v.d.idsOf(v.d.layout.slug).line(id))
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
	paths := make([]string, 0, len(a.byPath))
	for p := range a.byPath {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	for _, p := range paths {
		for _, k := range a.byPath[p].anchorList() {
			if k.heading != nil && !yield(Symbol{p, k.line, k.heading.Text}) {
				return
			}
		}
	}
}
