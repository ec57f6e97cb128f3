package audit

import (
	"example.org/refract/internal/audit/rule"
)

// A Rule names a kind of problem. The names are stable; About says what each one means.
type Rule string

const (
	MissingFile     Rule = "missing-file"
	BrokenImage     Rule = "broken-image"
	MissingFragment Rule = "missing-fragment"
	Case            Rule = "case"
	Outside         Rule = "outside"
	Symlink         Rule = "symlink"
	DuplicateID     Rule = "duplicate-id"
	EmptyLink       Rule = "empty-link"
	BadURL          Rule = "bad-url"
	MissingScheme   Rule = "missing-scheme"
	LocalURL        Rule = "local-url"
	Redirect        Rule = "redirect"
	Undefined       Rule = "undefined-reference"
	Unused          Rule = "unused-definition"
	Orphan          Rule = "orphan"
	MissingNote     Rule = "missing-note"
	MissingObject   Rule = "missing-object"
	Undeclared      Rule = "undeclared"
	NotInSpine      Rule = "not-in-spine"
	MovingLine      Rule = "moving-line"

	RedirectTarget   Rule = "redirect-target"
	RedirectLoop     Rule = "redirect-loop"
	RedirectChain    Rule = "redirect-chain"
	RedirectShadowed Rule = "redirect-shadowed"
	RedirectTwice    Rule = "redirect-twice"

	RemovedURL Rule = "removed-url"
	RemovedID  Rule = "removed-id"
)

// A Level is the severity of a finding, by the names of SARIF 2.1.0.
type Level string

const (
	LevelError Level = "error" // the reference does not work
	LevelNote  Level = "note"  // a remark: it works, or readers do not notice
)

// Rules lists all rules.
func Rules() (all []Rule) {
	for _, r := range rule.Rules() {
		all = append(all, Rule(r))
	}
	return all
}

// About describes the problem in a sentence without an initial capital or a period.
func (r Rule) About() string { return rule.Rule(r).About() }

// Level returns the severity of findings of the rule.
func (r Rule) Level() Level { return Level(rule.Rule(r).Level()) }
