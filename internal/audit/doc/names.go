package doc

import (
	"cmp"
	"slices"
	"strings"

	"example.org/refract/internal/order"
	"example.org/refract/internal/slash"
)

// Names says how to show paths to users.
type Names struct {
	Dir    string // absolute directory that shown paths are relative to
	Args   []Arg  // by SetArgs
	byPath map[string]Arg
	// Repositories are those of the Args: absolute paths. All documents in them are read.
	Repositories []string
}

// An Arg is a directory of Options.Paths, as given and as an absolute path.
type Arg struct{ Name, Path string }

// SetArgs sets Args, and sorts them: outer directories come before inner ones.
func (n *Names) SetArgs(args []Arg) {
	order.Sort(args, func(x, y Arg) int { return cmp.Or(len(x.Path)-len(y.Path), cmp.Compare(x.Path, y.Path)) })
	n.Args, n.byPath = args, make(map[string]Arg, len(args))
	for _, g := range slices.Backward(args) { // so that the first of those with one path stays
		n.byPath[g.Path] = g
	}
}

// outermost returns the outermost of Args that is a path or contains it. There may be many Args, so it
// looks up each parent directory of the path.
func (n *Names) outermost(p string) (g Arg, ok bool) {
	for {
		if in, isArg := n.byPath[p]; isArg {
			g, ok = in, true
		}
		i := strings.LastIndexByte(p, '/')
		if i < 0 {
			return g, ok
		}
		p = p[:i]
	}
}

// Contain reports whether a path is in a directory of Options.Paths.
func (n *Names) Contain(p string) bool {
	_, ok := n.outermost(p)
	return ok
}

// IsRead reports whether the documents at a path are read: it is in a directory of Options.Paths, or in one
// of Repositories.
func (n *Names) IsRead(p string) bool { return n.Contain(p) || n.around(p) != "" }

// around returns the one of Repositories that holds a path, or "".
func (n *Names) around(p string) string {
	for _, top := range n.Repositories {
		if strings.HasPrefix(p, strings.TrimSuffix(top, "/")+"/") {
			return top
		}
	}
	return ""
}

// Shown returns a path as it is shown to users. A path below an argument begins with the argument as
// given. Any other path is relative to dir if it is below dir.
func (n *Names) Shown(p string) string {
	g, ok := n.outermost(p)
	switch {
	case ok && p == g.Path:
		return g.Name
	case ok && g.Name == ".":
		return p[len(g.Path)+1:]
	case ok:
		return g.Name + p[len(g.Path):]
	}
	if rest, ok := strings.CutPrefix(p, n.Dir+"/"); ok {
		return rest
	}
	return slash.Shown(p)
}
