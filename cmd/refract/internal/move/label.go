package move

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"example.org/refract/extract"
	"example.org/refract/internal/audit"
)

// A Label is a label of Markdown or an id of AsciiDoc, [[id]], to rename. All uses in its document follow.
type Label struct {
	Path   string // absolute path of the document
	Offset int    // in bytes, of the definition or a use
	Text   string // the new label, as written in the document
}

// labelSpace is the Space of labels of Markdown.
const labelSpace = "label"

// LabelRange returns the range of the label at an offset of a document, whose text it is given. ok is
// false if there is none, or none that has a definition.
func LabelRange(report *audit.Report, name string, offset int, text []byte) (start, end int, ok bool) {
	signs := signsOf(report.Config(name), name, text)
	if i := labelAt(signs, offset); i >= 0 {
		return signs[i].start, signs[i].end, true
	}
	return 0, 0, false
}

// A sign is a reference, a name or a note in a document.
type sign struct {
	start, end, line      int
	what                  string // its kind and place
	value                 string // as it is compared
	isLabel, isDefinition bool
	isExact               bool
}

// signsOf returns the contents of a document, as the audit reads it.
func signsOf(cfg extract.Config, name string, text []byte) (signs []sign) {
	add := func(pos extract.Position, what, value string) *sign {
		start := int(pos.Offset)
		signs = append(signs, sign{start: start, end: start + pos.Length, line: pos.Line, what: what, value: value, isExact: pos.Exact})
		return &signs[len(signs)-1]
	}
	// An id of AsciiDoc is a label, too, where exactly the id is written.
	is := func(s *sign, name []byte) bool {
		return s.start >= 0 && s.end <= len(text) && bytes.Equal(text[s.start:s.end], name)
	}
	cfg.Lines = true
	cfg.Note = func(n *extract.Note) { add(n.Pos, "note "+string(n.Code), "") }
	cfg.Anchor = func(n *extract.Anchor) {
		s := add(n.Pos, "anchor "+n.In+" "+n.Space, string(n.Name))
		isID := n.In == "[[]]" && n.Entity.Parent == nil && is(s, n.Name)
		if n.Space == labelSpace || isID {
			s.isLabel, s.isDefinition = n.Entity.Parent == nil, true
		}
	}
	cfg.Mention = func(m *extract.Mention) {
		add(m.Pos, "mention "+m.In+" "+m.Space, string(m.Name)).isLabel = m.Space == labelSpace && m.Entity.Parent == nil
	}
	for r, err := range cfg.Walk(path.Base(name), bytes.NewReader(text)) {
		if err != nil {
			return nil
		}
		s := add(r.Pos, fmt.Sprint(r.In, r.Labels.Names()), string(r.Ref)+" "+string(r.URL))
		if name, ok := bytes.CutPrefix(r.Ref, []byte("#")); ok && (r.In == "<<>>" || r.In == "xref:") && r.Entity.Parent == nil && is(s, name) {
			s.isLabel, s.isExact, s.value = true, true, string(name)
		}
	}
	return signs
}

// labelAt returns the index of the label at an offset, or -1.
func labelAt(signs []sign, offset int) int {
	return slices.IndexFunc(signs, func(s sign) bool { return s.isLabel && s.start <= offset && offset <= s.end })
}

// relabelled returns the text of a document with another label. It scans the result: the label must be new, and
// everything else as it was.
func relabelled(cfg extract.Config, l *Label, text []byte) (made []byte, label string, err error) {
	wanted := strings.TrimSpace(l.Text)
	switch {
	case wanted == "" || strings.ContainsAny(wanted, "\r\n"):
		return nil, "", errors.New("the new label must be one line of text")
	case strings.ContainsAny(wanted, "[]"):
		return nil, "", errors.New("a label cannot contain brackets")
	}
	isMark := wanted[0] == '!' || strings.EqualFold(wanted, "x") // on GitHub
	before := signsOf(cfg, l.Path, text)
	at := labelAt(before, l.Offset)
	if at < 0 {
		return nil, "", fmt.Errorf("%s has no label there", l.Path)
	}
	label = before[at].value
	wants := slices.Clone(before) // what the document must contain afterwards
	end := 0                      // of the last use
	for i := range before {
		s := &before[i]
		wants[i].start += len(made) - end
		if !s.isLabel || s.value != label {
			continue
		}
		if !s.isExact || s.start < end {
			return nil, "", fmt.Errorf("line %d: the label cannot be edited exactly", s.line)
		}
		isFull := s.start > 1 && text[s.start-2] == ']'
		if isMark && !isFull && !s.isDefinition {
			return nil, "", fmt.Errorf("line %d: [%s] could be the mark of a task or an alert", s.line, wanted)
		}
		made = append(append(made, text[end:s.start]...), wanted...)
		wants[i].start, end = len(made)-len(wanted), s.end
	}
	made = append(made, text[end:]...)
	return made, label, checkLabel(wants, signsOf(cfg, l.Path, made), label, wanted)
}

// checkLabel reports why after, the contents of the document with its new label, are not as wanted.
func checkLabel(wants, after []sign, label, wanted string) error {
	isRenamed := map[int]bool{} // by start
	for _, s := range wants {
		if s.isLabel && s.value == label {
			isRenamed[s.start] = true
		}
	}
	name := ""
	for _, is := range after {
		if is.isLabel && isRenamed[is.start] {
			name = is.value
		}
	}
	for _, is := range after {
		if is.isDefinition && is.value == name && !isRenamed[is.start] {
			return fmt.Errorf("line %d already defines the label %q", is.line, wanted)
		}
	}
	line := 0 // where they differ first
	for i, want := range wants {
		if want.isLabel && want.value == label {
			want.value = name
		}
		if i >= len(after) || after[i].start != want.start || after[i].what != want.what || after[i].value != want.value {
			line = want.line
			break
		}
	}
	if line == 0 && len(after) > len(wants) {
		line = after[len(wants)].line
	}
	if line > 0 {
		return fmt.Errorf("with the label %q, line %d would be read in another way", wanted, line)
	}
	return nil
}

// sharesLabel returns the document that is shown on the same page as the document of l, and may use
// its label; "" if there is none.
func (p *planner) sharesLabel(l *Label, label string) string {
	for _, name := range p.before.report.Together(l.Path) {
		text, err := p.read(name)
		folded := strings.Join(strings.Fields(strings.ToLower(string(text))), " ")
		if err != nil || strings.Contains(folded, "["+strings.ToLower(label)+"]") {
			return name
		}
	}
	return ""
}
