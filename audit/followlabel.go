package audit

import (
	"bytes"

	"example.org/refract/base"
	"example.org/refract/extract/rst"
	"example.org/refract/extract/scan"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
)

// isLabelUse reports whether n is the use of a label of Sphinx or MyST: :ref:`label`.
func (d *document) isLabelUse(n *note) bool {
	return n.space == rst.RefSpace && d.layout.generated != nil
}

// followLabel follows the use of a label. It also returns it as a reference. Its meaning does not
// depend on paths.
func (a *auditor) followLabel(d *document, n *note) (f Followed, k *reference) {
	r := a.nameAsReference(d, n, scan.Role, "label")
	b := base.Base{URI: d.retrieved.URI}
	k = &reference{pos: n.pos, kind: r.Kind, how: r.How, in: r.In, raw: string(r.Raw), ref: string(r.Ref), entity: whole, base: &b}
	f.Target, f.Label, f.Line = a.labelled(d, n.text)
	if f.Line > 0 {
		f.Anchored = f.Target
	}
	return f, k
}

// IsLabel reports whether the reference is the use of a label of Sphinx or MyST.
func (f *Followed) IsLabel() bool { return f.k.how == scan.Role && f.k.in == "label" }

// labelled returns the file that defines a label of the site of d, and the id and line of the label
// there. file is "" if it is not known or if several files define the label.
func (a *auditor) labelled(d *document, label string) (file, id string, line int) {
	file = d.layout.generated.LabelFile(label)
	if file == "" {
		return "", "", 0
	}
	file = a.realOf(file)
	to := a.document(file)
	if to == nil {
		return file, "", 0
	}
	for _, name := range [...]string{slug.Docutils.Slug(slug.Heading{Text: label}), label} {
		if id, live := to.hit(name, to.layout.slug); live && id != "" {
			return file, id, max(0, to.idsOf(to.layout.slug).line(id))
		}
	}
	return file, "", 0
}

// labelAt returns the use of a label that contains a byte of the document, or ends in front of it, as
// a ViewLink.
func (v *View) labelAt(offset int64) (l ViewLink, ok bool) {
	for i := range v.d.names {
		n := &v.d.names[i]
		if !v.d.isLabelUse(n) || offset < n.pos.Offset || offset > n.pos.Offset+int64(n.pos.Length) {
			continue
		}
		file, id, line := v.a.labelled(v.d, n.text)
		if file == v.d.path && id != "" {
			line = v.LineOf(id)
		}
		return ViewLink{Pos: n.pos, Ref: n.text, File: file, Fragment: id, Line: max(1, line)}, file != ""
	}
	return l, false
}

// labelLine matches a line that labels what follows, and ruleLine one that may be above a title.
var (
	labelLine = lazy.New(`^[ \t]*(?:\.\. _[^ ].*:|\([^()]+\)=|\[\[[^\[\]]+\]\]|\[#[^\[\]]+\])[ \t\r]*$`)
	ruleLine  = lazy.New(`^[[:punct:]]{2,}[ \t\r]*$`)
)

// maxLabelLines limits the number of lines between a label and its heading.
const maxLabelLines = 100

// SectionOf returns the line of the heading that a label in a line stands above, both from 1. It returns
// line itself if there is no label in it, or no heading below it.
func (v *View) SectionOf(line int) int {
	if v.lines == nil {
		v.lines = bytes.Split(v.d.text, []byte{'\n'})
		v.headings = map[int]bool{}
		for _, k := range v.d.anchorList() {
			v.headings[k.line] = v.headings[k.line] || k.heading != nil || k.in == "section"
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
