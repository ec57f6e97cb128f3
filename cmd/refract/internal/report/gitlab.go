package report

import (
	"crypto/sha256"
	"encoding/hex"
	"io"

	"example.org/refract/internal/audit/rule"
)

// The objects of GitLab's code quality report (docs.gitlab.com, "Code Quality report format"), a subset of
// Code Climate's.
type (
	gitlabIssue struct {
		Description string         `json:"description"`
		Check       string         `json:"check_name"`
		Fingerprint string         `json:"fingerprint"` // unique in the report
		Severity    string         `json:"severity"`    // info, minor, major, critical or blocker
		Location    gitlabLocation `json:"location"`
	}
	gitlabLocation struct {
		Path  string      `json:"path"` // relative to the repository, without "./"
		Lines gitlabLines `json:"lines"`
	}
	gitlabLines struct {
		Begin int `json:"begin"`
	}
)

// GitLab writes a code quality report of GitLab, which compares the reports of two branches by their
// fingerprints. File names must be relative to the root of the repository, where jobs run. A document that
// could not be read is also an issue; notes have the severity "info".
func (r *Run) GitLab(w io.Writer) error {
	list := listWriter{w: w}
	if err := list.begin([]gitlabIssue{}, "]\n"); err != nil {
		return err
	}
	seen := map[[sha256.Size]byte]int{}
	for f := range r.all() {
		severity := "major"
		if f.Level() == rule.LevelNote {
			severity = "info"
		}
		// GitLab requires a line. A finding about a whole document is about its first one.
		i := gitlabIssue{r.text(f), "refract/" + string(f.Rule), fingerprint(f, seen), severity, gitlabLocation{f.File, gitlabLines{max(1, f.Pos.Line)}}}
		if err := list.add(&i); err != nil {
			return err
		}
	}
	other := func(check, severity, file, text string, line int) error {
		sum := sha256.Sum256([]byte(check + "\x00" + file + "\x00" + text))
		return list.add(&gitlabIssue{text, "refract/" + check, hex.EncodeToString(sum[:16]), severity, gitlabLocation{file, gitlabLines{max(1, line)}}})
	}
	for _, e := range r.Errors {
		if err := other("unreadable", "critical", e.File, e.Err.Error(), 1); err != nil {
			return err
		}
	}
	for _, n := range r.Notes {
		if err := other("note", "info", n.File, n.Text, n.Pos.Line); err != nil {
			return err
		}
	}
	return list.end()
}
