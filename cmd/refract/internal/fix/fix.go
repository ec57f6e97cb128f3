// Package fix writes suggestions of an audit into the documents.
//
//	findings ─► by file ─► each destination quoted as its document needs it
//	         ─► the whole document scanned again: nothing but that has changed ─► Diff, Write
//
// Only the bytes of destinations are replaced. All others stay, including line ends, byte order
// marks and NULs. The package checks its own work: it does not write a document that no longer
// yields the same references, apart from those that it meant to change.
//
//	fix.go    Options, File: from findings to the bytes of a file
//	spell.go  a reference in the quoting of its place
//	check.go  what a document says, before and after
//	again.go  the tree audited with the edits: those that break something are dropped
//	diff.go   the change as a unified diff
//	write.go  the file replaced
//	rewrite.go  references replaced by rules, without findings
package fix

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.org/refract/cmd/refract/internal/atomicfile"
	"example.org/refract/extract"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/input"
	"example.org/refract/internal/order"
	"example.org/refract/internal/slash"
)

// Options say how the audit read the documents, so that they are read in the same way again.
type Options struct {
	// Config is that of the audit's Report or, if sites do not matter, of its Options. nil is the
	// Config of the zero audit.Options.
	Config func(path string) extract.Config
}

// config returns the Config for the document at a path.
func (o *Options) config(path string) extract.Config {
	if o.Config == nil {
		return new(audit.Options).Config(path)
	}
	return o.Config(path)
}

// A File is a document with the changes to it.
type File struct {
	Path string // with symbolic links resolved

	Old, New []byte // New is nil if there is nothing to write

	Fixed   []*audit.Finding
	Skipped []Skip
	Err     error // why the file could not be read; then nothing in it is fixed

	to    string // new path, for a diff; "" means Path
	name  string // name under which the audit has read it; "" means Path
	info  fs.FileInfo
	edits []edit
}

// A Skip is a finding that is not fixed, and the reason.
type Skip struct {
	Finding *audit.Finding
	Why     string
}

// An edit replaces the bytes from start to end with text.
type edit struct {
	start, end int64
	ref        string // the reference that text spells
	text       []byte
	findings   []*audit.Finding

	// Of a Rewriter: at is where the reference itself begins, which may be behind start.
	at      int64
	url     string
	changes []*Change
}

// Files yields the files that contain findings, with every finding that has a Suggestion fixed, in the
// order of the findings. It does not check whether findings are Certain, and writes nothing. A file stays
// in memory until the next is yielded.
func (o *Options) Files(findings []*audit.Finding) iter.Seq[*File] {
	return func(yield func(*File) bool) {
		var paths []string
		byPath := map[string][]*audit.Finding{}
		for _, f := range findings {
			if f.Suggestion == "" {
				continue
			}
			p := Real(f.Path)
			if byPath[p] == nil {
				paths = append(paths, p)
			}
			byPath[p] = append(byPath[p], f)
		}
		for _, p := range paths {
			if !yield(o.file(p, byPath[p])) {
				return
			}
		}
	}
}

