package audit

import (
	"bytes"
	"path"
	"slices"
	"strconv"
	"strings"

	"example.org/refract/base"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/judge"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/spell"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
)

// A View is a document as it is in an editor: the targets of its references, and possible completions.
// Everything else is as it was when the Report was made.
//
// The Views of a Report are not for several goroutines at once. They do not use its Cache, so that the next
// run may.
type View struct {
	a *auditor
	d *doc.Document

	lines    [][]byte     // of the text; nil until needed
	headings map[int]bool // lines of headings
}

// View returns the document at p, an absolute path with forward slashes, with text in it.
// There need not be such a file.
func (r *Report) View(p string, text []byte) *View {
	a := r.audited()
	a.leaveCache()
	d := documentWith(a, p, text)
	a.Scan(d, bytes.NewReader(d.Text))
	return &View{a: a, d: d}
}

// leaveCache lets a use its Cache no longer, so that the next run may.
func (a *auditor) leaveCache() {
	if a.Cache == nil {
		return
	}
	a.dropCache()
	for _, d := range a.ByPath { // what is worked out there is the next run's
		d.Memo = new(doc.Memo)
	}
	a.Others = lazy.Map[string, *doc.Document]{}
}

// documentWith returns the document at a path with a text, before it is read.
func documentWith(a *auditor, p string, text []byte) *doc.Document {
	d := a.NewDocument(p)
	d.Text = text
	if text == nil {
		d.Text = []byte{}
	}
	if before := a.ByPath[p]; before != nil {
		d.File = before.File
	}
	d.Layout = a.Layouts.Of(d)
	d.Retrieved = a.Published.Retrieved(p)
	return d
}

// Target returns the target of the reference that contains a byte of the document, or ends before it: a
// file, by its absolute path, and a line in it from 1, that of the anchor if there is one. ok is false if
// there is no such reference, or no such file.
func (v *View) Target(offset int64) (file string, line int, ok bool) {
	for i := range v.d.Refs {
		ref := &v.d.Refs[i]
		if offset < ref.Pos.Offset || offset > ref.Pos.Offset+int64(ref.Pos.Length) || ref.Err != nil {
			continue
		}
		if file, fragment, ok := v.follow(ref); ok {
			line, _ := v.linesOf(file, fragment)
			return file, line, true
		}
	}
	if l, ok := v.labelAt(offset); ok {
		return l.File, l.Line, true
	}
	return "", 0, false
}

// follow returns the file that ref points to, and its fragment.
func (v *View) follow(ref *doc.Reference) (file, fragment string, ok bool) {
	l := v.a.Lead(v.d, ref)
	file = l.Real
	if l.How == lead.BySite {
		file = l.File
	}
	return file, l.Fragment, l.IsFile() && (l.How != lead.BySite || l.State == site.Found)
}

// linesOf returns the line of a file that a fragment names, from 1, and the last one of several, 0 if it
// does not name lines.
func (v *View) linesOf(file, fragment string) (first, last int) {
	if to := v.document(file); to != nil {
		if id, live := to.IDs().Hit(fragment); live {
			return max(1, to.IDs().Line(id)), 0
		}
	}
	m := judge.LineFragment.FindStringSubmatch(fragment)
	if m == nil {
		return 1, 0
	}
	first, _ = strconv.Atoi(m[1])
	last, err := strconv.Atoi(m[2])
	if err != nil {
		last = first
	}
	return max(1, min(first, last)), max(1, first, last)
}

// document is that at a path, the one in the editor among them.
func (v *View) document(p string) *doc.Document {
	if p == v.d.Path {
		return v.d
	}
	return v.a.Document(p)
}

// A Name completes a reference at some place.
type Name struct {
	Name string // of a file, of a directory with "/" at its end, or an id
	Ref  string // as it is written in a reference
	Path string // absolute, of the file or of the document with the id
	Line int    // of the id, from 1; 0: it is not known
}

