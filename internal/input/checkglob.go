package input

import (
	"fmt"
	"strings"
)

// CheckGlob returns an error if glob cannot be one of Options.Globs: it says which bracket is not closed, or what
// else is wrong, without the glob.
func CheckGlob(glob string) error {
	if what := unclosed(glob); what != "" {
		return fmt.Errorf("%[1]s is not closed: write \\%[1]s for the character", what)
	}
	_, err := parseGlob(glob)
	return err
}

// unclosed returns the bracket of a glob that is never closed, or "".
func unclosed(glob string) string {
	braces := 0
	for i := 0; i < len(glob); i++ {
		switch glob[i] {
		case '\\':
			i++
		case '[':
			n := 1 + len(glob[i+1:]) - len(strings.TrimLeft(glob[i+1:], "!^"))
			if strings.HasPrefix(glob[i+n:], "]") {
				n++
			}
			end := strings.IndexByte(glob[min(i+n, len(glob)):], ']')
			if end < 0 {
				return "["
			}
			i += n + end
		case '{':
			braces++
		case '}':
			braces--
		}
	}
	if braces > 0 {
		return "{"
	}
	return ""
}