// Real returns the path of the file that symbolic links point to. The audit may have read a file under
// several names, and a fix must replace the file, not the link.
func Real(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

func (o *Options) file(p string, findings []*audit.Finding) *File {
	f := &File{Path: p, name: findings[0].Path}
	if why := f.read(o.maxEntity(f.name)); why != "" {
		for _, finding := range findings {
			f.skip(finding, why)
		}
		return f
	}
	if f.Err == nil {
		o.Apply(f, findings)
	}
	return f
}

// maxEntity returns the size in bytes of the largest file that may be written at a path.
func (o *Options) maxEntity(path string) int64 {
	return cmp.Or(o.config(path).MaxEntity, extract.MaxEntity)
}

// read reads f, or returns the reason why a file of its kind is not written.
func (f *File) read(limit int64) (why string) {
	if f.Path == "-" {
		return "standard input cannot be written"
	}
	if f.info, f.Err = os.Stat(f.Path); f.Err != nil {
		return ""
	}
	switch {
	case !f.info.Mode().IsRegular():
		return "not a regular file"
	case f.info.Size() > limit:
		return fmt.Sprintf("more than %d bytes", limit)
	case atomicfile.Links(f.Path, f.info) > 1:
		return atomicfile.ErrLinks.Error()
	}
	r, err := input.Open(f.Path)
	if err != nil {
		f.Err = err
		return ""
	}
	defer r.Close()
	if _, plain := r.(*os.File); !plain {
		return "the file is compressed"
	}
	f.Old, f.Err = io.ReadAll(io.LimitReader(r, limit+1))
	if int64(len(f.Old)) != f.info.Size() && f.Err == nil {
		return changed
	}
	return ""
}

const (
	elsewhere = "it is in a part of a document, or encoded"
	disagree  = "two suggestions conflict"
)

// changed is the reason not to write a file that is no longer the one that was audited.
var changed = atomicfile.ErrChanged.Error()

func (f *File) skip(finding *audit.Finding, why string) {
	f.Skipped = append(f.Skipped, Skip{finding, why})
}

// Apply sets New, Fixed and Skipped of f. The caller has set Old, and Path, whose name determines
// the type of the file. Each finding must be in f and have a Suggestion.
func (o *Options) Apply(f *File, findings []*audit.Finding) {
	c := checker{Options: o, path: f.Path, config: o.config(slash.Path(cmp.Or(f.name, f.Path)))}
	c.old = c.scan(f.Old)
	t := trial{file: f, checker: &c}
	t.try(f.spell(&c, f.propose(&c, findings)))
	for _, e := range f.edits {
		f.Fixed = append(f.Fixed, e.findings...)
	}
}

// spell sets the text of each edit, and returns the edits that can be written.
func (f *File) spell(c *checker, edits []edit) []edit {
	format := c.format(f.Old)
	columns := ColumnsOf(format, f.Old)
	var spelled []edit
	for _, e := range edits {
		was := c.at(e.start, e.end)
		text, ok := spell(format, f.Old, was, e.ref)
		if was.in == "<<>>" && was.ref == "#"+was.raw {
			text = bytes.TrimPrefix(text, []byte("#"))
		}
		if !ok || columns.Breaks(f.Old, int(e.start), int(e.end), text) {
			f.skipEdit(&e)
			continue
		}
		e.text = text
		spelled = append(spelled, e)
	}
	return spelled
}

// A trial makes as many edits of a file as possible without changing anything else. Nearly always,
// that is all of them. If not, it tries halves, and halves of these. A limit on the number of scans
// keeps this linear.
type trial struct {
	file    *File
	checker *checker
	scans   int
}

const maxScans = 64

// try makes all edits in some or, if that fails, those of them that it can. They follow the edits
// already made.
func (t *trial) try(some []edit) {
	if len(some) == 0 {
		return
	}
	t.scans++
	f := t.file
	together := slices.Concat(f.edits, some)
	text := splice(f.Old, together)
	switch {
	case t.scans > maxScans:
	case t.checker.holds(text, together):
		f.edits, f.New = together, text
		return
	case len(some) > 1:
		t.try(some[:len(some)/2])
		t.try(some[len(some)/2:])
		return
	}
	for i := range some {
		f.skipEdit(&some[i])
	}
}

// skipEdit adds the findings of an edit that cannot be made to Skipped.
func (f *File) skipEdit(e *edit) {
	for _, finding := range e.findings {
		f.skip(finding, fmt.Sprintf("%q cannot be written there without changing how something else is read", e.ref))
	}
}

// Edit returns the first range of Old, in bytes, that Apply has replaced, and the new text.
func (f *File) Edit() (start, end int, text []byte, ok bool) {
	if len(f.edits) == 0 {
		return 0, 0, nil, false
	}
	e := &f.edits[0]
	return int(e.start), int(e.end), e.text, true
}

// propose returns the edits for findings, in the order of the file.
func (f *File) propose(c *checker, findings []*audit.Finding) (edits []edit) {
	byPlace := map[[2]int64]int{}
	for _, finding := range findings {
		r := finding.Ref
		start, end := r.Pos.Offset, r.Pos.Offset+int64(r.Pos.Length)
		was := c.at(start, end)
		switch {
		case r.PartLine != 0, !r.Pos.Exact && !isOwnID(r):
			f.skip(finding, elsewhere)
			continue
		case was == nil, was.raw != string(r.Raw), was.ref != string(r.Ref), was.how != r.How, was.in != r.In:
			f.skip(finding, changed)
			continue
		case was.inner, !bytes.Equal(f.Old[start:end], r.Raw), len(r.Raw) == 0:
			f.skip(finding, elsewhere)
			continue
		case bytes.ContainsAny(r.Raw, "\r\n"), strings.ContainsAny(finding.Suggestion, "\r\n"):
			f.skip(finding, "it is wrapped")
			continue
		}
		if i, again := byPlace[[2]int64{start, end}]; again {
			edits[i].findings = append(edits[i].findings, finding)
			if edits[i].ref != finding.Suggestion {
				edits[i].ref = ""
			}
			continue
		}
		byPlace[[2]int64{start, end}] = len(edits)
		edits = append(edits, edit{start: start, end: end, ref: finding.Suggestion, findings: []*audit.Finding{finding}})
	}
	order.Sort(edits, func(x, y edit) int { return cmp.Compare(x.start, y.start) })
	last := int64(0)
	return slices.DeleteFunc(edits, func(e edit) bool {
		if e.ref != "" && e.start >= last {
			last = e.end
			return false
		}
		for _, finding := range e.findings {
			f.skip(finding, disagree)
		}
		return true
	})
}

// splice returns src with the edits applied, which must be in order.
func splice(src []byte, edits []edit) []byte {
	size := len(src)
	for _, e := range edits {
		size += len(e.text) - int(e.end-e.start)
	}
	dst, at := make([]byte, 0, size), int64(0)
	for _, e := range edits {
		dst = append(append(dst, src[at:e.start]...), e.text...)
		at = e.end
	}
	return append(dst, src[at:]...)
}

// Now returns the position in New that corresponds to a position in Old.
func (f *File) Now(p extract.Position) extract.Position {
	was := p
	line := was.Offset - int64(was.Column) + 1 // start of the line
	for _, e := range f.edits {
		if e.start >= was.Offset {
			if e.start == was.Offset && e.end == was.Offset+int64(was.Length) {
				p.Length = len(e.text)
			}
			break
		}
		longer := int64(len(e.text)) - (e.end - e.start)
		p.Offset += longer
		if e.start >= line { // not if the column is unknown
			p.Column += int(longer)
		}
	}
	return p
}

// Write replaces the file with New atomically: a reader sees either the old or the new contents. It
// keeps permissions, owner, group and extended attributes. The file stays unchanged if these cannot
// be kept, if it was written to since it was read, or if it is read-only. An error quotes the path.
// It leaves no other file behind, or names it.
func (f *File) Write() error {
	err := atomicfile.Replace(f.Path, f.info, f.New)
	if err != nil {
		return fmt.Errorf("fix: %q: %w", f.Path, err)
	}
	return nil
}
