// Package tree reads the files of an audit, without the network: file systems, changes to them in memory,
// listings of directories, repositories and packages, and records of what an audit has asked of the disk.
package tree

import (
	"cmp"
	"io/fs"
	"path"
	"strings"

	"example.org/refract/internal/input"
	"example.org/refract/internal/lazy"
)

// A Tree is the file system that an audit reads.
type Tree = input.Tree

// Disk returns the file system of the operating system.
func Disk() Tree { return input.Disk{} }

// FS returns a Tree with the files of fsys, whose root is "/": "a.md" of fsys is "/a.md".
// Symbolic links count if fsys is an [fs.ReadLinkFS].
func FS(fsys fs.FS) Tree { return input.Rooted{FS: fsys} }

// WorkingDir returns the directory of t that relative names are relative to by default.
func WorkingDir(t Tree) string {
	switch t := beneath(t).(type) {
	case input.Disk:
		return input.WorkingDir()
	case *Overlay:
		return WorkingDir(t.under())
	}
	return "/"
}

// A ListOnce is a Tree that lists each directory once for all parts of an audit: the walk, the sites, and listings.
type ListOnce struct {
	Tree
	Dir   string // absolute path of the directory that relative names are relative to
	lists lazy.Map[string, []fs.DirEntry]
}

// ReadDir implements [Tree]. The caller must not change the list. A directory that cannot be read is asked
// for again, since the error has the name as the caller has given it.
func (t *ListOnce) ReadDir(name string) ([]fs.DirEntry, error) {
	list := t.lists.Get(strings.TrimSuffix(input.Join(t.Dir, name), "/"), func(string) []fs.DirEntry {
		list, err := t.Tree.ReadDir(name)
		if err != nil {
			return nil
		}
		return list
	})
	if list != nil {
		return list, nil
	}
	return t.Tree.ReadDir(name)
}

// Derive is like [Derive], for packages that do not know this one.
func (t *ListOnce) Derive(text []byte, key any, make func() any) any {
	if h := heldIn(t.Tree); h != nil {
		return h.Derive(text, key, make)
	}
	return make()
}

// Forget drops the listings of the directories below dir, which is absolute and clean. They are listed
// again on demand.
func (t *ListOnce) Forget(dir string) {
	isBelow := func(name string) bool { return Below(name, dir) }
	t.lists.DeleteFunc(isBelow)
	if c, ok := t.Tree.(*Confined); ok {
		c.places.DeleteFunc(isBelow)
		c.lists.Range(func(name, _ any) bool {
			if isBelow(name.(string)) {
				c.lists.Delete(name)
			}
			return true
		})
	}
}

// beneath returns the file system that t records or lists once, or t.
func beneath(t Tree) Tree {
	switch t := t.(type) {
	case *trace:
		return t.Tree
	case *ListOnce:
		return beneath(t.Tree)
	case *Confined:
		return beneath(t.Tree)
	case *Held:
		return beneath(t.Tree)
	}
	return t
}

// IsOnDisk reports whether t is the file system of the operating system.
func IsOnDisk(t Tree) bool {
	_, ok := beneath(t).(input.Disk)
	return ok
}

// Absolute returns the absolute, cleaned form of a name, with forward slashes and none at its
// end: a root is "". A relative name is relative to dir.
func Absolute(dir, name string) string {
	return strings.TrimSuffix(path.Clean(input.Join(cmp.Or(dir, "/"), name)), "/")
}

// Cause strips from err the path, which errors of the operating system repeat.
func Cause(err error) error {
	if e, ok := err.(*fs.PathError); ok {
		return e.Err
	}
	return err
}

// Below reports whether p is dir or in it. The root is "" or "/".
func Below(p, dir string) bool {
	if !strings.HasPrefix(p, dir) {
		return false
	}
	return len(p) == len(dir) || p[len(dir)] == '/' || strings.HasSuffix(dir, "/")
}
