package tree

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/lazy"
)

// Projects finds repositories and packages, which bound what references may mean.
type Projects struct {
	files *Listings
	tops  lazy.Map[string, string] // repository by directory; "" means none
}

func NewProjects(files *Listings) *Projects { return &Projects{files: files} }

// Repository returns the nearest directory upwards that holds .git, or "".
func (p *Projects) Repository(dir string) string {
	return p.tops.Get(dir, p.findRepository)
}

func (p *Projects) findRepository(dir string) string {
	if p.files.Has(dir, ".git") {
		return dir
	}
	if up := path.Dir(dir); up != dir && up != "." {
		return p.Repository(up)
	}
	return ""
}

// Boundary returns the directory that a document's references should not leave, and that "/x" is
// relative to. That is its repository, as on GitHub, or else the directory below which it was found.
func (p *Projects) Boundary(dir, found string) string {
	if top := p.Repository(dir); top != "" {
		return strings.TrimSuffix(top, "/") // the root is ""
	}
	return found
}

// Packages returns the directories that "/x" in d may be relative to: its boundary and, before that,
// outside a repository, the nearest directory that holds a package. An unpacked release or dependency
// holds the top of a repository.
func (p *Projects) Packages(dir, found string) []string {
	top := p.Boundary(dir, found)
	if p.Repository(dir) == "" {
		for ; Below(dir, top) && dir != top && path.Dir(dir) != dir; dir = path.Dir(dir) {
			if p.IsPackage(dir) {
				return []string{dir, top}
			}
		}
	}
	return []string{top}
}

// Holder returns the nearest directory upwards that holds a package or a repository.
func (p *Projects) Holder(dir string) string {
	for ; path.Dir(dir) != dir && dir != "."; dir = path.Dir(dir) {
		if p.Repository(dir) == dir || p.IsPackage(dir) {
			return dir
		}
	}
	return ""
}

// IsPackage reports whether a directory holds a package.
func (p *Projects) IsPackage(dir string) bool {
	return slices.ContainsFunc(packageFiles, func(name string) bool {
		return p.files.Has(dir, name)
	})
}

// IsDescribed reports whether a directory has the files that the top of a project has for its readers.
func (p *Projects) IsDescribed(dir string) bool {
	return slices.ContainsFunc([]string{"README.md", "README.rst", "README.adoc", "README.txt", "README", "LICENSE", "COPYING"}, func(name string) bool {
		return p.files.Has(dir, name)
	})
}

var packageFiles = []string{"go.mod", "package.json", "Cargo.toml", "pyproject.toml", "composer.json"}
