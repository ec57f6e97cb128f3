package doc

import (
	"slices"
	"strings"

	"example.org/refract/internal/audit/tree"
)

// Names says how to show paths to users.
type Names struct {
	Dir  string // absolute directory that shown paths are relative to
	Args []Arg
}

// An Arg is a directory of Options.Paths, as given and as an absolute path.
type Arg struct{ Name, Path string }

// Contain reports whether a path is in a directory of Options.Paths.
func (n *Names) Contain(p string) bool {
	return slices.ContainsFunc(n.Args, func(g Arg) bool { return tree.Below(p, g.Path) })
}

// Shown returns a path as it is shown to users. A path below an argument begins with the argument as
// given. Any other path is relative to dir if it is below dir.
func (n *Names) Shown(p string) string {
	for _, g := range n.Args {
		if p == g.Path {
			return g.Name
		}
		if rest, ok := strings.CutPrefix(p, g.Path+"/"); ok {
			if g.Name == "." {
				return rest
			}
			return g.Name + "/" + rest
		}
	}
	if rest, ok := strings.CutPrefix(p, n.Dir+"/"); ok {
		return rest
	}
	return p
}
