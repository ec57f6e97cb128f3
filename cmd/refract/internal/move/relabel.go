package move

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.org/refract/cmd/refract/internal/fix"
	"example.org/refract/extract"
	"example.org/refract/extract/markdown"
	"example.org/refract/extract/rst"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/site"
)

// A relabelling is the rename of a label in all documents.
type relabelling struct {
	group  group
	wanted string
	ids    map[string]string // ids of the document that change with the label
	starts []int             // where the label is in the new document
}

// relabel puts the documents with the new label into p.texts.
func (p *planner) relabel(l *Label) error {
	text, err := p.read(l.Path)
	if err != nil {
		return err
	}
	r := &relabelling{wanted: strings.TrimSpace(l.Text), ids: map[string]string{}}
	switch {
	case r.wanted == "" || strings.ContainsAny(r.wanted, "\r\n"):
		return errors.New("the new label must be one line of text")
	case strings.ContainsAny(r.wanted, "[]"):
		return errors.New("a label cannot contain brackets")
	}
	cfg := p.before.report.Config(l.Path)
	signs := signsOf(cfg, l.Path, text)
	at := labelAt(signs, l.Offset)
	if at < 0 {
		return fmt.Errorf("%s has no label there", l.Path)
	}
	r.group = groupOf(signs, &signs[at])
	switch g := &r.group; {
	case g.isDefined:
	case g.textLine > 0:
		return fmt.Errorf("line %d defines the label by text that readers see: edit it by hand", g.textLine)
	case g.space != rst.RefSpace:
		return fmt.Errorf("%s does not define the label %q", l.Path, g.label)
	default:
		return p.relabelElsewhere(l, g.label)
	}
	p.texts[l.Path], err = r.written(cfg, l.Path, text, signs)
	if err != nil {
		return err
	}
	p.ids, p.idsOf = r.ids, l.Path
	if other := p.sharesLabel(l, &r.group); other != "" {
		return fmt.Errorf("%s is on the same page, and may use the label", other)
	}
	if !r.group.isRef && r.group.space != rst.RefSpace {
		return p.unreadUse(l, &r.group)
	}
	if site.LabelName(r.wanted) != r.group.label && p.before.report.HasLabel(l.Path, r.wanted) {
		return fmt.Errorf("another document defines the label %q", r.wanted)
	}
	isElsewhere := func(file string) bool { return file != l.Path }
	if slices.ContainsFunc(p.before.report.LabelFiles(l.Path, r.group.label), isElsewhere) {
		return fmt.Errorf("another document defines the label %q, too, or includes this one", r.group.label)
	}
	if err := p.relabelUses(l, r); err != nil {
		return err
	}
	return p.unreadUse(l, &r.group)
}

// sharesLabel returns the document that is shown on the same page as the document of l, and may use
// its label; "" if there is none. Ids of AsciiDoc are followed there.
func (p *planner) sharesLabel(l *Label, g *group) string {
	if g.space == idSpace {
		return ""
	}
	around, mark, end := p.before.report.Together(l.Path), "[", "]"
	switch g.space {
	case rst.TargetSpace:
		around, mark, end = p.before.report.OnPageWith(l.Path), "", ""
	case markdown.FootnoteSpace:
		mark = "[^"
	}
	for _, name := range around {
		text, err := p.read(name)
		folded := strings.Join(strings.Fields(strings.ToLower(string(text))), " ")
		if err != nil || strings.Contains(folded, mark+strings.ToLower(g.label)+end) {
			return name
		}
	}
	return ""
}

// Bounds of what unreadUse reads.
const (
	maxUnread      = 50000     // files
	maxUnreadBytes = 256 << 20 // of all files
	maxUnreadFile  = 8 << 20   // of one file; a larger one is no source
	maxUnreadDepth = 64        // directories
)

// unreadUse returns an error if a file that the audit does not read may use a label of Sphinx, such as the
// documentation within a program. Without a site, other documents may also use it.
func (p *planner) unreadUse(l *Label, g *group) error {
	isSite := p.before.report.SiteOf(l.Path) != nil
	var uses []string
	suffixes := []string{".py", ".pyx", ".pyi", ".pxd", ".c", ".h", ".cc", ".cpp", ".hpp", ".f90", ".m", ".inc", ".ipynb"}
	switch isCitation := g.isCitation; {
	case g.isRef, g.space == rst.RefSpace:
		uses = []string{"ref:`" + g.label + "`", "{ref}`" + g.label + "`", "numref}`" + g.label + "`", "<" + g.label + ">`"}
	case isCitation && isSite:
		uses = []string{"[" + g.label + "]_"}
	default:
		return nil
	}
	root := cmp.Or(p.before.report.RepositoryOf(l.Path), path.Clean(p.request.Options.Dir))
	if !isSite || g.isCitation {
		suffixes = append(suffixes, ".rst", ".txt", ".rest")
	}
	w := unread{p: p, own: l.Path, uses: uses, suffixes: suffixes}
	return w.visit(root, 0)
}

