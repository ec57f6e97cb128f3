package report

import (
	"strings"
	"unicode"

	"example.org/refract/internal/ascii"
)

// The formats for other programs are methods of [Run]. Text that is not UTF-8, or that a format cannot
// represent, becomes U+FFFD. Their errors are those of the writer.

// printable returns s without anything that moves a cursor or reverses text in a log.
func printable(s string) string {
	return strings.Map(func(c rune) rune {
		if ascii.IsHidden(c) && c != '\n' && c != '\r' && c != '\t' {
			return unicode.ReplacementChar
		}
		return c
	}, s)
}
