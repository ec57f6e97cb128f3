package main

import (
	"fmt"
	"io"

	"example.org/refract/audit"
	"example.org/refract/cmd/refract/internal/fix"
)

// A mending is what became of findings that are certain.
type mending struct {
	mendable, fixed int // findings
	files           int // that were written, or would be
	failed          int // files that could not be
}

// mend writes what is certain into the documents, and shows the findings, those that are
// fixed for JSON alone; all stand where the documents have them now. With --dry-run it
// writes diffs to w, and shows nothing.
func (a *auditing) mend(w io.Writer, found []*audit.Finding, show func(f *audit.Finding, fixed bool)) (m mending) {
	var certain []*audit.Finding
	within := map[string][]*audit.Finding{} // files
	last, path := "", ""
	for _, f := range found {
		if f.Certain {
			certain = append(certain, f)
		}
		if last != f.Path {
			last, path = f.Path, fix.Real(f.Path)
		}
		within[path] = append(within[path], f)
	}
	fixed := map[*audit.Finding]bool{}
	o := fix.Options{Config: a.options.Config}
	var diff []byte
	for file := range o.Files(certain) {
		err := file.Err
		if m.mendable += len(file.Fixed); a.dryRun {
			diff = file.AppendDiff(diff[:0])
			w.Write(diff)
		} else if file.New != nil && err == nil {
			a.writing.Lock()
			err = file.Write()
			a.writing.Unlock()
		}
		if err != nil {
			m.failed++
			fmt.Fprintf(a.stderr, "refract: %v\n", err)
			continue
		}
		if !a.quiet {
			for _, s := range file.Skipped {
				p := s.Finding.Pos
				fmt.Fprintf(a.stderr, "refract: %s:%d:%d: not mended: %s\n", oneLine(s.Finding.File), p.Line, p.Column, s.Why)
			}
		}
		if file.New == nil {
			continue
		}
		if m.files++; a.dryRun {
			continue
		}
		m.fixed += len(file.Fixed)
		for _, f := range file.Fixed {
			fixed[f] = true
		}
		for _, f := range within[file.Path] {
			f.Pos = file.Now(f.Pos)
			if f.Ref != nil {
				f.Ref.Pos = f.Pos
			}
		}
	}
	for _, f := range found {
		if !a.dryRun && (a.asJSON || !fixed[f]) {
			show(f, fixed[f])
		}
	}
	return m
}

func (m *mending) say(w io.Writer, dryRun bool) {
	switch {
	case dryRun:
		fmt.Fprintf(w, "refract: %s in %s can be mended\n", count(m.mendable, "finding"), count(m.files, "file"))
	case m.files > 0:
		fmt.Fprintf(w, "refract: %s mended in %s\n", count(m.fixed, "finding"), count(m.files, "file"))
	}
}
