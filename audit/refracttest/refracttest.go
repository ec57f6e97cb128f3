// Package refracttest checks the links of a project's documentation, or of the site that a program embeds,
// in the tests of the project. Use it where a broken link should fail `go test`. It never goes online.
//
//	func TestLinks(t *testing.T) {
//		refracttest.Audit(t, os.DirFS("../docs"))
//	}
//
// A program that needs the findings themselves uses package audit.
package refracttest

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"runtime"
	"slices"
	"strings"

	"example.org/refract/audit"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/config"
)

// A TB has the methods of [testing.TB] that Audit uses.
type TB interface {
	Helper()
	Context() context.Context
	Errorf(format string, args ...any)
	Logf(format string, args ...any)
}

// Audit audits fsys, and calls t.Errorf for each finding, with its file, line, byte column and rule, and
// for each document that cannot be read. fsys is the whole tree: a link that points outside it is a
// finding. [os.DirFS] gives a directory, and an [embed.FS] the files that a program embeds. It is an error
// if there is no document.
//
// Audit passes to t.Logf findings of [audit.LevelNote], which do not fail the test, and how many references
// were not checked, for each reason.
//
// The optional file .refract.yaml in the root of fsys sets the flags that refract audit takes from such a
// file. With strict, all findings fail the test. File names in it must be in fsys. Any other setting is an
// error. An embed.FS has this file only if the pattern names it, or begins with "all:".
func Audit(t TB, fsys fs.FS) {
	t.Helper()
	if fsys == nil {
		t.Errorf("refracttest: no file system")
		return
	}
	o := audit.Options{Tree: audit.FS(fsys), Jobs: runtime.GOMAXPROCS(0)}
	s := settings{fsys: fsys, options: &o}
	if !s.read(t) {
		return
	}
	type line struct {
		text    string
		isError bool
	}
	var found []line // reported here, because [testing.T] names the line of the test only if all functions between are helpers
	report, err := audit.Run(t.Context(), o, func(f *audit.Finding) {
		isNote := f.Level == audit.LevelNote && !s.strict && !slices.Contains(o.Only, f.Rule)
		found = append(found, line{oneLine(f), !isNote})
	})
	for _, l := range found {
		if l.isError {
			t.Errorf("%s", l.text)
		} else {
			t.Logf("%s", l.text)
		}
	}
	if err != nil {
		t.Errorf("refracttest: %s", oneLine(err))
		return
	}
	for _, f := range report.Errors {
		t.Errorf("%s: %s", oneLine(f.File), oneLine(f.Err))
	}
	for _, n := range report.Notes {
		t.Logf("%s:%d: %s", oneLine(n.File), n.Pos.Line, oneLine(n.Text))
	}
	if report.Documents == 0 && len(report.Errors) == 0 {
		t.Errorf("refracttest: no document: give the file system of the documents")
		return
	}
	logCounts(t, report)
}

// logCounts logs what was read, and what was not checked.
func logCounts(t TB, r *audit.Report) {
	t.Helper()
	t.Logf("%s documents, %s references", ascii.Number(r.Documents), ascii.Number(r.References))
	if r.Skipped > 0 {
		t.Logf("not checked: %s", ascii.Number(r.Skipped))
	}
	reasons := slices.Collect(maps.Keys(r.Reasons))
	slices.SortFunc(reasons, func(a, b audit.Reason) int {
		return cmp.Or(r.Reasons[b]-r.Reasons[a], strings.Compare(a.String(), b.String()))
	})
	for _, why := range reasons {
		t.Logf("  %s: %s", ascii.Number(r.Reasons[why]), oneLine(why))
	}
	if r.Ignored > 0 {
		t.Logf("ignored: %s findings", ascii.Number(r.Ignored))
	}
	if r.Known > 0 {
		t.Logf("in the baseline: %s findings", ascii.Number(r.Known))
	}
	if r.Gone > 0 {
		t.Logf("no longer found: %s entries of the baseline", ascii.Number(r.Gone))
	}
	for _, suffix := range slices.Sorted(maps.Keys(r.Unread)) {
		t.Logf("not read: %s files with the suffix %s", ascii.Number(r.Unread[suffix]), oneLine(suffix))
	}
}

// oneLine returns v as text that cannot control a terminal.
func oneLine(v any) string { return string(ascii.AppendLine(nil, fmt.Sprint(v))) }

// fail reports an error in the configuration, in a line; 0 is none.
func fail(t TB, line int, format string, args ...any) {
	t.Helper()
	name := config.Name
	if line > 0 {
		name = fmt.Sprintf("%s:%d", name, line)
	}
	t.Errorf("%s: %s", name, oneLine(fmt.Sprintf(format, args...)))
}
