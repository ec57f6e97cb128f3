package output

import (
	"io"
	"slices"

	"example.org/refract/cmd/refract/internal/joblog"
	"example.org/refract/cmd/refract/internal/report"
	"example.org/refract/extract"
)

// A Format is a way to write references: each as a line of its own kind, or as a row of fields.
type Format struct {
	line  func(r *Renderer, b *Block, dst []byte, name string, ref *extract.Reference, target, canonical []byte) []byte // nil: rows
	count func(r *Renderer, names []string, keys [][]byte, n uint64) []byte                                             // returns a line of --count

	isEdge  bool // --unique compares both ends of a line
	isTable bool // the rows are those of a table: Renderer.Columns
	isTyped bool // package columnar writes the table
	IsJSON  bool // there is a summary, which replaces the one on standard error
}

// Log returns the form of the output in the log of a job.
func (f *Format) Log() joblog.Form {
	switch {
	case f.isTyped:
		return joblog.Data
	case f.IsJSON:
		return joblog.JSON
	}
	return joblog.Text
}

// The formats of the main command.
var (
	Text     = &Format{line: (*Renderer).appendText, count: (*Renderer).countText}
	JSON     = &Format{IsJSON: true, count: (*Renderer).countObject}
	CSV      = &Format{isTable: true, count: (*Renderer).countRow}
	Edges    = &Format{line: (*Renderer).appendEdge, isEdge: true}
	Frontier = &Format{line: (*Renderer).appendFrontier}
	Columns  = &Format{isTable: true, isTyped: true} // --format arrow and --parquet
)

// IsData reports whether the output is for programs, and complete: with notes, errors and active
// schemes.
func (f *Format) IsData() bool { return f.IsJSON || f.isTyped }

// A Form is a value of --format.
type Form struct {
	Name   string
	Search *Format // nil: not of the main command
	Cells  cellStyle

	// An Audit calls Report once all findings are known. Without it, findings are written as they are found.
	Audit  bool
	Report func(*report.Run, io.Writer) error
	Log    joblog.Form // of audits
}

// forms are all values of --format.
var forms = []Form{
	{Name: "text", Search: Text, Audit: true},
	{Name: "json", Search: JSON, Audit: true, Log: joblog.JSON},
	{Name: "csv", Search: CSV},
	{Name: "tsv", Search: CSV, Cells: tabs},
	{Name: "edges", Search: Edges},
	{Name: "frontier", Search: Frontier},
	{Name: "arrow", Search: Columns},
	{Name: "sarif", Audit: true, Report: (*report.Run).SARIF, Log: joblog.JSON},
	{Name: "junit", Audit: true, Report: (*report.Run).JUnit, Log: joblog.XML},
	{Name: "github", Audit: true, Report: (*report.Run).GitHub, Log: joblog.Commands},
	{Name: "checkstyle", Audit: true, Report: (*report.Run).Checkstyle, Log: joblog.XML},
	{Name: "rdjson", Audit: true, Report: (*report.Run).RDJSON, Log: joblog.JSON},
	{Name: "gitlab", Audit: true, Report: (*report.Run).GitLab, Log: joblog.JSON},
	{Name: "markdown", Audit: true, Report: (*report.Run).Markdown},
	{Name: "urls", Audit: true},
	{Name: "counts", Audit: true, Report: (*report.Run).Counts},
}

// ReportForms returns the values of --report of "refract audit": those that need all findings.
func ReportForms() []string { return formNames(func(f *Form) bool { return f.Report != nil }) }

// FormNamed returns the form called name; the zero Form, which is for no command, if there is none.
func FormNamed(name string) Form {
	if i := slices.IndexFunc(forms, func(f Form) bool { return f.Name == name }); i >= 0 {
		return forms[i]
	}
	return Form{}
}

// SearchForms returns the values of --format of the main command.
func SearchForms() []string { return formNames(func(f *Form) bool { return f.Search != nil }) }

// AuditForms returns the values of --format of "refract audit".
func AuditForms() []string { return formNames(func(f *Form) bool { return f.Audit }) }

func formNames(is func(*Form) bool) (names []string) {
	for i := range forms {
		if is(&forms[i]) {
			names = append(names, forms[i].Name)
		}
	}
	return names
}

// IsEdge reports whether --unique compares both ends of a line.
func (f *Format) IsEdge() bool { return f.isEdge }