// Files returns the names in the directory that a reference names which begins with dir and stands at an
// offset: "" is that of the document. dir ends in a slash, or is empty. The names are in byte order,
// without hidden and ignored ones, as in the run.
func (v *View) Files(dir string, offset int64) (names []Name) {
	ref := v.made(dir+"x", offset)
	var l lead.Landing
	v.a.LeadByPath(v.d, &ref, &l)
	t := &l.Target
	if ref.Err != nil || !t.Inside || t.Encoded || len(t.Components) == 0 {
		return nil
	}
	var all []string
	paths := map[string]string{}
	for _, root := range t.Roots {
		if p := v.a.Files.At(root, t.Components[:len(t.Components)-1]); p.Kind == tree.IsDirectory && !p.Respel {
			for _, name := range v.a.within(p.Path) {
				all = append(all, name)
				if paths[name] == "" {
					paths[name] = path.Join(p.Path, name)
				}
			}
		}
	}
	slices.Sort(all)
	for _, name := range slices.Compact(all) {
		text := spell.Spelled(name)
		if dir == "" && strings.IndexByte(text, ':') >= 0 {
			text = "./" + text // or it would be a scheme
		}
		names = append(names, Name{Name: name, Ref: text, Path: paths[name]})
	}
	return names
}

// Anchors returns the ids of the document that a reference at an offset resolves to, in its order. ref is
// the part before "#"; "" is the document itself.
func (v *View) Anchors(text string, offset int64) (names []Name) {
	ref := v.made(text+"#x", offset)
	if ref.Err != nil {
		return nil
	}
	file, _, ok := v.follow(&ref)
	if !ok {
		return nil
	}
	to := v.document(file)
	if to == nil {
		return nil
	}
	ids := to.IDs()
	for id := range ids.All() {
		if ids.Line(id) == 0 && v.a.Shared.Built != nil {
			continue // of the page around the document: of its navigation, of components
		}
		names = append(names, Name{Name: id, Ref: spell.EscapedFragment(id), Path: file, Line: max(0, ids.Line(id))})
	}
	return names
}

// made returns a reference as it would be at an offset.
func (v *View) made(text string, offset int64) doc.Reference {
	b, _ := base.Root(v.a.ResolveRules, v.d.Retrieved, base.Source{})
	for i := range v.d.Refs { // what stands around it has the same base
		near := &v.d.Refs[i]
		if near.Entity != doc.Whole {
			continue
		}
		b = *near.Base
		if near.Pos.Offset+int64(near.Pos.Length) >= offset {
			break
		}
	}
	ref := doc.Reference{Raw: text, Ref: text, Kind: scan.Link, Base: &b, Entity: doc.Whole}
	if v.d.IsMarkdown() {
		ref.How, ref.In = scan.Inline, "link" // generators read paths there otherwise than in HTML
	}
	u, res, err := b.Append(nil, []byte(text))
	ref.Result, ref.Err = res, err
	if !res.SameDocument() {
		ref.URL = string(u)
	}
	return ref
}

// within returns what is in a directory: files, and with a slash directories that have any.
func (a *auditor) within(dir string) (names []string) {
	if !a.Contain(dir) {
		for name, typ := range a.Files.List(dir).Names {
			switch {
			case name[0] == '.' && !a.Hidden:
			case typ.IsRegular():
				names = append(names, name)
			case typ.IsDir():
				names = append(names, name+"/")
			}
		}
		return names
	}
	if a.children == nil {
		a.children = map[string][]string{}
		seen := map[string]bool{}
		for _, paths := range a.ByName {
			for _, p := range paths {
				a.children[path.Dir(p)] = append(a.children[path.Dir(p)], path.Base(p))
				for p = path.Dir(p); !seen[p] && path.Dir(p) != p; p = path.Dir(p) {
					seen[p] = true
					a.children[path.Dir(p)] = append(a.children[path.Dir(p)], path.Base(p)+"/")
				}
			}
		}
	}
	return a.children[dir]
}
