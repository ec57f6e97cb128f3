// Package report writes what an audit found in the languages of those who read it: other
// programs (SARIF, JUnit, Checkstyle, RDJSON, the annotations of GitHub), and people (a
// page with the graph of links).
package report

import "example.org/refract/audit"

// A Run is one audit, from its arguments to its findings.
type Run struct {
	Version  string   // of refract
	Args     []string // what was audited, as it was given
	Findings []*audit.Finding
	// Fails reports whether a finding fails the run; nil is those that are no remarks.
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
