package move

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/slash"
)

// findTree returns the tree that a file is part of: the repository around it, otherwise the working
// directory.
func findTree(name string) (*diskTree, error) {
	full, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	for dir := filepath.Dir(full); ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			root, err := realDir(dir)
			return &diskTree{Root: root, Git: true}, err
		}
		if filepath.Dir(dir) == dir {
			break
		}
	}
	root, err := filepath.Abs(".")
	if err == nil {
		root, err = realDir(root)
	}
	return &diskTree{Root: root}, err
}

// realDir returns the name of a directory without symbolic links, as it is spelled on disk.
func realDir(name string) (string, error) {
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return "", err
	}
	return filepath.FromSlash(tree.Spelled(tree.Disk(), "", real)), nil
}

// renames returns the renames of "mv olds to". Missing directories of the new names will be made. An error
// says why something cannot be moved.
func (t *diskTree) renames(olds []string, to string) (renames []Rename, err error) {
	info, err := os.Stat(to)
	isInto := err == nil && info.IsDir() || strings.HasSuffix(slash.Path(to), "/")
	if len(olds) > 1 && !isInto {
		return nil, fmt.Errorf("%s is not a directory: several files cannot be moved to it", to)
	}
	if isInto && len(olds) == 1 && err == nil {
		if was, err := os.Lstat(olds[0]); err == nil && os.SameFile(was, info) { // only the case changes
			isInto = filepath.Clean(olds[0]) == filepath.Clean(to)
		}
	}
	taken := map[string]bool{}
	for _, old := range olds {
		from, err := t.inside(old)
		if err != nil {
			return nil, err
		}
		target := to
		if isInto {
			target = filepath.Join(to, filepath.Base(filepath.FromSlash(from)))
		}
		dest, err := t.inside(target)
		if err != nil {
			return nil, err
		}
		if err := t.mayMove(from, dest); err != nil {
			return nil, err
		}
		if taken[dest] {
			return nil, fmt.Errorf("two files would become %s", dest)
		}
		taken[dest] = true
		for _, r := range renames {
			if below(from, r.From) || below(r.From, from) {
				return nil, fmt.Errorf("%s and %s are one inside the other", r.From, from)
			}
		}
		renames = append(renames, Rename{from, dest})
	}
	return renames, nil
}

// inside returns the absolute path of a name in the tree. Symbolic links to directories on the way are
// followed.
func (t *diskTree) inside(name string) (string, error) {
	full, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	if strings.IndexByte(full, 0) >= 0 {
		return "", fmt.Errorf("%q is not the name of a file", name)
	}
	dir := filepath.Dir(full)
	rest := filepath.Base(full)
	for {
		real, err := realDir(dir)
		if err == nil {
			full = filepath.Join(real, rest)
			break
		}
		if filepath.Dir(dir) == dir {
			break
		}
		rest = filepath.Join(filepath.Base(dir), rest)
		dir = filepath.Dir(dir)
	}
	p, root := slash.Path(full), strings.TrimSuffix(slash.Path(t.Root), "/")
	if p == root || !below(p, root) {
		return "", fmt.Errorf("%s is not in the tree %s", name, t.Root)
	}
	for component := range strings.SplitSeq(strings.TrimPrefix(p, root+"/"), "/") {
		if component == ".git" || component == journalName {
			return "", fmt.Errorf("%s is in %s", name, component)
		}
	}
	return p, nil
}

// document returns the absolute path of a document whose heading is renamed.
func (t *diskTree) document(name string) (string, error) {
	p, err := t.inside(name)
	if err != nil {
		return "", err
	}
	info, err := os.Lstat(filepath.FromSlash(p))
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", name)
	}
	return p, err
}

// mayMove reports why a file or directory cannot be moved.
func (t *diskTree) mayMove(from, to string) error {
	info, err := os.Lstat(filepath.FromSlash(from))
	switch {
	case err != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("%s is a symbolic link: move the file that it points to", from)
	case !info.IsDir() && !info.Mode().IsRegular():
		return fmt.Errorf("%s is neither a file nor a directory", from)
	case from == to:
		return fmt.Errorf("%s is the same file", to)
	case below(to, from):
		return fmt.Errorf("%s cannot be moved into itself", from)
	}
	isThere, err := hasEntry(filepath.FromSlash(to))
	if there, err := os.Lstat(filepath.FromSlash(to)); err == nil && (isThere || !os.SameFile(there, info)) {
		return fmt.Errorf("%s exists: give another name, or remove it", to)
	}
	for dir := path.Dir(to); dir != path.Dir(dir); dir = path.Dir(dir) {
		if there, err := os.Stat(filepath.FromSlash(dir)); err == nil {
			if !there.IsDir() {
				return fmt.Errorf("%s is not a directory", dir)
			}
			break
		}
	}
	if err != nil {
		return err
	}
	if info.IsDir() {
		return filepath.WalkDir(filepath.FromSlash(from), func(name string, e fs.DirEntry, err error) error {
			if err == nil && e.Name() == ".git" {
				return fmt.Errorf("%s is a repository of its own", filepath.Dir(name))
			}
			return err
		})
	}
	return nil
}

// maxLinks limits how many symbolic links are reported.
const maxLinks = 20

// links returns the symbolic links below Request.Links that the renames would break: those that point to a
// moved file, and those that move and have a relative target. It notes those that point to a directory in
// which something moves.
func (p *planner) links() (problems []Problem, err error) {
	root := strings.TrimSuffix(p.request.Links, "/")
	var visit func(dir string) error
	visit = func(dir string) error {
		list, err := p.under.ReadDir(dir + "/")
		if err != nil && !errors.Is(err, fs.ErrPermission) {
			return err
		}
		for _, e := range list {
			name := dir + "/" + e.Name()
			switch {
			case e.IsDir() && e.Name() != ".git" && e.Name() != "node_modules":
				if err := visit(name); err != nil {
					return err
				}
			case e.Type() == fs.ModeSymlink:
				if to, err := tree.ReadLink(p.under, name); err == nil && len(problems) < maxLinks && p.breaks(name, slash.Path(to), root) {
					problems = append(problems, Problem{Path: name, Why: "the symbolic link points to " + slash.Path(to) + ", and would no longer"})
				}
				p.link(name)
			}
		}
		return nil
	}
	if p.request.Links == "" || len(p.request.Renames) == 0 {
		return nil, nil
	}
	err = visit(root)
	return problems, err
}

// link notes a symbolic link to a directory in which something moves.
func (p *planner) link(name string) {
	real, err := p.under.Real(name)
	if err != nil || !slices.ContainsFunc(p.request.Renames, func(r Rename) bool { return below(r.From, real) || below(r.To, real) }) {
		return
	}
	if info, err := p.under.Stat(name); err == nil && info.IsDir() {
		if p.linked == nil {
			p.linked = tree.Links{}
		}
		p.linked[name] = real
	}
}

// breaks reports whether the renames break a symbolic link below root, which points to raw.
func (p *planner) breaks(name, raw, root string) bool {
	from := func(file string) string {
		if path.IsAbs(raw) {
			return raw
		}
		return path.Join(path.Dir(file), raw)
	}
	to := from(name)
	real, err := p.under.Real(name)
	if err != nil {
		real = to
	}
	isEmptied := slices.ContainsFunc(p.emptied, func(dir string) bool { return below(real, dir) })
	return isEmptied || from(p.target(name)) != p.target(to) || real != to && below(real, root) && p.target(real) != real
}
