package report

import (
	"fmt"
	"io"
	"strings"

	"example.org/refract/audit"
	"example.org/refract/internal/ascii"
)

// What ends a command or a property of it stands as a percent-escape, with which the
// runner of GitHub undoes it.
var (
	escapeData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// github writes commands for a workflow of GitHub, a line each, which makes annotations
// of them: of a step, it shows ten errors and ten notices. Names of files are to be
// relative to the root of the repository, where workflows run.
func (r *Run) github(w io.Writer) error {
	var (
		src source
		err error
	)
	command := func(level, file, place, title, text string) {
		if err == nil {
			// The runner does not undo escapes of other control characters. They lead to no
			// file, but a raw one might be taken for something else.
			name := ascii.AppendLine(nil, escapeProperty.Replace(strings.ToValidUTF8(file, "\ufffd")))
			_, err = fmt.Fprintf(w, "::%s file=%s%s,title=%s::%s\n", level, name, place,
				escapeProperty.Replace(title), ascii.AppendLine(nil, escapeData.Replace(printable(text))))
		}
	}
	for _, f := range r.Findings {
		at := src.region(f)
		place := ""
		if at.line > 0 {
			place = fmt.Sprintf(",line=%d", at.line)
		}
		if at.isRead {
			// It takes columns only where there is one line.
			if at.endLine == at.line {
				place += fmt.Sprintf(",col=%d,endColumn=%d", at.column, at.endColumn)
			} else {
				place += fmt.Sprintf(",endLine=%d", at.endLine)
			}
		}
		level := "error"
		if f.Rule.Level() == audit.LevelNote {
			level = "notice"
		}
		command(level, f.File, place, string(f.Rule), f.Text())
	}
	for _, e := range r.Errors {
		command("error", e.File, "", "unreadable", e.Err.Error())
	}
	for _, n := range r.Notes {
		command("notice", n.File, "", "note", n.Text)
	}
	return err
}
