package input

import (
	"path"
	"strings"

	"example.org/refract/internal/slash"
)

// Globs select files by patterns as those of Options.Globs, without a walk.
type Globs struct {
	dir   string // with a slash at its end
	rules rules
	dirs  rules // those without wildcards
}

// NewGlobs returns globs that are relative to dir, which is absolute, with forward slashes. It returns an
// error about the first one that is malformed.
func NewGlobs(globs []string, dir string) (g Globs, err error) {
	g.dir = strings.TrimSuffix(dir, "/") + "/"
	for _, glob := range globs {
		r, err := parseGlob(withSlashes(glob, slash.Here()))
		if err != nil {
			return g, err
		}
		g.rules = append(g.rules, r...)
		if len(r) > 0 && r[0].exact {
			g.dirs = append(g.dirs, r...)
		}
	}
	return g, nil
}

// Match reports whether the globs select the file at an absolute path. The last glob that matches decides.
// One without wildcards that names a directory decides about all in it that none else matches.
func (g *Globs) Match(p string) bool {
	rel, isBelow := strings.CutPrefix(p, g.dir)
	if !isBelow || len(g.rules) == 0 {
		return false
	}
	v := g.rules.match(rel, false)
	for v == none && rel != "." {
		rel = path.Dir(rel)
		v = g.dirs.match(rel, true)
	}
	return v == ignore || v == none && !g.rules.has(ignore)
}
