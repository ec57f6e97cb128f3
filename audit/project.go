package audit

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/lazy"
)

// projects finds repositories and packages, which bound what references may mean.
type projects struct {
	files *listings
	tops  lazy.Map[string, string] // repository by directory; "" means none
}

func newProjects(files *listings) *projects { return &projects{files: files} }

// repository returns the nearest directory upwards that holds .git, or "".
func (p *projects) repository(dir string) string {
	return p.tops.Get(dir, p.findRepository)
}

func (p *projects) findRepository(dir string) string {
	if p.files.has(dir, ".git") {
		return dir
	}
	if up := path.Dir(dir); up != dir && up != "." {
		return p.repository(up)
	}
	return ""
}

// boundary returns the directory that a document's references should not leave, and that "/x" is
// relative to. That is its repository, as on GitHub, or else the directory below which it was found.
func (p *projects) boundary(d *document) string {
	if top := p.repository(d.dir()); top != "" {
		return strings.TrimSuffix(top, "/") // the root is ""
	}
	return d.top
}

// packages returns the directories that "/x" in d may be relative to: its boundary and, before that,
// outside a repository, the nearest directory that holds a package. An unpacked release or dependency
// holds the top of a repository.
func (p *projects) packages(d *document) []string {
	top := p.boundary(d)
	if p.repository(d.dir()) == "" {
		for dir := d.dir(); below(dir, top) && dir != top && path.Dir(dir) != dir; dir = path.Dir(dir) {
			if p.isPackage(dir) {
				return []string{dir, top}
			}
		}
	}
	return []string{top}
}

// holder returns the nearest directory upwards that holds a package or a repository.
func (p *projects) holder(dir string) string {
	for ; path.Dir(dir) != dir && dir != "."; dir = path.Dir(dir) {
		if p.repository(dir) == dir || p.isPackage(dir) {
			return dir
		}
	}
	return ""
}

// isPackage reports whether a directory holds a package.
func (p *projects) isPackage(dir string) bool {
	return slices.ContainsFunc(packageFiles, func(name string) bool {
		return p.files.has(dir, name)
	})
}

// isDescribed reports whether a directory has what the top of a project has for its readers.
func (p *projects) isDescribed(dir string) bool {
	return slices.ContainsFunc([]string{"README.md", "README.rst", "README.adoc", "README.txt", "README", "LICENSE", "COPYING"}, func(name string) bool {
		return p.files.has(dir, name)
	})
}

var packageFiles = []string{"go.mod", "package.json", "Cargo.toml", "pyproject.toml", "composer.json"}