// An unread searches files for a label.
type unread struct {
	p              *planner
	own            string
	uses, suffixes []string
	files, bytes   int
}

// errUnread says that a file that uses the label may have been left out.
var errUnread = errors.New("the tree is too large to see whether a program uses the label")

func (w *unread) visit(dir string, depth int) error {
	if depth > maxUnreadDepth {
		return errUnread
	}
	list, _ := w.p.under.ReadDir(dir)
	for _, e := range list {
		name := path.Join(dir, e.Name())
		switch {
		case e.IsDir():
			if strings.HasPrefix(e.Name(), ".") || e.Name() == "node_modules" {
				continue
			}
			if err := w.visit(name, depth+1); err != nil {
				return err
			}
			continue
		case name == w.own || !e.Type().IsRegular() || !slices.Contains(w.suffixes, strings.ToLower(path.Ext(name))):
			continue
		}
		info, err := w.p.under.Lstat(name)
		if err != nil || info.Size() > maxUnreadFile {
			continue
		}
		w.files++
		w.bytes += int(info.Size())
		if w.files > maxUnread || w.bytes > maxUnreadBytes {
			return errUnread
		}
		text, err := w.p.read(name)
		folded := bytes.ToLower(text)
		if err == nil && slices.ContainsFunc(w.uses, func(use string) bool { return bytes.Contains(folded, []byte(use)) }) {
			return fmt.Errorf("%s may use the label, and cannot be edited", w.p.shown(name))
		}
	}
	return nil
}

// relabelElsewhere renames a label that the document uses, where it is defined.
func (p *planner) relabelElsewhere(l *Label, label string) error {
	files := p.before.report.LabelFiles(l.Path, label)
	if len(files) != 1 || files[0] == l.Path {
		return fmt.Errorf("it is not known which document defines the label %q", label)
	}
	file := files[0]
	text, err := p.read(file)
	if err != nil {
		return err
	}
	for _, s := range signsOf(p.before.report.Config(file), file, text) {
		if s.isLabel && s.value == label && (s.space == rst.TargetSpace || s.space == rst.RefSpace) {
			return p.relabel(&Label{Path: file, Offset: s.start, Text: l.Text})
		}
	}
	return fmt.Errorf("the definition of the label %q in %s cannot be edited", label, p.shown(file))
}

// relabelUses renames a label of Sphinx in the documents that use it by a role.
func (p *planner) relabelUses(l *Label, r *relabelling) error {
	for _, name := range p.before.labelled {
		isUse := func(f *audit.Followed) bool { return site.LabelName(string(f.Ref.Raw)) == r.group.label }
		of := p.before.labels[name]
		if name == l.Path || !slices.ContainsFunc(of, isUse) {
			continue
		}
		for _, f := range of {
			if isUse(f) && f.Target != l.Path {
				return fmt.Errorf("%s:%d: it is not known whether this use of the label points to %s", p.shown(name), f.Pos.Line, p.shown(l.Path))
			}
		}
		text, err := p.read(name)
		if err != nil {
			return err
		}
		cfg := p.before.report.Config(name)
		other := *r
		other.group = group{label: r.group.label, space: rst.RefSpace}
		p.texts[name], err = other.written(cfg, name, text, signsOf(cfg, name, text))
		if err != nil {
			return fmt.Errorf("%s: %w", p.shown(name), err)
		}
	}
	return nil
}

