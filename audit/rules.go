package audit

import (
	"example.org/refract/internal/audit/rule"
)

// A Rule names a kind of problem. The names are stable; About says what each one means.
type Rule string

const (
	MissingFile     Rule = "missing-file"        // no such file or directory
	BrokenImage     Rule = "broken-image"        // the same, for an image on the page
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
	Undefined       Rule = "undefined-reference" // [text][label], and nothing defines the label; a name of another markup that nothing defines
	Unused          Rule = "unused-definition"   // a link definition that is not used
	Orphan          Rule = "orphan"              // nothing links to the document or file, with Options.Orphans or OrphanFiles
	MissingNote     Rule = "missing-note"        // a wiki link to a note that does not exist yet
	MissingObject   Rule = "missing-object"      // a Sphinx role names what no document declares
	Undeclared      Rule = "undeclared"          // a file of an EPUB that its manifest does not list
	NotInSpine      Rule = "not-in-spine"        // a page of an EPUB that is not in its spine
	MovingLine      Rule = "moving-line"         // a line of a branch of the repository, by an absolute URL: the line moves
	Forbidden       Rule = "forbidden"           // matches an entry of Options.Forbid
	VagueText       Rule = "vague-text"          // the text of a link says nothing, with Options.LinkTexts
	SameTarget      Rule = "same-target"         // the text of a link is the title of another page, with Options.LinkTexts

	// Of redirects in configurations and front matter.
	RedirectTarget   Rule = "redirect-target"   // leads to no page, or to an id that the page does not have
	RedirectLoop     Rule = "redirect-loop"     // leads back to itself
	RedirectChain    Rule = "redirect-chain"    // leads to another redirect
	RedirectShadowed Rule = "redirect-shadowed" // from the URL of a page, or from a fragment
	RedirectTwice    Rule = "redirect-twice"    // two redirects from one URL

	// Of the command's audit of archives of crawls; Run does not report them.
	MissingResource Rule = "missing-resource" // what a page needs is in no archive
	MissingPage     Rule = "missing-page"     // a page of the same site is in no archive
	Damaged         Rule = "damaged"          // a record cannot be read to its end

	// Of the command's comparison with an earlier revision; Run does not report them.
	RemovedURL Rule = "removed-url" // a URL that an earlier revision publishes, and that nothing serves now
	RemovedID  Rule = "removed-id"  // an id that a heading had in an earlier revision
)

// A Level is the severity of a finding, by the names of SARIF 2.1.0.
type Level string

const (
	LevelError Level = "error" // the reference does not work
	LevelNote  Level = "note"  // it works, or readers do not notice
	LevelOff   Level = "off"   // of an Override: the finding is not reported
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
