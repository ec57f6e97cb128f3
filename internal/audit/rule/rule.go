// Package rule names the possible problems of a reference.
package rule

import (
	"cmp"
	"slices"
)

// A Rule names a kind of problem. The names are stable.
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
	Forbidden       Rule = "forbidden"
	VagueText       Rule = "vague-text"
	SameTarget      Rule = "same-target"

	RedirectTarget   Rule = "redirect-target"
	RedirectLoop     Rule = "redirect-loop"
	RedirectChain    Rule = "redirect-chain"
	RedirectShadowed Rule = "redirect-shadowed"
	RedirectTwice    Rule = "redirect-twice"

	MissingResource Rule = "missing-resource"
	MissingPage     Rule = "missing-page"
	MissingOptional Rule = "missing-optional"
	Damaged         Rule = "damaged"

	RemovedURL Rule = "removed-url"
	RemovedID  Rule = "removed-id"
)

// OfRedirects lists the rules about redirects themselves.
var OfRedirects = []Rule{RedirectTarget, RedirectLoop, RedirectChain, RedirectShadowed, RedirectTwice}

// OfTexts lists the rules about texts of links, which are reported only on request.
var OfTexts = []Rule{VagueText, SameTarget}

// OfCrawls lists the rules of archives of crawls.
var OfCrawls = []Rule{MissingResource, MissingPage, RedirectTarget, RedirectLoop, Damaged}

// IsOnRequest reports whether findings of a rule are reported only on request.
func (r Rule) IsOnRequest() bool { return r == Orphan || slices.Contains(OfTexts, r) }

// A Level is the severity of a finding, by the names of SARIF 2.1.0.
type Level string

const (
	LevelError Level = "error" // the reference does not work
	LevelNote  Level = "note"  // it works, or readers do not notice
	LevelOff   Level = "off"   // in an override: do not report the finding
)

var rules = []struct {
	rule  Rule
	level Level
	about string
}{
	{MissingFile, LevelError, "no such file or directory"},
	{BrokenImage, LevelError, "no such file, for an image on the page"},
	{MissingFragment, LevelError, "the document has no such id, heading or line (#L10)"},
	{Case, LevelError, "the name on disk differs in case or Unicode normalization; many servers do not find it"},
	{Outside, LevelError, "points outside the audited directory"},
	{Symlink, LevelError, "points to a broken or circular symbolic link"},
	{DuplicateID, LevelNote, "points to an id that the document has twice"},
	{EmptyLink, LevelNote, "the reference is empty"},
	{BadURL, LevelError, `not a valid URL: a host is missing or invalid, or "%" is not followed by two hex digits`},
	{MissingScheme, LevelError, `a mail address without "mailto:", or a host without "https://" (--fix-schemes adds it)`},
	{LocalURL, LevelNote, "points to the local machine (localhost, file:, a home directory), unless the text of the link is that address"},
	{Redirect, LevelNote, "points to a former URL of a page, which redirects to it"},
	{Undefined, LevelError, "[text][label] with an undefined label"},
	{Unused, LevelNote, "an unused link definition"},
	{Orphan, LevelNote, "no other document links to the document, or nothing refers to the file (--orphans, --orphans=all)"},
	{MissingNote, LevelNote, "a wiki link to a note that does not exist yet"},
	{MissingObject, LevelNote, "a Sphinx role names an object that no document declares, or a label of no known project"},
	{Undeclared, LevelError, "a file of an EPUB that its manifest does not list"},
	{NotInSpine, LevelError, "links to a page of an EPUB that is not in its spine"},
	{MovingLine, LevelNote, "an absolute link to a line (#L10) of a branch of the repository: the line moves"},
	{Forbidden, LevelError, "matches a pattern of --forbid"},
	{VagueText, LevelNote, `the text of a link is vague, such as "here", in eleven languages (--link-texts)`},
	{SameTarget, LevelNote, "the text of a link is the title of another page (--link-texts)"},
	{RedirectTarget, LevelError, "a redirect points to no page, or to an id that the page does not have"},
	{RedirectLoop, LevelError, "a redirect points back to itself, possibly through others"},
	{RedirectChain, LevelNote, "a redirect points to another one"},
	{RedirectShadowed, LevelNote, "a redirect that never applies: from the URL of a page, from a fragment, or behind a broader rule"},
	{RedirectTwice, LevelNote, "two redirects from one URL"},
	{MissingResource, LevelError, "in crawls: no archive has what a page or style sheet needs"},
	{MissingPage, LevelNote, "in crawls: no archive has a linked page of the same site"},
	{MissingOptional, LevelNote, "in crawls: no archive has what a style sheet has only for other states, media or pages, such as :hover"},
	{Damaged, LevelError, "in crawls: a record is damaged or cut"},
	{RemovedURL, LevelError, "no page or redirect serves a URL of an earlier revision, or of a list (--changed-since, --must-keep)"},
	{RemovedID, LevelNote, "a page no longer has the id of a heading of an earlier revision (--changed-since)"},
}

// Rules lists all rules.
func Rules() []Rule {
	all := make([]Rule, len(rules))
	for i, r := range rules {
		all[i] = r.rule
	}
	return all
}

// About describes the problem in a sentence without an initial capital or a period.
func (r Rule) About() string {
	for _, k := range rules {
		if k.rule == r {
			return k.about
		}
	}
	return ""
}

// Level returns the severity of findings of the rule.
func (r Rule) Level() Level { return cmp.Or(levels[r], LevelNote) }

// levels has the levels of the rules: a finding needs that of its rule several times.
var levels = func() map[Rule]Level {
	all := map[Rule]Level{}
	for _, k := range rules {
		all[k.rule] = k.level
	}
	return all
}()
