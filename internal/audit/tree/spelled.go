package tree

import (
	"cmp"
	"strings"
	"unicode"

	"example.org/refract/internal/input"
	"example.org/refract/internal/slash"
	"golang.org/x/text/unicode/norm"
)

// Spelled returns a file name as the directories of t spell it, and with forward slashes. Windows and macOS
// also open "Docs" as "docs", but the targets of links are compared with the names on disk. A name that
// does not exist, or is on a case-sensitive file system, stays as it is. A relative name is relative to
// dir. Spelled looks up two names for each component, and lists a directory only if both exist.
func Spelled(t Tree, dir, name string) string {
	name = slash.Path(name)
	at, done, rest := "", "", name // at is in front of relative names
	switch i := strings.IndexByte(name, '/'); {
	case !input.IsAbs(name):
		if dir != "" {
			at = strings.TrimSuffix(dir, "/") + "/"
		}
	case i < 0:
		return name // a volume
	default:
		done, rest = name[:i+1], name[i+1:]
	}
	for rest != "" {
		component, after, isBelow := strings.Cut(rest, "/")
		if component != "" && component != "." && component != ".." {
			is, ok := spelling(t, at+done, component)
			if !ok {
				return done + rest
			}
			component = is
		}
		done += component
		if isBelow {
			done += "/"
		}
		rest = after
	}
	return done
}

// spelling returns the spelling of an entry of a directory, whose name ends in a slash or is "". ok is
// false if there is none.
func spelling(t Tree, dir, name string) (is string, ok bool) {
	if _, err := t.Lstat(dir + name); err != nil {
		return "", false
	}
	other := otherSpelling(name)
	if other == name {
		return name, true
	}
	if _, err := t.Lstat(dir + other); err != nil {
		return name, true
	}
	entries, _ := t.ReadDir(cmp.Or(dir, "."))
	is = name
	for _, e := range entries {
		if e.Name() == name {
			return name, true
		}
		if Fold(e.Name()) == Fold(name) {
			is = e.Name()
		}
	}
	return is, true
}

// otherSpelling returns a name that means the same where case does not matter, or, if it has no letters
// with a case, where the composition of letters does not matter; otherwise name.
func otherSpelling(name string) string {
	other := strings.Map(func(r rune) rune {
		if u := unicode.ToUpper(r); u != r {
			return u
		}
		return unicode.ToLower(r)
	}, name)
	if other == name {
		other = norm.NFD.String(name)
	}
	if other == name {
		other = norm.NFC.String(name)
	}
	return other
}
