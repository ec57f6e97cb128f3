package tree

import (
	"path"
	"strings"

	"example.org/refract/internal/input"
	"example.org/refract/internal/slash"
)

// Places are the directories of an audit, under the names that it uses for them. If a parent directory is a
// symbolic link, a directory has two names. On macOS, /tmp is a link to /private/tmp, so that a shell may
// be in /tmp/x and the repository in /private/tmp/x. Names are compared as written, so one tree must have
// one name.
//
// The methods may not be called at the same time.
type Places struct {
	tree Tree
	dirs map[string]bool   // the directories
	all  map[string]bool   // with those above them
	real map[string]string // the names in all, by the name without symbolic links
}

// NewPlaces returns the directories of t with the given names, which are absolute. "" is none.
func NewPlaces(t Tree, dirs ...string) *Places {
	p := &Places{tree: t, dirs: map[string]bool{}, all: map[string]bool{}, real: map[string]string{}}
	for _, dir := range dirs {
		p.Add(dir)
	}
	return p
}

// Add adds a directory under its name. A relative name is ignored.
func (p *Places) Add(name string) {
	name = slash.Path(name)
	if !input.IsAbs(name) {
		return
	}
	name = path.Clean(name)
	for dir := range above(name) {
		if p.all[dir] {
			continue
		}
		real, err := p.tree.Real(dir)
		if err != nil {
			return
		}
		p.all[dir] = true
		if _, ok := p.real[real]; !ok {
			p.real[real] = dir
		}
	}
	p.dirs[name] = true
}

// Name returns an absolute name as the directories of p have it. If the name reaches one of them, or a
// directory above or below one, by another way, its beginning is replaced. A relative name stays.
func (p *Places) Name(name string) string {
	full := slash.Path(name)
	if !input.IsAbs(full) {
		return name
	}
	full = path.Clean(full)
	for dir := range above(full) {
		if p.all[dir] {
			continue
		}
		real, err := p.tree.Real(dir)
		if err != nil {
			return name
		}
		if known := p.known(real); known != "" && known != dir {
			return path.Join(known, strings.TrimPrefix(full, dir))
		}
	}
	return name
}

// known returns the name in p of a directory without symbolic links, or "" if it is neither above a
// directory of p nor below one.
func (p *Places) known(real string) string {
	if name, ok := p.real[real]; ok {
		return name
	}
	for dir := real; path.Dir(dir) != dir; {
		dir = path.Dir(dir)
		if name, ok := p.real[dir]; ok && p.dirs[name] {
			return path.Join(name, strings.TrimPrefix(real, dir))
		}
	}
	return ""
}

// Argument is Name for a path that a user gives to be read, and adds it. It keeps a name below one of the
// directories as written: the link that it follows is part of the tree.
func (p *Places) Argument(name string) string {
	full := slash.Path(name)
	if !input.IsAbs(full) {
		return name
	}
	isBelow := false
	for dir := range above(path.Clean(full)) {
		isBelow = isBelow || p.dirs[dir]
	}
	if !isBelow {
		name = p.Name(name)
	}
	p.Add(name)
	return name
}

// above returns the directories above an absolute name, the highest first, and the name itself.
func above(name string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for i := range len(name) {
			if name[i] == '/' && !yield(name[:max(i, strings.IndexByte(name, '/')+1)]) {
				return
			}
		}
		if !strings.HasSuffix(name, "/") {
			yield(name)
		}
	}
}
