// Package report writes the findings of an audit in the formats of their readers: other programs
// (SARIF, JUnit, Checkstyle, RDJSON, GitHub annotations), and people (an HTML page with the graph
// of links).
package report

import "example.org/refract/audit"

// A Run is one audit, from its arguments to its findings.
type Run struct {
	Version  string   // of refract
	Args     []string // the arguments that were audited, as given
	Findings []*audit.Finding
	// Fails reports whether a finding fails the run. If nil, all findings except remarks do.
	Fails func(*audit.Finding) bool
	*audit.Report
}

// isFailure reports whether a finding fails the run.
func (r *Run) isFailure(f *audit.Finding) bool {
	if r.Fails != nil {
		return r.Fails(f)
	}
	return f.Rule.Level() == audit.LevelError
}
