package audit

import (
	"bytes"
	"slices"

	"example.org/refract/base"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
)

// followLabel follows the use of a label. It also returns it as a reference. Its meaning does not
// depend on paths.
func (a *auditor) followLabel(d *doc.Document, n *doc.Note) (f Followed, ref *doc.Reference) {
	r := a.NameAsReference(d, n, scan.Role, "label")
	b := base.Base{URI: d.Retrieved.URI}
	ref = &doc.Reference{Pos: n.Pos, Kind: r.Kind, How: r.How, In: r.In, Raw: string(r.Raw), Ref: string(r.Ref), Entity: doc.Whole, Base: &b}
	f.Target, f.Label, f.Line = a.Labelled(d, n.Text)
	if f.Line > 0 {
		f.Anchored = f.Target
	}
	return f, ref
}

// IsLabel reports whether the reference is the use of a label of Sphinx or MyST.
func (f *Followed) IsLabel() bool { return f.ref.How == scan.Role && f.ref.In == "label" }

// labelAt returns the use of a label that contains a byte of the document, or ends in front of it, as
// a ViewLink.
func (v *View) labelAt(offset int64) (l ViewLink, ok bool) {
	for i := range v.d.Names {
		n := &v.d.Names[i]
		if !v.d.IsLabelUse(n) || offset < n.Pos.Offset || offset > n.Pos.Offset+int64(n.Pos.Length) {
			continue
		}
		file, id, line := v.a.Labelled(v.d, n.Text)
		if file == v.d.Path && id != "" {
			line = v.LineOf(id)
		}
		return ViewLink{Pos: n.Pos, Ref: n.Text, File: file, Fragment: id, Line: max(1, line)}, file != ""
	}
	return l, false
}

// LabelFiles returns the absolute paths of the files that define a label of Sphinx or MyST, which the
// document at a path may use: two if several do, none if it is not known.
func (r *Report) LabelFiles(p, label string) []string {
	a := r.audited()
	if a == nil || a.ByPath[p] == nil || a.ByPath[p].Layout.Generated == nil {
		return nil
	}
	return a.DefinedIn(a.ByPath[p], label)
}

// HasLabel reports whether a label of Sphinx or MyST, which the document at a path may use, is known to exist.
func (r *Report) HasLabel(p, label string) bool {
	a := r.audited()
	if a == nil || a.ByPath[p] == nil || a.ByPath[p].Layout.Generated == nil {
		return false
	}
	s, uses, _ := a.ByPath[p].SiteUse()
	if len(r.LabelFiles(p, label)) > 0 {
		return true
	}
	return len(uses) > 0 && s.Names().Role(uses[0], s.Names().Space(), label).State == site.Found
}

// OnPageWith returns the absolute paths of the other files whose text may be on one page with that of the document at
// a path, by includes of reStructuredText or AsciiDoc.
func (r *Report) OnPageWith(p string) []string {
	a := r.audited()
	if a == nil || a.ByPath[p] == nil {
		return nil
	}
	return slices.DeleteFunc(a.World.Around(a.ByPath[p], true), func(file string) bool { return file == p })
}

// labelLine matches a line that labels what follows, and ruleLine one that may be above a title.
var labelLine = lazy.New(`^[ \t]*(?:\.\. _[^ ].*:|\([^()]+\)=|\[\[[^\[\]]+\]\]|\[#[^\[\]]+\])[ \t\r]*$`)

var ruleLine = lazy.New(`^[[:punct:]]{2,}[ \t\r]*$`)

// maxLabelLines limits the number of lines between a label and its heading.
const maxLabelLines = 100

// SectionOf returns the line of the heading that a label in a line stands above, both from 1. It returns
// line itself if there is no label in it, or no heading below it.
func (v *View) SectionOf(line int) int {
	if v.lines == nil {
		v.lines = bytes.Split(v.d.Text, []byte{'\n'})
		v.headings = map[int]bool{}
		for _, k := range v.d.AnchorList() {
			v.headings[k.Line] = v.headings[k.Line] || k.Heading != nil || k.In == "section"
		}
	}
	lines := v.lines
	if line < 1 || line > len(lines) || !labelLine.Match(lines[line-1]) {
		return line
	}
	for below := line + 1; below <= min(len(lines), line+maxLabelLines); below++ {
		if v.headings[below] {
			return below
		}
		text := bytes.TrimSpace(lines[below-1])
		if len(text) > 0 && !labelLine.Match(lines[below-1]) && !ruleLine.Match(text) {
			break
		}
	}
	return line
}
