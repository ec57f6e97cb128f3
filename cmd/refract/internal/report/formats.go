package report

import (
	"fmt"
	"io"
	"strings"
	"unicode"
)

// formats are what other programs read.
var formats = []struct {
	name  string
	write func(*Run, io.Writer) error
}{
	{"sarif", (*Run).sarif},
	{"junit", (*Run).junit},
	{"github", (*Run).github},
	{"checkstyle", (*Run).checkstyle},
	{"rdjson", (*Run).rdjson},
}

// Formats lists the names of the formats of [Run.Write].
func Formats() []string {
	var names []string
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

// Write writes r to w in one of [Formats]. Text that is not UTF-8, or that a format has
// no way to hold, is U+FFFD there. An error is that of w, or says that there is no such
// format.
func (r *Run) Write(w io.Writer, format string) error {
	for _, f := range formats {
		if f.name == format {
			return f.write(r, w)
		}
	}
	return fmt.Errorf("report: format %q: give one of %s", format, strings.Join(Formats(), ", "))
}

// printable is s for a log: nothing in it moves a cursor or turns text around.
func printable(s string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsControl(c) && c != '\n' && c != '\r' && c != '\t' || c == '\u2028' || c == '\u2029' || unicode.Is(unicode.Bidi_Control, c) {
			return unicode.ReplacementChar
		}
		return c
	}, s)
}
