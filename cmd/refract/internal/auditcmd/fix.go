package auditcmd

import (
	"context"
	"fmt"
	"io"
	"slices"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/fix"
	"example.org/refract/cmd/refract/internal/git"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/rule"
)

// fixCounts holds the results of --fix.
type fixCounts struct {
	fixable, fixed int // findings
	notes          int // how many of fixed are notes
	files          int // written, or with --dry-run to be written
	failed         int // files that could not be written
}

// add adds what other fixes have done.
func (n *fixCounts) add(more *fixCounts) {
	n.fixable += more.fixable
	n.fixed += more.fixed
	n.files += more.files
	n.failed += more.failed
	n.notes += more.notes
}

// fix writes the suggestions that are certain into the documents, and shows the findings; those
// that it has fixed appear only in JSON. All positions are those in the documents before the
// changes. With --dry-run it writes diffs to the output, and shows no findings.
//
// Before it writes, it audits the documents again with the edits, and drops edits that break
// something.
func (a *auditRun) fix(r *audit.Report) (n fixCounts, err error) {
	fixed := map[*audit.Finding]bool{}
	changed := map[string]*fix.File{} // by real path
	o := fix.Options{Config: r.Config}
	a.dropBeside()
	files := slices.Collect(o.Files(a.pending.certain()))
	r.Release() // the next audit keeps as much again
	if err := fix.DropHarmful(context.Background(), &a.options.Options, a.pending.all(), files); err != nil {
		return n, err
	}
	for _, file := range files {
		n.fixable += len(file.Fixed)
		if err := a.fixFile(file); err != nil {
			n.failed++
			fmt.Fprintf(a.stderr, "refract: %s\n", cli.VisibleLines(err.Error()))
			continue
		}
		a.reportSkipped(file)
		if file.New == nil {
			continue
		}
		n.files++
		if a.options.dryRun {
			continue
		}
		n.fixed += len(file.Fixed)
		for _, f := range file.Fixed {
			fixed[f] = true
			if a.options.isFailure(f) {
				a.failures--
			}
			if f.Level() == rule.LevelNote {
				n.notes++
			}
		}
		changed[file.Path] = file
	}
	if a.options.dryRun {
		return n, nil
	}
	last, path := "", ""
	for f := range a.pending.all() {
		if last != f.Path {
			last, path = f.Path, fix.Real(f.Path)
		}
		if file := changed[path]; file != nil {
			f.Pos = file.Now(f.Pos)
			if f.Ref != nil {
				f.Ref.Pos = f.Pos
			}
		}
		if a.options.format == "json" || !fixed[f] {
			a.show(f, fixed[f])
		}
	}
	return n, nil
}

// dropBeside makes a finding uncertain if the file that its suggestion links to existed together with the
// missing one.
func (a *auditRun) dropBeside() {
	var past git.Past
	for _, f := range a.pending.certain() {
		if f.Gone == "" {
			continue
		}
		together, err := past.WereTogether(f.Gone, f.Instead)
		why := ""
		switch {
		case err != nil:
			why = fmt.Sprintf("whether %q was there when the file was cannot be seen: %v", f.Suggestion, err)
		case together:
			why = fmt.Sprintf("%q was there when the file was, so it is another one", f.Suggestion)
		default:
			continue
		}
		f.Certain = false
		a.reportSkipped(&fix.File{Skipped: []fix.Skip{{Finding: f, Why: why}}})
	}
}

// fixFile writes the new text of a document or, with --dry-run, its diff to the output.
func (a *auditRun) fixFile(file *fix.File) error {
	if a.options.dryRun {
		a.buf = file.AppendDiff(a.buf[:0], a.renderer.Colour)
		a.w.Write(a.buf)
		return file.Err
	}
	if file.New == nil || file.Err != nil {
		return file.Err
	}
	a.fixing.Lock()
	defer a.fixing.Unlock()
	return file.Write()
}

// reportSkipped reports which certain findings of a document were not fixed, and why.
func (a *auditRun) reportSkipped(file *fix.File) {
	if a.options.quiet {
		return
	}
	for _, s := range file.Skipped {
		p := s.Finding.Pos
		fmt.Fprintf(a.stderr, "refract: %s:%d:%d: not fixed: %s\n", cli.OneLine(s.Finding.File), p.Line, p.Column, cli.OneLine(s.Why))
	}
}

// report prints on standard error how many findings were fixed, or can be.
func (n *fixCounts) report(w io.Writer, dryRun bool) {
	switch {
	case dryRun:
		fmt.Fprintf(w, "refract: %s in %s can be fixed\n", cli.Count(n.fixable, "finding"), cli.Count(n.files, "file"))
	case n.files > 0:
		fmt.Fprintf(w, "refract: %s fixed in %s\n", cli.Count(n.fixed, "finding"), cli.Count(n.files, "file"))
	}
}