// written returns the text of a document with the new label. It scans the result: the label must be new, and everything
// else as it was.
func (r *relabelling) written(cfg extract.Config, name string, text []byte, before []sign) (made []byte, err error) {
	isMark := r.wanted[0] == '!' || strings.EqualFold(r.wanted, "x") // on GitHub
	format, _ := cfg.FormatOf(path.Base(name), text)
	columns := fix.ColumnsOf(format, text)
	end, spelling := 0, ""
	var places []place
	for i := range before {
		s := &before[i]
		if !r.group.holds(s) {
			continue
		}
		if !s.isExact || s.start < end {
			return nil, fmt.Errorf("line %d: the label cannot be edited exactly", s.line)
		}
		old := string(text[s.start:s.end])
		if s.space == markdown.FootnoteSpace && spelling != "" && spelling != old {
			return nil, fmt.Errorf("line %d: [^%s] and [^%s] are one footnote in some programs only", s.line, spelling, old)
		}
		spelling = old
		isFull := bytes.HasSuffix(text[:s.start], []byte("]["))
		if isMark && s.space == labelSpace && !isFull && !s.isDefinition {
			return nil, fmt.Errorf("line %d: [%s] could be the mark of a task or an alert", s.line, r.wanted)
		}
		mark := ""
		if isBare(text, s) && !isSimpleName(r.wanted) {
			mark = "`"
		}
		if columns.Breaks(text, s.start, s.end, []byte(mark+r.wanted+mark)) {
			return nil, fmt.Errorf("line %d: the columns of the table would no longer fit", s.line)
		}
		made = append(append(made, text[end:s.start]...), mark...)
		places = append(places, place{s.start, s.end, len(made), len(made) + len(r.wanted) + len(mark)})
		made = append(append(made, r.wanted...), mark...)
		end = s.end
	}
	made = append(made, text[end:]...)
	r.starts = nil
	for _, p := range places {
		r.starts = append(r.starts, p.newStart)
	}
	wants := slices.Clone(before) // what the document must contain afterwards
	isRenamed := map[int]bool{}   // by start
	for i := range wants {
		w := &wants[i]
		n, isLabel := slices.BinarySearchFunc(places, w.start, func(p place, at int) int { return p.start - at })
		switch {
		case isLabel:
			w.start = places[n].newStart
			isRenamed[w.start] = true
		case n > 0:
			w.start += places[n-1].newEnd - places[n-1].end
		}
	}
	after := signsOf(cfg, name, made)
	if err := r.check(wants, after, isRenamed); err != nil {
		return nil, err
	}
	return made, r.fitsTitles(made, after)
}

// A place is the range of a label before and after its rename, then with the backquotes that it needs.
type place struct{ start, end, newStart, newEnd int }

// isBare reports whether s is the use of a name of reStructuredText without backquotes: name_.
func isBare(text []byte, s *sign) bool {
	return s.space == rst.TargetSpace && !s.isDefinition && bytes.HasPrefix(text[s.end:], []byte("_"))
}

// isSimpleName reports whether a name of reStructuredText needs no backquotes: it consists of letters and
// digits, with single marks between them.
func isSimpleName(name string) bool {
	isMark := true
	for _, c := range name {
		was := isMark
		isMark = strings.ContainsRune("-_.:+", c)
		if isMark && was || !isMark && !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			return false
		}
	}
	return !isMark
}

// fitsTitles returns an error if the line below a title is shorter than the title with its new label.
func (r *relabelling) fitsTitles(made []byte, after []sign) error {
	for i := range after {
		s := &after[i]
		if s.what != title || !r.isWithin(s) {
			continue
		}
		_, below, _ := bytes.Cut(made[s.end:], []byte("\n"))
		below, _, _ = bytes.Cut(below, []byte("\n"))
		if utf8.RuneCount(bytes.TrimSpace(below)) < utf8.RuneCount(made[s.start:s.end]) {
			return fmt.Errorf("line %d: the title would be longer than the line below it", s.line)
		}
	}
	return nil
}

// isWithin reports whether the label stands within a sign of the new document.
func (r *relabelling) isWithin(s *sign) bool {
	i := sort.SearchInts(r.starts, s.start)
	return i < len(r.starts) && r.starts[i] < s.end
}

// check reports why after, the contents of a document with its new label, are not as wanted, and keeps the
// ids that have changed with the label. isRenamed has the places of the label, by their starts.
func (r *relabelling) check(wants, after []sign, isRenamed map[int]bool) error {
	name := ""
	for _, is := range after {
		if is.isLabel && isRenamed[is.start] {
			name = is.value
		}
	}
	for i := range after {
		is := &after[i]
		if isRenamed[is.start] || is.value != name || is.space != r.group.space && !(r.group.isRef && is.space == rst.RefSpace) {
			continue
		}
		switch {
		case is.isDefinition:
			return fmt.Errorf("line %d already defines the label %q", is.line, r.wanted)
		case is.isLabel:
			return fmt.Errorf("line %d already uses the label %q", is.line, r.wanted)
		}
	}
	line := 0 // where they differ first
	for i, want := range wants {
		if i >= len(after) {
			line = want.line
			break
		}
		is := &after[i]
		isNew := isRenamed[want.start]
		if isNew && want.isLabel {
			want.value = name
		}
		isFree := isNew && !want.isLabel || want.what == title
		if is.start != want.start || is.what != want.what || is.value != want.value && !isFree {
			line = want.line
			break
		}
		if isNew && want.isID {
			r.ids[wants[i].value] = is.value
		}
	}
	if line == 0 && len(after) > len(wants) {
		line = after[len(wants)].line
	}
	if line > 0 {
		return fmt.Errorf("with the label %q, line %d would be read in another way", r.wanted, line)
	}
	return nil
}
