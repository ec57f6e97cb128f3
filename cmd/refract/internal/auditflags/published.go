package auditflags

import (
	"path/filepath"
	"strings"

	"example.org/refract/cmd/refract/internal/git"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/slash"
)

// published returns what the commit publishes of the paths that are audited, by the names of today's tree. renamed maps the old
// names of files to the new ones.
func (c *comparison) published(r *revision, report *audit.Report, links *audit.IDLinks, renamed map[string]string) (*audit.Inventory, error) {
	absolute := func(rel string) string { return slash.Path(filepath.Join(r.top, filepath.FromSlash(rel))) }
	tree := slash.Path(r.tree)
	all := report.Inventory(links, func(p string) (string, bool) {
		rel, isIn := strings.CutPrefix(p, tree+"/")
		return absolute(rel), isIn && r.compares(p)
	})
	report.Release()
	all.Renamed, all.Changed = map[string]string{}, map[string]bool{}
	for from, to := range renamed {
		all.Renamed[absolute(from)] = absolute(to)
	}
	out, err := git.Output(r.top, git.NoFilters(r.top, nil), "diff", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all",
		"--name-only", "-z", "--no-renames", c.commit, "--")
	if err != nil {
		return nil, err
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		all.Changed[absolute(name)] = true
	}
	return all, nil
}

// compares reports whether a file of the tree is in one of the paths that are audited.
func (r *revision) compares(p string) bool {
	if _, isMoved := r.moved[filepath.FromSlash(p)]; isMoved {
		return true
	}
	for _, at := range r.paths {
		if isIn(filepath.FromSlash(p), at) {
			return true
		}
	}
	return false
}
