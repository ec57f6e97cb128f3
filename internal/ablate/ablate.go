//go:build !ablate

// Package ablate switches rules of the audit off, one at a time, to show what each of them is worth. Only a
// program built with the tag ablate does so, and only for rules that the environment names; .ci/worth
// builds it.
package ablate

// Off reports whether a rule is switched off: one entry of a table of reasons, or one learner.
func Off(table, name string) bool { return false }
