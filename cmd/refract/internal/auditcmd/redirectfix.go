package auditcmd

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"example.org/refract/cmd/refract/internal/atomicfile"
	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/fix"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/rule"
)

// fixAll writes redirects for URLs that are gone, and the suggestions that are certain.
func (a *auditRun) fixAll(r *audit.Report) (fixed fixCounts, err error) {
	var redirects fixCounts
	if err := a.fixRemoved(r, &redirects); err != nil {
		return fixed, err
	}
	fixed, err = a.fix(r)
	fixed.add(&redirects)
	return fixed, err
}

// fixRemoved writes redirects for removed URLs, and shows the other findings about URLs. With --dry-run it
// writes diffs to the output.
func (a *auditRun) fixRemoved(r *audit.Report, n *fixCounts) error {
	if len(a.removed) == 0 {
		return nil
	}
	added, err := r.AddRedirects(context.Background(), a.options.Options)
	if err != nil {
		return err
	}
	if added.Why != "" && !a.options.quiet {
		fmt.Fprintf(a.stderr, "refract: no redirects are added: %s\n", cli.OneLine(added.Why))
	}
	isWritten := true
	for _, name := range slices.Sorted(maps.Keys(added.Texts)) {
		if err := a.writeRedirects(name, added.Texts[name]); err != nil {
			n.failed++
			isWritten = false
			fmt.Fprintf(a.stderr, "refract: %s\n", cli.VisibleLines(err.Error()))
			continue
		}
		n.files++
	}
	for _, f := range a.removed {
		isFixed := added.Messages[f.Message] && isWritten
		if isFixed {
			n.fixable++
		}
		switch {
		case a.options.dryRun:
		case !isFixed:
			a.show(f, false)
		default:
			n.fixed++
			if f.Level() == rule.LevelNote {
				n.notes++
			}
			if a.options.isFailure(f) {
				a.failures--
			}
			if a.options.format == "json" {
				a.show(f, true)
			}
		}
	}
	return nil
}

// writeRedirects writes the new text of a file or, with --dry-run, its diff to the output.
func (a *auditRun) writeRedirects(name string, text []byte) error {
	name = filepath.FromSlash(name)
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	old, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if a.options.dryRun {
		file := fix.File{Path: name, Old: old, New: text}
		a.buf = file.AppendDiff(a.buf[:0], a.renderer.Colour)
		a.w.Write(a.buf)
		return nil
	}
	a.fixing.Lock()
	defer a.fixing.Unlock()
	return atomicfile.Replace(name, info, text)
}
