package lsp

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"

	"example.org/refract/cmd/refract/internal/auditflags"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/slash"
)

// baselinePath returns the path of the baseline of w, with forward slashes; "" if it has none.
func (w *workspace) baselinePath() string {
	if w.baseline.Name == "" {
		return ""
	}
	return slash.Path(w.baseline.Name)
}

// baselineText returns the text of the baseline of w: that in the editor or, if it is not open, that of the file.
func (s *server) baselineText(w *workspace) ([]byte, error) {
	if d := s.open[w.baselinePath()]; d != nil {
		return d.text, nil
	}
	return w.baseline.Text()
}

// readBaseline reads the baseline of w again, which may have changed since w was configured. If it cannot be read, it
// says so once, and w keeps the last one.
func (s *server) readBaseline(w *workspace) {
	if w.baseline.Name == "" {
		return
	}
	text, err := s.baselineText(w)
	var b *audit.Baseline
	if err == nil {
		b, err = audit.ReadBaseline(bytes.NewReader(text), w.baseline.Dir)
	}
	why := ""
	if err == nil {
		w.options.Baseline = b
	} else {
		why = fmt.Sprintf("%s: %v; the last baseline that could be read applies", w.argument(w.baselinePath()), err)
	}
	if why != "" && why != w.badBaseline {
		s.out.notify("window/logMessage", logMessageParams{severityWarning, why})
	}
	w.badBaseline = why
}

// knownFindings are the findings that a code action is to add to a baseline.
type knownFindings struct {
	baseline    audit.Baseline
	diagnostics []diagnostic
}

func (k *knownFindings) add(f *audit.Finding, shown diagnostic) {
	auditflags.AddTo(&k.baseline, f)
	k.diagnostics = append(k.diagnostics, shown)
}

// acceptance returns the action that adds findings to the baseline of w. ok is false if there is nothing to
// add, or if w has no baseline that can be edited.
func (s *server) acceptance(w *workspace, known *knownFindings) (a codeAction, ok bool) {
	if w == nil || w.baseline.Name == "" || w.badBaseline != "" || len(known.diagnostics) == 0 {
		return a, false
	}
	text, err := s.baselineText(w)
	if err != nil || !utf8.Valid(text) { // UTF-16 can be read, but has other offsets
		return a, false
	}
	a = codeAction{Title: "Add to baseline", Kind: quickFix, Diagnostics: known.diagnostics}
	if n := len(known.diagnostics); n > 1 {
		a.Title = fmt.Sprintf("Add %d findings to baseline", n)
	}
	t := newText(text, s.utf8)
	var edits []textEdit
	for _, in := range insertions(text, &known.baseline, w.baseline.Dir) {
		at := t.position(in.offset)
		edits = append(edits, textEdit{span{at, at}, in.text})
	}
	a.Edit.Changes = map[string][]textEdit{s.uri(w.baselinePath()): edits}
	return a, true
}

// An insertion is text to insert at an offset.
type insertion struct {
	offset int
	text   string
}

// insertions returns the lines to insert in the text of a baseline, so that it also has the findings of
// more. Lines stay sorted as Baseline.Write writes them, and comments stay where they are.
func insertions(text []byte, more *audit.Baseline, dir string) (list []insertion) {
	var written bytes.Buffer
	more.Write(&written, dir) // a Buffer has no errors
	if len(text) == 0 {
		return []insertion{{0, written.String()}}
	}
	lines := slices.DeleteFunc(slices.Collect(bytes.Lines(written.Bytes())), isComment)
	offset := 0
	for line := range bytes.Lines(text) {
		for len(lines) > 0 && !isComment(line) && bytes.Compare(lines[0], line) < 0 {
			list = append(list, insertion{offset, string(lines[0])})
			lines = lines[1:]
		}
		offset += len(line)
	}
	if rest := string(bytes.Join(lines, nil)); rest != "" {
		if !bytes.HasSuffix(text, []byte("\n")) {
			rest = "\n" + rest
		}
		list = append(list, insertion{offset, rest})
	}
	return list
}

// isComment reports whether a line of a baseline has no finding.
func isComment(line []byte) bool { return line[0] == '#' || line[0] == '\r' || line[0] == '\n' }
