package input

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.org/refract/internal/slash"
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

// withSlashes returns a glob of file names with forward slashes. On Windows, backslashes are separators,
// and escape nothing.
func withSlashes(glob string, s slash.System) string {
	if s == slash.Windows {
		return strings.ReplaceAll(glob, `\`, "/")
	}
	return glob
}

// A GlobUse notes which globs match a file or directory. A glob that matches nothing is likely to be a
// mistake. The zero value is ready to use.
type GlobUse struct {
	unmatched map[string]rules
	isMatched map[string]bool
	hasWalked bool // a directory has been walked: globs do not apply to files that are named
}

// add adds a glob.
func (u *GlobUse) add(glob string, r rules) {
	if u == nil || len(r) == 0 || strings.HasPrefix(glob, "!") || u.isMatched[glob] {
		return
	}
	if u.unmatched == nil {
		u.unmatched, u.isMatched = map[string]rules{}, map[string]bool{}
	}
	u.unmatched[glob] = r
}

// note notes an entry of a directory.
func (u *GlobUse) note(name string, isDir bool) {
	if u == nil {
		return
	}
	u.hasWalked = true
	for glob, r := range u.unmatched {
		if r.match(name, isDir) != none {
			delete(u.unmatched, glob)
			u.isMatched[glob] = true
		}
	}
}

// Unmatched returns, sorted, the globs that have matched nothing. Those that exclude files are left out,
// because they are often given for all trees.
func (u *GlobUse) Unmatched() []string {
	if u == nil || !u.hasWalked {
		return nil
	}
	return slices.Sorted(maps.Keys(u.unmatched))
}
