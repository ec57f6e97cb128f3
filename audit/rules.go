package audit

import (
	"example.org/refract/internal/audit/rule"
)

// A Rule names a kind of problem. The names are stable; About says what each one means.
type Rule string

const (
	MissingFile     Rule = "missing-file"        // no such file or directory
	BrokenImage     Rule = "broken-image"        // the same, for an embedded image
	MissingFragment Rule = "missing-fragment"    // the document has no such id, heading or line (#L10)
	Case            Rule = "case"                // the name on disk differs in case or Unicode normalization
	Outside         Rule = "outside"             // points outside the audited directory
	Symlink         Rule = "symlink"             // points to a symbolic link that is broken or circular
	DuplicateID     Rule = "duplicate-id"        // points to an id that the document has twice
	EmptyLink       Rule = "empty-link"          // the reference is empty
	BadURL          Rule = "bad-url"             // not a valid URL
	MissingScheme   Rule = "missing-scheme"      // a mail address or a host, without "mailto:" or "https://"
	LocalURL        Rule = "local-url"           // points to the local machine
	Redirect        Rule = "redirect"            // points to a former URL of a page, which redirects to it
	Undefined       Rule = "undefined-reference" // undefined label of [text][label], or name of another markup
	Unused          Rule = "unused-definition"   // a link definition that is not used
	Orphan          Rule = "orphan"              // nothing links to it (with Options.Orphans or OrphanFiles)
	MissingNote     Rule = "missing-note"        // a wiki link to a note that does not exist yet
	MissingObject   Rule = "missing-object"      // a Sphinx role names an object that no document declares
	Undeclared      Rule = "undeclared"          // a file of an EPUB that its manifest does not list
	NotInSpine      Rule = "not-in-spine"        // a page of an EPUB that is not in its spine
	MovingLine      Rule = "moving-line"         // absolute URL of a line on a branch of the repository
	Forbidden       Rule = "forbidden"           // matches an entry of Options.Forbid
	VagueText       Rule = "vague-text"          // link text says nothing (with Options.LinkTexts)
	SameTarget      Rule = "same-target"         // link text is another page's title (with Options.LinkTexts)

	// Of redirects in configurations and front matter.
	RedirectTarget   Rule = "redirect-target"   // points to no page, or to an id that the page does not have
	RedirectLoop     Rule = "redirect-loop"     // redirects to itself, perhaps through others
	RedirectChain    Rule = "redirect-chain"    // redirects to another redirect
	RedirectShadowed Rule = "redirect-shadowed" // redirects from the URL of a page, or from a fragment
	RedirectTwice    Rule = "redirect-twice"    // two redirects from one URL

	// For the command's audit of crawl archives; Run does not report them.
	MissingResource Rule = "missing-resource" // a resource that a page needs is in no archive
	MissingPage     Rule = "missing-page"     // a page of the same site is in no archive
	MissingOptional Rule = "missing-optional" // a resource that no page shows, but a style sheet names, is in no archive
	Damaged         Rule = "damaged"          // a record cannot be read to its end

	// For the command's comparison with an earlier revision; Run does not report them.
	RemovedURL Rule = "removed-url" // a URL that an earlier revision publishes and that nothing serves now
	RemovedID  Rule = "removed-id"  // an id that a heading had in an earlier revision
)

// A Level is the severity of a finding, by the names of SARIF 2.1.0.
type Level string

const (
	LevelError Level = "error" // the reference does not work
	LevelNote  Level = "note"  // it works, or readers do not notice
	LevelOff   Level = "off"   // in an Override: do not report the finding
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
