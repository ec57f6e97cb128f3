package move

import (
	"bytes"
	"fmt"
	"path"
	"slices"

	"example.org/refract/extract"
	"example.org/refract/extract/markdown"
	"example.org/refract/extract/rst"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/site"
)

// A Label is a name to rename that a document defines: a label or a footnote of Markdown, an id of
// AsciiDoc, the name of a target, a footnote or a citation of reStructuredText. All uses follow.
type Label struct {
	Path   string // absolute path of the document
	Offset int    // in bytes, of the definition or a use
	Text   string // the new label, as written in the document
}

// labelSpace is the Space of labels of Markdown, and idSpace stands for ids of AsciiDoc.
const (
	labelSpace = "label"
	idSpace    = "id"
)

// LabelRange returns the range of the label at an offset of a document, whose text it is given. ok is
// false if there is none, or none that has a definition.
func LabelRange(report *audit.Report, name string, offset int, text []byte) (start, end int, ok bool) {
	signs := signsOf(report.Config(name), name, text)
	i := labelAt(signs, offset)
	if i < 0 {
		return 0, 0, false
	}
	s := &signs[i]
	g := groupOf(signs, s)
	ok = g.isDefined
	if s.space == rst.RefSpace && !g.isDefined {
		ok = len(report.LabelFiles(name, s.value)) == 1
	}
	return s.start, s.end, ok
}

// A sign is a reference, a name or a note in a document.
type sign struct {
	start, end, line      int
	what                  string // its kind and place
	value                 string // as it is compared
	space                 string // of a label
	isLabel, isDefinition bool
	isID                  bool // the definition of an id
	isExact               bool
}

// signsOf returns the contents of a document, as the audit reads it.
func signsOf(cfg extract.Config, name string, text []byte) (signs []sign) {
	add := func(pos extract.Position, what, value string) *sign {
		start := int(pos.Offset)
		signs = append(signs, sign{start: start, end: start + pos.Length, line: pos.Line, what: what, value: value, isExact: pos.Exact})
		return &signs[len(signs)-1]
	}
	written := func(s *sign) []byte { // nothing, for what is in a container
		return text[min(s.start, len(text)):min(s.end, len(text))]
	}
	// The name of a label must be written there as one piece: it could be in two cells of a table.
	label := func(s *sign, space string, isOwn bool) {
		s.space, s.isLabel = space, isOwn
		if space == rst.TargetSpace || space == rst.RefSpace {
			s.isExact = s.isExact && site.LabelName(string(written(s))) == s.value
		}
	}
	cfg.Lines = true
	cfg.Note = func(n *extract.Note) { add(n.Pos, "note "+string(n.Code), "") }
	cfg.Anchor = func(n *extract.Anchor) {
		s := add(n.Pos, "anchor "+n.In+" "+n.Space, string(n.Name))
		isOwn := n.Entity.Parent == nil
		switch n.Space {
		case "":
			// An id of AsciiDoc is a label, too, where exactly the id is written.
			s.isID = true
			if slices.Contains(idsOfASCIIDoc, n.In) && bytes.Equal(written(s), n.Name) {
				label(s, idSpace, isOwn)
				s.isDefinition = true
			}
		case labelSpace, markdown.FootnoteSpace:
			label(s, n.Space, isOwn)
			s.isDefinition = true
		case rst.TargetSpace:
			label(s, n.Space, isOwn && slices.Contains(namesOnly, n.In))
			s.isDefinition = true
		case rst.RefSpace:
			s.space = n.Space
			if n.In == "label" { // of MyST
				label(s, n.Space, isOwn)
				s.isDefinition = true
			}
		}
	}
	cfg.Mention = func(m *extract.Mention) {
		s := add(m.Pos, "mention "+m.In+" "+m.Space, string(m.Name))
		switch m.Space {
		case labelSpace, markdown.FootnoteSpace, rst.TargetSpace, rst.RefSpace:
			label(s, m.Space, m.Entity.Parent == nil)
		}
	}
	for r, err := range cfg.Walk(path.Base(name), bytes.NewReader(text)) {
		if err != nil {
			return nil
		}
		s := add(r.Pos, fmt.Sprint(r.In, r.Labels.Names()), string(r.Ref)+" "+string(r.URL))
		if name, ok := bytes.CutPrefix(r.Ref, []byte("#")); ok && (r.In == "<<>>" || r.In == "xref:") && bytes.Equal(written(s), name) {
			s.isExact, s.value = true, string(name)
			label(s, idSpace, r.Entity.Parent == nil)
		}
	}
	return signs
}

// idsOfASCIIDoc lists the forms of ids of AsciiDoc.
var idsOfASCIIDoc = []string{"[[]]", "[#]", "[id=]", "anchor:"}

// namesOnly lists the definitions of reStructuredText whose name is not shown as text, or only as a mark.
var namesOnly = []string{"target", "name", "footnote", "citation"}

// citation is the kind and place of the definition of a citation.
const citation = "anchor citation " + rst.TargetSpace

// title is the kind and place of a title of reStructuredText, whose name changes with that of a target that it uses.
const title = "anchor title " + rst.TargetSpace

// labelAt returns the index of the label at an offset, or -1.
func labelAt(signs []sign, offset int) int {
	return slices.IndexFunc(signs, func(s sign) bool { return s.isLabel && s.start <= offset && offset <= s.end })
}

// A group is the label that a document defines and uses.
type group struct {
	label      string
	space      string // of the definitions
	isDefined  bool   // in the document, by nothing but labels
	isRef      bool   // :ref: also uses it, in other documents too
	isCitation bool   // of reStructuredText
	textLine   int    // the line of a definition that is also text, or 0
}

// groupOf returns the group that a label is part of.
func groupOf(signs []sign, of *sign) group {
	g := group{label: of.value, space: of.space}
	if g.space == rst.RefSpace && slices.ContainsFunc(signs, func(s sign) bool { return g.defines(&s, rst.TargetSpace) }) {
		g.space = rst.TargetSpace // :ref:`name` in the document with the target
	}
	starts := map[int]bool{}
	for i := range signs {
		if s := &signs[i]; g.defines(s, g.space) {
			starts[s.start], g.isDefined = true, true
			g.isCitation = g.isCitation || s.what == citation
			if !s.isLabel {
				g.textLine = s.line
			}
		}
	}
	for i := range signs {
		if s := &signs[i]; s.space == rst.RefSpace && s.value == g.label && starts[s.start] {
			g.isRef = true
		}
	}
	if of.space == rst.RefSpace && g.space == rst.TargetSpace && !g.isRef {
		g = group{label: of.value, space: of.space} // the target has a URL: :ref: does not use it
	}
	g.isDefined = g.isDefined && g.textLine == 0
	return g
}

func (g *group) defines(s *sign, space string) bool {
	return s.isDefinition && s.space == space && s.value == g.label
}

// holds reports whether s is the label, as a definition or a use.
func (g *group) holds(s *sign) bool {
	if !s.isLabel || s.value != g.label {
		return false
	}
	return s.space == g.space || g.isRef && s.space == rst.RefSpace
}
