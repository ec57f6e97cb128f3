package audit

// A Rule is a name for what can be wrong. The names are stable.
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
)

// A Level is how bad it is, by the names of SARIF 2.1.0.
type Level string

const (
	LevelError Level = "error" // readers do not get where they should
	LevelNote  Level = "note"  // a remark: they do, or nobody goes there
)

var rules = []struct {
	rule  Rule
	level Level
	about string
}{
	{MissingFile, LevelError, "there is no such file or directory"},
	{BrokenImage, LevelError, "there is no such file, of an image that is to be shown"},
	{MissingFragment, LevelError, "the document has no such id, heading or line (#L10)"},
	{Case, LevelError, "on disk the name has other letters in upper case, or composed in another way: there are servers that do not find it"},
	{Outside, LevelError, "leads out of the tree"},
	{Symlink, LevelError, "leads to a symbolic link that leads nowhere, or in a circle"},
	{DuplicateID, LevelNote, "leads to an id that is there twice, in places apart"},
	{EmptyLink, LevelNote, "the reference is empty"},
	{BadURL, LevelError, `no URL by its syntax: a host is missing or invalid, "%" not followed by two digits`},
	{MissingScheme, LevelError, `an address of mail without "mailto:", or a host without "https://"; --fix writes it with --fix-schemes`},
	{LocalURL, LevelNote, "leads to one computer: localhost, file:, a home directory; a link whose text is that address is meant so"},
	{Redirect, LevelNote, "leads to an earlier URL of a page, which redirects to it"},
	{Undefined, LevelError, "[text][label] without a definition of the label"},
	{Unused, LevelNote, "a definition that nothing refers to"},
	{Orphan, LevelNote, "no other document links to the document (--orphans)"},
	{MissingNote, LevelNote, "a wiki link to a note that is still to be written"},
}

// Rules lists all rules.
func Rules() []Rule {
	all := make([]Rule, len(rules))
	for i, r := range rules {
		all[i] = r.rule
	}
	return all
}

// About says in a sentence what is wrong, without a capital letter and a full stop.
func (r Rule) About() string {
	for _, k := range rules {
		if k.rule == r {
			return k.about
		}
	}
	return ""
}

// Level returns how bad it is.
func (r Rule) Level() Level {
	for _, k := range rules {
		if k.rule == r {
			return k.level
		}
	}
	return LevelNote
}
