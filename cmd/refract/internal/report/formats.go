package report

import (
	"fmt"
	"io"
	"strings"
	"unicode"
)

// formats lists the formats for other programs.
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

// Write writes r to w in one of [Formats]. Text that is not UTF-8, or that the format cannot
// represent, becomes U+FFFD. The error is an error of w, or says that the format is unknown.
func (r *Run) Write(w io.Writer, format string) error {
	for _, f := range formats {
		if f.name == format {
			return f.write(r, w)
		}
	}
	return fmt.Errorf("report: format %q: give one of %s", format, strings.Join(Formats(), ", "))
}

// printable returns s without anything that moves a cursor or reverses text in a log.
func printable(s string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsControl(c) && c != '\n' && c != '\r' && c != '\t' || c == '\u2028' || c == '\u2029' || unicode.Is(unicode.Bidi_Control, c) {
			return unicode.ReplacementChar
		}
		return c
	}, s)
}
