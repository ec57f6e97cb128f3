package reason

// A Cause is what a maintainer can do something about: each Reason has one. Programs compare causes; the
// rest of a reason is text.
type Cause uint8

// The causes.
const (
	_            Cause = iota
	Build              // a build makes the page or file
	Code               // code of the project, a plugin or an extension decides
	Component          // a component or a theme makes it of what is written
	Templated          // a template makes it, or it is a sample
	Unpublished        // the page is not published there
	OtherSite          // another site, project or repository has it
	OtherVersion       // another version, branch or language has it
	OtherPage          // it belongs to another page, which includes or shows this
	Base               // what it is relative to is not known
	IDs                // the ids, or the rules for them, are not known
	Outside            // it is outside the repository
	NoLink             // it is data that may be no link
)

// causes holds the name, the phrase and the remedy of each cause, and whether the output of a build is another remedy.
var causes = [...]struct {
	name, phrase, remedy string
	inBuild              bool
}{
	Build:        {"build", "made by a build", "", true},
	Code:         {"code", "decided by code, a plugin or an extension", "", true},
	Component:    {"component", "made by a component or a theme", "", true},
	Templated:    {"template", "in a template, or a sample", "give the file on the command line, if it is a sample", false},
	Unpublished:  {"unpublished", "not published, or published elsewhere", "", true},
	OtherSite:    {"other-site", "on another site, or in another project", "--site URL=DIR names a directory of this tree that is published there", false},
	OtherVersion: {"other-version", "in another version, branch or language", "audit a tree that has the other version", false},
	OtherPage:    {"other-page", "on a page that includes or shows this", "", true},
	Base:         {"base", "relative to an unknown place", "--root DIR, --site URL=DIR or the configuration of the site names it", true},
	IDs:          {"ids", "an id, by rules that are unknown here", "--slugs NAME says which program makes the ids", true},
	Outside:      {"outside", "not in the repository", "audit the directory that holds it", false},
	NoLink:       {"no-link", "data that may be no link", "", false},
}

// Causes returns all causes.
func Causes() []Cause {
	all := make([]Cause, 0, len(causes)-1)
	for c := range causes[1:] {
		all = append(all, Cause(c+1))
	}
	return all
}

// String returns the name of c, such as "other-site". It is "" for the cause of the zero Reason.
func (c Cause) String() string { return causes[c].name }

// Phrase returns what c is about, as the predicate of a reference: "made by a build".
func (c Cause) Phrase() string { return causes[c].phrase }

// Remedy returns what lets the audit check the references that it does not check because of c. It is "" if
// nothing does. The output of a build is named unless it is given.
func (c Cause) Remedy(hasBuild bool) string {
	const built = "--built DIR, the output of a build, decides"
	switch x := causes[c]; {
	case hasBuild || !x.inBuild:
		return x.remedy
	case x.remedy == "":
		return built
	default:
		return x.remedy + "; " + built
	}
}
