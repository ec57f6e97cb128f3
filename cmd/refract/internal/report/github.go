package report

import (
	"fmt"
	"io"
	"strings"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/audit/rule"
)

// Characters that would end a command or one of its properties are percent-encoded. GitHub's runner
// decodes them.
var (
	escapeData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// GitHub writes GitHub workflow commands, one per line, which become annotations. GitHub shows ten
// errors and ten notices per step. File names must be relative to the root of the repository, where
// workflows run.
func (r *Run) GitHub(w io.Writer) error {
	var (
		src source
		err error
	)
	command := func(level, file, place, title, text string) {
		if err == nil {
			// The runner does not decode escapes of other control characters, so such an annotation
			// belongs to no file. But a raw control character could be misinterpreted.
			name := ascii.AppendLine(nil, escapeProperty.Replace(strings.ToValidUTF8(file, "\ufffd")))
			_, err = fmt.Fprintf(w, "::%s file=%s%s,title=%s::%s\n", level, name, place,
				escapeProperty.Replace(title), ascii.AppendLine(nil, escapeData.Replace(printable(text))))
		}
	}
	for f := range r.all() {
		at := src.region(f)
		place := ""
		if at.line > 0 {
			place = fmt.Sprintf(",line=%d", at.line)
		}
		if at.isRead {
			// GitHub accepts columns only if there is a single line.
			if at.endLine == at.line {
				place += fmt.Sprintf(",col=%d,endColumn=%d", at.column, at.endColumn)
			} else {
				place += fmt.Sprintf(",endLine=%d", at.endLine)
			}
		}
		level := "error"
		if f.Level() == rule.LevelNote {
			level = "notice"
		}
		command(level, f.File, place, string(f.Rule), r.text(f))
	}
	for _, e := range r.Errors {
		command("error", e.File, "", "unreadable", e.Err.Error())
	}
	for _, n := range r.Notes {
		command("notice", n.File, "", "note", n.Text)
	}
	return err
}
