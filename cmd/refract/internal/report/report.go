// Package report writes the findings of an audit in the formats of their readers: other programs
// (SARIF, JUnit, Checkstyle, RDJSON, GitHub annotations, GitLab code quality), and people (Markdown, and an HTML page
// with the graph of links).
package report

import (
	"iter"
	"slices"

	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/rule"
)

// A Run is one audit, from its arguments to its findings.
type Run struct {
	Version  string   // of refract
	Home     string   // URL of the repository of refract; "" means unknown
	Args     []string // the arguments that were audited, as given
	Findings []*audit.Finding
	// All yields the findings, in place of Findings, if it is not nil. It is called more than once.
	All iter.Seq[*audit.Finding]
	// Fails reports whether a finding fails the run. If nil, all findings except notes do.
	Fails func(*audit.Finding) bool
	// SourceURL is where the documents of the working directory can be read: a URL to which the name of a document and
	// "#L10" are added, or that has {path} and {line} in their place. "" means nowhere.
	SourceURL string
	*audit.Report
}

// all yields the findings.
func (r *Run) all() iter.Seq[*audit.Finding] {
	if r.All != nil {
		return r.All
	}
	return slices.Values(r.Findings)
}

// isFailure reports whether a finding fails the run.
func (r *Run) isFailure(f *audit.Finding) bool {
	if r.Fails != nil {
		return r.Fails(f)
	}
	return f.Level() == rule.LevelError
}
