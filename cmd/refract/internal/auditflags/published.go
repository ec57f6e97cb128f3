package auditflags

import (
	"path/filepath"

	"example.org/refract/cmd/refract/internal/git"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/slash"
)

// published returns what the commit publishes of the paths that are audited, by the names of today's tree.
func (r *revision) published(report *audit.Report, links *audit.IDLinks, commit *git.Commit) *audit.Inventory {
	absolute := func(rel string) string { return slash.Path(filepath.Join(r.top, filepath.FromSlash(rel))) }
	all := report.Inventory(links, func(p string) (string, bool) { return p, r.compares(p) })
	report.Release()
	all.Renamed, all.Changed = map[string]string{}, map[string]bool{}
	for from, to := range commit.Renamed {
		all.Renamed[absolute(from)] = absolute(to)
	}
	for name := range commit.Changed {
		all.Changed[absolute(name)] = true
	}
	return all
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
